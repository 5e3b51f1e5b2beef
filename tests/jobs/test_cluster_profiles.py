"""Profiles of clusters: what they ask for, and that spark-submit takes it."""

import os
import subprocess
from pathlib import Path

import pyspark
import pytest

from evaluator.errors import ConfigurationError, DistvalError
from jobs.spark.profile import ClusterProfile, mebibytes, read_profile, shared
from jobs.spark.session import launch_environment
from jobs.spark.submission import submission
from tests.jobs.commands import command, refused, shown
from tests.jobs.sample_runs import CONF

NAMES = ("local", "standalone", "yarn", "kubernetes", "slurm")
SPARK_CLASS = Path(pyspark.__file__).parent / "bin" / "spark-class"


def dry(name: str, *options: str) -> str:
    return shown("submit", CONF, "--profile", name, "--dry-run", *options).strip()


@pytest.mark.jvm
@pytest.mark.parametrize("name", [name for name in NAMES if name != "slurm"])
def test_spark_takes_the_command_of_every_profile(name: str) -> None:
    """Spark's own launcher parses the arguments, as spark-submit has it do."""
    line = dry(name, "--conf", "spark.x=a b;$(c)", "--set", "name=it's mine")
    # The shell gives the arguments as they are meant, whatever they hold.
    parts = subprocess.run(
        ["bash", "-c", f"set -- {line}; printf '%s\\0' \"$@\""], capture_output=True, check=True
    ).stdout.decode().split("\0")[:-1]  # fmt: skip
    arguments = parts[next(i for i, p in enumerate(parts) if p.endswith("spark-submit")) + 1 :]
    assert "spark.x=a b;$(c)" in arguments
    assert arguments[-1] == "name=it's mine"
    main, class_ = "org.apache.spark.launcher.Main", "org.apache.spark.deploy.SparkSubmit"
    done = subprocess.run(
        [SPARK_CLASS, main, class_, *arguments],
        env=os.environ | launch_environment("yarn") | {"SPARK_PRINT_LAUNCH_COMMAND": "1"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert "--master" in done.stdout + done.stderr
    wrong = [*arguments[:2], "--no-such-option", *arguments[2:]]
    refused_too = subprocess.run(
        [SPARK_CLASS, main, class_, *wrong],
        env=os.environ | launch_environment("yarn"),
        capture_output=True,
        text=True,
    )
    assert refused_too.returncode != 0 or "no-such-option" in refused_too.stderr


def test_the_script_for_slurm_is_one_that_bash_reads() -> None:
    script = dry("slurm", "--set", "name=it's mine; $(date)")
    subprocess.run(["bash", "-n"], input=script, text=True, check=True)
    lines = script.splitlines()
    assert lines[0] == "#!/bin/bash"
    asked = dict(line.removeprefix("#SBATCH --").split("=") for line in lines if "#SBATCH" in line)
    assert asked["nodes"] == "4"
    assert asked["cpus-per-task"] == "16"
    assert asked["mem"] == f"{mebibytes('64GB')}M"
    assert "partition" not in asked
    assert "'name=it'\"'\"'s mine; $(date)'" in lines[-1]
    assert '--master "spark://$host:$port"' in lines[-1]


def test_no_name_and_no_setting_becomes_a_line_of_the_script(tmp_path: Path) -> None:
    conf = tmp_path / "x\ntouch PWNED\n#.toml"
    conf.write_text(CONF.read_text().replace(":sample/", f":{CONF.parent}/sample/"))
    profile = tmp_path / "p.toml"
    profile.write_text("settings = {'spark.x' = 'spark://slurm:7077 $host'}\n[slurm]\n")
    script = shown("submit", conf, "--profile", profile, "--dry-run")
    subprocess.run(["bash", "-n"], input=script, text=True, check=True)
    named = [line for line in script.splitlines() if "job-name" in line]
    assert named == ["#SBATCH --job-name=distval-x_touch_PWNED__"]
    assert "'spark.x=spark://slurm:7077 $host'" in script


# 4 cores: (500 + 400 + 488) MiB each for a worker, Lucene and 512 MB of positions make 5,552.
def test_the_memory_of_an_executor_is_divided() -> None:
    shares = shared("16GB", 4, index_memory="512MB")
    assert shares.overhead == pytest.approx(4 * (500 + 400 + 512e6 / 2**20), abs=2)
    assert shares.heap + shares.overhead == int(16e9 // 2**20)
    with pytest.raises(ConfigurationError, match=r"'6GB' .* needs 7,602 MiB"):
        shared("6GB", 4, index_memory="512MB")
    with_storage = shared("16GB", 4, index_memory="512MB", storage=True)
    assert with_storage.overhead == pytest.approx(shares.overhead + 4 * 250, abs=2)


def test_the_storage_of_a_run_wins_over_that_of_a_profile(tmp_path: Path) -> None:
    """And the command line over both; a dry run says where things would be put."""
    profile = tmp_path / "mine.toml"
    profile.write_text("master = 'yarn'\nstorage = 'hdfs://node/of-profile'\n")

    def told(*options: str) -> tuple[str, str]:
        done = command("submit", CONF, "--profile", profile, "--dry-run", *options)
        assert done.code == 0, done.err
        return done.out.strip().rpartition(" --set ")[2], done.err

    of_run, on_line = "--set=spark.storage=hdfs://node/of-run", "--storage=/mnt/a"
    assert told()[0] == "'spark.storage=\"hdfs://node/of-profile\"'"
    assert told(of_run)[0] == "spark.storage=hdfs://node/of-run"
    setting, places = told(of_run, on_line)
    assert setting == "'spark.storage=\"/mnt/a\"'"
    kept, gone = places.splitlines()
    assert kept.split(maxsplit=1) == ["file:///mnt/a/evidence", "knowledge base and index, to stay"]
    assert gone.split(maxsplit=1) == ["file:///mnt/a/runs", "tables of the run, until it ends"]


def test_settings_win_in_order_and_the_driver_keeps_its_python(tmp_path: Path) -> None:
    profile = ClusterProfile(
        master="yarn", python="/opt/p", settings={"spark.executor.memory": "2g", "spark.a": "b"}
    )
    asked = submission(
        "x", profile=profile, settings={"spark.a": "c"}, index_memory="512MB", archives=tmp_path
    )
    told = dict(
        part.split("=", 1) for flag, part in zip(asked.options, asked.options[1:], strict=False)
        if flag == "--conf"
    )  # fmt: skip
    assert told["spark.executor.memory"] == "2g"
    assert told["spark.a"] == "c"
    assert told["spark.pyspark.python"] == "/opt/p"
    assert told["spark.pyspark.driver.python"] != "/opt/p"
    assert told["spark.ui.enabled"] == "false"


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("", "profile: give master, or the section slurm"),
        ("master = 'yarm'", "master 'yarm' is none of Spark's"),
        ("master = 'yarn'\nmemroy = '1GB'", "unknown key memroy; did you mean memory?"),
        ("master = 'yarn'\nmemory = '1'", "memory: memory '1': expected a size"),
        ("master = 'yarn'\ncores = 0", "cores: input should be greater than or equal to 1"),
        ("master = 'yarn'\n[slurm]", "give master, or the section slurm"),
        ("master = 'yarn'\n[settings]\nfoo = 'x'", "'foo' is no setting of Spark"),
        ("master = 'yarn'\npython = \"\\u0000\"", "holds the control character"),
        ("master = 'yarn'\nsettings = {'spark.x' = \"a\\nb\"}", "holds the control character"),
        ("master = 'yarn'\nsettings = {'spark.x y' = 'a'}", "is no setting of Spark"),
        ("master = 'yarn'\nstorage = 'shared'", "storage 'shared': expected a URL"),
        ("[slurm]\naccount = '--x'", "letters, digits"),
        ("[slurm]\ntime = '999:99:99'", "expected a time such as"),
        ("[slurm]\npartition = 'a;rm -rf /'", "letters, digits"),
        ("[slurm]\ntime = 'long'", "slurm.time"),
        ("master = ", "not a TOML file"),
    ],
)
def test_what_is_no_profile_is_told_in_one_line(tmp_path: Path, content: str, told: str) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(content)
    with pytest.raises(DistvalError) as error:
        read_profile(str(path), beside=CONF)
    assert told in str(error.value)
    assert "\n" not in str(error.value)


def test_a_profile_is_found_by_its_name(tmp_path: Path) -> None:
    assert "did you mean yarn?" in refused("submit", CONF, "--profile", "yran")
    assert "no such profile" in refused("submit", CONF, "--profile", tmp_path / "a.toml")
    assert "name the cluster" in refused("submit", CONF)
    both = ("--profile", "yarn", "--master", "yarn")
    assert "name the cluster" in refused("submit", CONF, *both)
    (tmp_path / "cluster").mkdir()
    (tmp_path / "cluster" / "ours.toml").write_text("master = 'yarn'\n")
    assert read_profile("ours", beside=tmp_path / "run.toml").master == "yarn"


def test_where_there_is_no_slurm_it_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    told = refused("submit", CONF, "--profile", "slurm", f"--set=run={tmp_path / 'run'}")
    assert "there is no sbatch here" in told


@pytest.mark.jvm
def test_what_spark_submit_refuses_is_told_in_one_line(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    for name in ("HADOOP_CONF_DIR", "YARN_CONF_DIR"):
        monkeypatch.delenv(name, raising=False)
    told = refused("submit", CONF, "--master", "yarn")
    assert told.startswith("distval: spark-submit: When running with master 'yarn' either HADOOP_")
    captured = capfd.readouterr()
    assert "org.apache" not in captured.out + captured.err

"""A standalone cluster on loopback, a master and two workers as processes of their own.

What is killed is found by its command line among the processes that the run started.
"""

import json
import os
import random
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pyspark
import pytest

from jobs.config import Configuration
from jobs.spark.session import launch_environment
from tests import plain_path
from tests.jobs.sample_runs import CONF, SMALL

pytestmark = pytest.mark.slow

_CLASS = Path(pyspark.__file__).parent / "bin" / "spark-class"
_DEPLOY = "org.apache.spark.deploy"
_LONGEST = 900  # seconds; a loaded machine takes minutes


def _free_port() -> int:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        return int(listening.getsockname()[1])


@pytest.fixture(scope="module")
def profile(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Start a cluster, and give out a profile of it."""
    folder = tmp_path_factory.mktemp("cluster")
    port = _free_port()
    environment = os.environ | launch_environment("yarn")
    environment |= {"SPARK_LOCAL_IP": "127.0.0.1", "SPARK_WORKER_DIR": str(folder / "work")}
    master = f"spark://127.0.0.1:{port}"
    parts = [
        (f"{_DEPLOY}.master.Master", "--host", "127.0.0.1", "--port", str(port)),
        *((f"{_DEPLOY}.worker.Worker", "--cores", "1", "--memory", "2G", master),) * 2,
    ]
    started = []
    for part in parts:
        with (folder / f"{len(started)}.log").open("wb") as log:
            started.append(
                subprocess.Popen(
                    [_CLASS, *part, "--webui-port", "0"], env=environment, stdout=log, stderr=log
                )
            )
    path = folder / "loopback.toml"
    settings = "\n".join(f'"{name}" = "{value}"' for name, value in SMALL.items())
    path.write_text(
        f'master = "{master}"\nexecutors = 2\ncores = 1\nmemory = "3GB"\n'
        f'driver_memory = "1500MB"\n[settings]\n{settings}\n'
    )
    yield path
    for process in started:
        process.terminate()
    for process in started:
        process.wait(60)


def submitted(profile: Path, evidence: Path, run: Path) -> "subprocess.Popen[str]":
    places = {"run": run, "kb.path": evidence / "kb", "index.path": evidence / "index"}
    return subprocess.Popen(
        [
            *(sys.executable, "-c", "from jobs.cli import main; main()"),
            *("submit", str(CONF), "--profile", str(profile), "--json"),
            *(f"--set={name}={path}" for name, path in places.items()),
            "--set=spark.partitions=2",
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=CONF.parents[1],
    )


@pytest.fixture(scope="module")
def oracle(evidence: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    run = tmp_path_factory.mktemp("oracle") / "run"
    places = [f"run={run}", f"kb.path={evidence / 'kb'}", f"index.path={evidence / 'index'}"]
    configuration = Configuration.load(CONF, overrides=places)
    return json.loads(json.dumps(plain_path.evaluate(configuration)))


def result_of(process: "subprocess.Popen[str]") -> dict[str, Any]:
    out, err = process.communicate(timeout=_LONGEST)
    assert process.returncode == 0, err
    found: dict[str, Any] = json.loads(out)
    return found


def test_a_cluster_gives_what_one_machine_does(
    profile: Path, evidence: Path, tmp_path: Path, oracle: dict[str, Any]
) -> None:
    assert result_of(submitted(profile, evidence, tmp_path / "run")) == oracle


_KINDS = {
    "executor": "CoarseGrainedExecutorBackend",
    "Python worker": "pyspark.daemon",
    "driver": "distval_run.py",
    "Java of the driver": "deploy.SparkSubmit",
}


def processes_of(kind: str) -> list[int]:
    """Return the processes of a kind, of this machine's runs of the sample."""
    found = []
    for place in Path("/proc").iterdir():
        with suppress(OSError):
            if place.name.isdigit() and _KINDS[kind] in (place / "cmdline").read_text():
                found.append(int(place.name))
    return found


@pytest.mark.parametrize("kind", _KINDS)
def test_whatever_is_killed_the_result_is_the_same(
    profile: Path, evidence: Path, tmp_path: Path, oracle: dict[str, Any], kind: str
) -> None:
    """At a time that the seed chooses; the run goes on by itself, or when it is submitted again."""
    chance = random.Random(f"2012 {kind}")
    run = tmp_path / "run"
    process = submitted(profile, evidence, run)
    stage = run / chance.choice([".annotate.partial", ".match.partial", ".score.partial"])
    end = time.monotonic() + _LONGEST
    while not stage.exists() and process.poll() is None and time.monotonic() < end:
        time.sleep(0.05)
    time.sleep(chance.uniform(0, 2))
    killed = 0
    for victim in processes_of(kind)[:1]:
        with suppress(ProcessLookupError):
            os.kill(victim, signal.SIGKILL)
            killed += 1
    out, err = process.communicate(timeout=_LONGEST)
    if process.returncode == 0:
        assert json.loads(out) == oracle
        return
    assert killed == 1
    assert not (run / "result.json").exists()
    assert process.returncode == 2, err
    assert err.strip().splitlines()[-1].startswith("distval: ")
    assert "\tat org.apache" not in err
    assert result_of(submitted(profile, evidence, run)) == oracle


def test_sigterm_ends_the_job_with_its_processes_and_its_folder(
    profile: Path, evidence: Path, tmp_path: Path
) -> None:
    before = set(Path("/tmp").glob("distval-submit-*"))
    process = submitted(profile, evidence, tmp_path / "run")
    end = time.monotonic() + _LONGEST
    while not (tmp_path / "run").exists() and time.monotonic() < end:
        time.sleep(0.05)
    process.terminate()
    _, err = process.communicate(timeout=120)
    assert process.returncode == 143
    assert err.strip().splitlines()[-1].startswith("distval: terminated;")
    end = time.monotonic() + 60
    while processes_of("driver") and time.monotonic() < end:
        time.sleep(0.2)
    assert not processes_of("driver")
    assert set(Path("/tmp").glob("distval-submit-*")) == before

"""What an installation without Spark and without pyserini can do, and what it says it lacks."""

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from indexes.jvm import LUCENE_INSTALL
from jobs.cli.running import LEFT_OUT

HOME = Path(__file__).parents[3]
_WITHOUT = (
    "import sys; sys.modules.update(dict.fromkeys(sys.argv.pop(1).split(',')))\n"
    "from jobs.cli import main; main()"
)


def without(
    *arguments: object, packages: str = "pyspark,pyserini"
) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", _WITHOUT, packages, *map(str, arguments)]
    return subprocess.run(command, cwd=HOME, capture_output=True, text=True, timeout=120)


def test_a_command_that_needs_spark_says_the_line_that_brings_it(tmp_path: Path) -> None:
    settings = [f"--set={name}={tmp_path}/{name}" for name in ("run", "kb.path", "index.path")]
    settings.append("--set=engine=spark")
    done = without("run", "conf/demo.toml", *settings, packages="pyspark")
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1] == f"distval: {LEFT_OUT['pyspark']}"
    assert "Traceback" not in done.stderr


def test_a_command_that_needs_the_index_says_the_line_that_brings_it(tmp_path: Path) -> None:
    (tmp_path / "text.txt").write_text("Ada met Bob.\n")
    built = (tmp_path / "text.txt", "--format", "text", "--out", tmp_path / "index")
    done = without("index", "build", *built)
    assert done.returncode == 2
    assert LUCENE_INSTALL in done.stderr.splitlines()[-1]
    assert "Traceback" not in done.stderr


def test_readers_gold_and_labels_work_without_both(tmp_path: Path) -> None:
    (tmp_path / "gold.tsv").write_text("Ada met Bob .\tmet\tAda\tBob\n")
    (tmp_path / "out.tsv").write_text("Ada met Bob .\t0.9\tmet\tAda\tBob\n")
    scored = without(
        "gold", "carb", "--gold", tmp_path / "gold.tsv", "--system",
        f"mine=tabbed:{tmp_path / 'out.tsv'}", "--json",
    )  # fmt: skip
    assert scored.returncode == 0, scored.stderr
    assert without("doctor").returncode == 1
    agreed = without("agree", "conf/sample/labels.tsv", "--json")
    assert agreed.returncode == 0, agreed.stderr


@pytest.mark.parametrize(
    ("extra", "line"), [("index", LUCENE_INSTALL), ("spark", LEFT_OUT["pyspark"])]
)
def test_the_lines_name_the_versions_of_the_project(extra: str, line: str) -> None:
    project = tomllib.loads((HOME / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    [wanted] = project["optional-dependencies"][extra]
    command = line[line.index("pip install") :]
    assert command.endswith(wanted)
    assert command in (HOME / "README.md").read_text(encoding="utf-8")

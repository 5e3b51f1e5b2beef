"""What the environment asks of Java: refused in one line where Java refuses it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from indexes.jvm import java_home

pytestmark = pytest.mark.jvm

ROOT = Path(__file__).parents[3]


def lucene(**environment: str) -> subprocess.CompletedProcess[str]:
    """Run a command that starts Java in its own process."""
    return subprocess.run(
        [sys.executable, "-c", "from jobs.cli import main; main()", "doctor", "--json"],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=os.environ | environment,
        check=False,
    )


@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        ("JAVA_TOOL_OPTIONS", "-Djava.security.manager=allow", "Security Manager"),
        pytest.param(  # not beside our own
            "JAVA_TOOL_OPTIONS", "-XX:+UseParallelGC", "collector", marks=pytest.mark.slow
        ),
        ("_JAVA_OPTIONS", "-XX:NoSuchOption", "NoSuchOption"),
        pytest.param("_JAVA_OPTIONS", "-Xmx1k", "heap", marks=pytest.mark.slow),
    ],
)
def test_options_that_java_refuses_are_named(name: str, value: str, reason: str) -> None:
    done = lucene(**{name: value})
    (check,) = [check for check in json.loads(done.stdout) if check["what"] == "Lucene"]
    assert done.returncode == 1
    assert f"{name}={value}: Java " in check["found"]
    assert reason in check["found"]
    assert len(check["found"].splitlines()) == 1


@pytest.mark.parametrize("value", ["-Dsome.property=1", "-Xlog:gc=info:stdout"])
def test_what_java_says_for_itself_is_no_result(value: str) -> None:
    done = lucene(JAVA_TOOL_OPTIONS=value)
    assert all(check["state"] != "missing" for check in json.loads(done.stdout))
    assert "Picked up JAVA_TOOL_OPTIONS" in done.stderr


def test_a_folder_that_only_says_it_is_a_jdk(tmp_path: Path) -> None:
    (tmp_path / "release").write_text('JAVA_VERSION="25.0.1"\n')
    done = lucene(JAVA_HOME=str(tmp_path))
    checks = {check["what"]: check["found"] for check in json.loads(done.stdout)}
    for what in ("Java", "Lucene"):
        assert f"JAVA_HOME={tmp_path}: no whole JDK" in checks[what]


@pytest.mark.parametrize(
    ("name", "value"),
    [("JDK_JAVA_OPTIONS", "-XX:NoSuchOption"), ("SPARK_SUBMIT_OPTS", "-XX:NoSuchOption")],
)
def test_options_of_spark_are_named_too(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    from evaluator.errors import SetupError
    from indexes.jvm import check_options

    monkeypatch.setenv(name, value)
    check_options(java_home())  # Lucene's start does not read it
    with pytest.raises(SetupError, match=f"{name}={value}: Java .*NoSuchOption"):
        check_options(java_home(), of_spark=True)

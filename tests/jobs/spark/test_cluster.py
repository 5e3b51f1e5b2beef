"""A standalone cluster on loopback, a master and two workers as processes of their own.

What is killed is found by its command line among the processes that the test has started.
"""

import json
import logging
import os
import random
import re
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from jobs.config import Configuration
from tests import plain_path
from tests.jobs.sample_runs import CONF
from tests.jobs.standalone import Cluster, standalone
from tests.jobs.victims import at_work, descendants, kill_one, process_of_sample

pytestmark = pytest.mark.slow

_LOG = logging.getLogger(__name__)
_LONGEST = 900  # seconds; a loaded machine takes minutes


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """Start a cluster."""
    with standalone(tmp_path_factory.mktemp("cluster")) as started:
        yield started


def submitted(
    cluster: Cluster, evidence: Path, run: Path, *options: str
) -> "subprocess.Popen[str]":
    """Submit the sample, whose stages are made in some ten parts or more."""
    of_spark = ("--set=spark.partitions=2", "--set=part_rows=90")
    given = (f"--conf={option}" for option in options)
    return process_of_sample(
        "submit", evidence, run, f"--profile={cluster.profile}", *of_spark, *given
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


@pytest.fixture(scope="module")
def undisturbed(
    cluster: Cluster, evidence: Path, oracle: dict[str, Any], tmp_path_factory: Any
) -> float:
    """Run the sample while nothing is killed, and return the seconds that this takes."""
    begun = time.monotonic()
    run = tmp_path_factory.mktemp("undisturbed") / "run"
    assert result_of(submitted(cluster, evidence, run)) == oracle
    return time.monotonic() - begun


def test_a_cluster_gives_what_one_machine_does(undisturbed: float) -> None:
    assert undisturbed > 0


_KINDS = {
    "executor": r"CoarseGrainedExecutorBackend",
    "Python worker": r"pyspark\.daemon",
    "driver": r"^\S*python\S* \S*distval_run\.py ",  # what starts it has the name, too
    "Java of the driver": r"deploy\.SparkSubmit",
}
_AGAIN = 3  # times at most that a run is submitted again


def of_kind(kind: str, *roots: int) -> Callable[[], list[int]]:
    """Return what finds the processes of a kind that the given ones have started."""
    return lambda: [
        pid for pid, told in descendants(roots).items() if re.search(_KINDS[kind], told)
    ]


@pytest.mark.parametrize("seed", range(20))
def test_whatever_is_killed_the_result_is_the_same(
    cluster: Cluster,
    evidence: Path,
    tmp_path: Path,
    oracle: dict[str, Any],
    undisturbed: float,
    seed: int,
) -> None:
    """At a random time; the run goes on by itself, or from where it stood when submitted again.

    ``--log-cli-level=INFO`` shows what was killed and when.
    """
    chance = random.Random(f"2012 {seed}")
    kind = list(_KINDS)[seed % len(_KINDS)]
    run = tmp_path / "run"
    begun = time.monotonic()
    process = submitted(cluster, evidence, run)
    time.sleep(chance.uniform(0, undisturbed))
    victims = of_kind(kind, process.pid, *cluster.processes)
    killed = kill_one(victims, chance, until=lambda: process.poll() is not None)
    when = f"{time.monotonic() - begun:.1f} s of {undisturbed:.1f}: {at_work(run)}"
    ends: list[tuple[int, str, bool]] = []  # exit code, errors, whether a result was published
    out, err = process.communicate(timeout=_LONGEST)
    while process.returncode != 0 and len(ends) < _AGAIN:
        ends.append((process.returncode, err, (run / "result.json").exists()))
        process = submitted(cluster, evidence, run)
        out, err = process.communicate(timeout=_LONGEST)
    kept = [line.strip() for line in err.splitlines() if "parts kept" in line]
    same = process.returncode == 0 and json.loads(out) == oracle
    told = {"seed": seed, "killed": kind if killed else "nothing", "when": when}
    last = [(code, "".join(said.strip().splitlines()[-1:])) for code, said, _ in ends]
    _LOG.info(json.dumps({**told, "again": len(ends), "kept": kept, "same": same, "ends": last}))
    for code, said, published in ends:
        assert killed, said
        assert not published
        assert code == 2, said
        assert said.strip().splitlines()[-1].startswith("distval: ")
        assert "\tat org.apache" not in said
    assert process.returncode == 0, err
    assert json.loads(out) == oracle
    assert not list(run.glob(".*.parts"))


def test_a_slow_node_whose_work_is_done_twice_changes_nothing(
    cluster: Cluster, evidence: Path, tmp_path: Path, oracle: dict[str, Any]
) -> None:
    """One executor is stopped for a while; Spark has others do its tasks besides."""
    process = submitted(
        cluster,
        evidence,
        tmp_path / "run",
        "spark.speculation=true",
        "spark.speculation.interval=10ms",
        "spark.speculation.multiplier=1.1",
        "spark.speculation.quantile=0.1",
    )
    executors = of_kind("executor", *cluster.processes)
    slow: list[int] = []
    while not slow and process.poll() is None:
        if (tmp_path / "run" / ".annotate.partial").exists():
            slow = executors()[:1]
        time.sleep(0.02)
    for executor in slow:
        os.kill(executor, signal.SIGSTOP)
        time.sleep(5)
        os.kill(executor, signal.SIGCONT)
    assert slow
    assert result_of(process) == oracle


def test_sigterm_ends_the_job_with_its_processes_and_its_folder(
    cluster: Cluster, evidence: Path, tmp_path: Path
) -> None:
    before = set(Path("/tmp").glob("distval-submit-*"))
    process = submitted(cluster, evidence, tmp_path / "run")
    driver: list[int] = []
    end = time.monotonic() + _LONGEST
    while not (tmp_path / "run").exists() and time.monotonic() < end:
        driver = of_kind("driver", process.pid)() or driver
        time.sleep(0.05)
    assert driver
    process.terminate()
    _, err = process.communicate(timeout=120)
    assert process.returncode == 143
    assert err.strip().splitlines()[-1].startswith("distval: terminated;")
    end = time.monotonic() + 60
    while of_kind("driver", *driver)() and time.monotonic() < end:
        time.sleep(0.2)
    assert not of_kind("driver", *driver)()
    assert set(Path("/tmp").glob("distval-submit-*")) == before

"""Runs on one machine, of which a process is killed at a random time: each ends the same."""

import json
import logging
import random
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from tests import plain_path
from tests.jobs.sample_runs import of_sample
from tests.jobs.victims import at_work, descendants, kill_one, process_of_sample

pytestmark = pytest.mark.slow

_LOG = logging.getLogger(__name__)
_LONGEST = 300  # seconds
_KINDS = {"worker": "multiprocessing.spawn", "main": "jobs.cli"}
# Little enough is done by one process before others have started: here they start at once.
_MAIN = "import indexes.engine; indexes.engine._SOON = 0.0; from jobs.cli import main; main()"


def started(evidence: Path, run: Path, workers: int) -> "subprocess.Popen[str]":
    """Run the sample, whose stages are made in some ten parts or more."""
    options = ("--engine=local", f"--set=local.workers={workers}", "--set=part_rows=15")
    return process_of_sample("run", evidence, run, *options, main=_MAIN)


@pytest.fixture(scope="module")
def oracle(evidence: Path) -> dict[str, Any]:
    return json.loads(json.dumps(plain_path.evaluate(of_sample(evidence, evidence / "none"))))


@pytest.fixture(scope="module")
def undisturbed(
    evidence: Path, oracle: dict[str, Any], tmp_path_factory: pytest.TempPathFactory
) -> float:
    """Run the sample while nothing is killed, and return the seconds that this takes."""
    begun = time.monotonic()
    process = started(evidence, tmp_path_factory.mktemp("undisturbed") / "run", 2)
    out, err = process.communicate(timeout=_LONGEST)
    assert process.returncode == 0, err
    assert json.loads(out) == oracle
    return time.monotonic() - begun


@pytest.mark.parametrize("seed", range(20))
def test_whatever_is_killed_the_result_is_the_same(
    evidence: Path, tmp_path: Path, oracle: dict[str, Any], undisturbed: float, seed: int
) -> None:
    """The run that goes on has another number of workers."""
    chance = random.Random(f"2012 {seed}")
    kind = list(_KINDS)[seed % len(_KINDS)]
    run = tmp_path / "run"
    begun = time.monotonic()
    process = started(evidence, run, 2)

    def victims() -> list[int]:
        found = descendants([process.pid])
        return [number for number, told in found.items() if _KINDS[kind] in told]

    time.sleep(chance.uniform(0, undisturbed))
    killed = kill_one(victims, chance, until=lambda: process.poll() is not None)
    when = f"{time.monotonic() - begun:.1f} s of {undisturbed:.1f}: {at_work(run)}"
    out, err = process.communicate(timeout=_LONGEST)
    again = process.returncode != 0
    if again:
        assert killed, err
        assert not (run / "result.json").exists()
        if kind == "worker":
            assert process.returncode == 2, err
            assert "died (exit code -9; out of memory, perhaps)" in err.splitlines()[-1]
        process = started(evidence, run, chance.choice([1, 3]))
        out, err = process.communicate(timeout=_LONGEST)
    kept = [line.strip() for line in err.splitlines() if "parts kept" in line]
    same = process.returncode == 0 and json.loads(out) == oracle
    told = {"seed": seed, "killed": kind if killed else "nothing", "when": when}
    _LOG.info(json.dumps({**told, "again": again, "kept": kept, "same": same}))
    assert process.returncode == 0, err
    assert json.loads(out) == oracle
    assert not list(run.glob(".*.parts"))

"""Processes that a test starts, itself or through others, and finds to be killed."""

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

from tests.jobs.sample_runs import CONF


def process_of_sample(
    command: str,
    evidence: Path,
    run: Path,
    *options: str,
    main: str = "from jobs.cli import main; main()",
) -> "subprocess.Popen[str]":
    """Start a command that runs the sample, in a process of its own."""
    places = {"run": run, "kb.path": evidence / "kb", "index.path": evidence / "index"}
    return subprocess.Popen(
        [
            *(sys.executable, "-c", main, command, str(CONF), "--json", *options),
            *(f"--set={name}={path}" for name, path in places.items()),
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=CONF.parents[1],
    )


def descendants(roots: Iterable[int]) -> dict[int, str]:
    """Return the command lines of processes and of all that they have started, by number."""
    parents, commands = {}, {}
    for place in Path("/proc").iterdir():
        with suppress(OSError, ValueError):
            number = int(place.name)
            parents[number] = int((place / "stat").read_text().rpartition(")")[2].split()[1])
            commands[number] = (place / "cmdline").read_text().replace("\0", " ")
    found = set(roots)
    while more := {one for one, parent in parents.items() if parent in found} - found:
        found |= more
    return {number: commands[number] for number in found & commands.keys()}


def kill_one(
    victims: Callable[[], list[int]], chance: random.Random, *, until: Callable[[], bool]
) -> bool:
    """Kill one of the victims as soon as there is one; False where none comes in time."""
    while not until():
        for victim in chance.sample(sorted(found := victims()), min(1, len(found))):
            with suppress(ProcessLookupError):
                os.kill(victim, signal.SIGKILL)
                return True
        time.sleep(0.02)
    return False


def at_work(run: Path) -> str:
    """Return what a run is at: its stage, and how many parts of it are finished."""
    for aside in run.glob(".*.partial"):
        stage = aside.name.removeprefix(".").removesuffix(".partial")
        parts = len(list(run.glob(f".{stage}.parts/*/*/*.parquet")))
        return f"{stage}, {parts} parts" if parts else stage
    return "between stages" if run.exists() else "before the run"

"""Processes that a test has started, itself or through others, found to be killed."""

import os
import random
import signal
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path


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

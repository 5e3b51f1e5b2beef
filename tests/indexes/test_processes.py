"""Processes that work for another one go when that one goes, however it ends."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]
_MAIN = """
import os, time
from indexes.processes import process_pool
with process_pool(2) as pool:
    print(*{pool.submit(os.getpid).result() for _ in range(20)}, flush=True)
    pool.submit(time.sleep, 600).result()
"""


def test_no_process_outlives_the_one_that_it_works_for() -> None:
    command = [sys.executable, "-c", _MAIN]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as main:
        assert main.stdout is not None
        workers = [int(pid) for pid in main.stdout.readline().split()]
        os.kill(main.pid, signal.SIGKILL)
    assert workers
    deadline = time.monotonic() + 60
    while any(map(_works, workers)) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not any(map(_works, workers))


def _works(pid: int) -> bool:
    """Whether a process is there, and no zombie."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"

"""Processes that work for another one: what they answer, and that they go when that one goes."""

import operator
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from evaluator.errors import InputError, SetupError
from indexes.processes import process_pool, starting

ROOT = Path(__file__).parents[2]
_MAIN = """
import time
from indexes.processes import process_pool
from tests.indexes.test_processes import slow_if_even
with process_pool(2) as pool:
    print(*{pid for _, pid in pool.map(slow_if_even, range(20))}, flush=True)
    list(pool.map(time.sleep, [600]))
"""


def slow_if_even(number: int) -> tuple[int, int]:
    time.sleep(0.05 * (number % 2 == 0))
    return number, os.getpid()


def refuse_three(number: int) -> int:
    if number == 3:
        raise InputError("records.tsv", "damaged", line=3)
    return 12 // (number - 4)


def test_answers_come_in_the_order_of_the_tasks_from_all_processes() -> None:
    taken = []
    with process_pool(2) as pool:
        assert list(pool.map(abs, [])) == []
        tasks = (taken.append(number) or number for number in range(40))
        made = []
        for answer in pool.map(slow_if_even, tasks):
            made.append(answer)
            assert len(taken) <= len(made) + 6  # few are taken ahead
    assert [number for number, _ in made] == list(range(40))
    assert len({process for _, process in made} - {os.getpid()}) == 2


def test_two_that_ask_at_once_get_their_own_answers() -> None:
    with process_pool(2) as pool:
        pairs = zip(pool.map(abs, range(-20, 0)), pool.map(operator.neg, range(20)), strict=True)
        assert list(pairs) == [(20 - n, -n) for n in range(20)]
        next(iter(pool.map(abs, range(5))))  # whose other answers nobody takes
        assert list(pool.map(abs, [-7, 7])) == [7, 7]


def test_an_error_is_raised_as_there_or_told_whole() -> None:
    with process_pool(1) as pool:
        with pytest.raises(InputError, match=r"^records\.tsv:3: damaged$"):
            list(pool.map(refuse_three, range(5)))
        with pytest.raises(RuntimeError, match=r"(?s)in refuse_three.*ZeroDivisionError"):
            list(pool.map(refuse_three, [4]))
        with pytest.raises(RuntimeError, match="pickle"):
            list(pool.map(memoryview, [b""]))  # what cannot be sent back
        assert list(pool.map(refuse_three, [5])) == [12]


def test_a_process_that_dies_is_told_in_one_line() -> None:
    line = r"^a worker process died \(exit code {}; out of memory, perhaps\): run the same command "
    for dies, code in (os._exit, 3), (signal.raise_signal, -signal.SIGKILL):
        with process_pool(2) as pool, pytest.raises(SetupError, match=line.format(code)):
            list(pool.map(dies, [abs(code)] * 9))


def test_no_thread_here_waits_for_the_processes() -> None:
    before = threading.enumerate()
    with process_pool(2) as pool:
        for _ in pool.map(abs, range(20)):
            assert threading.enumerate() == before


def test_no_signal_interrupts_the_start_of_a_process() -> None:
    started = []

    def start() -> None:
        with starting():
            signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})  # as another thread has it
            signal.raise_signal(signal.SIGINT)
            started.append(1)

    with pytest.raises(KeyboardInterrupt):
        start()
    assert started
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())


_INTERRUPTED = """
import multiprocessing, signal, sys, time
from indexes.processes import process_pool

def work():
    with process_pool(1) as pool:
        assert list(pool.map(abs, range(-4, 0))) == [4, 3, 2, 1]

sys.unraisablehook = lambda _: None  # an interrupted destructor says so, and work goes on
steps = []  # of this thread, in whatever module
at = None

def step(frame, event, _):
    steps.append(event == "return" and frame.f_code.co_name in ("__enter__", "acquire", "put"))
    if len(steps) - 1 == at:
        sys.settrace(None)
        signal.raise_signal(signal.SIGINT)
    return step

def traced():
    steps.clear()
    sys.settrace(step)
    try:
        work()
    finally:
        sys.settrace(None)

work()  # what starts once
traced()
count = len(steps)
taken = [n for n, takes in enumerate(steps) if takes]  # something, a lock perhaps
for at in sorted({*taken[:: len(taken) // 20 + 1], *range(0, count, count // 20)}):
    begun = time.monotonic()
    try:
        traced()
    except KeyboardInterrupt:
        pass
    while multiprocessing.active_children():
        time.sleep(0.01)
    assert time.monotonic() - begun < 10, at
print("whole", flush=True)
"""


def test_a_pool_ends_wherever_it_is_interrupted() -> None:
    command = [sys.executable, "-c", _INTERRUPTED]
    done = subprocess.run(
        command, capture_output=True, text=True, cwd=ROOT, timeout=120, check=False
    )
    assert (done.stdout, done.stderr) == ("whole\n", "")


def test_no_process_hears_of_ctrl_c_or_outlives_the_one_that_it_works_for() -> None:
    command = [sys.executable, "-c", _MAIN]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as main:
        assert main.stdout is not None
        workers = [int(pid) for pid in main.stdout.readline().split()]
        deaf = [_is_deaf(worker) for worker in workers]
        os.kill(main.pid, signal.SIGKILL)
    assert deaf == [True, True]
    deadline = time.monotonic() + 60
    while any(map(_works, workers)) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not any(map(_works, workers))


def _is_deaf(pid: int) -> bool:
    """Whether Ctrl-C is held back for the main thread of a process."""
    status = Path(f"/proc/{pid}/status").read_text().splitlines()
    (blocked,) = (line.split()[1] for line in status if line.startswith("SigBlk"))
    return bool(int(blocked, 16) >> (signal.SIGINT - 1) & 1)


def _works(pid: int) -> bool:
    """Whether a process is there, and no zombie."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"

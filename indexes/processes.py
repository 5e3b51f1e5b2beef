"""Processes that work for this one: spawned, deaf to Ctrl-C, and gone when this one is stopped.

A process is spawned, never forked: a JVM does not survive a fork. Ctrl-C in a terminal goes to all
processes at once; here it is this one's to take, and to end the others.
"""

import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from types import ModuleType


@contextmanager
def starting() -> Iterator[None]:
    """Let processes that are started in this block hear of no Ctrl-C, and not run this program.

    The signal is held back for this thread meanwhile, and what is held back is inherited: unlike
    a handler in the new process, it holds while that process still imports. A new process imports
    the main program as well, if it sees one. Ours need our modules alone, so a program that starts
    them needs no guard (``if __name__ == "__main__"``).
    """
    main = sys.modules["__main__"]
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def none_left_behind() -> Iterator[None]:
    """End the processes that this block started, whoever started them, if it is interrupted."""
    before = _children()
    try:
        yield
    except KeyboardInterrupt:
        for child in _children() - before:
            with suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
        raise


def _children() -> set[int]:
    """Return the processes that this one is the parent of, where Linux tells."""
    tasks = Path("/proc/self/task").glob("*/children")
    with suppress(OSError):
        return {int(child) for task in tasks for child in task.read_text().split()}
    return set()


class _DeafPool(ProcessPoolExecutor):
    """A pool starts a process whenever work comes and none is idle: any call may start one."""

    def submit[**Options, Result](
        self, fn: Callable[Options, Result], /, *args: Options.args, **kwargs: Options.kwargs
    ) -> Future[Result]:
        with starting():
            return super().submit(fn, *args, **kwargs)


def _end_with(parent: int) -> None:
    """End this process soon after the one that started it, however that ended."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


@contextmanager
def process_pool(workers: int) -> Iterator[ProcessPoolExecutor]:
    """Give out a pool of processes; they end at once where the block is left by an error."""
    others = set(multiprocessing.active_children())
    pool = _DeafPool(workers, multiprocessing.get_context("spawn"), _end_with, (os.getpid(),))
    try:
        yield pool
    except BaseException:
        for worker in set(multiprocessing.active_children()) - others:
            worker.kill()
        pool.shutdown(cancel_futures=True)
        raise
    pool.shutdown()

"""Processes that work for this one: spawned, deaf to Ctrl-C, and gone when this one is stopped.

A process is spawned, never forked: a JVM does not survive a fork. Ctrl-C in a terminal goes to all
processes at once; here it is this one's to take, and to end the others.

Nothing here starts a thread in this process, as the pool of the standard library does. An
interruption can come while a lock is being taken, which then stays locked; who ends the pool would
wait for ever for the thread that wants it.
"""

import os
import pickle
import queue
import signal
import sys
import threading
import traceback
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.resource_tracker import ensure_running
from pathlib import Path
from types import ModuleType
from typing import Any

from evaluator.errors import DistvalError, SetupError

_QUEUED = 2  # tasks that a process has: the one that it works on, and the next
_AHEAD = 3  # tasks given out for each process: enough that none waits, few enough to hold


class Worker:
    """A process that works for this one, and the connection between the two.

    It ends when this process ends or lets go of the connection (:func:`requests`).

    Parameters
    ----------
    work
        What it does: a function whose first argument is its end of the connection.
    arguments
        The others.
    """

    def __init__(self, work: Callable[..., None], *arguments: object) -> None:
        context = get_context("spawn")
        self.connection, theirs = context.Pipe()
        self._process = context.Process(target=work, args=(theirs, *arguments), daemon=True)
        with theirs:
            self._process.start()

    def died(self) -> str:
        """Say how the process ended, once its end of the connection is closed."""
        self._process.join()
        return f"a worker process died (exit code {self._process.exitcode}; out of memory, perhaps)"

    def join(self) -> None:
        """Let go of the connection, and wait for the process to end."""
        self.connection.close()
        self._process.join()

    def kill(self) -> None:
        """End the process at once. Who waits for it in another thread hears that it died."""
        self._process.kill()
        self._process.join()


@contextmanager
def starting() -> Iterator[None]:
    """Start processes in this block: not interrupted, deaf to Ctrl-C, without this program.

    A signal that comes meanwhile is dealt with at the end: a process that was half started would
    be nobody's to end. Ctrl-C is held back for this thread, and what is held back is inherited:
    unlike a handler in the new process, it holds while that process still imports. A new process
    imports the main program as well, if it sees one. Ours need our modules alone, so a program that
    starts them needs no guard (``if __name__ == "__main__"``).
    """
    with _uninterrupted():
        ensure_running()  # multiprocessing's tracker, whose start would let Ctrl-C through again
        main = sys.modules["__main__"]
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        sys.modules["__main__"] = ModuleType("__main__")
        try:
            yield
        finally:
            sys.modules["__main__"] = main
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Call the handlers of signals after this block.

    Holding a signal back for this thread is not enough: it may come to another thread, and Python
    then calls the handler in the main one.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    held = {number: handler for number, handler in handlers.items() if callable(handler)}
    try:
        for number in held:
            signal.signal(number, lambda number, _: came.append(number))
        yield
    finally:
        for number, handler in held.items():
            signal.signal(number, handler)
        for late in came:
            signal.raise_signal(late)


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


class ProcessPool:
    """Processes that call functions; :func:`process_pool` gives one out."""

    def __init__(self) -> None:
        self._workers: dict[Connection, Worker] = {}
        self._tasks: dict[Connection, int] = {}  # that each has
        self._given = 0
        self._made: dict[int, tuple[bool, Any]] = {}  # by the number of the task, not yet asked for

    def start(self, workers: int) -> None:
        """Start processes."""
        for _ in range(workers):
            with starting():
                worker = Worker(_work)
                self._workers[worker.connection], self._tasks[worker.connection] = worker, 0

    def kill(self) -> None:
        """End all processes at once."""
        for worker in self._workers.values():
            worker.kill()

    def map[Task, Made](
        self, function: Callable[[Task], Made], tasks: Iterable[Task]
    ) -> Iterator[Made]:
        """Yield what a function makes of each task, in the order of the tasks.

        Parameters
        ----------
        function, tasks
            Pickled for the process that does a task. Few tasks are taken ahead.

        Raises
        ------
        DistvalError, OSError
            As the function raises it; any other error comes as a RuntimeError that tells it whole.
        SetupError
            Where a process died.
        """
        waiting: deque[int] = deque()
        for task in tasks:
            waiting.append(self._give(function, task))
            if len(waiting) >= _AHEAD * len(self._workers):
                yield self._take(waiting.popleft())
        while waiting:
            yield self._take(waiting.popleft())

    def _give(self, function: Callable[..., Any], task: object) -> int:
        """Give a task to the process that has the fewest, and return its number."""
        while (fewest := min(self._tasks.values())) >= _QUEUED:
            self._receive()
        self._given += 1
        connection = next(each for each, tasks in self._tasks.items() if tasks == fewest)
        try:
            connection.send((self._given, function, task))
        except OSError:
            raise self._died(connection) from None
        self._tasks[connection] += 1
        return self._given

    def _take(self, number: int) -> Any:
        """Return what was made of a task, or raise what was raised."""
        while number not in self._made:
            self._receive()
        done, made = self._made.pop(number)
        if not done:
            raise made
        return made

    def _receive(self) -> None:
        """Wait until some process has finished a task."""
        for connection in wait(list(self._workers)):
            assert isinstance(connection, Connection)
            try:
                number, done, made = connection.recv()
            except (EOFError, OSError):
                raise self._died(connection) from None
            self._made[number] = done, made
            self._tasks[connection] -= 1

    def _died(self, connection: Connection) -> SetupError:
        return SetupError(
            f"{self._workers[connection].died()}: run the same command again, with fewer processes "
            "if need be"
        )


@contextmanager
def process_pool(workers: int) -> Iterator[ProcessPool]:
    """Give out a pool of processes; they end at once where the block is left.

    Parameters
    ----------
    workers
        Their number.
    """
    pool = ProcessPool()
    try:
        pool.start(workers)
        yield pool
    finally:
        pool.kill()


def requests(connection: Connection, most: int = 0) -> Iterator[Any]:
    """Yield what comes over a connection; end this process at once when nothing can come any more.

    Parameters
    ----------
    connection
        Its other end is that of the process that this one works for.
    most
        How much is received ahead; 0 is no bound.
    """
    asked: queue.Queue[bytes] = queue.Queue(most)

    def receive() -> None:
        try:
            while True:
                asked.put(connection.recv_bytes())
        finally:
            os._exit(1)  # the other process has gone, or is through

    threading.Thread(target=receive, daemon=True).start()
    while True:
        yield pickle.loads(asked.get())


def that_travels(error: Exception) -> Exception:
    """Return an error as it can be sent to another process: some only in words."""
    known = isinstance(error, DistvalError | OSError)
    return error if known else RuntimeError("".join(traceback.format_exception(error)))


def _work(connection: Connection) -> None:
    """Do, in a process of its own, the tasks that come over the connection."""
    for number, function, task in requests(connection):
        try:
            connection.send((number, True, function(task)))
        except Exception as error:
            with suppress(OSError):
                connection.send((number, False, that_travels(error)))

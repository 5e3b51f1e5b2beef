"""A crew: processes that run functions over batches of records for one machine's engine."""

import pickle
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future
from contextlib import ExitStack
from functools import lru_cache
from pathlib import Path
from typing import Any, Self

import pyarrow as pa

from indexes.processes import process_pool

_AHEAD = 3  # tasks given out for each process: enough that none waits, few enough to hold


class Crew:
    """Processes that take one task after the other.

    Parameters
    ----------
    processes
        Their number.
    """

    def __init__(self, processes: int) -> None:
        self._processes = processes
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        self._pool = self._stack.enter_context(process_pool(self._processes))
        return self

    def __exit__(self, *details: Any) -> None:
        self._stack.__exit__(*details)

    def map(
        self, function: Path, tasks: Iterable[list[pa.RecordBatch]]
    ) -> Iterator[pa.RecordBatch]:
        """Yield what a function makes of each task, in the order of the tasks.

        Parameters
        ----------
        function
            The file that holds it, pickled. Each process reads it once.
        tasks
            Batches that belong together. Few are held at a time.
        """
        waiting: deque[Future[list[pa.RecordBatch]]] = deque()
        for task in tasks:
            waiting.append(self._pool.submit(_run, function, task))
            if len(waiting) >= _AHEAD * self._processes:
                yield from waiting.popleft().result()
        while waiting:
            yield from waiting.popleft().result()


def _run(function: Path, task: list[pa.RecordBatch]) -> list[pa.RecordBatch]:
    return list(_unpickled(function)(iter(task)))


@lru_cache(maxsize=1)
def _unpickled(function: Path) -> Any:
    # This very program wrote the file, into a folder that only its user can read.
    return pickle.loads(function.read_bytes())

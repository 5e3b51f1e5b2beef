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
        waiting: deque[Future[pa.Buffer]] = deque()
        for task in tasks:
            waiting.append(self._pool.submit(_run, function, _packed(task)))
            if len(waiting) >= _AHEAD * self._processes:
                yield from _unpacked(waiting.popleft().result())
        while waiting:
            yield from _unpacked(waiting.popleft().result())


def _run(function: Path, task: pa.Buffer) -> pa.Buffer:
    return _packed(list(_unpickled(function)(_unpacked(task))))


def _packed(batches: list[pa.RecordBatch]) -> pa.Buffer:
    """Return batches as an Arrow stream: pickled, a slice would take all that it is a slice of."""
    out = pa.BufferOutputStream()
    if batches:
        with pa.ipc.new_stream(out, batches[0].schema) as writer:
            for batch in batches:
                writer.write_batch(batch)
    return out.getvalue()


def _unpacked(packed: pa.Buffer) -> Iterator[pa.RecordBatch]:
    if packed.size:
        yield from pa.ipc.open_stream(packed)


@lru_cache(maxsize=1)
def _unpickled(function: Path) -> Any:
    # This very program wrote the file, into a folder that only its user can read.
    return pickle.loads(function.read_bytes())

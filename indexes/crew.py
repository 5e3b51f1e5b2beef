"""A crew: processes that run functions over batches of records for one machine's engine."""

import pickle
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from functools import lru_cache, partial
from itertools import chain
from pathlib import Path
from typing import Any, Self

import pyarrow as pa

from indexes.processes import process_pool


class Crew:
    """Processes that take one task after the other.

    Tasks and what comes of them are files, so that however large, they take no memory in waiting.

    Parameters
    ----------
    processes
        Their number.
    scratch
        Folder for the files; the caller removes it.
    """

    def __init__(self, processes: int, scratch: Path) -> None:
        self._processes, self._scratch = processes, scratch
        self._tasks = 0
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        self._pool = self._stack.enter_context(process_pool(self._processes))
        return self

    def __exit__(self, *details: Any) -> None:
        self._stack.__exit__(*details)

    def map(
        self, function: Path, tasks: Iterable[Iterable[pa.RecordBatch]]
    ) -> Iterator[pa.RecordBatch]:
        """Yield what a function makes of each task, in the order of the tasks.

        Parameters
        ----------
        function
            The file that holds it, pickled. Each process reads it once.
        tasks
            Batches that belong together. Few are held at a time.
        """
        for made in self._pool.map(partial(_run, function), map(self._written, tasks)):
            yield from _read_once(made)

    def _written(self, task: Iterable[pa.RecordBatch]) -> Path:
        self._tasks += 1
        file = self._scratch / f"task-{self._tasks:06d}.arrow"
        _write(file, task)
        return file


def _run(function: Path, task: Path) -> Path:
    made = task.with_suffix(".made")
    _write(made, _unpickled(function)(_read_once(task)))
    pa.default_memory_pool().release_unused()  # the next task may be long in coming
    return made


def _write(file: Path, batches: Iterable[pa.RecordBatch]) -> None:
    """Write batches as an Arrow stream; no batch makes an empty file."""
    with file.open("wb") as out:
        rest = iter(batches)
        for first in rest:
            with pa.ipc.new_stream(out, first.schema) as writer:
                for batch in chain([first], rest):
                    writer.write_batch(batch)


def _read_once(file: Path) -> Iterator[pa.RecordBatch]:
    """Yield the batches of a file, mapped into memory, and remove it."""
    if file.stat().st_size:
        with pa.memory_map(str(file)) as mapped:
            yield from pa.ipc.open_stream(mapped)
    file.unlink()


@lru_cache(maxsize=1)
def _unpickled(function: Path) -> Any:
    # This very program wrote the file, into a folder that only its user can read.
    return pickle.loads(function.read_bytes())

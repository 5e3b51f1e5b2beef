"""Sorted Parquet: look-ups by key in milliseconds, without reading the table.

A folder of files, each sorted by its key column and cut into small row groups. The footers say
which row groups can hold a key; those are read and kept. Engines read the same files.
"""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from evaluator.errors import InputError

_GROUP = 8192  # rows: some 5 ms to read
_CACHED = 64  # row groups


class _Group(NamedTuple):
    """A row group and the keys that it spans."""

    last: str
    first: str
    path: Path
    number: int


class SortedTable:
    """A sorted folder of Parquet files, read where it is asked.

    Parameters
    ----------
    files
        Its files.
    key
        The text column by which each is sorted.
    """

    def __init__(self, files: Sequence[Path], key: str) -> None:
        self._key = key
        self._groups = sorted(
            group for path in sorted(files) for group in _groups(path, key)
        )  # by last key
        # Files of a cluster can overlap only where they are split by something else than the key.
        self._disjoint = all(
            left.last <= right.first
            for left, right in zip(self._groups, self._groups[1:], strict=False)
        )
        self._read = lru_cache(maxsize=_CACHED)(self._read_group)

    def rows(self, key: str) -> list[dict[str, Any]]:
        """Return the rows of a key, in the order of the files."""
        found: list[dict[str, Any]] = []
        start = bisect_left(self._groups, key, key=lambda group: group.last)
        for group in self._groups[start:]:
            if group.first > key:
                if self._disjoint:
                    break
                continue
            found.extend(self._read(group).get(key, ()))
        return found

    def _read_group(self, group: _Group) -> dict[str, list[dict[str, Any]]]:
        try:
            with pq.ParquetFile(group.path) as file:
                rows = file.read_row_group(group.number).to_pylist()
        except (OSError, pa.ArrowException) as error:
            reason = str(error).splitlines()[0]
            raise InputError(group.path, f"damaged ({reason}); rebuild it") from None
        by_key: dict[str, list[dict[str, Any]]] = {}
        for row in rows:
            by_key.setdefault(row[self._key], []).append(row)
        return by_key


class SortedWriter:
    """Writes batches that come in order, one file for each value of the column `split`."""

    def __init__(self, folder: Path, schema: pa.Schema, *, split: str | None = None) -> None:
        self._folder = folder
        self._schema = schema
        self._split = split
        self._value: str | None = None
        self._writer: pq.ParquetWriter | None = None
        self._held: list[pa.RecordBatch] = []
        self._rows = 0

    def __enter__(self) -> Self:
        self._folder.mkdir(parents=True)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if kind is None and self._split is None and self._writer is None:
            self._open(self._folder)  # an empty table is a table too
        self._close()

    def write(self, batch: pa.RecordBatch) -> None:
        """Add rows that follow in order."""
        for value, rows in self._runs(batch):
            if self._writer is None or value != self._value:
                self._close()
                self._value = value
                self._open(self._folder / f"{self._split}={value}" if self._split else self._folder)
            self._held.append(rows.select(self._schema.names))
            self._rows += rows.num_rows
            if self._rows >= 16 * _GROUP:
                self._flush(whole_groups=True)

    def _runs(self, batch: pa.RecordBatch) -> Iterator[tuple[str | None, pa.RecordBatch]]:
        if self._split is None:
            yield None, batch
            return
        start = 0
        for run in pc.run_end_encode(batch[self._split]).values.to_pylist():
            length = pc.sum(pc.equal(batch[self._split][start:], run)).as_py()
            yield run, batch.slice(start, length)
            start += length

    def _open(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._writer = pq.ParquetWriter(
            folder / "part-00000.parquet", self._schema, compression="zstd"
        )

    def _flush(self, *, whole_groups: bool) -> None:
        if self._writer is None or not self._held:
            return
        table = pa.Table.from_batches(self._held).cast(self._schema).combine_chunks()
        end = table.num_rows // _GROUP * _GROUP if whole_groups else table.num_rows
        self._writer.write_table(table.slice(0, end), row_group_size=_GROUP)
        self._held = table.slice(end).to_batches()
        self._rows = table.num_rows - end

    def _close(self) -> None:
        self._flush(whole_groups=False)
        if self._writer is not None:
            self._writer.close()
        self._writer, self._held, self._rows = None, [], 0


def _groups(path: Path, key: str) -> Iterator[_Group]:
    metadata = pq.read_metadata(path)
    leaves = [metadata.schema.column(i).path for i in range(metadata.num_columns)]
    for number in range(metadata.num_row_groups):
        group = metadata.row_group(number)
        if group.num_rows:
            statistics = group.column(leaves.index(key)).statistics
            yield _Group(statistics.max, statistics.min, path, number)

"""The engine that a knowledge base is assembled with: tables, SQL, and functions over batches.

The assembly (:mod:`indexes.assembly`) is written once, in SQL that DuckDB and Spark both read. Here
is the engine of one machine: DuckDB sorts and joins in bounded memory and spills to disk. A cluster
has its own (:mod:`jobs.spark_engine`). What the two dialects spell differently is a method.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Protocol

import duckdb
import pyarrow as pa

from evaluator.errors import SetupError

type Batches = Iterator[pa.RecordBatch]
type BatchFunction = Callable[[Batches], Batches]

ROWS = 1 << 16  # of a batch handed from one step to the next


class Engine(Protocol):
    """What the assembly asks of an engine. Tables are named and stay until the engine closes."""

    def read(self, name: str, parts: Sequence[Path]) -> None:
        """Make the rows of Parquet files the table `name`."""

    def sql(self, name: str, query: str) -> None:
        """Make the answer to `query` the table `name`; an older one of that name is replaced."""

    def map(self, name: str, query: str, function: BatchFunction, schema: pa.Schema) -> None:
        """Make what `function` gives for the rows of `query` the table `name`."""

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        """Return the answer to `query`, which must be small."""

    def stream(self, query: str) -> Batches:
        """Yield the answer to `query` in batches, in its order."""

    def table(self, name: str, rows: Iterable[Sequence[object]], schema: pa.Schema) -> None:
        """Make `rows` the table `name`."""

    def write(
        self, query: str, folder: Path, *, schema: pa.Schema, order: str, split: str | None = None
    ) -> None:
        """Write the answer to `query` as a folder of Parquet files, sorted by `order`.

        With `split`, the name of a text column that is then left out, each of its values has a
        folder ``split=value`` of its own.
        """

    def number(self, text: str) -> str:
        """Return the expression for 60 bits of the MD5 of the expression `text`, as a number."""

    def ordered_list(self, value: str, order: str) -> str:
        """Return the aggregate that lists `value` by `order` (a number), then by itself."""


class DuckEngine:
    """DuckDB on one machine.

    Parameters
    ----------
    scratch
        Folder for tables and what spills over; the caller removes it.
    memory
        Bound of DuckDB's memory, such as ``"2GB"``.
    threads
        Number of threads; all cores by default.
    """

    def __init__(self, scratch: Path, *, memory: str = "2GB", threads: int | None = None) -> None:
        self._memory = memory
        self._connection = duckdb.connect(
            str(scratch / "assembly.duckdb"),
            config={
                "memory_limit": memory,
                "temp_directory": str(scratch / "spill"),
                "preserve_insertion_order": False,
                **({"threads": threads} if threads else {}),
            },
        )

    def __enter__(self) -> "DuckEngine":
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._connection.close()
        if kind is not None and issubclass(kind, duckdb.OutOfMemoryException):
            raise SetupError(
                f"{self._memory} of memory is not enough to build the knowledge base; set "
                "kb.memory (distval kb build: --memory) to more"
            ) from None

    def read(self, name: str, parts: Sequence[Path]) -> None:
        """Make the rows of Parquet files the table `name`."""
        files = ", ".join("'" + str(part).replace("'", "''") + "'" for part in parts)
        self._connection.execute(
            f"CREATE OR REPLACE VIEW {name} AS SELECT * FROM read_parquet([{files}])"
        )

    def sql(self, name: str, query: str) -> None:
        """Make the answer to `query` the table `name`."""
        self._connection.execute(f"CREATE OR REPLACE TABLE {name} AS {query}")

    def map(self, name: str, query: str, function: BatchFunction, schema: pa.Schema) -> None:
        """Make what `function` gives for the rows of `query` the table `name`."""
        self._insert(name, function(self.stream(query)), schema)

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        """Return the answer to `query`."""
        return list(self._connection.execute(query).fetchall())

    def stream(self, query: str) -> Batches:
        """Yield the answer to `query` in batches, in its order."""
        # A cursor of its own, since the rows may be inserted elsewhere while they are read.
        with self._connection.cursor() as cursor:
            yield from cursor.sql(query).to_arrow_reader(ROWS)

    def table(self, name: str, rows: Iterable[Sequence[object]], schema: pa.Schema) -> None:
        """Make `rows` the table `name`."""
        columns = list(zip(*rows, strict=True)) or [() for _ in schema]
        batch = pa.record_batch(
            [pa.array(c, f.type) for c, f in zip(columns, schema, strict=True)], schema=schema
        )
        self._insert(name, iter([batch]), schema)

    def write(
        self, query: str, folder: Path, *, schema: pa.Schema, order: str, split: str | None = None
    ) -> None:
        """Write the answer to `query` as a folder of Parquet files, sorted by `order`."""
        from indexes.sorted_table import SortedWriter

        order = f"{split}, {order}" if split else order
        with SortedWriter(folder, schema, split=split) as writer:
            for batch in self.stream(f"SELECT * FROM ({query}) ORDER BY {order}"):
                writer.write(batch)

    def number(self, text: str) -> str:
        """Return the expression for 60 bits of an MD5 as a number."""
        return f"CAST(('0x' || substr(md5({text}), 1, 15)) AS BIGINT)"

    def ordered_list(self, value: str, order: str) -> str:
        """Return the aggregate that lists `value` by `order`, then by itself."""
        return f"list({value} ORDER BY {order}, {value})"

    def _insert(self, name: str, batches: Batches, schema: pa.Schema) -> None:
        reader = pa.RecordBatchReader.from_batches(schema, batches)
        self._connection.register("incoming", reader)
        try:
            self._connection.execute(f"CREATE OR REPLACE TABLE {name} AS SELECT * FROM incoming")
        finally:
            self._connection.unregister("incoming")

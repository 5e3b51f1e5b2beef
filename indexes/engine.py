"""The engine that jobs run on: tables, SQL, and functions over batches of records.

A job is written once. What happens to a record is a function over Arrow batches; joins and
groupings are SQL, in the words that DuckDB and Spark share. Here is the engine of one machine:
DuckDB sorts and joins in bounded memory and spills to disk, and a few processes run the functions.
A cluster has its own (:mod:`jobs.spark.engine`). What the two dialects spell differently is a macro
here or a method of both.
"""

import os
import pickle
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from pathlib import Path
from time import monotonic
from typing import Any, Protocol

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from evaluator.errors import InputError, SetupError
from indexes.crew import Crew
from indexes.function_paths import FunctionFolder, FunctionPath, SamePath

type Batches = Iterator[pa.RecordBatch]
type BatchFunction = Callable[[Batches], Batches]

ROWS = 1 << 16
"""Rows of a batch handed from one query to the next."""

PART = "part"
"""The column that tells the part of a row (:class:`Mapped`)."""

_RECORDS = 1 << 11  # rows of a batch handed to a function,
_BYTES = 1 << 23  # unless they are long
# What is done sooner than this many seconds, one process does before others have started.
_SOON = 1.0
_MANY = 1 << 14  # rows of a task that is not done soon

_NOT_PLAIN = frozenset("[]{}*?\\")  # DuckDB takes a backslash for a slash


@dataclass(frozen=True)
class Mapped:
    """What a function makes of the rows of a query.

    Attributes
    ----------
    query
        The rows.
    function
        Takes an iterator of batches and yields batches. It gets any share of the rows in any order,
        once or more, in any process, and so must be one that can be pickled.
    schema
        Of what it yields.
    parts
        With a number, `function` is called once for each part, with all of its rows. The column
        ``part`` of the query tells the part of a row, 0 to `parts` - 1.
    """

    query: str
    function: BatchFunction
    schema: pa.Schema
    parts: int | None = None


type TableQuery = str | Mapped
"""Rows: those of a query, or what a function makes of them."""


class Engine(Protocol):
    """What a job asks of an engine. Tables are named and stay until the engine closes."""

    @property
    def parallelism(self) -> int:
        """Number of functions that run at once."""

    @property
    def sharing(self) -> int:
        """Number of functions that share a bound of memory: those of one machine."""

    def read(self, name: str, parts: Sequence[Path], *, base: Path | None = None) -> None:
        """Make the rows of Parquet files, or of folders of them, the table `name`.

        Parameters
        ----------
        name
            Of the table.
        parts
            Files, or folders of files.
        base
            The folder of a table that is split by a column: ``split=value/`` in the paths below it
            is then a column, too.

        Raises
        ------
        InputError
            Where a folder holds no Parquet file.
        """

    def view(self, name: str, source: TableQuery) -> None:
        """Make `source` the table `name`; its rows may be made anew whenever they are asked for."""

    def sql(self, name: str, source: TableQuery) -> None:
        """Make `source` the table `name` and keep its rows; an older one of that name goes."""

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        """Return the answer to `query`, which must be small."""

    def stream(self, query: str) -> Batches:
        """Yield the answer to `query` in batches, in its order."""

    def table(self, name: str, rows: Iterable[Sequence[object]], schema: pa.Schema) -> None:
        """Make `rows` the table `name`."""

    def save(self, source: TableQuery, folder: Path) -> None:
        """Write `source` as a folder of Parquet files, in any order."""

    def place(self, path: Path) -> FunctionPath:
        """Return a file or a folder of this machine as functions find it where they run.

        They need not ask for a path that they hold when they are handed over: it leads there.
        """

    def receiving(self, folder: Path) -> AbstractContextManager[FunctionFolder]:
        """Give out a folder of this machine as functions find it, to which they add files.

        Those that were finished are there when the block ends, however it ends.
        """

    def write(
        self, query: str, folder: Path, *, schema: pa.Schema, order: str, split: str | None = None
    ) -> None:
        """Write the answer to `query` as a folder of Parquet files, sorted by `order`.

        With `split`, the name of a text column that is then left out, each of its values has a
        folder ``split=value`` of its own.
        """

    def number(self, text: str) -> str:
        """Return the expression for 60 bits of the MD5 of the expression `text`, as a number."""

    def text(self, value: str) -> str:
        """Return the expression for a text."""

    def array(self, values: Iterable[str]) -> str:
        """Return the expression for the array of those expressions that are not null."""

    def ordered_list(self, value: str, order: str) -> str:
        """Return the aggregate that lists `value` by `order` (a number), then by itself."""


# Spark's names for what DuckDB calls otherwise.
_MACROS = {
    "size(x)": "len(x)",
    "explode(x)": "unnest(x)",
    "count_if(x)": "count(*) FILTER (x)",  # DuckDB's own is null for no rows
    "collect_set(x)": "list(DISTINCT x) FILTER (x IS NOT NULL)",
    "sort_array(x)": "list_sort(x)",
}


class DuckEngine:
    """DuckDB on one machine.

    Parameters
    ----------
    scratch
        Folder for tables and what spills over; the caller removes it.
    memory
        Bound of DuckDB's memory, such as ``"2GB"``.
    threads
        Number of threads, and of processes that run functions; all cores by default. Where there
        are few rows, functions run in this process.
    setting
        The setting that bounds the memory, for the message where it is not enough.
    on_disk
        Whether tables are kept in `scratch`. Else they are in memory, which is faster for many
        small ones, and only what is beyond the bound is on the disk.
    """

    def __init__(
        self,
        scratch: Path,
        *,
        memory: str = "2GB",
        threads: int | None = None,
        setting: str | None = None,
        on_disk: bool = True,
    ) -> None:
        self._memory, self._setting, self._scratch = memory, setting, scratch
        self._functions = 0
        self._stack = ExitStack()
        self.parallelism = self.sharing = threads or len(os.sched_getaffinity(0))
        self._connection = duckdb.connect(
            str(scratch / "tables.duckdb") if on_disk else ":memory:",
            config={
                "memory_limit": memory,
                "temp_directory": str(scratch / "spill"),
                "preserve_insertion_order": False,
                "threads": self.parallelism,
            },
        )
        # DuckDB's own, which some front ends show; who runs a job tells how far it is.
        self._connection.execute("SET enable_progress_bar = false")
        for macro, meaning in _MACROS.items():
            self._connection.execute(f"CREATE MACRO {macro} AS {meaning}")

    def __enter__(self) -> "DuckEngine":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: Any
    ) -> None:
        self._stack.__exit__(kind, error, trace)
        self._connection.close()
        if not isinstance(error, duckdb.Error | pa.ArrowException | OSError):
            return
        if "Out of Memory Error" in str(error):
            remedy = f"; set {self._setting} to more" if self._setting else ""
            raise SetupError(f"{self._memory} of memory is not enough{remedy}") from None
        if "No space left on device" in str(error):
            raise SetupError(
                f"no space is left on the disk of {self._scratch}: free some"
            ) from None

    def read(self, name: str, parts: Sequence[Path], *, base: Path | None = None) -> None:
        """Make the rows of Parquet files, or of folders of them, the table `name`."""
        files = ", ".join(self.text(str(file)) for part in parts for file in parquet_files(part))
        options = ", hive_partitioning=true" if base else ""
        self._name(name)
        self._connection.execute(
            f"CREATE VIEW {name} AS SELECT * FROM read_parquet([{files}]{options})"
        )

    def index(self, name: str, column: str) -> None:
        """Have the rows of the table `name` found by a few values of a column without a scan."""
        self._connection.execute(f"CREATE INDEX {name}_{column} ON {name} ({column})")

    def view(self, name: str, source: TableQuery) -> None:
        """Make `source` the table `name`; what a function makes of a query is kept."""
        if isinstance(source, Mapped):
            self.sql(name, source)
        else:
            self._name(name)
            self._connection.execute(f"CREATE VIEW {name} AS {source}")

    def sql(self, name: str, source: TableQuery) -> None:
        """Make `source` the table `name`."""
        if isinstance(source, Mapped):
            self._insert(name, self._mapped(source), source.schema)
        else:
            self._make(name, source)

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        """Return the answer to `query`."""
        return list(self._connection.execute(query).fetchall())

    def stream(self, query: str) -> Batches:
        """Yield the answer to `query` in batches, in its order."""
        return self._stream(query, ROWS)

    def table(self, name: str, rows: Iterable[Sequence[object]], schema: pa.Schema) -> None:
        """Make `rows` the table `name`."""
        columns = list(zip(*rows, strict=True)) or [() for _ in schema]
        batch = pa.record_batch(
            [pa.array(c, f.type) for c, f in zip(columns, schema, strict=True)], schema=schema
        )
        self._insert(name, iter([batch]), schema)

    def save(self, source: TableQuery, folder: Path) -> None:
        """Write `source` as a folder with one Parquet file."""
        folder.mkdir(parents=True, exist_ok=True)
        file = folder / "part-00000.parquet"
        if isinstance(source, Mapped):
            with pq.ParquetWriter(file, source.schema, compression="zstd") as writer:
                for batch in self._mapped(source):
                    writer.write_batch(batch)
        else:
            self._connection.execute(
                f"COPY ({source}) TO {self.text(str(file))} (FORMAT parquet, COMPRESSION zstd)"
            )

    def place(self, path: Path) -> FunctionPath:
        """Return the path."""
        return SamePath(path)

    def receiving(self, folder: Path) -> AbstractContextManager[FunctionFolder]:
        """Give out the folder."""
        return nullcontext(SamePath(folder))

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

    def text(self, value: str) -> str:
        """Return the expression for a text."""
        return "'" + value.replace("'", "''") + "'"

    def array(self, values: Iterable[str]) -> str:
        """Return the expression for the array of those expressions that are not null."""
        return f"list_filter([{', '.join(values)}], lambda x: x IS NOT NULL)"

    def ordered_list(self, value: str, order: str) -> str:
        """Return the aggregate that lists `value` by `order`, then by itself."""
        return f"list({value} ORDER BY {order}, {value})"

    @cached_property
    def _crew(self) -> Crew:
        """The processes that run functions, started when there is enough to do."""
        return self._stack.enter_context(Crew(self.parallelism, self._scratch))

    def _mapped(self, source: Mapped) -> Batches:
        """Return what a function makes of the rows of a query."""
        if source.parts is not None:  # here, since no table can be made while another is
            self.sql("parted", source.query)
        return self._run(source)

    def _run(self, source: Mapped) -> Batches:
        begun, tasks = monotonic(), self._tasks(source)
        task = next(tasks, None)
        while task is not None:
            following = next(tasks, None)
            few = sum(batch.num_rows for batch in task) < _MANY
            soon = few and monotonic() < begun + _SOON
            if soon or following is None or self.parallelism == 1:
                yield from source.function(iter(task))
                task = following
            else:
                rest = chain([task, following], tasks)
                yield from self._crew.map(self._kept(source.function), rest)
                return

    def _kept(self, function: BatchFunction) -> Path:
        """Write a function where the crew finds it."""
        self._functions += 1
        file = self._scratch / f"function-{self._functions:04d}.pickle"
        file.write_bytes(pickle.dumps(function))
        return file

    def _tasks(self, source: Mapped) -> Iterator[list[pa.RecordBatch]]:
        """Yield batches that are handed to a function together."""
        if source.parts is None:
            for batch in self._stream(source.query, _RECORDS):
                yield [batch]
            return
        for part in range(source.parts):
            query = f"SELECT * FROM parted WHERE {PART} = {part}"
            yield [*self._stream(query, ROWS)]

    def _stream(self, query: str, rows: int) -> Batches:
        # A cursor of its own, since the rows may be inserted elsewhere while they are read.
        with self._connection.cursor() as cursor:
            for batch in cursor.sql(query).to_arrow_reader(rows):
                most = max(1, min(rows, batch.num_rows * _BYTES // max(batch.nbytes, 1)))
                for start in range(0, batch.num_rows, most):
                    yield batch.slice(start, most)

    def _insert(self, name: str, batches: Batches, schema: pa.Schema) -> None:
        failed: list[BaseException] = []

        def watched() -> Batches:
            try:
                yield from batches
            except BaseException as error:
                failed.append(error)
                raise

        reader = pa.RecordBatchReader.from_batches(schema, watched())
        self._connection.register("incoming", reader)
        try:
            self._make(name, "SELECT * FROM incoming")
        except duckdb.Error:
            if failed:  # what made the batches failed, of which DuckDB keeps only the words
                raise failed[0] from None
            raise
        finally:
            self._connection.unregister("incoming")

    def _make(self, name: str, query: str) -> None:
        # What is replaced may be in the query.
        self._connection.execute(f"CREATE TABLE made AS {query}")
        self._name(name)
        self._connection.execute(f"ALTER TABLE made RENAME TO {name}")

    def _name(self, name: str) -> None:
        """Make room for the table `name`."""
        kinds = self.rows(
            f"SELECT table_type FROM information_schema.tables WHERE table_name = '{name}'"
        )
        for (kind,) in kinds:
            self._connection.execute(f"DROP {'VIEW' if kind == 'VIEW' else 'TABLE'} {name}")


def parquet_files(part: Path) -> list[Path]:
    """Return the Parquet files of a table: the file itself, or those in a folder.

    Raises
    ------
    InputError
        Where a folder holds none.
    """
    if not part.is_dir():
        return [part]
    files = sorted(part.rglob("[!._]*.parquet"))
    if not files:
        raise InputError(part, "holds no Parquet file")
    return files


def check_plain(path: Path) -> None:
    """Refuse a path to write to that engines read otherwise: as a pattern, or as more folders.

    Raises
    ------
    InputError
        Naming the path.
    """
    if _NOT_PLAIN & set(str(path)):
        problem = r"[ ] { } * ? \ have a meaning of their own to engines; use another name"
        raise InputError(path, problem)

"""The engine of a cluster: runs and knowledge bases by Spark.

The same queries and functions as on one machine (:mod:`indexes.engine`); the same content comes
out. A table that is kept is written out before the next is made from it, so that a step that fails
is done again from there, and merging identifiers does not build a plan that grows with each round.
"""

import json
import shutil
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.dataset as ds
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as f
from pyspark.sql.pandas.types import from_arrow_schema

from evaluator.model import Rejects
from indexes.dumps import read_dump, splits
from indexes.dumps.parts import (
    DumpAccount,
    describe,
    is_complete,
    write_account,
    write_parts,
)
from indexes.engine import PART, ROWS, Batches, Mapped, TableQuery, parquet_files
from indexes.function_paths import FunctionFolder, FunctionPath
from indexes.kb.build import Dump, Options, build_knowledge_base, place_of_parts
from indexes.kb.knowledge_base import Manifest
from indexes.sums import sums_of
from jobs.spark.session import spark_session
from jobs.spark.storage import Mounted, WorkerPaths

_GROUP = 1 << 20  # bytes of a row group: what a look-up reads
_SPLIT = 128 << 20  # bytes of an uncompressed dump that one task reads

# What a task tells of its split: rows, rejects, records left out, and examples of the rejects.
type _Told = tuple[int, dict[str, int], dict[str, int], dict[str, str]]


class SparkEngine:
    """Spark, with tables where all workers reach them.

    Parameters
    ----------
    spark
        The session.
    scratch
        A folder; it goes when the engine closes.
    partitions
        Number of partitions of what functions are given; by default what Spark runs at once.
    paths
        Where workers find what this machine has; by default they reach its folders.
    """

    def __init__(
        self,
        spark: SparkSession,
        scratch: Path,
        partitions: int | None = None,
        *,
        paths: WorkerPaths | None = None,
    ) -> None:
        self._spark = spark
        self._scratch = scratch
        self._paths = paths or Mounted(scratch)
        self.parallelism = partitions or spark.sparkContext.defaultParallelism
        self.sharing = 1  # a bound is for a task

    def __enter__(self) -> "SparkEngine":
        return self

    def __exit__(self, *_: object) -> None:
        shutil.rmtree(self._scratch, ignore_errors=True)

    def read(self, name: str, parts: Sequence[Path], *, base: Path | None = None) -> None:
        """Make the rows of Parquet files, or of folders of them, the table `name`."""
        for part in parts:
            parquet_files(part)
        urls, root = self._paths.urls(parts, base)
        reader = self._spark.read.option("basePath", root) if root else self._spark.read
        reader.parquet(*urls).createOrReplaceTempView(name)

    def view(self, name: str, source: TableQuery) -> None:
        """Make `source` the table `name`; its rows are made anew whenever they are asked for."""
        self._frame(source).createOrReplaceTempView(name)

    def sql(self, name: str, source: TableQuery) -> None:
        """Make `source` the table `name`."""
        self._spark.read.parquet(self._write(source)).createOrReplaceTempView(name)

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        """Return the answer to `query`."""
        return [tuple(row) for row in self._spark.sql(query).collect()]

    def stream(self, query: str) -> Batches:
        """Yield the answer to `query` in batches, in its order."""
        with self._paths.local(self._write(query)) as folder:
            # Spark names the files of a sorted table in its order.
            for file in sorted(folder.glob("part-*.parquet")):
                yield from ds.dataset(file, format="parquet").to_batches(batch_size=ROWS)

    def table(self, name: str, rows: Iterable[Sequence[object]], schema: pa.Schema) -> None:
        """Make `rows` the table `name`."""
        made = self._spark.createDataFrame(list(map(tuple, rows)), from_arrow_schema(schema))
        made.createOrReplaceTempView(name)

    def save(self, source: TableQuery, folder: Path) -> None:
        """Write `source` as a folder of Parquet files."""
        with self._paths.written(folder) as url:
            self._frame(source).write.parquet(url)

    def place(self, path: Path) -> FunctionPath:
        """Return a file or a folder of this machine as functions find it."""
        return self._paths.place(path)

    def receiving(self, folder: Path) -> AbstractContextManager[FunctionFolder]:
        """Give out a folder to which functions add files."""
        return self._paths.receiving(folder)

    def write(
        self, query: str, folder: Path, *, schema: pa.Schema, order: str, split: str | None = None
    ) -> None:
        """Write the answer to `query` as a folder of Parquet files, sorted by `order`."""
        by = [_column(part) for part in order.split(", ")]
        table = self._spark.sql(query).select(*schema.names, *([split] if split else []))
        if split:
            table = table.repartition(split).sortWithinPartitions(split, *by)
            writer = table.write.partitionBy(split)
        else:
            writer = table.orderBy(*by).write
        with self._paths.written(folder) as url:
            writer.option("parquet.block.size", _GROUP).parquet(url)

    def number(self, text: str) -> str:
        """Return the expression for 60 bits of an MD5 as a number."""
        return f"CAST(conv(substr(md5({text}), 1, 15), 16, 10) AS DECIMAL(38, 0))"

    def text(self, value: str) -> str:
        """Return the expression for a text."""
        return "'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'"

    def array(self, values: Iterable[str]) -> str:
        """Return the expression for the array of those expressions that are not null."""
        return f"array_compact(array({', '.join(values)}))"

    def ordered_list(self, value: str, order: str) -> str:
        """Return the aggregate that lists `value` by `order`, then by itself."""
        pairs = f"array_sort(collect_list(struct({order} AS o, {value} AS v)))"
        return f"transform({pairs}, pair -> pair.v)"

    def _frame(self, source: TableQuery) -> DataFrame:
        if not isinstance(source, Mapped):
            return self._spark.sql(source)
        rows = self._spark.sql(source.query)
        if source.parts is not None:
            rows = rows.repartitionById(source.parts, f.col(PART).cast("int"))
        function = self._paths.function(source.function)
        return rows.mapInArrow(function, from_arrow_schema(source.schema))

    def _write(self, source: TableQuery) -> str:
        url = self._paths.scratch()
        self._frame(source).write.parquet(url)
        return url


def split_in_parallel(
    spark: SparkSession, sources: Sequence[Dump], parts: Path, language: str
) -> list[Path]:
    """Split dumps in parallel: one task for each file, or for each range of a plain one."""
    folders = [place_of_parts(source, parts, language) for source in sources]
    tasks = []
    for source, folder in zip(sources, folders, strict=True):
        if folder != source.path and not is_complete(folder):
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
            tasks += [
                (source, folder, number, byte_range)
                for number, byte_range in enumerate(
                    splits(source.path, _SPLIT, format=source.format)
                )
            ]

    def split(task: tuple[Dump, Path, int, tuple[int, int] | None]) -> tuple[str, str]:
        source, folder, number, byte_range = task
        rejects, left_out = Rejects(), Rejects()
        rows = write_parts(
            read_dump(
                source.path,
                format=source.format,
                language=language,
                rejects=rejects,
                left_out=left_out,
                byte_range=byte_range,
            ),
            folder,
            prefix=f"part-{number:05d}",
        )
        return str(folder), json.dumps([rows, rejects.counts, left_out.counts, rejects.examples])

    found: dict[str, list[_Told]] = {}
    if tasks:
        context = spark.sparkContext
        for place, told in context.parallelize(tasks, len(tasks)).map(split).collect():
            found.setdefault(place, []).append(json.loads(told))
    for source, folder in zip(sources, folders, strict=True):
        if str(folder) in found:
            write_account(_account(source, language, folder, found[str(folder)]), folder)
    return folders


def _account(source: Dump, language: str, folder: Path, told: Sequence[_Told]) -> DumpAccount:
    return DumpAccount(
        describe(source.path),
        source.format,
        language,
        sum(rows for rows, *_ in told),
        _total(rejects for _, rejects, *_ in told),
        _total(left_out for _, _, left_out, _ in told),
        sums_of(folder),
        {reason: text for *_, examples in reversed(told) for reason, text in examples.items()},
    )


def _total(counts: Iterable[dict[str, int]]) -> dict[str, int]:
    total = Rejects().merge(Rejects(one) for one in counts)
    return dict(sorted(total.counts.items()))


def _column(order: str) -> Column:
    name, _, direction = order.partition(" ")
    return f.col(name).desc() if direction == "DESC" else f.col(name)


def build_with_spark(
    sources: Sequence[Dump], out: Path, *, options: Options, master: str | None
) -> Manifest:
    """Build a knowledge base with Spark; see :func:`build_knowledge_base`.

    `out` and the folder beside it must be reached by every worker.
    """
    with spark_session(name=f"kb {out.name}", master=master, settings={}) as spark:

        def split(named: Sequence[Dump], parts: Path, language: str) -> list[Path]:
            return split_in_parallel(spark, named, parts, language)

        return build_knowledge_base(
            sources,
            out,
            options=options,
            split=split,
            engine=lambda scratch: SparkEngine(spark, scratch),
        )

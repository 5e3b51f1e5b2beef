"""Building a text index with Spark: a task for each shard.

Files of the collections are dealt out whole, so that every task reads only its own; the folder in
which the index is built must be reached by every worker. A task that fails is started again and
goes on where its shard stands; so does the whole build. What comes out holds the same documents as
the index that one machine builds.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from pyspark import SparkContext

from evaluator.counting.occurrences import Integers
from evaluator.model import Rejects
from indexes.jvm import running
from indexes.text.manifest import IndexManifest, ShardManifest
from indexes.text.plan import BuildPlan, Framed, frame
from indexes.text.shard_crew import BuildProgress, Desk, OpenCrew, ShardCrew
from jobs.spark.session import spark_session

_LARGE = 2  # times its share: what makes a file too large to be dealt out


class SparkCrew:
    """Spark's workers, who write a shard in a task."""

    def __init__(
        self, spark: SparkContext, plan: BuildPlan, folder: Path, progress: BuildProgress
    ) -> None:
        self._spark, self._plan, self._folder, self._progress = spark, plan, folder, progress

    def write(self) -> Framed:
        """Write all records; see :class:`indexes.text.shard_crew.ShardCrew`."""
        self._progress("indexing", 0)
        shards = range(self._plan.shards)
        return Framed().merge(self._run(partial(_write, self._plan, self._folder), shards))

    def finish(self, duplicates: Sequence[Integers]) -> list[tuple[ShardManifest, Rejects]]:
        """Finish the shards; see :class:`indexes.text.shard_crew.ShardCrew`."""
        self._progress("merging", 0)
        return self._run(partial(_finish, self._plan, self._folder), enumerate(duplicates))

    def _run(self, work: Callable[[Any], Any], parts: Iterable[Any]) -> list[Any]:
        listed = list(parts)
        return self._spark.parallelize(listed, len(listed)).map(work).collect()


def with_spark(
    build: Callable[..., IndexManifest],
    collections: Sequence[Path],
    folder: Path,
    *,
    master: str | None,
    shards: int | None = None,
    warn: Callable[[str], None] = lambda _message: None,
    **options: Any,
) -> IndexManifest:
    """Build an index, or add to one, with Spark.

    Parameters
    ----------
    build
        :func:`indexes.text.build.build_collection` or ``add_collection``.
    collections, folder
        What it is to index, and where.
    master
        Spark master URL; None inside spark-submit.
    shards
        Number of shards; by default what Spark runs in parallel.
    warn
        Told, in a sentence, where a file is too large for its share.
    options
        Further options of `build`.
    """
    with spark_session(name=f"index {folder.name}", master=master, settings={}) as spark:
        context = spark.sparkContext
        return build(
            collections,
            folder,
            shards=shards or context.defaultParallelism,
            workers=1,
            crew=spark_crew(context, warn=warn),
            **options,
        )


def spark_crew(
    spark: SparkContext, *, warn: Callable[[str], None] = lambda _message: None
) -> OpenCrew:
    """Return what opens Spark's crew for a plan; see :func:`with_spark`."""

    @contextmanager
    def opened(plan: BuildPlan, folder: Path, progress: BuildProgress) -> Iterator[ShardCrew]:
        if message := uneven(plan):
            warn(message)
        yield SparkCrew(spark, plan, folder, progress)

    return opened


def uneven(plan: BuildPlan) -> str:
    """Return a warning where one file is much larger than its share; empty where none is."""
    sizes = [(file.stat().st_size, file) for _, _, file in plan.files]
    total, (largest, file) = sum(size for size, _ in sizes), max(sizes)
    if plan.shards == 1 or largest * plan.shards < _LARGE * total:
        return ""
    return (
        f"{file.name} is {largest / max(total, 1):.0%} of all and goes to one task as a whole, so "
        f"that {plan.shards} tasks do not share the work: split it, or build without Spark"
    )


def _write(plan: BuildPlan, folder: Path, shard: int) -> Framed:
    """Write the records of a shard's files, as far as that is not done."""
    done = folder.parent / f"{plan.names[shard]}.framed.json"
    if kept := Framed.load(done):
        return kept
    framed = Framed()
    with running() as java, closing(Desk(java, plan, folder, [shard])) as desk:
        already = desk.batches[shard]
        files = plan.files_of(shard)
        for batch in frame(files, framed, batch_bytes=plan.pace.batch_bytes):
            if batch.number >= already:
                desk.take(shard, batch)
        desk.complete()
    framed.save(done)
    return framed


def _finish(
    plan: BuildPlan, folder: Path, task: tuple[int, Integers]
) -> tuple[ShardManifest, Rejects]:
    """Take out the duplicates of a shard and merge it."""
    shard, duplicates = task
    with running() as java, closing(Desk(java, plan, folder, [shard])) as desk:
        return desk.finish({shard: duplicates})[shard]

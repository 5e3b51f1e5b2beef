"""Which engine a run takes: one machine's, or Spark."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from indexes.engine import DuckEngine, Engine
from jobs.config import Configuration

LARGE = 4 << 30
"""Bytes of corpus and systems' output from which on ``engine = "auto"`` takes Spark."""


_PREFIX = ".engine-"


@contextmanager
def open_engine(
    configuration: Configuration,
    *,
    scratch: Path,
    submitted: bool = False,
    tell: Callable[[str], None] = lambda _why: None,
) -> Iterator[Engine]:
    """Start the engine of a run, and give it out.

    Parameters
    ----------
    configuration
        The run.
    scratch
        The run directory, locked for this run; what the engine keeps meanwhile is in a folder
        inside, which goes with it.
    submitted
        True inside spark-submit, which has chosen the cluster.
    tell
        Told which engine and why, and where Spark's pages are, if they are on.
    """
    name, why = chosen(configuration, submitted=submitted)
    tell(f"{name}: {why}")
    for left in scratch.glob(f"{_PREFIX}*"):  # by a run that was killed
        shutil.rmtree(left, ignore_errors=True)
    with TemporaryDirectory(dir=scratch, prefix=_PREFIX) as folder:
        if name == "local":
            settings = configuration.local
            with DuckEngine(
                Path(folder),
                memory=settings.memory,
                threads=settings.workers,
                setting="local.memory",
            ) as engine:
                yield engine
            return
        from jobs.spark.engine import SparkEngine
        from jobs.spark.session import spark_session
        from jobs.spark.settings import storage_url
        from jobs.spark.storage import open_storage

        spark = configuration.spark
        master = spark.master or "local[*]"
        with (
            spark_session(
                name=configuration.name,
                master=None if submitted else master,
                partitions=spark.partitions,
                settings=spark.settings,
            ) as session,
            ExitStack() as stack,
        ):
            paths = None
            if spark.storage is not None:
                opened = open_storage(
                    session,
                    storage_url(spark.storage),
                    run=scratch,
                    scratch=Path(folder),
                    tell=tell,
                )
                paths = stack.enter_context(opened)
                paths.check()
            if pages := session.sparkContext.uiWebUrl:
                tell(f"spark: its pages are at {pages}")
            with SparkEngine(session, Path(folder), spark.partitions, paths=paths) as by_spark:
                yield by_spark


def chosen(configuration: Configuration, *, submitted: bool = False) -> tuple[str, str]:
    """Return the engine of a run, ``local`` or ``spark``, and why it is that one."""
    c = configuration
    if submitted:
        return "spark", "the run was submitted to a cluster"
    if c.engine != "auto":
        return c.engine, "the setting engine"
    if c.spark.master is not None:
        return "spark", f"the master {c.spark.master} is named"
    size = _size_of_input(c)
    if size > LARGE:
        return "spark", f"{size / 1e9:.1f} GB of input, more than {LARGE / 1e9:.1f} GB"
    return "local", f"{size / 1e6:,.1f} MB of input, and no master is named"


def _size_of_input(c: Configuration) -> int:
    """Return the bytes of the corpus and of the systems' output."""
    paths = [source.path for source in c.files]
    if c.corpus is not None:
        paths.append(c.corpus.path)
    files = (file for path in paths for file in ([path] if path.is_file() else path.rglob("*")))
    return sum(file.stat().st_size for file in files if file.is_file())

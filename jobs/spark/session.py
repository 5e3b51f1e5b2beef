"""The Spark session: one way to start it, on a laptop or inside spark-submit."""

import logging
import os
import signal
import sys
import threading
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path

from pyspark.sql import SparkSession

from indexes import jvm
from indexes.processes import none_left_behind
from jobs.spark.errors import told_in_one_line
from jobs.spark.master import await_master
from jobs.spark.waiting import watched

_CONFIGURATION = Path(__file__).parent  # its log configuration

# The same answer on every machine: nothing may depend on the local time zone or a Spark default.
_FIXED = {
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.execution.arrow.pyspark.enabled": "true",
    "spark.sql.parquet.compression.codec": "zstd",
    "spark.ui.showConsoleProgress": "false",
}
_LOCAL = {
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.memory": "1500m",
    "spark.sql.shuffle.partitions": "4",
    "spark.default.parallelism": "4",
    # A run's tables are small beside the cost of planning around them.
    "spark.sql.adaptive.enabled": "false",
}


def launch_environment(master: str) -> dict[str, str]:
    """Return the environment variables with which Spark is started for `master`."""
    environment = jvm.spark_environment()
    # Workers must run this very interpreter, whatever `python3` is on PATH.
    environment |= dict.fromkeys(("PYSPARK_PYTHON", "PYSPARK_DRIVER_PYTHON"), sys.executable)
    if _is_local(master):
        environment["SPARK_LOCAL_IP"] = "127.0.0.1"
    if "SPARK_CONF_DIR" not in os.environ:
        environment["SPARK_CONF_DIR"] = str(_CONFIGURATION)
    return environment


def _is_local(master: str) -> bool:
    return master.startswith("local")


def _not_of_py4j(record: logging.LogRecord) -> bool:
    return Path(record.pathname).parent.name != "py4j"  # which logs to the root logger too


@contextmanager
def spark_session(
    *, name: str, master: str | None, partitions: int | None = None, settings: Mapping[str, str]
) -> Iterator[SparkSession]:
    """Start Spark, yield its session, stop it.

    A session that this process holds open already is yielded and stays open, with nothing changed
    but the partitions: many small runs then need not wait for Spark each time.

    Parameters
    ----------
    name
        Application name.
    master
        Spark master URL; None inside spark-submit, which has set it.
    partitions
        Number of shuffle partitions; it changes the speed and nothing else.
    settings
        Further Spark settings; they win over ours.

    Raises
    ------
    SetupError
        Where no master takes connections (:func:`jobs.spark.master.await_master`).
    DistvalError
        What an error of Spark in the block means (:mod:`jobs.spark.errors`).
    """
    if held := SparkSession.getActiveSession():
        if partitions is not None:
            held.conf.set("spark.sql.shuffle.partitions", str(partitions))
        with told_in_one_line():
            yield held
        return
    builder = SparkSession.builder.appName(f"distval {name}")
    options = dict(_FIXED)
    if master is not None:
        await_master(master)
        os.environ.update(launch_environment(master))
        builder = builder.master(master)
        options["spark.ui.enabled"] = "false"  # Spark's pages listen on all addresses
        if _is_local(master):
            options |= _LOCAL
    if partitions is not None:
        options |= dict.fromkeys(
            ("spark.sql.shuffle.partitions", "spark.default.parallelism"), str(partitions)
        )
    for key, value in (options | dict(settings)).items():
        builder = builder.config(key, value)
    # What they log of an error is in the error.
    logging.getLogger("py4j").setLevel(logging.CRITICAL + 1)
    logging.getLogger().addFilter(_not_of_py4j)
    interrupt = signal.getsignal(signal.SIGINT)
    with told_in_one_line():
        with none_left_behind():  # Java starts for seconds, and outlives who asked for it
            session = builder.getOrCreate()
        if threading.current_thread() is threading.main_thread():
            # Spark's own handler calls Java inside of a call.
            signal.signal(signal.SIGINT, interrupt)
        # Java's end is told by what waits for it; this server would print a traceback besides.
        server = session.sparkContext._accumulatorServer
        server.handle_error = lambda *_: None  # type: ignore[method-assign]
        session.sparkContext.setLogLevel("OFF" if master and _is_local(master) else "ERROR")
        context = session.sparkContext
        alone = str(context.master).startswith("local[") or context.master == "local"
        waiting = nullcontext() if alone else watched(context)
        try:
            with waiting:
                yield session
        except KeyboardInterrupt:
            with suppress(Exception):
                session.sparkContext.setLogLevel("OFF")  # what is under way fails, as it should
            raise
        finally:
            with suppress(Exception), warnings.catch_warnings():  # its Java may have gone
                warnings.simplefilter("ignore")
                session.stop()

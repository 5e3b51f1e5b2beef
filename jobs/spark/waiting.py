"""Saying that a cluster gives nothing: Spark itself waits for executors without end or word."""

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from pyspark import SparkContext

PATIENCE = 30.0
"""Seconds without an executor after which it is said; a cluster takes a few to start some."""

_TO_END = 5.0  # seconds


def executors(context: SparkContext) -> int:
    """Return how many executors are there; the driver is none."""
    return int(context._jsc.sc().getExecutorMemoryStatus().size()) - 1


def _print(line: str) -> None:
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()


@contextmanager
def watched(
    context: SparkContext,
    *,
    patience: float = PATIENCE,
    tell: Callable[[str], None] = _print,
) -> Iterator[None]:
    """Say so, once for each time, when the cluster has had no executor for a while.

    Parameters
    ----------
    context
        Of a session with a cluster.
    patience
        Seconds without one.
    tell
        Takes the line.
    """
    ended = threading.Event()

    def watch() -> None:
        without, told, seen = 0.0, False, False
        step = min(patience / 5, 2.0)
        while not ended.wait(step):
            with suppress(Exception):  # the session may be ending
                if executors(context):
                    without, told, seen = 0.0, False, True
                    continue
                without += step
            if without >= patience and not told:
                told = True
                tell(_LOST if seen else _NEVER)

    thread = threading.Thread(target=watch, name="executors", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join(_TO_END)


_WAITS = "the run waits; Ctrl-C ends it, and what was finished is kept"
_NEVER = (
    "distval: the cluster has given no executor yet: it may lack the cores or the memory that one "
    f"asks for (spark.executor.cores, spark.executor.memory); {_WAITS}"
)
_LOST = f"distval: the cluster has lost all executors; {_WAITS}"

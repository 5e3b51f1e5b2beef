"""What Spark's errors mean: one line with the cause and what to do.

Spark and Py4J tell of a full disk or a killed worker in hundreds of lines of Java; the cause is
among them, mostly last.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager

from evaluator.errors import DistvalError, InputError, SetupError

_OURS = re.compile(r"^(?:Caused by: )?evaluator\.errors\.\w+: (.+)$", re.MULTILINE)
_DAMAGED = re.compile(
    r"is not a Parquet file|Could not read footer|[Cc]hecksum (?:error|failed)|ChecksumException"
    r"|FAILED_READ_FILE|CANNOT_READ_FILE|ParquetDecodingException|[Cc]orrupt",
)
_GONE = re.compile(r"FAILED_READ_FILE\.FILE_NOT_EXIST|FileNotFoundException|PATH_NOT_FOUND")
# A path, or the URL of a file elsewhere.
_FILE = re.compile(
    r"\b(?:file:/{0,2}(?=/)|(?!https?:|spark:)(?=[a-z][a-z0-9+.-]*://))([^\s,;'\")\]]+)"
)
_CAUSE = re.compile(r"^(?:Caused by: |: )?[\w.$]+(?:Exception|Error)\w*: (.+)$", re.MULTILINE)
_LOST = (
    "Answer from Java side is empty", "Error while sending or receiving", "Connection refused",
    "Connection reset", "error occurred while trying to connect to the Java server",
    "Error while obtaining a new communication channel",
)  # fmt: skip
_KEPT = "run the same command again: what was finished is kept"
_MEANINGS = (
    (
        ("No space left on device", "Disk quota exceeded"),
        "no space is left on the disk of the run directory, or of Spark's scratch files "
        f"(spark.local.dir): free some, and {_KEPT}",
    ),
    (
        ("OutOfMemoryError", "Java heap space", "GC overhead limit"),
        "Spark's Java process has too little memory: set spark.driver.memory (on a cluster "
        f"spark.executor.memory) in [spark.settings] to more, and {_KEPT}",
    ),
    (
        ("MemoryError", "exceeded memory", "Cannot allocate memory", "std::bad_alloc"),
        "a Python worker has too little memory: give it more (spark.executor.pyspark.memory, where "
        f"that is set) or use fewer cores, and {_KEPT}",
    ),
    (
        ("Python worker exited unexpectedly", "Python worker failed to connect", "EOFError"),
        "a Python worker was killed, perhaps for want of memory: give it more, or use fewer cores, "
        f"and {_KEPT}",
    ),
    (
        ("ExecutorLostFailure", "Executor heartbeat timed out", "Lost executor"),
        f"a worker of the cluster was lost: see its log, and {_KEPT}",
    ),
)


@contextmanager
def told_in_one_line() -> Iterator[None]:
    """Raise the errors of Spark and Py4J as ours: for a block that works with Spark.

    Raises
    ------
    DistvalError
        What an error means, or the one that a worker raised.
    """
    try:
        yield
    except DistvalError:
        raise
    except Exception as error:
        ours = _as_ours(error)
        if ours is None:
            raise
        raise ours from error


def _as_ours(error: Exception) -> DistvalError | None:
    """Return what an error of Spark or Py4J means; None for any other."""
    text = str(error)
    if found := _OURS.search(text):  # one that a worker raised
        return SetupError(found[1])
    package = type(error).__module__.partition(".")[0]
    from_spark = package in ("pyspark", "py4j")
    if isinstance(error, ConnectionError) or (
        from_spark
        and (
            type(error).__name__ in ("Py4JError", "Py4JNetworkError")
            or any(sign in text for sign in _LOST)
        )
    ):
        return SetupError(
            "Spark's Java process has ended; it was killed by hand or for want of memory: see to "
            f"it that the machine has enough, and {_KEPT}"
        )
    if not from_spark:
        return None
    for signs, meaning in _MEANINGS:
        if any(sign in text for sign in signs):
            return SetupError(meaning)
    files = [name.rstrip(".") for name in _FILE.findall(text)]
    if files and _GONE.search(text):
        return InputError(files[-1], "is gone: delete the folder that held it, and run again")
    if files and _DAMAGED.search(text):
        return InputError(files[-1], "damaged: delete the folder that holds it, and run again")
    causes = _CAUSE.findall(text)
    first = text.strip().partition("\n")[0]
    return SetupError(f"Spark: {causes[-1] if causes else first}")

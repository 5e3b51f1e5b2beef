"""Parts that one machine has finished, and Spark goes on with."""

from pathlib import Path

import pyarrow as pa
import pytest
from pyspark.sql import SparkSession

from indexes.engine import Batches, DuckEngine, Engine, Mapped
from indexes.finished_parts import FinishedParts, PartsProgress
from jobs.spark.engine import SparkEngine

SCHEMA = pa.schema([("number", pa.int64()), ("square", pa.int64())])
ROWS = 100
EXPECTED = [(number, number**2) for number in range(ROWS)]


def squares(
    engine: Engine, parts: FinishedParts, log: Path, fails_at: int = -1
) -> list[tuple[int, int]]:
    """Return the squares; what was squared is written down."""

    def square(batches: Batches) -> Batches:  # in here, a worker need not import this module
        for batch in batches:
            numbers = batch["number"].to_pylist()
            if fails_at in numbers:
                raise OSError("stopped here")
            with log.open("a") as out:
                out.writelines(f"{number}\n" for number in numbers)
            made = [pa.array(numbers, pa.int64()), pa.array([n * n for n in numbers], pa.int64())]
            yield pa.record_batch(made, names=["number", "square"])

    numbers = [(number,) for number in range(ROWS)]
    engine.table("numbers", numbers, pa.schema([("number", pa.int64())]))
    source = Mapped("SELECT number FROM numbers", square, SCHEMA)
    by = "CAST(number AS STRING)"
    engine.view("seen", parts.divided(engine, "squares", source, by=by, rows=ROWS, unit="numbers"))
    return engine.rows("SELECT number, square FROM seen ORDER BY number")


@pytest.mark.parametrize("first", ["local", "spark"])
def test_either_engine_goes_on_with_what_the_other_has_finished(
    spark: SparkSession, tmp_path: Path, first: str
) -> None:
    """Each row is squared once, by whichever engine."""
    log, told = tmp_path / "log", []
    parts = FinishedParts(tmp_path / "parts", 10, told.append)
    for scratch in ("duck", "spark"):
        (tmp_path / scratch).mkdir()
    with (
        DuckEngine(tmp_path / "duck", threads=1, on_disk=False) as duck,
        SparkEngine(spark, tmp_path / "spark", 1) as by_spark,
    ):
        begins, goes_on = (duck, by_spark) if first == "local" else (by_spark, duck)
        with pytest.raises(Exception, match="stopped here"):
            squares(begins, parts, log, fails_at=42)
        kept = len(list((tmp_path / "parts" / "squares-10").glob("*.parquet")))
        assert 0 < kept < 10
        assert squares(goes_on, parts, log) == EXPECTED
    begun = [progress for progress in told if progress.seconds == 0][-1]
    assert begun.kept == kept
    if first == "local":  # Spark stops other tasks at some row, or does them again
        assert sorted(map(int, log.read_text().split())) == list(range(ROWS))
    assert told[-1].done == 10


def test_what_is_finished_altogether_is_told_and_not_made_again(
    spark: SparkSession, tmp_path: Path
) -> None:
    log, told = tmp_path / "log", []
    parts = FinishedParts(tmp_path / "parts", 10, told.append)
    (tmp_path / "spark").mkdir()
    with SparkEngine(spark, tmp_path / "spark", 1) as engine:
        assert squares(engine, parts, log) == EXPECTED
        log.unlink()
        told.clear()
        assert squares(engine, parts, log) == EXPECTED
    assert not log.exists()
    assert told == [PartsProgress(10, 10, 10, 0, rows=ROWS, unit="numbers", seconds=0.0)]

"""What a job asks of an engine means the same on both."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

from evaluator.errors import InputError
from indexes.engine import PART, Batches, DuckEngine, Engine, Mapped
from jobs.spark.engine import SparkEngine

pytestmark = pytest.mark.core

WORDS = pa.schema([("number", pa.int64()), ("word", pa.string()), ("of", pa.list_(pa.string()))])
# Sorted by code points; none of equal order in any collation.
ROWS = [
    (1, "b", ["x", "y"]),
    (2, "B", []),
    (3, "é", ["y"]),
    (4, "ab", None),
    (5, None, ["x", "x"]),
    (6, "a", ["z"]),
]
SUMS = pa.schema([("part", pa.int64()), ("rows", pa.int64()), ("sum", pa.int64())])


@pytest.fixture(params=["local", "spark"])
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Engine]:
    if request.param == "spark":
        with SparkEngine(request.getfixturevalue("spark"), tmp_path / "scratch", 3) as opened:
            opened.table("words", ROWS, WORDS)
            yield opened
        return
    with DuckEngine(tmp_path, threads=2) as opened:
        opened.table("words", ROWS, WORDS)
        yield opened


def test_words_sort_by_code_points_and_lists_are_grouped(engine: Engine) -> None:
    engine.view("told", "SELECT number, word, explode(of) AS one FROM words")
    rows = engine.rows(
        """SELECT one, count(*), sort_array(collect_set(word)), min(word), count_if(number > 2)
        FROM told GROUP BY one ORDER BY one"""
    )
    assert [(one, n, list(words), least, many) for one, n, words, least, many in rows] == [
        ("x", 3, ["b"], "b", 2),
        ("y", 2, ["b", "é"], "b", 1),
        ("z", 1, ["a"], "a", 1),
    ]
    ordered = engine.rows("SELECT word FROM words WHERE word IS NOT NULL ORDER BY word")
    assert [word for (word,) in ordered] == ["B", "a", "ab", "b", "é"]


def test_nothing_is_counted_of_no_rows(engine: Engine) -> None:
    empty = "SELECT count(*), count_if(number > 2), max(number) FROM words WHERE number > 9"
    assert engine.rows(empty) == [(0, 0, None)]


@pytest.mark.parametrize("value", ["O'Brien", "a\\b", "\\'", "'; DROP TABLE words; --", "é\n\t\\n"])
def test_any_text_can_be_written_in_a_query(engine: Engine, value: str) -> None:
    assert engine.rows(f"SELECT {engine.text(value)} AS value") == [(value,)]


def test_an_array_holds_what_is_not_null(engine: Engine) -> None:
    chosen = engine.array(f"CASE WHEN number < {n} THEN {engine.text(str(n))} END" for n in (3, 5))
    rows = engine.rows(f"SELECT number, {chosen} AS chosen FROM words ORDER BY number")
    assert [list(of) for _, of in rows] == [["3", "5"], ["3", "5"], ["5"], ["5"], [], []]


def doubled(batches: Batches) -> Batches:
    for batch in batches:
        number = pc.multiply(batch["number"], 2)
        yield pa.record_batch([number, batch["word"], batch["of"]], schema=WORDS)


def summed(batches: Batches) -> Batches:
    """One row for all batches together: called once for each part."""
    held = list(batches)
    if held:
        numbers = [n for batch in held for n in batch["number"].to_pylist()]
        (part,) = {part for batch in held for part in batch[PART].to_pylist()}
        yield pa.record_batch([[part], [len(numbers)], [sum(numbers)]], schema=SUMS)


@pytest.fixture(params=["in this process", "in processes"])
def where(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "in processes":
        monkeypatch.setattr("indexes.engine._SOON", 0.0)
        monkeypatch.setattr("indexes.engine._BYTES", 1)


@pytest.mark.usefixtures("where")
@pytest.mark.parametrize("made", ["view", "sql"])
def test_a_function_sees_every_row_once(engine: Engine, made: str) -> None:
    make: Callable[[str, Mapped], None] = getattr(engine, made)
    make("twice", Mapped("SELECT * FROM words", doubled, WORDS))
    rows = engine.rows("SELECT number, word, of FROM twice ORDER BY number")
    told = [(number, word, None if of is None else list(of)) for number, word, of in rows]
    assert told == [(2 * number, word, of) for number, word, of in ROWS]


@pytest.mark.usefixtures("where")
def test_a_function_over_parts_is_called_once_for_each(engine: Engine, tmp_path: Path) -> None:
    parted = f"SELECT number, CAST(number % 2 AS INT) AS {PART} FROM words"
    engine.save(Mapped(parted, summed, SUMS, parts=3), tmp_path / "sums")  # the third has no rows
    rows = pq.read_table(tmp_path / "sums").to_pylist()
    assert sorted((row["part"], row["rows"], row["sum"]) for row in rows) == [(0, 3, 12), (1, 3, 9)]


def test_what_is_saved_is_read_by_any_engine(engine: Engine, tmp_path: Path) -> None:
    engine.save("SELECT * FROM words", tmp_path / "saved")
    engine.save("SELECT * FROM words WHERE number > 9", tmp_path / "none")
    (tmp_path / "other").mkdir()
    with DuckEngine(tmp_path / "other") as other:
        other.read("saved", [tmp_path / "saved"])
        other.read("none", [tmp_path / "none"])
        rows = other.rows("SELECT number, word, of FROM saved ORDER BY number")
        assert rows == ROWS
        assert other.rows("SELECT * FROM none") == []


def test_a_folder_without_a_table_is_refused(engine: Engine, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="holds no Parquet file"):
        engine.read("none", [tmp_path / "empty"])


def test_paths_are_of_this_file_system_whatever_hadoops_default_is(
    spark: SparkSession, tmp_path: Path
) -> None:
    hadoop = spark.sparkContext._jsc.hadoopConfiguration()
    before = hadoop.get("fs.defaultFS")
    hadoop.set("fs.defaultFS", "hdfs://nowhere.invalid:8020")
    try:
        with SparkEngine(spark, tmp_path / "a b") as engine:
            engine.sql("numbers", "SELECT 7 AS n")
            engine.save("SELECT n FROM numbers", tmp_path / "out c")
            engine.read("again", [tmp_path / "out c"])
            assert engine.rows("SELECT n FROM again") == [(7,)]
    finally:
        hadoop.set("fs.defaultFS", before)

"""A storage: what is put there, what comes from there, and what is told where that fails.

Workers of this session see the folders of the driver; those of ``test_separate_nodes.py`` do not.
"""

import json
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

from evaluator.errors import ConfigurationError, InputError, SetupError
from indexes.engine import Batches, Mapped
from indexes.finished_parts import FinishedParts
from jobs.spark.engine import SparkEngine
from jobs.spark.errors import told_in_one_line
from jobs.spark.settings import storage_url
from jobs.spark.storage import NOTE, Storage, open_storage

TEXT = pa.schema([("text", pa.string())])
NUMBERS = pa.schema([("number", pa.int64())])


class Shared:
    """A storage that Hadoop alone opens, and the folder that it leads to."""

    def __init__(self, spark: SparkSession, folder: Path, tmp_path: Path) -> None:
        self.spark, self.folder, self.run, self.told = spark, folder, tmp_path / "run", []
        self.run.mkdir()
        self.url = "viewfs://here/shared"

    def open(self) -> Iterator[Storage]:
        return open_storage(
            self.spark,
            self.url,
            run=self.run,
            scratch=self.folder.with_name("scratch"),
            tell=self.told.append,
        )

    def engine(self, places: Storage) -> SparkEngine:
        return SparkEngine(self.spark, self.folder.with_name("scratch"), 2, paths=places)

    def only(self, pattern: str) -> Path:
        (file,) = self.folder.glob(pattern)
        return file


@pytest.fixture
def shared(spark: SparkSession, tmp_path: Path) -> Shared:
    folder = tmp_path / "shared"
    folder.mkdir()
    settings = spark.sparkContext._jsc.hadoopConfiguration()
    settings.set("fs.viewfs.mounttable.here.link./shared", folder.as_uri())
    # Else the mount table of an earlier test is kept.
    settings.set("fs.viewfs.impl.disable.cache", "true")
    return Shared(spark, folder, tmp_path)


def read_where_it_runs(engine: SparkEngine, path: Path) -> list[tuple[str, str]]:
    """Return the path that a function finds in place of `path`, and what stands there."""

    def read(batches: Batches) -> Batches:  # in here, a worker need not import this module
        for _ in batches:
            found = [str(path), path.read_text()]
            yield pa.record_batch([pa.array(found)], names=["text"])

    engine.table("numbers", [(1,)], NUMBERS)
    engine.sql("found", Mapped("SELECT number FROM numbers", read, TEXT))
    texts = [text for (text,) in engine.rows("SELECT text FROM found")]
    return list(zip(texts[::2], texts[1::2], strict=True))


def test_a_function_reads_a_copy_where_it_runs(shared: Shared, tmp_path: Path) -> None:
    file = tmp_path / "a file: [of] 100 %.txt"  # a name that no file system of Hadoop takes
    file.write_text("first")
    with shared.open() as places, shared.engine(places) as engine:
        [(path, text)] = read_where_it_runs(engine, file)
        assert text == "first"
        assert Path(path) != file
        assert Path(path).name == file.name
        file.write_text("second")
        [(_, text)] = read_where_it_runs(engine, file)
        assert text == "second"


def test_a_copy_on_a_node_that_was_cut_is_fetched_again(shared: Shared, tmp_path: Path) -> None:
    """And what has the same content under two names is there under both."""
    files = [tmp_path / name for name in ("one", "two")]
    for file in files:
        file.write_text("whole")
    with shared.open() as places, shared.engine(places) as engine:
        one, two = map(engine.place, files)

        def look(batches: Batches) -> Batches:
            for _ in batches:
                first = one.here()
                two.here()
                first.write_text("cut")
                found = [one.here().read_text(), two.here().read_text(), one.here().name]
                yield pa.record_batch([pa.array(found)], names=["text"])

        engine.table("numbers", [(1,)], NUMBERS)
        engine.sql("found", Mapped("SELECT number FROM numbers", look, TEXT))
        assert engine.rows("SELECT text FROM found") == [("whole",), ("whole",), ("one",)]
    assert len(list(shared.folder.glob("evidence/[!.]*"))) == 1


def test_evidence_is_put_there_once_and_again_where_it_is_cut(
    shared: Shared, tmp_path: Path
) -> None:
    kb = tmp_path / "kb"
    (kb / "deep").mkdir(parents=True)
    (kb / "one").write_text("1")
    (kb / "deep" / "two").write_text("22")
    for _ in range(2):
        with shared.open() as places:
            places.place(kb)
    assert shared.told == [f"spark: copies kb (0.0 MB) to {shared.url}/evidence"]
    two = shared.only("evidence/kb-*/deep/two")
    two.write_text("2")
    with shared.open() as places:
        places.place(kb)
    assert len(shared.told) == 2
    assert shared.only("evidence/kb-*/deep/two").read_text() == "22"
    assert not list(shared.folder.glob("evidence/_*"))  # what was put aside is gone


def test_evidence_that_is_not_what_its_manifest_says_is_not_put_there(
    shared: Shared, tmp_path: Path
) -> None:
    (tmp_path / "kb" / "entities").mkdir(parents=True)
    (tmp_path / "kb" / "entities" / "part").write_text("123456788")
    # CRC-32 of the digits 1 to 9, as every list of such sums has it
    told = {"sums": {"entities/part": "9-cbf43926"}}
    (tmp_path / "kb" / "manifest.json").write_text(json.dumps(told))
    with shared.open() as places:
        with pytest.raises(InputError, match=r"entities/part: has changed since it was written"):
            places.place(tmp_path / "kb" / "entities")
        (tmp_path / "kb" / "entities" / "part").write_text("123456789")
        places.place(tmp_path / "kb" / "entities")
    assert shared.only("evidence/entities-*/part").read_text() == "123456789"


def test_a_copy_that_is_not_what_was_put_there_ends_the_work_in_one_line(
    shared: Shared, tmp_path: Path
) -> None:
    file = tmp_path / "words"
    file.write_text("right")
    with shared.open() as places:
        places.place(file)
    shared.only("evidence/words-*").write_text("wrong")
    shared.only("evidence/.words-*.crc").unlink()  # Hadoop's own sum, which S3 has not
    told = r"evidence/words-\w+: is not what was put there; delete viewfs://here/shared/evidence/"
    with (
        shared.open() as places,
        shared.engine(places) as engine,
        pytest.raises(SetupError, match=told) as raised,
        told_in_one_line(),
    ):
        read_where_it_runs(engine, file)
    assert "\n" not in str(raised.value)


def test_a_table_that_is_cut_there_is_named_by_its_url(shared: Shared, tmp_path: Path) -> None:
    table = tmp_path / "entities"
    table.mkdir()
    rows = pa.table({"number": pa.array(range(1000), pa.int64())})
    pq.write_table(rows, table / "part.parquet")
    told = r"^viewfs://here/shared/evidence/entities-\w+/part.parquet: damaged: delete the folder"
    with shared.open() as places, shared.engine(places) as engine:
        engine.read("numbers", [table])
        assert engine.rows("SELECT count(*) FROM numbers") == [(1000,)]
        file = shared.only("evidence/entities-*/part.parquet")
        file.write_bytes(file.read_bytes()[:-20])
        shared.only("evidence/entities-*/.part.parquet.crc").unlink()
        with pytest.raises(InputError, match=told), told_in_one_line():
            engine.rows("SELECT sum(number) FROM numbers")


def test_tables_go_through_the_storage_and_come_back(shared: Shared, tmp_path: Path) -> None:
    """Sorted, split by a column, read from a folder that has moved; nothing of the run stays."""
    run = shared.run
    with shared.open() as places, shared.engine(places) as engine:
        engine.table("numbers", [(number,) for number in range(100)], NUMBERS)
        engine.save("SELECT number FROM numbers WHERE number < 50", run / "saved")
        (run / "saved").rename(run / "moved")
        before = len(list(shared.folder.glob("runs/*/*")))
        engine.read("some", [run / "moved"])
        assert len(list(shared.folder.glob("runs/*/*"))) == before  # it was there already
        assert engine.rows("SELECT count(*), max(number) FROM some") == [(50, 49)]
        sorted_ = engine.stream("SELECT number FROM some ORDER BY number DESC")
        assert [n for batch in sorted_ for n in batch["number"].to_pylist()] == [*range(50)][::-1]
        query = "SELECT number, CAST(number % 2 AS STRING) AS odd FROM numbers"
        engine.write(query, run / "split", schema=NUMBERS, order="number DESC", split="odd")
        engine.read("halves", [run / "split" / "odd=1"], base=run / "split")
        assert engine.rows("SELECT odd, count(*) FROM halves GROUP BY odd") == [(1, 50)]
        assert (run / NOTE).is_file()
    assert not list((shared.folder / "runs").iterdir())
    assert not (run / NOTE).exists()
    assert sorted(path.name for path in run.iterdir()) == ["moved", "split"]


def test_finished_parts_come_to_the_run_and_are_not_made_again(
    shared: Shared, tmp_path: Path
) -> None:
    """A run that fails in its last part has the others; the next makes that one alone."""
    parts = FinishedParts(shared.run / ".squares.parts" / "0f", 10)

    def squares(engine: SparkEngine, refused: int) -> list[tuple[int, int]]:
        def square(batches: Batches) -> Batches:
            for batch in batches:
                numbers = batch["number"].to_pylist()
                if refused in numbers:
                    raise OSError("stopped here")
                yield pa.record_batch([pa.array([n * n for n in numbers])], names=["number"])

        engine.table("numbers", [(number,) for number in range(100)], NUMBERS)
        source = Mapped("SELECT number FROM numbers", square, NUMBERS)
        by = "CAST(number AS STRING)"
        query = parts.divided(engine, "sq", source, by=by, rows=100, unit="numbers")
        engine.view("seen", query)
        return engine.rows("SELECT number FROM seen ORDER BY number")

    with (
        pytest.raises(Exception, match="stopped here"),
        shared.open() as places,
        shared.engine(places) as engine,
    ):
        squares(engine, refused=42)
    kept = {file.name for file in (parts.folder / "sq-10").iterdir()}
    assert 0 < len(kept) < 10
    with shared.open() as places, shared.engine(places) as engine:
        assert squares(engine, refused=-1) == [(number**2,) for number in range(100)]
    now = {file.name for file in (parts.folder / "sq-10").iterdir()}
    assert kept < now
    assert len(now) == 10
    assert not list((shared.folder / "runs").iterdir())  # nor what the first left


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("nosuch://here/a", 'nosuch://here/a/runs/.*: No FileSystem for scheme "nosuch"'),
        ("viewfs://there/a", "Cannot initialize: Empty Mount table in config for viewfs://there/"),
        ("hdfs://localhost:9/a", "to localhost:9 failed on connection exception: .* refused"),
        ("hdfs://no.such.host.invalid/a", "there is no host no.such.host.invalid"),
        ("file:///proc/version/a", "Parent path is not a directory"),
        ("s3a://bucket/a", "S3AFileSystem not found: add its jar"),
    ],
)
def test_a_storage_that_cannot_be_used_is_told_in_one_line(
    spark: SparkSession, tmp_path: Path, url: str, told: str
) -> None:
    with (
        pytest.raises(SetupError, match=told) as raised,
        open_storage(spark, url, run=tmp_path, scratch=tmp_path),
    ):
        pass
    assert "\n" not in str(raised.value)
    assert "wiki" not in str(raised.value)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("/mnt/shared/", "file:///mnt/shared"),
        ("hdfs://node:8020/a/b/", "hdfs://node:8020/a/b"),
        ("hdfs:///a", "hdfs:///a"),
        ("s3a://bucket", "s3a://bucket"),
    ],
)
def test_a_storage_is_a_url_or_an_absolute_path(text: str, url: str) -> None:
    assert storage_url(text) == url


@pytest.mark.parametrize(
    "text", ["", "shared", "hdfs:", "node:8020/a", "/a b", "/a/*", "s3a://b#c"]
)
def test_any_other_storage_is_refused(text: str) -> None:
    with pytest.raises(ConfigurationError, match="expected a URL such as hdfs://"):
        storage_url(text)

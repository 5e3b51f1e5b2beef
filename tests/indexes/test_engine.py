"""One machine's engine: its crew, whose tasks and answers are files, and its bound of memory."""

import pickle
from pathlib import Path

import pyarrow as pa
import pytest

from evaluator.errors import InputError, SetupError
from indexes.crew import Crew, _read_once, _write
from indexes.engine import DuckEngine, Mapped, check_plain


def doubled(batches):
    for batch in batches:
        if batch.num_rows:
            yield pa.record_batch([pa.array([2 * n for n in batch["n"].to_pylist()])], names=["n"])


def numbers(*values: int) -> pa.RecordBatch:
    return pa.record_batch([pa.array(values, pa.int64())], names=["n"])


def test_answers_come_in_the_order_of_the_tasks_and_no_file_stays(tmp_path: Path) -> None:
    function = tmp_path / "function.pickle"
    function.write_bytes(pickle.dumps(doubled))
    tasks = [[numbers(n), numbers(n + 1, n + 2)] for n in range(0, 60, 3)]
    tasks[4:4] = [[], [numbers()]]  # no batch, and one without rows
    with Crew(2, tmp_path) as crew:
        made = [n for batch in crew.map(function, tasks) for n in batch["n"].to_pylist()]
    assert made == list(range(0, 120, 2))
    assert [*tmp_path.iterdir()] == [function]


def test_a_task_takes_no_more_than_its_rows(tmp_path: Path) -> None:
    some = numbers(*range(100_000)).slice(70_000, 10)
    _write(tmp_path / "task", [some, some])
    assert (tmp_path / "task").stat().st_size < 2_000
    assert [*_read_once(tmp_path / "task")] == [some, some]
    assert not (tmp_path / "task").exists()


def sort_in_a_megabyte(scratch: Path, of: str) -> None:
    many = "SELECT n, md5(CAST(n AS VARCHAR)) AS word FROM range(3000000) numbers(n) ORDER BY word"
    with DuckEngine(scratch, memory="1MB", setting="local.memory") as engine:
        if of == "rows":
            engine.rows(many)
        else:
            schema = pa.schema([("n", pa.int64()), ("word", pa.string())])
            engine.sql("kept", Mapped(many, lambda batches: batches, schema))


@pytest.mark.parametrize("of", ["rows", "stream"])
def test_too_little_memory_is_told_with_the_setting(tmp_path: Path, of: str) -> None:
    with pytest.raises(SetupError, match=r"1MB of memory is not enough; set local\.memory to more"):
        sort_in_a_megabyte(tmp_path, of)


def refuse(batches):
    for batch in batches:
        if batch["n"][0].as_py() > 150_000:
            raise InputError(Path("index/shard"), "damaged")
        yield batch


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let processes start at once, however little there is to do."""
    monkeypatch.setattr("indexes.engine._SOON", -1)


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize("threads", [1, 2])
def test_what_a_function_says_is_said_as_it_says_it(tmp_path: Path, threads: int) -> None:
    rows = Mapped("SELECT n FROM range(200000) numbers(n)", refuse, numbers().schema)
    with (
        DuckEngine(tmp_path, threads=threads) as engine,
        pytest.raises(InputError, match=r"^index/shard: damaged$"),
    ):
        engine.sql("kept", rows)


@pytest.mark.usefixtures("at_once")
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_is_told_in_one_line(tmp_path: Path) -> None:
    for number in range(1, 100):
        (tmp_path / f"task-{number:06d}.arrow").symlink_to("/dev/full")
    rows = Mapped("SELECT n FROM range(200000) numbers(n)", doubled, numbers().schema)
    with (
        pytest.raises(SetupError, match=f"^no space is left on the disk of {tmp_path}: free some$"),
        DuckEngine(tmp_path, threads=2) as engine,
    ):
        engine.sql("kept", rows)


@pytest.mark.parametrize("sign", "[]{}*?\\")
def test_a_path_that_engines_would_read_otherwise_is_refused(sign: str) -> None:
    with pytest.raises(InputError, match="have a meaning of their own to engines"):
        check_plain(Path(f"runs/a{sign}b/kb"))
    check_plain(Path("runs/a (b), ü"))


def test_no_bar_of_duckdb_is_shown(tmp_path: Path) -> None:
    """In notebooks and in ``python -c`` it would be."""
    with DuckEngine(tmp_path) as engine:
        assert engine.rows("SELECT current_setting('enable_progress_bar')") == [(False,)]

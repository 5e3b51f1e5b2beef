"""Finished parts: made once, whole or not at all, and taken only as they were written."""

import os
import signal
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from evaluator.errors import InputError, SetupError
from indexes.engine import Batches, DuckEngine, Engine, Mapped
from indexes.finished_parts import FinishedParts, PartsProgress, name_of_part

SCHEMA = pa.schema([("number", pa.int64()), ("square", pa.int64())])
ROWS = 100


@dataclass(frozen=True)
class Square:
    """Squares numbers, and writes each down in a file, so that a test sees what was made when."""

    log: str
    fails_at: int = -1
    dies: bool = False

    def __call__(self, batches: Batches) -> Batches:
        for batch in batches:
            numbers = batch["number"].to_pylist()
            if self.fails_at in numbers:
                if self.dies:
                    os.kill(os.getpid(), signal.SIGKILL)
                raise OSError("stopped here")
            with Path(self.log).open("a") as log:
                log.writelines(f"{number}\n" for number in numbers)
            squares = [number**2 for number in numbers]
            yield pa.record_batch([batch["number"], pa.array(squares, pa.int64())], schema=SCHEMA)


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    with opened(tmp_path) as engine:
        yield engine


def opened(tmp_path: Path, threads: int = 1) -> DuckEngine:
    (tmp_path / "scratch").mkdir(exist_ok=True)
    return DuckEngine(tmp_path / "scratch", threads=threads, on_disk=False)


def squares(engine: Engine, parts: FinishedParts, function: Square) -> list[tuple[int, int]]:
    """Return the squares, made in parts."""
    numbers = [(number,) for number in range(ROWS)]
    engine.table("numbers", numbers, pa.schema([("number", pa.int64())]))
    source = Mapped("SELECT number FROM numbers", function, SCHEMA)
    by = "CAST(number AS STRING)"
    made = parts.divided(engine, "squares", source, by=by, rows=ROWS, unit="numbers")
    engine.view("seen", made)
    return engine.rows("SELECT number, square FROM seen ORDER BY number")


def logged(log: Path) -> list[int]:
    return [int(line) for line in log.read_text().split()] if log.exists() else []


EXPECTED = [(number, number * number) for number in range(ROWS)]


def test_few_rows_are_not_divided(engine: Engine, tmp_path: Path) -> None:
    parts = FinishedParts(tmp_path / "parts", part_rows=ROWS)
    assert squares(engine, parts, Square(str(tmp_path / "log"))) == EXPECTED
    assert not (tmp_path / "parts").exists()


def test_what_is_finished_is_not_made_again(engine: Engine, tmp_path: Path) -> None:
    """The function fails at some number; all parts made before are kept."""
    log, told = tmp_path / "log", []
    parts = FinishedParts(tmp_path / "parts", 10, told.append)
    with pytest.raises(OSError, match="stopped here"):
        squares(engine, parts, Square(str(log), fails_at=42))
    before = logged(log)
    finished = list((tmp_path / "parts" / "squares-10").glob("*.parquet"))
    assert 0 < len(finished) < 10
    log.unlink()
    assert squares(engine, parts, Square(str(log))) == EXPECTED
    assert sorted(before + logged(log)) == list(range(ROWS))
    begun = [progress for progress in told if progress.seconds == 0]
    assert [(one.done, one.kept, one.of) for one in begun] == [
        (0, 0, 10),
        (len(finished), len(finished), 10),
    ]
    assert told[-1].done == 10
    log.unlink()
    assert squares(engine, parts, Square(str(log))) == EXPECTED
    assert logged(log) == []  # nothing is left to do


def cut(file: Path) -> None:
    os.truncate(file, file.stat().st_size - 1)


def flipped(file: Path) -> None:
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes(content)


def a_folder(file: Path) -> None:
    file.unlink()
    file.mkdir()


def put_for_another(file: Path) -> None:
    """Have the part before it stand for this one, with the sum that its name has."""
    other = sorted(file.parent.glob("*.parquet"))[2]
    file.unlink()
    (file.parent / f"{file.name[:6]}{other.name[6:]}").write_bytes(other.read_bytes())


def a_part_too_many(file: Path) -> None:
    """Have a part that there is not stand for this one."""
    file.rename(file.with_name(f"000777{file.name[6:]}"))


@pytest.mark.parametrize(
    "damage", [cut, flipped, Path.unlink, a_folder, put_for_another, a_part_too_many]
)
def test_a_damaged_part_is_made_again(engine: Engine, tmp_path: Path, damage) -> None:
    log, told = tmp_path / "log", []
    parts = FinishedParts(tmp_path / "parts", 10, told.append)
    squares(engine, parts, Square(str(log)))
    damage(sorted((tmp_path / "parts" / "squares-10").glob("*.parquet"))[3])
    (tmp_path / "parts" / "squares-10" / ".000004-00000000").write_text("half of a part")
    log.unlink()
    assert squares(engine, parts, Square(str(log))) == EXPECTED
    assert 0 < len(logged(log)) < ROWS
    begun = [progress for progress in told if progress.seconds == 0][-1]
    assert (begun.kept, begun.damaged) == (9, damage is not Path.unlink)
    assert not list((tmp_path / "parts" / "squares-10").glob(".*"))


def test_a_part_that_was_made_twice_counts_once(engine: Engine, tmp_path: Path) -> None:
    """As by a slow node and the one that was asked in its place; the files differ in their sums."""
    parts = FinishedParts(tmp_path / "parts", 10)
    squares(engine, parts, Square(str(tmp_path / "log")))
    place = tmp_path / "parts" / "squares-10"
    first = min(place.glob("*.parquet"))
    table = pq.read_table(first)
    pq.write_table(table.take(list(reversed(range(len(table))))), place / "other")
    (place / "other").rename(place / name_of_part(int(first.name[:6]), place / "other"))
    assert len(list(place.glob("*.parquet"))) == 11
    assert squares(engine, parts, Square(str(tmp_path / "log"))) == EXPECTED


def test_any_number_of_processes_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker process is killed; another number of them makes the rest."""
    monkeypatch.setattr("indexes.engine._SOON", 0.0)
    log = tmp_path / "log"
    parts = FinishedParts(tmp_path / "parts", 5)
    with opened(tmp_path, threads=3) as engine, pytest.raises(SetupError, match="process died"):
        squares(engine, parts, Square(str(log), fails_at=99, dies=True))
    kept = len(list((tmp_path / "parts" / "squares-20").glob("*.parquet")))
    assert 99 not in logged(log)
    for threads in (2, 1):
        with opened(tmp_path, threads=threads) as engine:
            assert squares(engine, parts, Square(str(log))) == EXPECTED
    assert kept < 20


def test_a_division_stands_while_it_will_do(tmp_path: Path) -> None:
    """Who goes on divides as who began did, unless the parts are too large for it."""
    parts = FinishedParts(tmp_path, 1)
    assert parts.division("hits", 4) == 4
    (tmp_path / "hits-4").mkdir()
    assert parts.division("hits", 9) == 4
    assert parts.division("hits", 1, least=3) == 4
    assert parts.division("hits", 1, least=5) == 5
    assert not (tmp_path / "hits-4").exists()


def test_rate_and_time_left_are_of_what_was_made_since() -> None:
    """Of 40 parts 10 were kept, and 6 were made in 12 s: two seconds a part, 24 are to come."""
    progress = PartsProgress(16, 40, 10, 0, rows=4_000, unit="numbers", seconds=12.0)
    assert progress.rate == 50  # 600 rows in 12 s
    assert progress.left == 48
    begun = progress._replace(done=10, seconds=0.0)
    assert begun.rate is None
    assert begun.left is None


@pytest.mark.parametrize("name", [".stage.parts", ".stage.parts/state/squares-2"])
def test_a_file_in_the_place_of_the_folder_is_refused(tmp_path: Path, engine, name: str) -> None:
    (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / name).write_text("mine")
    parts = FinishedParts(tmp_path / ".stage.parts" / "state", part_rows=50)
    with pytest.raises(InputError, match=rf"{name}: is in the way.*; move it"):
        squares(engine, parts, Square(str(tmp_path / "log")))
    assert (tmp_path / name).read_text() == "mine"

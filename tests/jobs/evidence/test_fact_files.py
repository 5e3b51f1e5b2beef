"""Files of facts, read and written in blocks: how many rows a block has changes nothing."""

import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from evaluator.counting.definition import Counts
from evaluator.errors import InputError
from jobs.evidence.fact_files import read_blocks, with_counts, writing

ROWS = [("A", "is", "B", "x"), ("C", "is", "", "\\"), ("D\r", "is", 'E"', "ä ")]
NAMES = ["e1", "r", "e2", "note"]


def tsv(file: Path) -> Path:
    file.write_bytes("".join("\t".join(row) + "\n" for row in [NAMES, *ROWS]).encode())
    return file


def parquet(file: Path) -> Path:
    pq.write_table(pa.table([list(column) for column in zip(*ROWS, strict=True)], NAMES), file)
    return file


@pytest.mark.parametrize("write", [tsv, parquet])
@pytest.mark.parametrize("rows", [1, 2, 3, 4])
def test_blocks_hold_the_rows_of_the_file_in_order(tmp_path: Path, write, rows: int) -> None:
    blocks = list(read_blocks(write(tmp_path / "facts"), rows=rows))
    assert [block.num_rows for block in blocks] == {
        1: [1, 1, 1],
        2: [2, 1],
        3: [3],
        4: [3],
    }[rows]
    whole = pa.concat_tables(blocks)
    assert whole.column_names == NAMES
    assert [tuple(row.values()) for row in whole.to_pylist()] == ROWS


@pytest.mark.parametrize("name", ["out.tsv", "out.parquet"])
def test_written_in_blocks_is_written_at_once(tmp_path: Path, name: str) -> None:
    facts = parquet(tmp_path / "facts.parquet")
    told = {}
    for rows in (1, 3):
        out = tmp_path / f"{rows}-{name}"
        with writing(out) as write:
            for block in read_blocks(facts, rows=rows):
                # All undefined in one block, and not in another.
                counts = [
                    Counts(*([None] * 5 if e1 == "A" else [5, 4, 3, 2, 1]))
                    for e1 in block.column("e1").to_pylist()
                ]
                write(with_counts(block, counts))
        told[rows] = pq.read_table(out).to_pylist() if "parquet" in name else out.read_bytes()
    assert told[1] == told[3]
    if name == "out.tsv":
        assert told[1].decode() == (
            "e1\tr\te2\tnote\tpair\tclassic\tproximity\ttopic\tanchored\n"
            "A\tis\tB\tx\t\t\t\t\t\n"
            "C\tis\t\t\\\t5\t4\t3\t2\t1\n"
            'D \tis\tE"\tä \t5\t4\t3\t2\t1\n'
        )


def test_blocks_before_a_bad_row_are_read(tmp_path: Path) -> None:
    facts = tmp_path / "facts.tsv"
    facts.write_bytes(b"e1\tr\te2\nA\tis\tB\n\xff\tis\tB\n")
    blocks = read_blocks(facts, rows=1)
    assert next(blocks).num_rows == 1
    with pytest.raises(InputError, match=r"facts\.tsv:3: not UTF-8 text"):
        next(blocks)


@pytest.mark.parametrize("name", ["out.tsv", "out.parquet"])
def test_what_is_stopped_leaves_the_older_file(tmp_path: Path, name: str) -> None:
    out = tmp_path / name
    out.write_text("older")
    (block,) = read_blocks(tsv(tmp_path / "facts.tsv"), rows=3)

    def stopped() -> None:
        with writing(out) as write:
            write(block)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        stopped()
    assert out.read_text() == "older"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["facts.tsv", name]


@contextmanager
def largest_file(size: int) -> Iterator[None]:
    """Let no file grow beyond `size` bytes, as on a disk that is full."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize("name", ["out.tsv", "out.parquet"])
def test_a_full_disk_is_told_in_one_line(tmp_path: Path, name: str) -> None:
    block = pa.table({column: [f"{column}{n}" for n in range(50_000)] for column in NAMES})
    out = tmp_path / name
    with (
        pytest.raises(InputError, match=rf"{name}: cannot be written \(File too large\)"),
        largest_file(1 << 16),
        writing(out) as write,
    ):
        write(block)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_of_parts_is_read_in_their_order(tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "_SUCCESS").touch()
    for number, row in enumerate(ROWS):
        columns = [[cell] for cell in row]
        pq.write_table(pa.table(columns, NAMES), tmp_path / "parts" / f"part-{number}.parquet")
    whole = pa.concat_tables(read_blocks(tmp_path / "parts", rows=9))
    assert [tuple(row.values()) for row in whole.to_pylist()] == ROWS
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match=r"empty: a folder without \.parquet files"):
        next(read_blocks(tmp_path / "empty", rows=9))

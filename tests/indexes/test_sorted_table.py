"""Sorted tables give what a scan of all rows gives."""

import bisect
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexes import sorted_table
from indexes.sorted_table import SortedTable, SortedWriter

SCHEMA = pa.schema([("key", pa.string()), ("value", pa.int64())])


def write(folder: Path, rows: list[tuple[str, int]], *, step: int) -> list[Path]:
    with SortedWriter(folder, SCHEMA) as writer:
        for start in range(0, len(rows), step):
            keys, values = zip(*rows[start : start + step], strict=True)
            writer.write(pa.record_batch([list(keys), list(values)], schema=SCHEMA))
    return sorted(folder.glob("*.parquet"))


@given(
    keys=st.lists(st.text("abcé", min_size=1, max_size=3), max_size=40),
    step=st.integers(1, 50),
    group=st.integers(1, 5),
)
def test_rows_of_a_key_are_those_that_a_scan_finds(tmp_path_factory, keys, step, group):
    rows = [(key, place) for place, key in enumerate(sorted(keys))]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sorted_table, "_GROUP", group)
        files = write(tmp_path_factory.mktemp("t") / "table", rows, step=step)
    table = SortedTable(files, "key")
    for key in {*keys, "b", "zz", ""}:
        expected = [{"key": k, "value": v} for k, v in rows if k == key]
        assert table.rows(key) == expected


def test_a_key_may_span_row_groups_and_files(tmp_path):
    rows = [("a", 1), *(("b", place) for place in range(20_000)), ("c", 3)]
    first, second = rows[:9_000], rows[9_000:]
    files = write(tmp_path / "1", first, step=4_000) + write(tmp_path / "2", second, step=4_000)
    found = SortedTable(files, "key").rows("b")
    assert [row["value"] for row in found] == list(range(20_000))
    assert bisect.bisect([row["value"] for row in found], 9_000) == 9_001


def test_each_value_of_the_split_column_has_a_folder(tmp_path):
    schema = pa.schema([*SCHEMA, ("part", pa.string())])
    with SortedWriter(tmp_path / "table", SCHEMA, split="part") as writer:
        writer.write(
            pa.record_batch([["a", "b", "a"], [1, 2, 3], ["p0", "p0", "p1"]], schema=schema)
        )
        writer.write(pa.record_batch([["c"], [4], ["p1"]], schema=schema))
    read = {
        folder.name: [
            row["value"]
            for key in "abc"
            for row in SortedTable(list(folder.glob("*.parquet")), "key").rows(key)
        ]
        for folder in (tmp_path / "table").iterdir()
    }
    assert read == {"part=p0": [1, 2], "part=p1": [3, 4]}


def test_an_empty_table_is_a_table(tmp_path):
    files = write(tmp_path / "table", [], step=1)
    assert len(files) == 1
    assert SortedTable(files, "key").rows("a") == []

"""Splitting: what counts of a dump, in parts, with an account of the rest."""

import gzip
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from evaluator.errors import InputError
from evaluator.model import Rejects
from indexes.dumps import parts, read_dump
from indexes.dumps.parts import DumpAccount, files, is_parts, split_dump

NS = "http://rdf.freebase.com/ns/"


def line(i: int) -> str:
    return f"<{NS}m.{i}>\t<{NS}a.b.c>\t<{NS}m.{i + 1}>\t.\n"


@pytest.fixture
def dump(tmp_path: Path) -> Path:
    path = tmp_path / "dump.nt.gz"
    text = "".join(line(i) for i in range(5_000))
    text += f'<{NS}m.1>\t<{NS}a.b.height>\t"1.80"\t.\n<cut\n'
    path.write_bytes(gzip.compress(text.encode()))
    return path


def rows(folder: Path) -> list[dict[str, str]]:
    return [row for file in files([folder]) for row in pq.read_table(file).to_pylist()]


def test_parts_hold_the_statements_and_the_account_the_rest(dump, tmp_path):
    account = split_dump(dump, tmp_path / "parts")
    read = [
        row
        for batch in read_dump(dump, rejects=Rejects(), left_out=Rejects())
        for row in batch.to_pylist()
    ]
    assert rows(tmp_path / "parts") == read
    assert account.statements == len(read) == 5_000
    assert account.rejects == {"cut line": 1}
    assert account.left_out == {"literal value": 1}
    assert account.source["name"] == "dump.nt.gz"
    assert DumpAccount.read(tmp_path / "parts") == account
    assert not account.incomplete


def test_parts_are_of_bounded_size(dump, tmp_path, monkeypatch):
    monkeypatch.setattr(parts, "_GROUP", 100)
    monkeypatch.setattr(parts, "_ROWS", 1_000)
    whole = split_dump(dump, tmp_path / "parts")
    sizes = [pq.read_metadata(file).num_rows for file in files([tmp_path / "parts"])]
    assert sum(sizes) == whole.statements
    assert len(rows(tmp_path / "parts")) == whole.statements


def test_a_truncated_dump_gives_its_whole_records_and_says_so(dump, tmp_path):
    dump.write_bytes(dump.read_bytes()[:-2_000])
    account = split_dump(dump, tmp_path / "parts")
    assert 0 < account.statements < 5_000
    assert account.rejects["truncated file"] == 1
    assert account.incomplete


def test_a_folder_without_an_account_is_no_parts(dump, tmp_path):
    split_dump(dump, tmp_path / "parts")
    (tmp_path / "parts" / "account.json").unlink()
    assert not is_parts(tmp_path / "parts")
    with pytest.raises(InputError, match="distval kb split makes them"):
        DumpAccount.read(tmp_path / "parts")

"""Tables in Parquet: GraphRAG's relationships, and triples under any known names."""

import math
from datetime import date
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from evaluator.errors import InputError
from evaluator.model import Rejects
from evaluator.readers import SystemSource, read_extractions
from evaluator.readers.graphrag import SEVERAL_TEXTS
from tests.evaluator.readers.block_texts import triple

RELATIONSHIP = {
    "id": "0a", "human_readable_id": 0, "source": "LENA", "target": "KELP",
    "description": "Lena founded Kelp", "weight": 8.0, "combined_degree": 2,
    "text_unit_ids": ["t1"],
}  # fmt: skip


def read_table(path: Path, table: list[dict], wanted: str, keys=()):
    pq.write_table(pa.Table.from_pylist(table), path)
    source = SystemSource("system", "auto", path, keys)
    assert source.format == wanted
    rejects = Rejects()
    extractions = list(read_extractions(source, rejects=rejects))
    named = SystemSource("system", wanted, path, keys)
    assert list(read_extractions(named, rejects=Rejects())) == extractions
    return extractions, rejects


def test_relationships_of_graphrag(tmp_path):
    table = [
        RELATIONSHIP,
        RELATIONSHIP | {"source": "BO", "description": "Bo left Kelp", "weight": math.nan,
                        "text_unit_ids": ["t2", "t3"]},
        RELATIONSHIP | {"description": ""},
        RELATIONSHIP | {"text_unit_ids": None, "weight": None},
    ]  # fmt: skip
    (first, second, last), rejects = read_table(tmp_path / "r.parquet", table, "graphrag")
    assert (first.line, triple(first)) == (1, ("LENA", "Lena founded Kelp", "KELP"))
    assert (first.confidence, first.sentence_id) == (8.0, "t1")
    assert first.extra == {"id": "0a", "human_readable_id": 0, "combined_degree": 2}
    assert (second.line, triple(second)) == (2, ("BO", "Bo left Kelp", "KELP"))
    assert (second.confidence, second.sentence_id) == (None, "t2")
    assert second.extra["text_unit_ids"] == ["t2", "t3"]
    assert (last.line, last.confidence, last.sentence_id) == (4, None, "")
    assert rejects.counts == {"no text under 'description'": 1}
    assert rejects.notes == {SEVERAL_TEXTS: 1}


def test_columns_are_those_of_json(tmp_path):
    table = [
        {"subject": "Lena", "relation": "founded", "object": "Kelp", "text": "Lena founded Kelp ."},
        {"subject": "Bo", "relation": "no relation", "object": "Oslo", "text": "Bo ."},
        {"subject": None, "relation": "left", "object": "Oslo", "text": "He left Oslo ."},
    ]
    (extraction,), rejects = read_table(tmp_path / "t.parquet", table, "parquet")
    assert triple(extraction) == ("Lena", "founded", "Kelp")
    assert extraction.sentence == "Lena founded Kelp ."
    assert sorted(rejects.counts.values()) == [1, 1]


def test_columns_of_other_names_are_named(tmp_path):
    table = [{"who": "Lena", "does": "founded", "whom": "Kelp", "on": date(2003, 5, 1)}]
    keys = (("object", "whom"), ("relation", "does"), ("subject", "who"))
    (extraction,), _ = read_table(tmp_path / "t.parquet", table, "parquet", keys)
    assert (triple(extraction), extraction.extra) == (
        ("Lena", "founded", "Kelp"),
        {"on": "2003-05-01"},
    )
    with pytest.raises(InputError, match=r"JSON with the keys who, does, whom.*subject=KEY"):
        SystemSource("system", "auto", tmp_path / "t.parquet")


def test_a_table_that_is_damaged_is_refused(tmp_path):
    path = tmp_path / "t.parquet"
    pq.write_table(pa.Table.from_pylist([RELATIONSHIP]), path)
    path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(InputError, match="damaged, or no table in Parquet"):
        SystemSource("system", "auto", path)

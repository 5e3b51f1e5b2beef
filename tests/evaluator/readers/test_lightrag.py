"""What LightRAG and GraphRAG ask of a model: fields between delimiters, old and new."""

import json

import pytest

from evaluator.readers.lightrag import CUT, ENTITIES, OTHER
from tests.evaluator.readers.block_texts import known_as, read, triple

NEW = """entity<|#|>Lena<|#|>person<|#|>Lena is a founder.
relation<|#|>Lena<|#|>Kelp<|#|>founding, leading<|#|>Lena founded Kelp.
<|COMPLETE|>"""
OLD = """("entity"<|>"Lena"<|>"person"<|>"Lena is a founder.")##
("relationship"<|>"Lena"<|>"Kelp"<|>"Lena founded Kelp."<|>"founding, leading"<|>9)##
("content_keywords"<|>"founding")<|COMPLETE|>"""
FOUNDING = ("Lena", "founding, leading", "Kelp")


@pytest.mark.parametrize(("text", "confidence"), [(NEW, None), (OLD, 9.0)])
def test_the_keywords_are_the_relation_and_the_description_is_kept(text, confidence):
    (extraction,), rejects = read("lightrag", text)
    assert known_as(text) == ["lightrag"]
    assert (extraction.line, triple(extraction)) == (2, FOUNDING)
    assert extraction.confidence == confidence
    assert extraction.extra == {"description": "Lena founded Kelp."}
    assert (rejects.counts, rejects.notes) == ({}, {ENTITIES: 1})


def test_graphrag_gives_no_keywords_and_all_records_on_one_line():
    text = (
        '("entity"<|>LENA<|>PERSON<|>Lena is a founder)##("relationship"<|>LENA<|>KELP<|>'
        "Lena founded Kelp (a firm)<|>8)##"
        '("relationship"<|>BO<|>OSLO<|>Bo left Oslo<|>2)<|COMPLETE|>'
    )
    extractions, rejects = read("lightrag", text)
    assert known_as(text) == ["lightrag"]
    assert [(triple(e), e.confidence, e.extra) for e in extractions] == [
        (("LENA", "Lena founded Kelp (a firm)", "KELP"), 8.0, {}),
        (("BO", "Bo left Oslo", "OSLO"), 2.0, {}),
    ]
    assert not rejects.total


@pytest.mark.parametrize(
    "cut",
    [
        '("relationship"<|>"Bo"<|>"Oslo"<|>"Bo le',
        '("relationship"<|>"Bo"<|>"Oslo"',
        "relation<|#|>Bo<|#|>Oslo",
        "relation<|#|>Bo<|#|>Oslo<|#|>departure",
        "relation<|#|>Bo<|#|><|#|>departure<|#|>Bo left.",
    ],
)
def test_a_relation_that_is_cut_off_is_counted(cut):
    extractions, rejects = read("lightrag", f"{OLD}\n{cut}")
    assert [triple(e) for e in extractions] == [FOUNDING]
    assert rejects.counts == {CUT: 1}


def test_more_fields_than_are_known_are_not_guessed_at():
    line = "relation<|#|>Bo<|#|>LEFT<|#|>Oslo<|#|>departure<|#|>Bo left Oslo."
    assert read("lightrag", f"{NEW}\n{line}")[1].counts == {OTHER: 1}
    assert read("lightrag", f"{NEW}\n{line}<|#|>8")[1].counts == {OTHER: 1}


def test_what_lightrag_asks_for_in_json():
    answer = {
        "entities": [{"name": "Lena", "type": "person", "description": "Lena is a founder."}],
        "relationships": [
            {"source": "Lena", "target": "Kelp", "keywords": "founding, leading",
             "description": "Lena founded Kelp."},
            {"source": "Bo", "target": "Oslo", "description": "Bo left Oslo.", "weight": 2.0},
        ],
    }  # fmt: skip
    cached = {"default:extract:0a1b": {"return": json.dumps(answer), "chunk_id": "chunk-7"}}
    for text, chunk in ((json.dumps(answer), ""), (json.dumps(cached), "chunk-7")):
        extractions, rejects = read("json", text)
        assert known_as(text) == ["json"]
        assert [(triple(e), e.sentence_id) for e in extractions] == [
            (FOUNDING, chunk),
            (("Bo", "Bo left Oslo.", "Oslo"), chunk),  # as GraphRAG's table in JSON has it
        ]
        assert extractions[0].extra["description"] == "Lena founded Kelp."
        assert not rejects.total
    # A text with its source is no edge.
    assert not read("json", '{"source": "wiki", "description": "Lena founded Kelp."}')[0]


def test_prose_among_the_records_is_counted():
    assert read("lightrag", f"Here they are:\n{NEW}")[1].counts == {
        "neither an entity nor a relation": 1
    }


def test_the_cache_of_lightrag_names_the_chunk_and_what_was_asked_is_passed_over():
    entry = {
        "return": OLD,
        "cache_type": "extract",
        "chunk_id": "chunk-7",
        "original_prompt": NEW.replace("Lena", "Alex"),
    }
    text = json.dumps({"default:extract:0a1b": entry}, indent=2)
    (extraction,), rejects = read("json", text)
    assert known_as(text) == ["json"]
    assert (triple(extraction), extraction.sentence_id) == (FOUNDING, "chunk-7")
    assert extraction.confidence == 9.0
    assert not rejects.total
    # The older cache has the ways of asking outside.
    older = json.dumps({"default": {"0a1b": {"return": NEW, "original_prompt": OLD}}})
    assert [triple(e) for e in read("json", older)[0]] == [FOUNDING]

"""The CoreNLP server's JSON: one document a file, or one a line."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.model import Extraction
from evaluator.readers import stanford_json
from tests.evaluator.readers.block_texts import almost, known_as, read

SPANS = {"subjectSpan": [0, 2], "relationSpan": [2, 3], "objectSpan": [3, 4]}
TRIPLE = {"subject": "Lena Marsh", "relation": "founded", "object": "Kelp", **SPANS}
WORDS = ["Lena", "Marsh", "founded", "Kelp", "-LRB-", "1990", "-RRB-", "."]
TEXT = ["Lena", "Marsh", "founded", "Kelp", "(", "1990", ")", "."]
AFTER = [" ", " ", " ", "\n", "", "", "", ""]
TOKENS = [
    {"index": place, "word": word, "originalText": text, "before": "", "after": after}
    for place, (word, text, after) in enumerate(zip(WORDS, TEXT, AFTER, strict=True), start=1)
]


def document(**more):
    return {"sentences": [{"index": 0, "openie": [TRIPLE], "tokens": TOKENS}], **more}


def test_a_document_over_many_lines():
    extractions, rejects = read(
        "stanford-json", "\n".join(json.dumps(document(), indent=2).split("\n"))
    )
    assert extractions == [
        Extraction(
            system="system",
            line=1,
            sentence="Lena Marsh founded Kelp (1990).",
            arg1="Lena Marsh",
            relation="founded",
            arg2="Kelp",
            sentence_id="0",
            extra={
                "spans": {"arg1": [0, 2], "relation": [2, 3], "arg2": [3, 4]},
                "span_unit": "token",
            },
        )
    ]
    assert (rejects.total, rejects.notes) == (0, {})


def test_a_document_a_line_needs_a_name_to_identify_its_sentences():
    lines = [json.dumps(document()), "", json.dumps(document(docId="d2"))]
    extractions, rejects = read("stanford-json", "\n".join(lines))
    assert [(e.line, e.sentence_id) for e in extractions] == [(1, ""), (3, "d2:0")]
    assert rejects.total == 0


def test_tokens_without_spacing_are_joined_and_without_tokens_there_is_no_sentence():
    words = [{"word": word} for word in ("Lena", "ran", ".")]
    triple = {"subject": "Lena", "relation": "ran", "object": ""}
    lines = [
        json.dumps({"sentences": [{"openie": [triple], "tokens": words}]}),
        json.dumps({"sentences": [{"openie": [triple | SPANS]}]}),
    ]
    extractions, rejects = read("stanford-json", "\n".join(lines))
    assert [e.sentence for e in extractions] == ["Lena ran .", ""]
    assert [e.sentence_id for e in extractions] == ["", ""]
    assert rejects.notes == {"spans that are missing or do not fit the tokens": 1}
    # Without tokens the spans are all that is known of the place.
    assert extractions[1].extra["spans"] == {"arg1": [0, 2], "relation": [2, 3], "arg2": [3, 4]}


def test_a_span_that_skips_words_or_is_none_is_left_out_and_noted():
    skipping = TRIPLE | {"object": "Kelp 1990", "objectSpan": [3, 6]}
    nominal = TRIPLE | {"relation": "", "relationSpan": [-1, -1]}
    sentence = {"index": 3, "openie": [skipping, nominal], "tokens": TOKENS}
    extractions, rejects = read("stanford-json", json.dumps({"sentences": [sentence]}))
    assert [e.extra["spans"].keys() for e in extractions] == [
        {"arg1", "relation"},
        {"arg1", "arg2"},
    ]
    assert [e.sentence_id for e in extractions] == ["3", "3"]
    assert rejects.total == 0
    assert rejects.notes == {
        "empty relation": 1,
        "spans that are missing or do not fit the tokens": 2,
    }


def test_slots_are_verbatim_whatever_they_hold():
    triple = {"subject": "a - (b) ", "relation": "is,}", "object": "1. [c] ```"}
    [extraction], _ = read("stanford-json", json.dumps({"sentences": [{"openie": [triple]}]}))
    assert (extraction.arg1, extraction.relation, extraction.arg2) == tuple(triple.values())


def test_a_sentence_without_triples_is_no_record_and_one_that_was_not_processed_is_counted():
    sentences = [{"index": 0, "openie": []}, {"index": 1}, "text"]
    extractions, rejects = read("stanford-json", json.dumps({"sentences": sentences}))
    assert extractions == []
    assert rejects.counts == {"a sentence without a list under 'openie'": 2}


def test_wrong_parts_are_counted_by_reason():
    no_object = {"subject": "Lena", "relation": "ran"}
    lines = [
        "Could not handle incoming annotation",
        '{"error": "timeout"}',
        json.dumps({"sentences": [{"openie": [no_object, TRIPLE]}]}),
        json.dumps({"sentences": [{"openie": [TRIPLE], "tokens": [{"lemma": "run"}]}]}),
    ]
    extractions, rejects = read("stanford-json", "\n".join(lines))
    assert [e.line for e in extractions] == [3]
    assert rejects.counts == {
        "not JSON": 1,
        "no list under 'sentences'": 1,
        "a triple without subject, relation and object": 1,
        "a token without a word": 1,
    }


@pytest.mark.parametrize("indent", [None, 2])
def test_the_list_of_sentences_decides(indent):
    lines = json.dumps(document(), indent=indent).split("\n")
    assert known_as("\n".join(lines)) == ["stanford-json"]
    assert stanford_json.recognises(lines[:4])
    assert not stanford_json.recognises(['{"sentence": "s", "arg1": "a", "relation": "r"}'])


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["sentences", "openie", "tokens", "word", "subject", "index", *SPANS]),
            inner,
            max_size=4,
        )
    ),
)


@given(json_values, json_values)
def test_any_json_is_read_or_counted(first, second):
    for value in (
        first,
        {"sentences": first},
        {"sentences": [{"openie": first, "tokens": second, "index": second}]},
        {"sentences": [{"openie": [TRIPLE | {"subjectSpan": first, "object": second}]}]},
    ):
        text = json.dumps(value)
        read("stanford-json", text)
        stanford_json.recognises(text.split("\n"))


@given(almost("\n".join([json.dumps(document())] * 3)))
def test_every_document_is_read_or_counted(text):
    extractions, rejects = read("stanford-json", text)
    assert len(extractions) + rejects.total >= text.split("\n").count(json.dumps(document()))
    stanford_json.recognises(text.split("\n"))


@given(almost(json.dumps(document(), indent=1)))
def test_a_damaged_document_is_read_or_counted(text):
    extractions, rejects = read("stanford-json", text)
    assert extractions or rejects.total or not text.strip()
    stanford_json.recognises(text.split("\n"))

"""OpenIE 5: the answers of its server, and the text formats with its spans."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.readers._json_values import CUT
from tests.evaluator.readers.block_texts import almost, known_as, read, triple
from tests.evaluator.readers.test_openie4 import COLUMN, SIMPLE

FIRE = "The fire killed livestock"


def part(text, *offsets):
    return {"text": text, "offsets": [list(span) for span in offsets]}


def answer(arg1, relation, *arguments, sentence=FIRE, **more):
    fields = {"arg1": arg1, "rel": relation, "arg2s": list(arguments)}
    fields |= {"context": None, "negated": False, "passive": False}
    return {"confidence": 0.9, "sentence": sentence, "extraction": fields | more}


KILLED = answer(part("The fire", range(8)), part("killed", range(9, 15)), part("livestock"))
SAID = answer(
    part("the fire", [21, 22]),
    part("was not put", range(30, 33)),
    part("out"),
    part("by noon"),
    sentence="Marsh said that the fire was not put out by noon",
    context=part("Marsh said"),
    negated=True,
    passive=True,
)


def test_an_answer_gives_slots_and_the_spans_that_hold_them():
    (extraction,), rejects = read("openie5", json.dumps([KILLED]))
    assert triple(extraction) == ("The fire", "killed", "livestock")
    assert extraction.sentence == FIRE
    assert extraction.confidence == 0.9
    assert extraction.negated is False
    assert extraction.asserted
    assert extraction.extra == {
        "spans": {"arg1": [0, 8], "relation": [9, 15]},
        "span_unit": "character",
    }
    assert rejects.notes == {}


def test_context_negation_and_further_arguments_are_kept_and_wrong_offsets_are_not():
    (extraction,), rejects = read("openie5", json.dumps([SAID]))
    assert triple(extraction) == ("the fire", "was not put", "out", "by noon")
    assert extraction.attribution == "Marsh said"
    assert not extraction.asserted
    assert extraction.negated is True
    assert extraction.extra == {"passive": True}
    assert rejects.notes == {"a span that does not hold the text of its slot": 1}


@pytest.mark.parametrize(
    "text",
    [
        json.dumps([KILLED, SAID]),
        json.dumps([KILLED, SAID], indent=2),
        f"{json.dumps(KILLED)}\n{json.dumps(SAID)}\n",
        f"{json.dumps([KILLED])}\n[]\n{json.dumps([SAID])}\n",
        f"[\n{json.dumps(KILLED)},\n{json.dumps(SAID)}\n]\n",
    ],
    ids=["array", "indented", "an extraction a line", "an answer a line", "array over lines"],
)
def test_a_file_is_one_array_or_a_value_a_line(text):
    extractions, rejects = read("openie5", text)
    assert [triple(e)[0] for e in extractions] == ["The fire", "the fire"]
    assert rejects.total == 0
    assert known_as(text) == ["openie5"]


def test_lines_are_counted_from_the_first_line_of_the_file():
    extractions, _ = read("openie5", f"[]\n{json.dumps([KILLED, KILLED])}\n{json.dumps(SAID)}")
    assert [e.line for e in extractions] == [2, 2, 3]


@pytest.mark.parametrize(
    "line",
    ["Internal error", "<html><body>502 Bad Gateway</body></html>", '[{"confidence": 0.9, "sen'],
)
def test_what_a_failing_server_left_is_counted_with_line_and_beginning(line):
    text = f"{json.dumps([KILLED])}\n{line}\n{json.dumps([SAID])}\n"
    extractions, rejects = read("openie5", text)
    assert len(extractions) == 2
    reason = CUT if line.startswith("[") else "not JSON"
    assert rejects.counts == {reason: 1}
    assert rejects.examples[reason] == f"line 2: {line}"


def test_a_failure_at_the_beginning_does_not_hide_the_format():
    extractions, rejects = read("openie5", f"Internal error\n{json.dumps([KILLED])}\n")
    assert len(extractions) == 1
    assert rejects.total == 1


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"extraction": None}, "no object under 'extraction'"),
        ({"sentence": " "}, "no sentence"),
        ({"confidence": True}, "confidence is not a number"),
        ({"confidence": float("nan")}, "confidence is not a number"),
        ({"extraction": {"arg1": part("x"), "arg2s": []}}, "no text under 'rel'"),
        ({"extraction": {"arg1": {"text": 3}, "rel": part("x")}}, "no text under 'arg1'"),
        (
            {"extraction": {"arg1": part("x"), "rel": part("y"), "arg2s": {}}},
            "no list under 'arg2s'",
        ),
        (
            {"extraction": {"arg1": part("x"), "rel": part("y"), "arg2s": ["z"]}},
            "no text under 'arg2s'",
        ),
        (
            {"extraction": {"arg1": part("x"), "rel": part("y"), "context": "z"}},
            "no text under 'context'",
        ),
    ],
)
def test_an_answer_that_is_none_is_counted(changed, reason):
    extractions, rejects = read("openie5", f"{json.dumps(KILLED | changed)}\n{json.dumps(SAID)}")
    assert len(extractions) == 1
    assert rejects.counts == {reason: 1}


def test_confidence_may_be_missing_and_arguments_too():
    record = answer(part("The fire"), part("spread")) | {"confidence": None}
    (extraction,), rejects = read("openie5", json.dumps(record))
    assert triple(extraction) == ("The fire", "spread", "")
    assert extraction.confidence is None
    assert rejects.total == 0


@pytest.mark.parametrize("offsets", [None, "0-8", [3], [[None, True, "x"]], [[-4, -1]], [[]]])
def test_offsets_of_another_kind_are_none(offsets):
    record = answer({"text": "The fire", "offsets": offsets}, part("spread"))
    (extraction,), _ = read("openie5", json.dumps(record))
    assert extraction.extra == {}


def test_the_text_formats_are_read_as_those_of_openie4():
    for text in (SIMPLE, COLUMN):
        assert read("openie5", text)[0] == read("openie4", text)[0]


def test_spans_are_half_open():
    row = (
        "0.9\t\tSimpleArgument(This,List([0, 4)))\tRelation(affects,List([5, 12)))\t"
        "SimpleArgument(the switches,List([40, 52)))\tThis affects all , also the switches"
    )
    (extraction,), rejects = read("openie5", row)
    assert extraction.extra["spans"] == {"arg1": [0, 4], "relation": [5, 12]}
    assert extraction.arg2 == "the switches"
    assert rejects.notes == {"a span that does not hold the text of its slot": 1}


@pytest.mark.parametrize("span", ["null", "[0, 0)"])
def test_spans_that_only_openie5_writes_tell_its_columns_apart(span):
    text = COLUMN.replace("[11, 15)", span)
    assert known_as(text) == ["openie5"]
    (extraction,), _ = read("openie5", text)
    assert "relation" not in extraction.extra["spans"]


@given(
    st.one_of(
        almost(json.dumps([KILLED, SAID])),
        almost(f"{json.dumps(KILLED)}\n{json.dumps(SAID)}"),
        almost(json.dumps([KILLED], indent=1)),
        almost(COLUMN),
        st.text(),
    )
)
def test_no_text_is_too_much(text):
    extractions, rejects = read("openie5", text)
    for extraction in extractions:
        spans = extraction.extra.get("spans", {})
        slots = triple(extraction)
        for name, slot in {"arg1": slots[0], "relation": slots[1], "arg2": slots[2]}.items():
            if name in spans:
                start, end = spans[name]
                assert extraction.sentence[start:end] == slot
    if text.startswith('{"') and not extractions:
        assert rejects.total > 0

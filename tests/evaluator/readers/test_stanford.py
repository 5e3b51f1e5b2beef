"""Stanford's default form: confidence and triple, without a sentence."""

import pytest
from hypothesis import given

from evaluator.model import Extraction
from evaluator.readers import stanford
from tests.evaluator.readers.block_texts import almost, known_as, read

SENTENCE = "Lena Marsh founded Kelp ."
# Columns 3 to 5, 12 and 13 are those that the scorer of CaRB takes.
WIDE = "\t".join(
    ["a.txt", "0", "Lena Marsh", "founded", "Kelp", *"022334", "0.75", SENTENCE, "x", "y"]
)
LINES = ["1.0\tLena Marsh\tfounded\tKelp", "0.8813\tKelp\tis in\tOslo", "1.0\tshe\tran\t", WIDE]


def test_a_line_is_confidence_arg1_relation_arg2_and_names_no_sentence():
    extractions, rejects = read("stanford", "\n".join(LINES[:3]))
    assert extractions == [
        Extraction("system", 1, "", "Lena Marsh", "founded", "Kelp", confidence=1.0),
        Extraction("system", 2, "", "Kelp", "is in", "Oslo", confidence=0.8813),
        Extraction("system", 3, "", "she", "ran", "", confidence=1.0),
    ]
    assert rejects.total == 0


def test_a_line_of_thirteen_columns_or_more_has_the_sentence():
    [extraction], rejects = read("stanford", WIDE)
    assert extraction == Extraction(
        system="system",
        line=1,
        sentence=SENTENCE,
        arg1="Lena Marsh",
        relation="founded",
        arg2="Kelp",
        confidence=0.75,
        sentence_id="a.txt:0",
        extra={
            "file": "a.txt",
            "sentence_number": "0",
            "spans": {"arg1": [0, 2], "relation": [2, 3], "arg2": [3, 4]},
            "span_unit": "token",
        },
    )
    assert (rejects.total, rejects.notes) == (0, {})


def test_an_empty_relation_is_accepted_and_noted():
    [extraction], rejects = read("stanford", "1.0\tX\t\tY")
    assert (extraction.arg1, extraction.relation, extraction.arg2) == ("X", "", "Y")
    assert (rejects.total, rejects.notes) == (0, {"empty relation": 1})


def test_wrong_lines_are_counted_by_reason():
    wrong = {
        "": "blank line",
        "No extractions in: This phone works badly .": "notice of a sentence without extractions",
        "1.0\tLena Marsh\tfounded": "not 4 columns, nor 13 or more",
        "1.0\tLena Marsh\tfounded\tKelp\tin Oslo": "not 4 columns, nor 13 or more",
        "1,0\tLena Marsh\tfounded\tKelp": "confidence is not a number",
        "\t".join(["x"] * 11 + ["1.0", " "]): "no sentence",
    }
    extractions, rejects = read("stanford", "\n".join(wrong))
    assert extractions == []
    assert rejects.total == len(wrong)
    assert set(rejects.counts) == set(wrong.values())


def test_it_is_recognised_as_no_other_format():
    assert known_as("\n".join(LINES[:3])) == known_as(WIDE) == ["stanford"]


@pytest.mark.parametrize(
    ("line", "recognised"),
    [
        (LINES[0], True),
        (LINES[1], True),
        (WIDE, True),
        ("12\tLena Marsh\tfounded\tKelp", False),  # BenchIE: the number of a sentence
        ("Lena ran .\t1.0\tran\tLena", False),  # tabbed
        ("\t".join(WIDE.split("\t")[:13] + ["x"] * 4), False),  # 17: stanford-reverb
        ("\t".join(WIDE.split("\t")[:13] + ["x"] * 5), False),  # 18: ReVerb
        ("No extractions in: Lena .", False),
    ],
)
def test_the_decimal_point_or_the_number_of_columns_decides(line, recognised):
    assert stanford.recognises([line, "", line]) is recognised


@given(almost("\n".join(LINES)))
def test_every_line_is_an_extraction_or_counted(text):
    extractions, rejects = read("stanford", text)
    assert len(extractions) + rejects.total == text.count("\n") + 1
    stanford.recognises(text.split("\n"))

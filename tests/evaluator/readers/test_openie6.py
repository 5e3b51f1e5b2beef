"""OpenIE 6: blocks, and the form converted for scoring."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.evaluator.readers.block_texts import almost, known_as, read, triple

BLOCKS = """\
Lena Marsh founded Kelp in Oslo .
0.95: (Lena Marsh; founded; Kelp L:in Oslo)
0.40: (Kelp; [is] [from]; Oslo)

Nobody spoke .

Marek slept .
0.81: (Marek; slept; )
"""
CONVERTED = (
    "Lena Marsh founded Kelp .\t"
    "<arg1> Lena Marsh </arg1> <rel> founded </rel> <arg2> Kelp </arg2>\t0.95\n"
    "Marek slept .\t<arg1> Marek </arg1> <rel> slept </rel> <arg2>  </arg2>\t-0.21\n"
)


def test_rows_stand_under_the_sentence_of_their_block():
    extractions, rejects = read("openie6", BLOCKS)
    assert [(e.line, e.sentence, triple(e), e.confidence) for e in extractions] == [
        (2, "Lena Marsh founded Kelp in Oslo .", ("Lena Marsh", "founded", "Kelp L:in Oslo"), 0.95),
        (3, "Lena Marsh founded Kelp in Oslo .", ("Kelp", "[is] [from]", "Oslo"), 0.4),
        (8, "Marek slept .", ("Marek", "slept", ""), 0.81),
    ]
    assert rejects.total == 0
    assert rejects.notes == {}


@pytest.mark.parametrize(
    ("row", "slots", "notes"),
    [
        ("(They; sell; tea ; coffee)", ("They", "sell", "tea ; coffee"), 0),
        ("(Tea ; coffee; are; sold)", ("Tea ; coffee", "are", "sold"), 0),
        ("(They; sell; tea; cake)", ("They", "sell", "tea; cake"), 1),
        ("(They; ; tea)", ("They", "", "tea"), 0),
    ],
)
def test_there_are_three_slots_whatever_the_semicolons(row, slots, notes):
    sentence = "They sell tea ; coffee . Tea ; coffee are sold ."
    (extraction,), rejects = read("openie6", f"{sentence}\n0.5: {row}\n")
    assert triple(extraction) == slots
    assert sum(rejects.notes.values()) == notes


def test_the_converted_form_has_tags():
    extractions, rejects = read("openie6", CONVERTED)
    assert [(e.line, e.sentence, triple(e), e.confidence) for e in extractions] == [
        (1, "Lena Marsh founded Kelp .", ("Lena Marsh", "founded", "Kelp"), 0.95),
        (2, "Marek slept .", ("Marek", "slept", ""), -0.21),
    ]
    assert rejects.total == 0


def test_slots_may_hold_what_looks_like_a_tag():
    row = "<arg1> x < y </arg1> <rel> holds </rel> <arg2> for <b> z </b> </arg2>"
    (extraction,), _ = read("openie6", f"x < y holds for <b> z </b>\t{row}\t0.5\n")
    assert triple(extraction) == ("x < y", "holds", "for <b> z </b>")


def test_further_tags_are_further_arguments():
    row = (
        "<arg1> M </arg1> <rel> met </rel> <arg2> L </arg2> <loc> in Oslo </loc> <time> now </time>"
    )
    (extraction,), _ = read("openie6", f"M met L in Oslo now\t{row}\t0.5\n")
    assert triple(extraction) == ("M", "met", "L", "in Oslo", "now")


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ("0.95: (Marek; slept", "not (arg1; relation; arg2)"),
        ("0.95: (Marek)", "not (arg1; relation; arg2)"),
        ("nan: (Marek; slept; )", "confidence is not a number"),
        ("0,95: (Marek; slept; )", "confidence is not a number"),
        ("Marek slept .\t<arg1> Marek </arg1>\t0.95", "no <arg1> and <rel>"),
        ("Marek slept .\t<arg1> Marek </arg1> <rel> slept </rel>", "not 3 columns"),
        (" \t<arg1> Marek </arg1> <rel> slept </rel>\t0.95", "no sentence"),
    ],
)
def test_a_damaged_row_is_counted_and_is_no_sentence(row, reason):
    (extraction,), rejects = read("openie6", f"Marek slept .\n{row}\n0.5: (Marek; slept; )\n")
    assert extraction.sentence == "Marek slept ."
    assert rejects.counts == {reason: 1}
    assert rejects.examples[reason] == f"line 2: {row}"


@pytest.mark.parametrize("line", ["0.9: (Marek; slept; )[attrib=L says]", "No extractions found."])
def test_what_ollie_writes_is_refused_with_the_name_of_its_format(line):
    extractions, rejects = read("openie6", f"Marek slept .\n{line}\n0.5: (Marek; slept; )\n")
    assert [extraction.line for extraction in extractions] == [3]
    ((reason, count),) = rejects.counts.items()
    assert reason.endswith("is what OLLIE writes: name the format ollie")
    assert count == 1


def test_rows_without_any_sentence_are_counted():
    extractions, rejects = read("openie6", "0.95: (Marek; slept; )\n")
    assert extractions == []
    assert rejects.counts == {"no sentence above the extraction": 1}


@pytest.mark.parametrize("text", [BLOCKS, CONVERTED])
def test_the_format_is_recognised(text):
    assert known_as(text) == ["openie6"]


@given(st.one_of(almost(BLOCKS), almost(CONVERTED), st.text()))
def test_no_text_is_too_much_and_no_row_is_lost(text):
    extractions, rejects = read("openie6", text)
    rows = [line for line in text.split("\n") if line.startswith("0.95: (") or "\t" in line.strip()]
    assert len(extractions) + rejects.total >= len(rows)
    assert len({extraction.line for extraction in extractions}) == len(extractions)

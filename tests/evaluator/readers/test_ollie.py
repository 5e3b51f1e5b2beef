"""OLLIE's tabbed, tabbedsingle and interactive formats."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.evaluator.readers.block_texts import almost, known_as, read, triple

DEAL = "If regulators agree , the deal will close in May ."
PATTERN = "{arg1} <nsubj< {rel:postag=VB} >{prep:regex=prep_(.*)}> {arg2}"
END = f"{PATTERN}\tnsubj(close_VB_6_34, deal_NN_4_22)\n"
EARTH = "They believe that the earth is flat ."
TABBED = (
    "confidence\targ1\trel\targ2\tenabler\tattribution\ttext\tpattern\tdependencies\n"
    f"0.71\tthe deal\twill close in\tMay\tSome(If regulators (two) agree)\tNone\t{DEAL}\t{END}"
    f"0,8\tMarsh\tfounded\tKelp\tNone\tNone\tMarsh founded Kelp .\t{END}"
    f"0.6\tthe earth\tis\tflat\tNone\tSome(They believe)\t{EARTH}\t{END}"
)
SINGLE = (
    "confidence\textraction\tenabler\tattribution\ttext\tpattern\tdependencies\n"
    f"0.71\t(the deal; will close in; May)\tSome(If regulators agree)\tNone\t{DEAL}\t{END}"
)
INTERACTIVE = f"""\
{DEAL}
0.71: (the deal; will close in; May)[enabler=If regulators agree]

Nobody spoke .
No extractions found.

They believe that the earth is flat .
0.6: (the earth; is; flat)[attrib=They believe]
0,55: (They; believe; the earth)
"""


def test_tabbed_options_are_condition_and_attribution():
    extractions, rejects = read("ollie", TABBED)
    assert [(e.line, e.sentence, triple(e), e.confidence) for e in extractions] == [
        (2, DEAL, ("the deal", "will close in", "May"), 0.71),
        (3, "Marsh founded Kelp .", ("Marsh", "founded", "Kelp"), 0.8),
        (4, EARTH, ("the earth", "is", "flat"), 0.6),
    ]
    assert [e.condition for e in extractions] == ["If regulators (two) agree", None, None]
    assert [e.attribution for e in extractions] == [None, None, "They believe"]
    assert [e.asserted for e in extractions] == [False, True, False]
    assert extractions[0].extra == {"pattern": PATTERN}
    assert rejects.total == 0


def test_tabbedsingle_has_the_triple_in_one_column():
    (extraction,), rejects = read("ollie", SINGLE)
    assert triple(extraction) == ("the deal", "will close in", "May")
    assert (extraction.condition, extraction.asserted) == ("If regulators agree", False)
    assert extraction.sentence == DEAL
    assert rejects.total == 0


def test_interactive_rows_stand_under_their_sentence():
    extractions, rejects = read("ollie", INTERACTIVE)
    assert [(e.line, triple(e), e.confidence) for e in extractions] == [
        (2, ("the deal", "will close in", "May"), 0.71),
        (8, ("the earth", "is", "flat"), 0.6),
        (9, ("They", "believe", "the earth"), 0.55),
    ]
    assert [e.condition for e in extractions] == ["If regulators agree", None, None]
    assert [e.attribution for e in extractions] == [None, "They believe", None]
    assert [e.asserted for e in extractions] == [False, False, True]
    assert extractions[0].sentence == DEAL
    assert rejects.total == 0


@pytest.mark.parametrize(
    "modifiers",
    [
        "[enabler=if [they] agree][attrib=Marsh says]",
        "[enabler=if [they] agree; attrib=Marsh says]",
    ],
)
def test_an_extraction_may_have_both(modifiers):
    (extraction,), _ = read("ollie", f"{DEAL}\n0.5: (the deal; closes in; May){modifiers}\n")
    assert triple(extraction) == ("the deal", "closes in", "May")
    assert (extraction.condition, extraction.attribution) == ("if [they] agree", "Marsh says")


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ("0.71\tthe deal\twill close in\tMay\tNone", "not 9 columns, nor the 7 of tabbedsingle"),
        (f"0.71\ta\tb\tc\tmaybe\tNone\t{DEAL}\tp\td", "neither None nor Some(...)"),
        (f"0.71\ta\tb\tc\tSome(x\tNone\t{DEAL}\tp\td", "neither None nor Some(...)"),
        ("0.71\ta\tb\tc\tNone\tNone\t\tp\td", "no sentence"),
        (f"high\ta\tb\tc\tNone\tNone\t{DEAL}\tp\td", "confidence is not a number"),
        (f"0.71\ta b c\tNone\tNone\t{DEAL}\tp\td", "not (arg1; relation; arg2)"),
        ("0.71: (a; b; c", "not (arg1; relation; arg2)"),
        ("0.71: (a; b; c)[enabler=if", "[enabler=...] or [attrib=...] does not end"),
    ],
)
def test_a_damaged_row_is_counted_and_is_no_sentence(row, reason):
    (extraction,), rejects = read("ollie", f"{DEAL}\n{row}\n0.5: (the deal; closes in; May)\n")
    assert extraction.sentence == DEAL
    assert rejects.counts == {reason: 1}
    assert rejects.examples[reason] == f"line 2: {row}"


@pytest.mark.parametrize("text", [TABBED, SINGLE, INTERACTIVE])
def test_the_format_is_recognised(text):
    assert known_as(text) == ["ollie"]


def test_three_decimals_tell_ollie_from_openie6():
    assert known_as("Marek slept .\n0.813: (Marek; slept; well)\n") == ["ollie"]
    assert known_as("Marek slept .\n0.81: (Marek; slept; well)\n") == ["openie6"]


@given(st.one_of(almost(TABBED), almost(SINGLE), almost(INTERACTIVE), st.text()))
def test_no_text_is_too_much_and_no_row_is_lost(text):
    extractions, rejects = read("ollie", text)
    rows = [
        line
        for line in text.split("\n")
        if line.startswith("0.71: (") or (line.count("\t") > 1 and line[:1].isdigit())
    ]
    assert len(extractions) + rejects.total >= len(rows)
    assert len({extraction.line for extraction in extractions}) == len(extractions)

"""OpenIE 4's two formats: simple, under sentences, and column."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.evaluator.readers.block_texts import almost, known_as, read, triple

SIMPLE = """\
Lena Marsh, director of Kelp, gave a talk in Oslo; Marek managed.
0.93 (Lena Marsh; gave; a talk; L:in Oslo)
0.88 (Marsh; [is] director [of]; Kelp)
0.41 (Marek; managed; )

Some say Lena Marsh was born in Oslo.
0.82 Context(Some say,List([0, 8))):(Lena Marsh; was born in; Oslo)
"""
TALK = "Lena Marsh gave a talk in Oslo"
COLUMN = (
    f"0.9329\t\tSimpleArgument(Lena Marsh,List([0, 10)))\tRelation(gave,List([11, 15)))\t"
    f"SimpleArgument(a talk,List([16, 22)));SpatialArgument(in Oslo,List([23, 30)))\t{TALK}\n"
)


def column(*, score="0.5", context="", arg1="", relation="", arguments="", sentence=TALK):
    return "\t".join([score, context, arg1, relation, arguments, sentence]) + "\n"


# ----- simple


def test_simple_rows_stand_under_their_sentence():
    extractions, rejects = read("openie4", SIMPLE)
    assert [(e.line, triple(e), e.confidence) for e in extractions] == [
        (2, ("Lena Marsh", "gave", "a talk", "L:in Oslo"), 0.93),
        (3, ("Marsh", "[is] director [of]", "Kelp"), 0.88),
        (4, ("Marek", "managed", ""), 0.41),
        (7, ("Lena Marsh", "was born in", "Oslo"), 0.82),
    ]
    assert {e.sentence for e in extractions[:3]} == {
        "Lena Marsh, director of Kelp, gave a talk in Oslo; Marek managed."
    }
    assert rejects.total == 0


def test_a_context_is_an_attribution_and_takes_the_assertion_away():
    extractions, _ = read("openie4", SIMPLE)
    assert [e.attribution for e in extractions] == [None, None, None, "Some say"]
    assert [e.asserted for e in extractions] == [True, True, True, False]


def test_sbt_and_a_locale_with_decimal_comma_change_nothing():
    text = (
        "[info] The mayor wins five key states.\n"
        "[info] 0,52 (The mayor; wins; five key states)\n"
        "[info] \n"
        "[info] Marek ran.\n"
        "[info] 1,0 (Marek; ran; )\n"
    )
    (one, two), rejects = read("openie4", text)
    assert (one.sentence, one.confidence) == ("The mayor wins five key states.", 0.52)
    assert (two.sentence, two.confidence) == ("Marek ran.", 1.0)
    assert rejects.total == 0


@pytest.mark.parametrize(
    ("sentence", "row", "slots"),
    [
        (
            "They sell tea; coffee and cake in Oslo.",
            "(They; sell; tea; coffee and cake; L:in Oslo)",
            ("They", "sell", "tea; coffee and cake", "L:in Oslo"),
        ),
        (
            "They ; the sellers ; sell tea .",
            "(They ; the sellers; sell; tea)",
            ("They ; the sellers", "sell", "tea"),
        ),
        (
            "They sell tea in Oslo.",
            "(They; sell; tea; L:in Oslo)",
            ("They", "sell", "tea", "L:in Oslo"),
        ),
        ("Tea; sold; here.", "(Tea; sold; here)", ("Tea", "sold", "here")),
        ("They sell; tea is cheap.", "(They; sell; ; T:now)", ("They", "sell", "", "T:now")),
    ],
)
def test_a_semicolon_that_the_sentence_has_is_text(sentence, row, slots):
    (extraction,), _ = read("openie4", f"{sentence}\n0.5 {row}\n")
    assert triple(extraction) == slots


def test_a_sentence_may_begin_with_a_number_and_a_bracket():
    text = (
        "1950 (or so) was cold.\n0.9 (1950; was; cold)\n\n"
        "1,950 (or so) came.\n0.9 (1,950; came; )\n"
    )
    extractions, rejects = read("openie4", text)
    assert [e.sentence for e in extractions] == ["1950 (or so) was cold.", "1,950 (or so) came."]
    assert rejects.total == 0


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ("0.93 (Lena Marsh; gave; a talk", "not (arg1; relation; arg2)"),
        ("0.93 (Lena Marsh)", "not (arg1; relation; arg2)"),
        ("0.93 Context(Some say,List([0, 8)))", "not (arg1; relation; arg2)"),
        ("0.93 Context(Some say):(Lena Marsh; gave; a talk)", "not Type(text,List(...))"),
        ("NaN (Lena Marsh; gave; a talk)", "confidence is not a number"),
        ("0.9.3 (Lena Marsh; gave; a talk)", "confidence is not a number"),
    ],
)
def test_a_damaged_simple_row_is_counted_and_is_no_sentence(row, reason):
    (extraction,), rejects = read("openie4", f"{TALK}\n{row}\n0.5 (Lena Marsh; gave; a talk)\n")
    assert extraction.sentence == TALK
    assert rejects.counts == {reason: 1}
    assert rejects.examples[reason] == f"line 2: {row}"


def test_a_blank_line_ends_what_a_sentence_is_said_of():
    _, rejects = read("openie4", f"{TALK}\n\n0.5 (Lena Marsh; gave; a talk)\n")
    assert rejects.counts == {"no sentence above the extraction": 1}


# ----- column


def test_a_column_row_holds_its_sentence_and_joins_the_further_arguments():
    (extraction,), rejects = read("openie4", COLUMN)
    assert triple(extraction) == ("Lena Marsh", "gave", "a talk", "in Oslo")
    assert extraction.sentence == TALK
    assert extraction.confidence == 0.9329
    assert extraction.asserted
    assert extraction.extra == {
        "spans": {"arg1": [0, 10], "relation": [11, 15], "arg2": [16, 22], "arg3": [23, 30]},
        "span_unit": "character",
        "types": ["SimpleArgument", "SpatialArgument"],
    }
    assert rejects.total == 0
    assert rejects.notes == {}


def test_a_context_column_is_an_attribution():
    sentence = "Some say Marsh was born in Oslo"
    row = column(
        context="Context(Some say,List([0, 8)))",
        arg1="SimpleArgument(Marsh,List([9, 14)))",
        relation="Relation(was born in,List([15, 23), [24, 26)))",
        arguments="SpatialArgument(Oslo,List([27, 31)))",
        sentence=sentence,
    )
    (extraction,), _ = read("openie4", row)
    assert (extraction.attribution, extraction.asserted) == ("Some say", False)
    assert extraction.extra["spans"] == {"arg1": [9, 14], "relation": [15, 26], "arg2": [27, 31]}


def test_no_further_argument_is_an_extraction_with_one():
    row = column(
        arg1="SimpleArgument(He,List([0, 2)))",
        relation="Relation(ran,List([3, 6)))",
        sentence="He ran",
    )
    (extraction,), rejects = read("openie4", row)
    assert triple(extraction) == ("He", "ran", "")
    assert rejects.total == 0


def test_columns_of_their_own_for_further_arguments_are_read_too():
    arguments = "SimpleArgument(a talk,List([16, 22)))\tSpatialArgument(in Oslo,List([23, 30)))"
    row = column(
        arg1="SimpleArgument(She,List())", relation="Relation(gave,List())", arguments=arguments
    )
    (extraction,), _ = read("openie4", row)
    assert triple(extraction) == ("She", "gave", "a talk", "in Oslo")


@pytest.mark.parametrize("spans", ["[0, 9)", "[0, 0)", "[90, 99)", "[10, 0)", "[0, 3), [20, 30)"])
def test_a_span_that_does_not_hold_its_text_is_dropped_and_noted(spans):
    row = column(
        arg1=f"SimpleArgument(Lena Marsh,List({spans}))",
        relation="Relation(gave,List([11, 15)))",
        arguments="SimpleArgument(a talk,List([16, 22)))",
    )
    (extraction,), rejects = read("openie4", row)
    assert extraction.arg1 == "Lena Marsh"
    assert extraction.extra["spans"] == {"relation": [11, 15], "arg2": [16, 22]}
    assert rejects.notes == {"a span that does not hold the text of its slot": 1}


@pytest.mark.parametrize("spans", ["null", "", "[99999999999999999999, 3)"])
def test_no_span_is_no_span(spans):
    row = column(arg1=f"SimpleArgument(She,List({spans}))", relation=f"Relation(ran,List({spans}))")
    (extraction,), rejects = read("openie4", row)
    assert extraction.extra == {}
    assert rejects.notes == {}


def test_text_may_look_like_structure():
    row = column(
        arg1="SimpleArgument(f(x); y,List([0, 7)))",
        relation="Relation(is (x));more,List([8, 9)))",
        arguments="SimpleArgument(a,b (c);d,List([10, 12)));TemporalArgument(now),List([13, 14)))",
    )
    (extraction,), _ = read("openie4", row)
    assert triple(extraction) == ("f(x); y", "is (x));more", "a,b (c);d", "now)")


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        (COLUMN.rpartition("\t")[0], "fewer than 6 columns"),
        (
            column(arg1="SimpleArgument(She)", relation="Relation(ran,List())"),
            "not Type(text,List(...))",
        ),
        (column(relation="Relation(ran,List())"), "not Type(text,List(...))"),
        (COLUMN.replace("0.9329", "high"), "confidence is not a number"),
        (COLUMN.replace(TALK, " "), "no sentence"),
    ],
)
def test_a_damaged_column_row_is_counted(row, reason):
    extractions, rejects = read("openie4", row)
    assert extractions == []
    assert rejects.counts == {reason: 1}


def test_a_sentence_echoed_above_its_column_rows_is_structure():
    extractions, rejects = read("openie4", f"{TALK}\n{COLUMN}\n{COLUMN}")
    assert [e.line for e in extractions] == [2, 4]
    assert rejects.total == 0


# ----- both


@pytest.mark.parametrize("text", [SIMPLE, COLUMN, "[info] He ran\n[info] 0,52 (He; ran; )\n"])
def test_the_format_is_recognised(text):
    assert known_as(text) == ["openie4"]


@given(st.one_of(almost(SIMPLE), almost(COLUMN), st.text()))
def test_no_text_is_too_much_and_no_row_is_lost(text):
    extractions, rejects = read("openie4", text)
    read_lines = [extraction.line for extraction in extractions]
    assert read_lines == sorted(set(read_lines))
    rows = [line for line in text.split("\n") if line.startswith(("0.9 (", "0.88 (", "0.9329\t"))]
    assert len(extractions) + rejects.total >= len(rows)

"""Subject, verb, object of spaCy: as textacy prints them, and as rows."""

import pytest
from hypothesis import given

from tests.evaluator.readers.block_texts import almost, known_as, read, triple

PRINTED = "SVOTriple(subject=[Lena, Marsh], verb=[founded], object=[Kelp])"
ROWS = 'sent_id,subject,verb,object\n7,Lena Marsh,founded,"Kelp, Ltd"\n8,Marek,left,\n'


def test_the_tokens_of_a_printed_triple_are_joined():
    (extraction,), rejects = read("spacy", PRINTED)
    assert triple(extraction) == ("Lena Marsh", "founded", "Kelp")
    assert (extraction.sentence, extraction.sentence_id, extraction.confidence) == ("", "", None)
    assert (rejects.total, rejects.notes) == (0, {})


def test_a_printed_list_holds_several():
    text = f"[{PRINTED}, {PRINTED}]\n\n[]\n[{PRINTED},\n {PRINTED}]"
    extractions, rejects = read("spacy", text)
    assert [e.line for e in extractions] == [1, 1, 4, 5]
    assert (rejects.total, rejects.notes) == (0, {})


def test_commas_and_brackets_may_be_tokens():
    text = "SVOTriple(subject=[Kelp, ,, Ltd], verb=[has, not, grown], object=[[, 5, ], %])"
    (extraction,), _ = read("spacy", text)
    assert triple(extraction) == ("Kelp , Ltd", "has not grown", "[ 5 ] %")


def test_rows_are_named_by_their_header():
    extractions, rejects = read("spacy", ROWS)
    assert [(e.line, e.sentence_id, triple(e)) for e in extractions] == [
        (2, "7", ("Lena Marsh", "founded", "Kelp, Ltd")),
        (3, "8", ("Marek", "left", "")),
    ]
    assert rejects.total == 0


def test_columns_come_in_any_order_and_others_are_kept():
    text = "Verb,Subject,Object,sentence,score\nleft,Lena,Oslo,Lena left Oslo .,0.5"
    (extraction,), _ = read("spacy", text)
    assert triple(extraction) == ("Lena", "left", "Oslo")
    assert (extraction.sentence, extraction.confidence) == ("Lena left Oslo .", None)
    assert extraction.extra == {"columns": {"score": "0.5"}}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (f"{PRINTED}\nnone", "no SVOTriple"),
        (f"{PRINTED}\nSVOTriple(subject=[], verb=[a], object=[b])", "not SVOTriple("),
        (f"{PRINTED}\nSVOTriple(subject=[a], verb=[b]", "not SVOTriple("),
        (f"{ROWS}9,Lena,left", "not as many columns"),
        (f'{ROWS}9,"Lena,left,Oslo', "not as many columns"),
        (f"{ROWS}9,,left,Oslo", "no subject or no verb"),
    ],
)
def test_what_is_no_triple_is_counted(text, reason):
    extractions, rejects = read("spacy", text)
    assert len(extractions) == len(text.split("\n")) - 1 - (ROWS in text)
    ((why, count),) = rejects.counts.items()
    assert (why.startswith(reason), count) == (True, 1)
    assert rejects.examples[why].startswith(f"line {len(text.split(chr(10)))}: ")


def test_text_before_a_triple_is_noted():
    extractions, rejects = read("spacy", f"sentence 4: {PRINTED}")
    assert len(extractions) == 1
    assert rejects.notes == {"text before a triple left out": 1}


def test_rows_of_files_put_one_after_the_other_keep_one_header():
    assert len(read("spacy", ROWS + ROWS)[0]) == 4


@pytest.mark.parametrize("text", [PRINTED, ROWS], ids=["printed", "rows"])
def test_both_forms_are_recognised(text):
    assert known_as(text) == ["spacy"]


@given(almost(f"{PRINTED}\n{PRINTED}"))
def test_any_text_is_read_and_each_line_is_accounted_for(text):
    extractions, rejects = read("spacy", text)
    read_or_counted = {e.line for e in extractions}
    lines = [line for line in text.split("\n") if line.strip(" \t[],")]
    # A line may hold a good triple and a bad one.
    assert len(read_or_counted) + rejects.total >= len(lines)


@given(almost(ROWS))
def test_any_row_is_read_or_counted(text):
    extractions, rejects = read("spacy", text)
    header, *rows = text.split("\n")
    if header == "sent_id,subject,verb,object":
        kept = [row for row in rows if row.strip() and row != header]
        assert len(extractions) + rejects.total == len(kept)

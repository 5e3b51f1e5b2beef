"""ClausIE's blocks: a sentence, then number, quoted slots and score."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.model import Rejects
from evaluator.readers import SystemSource, read_extractions
from tests.evaluator.readers.block_texts import almost, known_as, read, triple

GOOD = """\
Lena Marsh moved to Oslo and founded " Kelp " .
1\t"Lena Marsh"\t"moved"\t"to Oslo"\t-184.33
1\t"Lena Marsh"\t"founded"\t"" Kelp ""\t-184.33
Nobody spoke .
The bells rang .
3\t"The bells"\t"rang"\t-20.5
The fund gave Kelp a grant in May .
4\t"The fund"\t"gave"\t"Kelp"\t"a grant"\t"in May"\t-31
"""


def test_triples_stand_under_their_sentence_with_the_score_as_given():
    extractions, rejects = read("clausie", GOOD)
    assert [(e.line, e.sentence, triple(e), e.confidence) for e in extractions] == [
        (
            2,
            'Lena Marsh moved to Oslo and founded " Kelp " .',
            ("Lena Marsh", "moved", "to Oslo"),
            -184.33,
        ),
        (
            3,
            'Lena Marsh moved to Oslo and founded " Kelp " .',
            ("Lena Marsh", "founded", '" Kelp "'),
            -184.33,
        ),
        (6, "The bells rang .", ("The bells", "rang", ""), -20.5),
        (
            8,
            "The fund gave Kelp a grant in May .",
            ("The fund", "gave", "Kelp", "a grant", "in May"),
            -31,
        ),
    ]
    assert [e.extra["sentence_number"] for e in extractions] == ["1", "1", "3", "4"]
    assert rejects.total == 0


def test_a_build_without_scores_gives_triples_without_confidence():
    (one, two), rejects = read(
        "clausie", 'The bells rang .\n7\t"The bells"\t"rang"\t"at noon"\n7\t"The bells"\t"rang"\n'
    )
    assert triple(one) == ("The bells", "rang", "at noon")
    assert triple(two) == ("The bells", "rang", "")
    assert one.confidence is None
    assert two.confidence is None
    assert rejects.total == 0


def test_scores_made_up_by_a_user_are_kept():
    text = 'A flyer was sent .\n1\t"A flyer"\t"was sent to"\t"the public"\t100\n'
    (extraction,), _ = read("clausie", text)
    assert extraction.confidence == 100


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ('1\t"The bells"\t-20.5', "fewer than two slots"),
        ('1\t"The bells"\t"rang\t"at noon"\t-20.5', "a slot is not in double quotes"),
        ('1\t"The bells"\t"rang"\t"at noon"\tn/a', "confidence is not a number"),
        ('x\t"The bells"\t"rang"\t"at noon"\t-20.5', "no number in the first column"),
        ("1\t", "fewer than two slots"),
    ],
)
def test_a_damaged_row_is_counted_and_is_no_sentence(row, reason):
    text = f'The bells rang .\n{row}\n1\t"The bells"\t"rang"\t-1\n'
    (extraction,), rejects = read("clausie", text)
    assert extraction.sentence == "The bells rang ."
    assert rejects.counts == {reason: 1}
    assert rejects.examples[reason] == f"line 2: {row}".rstrip()


def test_the_rows_below_a_sentence_with_a_row_on_its_line_are_not_given_to_the_one_before():
    row = '1\t"The bells"\t"rang"\t-1\n'
    extractions, rejects = read("clausie", f"Nobody spoke .\n{row}The bells rang .\t{row}{row}")
    assert [extraction.line for extraction in extractions] == [2]
    assert rejects.counts == {
        "a sentence and an extraction on one line": 1,
        "no sentence above the extraction": 1,
    }


def test_a_row_without_a_sentence_is_counted():
    extractions, rejects = read("clausie", '1\t"The bells"\t"rang"\t-1\n')
    assert extractions == []
    assert rejects.counts == {"no sentence above the extraction": 1}


def test_the_rows_below_a_sentence_that_cannot_be_decoded_are_not_given_to_the_one_before(tmp_path):
    path = tmp_path / "output"
    row = b'1\t"The bells"\t"rang"\t-1\n'
    path.write_bytes(b"The bells rang .\n" + row + b"Caf\xe9s closed .\n" + row)
    rejects = Rejects()
    extractions = list(read_extractions(SystemSource("s", "clausie", path), rejects=rejects))
    assert [extraction.line for extraction in extractions] == [2]
    assert rejects.counts == {"invalid UTF-8": 1, "no sentence above the extraction": 1}


def test_the_format_is_recognised():
    assert known_as(GOOD) == ["clausie"]
    assert "clausie" not in known_as("Lena Marsh moved to Oslo .\nNobody spoke .\n")


@given(st.one_of(almost(GOOD), st.text()))
def test_every_line_with_a_quoted_column_is_read_or_counted(text):
    extractions, rejects = read("clausie", text)
    rows = [line for line in text.split("\n") if '\t"' in line]
    assert len(extractions) + rejects.total >= len(rows)
    assert len({extraction.line for extraction in extractions}) == len(extractions)

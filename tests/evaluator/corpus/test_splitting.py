"""Running text to sentences."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.corpus.splitting import LONGEST, split_sentences
from evaluator.text import tokens


def texts(document: str) -> list[str]:
    return [piece.text for piece in split_sentences(document)]


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        ("", []),
        (" \n\n\t\n", []),
        ("Rome is old. It is large.", ["Rome is old.", "It is large."]),
        ("Dr. Curie met J. J. Thomson in the U.S. in May.",) * 2,
        # Lines are paragraphs, headings and items: no sentence goes over their ends.
        ("Ada Lovelace\n\nHistory.\nShe wrote", ["Ada Lovelace", "History.", "She wrote"]),
        ("Was it so?  \r\n  It was!", ["Was it so?", "It was!"]),
        # As a corpus of sentences has it: normal form C, brackets of the Penn Treebank undone.
        ("Cafe\u0301 -LRB- old -RRB-", ["Café ( old )"]),
    ],
)
def test_sentences_of_a_document(document: str, expected: list[str] | str) -> None:
    assert texts(document) == ([expected] if isinstance(expected, str) else expected)


def test_what_is_too_long_is_cut_after_every_two_hundred_tokens() -> None:
    words = [f"w{number}" for number in range(2 * LONGEST + 1)]
    pieces = list(split_sentences(", ".join(words)))
    assert [len(tokens(piece.text)) for piece in pieces] == [LONGEST, LONGEST, 1]
    assert [piece.cut for piece in pieces] == [False, True, True]
    assert [token for piece in pieces for token in tokens(piece.text)] == words
    assert [piece.cut for piece in split_sentences(", ".join(words[:LONGEST]))] == [False]


@given(st.text(alphabet="Ab1 .,!?\n\t'\"()é-", max_size=300) | st.text())
def test_nothing_but_white_space_is_lost(document: str) -> None:
    found = "".join(texts(document))
    assert "".join(found.split()) == "".join(unicodedata.normalize("NFC", document).split())

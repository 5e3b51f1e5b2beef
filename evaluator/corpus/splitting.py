"""Running text to sentences: the corpus of a run that gives whole documents.

Sentences are nupunkt's, line by line, since a line of a document is a paragraph, a heading or a
list item. The same text gives the same sentences everywhere, and no character but white
space is lost: headings ("History.") stay, as sentences without an entity pair they do no harm.

A "sentence" of hundreds of words is a table or a list that lost its marks. With E entities and R
relation words it would give E²R candidate facts, most of them absurd, so that what has more than
:data:`LONGEST` tokens is cut into pieces of as many, each a sentence of its own; a pair of entities
on two sides of a cut is then no candidate. Of the 811,700 sentences of 9,178 articles of Wikipedia
ten are that long.
"""

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from nupunkt import sent_tokenize

from evaluator.text import has_more_tokens, normalise, spans, unescape_treebank

LONGEST = 200
"""Most tokens of a sentence."""


class Piece(NamedTuple):
    """A sentence of a document, or a piece of one that was cut.

    Attributes
    ----------
    text
        In Unicode normal form C, not blank; it need not hold a word.
    cut
        True where it goes on with the sentence before it, which was too long.
    """

    text: str
    cut: bool


def split_sentences(text: str) -> Iterator[Piece]:
    r"""Yield the sentences of a document, in order.

    Examples
    --------
    >>> [piece.text for piece in split_sentences("History.\nMr. Obama was in Rome. He left.")]
    ['History.', 'Mr. Obama was in Rome.', 'He left.']
    """
    for line in normalise(unescape_treebank(text)).split("\n"):
        if not line.isspace():
            for sentence in sent_tokenize(line):
                yield from _bounded(str(sentence).strip())


def _bounded(sentence: str) -> Iterator[Piece]:
    if has_more_tokens(sentence, LONGEST):
        starts = [token.start for token in spans(sentence)[LONGEST::LONGEST]]
        cuts = [0, *starts, len(sentence)]
        for start, end in pairwise(cuts):
            yield Piece(sentence[start:end].strip(), cut=start > 0)
    elif sentence:
        yield Piece(sentence, cut=False)

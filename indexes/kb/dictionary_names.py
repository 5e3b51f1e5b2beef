"""Names in the entity dictionary: which of them are kept, and how a text may write them."""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from evaluator.facts.capitals import ARTICLES, CALENDAR
from evaluator.function_words import FUNCTION_WORDS
from evaluator.text import Token, normalise, spans
from evaluator.wordnet.lexicon import is_common

# Punctuation that ends a name, unless the name itself has some there ("Denton, Texas", "AC/DC").
_BREAK = re.compile(r"[,;:!?()\[\]{}\"“”/&—]|``|''|--")

# Nor are these on their own, which Wikidata has for aliases of "corporation", "company" and so on.
LEGAL_FORMS = frozenset({"co", "inc", "corp", "corporation", "ltd", "plc", "jr", "sr"})


class NameRow(NamedTuple):
    """What the dictionary needs to know of a name.

    Attributes
    ----------
    form
        Its tokens joined by single blanks: what it is found by.
    written
        The same as the name writes them; a token that punctuation follows carries a comma
        ("Denton, Texas").
    usable
        False for what could not be told from common text: a single letter, digits only ("24",
        "1984"), a function word alone ("Her"), a month or weekday, a legal form ("Inc."), a name
        without a token.
    proper
        Whether it has a capital letter or a digit ("kazoo" has none).
    distinctive
        :func:`is_distinctive` of the form.
    """

    form: str
    written: str
    usable: bool
    proper: bool
    distinctive: bool


def name_row(name: str) -> NameRow:
    """Return what the dictionary needs to know of `name`."""
    name = normalise(name)
    tokens = spans(name)
    form = " ".join(token.form for token in tokens)
    written = as_written(name, tokens)
    return NameRow(
        form, written, _is_usable(tokens, written), is_proper(written), is_distinctive(form)
    )


def as_written(text: str, span: Sequence[Token]) -> str:
    """Return the tokens of `span` as `text` writes them; a comma marks punctuation between two."""
    parts = [text[token.start : token.end] for token in span]
    for place, (left, right) in enumerate(pairwise(span)):
        if _BREAK.search(text, left.end, right.start):
            parts[place] += ","
    return " ".join(parts)


def admits(name: str, written: str) -> bool:
    """Whether a name may be written so: same tokens, the case rules kept, no break of its own."""
    pairs = list(zip(name.split(), written.split(), strict=True))
    if name.isupper() or (len(pairs) == 1 and len(written) > 1 and written.isupper()):
        return False
    return all(_token_admits(ours, theirs) for ours, theirs in pairs)


def _token_admits(ours: str, theirs: str) -> bool:
    if theirs.endswith(",") and not ours.endswith(","):
        return False
    if ours[0].isupper():
        return theirs[0].isupper()
    return ours == ours.lower() or ours.rstrip(",") == theirs.rstrip(",")  # else "iPod", "eBay"


def is_proper(written: str) -> bool:
    """Whether a name has a capital letter or a digit."""
    return any(character.isupper() or character.isdigit() for character in written)


def is_distinctive(form: str) -> bool:
    """Whether a name in search form still tells an entity when its capitals are gone.

    Not so a common word, with or without an article ("apple", "the rock"), a function word, or a
    single token of one or two letters ("us", "la").
    """
    tokens = [token for token in form.split() if token not in ARTICLES]
    return len(tokens) > 1 or (len(form) > 2 and not all(map(is_common, tokens)))


def _is_usable(tokens: Sequence[Token], written: str) -> bool:
    if all(token.form.isdigit() for token in tokens):  # also true of no token at all
        return False
    if len(tokens) > 1:
        return True
    form = tokens[0].form
    return len(written) > 1 and (
        written.isupper() or not (form in FUNCTION_WORDS or form in CALENDAR or form in LEGAL_FORMS)
    )

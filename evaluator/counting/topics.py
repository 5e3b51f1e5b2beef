"""What a document is about: the names by which ANCHORED counts tell that it is about an entity.

A title names the topic of its document, less a qualifier in parentheses that only tells it from its
namesakes: "Paris (film)" is about Paris. Where there is no title, the text's opening words have to
do: "Abraham Lincoln was ..." is about whoever is called "Abraham", "Abraham Lincoln", or
"Abraham Lincoln was".
"""

import re
from collections.abc import Sequence

from evaluator.counting.definition import Element
from evaluator.text import tokens

OPENING = 8
"""Words at the beginning of a text without a title that may be the name of its topic."""

LONGEST = 500
"""Characters of a name, spaces between its words included; a longer one names no topic."""

_QUALIFIER = re.compile(r"\([^()]*\)\s*\Z")


def topics(title: str, words: Sequence[str]) -> Element:
    """Return the names of what a document is about.

    Parameters
    ----------
    title
        The document's title, as written. One without a word is none.
    words
        The tokens of its text (:mod:`evaluator.text`), or the first :data:`OPENING` of them.

    Returns
    -------
    Element
        One name for a title, up to :data:`OPENING` for a text without; each a sequence of tokens.
    """
    named = tokens(_QUALIFIER.sub("", title)) or tokens(title)
    names = [tuple(named)] if named else openings(words)
    return tuple(name for name in names if len(" ".join(name)) <= LONGEST)


def openings(words: Sequence[str]) -> list[tuple[str, ...]]:
    """Return what a text opens with: its first word, its first two, and so on."""
    return [tuple(words[:length]) for length in range(1, min(OPENING, len(words)) + 1)]

"""What things are called wherever people read them: pages, tables, sheets and messages.

Names in files and JSON are others, and stay: ``f1``, ``classic``, ``database``.
"""

from collections.abc import Mapping
from typing import Final

MEASURES: Final[Mapping[str, str]] = {
    "precision": "precision",
    "recall": "recall within G′",
    "f1": "F",
}
"""Measures, inside a sentence."""

TITLES: Final[Mapping[str, str]] = {
    name: word[0].upper() + word[1:] for name, word in MEASURES.items()
}
"""Measures, at the head of a column."""

LETTERS: Final[Mapping[str, str]] = {"precision": "P", "recall": "R", "f1": "F"}
"""Measures where there is little room."""

CORRECT: Final[Mapping[bool | None, str]] = {
    True: "correct",
    False: "not correct",
    None: "undefined",
}
"""What is made of a verdict: accepted or in the knowledge base, rejected, or neither."""

REGIONS: Final[Mapping[str, str]] = {
    "a": "extracted and correct, not in the knowledge base",
    "b": "extracted and in the knowledge base",
    "c": "in the knowledge base and stated by the corpus, not extracted",
    "d": "stated by the corpus and correct, neither extracted nor in the knowledge base",
    "not correct": "extracted and not correct: the text was asked and did not support it",
    "undefined": "extracted and undefined, so neither correct nor not",
    "candidate undefined": "a candidate that was not extracted, and undefined",
}
"""What the regions of a system mean."""

COUNTS: Final[Mapping[str, str]] = {
    "pair": "pair",
    "classic": "CLASSIC",
    "proximity": "PROXIMITY",
    "topic": "topic",
    "anchored": "ANCHORED",
}
"""The counts of documents that a fact is judged by; in capitals what a PMI is named after."""

NO_RELATION_WORD: Final = "(no relation word)"
"""What stands for a relation in whose phrase no word has content."""

FIRST_LOOK: Final = (
    "The tables have what was estimated all the same, with its interval: a first look, not a "
    "result to quote."
)
"""What the figures are that no page leads with."""


def plural(count: int, noun: str) -> str:
    """Return ``1 sentence``, ``2,000 sentences``."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"

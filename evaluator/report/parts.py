"""What the report shows of a single fact: the evidence, and what moved its score, in words."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from evaluator.annotators import Part

_MOST_PARTS = 5
_LEAST_CONTRIBUTION = 0.005  # shows as 0.00
_STARTS = ("intercept", "prior")

_WORDS = {
    "pair found": "a document holds both entities",
    "pair": "documents with both entities",
    "classic": "CLASSIC",
    "proximity": "PROXIMITY",
    "beside": "both entities near each other",
    "topic found": "a document about e1 holds e2",
    "anchored": "ANCHORED",
    "about found": "a document is about e1",
    "documents1": "documents with e1",
    "documents2": "documents with e2",
    "documents1 with pair": "documents with e1, if one holds both",
    "documents2 with pair": "documents with e2, if one holds both",
    "near1": "relation near e1",
    "near2": "relation near e2",
    "both known": "knowledge base has both entities",
    "joined": "knowledge base joins the entities",
    "similarity": "similarity of its relation",
    "proximity PMI": "PROXIMITY",
    "anchored PMI": "ANCHORED",
}
_ABSENT = {
    "pair found": "no document holds both entities",
    "topic found": "no document about e1 holds e2",
    "about found": "no document is about e1",
    "both known": "knowledge base lacks an entity",
    "joined": "knowledge base does not join the entities",
}
"""In words, what is 1 or 0 where it is 0."""


class ShownFact(NamedTuple):
    """A fact with its evidence.

    Attributes
    ----------
    e1, r, e2
        Labels.
    verdict, region
        Whether it is correct, None where that is undefined, and the region that it is in if it is.
    relation, similarity
        The nearest relation of the knowledge base.
    pair, classic, proximity, topic, anchored
        The hits (:class:`evaluator.counting.definition.Counts`).
    score, parts
        The score and what it is made of.
    snippet
        A passage: ``document``, ``title``, and ``parts``, pieces of text with what they stand for.
    """

    e1: str
    r: str
    e2: str
    verdict: bool | None
    region: str | None
    relation: str | None
    similarity: float | None
    pair: int | None
    classic: int | None
    proximity: int | None
    topic: int | None
    anchored: int | None
    score: float | None
    parts: Sequence[Part]
    snippet: Mapping[str, Any] | None


def moved(parts: Sequence[Part]) -> list[tuple[str, float]]:
    """Return the parts of a fact's score that moved it most, in words, with what they add.

    Nothing for scores that are no sum.
    """
    added = [
        (words(part.name, absent=part.value == 0), part.contribution)
        for part in parts
        if part.name not in _STARTS
        and part.contribution is not None
        and abs(part.contribution) >= _LEAST_CONTRIBUTION
    ]
    return sorted(added, key=lambda part: -abs(part[1]))[:_MOST_PARTS]


def start(parts: Sequence[Part]) -> float | None:
    """Return the log odds that the parts of a score are added to; None where it is no sum."""
    return next((part.contribution for part in parts if part.name in _STARTS), None)


def words(name: str, *, absent: bool = False) -> str:
    """Return the name of a part or feature in words; `absent` where its value is 0."""
    told = _WORDS.get(name, name)
    return _ABSENT.get(name, told) if absent else told

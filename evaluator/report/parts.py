"""What the report shows of a single fact: the evidence, and what moved its score, in words."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from evaluator.annotators import Part
from evaluator.annotators.features import LOGARITHMIC
from evaluator.annotators.sentence_evidence import FLAGS, ORDERS

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
    "stated": "a sentence states it",
    "r between": "relation word between the two",
    "r before": "relation word before the two",
    "r after": "relation word after the two",
    "distance": "words from the relation word to both",
    "gap": "words between the two",
    "gap1": "words from e1 to the relation word",
    "gap2": "words from the relation word to e2",
    "words1": "content words from e1 to the relation word",
    "words2": "content words from the relation word to e2",
    "mentions1": "other mentions from e1 to the relation word",
    "mentions2": "other mentions from the relation word to e2",
    "clauses1": "clause boundaries from e1 to the relation word",
    "clauses2": "clause boundaries from the relation word to e2",
    "words": "content words between the two",
    "mentions": "other mentions between the two",
    "clauses": "clause boundaries between the two",
    "length1": "words of e1",
    "length2": "words of e2",
    "place1": "mentions before e1",
    "place2": "mentions before e2",
    "length": "words of the sentence",
    "reversed": "e2 mentioned before e1",
    "preposition1": "preposition before e1",
    "preposition2": "preposition before e2",
    "reversed, not by": "e2 mentioned before e1, without “by”",
    "by": "“by” before the later of the two",
    "following": "preposition after the relation word",
    "auxiliary": "auxiliary before the relation word",
    "verb": "relation word is a verb",
    "negated": "negation beside it",
    "hedged": "hedge beside it",
    "attributed": "attributed to somebody",
    "sentences": "sentences that state it",
    "stating_documents": "documents that state it",
    "systems": "systems that state it",
}
_ORDERS = dict(
    zip(ORDERS, ("between the two", "before the two", "after the two", "not there"), strict=True)
)
_GROUPS = {
    "distances": ("gap", "gap1", "gap2"),
    "between": (
        "words", "mentions", "clauses", "words1", "mentions1", "clauses1", "words2", "mentions2",
        "clauses2",
    ),
    "elements": ("length1", "length2", "place1", "place2"),
    "sentence": ("length",),
}  # fmt: skip
_ABSENT = {
    "pair found": "no document holds both entities",
    "topic found": "no document about e1 holds e2",
    "about found": "no document is about e1",
    "both known": "knowledge base lacks an entity",
    "joined": "knowledge base does not join the entities",
    "stated": "no sentence states it",
    "r between": "relation word not between the two",
    "r before": "relation word not before the two",
    "r after": "relation word not after the two",
    "reversed": "e1 mentioned before e2",
    "reversed, not by": "e1 mentioned before e2, or “by” before e1",
    "preposition1": "no preposition before e1",
    "preposition2": "no preposition before e2",
    "by": "no “by” before the later of the two",
    "following": "no preposition after the relation word",
    "auxiliary": "no auxiliary before the relation word",
    "verb": "relation word is no verb",
    "negated": "no negation beside it",
    "hedged": "no hedge beside it",
    "attributed": "attributed to nobody",
}
"""In words, what is 1 or 0 where it is 0."""


class WrittenExtraction(NamedTuple):
    """An extraction as its system wrote it."""

    arg1: str
    relation: str
    arg2: str
    confidence: float | None


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
    extraction
        That the fact was taken from; None for a baseline's.
    sentence
        The sentence of the corpus that states it the closest, ``document`` and ``parts``: pieces of
        text with what they stand for. None without one.
    snippet
        A passage of the index: ``document``, ``title`` and ``parts``.
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
    extraction: WrittenExtraction | None
    sentence: Mapping[str, Any] | None
    snippet: Mapping[str, Any] | None


def moved(parts: Sequence[Part]) -> list[tuple[str, float]]:
    """Return the parts of a fact's score that moved it most, in words, with what they add.

    Nothing for scores that are no sum.
    """
    added = [
        (_told(part), part.contribution)
        for part in parts
        if part.name not in _STARTS
        and part.contribution is not None
        and abs(part.contribution) >= _LEAST_CONTRIBUTION
    ]
    return sorted(added, key=lambda part: -abs(part[1]))[:_MOST_PARTS]


def start(parts: Sequence[Part]) -> float | None:
    """Return the log odds that the parts of a score are added to; None where it is no sum."""
    return next((part.contribution for part in parts if part.name in _STARTS), None)


def how_stated(closest: Mapping[str, Any]) -> list[tuple[str, list[str]]]:
    """Return sentence evidence in words, in groups: what they are about, and what there is to say.

    Parameters
    ----------
    closest
        As :func:`evaluator.annotators.sentence_evidence.named` gives it.
    """
    told = {"relation word": [_ORDERS[closest["order"]]]}
    for title, names in _GROUPS.items():
        told[title] = [
            f"{words(name)}: {closest[name]}"
            for name in names
            if closest[name] or title == "distances"
        ]
    told["besides"] = [words(name) for name in FLAGS if closest[name]]
    return [(title, of) for title, of in told.items() if of]


def _told(part: Part) -> str:
    """Return a part in words, with the number where it is one."""
    told = words(part.name, absent=part.value == 0)
    if part.name in LOGARITHMIC and part.value is not None:
        return f"{told}: {round(math.expm1(part.value)):,}"
    return told


def words(name: str, *, absent: bool = False) -> str:
    """Return the name of a part or feature in words; `absent` where its value is 0."""
    told = _WORDS.get(name, name)
    return _ABSENT.get(name, told) if absent else told

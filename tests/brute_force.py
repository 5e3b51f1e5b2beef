"""Counts by trying every triple of occurrences in every document: the oracle of every counter."""

from collections.abc import Iterable, Sequence
from itertools import product, repeat

from evaluator.counting.definition import (
    REACH,
    Context,
    Counts,
    Denominator,
    Element,
    alternatives,
    pair_width,
)


def brute_force_counts(
    documents: Iterable[Sequence[str]],
    e1: Element,
    r: Element,
    e2: Element,
    *,
    x: int,
    reach: int = REACH,
    ordered: bool = False,
    denominator: Denominator = "and",
    topics: Iterable[Element] | None = None,
) -> Counts:
    """Count one fact by trying every triple of occurrences in every document.

    Parameters
    ----------
    documents
        Token sequences.
    e1, r, e2
        The elements.
    x
        The X of NEAR:X, in words.
    reach
        Most words between r and e2 for ANCHORED, and between e1 and e2 in the context.
    ordered
        PROXIMITY asks for e1 before r before e2, ANCHORED for r before e2.
    denominator
        "and": the pair anywhere in the document; "near": at most :func:`pair_width` words between
        the two, in either order.
    topics
        Of each document the names of what it is about (:func:`evaluator.counting.topics.topics`);
        without, none is about anything.
    """
    e1, r, e2 = alternatives(e1), alternatives(r), alternatives(e2)
    width = pair_width(r, x)
    pair = classic = proximity = topic = anchored = 0
    named = repeat(()) if topics is None else topics
    for document, names in zip(documents, named, strict=topics is not None):
        firsts, relations, seconds = (spans(document, element) for element in (e1, r, e2))
        pair += any(
            _gap(a, b) >= 0 and (denominator == "and" or _gap(a, b) <= width)
            for a, b in product(firsts, seconds)
        )
        triples = [
            (a, m, b)
            for a, m, b in product(firsts, relations, seconds)
            if min(_gap(a, m), _gap(m, b), _gap(a, b)) >= 0
        ]
        classic += bool(triples)
        proximity += any(
            max(_gap(a, m), _gap(m, b)) <= x and (not ordered or a < m < b) for a, m, b in triples
        )
        if not set(e1).isdisjoint(names):
            relations, seconds = (
                [one for one in those if all(_gap(one, a) >= 0 for a in firsts)]
                for those in (relations, seconds)
            )
            topic += bool(seconds)
            anchored += any(
                0 <= _gap(m, b) <= reach and (not ordered or m < b)
                for m, b in product(relations, seconds)
            )
    if not (e1 and e2):
        return Counts(None, None, None, None, None)
    if not r:
        return Counts(pair, None, None, topic, None)
    return Counts(pair, classic, proximity, topic, anchored)


def brute_force_context(
    documents: Iterable[Sequence[str]],
    e1: Element,
    r: Element,
    e2: Element,
    *,
    x: int,
    reach: int = REACH,
    topics: Iterable[Element] | None = None,
) -> Context:
    """Count the context of one fact; the parameters are those of :func:`brute_force_counts`."""
    e1, r, e2 = alternatives(e1), alternatives(r), alternatives(e2)
    documents1 = documents2 = about = near1 = near2 = beside = 0
    named = repeat(()) if topics is None else topics
    for document, names in zip(documents, named, strict=topics is not None):
        firsts, relations, seconds = (spans(document, element) for element in (e1, r, e2))
        documents1 += bool(firsts)
        documents2 += bool(seconds)
        about += not set(e1).isdisjoint(names)
        near1 += any(0 <= _gap(a, m) <= x for a, m in product(firsts, relations))
        near2 += any(0 <= _gap(m, b) <= x for m, b in product(relations, seconds))
        beside += any(0 <= _gap(a, b) <= reach for a, b in product(firsts, seconds))
    if not (e1 and e2):
        return Context(None, None, None, None, None, None)
    if not r:
        return Context(documents1, documents2, about, None, None, beside)
    return Context(documents1, documents2, about, near1, near2, beside)


def spans(document: Sequence[str], element: Element) -> list[tuple[int, int]]:
    """Return where an element stands: short forms only beside a name, nothing inside another."""
    found = {
        (start, start + len(words))
        for words in element
        if words and words[0]
        for start in range(len(document) - len(words) + 1)
        if tuple(document[start : start + len(words)]) == words
    }
    if found:
        found |= {
            (start, start + len(words) - 1)
            for words in element
            if len(words) > 1 and not words[0]
            for start in range(len(document) - len(words) + 2)
            if tuple(document[start : start + len(words) - 1]) == words[1:]
        }
    return sorted(
        one
        for one in found
        if not any(other != one and other[0] <= one[0] and one[1] <= other[1] for other in found)
    )


def _gap(a: tuple[int, int], b: tuple[int, int]) -> int:
    """Return the number of words between two spans; negative where they overlap."""
    return max(a[0], b[0]) - min(a[1], b[1])

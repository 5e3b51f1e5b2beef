"""Snippets: where in a document a fact stands, cut out for people to read."""

from bisect import bisect
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import NamedTuple

import numpy as np

from evaluator.counting.occurrences import ADDRESS_BITS, Integers, Occurrences, changes, ranges
from evaluator.text import spans

type Span = tuple[int, int]
"""A half-open span of token positions."""

_MARGIN = 12  # words shown on either side of an element
_GAP = " … "
_NOWHERE = (1 << ADDRESS_BITS) - 1
_NEAREST = 2  # occurrences of an entity that are tried on either side of the relation


class Highlight(NamedTuple):
    """A half-open span of characters, and the element that stands there: e1, r or e2."""

    start: int
    end: int
    kind: str


class Snippet(NamedTuple):
    """An excerpt of a document in which a fact was found.

    Attributes
    ----------
    document, title
        Identifier and title of the document.
    text
        The excerpt, in one line; pieces that stand far apart are joined by " … ".
    highlights
        Where the elements stand in `text`, in text order.
    near
        True where e1, r and e2 are in proximity.
    about
        True where the document is about e1, which may then be missing, and r within reach of e2.
    """

    document: str
    title: str
    text: str
    highlights: tuple[Highlight, ...]
    near: bool
    about: bool

    def parts(self) -> list[tuple[str, str]]:
        """Return the text cut at its highlights: (piece, kind), the kind of plain text empty."""
        parts, done = [], 0
        for start, end, kind in self.highlights:
            parts += [(self.text[done:start], ""), (self.text[start:end], kind)]
            done = end
        return [part for part in [*parts, (self.text[done:], "")] if part[0]]


class Standing(NamedTuple):
    """How close the elements of a fact stand in a document; the lesser, the better.

    Attributes
    ----------
    far
        0 where all three are there, in proximity; 1 where the document is about e1 and r within
        reach of e2; else 2.
    words
        Words between them.
    places
        A span for each element that is there, beside its kind.
    """

    far: int
    words: int
    places: tuple[tuple[str, Span], ...]


type Closeness = tuple[int, int]
"""The first two fields of a standing: no standing in a document is less."""

LEAST_ANCHORED: Closeness = (1, 0)
"""Of a document about e1, as far as it is anchored."""


def least_standings(there: Sequence[Occurrences], *, x: int) -> Iterator[tuple[int, Closeness]]:
    """Yield the documents in which elements stand side by side, and how close at the best.

    Each entity is taken where it is nearest to the relation, whether or not the two overlap each
    other, so that :func:`closest` and :func:`closest_pair` find nothing closer.

    Parameters
    ----------
    there
        Where e1, r and e2 stand, or only e1 and e2.
    x
        As for :func:`closest`.
    """
    first, *_, last = there
    documents = np.intersect1d(first.start >> ADDRESS_BITS, last.start >> ADDRESS_BITS)
    middle = there[1] if len(there) > 2 else first
    begin = np.searchsorted(middle.start, documents << ADDRESS_BITS)
    number = np.searchsorted(middle.start, (documents + 1) << ADDRESS_BITS) - begin
    at = ranges(begin, number)
    gaps = [_nearest_gaps(middle, at, entity) for entity in (first, last) if entity is not middle]
    far = np.where((len(there) < 3) | (np.maximum.reduce(gaps) > x), 2, 0)
    beside = np.maximum.reduce(gaps) < _NOWHERE
    document = np.repeat(documents, number)[beside]
    bound = (far << ADDRESS_BITS | np.add.reduce(gaps))[beside]
    order = np.lexsort((bound, document))
    document, bound = document[order], bound[order]
    least = changes(document[np.newaxis])
    far, words = bound[least] >> ADDRESS_BITS, bound[least] & _NOWHERE
    yield from zip(
        document[least].tolist(), zip(far.tolist(), words.tolist(), strict=True), strict=True
    )


def _nearest_gaps(spans: Occurrences, at: Integers, others: Occurrences) -> Integers:
    """Return the words between some spans and the nearest other one of the same document.

    Only those that do not overlap count; :data:`_NOWHERE` where there is none.
    """
    start, end = spans.start[at], spans.end[at]
    nearest = np.full(len(at), _NOWHERE)
    ends = np.sort(others.end)
    for place, edges, own in (
        (np.searchsorted(others.start, end), others.start, end),
        (np.searchsorted(ends, start, side="right") - 1, ends, start),
    ):
        row = np.flatnonzero((place >= 0) & (place < len(edges)))
        edge = edges[place[row]]
        same = edge >> ADDRESS_BITS == start[row] >> ADDRESS_BITS
        row, gap = row[same], np.abs(edge - own[row])[same]
        nearest[row] = np.minimum(nearest[row], gap)
    return nearest


def closest(
    e1: Sequence[Span], r: Sequence[Span], e2: Sequence[Span], *, x: int
) -> Standing | None:
    """Return the disjoint occurrences of three elements that stand closest, None if none do.

    Occurrences are sorted. Proximity, at most `x` words on either side of r, goes before closeness.
    """
    return min(
        (
            Standing(
                2 if max(_gap(a, m), _gap(m, b)) > x else 0,
                _gap(a, m) + _gap(m, b),
                (("e1", a), ("r", m), ("e2", b)),
            )
            for m in r
            for a, b in product(_around(m, e1), _around(m, e2))
            if min(_gap(a, m), _gap(m, b), _gap(a, b)) >= 0
        ),
        default=None,
    )


def closest_anchored(
    e1: Sequence[Span], r: Sequence[Span], e2: Sequence[Span], *, reach: int
) -> Standing | None:
    """Return how r and e2 stand closest in a document about e1, None if not within `reach`.

    Neither may overlap an occurrence of e1, of which the nearest is told.
    """
    r, e2 = ([one for one in spans if all(_gap(one, a) >= 0 for a in e1)] for spans in (r, e2))
    return min(
        (
            Standing(1, _gap(m, b), (*_nearest(m, e1), ("r", m), ("e2", b)))
            for m in r
            for b in _around(m, e2)
            if 0 <= _gap(m, b) <= reach
        ),
        default=None,
    )


def closest_pair(e1: Sequence[Span], e2: Sequence[Span]) -> Standing | None:
    """Return the disjoint occurrences of two elements that stand closest, None if none do."""
    return min(
        (
            Standing(2, _gap(a, b), (("e1", a), ("e2", b)))
            for a in e1
            for b in _around(a, e2)
            if _gap(a, b) >= 0
        ),
        default=None,
    )


def excerpt(text: str, places: Mapping[str, Span]) -> tuple[str, tuple[Highlight, ...]]:
    """Cut out of `text` what stands around `places`, given by kind as token positions.

    The positions are those of :func:`evaluator.text.spans`, hence of the index; `text` is in normal
    form C.
    """
    # A token more than can be shown, to tell whether the text goes on: an article may be long.
    tokens = spans(text, most=max(end for _, end in places.values()) + _MARGIN + 1)
    pieces: list[list[int]] = []
    for start, end in sorted(places.values()):
        low, high = max(0, start - _MARGIN), min(len(tokens), end + _MARGIN)
        if pieces and low <= pieces[-1][1]:
            pieces[-1][1] = high
        else:
            pieces.append([low, high])
    cut, highlights = "", []
    for low, high in pieces:
        cut += _GAP if low else ""
        shift = len(cut) - tokens[low].start
        cut += text[tokens[low].start : tokens[high - 1].end]
        highlights += [
            Highlight(tokens[start].start + shift, tokens[end - 1].end + shift, kind)
            for kind, (start, end) in places.items()
            if low <= start < high
        ]
    cut += _GAP if pieces[-1][1] < len(tokens) else ""
    return cut.replace("\n", " "), tuple(sorted(highlights))


def _nearest(span: Span, e1: Sequence[Span]) -> tuple[tuple[str, Span], ...]:
    """Return where e1 is nearest to a span, nothing where it is nowhere."""
    near = min(_around(span, e1), key=lambda one: _gap(span, one), default=None)
    return () if near is None else (("e1", near),)


def _around(span: Span, others: Sequence[Span]) -> Sequence[Span]:
    at = bisect(others, span)
    return others[max(0, at - _NEAREST) : at + _NEAREST]


def _gap(a: Span, b: Span) -> int:
    """Return the number of words between two spans; negative where they overlap."""
    return max(a[0], b[0]) - min(a[1], b[1])

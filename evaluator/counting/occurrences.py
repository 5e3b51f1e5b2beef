"""Where elements stand in documents: sorted arrays of token spans that a join can search.

An occurrence of an element is a half-open span of tokens in a document. :class:`Occurrences` are
those of one element, as an index gives them; :class:`Postings` lay the occurrences of many elements
end to end, so that one binary search in one array answers for all of them; :class:`Places` are what
a join asks: for very many rows at once, each the occurrences of one element in one document, where
the nearest one is, or whether one fits between two positions.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

type Integers = NDArray[np.int64]
type Booleans = NDArray[np.bool_]

ADDRESS_BITS = 32
"""Bits of an address that hold the position: ``document << ADDRESS_BITS | position``."""

_POSITION = (1 << ADDRESS_BITS) - 1
_BEYOND = np.int64(1 << 62)
_SPARSE = 8  # times as many possible values as there are: then sorting them is cheaper
_ROWS = 1 << 21  # rows joined at a time: some 200 MB at the most


class Occurrences(NamedTuple):
    """Where an element stands in a shard: half-open token spans as addresses.

    An address is ``document << ADDRESS_BITS | position``. Spans are sorted, and none holds another.
    """

    start: Integers
    end: Integers


class ManyOccurrences(NamedTuple):
    """Where many elements stand in a shard: their occurrences end to end.

    Attributes
    ----------
    element, start, end
        Of each occurrence the number of its element, and its addresses. Those of one element are
        as in :class:`Occurrences`, and elements follow one another by their numbers.
    """

    element: Integers
    start: Integers
    end: Integers

    @classmethod
    def of(cls, elements: Sequence[Occurrences]) -> "ManyOccurrences":
        """Lay the occurrences of `elements`, numbered from 0 in their order, end to end."""
        none = np.zeros(0, dtype=np.int64)
        element = np.repeat(np.arange(len(elements)), [len(places.start) for places in elements])
        start = np.concatenate([none, *(places.start for places in elements)])
        end = np.concatenate([none, *(places.end for places in elements)])
        return cls(element, start, end)


@dataclass(frozen=True, slots=True)
class Postings:
    """Occurrences of several elements in *entries*, one for each element and document.

    ``key``, sorted, holds the element and document of each entry, ``first`` its first occurrence.
    In the other arrays an occurrence is at ``entry << ADDRESS_BITS | position``, so that a search
    in one sorted array answers for all entries at once; each array is padded at both ends with a
    value beyond all addresses.

    start, end
        The occurrences; both are sorted, as none holds another.
    """

    key: Integers
    first: Integers
    start: Integers
    end: Integers

    @classmethod
    def of(cls, found: ManyOccurrences) -> "Postings":
        """Return what a shard found, by element and document."""
        element, address, end = found
        length = end - address
        key = (element << ADDRESS_BITS) | (address >> ADDRESS_BITS)
        new = changes(key[np.newaxis])
        first = np.flatnonzero(new)
        start = ((np.cumsum(new) - 1) << ADDRESS_BITS) | (address & _POSITION)
        end = start + length
        return cls(key[first], np.append(first, len(key)), _padded(start), _padded(end))

    def entries(self, element: Integers) -> tuple[Integers, Integers]:
        """Return the first entry of each element, and the number of its entries."""
        first = np.searchsorted(self.key, element << ADDRESS_BITS)
        return first, np.searchsorted(self.key, (element + 1) << ADDRESS_BITS) - first

    def entry(self, element: Integers, document: Integers) -> Integers:
        """Return the entry of each element in each document, -1 where there is none."""
        if not len(self.key):
            return np.full(len(element), -1, dtype=np.int64)
        key = (element << ADDRESS_BITS) | document
        found = np.minimum(np.searchsorted(self.key, key), len(self.key) - 1)
        return np.where(self.key[found] == key, found, -1)

    def document(self, entry: Integers) -> Integers:
        """Return the document of each entry."""
        return self.key[entry] & _POSITION


class Places(NamedTuple):
    """The occurrences of one element in one document, for many rows: an entry for each row.

    Positions and widths, in words, are arrays of a value for each row, or one value for all. Where
    there is none, an entry is -1; only :meth:`before`, :meth:`after` and :meth:`overlap` take that.
    """

    postings: Postings
    entry: Integers

    def take(self, rows: Integers | Booleans) -> "Places":
        """Return these rows only."""
        return Places(self.postings, self.entry[rows])

    def number(self) -> Integers:
        """Return how many occurrences there are."""
        return self.postings.first[self.entry + 1] - self.postings.first[self.entry]

    def each(self) -> tuple[Integers, Integers, Integers]:
        """Return all occurrences, row by row: of each its row, and its start and end."""
        number = self.number()
        # The first place of a postings' arrays is padding.
        at = ranges(self.postings.first[self.entry] + 1, number)
        row = np.repeat(np.arange(len(number)), number)
        return row, self.postings.start[at] & _POSITION, self.postings.end[at] & _POSITION

    def overlap(self, start: Integers, end: Integers) -> Booleans:
        """Tell where an occurrence shares a word with the span [start, end); it may be absent.

        Of the occurrences that start before the span's end, all but those do that end by its start.
        """
        begun = np.searchsorted(self.postings.start, self._at(end))
        return begun > np.searchsorted(self.postings.end, self._at(start), side="right")

    def least_end(self) -> Integers:
        """Return the position at which the first of the occurrences to end does end."""
        return self.postings.end[self.postings.first[self.entry] + 1] & _POSITION

    def greatest_start(self) -> Integers:
        """Return the position at which the last of the occurrences starts."""
        return self.postings.start[self.postings.first[self.entry + 1]] & _POSITION

    def least_end_from(self, position: Integers) -> Integers:
        """Return the least end at or after `position`; there must be one."""
        end = self.postings.end
        return end[np.searchsorted(end, self._at(position))] & _POSITION

    def greatest_start_to(self, position: Integers) -> Integers:
        """Return the greatest start at or before `position`; there must be one."""
        start = self.postings.start
        return start[np.searchsorted(start, self._at(position), side="right") - 1] & _POSITION

    def within(self, low: Integers, high: Integers) -> Booleans:
        """Tell where an occurrence lies in the positions [low, high)."""
        next_ = np.searchsorted(self.postings.start, self._at(low))
        return self.postings.end[next_] <= self._at(high)

    def before(self, position: Integers, width: Integers | int) -> Booleans:
        """Tell where an occurrence ends at `position` or at most `width` words before it."""
        nearest = np.searchsorted(self.postings.end, self._at(position), side="right") - 1
        return self.postings.end[nearest] >= self._at(position) - width

    def after(self, position: Integers, width: Integers | int) -> Booleans:
        """Tell where an occurrence starts at `position` or at most `width` words after it."""
        nearest = np.searchsorted(self.postings.start, self._at(position))
        return self.postings.start[nearest] <= self._at(position) + width

    def last_start_before(self, position: Integers) -> Integers:
        """Return the greatest start of those that end by `position`; there must be one."""
        nearest = np.searchsorted(self.postings.end, self._at(position), side="right") - 1
        return self.postings.start[nearest] & _POSITION

    def first_end_after(self, position: Integers) -> Integers:
        """Return the least end of those that start from `position` on; there must be one."""
        nearest = np.searchsorted(self.postings.start, self._at(position))
        return self.postings.end[nearest] & _POSITION

    def _at(self, position: Integers | int) -> Integers:
        # Positions may stray below 0 by less than 2^31 and still fall after the entry before.
        return (self.entry << ADDRESS_BITS) + position


def longest(start: Integers, end: Integers) -> Occurrences:
    """Return some spans less those that lie inside another: the occurrences of an element.

    "Obama" inside "Barack Obama" is not a second mention.
    """
    order = np.lexsort((-end, start))
    start, end = start[order], end[order]
    if len(end):
        outside = np.append(True, end[1:] > np.maximum.accumulate(end)[:-1])
        start, end = start[outside], end[outside]
    return Occurrences(start, end)


def distinct(values: Integers) -> Integers:
    """Return the distinct ones of some values, sorted.

    numpy's own way without further results hashes them: half a second for a million, which are
    sorted in 5 ms.
    """
    values = np.sort(values)
    return values[changes(values[np.newaxis])]


def numbered(values: Integers, bound: int) -> tuple[Integers, Integers]:
    """Return the distinct ones of some values from 0 to `bound`, sorted, and the number of each.

    Where the values may be looked up in a table, nothing is sorted.
    """
    if bound > _SPARSE * len(values):
        found, numbers = np.unique(values, return_inverse=True)
        return found, numbers
    there = np.zeros(bound, dtype=bool)
    there[values] = True
    return np.flatnonzero(there), (np.cumsum(there) - 1)[values]


def changes(columns: Integers) -> Booleans:
    """Tell where a column differs from the one before it; the first always does."""
    new = np.ones(columns.shape[1], dtype=bool)
    new[1:] = (columns[:, 1:] != columns[:, :-1]).any(axis=0)
    return new


def ranges(first: Integers, number: Integers) -> Integers:
    """Return the ranges [first, first + number), laid end to end."""
    offset = np.cumsum(number)
    total = int(offset[-1]) if len(offset) else 0
    return np.arange(total) + np.repeat(first - offset + number, number)


def chunks(items: Integers, sizes: Integers) -> Iterator[Integers]:
    """Cut `items` into runs of about two million in size; a larger item is in a run by itself."""
    run = np.cumsum(sizes) // _ROWS
    if len(items):
        yield from np.split(items, np.flatnonzero(np.diff(run)) + 1)


def _padded(addresses: Integers) -> Integers:
    return np.concatenate([[-_BEYOND], addresses, [_BEYOND]])

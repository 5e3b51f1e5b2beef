"""Which occurrences stand near which: one sweep over a block of documents for all facts at once.

A fact asks whether its relation stands within X words of both its entities. Asked fact by fact, the
answer takes longer the more occurrences its documents hold, and long documents hold many. So it is
asked the other way round: around every occurrence of a relation there are few entities, whatever
the length of the document and the number of facts. The sweep finds them all and keeps those
combinations that some fact asks for.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from evaluator.counting.occurrences import (
    ADDRESS_BITS,
    Integers,
    ManyOccurrences,
    chunks,
    distinct,
    ranges,
)

_LOW = (1 << ADDRESS_BITS) - 1
_MIX = np.uint64(0x9E3779B97F4A7C15)  # 2^64 over the golden ratio: spreads codes over the bits


class Line(NamedTuple):
    """The occurrences of many elements in one line, in the order of their starts.

    Attributes
    ----------
    element, start, end
        Of each occurrence the number of its element, and its addresses.
    """

    element: Integers
    start: Integers
    end: Integers

    @classmethod
    def of(cls, found: ManyOccurrences) -> "Line":
        """Lay what a shard found on a line."""
        element, start, end = found
        order = np.argsort(start)
        return cls(element[order], start[order], end[order])


class Codes:
    """Distinct pairs of numbers, each pair one code, and a quick test of what is not among them."""

    def __init__(self, codes: Integers) -> None:
        """Take the sorted, distinct `codes` (:func:`code`)."""
        self._codes = codes
        bits = int(np.clip(len(codes) * 16, 1 << 10, 1 << 27)).bit_length()
        self._shift = np.uint64(64 - bits)
        self._there = np.zeros(1 << bits, dtype=bool)
        self._there[self._slot(codes)] = True

    def __len__(self) -> int:
        return len(self._codes)

    def find(self, codes: Integers) -> tuple[Integers, Integers]:
        """Return which of `codes` are among these, and the number of each."""
        rows = np.flatnonzero(self._there[self._slot(codes)])
        if not len(rows):
            return rows, rows
        number = np.minimum(np.searchsorted(self._codes, codes[rows]), len(self._codes) - 1)
        found = self._codes[number] == codes[rows]
        return rows[found], number[found]

    def _slot(self, codes: Integers) -> Integers:
        # Most combinations that stand near each other are nobody's: a look in a table of bits
        # costs a tenth of a binary search.
        return ((codes.astype(np.uint64) * _MIX) >> self._shift).astype(np.int64)


def code(first: Integers, second: Integers) -> Integers:
    """Return pairs of numbers as one number each."""
    return (first << ADDRESS_BITS) | second


class Near(NamedTuple):
    """For each number of some :class:`Codes` the occurrences at which its two stand near.

    ``key``, sorted and distinct, holds the number and the occurrence; number n has ``number[n]``
    keys, from ``key[first[n]]`` on.
    """

    key: Integers
    first: Integers
    number: Integers

    @classmethod
    def of(cls, keys: Iterable[Integers], numbers: int) -> "Near":
        """Gather what a sweep found: keys in any order, some of them twice."""
        key = distinct(np.concatenate([np.zeros(0, dtype=np.int64), *keys]))
        number = np.bincount(key >> ADDRESS_BITS, minlength=numbers)
        return cls(key, np.cumsum(number) - number, number)

    def common(
        self, mine: Integers, other: "Near", others: Integers
    ) -> Iterator[tuple[Integers, Integers]]:
        """Yield the occurrences that two numbers have in common: arrays of (row, occurrence).

        Parameters
        ----------
        mine, other, others
            Row i asks for what number ``mine[i]`` here and ``others[i]`` of `other` share. Rows
            come in order, and the occurrences of a row ascend.
        """
        rows = np.flatnonzero((self.number > 0)[mine] & (other.number > 0)[others])
        sizes = np.minimum(self.number[mine[rows]], other.number[others[rows]])
        for some in chunks(rows, sizes):
            swap = self.number[mine[some]] > other.number[others[some]]
            for near, numbers, far, far_numbers, those in (
                (self, mine, other, others, some[~swap]),
                (other, others, self, mine, some[swap]),
            ):
                first, number = near.first[numbers[those]], near.number[numbers[those]]
                occurrence = near.key[ranges(first, number)] & _LOW
                row = np.repeat(those, number)
                wanted = code(far_numbers[row], occurrence)
                at = np.minimum(np.searchsorted(far.key, wanted), max(0, len(far.key) - 1))
                found = far.key[at] == wanted
                yield row[found], occurrence[found]


def sweep(around: Line, others: Line, codes: Codes, *, x: int) -> tuple[Integers, Integers]:
    """Find the occurrences of `others` at most `x` words from those of `around`.

    Parameters
    ----------
    around
        Occurrences of relations; the result numbers them by their order here.
    others
        Occurrences of entities.
    codes
        The pairs (entity, relation) that are asked for.
    x
        Words between the two, counted from the end of the one to the start of the other.

    Returns
    -------
    before, after
        Where the entity ends before the relation starts, and where it starts after its end: codes
        of the number of a pair and the occurrence of its relation, not sorted and not distinct.
    """
    by_end = np.argsort(others.end, kind="stable")  # nearly in order
    before, after = (
        np.concatenate(
            [
                np.zeros(0, dtype=np.int64),
                *(
                    code(numbers, row[found])
                    for row, at in _between(keys, low, high)
                    for found, numbers in (codes.find(code(element[at], around.element[row])),)
                ),
            ]
        )
        for element, keys, low, high in (
            (others.element[by_end], others.end[by_end], around.start - x, around.start),
            (others.element, others.start, around.end, around.end + x),
        )
    )
    return before, after


def near_pairs(line: Line, codes: Codes, *, width: int) -> Iterator[tuple[Integers, Integers]]:
    """Yield the documents in which two elements stand at most `width` words apart.

    Parameters
    ----------
    line
        The occurrences.
    codes
        The pairs that are asked for, the lesser number first.
    width
        Words between the two, in either order.

    Yields
    ------
    number, document
        Of a pair, and of a document in which its two stand near; not distinct.
    """
    for row, at in _between(line.start, line.end, line.end + width):
        one, other = line.element[row], line.element[at]
        found, numbers = codes.find(code(np.minimum(one, other), np.maximum(one, other)))
        yield numbers, line.start[at[found]] >> ADDRESS_BITS


def _between(keys: Integers, low: Integers, high: Integers) -> Iterator[tuple[Integers, Integers]]:
    """Yield for each row the places of the sorted `keys` between its bounds, both inclusive.

    The first place of every row comes first, then the second of those that have one, and so on:
    most rows have none.
    """
    at = np.searchsorted(keys, low)
    row = np.arange(len(low))
    while len(row):
        inside = at < len(keys)
        inside[inside] = keys[at[inside]] <= high[row[inside]]
        row, at = row[inside], at[inside]
        yield row, at
        at = at + 1

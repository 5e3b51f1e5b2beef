"""Least distances between many words at once.

Two words meet at places, and the distance between them is the least, over the places where both
are, of what separates them there. One place after the other is settled for all the words that are
there: an outer sum in numpy instead of a look at every pair of words.
"""

from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

type Meeting[Place: Hashable] = tuple[Place, float]
"""A place where a word can meet others, and how much information the word has there."""

# Cells of the table that are worked at together, which bounds the memory besides the table.
_BLOCK_CELLS = 1 << 22

# A place that one in so many words has is settled for all words: faster than picking them.
_DENSE = 4


def least_distances[Place: Hashable](
    words1: Sequence[Sequence[Meeting[Place]]],
    words2: Sequence[Sequence[Meeting[Place]]],
    shared: Callable[[Place], float],
) -> NDArray[np.float64]:
    """Return the least distance between each of `words1` and each of `words2`.

    At a place, information c1 and c2 is c1 + c2 - 2 c apart, in this order of operations, where c
    is what `shared` says of the place; never less than 0.

    Returns
    -------
    numpy.ndarray
        Shape ``(len(words1), len(words2))``; infinite where words meet nowhere.
    """
    table = np.full((len(words1), len(words2)), np.inf)
    numbers: dict[Place, int] = {}
    side2 = _Side(words2, numbers)
    size = max(1, _BLOCK_CELLS // max(1, len(words2)))
    for start in range(0, len(words1), size):
        block = table[start : start + size]
        side1 = _Side(words1[start : start + size], numbers)
        places = list(numbers)
        for number, (rows, content1), (columns, content2) in side1.meet(side2):
            everywhere = len(columns) * _DENSE > len(words2)
            if everywhere:  # whole rows: no columns to pick
                content2 = _scattered(columns, content2, len(words2))
            apart = np.add.outer(content1, content2)
            apart -= 2 * shared(places[number])
            cells = rows if everywhere else np.ix_(rows, columns)
            block[cells] = np.minimum(block[cells], apart, out=apart)
    np.maximum(table, 0.0, out=table)
    return table


def _scattered(
    columns: NDArray[np.int64], content: NDArray[np.float64], width: int
) -> NDArray[np.float64]:
    """Return a row with `content` in `columns` and infinity elsewhere."""
    row = np.full(width, np.inf)
    row[columns] = content
    return row


class _Side:
    """The words of one side of a table, by place."""

    def __init__(self, words: Sequence[Sequence[Meeting[Any]]], numbers: dict[Any, int]) -> None:
        """Sort the meetings by place; places that `numbers` lacks get a number there."""
        place = np.array(
            [numbers.setdefault(place, len(numbers)) for word in words for place, _ in word],
            dtype=np.int64,
        )
        content = np.array([content for word in words for _, content in word])
        number = np.repeat(np.arange(len(words)), [len(word) for word in words])
        order = np.argsort(place, kind="stable")
        self.places, starts = np.unique(place[order], return_index=True)
        self._bounds = np.append(starts, len(place))
        self._words, self._content = number[order], content[order]

    def meet(self, other: "_Side") -> Iterator[tuple[int, Any, Any]]:
        """Yield each place that both sides have, with the words there of either side."""
        common, here, there = np.intersect1d(
            self.places, other.places, assume_unique=True, return_indices=True
        )
        for place, one, two in zip(common.tolist(), here.tolist(), there.tolist(), strict=True):
            yield place, self._at(one), other._at(two)

    def _at(self, place: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        first, last = self._bounds[place : place + 2]
        return self._words[first:last], self._content[first:last]

"""Which gold tuple an extraction is matched with: one to one, and never the best of all ways.

Scorers are greedy. Those of overlaps (CaRB, WiRe57) take pair by pair, the best first; those that
only say yes or no (OIE2016, ORE) go through the gold tuples and take the first extraction that is
free.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Protocol


class Indexed(Protocol):
    """A pair, by the indexes of its gold tuple and its extraction within the sentence."""

    @property
    def gold(self) -> int:
        """Index of the gold tuple."""

    @property
    def said(self) -> int:
        """Index of the extraction."""


def greedy[Pair: Indexed](pairs: Iterable[Pair]) -> Iterator[Pair]:
    """Yield one of `pairs` after the other whose gold tuple and extraction are both free."""
    tuples: set[int] = set()
    extractions: set[int] = set()
    for pair in pairs:
        if pair.gold not in tuples and pair.said not in extractions:
            tuples.add(pair.gold)
            extractions.add(pair.said)
            yield pair


def first_free[Wanted, Said](
    wanted: Sequence[Wanted],
    said: Sequence[Said],
    agree: Callable[[Wanted, Said], bool],
    *,
    many: bool = False,
) -> Iterator[tuple[int, int]]:
    """Yield the indexes of gold tuples that are matched, and of the extraction that each takes.

    Parameters
    ----------
    wanted, said
        Gold tuples and extractions of a sentence, both in file order.
    agree
        Tells whether the two match.
    many
        Whether an extraction stays free for further gold tuples.
    """
    free = list(range(len(said)))
    for number, view in enumerate(wanted):
        for mine in free:
            if agree(view, said[mine]):
                yield number, mine
                if not many:
                    free.remove(mine)
                break

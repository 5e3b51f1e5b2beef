"""Bags of words whose overlap is one set operation.

Scorers that compare tuples word by word need the size of a multiset intersection for every pair of
a sentence. Numbering the repetitions of a word turns the multiset into a set of the same size, and
the intersection of two such sets is as large as that of the multisets.
"""

from collections.abc import Iterable

type Bag = frozenset[str | tuple[str, int]]


def bag(words: Iterable[str]) -> Bag:
    """Return the multiset of `words`: ``len(bag(a) & bag(b))`` is the size of the intersection.

    "a b a" gives {"a", "b", ("a", 2)}.
    """
    words = list(words)
    distinct = frozenset(words)
    if len(distinct) == len(words):
        return distinct
    seen: dict[str, int] = {}
    for word in words:
        seen[word] = seen.get(word, 0) + 1
    repeated = {(word, k) for word, count in seen.items() for k in range(2, count + 1)}
    return distinct | repeated

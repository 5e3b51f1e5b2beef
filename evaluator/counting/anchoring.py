"""ANCHORED counts of very many facts: the few documents about each e1, joined with r and e2.

Few documents are about any entity, so the work is done for each of them and each fact of its topic;
no occurrence of e1 is asked for, except where it may overlap one of r or e2.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from evaluator.counting.occurrences import (
    ADDRESS_BITS,
    Booleans,
    Integers,
    ManyOccurrences,
    Places,
    Postings,
    chunks,
    ranges,
)
from evaluator.counting.windows import code

_LOW = (1 << ADDRESS_BITS) - 1


class Anchoring:
    """The documents about e1 in which facts stand, counted block by block.

    Parameters
    ----------
    e1, r, e2
        Numbers of the elements of each fact; `r` is -1 where there is none.
    touching, inside
        Which facts have entities that may overlap, and a relation that may overlap with either.
    about
        Of each entity the documents that are about it; may be empty for one that is no e1.
    reach, ordered
        As for :func:`evaluator.counting.bulk.count_shards`.
    """

    def __init__(
        self,
        e1: Integers,
        r: Integers,
        e2: Integers,
        *,
        touching: Booleans,
        inside: Booleans,
        about: Sequence[Integers],
        reach: int,
        ordered: bool,
    ) -> None:
        self._reach, self._ordered, self._facts_in_all = reach, ordered, len(r)
        sizes = np.array([len(documents) for documents in about], dtype=np.int64)
        # Few entities have a document about them, and only facts of these are asked about.
        self._asked = np.flatnonzero(sizes[e1])
        e1, r, e2 = (column[self._asked] for column in (e1, r, e2))
        self._r, self._inside, touching = r, inside[self._asked], touching[self._asked]
        pairs, self._pair = np.unique(code(e1, e2), return_inverse=True)
        self._e1, self._e2 = pairs >> ADDRESS_BITS, pairs & _LOW
        self._touching = np.zeros(len(pairs), dtype=bool)
        self._touching[self._pair] = touching
        # A visit is a document about an entity; its pairs are those of which that entity is e1.
        topic = np.repeat(np.arange(len(about)), sizes)
        document = np.concatenate([np.zeros(0, dtype=np.int64), *about])
        order = np.argsort(document)
        self._document = document[order]
        self._pairs_of = _Groups(self._e1, topic[order])
        facts = np.flatnonzero(r >= 0)
        self._facts = facts[np.argsort(self._pair[facts])]
        self._facts_of = _Groups(self._pair[self._facts], np.arange(len(pairs)))
        self._topic = np.zeros(len(pairs), dtype=np.int64)
        self._anchored = np.zeros(len(r), dtype=np.int64)

    def add(self, entities: Postings, relations: Postings, first: int, last: int) -> None:
        """Count the documents `first` to `last`, whose occurrences these are."""
        low, high = np.searchsorted(self._document, [first, last + 1])
        for visit, pair in self._pairs_of.members(np.arange(low, high)):
            document = self._document[low + visit]
            seconds = Places(entities, entities.entry(self._e2[pair], document))
            there = np.flatnonzero(seconds.entry >= 0)
            pair, document, seconds = pair[there], document[there], seconds.take(there)
            firsts = Places(entities, entities.entry(self._e1[pair], document))
            free = np.ones(len(pair), dtype=bool)
            doubt = np.flatnonzero(self._touching[pair])
            free[doubt] = False
            for some in chunks(doubt, seconds.number()[doubt]):
                row, _, _ = _free(seconds.take(some), firsts.take(some))
                free[some[row]] = True
            self._topic += np.bincount(pair[free], minlength=len(self._topic))
            rows = np.flatnonzero(free)
            for place, at in self._facts_of.members(pair[rows]):
                row, fact = rows[place], self._facts[at]
                entry = relations.entry(self._r[fact], document[row])
                there = np.flatnonzero(entry >= 0)
                row, fact = row[there], fact[there]
                near = self._within_reach(
                    fact,
                    firsts.take(row),
                    Places(relations, entry[there]),
                    seconds.take(row),
                    touching=self._touching[pair[row]],
                )
                self._anchored += np.bincount(fact[near], minlength=len(self._anchored))

    def hits(self) -> Integers:
        """Return the counts of each fact, shape (facts, 2): topic and ANCHORED."""
        hits = np.zeros((self._facts_in_all, 2), dtype=np.int64)
        hits[self._asked] = np.stack([self._topic[self._pair], self._anchored], axis=1)
        return hits

    def _within_reach(
        self, fact: Integers, e1: Places, r: Places, e2: Places, *, touching: Booleans
    ) -> Booleans:
        """Tell in which rows r stands within reach of e2, both clear of e1 and of each other."""
        found = np.zeros(len(fact), dtype=bool)
        for some in chunks(np.arange(len(fact)), r.number() + e2.number()):
            others = e1.take(some)
            row, start, end = _free(e2.take(some), others, doubt=touching[some])
            spans = Postings.of(
                ManyOccurrences(np.zeros_like(row), code(row, start), code(row, end))
            )
            row, start, end = _free(r.take(some), others, doubt=self._inside[fact[some]])
            seconds = Places(spans, spans.entry(np.zeros_like(row), row))
            near = seconds.after(end, self._reach)
            if not self._ordered:
                near |= seconds.before(start, self._reach)
            found[some[row[near]]] = True
        return found


class _Groups:
    """Items in groups: those of one key, where items are sorted by their keys."""

    def __init__(self, keys: Integers, groups: Integers) -> None:
        """Take the key of each item, and that of each group."""
        self._first = np.searchsorted(keys, groups)
        self._number = np.searchsorted(keys, groups, side="right") - self._first

    def members(self, groups: Integers) -> Iterator[tuple[Integers, Integers]]:
        """Yield (place in `groups`, item) for all items of these groups, many at a time."""
        number = self._number[groups]
        for some in chunks(np.arange(len(groups)), number):
            yield np.repeat(some, number[some]), ranges(self._first[groups[some]], number[some])


def _free(
    places: Places, others: Places, *, doubt: Booleans | None = None
) -> tuple[Integers, Integers, Integers]:
    """Return the occurrences that overlap none of the others: of each its row, start and end.

    Only rows in `doubt` are looked into.
    """
    row, start, end = places.each()
    free = np.ones(len(row), dtype=bool)
    asked = np.arange(len(row)) if doubt is None else np.flatnonzero(doubt[row])
    free[asked] = ~others.take(row[asked]).overlap(start[asked], end[asked])
    return row[free], start[free], end[free]

"""Counting very many facts: each distinct element is looked up once, then all facts are joined.

The numbers are those of :mod:`evaluator.counting.definition`. What they cost depends on the text
and on the elements, hardly on the number of facts:

* the documents of each element are a compressed bitmap; *pair* and *CLASSIC* are sizes of
  intersections of bitmaps. Occurrences of two elements that share words may overlap ("Obama",
  "Michelle Obama"): the documents of such elements are looked into, occurrence by occurrence;
* *PROXIMITY* comes from one sweep over the occurrences of all relations
  (:func:`evaluator.counting.windows.sweep`): a fact holds where both its entities stand near the
  same one;
* *ANCHORED* comes from the few documents about each e1 (:mod:`evaluator.counting.anchoring`).

Text comes in blocks of documents, so that positions never need more memory than a block has.
"""

from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from itertools import permutations
from typing import NamedTuple, Protocol
from zlib import crc32

import numpy as np
from numpy.typing import NDArray
from pyroaring import BitMap

from evaluator.counting.anchoring import Anchoring
from evaluator.counting.definition import (
    REACH,
    Context,
    Counts,
    Denominator,
    Element,
    FactElements,
    check_options,
    may_overlap,
    pair_width,
    phrases,
)
from evaluator.counting.fact_table import FactTable
from evaluator.counting.occurrences import (
    ADDRESS_BITS,
    Booleans,
    Integers,
    ManyOccurrences,
    Places,
    Postings,
    changes,
    distinct,
    numbered,
)
from evaluator.counting.windows import Codes, Line, Near, code, near_pairs, sweep

MEMORY = 1 << 30
"""Bytes that counting may take for the positions of a block of documents, unless told."""

_FIRST_BLOCK = 1 << 22  # tokens, before it is known how many positions a token brings
_GROWTH = 4  # times a block may be larger than the one before
_BYTES_PER_OCCURRENCE = 150  # in all the arrays that a block lays it in
_BYTES_PER_KEY = 40
_BYTES_PER_TOKEN = 8  # of the positions that are read to find names
_ROWS = 1 << 21  # rows of a fact and a document joined at a time
_KEYS = 1 << 22  # documents of elements that are held before they go into bitmaps
_BITMAPS = 1 << 17  # facts whose pairs' documents are held at a time


class Shard(Protocol):
    """A part of a collection that can be asked where elements stand."""

    @property
    def documents(self) -> int:
        """Number of its documents, which are numbered from 0."""
        ...

    @property
    def tokens(self) -> int:
        """Number of its tokens."""
        ...

    def find(self, elements: Sequence[Element], first: int, last: int) -> ManyOccurrences:
        """Return the occurrences of each element in the documents `first` to `last`, inclusive."""
        ...

    def about(self, elements: Sequence[Element]) -> Sequence[Integers]:
        """Return the documents about each element, sorted (:mod:`evaluator.counting.topics`)."""
        ...


def count_facts(
    facts: Iterable[FactElements],
    shards: Iterable[Shard],
    *,
    x: int,
    reach: int = REACH,
    ordered: bool = False,
    denominator: Denominator = "and",
    memory: int = MEMORY,
) -> list[Counts]:
    """Count many facts over a collection.

    Parameters
    ----------
    facts
        The elements e1, r, e2 of each fact.
    shards
        The shards of the collection.
    x
        The X of NEAR:X, in words.
    reach
        Most words between r and e2 for ANCHORED, and between e1 and e2 in the context.
    ordered
        PROXIMITY asks for e1 before r before e2, ANCHORED for r before e2.
    denominator
        "and": the pair anywhere in the document; "near": at most
        :func:`evaluator.counting.definition.pair_width` words between the two, in either order.
    memory
        Bytes that the positions of a block of documents may take. What the facts and the
        documents of each element take comes on top, and grows with them.

    Returns
    -------
    list of Counts
        One for each fact, in the order given.

    Raises
    ------
    ConfigurationError
        For an `x`, a `reach` or a `denominator` that is out of range.
    """
    check_options(x=x, reach=reach, denominator=denominator)
    table = FactTable.of(facts)
    return table.counts(
        count_shards(
            table,
            shards,
            x=x,
            reach=reach,
            ordered=ordered,
            denominator=denominator,
            memory=memory,
        )
    )


def count_shards(
    table: FactTable,
    shards: Iterable[Shard],
    *,
    x: int,
    reach: int = REACH,
    ordered: bool = False,
    denominator: Denominator = "and",
    context: bool = False,
    memory: int = MEMORY,
) -> Integers:
    """Count the facts of a table in some shards of a collection.

    Parameters
    ----------
    table
        The facts.
    shards
        The shards.
    x, reach, ordered, denominator, memory
        As for :func:`count_facts`.
    context
        Count the context of facts, too.

    Returns
    -------
    Array of shape (facts, 5), with the context (facts, 11)
        Columns as in :class:`evaluator.counting.definition.Counts`, then those of
        :class:`evaluator.counting.definition.Context`; 0 where the count is not defined. The counts
        of all shards add up to those of the collection.
    """
    plan = _Plan.of(table)
    hits = np.zeros((len(table), columns(context=context)), dtype=np.int64)
    counted = np.zeros((len(plan.rows), columns(context=context)), dtype=np.int64)
    for shard in shards if len(plan.rows) else ():
        counting = _Counting(
            plan, shard, x=x, reach=reach, ordered=ordered, denominator=denominator, context=context
        )
        counting.add_all(memory)
        counted += counting.hits()
    hits[plan.rows] = counted
    return hits


def columns(*, context: bool = False) -> int:
    """Return how many counts a fact has."""
    return len(Counts._fields) + (len(Context._fields) if context else 0)


# --- What is asked for ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Plan:
    """A table's facts with two entities, and what they have in common.

    Attributes
    ----------
    table, rows
        The table, and which of its rows these facts are.
    e1, r, e2
        Their elements; `r` is that of facts with one, else -1.
    pair
        The pair of each fact, among the distinct ones.
    lesser, greater
        The two entities of each pair; the order of a pair's entities counts for no document.
    touching
        Which pairs have entities that may overlap.
    triples
        Which facts have a relation.
    codes, near1, near2
        Their pairs of an entity and the relation, and the number among these of each one's e1 and
        e2.
    inside
        Which facts have a relation that may overlap with an entity.
    """

    table: FactTable
    rows: Integers
    e1: Integers
    r: Integers
    e2: Integers
    pair: Integers
    lesser: Integers
    greater: Integers
    touching: Booleans
    triples: Integers
    codes: Codes
    near1: Integers
    near2: Integers
    inside: Booleans

    @classmethod
    def of(cls, table: FactTable) -> "_Plan":
        rows = np.flatnonzero(table.defined[:, 0])
        e1, r, e2 = table.e1[rows], table.r[rows], table.e2[rows]
        pairs, pair = np.unique(code(np.minimum(e1, e2), np.maximum(e1, e2)), return_inverse=True)
        lesser, greater = pairs >> ADDRESS_BITS, pairs & ((1 << ADDRESS_BITS) - 1)
        entities, relations = _Marks.of(table.entities), _Marks.of(table.relations)
        triples = np.flatnonzero(r >= 0)
        of_relation = len(table.relations)
        near = [entity[triples] * of_relation + r[triples] for entity in (e1, e2)]
        asked, numbers = numbered(np.concatenate(near), len(table.entities) * of_relation)
        near1, near2 = np.split(numbers, 2)
        entity, relation = asked // of_relation, asked % of_relation
        touching = _touching(entities, entity, relations, relation)
        inside = np.zeros(len(rows), dtype=bool)
        inside[triples] = touching[near1] | touching[near2]
        return cls(
            table=table,
            rows=rows,
            e1=e1,
            r=r,
            e2=e2,
            pair=pair,
            lesser=lesser,
            greater=greater,
            touching=_touching(entities, lesser, entities, greater),
            triples=triples,
            codes=Codes(code(entity, relation)),
            near1=near1,
            near2=near2,
            inside=inside,
        )


class _Marks(NamedTuple):
    """Elements, with a bit for each word of each of them.

    Two that share a word share a bit. Millions of pairs are told apart by 512 bits each, most of
    them for good.

    Attributes
    ----------
    elements
        The elements.
    words, begins, ends
        Of all words, and of the first and the last of each alternative: arrays of shape
        (8, elements).
    """

    elements: Sequence[Element]
    words: NDArray[np.uint64]
    begins: NDArray[np.uint64]
    ends: NDArray[np.uint64]

    @classmethod
    def of(cls, elements: Sequence[Element]) -> "_Marks":
        names = [phrases(element) for element in elements]
        words = _marked([{w for name in of for w in name} for of in names])
        begins, ends = (_marked([{name[at] for name in of} for of in names]) for at in (0, -1))
        return cls(elements, words, begins, ends)


def _marked(words: Sequence[Set[str]]) -> NDArray[np.uint64]:
    """Return the bits of the words of each element."""
    bit_of = {word: crc32(word.encode()) % 512 for word in set().union(*words)}
    bits = np.array([bit_of[word] for of in words for word in of], dtype=np.uint64)
    numbers = np.repeat(np.arange(len(words)), [len(of) for of in words])
    marks = np.zeros((8, len(words)), dtype=np.uint64)
    np.bitwise_or.at(marks, (bits // np.uint64(64), numbers), np.uint64(1) << bits % np.uint64(64))
    return marks


def _touching(mine: _Marks, first: Integers, theirs: _Marks, second: Integers) -> Booleans:
    """Tell which of the pairs of elements, given by their numbers, may overlap."""
    # Of two spans that overlap, one begins inside the other: with a word of the other's. It ends
    # there too, with another such word, or goes beyond, and then the other's last word is in it.
    share = np.zeros(len(first), dtype=bool)
    for outer, at, inner, here in ((mine, first, theirs, second), (theirs, second, mine, first)):
        rows = _meeting(outer.words, at, inner.begins, here)
        within = _meeting(outer.words, at[rows], inner.ends, here[rows])
        beyond = _meeting(outer.ends, at[rows], inner.words, here[rows])
        share[rows[within]] = share[rows[beyond]] = True
    rows = np.flatnonzero(share)
    share[rows] = [
        may_overlap(mine.elements[a], theirs.elements[b])
        for a, b in zip(first[rows].tolist(), second[rows].tolist(), strict=True)
    ]
    return share


def _meeting(
    marks: NDArray[np.uint64], first: Integers, others: NDArray[np.uint64], second: Integers
) -> Integers:
    """Return the rows of the pairs of elements that share a bit."""
    share = np.zeros(len(first), dtype=bool)
    for column, other_column in zip(marks, others, strict=True):
        share |= (column[first] & other_column[second]) != 0
    return np.flatnonzero(share)


# --- Counting a shard -------------------------------------------------------------------------


class _Counting:
    """The counts of a shard under way, block by block."""

    def __init__(
        self,
        plan: _Plan,
        shard: Shard,
        *,
        x: int,
        reach: int,
        ordered: bool,
        denominator: Denominator,
        context: bool,
    ) -> None:
        self.plan, self._shard = plan, shard
        self._x, self._reach, self._ordered = x, reach, ordered
        self._denominator, self._context = denominator, context
        table = plan.table
        self._entities = _Documents(len(table.entities))
        self._relations = _Documents(len(table.relations))
        pairs, inside = np.flatnonzero(plan.touching), np.flatnonzero(plan.inside)
        self._doubtful = distinct(
            np.concatenate(
                [plan.lesser[pairs], plan.greater[pairs], plan.e1[inside], plan.e2[inside]]
            )
        )  # entities that are compared document by document
        self._touching = {pair: BitMap() for pair in pairs.tolist()}
        self._near_pairs = np.zeros(len(plan.rows), dtype=np.int64)
        self._beside = np.zeros(len(plan.lesser), dtype=np.int64)
        self._inside = np.zeros(len(plan.rows), dtype=np.int64)
        self._proximity = np.zeros(len(plan.rows), dtype=np.int64)
        self._near = np.zeros(len(plan.codes), dtype=np.int64)

        subjects = distinct(plan.e1).tolist()
        about = [np.zeros(0, dtype=np.int64)] * len(table.entities)
        found = shard.about([table.entities[number] for number in subjects])
        for number, documents in zip(subjects, found, strict=True):
            about[number] = documents
        self._about = np.array([len(documents) for documents in about], dtype=np.int64)
        self._anchoring = Anchoring(
            plan.e1,
            plan.r,
            plan.e2,
            touching=plan.touching[plan.pair],
            inside=plan.inside,
            about=about,
            reach=reach,
            ordered=ordered,
        )

    def add_all(self, memory: int) -> None:
        """Count the documents of the shard, in blocks that take about so much memory."""
        shard = self._shard
        length = shard.tokens // max(1, shard.documents) + 1
        first, size = 0, max(1, min(_FIRST_BLOCK, memory // _BYTES_PER_OCCURRENCE) // length)
        while first < shard.documents:
            last = min(first + size, shard.documents) - 1
            taken = self._add(first, last) + (last - first + 1) * length * _BYTES_PER_TOKEN
            size = max(1, min(_GROWTH * size, memory * size // taken))
            first = last + 1

    def _add(self, first: int, last: int) -> int:
        """Count the documents of a block; return about how many bytes that took."""
        plan, shard = self.plan, self._shard
        found = shard.find(plan.table.entities, first, last)
        entities, line = Postings.of(found), Line.of(found)
        found = shard.find(plan.table.relations, first, last)
        relations, relation_line = Postings.of(found), Line.of(found)
        del found
        self._entities.add(entities.key)
        self._relations.add(relations.key)
        documents = _documents(entities.key, self._doubtful)
        self._add_touching(entities, documents)
        self._add_inside(entities, documents, relations)
        keys = self._add_proximity(entities, line, relation_line)
        if self._denominator == "near":
            self._add_near_pairs(line)
        if self._context:
            self._beside += self._pairs_within(line, np.arange(len(plan.lesser)), self._reach)
        self._anchoring.add(entities, relations, first, last)
        occurrences = len(line.start) + len(relation_line.start)
        return occurrences * _BYTES_PER_OCCURRENCE + keys * _BYTES_PER_KEY

    def hits(self) -> Integers:
        """Return the counts of the facts of the plan, columns as for :func:`count_shards`."""
        plan = self.plan
        entities, relations = self._entities.bitmaps(), self._relations.bitmaps()
        there = self._entities.sizes() > 0
        held = np.flatnonzero(there[plan.lesser] & there[plan.greater])
        pairs = np.zeros(len(plan.lesser), dtype=np.int64)
        pairs[held] = _common(entities, plan.lesser[held], entities, plan.greater[held])
        for pair, documents in self._touching.items():
            pairs[pair] = len(documents)
        classic = self._inside.copy()
        facts = np.flatnonzero((plan.r >= 0) & ~plan.inside & (pairs[plan.pair] > 0))
        facts = facts[np.argsort(plan.pair[facts])]
        for some in np.split(facts, np.arange(_BITMAPS, len(facts), _BITMAPS)):
            asked, number = numbered(plan.pair[some], len(pairs))
            both = list(
                map(
                    BitMap.__and__,
                    map(entities.__getitem__, plan.lesser[asked].tolist()),
                    map(entities.__getitem__, plan.greater[asked].tolist()),
                )
            )
            for place in np.flatnonzero(plan.touching[asked]).tolist():
                both[place] = self._touching[int(asked[place])]
            classic[some] = _common(both, number, relations, plan.r[some])
        pair_hits = self._near_pairs if self._denominator == "near" else pairs[plan.pair]
        counts = [pair_hits, classic, self._proximity, *self._anchoring.hits().T]
        return np.stack([*counts, *(self._context_hits() if self._context else ())], axis=1)

    def _context_hits(self) -> Iterator[Integers]:
        """Yield the columns of the context."""
        plan = self.plan
        sizes = self._entities.sizes()
        yield from (sizes[plan.e1], sizes[plan.e2], self._about[plan.e1])
        for numbers in (plan.near1, plan.near2):
            near = np.zeros(len(plan.rows), dtype=np.int64)
            near[plan.triples] = self._near[numbers]
            yield near
        yield self._beside[plan.pair]

    def _add_touching(self, entities: Postings, documents: dict[int, BitMap]) -> None:
        """Find the documents of pairs that may overlap: those with occurrences that do not."""
        plan = self.plan
        pairs = np.flatnonzero(plan.touching)
        asked = zip(
            pairs.tolist(), plan.lesser[pairs].tolist(), plan.greater[pairs].tolist(), strict=True
        )
        for pair, document in _rows(
            (pair, documents[lesser] & documents[greater])
            for pair, lesser, greater in asked
            if lesser in documents and greater in documents
        ):
            a = Places(entities, entities.entry(plan.lesser[pair], document))
            b = Places(entities, entities.entry(plan.greater[pair], document))
            apart = (a.least_end() <= b.greatest_start()) | (b.least_end() <= a.greatest_start())
            pair, document = pair[apart], document[apart]
            starts = np.flatnonzero(changes(pair[np.newaxis]))
            for number, those in zip(
                pair[starts].tolist(), np.split(document, starts)[1:], strict=True
            ):
                self._touching[number] |= BitMap(those.astype(np.uint32))

    def _add_inside(
        self, entities: Postings, documents: dict[int, BitMap], relations: Postings
    ) -> None:
        """Count CLASSIC of facts whose relation may overlap with an entity."""
        plan = self.plan
        facts = np.flatnonzero(plan.inside)
        of_relations = _documents(relations.key, distinct(plan.r[facts]))
        columns = (column[facts].tolist() for column in (plan.e1, plan.r, plan.e2))
        for fact, document in _rows(
            (fact, documents[e1] & documents[e2] & of_relations[r])
            for fact, e1, r, e2 in zip(facts.tolist(), *columns, strict=True)
            if e1 in documents and e2 in documents and r in of_relations
        ):
            apart = _apart(
                Places(entities, entities.entry(plan.e1[fact], document)),
                Places(relations, relations.entry(plan.r[fact], document)),
                Places(entities, entities.entry(plan.e2[fact], document)),
            )
            self._inside += np.bincount(fact[apart], minlength=len(plan.rows))

    def _add_proximity(self, entities: Postings, line: Line, relations: Line) -> int:
        """Count the documents in which a relation stands near both entities.

        Returns the number of places where one stands near either.
        """
        plan = self.plan
        before, after = sweep(relations, line, plan.codes, x=self._x)
        either = Near.of([before, after], len(plan.codes))
        if self._context:
            number, occurrence = either.key >> ADDRESS_BITS, either.key & ((1 << ADDRESS_BITS) - 1)
            new = changes(np.stack([number, relations.start[occurrence] >> ADDRESS_BITS]))
            self._near += np.bincount(number[new], minlength=len(plan.codes))
        first = second = either
        if self._ordered:
            first, second = (Near.of([keys], len(plan.codes)) for keys in (before, after))
        for row, occurrence in first.common(plan.near1, second, plan.near2):
            fact = plan.triples[row]
            if not self._ordered:  # in order, the relation stands between the two
                doubt = np.flatnonzero(plan.touching[plan.pair[fact]])
                start = relations.start[occurrence[doubt]]
                document = start >> ADDRESS_BITS
                base = document << ADDRESS_BITS
                near = _near(
                    Places(entities, entities.entry(plan.e1[fact[doubt]], document)),
                    Places(entities, entities.entry(plan.e2[fact[doubt]], document)),
                    start - base,
                    relations.end[occurrence[doubt]] - base,
                    x=self._x,
                )
                sure = np.ones(len(fact), dtype=bool)
                sure[doubt] = near
                fact, occurrence = fact[sure], occurrence[sure]
            document = relations.start[occurrence] >> ADDRESS_BITS
            new = changes(np.stack([fact, document]))
            self._proximity += np.bincount(fact[new], minlength=len(plan.rows))
        return len(before) + len(after)

    def _add_near_pairs(self, line: Line) -> None:
        """Count the documents in which the entities of facts stand near each other."""
        plan = self.plan
        widths = [pair_width(element, self._x) for element in plan.table.relations]
        width = np.array([*widths, pair_width((), self._x)], dtype=np.int64)[plan.r]
        for some in distinct(width).tolist():
            facts = np.flatnonzero(width == some)
            pairs, pair = np.unique(plan.pair[facts], return_inverse=True)
            self._near_pairs[facts] += self._pairs_within(line, pairs, some)[pair]

    def _pairs_within(self, line: Line, pairs: Integers, width: int) -> Integers:
        """Return of each of some pairs in how many documents its two are within `width` words."""
        codes = Codes(code(self.plan.lesser[pairs], self.plan.greater[pairs]))
        none = np.zeros(0, dtype=np.int64)
        found = [distinct(code(*rows)) for rows in near_pairs(line, codes, width=width)]
        every = distinct(np.concatenate([none, *found]))
        return np.bincount(every >> ADDRESS_BITS, minlength=len(pairs))


class _Documents:
    """The documents of each of some elements, gathered block by block."""

    def __init__(self, elements: int) -> None:
        self._bitmaps = [BitMap() for _ in range(elements)]
        self._keys: list[Integers] = []

    def add(self, key: Integers) -> None:
        """Take the keys of a block's postings."""
        self._keys.append(key)
        if sum(map(len, self._keys)) >= _KEYS:
            self.bitmaps()

    def bitmaps(self) -> Sequence[BitMap]:
        """Return the documents of each element."""
        key = np.sort(np.concatenate([np.zeros(0, dtype=np.int64), *self._keys]))
        self._keys.clear()
        for number, documents in _documents(key, np.arange(len(self._bitmaps))).items():
            self._bitmaps[number] |= documents
        return self._bitmaps

    def sizes(self) -> Integers:
        """Return how many documents each element has."""
        return np.array([len(documents) for documents in self.bitmaps()], dtype=np.int64)


def _documents(key: Integers, elements: Integers) -> dict[int, BitMap]:
    """Return the documents of those of some elements that have any, by the keys of postings."""
    first = np.searchsorted(key, elements << ADDRESS_BITS)
    last = np.searchsorted(key, (elements + 1) << ADDRESS_BITS)
    # Bitmaps take a view of memory in half the time that an array takes.
    documents, there = memoryview(key.astype(np.uint32)), last > first
    rows = np.stack([elements, first, last], axis=1)[there].tolist()
    return {number: BitMap(documents[begin:end]) for number, begin, end in rows}


def _common(
    mine: Sequence[BitMap], first: Integers, others: Sequence[BitMap], second: Integers
) -> Integers:
    """Return how many documents the sets of each pair, given by their numbers, have in common."""
    return np.fromiter(
        map(
            BitMap.intersection_cardinality,
            map(mine.__getitem__, first.tolist()),
            map(others.__getitem__, second.tolist()),
        ),
        dtype=np.int64,
        count=len(first),
    )


def _rows(items: Iterable[tuple[int, BitMap]]) -> Iterator[tuple[Integers, Integers]]:
    """Yield (number, document) of numbered sets of documents, many rows at a time."""
    numbers: list[int] = []
    documents: list[Integers] = []
    total = 0
    for number, some in items:
        if some:
            numbers.append(number)
            documents.append(np.array(some.to_array(), dtype=np.int64))
            total += len(some)
        if total >= _ROWS:
            yield _joined(numbers, documents)
            numbers, documents, total = [], [], 0
    if total:
        yield _joined(numbers, documents)


def _joined(numbers: list[int], documents: list[Integers]) -> tuple[Integers, Integers]:
    sizes = [len(some) for some in documents]
    return np.repeat(np.array(numbers, dtype=np.int64), sizes), np.concatenate(documents)


# --- Occurrences that must not overlap --------------------------------------------------------


def _apart(e1: Places, r: Places, e2: Places) -> Booleans:
    """Tell in which rows the three have occurrences no two of which overlap.

    Three such spans stand in some order: then the middle one fits between the one that ends first
    on its left and the one that starts last on its right.
    """
    found = np.zeros(len(r.entry), dtype=bool)
    for left, middle, right in permutations((e1, r, e2)):
        rows = np.flatnonzero(~found)
        left, right = left.take(rows), right.take(rows)
        found[rows] = middle.take(rows).within(left.least_end(), right.greatest_start())
    return found


def _near(a: Places, b: Places, start: Integers, end: Integers, *, x: int) -> Booleans:
    """Tell in which rows disjoint occurrences of a and b are near a relation, given by its span.

    Either has an occurrence near it. Those on its two sides cannot overlap; on the same side they
    must leave room for each other.
    """
    a_before, a_after = a.before(start, x), a.after(end, x)
    b_before, b_after = b.before(start, x), b.after(end, x)
    found = (a_before & b_after) | (b_before & a_after)
    for both, leave_room, position in (
        (a_before & b_before, _both_before, start),
        (a_after & b_after, _both_after, end),
    ):
        some = np.flatnonzero(both & ~found)
        found[some] = leave_room(a.take(some), b.take(some), position[some], x)
    return found


def _both_before(a: Places, b: Places, position: Integers, x: int) -> Booleans:
    """Tell where disjoint a and b end within the `x` words before `position`, as each does.

    One of them ends, at the earliest, before the other starts, at the latest.
    """
    return (a.least_end_from(position - x) <= b.last_start_before(position)) | (
        b.least_end_from(position - x) <= a.last_start_before(position)
    )


def _both_after(a: Places, b: Places, position: Integers, x: int) -> Booleans:
    """Tell where disjoint a and b start within the `x` words after `position`, as each does.

    The mirror image of :func:`_both_before`.
    """
    return (a.first_end_after(position) <= b.greatest_start_to(position + x)) | (
        b.first_end_after(position) <= a.greatest_start_to(position + x)
    )

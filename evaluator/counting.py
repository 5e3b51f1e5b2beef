"""Counting facts in a text collection: CLASSIC and PROXIMITY hit counts, and the PMI of the two.

For a fact ⟨e1, r, e2⟩ (Bronzi et al. 2012, section 2.2) a document counts

* for the *pair* when it holds an occurrence of e1 and one of e2 that do not overlap;
* for *CLASSIC* when it holds occurrences of e1, r and e2, no two of which overlap;
* for *PROXIMITY* (``e1 NEAR:X r NEAR:X e2``) when three such occurrences also stand so that at most
  X words are between e1 and r, and at most X between r and e2, each counted from the end of the
  one to the start of the other. Any order will do, unless the order e1, r, e2 is asked for.

Occurrences must not overlap because one mention cannot serve two elements: "Michelle Obama" is not
a second Obama, and "Bank of America" is no statement about a bank.

:func:`brute_force_counts` says the same in a dozen lines and is the oracle of the tests.
:func:`count_facts` gives the same numbers for very many facts: it asks for the occurrences of each
distinct element once and joins them in numpy, shares the work on a pair between its facts, and
leaves a fact alone once its pair is found nowhere. Counts are additive over documents, so a
collection may be cut into shards of documents in any way.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations, product
from typing import Literal, NamedTuple

import numpy as np

from evaluator.errors import ConfigurationError
from evaluator.occurrences import (
    Booleans,
    Integers,
    Occurrences,
    Places,
    Postings,
    changes,
    chunks,
    ranges,
)

type Element = tuple[tuple[str, ...], ...]
"""Alternatives of an element, each a sequence of tokens; any of them is an occurrence."""

type FactElements = tuple[Element, Element, Element]
"""The elements e1, r, e2 of a fact."""

type Denominator = Literal["and", "near"]
type Find = Callable[[Sequence[Element]], Sequence[Occurrences]]
"""Looks up the occurrences of elements in one shard of the collection, in the order asked."""

MOST_WORDS_BETWEEN = 1_000_000


class Counts(NamedTuple):
    """Document counts of a fact; None where an element has no words to look for.

    A relation that was emptied ("be in" without its function words) leaves `pair` defined and the
    other two undefined: the count of a triple never turns into the count of its pair.
    """

    pair: int | None
    classic: int | None
    proximity: int | None


def pmi(counts: Counts, variant: Literal["classic", "proximity"] = "proximity") -> float | None:
    """Return the PMI of a fact: documents with the triple over documents with the pair.

    0 where the triple is found nowhere; None, undefined, where the pair is found nowhere or an
    element is empty. Pairs counted as "near" go with PROXIMITY: CLASSIC may exceed them.
    """
    triple = counts.classic if variant == "classic" else counts.proximity
    if triple is None or not counts.pair:
        return None
    return triple / counts.pair


def alternatives(element: Element) -> Element:
    """Return the canonical form of `element`: alternatives distinct, sorted, none empty."""
    return tuple(sorted({words for words in element if words}))


def pair_width(relation: Element, x: int) -> int:
    """Return how many words may stand between e1 and e2 for a pair that counts as near.

    The words that PROXIMITY allows around the relation, and the relation: 2X + its longest
    alternative, at least one word. A triple in proximity is thus always a pair that is near, in
    whatever order the three stand, and the ratio of the two never exceeds 1.
    """
    return 2 * x + max((len(words) for words in relation), default=1)


def brute_force_counts(
    documents: Iterable[Sequence[str]],
    e1: Element,
    r: Element,
    e2: Element,
    *,
    x: int,
    ordered: bool = False,
    denominator: Denominator = "and",
) -> Counts:
    """Count one fact by trying every triple of occurrences in every document.

    Parameters
    ----------
    documents
        Token sequences.
    e1, r, e2
        The elements.
    x, ordered, denominator
        As for :func:`count_facts`.
    """
    e1, r, e2 = alternatives(e1), alternatives(r), alternatives(e2)
    width = pair_width(r, x)
    pair = classic = proximity = 0
    for document in documents:
        firsts, relations, seconds = (_spans(document, element) for element in (e1, r, e2))
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
    if not (e1 and e2):
        return Counts(None, None, None)
    return Counts(pair, classic, proximity) if r else Counts(pair, None, None)


def count_facts(
    facts: Sequence[FactElements],
    shards: Iterable[Find],
    *,
    x: int,
    ordered: bool = False,
    denominator: Denominator = "and",
) -> list[Counts]:
    """Count many facts over a collection.

    Parameters
    ----------
    facts
        The elements e1, r, e2 of each fact. Repeated facts, pairs and elements cost nothing.
    shards
        One look-up function for each shard of the collection. It is called at most twice: for the
        entities, then for those relations whose facts still need them.
    x
        The X of NEAR:X, in words.
    ordered
        PROXIMITY asks for e1 before r before e2.
    denominator
        "and": the pair anywhere in the document; "near": at most :func:`pair_width` words between
        the two, in either order.

    Returns
    -------
    list of Counts
        One for each fact, in the order given.

    Raises
    ------
    ConfigurationError
        For an `x` or a `denominator` that is out of range.
    """
    if not 0 <= x <= MOST_WORDS_BETWEEN:
        raise ConfigurationError(f"X is {x}: expected 0 to {MOST_WORDS_BETWEEN} words")
    if denominator not in ("and", "near"):
        raise ConfigurationError(f'denominator is "{denominator}": expected "and" or "near"')
    batch = _Batch.of(facts, x=x if denominator == "near" else None)
    pairs, triples = batch.zeros()
    for find in shards:
        _count_shard(batch, find, x=x, ordered=ordered, pairs=pairs, triples=triples)
    return batch.read(pairs, triples)


# --- The batch: distinct elements, pairs and facts as integers --------------------------------


@dataclass(frozen=True, slots=True)
class _Batch:
    """Facts as rows of integers, distinct and grouped by pair.

    Row f is the relation ``relation[f]`` (-1: empty) of the pair ``pair[f]``; rows are sorted by
    pair, and ``first[p]`` is the first row of pair p. ``row`` leads from a fact as given to its
    row, -1 where an entity is empty. ``width`` is of pairs, None where nearness is not asked for.
    """

    entities: list[Element]
    relations: list[Element]
    e1: Integers
    e2: Integers
    width: Integers | None
    first: Integers
    pair: Integers
    relation: Integers
    row: Integers

    @classmethod
    def of(cls, facts: Sequence[FactElements], *, x: int | None) -> "_Batch":
        entities, relations = _Numbering(), _Numbering()
        e1, e2, relation = np.array(
            [(entities[e1], entities[e2], relations[r]) for e1, r, e2 in facts], dtype=np.int64
        ).T.reshape(3, -1)
        widths = [0 if x is None else pair_width(element, x) for element in relations.elements]
        empty_width = 0 if x is None else pair_width((), x)
        width = np.array([*widths, empty_width], dtype=np.int64)[relation]

        defined = np.flatnonzero((e1 >= 0) & (e2 >= 0))
        columns = np.stack([values[defined] for values in (e1, e2, width, relation)])
        order = np.lexsort(columns[::-1])
        columns = columns[:, order]
        new_row, new_pair = changes(columns), changes(columns[:3])
        row = np.full(len(facts), -1, dtype=np.int64)
        row[defined[order]] = np.cumsum(new_row) - 1
        pair = (np.cumsum(new_pair) - 1)[new_row]
        return cls(
            entities=entities.elements,
            relations=relations.elements,
            e1=columns[0, new_pair],
            e2=columns[1, new_pair],
            width=None if x is None else columns[2, new_pair],
            first=np.searchsorted(pair, np.arange(new_pair.sum() + 1)),
            pair=pair,
            relation=columns[3, new_row],
            row=row,
        )

    def zeros(self) -> tuple[Integers, Integers]:
        """Return counts to add to: of pairs, and of rows (CLASSIC and PROXIMITY)."""
        return np.zeros(len(self.e1), dtype=np.int64), np.zeros((len(self.pair), 2), dtype=np.int64)

    def read(self, pairs: Integers, triples: Integers) -> list[Counts]:
        """Return the counts of the facts as given."""
        undefined = Counts(None, None, None)
        found = [
            Counts(pair, classic, proximity) if relation >= 0 else Counts(pair, None, None)
            for relation, pair, (classic, proximity) in zip(
                self.relation.tolist(), pairs[self.pair].tolist(), triples.tolist(), strict=True
            )
        ]
        return [found[row] if row >= 0 else undefined for row in self.row.tolist()]


class _Numbering:
    """Numbers distinct elements from 0 in order of appearance; -1 is an empty element."""

    def __init__(self) -> None:
        self.elements: list[Element] = []
        self._as_given: dict[Element, int] = {}
        self._canonical: dict[Element, int] = {(): -1}

    def __getitem__(self, element: Element) -> int:
        number = self._as_given.get(element)
        if number is None:
            canonical = alternatives(element)
            number = self._canonical.setdefault(canonical, len(self.elements))
            if number == len(self.elements):
                self.elements.append(canonical)
            self._as_given[element] = number
        return number


# --- The joins --------------------------------------------------------------------------------


def _count_shard(
    batch: _Batch, find: Find, *, x: int, ordered: bool, pairs: Integers, triples: Integers
) -> None:
    """Add the counts in one shard to `pairs` and `triples`."""
    entities = Postings.of(find(batch.entities))
    here = np.zeros_like(pairs)
    for pair, entry1, entry2 in _pair_rows(batch, entities, np.arange(len(pairs))):
        here += np.bincount(pair, minlength=len(pairs))
        if batch.width is not None:
            e1, e2 = Places(entities, entry1), Places(entities, entry2)
            near = _within_width(e1, e2, batch.width[pair])
            pairs += np.bincount(pair[near], minlength=len(pairs))
    if batch.width is None:
        pairs += here

    needed = np.unique(batch.relation[(here[batch.pair] > 0) & (batch.relation >= 0)])
    if not len(needed):
        return
    relations = Postings.of(find([batch.relations[number] for number in needed]))
    numbers = np.full(len(batch.relations) + 1, len(needed), dtype=np.int64)
    numbers[needed] = np.arange(len(needed))

    facts = np.diff(batch.first)
    alive = np.flatnonzero(here)
    for some in chunks(alive, here[alive] * facts[alive]):
        for pair, entry1, entry2 in _pair_rows(batch, entities, some):
            fact = ranges(batch.first[pair], facts[pair])
            row = np.repeat(np.arange(len(pair)), facts[pair])
            relation = numbers[batch.relation[fact]]
            entry = relations.entry(relation, entities.document(entry1[row]))
            fact, row, entry = (values[entry >= 0] for values in (fact, row, entry))
            e1, e2 = Places(entities, entry1[row]), Places(entities, entry2[row])
            r = Places(relations, entry)
            apart = np.flatnonzero(_apart(e1, r, e2))
            fact, e1, r, e2 = fact[apart], e1.take(apart), r.take(apart), e2.take(apart)
            near = _near(e1, r, e2, x=x, ordered=ordered)
            triples[:, 0] += np.bincount(fact, minlength=len(triples))
            triples[:, 1] += np.bincount(fact[near], minlength=len(triples))


def _pair_rows(
    batch: _Batch, entities: Postings, pairs: Integers
) -> Iterator[tuple[Integers, Integers, Integers]]:
    """Yield the documents that count for `pairs`: arrays of the pair and its two entries.

    The documents of the rarer entity are looked up among those of the other.
    """
    _, number1 = entities.entries(batch.e1[pairs])
    _, number2 = entities.entries(batch.e2[pairs])
    for some in chunks(pairs, np.minimum(number1, number2)):
        e1, e2 = batch.e1[some], batch.e2[some]
        swap = entities.entries(e1)[1] > entities.entries(e2)[1]
        first, number = entities.entries(np.where(swap, e2, e1))
        row = np.repeat(np.arange(len(some)), number)
        rarer = ranges(first, number)
        other = entities.entry(np.where(swap, e1, e2)[row], entities.document(rarer))
        row, rarer, other = (values[other >= 0] for values in (row, rarer, other))
        a, b = Places(entities, rarer), Places(entities, other)
        counts = (a.least_end() <= b.greatest_start()) | (b.least_end() <= a.greatest_start())
        row, rarer, other, swap = row[counts], rarer[counts], other[counts], swap[row[counts]]
        yield some[row], np.where(swap, other, rarer), np.where(swap, rarer, other)


def _within_width(a: Places, b: Places, width: Integers) -> Booleans:
    """Tell in which rows disjoint occurrences of a and b have at most `width` words between."""
    found = np.zeros(len(width), dtype=bool)
    for rows in chunks(np.arange(len(width)), a.sizes()):
        row, start, end = a.take(rows).expand()
        row = rows[row]
        there, most = b.take(row), width[row]
        found[row[there.before(start, most) | there.after(end, most)]] = True
    return found


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


def _near(e1: Places, r: Places, e2: Places, *, x: int, ordered: bool) -> Booleans:
    """Tell in which rows three disjoint occurrences keep the distances of NEAR:X.

    Each occurrence of r is tried. Entities on its two sides cannot overlap; on the same side they
    must leave room for each other.
    """
    found = np.zeros(len(r.entry), dtype=bool)
    for rows in chunks(np.arange(len(r.entry)), r.sizes()):
        row, start, end = r.take(rows).expand()
        row = rows[row]
        a = e1.take(row)
        a_before = a.before(start, x)
        a_after = np.zeros_like(a_before) if ordered else a.after(end, x)
        some = np.flatnonzero(a_before | a_after)  # few, where X is small
        row, start, end, a = row[some], start[some], end[some], a.take(some)
        a_before, a_after = a_before[some], a_after[some]
        b = e2.take(row)
        b_after = b.after(end, x)
        b_before = np.zeros_like(b_after) if ordered else b.before(start, x)
        found[row[(a_before & b_after) | (b_before & a_after)]] = True
        some = np.flatnonzero(a_before & b_before)
        some = some[_both_before(a.take(some), b.take(some), start[some], x)]
        found[row[some]] = True
        some = np.flatnonzero(a_after & b_after)
        some = some[_both_after(a.take(some), b.take(some), end[some], x)]
        found[row[some]] = True
    return found


def _both_before(a: Places, b: Places, position: Integers, x: int) -> Booleans:
    """Tell where disjoint a and b end within the `x` words before `position`, as each does.

    One of them ends, at the earliest, before the other starts, at the latest. That latest start may
    belong to an occurrence that ends too early and lies inside one that does not; then both starts
    are before all ends in question, and the comparison fails as it would for the right one.
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


# --- What brute force is made of --------------------------------------------------------------


def _spans(document: Sequence[str], element: Element) -> list[tuple[int, int]]:
    return [
        (start, start + len(words))
        for words in element
        for start in range(len(document) - len(words) + 1)
        if tuple(document[start : start + len(words)]) == words
    ]


def _gap(a: tuple[int, int], b: tuple[int, int]) -> int:
    """Return the number of words between two spans; negative where they overlap."""
    return max(a[0], b[0]) - min(a[1], b[1])

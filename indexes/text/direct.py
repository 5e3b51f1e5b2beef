"""Counting one fact at a time: Lucene queries, exact.

Where :mod:`evaluator.counting.bulk` reads whole postings lists, which pays off over very many
facts, this asks Lucene five questions about one fact. They are the definition of
:mod:`evaluator.counting.definition` in terms of intervals; nothing is looked up in the texts
afterwards. Four things make the difference to the query that first comes to mind:

* Lucene's intervals are minimal: of two, one of which lies inside the other, the outer one is
  dropped. Here the outer one counts and the inner one does not ("Obama" in "Barack Obama"); so the
  alternatives of an element are asked in *layers*, one for each length, since two spans of the same
  length never nest, and each layer less what lies inside a longer one.
* Nested ``maxgaps`` would keep, for the two sides of a relation, different occurrences of it. So
  the occurrences of the relation are filtered, once by each entity: those inside a window beside an
  occurrence of that entity.
* Elements that share words may overlap, and a conjunction does not notice. Only for facts in which
  they may (:func:`evaluator.counting.definition.may_overlap`) are the orders of the three asked one
  by one.
* A disjunction is never multiplied out (``or`` with ``False``): a query grows with the number of
  alternatives and of their lengths, not with the product of the alternatives of three elements.
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import permutations
from typing import Any, Literal

from evaluator.counting.definition import (
    REACH,
    Context,
    Counts,
    Denominator,
    Element,
    FactElements,
    alternatives,
    check_options,
    full_names,
    may_overlap,
    pair_width,
    short_forms,
)
from indexes.jvm import Java
from indexes.text.manifest import CONTENTS, TOPIC, topic_term

type _Side = Literal["before", "after", "around"]

_CACHED_ELEMENTS = 1_024
_NO_LIMIT = (1 << 31) - 1


class DirectCounter:
    """Counts facts in an open Lucene index, each by queries of its own.

    Threads take turns; :class:`indexes.text.shard.IndexShard` sees to that.

    Parameters
    ----------
    java
        The running JVM.
    reader
        An open Lucene ``IndexReader``.
    """

    def __init__(self, java: Java, reader: Any) -> None:
        def lucene(name: str) -> Any:
            return java.autoclass(f"org.apache.lucene.{name}")

        searcher = lucene("search.IndexSearcher")
        # A relation of several words has up to a thousand alternatives, each used more than once.
        searcher.setMaxClauseCount(_NO_LIMIT)
        # Without the cast pyjnius takes another constructor.
        self._searcher = searcher(java.cast("org.apache.lucene.index.IndexReader", reader))
        self._builder = lucene("search.BooleanQuery$Builder")
        self._must = lucene("search.BooleanClause$Occur").MUST
        self._should = lucene("search.BooleanClause$Occur").SHOULD
        self._phrase_query = lucene("search.PhraseQuery")
        self._intervals = lucene("queries.intervals.Intervals")
        self._or = getattr(self._intervals, "or")
        self._interval_query = lucene("queries.intervals.IntervalQuery")
        cached = lru_cache(_CACHED_ELEMENTS)
        self._query, self._layers = cached(self._make_query), cached(self._make_layers)

    def count(
        self,
        fact: FactElements,
        *,
        x: int,
        reach: int = REACH,
        ordered: bool = False,
        denominator: Denominator = "and",
    ) -> Counts:
        """Count a fact.

        No more is asked than is needed: a fact whose pair is nowhere, and whose e1 no document is
        about, costs two queries.

        Parameters
        ----------
        fact
            The elements e1, r, e2.
        x, reach, ordered, denominator
            As for :func:`evaluator.counting.bulk.count_shards`.

        Raises
        ------
        ConfigurationError
            For an `x`, a `reach` or a `denominator` that is out of range.
        """
        check_options(x=x, reach=reach, denominator=denominator)
        e1, r, e2 = (alternatives(element) for element in fact)
        if not (e1 and e2):
            return Counts(None, None, None, None, None)
        apart = not may_overlap(e1, e2)
        pair = anywhere = self._together(e1, e2, apart=apart)
        if denominator == "near" and anywhere:
            pair = self._count_intervals(self._near(e1, e2, pair_width(r, x), apart=apart))
        topic = self._topic(e1, e2, apart=apart)
        if not r:
            return Counts(pair, None, None, topic, None)
        classic = proximity = anchored = 0
        between = apart and not may_overlap(e1, r) and not may_overlap(r, e2)
        if anywhere:
            classic = self._together(e1, r, e2, apart=between)
        if classic:
            proximity = self._count_intervals(
                self._in_proximity(e1, r, e2, x=x, ordered=ordered, apart=between)
            )
        if topic:
            anchored = self._anchored(e1, r, e2, reach=reach, ordered=ordered)
        return Counts(pair, classic, proximity, topic, anchored)

    def context(self, fact: FactElements, *, x: int, reach: int = REACH) -> Context:
        """Count the context of a fact; the parameters are those of :meth:`count`."""
        e1, r, e2 = (alternatives(element) for element in fact)
        if not (e1 and e2):
            return Context(None, None, None, None, None, None)

        def within(one: Element, other: Element, width: int) -> int:
            apart = not may_overlap(one, other)
            return self._count_intervals(self._near(one, other, width, apart=apart))

        documents1, documents2 = (self._together(entity, apart=True) for entity in (e1, e2))
        about = int(self._searcher.count(self._about(e1)))
        near1, near2 = (within(entity, r, x) if r else None for entity in (e1, e2))
        return Context(documents1, documents2, about, near1, near2, within(e1, e2, reach))

    # --- In documents about e1 ----------------------------------------------------------------

    def _topic(self, e1: Element, e2: Element, *, apart: bool) -> int:
        """Count the documents about e1 that hold e2."""
        if apart:
            return self._count_about(e1, self._query(e2))
        clear = self._clear_of(e1, e2).values()
        return self._count_about(e1, self._interval_query(CONTENTS, self._either(clear)))

    def _anchored(self, e1: Element, r: Element, e2: Element, *, reach: int, ordered: bool) -> int:
        """Count the documents about e1 in which r stands within `reach` of e2."""
        sides: tuple[_Side, ...] = ("around",)
        if ordered:
            sides = ("before",)
        elif may_overlap(r, e2):
            sides = ("before", "after")
        seconds = self._clear_of(e1, e2)
        near = self._either(
            [
                self._beside(span, length, seconds, reach, side)
                for length, span in self._clear_of(e1, r).items()
                for side in sides
            ]
        )
        return self._count_about(e1, self._interval_query(CONTENTS, near))

    def _count_about(self, e1: Element, query: Any) -> int:
        """Count the documents about e1 that a query finds."""
        return int(self._searcher.count(self._boolean(self._must, [self._about(e1), query])))

    def _about(self, e1: Element) -> Any:
        """Return the query for the documents about e1."""
        names = [self._phrase_query(TOPIC, topic_term(name)) for name in full_names(e1)]
        return self._boolean(self._should, names)

    def _clear_of(self, e1: Element, element: Element) -> dict[int, Any]:
        """Return the occurrences of `element` that overlap none of e1, by their length."""
        layers = self._layers(element)
        if not may_overlap(e1, element):
            return layers
        for mention in self._layers(e1).values():
            layers = {
                length: self._intervals.nonOverlapping(span, mention)
                for length, span in layers.items()
            }
        return layers

    # --- Anywhere in the document -------------------------------------------------------------

    def _together(self, *elements: Element, apart: bool) -> int:
        """Count the documents that hold occurrences of all `elements`, no two of which overlap."""
        if apart:
            query = self._boolean(self._must, map(self._query, elements))
            return int(self._searcher.count(query))
        spans = [self._either(self._layers(element).values()) for element in elements]
        return self._count_intervals(
            self._either([self._in_turn(*order) for order in permutations(spans)])
        )

    def _make_query(self, element: Element) -> Any:
        # A short form is in no document without a full name.
        names = [self._phrase_query(CONTENTS, *words) for words in full_names(element)]
        return names[0] if len(names) == 1 else self._boolean(self._should, names)

    def _boolean(self, occur: Any, queries: Iterable[Any]) -> Any:
        builder = self._builder()
        for query in queries:
            builder.add(query, occur)
        return builder.build()

    # --- At a distance ------------------------------------------------------------------------

    def _near(self, one: Element, other: Element, width: int, *, apart: bool) -> Any:
        """Return the places where `other` is at most `width` words from `one`, on either side."""
        sides: tuple[_Side, ...] = ("around",) if apart else ("before", "after")
        return self._either(
            [
                self._beside(span, length, self._layers(one), width, side)
                for length, span in self._layers(other).items()
                for side in sides
            ]
        )

    def _in_proximity(
        self, e1: Element, r: Element, e2: Element, *, x: int, ordered: bool, apart: bool
    ) -> Any:
        """Return the places where e1 NEAR:X r NEAR:X e2."""
        sides: list[tuple[_Side, _Side]]
        if ordered:
            sides = [("after", "before")]
        elif apart:
            sides = [("around", "around")]
        else:
            sides = [("after", "before"), ("before", "after")]
        places = [
            # Both are occurrences of r of one length, so the one inside the other is the other.
            self._intervals.containedBy(
                self._beside(span, length, self._layers(e1), x, first),
                self._beside(span, length, self._layers(e2), x, second),
            )
            for length, span in self._layers(r).items()
            for first, second in sides
        ]
        if not (ordered or apart):
            places += self._on_one_side(e1, r, e2, x)
            places += self._on_one_side(e2, r, e1, x)
        return self._either(places)

    def _beside(
        self, span: Any, length: int, others: Mapping[int, Any], x: int, side: _Side
    ) -> Any:
        """Return the occurrences of `span`, `length` words each, that have one of `others` near.

        Such a span lies, in whole, inside a window of X words and its own length before or after
        one of `others`, given by their lengths, or around it where the two cannot overlap. Every
        span is given one more word at its end, and every window too, lest a window before the first
        word of a text end at -1, which Lucene takes for an overflow.
        """
        reach = x + length
        windows = []
        for width, near in others.items():
            before = -width if side == "after" else reach
            after = 1 - width if side == "before" else reach + 1
            windows.append(self._intervals.extend(near, before, after))
        longer = self._intervals.extend(span, 0, 1)
        return self._either([self._intervals.containedBy(longer, window) for window in windows])

    def _on_one_side(self, outer: Element, r: Element, inner: Element, x: int) -> list[Any]:
        """Return the places where `inner` is between `r` and `outer`, which are near each other."""
        between = self._either(self._layers(inner).values())
        return [
            self._intervals.maxwidth(x + length + width, self._in_turn(*order))
            for length, span in self._layers(r).items()
            for width, far in self._layers(outer).items()
            for order in ((span, between, far), (far, between, span))
        ]

    # --- Intervals ----------------------------------------------------------------------------

    def _count_intervals(self, places: Any) -> int:
        """Count the documents that have one of `places`."""
        return int(self._searcher.count(self._interval_query(CONTENTS, places)))

    def _make_layers(self, element: Element) -> dict[int, Any]:
        """Return the occurrences of `element` by their length, none inside a longer one."""
        found: dict[int, list[Any]] = {}
        for words in full_names(element):
            found.setdefault(len(words), []).append(self._intervals.phrase(*words))
        if short := short_forms(element):
            names = self._either([one for same in found.values() for one in same])
            anywhere = self._intervals.extend(names, _NO_LIMIT, _NO_LIMIT)
            for words in short:
                place = self._intervals.containedBy(self._intervals.phrase(*words), anywhere)
                found.setdefault(len(words), []).append(place)
        layers: dict[int, Any] = {}
        for length in sorted(found, reverse=True):
            places = self._either(found[length])
            for longer in list(layers.values()):
                places = self._intervals.notContainedBy(places, longer)
            layers[length] = places
        return layers

    def _either(self, places: Iterable[Any]) -> Any:
        """Return the union of `places`, less those that contain others."""
        several = list(places)
        return several[0] if len(several) == 1 else self._or(False, *several)

    def _in_turn(self, *spans: Any) -> Any:
        """Return the places where `spans` stand one after the other.

        Lucene folds neighbours that are equal into a repetition, whose parts may overlap; extended
        by nothing they count as different.
        """
        unequal = [
            self._intervals.extend(span, 0, 0) if turn % 2 else span
            for turn, span in enumerate(spans)
        ]
        return self._intervals.ordered(*unequal)

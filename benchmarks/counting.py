"""Counting facts: Lucene queries, one per fact and count, against one pass over all facts.

In one process, on one thread each, on one index:

* the peer asks Lucene through pyjnius, once per fact and count: a conjunction for the pair and for
  CLASSIC, intervals for PROXIMITY (``e1 NEAR:X r NEAR:X e2``, exact where r is a single word);
* ours is :meth:`indexes.text_index.TextIndex.count`, which gives the three counts at once.

Both warm up on other facts; then ours starts with an empty cache, while the peer keeps the queries
of elements. Without an index of yours, one is built over a made collection.

The counts must agree; where they do not, the command exits with 1. Facts whose elements share words
are compared apart: the peer lets one word serve two elements, which the definition
(:mod:`evaluator.counting`) excludes, so it may count more there, never less.
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from functools import cache, partial
from itertools import combinations, starmap
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow.parquet as pq

from evaluator.counting import Counts, Element, FactElements
from evaluator.errors import DistvalError
from evaluator.model import Rejects
from evaluator.wordnet import wordnet
from indexes.collections import Document
from indexes.jvm import Java, running
from indexes.knowledge_base import KnowledgeBase
from indexes.text_index import TextIndex, build_index

X = 8
SEED = 2012
VERBS = (  # every inflection of theirs is a single word
    "acquire award bear become build capture direct divorce found govern invade join lead live "
    "locate lose marry move name own play produce publish record represent star study teach visit "
    "win write"
)
WARM_UP = 1_000  # facts, until Java has compiled the better part of either

# The made collection: a million words, names among them.
DOCUMENTS, LENGTH, VOCABULARY = 4_000, 250, 20_000
NAMES, NAME_WORDS, MENTIONS = 2_000, 1_000, 12

type Name = tuple[str, ...]


class Timing(NamedTuple):
    """How long a number of facts took."""

    what: str
    facts: int
    seconds: float

    @property
    def rate(self) -> float:
        """Facts per second."""
        return self.facts / self.seconds


def main() -> int:
    """Measure, compare and print; return the exit code."""
    options = _options()
    random = np.random.default_rng(SEED)
    try:
        with tempfile.TemporaryDirectory(prefix="distval-") as folder:
            if options.index:
                index, pairs = options.index, read_pairs(options.kb, options.facts, random)
            else:
                index, names = Path(folder) / "index", made_names(random)
                build_index(made_documents(names, random), index, source={}, rejects=Rejects())
                pairs = made_pairs(names, options.facts, random)
            facts = made_facts(pairs, random)
            asked, others = facts[: options.peer_facts], facts[-WARM_UP:]
            count_with_ours(index, others)
            few, _ = count_with_ours(index, asked)
            ours, counts = count_with_ours(index, facts)
            peer, peer_counts = count_with_peer(index, asked, warm_up=others)
    except DistvalError as error:
        print(error, file=sys.stderr)
        return 2
    print_timings(peer, few, ours)
    return 0 if print_comparison(asked, counts[: len(asked)], peer_counts) else 1


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--index", type=Path, metavar="DIR", help="a text index; else one is made")
    parser.add_argument("--kb", type=Path, metavar="DIR", help="a knowledge base, for its pairs")
    parser.add_argument("--facts", type=int, default=200_000, metavar="N", help="for ours")
    parser.add_argument("--peer-facts", type=int, default=2_000, metavar="M", help="for the peer")
    options = parser.parse_args()
    if (options.index is None) != (options.kb is None):
        parser.error("--index and --kb go together")
    if not 0 < options.peer_facts <= options.facts:
        parser.error("expected 0 < --peer-facts <= --facts")
    return options


# --- What is counted --------------------------------------------------------------------------


def relations() -> list[Element]:
    """Return the relations: of each verb its inflections."""
    return [tuple((form,) for form in wordnet().forms(verb)) for verb in VERBS.split()]


def made_names(random: np.random.Generator) -> list[Name]:
    """Return names of two or three words, the frequent first; some share words."""
    return [
        tuple(f"n{word}" for word in random.choice(NAME_WORDS, length, replace=False))
        for length in random.integers(2, 4, NAMES)
    ]


def made_documents(names: Sequence[Name], random: np.random.Generator) -> Iterator[Document]:
    """Yield documents of Zipfian words, the relations' among them, that mention `names`."""
    verbs = [word for relation in relations() for (word,) in relation]
    words = np.array([*verbs, *(f"w{word}" for word in range(VOCABULARY - len(verbs)))], object)
    mentions = np.array([" ".join(name) for name in names], object)
    for number in range(DOCUMENTS):
        text = words[_zipfian(VOCABULARY, 50, LENGTH, random)]
        places = random.choice(LENGTH, MENTIONS, replace=False)
        text[places] = mentions[_zipfian(NAMES, 10, MENTIONS, random)]
        yield Document(str(number), "", " ".join(text))


def made_pairs(
    names: Sequence[Name], number: int, random: np.random.Generator
) -> list[tuple[Name, Name]]:
    """Return pairs of `names`, each drawn as often as it is mentioned."""
    drawn = _zipfian(len(names), 10, 2 * number, random).reshape(number, 2)
    return [(names[first], names[second]) for first, second in drawn.tolist()]


def read_pairs(
    knowledge_base: Path, number: int, random: np.random.Generator
) -> list[tuple[Name, Name]]:
    """Return pairs that a knowledge base relates, each entity by its main name.

    By that only, since the peer's intervals cannot take entities of many names: it multiplies out
    the alternatives of a fact and runs into Lucene's limit of 1,024 clauses.
    """
    known = KnowledgeBase.open(knowledge_base)
    triples = pq.read_table(knowledge_base / "triples", columns=["e1", "e2"])
    pairs = [
        (first[0], second[0])
        for e1, e2 in zip(*(column.to_pylist() for column in triples.columns), strict=True)
        if (first := known.query_names(e1)) and (second := known.query_names(e2))
    ]
    return [pairs[drawn] for drawn in random.integers(len(pairs), size=number).tolist()]


def made_facts(
    pairs: Sequence[tuple[Name, Name]], random: np.random.Generator
) -> list[FactElements]:
    """Return a fact for each pair, with a relation that may be anything."""
    verbs = relations()
    drawn = random.integers(len(verbs), size=len(pairs)).tolist()
    return [((e1,), verbs[verb], (e2,)) for (e1, e2), verb in zip(pairs, drawn, strict=True)]


def _zipfian(ranks: int, offset: int, size: int, random: np.random.Generator) -> np.ndarray:
    """Draw ranks by the law of Zipf and Mandelbrot, with exponent 1."""
    likelihood = 1 / (np.arange(ranks) + offset)
    return random.choice(ranks, size, p=likelihood / likelihood.sum())


# --- The two that count -----------------------------------------------------------------------


def timed[T](
    what: str, facts: Sequence[FactElements], count: Callable[[Sequence[FactElements]], Iterable[T]]
) -> tuple[Timing, list[T]]:
    """Count `facts`; return how long that took, and the counts."""
    start = time.perf_counter()
    counts = list(count(facts))
    return Timing(what, len(facts), time.perf_counter() - start), counts


def count_with_ours(path: Path, facts: Sequence[FactElements]) -> tuple[Timing, list[Counts]]:
    """Count with a :class:`TextIndex` opened for the purpose."""
    with TextIndex.open(path) as index:
        return timed("ours: all three", facts, partial(index.count, x=X))


def count_with_peer(
    path: Path, facts: Sequence[FactElements], *, warm_up: Sequence[FactElements]
) -> tuple[list[Timing], list[Counts]]:
    """Count with :class:`Peer`; the timings are of pair, CLASSIC and PROXIMITY."""
    with running() as java, closing(Peer(java, path)) as peer:
        asks = {"pair": peer.pair, "CLASSIC": peer.classic, "PROXIMITY": peer.proximity}
        for ask in asks.values():
            timed("warm-up", warm_up, partial(starmap, ask))
        timings, columns = zip(
            *(timed(f"peer: {what}", facts, partial(starmap, ask)) for what, ask in asks.items()),
            strict=True,
        )
    return list(timings), list(starmap(Counts, zip(*columns, strict=True)))


class Peer:
    """Lucene, asked for one fact at a time."""

    def __init__(self, java: Java, path: Path) -> None:
        def lucene(name: str) -> Any:
            return java.autoclass(f"org.apache.lucene.{name}")

        location = java.autoclass("java.nio.file.Paths").get(str(path.resolve()))
        self._reader = lucene("index.DirectoryReader").open(
            lucene("store.FSDirectory").open(location)
        )
        # Without the cast pyjnius takes another constructor.
        reader = java.cast("org.apache.lucene.index.IndexReader", self._reader)
        self._searcher = lucene("search.IndexSearcher")(reader)
        self._builder = lucene("search.BooleanQuery$Builder")
        self._must = lucene("search.BooleanClause$Occur").MUST
        self._should = lucene("search.BooleanClause$Occur").SHOULD
        self._phrase = lucene("search.PhraseQuery")
        self._intervals = lucene("queries.intervals.Intervals")
        self._interval_query = lucene("queries.intervals.IntervalQuery")
        self._query, self._source = cache(self._make_query), cache(self._make_source)

    def close(self) -> None:
        """Close the index."""
        self._reader.close()

    def pair(self, e1: Element, _: Element, e2: Element) -> int:
        """Count the documents that hold e1 and e2."""
        return self._searcher.count(self._boolean(self._must, map(self._query, (e1, e2))))

    def classic(self, *fact: Element) -> int:
        """Count the documents that hold e1, r and e2."""
        return self._searcher.count(self._boolean(self._must, map(self._query, fact)))

    def proximity(self, e1: Element, r: Element, e2: Element) -> int:
        """Count the documents in which r is at most X words from e1 and from e2."""
        near = self._source(r)
        for entity in (e1, e2):
            around = self._intervals.extend(self._source(entity), X + 1, X + 1)
            near = self._intervals.containedBy(near, around)
        return self._searcher.count(self._interval_query("contents", near))

    def _make_query(self, element: Element) -> Any:
        phrases = [self._phrase("contents", *words) for words in element]
        return phrases[0] if len(phrases) == 1 else self._boolean(self._should, phrases)

    def _make_source(self, element: Element) -> Any:
        phrases = [self._intervals.phrase(*words) for words in element]
        return phrases[0] if len(phrases) == 1 else getattr(self._intervals, "or")(*phrases)

    def _boolean(self, occur: Any, queries: Any) -> Any:
        builder = self._builder()
        for query in queries:
            builder.add(query, occur)
        return builder.build()


# --- What is printed --------------------------------------------------------------------------


def print_timings(peer: Sequence[Timing], few: Timing, ours: Timing) -> None:
    """Print a line for each timing, and how the rates compare."""
    whole = Timing("peer: all three", few.facts, sum(timing.seconds for timing in peer))
    print(f"{'':<18}{'facts':>9}{'seconds':>9}{'facts/s':>10}")
    for timing in (*peer, whole, few, ours):
        what, facts, seconds = timing
        print(f"{what:<18}{facts:>9,}{seconds:>9.2f}{timing.rate:>10,.0f}")
    print("\nours / peer, in facts/s of all three counts")
    for timing in (few, ours):
        print(f"  ours given {timing.facts:,} facts: {timing.rate / whole.rate:,.1f}")


def print_comparison(
    facts: Sequence[FactElements], ours: Sequence[Counts], peer: Sequence[Counts]
) -> bool:
    """Print how the counts differ; tell whether they are as they should be."""
    shared = np.array(list(starmap(shares_words, facts)))
    more = np.array(peer) - np.array(ours)
    differs, less = more.any(axis=1), (more < 0).any(axis=1)
    wrong = np.flatnonzero(np.where(shared, less, differs)).tolist()
    pair, classic, proximity = np.count_nonzero(ours, axis=0).tolist()
    print(f"""
{len(facts):,} facts counted by both; \
found: pair {pair:,}, CLASSIC {classic:,}, PROXIMITY {proximity:,}
  elements share no word: {np.sum(~shared):,} facts, {np.sum(differs & ~shared):,} differ
  elements share words: {np.sum(shared):,} facts, {np.sum(differs & shared):,} differ
    (there Lucene allows overlaps that the definition excludes: it may count more, never less;
    it counts less in {np.sum(less & shared):,})""")
    for number in wrong[:5]:
        print(f"wrong: {facts[number]}: ours {ours[number]}, peer {peer[number]}")
    print("counts disagree" if wrong else "counts agree")
    return not wrong


def shares_words(*fact: Element) -> bool:
    """Tell whether two elements of a fact have a word in common."""
    words = [{word for name in element for word in name} for element in fact]
    return any(one & other for one, other in combinations(words, 2))


if __name__ == "__main__":
    sys.exit(main())

"""Counting facts: a query for each fact and count, against all facts at once.

One collection, one index, one run, one thread each:

* *SimpleSearcher*: search for all documents and count the hits, as a user of pyserini would, in an
  index of Anserini's of the same texts;
* *pyjnius*: ``IndexSearcher.count`` of a conjunction for the pair and for CLASSIC, of intervals for
  PROXIMITY (``e1 NEAR:X r NEAR:X e2``);
* *tantivy*: conjunctions counted in its own index of the same texts;
* *direct* and *bulk*: the two engines of :class:`indexes.text.index.TextIndex`, which give all
  three counts, and ANCHORED with them. Bulk starts from the closed index; its time includes reading
  all positions.

A peer counts as many of the facts, in one order, as it can in the time that it is given. All counts
must agree; brute force over the tokens has the last word on a few hundred facts. Where they do not,
the command exits with 1. Facts whose elements may overlap are compared apart: peers let one word
serve two elements, which the definition (:mod:`evaluator.counting.definition`) excludes, so they
may count more there, never less.

Without an index of yours, a collection is made: names of two or three words, a few frequent and
most rare, and as many relations as English has frequent verbs. Each document is about one of them.
"""

import argparse
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from functools import cache
from itertools import batched, cycle
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow.parquet as pq

from evaluator.counting.definition import (
    Counts,
    Element,
    FactElements,
    may_overlap,
)
from evaluator.counting.elements import entity_element, relation_element
from evaluator.counting.topics import topics
from evaluator.errors import DistvalError
from evaluator.model import Rejects
from evaluator.text import search_form
from indexes.collections import Document
from indexes.jvm import running
from indexes.kb.knowledge_base import KnowledgeBase
from indexes.text.build import build_index
from indexes.text.index import TextIndex
from indexes.text.manifest import open_reader, read_manifest, stored_document
from peers.counting import Asks, counts_of_pyjnius, counts_of_tantivy, hits_of_simple_searcher

sys.path.insert(0, str(Path(__file__).parents[1]))  # the oracle stands with the tests
from tests.brute_force import brute_force_counts

X = 4
SEED = 2012
FEW = 20_000
BRUTE_FORCE = 300
MOST_TOKENS = 200_000  # of the texts that brute force tries for a fact
WARM_UP = 5_000
VERBS = [
    "acquire", "award", "bear", "become", "begin", "build", "call", "capture", "create", "direct",
    "divorce", "find", "follow", "found", "govern", "hold", "include", "invade", "join", "keep",
    "know", "lead", "live", "locate", "lose", "make", "marry", "move", "name", "own", "play",
    "produce", "publish", "receive", "record", "remain", "represent", "return", "see", "serve",
    "star", "study", "teach", "use", "visit", "win", "work", "write",
]  # fmt: skip
NAMES, NAME_WORDS, RELATIONS, VOCABULARY = 20_000, 6_000, 500, 50_000
MENTIONED, RELATED = 0.05, 0.04  # shares of a made text that are names and relations

type Name = tuple[str, ...]
type Titled = tuple[str, str]


class Timing(NamedTuple):
    """How long a number of facts took, on the clock and of the processors."""

    what: str
    facts: int
    seconds: float
    processor: float


class Material(NamedTuple):
    """An index of one shard, its titles and texts in search form, and the facts to count."""

    index: Path
    documents: Callable[[], Iterator[Titled]]
    facts: list[FactElements]

    def texts(self) -> Iterator[str]:
        """Yield the texts alone."""
        return (text for _, text in self.documents())


def main() -> int:
    """Measure, compare and print; return the exit code."""
    options = _options()
    try:
        with tempfile.TemporaryDirectory(prefix="distval-") as folder:
            material = yours(options) if options.index else made(options, Path(folder))
            return compare(material, Path(folder), seconds=options.seconds)
    except DistvalError as error:
        print(error, file=sys.stderr)
        return 2


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--index", type=Path, metavar="DIR", help="a text index of one shard")
    parser.add_argument("--kb", type=Path, metavar="DIR", help="a knowledge base, for its pairs")
    parser.add_argument("--documents", type=int, default=1_000_000, metavar="N", help="made")
    parser.add_argument("--length", type=int, default=100, metavar="N", help="words of each")
    parser.add_argument("--facts", type=int, default=1_000_000, metavar="N")
    parser.add_argument("--seconds", type=float, default=30, help="for each count of a peer")
    options = parser.parse_args()
    if (options.index is None) != (options.kb is None):
        parser.error("--index and --kb go together")
    return options


def compare(material: Material, folder: Path, *, seconds: float) -> int:
    """Let all count; print what they took and whether they agree; return the exit code."""
    manifest = read_manifest(material.index)
    shard = material.index / manifest.shards[0].name
    facts, others = material.facts[:-WARM_UP], material.facts[-WARM_UP:]
    print(
        f"{manifest.documents:,} documents, {manifest.tokens:,} tokens, {len(facts):,} facts, "
        f"X = {X}\n\n{'':<26}{'facts':>10}{'seconds':>9}{'CPU s':>8}{'facts/s':>11}"
    )
    bulk(material.index, others, "warm-up", quiet=True)
    few, _, _ = bulk(material.index, facts[:FEW], "bulk, all counts")
    all_facts, counts, peak = bulk(material.index, facts, "bulk, all counts")
    agree = True
    rates: dict[str, float] = {}
    with ExitStack() as stack:
        java = stack.enter_context(running())
        index = stack.enter_context(TextIndex.open(material.index))

        def direct(*fact: Element) -> Counts:
            return index.count([fact], x=X, engine="direct")[0]

        direct_rate, direct_counts = asked("direct, all counts", direct, facts, others, seconds)
        agree &= compared("direct", facts, counts, direct_counts, exact=True)
        for name, opened in (
            ("pyjnius", counts_of_pyjnius(java, shard, X)),
            ("tantivy", counts_of_tantivy(folder / "tantivy", material.texts())),
            (
                "SimpleSearcher",
                hits_of_simple_searcher(java, folder / "anserini", material.texts()),
            ),
        ):
            asks: Asks = stack.enter_context(opened)
            for count, ask in asks.items():
                rates[f"{name}, {count}"], found = asked(
                    f"{name}, {count}", ask, facts, others, seconds
                )
                column = ("pair", "CLASSIC", "PROXIMITY").index(count)
                ours = [each[column] for each in counts[: len(found)]]
                agree &= compared(f"{name}, {count}", facts, ours, found, exact=False)
    agree &= brute_force(material.documents(), facts, counts)
    both = 1 / sum(1 / rate for name, rate in rates.items() if name.startswith("pyjnius"))
    print(f"\nfacts/s: pyjnius, three counts {both:,.0f}, direct {direct_rate:,.0f}")
    for timing in (few, all_facts):
        rate = timing.facts / timing.seconds
        print(f"  bulk, {timing.facts:,} facts: {rate:,.0f}, {rate / both:,.0f} times pyjnius")
    print(
        f"bulk took {all_facts.seconds / few.seconds:.1f} times as long for "
        f"{all_facts.facts / few.facts:.0f} times as many facts; peak memory {peak / 2**30:.2f} GiB"
    )
    print("counts agree" if agree else "counts DISAGREE")
    return 0 if agree else 1


# --- Who counts -------------------------------------------------------------------------------


def bulk(
    path: Path, facts: Sequence[FactElements], what: str, *, quiet: bool = False
) -> tuple[Timing, list[Counts], int]:
    """Count with the bulk engine; return also the largest memory of the process meanwhile."""
    Path("/proc/self/clear_refs").write_text("5")
    watch = Watch()
    with TextIndex.open(path) as index:
        counts = index.count(facts, x=X, engine="bulk")
    timing = watch.read(what, len(facts), quiet=quiet)
    status = Path("/proc/self/status").read_text()
    peak = int(status.partition("VmHWM:")[2].split()[0]) << 10
    return timing, counts, peak


def asked[Count](
    what: str,
    ask: Callable[..., Count],
    facts: Sequence[FactElements],
    others: Sequence[FactElements],
    seconds: float,
) -> tuple[float, list[Count]]:
    """Ask about one fact after the other until the time is over; return the rate, and the counts.

    The facts of `others` warm up, for a quarter of the time at the most.
    """
    watch = Watch()
    for some in batched(others, 50):
        for fact in some:
            ask(*fact)
        if watch.seconds > seconds / 4:
            break
    counts: list[Count] = []
    watch = Watch()
    for some in batched(facts, 50):
        counts += [ask(*fact) for fact in some]
        if watch.seconds > seconds:
            break
    timing = watch.read(what, len(counts))
    return timing.facts / timing.seconds, counts


class Watch:
    """Takes the time, and of this process's threads, Java's among them, the processors' time."""

    def __init__(self) -> None:
        self._start = time.perf_counter(), time.process_time()

    @property
    def seconds(self) -> float:
        """Seconds since the start."""
        return time.perf_counter() - self._start[0]

    def read(self, what: str, facts: int, *, quiet: bool = False) -> Timing:
        """Return what was taken since the start; print it."""
        timing = Timing(what, facts, self.seconds, time.process_time() - self._start[1])
        if not quiet:
            print(
                f"{what:<26}{facts:>10,}{timing.seconds:>9.1f}{timing.processor:>8.1f}"
                f"{facts / timing.seconds:>11,.0f}",
                flush=True,
            )
        return timing


# --- Whether they agree -----------------------------------------------------------------------


def compared(
    what: str,
    facts: Sequence[FactElements],
    ours: Sequence[object],
    theirs: Sequence[object],
    *,
    exact: bool,
) -> bool:
    """Tell whether two lists of counts agree; print how they do not.

    Unless `exact`, theirs may be more where elements of a fact may overlap.
    """
    differing = [
        (fact, mine, other)
        for fact, mine, other in zip(facts, ours, theirs, strict=False)
        if mine != other
    ]
    wrong = [
        (fact, mine, other)
        for fact, mine, other in differing
        if exact or not overlapping(fact) or other < mine
    ]
    if differing:
        print(
            f"  {what}: {len(differing) - len(wrong):,} of {len(theirs):,} count more where "
            f"elements overlap, {len(wrong):,} are wrong"
        )
    for fact, mine, other in wrong[:5]:
        print(f"  wrong: {fact}: bulk {mine}, {what} {other}")
    return not wrong


def overlapping(fact: FactElements) -> bool:
    """Tell whether elements of a fact may overlap."""
    e1, r, e2 = fact
    return may_overlap(e1, r) or may_overlap(r, e2) or may_overlap(e1, e2)


def brute_force(
    documents: Iterable[Titled], facts: Sequence[FactElements], counts: Sequence[Counts]
) -> bool:
    """Count some facts in the tokens of all texts that hold their entities' names, or are about e1.

    A third of them are in proximity somewhere and a third ANCHORED, as few of all are. Left out is
    a fact whose texts are too many for brute force, and said how often.
    """
    random = np.random.default_rng(SEED)
    chosen = random.choice(len(facts), BRUTE_FORCE // 3, replace=False).tolist()
    for found in ("proximity", "anchored"):
        there = [number for number, count in enumerate(counts) if getattr(count, found)]
        chosen += random.permutation(there)[: BRUTE_FORCE // 3].tolist()
    of_name: dict[Name, list[Element]] = defaultdict(list)
    for element in {facts[number][0] for number in chosen}:
        for name in element:
            of_name[name].append(element)
    of_word: dict[str, list[Element]] = defaultdict(list)
    for element in {element for number in chosen for element in facts[number][::2]}:
        for word in {words[0] for words in element}:
            of_word[word].append(element)
    held: dict[Element, list[int]] = defaultdict(list)
    kept: dict[int, tuple[list[str], Element]] = {}
    about: dict[Element, set[int]] = defaultdict(set)
    for place, (title, text) in enumerate(documents):
        words = text.split()
        names = topics(title, words)
        for element in {element for name in names for element in of_name.get(name, ())}:
            about[element].add(place)
        padded = f" {text} "
        for word in of_word.keys() & set(words):
            for element in of_word[word]:
                if any(f" {' '.join(name)} " in padded for name in element):
                    held[element].append(place)
                    kept[place] = words, names
    expected = {}
    for number in chosen:
        e1, r, e2 = facts[number]
        there = [kept[place] for place in sorted(({*held[e1]} | about[e1]) & {*held[e2]})]
        if sum(len(words) for words, _ in there) <= MOST_TOKENS:
            texts, named = ([each[part] for each in there] for part in (0, 1))
            expected[number] = brute_force_counts(texts, e1, r, e2, x=X, topics=named)
    agree = [counts[number] == count for number, count in expected.items()]
    found = np.count_nonzero(list(expected.values()), axis=0).tolist()
    left_out = len(chosen) - len(agree)
    print(
        f"brute force: {sum(agree)} of {len(agree)} facts agree, {left_out} left out; "
        f"found, of each count: {found}"
    )
    return all(agree)


# --- What is counted --------------------------------------------------------------------------


def yours(options: argparse.Namespace) -> Material:
    """Return an index and facts of a knowledge base: half of its pairs, half any two entities.

    Each entity by its main name: the peers' intervals cannot take many names, they multiply out the
    alternatives of a fact and run into Lucene's limit of 1,024 clauses.
    """
    if len(read_manifest(options.index).shards) != 1:
        raise DistvalError(
            f"{options.index}: several shards; build it with --shards 1 for the peers"
        )
    known = KnowledgeBase.open(options.kb)
    triples = pq.read_table(options.kb / "triples", columns=["e1", "e2"])

    @cache
    def element(entity: str) -> Element:
        names = known.query_names(entity)
        return entity_element(entity, names[:1]) if names else ()

    related = [
        (first, second)
        for e1, e2 in zip(*(column.to_pylist() for column in triples.columns), strict=True)
        if (first := element(e1)) and (second := element(e2))
    ]
    entities = sorted({entity for pair in related for entity in pair})
    relations = [relation_element(verb) for verb in VERBS]
    random = np.random.default_rng(SEED)
    number = options.facts + WARM_UP
    pairs = random.integers(len(related), size=number).tolist()
    anyhow = random.integers(len(entities), size=(number, 2)).tolist()
    verbs = random.integers(len(relations), size=number).tolist()
    facts = []
    for place, (pair, (one, other), verb) in enumerate(zip(pairs, anyhow, verbs, strict=True)):
        e1, e2 = related[pair] if place % 2 else (entities[one], entities[other])
        facts.append((e1, relations[verb], e2))
    return Material(options.index, lambda: stored_documents(options.index), facts)


def stored_documents(index: Path) -> Iterator[Titled]:
    """Yield the titles of an index, and its texts in search form."""
    shard = index / read_manifest(index).shards[0].name
    with running() as java, ExitStack() as opening:
        reader = open_reader(java, shard, opening)
        stored = reader.storedFields()
        for document in range(reader.maxDoc()):
            _, title, text = stored_document(stored, document)
            yield title, search_form(text)


def made(options: argparse.Namespace, folder: Path) -> Material:
    """Make a collection, index it, and draw facts: half of the names by frequency, half evenly."""
    random = np.random.default_rng(SEED)
    names: list[Name] = [
        tuple(f"n{word}" for word in random.choice(NAME_WORDS, length, replace=False))
        for length in random.integers(2, 4, NAMES)
    ]
    number = options.facts + WARM_UP

    def drawn() -> list[int]:
        frequent, any_ = (
            drawn_by(zipf(NAMES, 10), number, random),
            random.integers(NAMES, size=number),
        )
        return np.where(random.random(number) < 0.5, frequent, any_).tolist()

    relations = drawn_by(zipf(RELATIONS, 5), number, random).tolist()
    facts = [
        ((names[e1],), ((f"r{r}",),), (names[e2],))
        for e1, r, e2 in zip(drawn(), relations, drawn(), strict=True)
    ]

    def documents() -> Iterator[Titled]:
        titles = (" ".join(name) for name in cycle(names))
        return zip(titles, made_texts(options.documents, options.length, names), strict=False)

    numbered = (Document(str(place), *document) for place, document in enumerate(documents()))
    build_index(numbered, folder / "index", source={}, rejects=Rejects())
    return Material(folder / "index", documents, facts)


def made_texts(number: int, length: int, names: Sequence[Name]) -> Iterator[str]:
    """Yield texts of Zipfian words with names and relations among them, always the same."""
    random = np.random.default_rng(SEED + 1)
    kinds = [
        (np.array([" ".join(name) for name in names], object), zipf(NAMES, 10)),
        (np.array([f"r{r}" for r in range(RELATIONS)], object), zipf(RELATIONS, 5)),
        (np.array([f"w{word}" for word in range(VOCABULARY)], object), zipf(VOCABULARY, 2)),
    ]
    at_once = max(1, 1_000_000 // length)
    for first in range(0, number, at_once):
        rows = min(at_once, number - first)
        kind = np.searchsorted([MENTIONED, MENTIONED + RELATED], random.random(rows * length))
        text = np.empty(len(kind), object)
        for which, (words, shares) in enumerate(kinds):
            there = kind == which
            text[there] = words[drawn_by(shares, int(there.sum()), random)]
        yield from (" ".join(row) for row in text.reshape(rows, length))


def zipf(ranks: int, offset: int) -> np.ndarray:
    """Return the cumulated shares of ranks by the law of Zipf and Mandelbrot, with exponent 1."""
    shares = 1 / (np.arange(ranks) + offset)
    return np.cumsum(shares / shares.sum())


def drawn_by(shares: np.ndarray, number: int, random: np.random.Generator) -> np.ndarray:
    """Draw ranks by their cumulated shares."""
    return np.minimum(np.searchsorted(shares, random.random(number)), len(shares) - 1)


if __name__ == "__main__":
    sys.exit(main())

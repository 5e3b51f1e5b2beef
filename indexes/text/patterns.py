"""Mining the words that known facts are stated with, from the documents of a text index.

The facts of the knowledge base whose entities stand near each other in a document are its contexts
(:mod:`evaluator.relations.patterns` says what is counted). Entities are found by all of their
names, whatever else these may mean. The counts are kept in one Parquet file beside the index, which
says what it was mined from, so that words are never taken from another text or another knowledge
base.
"""

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from hashlib import blake2b
from heapq import nsmallest
from itertools import count, groupby
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from evaluator.counting.definition import Element, alternatives
from evaluator.counting.elements import entity_element
from evaluator.counting.occurrences import ADDRESS_BITS, Booleans, Integers
from evaluator.errors import InputError
from evaluator.json_objects import parse_json
from evaluator.relations.patterns import AROUND, BETWEEN, ContextCounts, context_lemmas
from evaluator.text import written_tokens
from evaluator.whole_files import whole_binary_file
from indexes.kb.knowledge_base import TRIPLES, KnowledgeBase
from indexes.text.index import TextIndex
from indexes.text.manifest import IndexManifest
from indexes.text.shard import IndexShard

FORMAT = "distval relation patterns 1"

MOST_FACTS = 10_000
"""Facts of one relation that are looked for: those of the least hash, where it has more."""

TABLE = pa.schema(
    [
        ("relation", pa.string()),
        ("contexts", pa.int64()),
        ("words", pa.list_(pa.string())),
        ("with_word", pa.list_(pa.int64())),
    ]
)
"""A row for each relation that has a context; words sorted, `with_word` their contexts."""

_MANIFEST = b"distval"
_TOKENS_AT_A_TIME = 16_000_000

type Progress = Callable[[int, int], None]
"""Is told how many documents of how many have been looked through."""


@dataclass(frozen=True, slots=True)
class PatternsManifest:
    """What mined words come from.

    Attributes
    ----------
    knowledge_base, index
        Checksums.
    documents, facts
        Documents looked through, and facts looked for.
    between, around
        The extent of a context, in words.
    most_facts
        Facts of one relation at most.
    format
        Name and version of the layout.
    """

    knowledge_base: str
    index: str
    documents: int
    facts: int
    between: int = BETWEEN
    around: int = AROUND
    most_facts: int = MOST_FACTS
    format: str = FORMAT


class RelationPatterns(NamedTuple):
    """What was mined, and from what."""

    manifest: PatternsManifest
    counts: Mapping[str, ContextCounts]


def patterns_path(kb: KnowledgeBase, index: Path) -> Path:
    """Return where the words of a knowledge base mined from an index stand: beside the index."""
    index = index.absolute()
    return index.with_name(f"{index.name}-patterns-{kb.manifest.checksum[:8]}.parquet")


def mine(
    kb: KnowledgeBase, index: TextIndex, *, on_progress: Progress | None = None
) -> RelationPatterns:
    """Count the words that stand with the facts of each relation.

    Takes memory for the pairs of entities of the facts, and for the places of all entities in some
    16 million words of text.

    Parameters
    ----------
    kb, index
        The facts and the texts.
    on_progress
        Is told of documents done and documents in all, from time to time.
    """
    facts = _Facts.of(kb)
    counted: dict[str, ContextCounts] = {}
    done, total = 0, index.manifest.documents
    for shard in index.shards:
        at_a_time = max(1, shard.documents * _TOKENS_AT_A_TIME // max(1, shard.tokens))
        for first in range(0, shard.documents, at_a_time):
            last = min(first + at_a_time, shard.documents) - 1
            _count(facts, shard, first, last, counted)
            done += last - first + 1
            if on_progress is not None:
                on_progress(done, total)
    manifest = PatternsManifest(
        kb.manifest.checksum,
        index.manifest.checksum,
        documents=total,
        facts=len(facts.pair),
        most_facts=MOST_FACTS,
    )
    return RelationPatterns(manifest, counted)


def write_patterns(path: Path, patterns: RelationPatterns) -> None:
    """Write mined words; whole, or not at all.

    Raises
    ------
    InputError
        Where the file cannot be written.
    """
    rows: dict[str, list[Any]] = {name: [] for name in TABLE.names}
    for relation, counted in sorted(patterns.counts.items()):
        words = sorted(counted.words)
        numbers = [counted.words[word] for word in words]
        for name, value in zip(
            TABLE.names, (relation, counted.contexts, words, numbers), strict=True
        ):
            rows[name].append(value)
    told = {_MANIFEST: json.dumps(asdict(patterns.manifest)).encode()}
    with whole_binary_file(path) as file:
        pq.write_table(pa.table(rows, TABLE.with_metadata(told)), file, compression="zstd")


def read_patterns(path: Path, *, kb: KnowledgeBase, index: IndexManifest) -> RelationPatterns:
    """Return words mined from this knowledge base and this index.

    Raises
    ------
    InputError
        Where there are none, or they are damaged, of another version, or mined from something else.
    """
    mend = "mine them with: distval words --mine"
    try:
        table = pq.read_table(path)
        told = parse_json(table.schema.metadata[_MANIFEST])
        if told["format"] != FORMAT:
            raise InputError(path, f'has the format "{told["format"]}", not "{FORMAT}": {mend}')
        manifest = PatternsManifest(**told)
        counts = {
            row["relation"]: ContextCounts(
                row["contexts"], Counter(dict(zip(row["words"], row["with_word"], strict=True)))
            )
            for row in table.to_pylist()
        }
    except FileNotFoundError:
        raise InputError(path, f"no words have been mined: {mend}") from None
    except (OSError, ValueError, TypeError, KeyError, pa.ArrowException) as error:
        raise InputError(path, f"damaged ({str(error).splitlines()[0]}): {mend}") from None
    for how, mined, given in (
        ("from another knowledge base", manifest.knowledge_base, kb.manifest.checksum),
        ("from another index", manifest.index, index.checksum),
        ("by other settings", _settings(manifest), (BETWEEN, AROUND, MOST_FACTS)),
    ):
        if mined != given:
            raise InputError(path, f"was mined {how} than this: {mend}")
    return RelationPatterns(manifest, counts)


def _settings(manifest: PatternsManifest) -> tuple[int, int, int]:
    return manifest.between, manifest.around, manifest.most_facts


@dataclass(frozen=True, slots=True)
class _Facts:
    """Known facts, as pairs of entities.

    An entity is a number, its place in `elements`; a pair is first * len(elements) + second. There
    is an entry for each fact, sorted by pair; `relation` is a place in `relations`.
    """

    elements: Sequence[Element]
    relations: Sequence[str]
    pair: Integers
    relation: Integers

    @classmethod
    def of(cls, kb: KnowledgeBase) -> "_Facts":
        """Take the facts between entities that have names."""
        chosen = _some_of_each(kb)
        entities = {entity for pairs in chosen.values() for pair in pairs for entity in pair}
        named = {
            entity: entity_element(entity, names)
            for entity in sorted(entities)
            if (names := kb.query_names(entity))
        }
        numbers = {entity: number for number, entity in enumerate(named)}
        relations = sorted(chosen)
        facts = sorted(
            (numbers[e1] * len(numbers) + numbers[e2], place)
            for place, relation in enumerate(relations)
            for e1, e2 in chosen[relation]
            if e1 != e2 and e1 in numbers and e2 in numbers
        )
        columns = np.array(facts, dtype=np.int64).reshape(-1, 2)
        return cls([*map(alternatives, named.values())], relations, *columns.T.copy())

    def joined(self, first: Integers, second: Integers) -> Booleans:
        """Tell which entities `first` some fact joins with those in `second`."""
        pair = self.pair_of(first, second)
        at = np.minimum(np.searchsorted(self.pair, pair), len(self.pair) - 1)
        known: Booleans = self.pair[at] == pair
        return known

    def pair_of(self, first: Integers, second: Integers) -> Integers:
        """Return the pairs that entities make."""
        return first * len(self.elements) + second

    def relations_of(self, pair: int) -> list[str]:
        """Return the relations of the facts of a pair."""
        low, high = (np.searchsorted(self.pair, pair, side=side) for side in ("left", "right"))
        return [self.relations[place] for place in self.relation[low:high].tolist()]


def _some_of_each(kb: KnowledgeBase) -> dict[str, list[tuple[str, str]]]:
    """Return the pairs of entities of each relation, those of the least hash where it has many."""
    chosen: dict[str, list[tuple[str, str]]] = {}
    for file in sorted(kb.triples_path.rglob("*.parquet")):
        with pq.ParquetFile(file) as opened:
            for batch in opened.iter_batches(columns=TRIPLES.names):
                for e1, relation, e2 in zip(*map(pa.Array.to_pylist, batch.columns), strict=True):
                    pairs = chosen.setdefault(relation, [])
                    pairs.append((e1, e2))
                    if len(pairs) > 2 * MOST_FACTS:
                        chosen[relation] = nsmallest(MOST_FACTS, pairs, key=_hash)
    return {
        relation: pairs if len(pairs) <= MOST_FACTS else nsmallest(MOST_FACTS, pairs, key=_hash)
        for relation, pairs in chosen.items()
    }


def _hash(pair: tuple[str, str]) -> bytes:
    return blake2b("\t".join(pair).encode(), digest_size=8).digest()


class _Standing(NamedTuple):
    """Where two entities of a fact stand near each other: addresses, whichever comes first."""

    start1: Integers
    end1: Integers
    start2: Integers
    end2: Integers
    pair: Integers


def _near_each_other(facts: _Facts, shard: IndexShard, first: int, last: int) -> _Standing:
    """Find all places where the entities of a fact stand near each other, by document and pair."""
    entity, start, end = shard.find(facts.elements, first, last)
    order = np.lexsort((end, start))
    entity, start, end = entity[order], start[order], end[order]
    found: list[Integers] = [np.zeros((5, 0), dtype=np.int64)]
    one = np.arange(len(start))
    # Occurrences are in order of their starts: one after the other, each is compared with the next
    # ones until those begin too far behind it.
    for after in count(1):
        one = one[: np.searchsorted(one, len(start) - after)]
        one = one[start[one + after] - end[one] <= BETWEEN]
        if not len(one):
            break
        apart = one[start[one + after] >= end[one]]
        other = apart + after
        for e1, e2 in ((apart, other), (other, apart)):
            known = facts.joined(entity[e1], entity[e2])
            left, right = apart[known], other[known]
            pair = facts.pair_of(entity[e1[known]], entity[e2[known]])
            found.append(np.array([start[left], end[left], start[right], end[right], pair]))
    standing = np.concatenate(found, axis=1)
    order = np.lexsort((standing[4], standing[0] >> ADDRESS_BITS))
    return _Standing(*standing[:, order])


def _count(
    facts: _Facts, shard: IndexShard, first: int, last: int, counts: dict[str, ContextCounts]
) -> None:
    """Add the contexts in the documents `first` to `last`, inclusive, to `counts`."""
    if not len(facts.pair):
        return
    standing = _near_each_other(facts, shard, first, last)
    rows = zip(standing.start1 >> ADDRESS_BITS, *standing, strict=True)
    for document, in_document in groupby((tuple(map(int, row)) for row in rows), itemgetter(0)):
        words = written_tokens(shard.text(document))
        base = document << ADDRESS_BITS
        for pair, together in groupby(in_document, itemgetter(5)):
            lemmas: set[str] = set()
            for _, start1, end1, start2, end2, _ in together:
                lemmas |= context_lemmas(
                    words, (start1 - base, end1 - base), (start2 - base, end2 - base)
                )
            for relation in facts.relations_of(pair):
                counts.setdefault(relation, ContextCounts()).add(lemmas)

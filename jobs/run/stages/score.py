"""Score: hit counts over the text index for the sampled facts that the database cannot decide."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from evaluator.annotators.evidence import CONTEXT, COUNTS
from evaluator.counting.bulk import count_shards
from evaluator.counting.definition import Denominator
from evaluator.counting.elements import entity_element, relation_element
from evaluator.counting.fact_table import FactTable
from evaluator.counting.name_variants import NameVariant
from evaluator.estimators.tallies import CANDIDATES, CANDIDATES_REST, system_population, system_rest
from evaluator.wordnet.chosen import Lexicon
from indexes.engine import PART, Batches, Engine, Mapped, TableQuery
from indexes.finished_parts import FinishedParts
from indexes.function_paths import FunctionPath
from indexes.text.manifest import ShardManifest
from indexes.text.shard import IndexShard
from jobs.run.stages.rows import FACT, FACT_COLUMNS, FACT_FIELDS

_COUNTS = (*COUNTS, *CONTEXT)
COUNTED = pa.schema(
    [
        *FACT_FIELDS,
        ("known", pa.int32()),  # how many of the two entities D has a name for
        *((name, pa.int64()) for name in _COUNTS),  # the context is null where not asked for
    ]
)
_BYTES_PER_FACT = 100  # a task has as many facts as its bound of memory holds
_LEAST = 20_000  # fewer are not divided: each task looks up what its facts share
_PARTS = 20  # a block has the facts of so many parts of other stages, since its shards divide it

type Cuts = dict[str, int | None]
"""Largest sampling key inside each population's sample; None where the sample is a census."""


def populations(engine: Engine, systems: Iterable[str], *, corpus: bool) -> dict[str, str]:
    """Return the populations that are sampled: for each the condition that a fact belongs to it.

    Without a corpus these are only those of the systems.
    """
    members: dict[str, str] = {}
    if corpus:
        members |= {CANDIDATES: "candidate", CANDIDATES_REST: "(candidate AND NOT matched)"}
    for name in systems:
        member = f"array_contains(systems, {engine.text(name)})"
        rest = f"({member} AND NOT matched)"
        members |= {system_population(name): member, system_rest(name): rest}
    return members


def sampling_cuts(
    engine: Engine, matched: str, members: Mapping[str, str], *, system: int, candidates: int
) -> Cuts:
    """Return the cuts that make each sample: the k smallest keys of its population.

    Samples are shared: a fact is in the sample of a system because of its key alone, so systems are
    compared on the same facts, and a larger k only adds.

    Parameters
    ----------
    engine, matched
        The engine, and its table of facts (``MATCHED``).
    members
        The populations (:func:`populations`).
    system, candidates
        Sizes of the samples of a system and of G'.
    """
    sizes = {
        name: candidates if name in (CANDIDATES, CANDIDATES_REST) else system for name in members
    }
    counts = ", ".join(f"count_if({member})" for member in members.values())
    [numbers] = engine.rows(f"SELECT {counts} FROM {matched}")
    sampled = [
        place
        for place, (size, number) in enumerate(zip(sizes.values(), numbers, strict=True))
        if number > size
    ]
    cuts: Cuts = dict.fromkeys(members)
    if sampled:  # in one query: Spark takes longer to plan one than to answer it
        names, conditions = list(members), list(members.values())
        smallest = " UNION ALL ".join(
            f"""SELECT {place} AS place, sample_key FROM (
                SELECT sample_key FROM {matched} WHERE {conditions[place]}
                ORDER BY sample_key LIMIT {sizes[names[place]]}
            )"""
            for place in sampled
        )
        largest = f"SELECT place, max(sample_key) FROM ({smallest}) GROUP BY place"
        cuts |= {names[place]: cut for place, cut in engine.rows(largest)}
    return cuts


def to_count(matched: str, members: Mapping[str, str], cuts: Cuts) -> str:
    """Return the query for the facts of all samples that the database leaves open."""
    return f"SELECT {FACT_COLUMNS} FROM {matched} WHERE {asked(members, cuts)}"


def asked(members: Mapping[str, str], cuts: Cuts) -> str:
    """Return the condition that the text judges a fact: it is in a sample, and D leaves it open."""
    sampled = " OR ".join(
        f"({member} AND {inside(cuts[name])})" for name, member in members.items()
    )
    return f"NOT matched AND NOT negated AND ({sampled})"


def inside(cut: int | None) -> str:
    """Return the condition that a fact's sampling key is inside `cut`."""
    return "true" if cut is None else f"sample_key <= {cut}"


def query_names(*, given: bool) -> str:
    """Return the query for what stands for each entity: ``entity, query_names, known``.

    It reads ``entities`` of the knowledge base and, with `given`, ``names``: what the facts of the
    systems call theirs, which counts where the knowledge base has no name.
    """
    known = "SELECT entity, query_names, 1 AS known FROM entities WHERE size(query_names) > 0"
    if not given:
        return known
    return f"""{known} UNION ALL
        SELECT n.entity, n.names AS query_names, 0 AS known
        FROM names n ANTI JOIN ({known}) k ON k.entity = n.entity"""


def counted(
    engine: Engine,
    asked: str,
    index: Path,
    words: Mapping[str, Sequence[str]],
    *,
    shards: Sequence[ShardManifest],
    x: int,
    reach: int,
    ordered: bool,
    denominator: Denominator,
    variants: Sequence[NameVariant],
    lexicon: Lexicon,
    context: bool,
    memory: int,
    given: bool,
    parts: FinishedParts | None = None,
) -> str:
    """Return the query for the hit counts of facts (``COUNTED``).

    Parameters
    ----------
    engine, asked
        The engine, and its table of the facts to count; beside it those of :func:`query_names`.
    index
        Folder of the text index.
    words
        Further words of relations, by their key (:mod:`evaluator.relations.expansion`).
    shards
        Its shards. A task counts one block of facts in one shard; the counts are then added up, so
        that it does not matter how the facts are cut into blocks.
    x, reach, ordered, denominator
        The distances of PROXIMITY and ANCHORED, and variants
        (:mod:`evaluator.counting.definition`).
    variants
        What stands for an entity beside its names.
    lexicon
        Knows the inflections of relations.
    context
        Whether to count the elements by themselves too
        (:class:`evaluator.counting.definition.Context`).
    memory
        Bytes that the positions of a task may take, and its facts as many again.
    given
        Whether the systems give facts (:func:`query_names`).
    parts
        Where finished parts are kept: what a block of facts counts in a shard.
    """
    [(facts,)] = engine.rows(f"SELECT count(*) FROM {asked}")
    in_parallel = min(-(-engine.parallelism // len(shards)), -(-facts // _LEAST))
    least = max(-(-facts * _BYTES_PER_FACT // memory), 1)
    blocks = max(least, in_parallel)
    if parts is not None:
        blocks = max(blocks, -(-facts // (_PARTS * parts.part_rows)))
        blocks = parts.division("hits", blocks, least=least)
    engine.view("query_names", query_names(given=given))
    engine.view(
        "blocked",
        f"""SELECT f.{", f.".join(FACT)}, coalesce(a.known, 0) + coalesce(b.known, 0) AS known,
            CAST({engine.number("f.e1")} % {blocks} AS INT) AS block
        FROM {asked} f
        LEFT JOIN query_names a ON a.entity = f.e1 LEFT JOIN query_names b ON b.entity = f.e2""",
    )
    # The names of an entity once for each block, not with every fact.
    engine.view(
        "block_names",
        """SELECT b.entity, q.query_names AS names, b.block FROM (
            SELECT e1 AS entity, block FROM blocked UNION SELECT e2 AS entity, block FROM blocked
        ) b JOIN query_names q ON q.entity = b.entity""",
    )
    engine.table("shards", [(number,) for number in range(len(shards))], _SHARD)
    part = f"s.shard, CAST(block * {len(shards)} + s.shard AS INT) AS {PART}"
    named = f"""SELECT {FACT_COLUMNS}, known, NULL AS names, {part}
        FROM blocked CROSS JOIN shards s
        UNION ALL SELECT entity AS e1, NULL AS r, NULL AS e2, NULL AS negated, NULL AS known, names,
            {part}
        FROM block_names CROSS JOIN shards s"""
    function = Count(
        tuple((engine.place(index / shard.name), shard) for shard in shards),
        words,
        x,
        reach,
        ordered,
        denominator,
        tuple(variants),
        lexicon,
        context,
        memory,
    )
    in_shards = Mapped(named, function, COUNTED, parts=blocks * len(shards))
    hits: TableQuery = in_shards
    if parts is not None and blocks * len(shards) > 1:
        hits = parts.made(engine, "hits", in_shards, division=blocks, rows=facts, unit="facts")
    engine.view("hits", hits)
    sums = ", ".join(f"CAST(sum({name}) AS BIGINT) AS {name}" for name in _COUNTS)
    return f"""SELECT {FACT_COLUMNS}, max(known) AS known, {sums} FROM hits
        GROUP BY {FACT_COLUMNS}"""


_SHARD = pa.schema([("shard", pa.int32())])


def relations(engine: Engine, facts: str) -> list[str]:
    """Return the distinct relation keys of a table of facts."""
    return sorted(r for (r,) in engine.rows(f"SELECT DISTINCT r FROM {facts}"))


@dataclass(frozen=True)
class Count:
    """Counts a block of facts in one shard of the index."""

    shards: tuple[tuple[FunctionPath, ShardManifest], ...]
    words: Mapping[str, Sequence[str]]
    x: int
    reach: int
    ordered: bool
    denominator: Denominator
    variants: tuple[NameVariant, ...]
    lexicon: Lexicon
    context: bool
    memory: int

    def __call__(self, batches: Batches) -> Batches:
        """Yield the hit counts of facts as ``COUNTED``."""
        # The whole part at once: each distinct element is looked up only once.
        parts = [batch for batch in batches if batch.num_rows]
        if not parts:
            return
        number, block, names = _block(parts)
        parts.clear()  # the rows are held once
        table = _fact_table(block, names, self.words, self.variants, self.lexicon)
        hits = count_shards(
            table,
            [_open_shard(*self.shards[number])],
            x=self.x,
            reach=self.reach,
            ordered=self.ordered,
            denominator=self.denominator,
            context=self.context,
            memory=self.memory,
        )
        masks = [*~table.defined.T, *[~table.defined[:, 1]] * len(CONTEXT)]
        counts = [pa.array(row, mask=mask) for row, mask in zip(hits.T, masks, strict=False)]
        counts += [pa.nulls(len(block), pa.int64())] * (len(_COUNTS) - len(counts))
        kept = [*(block[name] for name in FACT), block["known"].cast(pa.int32())]
        of_shard = pa.Table.from_arrays([*kept, *counts], schema=COUNTED)
        # Every fact is in the answer of the first shard; the others tell only what they hold.
        told = of_shard if number == 0 else of_shard.filter(hits.any(axis=1))
        yield from told.to_batches()


def _block(
    parts: Sequence[pa.RecordBatch],
) -> tuple[int, pa.Table, dict[str, Sequence[str]]]:
    """Return the shard of a part, its facts (with ``known``), and the names of their entities."""
    rows = pa.Table.from_batches(parts)
    (number,) = pc.unique(rows["shard"]).to_pylist()
    is_fact = pc.is_valid(rows["r"])
    named = rows.filter(pc.invert(is_fact)).select(["e1", "names"])
    names = dict(zip(named["e1"].to_pylist(), named["names"].to_pylist(), strict=True))
    return number, rows.select([*FACT, "known"]).filter(is_fact), names


def _fact_table(
    block: pa.Table,
    names: Mapping[str, Sequence[str]],
    words: Mapping[str, Sequence[str]],
    variants: Sequence[NameVariant],
    lexicon: Lexicon,
) -> FactTable:
    """Return the facts of a block; `names` of its entities, further `words` of its relations."""
    count = len(block)
    both = pa.chunked_array([*block["e1"].chunks, *block["e2"].chunks], pa.string())
    entities = both.combine_chunks().dictionary_encode()
    relations = block["r"].combine_chunks().dictionary_encode()
    ids, keys = entities.dictionary.to_pylist(), relations.dictionary.to_pylist()
    places = entities.indices.to_pylist()
    return FactTable.of_columns(
        places[:count],
        relations.indices.to_pylist(),
        places[count:],
        entity=lambda place: entity_element(ids[place], names.get(ids[place]), variants=variants),
        relation=lambda place: relation_element(
            keys[place], words.get(keys[place], ()), lexicon=lexicon
        ),
    )


@cache
def _open_shard(place: FunctionPath, shard: ShardManifest) -> IndexShard:
    """Return a shard, opened once per process, which keeps it for its life."""
    return IndexShard(place.here().parent, shard)

"""Score: hit counts over the text index for the sampled facts that the database cannot decide."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, reduce
from operator import or_
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as f

from evaluator.bulk_counting import count_shard
from evaluator.counting import Denominator
from evaluator.elements import entity_element, relation_element
from evaluator.evidence import CONTEXT, COUNTS
from evaluator.fact_table import FactTable
from evaluator.tallies import CANDIDATES, CANDIDATES_REST, system_population, system_rest
from indexes.index_manifest import ShardManifest
from indexes.shard import IndexShard
from jobs.stages.superset import FACT
from jobs.stages.tally import inside

_COLUMNS = [*COUNTS, *CONTEXT]
COUNTED = f"""
    e1 string, r string, e2 string, negated boolean,
    known int,
    {", ".join(f"{name} long" for name in _COLUMNS)}
"""
"""`known`: how many of the two entities D has a name for; Context is null where not asked for."""
_BLOCK = 1_000_000  # facts of a task

Cuts = dict[str, int | None]
"""Largest sampling key inside each population's sample; None where the sample is a census."""


def populations(systems: Iterable[str], *, corpus: bool) -> dict[str, Column]:
    """Return the populations that are sampled: for each the condition that a fact belongs to it.

    Without a corpus these are only those of the systems.
    """
    rest = ~f.col("matched")
    members: dict[str, Column] = {}
    if corpus:
        members |= {CANDIDATES: f.col("candidate"), CANDIDATES_REST: f.col("candidate") & rest}
    for name in systems:
        member = f.array_contains("systems", name)
        members |= {system_population(name): member, system_rest(name): member & rest}
    return members


def sampling_cuts(
    matched: DataFrame, members: Mapping[str, Column], *, system: int, candidates: int
) -> Cuts:
    """Return the cuts that make each sample: the k smallest keys of its population.

    Samples are shared: a fact is in the sample of a system because of its key alone, so systems are
    compared on the same facts, and a larger k only adds.
    """
    sizes = {
        name: candidates if name in (CANDIDATES, CANDIDATES_REST) else system for name in members
    }
    counts = [f.count_if(member).alias(name) for name, member in members.items()]
    population = matched.agg(*counts).collect()[0]
    sampled = [name for name, size in sizes.items() if population[name] > size]
    cuts: Cuts = dict.fromkeys(members)
    if sampled:  # in one query: Spark takes longer to plan one than to answer it
        smallest = (
            matched.where(members[name])
            .select(f.lit(name).alias("population"), "sample_key")
            .orderBy("sample_key")
            .limit(sizes[name])
            for name in sampled
        )
        largest = reduce(DataFrame.unionAll, smallest).groupBy("population").max("sample_key")
        cuts |= dict(largest.collect())
    return cuts


def to_count(matched: DataFrame, members: Mapping[str, Column], cuts: Cuts) -> DataFrame:
    """Return the facts of all samples that the database leaves open (columns ``FACT``)."""
    sampled = reduce(or_, (member & inside(cuts[name]) for name, member in members.items()))
    return matched.where("not matched and not negated").where(sampled).select(*FACT)


def query_names(entities: DataFrame, given: DataFrame | None) -> DataFrame:
    """Return what stands for each entity in a query: ``entity, query_names, known``.

    Parameters
    ----------
    entities
        The entities of the knowledge base: ``entity, query_names``.
    given
        What the facts of the systems call theirs (``GIVEN_NAMES``), which counts where the
        knowledge base has no name; None where the systems give extractions.
    """
    known = entities.where(f.size("query_names") > 0)
    known = known.select("entity", "query_names", f.lit(1).alias("known"))
    if given is None:
        return known
    others = given.select("entity", f.col("names").alias("query_names"), f.lit(0).alias("known"))
    return known.unionByName(others.join(known, "entity", "left_anti"))


def score(
    facts: DataFrame,
    names: DataFrame,
    index: Path,
    words: Mapping[str, Sequence[str]],
    *,
    shards: Sequence[ShardManifest],
    x: int,
    reach: int,
    ordered: bool,
    denominator: Denominator,
    context: bool,
    parallelism: int,
    memory: int,
) -> DataFrame:
    """Return the hit counts of `facts` (``COUNTED``).

    Parameters
    ----------
    facts
        Facts to count (columns ``FACT``).
    names
        Names of each entity as search forms (:func:`query_names`).
    index
        Folder of the text index, at the same path on every worker.
    words
        Further words of relations, by their key (:mod:`evaluator.relation_words`).
    shards
        Its shards. A task counts one block of facts in one shard; the counts are then added up, so
        that it does not matter how the facts are cut into blocks.
    x, reach, ordered, denominator
        The distances of PROXIMITY and ANCHORED, and variants (:mod:`evaluator.counting`).
    context
        Whether to count the elements by themselves too (:class:`evaluator.counting.Context`).
    parallelism
        Number of tasks that the cluster runs at once.
    memory
        Bytes that the positions of a task may take.
    """

    def count_block(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        # The whole partition at once: each distinct element is looked up only once.
        parts = [batch for batch in batches if batch.num_rows]
        if not parts:
            return
        block = pa.Table.from_batches(parts)
        (number,) = pc.unique(block["shard"]).to_pylist()
        table = _fact_table(block, words)
        hits = count_shard(
            table,
            _open_shard(str(index), shards[number]),
            x=x,
            reach=reach,
            ordered=ordered,
            denominator=denominator,
            context=context,
            memory=memory,
        )
        masks = [*~table.defined.T, *[~table.defined[:, 1]] * len(CONTEXT)]
        counts = [pa.array(row, mask=mask) for row, mask in zip(hits.T, masks, strict=False)]
        counts += [pa.nulls(len(block), pa.int64())] * (len(_COLUMNS) - len(counts))
        kept = [*FACT, "known"]
        counted = pa.Table.from_arrays([*(block[name] for name in kept), *counts], kept + _COLUMNS)
        # Every fact is in the answer of the first shard; the others tell only what they hold.
        yield from (counted if number == 0 else counted.filter(hits.any(axis=1))).to_batches()

    blocks = max(
        -(-facts.count() // _BLOCK),
        -(-parallelism // len(shards)),
    )
    block = f.pmod(f.xxhash64("e1"), f.lit(blocks))
    first, second = (
        names.select(
            f.col("entity").alias(f"e{n}"),
            f.col("query_names").alias(f"names{n}"),
            f.col("known").alias(f"known{n}"),
        )
        for n in (1, 2)
    )
    known = f.coalesce("known1", f.lit(0)) + f.coalesce("known2", f.lit(0))
    return (
        facts.join(first, "e1", "left")
        .join(second, "e2", "left")
        .select(*FACT, "names1", "names2", known.alias("known"), block.alias("block"))
        .withColumn("shard", f.explode(f.sequence(f.lit(0), f.lit(len(shards) - 1))))
        .repartitionById(
            blocks * len(shards), (f.col("block") * len(shards) + f.col("shard")).cast("int")
        )
        .mapInArrow(count_block, schema=COUNTED)
        .groupBy(*FACT)
        .agg(f.max("known").alias("known"), *(f.sum(name).alias(name) for name in _COLUMNS))
    )


def relations(facts: DataFrame) -> list[str]:
    """Return the distinct relation keys of facts."""
    return sorted(row.r for row in facts.select("r").distinct().collect())


def _fact_table(block: pa.Table, words: Mapping[str, Sequence[str]]) -> FactTable:
    """Return the facts of a block, their entities as the names that came with them."""
    names: dict[str, Sequence[str] | None] = {}
    for side, column in (("e1", "names1"), ("e2", "names2")):
        entities = block[side].combine_chunks().dictionary_encode()
        _, rows = np.unique(entities.indices.to_numpy(), return_index=True)
        named = block[column].take(pa.array(rows)).to_pylist()
        names.update(zip(block[side].take(pa.array(rows)).to_pylist(), named, strict=True))
    return FactTable.of_columns(
        *(block[name].to_pylist() for name in ("e1", "r", "e2")),
        entity=lambda entity: entity_element(entity, names[entity]),
        relation=lambda relation: relation_element(relation, words.get(relation, ())),
    )


@cache
def _open_shard(index: str, shard: ShardManifest) -> IndexShard:
    """Return a shard, opened once per Python worker, which keeps it for its life."""
    return IndexShard(Path(index), shard)

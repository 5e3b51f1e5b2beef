"""Score: hit counts over the text index for the sampled facts that the database cannot decide."""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache, reduce
from operator import or_
from pathlib import Path

import pandas as pd
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as f

from evaluator.elements import entity_element, relation_element
from evaluator.tallies import CANDIDATES, CANDIDATES_REST, system_population, system_rest
from indexes.text_index import TextIndex
from jobs.stages.superset import FACT
from jobs.stages.tally import inside

COUNTED = """
    e1 string, r string, e2 string, negated boolean,
    pair long, classic long, proximity long
"""
_ELEMENTS = """
    e1 string, r string, e2 string, negated boolean,
    names1 array<string>, names2 array<string>
"""

Cuts = dict[str, int | None]
"""Largest sampling key inside each population's sample; None where the sample is a census."""


def populations(systems: Iterable[str], *, corpus: bool) -> dict[str, Column]:
    """Return the populations that are sampled: for each the condition that a fact belongs to it.

    Without a corpus these are only those of the systems.
    """
    rest = ~f.col("matched")
    members = {}
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
    return {
        name: _cut(matched.where(member), sizes[name]) if population[name] > sizes[name] else None
        for name, member in members.items()
    }


def _cut(facts: DataFrame, size: int) -> int:
    """Return the `size`-th smallest sampling key."""
    smallest = facts.select("sample_key").orderBy("sample_key").limit(size)
    key: int = smallest.agg(f.max("sample_key")).collect()[0][0]
    return key


def to_count(matched: DataFrame, members: Mapping[str, Column], cuts: Cuts) -> DataFrame:
    """Return the facts of all samples that the database leaves open (columns ``FACT``)."""
    sampled = reduce(or_, (member & inside(cuts[name]) for name, member in members.items()))
    return matched.where("not matched and not negated").where(sampled).select(*FACT)


def query_names(entities: DataFrame, given: DataFrame | None) -> DataFrame:
    """Return what stands for each entity in a query: ``entity, query_names``.

    Parameters
    ----------
    entities
        The entities of the knowledge base: ``entity, query_names``.
    given
        What the facts of the systems call theirs (``GIVEN_NAMES``), which counts where the
        knowledge base has no name; None where the systems give extractions.
    """
    known = entities.select("entity", "query_names").where(f.size("query_names") > 0)
    if given is None:
        return known
    others = given.select("entity", f.col("names").alias("query_names"))
    return known.unionByName(others.join(known, "entity", "left_anti"))


def score(
    facts: DataFrame,
    names: DataFrame,
    index: Path,
    *,
    x: int,
    ordered: bool,
    denominator: str,
    partitions: int,
) -> DataFrame:
    """Return the hit counts of `facts` (``COUNTED``).

    Parameters
    ----------
    facts
        Facts to count (columns ``FACT``).
    names
        Names of each entity as search forms: ``entity, query_names`` (:func:`query_names`).
    index
        Folder of the text index, at the same path on every worker.
    x, ordered, denominator
        The distance of PROXIMITY, and its variants (:mod:`evaluator.counting`).
    partitions
        Number of tasks.
    """

    def count_batches(batches: Iterator[pd.DataFrame]) -> Iterator[pd.DataFrame]:
        # The whole partition at once: the index exports each distinct element only once.
        parts = [batch for batch in batches if not batch.empty]
        if not parts:
            return
        table = pd.concat(parts, ignore_index=True)
        elements = [
            (
                entity_element(row.e1, row.names1),
                relation_element(row.r),
                entity_element(row.e2, row.names2),
            )
            for row in table.itertuples(index=False)
        ]
        counts = _open_index(str(index)).count(
            elements, x=x, ordered=ordered, denominator=denominator
        )
        for column in ("pair", "classic", "proximity"):
            table[column] = pd.array([getattr(c, column) for c in counts], dtype="Int64")
        yield table[[*FACT, "pair", "classic", "proximity"]]

    first = names.select(f.col("entity").alias("e1"), f.col("query_names").alias("names1"))
    second = names.select(f.col("entity").alias("e2"), f.col("query_names").alias("names2"))
    return (
        facts.join(first, "e1", "left")
        .join(second, "e2", "left")
        .select(*FACT, "names1", "names2")
        # Relation words are the frequent elements: facts of one word are counted in one task.
        .repartition(partitions, "r")
        .mapInPandas(count_batches, schema=COUNTED)
    )


@cache
def _open_index(path: str) -> TextIndex:
    """Return the index, opened once per Python worker, which keeps it for its life."""
    return TextIndex.open(Path(path)).__enter__()

"""Superset: the facts that the systems state (S) and those that the corpus could state (G')."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

import pandas as pd
import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import functions as f

from evaluator.baselines import Baseline
from evaluator.given import GivenFact, link_given, names_of
from evaluator.linking import LinkedExtraction, link_extraction
from evaluator.model import Extraction, Fact
from evaluator.sampling import sample_key
from evaluator.superset import MOST_CANDIDATES, candidate_superset
from evaluator.text import search_form
from indexes.identifiers import canonical_id
from jobs.config import Link, Relation
from jobs.result import UNALIGNED
from jobs.stages.annotate import resolve_given
from jobs.stages.rows import rows_of, sentence_of

FACT = ["e1", "r", "e2", "negated"]

LINKED = """
    system string, line long, document string, number long,
    e1 string, r string, e2 string, negated boolean, reason string
"""
FACTS = """
    e1 string, r string, e2 string, negated boolean,
    candidate boolean, systems array<string>, sample_key long
"""
GIVEN_NAMES = "entity string, label string, names array<string>"


def link(
    extractions: DataFrame, annotated: DataFrame, settings: Link, relation: Relation
) -> DataFrame:
    """Return each extraction with its fact, or with the reason why it has none (``LINKED``).

    Extractions meet their sentence by its alignment key, which the reader keeps distinct.
    """
    linked_in = _linking(settings, relation)

    def link_batches(batches: Iterator[pd.DataFrame]) -> Iterator[pd.DataFrame]:
        for batch in batches:
            rows = []
            for row in rows_of(batch):
                if row.text is None:
                    rows.append((row.system, row.line, None, None, *_NO_FACT, UNALIGNED))
                    continue
                extraction = Extraction(
                    row.system,
                    row.line,
                    row.sentence,
                    row.arg1,
                    row.relation,
                    row.arg2,
                    negated=row.negated,
                    asserted=row.asserted,
                )
                linked = linked_in(sentence_of(row), extraction)
                fact, place = linked.fact or _NO_FACT, (row.document, row.number)
                rows.append((row.system, row.line, *place, *fact, linked.reason))
            yield pd.DataFrame(rows, columns=_LINKED_COLUMNS)

    return extractions.join(annotated, "key", "left").mapInPandas(link_batches, schema=LINKED)


_HELD = 1 << 18  # candidates that a worker holds, but for those of its last sentence
_LINKED_COLUMNS = ["system", "line", "document", "number", *FACT, "reason"]
_NO_FACT = (None,) * len(FACT)


def extract(
    annotated: DataFrame, baselines: Mapping[str, Baseline], settings: Link, relation: Relation
) -> DataFrame:
    """Return what baselines extract of the sentences, linked like any extraction (``LINKED``)."""
    linked_in = _linking(settings, relation)

    def extract_batches(batches: Iterator[pd.DataFrame]) -> Iterator[pd.DataFrame]:
        for batch in batches:
            rows = []
            for row in rows_of(batch):
                sentence = sentence_of(row)
                for system, baseline in baselines.items():
                    for extraction in baseline.extractions(sentence, system=system):
                        linked = linked_in(sentence, extraction)
                        fact = linked.fact or _NO_FACT
                        place = (row.document, row.number)
                        rows.append((system, extraction.line, *place, *fact, linked.reason))
            yield pd.DataFrame(rows, columns=_LINKED_COLUMNS)

    return annotated.mapInPandas(extract_batches, schema=LINKED)


def _linking(settings: Link, relation: Relation) -> Callable[..., LinkedExtraction]:
    """Return :func:`link_extraction` with the settings of a run."""
    return partial(
        link_extraction,
        arguments=settings.arguments,
        scope=settings.scope,
        negation=settings.negation,
        unasserted=settings.unasserted,
        key=relation.key,
    )


def resolve_facts(given: DataFrame, entities: DataFrame, ids: DataFrame) -> DataFrame:
    """Return the facts as read with their identifiers as the knowledge base has them.

    Those that it does not know stay as written. `entities` and `ids` are tables of the knowledge
    base.
    """
    sides = ("e1", "e2")
    named = given.select(
        f.array(*(f.struct(f.col(side).alias("entity")) for side in sides)).alias("mentions")
    )
    meaning = resolve_given(named, entities, ids)
    for side in sides:
        of_side = meaning.select(f.col("id").alias(side), f.col("entity").alias("meant"))
        given = given.join(of_side, side).withColumn(side, f.col("meant")).drop("meant")
    return given


def link_facts(given: DataFrame, settings: Link, relation: Relation) -> DataFrame:
    """Return each given fact with the fact that it is, or the reason why it is none (``LINKED``).

    `given` is as :func:`resolve_facts` returns it.
    """
    options = {"scope": settings.scope, "negation": settings.negation, "key": relation.key}

    def link_batches(batches: Iterator[pd.DataFrame]) -> Iterator[pd.DataFrame]:
        for batch in batches:
            rows = []
            for one in map(_given, rows_of(batch)):
                linked = link_given(one, identify=canonical_id, **options)
                fact = linked.fact or _NO_FACT
                rows.append((one.system, one.line, None, None, *fact, linked.reason))
            yield pd.DataFrame(rows, columns=_LINKED_COLUMNS)

    return given.mapInPandas(link_batches, schema=LINKED)


def given_names(given: DataFrame) -> DataFrame:
    """Return what the given facts call each entity (``GIVEN_NAMES``).

    ``names`` holds the distinct search forms, sorted; ``label`` is the first name as written.
    """

    def name_batches(batches: Iterator[pd.DataFrame]) -> Iterator[pd.DataFrame]:
        for batch in batches:
            facts = map(_given, rows_of(batch))
            rows = {row for one in facts for row in names_of(one, identify=canonical_id)}
            named = [(entity, name, search_form(name)) for entity, name in sorted(rows)]
            yield pd.DataFrame(named, columns=["entity", "name", "form"])

    return (
        given.mapInPandas(name_batches, schema="entity string, name string, form string")
        .groupBy("entity")
        .agg(f.min("name").alias("label"), f.sort_array(f.collect_set("form")).alias("names"))
    )


def crowded(annotated: DataFrame) -> int:
    """Return how many sentences :func:`~evaluator.superset.is_crowded` leaves out of G'."""
    mentions = f.size("mentions").cast("long")
    pairs = mentions * (mentions - 1) / 2
    return annotated.where(pairs * f.size("relation_words") > MOST_CANDIDATES).count()


def _given(row: Any) -> GivenFact:
    return GivenFact(
        row.system, row.line, row.e1, row.relation, row.e2, name1=row.name1, name2=row.name2
    )


def superset(
    annotated: DataFrame | None, linked: DataFrame, *, direction: str, seed: int
) -> DataFrame:
    """Return the distinct facts of S ∪ G' (``FACTS``): who states them, and their sampling key.

    Without a corpus, G' is not known and no fact is marked as a candidate.
    """

    def candidates(batches: Iterator[pd.DataFrame]) -> Iterator[pd.DataFrame]:
        for batch in batches:
            facts: set[Fact] = set()
            for row in rows_of(batch):
                facts.update(candidate_superset(sentence_of(row), direction=direction))
                if len(facts) >= _HELD:  # what comes twice becomes one below
                    yield pd.DataFrame(sorted(facts), columns=FACT)
                    facts = set()
            yield pd.DataFrame(sorted(facts), columns=FACT)

    def add_keys(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            facts = zip(*(batch[name].to_pylist() for name in FACT), strict=True)
            keys = [sample_key(seed, Fact(*fact)) for fact in facts]
            yield batch.append_column("sample_key", pa.array(keys, pa.int64()))

    fact_schema = "e1 string, r string, e2 string, negated boolean"
    stated = linked.where("reason is null").select(*FACT, "system")
    if annotated is not None:
        pairs = annotated.where(f.size("mentions") > 1)
        of_corpus = pairs.mapInPandas(candidates, schema=fact_schema)
        stated = of_corpus.withColumn("system", f.lit(None).cast("string")).unionByName(stated)
    return (
        stated.groupBy(*FACT)
        .agg(
            f.max(f.col("system").isNull()).alias("candidate"),
            f.sort_array(f.collect_set("system")).alias("systems"),
        )
        .mapInArrow(add_keys, schema=FACTS)
    )

"""Superset: the facts that the systems state (S) and those that the corpus could state (G')."""

from collections.abc import Iterator

import pandas as pd
from pyspark.sql import DataFrame
from pyspark.sql import functions as f

from evaluator.linking import link_extraction
from evaluator.model import Extraction, Fact
from evaluator.sampling import sample_key
from evaluator.superset import candidate_superset
from jobs.config import Link, Relation
from jobs.result import UNALIGNED
from jobs.stages.annotate import sentence_of

FACT = ["e1", "r", "e2", "negated"]

LINKED = """
    system string, line long, document string, number long,
    e1 string, r string, e2 string, negated boolean, reason string
"""
FACTS = """
    e1 string, r string, e2 string, negated boolean,
    candidate boolean, systems array<string>, sample_key long
"""


def link(
    extractions: DataFrame, annotated: DataFrame, settings: Link, relation: Relation
) -> DataFrame:
    """Return each extraction with its fact, or with the reason why it has none (``LINKED``).

    Extractions meet their sentence by its alignment key, which the reader keeps distinct.
    """
    options = {
        "arguments": settings.arguments,
        "scope": settings.scope,
        "negation": settings.negation,
    }

    def link_batches(batches: Iterator[pd.DataFrame]) -> Iterator[pd.DataFrame]:
        for batch in batches:
            rows = []
            for row in batch.itertuples(index=False):
                fact, reason = None, UNALIGNED
                if row.text is not None:
                    extraction = Extraction(
                        row.system, row.line, row.sentence, row.arg1, row.relation, row.arg2
                    )
                    linked = link_extraction(
                        sentence_of(row), extraction, key=relation.key, **options
                    )
                    fact, reason = linked.fact, linked.reason
                place = (row.document, row.number) if row.text is not None else (None, None)
                rows.append((row.system, row.line, *place, *(fact or (None,) * 4), reason))
            yield pd.DataFrame(rows, columns=_LINKED_COLUMNS)

    return extractions.join(annotated, "key", "left").mapInPandas(link_batches, schema=LINKED)


_LINKED_COLUMNS = ["system", "line", "document", "number", *FACT, "reason"]


def superset(annotated: DataFrame, linked: DataFrame, *, direction: str, seed: int) -> DataFrame:
    """Return the distinct facts of S ∪ G' (``FACTS``): who states them, and their sampling key."""

    def candidates(batches: Iterator[pd.DataFrame]) -> Iterator[pd.DataFrame]:
        for batch in batches:
            facts = {
                fact
                for row in batch.itertuples(index=False)
                for fact in candidate_superset(sentence_of(row), direction=direction)
            }
            yield pd.DataFrame(sorted(facts), columns=FACT)

    @f.pandas_udf("long")
    def keys(e1: pd.Series, r: pd.Series, e2: pd.Series, negated: pd.Series) -> pd.Series:
        rows = zip(e1, r, e2, negated, strict=True)
        return pd.Series([sample_key(seed, Fact(*row[:3], bool(row[3]))) for row in rows])

    fact_schema = "e1 string, r string, e2 string, negated boolean"
    of_corpus = annotated.where(f.size("mentions") > 1).mapInPandas(candidates, schema=fact_schema)
    of_systems = linked.where("reason is null").select(*FACT, "system")
    return (
        of_corpus.withColumn("system", f.lit(None).cast("string"))
        .unionByName(of_systems)
        .groupBy(*FACT)
        .agg(
            f.max(f.col("system").isNull()).alias("candidate"),
            f.sort_array(f.collect_set("system")).alias("systems"),
        )
        .withColumn("sample_key", keys(*FACT))
    )

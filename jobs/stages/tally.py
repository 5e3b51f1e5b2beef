"""Tally: the judged facts counted by cell, all that the estimators need."""

from collections.abc import Iterator, Mapping

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as f
from pyspark.sql.types import DoubleType, StructField, StructType

from evaluator.annotators import AnyAnnotator
from evaluator.evidence import CONTEXT, COUNTS, Evidence
from evaluator.tallies import Cell
from jobs.annotator import Histogram, fact_scores
from jobs.given_facts import Item
from jobs.stages.superset import FACT

JUDGED = """
    every column of MATCHED and of COUNTED (null where not counted or undefined), then score double,
    verdict string, samples array<string>
"""
_FITTED = ["pair", "proximity", "topic", "anchored"]


def histogram(counted: DataFrame, *, documents: int) -> Histogram:
    """Return the distinct counts of the counted facts, and how many facts have each.

    Parameters
    ----------
    counted
        The hit counts (``COUNTED``).
    documents
        Size of the collection.
    """
    rows = counted.where(f.col("classic").isNotNull()).groupBy(*_FITTED).count().orderBy(*_FITTED)
    table = rows.toArrow()
    columns = {name: table[name].to_numpy() for name in [*_FITTED, "count"]}
    pair, none = columns["pair"], np.zeros(len(table), dtype=np.int64)
    hits = np.stack(
        [pair, none, columns["proximity"], columns["topic"], columns["anchored"]], axis=1
    )
    return Evidence.of(hits, documents=documents), columns["count"]


def judge(
    matched: DataFrame,
    counted: DataFrame,
    cuts: Mapping[str, int | None],
    members: Mapping[str, Column],
    annotator: AnyAnnotator,
    *,
    documents: int,
) -> DataFrame:
    """Return the facts with score, verdict and the samples that they are in (``JUDGED``).

    Parameters
    ----------
    matched, counted
        The census against the database and the hit counts.
    cuts
        Largest sampling key inside each population's sample; None for a census.
    members
        For each population, the condition under which a fact belongs to it.
    annotator
        Scores what the database leaves open.
    documents
        Size of the collection that the facts were counted in.
    """

    def score(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            scores = fact_scores(evidence(batch, documents), annotator, items(batch))
            yield batch.append_column("score", pa.array(scores, from_pandas=True))

    joined = matched.join(counted, FACT, "left")
    schema = StructType([*joined.schema, StructField("score", DoubleType())])
    samples = [
        f.when(members[name] & inside(cut), f.lit(name)) for name, cut in sorted(cuts.items())
    ]
    judged = f.size("samples") > 0
    verdict = (
        f.when(f.col("matched"), "matched")
        .when(judged & f.col("negated"), "negated")
        .when(judged & (f.col("r") == ""), "no relation word")
        .when(judged & f.col("score").isNull(), "no pair")
        .when(f.col("score") >= annotator.threshold, "accepted")
        .when(f.col("score") < annotator.threshold, "rejected")
    )
    return (
        joined.mapInArrow(score, schema=schema)
        .withColumn("samples", f.array_compact(f.array(*samples)))
        .withColumn("verdict", verdict)
    )


def evidence(batch: pa.RecordBatch, documents: int) -> Evidence:
    """Return what is known of facts; those that were not counted are not defined."""
    hits = [pc.fill_null(batch[name], 0).to_numpy() for name in (*COUNTS, *CONTEXT)]
    similarity = batch["similarity"].to_numpy(zero_copy_only=False)
    return Evidence.of(
        np.stack(hits, axis=1),
        documents=documents,
        defined=pc.is_valid(batch["classic"]).to_numpy(zero_copy_only=False),
        similarity=similarity.astype(np.float64),
        known=pc.fill_null(batch["known"], 0).to_numpy(),
        relation=batch["r"].to_pylist(),
    )


def items(batch: pa.RecordBatch) -> list[Item]:
    """Return the facts of a batch as e1, r, e2."""
    return list(zip(*(batch[name].to_pylist() for name in ("e1", "r", "e2")), strict=True))


def tally(judged: DataFrame) -> list[Cell]:
    """Return the cells of the judged facts, in a fixed order."""
    groups = judged.groupBy("candidate", "systems", "matched", "verdict", "samples").count()
    cells = [
        Cell(
            row.candidate,
            frozenset(row.systems),
            row.matched,
            row.verdict,
            frozenset(row.samples),
            row["count"],
        )
        for row in groups.collect()
    ]
    return sorted(
        cells, key=lambda c: (c.candidate, sorted(c.systems), str(c.verdict), sorted(c.samples))
    )


def inside(cut: int | None) -> Column:
    """Return the condition that a fact's sampling key is inside `cut`."""
    return f.lit(True) if cut is None else f.col("sample_key") <= cut

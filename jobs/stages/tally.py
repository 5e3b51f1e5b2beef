"""Tally: the judged facts counted by cell, all that the estimators need."""

from collections.abc import Mapping

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as f

from evaluator.tallies import Cell
from jobs.stages.superset import FACT

JUDGED = """
    every column of MATCHED, then pair, classic, proximity long (null where not counted or
    undefined), pmi double, verdict string, samples array<string>
"""


def judge(
    matched: DataFrame,
    counted: DataFrame,
    cuts: Mapping[str, int | None],
    members: Mapping[str, Column],
    *,
    variant: str,
    threshold: float,
) -> DataFrame:
    """Return the facts with PMI, verdict and the samples that they are in (``JUDGED``).

    Parameters
    ----------
    matched, counted
        The census against the database and the hit counts.
    cuts
        Largest sampling key inside each population's sample; None for a census.
    members
        For each population, the condition under which a fact belongs to it.
    variant, threshold
        ``"classic"`` or ``"proximity"``, and t.
    """
    pmi = f.when(f.col("pair") > 0, f.col(variant) / f.col("pair"))
    samples = [
        f.when(members[name] & inside(cut), f.lit(name)) for name, cut in sorted(cuts.items())
    ]
    judged = f.size("samples") > 0
    verdict = (
        f.when(f.col("matched"), "matched")
        .when(judged & f.col("negated"), "negated")
        .when(judged & (f.col("r") == ""), "no relation word")
        .when(judged & f.col("pmi").isNull(), "no pair")
        .when(f.col("pmi") >= threshold, "accepted")
        .when(f.col("pmi") < threshold, "rejected")
    )
    return (
        matched.join(counted, FACT, "left")
        .withColumn("pmi", pmi)
        .withColumn("samples", f.array_compact(f.array(*samples)))
        .withColumn("verdict", verdict)
    )


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

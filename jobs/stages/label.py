"""Label: the judged facts counted by the classes that labels were drawn from."""

from collections.abc import Iterable

from pyspark.sql import DataFrame
from pyspark.sql import functions as f

from evaluator.label_design import Judged, LabelCell, Stratification, label_cells
from evaluator.model import Fact
from jobs.judged_table import judged_facts
from jobs.stages.superset import FACT

_KIND = ["candidate", "systems", "matched", "verdict", "score", "pair"]


def cells(judged: DataFrame, stratification: Stratification) -> list[LabelCell]:
    """Return the label cells of all judged facts.

    The cluster counts the facts of each kind: those that agree in all that a stratification looks
    at. It looks at a sampling key only to ask on which side of a cut it is.
    """
    sides = f.array(*(f.col("sample_key") <= cut for cut in stratification.known_cuts()))
    kinds = (
        judged.groupBy(*_KIND, sides.cast("array<boolean>").alias("sides"))
        .agg(f.min("sample_key").alias("key"), f.count("*").alias("facts"))
        .collect()
    )
    facts = judged_facts([*(row[name] for name in _KIND), row.key] for row in kinds)
    return label_cells(dict(zip(facts, (row.facts for row in kinds), strict=True)), stratification)


def look_up(judged: DataFrame, facts: Iterable[Fact]) -> dict[Fact, Judged]:
    """Return those of `facts` that the run has, as it judged them."""
    wanted = judged.sparkSession.createDataFrame(
        [tuple(fact) for fact in sorted(facts)], "e1 string, r string, e2 string, negated boolean"
    )
    found = judged.join(f.broadcast(wanted), FACT).select(*FACT, *_KIND, "sample_key").collect()
    return {
        Fact(*row[: len(FACT)]): fact
        for row, fact in zip(found, judged_facts(row[len(FACT) :] for row in found), strict=True)
    }

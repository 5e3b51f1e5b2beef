"""Label: the judged facts counted by the classes that labels were drawn from."""

from collections.abc import Iterable, Iterator

import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import functions as f

from evaluator.label_design import (
    Judged,
    LabelCell,
    Place,
    Stratification,
    in_fixed_order,
    label_cells,
)
from evaluator.model import Fact
from jobs.label_folder import judged_facts
from jobs.stages.superset import FACT

_JUDGED = ["candidate", "systems", "matched", "verdict", "pmi", "pair", "sample_key"]
_CELLS = """
    group string, class string, candidate boolean, systems array<string>,
    facts long, score long, squares long
"""


def cells(judged: DataFrame, stratification: Stratification) -> list[LabelCell]:
    """Return the label cells of all judged facts."""

    def count(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        rows = (row for batch in batches for row in batch.to_pylist())
        counted = [
            {
                "group": cell.place.group,
                "class": cell.place.name,
                "candidate": cell.candidate,
                "systems": sorted(cell.systems),
                "facts": cell.facts,
                "score": cell.score,
                "squares": cell.squares,
            }
            for cell in label_cells(judged_facts(rows), stratification)
        ]
        if counted:
            yield pa.RecordBatch.from_pylist(counted)

    parts = judged.select(*_JUDGED).mapInArrow(count, schema=_CELLS)
    keys = ["group", "class", "candidate", "systems"]
    summed = parts.groupBy(*keys).agg(*(f.sum(n).alias(n) for n in ("facts", "score", "squares")))
    return in_fixed_order(
        LabelCell(
            Place(row.group, row["class"]),
            row.candidate,
            frozenset(row.systems),
            row.facts,
            row.score,
            row.squares,
        )
        for row in summed.collect()
    )


def look_up(judged: DataFrame, facts: Iterable[Fact]) -> dict[Fact, Judged]:
    """Return those of `facts` that the run has, as it judged them."""
    spark = judged.sparkSession
    wanted = spark.createDataFrame(
        [tuple(fact) for fact in sorted(facts)], "e1 string, r string, e2 string, negated boolean"
    )
    found = judged.join(f.broadcast(wanted), FACT).select(*FACT, *_JUDGED).collect()
    rows = [row.asDict() for row in found]
    keys = (Fact(*(row[name] for name in FACT)) for row in rows)
    return dict(zip(keys, judged_facts(rows), strict=True))

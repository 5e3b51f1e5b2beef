"""The report of a run: which verdicts to show, with their evidence."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from pyspark.sql import Column, DataFrame, Row, Window
from pyspark.sql import functions as f

from evaluator.counting import Counts, Element, FactElements
from evaluator.counting import pmi as score
from evaluator.elements import entity_element, relation_element
from evaluator.report import render_report
from evaluator.tallies import system_rest
from indexes.knowledge_base import KnowledgeBase
from indexes.text_index import TextIndex
from jobs.config import Configuration, Pmi
from jobs.evidence import Evidence
from jobs.explanation import snippet_parts

_SHOWN = 20
_PMI_VALUES = 10_000

_TRUE = {"matched": True, "accepted": True, "rejected": False}
_REGION = {"matched": "b", "accepted": "a"}
_TABLE = {"matched": "strongest", "accepted": "strongest", "rejected": "weakest"}


def write_report(
    result: Mapping[str, Any],
    judged: DataFrame,
    given: DataFrame | None,
    found: Evidence,
    configuration: Configuration,
    out: Path,
) -> None:
    """Write ``report.html``.

    Parameters
    ----------
    result
        Content of ``result.json``.
    judged
        The judged facts (``JUDGED``).
    given
        What the systems' facts call their entities (``GIVEN_NAMES``); None for extractions.
    found
        The evidence, for labels and snippets.
    configuration
        The run.
    out
        The file to write.
    """
    by_system = judged.select(f.explode("systems").alias("system"), "*")
    rows = _shown(by_system, configuration.pmi.variant)
    names = _Names(found.kb, _given_names(rows, given))
    with TextIndex.open(found.index_path) as index:
        verdicts = _verdicts(rows, names, index, configuration.pmi)
    tables: dict[str, dict[str, list[Any]]] = {
        name: {"strongest": [], "weakest": []} for name in result["systems"]
    }
    for row, verdict in zip(rows, verdicts, strict=True):
        tables[row.system][_TABLE[row.verdict]].append(verdict)
    out.write_text(render_report(result, tables, _pmi_values(by_system)), encoding="utf-8")


def _shown(by_system: DataFrame, variant: str) -> list[Row]:
    """Return the facts to show of every system, strongest evidence first.

    For correct: up to half from the database, by similarity, the others from the text, by PMI.
    Against: rejected facts whose pair the text knows best.
    """
    strength = (
        f.when(f.col("verdict") == "matched", f.col("similarity"))
        .when(f.col("verdict") == "accepted", f.col("pmi"))
        .otherwise(-f.col("pmi"))
    )
    support = f.when(f.col("verdict") == "accepted", f.col(variant)).otherwise(f.col("pair"))
    place = _places(strength.desc(), support.desc(), within=["verdict"])
    rows = (
        by_system.where(f.col("verdict").isin(list(_TABLE)))
        .withColumn("place", place)
        .where(f.col("place") <= _SHOWN)
        .orderBy("system", "verdict", "place")
        .collect()
    )
    by_verdict: dict[tuple[str, str], list[Row]] = defaultdict(list)
    for row in rows:
        by_verdict[row.system, row.verdict].append(row)
    shown: list[Row] = []
    for system in dict.fromkeys(row.system for row in rows):
        matched, accepted = (by_verdict[system, kind] for kind in ("matched", "accepted"))
        from_database = matched[: max(_SHOWN // 2, _SHOWN - len(accepted))]
        shown += from_database + accepted[: _SHOWN - len(from_database)]
        shown += by_verdict[system, "rejected"]
    return shown


def _pmi_values(by_system: DataFrame) -> dict[str, list[float | None]]:
    """Return the PMI of each system's sampled facts that the database leaves open."""
    # Its own sample, not the facts that the sample of G' happens to share with it.
    own = f.array_contains("samples", f.concat(f.lit(system_rest("")), f.col("system")))
    sampled = by_system.where(own)
    rows = sampled.withColumn("place", _places()).where(f.col("place") <= _PMI_VALUES)
    values: dict[str, list[float | None]] = defaultdict(list)
    for row in rows.orderBy("system", "place").select("system", "pmi").collect():
        values[row.system].append(row.pmi)
    return values


def _places(*order: Column, within: Sequence[str] = ()) -> Column:
    """Return the place of a fact within its system: by `order`, then by the sampling key."""
    window = Window.partitionBy("system", *within)
    return f.row_number().over(window.orderBy(*order, "sample_key", "e1", "r", "e2"))


def _verdicts(
    rows: Sequence[Row], names: "_Names", index: TextIndex, pmi: Pmi
) -> list[dict[str, Any]]:
    """Return the rows of the report's tables, each with its best snippet."""
    elements = [
        (names.element(row.e1), relation_element(row.r), names.element(row.e2)) for row in rows
    ]
    # The database's facts too: a run does not need their counts, a reader does.
    counts = index.count(elements, x=pmi.x, ordered=pmi.ordered, denominator=pmi.denominator)
    return [
        _verdict(row, fact, count, names, index, pmi)
        for row, fact, count in zip(rows, elements, counts, strict=True)
    ]


def _verdict(
    row: Row,
    elements: FactElements,
    counts: Counts,
    names: "_Names",
    index: TextIndex,
    pmi: Pmi,
) -> dict[str, Any]:
    snippets = index.snippets(*elements, x=pmi.x, most=1)
    return {
        "e1": names.label(row.e1),
        "r": row.r,
        "e2": names.label(row.e2),
        "verdict": _TRUE[row.verdict],
        "region": _REGION.get(row.verdict),
        "relation": row.relation and _relation_label(row, names.kb),
        "similarity": row.similarity,
        **counts._asdict(),
        "pmi": score(counts, pmi.variant),
        "snippet": snippet_parts(snippets[0]) if snippets else None,
    }


def _given_names(rows: Sequence[Row], given: DataFrame | None) -> dict[str, Row]:
    """Return what the systems' facts call the entities of `rows`."""
    if given is None:
        return {}
    entities = sorted({entity for row in rows for entity in (row.e1, row.e2)})
    return {row.entity: row for row in given.where(f.col("entity").isin(entities)).collect()}


def _relation_label(row: Row, kb: KnowledgeBase) -> str:
    label = kb.relation(row.relation).label
    return f"inverse of {label}" if row.inverse else label


class _Names(NamedTuple):
    """What entities are called: by the knowledge base, else by the facts as given."""

    kb: KnowledgeBase
    given: Mapping[str, Row]

    def label(self, entity: str) -> str:
        label = self.kb.label(entity)
        return self.given[entity].label if label == entity and entity in self.given else label

    def element(self, entity: str) -> Element:
        row = self.given.get(entity)
        return self.kb.query_names(entity) or entity_element(entity, row and row.names)

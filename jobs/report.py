"""The report of a run: which verdicts to show, with their evidence."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from math import isnan, nan
from pathlib import Path
from typing import Any, NamedTuple

from pyspark.sql import Column, DataFrame, Row, Window
from pyspark.sql import functions as f

from evaluator.annotators import AnyAnnotator
from evaluator.annotators.pmi import Variant
from evaluator.counting import Element
from evaluator.elements import entity_element, relation_element
from evaluator.evidence import Evidence
from evaluator.fact_table import FactTable
from evaluator.report import render_report
from evaluator.tallies import system_rest
from indexes.knowledge_base import KnowledgeBase
from indexes.text_index import TextIndex
from jobs import evidence as sources
from jobs.annotator import fact_parts, fact_scores, knows_matched, needs_context
from jobs.config import Configuration
from jobs.explanation import snippet_parts
from jobs.widening import run_words

_SHOWN = 20
_SCORES = 10_000

_TRUE = {"matched": True, "accepted": True, "rejected": False}
_REGION = {"matched": "b", "accepted": "a"}
_TABLE = {"matched": "strongest", "accepted": "strongest", "rejected": "weakest"}


def write_report(
    result: Mapping[str, Any],
    judged: DataFrame,
    given: DataFrame | None,
    found: sources.Evidence,
    configuration: Configuration,
    out: Path,
    *,
    annotator: AnyAnnotator,
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
    annotator
        Of the run: it scores the facts that are shown.
    """
    by_system = judged.select(f.explode("systems").alias("system"), "*")
    variant = configuration.pmi.variant if configuration.annotator == "pmi" else "proximity"
    rows = _shown(by_system, variant)
    names = _Names(found.kb, _given_names(rows, given))
    with TextIndex(found.index_path) as index:
        verdicts = _verdicts(rows, names, index, annotator, configuration)
    tables: dict[str, dict[str, list[Any]]] = {
        name: {"strongest": [], "weakest": []} for name in result["systems"]
    }
    for row, verdict in zip(rows, verdicts, strict=True):
        tables[row.system][_TABLE[row.verdict]].append(verdict)
    out.write_text(render_report(result, tables, _scores(by_system)), encoding="utf-8")


def _shown(by_system: DataFrame, variant: Variant) -> list[Row]:
    """Return the facts to show of every system, strongest evidence first.

    For correct: up to half from the database, by similarity, the others from the text, by
    score. Against: rejected facts, of equal scores those that the text could have stated most
    often. `variant` is that of the PMI that speaks for a fact.
    """
    strength = (
        f.when(f.col("verdict") == "matched", f.col("similarity"))
        .when(f.col("verdict") == "accepted", f.col("score"))
        .otherwise(-f.col("score"))
    )
    possible = "topic" if variant == "anchored" else "pair"
    support = f.when(f.col("verdict") == "accepted", f.col(variant)).otherwise(f.col(possible))
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


def _scores(by_system: DataFrame) -> dict[str, list[float | None]]:
    """Return the scores of each system's sampled facts that the database leaves open."""
    # Its own sample, not the facts that the sample of G' happens to share with it.
    own = f.array_contains("samples", f.concat(f.lit(system_rest("")), f.col("system")))
    sampled = by_system.where(own)
    rows = sampled.withColumn("place", _places()).where(f.col("place") <= _SCORES)
    values: dict[str, list[float | None]] = defaultdict(list)
    for row in rows.orderBy("system", "place").select("system", "score").collect():
        values[row.system].append(row.score)
    return values


def _places(*order: Column, within: Sequence[str] = ()) -> Column:
    """Return the place of a fact within its system: by `order`, then by the sampling key."""
    window = Window.partitionBy("system", *within)
    return f.row_number().over(window.orderBy(*order, "sample_key", "e1", "r", "e2"))


def _verdicts(
    rows: Sequence[Row],
    names: "_Names",
    index: TextIndex,
    annotator: AnyAnnotator,
    configuration: Configuration,
) -> list[dict[str, Any]]:
    """Return the rows of the report's tables, each with its best snippet."""
    pmi = configuration.pmi
    words = run_words(configuration, lambda: {row.r for row in rows}, names.kb)
    elements = [
        (
            names.element(row.e1),
            relation_element(row.r, words.get(row.r, ())),
            names.element(row.e2),
        )
        for row in rows
    ]
    table = FactTable.of(elements)
    # The database's facts too: a run does not need their counts, a reader does.
    hits = index.hits(
        table,
        **pmi.counting,
        context=needs_context(configuration),
    )
    evidence = Evidence.of(
        hits,
        documents=index.manifest.documents,
        defined=table.defined[:, 1],
        similarity=[nan if row.similarity is None else row.similarity for row in rows],
        known=[sum(bool(names.kb.query_names(e)) for e in (row.e1, row.e2)) for row in rows],
        relation=[row.r for row in rows],
    )
    items = [(row.e1, row.r, row.e2) for row in rows]
    scores = fact_scores(evidence, annotator, items).tolist()
    verdicts = []
    for place, (row, counts) in enumerate(zip(rows, table.counts(hits), strict=True)):
        silent = row.verdict == "matched" and not knows_matched(annotator)
        known = not (silent or isnan(scores[place]))
        parts = fact_parts(evidence.take([place]), annotator, items[place]) if known else ()
        snippets = index.snippets(*elements[place], x=pmi.x, reach=pmi.reach, most=1)
        verdicts.append(
            {
                "e1": names.label(row.e1),
                "r": row.r,
                "e2": names.label(row.e2),
                "verdict": _TRUE[row.verdict],
                "region": _REGION.get(row.verdict),
                "relation": row.relation and _relation_label(row, names.kb),
                "similarity": row.similarity,
                **counts._asdict(),
                "score": scores[place] if known else None,
                "parts": [part._asdict() for part in parts],
                "snippet": snippet_parts(snippets[0]) if snippets else None,
            }
        )
    return verdicts


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

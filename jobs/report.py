"""The report of a run: which verdicts to show, with their evidence."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pyspark.sql import Column, DataFrame, Row
from pyspark.sql import functions as f

from evaluator.counting import FactElements
from evaluator.elements import entity_element, relation_element
from evaluator.report import render_report
from indexes.knowledge_base import KnowledgeBase
from indexes.text_index import TextIndex
from jobs.config import Configuration
from jobs.evidence import Evidence
from jobs.explanation import snippet_parts

_SHOWN = 20
_PMI_VALUES = 10_000


def write_report(
    result: Mapping[str, Any],
    judged: DataFrame,
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
    found
        The evidence, for labels and snippets.
    configuration
        The run.
    out
        The file to write.
    """
    verdicts: dict[str, dict[str, list[dict[str, Any]]]] = {}
    pmi: dict[str, list[float | None]] = {}
    variant = configuration.pmi.variant
    with TextIndex.open(found.index_path) as index:
        show = _Verdicts(found.kb, index, x=configuration.pmi.x)
        for name in result["systems"]:
            facts = judged.where(f.array_contains("systems", name))
            verdicts[name] = {
                "strongest": [show.row(row) for row in _strongest(facts, variant)],
                "weakest": [show.row(row) for row in _weakest(facts)],
            }
            pmi[name] = _pmi_values(facts)
    out.write_text(render_report(result, verdicts, pmi), encoding="utf-8")


def _strongest(facts: DataFrame, variant: str) -> list[Row]:
    """Return the facts taken for correct with the strongest evidence: half from each source."""
    database = _first(
        facts.where("verdict = 'matched'"), _SHOWN // 2, f.desc("similarity"), f.asc("sample_key")
    )
    text = _first(
        facts.where("verdict = 'accepted'"),
        _SHOWN - len(database),
        f.desc("pmi"),
        f.desc(variant),
        f.asc("sample_key"),
    )
    return database + text


def _weakest(facts: DataFrame) -> list[Row]:
    """Return the rejected facts whose pair the text knows best: the clearest evidence against."""
    rejected = facts.where("verdict = 'rejected'")
    return _first(rejected, _SHOWN, f.asc("pmi"), f.desc("pair"), f.asc("sample_key"))


def _first(facts: DataFrame, most: int, *order: Column) -> list[Row]:
    return facts.orderBy(*order, "e1", "r", "e2").limit(most).collect()


def _pmi_values(facts: DataFrame) -> list[float | None]:
    sampled = facts.where("verdict is not null and not matched")
    rows = sampled.orderBy("sample_key", "e1", "r", "e2").limit(_PMI_VALUES).select("pmi").collect()
    return [row.pmi for row in rows]


class _Verdicts:
    """Turns judged facts into the rows of the report's tables."""

    def __init__(self, kb: KnowledgeBase, index: TextIndex, *, x: int) -> None:
        self._kb, self._index, self._x = kb, index, x

    def row(self, row: Row) -> dict[str, Any]:
        verdict = {"matched": True, "accepted": True, "rejected": False}.get(row.verdict)
        return {
            "e1": self._kb.label(row.e1),
            "r": row.r,
            "e2": self._kb.label(row.e2),
            "verdict": verdict,
            "region": {"matched": "b", "accepted": "a"}.get(row.verdict),
            "relation": row.relation and self._kb.relation(row.relation).label,
            "similarity": row.similarity,
            "pair": row.pair,
            "classic": row.classic,
            "proximity": row.proximity,
            "pmi": row.pmi,
            "snippet": self._snippet(self._elements(row)),
        }

    def _elements(self, row: Row) -> FactElements:
        first, second = (
            self._kb.query_names(entity) or entity_element(entity, None)
            for entity in (row.e1, row.e2)
        )
        return first, relation_element(row.r), second

    def _snippet(self, elements: FactElements) -> dict[str, Any] | None:
        found = self._index.snippets(*elements, x=self._x, most=1)
        return snippet_parts(found[0]) if found else None

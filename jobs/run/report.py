"""The report of a run: which verdicts to show, with their evidence."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cache, partial
from math import isnan, nan
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa

from evaluator.annotators import Annotator, Pmi
from evaluator.annotators.evidence import CONTEXT, COUNTS, joined, stated_columns
from evaluator.annotators.sentence_evidence import decoded
from evaluator.counting.definition import Variant
from evaluator.counting.elements import relation_element
from evaluator.marked_text import marked_parts
from evaluator.model import Fact, Item
from evaluator.report.page import render_report
from evaluator.report.parts import ShownFact, WrittenExtraction
from evaluator.results.result import Result
from evaluator.whole_files import write_whole
from indexes.engine import Engine
from indexes.kb.knowledge_base import KnowledgeBase
from indexes.text.index import TextIndex
from jobs.config import Configuration
from jobs.evidence import sources
from jobs.evidence.annotator import fact_parts, fact_scores, knows_matched, needs_context
from jobs.evidence.entity_names import EntityNames, GivenName
from jobs.evidence.explanation import snippet_parts
from jobs.evidence.fact_evidence import CountedFacts
from jobs.evidence.judge_panel import panel_of, with_judges
from jobs.evidence.stated import StatedFacts
from jobs.evidence.widening import run_words
from jobs.run.facts_table import FactsTable, sentence_spans
from jobs.run.judged_table import FACTS
from jobs.run.report_data import report_data
from jobs.run.stages.rows import FACT, FACT_COLUMNS

_SHOWN = 20

_TRUE = {"matched": True, "accepted": True, "rejected": False}
_REGION = {"matched": "b", "accepted": "a"}
_BY_KEY = "sample_key, e1, r, e2, negated"
_TABLE = {"matched": "strongest", "accepted": "strongest", "rejected": "weakest"}


def write_report(
    result: Result,
    engine: Engine,
    found: sources.RunEvidence,
    configuration: Configuration,
    out: Path,
    *,
    annotator: Annotator,
    date: str | None,
) -> None:
    """Write ``report.html``.

    Parameters
    ----------
    result
        Of the run.
    engine
        With the run's tables (:func:`jobs.run.report_data.tables`).
    found
        The evidence, for labels and snippets.
    configuration
        The run.
    out
        The file to write.
    annotator
        Of the run: it scores the facts that are shown.
    date
        When the figures were made.
    """
    engine.view("by_system", "SELECT explode(systems) AS system, * FROM judged")
    variant = annotator.variant if isinstance(annotator, Pmi) else "proximity"
    rows = _shown(engine, variant)
    given = _given_names(engine, rows) if configuration.gives_facts else {}
    names = EntityNames(found.kb, given, configuration.pmi.names)
    with TextIndex(found.index_path) as index:
        verdicts = _verdicts(rows, names, index, annotator, configuration)
    tables: dict[str, dict[str, list[ShownFact]]] = {
        name: {"strongest": [], "weakest": []} for name in result.systems
    }
    for row, verdict in zip(rows, verdicts, strict=True):
        tables[row.system][_TABLE[row.verdict]].append(verdict)
    data = report_data(result, engine, configuration, date=date)
    write_whole(out, render_report(result, tables, data))


class Shown(NamedTuple):
    """A fact that the report shows for a system."""

    system: str
    verdict: str
    e1: str
    r: str
    e2: str
    relation: str | None
    inverse: bool | None
    similarity: float | None
    closest: bytes | None = None  # how it is stated, as the run has it
    sentences: int = 0
    stating_documents: int = 0
    systems: Sequence[str] = ()
    hits: Sequence[int] = ()  # as the run counted them, with their context if it did

    @property
    def fact(self) -> Fact:
        """The fact; a negated one has no verdict that is shown."""
        return Fact(self.e1, self.r, self.e2)


def _shown(engine: Engine, variant: Variant) -> list[Shown]:
    """Return the facts to show of every system, strongest evidence first.

    For correct: up to half from the database, by similarity, the others from the text, by
    score. Against: rejected facts, of equal scores those that the text could have stated most
    often. `variant` is that of the PMI that speaks for a fact.
    """
    possible = "topic" if variant == "anchored" else "pair"
    rows = engine.rows(
        f"""SELECT {", ".join(Shown._fields)} FROM (
            SELECT *, {engine.array((*COUNTS, *CONTEXT))} AS hits, row_number() OVER (
                PARTITION BY system, verdict
                ORDER BY strength DESC NULLS LAST, support DESC NULLS LAST, {_BY_KEY}
            ) AS place
            FROM (
                SELECT *,
                    CASE verdict WHEN 'matched' THEN similarity WHEN 'accepted' THEN score
                        ELSE -score END AS strength,
                    CASE verdict WHEN 'accepted' THEN {variant} ELSE {possible} END AS support
                FROM by_system WHERE verdict IN ('matched', 'accepted', 'rejected')
            )
        ) WHERE place <= {_SHOWN} ORDER BY system, verdict, place"""
    )
    by_verdict: dict[tuple[str, str], list[Shown]] = defaultdict(list)
    for row in map(Shown._make, rows):
        by_verdict[row.system, row.verdict].append(row)
    shown: list[Shown] = []
    for system in dict.fromkeys(system for system, _ in by_verdict):
        matched, accepted = (by_verdict[system, kind] for kind in ("matched", "accepted"))
        from_database = matched[: max(_SHOWN // 2, _SHOWN - len(accepted))]
        shown += from_database + accepted[: _SHOWN - len(from_database)]
        shown += by_verdict[system, "rejected"]
    return shown


def _verdicts(
    rows: Sequence[Shown],
    names: EntityNames,
    index: TextIndex,
    annotator: Annotator,
    configuration: Configuration,
) -> list[ShownFact]:
    """Return the rows of the report's tables, each with its sentence and its best snippet."""
    pmi = configuration.pmi
    words = run_words(configuration, lambda: {row.r for row in rows}, names.kb)
    elements = [
        (
            names.element(row.e1),
            relation_element(row.r, words.get(row.r, ()), lexicon=configuration.lexicon),
            names.element(row.e2),
        )
        for row in rows
    ]
    # A run does not need the counts of the database's facts, a reader does.
    counted = CountedFacts.of(
        elements,
        index=index,
        pmi=pmi,
        context=needs_context(configuration.annotator),
        similarity=[nan if row.similarity is None else row.similarity for row in rows],
        known=[sum(bool(names.kb.query_names(e)) for e in (row.e1, row.e2)) for row in rows],
        relation=[row.r for row in rows],
        told=[row.hits for row in rows],
    )
    items = [(row.e1, row.r, row.e2) for row in rows]
    panel = panel_of(
        configuration.external.judges,
        kb=names.kb,
        key=configuration.relation.key,
        lexicon=configuration.lexicon,
    )
    evidence = with_judges(_stated(rows, items).beside(counted.evidence), panel, items)
    scores = fact_scores(evidence, annotator, items).tolist()
    written = _as_written(rows, configuration)
    excerpts = cache(partial(index.snippets, x=pmi.x, reach=pmi.reach, most=1))
    verdicts = []
    for place, (row, counts) in enumerate(zip(rows, counted.counts, strict=True)):
        silent = row.verdict == "matched" and not knows_matched(annotator)
        known = not (silent or isnan(scores[place]))
        parts = fact_parts(evidence.take([place]), annotator, items[place]) if known else ()
        snippets = excerpts(*elements[place])
        said = written.get((row.system, row.fact), {})
        verdicts.append(
            ShownFact(
                names.label(row.e1),
                row.r,
                names.label(row.e2),
                _TRUE[row.verdict],
                _REGION.get(row.verdict),
                row.relation and _relation_label(row, names.kb),
                row.similarity,
                *counts,
                score=scores[place] if known else None,
                parts=parts,
                extraction=_extraction(said),
                sentence=_sentence(said),
                snippet=snippet_parts(snippets[0]) if snippets else None,
            )
        )
    return verdicts


def _as_written(
    rows: Sequence[Shown], configuration: Configuration
) -> dict[tuple[str, Fact], dict[str, Any]]:
    """Return by system and fact its row of the run's facts: the extraction, and its sentence."""
    found: dict[tuple[str, Fact], dict[str, Any]] = {}
    every = [row.fact for row in rows]
    with FactsTable.open(configuration.run, configuration=configuration, only=every) as table:
        chosen = f"({FACT_COLUMNS}) IN (SELECT {FACT_COLUMNS} FROM chosen)"
        for system in dict.fromkeys(row.system for row in rows):
            facts = {row.fact for row in rows if row.system == system}
            table.engine.table("chosen", sorted(facts), FACTS)
            for told in table.rows(chosen, system=system):
                found[system, Fact(*(told[name] for name in FACT))] = told
    return found


def _extraction(said: Mapping[str, Any]) -> WrittenExtraction | None:
    """Return an extraction as its system wrote it; a baseline writes none."""
    if said.get("arg1") is None:
        return None
    return WrittenExtraction(*(said[name] for name in WrittenExtraction._fields))


def _sentence(said: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return a sentence cut at the elements of its fact."""
    if said.get("sentence") is None:
        return None
    parts = marked_parts(said["sentence"], sentence_spans(said))
    return {"document": said["document"], "number": said["number"], "parts": parts}


def _stated(rows: Sequence[Shown], items: Sequence[Item]) -> StatedFacts:
    """Return how the facts are stated, as the run has it."""
    told = {
        "sentences": [row.sentences for row in rows],
        "stating_documents": [row.stating_documents for row in rows],
        "stated_by": [joined(row.systems) for row in rows],
    }
    return StatedFacts(
        items, decoded([row.closest for row in rows]), stated_columns(told, len(rows))
    )


def _given_names(engine: Engine, rows: Sequence[Shown]) -> dict[str, GivenName]:
    """Return what the systems' facts call the entities of `rows`, as written."""
    entities = sorted({entity for row in rows for entity in (row.e1, row.e2)})
    engine.table("shown", [(entity,) for entity in entities], pa.schema([("entity", pa.string())]))
    found = engine.rows(
        "SELECT n.entity, n.label, n.names FROM names n JOIN shown s ON s.entity = n.entity"
    )
    return {entity: GivenName(label, names) for entity, label, names in found}


def _relation_label(row: Shown, kb: KnowledgeBase) -> str:
    label = kb.relation(str(row.relation)).label
    return f"inverse of {label}" if row.inverse else label

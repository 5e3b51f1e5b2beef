"""Tally: the judged facts counted by cell, all that the estimators need."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from evaluator.annotators import ANNOTATORS, Annotator, Histogram
from evaluator.annotators.evidence import CONTEXT, COUNTS, Evidence, joined
from evaluator.annotators.judge_panel import JudgePanel
from evaluator.annotators.sentence_evidence import decoded
from evaluator.annotators.verdicts import verdicts
from evaluator.estimators.tallies import Cell
from evaluator.model import Item
from indexes.engine import Batches, Engine, Mapped
from jobs.evidence.annotator import fact_scores
from jobs.evidence.judge_panel import with_judges
from jobs.run.result import MatchCount
from jobs.run.stages.match import MATCHED
from jobs.run.stages.rows import FACT, WORDS
from jobs.run.stages.score import COUNTED, Cuts, inside

JUDGED = pa.schema(
    [
        *MATCHED,
        *(of for of in COUNTED if of.name not in FACT),  # null where not counted or undefined
        ("samples", WORDS),  # the populations in whose samples the fact is
        ("score", pa.float64()),
        ("verdict", pa.string()),
    ]
)
_FITTED = ["pair", "proximity", "topic", "anchored"]


def histogram(engine: Engine, counted: str, *, documents: int) -> Histogram:
    """Return the distinct counts of counted facts, and how many facts have each.

    Parameters
    ----------
    engine, counted
        The engine, and its table of hit counts (``COUNTED``).
    documents
        Size of the collection.
    """
    names = ", ".join(_FITTED)
    rows = engine.rows(
        f"""SELECT {names}, count(*) FROM {counted} WHERE classic IS NOT NULL
        GROUP BY {names} ORDER BY {names}"""
    )
    *columns, facts = np.array(rows, np.int64).reshape(-1, len(_FITTED) + 1).T
    pair, proximity, topic, anchored = columns
    hits = np.stack([pair, np.zeros_like(pair), proximity, topic, anchored], axis=1)
    return Evidence.of(hits, documents=documents), facts


def judged(
    engine: Engine,
    matched: str,
    counted: str,
    cuts: Cuts,
    members: Mapping[str, str],
    annotator: Annotator,
    *,
    documents: int,
    panel: JudgePanel,
) -> Mapped:
    """Return the facts with score, verdict and the samples that they are in (``JUDGED``).

    Parameters
    ----------
    engine, matched, counted
        The engine, and its tables of the census against the database and of the hit counts.
    cuts
        Largest sampling key inside each population's sample; None for a census.
    members
        For each population, the condition under which a fact belongs to it.
    annotator
        Scores what the database leaves open.
    documents
        Size of the collection that the facts were counted in.
    panel
        What judges from outside say.
    """
    samples = engine.array(
        f"CASE WHEN {members[name]} AND {inside(cut)} THEN {engine.text(name)} END"
        for name, cut in sorted(cuts.items())
    )
    of_facts = ", ".join(f"m.{name}" for name in MATCHED.names)
    of_counts = ", ".join(f"c.{name}" for name in COUNTED.names if name not in FACT)
    same = " AND ".join(f"c.{name} = m.{name}" for name in FACT)
    counts = f"""SELECT {of_facts}, {of_counts}, {samples} AS samples
        FROM {matched} m LEFT JOIN {counted} c ON NOT m.matched AND {same}"""
    return Mapped(counts, Judge(annotator, documents, panel), JUDGED)


@dataclass(frozen=True)
class Judge:
    """Scores facts and gives the verdict on each."""

    annotator: Annotator
    documents: int
    panel: JudgePanel

    def __call__(self, batches: Batches) -> Batches:
        """Yield facts as ``JUDGED``."""
        for batch in batches:
            facts = items(batch)
            found = with_judges(evidence(batch, self.documents), self.panel, facts)
            scores = fact_scores(found, self.annotator, facts)
            yield with_verdicts(batch, scores, self.annotator.NAME, self.annotator.threshold)


@dataclass(frozen=True)
class Rejudge:
    """Gives the verdicts on judged facts under another threshold of their scores."""

    annotator: str
    threshold: float

    def __call__(self, batches: Batches) -> Batches:
        """Yield facts as ``JUDGED``."""
        for batch in batches:
            scores = pc.fill_null(batch["score"], np.nan).to_numpy(zero_copy_only=False)
            bare = batch.select(JUDGED.names[:-2])
            yield with_verdicts(bare, scores, self.annotator, self.threshold)


def with_verdicts(
    batch: pa.RecordBatch, scores: np.ndarray, annotator: str, threshold: float
) -> pa.RecordBatch:
    """Return facts (``JUDGED`` without its last two columns) with an annotator's scores, judged."""
    told = verdicts(
        scores,
        threshold=threshold,
        matched=booleans(batch["matched"]),
        judged=booleans(pc.greater(pc.list_value_length(batch["samples"]), 0)),
        negated=booleans(batch["negated"]),
        relation=batch["r"].to_pylist(),
        silence=ANNOTATORS[annotator].silence,
    )
    added = [pa.array(scores, pa.float64(), from_pandas=True), pa.array(told, pa.string())]
    arrays = [column.cast(of.type) for column, of in zip(batch.columns, JUDGED, strict=False)]
    return pa.record_batch([*arrays, *added], schema=JUDGED)


def booleans(column: pa.Array) -> np.ndarray:
    """Return a column of truth values."""
    return np.asarray(column.to_numpy(zero_copy_only=False), bool)


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
        closest=decoded(batch["closest"].to_pylist()),
        stated={
            "sentences": batch["sentences"].to_numpy(),
            "stating_documents": batch["stating_documents"].to_numpy(),
            "stated_by": list(map(joined, batch["systems"].to_pylist())),
        },
    )


def items(batch: pa.RecordBatch) -> list[Item]:
    """Return the facts of a batch as e1, r, e2."""
    return list(zip(*(batch[name].to_pylist() for name in ("e1", "r", "e2")), strict=True))


def tally(engine: Engine, judged_facts: str) -> list[Cell]:
    """Return the cells of a table of judged facts, in a fixed order."""
    groups = "candidate, systems, matched, verdict, samples"
    across = "candidate AND sentences = 0"
    rows = engine.rows(
        f"""SELECT {groups}, count(*), {across} AS across FROM {judged_facts}
        GROUP BY {groups}, {across}"""
    )
    cells = [
        Cell(candidate, frozenset(systems), matched, verdict, frozenset(samples), facts, across)
        for candidate, systems, matched, verdict, samples, facts, across in rows
    ]
    return sorted(
        cells,
        key=lambda c: (
            c.candidate,
            sorted(c.systems),
            str(c.verdict),
            sorted(c.samples),
            c.across,
        ),
    )


def answers(engine: Engine, judged_facts: str) -> tuple[int, int]:
    """Return how many facts the annotator could judge, and of how many of them it has a score."""
    ((asked, scored),) = engine.rows(
        f"""SELECT count(*), count(score) FROM {judged_facts}
        WHERE verdict IN ('accepted', 'rejected', 'no pair', 'no answer')"""
    )
    return int(asked), int(scored)


def how_matched(engine: Engine, judged_facts: str) -> list[MatchCount]:
    """Return in what ways facts match, and how many."""
    rows = engine.rows(
        f"""SELECT systems, inverse, instr(relation, '..') > 0 AS mediator, count(*)
        FROM {judged_facts} WHERE matched GROUP BY systems, inverse, instr(relation, '..') > 0"""
    )
    return [MatchCount(tuple(systems), *rest) for systems, *rest in rows]


def entity_figures(engine: Engine, judged_facts: str) -> dict[str, int]:
    """Return the number of entities in facts, and of those that ``entities`` does not have."""
    [(entities, known)] = engine.rows(
        f"""SELECT count(*), count(k.entity) FROM (
            SELECT e1 AS entity FROM {judged_facts} UNION SELECT e2 AS entity FROM {judged_facts}
        ) f LEFT JOIN entities k ON k.entity = f.entity"""
    )
    return {"entities": entities, "unknown_entities": entities - known}


def corpus_figures(engine: Engine) -> dict[str, int]:
    """Return the figures of an annotated corpus (``annotated``) that a result shows."""
    [figures] = engine.rows(
        """SELECT count(*), count(DISTINCT document),
            CAST(coalesce(sum(size(mentions)), 0) AS BIGINT), count_if(entities > 1)
        FROM annotated"""
    )
    [(words,)] = engine.rows(
        """SELECT count(DISTINCT word) FROM (
            SELECT explode(relation_words) AS word FROM annotated
        )"""
    )
    names = ("sentences", "documents", "mentions", "sentences_with_pair")
    return {**dict(zip(names, figures, strict=True)), "relation_words": words}


def outcomes(engine: Engine, systems: Iterable[str]) -> dict[str, dict[str | None, int]]:
    """Return what became of each system's records (``linked``): how many by reason."""
    counted: dict[str, dict[str | None, int]] = {name: {} for name in systems}
    for system, reason, number in engine.rows(
        "SELECT system, reason, count(*) FROM linked GROUP BY system, reason"
    ):
        counted[system][reason] = number
    return counted

"""A run's systems by gold data and by distant validation, on the same sentences.

A benchmark asks for everything that annotators found in some hundred sentences; distant validation
for what a database and a text can tell about facts of known entities. Where both have seen the same
sentences, one can ask whether they put systems in the same order, and of the extractions that both
judge, whether they judge them alike.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from evaluator.corpus.sentences import sentence_key
from evaluator.errors import ConfigurationError, InputError
from evaluator.estimators.tallies import UNDEFINED
from evaluator.gold import COVERED, MATCHED, UNMATCHED
from evaluator.gold.against_corpus.agreement import (
    SIDES,
    FiguresByMeasure,
    JudgedByBoth,
    side_by_side,
)
from evaluator.gold.against_corpus.rank_agreement import RankAgreement
from evaluator.gold.against_corpus.sentence_regions import (
    SentenceFacts,
    sentence_statistics,
    true_shares,
)
from evaluator.gold.scoring import Evaluation, evaluate
from evaluator.gold.selection import OperatingPoint, at_point, restricted
from evaluator.intervals import Drawing
from evaluator.labels.design import JudgedFact
from evaluator.model import Fact
from evaluator.readers import SystemSource
from jobs.analysis.comparison import FinishedRun
from jobs.analysis.gold_sentences import StatedFact, corpus_sentences, sentence_facts, stated_facts
from jobs.config import Configuration
from jobs.run.judged_table import JudgedTable
from jobs.rundir import content_digest, finished_stage

_OUTCOMES = (MATCHED, COVERED, UNMATCHED)


class SystemFigures(NamedTuple):
    """One system by both.

    Attributes
    ----------
    gold, distant
        Precision, recall and F by the benchmark, and by the run's verdicts.
    extractions
        Those about the sentences, which the benchmark judges.
    facts, true
        Distinct facts of these that are in scope, which distant validation judges, and how many of
        them are true by the annotator.
    """

    gold: FiguresByMeasure
    distant: FiguresByMeasure
    extractions: int
    facts: int
    true: float

    def as_json(self) -> dict[str, Any]:
        """Return the figures as a JSON object."""
        told = {
            side: {measure: figure.as_json() for measure, figure in getattr(self, side).items()}
            for side in SIDES
        }
        return {**self._asdict(), **told}


@dataclass(frozen=True, slots=True)
class GoldComparison:
    """The systems of a run by gold data and by distant validation.

    Attributes
    ----------
    evaluation
        What the benchmark says.
    sentences
        Numbers of the gold data's sentences ("gold"), of those that the corpus has too ("shared"),
        and of these again the ones with a fact of any system or of G′ ("in_scope").
    systems, agreement
        By system, and by measure.
    both
        What both judge.
    left_out
        Systems of the run that have no output file.
    unjudged
        Facts that count by the share of true ones among their like.
    """

    evaluation: Evaluation
    sentences: Mapping[str, int]
    systems: Mapping[str, SystemFigures]
    agreement: Mapping[str, RankAgreement]
    both: JudgedByBoth
    left_out: Sequence[str]
    unjudged: int

    def as_json(self) -> dict[str, Any]:
        """Return the comparison as a JSON object."""
        found = self.evaluation
        return {
            "benchmark": found.benchmark.NAME,
            "mode": found.mode,
            "options": dict(found.options),
            "gold_signature": found.signature,
            "gold": {**found.gold.counts, **found.gold_rejects.as_json()},
            "sentences": dict(self.sentences),
            "systems": {
                name: {
                    **of.as_json(),
                    "cautions": list(found.cautions[name]),
                    **found.rejects[name].as_json(),
                }
                for name, of in self.systems.items()
            },
            "agreement": {measure: of.as_json() for measure, of in self.agreement.items()},
            "judged_by_both": self.both.as_json(),
            "left_out": list(self.left_out),
            "unjudged": self.unjudged,
        }


def compare_with_gold(
    run: FinishedRun,
    benchmark: str,
    gold: Path,
    *,
    systems: Sequence[str],
    mode: str | None = None,
    options: Mapping[str, str] | None = None,
    asserted: bool = False,
    point: OperatingPoint = "best",
    drawing: Drawing,
) -> GoldComparison:
    """Score a run's systems on gold data, and on the same sentences by the run's verdicts.

    Parameters
    ----------
    run
        A run over sentences, with the output files that it was made from still there.
    benchmark, gold, mode, options, asserted
        As for :func:`evaluator.gold.scoring.evaluate`. What the run judged stays as it is.
    systems
        At least two systems of the run.
    point
        Where the benchmark has a curve: "best", the threshold with the best F, as it is quoted; or
        "all", every extraction, which is what distant validation judges.
    drawing
        Of the intervals. A draw has the same sentences for both and for all systems.

    Raises
    ------
    ConfigurationError
        If the run, or the benchmark, cannot be compared in this way.
    InputError
        If files are missing, changed or damaged, or share no sentence.
    """
    if run.result.corpus is None:
        raise ConfigurationError(
            f"{run.path}: its facts are given without sentences; a benchmark needs them"
        )
    sources, left_out = _sources(run, systems)
    program = version("distval")
    found = evaluate(
        benchmark,
        gold,
        sources,
        mode=mode,
        options=options,
        asserted=asserted,
        version=program,
    )
    corpus = corpus_sentences(run, [sentence_key(one.text) for one in found.gold.sentences])
    kept = np.array([sentence is not None for sentence in corpus])
    shared = [sentence for sentence in corpus if sentence is not None]
    if not shared:
        raise InputError(gold, f"none of its sentences is in the corpus of {run.path}")
    stated = stated_facts(run, shared)
    rule = run.result.parts.superset.model_dump(exclude={"window"})
    lexicon = Configuration.of_run(run.path).lexicon
    facts = sentence_facts(shared, stated, rule={**rule, "lexicon": lexicon})
    judged = _look_up(run, facts)
    true = true_shares(judged)
    by_run = {name: sentence_statistics(facts, true, name) for name in found.systems}
    measured = side_by_side(
        {
            name: at_point(restricted(scored.statistics, kept), point)
            for name, scored in found.systems.items()
        },
        by_run,
        drawing,
    )
    told = {}
    for name, scored in found.systems.items():
        right, said, _ = by_run[name].sums()[-1]
        about = sum(one.sentence is not None and bool(kept[one.sentence]) for one in scored.judged)
        by_gold, by_verdicts = (measured.figures[side][name] for side in SIDES)
        told[name] = SystemFigures(by_gold, by_verdicts, about, round(said), float(right))
    return GoldComparison(
        found,
        {
            "gold": len(kept),
            "shared": len(shared),
            "in_scope": sum(bool(of.candidates or of.stated) for of in facts),
        },
        told,
        measured.agreement,
        _judged_by_both(found, stated, judged),
        left_out,
        sum(fact.verdict is None and not fact.matched for fact in judged.values()),
    )


def _look_up(run: FinishedRun, sentences: Sequence[SentenceFacts]) -> dict[Fact, JudgedFact]:
    """Return how the run judged the facts of sentences."""
    groups = (group for of in sentences for group in (*of.stated.values(), of.candidates))
    wanted = {fact for group in groups for fact in group}
    judged = JudgedTable(run.path).look_up(wanted)
    if len(judged) < len(wanted):
        raise InputError(run.path, "its stages are of different runs; run distval run again")
    return judged


def _judged_by_both(
    found: Evaluation, stated: Sequence[StatedFact], judged: Mapping[Fact, JudgedFact]
) -> JudgedByBoth:
    # Of several extractions on one line it is not known which is which.
    facts = {(one.system, one.line): judged[one.fact] for one in stated if one.alone}
    seen: Counter[str] = Counter()
    for name, scored in found.systems.items():
        for one in scored.judged:
            fact = facts.get((name, one.extraction.line))
            if fact is None or one.outcome not in _OUTCOMES:
                continue
            if fact.matched or fact.verdict in ("accepted", "rejected"):
                said = "rejected" if fact.verdict == "rejected" else "accepted"
            elif fact.verdict in UNDEFINED:
                said = "undefined"
            else:
                continue  # outside every sample
            by_gold = "unmatched" if one.outcome == UNMATCHED else "matched"
            seen[f"{by_gold}_{said}"] += 1
    return JudgedByBoth(**{name: seen[name] for name in JudgedByBoth._fields})


def _sources(run: FinishedRun, systems: Sequence[str]) -> tuple[list[SystemSource], list[str]]:
    """Return the output files of systems as the run read them, and who has none."""
    known = [one for one in Configuration.of_run(run.path).systems if one.name in systems]
    digests = finished_stage(run.path / "read").notes.get("digests", {}).get("systems", {})
    files = [source for source in known if source.baseline is None]
    for source in files:
        source.check()
        if digests.get(source.name) != content_digest(source.path):
            raise InputError(source.path, "has changed since the run; run distval run again")
    if len(files) < 2:
        raise ConfigurationError(
            f"{run.path}: a comparison with gold data needs two systems with output files"
        )
    return files, [source.name for source in known if source.baseline is not None]

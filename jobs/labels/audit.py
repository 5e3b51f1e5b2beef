"""An audit of a run's annotator: facts drawn for it, and the test of their answers."""

from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

import duckdb
import numpy as np
from pydantic import ValidationError

from evaluator.annotators import ANNOTATORS, read_annotator
from evaluator.errors import ConfigurationError, InputError
from evaluator.facts.sampling import sample_key
from evaluator.intervals import Drawing
from evaluator.labels.answers import ANSWERS, read_answers
from evaluator.labels.audit import (
    LEAST_ANSWERS,
    Audit,
    AuditedFacts,
    AuditPower,
    audit,
    audit_power,
    equal_parts,
    probability_strata,
)
from evaluator.labels.design import Stratification
from evaluator.labels.design_file import DESIGN, read_design, write_design
from evaluator.labels.raters import combine
from evaluator.model import Fact, Rejects
from evaluator.whole_files import write_whole
from jobs.config import Configuration
from jobs.evidence.annotator import ANNOTATOR
from jobs.labels.about import beside
from jobs.labels.draw import DrawChoice, fact_id, raters_of, write_sheets
from jobs.labels.fact_places import places_of
from jobs.run.audit_file import AUDIT, AuditFile, AuditSubject, audit_subject
from jobs.run.label_folder import bare_fact, words
from jobs.rundir import files_of_table, fingerprint, finished_result, finished_stage

VERDICTS = ("accepted", "rejected")
"""Verdicts whose shares of true facts can be tested."""

_GROUP = "stated, not in D, judged by the text"
# Samples of a run have seeds from 0 on: an audit is drawn independently of them.
_SEED = -1
_DRAWS = 100_000


class AuditDraw(NamedTuple):
    """What was drawn for an audit: the numbers of facts by stratum, what it would find, sheets."""

    strata: list[AuditedFacts]
    power: AuditPower
    level: float
    sheets: list[Path]


class AuditOutcome(NamedTuple):
    """An audit, with what it left out: facts drawn, skipped, and on which raters differ."""

    outcome: Audit
    drawn: int
    skipped: int
    undecided: int


class _Open(NamedTuple):
    """A judged fact that the database leaves open, the probability to test, and its stratum."""

    fact: Fact
    probability: float
    stratum: str


class AuditedRun(NamedTuple):
    """A finished run whose annotator is audited.

    Attributes
    ----------
    path, configuration
        The run.
    subject
        What the audit is about.
    """

    path: Path
    configuration: Configuration
    subject: AuditSubject

    @classmethod
    def open(cls, run: Path, model: Path | None, expected: Mapping[str, float]) -> "AuditedRun":
        """Open a run.

        Parameters
        ----------
        run
            Its directory.
        model
            The saved annotator that is to be audited; None for that of the run.
        expected
            Share of true facts by verdict to test; empty to test the scores.

        Raises
        ------
        InputError
            Where the run is not finished, or the model is not the one that judged it.
        ConfigurationError
            Where the annotator gives no probabilities, and no shares are to be tested instead.
        """
        configuration = Configuration.of_run(run)
        finished_stage(run / "estimate")
        own = read_annotator(run / ANNOTATOR)
        parts = finished_result(run).parts
        if model is not None:
            given = audit_subject(read_annotator(model), parts, {})
            if given != audit_subject(own, parts, {}):
                raise InputError(
                    model,
                    f"is not the annotator that judged {run} ({own.describe()}); run distval run "
                    "with it first",
                )
        kind = ANNOTATORS[own.NAME]
        if kind.score != "probability" and not expected:
            raise ConfigurationError(
                f"{run}: was judged by {own.NAME}, whose score is no probability; say with "
                "--expect accepted=SHARE what is to be tested"
            )
        return cls(run, configuration, audit_subject(own, parts, expected))

    def draw(self, out: Path, choice: DrawChoice) -> AuditDraw:
        """Draw facts, and write the design and the sheets.

        Raises
        ------
        ConfigurationError
            Where the choice cannot be, or there are too few facts.
        """
        choice.check()
        strata: dict[str, list[_Open]] = {}
        for fact in self._open_facts():
            strata.setdefault(fact.stratum, []).append(fact)
        if (known := sum(map(len, strata.values()))) < LEAST_ANSWERS:
            raise ConfigurationError(
                f"{self.path}: the text judged {known} facts of the systems that an audit could "
                f"draw from; it takes {LEAST_ANSWERS} at least"
            )
        parts = equal_parts([len(facts) for facts in strata.values()], choice.budget)
        drawn = {
            name: sorted(facts, key=lambda one: sample_key(_SEED, one.fact))[:part]
            for (name, facts), part in zip(strata.items(), parts, strict=True)
        }
        chosen = sorted((fact_id(one.fact), one) for facts in drawn.values() for one in facts)
        shown = places_of(self.path, self.configuration, [one.fact for _, one in chosen])
        names = {fact: (of.name1, of.name2) for fact, of in shown.items()}
        told = beside(self.path, self.configuration, names)
        facts: list[dict[str, Any]] = []
        for identity, one in chosen:
            e1, r, e2 = words(one.fact)
            facts.append(
                {
                    "id": identity,
                    "e1": e1,
                    "r": r,
                    "e2": e2,
                    **shown[one.fact]._asdict(),
                    **told[one.fact],
                    "group": _GROUP,
                    "class": one.stratum,
                    "inclusion": len(drawn[one.stratum]) / len(strata[one.stratum]),
                    "raters": raters_of(one.fact, len(facts), choice),
                }
            )
        sheets = write_sheets(out, facts, choice, 1)
        write_design(
            out,
            {
                "distval": version("distval"),
                "run": self.configuration.name,
                "rounds": 1,
                "stratification": Stratification((), {}).as_json(),
                "classes": [
                    {"group": _GROUP, "class": name, "judged": len(facts)}
                    for name, facts in strata.items()
                ],
                "audit": self.subject.as_json(),
                "facts": facts,
            },
        )
        known_strata = [
            _audited(name, len(strata[name]), [one.probability for one in facts])
            for name, facts in drawn.items()
        ]
        level = self.configuration.estimate.level
        return AuditDraw(known_strata, audit_power(known_strata, level=level), level, sheets)

    def test(self, out: Path) -> AuditOutcome:
        """Test the answers in a folder that was drawn for this audit; write ``audit.json``.

        Raises
        ------
        InputError
            Where the folder was drawn for something else, or has no answers.
        ConfigurationError
            Where there are too few answers.
        """
        design = read_design(out)
        if _subject(out, design.model_extra or {}) != self.subject:
            raise InputError(
                out / DESIGN,
                "was drawn from other facts, or for another annotator or other shares; draw into "
                "another folder with --out",
            )
        rejects = Rejects()
        said = combine(read_answers(out, rejects=rejects), method="majority")
        known = {one.fact: one for one in self._open_facts()}
        asked = [bare_fact(fact.e1, fact.r, fact.e2) for fact in design.facts]
        if missing := [fact for fact in asked if fact not in known]:
            raise InputError(
                out / DESIGN, f"names a fact that this run lacks: ⟨{', '.join(words(missing[0]))}⟩"
            )
        answers = {fact: said[words(fact)].true for fact in asked if words(fact) in said}
        decided = {fact: true for fact, true in answers.items() if true in (0, 1)}
        strata = []
        for part in design.classes:
            of = [fact for fact in decided if known[fact].stratum == part.name]
            truth = [decided[fact] == 1 for fact in of]
            probability = [known[fact].probability for fact in of]
            strata.append(_audited(part.name, part.judged, probability, truth))
        c = self.configuration
        drawing = Drawing(level=c.estimate.level, draws=_DRAWS, seed=c.sample.seed)
        try:
            outcome = audit(strata, drawing=drawing)
        except ConfigurationError as error:
            raise ConfigurationError(f"{out / ANSWERS}: {error}") from None
        told = AuditFile(
            subject=self.subject,
            folder=str(out),
            answers=fingerprint(answers=sorted((*words(fact), t) for fact, t in answers.items())),
            outcome=outcome,
        )
        write_whole(self.path / AUDIT, told.model_dump_json(indent=1) + "\n")
        skipped = len({fact for fact in asked if words(fact) not in said})
        return AuditOutcome(outcome, len(asked), skipped, len(answers) - len(decided))

    def _open_facts(self) -> list[_Open]:
        """Return the facts of the systems that the text judged, in a fixed order, with strata."""
        query = (
            "select e1, r, e2, negated, verdict, score from read_parquet(?) "
            "where len(systems) > 0 and list_contains(?, verdict) "
            "order by score, e1, r, e2, negated"
        )
        expected = self.subject.expected
        wanted = list(expected) or list(VERDICTS)
        with (
            duckdb.connect() as connection,
            files_of_table(self.path / "estimate" / "judged") as files,
        ):
            rows = connection.execute(query, [files, wanted]).fetchall()
        if expected:
            return [_Open(Fact(*row[:4]), expected[row[4]], row[4]) for row in rows]
        scores = np.array([row[5] for row in rows], float)
        numbers = probability_strata(scores)
        names = [
            _range(scores[numbers == number]) for number in range(max(numbers, default=-1) + 1)
        ]
        return [
            _Open(Fact(*row[:4]), score, names[number])
            for row, score, number in zip(rows, scores.tolist(), numbers.tolist(), strict=True)
        ]


def _range(scores: np.ndarray[tuple[int], np.dtype[np.float64]]) -> str:
    low, high = float(scores.min()), float(scores.max())
    return f"{low:g}" if low == high else f"{low:g} to {high:g}"


def _audited(
    name: str, population: int, probability: Sequence[float], truth: Sequence[bool] = ()
) -> AuditedFacts:
    return AuditedFacts(name, population, np.array(probability, float), np.array(truth, bool))


def _subject(out: Path, design: Mapping[str, object]) -> AuditSubject:
    try:
        return AuditSubject.model_validate(design.get("audit"))
    except ValidationError:
        raise InputError(
            out / DESIGN, "was not drawn for an audit; draw into another folder with --out"
        ) from None

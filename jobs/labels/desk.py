"""A label folder as people fill it one fact after another, each answer on disk before the next.

What a sheet asks, and what it keeps from raters so that they stay blind, :mod:`jobs.labels.draw`
decides. Facts of one sentence follow each other. Nothing here knows of a browser.
"""

import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from evaluator.errors import ConfigurationError, DistvalError, InputError, SetupError
from evaluator.estimators.claims import ClaimKind
from evaluator.estimators.labelled import LabelledEstimate
from evaluator.intervals import Estimate
from evaluator.labels.agreement import PairAgreement, pairwise_agreement
from evaluator.labels.answers import ANSWERS, add_answer, all_answers
from evaluator.labels.design import JudgedFact, LabelCell, label_cells
from evaluator.labels.design_file import DESIGN, FactPart, read_design
from evaluator.labels.label import SKIP, Judgement, ratings
from evaluator.labels.raters import ADJUDICATOR, disputes
from evaluator.labels.sheets import Answer
from evaluator.model import Fact
from indexes.kb.knowledge_base import KnowledgeBase
from indexes.locks import folder_lock
from jobs.labels.about import AskedEntity, Phrase
from jobs.run.facts_table import FactsTable
from jobs.run.judged_table import FACTS, JudgedTable
from jobs.run.label_folder import LabelFolder, bare_fact, results_with_labels
from jobs.run.stages.rows import same_fact

# Enough for a figure that is looked at while one labels, and quick.
_DRAWS = 2_000
_PATIENCE = 5.0  # seconds to wait for an import that is at work in the folder


class AskedFact(NamedTuple):
    """A fact as raters see it.

    Attributes
    ----------
    fact
        As it was drawn.
    phrases
        Extractions as systems wrote them: first argument, relation, second argument.
    first, second
        The entities.
    """

    fact: FactPart
    phrases: Sequence[Phrase]
    first: AskedEntity
    second: AskedEntity


class RaterProgress(NamedTuple):
    """How far a rater is."""

    rater: str
    answered: int
    asked: int


class LabelsSoFar(NamedTuple):
    """What the answers so far tell.

    Attributes
    ----------
    answers
        How many there are, of all raters.
    figures
        System to measure to estimate, of truth in the world; None where there is none.
    claims
        System to measure to what its interval claims.
    why_not
        Why there are no figures; None where there are.
    agreement
        Of raters who have facts in common, those with most first.
    """

    answers: int
    figures: Mapping[str, Mapping[str, Estimate | None]]
    claims: Mapping[str, Mapping[str, ClaimKind]]
    why_not: str | None
    agreement: Sequence[PairAgreement]


class LabelDesk:
    """The facts of a label folder, and the answers.

    Several threads may use one, but for its making.

    Parameters
    ----------
    table
        The facts of the run; not needed any more once this is made.
    folder
        The label folder.

    Raises
    ------
    InputError
        Where the folder cannot be read.
    """

    def __init__(self, table: FactsTable, folder: Path) -> None:
        self.folder = folder
        self._run, self._configuration = table.run, table.configuration
        self._design, self._drawn = read_design(folder), _state(folder / DESIGN)
        kb = KnowledgeBase.open(self._configuration.kb.path, known_sound=True)
        phrases = _phrases(table, self._design.facts)
        asked = [
            AskedFact(
                fact,
                phrases.get(bare_fact(fact.e1, fact.r, fact.e2), ()),
                AskedEntity.of(kb, fact.e1, fact.name1),
                AskedEntity.of(kb, fact.e2, fact.name2),
            )
            for fact in self._design.facts
        ]
        # The sentence whose fact has the smallest id comes first; ids tell nothing of a fact.
        first: dict[tuple[str, str], str] = {}
        for one in asked:
            place = one.fact.document, one.fact.sentence
            first[place] = min(one.fact.id, first.get(place, one.fact.id))

        def order(one: AskedFact) -> tuple[str, str]:
            place = one.fact.document, one.fact.sentence
            # Facts without a sentence have none in common.
            return (first[place] if one.fact.sentence else one.fact.id), one.fact.id

        self._asked = {one.fact.id: one for one in sorted(asked, key=order)}
        self._known: tuple[object, LabelsSoFar] | None = None

    def answers(self, rater: str) -> dict[str, Answer]:
        """Return what a rater has said, by the fact's id."""
        return {one.id: one for one in all_answers(self.folder) if one.rater == rater}

    def facts(self, rater: str) -> list[AskedFact]:
        """Return the facts that a rater is asked about, in order.

        The adjudicator's are those on which raters differ.

        Raises
        ------
        ConfigurationError
            Where the draw knows no such rater.
        """
        if rater == ADJUDICATOR:
            labels = [label for one in all_answers(self.folder) if (label := one.label)]
            disputed = {*disputes(labels)}
            return [
                one
                for one in self._asked.values()
                if (one.fact.e1, one.fact.r, one.fact.e2) in disputed
            ]
        found = [one for one in self._asked.values() if rater in one.fact.raters]
        if not found:
            raise ConfigurationError(
                f"{self.folder}: asks no rater {rater} (it asks {', '.join(self._raters())})"
            )
        return found

    def _raters(self) -> list[str]:
        return sorted({rater for one in self._asked.values() for rater in one.fact.raters})

    def progress(self) -> list[RaterProgress]:
        """Return how far every rater is; the adjudicator last, where there are disputes."""
        answers = [one for one in all_answers(self.folder) if one.said and one.id in self._asked]
        said = Counter(one.rater for one in answers)
        asked = Counter(rater for one in self._asked.values() for rater in one.fact.raters)
        rows = [RaterProgress(rater, said[rater], asked[rater]) for rater in self._raters()]
        if disputed := len(self.facts(ADJUDICATOR)):
            rows.append(RaterProgress(ADJUDICATOR, said[ADJUDICATOR], disputed))
        return rows

    def answer(
        self,
        rater: str,
        identity: str,
        said: Judgement,
        *,
        stated: bool | None = None,
        comment: str = "",
    ) -> None:
        """Keep an answer; it is on disk when this returns. One that says nothing takes back.

        Raises
        ------
        ConfigurationError
            Where the rater is not asked about such a fact.
        SetupError
            Where an import is at work in the folder, and does not end.
        InputError
            Where the draw is not the one that was read, or the answer cannot be written.
        """
        fact = next((one.fact for one in self.facts(rater) if one.fact.id == identity), None)
        if fact is None:
            raise ConfigurationError(f"{self.folder}: asks {rater} about no fact {identity}")
        answer = Answer(identity, fact.e1, fact.r, fact.e2, said, stated, comment, rater)
        if _state(self.folder / DESIGN) != self._drawn:
            raise InputError(
                self.folder / DESIGN, "is gone, or another than before; start distval serve again"
            )
        until = time.monotonic() + _PATIENCE
        while True:
            try:
                with folder_lock(self.folder, f"{self.folder}: an import is at work here"):
                    return add_answer(self.folder, answer)
            except SetupError:
                if time.monotonic() > until:
                    raise
                time.sleep(0.02)

    @cached_property
    def _judged(self) -> tuple[list[LabelCell], dict[Fact, JudgedFact]]:
        """The run's facts counted by cell, and those that were drawn, as the run judges them."""
        division = self._design.division
        table = JudgedTable(self._run, division.known_cuts())
        facts = [bare_fact(fact.e1, fact.r, fact.e2) for fact in self._design.facts]
        return label_cells(table.kinds(), division), table.look_up(facts)

    def standing(self) -> LabelsSoFar:
        """Return what the answers so far tell; as a run with these labels would, but for draws."""
        state = _state(self.folder / ANSWERS)
        if self._known is None or self._known[0] != state:
            self._known = state, self._standing()
        return self._known[1]

    def _standing(self) -> LabelsSoFar:
        answers = [
            one
            for one in all_answers(self.folder)
            if one.said and one.said != SKIP and one.id in self._asked
        ]
        if not answers:
            return LabelsSoFar(0, {}, {}, "there are no answers yet.", [])
        people = [x for one in answers if one.rater != ADJUDICATOR and (x := one.label)]
        agreement = sorted(
            (pair for pair in pairwise_agreement(ratings(people)) if pair.items),
            key=lambda pair: (-pair.items, pair.rater1, pair.rater2),
        )
        c = self._configuration
        quick = c.estimate.model_copy(update={"draws": min(c.estimate.draws, _DRAWS)})
        try:
            labels = LabelFolder.open(self.folder)
            _, told, _ = results_with_labels(
                labels, *self._judged, c.model_copy(update={"estimate": quick})
            )
        except DistvalError as error:
            return LabelsSoFar(len(answers), {}, {}, str(error), agreement)
        of_world = {system: of.world for system, of in told.items() if of.world}
        figures = {system: _measures(of) for system, of in of_world.items()}
        claims = {system: of.claims for system, of in of_world.items()}
        return LabelsSoFar(len(answers), figures, claims, None, agreement)


def _measures(of: LabelledEstimate) -> dict[str, Estimate | None]:
    return {"precision": of.precision, "recall": of.recall, "f1": of.f1}


def _state(path: Path) -> object:
    """Return what tells one content of a file from another; each is a file of its own."""
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    return found.st_ino, found.st_mtime_ns, found.st_size


def _phrases(table: FactsTable, facts: Iterable[FactPart]) -> dict[Fact, list[Phrase]]:
    """Return what systems wrote for facts, each wording once and with no system's name."""
    found: dict[Fact, dict[Phrase, None]] = defaultdict(dict)
    asked = [bare_fact(fact.e1, fact.r, fact.e2) for fact in facts]
    table.engine.table("asked", asked, FACTS)
    among = f"place IN (SELECT place FROM facts f JOIN asked a ON {same_fact('f', 'a')})"
    for system in table.systems:
        for row in table.rows(among, system=system):
            phrase = row["arg1"], row["relation"], row["arg2"]
            if row["arg1"] is not None:
                found[Fact(row["e1"], row["r"], row["e2"], row["negated"])][phrase] = None
    return {fact: list(phrases) for fact, phrases in found.items()}

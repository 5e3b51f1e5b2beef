"""A label folder as a run takes it: what was drawn, what people said, and whether both fit the run.

Labels tell about the facts that they were drawn from, and about no others (the annotator's hit rate
on hand-made facts is not its hit rate on a corpus). So a run that takes labels must have the very
groups and classes, with as many facts, that they were drawn from.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple

from evaluator.comparison.two_systems import Comparison
from evaluator.errors import ConfigurationError, InputError
from evaluator.estimators.coverage import corrected, coverage
from evaluator.estimators.labelled import LabelledEstimate, estimate
from evaluator.intervals import Drawing, Estimate
from evaluator.labels.agreement import average_pairwise_agreement
from evaluator.labels.answers import ANSWERS, read_answers
from evaluator.labels.comparison import compare_labelled
from evaluator.labels.coverage import true_by_labels
from evaluator.labels.design import (
    JudgedFact,
    LabelCell,
    LabelledFact,
    Place,
    Stratification,
    system_strata,
    thousandths,
)
from evaluator.labels.design_file import DESIGN, read_design
from evaluator.labels.label import Label, ratings
from evaluator.labels.rater_model import (
    DrawnTruth,
    RaterFigures,
    drawn_truth,
    why_not_modelled,
)
from evaluator.labels.raters import (
    ADJUDICATOR,
    Combination,
    JointJudgement,
    as_modelled,
    combine,
    disputes,
    undecided,
)
from evaluator.model import Fact, Item, Rejects
from evaluator.results.result import LabelledClass, LabelsResult, WithLabels
from jobs.config import Configuration, LabelsSettings
from jobs.rundir import fingerprint

NEGATION = "not "

# With three raters a fact and five labels a rater (benchmarks/real_labels.py, ReVerb),
# Dawid and Skene's model made shares vary half as much again as sampling does.
_FEW_OF_A_RATER = 15
_FEW_TO_KNOW_RATERS = (
    f"Some raters have fewer than {_FEW_OF_A_RATER} labels: how reliable they are is itself "
    'uncertain, and the interval does not hold that. labels.raters = "majority" is safer here.'
)


@dataclass(frozen=True)
class Drawn:
    """A fact that was drawn to be labelled, with its place in the design."""

    fact: Fact
    place: Place
    document: str


class Identity(NamedTuple):
    """What a signature says of labels.

    Attributes
    ----------
    digest
        Its first eight characters.
    answered
        Facts with an answer.
    raters
        How the answers of several raters became one.
    """

    digest: str
    answered: int
    raters: str


class Combined(NamedTuple):
    """How the answers of several raters become one, and why not by the model where that is."""

    name: Combination | Literal["model"]
    why_no_model: str | None = None


class Told(NamedTuple):
    """What labels say of a run's facts.

    Attributes
    ----------
    combined
        How the answers of several raters became one.
    world, sentence
        The facts with what people say: whether they are true, and stated by their sentence.
    quality
        How often each rater is right; empty without the model of raters.
    """

    combined: Combined
    world: list[LabelledFact]
    sentence: list[LabelledFact]
    quality: Mapping[str, RaterFigures]


@dataclass(frozen=True)
class LabelFolder:
    """What a label folder holds.

    Attributes
    ----------
    path
        The folder.
    stratification
        Groups and classes that the labels were drawn from.
    classes
        Judged facts of each class at the draw.
    drawn
        The facts, by the three words that stand for them in a sheet.
    labels
        All raters' labels.
    rejects
        Answers that are no labels, by reason.
    """

    path: Path
    stratification: Stratification
    classes: Mapping[Place, int]
    drawn: Mapping[Item, Drawn]
    labels: Sequence[Label]
    rejects: Mapping[str, int]

    @classmethod
    def open(cls, path: Path) -> "LabelFolder":
        """Read a label folder.

        Raises
        ------
        InputError
            Where the folder has no design or no answers.
        """
        rejects = Rejects()
        design = read_design(path)
        drawn = {
            (fact.e1, fact.r, fact.e2): Drawn(
                bare_fact(fact.e1, fact.r, fact.e2), fact.place, fact.document
            )
            for fact in design.facts
        }
        labels = []
        for label in read_answers(path, rejects=rejects):
            if label.item in drawn:
                labels.append(label)
            else:
                rejects.add("not drawn", "\t".join(label.item))
        if not labels:
            told = ", ".join(f"{n:,} × {reason}" for reason, n in rejects.counts.items())
            raise InputError(path / ANSWERS, f"no label of a fact that was drawn ({told})")
        classes = {one.place: one.judged for one in design.classes}
        return cls(path, design.division, classes, drawn, labels, rejects.counts)

    @property
    def digest(self) -> str:
        """A digest of what the labels say and of what they were drawn from."""
        return fingerprint(
            labels=sorted(self.labels, key=lambda x: (x.item, x.rater)),
            rejects=self.rejects,
            drawn=sorted((words, *one.place, one.document) for words, one in self.drawn.items()),
            classes=sorted((*place, judged) for place, judged in self.classes.items()),
            stratification=self.stratification.as_json(),
        )

    def identity(self, settings: LabelsSettings) -> "Identity":
        """Return what tells the labels, and what is made of them, from others."""
        answered = len({label.item for label in self.labels})
        return Identity(self.digest[:8], answered, self.combination(settings).name)

    @property
    def places(self) -> dict[Item, Place]:
        """The class that each fact was drawn from."""
        return {words: drawn.place for words, drawn in self.drawn.items()}

    def combination(self, settings: LabelsSettings) -> "Combined":
        """Return how the answers of several raters become one.

        Raises
        ------
        ConfigurationError
            Where the model of raters is asked for and the answers do not allow it.
        """
        if settings.raters != "auto" and settings.raters != "model":
            return Combined(settings.raters)
        why = why_not_modelled(self.labels, self.places, estimator=settings.estimator)
        if why is None:
            return Combined("model")
        if settings.raters == "model":
            raise ConfigurationError(
                f'{self.path}: labels.raters = "model" cannot estimate raters\' errors: {why}; let '
                'two raters answer more facts (label draw --double), or take "auto"'
            )
        return Combined("majority", why)

    def facts(self) -> list[Fact]:
        """Return the facts that were drawn."""
        return [drawn.fact for drawn in self.drawn.values()]

    def told(
        self, judged: Mapping[Fact, JudgedFact], settings: LabelsSettings, drawing: Drawing
    ) -> "Told":
        """Return what the labels say of the run's facts.

        Raises
        ------
        InputError
            Where the run lacks a fact that was drawn, or judges it otherwise than at the draw.
        ConfigurationError
            Where the answers do not allow the way to combine them, or raters agree on no fact.
        """
        combined = self.combination(settings)
        world = sentence = DrawnTruth({}, {})
        if combined.name == "model":
            world = drawn_truth(self.labels, self.places, drawing)
            stated = [
                label._replace(label=label.stated)
                for label in self.labels
                if label.stated is not None
            ]
            if why_not_modelled(stated, self.places, estimator=settings.estimator) is None:
                sentence = drawn_truth(stated, self.places, drawing)
            truth = as_modelled(self.labels, world.shares, sentence.shares or None)
        else:
            truth = combine(self.labels, method=combined.name)
        if not truth:
            raise ConfigurationError(f"{self.path}: no fact has an answer that raters agree on")
        placed = self._placed(judged, truth)
        return Told(
            combined,
            [fact._replace(drawn=world.true.get(words)) for words, fact, _ in placed],
            [
                fact._replace(truth=said.stated, link_wrong=0.0, drawn=sentence.true.get(words))
                for words, fact, said in placed
                if said.stated is not None
            ],
            world.raters,
        )

    def _placed(
        self, judged: Mapping[Fact, JudgedFact], truth: Mapping[Item, JointJudgement]
    ) -> list[tuple[Item, LabelledFact, JointJudgement]]:
        """Return the labelled facts with their place in the run."""
        found = []
        for words, said in sorted(truth.items()):
            drawn = self.drawn[words]
            fact = judged.get(drawn.fact)
            if fact is None or self.stratification.place(fact) != drawn.place:
                problem = (
                    "this run lacks" if fact is None else "this run judges otherwise than then"
                )
                raise InputError(
                    self.path / DESIGN,
                    f"was drawn from another run: {problem} ⟨{', '.join(words)}⟩; draw again",
                )
            found.append(
                (
                    words,
                    LabelledFact(
                        drawn.place,
                        fact.candidate,
                        fact.systems,
                        thousandths(fact),
                        said.true,
                        said.link_wrong,
                        drawn.document,
                    ),
                    said,
                )
            )
        return found

    def check(self, cells: Iterable[LabelCell]) -> None:
        """Refuse labels that were drawn from other facts than those of `cells`.

        Raises
        ------
        InputError
            Where a class has another number of facts than at the draw.
        """
        now: Counter[Place] = Counter()
        for cell in cells:
            if cell.place.name is not None:
                now[cell.place] += cell.facts
        for place in sorted({*now, *self.classes}, key=str):
            if now[place] != self.classes.get(place, 0):
                raise InputError(
                    self.path / DESIGN,
                    f"was drawn from another run: {self.classes.get(place, 0):,} facts were "
                    f"{place.group}, {place.name}, and now {now[place]:,} are; draw again",
                )


def bare_fact(e1: str, r: str, e2: str) -> Fact:
    """Return the fact that a sheet's three words stand for."""
    return Fact(e1, r.removeprefix(NEGATION), e2, r.startswith(NEGATION))


def words(fact: Fact) -> Item:
    """Return the three words that stand for a fact in a sheet."""
    return fact.e1, NEGATION + fact.r if fact.negated else fact.r, fact.e2


def results_with_labels(
    folder: LabelFolder,
    cells: Sequence[LabelCell],
    judged: Mapping[Fact, JudgedFact],
    configuration: Configuration,
) -> tuple[LabelsResult, dict[str, WithLabels], list[Comparison]]:
    """Return what a result says of the labels, what they tell of each system, and of each pair.

    Pairs are compared by truth in the world.

    Raises
    ------
    InputError
        Where the labels were drawn from another run.
    ConfigurationError
        Where the answers do not allow the way to combine them.
    """
    settings, c = configuration.labels, configuration
    folder.check(cells)
    combined, world, sentence, quality = folder.told(judged, settings, c.drawing)
    by_rater = Counter(label.rater for label in folder.labels)
    few = combined.name == "dawid-skene" and min(by_rater.values()) < _FEW_OF_A_RATER
    doubts = [_FEW_TO_KNOW_RATERS] if few else []
    if combined.why_no_model:
        doubts.append(f"Raters' errors are not estimated: {combined.why_no_model}.")

    def told(system: str, facts: Sequence[LabelledFact]) -> LabelledEstimate:
        strata = system_strata(cells, facts, system)
        made = estimate(strata, settings.estimator, c.drawing, corpus=c.corpus is not None)
        return made.model_copy(update={"notes": (*made.notes, *doubts)})

    names = [source.name for source in c.systems]
    of_world = {name: told(name, world) for name in names}
    covered, within = None, dict[str, Estimate]()
    if c.corpus is not None:
        covered, within = coverage(
            true_by_labels(cells, world, c.drawing),
            [source.name for source in c.files],
            c.drawing,
            by="labels",
        )
    systems = {
        name: WithLabels(
            world=of,
            sentence=told(name, sentence) if sentence else None,
            recall_corrected=corrected(of.recall, within.get(name)),
        )
        for name, of in of_world.items()
    }
    people = [label for label in folder.labels if label.rater != ADJUDICATOR]
    identity = folder.identity(settings)
    labels = LabelsResult(
        digest=identity.digest,
        drawn=len(folder.drawn),
        answered=identity.answered,
        estimator=settings.estimator,
        raters=combined.name,
        why_no_model=combined.why_no_model,
        labelled=len(world),
        labelled_sentence=len(sentence),
        # A sentence whose corpus names no documents is one of its own (evaluator.corpus.sentences).
        documents=len({fact.document for fact in world if fact.document}) or None,
        link_wrong=sum(fact.link_wrong > 0 for fact in world),
        by_rater=dict(sorted(by_rater.items())),
        quality=quality,
        agreement=average_pairwise_agreement(ratings(people), level=c.estimate.level),
        disputed=len(disputes(folder.labels)),
        undecided=len(undecided(folder.labels)) if combined.name == "adjudicated" else 0,
        rejects=dict(sorted(folder.rejects.items())),
        classes=_classes(folder, world),
        coverage=covered,
    )
    pairs = compare_labelled(
        cells,
        world,
        names,
        estimator=settings.estimator,
        claims={name: of.claims for name, of in of_world.items()},
        drawing=c.drawing,
        corpus=c.corpus is not None,
    )
    return labels, systems, pairs


def _classes(folder: LabelFolder, labelled: Iterable[LabelledFact]) -> tuple[LabelledClass, ...]:
    """Return for each class its judged facts, its labels, and how many of those are true."""
    labels: Counter[Place] = Counter()
    true: dict[Place, float] = defaultdict(float)
    for fact in labelled:
        labels[fact.place] += 1
        true[fact.place] += fact.truth
    return tuple(
        LabelledClass.model_validate(
            {
                "group": place.group,
                "class": place.name,
                "judged": judged,
                "labels": labels[place],
                "true": true[place],
            }
        )
        for place, judged in folder.classes.items()
    )

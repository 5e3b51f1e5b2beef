"""What the report shows of human labels: estimates from them, and the people and classes behind.

Estimates from labels are the headline where there are some. What the automatic annotator alone says
stands beside them, so that a reader sees by how much it was off.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from evaluator.estimators import methods
from evaluator.estimators.labelled import LabelledEstimate
from evaluator.intervals import Estimate
from evaluator.labels.rater_model import RaterFigures
from evaluator.report.figures import falling, percent
from evaluator.results.result import LabelsResult
from evaluator.wordings import MEASURES

# Below this a design effect widens an interval by less than a reader would see.
_NEGLIGIBLE = 1.05

_CLAIMS = {
    "nominal": "claims to hold the truth {level} of the time, if {labels}",
    "at least": "claims to hold the truth at least {level} of the time, if {labels}",
    "by assumption": "claims to hold the truth {level} of the time, if its assumptions are right",
    "few labels": "claims nothing: too few labels",
}
_LABELS_RIGHT = "the labels are right"
_RATERS_APART = "raters err independently of each other"
_COMBINED = {
    "majority": "as most raters say; a tie counts as half true",
    "adjudicated": "as all raters say, and where they differ as the adjudicator says",
    "model": "how often each rater is right is estimated with what is true behind the answers, and "
    "the intervals hold what is uncertain of both",
    "dawid-skene": "each rater weighed by how often that rater is right (Dawid and Skene)",
}
_SAYS = {"matched": True, "accepted": True, "rejected": False, "undefined": None}


class ShownClaim(NamedTuple):
    """What the interval of one measure claims; why stands among the notes of the estimate."""

    name: str
    short: str


class LabelledSystem(NamedTuple):
    """What labels tell about one system, in answer to one question.

    Attributes
    ----------
    estimator
        NAME of the estimator.
    labels
        Labelled facts of S, and of G′ ∖ S (None without a corpus).
    measures, regions
        The estimates.
    right_links
        Precision among facts with right links; None where no link was called wrong.
    claims
        By measure.
    design_effects
        Of the measures on which shared documents tell.
    notes
        As the estimate has them.
    """

    estimator: str
    labels: tuple[int, int | None]
    measures: Mapping[str, Estimate]
    regions: Mapping[str, Estimate]
    right_links: Estimate | None
    claims: Mapping[str, ShownClaim]
    design_effects: Mapping[str, float]
    notes: Sequence[str]

    @classmethod
    def read(
        cls, answer: LabelledEstimate | None, *, measures: Sequence[str], regions: Sequence[str]
    ) -> "LabelledSystem | None":
        """Return one answer of a system's ``with_labels``, None where there is none."""
        if answer is None:
            return None
        figures = known({measure: getattr(answer, measure) for measure in measures})
        labels = _LABELS_RIGHT if answer.wrong_answers else _RATERS_APART
        return cls(
            estimator=answer.estimator,
            labels=answer.labels,
            measures=figures,
            regions=known({region: answer.regions[region] for region in regions}),
            right_links=answer.precision_right_links,
            claims={
                measure: _claim(answer.claims[measure], level=figure.level, labels=labels)
                for measure, figure in figures.items()
            },
            design_effects={
                measure: effect
                for measure in figures
                if (effect := answer.design_effects[measure]) > _NEGLIGIBLE
            },
            notes=answer.notes,
        )

    @property
    def figures(self) -> dict[str, Estimate]:
        """Every estimate by the name that the page gives it."""
        links = {"precision among right links": self.right_links} if self.right_links else {}
        return {**self.measures, **self.regions, **links}

    @property
    def why(self) -> str:
        """Why a measure is not estimable."""
        return " ".join(self.notes) or "The labels do not tell."

    @property
    def few_labels(self) -> bool:
        """Whether an interval claims nothing, for want of labels."""
        return any(
            figure.value is not None and self.claims[measure].name == "few labels"
            for measure, figure in self.measures.items()
        )


def remarks(answers: Mapping[str, LabelledSystem]) -> list[str]:
    """Return a sentence for each claim and each note of the answers to several questions.

    It names its question, unless it is true of the answers to all.
    """
    questions: dict[str, list[str]] = {}
    for question, labelled in answers.items():
        for sentence in (*_claims(labelled), *labelled.notes):
            questions.setdefault(sentence, []).append(question)
    return [
        sentence if len(of) == len(answers) else f"{of[0].capitalize()}: {sentence}"
        for sentence, of in questions.items()
    ]


def _claims(labelled: LabelledSystem) -> Iterator[str]:
    """Yield a sentence for each different claim, with the measures that it is made for."""
    by_claim: dict[ShownClaim, list[str]] = {}
    for measure, figure in labelled.measures.items():
        if figure.value is not None:
            by_claim.setdefault(labelled.claims[measure], []).append(MEASURES[measure])
    for claim, names in by_claim.items():
        if len(names) == 1:
            yield f"The interval of {names[0]} {claim.short}."
        else:
            told = f"{', '.join(names[:-1])} and {names[-1]}"
            plural = claim.short.replace("claims", "claim")
            yield f"The intervals of {told} {plural}."


def known(figures: Mapping[str, Estimate | None]) -> dict[str, Estimate]:
    """Return the figures that there are: without a corpus, none of recall, c and d."""
    return {name: figure for name, figure in figures.items() if figure is not None}


def _claim(name: str, *, level: float | None, labels: str) -> ShownClaim:
    told = _CLAIMS[name].format(level=percent(level, places=0), labels=labels)
    return ShownClaim(name, told)


def apart(annotator: Estimate, labelled: Estimate, places: int) -> str:
    """Return how far the annotator's figure lies from the one with labels, in words."""
    if annotator.value is None or labelled.value is None:
        return ""
    points = f"{abs(annotator.value - labelled.value) * 100:.{places}f}"
    if not float(points):
        return "the same as with labels"
    return f"{points} points {'higher' if annotator.value > labelled.value else 'lower'}"


# --- the people and the classes -----------------------------------------------------------------


class LabelClass(NamedTuple):
    """A class of facts that the annotator judged alike, and what people said of some of them.

    Attributes
    ----------
    name
        The class.
    says
        What the annotator takes its facts for: true, false, or None for undefined.
    judged, labels, true
        Facts of the class, those with a label, and the sum of these labels.
    """

    name: str
    says: bool | None
    judged: int
    labels: int
    true: float

    @property
    def share(self) -> float | None:
        """Share of true facts among those with a label."""
        return self.true / self.labels if self.labels else None

    @property
    def wrong(self) -> float | None:
        """Share of the labels that contradict the annotator; None where it says nothing."""
        if self.share is None or self.says is None:
            return None
        return 1 - self.share if self.says else self.share


class People(NamedTuple):
    """Who labelled what, and how their answers became one.

    Attributes
    ----------
    labelled, labelled_sentence, drawn, link_wrong
        Facts with a label, with an answer on their sentence, drawn to be labelled, and with a link
        that somebody called wrong.
    documents
        Documents that the labelled facts are from: labels of one count for less. None where facts
        are given without sentences.
    estimator, description
        NAME of the estimator and what it does.
    combined
        How several raters' answers become one.
    by_rater, rejects
        Answers of each rater, and answers that are none by reason, in falling order.
    quality
        How often each rater is right, where that is estimated.
    agreement
        Mean agreement of two raters on a fact.
    disputed, undecided
        Facts on which raters differ, and those left out for it.
    classes
        By group of facts.
    """

    labelled: int
    labelled_sentence: int
    documents: int | None
    drawn: int
    link_wrong: int
    estimator: str
    description: str
    combined: str
    by_rater: Sequence[tuple[str, int]]
    quality: Mapping[str, RaterFigures]
    agreement: Estimate
    disputed: int
    undecided: int
    rejects: Sequence[tuple[str, int]]
    classes: Mapping[str, Sequence[LabelClass]]

    @classmethod
    def read(cls, labels: LabelsResult | None) -> "People | None":
        """Return what a result says of its labels, None where it has none."""
        if labels is None:
            return None
        classes: dict[str, list[LabelClass]] = {}
        for of in labels.classes:
            says = _SAYS[of.name.partition(",")[0]]
            one = LabelClass(of.name, says, of.judged, of.labels, of.true)
            classes.setdefault(of.group, []).append(one)
        method = methods().get(labels.estimator)
        return cls(
            labelled=labels.labelled,
            labelled_sentence=labels.labelled_sentence,
            documents=labels.documents,
            drawn=labels.drawn,
            link_wrong=labels.link_wrong,
            estimator=labels.estimator,
            description=method.DESCRIPTION if method else "",
            combined=_COMBINED[labels.raters],
            by_rater=falling(labels.by_rater),
            quality=labels.quality,
            agreement=labels.agreement,
            disputed=labels.disputed,
            undecided=labels.undecided,
            rejects=falling(labels.rejects),
            classes=classes,
        )

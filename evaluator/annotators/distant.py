"""The distant annotator: the probability that a fact is true, learnt from what D decides.

Distant supervision (Mintz et al., ACL 2009) inside the run, without people, with a correction for
examples that are not pure (positive-unlabelled learning, Elkan and Noto, KDD 2008). What it learns
from depends on the run: the facts that the database holds, what systems agree on where it holds too
few, or exchanged facts where there is no corpus (:mod:`evaluator.annotators.lessons`).

The model sees the text and the sentence, not what the database says, nor which relation it is. A
fact is judged by a model that has seen no fact of its subject (cross-fitting in folds). The
threshold is in the first lesson the one at which as many facts are accepted as are expected to be
true, in the others 0.5.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, ClassVar, Final

import numpy as np

from evaluator.annotators.base import (
    Examples,
    Kind,
    Part,
    Population,
    check_single,
    check_threshold,
)
from evaluator.annotators.evidence import Evidence, Floats
from evaluator.annotators.features import Feature, matrix
from evaluator.annotators.items import digest_of
from evaluator.annotators.lessons import (
    CORRECTIONS,
    ENDS,
    FOLDS,
    check_lesson,
    folds_of,
    groups_of,
    learn_lesson,
    lesson_of,
    log_odds,
    looked_at,
    softened_by_agreement,
)
from evaluator.annotators.logistic import Logistic, Sample
from evaluator.model import Item

NAME: Final = "distant"

LEARNT: Final = ("lesson", "share", "examples", "true")
"""What a result tells of how it has learnt."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Distant:
    """A model learnt from what the database decides.

    Attributes
    ----------
    model
        Learnt from all examples.
    folds
        Those that judge: the model of fold k has seen no fact of fold k.
    lesson
        What it learnt from: "held", "agreed" or "exchanged".
    share
        The estimated share of true facts that the database holds, or of stated ones that are true.
    examples, true
        Facts that it learnt from, and how many of them are held, stated by two systems, or stated.
    groups
        Groups of systems that it tells apart (:func:`~evaluator.annotators.lessons.groups_of`).
    threshold
        Least probability of a fact that is accepted.

    Raises
    ------
    ConfigurationError
        For a threshold that is none.
    ValueError
        If a model has not one weight for each feature.
    """

    NAME: ClassVar[str] = NAME

    model: Logistic
    folds: tuple[Logistic, ...]
    lesson: str
    share: float
    examples: int
    true: int
    groups: tuple[str, ...]
    threshold: float

    def __post_init__(self) -> None:
        check_threshold(self.threshold)
        for model in (self.model, *self.folds):
            model.check_features(len(self._looked_at))

    @classmethod
    def fit(cls, examples: Examples, *, threshold: float | None = None) -> "Distant":
        """Learn from what the database decides; the same examples in any order give the same model.

        Parameters
        ----------
        examples
            What it decides.
        threshold
            By default that of the lesson.

        Raises
        ------
        ConfigurationError
            For fewer than 30 facts of either kind, or where agreement is all there is to learn
            from and nothing tells of it.
        """
        from threadpoolctl import threadpool_limits

        evidence, made = examples.evidence, examples.made
        matched, weight, fold = examples.matched, examples.weight, folds_of(examples.names)
        lesson, told, labels = lesson_of(examples)
        groups = groups_of(lesson, evidence.take(told))
        features = matrix(evidence, looked_at(lesson, groups))
        if lesson == "exchanged":
            weight = np.where(made, weight[~made].sum() / made.sum(), weight)  # as many as stated
        rows = np.flatnonzero(told)
        # Sums of floating point depend on the order: one order, whatever the input's.
        rows = rows[np.lexsort((*features[rows].T, weight[rows], labels[rows], fold[rows]))]
        sample = Sample(
            features[rows], np.full(rows.size, ""), labels[rows], fold[rows], weight[rows]
        )
        check_lesson(lesson, sample)
        true = int(sample.labels.sum())
        with threadpool_limits(1):  # as for the calibrated annotator
            if lesson == "agreed":
                sample = softened_by_agreement(sample)
            fitted = learn_lesson(sample)
            folds = [learn_lesson(sample.take(sample.fold != k)) for k in range(FOLDS)]
        odds = np.empty(sample.fold.size)
        for k, model in enumerate(folds):
            part = sample.fold == k
            odds[part] = log_odds(model, sample.features[part])
        share, correct = CORRECTIONS[lesson](odds, sample)
        annotator = cls(
            model=correct(fitted),
            folds=tuple(map(correct, folds)),
            lesson=lesson,
            share=share,
            examples=rows.size,
            true=true,
            groups=groups,
            threshold=0.5 if threshold is None else threshold,
        )
        if threshold is not None or lesson != "held":
            return annotator
        open_facts = evidence.defined & ~matched
        scores = annotator.score(evidence, examples.names)[open_facts].round(3)
        return replace(annotator, threshold=_threshold(scores, examples.weight[open_facts]))

    def score(self, evidence: Evidence, names: Sequence[str] | None = None) -> Floats:
        """Return the probability of each fact, NaN where it is not defined.

        Parameters
        ----------
        evidence
            With its context.
        names
            Of the facts (:func:`subject_of`): each is judged by a model that has seen none of its
            subject. Without them all are taken as new.
        """
        features = matrix(evidence, self._looked_at)
        nameless = [""] * len(evidence)
        if names is None:
            scores = self.model.probability(features, nameless)
        else:
            fold, scores = folds_of(names), np.empty(len(evidence))
            for k, model in enumerate(self.folds):
                part = fold == k
                scores[part] = model.probability(features[part], nameless[: part.sum()])
        return np.where(evidence.defined, scores, np.nan)

    def coefficients(self, relation: str | None = None) -> tuple[Part, ...]:
        """Return every feature with its mean as value and its weight per standard deviation.

        They are those of the log odds of the lesson, before its correction, and alike for every
        `relation`.
        """
        return self.model.coefficients(self._looked_at, relation)

    def parts(self, evidence: Evidence, names: Sequence[str] | None = None) -> tuple[Part, ...]:
        """Return what each feature of one fact adds to the log odds, before the correction.

        Parameters as for :meth:`score`; contributions are relative to the mean of the examples.
        """
        check_single(evidence)
        model = self.model if names is None else self.folds[folds_of(names)[0]]
        features = self._looked_at
        return model.parts(features, matrix(evidence, features), "")

    @property
    def _looked_at(self) -> dict[str, Feature]:
        return looked_at(self.lesson, self.groups)

    def describe(self) -> str:
        """Return for example "distant-1f6c2a90-t0.41", with a digest of all models."""
        models = {**self.as_json(), "threshold": None}
        return f"{NAME}-{digest_of([repr(models)])[:8]}-t{self.threshold:g}"

    def as_json(self) -> dict[str, Any]:
        """Return the parameters."""
        return {
            "threshold": self.threshold,
            **{name: getattr(self, name) for name in LEARNT},
            "groups": list(self.groups),
            "features": list(self._looked_at),
            "model": asdict(self.model),
            "folds": [asdict(model) for model in self.folds],
        }

    @classmethod
    def from_json(cls, saved: dict[str, Any]) -> "Distant":
        """Return the annotator with the parameters that :meth:`as_json` gave.

        Raises
        ------
        ValueError
            If it looks at other features.
        """
        groups = tuple(saved["groups"])
        if saved["features"] != list(looked_at(saved["lesson"], groups)):
            raise ValueError("fitted to other features than this version has: run again")
        return cls(
            model=Logistic.from_json(saved["model"]),
            folds=tuple(map(Logistic.from_json, saved["folds"])),
            groups=groups,
            **{name: saved[name] for name in (*LEARNT, "threshold")},
        )


def subject_of(item: Item) -> str:
    """Return what a fact is dealt into a fold by: its subject."""
    return digest_of(item[:1])


def _threshold(scores: Floats, weight: Floats) -> float:
    """Return the score from which on as many facts lie as are expected to be true."""
    order = np.argsort(-scores, kind="stable")
    accepted = np.cumsum(weight[order])
    place = int(np.searchsorted(accepted, (scores * weight).sum()))
    return float(scores[order[min(place, scores.size - 1)]]) or ENDS[0]


def _fitted(settings: Mapping[str, Any], population: Population) -> Distant:
    return Distant.fit(population.examples(), threshold=settings["threshold"])


KIND = Kind(
    annotator=Distant,
    title="Distant",
    about=(
        "Learnt without people, from facts that the database holds, that systems agree on, or "
        "that are exchanged, corrected for what the database lacks or the systems get wrong."
    ),
    score="probability",
    section="distant",
    make=_fitted,
    fitted=True,
    context=True,
    examples=True,
    names=subject_of,
)

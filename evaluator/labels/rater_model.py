"""Raters who err, in the interval: when their labels tell how often, and what then is true.

The model is that of :mod:`evaluator.estimators.rater_error`; its classes are those that the labels
were drawn from. The answer of the adjudicator counts as right.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from evaluator.estimators.claims import MEASURED
from evaluator.estimators.rater_error import (
    RaterAnswers,
    latent_truth,
    unidentified,
    unidentified_by_design,
)
from evaluator.intervals import Drawing, Estimate, from_draws
from evaluator.labels.design import Place
from evaluator.labels.label import Label
from evaluator.labels.raters import ADJUDICATOR
from evaluator.model import Item
from evaluator.named_objects import ClosedModel

_METHOD = "latent classes, joint posterior"


class RaterFigures(ClosedModel):
    """How often a rater is right, of true facts and of false ones, as the model has it."""

    sensitivity: Estimate
    specificity: Estimate


class DrawnTruth(NamedTuple):
    """What the model draws.

    Attributes
    ----------
    true
        Fact to whether it is true in each draw; shape (draws,).
    raters
        Rater to figures; the adjudicator has none.
    """

    true: Mapping[Item, NDArray[np.bool_]]
    raters: Mapping[str, RaterFigures]

    @property
    def shares(self) -> dict[Item, float]:
        """Fact to the probability that it is true."""
        return {item: float(drawn.mean()) for item, drawn in self.true.items()}


def why_not_modelled(
    labels: Iterable[Label], places: Mapping[Item, Place], *, estimator: str
) -> str | None:
    """Return why raters' errors cannot be in the interval, in a clause; None if they can.

    Parameters
    ----------
    labels
        At most one of each rater for a fact.
    places
        The class that each fact was drawn from.
    estimator
        NAME of the estimator; the model goes with those that take its draws.
    """
    return _not_taken(estimator) or unidentified(_Asked.of(labels, places).answers)


def why_not_expected(
    asked: Iterable[tuple[Place, Sequence[str]]],
    assumed: Mapping[Place, float],
    *,
    estimator: str,
) -> str | None:
    """Return why raters' errors will not be in the interval when all drawn facts are answered.

    Parameters
    ----------
    asked
        The class of each fact, and its raters.
    assumed
        Class to the share of true facts that it is taken to have.
    estimator
        As for :func:`why_not_modelled`.

    Returns
    -------
    A clause, or None where the answers will do.
    """
    facts = list(asked)
    numbers = {place: number for number, place in enumerate(assumed)}
    return _not_taken(estimator) or unidentified_by_design(
        len({rater for _, raters in facts for rater in raters}),
        np.array([len(raters) for _, raters in facts], dtype=np.int64),
        np.array([assumed[place] for place, _ in facts], dtype=float),
        np.array([numbers[place] for place, _ in facts], dtype=np.int64),
    )


def _not_taken(estimator: str) -> str | None:
    if estimator in MEASURED:
        return None
    return f"the estimator {estimator} does not take it (those that do: {', '.join(MEASURED)})"


def drawn_truth(
    labels: Iterable[Label], places: Mapping[Item, Place], drawing: Drawing
) -> DrawnTruth:
    """Draw what is true behind labels, and how often raters are right.

    Neither the order of the labels nor that of the raters matters.
    """
    asked = _Asked.of(labels, places)
    found = latent_truth(asked.answers, drawing)
    answered = np.bincount(asked.answers.rater, minlength=len(asked.raters))

    def figure(draws: NDArray[np.float64], number: int) -> Estimate:
        return from_draws(float(draws.mean()), draws, method=_METHOD, level=drawing.level, n=number)

    return DrawnTruth(
        dict(zip(asked.items, found.true, strict=True)),
        {
            rater: RaterFigures(
                sensitivity=figure(found.sensitivity[place], int(answered[place])),
                specificity=figure(found.specificity[place], int(answered[place])),
            )
            for place, rater in enumerate(asked.raters)
        },
    )


class _Asked(NamedTuple):
    """Labels as arrays, with the facts and the raters that their numbers stand for."""

    items: list[Item]
    raters: list[str]
    answers: RaterAnswers

    @classmethod
    def of(cls, labels: Iterable[Label], places: Mapping[Item, Place]) -> "_Asked":
        given = sorted(labels, key=lambda label: (label.item, label.rater))
        items = sorted({label.item for label in given})
        of_raters = [label for label in given if label.rater != ADJUDICATOR]
        raters = sorted({label.rater for label in of_raters})
        fact = {item: place for place, item in enumerate(items)}
        rater = {name: place for place, name in enumerate(raters)}
        classes = {place: n for n, place in enumerate(sorted({places[i] for i in items}, key=str))}
        decided = np.full(len(items), -1)
        for label in given:
            if label.rater == ADJUDICATOR:
                decided[fact[label.item]] = label.label
        return cls(
            items,
            raters,
            RaterAnswers(
                fact=np.array([fact[label.item] for label in of_raters], dtype=np.int64),
                rater=np.array([rater[label.rater] for label in of_raters], dtype=np.int64),
                said=np.array([label.label for label in of_raters], dtype=bool),
                of_class=np.array([classes[places[item]] for item in items], dtype=np.int64),
                decided=decided,
            ),
        )

"""A calibrated logistic regression: fitted by scikit-learn, scored by numpy alone.

A relation with enough labels has weights of its own: the shared ones and deviations from them, all
held near 0 by the same penalty, so that a relation goes its own way only as far as its labels ask
for (a hierarchical model). All others have the weights of a model without deviations, and its
calibration: those of the hierarchical model alone call too few facts of an unknown relation true.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Any, NamedTuple, Self

import numpy as np

from evaluator.annotators.base import Part
from evaluator.annotators.evidence import Floats, Strings
from evaluator.counting.occurrences import Booleans, Integers

REGULARISATION = 0.1
"""scikit-learn's C for standardised features. On FactBench 0.03 to 0.3 differ by 0.01 of balanced
accuracy; with few labels, where it matters, a small C keeps single features from deciding."""

FEWEST_OF_RELATION = 30
"""Labels of a relation that has its own weights, at least."""

FEWEST_OF_KIND = 5
"""True ones, and false ones, among them."""

type Knots = tuple[tuple[float, float], ...]
"""Log odds and probability, both rising: calibrated is what lies on the straight lines between
these points, and beyond the ends the end's."""


class Sample(NamedTuple):
    """Facts to train on.

    Attributes
    ----------
    features
        Shape (facts, features).
    relation, labels, fold
        Of each fact, shape (facts,).
    weight
        How many facts of the population each stands for, up to a factor; shape (facts,).
    """

    features: Floats
    relation: Strings
    labels: Booleans
    fold: Integers
    weight: Floats

    def take(self, rows: Any) -> "Sample":
        """Return some of the facts."""
        return Sample(*(column[rows] for column in self))


@dataclass(frozen=True, slots=True, kw_only=True)
class Logistic:
    """The model, as plain numbers.

    Attributes
    ----------
    shared
        Log odds = shared[0] + Σ shared[1 + i] · (valueᵢ − meanᵢ)/scaleᵢ.
    own
        By relation: the same for the relations that have weights of their own.
    means, scales
        Of the features among the facts that it was trained on. A feature that was constant there
        has weight 0 and scale 1.
    shared_knots, own_knots
        From log odds to probability, for either kind of relations.

    Raises
    ------
    ValueError
        If lengths differ, a number is not finite, or the knots do not rise within (0, 1).
    """

    shared: tuple[float, ...]
    own: Mapping[str, tuple[float, ...]]
    means: tuple[float, ...]
    scales: tuple[float, ...]
    shared_knots: Knots
    own_knots: Knots

    def __post_init__(self) -> None:
        rows = (self.shared, *self.own.values())
        if {len(row) - 1 for row in rows} != {len(self.means)} or len(self.scales) != len(
            self.means
        ):
            raise ValueError("weights, means and scales differ in number")
        for numbers in (*rows, self.means, self.scales, *self.shared_knots, *self.own_knots):
            if not all(map(isfinite, numbers)):
                raise ValueError("a number is not finite")
        if min(self.scales) <= 0:
            raise ValueError("a scale is not positive")
        _check_knots(self.shared_knots)
        if self.own:
            _check_knots(self.own_knots)

    @classmethod
    def from_json(cls, saved: dict[str, Any]) -> Self:
        """Return the model from the JSON object that `dataclasses.asdict` gave."""
        lists = {name: tuple(saved[name]) for name in ("shared", "means", "scales")}
        own = {relation: tuple(row) for relation, row in saved["own"].items()}
        knots = {name: tuple(map(tuple, saved[name])) for name in ("shared_knots", "own_knots")}
        return cls(**{**saved, **lists, **knots, "own": own})

    def check_features(self, number: int) -> None:
        """Refuse, with a ValueError, a model that has not this number of features."""
        if len(self.means) != number:
            raise ValueError(f"{len(self.means)} means for {number} features")

    def weights(self, relation: Iterable[str]) -> Floats:
        """Return intercept and weights for each relation given, shape (…, 1 + features)."""
        return np.array([self.shared, *self.own.values()])[self._place(relation)]

    def contributions(self, features: Floats, relation: Iterable[str]) -> Floats:
        """Return what the intercept and each feature add to the log odds of each fact.

        Shape (facts, 1 + features).
        """
        added = self.weights(relation)
        added[:, 1:] *= (features - np.array(self.means)) / np.array(self.scales)
        return added

    def coefficients(self, features: Iterable[str], relation: str | None) -> tuple[Part, ...]:
        """Return every feature with its mean as value and its weight per standard deviation.

        Those of a relation that has weights of its own, or else the shared ones.
        """
        intercept, *weights = self.weights([relation or ""])[0].tolist()
        parts = map(Part, features, self.means, weights)
        return (Part("intercept", None, None, intercept), *parts)

    def parts(self, names: Iterable[str], features: Floats, relation: str) -> tuple[Part, ...]:
        """Return what each feature of one fact adds to the log odds, before calibration.

        `features` has shape (1, features). The weight is per unit of the value.
        """
        intercept, *added = self.contributions(features, [relation])[0].tolist()
        weights = (self.weights([relation])[0, 1:] / np.array(self.scales)).tolist()
        parts = map(Part, names, features[0].tolist(), weights, added)
        return (Part("intercept", None, None, intercept), *parts)

    def probability(self, features: Floats, relation: Iterable[str]) -> Floats:
        """Return the calibrated probability of each fact, shape (facts,).

        Summed row by row: how many facts are judged at a time changes no bit.
        """
        odds = self.contributions(features, relation).sum(axis=1)
        probability = np.interp(odds, *np.array(self.shared_knots).T)
        if (own := self._place(relation) > 0).any():
            probability[own] = np.interp(odds[own], *np.array(self.own_knots).T)
        return np.asarray(probability)

    def _place(self, relation: Iterable[str]) -> Integers:
        places = {name: place for place, name in enumerate(self.own, start=1)}
        return np.fromiter((places.get(name, 0) for name in relation), np.int64)


def fit(sample: Sample, *, own: bool = True, regularisation: float = REGULARISATION) -> Logistic:
    """Return the model trained on facts, calibrated on predictions of facts that it had not seen.

    The isotonic regressions (pool adjacent violators) are fitted to the log odds of each fact by a
    model that was trained on the other folds; on the predictions of its own training set it would
    take the model for surer than it is.

    Parameters
    ----------
    sample
        The facts. Both kinds of labels must be among those outside any fold.
    own
        Whether relations with labels enough get weights of their own.
    regularisation
        scikit-learn's C: the smaller, the closer the weights are held to 0.
    """
    features, weight = sample.features, sample.weight / sample.weight.mean()
    means = np.average(features, axis=0, weights=weight)
    scales = np.sqrt(np.average((features - means) ** 2, axis=0, weights=weight))
    constant = scales <= 1e-12 * np.maximum(1, abs(means))
    scales = np.where(constant, 1.0, scales)
    standardised = sample._replace(
        features=np.where(constant, 0.0, (features - means) / scales), weight=weight
    )
    relations = _with_enough_labels(sample) if own else []
    table = _regress(standardised, relations, regularisation)
    # Of each fact the row of its relation: 0, the shared weights, or one of those that follow.
    places = {name: place for place, name in enumerate(relations, start=1)}
    place = np.array([places.get(r, 0) for r in sample.relation.tolist()], np.int64)
    with_ones = _with_ones(standardised.features)
    shared, of_own = np.empty(len(features)), np.empty(len(features))
    for held in np.unique(sample.fold):
        part = sample.fold == held
        weights = _regress(standardised.take(~part), relations, regularisation)
        shared[part] = with_ones[part] @ weights[0]
        of_own[part] = (with_ones[part] * weights[place[part]]).sum(axis=1)
    known = place > 0
    return Logistic(
        shared=tuple(table[0].tolist()),
        own=dict(zip(relations, map(tuple, table[1:].tolist()), strict=True)),
        means=tuple(means.tolist()),
        scales=tuple(scales.tolist()),
        shared_knots=_calibrate(shared, sample.labels, weight),
        own_knots=_calibrate(of_own[known], sample.labels[known], weight[known])
        if relations
        else (),
    )


def _regress(sample: Sample, relations: list[str], regularisation: float) -> Floats:
    """Return the shared weights and those of each relation, shape (1 + relations, 1 + features).

    Classes are not reweighted: the isotonic regression would undo it, and it ranks no better
    (FactBench: AUC 0.917 and 0.916 on facts with a pair).
    """
    from sklearn.linear_model import LogisticRegression

    model = LogisticRegression(C=regularisation, solver="newton-cholesky", tol=1e-6)

    def weights(columns: Floats) -> Floats:
        model.fit(columns, sample.labels, sample.weight)
        return np.array([model.intercept_[0], *model.coef_[0]])

    shared = weights(sample.features)
    if not relations:
        return shared[None]
    with_ones = _with_ones(sample.features)
    of_relation = [with_ones * (sample.relation == name)[:, None] for name in relations]
    base, deviations = np.split(
        weights(np.column_stack([sample.features, *of_relation])), [shared.size]
    )
    return np.vstack([shared, base + deviations.reshape(-1, shared.size)])


def _with_ones(features: Floats) -> Floats:
    return np.column_stack([np.ones(len(features)), features])


def _calibrate(odds: Floats, labels: Booleans, weight: Floats) -> Knots:
    """Return the isotonic regression of labels on log odds, rising between the middles of steps.

    A step gives all its facts the same probability; what lies between the middles of two steps
    (centred isotonic regression, Oron and Flournoy 2017) keeps their order. A true fact is added at
    the lower end and a false one at the upper: three of three facts above all others do not make
    the next one certain.
    """
    from sklearn.isotonic import IsotonicRegression

    x = np.array([*odds, odds.min(), odds.max()])
    w = np.array([*weight, 1.0, 1.0])
    isotonic = IsotonicRegression(out_of_bounds="clip")  # of sums that round differently
    fitted = isotonic.fit(x, [*labels, True, False], w).predict(x)
    steps, of = np.unique(fitted, return_inverse=True)
    middles = np.bincount(of, weights=w * x) / np.bincount(of, weights=w)
    return tuple(zip(middles.tolist(), steps.tolist(), strict=True))


def _check_knots(knots: Knots) -> None:
    table = np.array(knots, float)
    if table.ndim != 2 or table.shape[1] != 2 or (np.diff(table, axis=0) < 0).any():
        raise ValueError("knots do not rise")
    if table[:, 1].min() <= 0 or table[:, 1].max() >= 1:
        raise ValueError("knots: a probability is not between 0 and 1")


def _with_enough_labels(sample: Sample) -> list[str]:
    """Return the relations that have weights of their own, sorted; "" is that of no known one."""
    true = Counter(sample.relation[sample.labels].tolist())
    false = Counter(sample.relation[~sample.labels].tolist())
    return sorted(
        name
        for name in true
        if name
        and min(true[name], false[name]) >= FEWEST_OF_KIND
        and true[name] + false[name] >= FEWEST_OF_RELATION
    )

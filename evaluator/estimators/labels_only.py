"""People alone: the annotator is asked for nothing but the weights that its classes gave the draw.

What every other estimator with labels has to beat.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from evaluator.estimators.strata import (
    UNLABELLED,
    Asked,
    Stratum,
    StratumClass,
    TrueFacts,
    in_order,
    nearest,
    shares,
)

NAME = "labels-only"
DESCRIPTION = "share of true facts among the labelled ones, weighted by the inverse of their chance"
ASSUMPTIONS = ("every fact had a known chance to be drawn",)
FORMULA = (
    "true facts = N · Σ w y / Σ w, w = inverse inclusion probability; posterior of the share "
    "Beta(p n* + ½, (1-p) n* + ½), n* = (Σ w)² / Σ w²"
)
SOURCE = "Hájek 1971; effective size: Kish, Survey Sampling (1965), section 11.7"


def labels_only(asked: Asked) -> TrueFacts:
    """Return the number of true facts; a class without labels is taken to be like its nearest."""
    strata = asked.strata
    if not any(s.labels for s in strata):
        return asked.not_estimable(UNLABELLED)
    population = sum(s.population for s in strata)
    share = weighted_share(strata)
    independent = share.effective / asked.design_effect
    told = share.in_draws(asked.draws)
    known = np.sum([c.true_labels(asked.draws) for c in in_order(strata)], axis=0)
    others = population - sum(s.labels for s in strata)
    # What is labelled is known. The others have a share of their own: where true facts were drawn
    # more often than others, a smaller one.
    of_others = np.clip((told * population - known) / max(others, 1), 0.0, 1.0)
    drawn = asked.rng.beta(of_others * independent + 0.5, (1 - of_others) * independent + 0.5)
    rest = asked.rng.binomial(others, drawn)
    return TrueFacts(share.value * population, (known + rest).astype(np.float64))


class WeightedShare(NamedTuple):
    """A weighted share of true facts among labelled ones.

    Attributes
    ----------
    value
        The share.
    effective
        How many labels of equal weight tell as much.
    weights
        Of each class with labels, by which its labelled share counts; they sum to 1.
    classes
        These classes.
    """

    value: float
    effective: float
    weights: NDArray[np.float64]
    classes: Sequence[StratumClass]

    def in_draws(self, draws: int) -> NDArray[np.float64]:
        """Return the share in each draw of what raters' answers leave open; shape (draws,)."""
        told = np.stack([c.true_labels(draws) / c.labels for c in self.classes])
        return np.clip(self.weights @ told, 0.0, 1.0)


def weighted_share(strata: Sequence[Stratum]) -> WeightedShare:
    """Return the share of true facts among the labelled ones, weighted by what they stand for."""
    sizes = np.concatenate([s.sizes() for s in strata])
    labels = np.array([c.labels for c in in_order(strata)], dtype=float)
    # A class without labels lends its weight to the labels of the one it is taken to be like.
    weights = np.bincount(nearest(strata), weights=sizes, minlength=len(sizes))[labels > 0]
    population = float(sizes.sum())
    effective = population**2 / float((weights**2 / labels[labels > 0]).sum())
    return WeightedShare(
        float(sizes @ shares(strata)) / population,
        effective,
        weights / population,
        [c for c in in_order(strata) if c.labels],
    )


ESTIMATOR = labels_only

"""People alone: the annotator is asked for nothing but the weights that its classes gave the draw.

What every other estimator with labels has to beat.
"""

from collections.abc import Sequence

import numpy as np

from evaluator.estimators.strata import (
    UNLABELLED,
    Asked,
    Stratum,
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
    share, effective = weighted_share(strata)
    independent = effective / asked.design_effect
    known = float(sum(c.truth.sum() for c in in_order(strata)))
    others = population - sum(s.labels for s in strata)
    # What is labelled is known. The others have a share of their own: where true facts were drawn
    # more often than others, a smaller one.
    of_others = min(max((share * population - known) / max(others, 1), 0.0), 1.0)
    drawn = asked.rng.beta(
        of_others * independent + 0.5, (1 - of_others) * independent + 0.5, size=asked.draws
    )
    rest = asked.rng.binomial(others, drawn)
    return TrueFacts(share * population, (known + rest).astype(np.float64))


def weighted_share(strata: Sequence[Stratum]) -> tuple[float, float]:
    """Return the weighted share of true facts, and how many labels of equal weight tell as much."""
    sizes = np.concatenate([s.sizes() for s in strata])
    labels = np.array([c.labels for c in in_order(strata)], dtype=float)
    # A class without labels lends its weight to the labels of the one it is taken to be like.
    weights = np.bincount(nearest(strata), weights=sizes, minlength=len(sizes))[labels > 0]
    population = float(sizes.sum())
    effective = population**2 / float((weights**2 / labels[labels > 0]).sum())
    return float(sizes @ shares(strata)) / population, effective


ESTIMATOR = labels_only

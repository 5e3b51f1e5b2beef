"""Prediction-powered inference: the annotator's mean over all facts, corrected by labels.

Made for a score that says more than its class does; :mod:`evaluator.prediction_powered` has the
plain form, this one works on strata and classes.
"""

from collections.abc import Sequence

import numpy as np

from evaluator.estimators.strata import Stratum, TrueFacts, in_order, nearest

NAME = "ppi"
DESCRIPTION = "mean of the annotator's score over all judged facts, plus the mean error on labels"
ASSUMPTIONS = (
    "within a class, the labelled facts are a simple random sample of the judged ones",
    "enough labels for a normal approximation: short intervals at small shares cover too little",
)
FORMULA = (
    "share = Σ_h W_h (mean_N f + mean_n(y - f)); Var = Σ_h W_h² (Var(f)/N_h + Var(y-f)/n_h); normal"
)
SOURCE = "Angelopoulos et al. 2023 (arXiv 2301.09633); stratified: Fisch et al. 2024 (2406.04291)"

_LEAST = 2


def ppi(
    strata: Sequence[Stratum],
    *,
    everything: Sequence[Stratum] = (),  # noqa: ARG001
    draws: int,
    rng: np.random.Generator,
    design_effect: float = 1.0,
) -> TrueFacts:
    """Return the number of true facts in a domain.

    Parameters
    ----------
    strata
        All strata of the domain. A class with fewer than two labels is taken to be like the
        nearest one.
    everything
        Not used.
    draws, rng
        Number of posterior draws, and their source.
    design_effect
        By which the labels are divided.
    """
    return rectified(strata, tuned=False, draws=draws, rng=rng, design_effect=design_effect)


def rectified(
    strata: Sequence[Stratum],
    *,
    tuned: bool,
    draws: int,
    rng: np.random.Generator,
    design_effect: float,
) -> TrueFacts:
    """Return the number of true facts with λ = 1, or with the λ of the least variance (PPI++)."""
    classes = in_order(strata)
    sizes = np.concatenate([s.sizes() for s in strata])
    enough = [c.labels if c.labels >= _LEAST else 0 for c in classes]
    if not any(enough):
        return TrueFacts(None, np.zeros(draws), "PPI needs two labels of a class in each region.")
    like = [classes[place] for place in nearest(enough)]
    population = sizes.sum()
    weight = sizes / population
    n = np.array([c.labels for c in like], dtype=float)
    judged = np.maximum([c.judged for c in classes], 1)
    covariance = np.array([np.cov(c.truth, c.annotator, ddof=0)[0, 1] for c in like])
    variance = np.array([c.annotator_variance for c in classes])
    scale = float((weight**2 * variance * (1 / n + 1 / judged)).sum())
    tuning = 1.0
    if tuned:
        tuning = (
            min(max(float((weight**2 * covariance / n).sum()) / scale, 0.0), 1.0) if scale else 0.0
        )
    errors = [c.truth - tuning * c.annotator for c in like]
    mean = np.array([c.annotator_mean for c in classes])
    value = float(weight @ (tuning * mean + np.array([e.mean() for e in errors])))
    spread = weight**2 * (
        tuning**2 * variance / judged + design_effect * np.array([e.var() for e in errors]) / n
    )
    drawn = rng.normal(value, np.sqrt(spread.sum()), size=draws)
    return TrueFacts(float(np.clip(value, 0, 1) * population), np.clip(drawn, 0, 1) * population)

"""Prediction-powered inference: the annotator's mean over all facts, corrected by labels.

Made for a score that says more than its class does; :mod:`evaluator.estimators.prediction_powered`
has the plain form, this one works on strata and classes.
"""

import numpy as np

from evaluator.estimators.strata import Asked, TrueFacts, in_order, nearest

NAME = "ppi"
DESCRIPTION = "mean of the annotator's score over all judged facts, plus the mean error on labels"
ASSUMPTIONS = (
    "within a class, the labelled facts are a simple random sample of the judged ones",
    "enough labels for a normal approximation: short intervals at small shares cover too little",
    "few of the facts are labelled: without a finite population correction intervals are too wide",
)
FORMULA = (
    "share = Σ_h W_h (mean_N f + mean_n(y - f)); Var = Σ_h W_h² (Var(f)/N_h + Var(y-f)/n_h); normal"
)
SOURCE = "Angelopoulos et al. 2023 (arXiv 2301.09633); stratified: Fisch et al. 2024 (2406.04291)"

_LEAST = 2


def ppi(asked: Asked) -> TrueFacts:
    """Return the number of true facts.

    A class with fewer than two labels is taken to be like its nearest.
    """
    return rectified(asked, tuned=False)


def rectified(asked: Asked, *, tuned: bool) -> TrueFacts:
    """Return the number of true facts with λ = 1, or with the λ of the least variance (PPI++)."""
    strata = asked.strata
    classes = in_order(strata)
    like = nearest(strata, least=_LEAST)
    if classes[like[0]].labels < min(_LEAST, classes[like[0]].judged):
        return asked.not_estimable("PPI needs two labels of a class in each region.")
    sizes = np.concatenate([s.sizes() for s in strata])
    population = float(sizes.sum())
    # A class with too few labels lends its weight to those of the one it is taken to be like.
    weight = sizes / population
    held = np.bincount(like, weights=weight, minlength=len(classes))
    used = [place for place in range(len(classes)) if held[place]]
    n = np.array([classes[place].labels for place in used], dtype=float)
    truth = [classes[place].truth for place in used]
    score = [classes[place].annotator for place in used]
    mean = np.array([c.annotator_mean for c in classes])
    variance = np.array([c.annotator_variance for c in classes])
    judged = np.maximum([c.judged for c in classes], 1)
    of_score = float((weight**2 * variance / judged).sum())
    follows = held[used] ** 2 / n
    tuning = 1.0
    if tuned:
        covariance = np.array(
            [np.cov(y, f, ddof=0)[0, 1] for y, f in zip(truth, score, strict=True)]
        )
        spread = float(follows @ variance[used]) + of_score
        tuning = min(max(float(follows @ covariance) / spread, 0.0), 1.0) if spread else 0.0
    errors = [y - tuning * f for y, f in zip(truth, score, strict=True)]
    value = float(tuning * weight @ mean + held[used] @ np.array([e.mean() for e in errors]))
    of_labels = float(follows @ np.array([e.var() for e in errors]))
    if of_labels == 0 and sum(s.labels for s in strata) < population:
        return asked.not_estimable(
            "PPI: the annotator's errors on the labels do not vary, so they tell no interval."
        )
    deviation = np.sqrt(asked.design_effect * of_labels + tuning**2 * of_score)
    drawn = asked.rng.normal(value, deviation, size=asked.draws)
    # What people have said is known: a full labelling leaves no width.
    known = float(sum(c.truth.sum() for c in classes))
    most = population - float(sum((1 - c.truth).sum() for c in classes))
    return TrueFacts(
        float(np.clip(value * population, known, most)),
        np.clip(drawn * population, known, most),
    )


ESTIMATOR = ppi

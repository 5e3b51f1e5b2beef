"""What the annotator says, times how often people agree: the chain rule of post-stratification.

The share of true facts is Σ (share of a class) · (share of true facts in the class). People label
facts of each class, so nothing is assumed of the annotator: a good one makes the classes uniform
and the interval short, a useless one costs almost nothing.
"""

import numpy as np
from numpy.typing import NDArray

from evaluator.estimators.strata import (
    UNLABELLED,
    Asked,
    Stratum,
    TrueFacts,
    in_order,
    nearest,
    shares,
)

NAME = "chain-rule"
DESCRIPTION = "share of each class of the annotator, times its labelled share of true facts"
ASSUMPTIONS = (
    "within a class, the labelled facts are a simple random sample of the judged ones",
    "within a stratum, the judged facts are a simple random sample",
)
FORMULA = (
    "true facts = Σ_h N_h · p_h, N_h = facts of class h, p_h = true/labels in it; posterior "
    "p_h ~ Beta(true + α_h, labels - true + α_h), "
    "α_h = ½ max(w, √(w t), √(w f)), its shares of all, true and other facts"
)
SOURCE = (
    "Cochran, Sampling Techniques (1977), sections 5A.9 and 12.2 (post-stratification, double "
    "sampling); chain rule with Jeffreys' posteriors pushed through P, R and F jointly"
)

_PRIOR = 0.5


def chain_rule(asked: Asked) -> TrueFacts:
    """Return the number of true facts; a class without labels is taken to be like its nearest."""
    strata, draws, rng = asked.strata, asked.draws, asked.rng
    classes = in_order(strata)
    sizes = np.concatenate([s.sizes() for s in strata])
    if not any(c.labels for c in classes):
        return asked.not_estimable(UNLABELLED)
    facts = np.concatenate([class_sizes(s, draws=draws, rng=rng) for s in strata])
    labels = np.array([c.labels for c in classes], dtype=float)
    told = np.array([float(c.truth.sum()) for c in classes])
    alike = nearest(strata)
    prior = _prior(sizes, (told + _PRIOR)[alike] / (labels + 2 * _PRIOR)[alike])[:, None]
    true = np.stack([c.true_labels(draws) for c in classes])
    share = rng.beta(
        np.maximum(true / asked.design_effect + prior, 1e-12),
        np.maximum((labels[:, None] - true) / asked.design_effect + prior, 1e-12),
    )[alike]
    # What was labelled is known; only the rest is drawn, so a full labelling has no width.
    rest = rng.binomial(np.maximum(facts - labels[:, None], 0).astype(np.int64), share)
    return TrueFacts(float(sizes @ shares(strata)), (true + rest).sum(axis=0))


def _prior(sizes: NDArray[np.float64], share: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return how many true, and as many other, facts are put to the labels of each class.

    Jeffreys' ½ is for one share. A sum over classes would be pulled towards ½ by each of them, so
    they divide it by size: where the annotator tells nothing, intervals are as wide as without
    classes. But a small class may hold most of the true facts, or of the others, and so most of
    what is uncertain: it gets more, by the geometric mean of its share of them and of all.
    """
    weight = sizes / sizes.sum()
    kinds = (sizes * share, sizes * (1 - share))
    held = [weight, *(np.sqrt(weight * kind / kind.sum()) for kind in kinds)]
    return _PRIOR * np.max(held, axis=0)


def class_sizes(stratum: Stratum, *, draws: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """Draw the number of facts in each class of a stratum; shape (classes, draws).

    The judged ones are known; the others are multinomial with shares from the posterior under
    Jeffreys' prior.
    """
    judged = np.array([c.judged for c in stratum.classes], dtype=float)
    rest = stratum.population - stratum.judged
    if not rest:
        return np.repeat(judged[:, None], draws, axis=1)
    share = rng.gamma(judged + 0.5, size=(draws, judged.size))
    share /= share.sum(axis=1, keepdims=True)
    return judged[:, None] + rng.multinomial(rest, share).T


ESTIMATOR = chain_rule

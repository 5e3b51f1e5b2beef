"""The accepted share, corrected by the annotator's sensitivity and specificity.

One sensitivity and one specificity, from the labels of all regions that the knowledge base leaves
open, correct each of them. Where the annotator is not the same in S and in G′ this is wrong, and
nothing in the interval tells: the chain rule needs no such assumption.
"""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from evaluator.estimators.chain_rule import class_sizes
from evaluator.estimators.labels_only import labels_only
from evaluator.estimators.misclassification import (
    RELIABLE,
    Calibration,
    lang_reiczigel,
    rogan_gladen,
)
from evaluator.estimators.strata import Asked, Stratum, StratumClass, TrueFacts
from evaluator.interval_ends import normal_quantile

NAME = "rogan-gladen"
DESCRIPTION = (
    "accepted share corrected by sensitivity and specificity, which labels of all regions tell"
)
ASSUMPTIONS = (
    "the annotator has the same sensitivity and specificity in S and in G′",
    "it is better than chance; otherwise nothing is estimable",
)
FORMULA = "share = (q + Sp - 1) / (Se + Sp - 1), q = accepted share; Lang-Reiczigel interval"
SOURCE = "Rogan and Gladen 1978; Lang and Reiczigel 2014"

ACCEPTED = "accepted"


def is_accepted(c: StratumClass) -> bool:
    """Return whether the annotator calls the facts of a class correct by their text."""
    return c.name.startswith(ACCEPTED)


def corrected_share(asked: Asked) -> TrueFacts:
    """Return the number of true facts.

    Where the annotator accepts all, as in what the knowledge base matches, there is nothing to
    correct: labels alone tell.
    """
    strata, draws, rng = asked.strata, asked.draws, asked.rng
    if strata[0].domain in ("b", "c"):
        return labels_only(asked)
    calibration = _calibration(
        (s for s in asked.everything if s.domain not in ("b", "c")), asked.design_effect
    )
    population = sum(s.population for s in strata)
    judged = sum(s.judged for s in strata)
    accepted = sum(c.judged for s in strata for c in s.classes if is_accepted(c))
    if len(strata) > 1:  # strata judged at different rates: what was judged stands for its stratum
        sizes = [class_sizes(s, draws=draws, rng=rng).mean(axis=1) for s in strata]
        share = sum(
            float(size)
            for s, of in zip(strata, sizes, strict=True)
            for c, size in zip(s.classes, of, strict=True)
            if is_accepted(c)
        )
        accepted = round(judged * share / population)
    corrected = rogan_gladen(accepted, judged, calibration=calibration, level=RELIABLE)
    if corrected.estimate.value is None:
        return asked.not_estimable(f"Rogan-Gladen: {corrected.reason}.")
    low, high = lang_reiczigel(accepted / judged, judged, calibration, RELIABLE)
    deviation = (high - low) / (2 * normal_quantile((1 + RELIABLE) / 2))
    drawn = rng.normal((low + high) / 2, deviation, size=draws)
    return TrueFacts(corrected.estimate.value * population, np.clip(drawn, 0, 1) * population)


def _calibration(strata: Iterable[Stratum], design_effect: float) -> Calibration:
    """Return how the annotator judged labelled facts, each weighted by the facts it stands for."""
    weights, truth, accepted = [], [], []
    for stratum in strata:
        for c, size in zip(stratum.classes, stratum.sizes(), strict=True):
            if c.labels:
                weights.append(np.full(c.labels, size / c.labels))
                truth.append(c.truth)
                accepted.append(np.full(c.labels, float(is_accepted(c))))
    if not weights:
        return Calibration(true=0, true_accepted=0, false=0, false_rejected=0)
    w, y, f = (np.concatenate(parts) for parts in (weights, truth, accepted))
    true, true_accepted = _effective(w * y, f, design_effect)
    false, false_rejected = _effective(w * (1 - y), 1 - f, design_effect)
    return Calibration(
        true=true, true_accepted=true_accepted, false=false, false_rejected=false_rejected
    )


def _effective(
    weights: NDArray[np.float64], right: NDArray[np.float64], design_effect: float
) -> tuple[int, int]:
    """Return how many facts of equal weight tell as much, and how many of them are judged right."""
    total = float(weights.sum())
    if not total:
        return 0, 0
    size = round(total**2 / float(np.square(weights).sum()) / design_effect)
    return size, round(size * float(weights @ right) / total)


ESTIMATOR = corrected_share

"""What labels that share documents cost: the design effect (Kish 1965).

Facts of one document tend to be right or wrong together, so labels of whole documents tell less
than as many labels from as many documents. The variance of a figure under resampling of whole
documents, over that under resampling of single facts, is its design effect; an estimator divides
its labels by it. Both variances are those of the bootstrap in the limit of many replicates, which
for a figure made linear in its labels has a closed form (the infinitesimal jackknife, Efron 1982,
chapter 6): the sum of squares of what each document, or each fact, contributes.
"""

from collections.abc import Mapping, Sequence
from types import ModuleType

import numpy as np

from evaluator.estimators.strata import SYSTEM, Stratum


def design_effects(
    by_domain: Mapping[str, Sequence[Stratum]], facts: int, *, level: float = 0.95
) -> dict[str, float]:
    """Return the design effects of precision, recall and F, each at least 1.

    Parameters
    ----------
    by_domain
        Strata of every region of one system.
    facts
        |S|.
    level
        Of the intervals.

    Returns
    -------
    "precision", "recall" and "f1" to the effect. It is multiplied by the square of Student's
    quantile over the normal one with as many degrees of freedom as there are documents less one,
    as few documents leave it uncertain (Korn and Graubard 1998).
    """
    none = {"precision": 1.0, "recall": 1.0, "f1": 1.0}
    labelled = [
        (domain, c, size)
        for domain, strata in by_domain.items()
        for s in strata
        for c, size in zip(s.classes, s.sizes(), strict=True)
        if c.labels
    ]
    if not labelled or any(not c.documents.size for _, c, _ in labelled):
        return none
    documents = np.unique(
        np.concatenate([c.documents for _, c, _ in labelled]), return_inverse=True
    )
    names, place = documents
    if names.size == place.size or names.size < 2:
        return none
    true = dict.fromkeys(by_domain, 0.0)
    for domain, c, size in labelled:
        true[domain] += float(size * c.truth.mean())
    correct = sum(true[domain] for domain in SYSTEM)
    truth = sum(true.values())
    effects = {}
    for measure in none:
        gradients = _gradients(measure, correct, truth, facts)
        shares = np.concatenate(
            [
                gradients[domain in SYSTEM] * size / c.labels * (c.truth - c.truth.mean())
                for domain, c, size in labelled
            ]
        )
        alone = float(np.square(shares).sum())
        together = float(np.square(np.bincount(place, weights=shares)).sum())
        effects[measure] = 1.0 if alone == 0 else max(1.0, together / alone)
    tail = (1 + level) / 2
    t, z = _stats().t.ppf(tail, names.size - 1), _stats().norm.ppf(tail)
    return {measure: effect * float(t / z) ** 2 for measure, effect in effects.items()}


def _gradients(measure: str, correct: float, truth: float, facts: int) -> dict[bool, float]:
    """Return the derivative of a measure by the true facts inside S (True) and outside (False)."""
    if measure == "precision" or not truth:
        return {True: 1 / facts if facts else 0.0, False: 0.0}
    if measure == "recall":
        return {True: (truth - correct) / truth**2, False: -correct / truth**2}
    whole = facts + truth
    return {True: 2 * (whole - correct) / whole**2, False: -2 * correct / whole**2}


def _stats() -> ModuleType:
    from scipy import stats

    return stats

"""What an interval from labels claims: to cover as its level says, more, or nothing.

Intervals were measured (``benchmarks/coverage.py``) to hold the truth in 93 to 97 % of all cases
for a level of 95 % where there are labels enough. Few labels are told apart by their number, not by
what they say: a rule that looked at the answers would choose the cases in which it is right. So the
rule can be asked before there are answers, when labels are drawn, and says the same after.
"""

from collections.abc import Mapping, Sequence
from math import ceil
from typing import Literal, NamedTuple

import numpy as np

from evaluator.estimators.allocation import FLOOR
from evaluator.estimators.strata import SYSTEM, Stratum, by_region, in_order, shares

FEW = (100, 40)
"""Labels of S, and of G′ ∖ S, from which on intervals were measured to cover near their level.

That is of many facts; of few facts fewer labels tell as much (:func:`labels_needed`).
"""

BUDGET = 300
"""Facts to label at first: for one system twice what `FEW` asks for, as the classes are labelled
for precision and recall at once; for several with a hundred facts or so each, enough for all."""

FEW_DOCUMENTS = 20
"""Documents from which on the design effect is known well enough."""

type ClaimKind = Literal["nominal", "at least", "few labels", "by assumption"]

MEASURED = ("chain-rule", "labels-only")
"""Estimators whose coverage was measured to be near the level whatever the annotator does."""

# Regions that only text and labels tell about.
_OPEN = ("a", "d")
# Share of a region's true facts that may be in classes with few labels.
_THIN = 0.1


class Claim(NamedTuple):
    """What an interval claims, and why in a sentence.

    Attributes
    ----------
    kind
        "nominal": to hold the truth as often as its level says. "at least": more often, because the
        labels of every class agree. "few labels": nothing. "by assumption": as its level says,
        where the assumptions of its estimator hold.
    reason
        Why.
    """

    kind: ClaimKind
    reason: str


def labels_needed(facts: int, few: int) -> int:
    """Return how many labels of so many facts tell as much as `few` of many.

    n of N are worth n(N − 1)/(N − n) (:func:`evaluator.interval_ends.effective_size`): of 82
    facts 46, of 10,000 all of 100. Where all facts have a label nothing is left to be uncertain of.
    """
    return ceil(few * facts / (facts - 1 + few)) if facts else 0


def claims(
    strata: Sequence[Stratum], *, estimator: str, corpus: bool, answered: bool = True
) -> dict[str, Claim]:
    """Return what the intervals of precision, recall and F of a system claim, by measure.

    Parameters
    ----------
    strata
        All strata of the system.
    estimator
        NAME of the estimator.
    corpus
        Whether G′ is known; without it there is only precision.
    answered
        False for labels that are still to be given, whose truth is what is assumed of their class:
        that they will all agree is then not known, and "nominal" is the least that will be claimed.
    """
    of = by_region(strata, corpus=corpus)
    own = claim({name: of[name] for name in SYSTEM}, estimator=estimator, answered=answered)
    if not corpus:
        return {"precision": own}
    whole = claim(of, estimator=estimator, answered=answered)
    return {"precision": own, "recall": whole, "f1": whole}


def claim(
    regions: Mapping[str, Sequence[Stratum]], *, estimator: str, answered: bool = True
) -> Claim:
    """Return what an interval over these regions of a system claims; see :func:`claims`."""
    lacking = []
    for inside, few, where in ((True, FEW[0], "S"), (False, FEW[1], "G′ ∖ S")):
        strata = [s for region, of in regions.items() if (region in SYSTEM) == inside for s in of]
        labels, facts = sum(s.labels for s in strata), sum(s.population for s in strata)
        if labels < (needed := labels_needed(facts, few)):
            lacking.append(f"{labels:,} labelled facts of {where}, fewer than {needed}")
    if lacking:
        return Claim("few labels", f"Few labels: {'; '.join(lacking)}.")
    for region in _OPEN:
        thin = _thin(regions.get(region, ()))
        # Which classes hold the true facts is only assumed before there are answers.
        if thin > (_THIN if answered else _THIN / 2):
            return Claim(
                "few labels",
                f"Few labels: up to {thin:.0%} of the true facts of region {region} are in classes "
                f"with fewer than {FLOOR} labels.",
            )
    classes = [c for of in regions.values() for c in in_order(of) if c.labels]
    facts = sum(s.population for of in regions.values() for s in of)
    clustered = bool(classes) and all(c.documents.size for c in classes)
    if clustered and sum(c.labels for c in classes) < facts:
        together = np.concatenate([c.documents for c in classes])
        number = np.unique(together).size
        if number < min(FEW_DOCUMENTS, together.size):
            return Claim(
                "few labels",
                f"Few labels: they are from only {number} documents, fewer than {FEW_DOCUMENTS}.",
            )
    if estimator not in MEASURED:
        return Claim(
            "by assumption",
            f"The intervals of {estimator} hold as far as its assumptions do; where they do not, "
            "nothing here tells.",
        )
    for region in _OPEN if answered else ():
        # Without one error of the annotator to be seen, the posterior still expects some.
        labelled = [c.truth for s in regions.get(region, ()) for c in s.classes if c.labels]
        if labelled and all(np.ptp(truth) == 0 for truth in labelled):
            return Claim(
                "at least",
                f"The labels of each class of region {region} all agree, so the interval is rather "
                "too wide than too narrow.",
            )
    return Claim("nominal", "Errors of the annotator are allowed for, as labels show them.")


def _thin(strata: Sequence[Stratum]) -> float:
    """Return the most that a region's true facts may be in classes with fewer labels than `FLOOR`.

    A class without a label may be like the one with the largest share.
    """
    if not any(s.labels for s in strata):
        return 0.0
    classes = in_order(strata)
    known = shares(strata)
    share = np.where([c.labels == 0 for c in classes], known.max(), known)
    true = np.concatenate([s.sizes() for s in strata]) * share
    thin = np.array([c.labels < labels_needed(c.judged, FLOOR) for c in classes])
    return float(true @ thin) / max(float(true.sum()), 1e-12)

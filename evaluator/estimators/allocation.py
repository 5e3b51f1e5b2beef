"""How many facts of each class to label: Neyman allocation, tempered, with a floor.

The variance of a sum over classes is least where the labels of a class are proportional to its
facts times the standard deviation of the truth in it (Neyman 1934). Precision and recall of every
system want different classes: each gets an equal say. The standard deviations are assumed before
there are labels, and estimated from them after; they are assumed to differ little, because a wrong
guess costs more than a right one gains: an annotator that tells nothing must not cost more than a
few labels.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

FLOOR = 6
"""Least labels of a class. Fewer say nothing of a class, such as what the base matches."""

ASSUMED = {"matched": 0.8, "accepted": 0.25, "undefined": 0.12, "rejected": 0.12}
"""Share of true facts that is assumed of a class by its verdict, before there are labels."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedClass:
    """A class of the annotator from which facts are to be labelled.

    Attributes
    ----------
    judged
        Judged facts, from which the labels are drawn.
    of_system
        Facts of the class by system that states them, judged or not.
    of_rest
        Facts of G′ in the class by system that lacks them.
    assumed
        Share of true facts that the plan assumes.
    """

    judged: int
    of_system: Mapping[str, float]
    of_rest: Mapping[str, float]
    assumed: float


def allocate(
    classes: Sequence[PlannedClass],
    budget: int,
    *,
    floor: int = FLOOR,
    drawn: Sequence[int] | None = None,
) -> list[int]:
    """Return the number of labels of each class; they sum to `budget`, or to all judged facts.

    Parameters
    ----------
    classes
        The classes.
    budget
        Number of facts to label.
    floor
        Least number of each class, where it has as many judged facts and the budget allows.
    drawn
        Labels that each class has from an earlier draw, which stay, even beyond the budget; none by
        default.
    """
    limits = np.array([c.judged for c in classes], dtype=float)
    budget = int(min(budget, limits.sum()))
    wanted = _wanted(classes)
    kept = np.zeros_like(limits) if drawn is None else np.minimum(drawn, limits)
    least = np.maximum(kept, np.minimum(limits, floor))
    while floor > 0 and least.sum() > budget:
        floor -= 1
        least = np.maximum(kept, np.minimum(limits, floor))
    # Between its floor and all its judged facts, each class gets in proportion to what it wants;
    # the factor that spends the budget is found by halving.
    low, high = 0.0, budget / max(wanted[wanted > 0].min(initial=1.0), 1e-12)
    for _ in range(60):
        factor = (low + high) / 2
        spent = np.clip(factor * wanted, least, limits).sum()
        low, high = (factor, high) if spent < budget else (low, factor)
    return _rounded(np.clip(high * wanted, least, limits), limits, budget)


def _wanted(classes: Sequence[PlannedClass]) -> NDArray[np.float64]:
    """Return the mean, over the systems and their P and R, of the optimal shares of the labels."""
    deviation = np.array([np.sqrt(c.assumed * (1 - c.assumed)) for c in classes])
    true = np.array([c.assumed for c in classes])
    wanted = np.zeros(len(classes))
    for system in sorted({name for c in classes for name in c.of_system}):
        inside = np.array([c.of_system.get(system, 0.0) for c in classes])
        outside = np.array([c.of_rest.get(system, 0.0) for c in classes])
        correct, missed = float(inside @ true), float(outside @ true)
        for gradient in (inside, missed * inside + correct * outside):
            optimal = gradient * deviation
            if optimal.sum() > 0:
                wanted += optimal / optimal.sum()
    # Where nothing is thought to vary, labels go where the facts are; where some classes are, these
    # get what the others have no facts for.
    if not wanted.any():
        return np.array([float(c.judged) for c in classes])
    return np.maximum(wanted, 1e-9 * wanted.max())


def _rounded(shares: NDArray[np.float64], limits: NDArray[np.float64], budget: int) -> list[int]:
    """Round down, then give what is left to the largest remainders."""
    numbers = np.floor(shares + 1e-9)
    order = np.argsort(-(shares - numbers), kind="stable")
    for place in [*order, *order]:
        if numbers.sum() >= budget:
            break
        if numbers[place] < limits[place]:
            numbers[place] += 1
    return [int(number) for number in numbers]

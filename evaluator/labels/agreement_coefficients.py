"""Coefficients of agreement beyond chance on yes or no, with intervals.

All have the form (p − e) / (1 − e), with p the share of agreeing pairs of judgements and e what
chance alone would give. They differ in e: Cohen's κ (1960) takes it from each rater's own share of
true; Fleiss' κ (1971) and Krippendorff's α (1970) from the share among all judgements, α corrected
for few of them; Gwet's AC1 (2008) lets only hard items be agreed on by chance, so it keeps its
meaning where nearly all items fall into one class, where the others drop towards 0.

Intervals linearise the coefficient over the items, as a sample of many (Fleiss, Cohen and Everitt
1969; Gwet 2008 and 2021): an item moves it by ((aᵢ − p) − (1 − κ) eᵢ) / (1 − e), where aᵢ is the
agreement on the item and eᵢ how the item moves e. Student's t has as many degrees of freedom as
there are items, less one. With fewer than some twenty items they are rough, and where every item
tells the same there is none: its width would be 0 whatever the number of items.
"""

from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

METHOD = "linearised over items, Student's t"

NO_ITEM = "no item that two raters judged"
ONE_ITEM = "only one item that two raters judged"
ONE_CLASS = "all judgements are the same, as by chance they would always be"
NO_SPREAD = "no interval: every item tells the same of the coefficient"

_LEAST_ERROR = 1e-9  # a standard error below is what rounding leaves of 0


class Coefficient(NamedTuple):
    """A coefficient of agreement with its interval.

    Attributes
    ----------
    value
        1 is full agreement, 0 what chance gives; None where it is not defined.
    low, high
        Ends of the interval; None where there is none.
    n
        Number of items.
    level
        Nominal coverage of the interval.
    reason
        Why `value`, or else the interval, is None.
    method
        How the interval was made.
    """

    value: float | None
    low: float | None
    high: float | None
    n: int
    level: float
    reason: str | None = None
    method: str = METHOD

    def as_json(self) -> dict[str, Any]:
        """Return the coefficient as a JSON object."""
        return self._asdict()


class PairCoefficients(NamedTuple):
    """The coefficients of two raters: Cohen's κ and Gwet's AC1."""

    kappa: Coefficient
    ac1: Coefficient


class JointCoefficients(NamedTuple):
    """The coefficients of any number of raters: Fleiss' κ, Krippendorff's α and Gwet's AC1."""

    fleiss_kappa: Coefficient
    krippendorff_alpha: Coefficient
    ac1: Coefficient


@cache  # in a crowd, most pairs share few items and have the same few tables
def pair_coefficients(
    both_true: int, true_false: int, false_true: int, both_false: int, *, level: float = 0.95
) -> PairCoefficients:
    """Return the coefficients of a 2×2 table.

    Parameters
    ----------
    both_true, true_false, false_true, both_false
        Numbers of items; the first word is the first rater's judgement.
    level
        Nominal coverage of the intervals, from 0.9 to 0.99.
    """
    n = both_true + true_false + false_true + both_false
    if not n:
        return PairCoefficients(*[_undefined(NO_ITEM, n, level)] * 2)
    cells = np.array([both_true, true_false, false_true, both_false])
    one, other = np.array([1.0, 1.0, 0.0, 0.0]), np.array([1.0, 0.0, 1.0, 0.0])
    agree = (one == other).astype(float)
    first, second, share = (float(cells @ judged) / n for judged in (one, other, (one + other) / 2))

    def found(chance: float, moved: NDArray[np.float64]) -> Coefficient:
        value, move = _linearised(agree, chance, moved, cells)
        return _coefficient(value, float(cells @ move**2) / n**2, n, level)

    ac1 = found(2 * share * (1 - share), 2 * (1 - 2 * share) * ((one + other) / 2 - share))
    if n in (both_true, both_false):
        return PairCoefficients(_undefined(ONE_CLASS, n, level), ac1)
    by_chance = first * second + (1 - first) * (1 - second)
    moved = (2 * second - 1) * (one - first) + (2 * first - 1) * (other - second)
    return PairCoefficients(found(by_chance, moved), ac1)


def joint_coefficients(
    true: NDArray[np.int64], false: NDArray[np.int64], *, level: float = 0.95
) -> JointCoefficients:
    """Return the coefficients of all raters together; items may lack any raters.

    Parameters
    ----------
    true, false : arrays of shape (items,)
        How many raters say true of each item, and how many false. Items with fewer than two
        judgements say nothing of agreement and are left out.
    level
        As for :func:`pair_coefficients`.
    """
    enough = true + false >= 2
    true, false, n = true[enough], false[enough], int(enough.sum())
    if n < 2:
        return JointCoefficients(*[_undefined(ONE_ITEM if n else NO_ITEM, n, level)] * 3)
    order = np.lexsort((false, true))  # sums must not depend on the order of the items
    yes, no = true[order].astype(float), false[order].astype(float)
    judged = yes + no
    agree = (yes * (yes - 1) + no * (no - 1)) / (judged * (judged - 1))
    share = float(np.mean(yes / judged))
    apart = yes / judged - share
    items = np.ones(n)

    def found(value: float, move: NDArray[np.float64]) -> Coefficient:
        return _coefficient(value, float(move @ move) / (n * (n - 1)), n, level)

    hard = 2 * share * (1 - share)
    ac1 = found(*_linearised(agree, hard, 2 * (1 - 2 * share) * apart, items))
    if not (yes.any() and no.any()):
        alike = _undefined(ONE_CLASS, n, level)
        return JointCoefficients(alike, alike, ac1)
    fleiss = found(*_linearised(agree, 1 - hard, 2 * (2 * share - 1) * apart, items))
    return JointCoefficients(fleiss, found(*_alpha(yes, no)), ac1)


def _linearised(
    agree: NDArray[np.float64],
    chance: float,
    moved: NDArray[np.float64],
    items: NDArray[Any],
) -> tuple[float, NDArray[np.float64]]:
    """Return a coefficient, and how far items of each kind move it.

    Parameters
    ----------
    agree
        Share of agreeing pairs of judgements on an item of each kind; shape (kinds,).
    chance
        The share that chance gives.
    moved
        How far an item of each kind moves `chance`; shape (kinds,).
    items
        Items of each kind; shape (kinds,).
    """
    observed = float(items @ agree) / float(items.sum())
    value = (observed - chance) / (1 - chance)
    return value, (agree - observed - (1 - value) * moved) / (1 - chance)


def _alpha(
    true: NDArray[np.float64], false: NDArray[np.float64]
) -> tuple[float, NDArray[np.float64]]:
    """Return Krippendorff's α, 1 − D/E, and how far each item moves it.

    D counts the disagreeing pairs of judgements on one item, each item's divided by its judgements
    less one; E counts those of all judgements together.
    """
    n = len(true)
    apart = 2 * true * false / (true + false - 1)
    all_true, all_false, others = true.sum(), false.sum(), (true + false).sum() - 1
    expected = 2 * all_true * all_false / others
    ratio = apart.sum() / expected
    moved = expected * (true / all_true + false / all_false - (true + false) / others)
    move = -n * (apart - ratio * moved) / expected
    return float(1 - ratio), move - move.mean()


def _coefficient(value: float, variance: float, n: int, level: float) -> Coefficient:
    error = float(np.sqrt(variance))
    if not error > _LEAST_ERROR:
        return Coefficient(value, None, None, n, level, NO_SPREAD)
    half = float(stdtrit(n - 1, (1 + level) / 2)) * error
    return Coefficient(value, max(-1.0, value - half), min(1.0, value + half), n, level)


def _undefined(reason: str, n: int, level: float) -> Coefficient:
    return Coefficient(None, None, None, n, level, reason)

"""Coefficients of agreement beyond chance, with intervals, as irrCAC computes them.

All have the form (p − e) / (1 − e), with p the share of agreeing pairs of judgements and e what
chance alone would give. They differ in e: Cohen's κ (1960) takes it from each rater's own share of
true; Fleiss' κ (1971) and Krippendorff's α (1970) from the share among all judgements, α corrected
for few of them; Gwet's AC1 (2008) lets only hard items be agreed on by chance, so it keeps its
meaning where nearly all items fall into one class, where the others drop towards 0.

Intervals linearise the coefficient over the items, as a sample of many (Fleiss, Cohen and Everitt
1969; Gwet 2008 and 2021). With fewer than some twenty items they are rough, and where every item
tells the same there is none: its width would be 0 whatever the number of items.
"""

from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

METHOD = "linearised over items, Student's t"

NO_ITEM = "no item that two raters judged"
ONE_ITEM = "only one item that two raters judged"
ONE_CLASS = "all judgements are the same, as by chance they would always be"
NO_SPREAD = "no interval: every item tells the same of the coefficient"

_DIGITS = 12  # irrCAC rounds, by default to five
_LEAST_ERROR = 1e-6  # a standard error below is what rounding leaves of 0


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
    import pandas as pd
    from irrCAC.table import CAC

    table = pd.DataFrame([[both_true, true_false], [false_true, both_false]])
    # Without spread it divides by 0, which _coefficient tells from the result.
    with np.errstate(all="ignore"):
        cac = CAC(table, confidence_level=level, digits=_DIGITS)
        kappa, ac1 = (_coefficient(found["est"], n, level) for found in (cac.cohen(), cac.gwet()))
    if n in (both_true, both_false):
        kappa = _undefined(ONE_CLASS, n, level)
    return PairCoefficients(kappa, ac1)


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
    import pandas as pd
    from irrCAC.raw import CAC

    # irrCAC wants a column for every rater, and uses of them only how many say what.
    order = np.lexsort((false, true))  # sums must not depend on the order of the items
    true, false = true[order], false[order]
    place = np.arange((true + false).max())
    judged = place < (true + false)[:, None]
    ratings = np.where(judged, (place < true[:, None]).astype(float), np.nan)
    cac = CAC(pd.DataFrame(ratings), categories=[0.0, 1.0], confidence_level=level, digits=_DIGITS)
    ac1 = _coefficient(cac.gwet()["est"], n, level)
    if not (true.any() and false.any()):
        alike = _undefined(ONE_CLASS, n, level)
        return JointCoefficients(alike, alike, ac1)
    fleiss, alpha = cac.fleiss()["est"], cac.krippendorff()["est"]
    return JointCoefficients(_coefficient(fleiss, n, level), _coefficient(alpha, n, level), ac1)


def _coefficient(found: dict[str, Any], n: int, level: float) -> Coefficient:
    """Return what irrCAC `found`; it gives some figures as numbers, others as arrays of one."""
    value, error = (float(np.squeeze(found[key])) for key in ("coefficient_value", "se"))
    if not error > _LEAST_ERROR:  # nan, too
        return Coefficient(value, None, None, n, level, NO_SPREAD)
    low, high = (float(np.squeeze(end)) for end in found["confidence_interval"])
    return Coefficient(value, max(-1.0, low), high, n, level)


def _undefined(reason: str, n: int, level: float) -> Coefficient:
    return Coefficient(None, None, None, n, level, reason)

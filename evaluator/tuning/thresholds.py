"""All thresholds of some scores, and the one that a criterion takes.

Candidates are every distinct score, and infinity, which accepts nothing.
"""

from math import floor, inf, isfinite, log10

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evaluator.tuning.criteria import Confusion, Criterion

Mask = NDArray[np.bool_]
Scores = NDArray[np.float64]

_DIGITS = 17


class Sweep:
    """The candidates of scores, ready to be asked again and again under other weights.

    Parameters
    ----------
    score
        Of each fact, shape (facts,); NaN where undefined. Facts without a score are left out.
    label
        Whether each fact is true, in the same order.

    Attributes
    ----------
    thresholds
        Shape (candidates + 1,), rising; the last is infinity.
    """

    def __init__(self, score: ArrayLike, label: ArrayLike) -> None:
        scores = np.asarray(score, float)
        self.defined: Mask = ~np.isnan(scores)
        distinct, self._place = np.unique(scores[self.defined], return_inverse=True)
        self._label = np.asarray(label, bool)[self.defined]
        self.thresholds: Scores = np.append(distinct, inf)

    def confusion(self, weight: ArrayLike | None = None) -> Confusion:
        """Return what each threshold does, as arrays of shape (candidates + 1,).

        Parameters
        ----------
        weight
            How often each fact counts, shape (facts,); once by default. A resample is a weight, and
            so is the part of the facts that is not held out.
        """
        counts = self._weight(weight)
        true, false = (
            np.append(0.0, np.bincount(self._place, counts * of, self.thresholds.size - 1).cumsum())
            for of in (self._label, ~self._label)
        )  # below each threshold
        return Confusion(true[-1] - true, false[-1] - false, false, true)

    def choose(self, criterion: Criterion, weight: ArrayLike | None = None) -> float | None:
        """Return the threshold that `criterion` takes of the scores that count.

        It is written with as few digits as split these scores in the same way (:func:`shortest`).
        None where the criterion takes none.
        """
        counts = np.bincount(self._place, self._weight(weight), self.thresholds.size - 1)
        present = np.append(counts > 0, True)
        thresholds = self.thresholds[present]
        place = criterion.best(self.confusion(weight).at(present))
        if place is None:
            return None
        return shortest(thresholds[place - 1] if place else -inf, thresholds[place])

    def _weight(self, weight: ArrayLike | None) -> Scores:
        if weight is None:
            return np.ones(self._place.size)
        return np.asarray(weight, float)[self.defined]


def shortest(below: float, threshold: float) -> float:
    """Return the number above `below` and up to `threshold` that takes the fewest digits.

    Of those with as few, the one next to `threshold`. The two are neighbouring scores, so all
    numbers between them judge alike: 0.3 can stand for 1/3 where the next lower score is 1/4.
    """
    if not isfinite(threshold) or threshold <= 0:
        return float(threshold)
    magnitude = floor(log10(threshold))
    for digits in range(1, _DIGITS):
        places = digits - 1 - magnitude
        rounded = round(threshold, places)
        if rounded > threshold:
            rounded = round(rounded - 10.0**-places, places)
        if rounded > max(below, 0.0):
            return float(rounded)
    return float(threshold)

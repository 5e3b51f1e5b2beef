"""The additive numbers of a benchmark, and the figures that follow from them.

Every scorer of the field divides sums over sentences: precision is what is right of what a system
says, recall what is found of what the gold data hold. At a threshold t on confidence a system keeps
its extractions of confidence t or more, and the sums change. :class:`Statistics` holds, per
sentence, the changes; the sums for any set of sentences, in any number of copies, are one
cumulative sum. So curves, intervals and tests need no second scoring.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_TIE = 1e-12  # what rounding leaves of equal figures


class Change(NamedTuple):
    """By how much the sums of a sentence change when the threshold falls to `threshold`.

    Attributes
    ----------
    sentence
        Index of the sentence.
    threshold
        Confidence at which an extraction comes in; -inf where confidences play no part.
    right
        What is right of what the system says (numerator of precision).
    said
        What the system says (denominator of precision).
    found
        What is found of the gold data (numerator of recall).
    """

    sentence: int
    threshold: float
    right: float
    said: float
    found: float


@dataclass(frozen=True)
class Statistics:
    """Sums of a benchmark by sentence and threshold.

    Attributes
    ----------
    thresholds
        Distinct thresholds in ascending order, shape (m,), m ≥ 1.
    sentence, threshold
        Index of the sentence and of the threshold of each change, shape (k,), thresholds in
        descending order.
    changes
        right, said, found, shape (k, 3).
    gold
        Denominator of recall of each sentence, shape (n,).
    empty_precision
        What the scorer calls the precision of a system that says nothing; NaN where undefined.
    curve
        Whether the scorer has a curve, and an area under it.
    """

    thresholds: Floats
    sentence: NDArray[np.int64]
    threshold: NDArray[np.int64]
    changes: Floats
    gold: Floats
    empty_precision: float = float("nan")
    curve: bool = False

    @classmethod
    def of(
        cls,
        changes: Sequence[Change] | Floats,
        gold: Floats,
        *,
        thresholds: Floats | None = None,
        empty_precision: float = float("nan"),
        curve: bool = False,
    ) -> Self:
        """Return the statistics that changes make.

        Parameters
        ----------
        changes
            In any order; or an array with their fields in its columns, shape (k, 5).
        gold
            Denominator of recall of each sentence.
        thresholds
            Further thresholds at which the scorer looks, though nothing may change there.
        empty_precision, curve
            As the attributes.
        """
        if isinstance(changes, np.ndarray):
            columns = changes
        else:
            numbers = np.fromiter(chain.from_iterable(changes), np.float64, 5 * len(changes))
            columns = numbers.reshape(-1, 5)
        given = columns[:, 1]
        known = np.unique(given if thresholds is None else np.concatenate([given, thresholds]))
        if not known.size:
            known = np.array([-np.inf])
        # Stable: the sums are then the same for the same list.
        order = np.argsort(-given, kind="stable")
        return cls(
            thresholds=known,
            sentence=columns[order, 0].astype(np.int64),
            threshold=np.searchsorted(known, given)[order],
            changes=columns[order, 2:],
            gold=np.asarray(gold, dtype=np.float64),
            empty_precision=empty_precision,
            curve=curve,
        )

    def sums(self, copies: Floats | None = None) -> Floats:
        """Return right, said and found at each threshold, shape (m, 3).

        Parameters
        ----------
        copies
            How often each sentence counts, shape (n,); by default once.
        """
        rows = self.changes if copies is None else self.changes * copies[self.sentence, None]
        at = np.zeros((len(self.thresholds), 3))
        if len(rows):
            running = np.cumsum(rows, axis=0)
            # What holds at a threshold is the sum of all changes at it or above.
            upto = np.searchsorted(-self.threshold, -np.arange(len(self.thresholds)), side="right")
            at[upto > 0] = running[upto[upto > 0] - 1]
        return at

    def at_thresholds(self, copies: Floats | None = None) -> "ConfidenceCurve":
        """Return precision and recall at each threshold."""
        right, said, found = self.sums(copies).T
        total = float(self.gold.sum() if copies is None else self.gold @ copies)
        with np.errstate(divide="ignore", invalid="ignore"):
            precision = np.where(said > 0, right / said, self.empty_precision)
            recall = found / total if total > 0 else np.full(len(found), np.nan)
        return ConfidenceCurve(self.thresholds, precision, recall)

    def by_sentence(self) -> Floats:
        """Return right, said, found and gold of each sentence, shape (n, 4).

        At the threshold of :attr:`figures`; sums of these give them.
        """
        best = int(np.searchsorted(self.thresholds, self.figures.threshold))
        kept = self.threshold >= best
        sums = np.zeros((len(self.gold), 4))
        np.add.at(sums[:, :3], self.sentence[kept], self.changes[kept])
        sums[:, 3] = self.gold
        return sums

    @cached_property
    def figures(self) -> "Figures":
        """The figures on all sentences."""
        return self.at_thresholds().figures(area=self.curve)


class Figures(NamedTuple):
    """What is quoted of a system.

    Attributes
    ----------
    precision, recall, f1
        At the threshold with the largest F; NaN where undefined.
    threshold
        That threshold: of equal ones the lowest. -inf where confidences play no part.
    auc
        Area under the curve; NaN where the benchmark has none.
    """

    precision: float
    recall: float
    f1: float
    threshold: float
    auc: float


class ConfidenceCurve(NamedTuple):
    """Precision and recall by threshold, ascending; shapes (m,)."""

    thresholds: Floats
    precision: Floats
    recall: Floats

    @property
    def f1(self) -> Floats:
        """2PR / (P + R), 0 where both are 0, shape (m,)."""
        total = self.precision + self.recall
        with np.errstate(divide="ignore", invalid="ignore"):
            f1: Floats = 2 * self.precision * self.recall / total
        return np.where(total == 0, 0.0, f1)

    @property
    def area(self) -> float:
        """Area under precision over recall, by trapezoids, from the point (recall 0, precision 1).

        Nothing is added right of the largest recall: a system that stops early has less.
        """
        known = np.isfinite(self.precision)
        recall = np.append(self.recall[known], 0.0)
        precision = np.append(self.precision[known], 1.0)
        return float(-np.trapezoid(precision, recall)) + 0.0  # no -0.0

    def figures(self, *, area: bool) -> Figures:
        """Return the point with the largest F, and the area where wanted."""
        f1 = self.f1
        known = np.nan_to_num(f1, nan=-1.0)
        best = int(np.argmax(known >= known.max() - _TIE))
        return Figures(
            float(self.precision[best]),
            float(self.recall[best]),
            float(f1[best]),
            float(self.thresholds[best]),
            self.area if area else float("nan"),
        )

"""The threshold t of the annotator, "determined experimentally" (Bronzi et al. 2012, section 2.2).

Given PMI scores and human labels of the same facts, t is the value at which "correct iff score ≥ t"
agrees with the labels most often. Where nearly all labels are alike that can be a t which accepts
everything or nothing; the majority share and the balanced accuracy beside it tell.
"""

from collections.abc import Sequence
from math import inf, isnan
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from evaluator.intervals import Estimate, wilson

FOLDS = 10


class CurvePoint(NamedTuple):
    """What a threshold does to the defined facts.

    Attributes
    ----------
    threshold
        Facts with at least this score are accepted; infinity accepts none.
    agreement
        Share of the facts judged as the label says.
    true_positives, false_positives, true_negatives, false_negatives
        Accepted and true, accepted and false, rejected and false, rejected and true.
    """

    threshold: float
    agreement: float
    true_positives: int
    false_positives: int
    true_negatives: int
    false_negatives: int

    @property
    def balanced_accuracy(self) -> float | None:
        """Mean of the shares judged right among true and among false facts.

        1/2 for a verdict that does not depend on the fact; None if all labels are alike.
        """
        true = self.true_positives + self.false_negatives
        false = self.true_negatives + self.false_positives
        if not true or not false:
            return None
        return (self.true_positives / true + self.true_negatives / false) / 2


class Tuning(NamedTuple):
    """The chosen threshold and how it does on the labelled facts.

    Attributes
    ----------
    threshold
        The choice; infinity where accepting nothing is best, None where no score is defined.
    agreement
        On the defined facts. Optimistic, as the same labels chose the threshold.
    held_out
        On the defined facts, each judged by a threshold chosen without it (10 folds); no value for
        a single fact.
    agreement_with_undefined
        On all facts, those with an undefined score judged "not correct".
    majority_share
        Share of the commoner label among the defined facts: what a rater who always says the same
        would reach. An `agreement` that is not above it is worth nothing.
    balanced_accuracy
        At the threshold, over the defined facts; see :class:`CurvePoint`.
    undefined, undefined_true
        Facts with an undefined score, and those among them labelled true.
    curve
        All candidates, thresholds rising.
    """

    threshold: float | None
    agreement: Estimate
    held_out: Estimate
    agreement_with_undefined: Estimate
    majority_share: float | None
    balanced_accuracy: float | None
    undefined: int
    undefined_true: int
    curve: tuple[CurvePoint, ...]

    def as_json(self) -> dict[str, Any]:
        """Return the tuning as a JSON object; an infinite threshold is the string "inf"."""
        estimates = ("agreement", "held_out", "agreement_with_undefined")
        return {
            **self._asdict(),
            **{name: getattr(self, name).as_json() for name in estimates},
            "threshold": _json_number(self.threshold),
            "curve": [
                {**point._asdict(), "threshold": _json_number(point.threshold)}
                for point in self.curve
            ],
        }


def tune(scores: Sequence[float | None], labels: Sequence[bool], *, level: float = 0.95) -> Tuning:
    """Choose the threshold with the highest agreement.

    Candidates are every distinct score, and infinity. Where several are best, the middle one (the
    lower of two) of the longest run of neighbouring best candidates is taken, of equally long runs
    the one with higher scores: a threshold amid a plateau depends least on single labels.

    Parameters
    ----------
    scores
        PMI of each fact, None where undefined.
    labels
        Whether each fact is correct, in the same order. The order of the facts does not matter.
    level
        Nominal coverage of the intervals.

    Raises
    ------
    ValueError
        If the lengths differ or a score is not a number.
    """
    if len(scores) != len(labels):
        raise ValueError(f"{len(scores)} scores, but {len(labels)} labels")
    pairs = list(zip(scores, labels, strict=True))
    defined = sorted((score, label) for score, label in pairs if score is not None)
    if any(isnan(score) for score, _ in defined):
        raise ValueError("a score is not a number; an undefined score is None")
    undefined = [label for score, label in pairs if score is None]
    right = 0
    held_out = wilson(0, 0, level=level)
    threshold = majority = balanced = None
    points: tuple[CurvePoint, ...] = ()
    if defined:
        score, label = np.array([s for s, _ in defined]), np.array([t for _, t in defined])
        points = _curve(score, label)
        chosen = points[_choose(np.array([_right(point) for point in points]))]
        threshold, balanced, right = chosen.threshold, chosen.balanced_accuracy, _right(chosen)
        if len(defined) > 1:
            held_out = wilson(_right_held_out(score, label), len(defined), level=level)
        majority = float(max(label.mean(), 1 - label.mean()))
    return Tuning(
        threshold=threshold,
        agreement=wilson(right, len(defined), level=level),
        held_out=held_out,
        agreement_with_undefined=wilson(right + undefined.count(False), len(pairs), level=level),
        majority_share=majority,
        balanced_accuracy=balanced,
        undefined=len(undefined),
        undefined_true=undefined.count(True),
        curve=points,
    )


def _curve(score: NDArray[np.float64], label: NDArray[np.bool_]) -> tuple[CurvePoint, ...]:
    """Return all candidates; `score` is sorted and not empty."""
    thresholds, first = np.unique(score, return_index=True)
    # Facts below a candidate, all and the true ones; below infinity are all.
    below = np.append(first, score.size)
    true_below = np.concatenate(([0], np.cumsum(label)))[below]
    points = []
    for threshold, rejected, missed in zip(
        [*thresholds.tolist(), inf], below.tolist(), true_below.tolist(), strict=True
    ):
        found = int(label.sum()) - missed
        wrong = score.size - rejected - found
        agreement = (found + rejected - missed) / score.size
        points.append(CurvePoint(threshold, agreement, found, wrong, rejected - missed, missed))
    return tuple(points)


def _right(point: CurvePoint) -> int:
    return point.true_positives + point.true_negatives


def _choose(right: NDArray[np.int64]) -> int:
    """Return the middle of the longest run of maxima (see :func:`tune`)."""
    best = np.concatenate(([False], right == right.max(), [False])).astype(np.int8)
    starts, ends = np.flatnonzero(np.diff(best) == 1), np.flatnonzero(np.diff(best) == -1)
    longest = np.flatnonzero(ends - starts == (ends - starts).max())[-1]
    return int(starts[longest] + ends[longest] - 1) // 2


def _right_held_out(score: NDArray[np.float64], label: NDArray[np.bool_]) -> int:
    """Count the facts (two or more) judged right by a threshold that the other folds chose.

    Facts sorted by score and label are dealt out in turn, so folds are alike, and the same for
    every order of the input: facts that could change places have the same score and label.
    """
    fold = np.arange(score.size) % FOLDS
    right = 0
    for held in range(min(FOLDS, score.size)):
        kept = fold != held
        points = _curve(score[kept], label[kept])
        chosen = points[_choose(np.array([_right(point) for point in points]))].threshold
        right += int(((score[~kept] >= chosen) == label[~kept]).sum())
    return right


def _json_number(number: float | None) -> float | str | None:
    """JSON has no infinity."""
    return "inf" if number == inf else number

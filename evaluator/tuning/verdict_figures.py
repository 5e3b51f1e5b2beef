"""How verdicts and scores agree with labels: accuracy, balanced accuracy, F1, AUC, with intervals.

The accuracy is a share of facts and has Wilson's interval. The others are no shares: theirs are
quantiles over resamples of the facts (percentile bootstrap). Resamples of the same facts are the
same for all annotators, so that they can be compared in pairs. Intervals hold which facts were
labelled, not what else the labels could have chosen and trained.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from evaluator.intervals import Estimate, from_draws, wilson
from evaluator.tuning.criteria import Confusion, Criterion
from evaluator.tuning.thresholds import Mask, Scores, Sweep

Weights = NDArray[np.float32]

_BOOTSTRAPPED = ("balanced_accuracy", "f1", "precision", "recall")


class VerdictFigures(NamedTuple):
    """Agreement of verdicts and scores with labels.

    Attributes
    ----------
    facts, true
        That the figures are of.
    accuracy, balanced_accuracy, f1, precision, recall
        See :class:`evaluator.tuning.criteria.Confusion`.
    auc
        Area under the ROC curve of the scores: the chance that a true fact has a higher score than
        a false one, equal scores counting half.
    """

    facts: int
    true: int
    accuracy: Estimate
    balanced_accuracy: Estimate
    f1: Estimate
    precision: Estimate
    recall: Estimate
    auc: Estimate

    def as_json(self) -> dict[str, Any]:
        """Return the figures as a JSON object."""
        estimates = {name: getattr(self, name).as_json() for name in self._fields[2:]}
        return {**self._asdict(), **estimates}


class Merit(NamedTuple):
    """By which annotators are ranked: the higher, the better.

    Attributes
    ----------
    value
        Of the verdicts; NaN where undefined.
    draws
        The same in every resample of the facts, shape (resamples,).
    facts
        That it is of.
    """

    value: float
    draws: Scores
    facts: int

    def minus(self, other: "Merit", *, level: float = 0.95) -> Estimate:
        """Return by how much this is better than `other`, paired by fact: on the same resamples."""
        gains = self.draws - other.draws
        return from_draws(
            self.value - other.value,
            gains[~np.isnan(gains)],
            method=f"paired percentile bootstrap, {gains.size:,} resamples of facts",
            level=level,
            n=self.facts,
        )


@dataclass(frozen=True)
class Verdicts:
    """What was said of the facts, once or in several repeats; figures are means over these.

    Attributes
    ----------
    score, verdict
        Shape (repeats, facts). A score is NaN where undefined, and the verdict then False.
    label
        Shape (facts,).
    weight
        How much each fact counts, shape (facts,): figures are those of the facts that it stands
        for. All alike by default.
    """

    score: Scores
    verdict: Mask
    label: Mask
    weight: Scores | None = None

    def among(self, facts: Mask) -> "Verdicts":
        """Return the verdicts on some of the facts."""
        weight = None if self.weight is None else self.weight[facts]
        return Verdicts(self.score[:, facts], self.verdict[:, facts], self.label[facts], weight)

    def confusion(self, weights: Weights) -> Confusion:
        """Return the confusions by resample and repeat; weights: (resamples, facts)."""
        cells = (
            self.verdict & self.label,
            self.verdict & ~self.label,
            ~self.verdict & ~self.label,
            ~self.verdict & self.label,
        )
        counted = self._counted(weights)
        return Confusion(*((counted @ cell.T.astype(np.float32)).astype(float) for cell in cells))

    def _counted(self, weights: Weights) -> Weights:
        if self.weight is None:
            return weights
        return weights * self.weight.astype(np.float32)

    def figures(self, weights: Weights, *, level: float = 0.95) -> VerdictFigures:
        """Return how the verdicts agree with the labels.

        Undefined scores come below all others in the AUC.

        Parameters
        ----------
        weights
            Resamples, shape (resamples, facts); see :func:`resamples`.
        level
            Nominal coverage.
        """
        n = self.label.size
        at = self.confusion(np.ones((1, n), np.float32))
        drawn = self.confusion(weights)
        right = float((at.true_positives + at.true_negatives).mean())
        method = f"percentile bootstrap, {len(weights):,} resamples of facts"

        def estimate(value: Scores, draws: Scores) -> Estimate:
            draws = mean(draws)
            draws = draws[~np.isnan(draws)]
            known = float(mean(value)[0]) if draws.size else None
            return from_draws(known, draws, method=method, level=level, n=n)

        shares = {name: estimate(getattr(at, name), getattr(drawn, name)) for name in _BOOTSTRAPPED}
        once = np.ones((1, n), np.float32)
        return VerdictFigures(
            facts=n,
            true=int(self.label.sum()),
            accuracy=wilson(min(right, n), n, level=level)
            if self.weight is None
            else estimate(at.accuracy, drawn.accuracy),
            auc=estimate(self._auc(once), self._auc(weights)),
            **shares,
        )

    def merit(self, criterion: Criterion, weights: Weights) -> "Merit":
        """Return how good the verdicts are by `criterion`, to rank by."""
        once = np.ones((1, self.label.size), np.float32)
        at, drawn = (mean(criterion.merit(self.confusion(w))) for w in (once, weights))
        return Merit(float(at[0]), drawn, self.label.size)

    def _auc(self, weights: Weights) -> Scores:
        # Untrained annotators score alike in every repeat.
        rows = self.score[:1] if _all_alike(self.score) else self.score
        sweeps = [Sweep(lowest_where_undefined(row), self.label) for row in rows]
        return np.array(
            [[_area(sweep.confusion(w)) for sweep in sweeps] for w in self._counted(weights)]
        )


def resamples(facts: int, *, count: int = 1000, seed: int) -> Weights:
    """Return how often each of the facts is in each resample, shape (count, facts)."""
    return _resamples(facts, count, seed)


@lru_cache(maxsize=2)
def _resamples(facts: int, count: int, seed: int) -> Weights:
    rng = np.random.default_rng(seed)
    drawn = np.empty((count, facts), np.float32)
    for row in drawn:
        row[:] = np.bincount(rng.integers(facts, size=facts), minlength=facts)
    drawn.flags.writeable = False
    return drawn


def lowest_where_undefined(score: Scores) -> Scores:
    """Return scores in which what is undefined stands below all that is defined."""
    defined = score[~np.isnan(score)]
    return np.where(np.isnan(score), defined.min() - 1 if defined.size else 0.0, score)


def mean(values: Scores) -> Scores:
    """Return the mean over repeats, the last axis, of those that are defined."""
    known = ~np.isnan(values)
    total = np.where(known, values, 0.0).sum(axis=-1)
    return np.where(known.any(axis=-1), total / np.maximum(known.sum(axis=-1), 1), np.nan)


def _area(judged: Confusion) -> float:
    """Return the area under the ROC curve by the trapezoidal rule; NaN if labels are alike."""
    true = judged.true_positives + judged.false_negatives
    false = judged.false_positives + judged.true_negatives
    if not true[0] or not false[0]:
        return np.nan
    return float(-np.trapezoid(judged.true_positives / true[0], judged.false_positives / false[0]))


def _all_alike(score: Scores) -> bool:
    return bool(np.array_equal(score, np.broadcast_to(score[:1], score.shape), equal_nan=True))

"""Curves of scores beside labels: ROC, precision and recall, calibration, and criterion against t.

Scores are of annotators that have not seen the label of the fact
(:mod:`evaluator.tuning.held_out`).
"""

from typing import Any, NamedTuple

import numpy as np

from evaluator.tuning.criteria import Criterion
from evaluator.tuning.thresholds import Mask, Scores, Sweep
from evaluator.tuning.verdict_figures import Weights, lowest_where_undefined

_POINTS = 200
_BINS = 10


class Roc(NamedTuple):
    """False positive and true positive rate, rising; all facts, undefined scores lowest."""

    false_positive_rate: list[float]
    true_positive_rate: list[float]


class PrecisionRecall(NamedTuple):
    """Precision and recall, recall falling, and the average precision: what a page can rank by."""

    precision: list[float]
    recall: list[float]
    average_precision: float


class Reliability(NamedTuple):
    """What probabilities claim, and what came true.

    Attributes
    ----------
    claimed, came_true
        Mean probability, and share of true facts, in bins of about as many facts each.
    facts
        In each bin.
    brier
        Mean squared difference of probability and truth.
    ece
        Expected calibration error: mean over the facts of the difference between the two in a bin.
    """

    claimed: list[float]
    came_true: list[float]
    facts: list[int]
    brier: float
    ece: float


class ThresholdCurve(NamedTuple):
    """The measure of a criterion at thresholds, on the facts with a defined score.

    Attributes
    ----------
    threshold
        Distinct scores, at most 200 of them, rising.
    value, low, high
        The measure and its pointwise percentile interval; None where it is undefined.
    """

    threshold: list[float]
    value: list[float | None]
    low: list[float | None]
    high: list[float | None]


class Curves(NamedTuple):
    """The curves of an annotator; those that its scores and labels do not allow are None."""

    roc: Roc | None
    precision_recall: PrecisionRecall | None
    reliability: Reliability | None
    threshold: ThresholdCurve

    def as_json(self) -> dict[str, Any]:
        """Return the curves as a JSON object."""
        return {name: part and part._asdict() for name, part in self._asdict().items()}


def curves(
    score: Scores,
    label: Mask,
    *,
    criterion: Criterion,
    weights: Weights,
    weight: Scores | None = None,
    probabilities: bool = False,
    level: float = 0.95,
) -> Curves:
    """Return the curves of scores.

    Parameters
    ----------
    score
        Shape (facts,), NaN where undefined.
    label
        Whether each fact is true.
    criterion
        Whose measure is drawn against t.
    weights
        Resamples, shape (resamples, facts).
    weight
        How much each fact counts, shape (facts,); all alike by default.
    probabilities
        Whether the scores claim to be some.
    level
        Nominal coverage of the band.
    """
    from sklearn.metrics import average_precision_score, precision_recall_curve, roc_curve

    counts = np.ones(label.size) if weight is None else weight
    ranked, both = lowest_where_undefined(score), bool(label.any() and not label.all())
    roc = precision_recall = None
    if both:
        false, true, _ = roc_curve(label, ranked, sample_weight=counts)
        roc = Roc(false.tolist(), true.tolist())
        precision, recall, _ = precision_recall_curve(
            label, ranked, drop_intermediate=True, sample_weight=counts
        )
        average = average_precision_score(label, ranked, sample_weight=counts)
        precision_recall = PrecisionRecall(precision.tolist(), recall.tolist(), float(average))
    defined = ~np.isnan(score)
    claimed = probabilities and defined.any()
    return Curves(
        roc,
        precision_recall,
        reliability(score[defined], label[defined], counts[defined]) if claimed else None,
        _threshold_curve(score, label, criterion, weights, counts, level),
    )


def reliability(probability: Scores, label: Mask, weight: Scores | None = None) -> Reliability:
    """Return how far probabilities, at least one and all defined, are to be believed.

    `weight` is how much each fact counts; all alike by default. Bins hold about a tenth of the
    facts each; equal probabilities share one.
    """
    from sklearn.metrics import brier_score_loss

    edges = np.unique(np.quantile(probability, np.linspace(0, 1, _BINS + 1)[1:-1]))
    bins = np.searchsorted(edges, probability, side="left")
    facts = np.bincount(bins)
    used = facts > 0
    counts = np.ones(label.size) if weight is None else weight
    size = np.bincount(bins, counts)[used]
    claimed = np.bincount(bins, counts * probability)[used] / size
    came_true = np.bincount(bins, counts * label)[used] / size
    return Reliability(
        claimed.tolist(),
        came_true.tolist(),
        facts[used].tolist(),
        float(brier_score_loss(label, probability, pos_label=True, sample_weight=counts)),
        float(np.average(np.abs(claimed - came_true), weights=size)),
    )


def _threshold_curve(
    score: Scores,
    label: Mask,
    criterion: Criterion,
    weights: Weights,
    counts: Scores,
    level: float,
) -> ThresholdCurve:
    sweep = Sweep(score, label)
    scores = sweep.thresholds.size - 1
    if not scores:
        return ThresholdCurve([], [], [], [])
    places = np.unique(np.linspace(0, scores - 1, min(scores, _POINTS)).round().astype(int))

    def measure(weight: Any) -> Scores:
        values: Scores = getattr(sweep.confusion(weight).at(places), criterion.measure)
        return values

    drawn = np.array([measure(weight * counts) for weight in weights])
    tail = (1 - level) / 2
    ends = np.full((2, places.size), np.nan)
    known = ~np.isnan(drawn).all(axis=0)
    ends[:, known] = np.nanquantile(drawn[:, known], [tail, 1 - tail], axis=0)
    value, low, high = (
        [None if np.isnan(v) else float(v) for v in of] for of in (measure(counts), *ends)
    )
    return ThresholdCurve(sweep.thresholds[places].tolist(), value, low, high)

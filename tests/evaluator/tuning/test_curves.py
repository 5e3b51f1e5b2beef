"""Curves by hand and beside scikit-learn's."""

import numpy as np
import pytest
from sklearn.calibration import calibration_curve
from sklearn.metrics import balanced_accuracy_score

from evaluator.tuning.criteria import criterion
from evaluator.tuning.curves import curves, reliability
from evaluator.tuning.verdict_figures import resamples

# By falling score: true, false, true, and one without a score, false.
SCORE = np.array([0.9, 0.5, 0.1, np.nan])
LABEL = np.array([True, False, True, False])


def drawn(score=SCORE, label=LABEL, name="balanced", **options):
    weights = resamples(len(score), count=300, seed=1)
    return curves(score, label, criterion=criterion(name), weights=weights, **options)


def test_the_roc_ranks_undefined_scores_lowest():
    roc = drawn().roc
    points = list(zip(roc.false_positive_rate, roc.true_positive_rate, strict=True))
    assert points == [(0, 0), (0, 0.5), (0.5, 0.5), (0.5, 1), (1, 1)]


def test_precision_and_recall_by_hand():
    found = drawn().precision_recall
    points = set(zip(found.recall, found.precision, strict=True))
    assert {(0.5, 1.0), (0.5, 1 / 2), (1.0, 2 / 3)} <= points
    # Recall rises by a half at precision 1 and by a half at 2/3.
    assert found.average_precision == pytest.approx((1 + 2 / 3) / 2)


def test_labels_that_are_all_alike_have_no_such_curves():
    found = drawn(label=np.ones(4, bool))
    assert found.roc is found.precision_recall is None
    assert found.threshold.value == [None, None, None]


def test_without_scores_there_is_no_threshold_curve():
    assert drawn(score=np.full(4, np.nan)).threshold.threshold == []


def test_the_threshold_curve_is_of_the_facts_with_a_score():
    found = drawn().threshold
    expected = [balanced_accuracy_score(LABEL[:3], SCORE[:3] >= t) for t in (0.1, 0.5, 0.9)]
    assert found.threshold == [0.1, 0.5, 0.9]
    assert found.value == pytest.approx(expected)
    for low, value, high in zip(found.low, found.value, found.high, strict=True):
        assert low <= value <= high


def test_many_scores_are_drawn_as_two_hundred_points_with_both_ends():
    score = np.arange(1000) / 1000
    found = drawn(score, score > 0.5).threshold
    assert len(found.threshold) == 200
    assert (found.threshold[0], found.threshold[-1]) == (0, 0.999)


def test_the_reliability_by_hand():
    # Ten facts of which .2 is claimed and 3 true, ten of which .8 is claimed and 8 true.
    probability = np.array([0.2] * 10 + [0.8] * 10)
    label = np.array([True] * 3 + [False] * 7 + [True] * 8 + [False] * 2)
    found = reliability(probability, label)
    assert found.claimed == pytest.approx([0.2, 0.8])
    assert found.came_true == pytest.approx([0.3, 0.8])
    assert found.facts == [10, 10]
    assert found.ece == pytest.approx(0.05)
    squares = 3 * 0.8**2 + 7 * 0.2**2 + 8 * 0.2**2 + 2 * 0.8**2
    assert found.brier == pytest.approx(squares / 20)


def test_bins_are_those_of_scikit_learn():
    rng = np.random.default_rng(5)
    probability = rng.random(400)
    label = rng.random(400) < probability
    came_true, claimed = calibration_curve(label, probability, n_bins=10, strategy="quantile")
    found = reliability(probability, label)
    assert found.came_true == pytest.approx(came_true.tolist())
    assert found.claimed == pytest.approx(claimed.tolist())


def test_only_probabilities_are_asked_to_be_calibrated():
    assert drawn().reliability is None
    assert drawn(probabilities=True).reliability.facts == [1, 1, 1]

"""Prediction-powered means, against ppi_py and by hand."""

import numpy as np
import ppi_py
import pytest

from evaluator.estimators.prediction_powered import Mean, power_tuning, ppi_mean, ppi_plus_plus_mean

EXACT = {"rel": 1e-9, "abs": 1e-9}


def samples(seed):
    """Return labels, scores of the same facts, scores of others, and weights for both."""
    rng = np.random.default_rng(seed)
    n, others = (int(size) for size in rng.integers((5, 5), (200, 2000)))
    # From useless to the truth itself, and from the wrong way round to the right one.
    signal, noise = rng.uniform(-1, 2), rng.uniform(0, 1)
    truth = (rng.random(n + others) < rng.uniform(0.1, 0.9)).astype(float)
    score = signal * truth + noise * rng.normal(size=n + others)
    weights = rng.uniform(0.1, 10, n + others)
    return truth[:n], score[:n], score[n:], weights[:n], weights[n:]


@pytest.mark.parametrize("weighted", [False, True])
def test_values_and_intervals_equal_ppi_py(weighted):
    for seed in range(200):
        *facts, weights, others = samples(seed)
        ours = {"weights": weights, "weights_unlabelled": others} if weighted else {}
        theirs = {"w": weights, "w_unlabeled": others} if weighted else {}
        for mean, tuning in (
            (ppi_mean(*facts, **ours), 1),
            (ppi_plus_plus_mean(*facts, **ours), None),
            (ppi_plus_plus_mean(*facts, **ours, tuning=0.3), 0.3),
        ):
            value = ppi_py.ppi_mean_pointestimate(*facts, lam=tuning, **theirs)
            interval = ppi_py.ppi_mean_ci(*facts, alpha=0.05, lam=tuning, **theirs)
            assert mean.value == pytest.approx(value.item(), **EXACT)
            assert mean.ends() == pytest.approx([end.item() for end in interval], **EXACT)


# y = 0 1 0 1 and f = 0 1 1 1: Cov(y, f) = 2/4 − (2/4)(3/4) = 1/8. The other scores are 0 0 1 1, so
# five of the eight are 1 and Var f, with n − 1, is (5/8)(3/8)(8/7) = 15/56. With n = N then
# λ = (1/8) / (2 · 15/56) = 7/30.
TRUTH, SCORE, OTHERS = [0, 1, 0, 1], [0, 1, 1, 1], [0, 0, 1, 1]


def test_ppi_by_hand():
    # Mean of f: 2/4; of y − f: −1/4. Variances 1/4 and 3/16, over four facts each.
    assert ppi_mean(TRUTH, SCORE, OTHERS) == pytest.approx((1 / 4, 1 / 16 + 3 / 64))


def test_power_tuning_by_hand():
    assert power_tuning(TRUTH, SCORE, OTHERS) == pytest.approx(7 / 30)
    # λ · 1/2 + 1/2 − λ · 3/4
    assert ppi_plus_plus_mean(TRUTH, SCORE, OTHERS).value == pytest.approx(1 / 2 - 7 / 120)


def test_weights_stand_for_repeated_facts():
    repeated = ppi_mean([0, 1, 1, 1], [0.2, 0.7, 0.7, 0.7], [0.1, 0.3, 0.3, 0.3])
    weighted = ppi_mean([0, 1], [0.2, 0.7], [0.1, 0.3], weights=[1, 3], weights_unlabelled=[10, 30])
    assert weighted.value == pytest.approx(repeated.value)


def test_without_the_score_there_is_the_mean_of_the_labels():
    mean = ppi_plus_plus_mean(TRUTH, SCORE, OTHERS, tuning=0)
    assert mean == pytest.approx((1 / 2, 1 / 4 / 4))


@pytest.mark.parametrize("clip", [True, False])
def test_a_score_that_never_varies_is_left_out(clip):
    # 0.1 has no exact binary form: the variance of eleven of them is not 0 in floating point.
    facts = TRUTH, [0.1] * 4, [0.1] * 7
    assert power_tuning(*facts, clip=clip) == 0
    assert ppi_plus_plus_mean(*facts, clip=clip) == pytest.approx((1 / 2, 1 / 16))


def test_a_score_turned_round_counts_only_without_clipping():
    turned = [1 - score for score in SCORE], [1 - score for score in OTHERS]
    assert power_tuning(TRUTH, *turned) == 0
    assert power_tuning(TRUTH, *turned, clip=False) == pytest.approx(-7 / 30)


def test_many_problems_at_once_are_each_by_itself():
    rng = np.random.default_rng(1)
    facts = rng.random((3, 2, 20)), rng.random((3, 2, 20)), rng.random((3, 2, 50))
    together = ppi_plus_plus_mean(*facts)
    for index in np.ndindex(3, 2):
        alone = ppi_plus_plus_mean(*(array[index] for array in facts))
        assert (together.value[index], together.variance[index]) == pytest.approx(alone)


# The share of true facts, Se and Sp of the verdicts, the labels next to 10,000 facts without: the
# coverage and mean width of nominal 95 % intervals in another simulation, of 4,000 samples. From
# 1,000 the coverage has a standard error of up to .0095.
@pytest.mark.parametrize(
    ("share", "se", "sp", "labels", "coverage", "width"),
    [
        (0.03, 0.73, 0.73, 558, 0.935, 0.0276),
        (0.03, 0.60, 0.985, 558, 0.932, 0.0233),
        (0.30, 0.73, 0.73, 558, 0.952, 0.0689),
        (0.03, 0.60, 0.985, 200, 0.900, 0.0370),
    ],
)
@pytest.mark.statistical
def test_coverage(share, se, sp, labels, coverage, width):
    rng, ends = np.random.default_rng(1), []
    for _ in range(10):
        truth = rng.random((100, labels)) < share
        verdict = rng.random((100, labels)) < np.where(truth, se, 1 - sp)
        others = rng.random((100, 10_000)) < share * se + (1 - share) * (1 - sp)
        ends.append(ppi_plus_plus_mean(truth, verdict, others).ends())
    low, high = np.concatenate(ends, axis=1)
    assert np.mean((low <= share) & (share <= high)) == pytest.approx(coverage, abs=0.03)
    assert np.mean(high - low) == pytest.approx(width, rel=0.03)


def test_an_estimate_has_the_ends_of_its_mean():
    estimate = Mean(0.25, 0.01).estimate(method="PPI", level=0.95, n=4)
    assert estimate == (0.25, pytest.approx(0.0540036), pytest.approx(0.4459964), "PPI", 0.95, 4)


@pytest.mark.parametrize("facts", [([1], [1], [1, 0]), ([1, 0], [1, 0], [1])])
def test_one_fact_tells_nothing_of_how_they_vary(facts):
    with pytest.raises(ValueError, match="fewer than two facts"):
        ppi_mean(*facts)


@pytest.mark.parametrize(
    "facts", [([1, 0], [1, 0, 1], [1, 0]), ([[1, 0]], [[1, 0]], [1, 0]), (1, 1, [1, 0])]
)
def test_shapes_that_do_not_fit_are_refused(facts):
    with pytest.raises(ValueError, match=r"do not fit together|fewer than two"):
        ppi_mean(*facts)


@pytest.mark.parametrize("weights", [[1], [1, -1, 1, 1], [0, 0, 0, 0], [1, 1, 1, float("nan")]])
def test_what_are_no_weights_is_refused(weights):
    with pytest.raises(ValueError, match="weights"):
        ppi_mean(TRUTH, SCORE, OTHERS, weights=weights)


@pytest.mark.parametrize("level", [0, 1])
def test_what_is_no_level_is_refused(level):
    with pytest.raises(ValueError, match="outside"):
        Mean(0.5, 0.1).ends(level=level)

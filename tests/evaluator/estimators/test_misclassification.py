"""The Rogan-Gladen estimate: its authors' figures, its coverage, and when it says nothing."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.estimators.misclassification import Calibration, rogan_gladen


def calibration(true_accepted, true, false_rejected, false):
    return Calibration(
        true=true, true_accepted=true_accepted, false=false, false_rejected=false_rejected
    )


# Lang and Reiczigel 2014, Examples 1 to 4, as R's package asht quotes them: accepted of judged, Se,
# Sp, and the 95 % interval to the places printed.
@pytest.mark.parametrize(
    ("accepted", "judged", "labels", "low", "high"),
    [
        (4060, 11284, (178, 179, 358, 359), 0.349, 0.372),
        (51, 2971, (32, 33, 20, 20), 0, 0.053),
        (712, 11862, (8, 10, 12, 12), 0, 0.147),
        (259, 509, (84, 127, 96, 109), 0.58, 0.87),
        (51, 509, (23, 41, 187, 195), 0.037, 0.195),
    ],
)
def test_examples_of_lang_and_reiczigel(accepted, judged, labels, low, high):
    estimate = rogan_gladen(accepted, judged, calibration=calibration(*labels)).estimate
    places = 2 if high == 0.87 else 3
    assert (round(estimate.low, places), round(estimate.high, places)) == (low, high)


def test_value_and_variance_by_hand():
    # q = 1/2, Se = 3/4, Sp = 3/4, J = 1/2: π = (1/4)/(1/2) = 1/2, and the variance is
    # (1/4/100 + 1/4 · 3/16/100 + 1/4 · 3/16/100) · 4 = 0.01 + 0.00375.
    corrected = rogan_gladen(50, 100, calibration=calibration(75, 100, 75, 100))
    assert corrected.estimate.value == pytest.approx(0.5)
    assert corrected.variance == pytest.approx(0.01375)
    assert corrected.reason is None


def test_a_perfect_annotator_is_believed():
    corrected = rogan_gladen(30, 100, calibration=calibration(10**6, 10**6, 10**6, 10**6))
    assert corrected.estimate.value == pytest.approx(0.3)
    assert corrected.variance == pytest.approx(0.3 * 0.7 / 100)


def test_youden_has_newcombes_interval():
    # Newcombe 1998, Table II, method 10: 56/70 − 48/80 = .2000 in [.0524, .3339]. Here J = Se −
    # (1 − Sp), with 48 of 80 false facts accepted.
    youden = calibration(56, 70, 80 - 48, 80).youden
    assert youden[:3] == pytest.approx((0.2, 0.0524, 0.3339), abs=5e-5)


@pytest.mark.parametrize(
    ("labels", "reason"),
    [
        ((25, 50, 25, 50), "not reliably better than chance"),
        ((2, 2, 5, 10), "not reliably better than chance"),
        ((10, 50, 20, 50), "not reliably better than chance"),
        ((0, 0, 20, 50), "no fact that is true was labelled"),
        ((20, 50, 0, 0), "no fact that is false was labelled"),
    ],
)
def test_an_annotator_not_known_to_be_better_than_chance_gives_no_figure(labels, reason):
    estimate, variance, why = rogan_gladen(30, 100, calibration=calibration(*labels))
    assert (estimate.value, estimate.low, estimate.high, variance) == (None, None, None, None)
    assert reason in why


@pytest.mark.statistical
def test_a_coin_gives_a_figure_in_few_samples():
    # Where J is 0 the lower limit exceeds it in the 2.5 % of the samples that its level leaves.
    rng = np.random.default_rng(1)
    labels = rng.binomial([100, 300], [0.4, 0.6], size=(4000, 2)).tolist()
    figures = [
        rogan_gladen(400, 1000, calibration=calibration(hits, 100, rejected, 300)).variance
        is not None
        for hits, rejected in labels
    ]
    assert np.mean(figures) == pytest.approx(0.025, abs=0.01)


def test_rates_of_other_facts_give_no_figure():
    # 73 % right on a hand-made set and 3.1 % accepted in the corpus would mean −52 % true.
    corrected = rogan_gladen(310, 10_000, calibration=calibration(204, 279, 204, 279))
    assert corrected.estimate.value is None
    assert "not like those labelled" in corrected.reason


def test_nothing_judged_gives_no_figure():
    corrected = rogan_gladen(0, 0, calibration=calibration(9, 10, 9, 10))
    assert corrected.estimate.value is None
    assert corrected.reason == "no fact was judged"


@given(
    st.tuples(*[st.integers(0, 40)] * 6),
    st.sampled_from([0.5, 0.9, 0.95, 0.99]),
)
def test_a_figure_is_a_share_within_its_interval(counts, level):
    first, second, third = (sorted(counts[i : i + 2]) for i in (0, 2, 4))
    estimate, _, reason = rogan_gladen(
        *first, calibration=calibration(*second, *third), level=level
    )
    assert (estimate.value is None) == (reason is not None)
    if estimate.value is not None:
        assert 0 <= estimate.low <= estimate.value <= estimate.high <= 1


# π, Se, Sp, the labels, of facts drawn at random, and the coverage that intervals of nominal 95 %
# had in another simulation, of 4,000 samples with 10,000 facts judged. Those were adjusted as here
# but not shifted (equation 17), so that they cover more than they should: up to .018. The width
# agrees where no interval reaches 0.
@pytest.mark.parametrize(
    ("share", "se", "sp", "labels", "coverage", "width"),
    [
        (0.03, 0.73, 0.73, 558, 0.979, None),
        (0.03, 0.60, 0.985, 558, 0.972, None),
        (0.30, 0.73, 0.73, 558, 0.954, 0.170),
        (0.03, 0.60, 0.985, 200, 0.987, None),
    ],
)
@pytest.mark.statistical
def test_coverage(share, se, sp, labels, coverage, width):
    rng, samples = np.random.default_rng(1), 4000
    true = rng.binomial(labels, share, samples)
    hits, rejected = rng.binomial(true, se), rng.binomial(labels - true, sp)
    accepted = rng.binomial(10_000, share * se + (1 - share) * (1 - sp), samples)
    corrected = [
        rogan_gladen(each, 10_000, calibration=calibration(*kinds)).estimate
        for each, *kinds in zip(
            *(counts.tolist() for counts in (accepted, hits, true, rejected, labels - true)),
            strict=True,
        )
    ]
    lows, highs = np.array([found[1:3] for found in corrected if found.value is not None]).T
    assert len(lows) > 0.95 * samples
    covered = np.mean((lows <= share) & (share <= highs))
    assert covered > 0.945
    assert covered == pytest.approx(coverage, abs=0.025)
    if width:
        assert np.mean(highs - lows) == pytest.approx(width, rel=0.01)

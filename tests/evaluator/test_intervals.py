"""Intervals, against the textbook, against scipy and statsmodels, and against brute force."""

import json
from itertools import product
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from evaluator.intervals import (
    Estimate,
    clopper_pearson,
    finite_population_draws,
    from_draws,
    hpd,
    jeffreys,
    wilson,
)

INTERVALS = [wilson, jeffreys, clopper_pearson, hpd]

counts = st.integers(0, 300).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
observed = counts.filter(lambda count: count[1] > 0)


def ends(estimate):
    return pytest.approx((estimate.low, estimate.high), abs=5e-5)


# Newcombe, Statistics in Medicine 17, 1998, Table I: methods 3 (score) and 5 (Clopper-Pearson).
@pytest.mark.parametrize(
    ("count", "score", "exact"),
    [
        ((81, 263), (0.2553, 0.3662), (0.2527, 0.3676)),
        ((15, 148), (0.0624, 0.1605), (0.0578, 0.1617)),
        ((0, 20), (0.0000, 0.1611), (0.0000, 0.1684)),
        ((1, 29), (0.0061, 0.1718), (0.0009, 0.1776)),
    ],
)
def test_newcombe_table(count, score, exact):
    assert score == ends(wilson(*count))
    assert exact == ends(clopper_pearson(*count))


# Brown, Cai and DasGupta 2001, Table 5: Jeffreys' interval at n = 7, printed to three places.
@pytest.mark.parametrize(
    ("successes", "low", "high"),
    [(0, 0.000, 0.292), (1, 0.016, 0.501), (2, 0.065, 0.648), (3, 0.139, 0.766)],
)
def test_jeffreys_table(successes, low, high):
    estimate = jeffreys(successes, 7)
    assert (estimate.low, estimate.high) == pytest.approx((low, high), abs=6e-4)


@settings(max_examples=40, deadline=None)
@given(observed, st.sampled_from([0.5, 0.9, 0.95, 0.99]))
def test_wilson_and_clopper_pearson_equal_scipy(count, level):
    test = stats.binomtest(*count)
    for ours, method in ((wilson, "wilson"), (clopper_pearson, "exact")):
        theirs = test.proportion_ci(confidence_level=level, method=method)
        estimate = ours(*count, level=level)
        assert (estimate.low, estimate.high) == pytest.approx(tuple(theirs), abs=1e-9)


@pytest.mark.parametrize(("ours", "method"), [(wilson, "wilson"), (clopper_pearson, "beta")])
def test_wilson_and_clopper_pearson_equal_statsmodels(ours, method):
    for n, share, level in product((1, 2, 7, 30, 558, 40_000), (0, 0.03, 0.3, 0.5, 1), (0.9, 0.95)):
        successes = round(share * n)
        estimate = ours(successes, n, level=level)
        theirs = proportion_confint(successes, n, alpha=1 - level, method=method)
        assert (estimate.low, estimate.high) == pytest.approx(theirs, abs=1e-12)


@settings(deadline=None)
@given(observed)
def test_jeffreys_is_between_the_beta_quantiles(count):
    successes, n = count
    low, high = stats.beta(successes + 0.5, n - successes + 0.5).interval(0.95)
    estimate = jeffreys(*count)
    assert estimate.low == pytest.approx(low if successes else 0)
    assert estimate.high == pytest.approx(high if successes < n else 1)


@pytest.mark.parametrize("prior", [(0.5, 0.5), (1, 1), (1 / 3, 1 / 3), (3, 8)])
@pytest.mark.parametrize("count", [(0, 12), (1, 12), (6, 12), (12, 12), (11, 10_000)])
@pytest.mark.parametrize("level", [0.8, 0.95])
def test_no_interval_of_the_posterior_is_shorter_than_hpd(count, prior, level):
    successes, n = count
    posterior = stats.beta(successes + prior[0], n - successes + prior[1])
    below = np.linspace(0, 1 - level, 4001)
    lows, highs = posterior.ppf(below), posterior.ppf(below + level)
    shortest = np.argmin(highs - lows)
    estimate = hpd(successes, n, level=level, prior=prior)
    low, high = min(lows[shortest], successes / n), max(highs[shortest], successes / n)
    step = np.diff(lows)[max(shortest - 1, 0) : shortest + 1].max() + 1e-9
    assert (estimate.low, estimate.high) == pytest.approx((low, high), abs=step)
    if lows[shortest] <= successes / n <= highs[shortest]:
        held = posterior.cdf(estimate.high) - posterior.cdf(estimate.low)
        assert held == pytest.approx(level, abs=1e-9)
        assert estimate.high - estimate.low <= highs[shortest] - lows[shortest] + 1e-12


def test_hpd_of_a_falling_density_begins_at_0():
    # Beta(1, n + 1) has the distribution function 1 − (1 − x)^(n + 1).
    estimate = hpd(0, 19, prior=(1, 1))
    assert (estimate.low, estimate.high) == (0, pytest.approx(1 - 0.05 ** (1 / 20)))


def test_hpd_of_a_symmetric_posterior_is_equal_tailed():
    assert hpd(20, 40)[:3] == pytest.approx(jeffreys(20, 40)[:3])


def test_hpd_is_widened_to_hold_the_share():
    # The posterior Beta(1.5, 99.5) is highest at 0.5/99, about 0.005: half of the share.
    estimate = hpd(1, 100, level=0.1)
    assert estimate.low < 0.5 / 99 < estimate.high == estimate.value == 0.01


@pytest.mark.parametrize("prior", [(0, 1), (0.5, -1), (float("nan"), 1)])
def test_an_improper_prior_is_refused(prior):
    with pytest.raises(ValueError, match="above 0"):
        hpd(1, 2, prior=prior)


# Bronzi et al. 2012, Table 2, in thousands of facts, from samples of 10,000 facts of S and 40,000
# of G′: how many hits each region rests on follows, and so do the intervals that the paper leaves
# out (worked out apart from this code).
@pytest.mark.parametrize(
    ("region", "sampled", "population", "places", "low", "high"),
    [
        (3, 10_000, 2_643, 1, 1.5, 5.2),  # ReVerb: b
        (77, 10_000, 2_643, 0, 68, 86),  # a
        (41 + 3, 40_000, 62_930, 0, 29, 64),  # b + c
        (77 + 1_944, 40_000, 62_930, 0, 1_914, 2_133),  # a + d
        (4, 10_000, 3_288, 1, 2.0, 6.9),  # SONEX: b
        (259, 10_000, 3_288, 0, 242, 277),  # a
    ],
)
def test_sampling_error_of_the_regions_of_2012(region, sampled, population, places, low, high):
    estimate = clopper_pearson(round(region / population * sampled), sampled)
    ends = [round(end * population, places) for end in (estimate.low, estimate.high)]
    assert ends == [low, high]


# P and R of the same samples: R is a ratio of two of them, so it has draws.
@pytest.mark.parametrize(
    ("correct", "system", "places", "precision", "recall"),
    [
        (80, 2_643, 4, (0.0271, 0.0338), (0.0342, 0.0438)),  # ReVerb
        (263, 3_288, 3, (0.075, 0.085), (0.117, 0.139)),  # SONEX
    ],
)
def test_sampling_error_of_precision_and_recall_of_2012(correct, system, places, precision, recall):
    hits, rng = round(correct / system * 10_000), np.random.default_rng(1)
    estimate = jeffreys(hits, 10_000)
    assert (round(estimate.low, places), round(estimate.high, places)) == precision
    right = finite_population_draws(hits, 10_000, system * 1_000, draws=100_000, rng=rng)
    true = finite_population_draws(28 + 1_285, 40_000, 62_930_000, draws=100_000, rng=rng)
    ends = np.quantile(right / true, [0.025, 0.975])
    # Half of the last place printed, and what two sets of draws may differ by.
    assert ends == pytest.approx(recall, abs=0.5 * 10**-places + 1e-4)


@pytest.mark.parametrize("interval", INTERVALS)
@settings(deadline=None)
@given(count=observed)
def test_the_share_is_inside_its_interval_and_mirrors_its_complement(interval, count):
    successes, n = count
    estimate = interval(successes, n)
    assert estimate.value == successes / n
    assert 0 <= estimate.low <= estimate.value <= estimate.high <= 1
    mirrored = interval(n - successes, n)
    assert (1 - mirrored.high, 1 - mirrored.low) == pytest.approx(
        (estimate.low, estimate.high), abs=1e-9
    )


@pytest.mark.parametrize("interval", INTERVALS)
def test_no_observation_gives_no_figure(interval):
    estimate = interval(0, 0)
    assert (estimate.value, estimate.low, estimate.high, estimate.n) == (None, None, None, 0)


@pytest.mark.parametrize("interval", INTERVALS)
@pytest.mark.parametrize(
    ("count", "level"), [((3, 2), 0.95), ((-1, 2), 0.95), ((1, 2), 1.0), ((1, 2), 0.0)]
)
def test_what_is_no_share_or_no_level_is_refused(interval, count, level):
    with pytest.raises(ValueError, match=r"not a share|outside"):
        interval(*count, level=level)


@pytest.mark.parametrize("interval", INTERVALS)
@given(st.integers(0, 30), st.integers(31, 200))
def test_a_finite_population_narrows_the_interval(interval, successes, population):
    wide, narrow = interval(successes, 30), interval(successes, 30, population=population)
    assert narrow.value == wide.value
    assert narrow.high - narrow.low < wide.high - wide.low
    # What the sample has seen is there.
    assert successes / population <= narrow.low <= narrow.value
    assert narrow.value <= narrow.high <= 1 - (30 - successes) / population + 1e-12


@pytest.mark.parametrize("interval", INTERVALS)
@pytest.mark.parametrize("successes", [0, 7, 20])
def test_a_census_has_no_width(interval, successes):
    share = successes / 20
    assert interval(successes, 20, population=20) == (share, share, share, "census", 0.95, 20)


@pytest.mark.parametrize("interval", INTERVALS)
def test_a_vast_population_is_like_an_unlimited_one(interval):
    finite = interval(28, 40_000, population=10**10)
    assert finite[:3] == pytest.approx(interval(28, 40_000)[:3], rel=1e-5)
    assert finite.method == f"{interval(28, 40_000).method}, finite population"


# 50 of 99: (N − 1)/(N − n) = 98/49 = 2, so that each value counts twice.
@pytest.mark.parametrize("interval", [wilson, jeffreys, hpd])
@pytest.mark.parametrize("successes", [1, 10, 25])
def test_a_sample_of_half_the_population_is_worth_two(interval, successes):
    finite = interval(successes, 50, population=99)
    double = interval(2 * successes, 100)
    low = max(double.low, successes / 99)
    assert finite[:3] == pytest.approx((double.value, low, double.high))


@pytest.mark.parametrize(("successes", "n", "population"), [(6, 30, 50), (80, 200, 3000)])
def test_wilson_inverts_the_score_test_of_a_finite_population(successes, n, population):
    estimate = wilson(successes, n, population=population)
    for share in (estimate.low, estimate.high):
        variance = share * (1 - share) / n * (population - n) / (population - 1)
        assert abs(share - estimate.value) / variance**0.5 == pytest.approx(1.959963984540054)


@pytest.mark.parametrize(("n", "population"), [(5, 20), (20, 30), (40, 60)])
def test_clopper_pearson_covers_every_share_of_a_finite_population(n, population):
    intervals = [clopper_pearson(seen, n, population=population) for seen in range(n + 1)]
    for total in range(population + 1):
        ways = sum(
            comb(total, seen) * comb(population - total, n - seen)
            for seen, estimate in enumerate(intervals)
            if estimate.low <= total / population <= estimate.high
        )
        assert ways / comb(population, n) >= 0.95


@pytest.mark.parametrize("interval", INTERVALS)
def test_a_sample_larger_than_the_population_is_refused(interval):
    with pytest.raises(ValueError, match="a sample of 10 from a population of 9"):
        interval(3, 10, population=9)


def test_an_estimate_is_a_json_object():
    estimate = Estimate(0.5, 0.25, 0.75, "Wilson", 0.95, 10)
    assert json.loads(json.dumps(estimate.as_json())) == {
        "value": 0.5, "low": 0.25, "high": 0.75, "method": "Wilson", "level": 0.95, "n": 10,
    }  # fmt: skip


def test_draws_have_no_width_at_a_census():
    draws = finite_population_draws(3, 10, 10, draws=100, rng=np.random.default_rng(1))
    assert (draws == 3).all()


@settings(deadline=None)
@given(st.integers(0, 10), st.integers(10, 30), st.integers(0, 2**32))
def test_draws_keep_what_the_sample_knows(accepted, population, seed):
    rng = np.random.default_rng(seed)
    draws = finite_population_draws(accepted, 10, population, draws=50, rng=rng)
    assert draws.min() >= accepted
    assert draws.max() <= population - (10 - accepted)


def test_draws_are_beta_binomial():
    # 4 of 20 accepted, 30 facts not sampled: Pr(k more) is beta-binomial(30, 4.5, 16.5).
    draws = finite_population_draws(4, 20, 50, draws=200_000, rng=np.random.default_rng(1))
    exact = stats.betabinom(30, 4.5, 16.5)
    observed = np.bincount(draws - 4, minlength=31) / draws.size
    assert observed == pytest.approx(exact.pmf(np.arange(31)), abs=0.004)


def test_draws_in_a_vast_population_have_the_quantiles_of_jeffreys():
    draws = finite_population_draws(30, 1000, 10**9, draws=100_000, rng=np.random.default_rng(1))
    low, high = np.quantile(draws / 10**9, [0.025, 0.975])
    estimate = jeffreys(30, 1000)
    assert (low, high) == pytest.approx((estimate.low, estimate.high), rel=0.01)


def test_the_population_may_differ_from_draw_to_draw():
    population = np.array([10, 10, 1000])
    draws = finite_population_draws(5, 10, population, draws=3, rng=np.random.default_rng(1))
    assert draws.tolist()[:2] == [5, 5]
    assert 5 < draws[2] < 1000


def test_an_interval_of_draws_holds_the_value():
    estimate = from_draws(0, np.arange(1, 101), method="m", level=0.9, n=7)
    assert estimate == (0, 0, pytest.approx(95.05), "m", 0.9, 7)


@pytest.mark.parametrize("value", [None, float("nan"), float("inf")])
def test_no_value_no_interval(value):
    estimate = from_draws(value, np.arange(10), method="m", level=0.9, n=7)
    assert estimate == (None, None, None, "m", 0.9, 7)


def test_an_interval_has_a_width_and_holds_its_ends():
    estimate = Estimate(0.5, 0.25, 0.75, "by hand", 0.95, 8)
    assert estimate.width == 0.5
    held = [value for value in (0.2, 0.25, 0.5, 0.75, 0.8) if estimate.holds(value)]
    assert held == [0.25, 0.5, 0.75]
    nothing = Estimate(None, None, None, "by hand", 0.95, 0)
    assert (nothing.width, nothing.holds(0.5)) == (None, False)
    assert Estimate(0.3, 0.3, 0.3, "census", 0.95, 10).holds(0.1 + 0.2)  # but for rounding

"""Intervals, against the textbook and against scipy."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from evaluator.intervals import (
    Estimate,
    clopper_pearson,
    finite_population_draws,
    from_draws,
    jeffreys,
    wilson,
)

INTERVALS = [wilson, jeffreys, clopper_pearson]

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


@settings(deadline=None)
@given(observed)
def test_jeffreys_is_between_the_beta_quantiles(count):
    successes, n = count
    low, high = stats.beta(successes + 0.5, n - successes + 0.5).interval(0.95)
    estimate = jeffreys(*count)
    assert estimate.low == pytest.approx(low if successes else 0)
    assert estimate.high == pytest.approx(high if successes < n else 1)


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

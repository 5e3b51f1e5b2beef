"""Kendall's tau: by hand, against scipy, and what its interval and its test say."""

import numpy as np
import pytest
from scipy.stats import kendalltau

from evaluator.gold.against_corpus.rank_agreement import (
    kendall_tau_b,
    permutation_p,
    rank_agreement,
    ranks,
)

FIRST = np.array([0.1, 0.2, 0.3, 0.4])


@pytest.mark.parametrize(
    ("second", "expected"),
    [
        ([1, 2, 3, 4], 1),
        ([4, 3, 2, 1], -1),
        ([1, 2, 4, 3], 4 / 6),  # 5 pairs alike, 1 opposite
        ([1, 1, 2, 3], 5 / np.sqrt(6 * 5)),  # 5 alike, 1 tied
        ([1, 1, 1, 1], np.nan),
        ([1, 2, np.nan, 4], np.nan),
    ],
)
def test_tau_by_hand(second, expected) -> None:
    found = kendall_tau_b(FIRST, np.array(second, dtype=float))
    assert float(found) == pytest.approx(expected, nan_ok=True)


def test_tau_of_many_orders_at_once_is_scipys() -> None:
    rng = np.random.default_rng(1)
    first, second = rng.integers(0, 5, size=(2, 40, 7)).astype(float)  # with ties
    found = kendall_tau_b(first, second)
    expected = [kendalltau(one, two).statistic for one, two in zip(first, second, strict=True)]
    assert found == pytest.approx(expected, nan_ok=True)


def test_equal_figures_have_the_same_place() -> None:
    assert ranks(np.array([0.3, 0.5, np.nan, 0.3, 0.1])) == [2, 1, None, 2, 4]


def test_p_is_the_share_of_orders_that_agree_as_much() -> None:
    """Of 4! orders two have |τ| = 1: p = 2/24, scipy's exact value too."""
    assert permutation_p(FIRST, FIRST, seed=1) == pytest.approx(2 / 24)
    second = np.array([2.0, 1.0, 3.0, 4.0])
    exact = kendalltau(FIRST, second, method="exact").pvalue
    assert permutation_p(FIRST, second, seed=1) == pytest.approx(exact)


@pytest.mark.slow
def test_p_of_many_systems_is_drawn() -> None:
    rng = np.random.default_rng(3)
    first, second = rng.random((2, 12))
    exact = kendalltau(first, second, method="exact").pvalue
    error = np.sqrt(exact * (1 - exact) / 10_000)
    assert permutation_p(first, second, seed=1) == pytest.approx(exact, abs=4 * error)
    assert permutation_p(first, first, seed=1) >= 1 / 10_001  # never 0


def draws(figures, *, noise, count=400):
    rng = np.random.default_rng(1)
    return np.array(figures)[:, None] + noise * rng.standard_normal((len(figures), count))


def agreed(first, second, *, noise=0.0):
    """Return the agreement where the second measure alone has noise."""
    return rank_agreement(
        np.array(first),
        np.array(second),
        first_drawn=draws(first, noise=0),
        second_drawn=draws(second, noise=noise),
        level=0.9,
        seed=1,
    )


def test_figures_known_exactly_leave_no_doubt_of_their_order() -> None:
    tau = agreed([1.0, 2, 3, 4], [1.0, 2, 4, 3]).tau
    assert (tau.value, tau.low, tau.high) == pytest.approx((4 / 6, 4 / 6, 4 / 6))
    assert tau.n == 4


def test_noise_in_the_figures_widens_the_interval_and_the_interval_holds_tau() -> None:
    little, much = (agreed([1.0, 2, 3, 4, 5], [1.0, 2, 3, 4, 5], noise=s).tau for s in (0.5, 50))
    assert little.value == much.value == little.high == much.high == 1
    assert much.low < little.low < 1


def test_a_system_without_a_figure_is_left_out() -> None:
    found = agreed([1.0, 2, np.nan, 3], [3.0, 2, 9, 1])
    assert (found.tau.value, found.tau.n) == (-1, 3)
    assert found.p == pytest.approx(2 / 6)


@pytest.mark.parametrize("second", [[1.0, 1.0], [np.nan, 1.0]])
def test_no_order_no_tau(second) -> None:
    found = agreed([1.0, 2.0], second)
    assert found.tau.value is found.p is None

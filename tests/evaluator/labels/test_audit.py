"""Whether probabilities made elsewhere hold: by hand, by brute force, and how often it errs."""

from itertools import product
from math import prod, sqrt

import numpy as np
import pytest
from scipy.stats import binom

from evaluator.errors import ConfigurationError
from evaluator.intervals import Drawing
from evaluator.labels.audit import (
    AuditedFacts,
    audit,
    audit_power,
    equal_parts,
    probability_strata,
)

DRAWING = Drawing(draws=100_000, seed=3)


def stratum(name, population, probability, true):
    """Return a stratum of which the first `true` facts are true."""
    p = np.array(probability, float)
    return AuditedFacts(name, population, p, np.arange(p.size) < true)


TWO = [stratum("low", 300, [0.2] * 20, 4), stratum("high", 100, [0.5] * 20, 15)]


def test_the_difference_in_the_large_and_its_error_by_hand():
    found = audit(TWO, drawing=DRAWING)
    # Of the low ones 4 of 20 are true, as expected; of the high ones, a quarter, 15 and not 10.
    assert found.difference == pytest.approx(0.75 * 0 + 0.25 * 0.25)
    error = sqrt(0.75**2 * 0.2 * 0.8 / 20 + 0.25**2 * 0.5 * 0.5 / 20)
    assert found.error == pytest.approx(error)
    # Three tests: z of 1 - 0.05/6 is 2.39398, and of 80 % 0.84162.
    assert found.resolves == pytest.approx((2.39398 + 0.84162) * error, rel=1e-4)
    assert (found.facts, found.answered) == (400, 40)
    exact = sum(
        binom.pmf(i, 20, 0.2) * binom.pmf(j, 20, 0.5)
        for i, j in product(range(21), repeat=2)
        if abs(0.75 * (i - 4) / 20 + 0.25 * (j - 10) / 20) >= 0.0625 - 1e-12
    )
    assert found.p == pytest.approx(exact, abs=0.005)


def test_by_stratum_p_values_are_exact_and_corrected_together():
    found = audit(TWO, drawing=DRAWING)
    low, high = found.strata
    assert low.p == 1
    assert high.p == pytest.approx(2 * binom.sf(14, 20, 0.5))  # 0.0414
    # The smallest of three, times three.
    assert high.holm == pytest.approx(3 * high.p)
    assert found.holds
    worse = audit([TWO[0], stratum("high", 100, [0.5] * 20, 18)], drawing=DRAWING)
    assert worse.strata[1].holm == pytest.approx(3 * 2 * binom.sf(17, 20, 0.5))  # 0.0012
    assert not worse.holds


def test_unequal_probabilities_by_brute_force():
    p = np.array([0.05, 0.1, 0.2, 0.3, 0.3, 0.4, 0.6, 0.7, 0.9, 0.35])
    number = {
        true: sum(
            prod(q if said else 1 - q for q, said in zip(p, world, strict=True))
            for world in product((0, 1), repeat=10)
            if sum(world) == true
        )
        for true in range(11)
    }
    for true in (0, 2, 4, 8):
        found = audit([stratum("odd", 10, p, true), TWO[0]], drawing=DRAWING).strata[0]
        below = sum(number[k] for k in range(true + 1))
        above = sum(number[k] for k in range(true, 11))
        assert found.p == pytest.approx(min(1, 2 * min(below, above)))


def test_the_shares_that_it_would_find_have_the_power_that_is_told():
    power = audit_power(TWO, level=0.95)
    alpha = 0.05 / 3
    for of, p in ((TWO[0], 0.2), (TWO[1], 0.5)):
        below, above = power.shares[of.name]
        many = min(k for k in range(21) if 2 * binom.sf(k - 1, 20, p) <= alpha)
        assert binom.sf(many - 1, 20, above) == pytest.approx(0.8)
        few = [k for k in range(21) if 2 * binom.cdf(k, 20, p) <= alpha]
        if few:
            assert binom.cdf(few[-1], 20, below) == pytest.approx(0.8)
        else:  # of 20 facts at 20 % none may be true by chance: 0.8^20 is 1.2 %, twice too much
            assert below is None
    assert power.shares["low"][0] is None


def test_a_probability_of_0_is_one_that_is_known_to_thousandths():
    found = audit([stratum("none", 50, [0.0] * 30, 1)], drawing=DRAWING)
    assert found.strata[0].p == pytest.approx(2 * (1 - 0.9995**30))  # 0.0298


def test_strata_hold_equally_many_and_equal_scores_together():
    assert probability_strata(np.array([0.1, 0.2, 0.3, 0.4]), 2).tolist() == [0, 0, 1, 1]
    assert probability_strata(np.array([0, 1, 0, 0, 1.0])).tolist() == [0, 1, 0, 0, 1]
    assert probability_strata(np.array([])).tolist() == []
    counts = np.bincount(probability_strata(np.random.default_rng(1).random(1_000)))
    assert counts.tolist() == [200] * 5


def test_equal_parts_of_strata_that_have_them():
    assert equal_parts([100, 100, 100], 30) == [10, 10, 10]
    assert equal_parts([100, 4, 50], 30) == [13, 4, 13]
    assert equal_parts([5, 5], 30) == [5, 5]


@pytest.mark.parametrize(
    ("strata", "problem"),
    [
        ([], "0 answers; an audit takes 30"),
        ([stratum("a", 90, [0.5] * 29, 3)], "29 answers"),
        ([TWO[0], stratum("b", 90, [0.5] * 15, 3), stratum("c", 9, [0.1] * 4, 0)], "stratum c"),
    ],
)
def test_too_few_answers_are_no_audit(strata, problem):
    with pytest.raises(ConfigurationError, match=problem):
        audit(strata, drawing=DRAWING)


def audited(rng, *, shift=0.0):
    """Audit a world in which so many more facts are true than their probabilities say."""
    drawing = Drawing(draws=4_000, seed=7)
    strata = []
    for low in (0.2, 0.4, 0.5, 0.6, 0.7):
        p = rng.uniform(low - 0.1, low + 0.1, 20)
        strata.append(AuditedFacts(f"{low}", 200, p, rng.random(20) < p + shift))
    return audit(strata, drawing=drawing)


def test_it_fails_what_holds_in_one_of_twenty_cases_and_finds_what_it_says():
    rng = np.random.default_rng(11)
    worlds = 300
    false_alarms = sum(not audited(rng).holds for _ in range(worlds)) / worlds
    assert false_alarms <= 0.05 + 3 * sqrt(0.05 * 0.95 / worlds)
    resolves = audited(rng).resolves
    assert 0.14 < resolves < 0.18  # (2.638 + 0.842) * sqrt(0.22/100), of the order of 16 points
    for shift in (resolves, -resolves):
        found = sum(not audited(rng, shift=shift).holds for _ in range(worlds)) / worlds
        assert found >= 0.8 - 3 * sqrt(0.8 * 0.2 / worlds)

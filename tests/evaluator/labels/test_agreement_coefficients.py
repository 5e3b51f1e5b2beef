"""Coefficients of agreement: published examples, other tools, and formulas a few lines long."""

import warnings

import numpy as np
import pytest

from evaluator.labels.agreement_coefficients import (
    NO_ITEM,
    NO_SPREAD,
    ONE_CLASS,
    ONE_ITEM,
    joint_coefficients,
    pair_coefficients,
)

TABLES = [(118, 5, 2, 0), (20, 5, 25, 50), (295, 93, 62, 108), (1, 40, 3, 900), (3, 0, 1, 7)]


def joint(true, false):
    return joint_coefficients(np.array(true), np.array(false))


# Gwet 2002, "Kappa statistic is not satisfactory for assessing the extent of agreement between
# raters": two raters agree on 118 of 125 and κ is below 0.
def test_gwets_example_of_uneven_classes():
    kappa, ac1 = pair_coefficients(118, 5, 2, 0)
    assert round(kappa.value, 3) == -0.023
    assert round(ac1.value, 2) == 0.94
    assert (kappa.n, ac1.n) == (125, 125)


# Krippendorff 2011, "Computing Krippendorff's alpha-reliability", example A: Meg and Owen judge ten
# documents; both say yes of one, Meg alone of one, Owen alone of three. α = 0.095.
def test_krippendorffs_example_of_binary_data():
    found = joint([2, 1, 1, 1, 1, 0, 0, 0, 0, 0], [0, 1, 1, 1, 1, 2, 2, 2, 2, 2])
    assert round(found.krippendorff_alpha.value, 3) == 0.095


# Of 100 facts both say true on 20, both false on 50, one-only on 5 and other-only on 25. Chance
# agreement is .25·.45 + .75·.55 = .525 for κ; the mean share of true is .35, so 2·.35·.65 = .455
# for AC1.
def test_kappa_and_ac1_by_hand():
    kappa, ac1 = pair_coefficients(20, 5, 25, 50)
    assert kappa.value == pytest.approx((0.7 - 0.525) / (1 - 0.525))
    assert ac1.value == pytest.approx((0.7 - 0.455) / (1 - 0.455))


@pytest.mark.parametrize("table", TABLES)
def test_cohens_kappa_and_its_interval_are_those_of_other_tools(table):
    from scipy.stats import t
    from sklearn.metrics import cohen_kappa_score
    from statsmodels.stats.inter_rater import cohens_kappa

    kappa, n = pair_coefficients(*table).kappa, sum(table)
    one = np.repeat([1, 1, 0, 0], table)
    other = np.repeat([1, 0, 1, 0], table)
    assert kappa.value == pytest.approx(cohen_kappa_score(one, other))
    error = cohens_kappa(np.reshape(table, (2, 2))).std_kappa
    half = t.ppf(0.975, n - 1) * error
    assert kappa.low == pytest.approx(max(-1, kappa.value - half))
    assert kappa.high == pytest.approx(min(1, kappa.value + half))


def counts_of(seed, *, items, raters, missing):
    """Return votes for items that each have a share of true of their own."""
    rng = np.random.default_rng(seed)
    judging = raters - rng.binomial(raters - 2, missing, items)
    true = rng.binomial(judging, rng.choice([0.1, 0.9], items, p=[0.7, 0.3]))
    return true, judging - true


def test_fleiss_kappa_is_that_of_statsmodels():
    from statsmodels.stats.inter_rater import fleiss_kappa

    true, false = counts_of(1, items=200, raters=4, missing=0)
    expected = fleiss_kappa(np.column_stack([true, false]))
    assert joint(true, false).fleiss_kappa.value == pytest.approx(expected)


def by_formula(true, false):
    """Return Fleiss' κ, Krippendorff's α and AC1 of items that two or more judged."""
    n = true + false
    observed = np.mean((true * (true - 1) + false * (false - 1)) / (n * (n - 1)))
    share = np.mean(true / n)
    chance = share**2 + (1 - share) ** 2
    disagreeing = np.sum(2 * true * false / (n - 1))  # cells of the coincidence matrix
    expected = 2 * true.sum() * false.sum() / (n.sum() - 1)
    return np.array(
        [
            (observed - chance) / (1 - chance),
            1 - disagreeing / expected,
            (observed - (1 - chance)) / chance,
        ]
    )


@pytest.mark.parametrize("seed", range(3))
def test_coefficients_of_raters_who_lack_items(seed):
    true, false = counts_of(seed, items=150, raters=6, missing=0.4)
    found = [of.value for of in joint(true, false)]
    assert found == pytest.approx(by_formula(true, false))


# The jackknife, which knows no formula for the variance, is close to it with so many items.
def test_intervals_of_all_raters_are_as_wide_as_the_jackknife_says():
    true, false = counts_of(7, items=400, raters=6, missing=0.4)
    n = len(true)
    left_out = [by_formula(np.delete(true, i), np.delete(false, i)) for i in range(n)]
    error = np.sqrt((n - 1) * np.var(left_out, axis=0))
    found = [(of.high - of.low) / 2 for of in joint(true, false)]
    assert found == pytest.approx(1.966 * error, rel=0.03)  # t with 399 degrees of freedom


def test_the_interval_of_ac1_of_two_raters_is_as_wide_as_the_jackknife_says():
    table = np.array([118, 15, 12, 30])
    ac1 = pair_coefficients(*table.tolist()).ac1
    left_out = [
        pair_coefficients(*(table - row).tolist()).ac1.value for row in np.eye(4, dtype=int)
    ]
    n = table.sum()
    mean = np.average(left_out, weights=table)
    error = np.sqrt((n - 1) * np.average((left_out - mean) ** 2, weights=table))
    assert (ac1.high - ac1.low) / 2 == pytest.approx(1.974 * error, rel=0.03)


def test_an_item_that_one_rater_judged_says_nothing():
    assert joint([2, 1, 0, 3], [1, 1, 2, 0]) == joint([2, 1, 0, 3, 1, 0, 0], [1, 1, 2, 0, 0, 1, 0])


def test_always_false_agrees_on_97_in_100_and_kappa_sees_it():
    kappa, ac1 = pair_coefficients(0, 0, 3, 97)
    assert kappa.value == 0
    assert (kappa.low, kappa.reason) == (None, NO_SPREAD)
    assert ac1.value > 0.96


# Nothing of this is a crash or a warning: what is not defined is None, with the reason.
@pytest.mark.parametrize(
    ("table", "kappa", "ac1"),
    [
        ((0, 0, 0, 0), (None, NO_ITEM), (None, NO_ITEM)),
        ((5, 0, 0, 0), (None, ONE_CLASS), (1, NO_SPREAD)),
        ((0, 0, 0, 5), (None, ONE_CLASS), (1, NO_SPREAD)),
        ((1, 0, 0, 0), (None, ONE_CLASS), (1, NO_SPREAD)),
        ((0, 1, 0, 0), (0, NO_SPREAD), (-1, NO_SPREAD)),
        ((5, 0, 0, 5), (1, NO_SPREAD), (1, NO_SPREAD)),
        ((0, 5, 5, 0), (-1, NO_SPREAD), (-1, NO_SPREAD)),
    ],
)
def test_two_raters_of_whom_little_can_be_said(table, kappa, ac1):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = pair_coefficients.__wrapped__(*table)
    assert [(of.value, of.reason) for of in found] == [kappa, ac1]
    assert {of.low for of in found} == {of.high for of in found} == {None}


@pytest.mark.parametrize(
    ("true", "false", "values", "reasons"),
    [
        ([], [], [None] * 3, [NO_ITEM] * 3),
        ([1, 0], [0, 1], [None] * 3, [NO_ITEM] * 3),
        ([1], [1], [None] * 3, [ONE_ITEM] * 3),
        ([2, 3], [0, 0], [None, None, 1], [ONE_CLASS, ONE_CLASS, NO_SPREAD]),
        ([0, 0], [2, 3], [None, None, 1], [ONE_CLASS, ONE_CLASS, NO_SPREAD]),
        ([2, 0], [0, 2], [1, 1, 1], [NO_SPREAD] * 3),
    ],
)
def test_many_raters_of_whom_little_can_be_said(true, false, values, reasons):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = joint_coefficients(np.array(true, dtype=int), np.array(false, dtype=int))
    assert [of.value for of in found] == values
    assert [of.reason for of in found] == reasons

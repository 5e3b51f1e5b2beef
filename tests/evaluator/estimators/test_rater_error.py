"""Raters who err: what is true behind their answers, against all ways to be true, counted."""

from dataclasses import replace
from itertools import product
from math import lgamma

import numpy as np
import pytest
from scipy.special import logsumexp

from evaluator.estimators.chain_rule import chain_rule
from evaluator.estimators.labelled import estimate, measures
from evaluator.estimators.labels_only import labels_only
from evaluator.estimators.rater_error import (
    FEWEST_TWICE,
    RIGHT,
    WRONG,
    RaterAnswers,
    latent_truth,
    unidentified,
)
from evaluator.estimators.strata import Asked, Stratum, StratumClass
from evaluator.estimators.wrong_answers import if_wrong, in_words
from evaluator.intervals import Drawing
from evaluator.simulation import CountsWorld, coverage, replicate

MANY = Drawing(seed=3, draws=20_000)


def answered(*facts, classes=None, decided=None):
    """Answers from "10", "1-": the first fact has a "true" of rater 0, a "false" of rater 1 ..."""
    given = [
        (fact, rater, word == "1")
        for fact, words in enumerate(facts)
        for rater, word in enumerate(words)
        if word != "-"
    ]
    fact, rater, said = zip(*given, strict=True)
    return RaterAnswers(
        np.array(fact),
        np.array(rater),
        np.array(said),
        np.array(classes or [0] * len(facts)),
        np.array(decided or [-1] * len(facts)),
    )


def counted(answers):
    """The probability of each fact to be true: every way to be true, weighed by its likelihood.

    Shares are integrated in closed form, sensitivity and specificity over a fine grid of those
    whose sum is 1 or more. The priors: a share is Beta(1/4, 1/2), a rater's Beta(4, 1) both.
    """
    at = (np.arange(400) + 0.5) / 400
    allowed = at[:, None] + at >= 1
    facts = answers.of_class.size
    ways, weights = [], []
    for way in product([0, 1], repeat=facts):
        true = np.array(way)
        if ((answers.decided >= 0) & (answers.decided != true)).any():
            continue
        log = 0.0
        for one in np.unique(answers.of_class):
            yes = true[answers.of_class == one].sum() + 0.25
            no = (1 - true)[answers.of_class == one].sum() + 0.5
            log += lgamma(yes) + lgamma(no) - lgamma(yes + no)
        for rater in np.unique(answers.rater):
            of = answers.rater == rater
            is_true, said = true[answers.fact[of]] == 1, answers.said[of]
            power = (is_true & said).sum(), (is_true & ~said).sum()
            other = (~is_true & ~said).sum(), (~is_true & said).sum()
            sensitivity = at ** (power[0] + 3) * (1 - at) ** power[1]
            specificity = at ** (other[0] + 3) * (1 - at) ** other[1]
            log += np.log((sensitivity[:, None] * specificity * allowed).sum())
        ways.append(true)
        weights.append(log)
    return np.exp(np.array(weights) - logsumexp(weights)) @ np.array(ways)


@pytest.mark.parametrize(
    "answers",
    [
        answered("11", "10", "00", "01", "1-", "-0", "00", classes=[0, 0, 0, 1, 1, 1, 1]),
        answered("1", "0", "0", "1", "0"),
        answered("110", "111", "000", "001", "01-", "-10"),
        answered("10", "10", "01", "11", "0-", decided=[1, -1, 0, -1, -1]),
        answered("01", "10", "01", "10"),  # they contradict each other: no better than chance
    ],
)
def test_facts_are_drawn_as_often_as_they_are_true_among_all_ways_to_be_true(answers):
    drawn = latent_truth(answers, MANY).true.mean(axis=1)
    assert drawn == pytest.approx(counted(answers), abs=0.015)


def test_where_all_facts_are_decided_a_raters_quality_is_that_of_the_answers():
    # 16 true facts of which the rater calls 12 true, 40 false ones of which 4.
    words = ["1"] * 12 + ["0"] * 4 + ["1"] * 4 + ["0"] * 36
    found = latent_truth(answered(*words, decided=[1] * 16 + [0] * 40), MANY)
    assert found.true.all(axis=1).tolist() == [True] * 16 + [False] * 40
    assert not found.true[16:].any()
    sensitivity = (12 + RIGHT) / (16 + RIGHT + WRONG)
    specificity = (36 + RIGHT) / (40 + RIGHT + WRONG)
    assert found.sensitivity.mean() == pytest.approx(sensitivity, abs=0.005)
    assert found.specificity.mean() == pytest.approx(specificity, abs=0.005)


def test_no_rater_is_drawn_worse_than_chance_and_a_seed_draws_the_same():
    answers = answered("01", "10", "01", "10", "11")
    found = latent_truth(answers, Drawing(seed=1, draws=50))
    assert (found.sensitivity + found.specificity >= 1).all()
    assert found.true.shape == (5, 50)
    assert found.sensitivity.shape == (2, 50)
    again = latent_truth(answers, Drawing(seed=1, draws=50))
    other = latent_truth(answers, Drawing(seed=2, draws=50))
    for a, b, c in zip(found, again, other, strict=True):
        assert np.array_equal(a, b)
        assert not np.array_equal(a, c)


N = FEWEST_TWICE


@pytest.mark.parametrize(
    ("answers", "why"),
    [
        (answered(*["1", "0"] * N), "one rater answered all facts"),
        (answered(*["1-", "-0"] * N), "no fact has the answers of two raters"),
        (answered(*["11"] * (N - 1), "1-"), "fewer than 30"),
        # In either class half of the answers are "true".
        (answered(*["11", "00"] * N, "10", classes=[0, 0, 1, 1] * (N // 2) + [0]), "same share"),
        (answered(*["11", "00"] * N, "10"), "same share"),
        # In one class a half, in the other none: they differ.
        (answered(*["11", "00"] * N, *["00"] * N, classes=[0] * 2 * N + [1] * N), None),
        (answered(*["110", "001"] * N), None),  # three raters tell in one class
        (answered(*["10", "11"] * N, decided=[1, -1] * N), None),  # so do disputes that are decided
        (answered(*["1", "0"] * N, decided=[1, 0] * N), None),  # or one rater's facts
        (answered(*["1", "0"] * N, decided=[1, -1, -1, -1] * (N // 2)), "fewer than 30"),
    ],
)
def test_where_answers_do_not_tell_errors_from_the_truth_it_is_said_why(answers, why):
    found = unidentified(answers)
    assert found is None if why is None else why in str(found)


# --- what estimators make of the draws -----------------------------------------------------------


def drawn_class(name, judged, *rows):
    drawn = np.array(rows, dtype=bool)
    return StratumClass(name=name, judged=judged, truth=drawn.mean(axis=1), drawn=drawn)


@pytest.mark.parametrize("estimator", [chain_rule, labels_only])
def test_where_every_fact_is_labelled_only_the_raters_leave_something_open(estimator):
    # Two classes, four facts, three draws: 2, 1 and 3 of them are true.
    classes = (
        drawn_class("rejected", 2, [0, 0, 1], [1, 0, 0]),
        drawn_class("accepted", 2, [0, 1, 1], [1, 0, 1]),
    )
    strata = [Stratum(domain="a", population=4, classes=classes)]
    found = estimator(Asked(strata, 3, np.random.default_rng(1)))
    assert found.draws.tolist() == [2, 1, 3]
    assert found.value == pytest.approx(2)


def test_the_bias_of_wrong_answers_by_hand():
    # Of 1,000 facts of S 100 are called true, of 9,000 others 450. With 2 % wrong answers that is
    # (100 - 20) / .96 = 83.3 and (450 - 180) / .96 = 281.25.
    found = if_wrong(
        {"a": 100.0, "d": 450.0},
        {"a": 1000, "d": 9000},
        lambda true: (
            true["a"] / 1000,
            true["a"] / sum(true.values()),
            2 * true["a"] / (1000 + sum(true.values())),
        ),
    )
    assert [one.share for one in found] == [0.01, 0.02, 0.05]
    two = found[1]
    assert two.precision == pytest.approx(0.1 - 0.08 / 0.96)
    assert two.recall == pytest.approx(100 / 550 - 80 / 350)
    assert two.f1 == pytest.approx(200 / 1550 - (160 / 0.96) / (1000 + 350 / 0.96))
    # With 1 %, recall would be 90 / 450. With 5 %, all 450 of the others would be mistakes.
    assert found[2].recall == pytest.approx(100 / 550 - 1)
    assert "recall within G′ by -1.8, -4.7 or -81.8 points" in in_words(found)
    assert "F" not in in_words([one.model_copy(update={"f1": None}) for one in found])


WORLD = CountsWorld(
    true=0.3,
    true_candidates=0.15,
    sensitivity=0.9,
    specificity=0.97,
    labels=200,
    raters=2,
    double=0.5,
    rater_error=0.1,
)
ONE = Drawing(seed=1, draws=400)


def test_an_estimate_tells_of_wrong_answers_only_where_intervals_do_not_hold_them():
    plain, modelled = (replicate(WORLD, "chain-rule", ONE, model=model) for model in (False, True))
    assert [one.share for one in plain.wrong_answers] == [0.01, 0.02, 0.05]
    assert in_words(plain.wrong_answers) in plain.notes
    assert modelled.wrong_answers == ()
    assert not any("wrong answers" in note for note in modelled.notes)
    # One rater tells nothing of errors: what was said stays as it is.
    alone = replace(WORLD, raters=1, double=0.0)
    assert replicate(alone, "chain-rule", ONE, model=True) == replicate(alone, "chain-rule", ONE)


# Of 40 intervals that hold the truth 95 times in 100, 34 or more do but once in 300.
@pytest.mark.statistical
def test_intervals_hold_the_truth_where_raters_err():
    def held(*, model):
        def each(*args):
            return replicate(*args, model=model)

        (found,) = coverage(WORLD, ["chain-rule"], ONE, replicates=40, each=each).values()
        return {measure: one.covered for measure, one in found.items()}

    assert min(held(model=True).values()) >= 34
    assert min(held(model=False).values()) < 34


FORMS = ("1-", "0-", "-1", "-0", "11", "10", "01", "00")


def chances(shares, right):
    """How often raters who answer half of the facts together give each form: (classes, forms).

    `right` holds the two sensitivities, then the two specificities.
    """
    found = []
    for form in FORMS:
        asked = 0.25 if "-" in form else 0.5
        of = [(said, rater) for rater, said in enumerate(form) if said != "-"]
        true = np.prod([right[r] if said == "1" else 1 - right[r] for said, r in of])
        false = np.prod([right[2 + r] if said == "0" else 1 - right[2 + r] for said, r in of])
        found.append(asked * (shares * true + (1 - shares) * false))
    return np.stack(found, axis=1)


def slopes(function, values):
    """The derivatives by each value, in the first axis."""
    steps = 1e-6 * np.eye(values.size)
    return np.array([(function(values + d) - function(values - d)) / 2e-6 for d in steps])


def test_intervals_are_as_wide_as_many_answers_leave_open():
    # Of each cell of a large world 1,000 facts are labelled, and raters who are wrong on 5 % give
    # each form of answers as often as is expected. Of many answers the posterior's variance is the
    # inverse of Fisher's information; 2,000 draws show the widths but for 2 %.
    cells = replace(WORLD, facts=2_000_000, candidates=10_000_000).cells()
    number = len(cells)
    values = np.array([cell.true / cell.facts for cell in cells] + [0.95] * 4)

    def figures(values):
        true = dict.fromkeys("abcd", 0.0)
        for cell, share in zip(cells, values[:number], strict=True):
            true[cell.region] += cell.facts * share
        return np.array(measures(true, 2_000_000))

    def times(values):
        return 1000 * chances(values[:number], values[number:])

    expected, by_value = times(values), slopes(times, values)
    information = np.einsum("icf,jcf,cf->ij", by_value, by_value, 1 / expected)
    of_figures = slopes(figures, values)
    spread = np.sqrt(np.diag(of_figures.T @ np.linalg.inv(information) @ of_figures))

    words = [np.repeat(FORMS, of) for of in np.round(expected).astype(int)]
    classes = np.repeat(np.arange(number), [of.size for of in words])
    drawing = Drawing(seed=1, draws=2_000)
    drawn = latent_truth(answered(*np.concatenate(words), classes=classes.tolist()), drawing).true
    strata = [
        Stratum(
            domain=region,
            population=sum(cell.facts for cell in cells if cell.region == region),
            classes=tuple(
                drawn_class(cell.verdict, cell.facts, *drawn[classes == place])
                for place, cell in enumerate(cells)
                if cell.region == region
            ),
        )
        for region in "abcd"
    ]
    found = estimate(strata, "chain-rule", drawing, corpus=True)
    widths = [found.precision.width, found.recall.width, found.f1.width]
    assert widths == pytest.approx(2 * 1.96 * spread, rel=0.05)


def test_a_census_without_a_dispute_is_as_the_raters_say():
    # All of 60 facts are labelled, half by two raters who never differ: P is what they say.
    truth = np.repeat([True, False], 30)
    drawn = latent_truth(
        answered(*["11"] * 30, *["00"] * 30, classes=[0] * 30 + [1] * 30), ONE
    ).true
    strata = [
        Stratum(
            domain="a",
            population=60,
            classes=tuple(
                StratumClass(
                    name=name,
                    judged=30,
                    truth=drawn[truth == one].mean(axis=1),
                    drawn=drawn[truth == one],
                )
                for name, one in (("rejected", False), ("accepted", True))
            ),
        )
    ]
    found = estimate(strata, "chain-rule", ONE, corpus=False)
    assert found.precision.value == pytest.approx(0.5, abs=0.01)
    assert found.precision.width < 0.06

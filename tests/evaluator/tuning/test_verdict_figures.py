"""Figures of verdicts beside scikit-learn's, and their intervals by resampling facts one by one."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import balanced_accuracy_score, f1_score, roc_auc_score

from evaluator.intervals import wilson
from evaluator.tuning.criteria import CRITERIA
from evaluator.tuning.verdict_figures import Verdicts, resamples


def made(facts=60, seed=3, repeats=1):
    rng = np.random.default_rng(seed)
    label = rng.random(facts) < 0.4
    score = np.round(rng.random((repeats, facts)) + 0.3 * label, 1)
    score[:, rng.random(facts) < 0.2] = np.nan
    return Verdicts(score, score >= 0.6, label)


def test_figures_are_those_of_scikit_learn():
    verdicts = made()
    verdict, label, score = verdicts.verdict[0], verdicts.label, verdicts.score[0]
    figures = verdicts.figures(resamples(60, seed=1))
    assert figures.balanced_accuracy.value == pytest.approx(balanced_accuracy_score(label, verdict))
    assert figures.f1.value == pytest.approx(f1_score(label, verdict))
    # Undefined scores come last.
    auc = roc_auc_score(label, np.nan_to_num(score, nan=-1))
    assert figures.auc.value == pytest.approx(auc)
    assert figures.accuracy == wilson(int((verdict == label).sum()), 60)
    assert (figures.facts, figures.true) == (60, int(label.sum()))


def test_figures_of_repeats_are_their_means():
    three = made(repeats=3)
    weights = resamples(60, seed=1)
    ones = [
        Verdicts(s[None], v[None], three.label).figures(weights)
        for s, v in zip(three.score, three.verdict, strict=True)
    ]
    together = three.figures(weights)
    for name in ("accuracy", "balanced_accuracy", "f1", "precision", "recall", "auc"):
        values = [getattr(one, name).value for one in ones]
        assert getattr(together, name).value == pytest.approx(np.mean(values))


def test_intervals_are_quantiles_over_resamples_of_the_facts():
    verdicts = made()
    weights = resamples(60, count=200, seed=1)
    figures = verdicts.figures(weights)
    drawn = []
    for weight in weights.astype(int):
        places = np.repeat(np.arange(60), weight)
        assert places.size == 60
        drawn.append(
            (
                balanced_accuracy_score(verdicts.label[places], verdicts.verdict[0][places]),
                roc_auc_score(
                    verdicts.label[places], np.nan_to_num(verdicts.score[0][places], nan=-1)
                ),
            )
        )
    for estimate, draws in zip(
        (figures.balanced_accuracy, figures.auc), zip(*drawn, strict=True), strict=True
    ):
        assert [estimate.low, estimate.high] == pytest.approx(np.quantile(draws, [0.025, 0.975]))


def test_a_seed_gives_the_same_resamples():
    assert (resamples(30, seed=1) == resamples(30, seed=1)).all()
    assert (resamples(30, seed=1) != resamples(30, seed=2)).any()


@settings(deadline=None)
@given(st.lists(st.booleans(), max_size=5), st.booleans())
def test_what_labels_do_not_tell_has_no_figure(verdict, label):
    n = len(verdict)
    verdicts = Verdicts(np.zeros((1, n)), np.array([verdict], bool), np.full(n, label))
    figures = verdicts.figures(resamples(n, count=20, seed=1))
    assert figures.balanced_accuracy.value is None
    assert figures.auc.value is None
    assert (figures.accuracy.value is None) == (n == 0)


# The same verdicts are no better than themselves, surely; single figures are less sure.
def test_annotators_are_compared_on_the_same_resamples():
    verdicts, weights = made(), resamples(60, seed=1)
    one = verdicts.merit(CRITERIA["balanced"], weights)
    assert one.minus(one)[:3] == (0, 0, 0)
    worse = Verdicts(verdicts.score, ~verdicts.verdict, verdicts.label)
    other = worse.merit(CRITERIA["balanced"], weights)
    # A balanced accuracy b, and 1 − b for the opposite verdicts.
    assert one.minus(other).value == pytest.approx(2 * one.value - 1)


def test_figures_of_a_population_are_those_of_each_fact_as_often_as_it_stands_for():
    verdicts = made()
    number = np.random.default_rng(8).integers(1, 6, 60)
    places = np.repeat(np.arange(60), number)
    drawn = Verdicts(verdicts.score, verdicts.verdict, verdicts.label, number.astype(float))
    figures = drawn.figures(resamples(60, count=50, seed=1))
    label, verdict = verdicts.label[places], verdicts.verdict[0][places]
    assert figures.accuracy.value == pytest.approx((label == verdict).mean())
    assert figures.balanced_accuracy.value == pytest.approx(balanced_accuracy_score(label, verdict))
    score = np.nan_to_num(verdicts.score[0][places], nan=-1)
    assert figures.auc.value == pytest.approx(roc_auc_score(label, score))
    assert figures.facts == 60  # with labels: the intervals rest on them
    some = np.arange(60) < 30
    part = drawn.among(some).figures(resamples(30, count=50, seed=1))
    some = some[places]
    assert part.balanced_accuracy.value == pytest.approx(
        balanced_accuracy_score(label[some], verdict[some])
    )

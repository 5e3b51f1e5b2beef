"""What follows from additive numbers: figures, curves, intervals and tests, for every benchmark."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import auc, precision_recall_curve

from evaluator.gold.resampling import BOOTSTRAP, bootstrap, paired
from evaluator.gold.statistics import Change, Statistics
from evaluator.intervals import Drawing

# Extractions of three sentences: sentence, confidence, right or wrong.
ITEMS = st.lists(
    st.tuples(st.integers(0, 2), st.sampled_from([0.1, 0.25, 0.5, 0.9]), st.booleans()),
    min_size=1,
    max_size=12,
)
GOLD = np.array([3.0, 4.0, 5.0])


def statistics(items: list[tuple[int, float, bool]], gold: np.ndarray = GOLD) -> Statistics:
    changes = [Change(s, confidence, right, 1, right) for s, confidence, right in items]
    return Statistics.of(changes, gold, curve=True)


@given(ITEMS, st.lists(st.integers(0, 3), min_size=3, max_size=3))
def test_sums_are_those_of_the_kept_extractions(items, copies):
    """The oracle keeps extractions one threshold at a time."""
    found = statistics(items)
    sums = found.sums(np.array(copies, dtype=float))
    for threshold, row in zip(found.thresholds, sums, strict=True):
        kept = [(s, right) for s, confidence, right in items if confidence >= threshold]
        right = sum(copies[s] for s, right in kept if right)
        assert row.tolist() == [right, sum(copies[s] for s, _ in kept), right]


@given(ITEMS)
def test_the_curve_is_scikit_learns(items):
    found = statistics(items)
    curve = found.at_thresholds()
    labels = np.array([right for *_, right in items])
    if labels.any():
        confidences = np.array([confidence for _, confidence, _ in items])
        precision, recall, _ = precision_recall_curve(labels, confidences)
        scaled = recall * labels.sum() / GOLD.sum()
        assert curve.area == pytest.approx(auc(scaled, precision))
    f1 = curve.f1
    figures = found.figures
    assert figures.f1 == f1.max()
    # Of equal ones the lowest threshold.
    assert figures.threshold == found.thresholds[np.flatnonzero(f1 == f1.max())[0]]


@given(ITEMS)
def test_sentences_sum_to_the_figures(items):
    found = statistics(items)
    right, said, recalled, gold = found.by_sentence().sum(axis=0)
    assert right / said == pytest.approx(found.figures.precision)
    assert recalled / gold == pytest.approx(found.figures.recall)


def test_a_hand_made_curve():
    """Confidence .9: right; .5: wrong and right; .1: wrong. Four gold tuples."""
    items = [(0, 0.9, True), (0, 0.5, False), (1, 0.5, True), (1, 0.1, False)]
    curve = statistics(items, np.array([2.0, 2.0])).at_thresholds()
    assert curve.thresholds.tolist() == [0.1, 0.5, 0.9]
    assert curve.precision == pytest.approx([1 / 2, 2 / 3, 1])
    assert curve.recall == pytest.approx([1 / 2, 1 / 2, 1 / 4])
    # (0, 1) to (1/4, 1), to (1/2, 2/3); straight down to (1/2, 1/2) adds nothing.
    assert curve.area == pytest.approx(1 / 4 + 1 / 4 * (1 + 2 / 3) / 2)


def test_thresholds_at_which_nothing_changes_change_nothing():
    changes = [Change(0, 0.5, 1, 1, 1)]
    alone = Statistics.of(changes, np.array([2.0]), curve=True)
    looked = Statistics.of(
        changes, np.array([2.0]), thresholds=np.array([0.2, 0.7]), empty_precision=1.0, curve=True
    )
    assert looked.at_thresholds().precision.tolist() == [1, 1, 1]
    assert looked.at_thresholds().recall.tolist() == [0.5, 0.5, 0]
    assert looked.figures.auc == alone.figures.auc
    assert looked.figures.threshold == 0.2


def test_a_silent_system_has_no_precision_and_no_recall():
    silent = Statistics.of([], np.array([2.0, 1.0]))
    assert np.isnan(silent.figures.precision)
    assert silent.figures.recall == 0
    assert not np.isfinite(silent.figures.threshold)


# ----- over sentences

SENTENCES = 200


def system(rate: float, seed: int) -> Statistics:
    """One extraction and one gold tuple a sentence; a share of them meet."""
    right = np.random.default_rng(seed).random(SENTENCES) < rate
    changes = [Change(n, -np.inf, hit, 1, hit) for n, hit in enumerate(right)]
    return Statistics.of(changes, np.ones(SENTENCES))


def test_the_interval_of_a_share_is_about_what_theory_says():
    """P is a share of 200 independent sentences: its standard error is known."""
    found = system(0.5, seed=1)
    drawn = bootstrap({"a": found}, Drawing(draws=2_000, seed=7))["a"]
    estimate = drawn.interval("precision", level=0.95)
    share = found.figures.precision
    error = 1.96 * np.sqrt(share * (1 - share) / SENTENCES)
    assert estimate.value == share
    assert (estimate.low, estimate.high) == pytest.approx((share - error, share + error), abs=0.01)
    assert (estimate.method, estimate.n) == (BOOTSTRAP, SENTENCES)


def test_one_seed_one_answer_and_the_same_draws_for_all():
    one, other = system(0.5, 1), system(0.5, 2)
    alone = bootstrap({"a": one}, Drawing(draws=50, seed=3))["a"].drawn
    beside = bootstrap({"b": other, "a": one}, Drawing(draws=50, seed=3))["a"].drawn
    np.testing.assert_array_equal(alone, beside)


def test_systems_that_are_the_same_do_not_differ():
    systems = {"a": system(0.5, 1), "b": system(0.5, 1)}
    drawing = Drawing(draws=200, seed=0)
    (pair,) = paired(systems, bootstrap(systems, drawing), drawing)
    for found in pair.measures.values():
        assert found.difference.value == 0
        assert {test.p for test in found.tests.values()} == {1.0}


def test_a_difference_that_no_draw_defines_is_not_estimable():
    """A system that speaks of one sentence in 200 says nothing in a third of all draws."""
    speaks = Statistics.of([Change(0, -np.inf, 1, 1, 1)], np.ones(SENTENCES))
    systems = {"a": system(0.5, 1), "b": speaks}
    silent = next(
        drawn
        for drawn in (bootstrap(systems, Drawing(draws=1, seed=seed)) for seed in range(50))
        if np.isnan(drawn["b"].drawn[0, 0])
    )
    (pair,) = paired(systems, silent, Drawing(draws=9, seed=0))
    found = pair.measures["precision"]
    assert (found.second, found.difference.value) == (1, None)
    assert found.tests["bootstrap"].p is None
    assert pair.measures["recall"].difference.value is not None


def test_systems_that_are_far_apart_differ_by_both_tests():
    systems = {"a": system(0.8, 1), "b": system(0.5, 2), "c": system(0.5, 3)}
    drawing = Drawing(draws=500, seed=0)
    drawn = bootstrap(systems, drawing)
    pairs = paired(systems, drawn, drawing)
    assert [(pair.first, pair.second) for pair in pairs] == [("a", "b"), ("a", "c"), ("b", "c")]
    for pair in pairs[:2]:
        for found in pair.measures.values():
            assert found.difference.low > 0
            assert all(test.holm < 0.05 for test in found.tests.values())
            # Three comparisons: what is corrected is no smaller than what is not.
            assert all(test.holm >= test.p for test in found.tests.values())


def test_randomisation_keeps_its_level_between_systems_of_different_size():
    """Equal precision, but one says a tenth of what the other does: rejected about 5 % of times."""
    rng = np.random.default_rng(5)
    rejected = 0
    for _ in range(200):
        changes = []
        for share in (1.0, 0.1):
            hits = rng.random(SENTENCES) < 0.5
            speaks = rng.random(SENTENCES) < share
            changes.append(
                [Change(n, -np.inf, hits[n], 1, hits[n]) for n in np.flatnonzero(speaks)]
            )
        systems = {str(n): Statistics.of(c, np.ones(SENTENCES)) for n, c in enumerate(changes)}
        drawn = bootstrap(systems, Drawing(draws=2, seed=0))
        (pair,) = paired(systems, drawn, Drawing(level=0.5, draws=99, seed=1))
        rejected += pair.measures["precision"].tests["randomisation"].p <= 0.05
    assert 1 <= rejected <= 24


def test_different_gold_data_cannot_be_compared():
    systems = {"a": system(0.5, 1), "b": Statistics.of([], np.ones(3))}
    with pytest.raises(ValueError, match="different numbers of sentences"):
        bootstrap(systems, Drawing(draws=10, seed=0))

"""All thresholds of some scores, found also by trying all of them."""

from math import inf, nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.tuning.criteria import CRITERIA, Confusion, criterion
from evaluator.tuning.thresholds import Sweep, shortest

scores = st.sampled_from([nan, 0.0, 0.1, 0.25, 1 / 3, 0.5, 1.0])
facts = st.lists(st.tuples(scores, st.booleans(), st.integers(0, 3)), max_size=30)


def columns(rows):
    return [np.array([row[i] for row in rows]) for i in range(3)]


def test_the_confusions_by_hand():
    sweep = Sweep([0.0, 0.1, 0.2, 0.3, 0.4, 0.5], [False, False, True, False, True, True])
    judged = np.transpose(sweep.confusion()).tolist()
    assert dict(zip(sweep.thresholds.tolist(), judged, strict=True)) == {
        # accepted true and false, rejected false and true
        0.0: [3, 3, 0, 0],
        0.1: [3, 2, 1, 0],
        0.2: [3, 1, 2, 0],
        0.3: [2, 1, 2, 1],
        0.4: [2, 0, 3, 1],
        0.5: [1, 0, 3, 2],
        inf: [0, 0, 3, 3],
    }


def test_a_fact_at_the_threshold_is_accepted():
    assert Sweep([0.2, 0.4], [False, True]).choose(CRITERIA["accuracy"]) == 0.4


def test_accepting_nothing_can_be_best():
    assert Sweep([0.1, 0.9], [False, False]).choose(CRITERIA["accuracy"]) == inf


def test_where_labels_are_alike_nothing_is_balanced():
    assert Sweep([0.1, 0.9], [True, True]).choose(CRITERIA["balanced"]) is None


def test_without_a_defined_score_there_is_only_infinity():
    for sweep in (Sweep([], []), Sweep([nan], [True])):
        assert sweep.thresholds.tolist() == [inf]
        assert sweep.choose(CRITERIA["balanced"]) is None


@given(facts)
def test_no_threshold_is_better(rows):
    score, label, _ = columns(rows)
    defined = ~np.isnan(score)
    for name in ("accuracy", "balanced", "f1"):
        measure = criterion(name).measure

        def value(t, measure=measure):
            return float(getattr(Confusion.of((score >= t)[defined], label[defined]), measure))

        values = [v for t in [*score[defined], 0.05, 0.3, 0.7, -1.0, inf] if (v := value(t)) == v]
        chosen = Sweep(score, label).choose(criterion(name))
        if not values:
            assert chosen is None
        else:
            assert value(chosen) == max(values)


@given(facts)
def test_a_weight_is_how_often_a_fact_is_there(rows):
    score, label, weight = columns(rows)
    repeated = Sweep(np.repeat(score, weight.astype(int)), np.repeat(label, weight.astype(int)))
    sweep = Sweep(score, label)
    for name in CRITERIA:
        assert sweep.choose(CRITERIA[name], weight) == repeated.choose(CRITERIA[name])


@given(facts, st.randoms(use_true_random=False))
def test_the_order_of_the_facts_does_not_matter(rows, random):
    shuffled = random.sample(rows, len(rows))
    for name in CRITERIA:
        one, other = (
            Sweep(*columns(order)[:2]).choose(CRITERIA[name]) for order in (rows, shuffled)
        )
        assert one == other


@pytest.mark.parametrize(
    ("below", "threshold", "written"),
    [
        (1 / 4, 1 / 3, 0.3),
        (0.2, 0.3, 0.3),
        (0.66, 2 / 3, 0.666),
        (0.0, 0.0123, 0.01),
        (0.012, 0.0123, 0.0123),
        (0.99, 1.0, 1.0),
        (-inf, 0.0, 0.0),
        (0.5, inf, inf),
    ],
)
def test_a_threshold_has_no_more_digits_than_split_the_scores(below, threshold, written):
    assert shortest(below, threshold) == written


@given(st.fractions(0, 1, max_denominator=999), st.fractions(0, 1, max_denominator=999))
def test_the_shorter_threshold_stays_between_the_scores(one, other):
    below, threshold = sorted(map(float, (one, other)))
    if below < threshold:
        assert below < shortest(below, threshold) <= threshold
        assert len(repr(shortest(below, threshold))) <= len(repr(threshold))

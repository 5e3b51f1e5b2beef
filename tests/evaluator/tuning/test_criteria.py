"""Criteria: measures beside scikit-learn's, and which threshold each takes, counted by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics

from evaluator.errors import ConfigurationError
from evaluator.intervals import wilson
from evaluator.tuning.criteria import CRITERIA, MEASURES, Confusion, criterion
from evaluator.tuning.thresholds import Sweep

# By rising score. Accepting from .2 or from .4 on is wrong once; from .3 or from .1 on, twice.
SCORES = [0.0, 0.1, 0.2, 0.3, 0.4, 0.5]
LABELS = [False, False, True, False, True, True]

PEERS = {
    "accuracy": metrics.accuracy_score,
    "balanced_accuracy": metrics.balanced_accuracy_score,
    "f1": metrics.f1_score,
    "precision": metrics.precision_score,
    "recall": metrics.recall_score,
}


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1))
def test_measures_are_those_of_scikit_learn(facts):
    verdict, label = zip(*facts, strict=True)
    judged = Confusion.of(verdict, label)
    for name in MEASURES:
        found = getattr(judged, name)
        if not np.isnan(found):  # scikit-learn has other figures for what is undefined
            assert found == pytest.approx(PEERS[name](label, verdict))


@pytest.mark.parametrize(
    ("name", "undefined"),
    [
        ("balanced_accuracy", Confusion(3, 0, 0, 1)),  # nothing is false
        ("youden", Confusion(0, 1, 2, 0)),  # nothing is true
        ("precision", Confusion(0, 0, 2, 1)),  # nothing is accepted
        ("recall", Confusion(0, 1, 2, 0)),
        ("f1", Confusion(0, 0, 2, 0)),
        ("accuracy", Confusion(0, 0, 0, 0)),
    ],
)
def test_a_measure_without_facts_to_measure_on_is_undefined(name, undefined):
    assert np.isnan(getattr(undefined, name))


def chosen(text, scores=SCORES, labels=LABELS):
    return Sweep(scores, labels).choose(criterion(text))


def test_of_equal_runs_the_higher_scores_are_chosen():
    assert chosen("accuracy") == 0.4


def test_the_middle_of_the_longest_run_is_chosen():
    # Of the two facts at .1 and of the two at .2 one is true and one false, so whether they are
    # accepted makes no difference: .1, .2 and .3 are equally good.
    scores = [0.0, 0.1, 0.1, 0.2, 0.2, 0.3]
    assert chosen("accuracy", scores, [False, True, False, True, False, True]) == 0.2


# 8 true facts at .5, 8 more at .2, 1 false at .5 and 3 at .2. Accepting all judges 16 of 20 right;
# from .5 on, 11. But of the false facts all or one are accepted: balanced 1/2 against 5/8.
def test_the_criteria_differ_where_labels_are_uneven():
    scores = [0.5] * 8 + [0.2] * 8 + [0.5] + [0.2] * 3
    labels = [True] * 16 + [False] * 4
    assert chosen("accuracy", scores, labels) == 0.2
    assert chosen("f1", scores, labels) == 0.2
    assert chosen("balanced", scores, labels) == 0.5


@given(st.lists(st.tuples(st.integers(0, 9), st.booleans()), min_size=1))
def test_youden_takes_the_threshold_of_the_balanced_accuracy(facts):
    # J = 2 · balanced accuracy − 1.
    scores, labels = zip(*facts, strict=True)
    assert chosen("youden", scores, labels) == chosen("balanced", scores, labels)


def test_a_wanted_precision_takes_the_smallest_threshold_that_reaches_it():
    # From 0 on 3/6, .1 3/5, .2 3/4, .3 2/3, .4 and .5 all.
    assert chosen("precision=0.5") == 0
    assert chosen("precision=0.7") == 0.2
    assert chosen("precision=0.9") == 0.4


def test_a_precision_that_no_threshold_reaches_has_none():
    assert chosen("precision=0.9", [0.1, 0.2], [True, False]) is None


def test_a_sure_precision_is_reached_by_the_lower_end_of_the_interval():
    # 40 of 40 from .5 on: Wilson's interval begins at .912; 80 of 90 from .2 on, at .807.
    scores, labels = [0.5] * 40 + [0.2] * 50, [True] * 80 + [False] * 10
    assert wilson(40, 40).low == pytest.approx(0.9124, abs=1e-4)
    assert wilson(80, 90).low == pytest.approx(0.8074, abs=1e-4)
    assert chosen("precision=0.85", scores, labels) == 0.2
    assert chosen("surely-precision=0.85", scores, labels) == 0.5
    assert chosen("surely-precision=0.95", scores, labels) is None


def test_of_annotators_that_reach_the_precision_the_one_with_more_recall_ranks_higher():
    wanted = criterion("precision=0.8")
    rank = [
        Confusion(9, 1, 5, 1),  # precision .9, recall .9
        Confusion(4, 1, 5, 6),  # .8, .4
        Confusion(7, 3, 3, 3),  # .7
        Confusion(1, 9, 0, 0),  # .1
        Confusion(0, 0, 9, 9),  # accepts none
    ]
    merits = [float(wanted.merit(judged)) for judged in rank]
    assert merits == sorted(merits, reverse=True)
    assert len(set(merits)) == 5


def test_criteria_are_known_by_their_names():
    for name in (*CRITERIA, "precision=0.9", "surely-precision=0.25"):
        assert criterion(name).name == name


@pytest.mark.parametrize(
    "text", ["best", "precision", "precision=high", "precision=0", "precision=1.5", "f1=0.3"]
)
def test_other_criteria_are_refused(text):
    with pytest.raises(ConfigurationError, match=f"criterion {text}"):
        criterion(text)

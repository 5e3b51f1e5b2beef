"""The threshold with the highest agreement, found also by trying all of them."""

import json
from math import inf

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluator.tuning import tune

labelled = st.lists(
    st.tuples(st.sampled_from([None, 0.0, 0.1, 0.25, 0.5, 1.0]), st.booleans()), max_size=40
)


def split(pairs):
    return [score for score, _ in pairs], [label for _, label in pairs]


# Labels by rising score: 0 false, .1 false, .2 true, .3 false, .4 true, .5 true. Accepting from .2
# or from .4 on is wrong once; from .3 on twice; from .1 on twice.
SCORES = [0.0, 0.1, 0.2, 0.3, 0.4, 0.5]
LABELS = [False, False, True, False, True, True]


def test_the_curve_by_hand():
    curve = {point.threshold: point[2:] for point in tune(SCORES, LABELS).curve}
    assert curve == {  # accepted true and false, rejected false and true
        0.0: (3, 3, 0, 0),
        0.1: (3, 2, 1, 0),
        0.2: (3, 1, 2, 0),
        0.3: (2, 1, 2, 1),
        0.4: (2, 0, 3, 1),
        0.5: (1, 0, 3, 2),
        inf: (0, 0, 3, 3),
    }


def test_of_equal_runs_the_higher_scores_are_chosen():
    tuning = tune(SCORES, LABELS)
    assert tuning.threshold == 0.4
    assert tuning.agreement.value == 5 / 6
    assert tuning.balanced_accuracy == (2 / 3 + 3 / 3) / 2
    assert tuning.majority_share == 1 / 2


def test_the_middle_of_the_longest_run_is_chosen():
    # Of the two facts at .1 and of the two at .2 one is true and one false, so whether they are
    # accepted makes no difference: .1, .2 and .3 are equally good.
    scores = [0.0, 0.1, 0.1, 0.2, 0.2, 0.3]
    labels = [False, True, False, True, False, True]
    tuning = tune(scores, labels)
    assert [p.threshold for p in tuning.curve if p.agreement == 4 / 6] == [0.1, 0.2, 0.3]
    assert tuning.threshold == 0.2


def test_a_fact_at_the_threshold_is_accepted():
    tuning = tune([0.2, 0.4], [False, True])
    assert tuning.threshold == 0.4
    assert tuning.agreement.value == 1


def test_accepting_nothing_can_be_best():
    tuning = tune([0.1, 0.9], [False, False])
    assert tuning.threshold == inf
    assert tuning.agreement.value == 1
    assert tuning.balanced_accuracy is None
    assert json.loads(json.dumps(tuning.as_json(), allow_nan=False))["threshold"] == "inf"


def test_undefined_facts_stand_apart_and_count_as_not_correct_in_a_second_figure():
    # 5 of the 6 defined facts are right; of 4 undefined, 1 is true.
    tuning = tune([*SCORES, None, None, None, None], [*LABELS, True, False, False, False])
    assert tuning.agreement.value == 5 / 6
    assert tuning.agreement_with_undefined.value == (5 + 3) / 10
    assert (tuning.undefined, tuning.undefined_true) == (4, 1)
    assert tuning.agreement.n == 6
    assert tuning.agreement_with_undefined.n == 10


def test_without_a_defined_score_there_is_no_threshold():
    for tuning in (tune([], []), tune([None], [True])):
        assert tuning.threshold is None
        assert tuning.agreement.value is None
        assert tuning.held_out.value is None
        assert tuning.majority_share is None
        assert tuning.curve == ()
    assert tune([None], [True]).agreement_with_undefined.value == 0


def test_one_fact_cannot_be_judged_by_a_threshold_without_it():
    assert tune([0.5], [True]).held_out.value is None


# At 3 % true facts "always false" agrees on 97 %: the tuned annotator has to be read beside it.
def test_the_honest_baseline_is_stated():
    rng = np.random.default_rng(1)
    labels = [i < 30 for i in range(1000)]
    tuning = tune(rng.random(1000).tolist(), labels)
    assert tuning.majority_share == 0.97
    assert tuning.agreement.value >= 0.97
    assert tuning.balanced_accuracy < 0.6


@settings(deadline=None)
@given(labelled)
def test_no_threshold_does_better(pairs):
    scores, labels = split(pairs)
    tuning = tune(scores, labels)
    defined = [(score, label) for score, label in pairs if score is not None]
    if not defined:
        return

    def agreement(threshold):
        return sum((s >= threshold) == t for s, t in defined) / len(defined)

    assert tuning.agreement.value == agreement(tuning.threshold)
    everything = {*(score for score, _ in defined), 0.05, 0.3, 0.7, -1.0, inf}
    assert tuning.agreement.value == max(agreement(t) for t in everything)
    assert {p.threshold: p.agreement for p in tuning.curve} == pytest.approx(
        {t: agreement(t) for t in {*(score for score, _ in defined), inf}}
    )


@settings(deadline=None)
@given(labelled, st.randoms(use_true_random=False))
def test_the_order_of_the_facts_does_not_matter(pairs, random):
    shuffled = pairs.copy()
    random.shuffle(shuffled)
    assert tune(*split(shuffled)) == tune(*split(pairs))


# Scores that say nothing about 100 balanced labels: the labels that choose the threshold seem to
# show some agreement, held-out ones show none.
def test_held_out_agreement_is_not_flattered_by_the_choice():
    rng = np.random.default_rng(2012)
    tunings = [tune(rng.random(100).tolist(), (rng.random(100) < 0.5).tolist()) for _ in range(60)]
    assert np.mean([tuning.agreement.value for tuning in tunings]) > 0.55
    assert np.mean([tuning.held_out.value for tuning in tunings]) < 0.53


def test_held_out_agreement_of_separable_facts_is_perfect():
    scores = [i / 100 for i in range(100)]
    tuning = tune(scores, [score >= 0.5 for score in scores])
    assert tuning.threshold == 0.5
    assert tuning.agreement.value == 1
    assert tuning.held_out.value >= 0.97


def test_lengths_that_differ_and_scores_that_are_no_numbers_are_refused():
    with pytest.raises(ValueError, match="2 scores, but 1 labels"):
        tune([0.1, 0.2], [True])
    with pytest.raises(ValueError, match="not a number"):
        tune([float("nan")], [True])

"""The chosen threshold, and what it is worth on facts that did not choose it."""

import json
from math import inf

import numpy as np
import pytest

from evaluator.tuning.choice import Plan
from evaluator.tuning.criteria import CRITERIA, criterion
from evaluator.tuning.held_out import untrained
from evaluator.tuning.tuning import tune

QUICK = Plan(resamples=100, repeats=2)


def items(number):
    return [(f"e{i:06}", "r", "o") for i in range(number)]


def tuned(scores, labels, *, plan=QUICK, **options):
    score = np.array([np.nan if s is None else s for s in scores], float)
    return tune(untrained(score), items(len(scores)), labels, plan=plan, **options)


# From .4 on three of three are true, and no other threshold is wrong less than once.
SCORES = [0.0, 0.1, 0.2, 0.3, 0.4, 0.5]
LABELS = [False, False, True, False, True, True]


def test_the_choice_by_hand():
    found = tuned(SCORES, LABELS)
    assert found.choice.threshold == 0.4
    assert found.in_sample.accuracy.value == 5 / 6
    assert found.in_sample.balanced_accuracy.value == pytest.approx((2 / 3 + 3 / 3) / 2)
    assert found.majority_share == 1 / 2


def test_undefined_facts_stand_apart_and_count_as_not_correct_in_the_figures_of_all():
    # Separable where defined; of 4 undefined, 1 is true.
    scores = [i / 40 for i in range(40)] + [None] * 4
    labels = [i >= 20 for i in range(40)] + [True, False, False, False]
    found = tuned(scores, labels)
    assert (found.undefined, found.undefined_true) == (4, 1)
    assert found.held_out_defined.facts == 40
    assert found.held_out.facts == 44
    right = found.held_out_defined.accuracy.value * 40
    assert found.held_out.accuracy.value == pytest.approx((right + 3) / 44)


def test_accepting_nothing_can_be_best_and_json_can_say_so():
    found = tuned([0.1, 0.9], [False, False], plan=Plan(CRITERIA["accuracy"], resamples=20))
    assert found.choice.threshold == inf
    assert found.choice.accept_none == 1
    assert json.loads(json.dumps(found.as_json(), allow_nan=False))["choice"]["threshold"] == "inf"


def test_accepting_everything_is_told():
    found = tuned([0.5] * 50, [True] * 40 + [False] * 10, plan=Plan(CRITERIA["accuracy"]))
    assert found.choice.threshold == 0.5
    assert found.choice.accept_all == 1
    assert "hardly decide" in " ".join(found.warnings)


@pytest.mark.parametrize("scores", [[], [None], [None, None]])
def test_without_a_defined_score_there_is_no_threshold(scores):
    found = tuned(scores, [True] * len(scores))
    assert found.choice.threshold is None
    assert found.held_out is None
    json.dumps(found.as_json(), allow_nan=False)


def test_one_fact_of_a_label_cannot_be_held_out():
    assert tuned([0.1, 0.2, 0.9], [False, False, True]).held_out is None
    assert tuned([0.1, 0.2, 0.8, 0.9], [False, False, True, True]).held_out is not None


def test_a_precision_that_is_not_reached_leaves_no_threshold():
    found = tuned(SCORES, [True, False] * 3, plan=Plan(criterion("surely-precision=0.9")))
    assert found.choice.threshold is None
    assert found.choice.none == 1
    assert found.held_out.accuracy.value < 1


# At 3 % true facts "always false" agrees on 97 %: the tuned annotator has to be read beside it.
def test_the_honest_baseline_is_stated():
    rng = np.random.default_rng(1)
    labels = [i < 30 for i in range(1000)]
    found = tuned(rng.random(1000), labels, plan=Plan(CRITERIA["accuracy"], resamples=50))
    assert found.majority_share == 0.97
    assert found.in_sample.accuracy.value >= 0.97
    assert found.in_sample.balanced_accuracy.value < 0.6
    assert found.held_out.auc.value < 0.6


# Scores that say nothing about 100 balanced labels: the labels that choose the threshold seem to
# show some agreement, held-out ones show none.
def test_held_out_figures_are_not_flattered_by_the_choice():
    rng = np.random.default_rng(2012)
    plan = Plan(resamples=2, repeats=1)
    found = [tuned(rng.random(100), rng.random(100) < 0.5, plan=plan) for _ in range(60)]
    assert np.mean([one.in_sample.balanced_accuracy.value for one in found]) > 0.55
    assert np.mean([one.held_out.balanced_accuracy.value for one in found]) < 0.53


def test_held_out_figures_of_separable_facts_are_perfect():
    scores = [i / 100 for i in range(100)]
    found = tuned(scores, [score >= 0.5 for score in scores])
    assert found.choice.threshold == 0.5
    assert found.held_out.accuracy.value >= 0.97
    assert found.held_out.auc.value == 1


# A model that knows the labels that it was trained on, and nothing of the others.
def test_a_model_is_no_better_than_what_it_says_of_facts_that_it_has_not_seen():
    rng = np.random.default_rng(7)
    labels = rng.random(200) < 0.5
    noise = rng.random(200)

    def memory(train):
        return np.where(train, noise, rng.random(200))  # for its own facts it is cross-fitted

    found = tune(memory, items(200), labels, plan=QUICK)
    assert 0.35 < found.held_out.auc.value < 0.65


# The threshold that separates U(0, 1) at .5 lies between the neighbouring scores: resampled, it
# moves over a few of them. Where labels are noisy, it moves far.
def test_the_interval_of_the_threshold_tells_how_sure_it_is():
    rng = np.random.default_rng(11)
    scores = rng.random(300)
    sure = tuned(scores, scores >= 0.5).choice
    unsure = tuned(scores, (scores >= 0.5) ^ (rng.random(300) < 0.4)).choice
    assert sure.low <= sure.threshold <= sure.high
    assert sure.high - sure.low < 0.05
    assert unsure.high - unsure.low > 0.1


def test_thresholds_of_relations_help_where_relations_differ():
    rng = np.random.default_rng(13)
    scores, groups = rng.random(400), ["born", "died"] * 200
    born = np.array(groups) == "born"
    apart = tuned(scores, scores >= np.where(born, 0.2, 0.8), groups=groups).per_group
    assert apart.thresholds["born"] == pytest.approx(0.2, abs=0.03)
    assert apart.thresholds["died"] == pytest.approx(0.8, abs=0.03)
    assert apart.gain.low > 0.1
    alike = tuned(scores, scores >= 0.5, groups=groups).per_group
    assert alike.gain.value == pytest.approx(0, abs=0.02)
    json.dumps(alike.as_json())


def test_a_relation_with_few_labels_has_no_threshold_of_its_own():
    scores = [i / 60 for i in range(60)]
    groups = ["many"] * 50 + ["few"] * 10
    found = tuned(scores, [i % 2 == 0 for i in range(60)], groups=groups, least=20).per_group
    assert list(found.thresholds) == ["many"]
    assert found.labels == {"few": (5, 5), "many": (25, 25)}


def test_few_labels_are_told():
    assert "Few labels: 3 true and 3 false" in tuned(SCORES, LABELS).warnings[0]
    scores = [i / 100 for i in range(100)]
    assert tuned(scores, [score >= 0.5 for score in scores]).warnings == ()


def test_verdicts_that_may_be_chance_are_told():
    rng = np.random.default_rng(19)
    found = tuned(rng.random(100), rng.random(100) < 0.5)
    assert "not surely better than those of a coin" in " ".join(found.warnings)


def test_the_same_seed_gives_the_same_tuning():
    rng = np.random.default_rng(17)
    scores, labels = rng.random(80), rng.random(80) < 0.5
    one, same, other = (
        tuned(scores, labels, plan=Plan(resamples=50, seed=seed)).as_json() for seed in (1, 1, 2)
    )
    assert one == same
    assert one != other


def test_facts_out_of_order_or_twice_and_other_lengths_are_refused():
    score = untrained(np.array([0.1, 0.2]))
    for wrong in (items(2)[::-1], items(1) * 2):
        with pytest.raises(ValueError, match="not sorted"):
            tune(score, wrong, [True, False])
    with pytest.raises(ValueError, match="2 facts, but 1 labels"):
        tune(score, items(2), [True])


def test_the_threshold_is_that_of_the_population():
    # Of the labels .4 is right most often (5 of 6). But the true fact at .2 stands for nine others:
    # from .2 on 12 of 12 true and 1 of 3 false facts are accepted, (1 + 2/3)/2 = 5/6.
    weight = np.array([1.0, 1, 10, 1, 1, 1])
    assert tuned(SCORES, LABELS).choice.threshold == 0.4
    found = tuned(SCORES, LABELS, weight=weight)
    assert found.choice.threshold == 0.2
    assert found.in_sample.balanced_accuracy.value == pytest.approx(5 / 6)
    assert found.in_sample.accuracy.value == pytest.approx(14 / 15)
    assert found.majority_share == pytest.approx(12 / 15)
    # Whatever the scale.
    again = tuned(SCORES, LABELS, weight=weight * 1000)
    assert again.choice == found.choice
    assert again.held_out == found.held_out


def test_equal_weights_change_nothing_but_the_kind_of_one_interval():
    plain, same = (tuned(SCORES, LABELS, weight=w) for w in (None, np.full(6, 7.0)))
    assert same.choice == plain.choice
    assert same.held_out.balanced_accuracy == plain.held_out.balanced_accuracy
    assert same.held_out.accuracy.value == plain.held_out.accuracy.value


def test_a_sure_precision_of_a_population_rests_on_as_many_facts_as_tell_as_much():
    # 60 facts, all true, of which one stands for 1,000. Wilson: 60 of 60 is surely above 90 %, but
    # as weighted they tell no more than (1,059)²/(1,000,059) = 1.1 facts.
    plan = Plan(criterion("surely-precision=0.9"), resamples=20)
    scores, labels = [0.5] * 60 + [0.1], [True] * 60 + [False]
    assert tuned(scores, labels, plan=plan).choice.threshold is not None
    weight = np.ones(61)
    weight[0] = 1_000
    assert tuned(scores, labels, plan=plan, weight=weight).choice.threshold is None

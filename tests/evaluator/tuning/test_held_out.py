"""Nobody is judged by a threshold or a model that has seen the label."""

import numpy as np
import pytest

from evaluator.tuning.criteria import CRITERIA
from evaluator.tuning.held_out import (
    cross_validate,
    deal_out,
    held_out,
    one_for_all,
    one_per_group,
    remembering,
    untrained,
)

BALANCED = CRITERIA["balanced"]


def items(number):
    return [(f"a{i}", "r", "b") for i in range(number)]


def test_folds_are_alike_in_size_and_in_labels():
    label = np.arange(103) % 4 == 0  # 26 true
    fold = deal_out(items(103), label, folds=10, seed=1)
    assert set(np.bincount(fold)) == {10, 11}
    assert set(np.bincount(fold[label])) == {2, 3}


def test_the_fold_of_a_fact_does_not_depend_on_its_place():
    label = np.arange(50) % 3 == 0
    fold = dict(zip(items(50), deal_out(items(50), label, folds=10, seed=1), strict=True))
    order = np.random.default_rng(0).permutation(50)
    shuffled = [items(50)[i] for i in order]
    assert dict(zip(shuffled, deal_out(shuffled, label[order], folds=10, seed=1), strict=True)) == (
        fold
    )


def test_another_seed_deals_otherwise():
    label = np.arange(50) % 3 == 0
    one, other = (deal_out(items(50), label, folds=10, seed=seed) for seed in (1, 2))
    assert (one != other).any()


# Two facts a fold. Without the fold of .1 and .4 the others, .2 false and .3 true, choose .3 (of
# the thresholds between them, the one with the fewest digits); without the other fold, .4.
def test_each_fold_is_judged_by_the_threshold_of_the_other():
    score = np.array([0.1, 0.2, 0.3, 0.4])
    label = np.array([False, False, True, True])
    fold = np.array([0, 1, 1, 0])
    said = cross_validate(untrained(score), label, fold, choose=one_for_all(BALANCED))
    assert said.threshold.tolist() == [0.3, 0.4, 0.4, 0.3]
    assert said.verdict.tolist() == [False, False, False, True]


def test_no_fold_is_scored_by_a_model_that_was_trained_on_it():
    label = np.arange(40) % 2 == 0
    fold = deal_out(items(40), label, folds=5, seed=1)

    def memory(train):
        return np.where(train, label, 0.25)  # knows the answers it has seen, and nothing else

    said = cross_validate(memory, label, fold, choose=one_for_all(BALANCED))
    assert (said.score == 0.25).all()


def test_an_undefined_score_is_not_correct():
    score = np.array([0.1, 0.2, 0.9, 0.9, np.nan])
    label = np.array([False, False, True, True, True])
    said = cross_validate(
        untrained(score), label, np.array([0, 1, 0, 1, 0]), choose=one_for_all(BALANCED)
    )
    assert said.verdict.tolist() == [False, False, True, True, False]


def test_a_model_is_trained_once_on_the_same_facts():
    asked = []

    def scorer(train):
        asked.append(train.tolist())
        return train.astype(float)

    remembered = remembering(scorer)
    for train in ([True, False], [False, True], [True, False]):
        assert remembered(np.array(train)).tolist() == train
    assert asked == [[True, False], [False, True]]


def test_repeats_stand_beside_each_other():
    score, label = np.arange(20) / 20, np.arange(20) >= 10
    folds = [deal_out(items(20), label, folds=5, seed=seed) for seed in (1, 2, 3)]
    verdicts = held_out(untrained(score), label, folds, choose=one_for_all(BALANCED))
    assert verdicts.verdict.shape == verdicts.score.shape == (3, 20)


# What is certain for "born" at .2 is certain for "died" only at .8; together .5 or so is best.
def test_groups_have_thresholds_of_their_own_where_labels_are_enough():
    score = np.array([0.1, 0.2] * 3 + [0.7, 0.8] * 3 + [0.1, 0.9])
    label = np.array([False, True] * 3 + [False, True] * 3 + [True, False])
    groups = ["born"] * 6 + ["died"] * 6 + ["rare"] * 2
    everything = np.ones(14, bool)
    choose = one_per_group(BALANCED, groups, least=3)
    threshold = choose(score, label, everything)
    overall = one_for_all(BALANCED)(score, label, everything)[0]
    assert threshold.tolist() == [0.2] * 6 + [0.8] * 6 + [overall] * 2
    # With one fact of "born" held out two true ones are left.
    some = everything.copy()
    some[1] = False
    overall = one_for_all(BALANCED)(score, label, some)[0]
    assert choose(score, label, some)[:6] == pytest.approx([overall] * 6)

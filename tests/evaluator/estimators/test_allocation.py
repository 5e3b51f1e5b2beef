"""Allocation of labels: Neyman's where nothing is in its way, and always what was asked for."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluator.estimators.allocation import FLOOR, PlannedClass, allocate

# |S| and the share accepted; precision among the accepted, and among the rest.
ACCEPTED, PPV, OMITTED = 0.0326, 0.553, 0.0124


def planned(judged, assumed, *, inside=None, outside=0, system="A"):
    return PlannedClass(
        judged=judged,
        of_system={system: judged if inside is None else inside},
        of_rest={system: outside},
        assumed=assumed,
    )


def standard_error(labels):
    """That of Σ W_h p_h for labels of the accepted and of the rejected class."""
    return np.sqrt(
        ACCEPTED**2 * PPV * (1 - PPV) / labels[0]
        + (1 - ACCEPTED) ** 2 * OMITTED * (1 - OMITTED) / labels[1]
    )


# The standard errors of four designs for the same classes, in another tool: of a simple random
# sample, with proportional, with equal and with Neyman's numbers (73 of 558 to the accepted).
@pytest.mark.parametrize(
    ("budget", "simple", "proportional", "equal", "neyman", "of_accepted"),
    [
        (558, 0.00722, 0.00597, 0.00648, 0.00522, 73),
        (200, 0.01206, 0.00997, 0.01083, 0.00872, 26),
    ],
)
def test_neyman_allocation_of_two_classes(budget, simple, proportional, equal, neyman, of_accepted):
    labels = allocate([planned(3_260, PPV), planned(96_740, OMITTED)], budget)
    assert labels == [of_accepted, budget - of_accepted]
    assert standard_error(labels) == pytest.approx(neyman, abs=1e-5)
    by_size = budget * ACCEPTED, budget * (1 - ACCEPTED)
    assert standard_error(by_size) == pytest.approx(proportional, abs=1e-5)
    assert standard_error((budget / 2, budget / 2)) == pytest.approx(equal, abs=1e-5)
    share = ACCEPTED * PPV + (1 - ACCEPTED) * OMITTED
    assert np.sqrt(share * (1 - share) / budget) == pytest.approx(simple, abs=1e-5)


def test_no_other_numbers_have_a_smaller_error():
    labels = allocate([planned(3_260, PPV), planned(96_740, OMITTED)], 200)
    every = [standard_error((n, 200 - n)) for n in range(1, 200)]
    assert standard_error(labels) == pytest.approx(min(every), rel=1e-4)


def test_facts_count_as_in_the_population_not_as_judged():
    # All of the accepted facts are judged, a tenth of the others.
    labels = allocate([planned(3_260, PPV), planned(9_674, OMITTED, inside=96_740)], 558)
    assert labels == [73, 485]


# One class in S of 100 facts, one outside of 200, the same deviation. For P all labels go to the
# first. R = TP / (TP + FN) varies as FN · dTP - TP · dFN: with the same share in both, as
# 200 · 100 to 100 · 200. So half of the labels are divided 1 : 0, and half 1 : 1.
def test_precision_and_recall_have_an_equal_say_by_hand():
    labels = allocate([planned(100, 0.2), planned(200, 0.2, inside=0, outside=200)], 40)
    assert labels == [30, 10]


def test_every_system_has_an_equal_say():
    # A is ten times as large, but each wants its own class.
    classes = [planned(100, 0.2, system="B"), planned(1000, 0.2)]
    assert allocate(classes, 60) == [30, 30]


def test_ties_go_to_the_first():
    assert allocate([planned(50, 0.2)] * 3, 20, floor=0) == [7, 7, 6]
    assert allocate([planned(50, 0.2)] * 3, 2) == [1, 1, 0]


def test_every_class_has_its_floor():
    assert FLOOR == 6
    classes = [planned(10, 0.01), planned(10_000, 0.3), planned(3, 0.3)]
    assert allocate(classes, 100) == [6, 91, 3]
    # 2 · 5 + 3 of 13.
    assert allocate(classes, 13) == [5, 5, 3]
    assert allocate(classes, 100, floor=0)[0] == 0


def test_a_class_of_which_all_facts_are_labelled_leaves_the_rest_to_others():
    assert allocate([planned(20, 0.5, inside=10**6), planned(900, 0.5, inside=100)], 100) == [
        20,
        80,
    ]


def test_classes_thought_uniform_get_what_others_have_no_facts_for():
    assert allocate([planned(100, 0.0), planned(10, 0.5)], 50) == [40, 10]
    assert allocate([planned(100, 1.0), planned(300, 1.0)], 40) == [10, 30]


def test_earlier_labels_stay():
    # As many as the second wants again, but the first has 30 already.
    assert allocate([planned(500, 0.2), planned(500, 0.2)], 40, drawn=[30, 0]) == [30, 10]
    # The floor gives way to them.
    assert allocate([planned(500, 0.2)] * 3, 30, drawn=[27, 0, 0]) == [27, 2, 1]
    # They stay even where fewer are wanted in all.
    assert allocate([planned(500, 0.2), planned(500, 0.2)], 20, drawn=[30, 0]) == [30, 0]


def test_nothing_to_give_and_nobody_to_give_to():
    assert allocate([planned(9, 0.2), planned(9, 0.2)], 0) == [0, 0]
    assert allocate([], 10) == []
    assert allocate([planned(0, 0.2), planned(9, 0.2)], 100) == [0, 9]


def test_a_hundred_million_facts():
    labels = allocate([planned(10**8, 0.5), planned(3 * 10**8, 0.5)], 400)
    assert labels == [100, 300]
    assert sum(allocate([planned(10**8, 0.5), planned(3 * 10**8, 0.1)], 10**8)) == 10**8


@st.composite
def some_classes(draw):
    numbers = st.integers(0, 1000)
    return [
        PlannedClass(
            judged=draw(st.integers(0, 60)),
            of_system={name: draw(numbers) for name in "AB"},
            of_rest={name: draw(numbers) for name in "AB"},
            assumed=draw(st.sampled_from([0, 0.01, 0.12, 0.5, 0.8, 1])),
        )
        for _ in range(draw(st.integers(1, 6)))
    ]


@settings(max_examples=150, deadline=None)
@given(some_classes(), st.integers(0, 250), st.integers(0, 250))
def test_labels_sum_to_the_budget_and_a_second_draw_only_adds(classes, budget, more):
    judged = [c.judged for c in classes]
    first = allocate(classes, budget)
    assert sum(first) == min(budget, sum(judged))
    second = allocate(classes, budget + more, drawn=first)
    assert sum(second) == min(budget + more, sum(judged))
    for one, other, limit in zip(first, second, judged, strict=True):
        assert 0 <= one <= other <= limit
    floors = [min(FLOOR, limit) for limit in judged]
    if sum(floors) <= budget:
        assert all(one >= floor for one, floor in zip(first, floors, strict=True))
    assert allocate(classes, budget) == first

"""The plan of a draw: chances that add up, numbers that follow from answers, widths to expect."""

import json

import numpy as np
import pytest

from evaluator.allocation import PlannedClass, allocate
from evaluator.label_design import LabelCell, LabelledFact, Place
from evaluator.label_plan import expected_intervals, plan

A, OUTSIDE = "S of A, not in D", "G′ alone, not in D"
A_IN_D, OUTSIDE_IN_D = "S of A, in D", "G′ alone, in D"


def cell(group, name, facts, systems="", *, candidate=True):
    return LabelCell(Place(group, name), candidate, frozenset(systems), facts, 0, 0)


# S is 1,000 + 50 facts, of which 400 + 50 are judged; G′ ∖ S 9,000 + 80, of which 900 + 80 are.
CELLS = [
    cell(A, None, 600, "A"),
    cell(A, "rejected", 300, "A"),
    cell(A, "accepted", 100, "A"),
    cell(A_IN_D, "matched", 50, "A"),
    cell(OUTSIDE, None, 8100),
    cell(OUTSIDE, "rejected", 850),
    cell(OUTSIDE, "accepted", 50),
    cell(OUTSIDE_IN_D, "matched", 80),
]
POPULATION = {A: 1000, OUTSIDE: 9000, A_IN_D: 50, OUTSIDE_IN_D: 80}


def test_labels_over_their_chances_are_the_population():
    classes = plan(CELLS, systems=["A"], budget=120)
    assert sum(one.labels for one in classes) == 120
    for group, population in POPULATION.items():
        of = [one for one in classes if one.place.group == group]
        assert {one.population for one in of} == {population}
        assert sum(one.labels / one.inclusion for one in of) == pytest.approx(population)


def test_a_plan_by_hand():
    rejected, accepted = plan(CELLS, systems=["A"], budget=120)[-2:]
    assert [one.place.name for one in (rejected, accepted)] == ["rejected", "accepted"]
    assert (accepted.place, accepted.population) == (Place(A, "accepted"), 1000)
    assert (accepted.judged, accepted.judged_group, accepted.assumed) == (100, 400, 0.25)
    assert accepted.inclusion == pytest.approx(accepted.labels / 100 * 0.4)
    told = accepted.as_json()
    assert (told["group"], told["class"]) == (A, "accepted")
    assert json.loads(json.dumps(told)) == told


def test_the_numbers_are_those_of_the_allocation():
    # What classes hold by expectation: outside S 80, 8,500 and 500 facts, of S 50, 750 and 250.
    expected = [
        (OUTSIDE_IN_D, "matched", 80, 0, 80, 0.8),
        (OUTSIDE, "rejected", 850, 0, 8500, 0.12),
        (OUTSIDE, "accepted", 50, 0, 500, 0.25),
        (A_IN_D, "matched", 50, 50, 0, 0.8),
        (A, "rejected", 300, 750, 0, 0.12),
        (A, "accepted", 100, 250, 0, 0.25),
    ]
    wanted = [
        PlannedClass(judged=judged, of_system={"A": s}, of_rest={"A": rest}, assumed=share)
        for _, _, judged, s, rest, share in expected
    ]
    classes = plan(CELLS, systems=["A"], budget=150)
    assert [one.place for one in classes] == [Place(group, name) for group, name, *_ in expected]
    assert [one.labels for one in classes] == allocate(wanted, 150)


def test_answers_take_the_place_of_what_was_assumed():
    accepted = Place(A, "accepted")
    classes = plan(
        CELLS,
        systems=["A"],
        budget=120,
        assumed={"accepted": 0.5, "matched": 0.9},
        drawn={accepted: 40},
        answered={accepted: (3.5, 18)},
    )
    found = {one.place: one for one in classes}
    # What was assumed weighs two labels: (3.5 + 2 · .5) / (18 + 2).
    assert found[accepted].assumed == pytest.approx(4.5 / 20)
    assert found[accepted].labels >= 40
    assert found[Place(OUTSIDE, "accepted")].assumed == pytest.approx(0.5)
    assert found[Place(A_IN_D, "matched")].assumed == pytest.approx(0.9)
    assert found[Place(A, "rejected")].assumed == pytest.approx(0.12)


def test_a_class_found_uniform_needs_fewer_labels():
    rejected = Place(A, "rejected")
    before, after = (
        {one.place: one.labels for one in plan(CELLS, systems=["A"], budget=150, answered=answered)}
        for answered in ({}, {rejected: (0.0, 100)})
    )
    assert after[rejected] < before[rejected]


def test_facts_of_other_systems_that_are_no_candidates_count_for_none_but_their_own():
    cells = [*CELLS, cell(A, "accepted", 40, "AB"), cell(A, "accepted", 60, "AC", candidate=False)]
    (one,) = [c for c in plan(cells, systems=["B"], budget=90) if c.place == Place(A, "accepted")]
    # The group and its class count them, as labels are drawn from all of its facts.
    assert (one.population, one.judged, one.judged_group) == (1100, 200, 500)


def drawn(classes, *, of_system):
    return [
        LabelledFact(one.place, True, frozenset(of_system(one.place)), 0, 0, 0, "one document")
        for one in classes
        for _ in range(one.labels)
    ]


def widths(budget, **options):
    classes = plan(CELLS, systems=["A"], budget=budget)
    facts = drawn(classes, of_system=lambda place: "A" if place.group in (A, A_IN_D) else "")
    told, _ = expected_intervals(
        CELLS, facts, classes, systems=["A"], **{"corpus": True, "level": 0.95, "seed": 1} | options
    )
    return told["A"]


def test_a_plan_tells_whether_its_labels_are_enough_to_claim_anything():
    classes = plan(CELLS, systems=["A"], budget=60)
    facts = drawn(classes, of_system=lambda place: "A" if place.group in (A, A_IN_D) else "")
    _, claims = expected_intervals(
        CELLS, facts, classes, systems=["A"], corpus=True, level=0.95, seed=1
    )
    assert set(claims["A"].values()) == {"few labels"}


def test_widths_shrink_with_the_budget():
    small, large = widths(100), widths(400)
    for measure in ("precision", "recall", "f1"):
        # Four times the labels: half the width, and less where classes are labelled in full.
        assert 0.25 < large[measure] / small[measure] < 0.65


def test_a_width_is_that_of_the_normal_approximation():
    # Of 1,000,000 facts judged in full, 400 labels of a class assumed true at 25 %.
    cells = [cell(A, "accepted", 10**6, "A")]
    classes = plan(cells, systems=["A"], budget=400)
    facts = drawn(classes, of_system=lambda _: "A")
    told, claims = expected_intervals(
        cells, facts, classes, systems=["A"], corpus=False, level=0.9, seed=1
    )
    found = told["A"]
    assert claims == {"A": {"precision": "at least"}}
    exact = 2 * 1.6449 * np.sqrt(0.25 * 0.75 / 400)
    assert found["precision"] == pytest.approx(exact, rel=0.04)
    assert (found["recall"], found["f1"]) == (None, None)


def test_without_labels_no_width_is_told():
    assert widths(0) == {"precision": None, "recall": None, "f1": None}


def test_labels_of_all_judged_facts_leave_the_others_uncertain():
    # 600 of the 1,050 facts of S are not judged, but what they are like is known from 400.
    assert 0 < widths(10**6)["precision"] < 0.1

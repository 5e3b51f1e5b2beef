"""The plan of a draw: chances that add up, numbers that follow from answers, widths to expect."""

import json

import numpy as np
import pytest

from evaluator.estimators.allocation import PlannedClass, allocate
from evaluator.estimators.labelled import estimate
from evaluator.intervals import Drawing
from evaluator.labels.design import LabelCell, LabelledFact, Place, system_strata
from evaluator.labels.plan import enough_labels, expected_claims, expected_widths, plan

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


def drawn(classes, *, of_system, documents=10**9):
    facts = [one.place for one in classes for _ in range(one.labels)]
    return [
        LabelledFact(place, True, frozenset(of_system(place)), 0, 0, 0, f"d{number % documents}")
        for number, place in enumerate(facts)
    ]


def of_a(place):
    return "A" if place.group in (A, A_IN_D) else ""


def widths(budget):
    classes = plan(CELLS, systems=["A"], budget=budget)
    facts = drawn(classes, of_system=of_a)
    drawing = Drawing(draws=4_000, seed=1)
    return expected_widths(CELLS, facts, classes, systems=["A"], corpus=True, drawing=drawing)["A"]


def claimed(budget, *, documents=10**9, system="A"):
    classes = plan(CELLS, systems=["A"], budget=budget)
    facts = drawn(classes, of_system=of_a, documents=documents)
    return expected_claims(CELLS, facts, classes, systems=[system], corpus=True)[system]


def test_a_plan_tells_before_there_are_answers_what_intervals_will_claim():
    assert {one.kind for one in claimed(60).values()} == {"few labels"}
    assert {one.kind for one in claimed(400).values()} == {"nominal"}
    assert "labelled facts of S, fewer than 92" in claimed(60)["precision"].reason


@pytest.mark.parametrize(("documents", "kind"), [(19, "few labels"), (20, "nominal")])
def test_a_plan_looks_at_the_documents_that_its_facts_are_from(documents, kind):
    found = claimed(400, documents=documents)
    assert {one.kind for one in found.values()} == {kind}
    assert ("only 19 documents, fewer than 20" in found["recall"].reason) == (documents == 19)


def test_a_plan_claims_what_the_estimate_with_its_labels_does():
    for budget in range(20, 400, 20):
        classes = plan(CELLS, systems=["A"], budget=budget)
        # People call every third fact of a class true: no class agrees.
        facts = [
            fact._replace(truth=float(number % 3 == 0))
            for number, fact in enumerate(drawn(classes, of_system=of_a))
        ]
        strata = system_strata(CELLS, facts, "A")
        after = estimate(strata, "chain-rule", Drawing(draws=100, seed=1), corpus=True)
        before = {measure: one.kind for measure, one in claimed(budget).items()}
        assert before == after.claims, budget


def test_the_least_number_of_labels_that_claims_something_is_found():
    def claims_of(budget, system):
        return claimed(budget, system=system)

    found = enough_labels({"A": claimed(60)}, claims_of, budget=60, most=1_000)["A"]
    # By trying every number.
    for measure, enough in found.items():
        first = next(n for n in range(61, 1_000) if claimed(n)[measure].kind != "few labels")
        assert enough.budget == first
        assert enough.reason == claimed(60)[measure].reason


def test_where_no_number_of_labels_is_enough_it_says_what_else_is_lacking():
    def claims_of(budget, _system):
        return claimed(budget, documents=3)

    found = enough_labels({"A": claimed(60, documents=3)}, claims_of, budget=60, most=1_000)["A"]
    assert {one.budget for one in found.values()} == {None}
    assert "only 3 documents, fewer than 20" in found["precision"].reason
    assert enough_labels({"A": claimed(400)}, claims_of, budget=400, most=1_000) == {}


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
    told = expected_widths(
        cells, facts, classes, systems=["A"], corpus=False, drawing=Drawing(level=0.9, seed=1)
    )
    found = told["A"]
    claims = expected_claims(cells, facts, classes, systems=["A"], corpus=False)
    assert {measure: one.kind for measure, one in claims["A"].items()} == {"precision": "nominal"}
    exact = 2 * 1.6449 * np.sqrt(0.25 * 0.75 / 400)
    assert found["precision"] == pytest.approx(exact, rel=0.04)
    assert (found["recall"], found["f1"]) == (None, None)


def test_without_labels_no_width_is_told():
    assert widths(0) == {"precision": None, "recall": None, "f1": None}


def test_labels_of_all_judged_facts_leave_the_others_uncertain():
    # 600 of the 1,050 facts of S are not judged, but what they are like is known from 400.
    assert 0 < widths(10**6)["precision"] < 0.1

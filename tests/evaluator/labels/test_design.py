"""Where facts are put before some are drawn to be labelled: groups, classes, cells and strata."""

import json
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluator.estimators.tallies import UNDEFINED
from evaluator.labels.design import (
    JudgedFact,
    LabelCell,
    LabelledFact,
    Place,
    Stratification,
    assumed_share,
    enough,
    group_name,
    in_fixed_order,
    label_cells,
    order,
    stratifications,
    system_strata,
    thousandths,
)

OUTSIDE, OUTSIDE_IN_D = "G′ alone, not in D", "G′ alone, in D"
# B has fewer facts than A. Keys beyond the cuts are outside the samples.
COARSE = Stratification(
    systems=("B", "A"),
    cuts={"S of A, not in D": 1000, "S of B, not in D": None, OUTSIDE: 500},
)
FINE = COARSE._replace(rejected=0.0, accepted=0.4, pair=10)


def fact(systems="", verdict="rejected", *, score=0.0, pair=5, key=1, candidate=True):
    return JudgedFact(
        candidate, frozenset(systems), verdict == "matched", verdict, score, pair, key
    )


@pytest.mark.parametrize(
    ("judged", "group", "coarse", "fine"),
    [
        (fact("A"), "S of A, not in D", "rejected", "rejected, score low, rare pair"),
        (fact("A", score=0.1), "S of A, not in D", "rejected", "rejected, score high, rare pair"),
        (fact("A", pair=10), "S of A, not in D", "rejected", "rejected, score low, common pair"),
        (
            fact("A", "accepted", score=0.39, pair=9),
            "S of A, not in D", "accepted", "accepted, score low, rare pair",
        ),
        (
            fact("B", "accepted", score=0.4, pair=10**9),
            "S of B, not in D", "accepted", "accepted, score high, common pair",
        ),
        (fact("", "matched", score=None, pair=None), OUTSIDE_IN_D, "matched", "matched"),
        (fact("A", "matched", key=10**9), "S of A, in D", "matched", "matched"),
        (fact("", "accepted", score=1.0), OUTSIDE, "accepted", "accepted, score high, rare pair"),
        *((fact("A", reason, score=None), "S of A, not in D", "undefined", "undefined")
          for reason in UNDEFINED),
        # A PMI that is there although its verdict is "undefined" does not count.
        (fact("A", "negated", score=0.9), "S of A, not in D", "undefined", "undefined"),
        (fact("A", "accepted", score=0.5, pair=None), "S of A, not in D", "undefined", "undefined"),
        # The smallest system owns a shared fact; its facts are all judged, whatever the key.
        (fact("AB", key=10**9), "S of B, not in D", "rejected", "rejected, score low, rare pair"),
        # Cuts are inclusive. A fact beyond is outside the group's sample, even if it was judged.
        (fact("A", key=1000), "S of A, not in D", "rejected", "rejected, score low, rare pair"),
        (fact("A", key=1001), "S of A, not in D", None, None),
        (fact("", "accepted", score=0.5, key=501), OUTSIDE, None, None),
        (fact("B", None, score=None, pair=None), "S of B, not in D", None, None),
    ],
)  # fmt: skip
def test_place_by_hand(judged, group, coarse, fine):
    assert COARSE.place(judged) == (group, coarse)
    assert FINE.place(judged) == (group, fine)


def test_a_system_that_is_not_evaluated_owns_nothing():
    assert COARSE.place(fact("X")).group == OUTSIDE == group_name(None, matched=False)
    assert group_name("A", matched=True) == "S of A, in D"


@pytest.mark.parametrize("stratification", [COARSE, FINE])
def test_a_stratification_survives_json(stratification):
    text = json.dumps(stratification.as_json(), allow_nan=False)
    assert Stratification.from_json(json.loads(text)) == stratification


def test_classes_run_from_the_least_to_the_most_true_facts():
    rising = [
        "rejected", "rejected, score low, rare pair", "rejected, score low, common pair",
        "rejected, score high, rare pair", "rejected, score high, common pair", "undefined",
        "accepted", "accepted, score low, rare pair", "accepted, score low, common pair",
        "accepted, score high, rare pair", "accepted, score high, common pair", "matched",
    ]  # fmt: skip
    assert sorted(set(rising), key=order) == rising
    assert [assumed_share(rising[n]) for n in (4, 5, 7, 11)] == [0.12, 0.12, 0.25, 0.8]


@pytest.mark.parametrize(
    ("judged", "expected"),
    [
        (fact(score=0.1234), 123),
        (fact(score=None), 0),
        (fact(score=1.7), 1000),
        (fact("A", "matched", score=0.2), 1000),
    ],
)
def test_score_by_hand(judged, expected):
    assert thousandths(judged) == expected


# PMI of the accepted: .3 .5 .8, so .5 divides them; documents with both entities, in order, are
# 2 2 3 7 9, so 3 divides them. The matched fact and the one beyond the cut have no say.
FACTS = [
    fact("A", score=0.1, pair=2),
    fact("A", score=0.0, pair=9),
    fact("A", "accepted", score=0.3, pair=2),
    fact("", "accepted", score=0.5, pair=3),
    fact("B", "accepted", score=0.8, pair=7),
    fact("", "matched", score=0.9, pair=1),
    fact("", "accepted", score=0.9, pair=1, key=501),
    fact("A", "no pair", score=None, pair=0),
]


def test_stratifications_from_fine_to_coarse_by_hand():
    by_score = COARSE._replace(rejected=0.0, accepted=0.5)
    found = stratifications(FACTS, systems=COARSE.systems, cuts=COARSE.cuts)
    assert found == [by_score._replace(pair=3), by_score, COARSE]
    for same in (reversed(FACTS), Counter(FACTS)):
        assert stratifications(same, systems=COARSE.systems, cuts=COARSE.cuts) == found


def test_what_does_not_vary_divides_nothing():
    alike = [
        fact("A", score=0.0),
        fact("A", "accepted", score=0.5),
        fact("B", "accepted", score=0.5),
    ]
    for facts in (alike, FACTS[-1:], []):
        for found in stratifications(facts, systems=COARSE.systems, cuts=COARSE.cuts):
            assert found == COARSE


def test_enough_is_twelve_labels_a_class():
    cells = label_cells(FACTS, COARSE)  # three classes of A, one of B, two outside
    assert enough(cells, 72)
    assert not enough(cells, 71)


def test_cells_by_hand():
    assert label_cells([*FACTS, fact("A", score=0.2)], COARSE) == [
        LabelCell(Place(OUTSIDE_IN_D, "matched"), True, frozenset(), 1, 1000, 10**6),
        LabelCell(Place(OUTSIDE, None), True, frozenset(), 1, 0, 0),
        LabelCell(Place(OUTSIDE, "accepted"), True, frozenset(), 1, 500, 250_000),
        LabelCell(Place("S of A, not in D", "accepted"), True, frozenset("A"), 1, 300, 90_000),
        LabelCell(
            Place("S of A, not in D", "rejected"), True, frozenset("A"), 3, 300, 10_000 + 40_000
        ),
        LabelCell(Place("S of A, not in D", "undefined"), True, frozenset("A"), 1, 0, 0),
        LabelCell(Place("S of B, not in D", "accepted"), True, frozenset("B"), 1, 800, 640_000),
    ]


def test_strata_by_hand():
    cells = label_cells(FACTS, COARSE)
    labels = [
        LabelledFact(Place(OUTSIDE, "accepted"), True, frozenset(), 500, 0.5, 0.5, "x"),
        LabelledFact(Place("S of A, not in D", "rejected"), True, frozenset("A"), 100, 1, 0, "x"),
    ]
    # For A: a holds its four facts; d that of B, and outside S two facts, one of them judged.
    a, c, d, of_b = sorted(system_strata(cells, labels, "A"), key=lambda s: (s.domain, -s.labels))
    assert (a.domain, a.population, a.judged, a.labels) == ("a", 4, 4, 1)
    assert [(k.name, k.judged, k.labels) for k in a.classes] == [
        ("rejected", 2, 1), ("undefined", 1, 0), ("accepted", 1, 0),
    ]  # fmt: skip
    rejected = a.classes[0]
    # Scores .1 and 0: their mean .05, their variance .05².
    assert (rejected.truth, rejected.annotator) == (1, 0.1)
    assert rejected.annotator_mean == pytest.approx(0.05)
    assert rejected.annotator_variance == pytest.approx(0.0025)
    assert (c.domain, c.population, c.classes[0].name) == ("c", 1, "matched")
    assert (d.domain, d.population, d.judged, d.labels) == ("d", 2, 1, 1)
    assert (d.classes[0].truth, d.classes[0].link_wrong) == (0.5, 0.5)
    assert (of_b.domain, of_b.population, of_b.labels) == ("d", 1, 0)
    # One document of both labels has one number.
    assert rejected.documents.tolist() == d.classes[0].documents.tolist()


def test_a_label_without_a_document_shares_none():
    place = Place("S of A, not in D", "rejected")
    labels = [
        LabelledFact(place, True, frozenset("A"), 0, 1, 0, document) for document in ("", "x", "")
    ]
    cells = label_cells([fact("A")] * 3, COARSE)
    (a,) = system_strata(cells, labels, "A")
    assert len(set(a.classes[0].documents.tolist())) == 3


def test_facts_of_others_that_are_no_candidates_count_nowhere():
    cells = label_cells([fact("A", candidate=False), fact("B"), fact("")], COARSE)
    found = system_strata(cells, [], "B")
    assert sum(s.population for s in found if s.domain == "a") == 1
    assert sum(s.population for s in found if s.domain == "d") == 1


KINDS = st.sampled_from(["matched", "accepted", "rejected", *UNDEFINED, None])


@st.composite
def facts(draw):
    systems = draw(st.sets(st.sampled_from("AB")))
    verdict = draw(KINDS)
    known = verdict in ("accepted", "rejected")
    return fact(
        systems,
        verdict,
        score=draw(st.floats(0, 1)) if known else None,
        pair=draw(st.integers(1, 20)) if known else None,
        key=draw(st.integers(0, 2000)),
        candidate=not systems or draw(st.booleans()),
    )


def summed(parts):
    """Cells of several parts, added up as a database would."""
    total = {}
    for cell in (cell for part in parts for cell in part):
        key = cell[:3]
        total[key] = [a + b for a, b in zip(total.get(key, (0, 0, 0)), cell[3:], strict=True)]
    return in_fixed_order(LabelCell(*key, *sums) for key, sums in total.items())


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.tuples(facts(), st.integers(0, 3)), max_size=30), st.sampled_from([COARSE, FINE])
)
def test_cells_add_up_over_any_division_of_the_facts(numbered, stratification):
    whole = label_cells((judged for judged, _ in numbered), stratification)
    parts = [
        label_cells((judged for judged, part in numbered if part == n), stratification)
        for n in range(4)
    ]
    assert summed(parts) == whole
    assert label_cells((judged for judged, _ in reversed(numbered)), stratification) == whole
    assert label_cells(Counter(judged for judged, _ in numbered), stratification) == whole


@settings(max_examples=100, deadline=None)
@given(st.lists(facts(), max_size=30), st.sampled_from([COARSE, FINE]))
def test_strata_hold_all_facts_of_s_and_all_candidates_outside(world, stratification):
    cells = label_cells(world, stratification)
    for system in "AB":
        found = system_strata(cells, [], system)
        sizes = {
            (inside, matched): sum(
                s.population for s in found if s.domain == domain
            )
            for domain, inside, matched in (
                ("a", True, False), ("b", True, True), ("c", False, True), ("d", False, False),
            )
        }  # fmt: skip
        for (inside, matched), size in sizes.items():
            assert size == sum(
                judged.matched == matched
                and (system in judged.systems) == inside
                and (inside or judged.candidate)
                for judged in world
            )
        for s in found:
            assert s.domain in "bc" or s.judged <= s.population
            assert s.domain in "ad" or s.judged == s.population  # the match is a census

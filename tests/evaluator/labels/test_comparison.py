"""Systems compared by human labels."""

import numpy as np
import pytest

from evaluator.comparison.withheld import clear
from evaluator.intervals import Drawing
from evaluator.labels.comparison import compare_labelled, expected_withheld
from evaluator.labels.design import (
    JudgedFact,
    LabelledFact,
    Stratification,
    group_name,
    label_cells,
    thousandths,
)

# Who states a fact, how many of them there are, and how many of these are true.
FACTS = [
    (frozenset("A"), 30, 20),
    (frozenset("AB"), 30, 15),
    (frozenset("B"), 40, 10),
    (frozenset(), 50, 5),
]
CUTS = {group_name(name, matched=False): None for name in ("A", "B", None)}
STRATIFICATION = Stratification(("A", "B"), CUTS)


def world(times=1):
    """The facts, all rejected by the text, and whether each is true."""
    facts, truth = [], []
    for systems, number, true in FACTS:
        for place in range(number * times):
            facts.append(JudgedFact(True, systems, False, "rejected", 0.0, 7, len(facts)))
            truth.append(place < true * times)
    return facts, truth


def labelled(facts, truth):
    return [
        LabelledFact(
            STRATIFICATION.place(f), f.candidate, f.systems, thousandths(f), float(t), 0.0, ""
        )
        for f, t in zip(facts, truth, strict=True)
    ]


NOMINAL = dict.fromkeys(("precision", "recall", "f1"), "nominal")


def compared(facts, labels, *, claims=NOMINAL, estimator="chain-rule", draws=10_000):
    """Compare A, of which intervals claim what is given, with B, which claims what it says."""
    cells = label_cells(facts, STRATIFICATION)
    of = {"A": claims, "B": NOMINAL}
    drawing = Drawing(draws=draws, seed=1)
    return compare_labelled(
        cells, labels, ["A", "B"], estimator=estimator, claims=of, drawing=drawing
    )


def test_with_all_facts_labelled_the_difference_is_exact():
    facts, truth = world()
    (pair,) = compared(facts, labelled(facts, truth), draws=500)
    # P: 35/60 and 25/70; R: 35/50 and 25/50; F: 70/110 and 50/120.
    for measure, first, second in (
        ("precision", 35 / 60, 25 / 70),
        ("recall", 35 / 50, 25 / 50),
        ("f1", 70 / 110, 50 / 120),
    ):
        found = pair.measures[measure]
        assert (found.first, found.second) == pytest.approx((first, second))
        difference = found.difference
        ends = (difference.value, difference.low, difference.high)
        assert ends == pytest.approx([first - second] * 3)
    assert (pair.only_first, pair.both, pair.only_second) == (30, 30, 40)


def test_what_both_state_cancels_out_of_the_difference():
    # Recall differs by (20 - 10)/50 whatever the 15 shared facts are; labels of those alone, which
    # leave the rest to chance, say less of it than as many of what only one of them states.
    facts, truth = world(times=20)
    rng = np.random.default_rng(4)
    order = rng.permutation(len(facts))

    def width(wanted):
        # Ten labels of each kind, so that none is without, and three hundred of the wanted kinds.
        chosen = []
        for systems, _, _ in FACTS:
            of = [i for i in order if facts[i].systems == systems]
            chosen += of[: 160 if systems in wanted else 10]
        labels = labelled([facts[i] for i in chosen], [truth[i] for i in chosen])
        difference = compared(facts, labels, draws=4_000)[0].measures["precision"].difference
        return difference.high - difference.low

    assert width([frozenset("A"), frozenset("B")]) < width([frozenset("AB"), frozenset()])


def test_facts_that_nobody_labelled_are_like_all_others():
    facts, truth = world()
    labels = [x for x in labelled(facts, truth) if x.systems != frozenset("AB")]
    found = compared(facts, labels, draws=2_000)[0].measures["precision"]
    # 35 of 120 labelled facts are true: so are 30 · 35/120 of those that both state.
    shared = 30 * 35 / 120
    assert found.first == pytest.approx((20 + shared) / 60)
    assert found.second == pytest.approx((10 + shared) / 70)


def test_a_difference_by_labels_enough_is_marked():
    facts, truth = world()
    for found in compared(facts, labelled(facts, truth), draws=500)[0].measures.values():
        assert found.withheld is None
        assert clear(found)
        # No draw lies on the other side of 0.
        assert found.as_json()["tests"]["posterior"]["p"] == pytest.approx(2 / 501)


def test_no_difference_is_marked_where_a_system_of_the_pair_claims_nothing():
    facts, truth = world()
    claims = NOMINAL | {"recall": "few labels"}
    measures = compared(facts, labelled(facts, truth), claims=claims, draws=500)[0].measures
    assert {name: found.withheld is None for name, found in measures.items()} == {
        "precision": True, "recall": False, "f1": True,
    }  # fmt: skip
    assert "too few" in measures["recall"].withheld
    assert not clear(measures["recall"])
    assert measures["recall"].as_json()["tests"] is None


def test_no_difference_is_marked_by_an_estimator_whose_coverage_is_not_measured():
    facts, truth = world(times=4)
    pair = compared(facts, labelled(facts[:-20], truth[:-20]), estimator="ppi", draws=500)[0]
    assert "assumptions" in pair.measures["precision"].withheld


@pytest.mark.parametrize("without", [None, frozenset("A"), frozenset("AB")])
@pytest.mark.parametrize("recall", ["nominal", "few labels"])
def test_before_there_are_answers_the_same_differences_are_withheld(without, recall):
    facts, truth = world(times=10)
    # Of each kind 40 to 120 facts are labelled in turn, as true as their kind.
    some = [x for i, x in enumerate(labelled(facts, truth)) if i % 4 == 0 and x.systems != without]
    claims = NOMINAL | {"recall": recall}
    (after,) = compared(facts, some, claims=claims, draws=50)
    share = {systems: true / number for systems, number, true in FACTS}
    before = expected_withheld(
        label_cells(facts, STRATIFICATION),
        [x._replace(truth=share[x.systems]) for x in some],
        ("A", "B"),
        estimator="chain-rule",
        claims={"A": claims, "B": NOMINAL},
    )
    assert before == {name: found.withheld for name, found in after.measures.items()}
    assert (before["precision"] is None) == (without is None)
    assert (before["recall"] is None) == (without is None and recall == "nominal")


def test_what_only_one_of_a_pair_states_needs_labels_of_its_own():
    # 1,000 labels, of each other kind of facts, and both systems with hundreds: but of the 300 that
    # A alone states nobody was asked, and in these the two differ.
    facts, truth = world(times=10)
    some = labelled(facts, truth)
    others = [x for x in some if x.systems != frozenset("A")]
    measures = compared(facts, others, draws=500)[0].measures
    assert all("too few" in found.withheld for found in measures.values())
    assert all(
        found.withheld is None for found in compared(facts, some, draws=50)[0].measures.values()
    )

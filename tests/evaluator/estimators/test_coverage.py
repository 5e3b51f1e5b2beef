"""The coverage of G': the share of the true facts that it holds, told by what systems state."""

import numpy as np
import pytest

from evaluator.estimators.coverage import (
    Covered,
    History,
    TrueOf,
    corrected,
    coverage,
    in_words,
    least_recall,
    true_by_annotator,
)
from evaluator.estimators.tallies import CANDIDATES_REST, Cell, system_rest
from evaluator.intervals import Drawing, Estimate
from evaluator.labels.coverage import true_by_labels
from evaluator.labels.design import LabelCell, LabelledFact, Place

DRAWING = Drawing(seed=3, draws=4000)
SYSTEMS = ["A", "B"]


def known(counts, drawing=DRAWING):
    """True facts by ``(inside, systems)``, known exactly."""
    return {
        History(inside, frozenset(states)): TrueOf(float(n), np.full(drawing.draws, float(n)))
        for (inside, states), n in counts.items()
    }


def test_the_figures_are_those_of_a_hand_count():
    # Inside 90 + 60 + 30 + 120 = 300. Outside A states 12 + 6 = 18, B 6 + 6 = 12, both 6.
    counts = {
        (True, "A"): 90, (True, "B"): 60, (True, "AB"): 30, (True, ""): 120,
        (False, "A"): 12, (False, "B"): 6, (False, "AB"): 6,
    }  # fmt: skip
    found, within = coverage(known(counts), SYSTEMS, DRAWING, by="labels")
    assert (found.inside.value, found.outside.value) == (300, 24)
    assert found.share.value == pytest.approx(180 / 204)
    assert found.systems["A"].value == pytest.approx(120 / 138)
    assert found.systems["B"].value == pytest.approx(90 / 102)
    # Chapman: 19 · 13 / 7 − 1 = 34.29.
    [pair] = found.pairs
    assert pair.outside.value == pytest.approx(247 / 7 - 1)
    assert pair.coverage.value == pytest.approx(300 / (300 + 247 / 7 - 1))
    # Chao with two occasions: 24 + ½ · 18 · 17 / (2 · 7) = 34.93.
    assert found.most.value == pytest.approx(300 / (324 + 18 * 17 / 28))
    # Of 300 / share = 340 facts G' and A hold 318.
    assert within["A"].value == pytest.approx(318 / 340)


def test_a_system_that_does_not_count_tells_nothing_of_what_lies_outside():
    counts = {(True, "A"): 9, (True, "C"): 5, (False, "A"): 1, (False, "C"): 50, (False, "AC"): 2}
    found, _ = coverage(known(counts), ["A"], DRAWING, by="annotator")
    assert found.inside.value == 14
    assert found.share.value == pytest.approx(9 / 12)
    assert (found.pairs, found.most) == ((), None)


def test_without_a_true_fact_of_a_system_nothing_is_known():
    found, within = coverage(known({(True, ""): 7}), SYSTEMS, DRAWING, by="annotator")
    assert found.share.value is None
    assert "No true fact of a system" in in_words(found, {})
    recall = Estimate(0.0, 0.0, 0.1, "", 0.95, 7)
    assert corrected(recall, within["A"]) is None
    assert least_recall((0.2, 0.4), Covered(found, within["A"])) == (0.0, 0.4)


@pytest.mark.statistical
@pytest.mark.parametrize("inside", [0.6, 0.9])
def test_the_intervals_hold_the_truth_where_their_assumption_does(inside):
    """2,000 facts; systems state each by chance, whether G' holds it or not."""
    rng, facts, held = np.random.default_rng(11), 2_000, 0
    drawing = Drawing(seed=1, draws=1_000)
    pairs = 0
    for _ in range(200):
        in_g = rng.random(facts) < inside
        states = {name: rng.random(facts) < p for name, p in (("A", 0.3), ("B", 0.2))}
        found, _ = coverage(_histories(in_g, states, drawing), SYSTEMS, drawing, by="labels")
        held += found.share.holds(inside)
        pairs += found.pairs[0].coverage.holds(in_g.mean())
    # Of 200 intervals of 95 % fewer than 180 hold the truth once in a thousand times.
    assert held >= 180
    assert pairs >= 180


@pytest.mark.statistical
def test_chaos_bound_is_above_the_truth_where_facts_are_unequally_hard():
    """Facts outside G' are hard: the share says too much, and the bound is above the truth still.

    Half of the facts outside are found as often as those inside, half a tenth as often.
    """
    rng, facts, above, held = np.random.default_rng(12), 4_000, 0, 0
    drawing = Drawing(seed=1, draws=1_000)
    for _ in range(100):
        in_g = rng.random(facts) < 0.7
        ease = np.where(in_g | (rng.random(facts) < 0.5), 1.0, 0.1)
        states = {name: rng.random(facts) < p * ease for name, p in (("A", 0.4), ("B", 0.3))}
        found, _ = coverage(_histories(in_g, states, drawing), SYSTEMS, drawing, by="labels")
        above += found.most.high >= in_g.mean()
        held += found.share.holds(0.7)
    assert above == 100
    assert held < 10  # the assumption of the share fails, and its interval with it


def _histories(in_g, states, drawing):
    counts = {}
    for fact, inside in enumerate(in_g):
        who = "".join(name for name, of in states.items() if of[fact])
        if inside or who:
            counts[bool(inside), who] = counts.get((bool(inside), who), 0) + 1
    return known(counts, drawing)


def cell(inside, systems, matched, verdict, facts):
    judged = frozenset({CANDIDATES_REST, *map(system_rest, systems)} if verdict else ())
    return Cell(inside, frozenset(systems), matched, verdict, judged, facts)


def test_the_annotator_tells_true_facts_by_its_sample():
    cells = [
        cell(True, "A", True, "matched", 10),
        cell(True, "A", False, "accepted", 3),
        cell(True, "A", False, "rejected", 5),
        cell(True, "A", False, "no pair", 2),  # undefined: judged, not true
        cell(True, "A", False, None, 30),
        cell(False, "A", False, "accepted", 4),
        cell(False, "B", False, None, 8),  # none was judged: like those of A outside
    ]
    found = true_by_annotator(cells, DRAWING)
    assert found[History(True, frozenset("A"))].value == 10 + 40 * 3 / 10
    assert (found[History(False, frozenset("A"))].draws == 4).all()  # all were judged
    assert found[History(False, frozenset("B"))].value == 8


def test_labels_tell_true_facts_of_each_side_of_the_superset():
    accepted, rejected = Place("S of A", "accepted"), Place("S of A", "rejected")
    cells = [
        LabelCell(accepted, True, frozenset("A"), 60, 0, 0),
        LabelCell(accepted, False, frozenset("A"), 20, 0, 0),
        LabelCell(rejected, True, frozenset("A"), 40, 0, 0),
        LabelCell(Place("S of A", None), True, frozenset("A"), 100, 0, 0),
    ]

    def label(place, inside, truth):
        return LabelledFact(place, inside, frozenset("A"), 1000, truth, 0.0, "")

    labelled = [
        *(label(accepted, True, t) for t in (1, 1, 1, 0)),
        *(label(accepted, False, t) for t in (1, 0)),
        *(label(rejected, True, t) for t in (0, 0, 1, 0, 0)),
    ]
    found = true_by_labels(cells, labelled, DRAWING)
    # Inside 200 facts, of those judged 60 % accepted: 200 · (.6 · 3/4 + .4 · 1/5).
    assert found[History(True, frozenset("A"))].value == pytest.approx(106)
    assert found[History(False, frozenset("A"))].value == pytest.approx(10)


def test_bounds_of_recall_hold_what_the_superset_may_lack():
    counts = {(True, "A"): 90, (True, "AB"): 30, (False, "A"): 12, (False, "B"): 6}
    found, within = coverage(known(counts), SYSTEMS, DRAWING, by="labels")
    least, most = least_recall((0.2, 0.4), Covered(found, within["A"]))
    assert least == pytest.approx(0.2 * min(within["A"].low, found.most.low))
    assert most == 0.4
    assert least_recall((0.2, 0.4), Covered(None, None)) == (0.2, 0.4)  # without a corpus
    share = Estimate(0.8, 0.5, 0.9, "", 0.95, 10)
    told = corrected(Estimate(0.5, 0.4, 0.6, "", 0.95, 10), share)
    assert told[:3] == pytest.approx((0.4, 0.2, 0.54))

"""Systems measured in two ways on the same sentences."""

import numpy as np
import pytest

from evaluator.gold.against_corpus.agreement import JudgedByBoth, side_by_side
from evaluator.gold.statistics import Change, Statistics
from evaluator.intervals import Drawing

SENTENCES = 30


def system(right: int) -> Statistics:
    """Return a system that says one thing of each sentence, right of the first ones only."""
    changes = [Change(n, -np.inf, n < right, 1, n < right) for n in range(SENTENCES)]
    return Statistics.of(changes, np.full(SENTENCES, 2.0))


def measured(gold, distant):
    gold, distant = ({name: system(n) for name, n in side.items()} for side in (gold, distant))
    return side_by_side(gold, distant, Drawing(level=0.9, draws=200, seed=1))


def test_figures_of_both_sides_and_places_by_gold_data() -> None:
    found = measured({"A": 20, "B": 10, "C": 10}, {"A": 3, "B": 6, "C": 0})
    gold, distant = found.figures["gold"], found.figures["distant"]
    assert gold["A"]["precision"].estimate.value == pytest.approx(20 / 30)
    assert gold["A"]["recall"].estimate.value == pytest.approx(20 / 60)
    assert [of["f1"].rank for of in gold.values()] == [1, 2, 2]
    assert [of["f1"].rank for of in distant.values()] == [None] * 3  # verdicts state no order
    # A above B by gold, below by distant; A above C by both; B and C tied by gold.
    assert found.agreement["f1"].tau.value == pytest.approx(0)
    low, high = gold["A"]["precision"].estimate[1:3]
    assert low < 20 / 30 < high


def test_a_draw_has_the_same_sentences_on_both_sides() -> None:
    """Two measures that are one and the same agree in every draw, however close the systems."""
    counts = {"A": 15, "B": 16, "C": 14}
    found = measured(counts, counts).agreement["precision"].tau
    assert (found.value, found.low, found.high) == (1, 1, 1)


def test_kappa_of_what_both_judge() -> None:
    """4 of 5 alike; by chance 4/5 · 3/5 + 1/5 · 2/5 = 0.56."""
    both = JudgedByBoth(3, 1, 0, 1, 7, 7)
    assert both.kappa == pytest.approx((0.8 - 0.56) / 0.44)
    assert JudgedByBoth(0, 0, 0, 0, 1, 1).kappa is None

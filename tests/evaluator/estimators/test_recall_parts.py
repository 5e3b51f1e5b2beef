"""Recall within sentences and across them, by hand counts."""

from evaluator.estimators.recall_parts import NO_CANDIDATE, NONE_TRUE, NOT_JUDGED, recall_parts
from evaluator.estimators.tallies import Cell
from evaluator.intervals import Drawing

DRAWING = Drawing(seed=2012, level=0.95, draws=2_000)


def cell(across, systems, verdict, facts, candidate=True):
    matched = verdict == "matched"
    return Cell(candidate, frozenset(systems), matched, verdict, frozenset(), facts, across)


def test_each_part_has_its_own_true_facts_and_recall():
    cells = [
        cell(False, "A", "matched", 6),
        cell(False, "AB", "accepted", 4),
        cell(False, "", "accepted", 10),
        cell(False, "", "rejected", 80),
        cell(False, "B", "accepted", 5, candidate=False),  # outside G': in neither part
        cell(True, "B", "accepted", 1),
        cell(True, "", "matched", 2),
        cell(True, "", "accepted", 1),
        cell(True, "", "rejected", 30),
    ]
    found = recall_parts(cells, ["A", "B"], DRAWING)
    sentence, window = found.sentence, found.window
    assert (sentence.candidates, window.candidates) == (100, 34)
    assert (sentence.true.value, window.true.value) == (20, 4)
    assert {name: of.value for name, of in sentence.recall.items()} == {"A": 10 / 20, "B": 4 / 20}
    assert {name: of.value for name, of in window.recall.items()} == {"A": 0, "B": 1 / 4}
    assert sentence.why is window.why is None
    for part in (sentence, window):  # all were judged
        for of in (part.true, *part.recall.values()):
            assert of.low == of.value == of.high
            assert of.n == part.candidates


def test_what_was_not_judged_is_in_the_interval():
    cells = [
        cell(True, "A", "accepted", 10),
        cell(True, "", "accepted", 20),
        cell(True, "", "rejected", 20),
        cell(True, "", None, 160),
    ]
    window = recall_parts(cells, ["A"], DRAWING).window
    assert window.true.value == 10 + 200 * 20 / 40
    assert window.recall["A"].value == 10 / 110
    assert window.true.low < 110 < window.true.high
    assert window.recall["A"].low < 10 / 110 < window.recall["A"].high
    assert window.true.n == 50


def test_a_part_without_recall_says_why():
    parts = recall_parts([cell(False, "A", None, 7)], ["A"], DRAWING)
    assert parts.sentence.why == NOT_JUDGED
    assert parts.sentence.true.value is None
    assert parts.window.why == NO_CANDIDATE
    assert parts.window.true.value == 0
    none_true = recall_parts([cell(True, "", "rejected", 7)], ["A"], DRAWING).window
    assert none_true.why == NONE_TRUE
    assert none_true.true.value == 0
    for part in (parts.sentence, parts.window, none_true):
        assert part.recall["A"].value is None
    assert "no recall, since G′ has no such fact" in parts.in_words()

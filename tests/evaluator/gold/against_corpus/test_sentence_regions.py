"""Regions by sentence add up to those of the distinct facts."""

import numpy as np
import pytest

from evaluator.errors import ConfigurationError
from evaluator.estimators.regions import Regions
from evaluator.gold.against_corpus.sentence_regions import (
    SentenceFacts,
    sentence_statistics,
    true_shares,
)
from evaluator.labels.design import JudgedFact
from evaluator.model import Fact

TRUE, OTHER, FALSE, OUTSIDE, MISSED = (Fact(letter, "r", "o") for letter in "tofxm")
SHARES = {TRUE: 1.0, OTHER: 1.0, FALSE: 0.0, OUTSIDE: 1.0, MISSED: 1.0}
# A states a true fact in two sentences, a false one, and a true one that is no candidate. B states
# another; what neither states is true as well.
SENTENCES = [
    SentenceFacts({"A": frozenset({TRUE, FALSE})}, frozenset({TRUE, FALSE, MISSED})),
    SentenceFacts({"A": frozenset({TRUE, OUTSIDE}), "B": frozenset({OTHER})}, frozenset({OTHER})),
    SentenceFacts({}, frozenset({TRUE, MISSED})),
    SentenceFacts({}, frozenset()),
]


def test_figures_are_those_of_distinct_facts() -> None:
    """A: a+b = 2 of |S| = 3; G holds TRUE, OUTSIDE, OTHER, MISSED. B: 1 of 1, of TRUE, OTHER, …"""
    for system, right, said, true in (("A", 2, 3, 4), ("B", 1, 1, 3)):
        regions = Regions(right, 0, 0, true - right)
        figures = sentence_statistics(SENTENCES, SHARES, system).figures
        assert figures.precision == pytest.approx(regions.precision(said))
        assert figures.recall == pytest.approx(regions.recall())
        assert figures.f1 == pytest.approx(regions.f1(said))


def test_each_sentence_has_its_part_of_a_fact() -> None:
    """Of A's three facts the first sentence has 1/2 and 1, of the true ones 1/2.

    TRUE is known in all of the first three, MISSED in two: of G the first has 1/3 + 1/2.
    """
    statistics = sentence_statistics(SENTENCES, SHARES, "A")
    first = np.array([1.0, 0, 0, 0])
    assert statistics.sums(first)[-1] == pytest.approx([1 / 2, 3 / 2, 1 / 2])
    assert statistics.gold == pytest.approx([1 / 3 + 1 / 2, 1 / 3 + 1 + 1, 1 / 3 + 1 / 2, 0])


def test_a_system_that_states_nothing_has_no_precision() -> None:
    figures = sentence_statistics(SENTENCES, SHARES, "C").figures
    assert np.isnan(figures.precision)
    assert figures.recall == 0


def judged(verdict, *, systems=("A",), candidate=True, matched=False):
    return JudgedFact(candidate, frozenset(systems), matched, verdict, None, None, 0)


def test_what_was_not_judged_is_as_true_as_its_like() -> None:
    facts = {
        Fact("1", "r", "o"): judged("accepted"),
        Fact("2", "r", "o"): judged("rejected"),
        Fact("3", "r", "o"): judged("no pair"),
        Fact("4", "r", "o"): judged(None),
        Fact("5", "r", "o"): judged("matched", matched=True),
        Fact("6", "r", "o"): judged("accepted", candidate=False),
    }
    assert list(true_shares(facts).values()) == [1, 0, 0, pytest.approx(1 / 3), 1, 1]
    with pytest.raises(ConfigurationError, match=r"raise sample\.system"):
        true_shares(
            {
                Fact("1", "r", "o"): judged(None),
                Fact("2", "r", "o"): judged("accepted", systems="B"),
            }
        )

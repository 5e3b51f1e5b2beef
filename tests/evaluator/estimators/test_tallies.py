"""Eleven facts of a small world, sorted into tallies by hand.

Two systems, A and B; "in D" marks facts that the database holds. The sample of every population is
all of it, except that G'\\D leaves out the last candidate.
"""

import pytest

from evaluator.estimators import Tally
from evaluator.estimators.census import census
from evaluator.estimators.tallies import (
    CANDIDATES,
    CANDIDATES_REST,
    Cell,
    Verdict,
    system_population,
    system_rest,
    system_tallies,
)
from evaluator.intervals import Drawing


def cell(systems: str, verdict: Verdict | None, *, candidate: bool = True, facts: int = 1) -> Cell:
    samples = {CANDIDATES} if candidate else set()
    if candidate and verdict not in ("matched", None):
        samples.add(CANDIDATES_REST)
    for name in systems:
        samples.add(system_population(name))
        if verdict != "matched":
            samples.add(system_rest(name))
    return Cell(
        candidate, frozenset(systems), verdict == "matched", verdict, frozenset(samples), facts
    )


WORLD = [
    cell("A", "matched"),
    cell("AB", "matched"),
    cell("", "matched", facts=2),
    cell("A", "accepted"),
    cell("B", "accepted"),
    cell("A", "rejected"),
    cell("A", "no relation word", candidate=False),
    cell("", "accepted"),
    cell("", "no pair"),
    cell("", None),  # a candidate outside the sample
]


def test_of_system_a() -> None:
    tallies = system_tallies(WORLD, "A")
    assert tallies.facts == 5
    assert tallies.outside_candidates == 1
    assert tallies.b == 2
    assert tallies.c == 2
    assert tallies.system == Tally(population=5, sampled=5, matched=2, accepted=1, undefined=1)
    assert tallies.system_rest == Tally(population=3, sampled=3, accepted=1, undefined=1)
    # Candidates: 4 matched, 2 accepted in a system, 1 rejected, 3 others.
    assert tallies.candidates == Tally(
        population=10, sampled=10, matched=4, accepted=3, undefined=1
    )
    # Outside D and A: B's accepted one, and the three of no system, one of which is not sampled.
    assert tallies.candidate_rest == Tally(population=4, sampled=3, accepted=2, undefined=1)
    assert tallies.undefined == {"no relation word": 1}


def test_of_system_b() -> None:
    tallies = system_tallies(WORLD, "B")
    assert (tallies.facts, tallies.outside_candidates, tallies.b, tallies.c) == (2, 0, 1, 3)
    assert tallies.system_rest == Tally(population=1, sampled=1, accepted=1)
    assert tallies.candidate_rest == Tally(population=5, sampled=4, accepted=2, undefined=1)
    assert tallies.undefined == {}


def test_the_regions_that_follow() -> None:
    tallies = system_tallies(WORLD, "A")
    estimate = census(
        Drawing(seed=1),
        b=tallies.b,
        c=tallies.c,
        system_rest=tallies.system_rest,
        candidate_rest=tallies.candidate_rest,
        outside_candidates=tallies.outside_candidates,
    )
    # a = 1 of 3, d = 4 · 2/3: P = (1 + 2) / 5, R = 3 / (3 + 2 + 8/3).
    assert estimate.precision.value == pytest.approx(3 / 5)
    assert estimate.recall.value == pytest.approx(3 / (3 + 2 + 8 / 3))


def test_names_of_populations_do_not_collide() -> None:
    """A system may be called what another population was called."""
    names = ["A", "A outside D", "S:A", "G'"]
    populations = [f(name) for name in names for f in (system_population, system_rest)]
    assert len({*populations, CANDIDATES, CANDIDATES_REST}) == len(populations) + 2


def test_without_a_corpus_what_rests_on_candidates_is_not_known() -> None:
    full, alone = system_tallies(WORLD, "A"), system_tallies(WORLD, "A", corpus=False)
    assert (alone.facts, alone.b) == (full.facts, full.b)
    assert (alone.system, alone.system_rest) == (full.system, full.system_rest)
    unknown = (alone.c, alone.outside_candidates, alone.candidates, alone.candidate_rest)
    assert unknown == (None, None, None, None)

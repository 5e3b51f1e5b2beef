"""The estimator of Bronzi et al. 2012: two samples, and subtraction.

A sample of S (10,000 in the paper) gives a and b, a sample of G′ (40,000) gives |G ∩ D| and
|G ∖ D|, and c and d are what remains of those two after a and b are taken away. Nothing keeps the
differences from coming out negative: they are then reported as they are, with a note.
"""

from math import nan

import numpy as np
from numpy.typing import NDArray

from evaluator.estimators.base import RegionDraws, SystemEstimate, Tally, summarise
from evaluator.estimators.regions import Regions
from evaluator.intervals import Drawing, finite_population_draws

NAME = "paper"
DESCRIPTION = "a and b from a sample of S, G from a sample of G′, c and d by subtraction"
ASSUMPTIONS = (
    "what matches the database is correct, and stated by the corpus",
    "the samples are simple random samples without replacement, independent of each other",
    "facts with an undefined PMI are not correct (see the bounds)",
    "S ∩ G ⊆ G′",
)
FORMULA = (
    "a, b = |S| · accepted/sampled, |S| · matched/sampled; "
    "c = |G′| · matched/sampled - b; d = |G′| · accepted/sampled - a; "
    "P = (a+b)/|S|; R = (a+b)/(a+b+c+d); F = 2(a+b)/(|S|+a+b+c+d)"
)
SOURCE = "Bronzi et al. 2012, sections 2.2, 2.3 and 3.1"


def paper(
    drawing: Drawing,
    *,
    system: Tally,
    candidates: Tally | None = None,
    outside_candidates: int | None = None,
) -> SystemEstimate:
    """Estimate from a sample of S and a sample of G′.

    Intervals come from draws in the order in which the annotator decides: how many facts of the
    population the database matches (Jeffreys' prior), then how many of the others PMI accepts
    (again Jeffreys' prior), so b has the same posterior whatever PMI says.

    Parameters
    ----------
    drawing
        How the posterior is drawn.
    system, candidates
        Samples of S and of G′, matched facts included. The second is None, like what follows,
        where there is no corpus.
    outside_candidates
        Facts of S that are not in G′.

    Raises
    ------
    ValueError
        If `outside_candidates` is negative, or only one of it and `candidates` is given.
    """
    if (candidates is None) != (outside_candidates is None):
        raise ValueError("candidates and outside_candidates come together or not at all")
    if outside_candidates is not None and outside_candidates < 0:
        raise ValueError(f"outside_candidates must not be negative: {outside_candidates}")
    rng = drawing.rng()

    def regions(accepted_system: int, accepted_candidates: int) -> Regions:
        a, b = system.total(accepted_system), system.total(system.matched)
        if candidates is None:
            return Regions(a, b, nan, nan)
        held, stated = candidates.total(candidates.matched), candidates.total(accepted_candidates)
        return Regions(a, b, held - b, stated - a)

    b_draws, a_draws = _decisions(system, draws=drawing.draws, rng=rng)
    drawn = RegionDraws(a_draws, b_draws, None, None)
    of_system = system.sampled, system.population
    judged = dict.fromkeys(("a", "b", "precision"), of_system)
    notes: list[str] = []
    if candidates is not None:
        held_draws, stated_draws = _decisions(candidates, draws=drawing.draws, rng=rng)
        drawn = RegionDraws(a_draws, b_draws, held_draws - b_draws, stated_draws - a_draws)
        of_both = system.sampled + candidates.sampled, system.population + candidates.population
        judged |= dict.fromkeys(("c", "d", "recall", "f1"), of_both)
        notes = _notes_on_subtraction(regions(system.accepted, candidates.accepted))
    return summarise(
        estimator=NAME,
        facts=system.population,
        outside_candidates=outside_candidates,
        system=system,
        candidates=candidates,
        regions=regions,
        drawn=drawn,
        judged=judged,
        level=drawing.level,
        rng=rng,
        notes=notes,
    )


def _decisions(
    tally: Tally, *, draws: int, rng: np.random.Generator
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Draw the numbers of matched facts, then of accepted ones among those not matched."""
    matched = finite_population_draws(
        tally.matched, tally.sampled, tally.population, draws=draws, rng=rng
    )
    accepted = finite_population_draws(
        tally.accepted,
        tally.sampled - tally.matched,
        tally.population - matched,
        draws=draws,
        rng=rng,
    )
    return matched, accepted


def _notes_on_subtraction(point: Regions) -> list[str]:
    notes = [
        f"{name} comes out negative ({size:,.0f}): the sample of G′ holds fewer such facts than "
        f"the sample of S accounts for. Larger samples or the census estimator avoid this."
        for name, size in (("c", point.c), ("d", point.d))
        if size < 0
    ]
    recall = point.recall()
    if recall is not None and recall > 1:
        notes.append(f"Recall exceeds 1 ({recall:.3f}) because c + d is negative.")
    return notes

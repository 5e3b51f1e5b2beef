"""The database match for every fact, a sample only of what the database lacks.

A match is a join, so it costs no more for all facts than for a sample. b and c are then exact
(they rest on about 11 and 28 hits in the paper's samples), a and d come from samples of disjoint
strata, and nothing is subtracted.
"""

from math import nan

import numpy as np
from numpy.typing import NDArray

from evaluator.estimators.base import RegionDraws, SystemEstimate, Tally, summarise
from evaluator.estimators.regions import Regions
from evaluator.intervals import Drawing, finite_population_draws

NAME = "census"
DESCRIPTION = "b and c counted in full; a from a sample of S ∖ D; d from a sample of G′ ∖ (S ∪ D)"
ASSUMPTIONS = (
    "what matches the database is correct, and stated by the corpus",
    "the samples are simple random samples without replacement",
    "facts with an undefined PMI are not correct (see the bounds)",
    "G ⊆ G′ ∪ S",
)
FORMULA = (
    "a = |S ∖ D| · accepted/sampled; d = |G′ ∖ (S ∪ D)| · accepted/sampled; "
    "P = (a+b)/|S|; R = (a+b)/(a+b+c+d); F = 2(a+b)/(|S|+a+b+c+d)"
)
SOURCE = "Bronzi et al. 2012, section 2, with the database match as a census"


def census(
    drawing: Drawing,
    *,
    b: int,
    system_rest: Tally,
    c: int | None = None,
    candidate_rest: Tally | None = None,
    outside_candidates: int | None = None,
) -> SystemEstimate:
    """Estimate from exact b and c and from samples of the two strata outside the database.

    Parameters
    ----------
    drawing
        How the posterior is drawn.
    b
        Facts of S that match the database.
    system_rest
        Sample of S ∖ D; |S| is `b` and its population.
    c
        Facts of G′ ∖ S that match the database; None, like the two that follow, where there is no
        corpus.
    candidate_rest
        Sample of G′ ∖ (S ∪ D).
    outside_candidates
        Facts of S that are not in G′.

    Raises
    ------
    ValueError
        If `b`, `c` or `outside_candidates` is negative, a stratum has matched facts, or only some
        of what rests on the corpus is given.
    """
    of_corpus = (c, candidate_rest, outside_candidates)
    if None in of_corpus and of_corpus != (None, None, None):
        raise ValueError("c, candidate_rest and outside_candidates come together or not at all")
    if min(b, c or 0, outside_candidates or 0) < 0 or any(
        stratum and stratum.matched for stratum in (system_rest, candidate_rest)
    ):
        raise ValueError("counts must not be negative, nor strata outside the database matched")
    rng = drawing.rng()
    facts = b + system_rest.population

    def regions(accepted_system: int, accepted_candidates: int) -> Regions:
        a = system_rest.total(accepted_system)
        if c is None or candidate_rest is None:
            return Regions(a, b, nan, nan)
        return Regions(a, b, c, candidate_rest.total(accepted_candidates))

    def accepted(tally: Tally) -> NDArray[np.int64]:
        return finite_population_draws(
            tally.accepted, tally.sampled, tally.population, draws=drawing.draws, rng=rng
        )

    system, candidates = system_rest, candidate_rest
    drawn = RegionDraws(accepted(system), np.full(drawing.draws, b), None, None)
    judged = {
        "a": (system.sampled, system.population),
        "b": (facts, facts),
        "precision": (b + system.sampled, facts),
    }
    if c is not None and candidates is not None:
        total = b + c + system.sampled + candidates.sampled, facts + c + candidates.population
        drawn = drawn._replace(c=np.full(drawing.draws, c), d=accepted(candidates))
        judged |= {
            "c": (c + candidates.population, c + candidates.population),
            "d": (candidates.sampled, candidates.population),
            "recall": total,
            "f1": total,
        }
    return summarise(
        estimator=NAME,
        facts=facts,
        outside_candidates=outside_candidates,
        system=system,
        candidates=candidates,
        regions=regions,
        drawn=drawn,
        judged=judged,
        level=drawing.level,
        rng=rng,
    )

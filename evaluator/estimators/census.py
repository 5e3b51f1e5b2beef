"""The database match for every fact, a sample only of what the database lacks.

A match is a join, so it costs no more for all facts than for a sample. b and c are then exact
(they rest on about 11 and 28 hits in the paper's samples), a and d come from samples of disjoint
strata, and nothing is subtracted.
"""

import numpy as np

from evaluator.estimators.base import RegionDraws, SystemEstimate, Tally, summarise
from evaluator.intervals import finite_population_draws
from evaluator.regions import Regions

NAME = "census"
DESCRIPTION = "b and c counted in full; a from a sample of S ∖ D, d from a sample of G′ ∖ (S ∪ D)"
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
    *,
    b: int,
    c: int,
    system_rest: Tally,
    candidate_rest: Tally,
    outside_candidates: int,
    level: float = 0.95,
    draws: int = 10_000,
    seed: int,
) -> SystemEstimate:
    """Estimate from exact b and c and from samples of the two strata outside the database.

    Parameters
    ----------
    b
        Facts of S that match the database.
    c
        Facts of G′ ∖ S that match the database.
    system_rest
        Sample of S ∖ D; |S| is `b` and its population.
    candidate_rest
        Sample of G′ ∖ (S ∪ D).
    outside_candidates
        Facts of S that are not in G′.
    level
        Nominal coverage of the intervals.
    draws
        Posterior draws; 10,000 leave the ends of an interval uncertain by about 1 % of its width.
    seed
        Seed of the draws: the same seed gives the same figures.

    Raises
    ------
    ValueError
        If `b`, `c` or `outside_candidates` is negative, a stratum has matched facts, or `level` is
        outside (0, 1).
    """
    if min(b, c, outside_candidates) < 0 or system_rest.matched or candidate_rest.matched:
        raise ValueError("counts must not be negative, nor strata outside the database matched")
    rng = np.random.default_rng(seed)
    facts = b + system_rest.population

    def regions(accepted_system: int, accepted_candidates: int) -> Regions:
        a = system_rest.total(accepted_system)
        return Regions(a, b, c, candidate_rest.total(accepted_candidates))

    a_draws, d_draws = (
        finite_population_draws(
            tally.accepted, tally.sampled, tally.population, draws=draws, rng=rng
        )
        for tally in (system_rest, candidate_rest)
    )
    system, candidates = system_rest, candidate_rest
    total = b + c + system.sampled + candidates.sampled, facts + c + candidates.population
    return summarise(
        estimator=NAME,
        facts=facts,
        outside_candidates=outside_candidates,
        system=system,
        candidates=candidates,
        regions=regions,
        drawn=RegionDraws(a_draws, np.full(draws, b), np.full(draws, c), d_draws),
        judged={
            "a": (system.sampled, system.population),
            "b": (facts, facts),
            "c": (c + candidates.population, c + candidates.population),
            "d": (candidates.sampled, candidates.population),
            "precision": (b + system.sampled, facts),
            "recall": total,
            "f1": total,
        },
        level=level,
        rng=rng,
    )

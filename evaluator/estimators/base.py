"""What every estimator takes and returns, and the way from regions to precision, recall and F."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import isnan, nan
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from evaluator.estimators.regions import Regions
from evaluator.intervals import (
    CENSUS,
    FINITE_POPULATION,
    Estimate,
    finite_population_draws,
    from_draws,
)
from evaluator.named_objects import ClosedModel


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """What the annotator decided about a simple random sample of a stratum.

    Attributes
    ----------
    population
        Facts in the stratum.
    sampled
        Facts judged. They divide into the three that follow and the rest, judged false.
    matched
        Found in the knowledge base; 0 in strata that leave out what the base holds.
    accepted
        Not matched, PMI at least the threshold.
    undefined
        Not matched, PMI undefined: no document holds both entities, the relation has no content
        word, or the fact is negated.

    Raises
    ------
    ValueError
        If the counts do not fit into each other.
    """

    population: int
    sampled: int
    matched: int = 0
    accepted: int = 0
    undefined: int = 0

    def __post_init__(self) -> None:
        decided = (self.matched, self.accepted, self.undefined)
        if min(decided) < 0 or not sum(decided) <= self.sampled <= self.population:
            raise ValueError(f"the counts do not fit into each other: {self}")

    def total(self, count: int) -> float:
        """Expand `count` facts of the sample to the stratum; nan if nothing was sampled."""
        if self.population == 0:
            return 0.0
        return self.population * count / self.sampled if self.sampled else nan


class RegionDraws(NamedTuple):
    """Joint posterior draws of the four regions; every array has shape (draws,).

    `c` and `d` are None where there is no corpus.
    """

    a: NDArray[np.int64]
    b: NDArray[np.int64]
    c: NDArray[np.int64] | None
    d: NDArray[np.int64] | None


NO_CORPUS = (
    "Recall needs the corpus: the facts are given without it, so how many facts it states that the "
    "system lacks (c and d) is not known."
)


RECALL_WITHIN = (
    "Recall is recall within G′: of the true facts among the candidates G′ and the systems' own. "
    "What the corpus states beyond them is not counted."
)


class SystemEstimate(ClosedModel):
    """All that is estimated about one system.

    Attributes
    ----------
    estimator
        NAME of the estimator.
    facts
        |S|, the distinct facts of the system.
    outside_candidates
        Facts of S that the candidate superset lacks; they count like all others of S. None where
        there is no corpus.
    regions
        Sizes of "a", "b", "c", "d", in facts; c and d are None where there is no corpus.
    precision, recall, f1
        Their values are None, "not estimable", where the denominator is 0 or nothing was sampled.
        Recall and F are None themselves where there is no corpus.
    precision_bounds, recall_bounds
        Least and greatest value over the ways to judge the undefined facts, those of S and those of
        the candidates each by themselves; None where not estimable. In a result the lower bound of
        recall allows for what G′ may lack, too (:mod:`evaluator.estimators.coverage`).
    undefined
        Shares in [0, 1] of facts with an undefined PMI in the strata "system" and "candidates",
        the latter None where there is no corpus.
    undefined_facts
        How many facts that is: regions of their own, of which nobody knows whether they are true.
    rejected
        Facts of S that are neither correct nor undefined.
    notes
        What a reader of the figures should know, in sentences.
    """

    estimator: str
    facts: int
    outside_candidates: int | None
    regions: Mapping[str, Estimate | None]
    precision: Estimate
    recall: Estimate | None
    f1: Estimate | None
    precision_bounds: tuple[float, float] | None
    recall_bounds: tuple[float, float] | None
    undefined: Mapping[str, Estimate | None]
    undefined_facts: Mapping[str, Estimate | None]
    rejected: Estimate
    notes: tuple[str, ...]


def summarise(
    *,
    estimator: str,
    facts: int,
    outside_candidates: int | None,
    system: Tally,
    candidates: Tally | None,
    regions: Callable[[int, int], Regions],
    drawn: RegionDraws,
    judged: Mapping[str, tuple[int, int]],
    level: float,
    rng: np.random.Generator,
    notes: Sequence[str] = (),
) -> SystemEstimate:
    """Return the estimate that follows from an estimator's regions and their posterior.

    Parameters
    ----------
    estimator, facts, outside_candidates
        As in :class:`SystemEstimate`.
    system, candidates
        The two sampled strata; the second is None where there is no corpus.
    regions
        Point estimates as a function of the accepted facts in the two samples; without a corpus c
        and d are nan.
    drawn
        Joint posterior draws of the regions.
    judged
        For "a", "b", "c", "d", "precision", "recall" and "f1": the number of facts judged and the
        number of facts that there are to judge.
    level
        Nominal coverage of the intervals.
    rng
        Source of randomness for the shares of undefined facts.
    notes
        Notes of the estimator, to follow those on the strata.
    """
    # Undefined facts of S, were they true, would raise P and R; those of the candidates lower R.
    accepted, undefined = (
        (0, 0) if candidates is None else (candidates.accepted, candidates.undefined)
    )
    point = regions(system.accepted, accepted)
    generous = regions(system.accepted + system.undefined, accepted)
    crowded = regions(system.accepted, accepted + undefined)
    correct = drawn.a + drawn.b
    # A draw with an empty denominator belongs to a figure that is not estimable anyway.
    with np.errstate(divide="ignore", invalid="ignore"):
        precision = correct / facts if facts else correct
        if drawn.c is None or drawn.d is None:
            recall = f1 = None
        else:
            ground_truth = correct + drawn.c + drawn.d
            recall = correct / ground_truth
            f1 = 2 * correct / (facts + ground_truth)

    def known(name: str, value: float | None, draws: NDArray[Any]) -> Estimate:
        n, population = judged[name]
        method = CENSUS if n == population else FINITE_POPULATION
        return from_draws(value, draws, method=method, level=level, n=n)

    def estimate(name: str, value: float | None, draws: NDArray[Any] | None) -> Estimate | None:
        return None if draws is None else known(name, value, draws)

    part = partial(_part, draws=correct.size, level=level, rng=rng)
    undefined_facts, undefined_share = part(system, system.undefined)
    of_candidates = None if candidates is None else part(candidates, candidates.undefined)
    rejected = system.sampled - system.matched - system.accepted - system.undefined
    return SystemEstimate(
        estimator=estimator,
        facts=facts,
        outside_candidates=outside_candidates,
        regions={
            name: estimate(name, size, draws)
            for name, size, draws in zip("abcd", point, drawn, strict=True)
        },
        precision=known("precision", point.precision(facts), precision),
        recall=estimate("recall", point.recall(), recall),
        f1=estimate("f1", point.f1(facts), f1),
        precision_bounds=_bounds(point.precision(facts), generous.precision(facts)),
        recall_bounds=_bounds(crowded.recall(), generous.recall()),
        undefined={"system": undefined_share, "candidates": of_candidates and of_candidates[1]},
        undefined_facts={
            "system": undefined_facts,
            "candidates": of_candidates and of_candidates[0],
        },
        rejected=part(system, rejected)[0],
        notes=(*_notes_on_strata(system, candidates, outside_candidates), *notes),
    )


def _bounds(least: float | None, greatest: float | None) -> tuple[float, float] | None:
    if least is None or greatest is None or isnan(least) or isnan(greatest):
        return None
    return least, greatest


def _part(
    tally: Tally, count: int, *, draws: int, level: float, rng: np.random.Generator
) -> tuple[Estimate, Estimate]:
    """Return how many facts of a stratum are like `count` of its sample, and their share."""
    drawn = finite_population_draws(count, tally.sampled, tally.population, draws=draws, rng=rng)
    method = CENSUS if tally.sampled == tally.population else FINITE_POPULATION
    estimate = partial(from_draws, method=method, level=level, n=tally.sampled)
    share = count / tally.sampled if tally.sampled else None
    return estimate(tally.total(count), drawn), estimate(share, drawn / max(tally.population, 1))


def _notes_on_strata(
    system: Tally, candidates: Tally | None, outside_candidates: int | None
) -> list[str]:
    notes = [NO_CORPUS] if candidates is None else []
    if outside_candidates:
        notes.append(
            f"{outside_candidates:,} facts of the system lie outside the candidate superset; they "
            "count in precision, and in recall through a and b."
        )
    for tally, name in ((system, "the system"), (candidates, "the candidate superset")):
        if tally and tally.population and not tally.sampled:
            notes.append(f"No fact of {name} was sampled: what rests on it is not estimable.")
    return notes

"""Coverage over many replicates of a world in counts, side by side on the cores of a machine."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from itertools import batched, chain
from typing import Any

import numpy as np

from evaluator.errors import ConfigurationError
from evaluator.estimators import SystemEstimate, Tally
from evaluator.estimators.census import census
from evaluator.estimators.labelled import LabelledEstimate
from evaluator.intervals import Drawing
from evaluator.simulation import CountsWorld, Coverage, coverage, covered, replicate
from indexes.processes import process_pool

ANNOTATOR_ALONE = "annotator-relative"
"""Stands for the estimate without labels among the names of estimators."""

_BATCH = 50


type _Made = LabelledEstimate | SystemEstimate
type _Map = Callable[[Callable[..., list[_Made]], Iterable[tuple[int, ...]]], Iterator[list[_Made]]]


def coverage_of(
    world: CountsWorld,
    estimators: Sequence[str],
    drawing: Drawing,
    *,
    replicates: int,
    processes: int = 1,
) -> dict[str, dict[str, Coverage]]:
    """Return the coverage of every estimator's intervals, by estimator and measure.

    Parameters
    ----------
    world
        The world.
    estimators
        NAMEs of estimators with labels, and `ANNOTATOR_ALONE`.
    drawing, replicates
        As for :func:`evaluator.simulation.coverage`.
    processes
        How many work side by side; it changes no figure.

    Raises
    ------
    ConfigurationError
        Where there can be no such world.
    """
    check(world)
    seeds = range(drawing.seed, drawing.seed + replicates)
    found = {}
    with _side_by_side(processes) as side_by_side:
        for name in estimators:
            make = partial(_estimates, world, name, drawing)
            made = chain.from_iterable(side_by_side(make, batched(seeds, _BATCH)))
            if name == ANNOTATOR_ALONE:
                found[name] = _covered_alone(world, list(made))
            else:
                of_seed = dict(zip(seeds, made, strict=True))
                found |= coverage(
                    world,
                    [name],
                    drawing,
                    replicates=replicates,
                    each=lambda _, __, one, of_seed=of_seed: of_seed[one.seed],
                )
    return found


@contextmanager
def _side_by_side(processes: int) -> Iterator[_Map]:
    if processes == 1:
        yield map
        return
    with process_pool(processes) as pool:
        yield pool.map


def _estimates(
    world: CountsWorld, name: str, drawing: Drawing, seeds: Iterable[int]
) -> list[_Made]:
    make: Callable[..., Any] = (
        partial(replicate, estimator=name) if name != ANNOTATOR_ALONE else annotator_alone
    )
    return [make(world, drawing=replace(drawing, seed=seed)) for seed in seeds]


def _covered_alone(world: CountsWorld, estimates: Sequence[_Made]) -> dict[str, Coverage]:
    return {
        measure: covered([getattr(e, measure) for e in estimates], value)
        for measure, value in world.truth().items()
    }


def annotator_alone(world: CountsWorld, drawing: Drawing) -> SystemEstimate:
    """Return the estimate of one replicate without labels: what the annotator accepts is true.

    Parameters
    ----------
    world
        The world.
    drawing
        Of the intervals, which hold sampling error only; one seed, one replicate.
    """
    rng = np.random.default_rng([drawing.seed, 2])
    facts = {(cell.region, cell.verdict): cell.facts for cell in world.cells()}

    def judged(region: str, size: int) -> Tally:
        accepted, rejected = facts[region, "accepted"], facts[region, "rejected"]
        sampled = min(size, accepted + rejected)
        return Tally(
            population=accepted + rejected,
            sampled=sampled,
            accepted=int(rng.hypergeometric(accepted, rejected, sampled)),
        )

    return census(
        drawing,
        b=facts["b", "matched"],
        c=facts["c", "matched"],
        system_rest=judged("a", world.judged),
        candidate_rest=judged("d", world.judged_candidates),
        outside_candidates=0,
    )


_LEAST = {"facts": 1, "candidates": 1, "labels": 1, "judged": 1, "judged_candidates": 1,
          "together": 1}  # fmt: skip
_SHARES = ("true", "true_candidates", "coverage", "match_precision", "sensitivity", "specificity",
           "correlation", "rater_error")  # fmt: skip


def check(world: CountsWorld) -> None:
    """Refuse a world that cannot be.

    Raises
    ------
    ConfigurationError
        Where a figure is out of range.
    """
    for name, least in _LEAST.items():
        if getattr(world, name) < least:
            raise ConfigurationError(
                f"world: {name} is {getattr(world, name)}; it must be at least {least}"
            )
    for name in _SHARES:
        if not 0 <= getattr(world, name) <= 1:
            raise ConfigurationError(
                f"world: {name} is {getattr(world, name):g}; it must be a share from 0 to 1"
            )
    if world.match_precision == 0 or world.correlation == 1:
        raise ConfigurationError("world: match_precision must be above 0, correlation below 1")

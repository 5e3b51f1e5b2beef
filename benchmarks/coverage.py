"""How often the 95 % intervals hold the truth: every estimator over a grid of made worlds.

Each world has a known share of true facts, an annotator from perfect to useless, and a number of
labels, of facts drawn one by one or of whole documents. Every estimator gets as many labels, drawn
as it wants them, in 2,000 replicates of each world. What the default estimator must do is checked
at the end: where it claims nominal coverage its intervals hold the truth in 93 to 97 % of the
replicates, and they are never more than 2 % wider than those of the labels alone.

With --raters the raters err: one, two or three of them, half of the facts answered by two, are
wrong on 2, 5 or 10 % of their answers. The default estimator takes what most of them say, and then
the model of raters (evaluator/estimators/rater_error.py), which must hold the truth in 93 % of the
replicates wherever it claims to.

    .venv/bin/python benchmarks/coverage.py                     # all, about half an hour
    .venv/bin/python benchmarks/coverage.py --replicates 300    # a look
    .venv/bin/python benchmarks/coverage.py --raters            # all, about three hours
    .venv/bin/python benchmarks/coverage.py --raters --worlds 9 --replicates 100   # a look
"""

import argparse
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import count, product
from math import sqrt
from multiprocessing import get_context
from pathlib import Path
from statistics import mean
from time import perf_counter

from evaluator.estimators import WITH_LABELS
from evaluator.estimators.claims import ClaimKind
from evaluator.estimators.labelled import LabelledEstimate
from evaluator.intervals import Drawing
from evaluator.simulation import CountsWorld, coverage, replicate

MEASURES = ("precision", "recall", "f1")
DEFAULT, ALONE = "chain-rule", "labels-only"
SHARES = ((0.03, 0.03), (0.10, 0.05), (0.30, 0.15))
ANNOTATORS = ((1.0, 1.0), (0.9, 0.97), (0.73, 0.73), (0.5, 0.5))
LABELS = (100, 200, 558)
# With raters who err, one world has few true candidates: wrong answers are most of its "true" ones.
SHARES_OF_RATERS = ((0.10, 0.01), (0.30, 0.15), (0.03, 0.03))
ERRORS = (0.02, 0.05, 0.10)
RATERS = (1, 2, 3)
TWICE = 0.5
MODEL, MOST = "model", "majority"
NOMINAL = (0.93, 0.97)
WIDER = 1.02
CLAIMING = ("nominal", "at least")
MARKS: dict[ClaimKind, str] = {
    "nominal": " ", "at least": "≥", "few labels": "?", "by assumption": "~",
}  # fmt: skip


def worlds() -> list[CountsWorld]:
    """Return the grid: 36 worlds of single facts, 12 of documents of four labelled facts."""
    single = [
        CountsWorld(true=s, true_candidates=d, sensitivity=se, specificity=sp, labels=n)
        for (s, d), (se, sp), n in product(SHARES, ANNOTATORS, LABELS)
    ]
    clustered = [
        CountsWorld(true=s, true_candidates=d, sensitivity=se, specificity=sp, labels=n, together=4)
        for (s, d), (se, sp), n in product(SHARES, ANNOTATORS[1:3], LABELS[1:])
    ]
    return single + clustered


def worlds_of_raters() -> list[CountsWorld]:
    """Return the grid of raters who err: 108 worlds; nine in a row have all errors and raters."""
    return [
        CountsWorld(
            true=s,
            true_candidates=d,
            sensitivity=se,
            specificity=sp,
            labels=n,
            raters=raters,
            double=TWICE if raters > 1 else 0,
            rater_error=error,
        )
        for (se, sp), n, (s, d), error, raters in product(
            ANNOTATORS[1:3], LABELS[1:], SHARES_OF_RATERS, ERRORS, RATERS
        )
    ]


def measure_raters(world: CountsWorld, seed: int, *, replicates: int, draws: int) -> dict:
    """Return what :func:`measure` does, of the default estimator with each way to take answers."""
    ways = {MOST: False, MODEL: True} if world.raters > 1 else {MOST: False}
    return {
        way: measure(
            world,
            seed,
            estimators=[DEFAULT],
            replicates=replicates,
            draws=draws,
            each=partial(replicate, model=model),
        )[DEFAULT]
        for way, model in ways.items()
    }


def measure(
    world: CountsWorld,
    seed: int,
    *,
    estimators: list[str],
    replicates: int,
    draws: int,
    each: Callable[..., LabelledEstimate] = replicate,
) -> dict:
    """Return coverage, width and claims of every estimator in one world."""
    drawing = Drawing(seed=seed, draws=draws)
    found = coverage(world, estimators, drawing, replicates=replicates, each=each)
    return {
        name: {
            key: {
                "coverage": c.coverage,
                "width": c.width,
                "estimable": c.estimable / c.replicates,
                "claim": c.claim,
                "claimed": c.claimed,
            }
            for key, c in of.items()
        }
        for name, of in found.items()
    }


def described(world: CountsWorld) -> str:
    """Return a world in a few words."""
    return (
        f"true {world.true:.2f} {world.true_candidates:.2f}  "
        f"Se {world.sensitivity:.2f} Sp {world.specificity:.3f}  {world.labels} labels"
        + (" by document" if world.together > 1 else "")
        + (f"  {world.raters} raters wrong on {world.rater_error:.2f}" if world.rater_error else "")
    )


def judge(world: CountsWorld, found: dict) -> list[str]:
    """Return what the default estimator does in a world that it must not."""
    faults = []
    for key in MEASURES:
        default, alone = found[DEFAULT][key], found[ALONE][key]
        low, high = NOMINAL
        if default["claim"] == "nominal" and not low <= default["coverage"] <= high:
            faults.append(f"{described(world)}: {key} covered {default['coverage']:.3f}")
        if default["width"] > WIDER * alone["width"]:
            ratio = default["width"] / alone["width"]
            faults.append(f"{described(world)}: {key} {ratio:.3f} times as wide as labels alone")
    return faults


def judge_raters(world: CountsWorld, found: dict, *, replicates: int) -> list[str]:
    """Return where the model of raters claims to hold the truth and does not.

    That is below 93 % by more than two standard errors of so many replicates.
    """
    least = NOMINAL[0] - 2 * sqrt(NOMINAL[0] * (1 - NOMINAL[0]) / replicates)
    return [
        f"{described(world)}: {key} covered {one['coverage']:.3f}"
        for key, one in found.get(MODEL, {}).items()
        if one["claim"] in CLAIMING and one["coverage"] < least
    ]


def summarise_raters(grid: list[CountsWorld], told: list[dict]) -> None:
    """Print coverage and width by raters and error, over the worlds where intervals claim some."""
    cells: dict[tuple, list[tuple[float, float]]] = defaultdict(list)
    for world, one in zip(grid, told, strict=True):
        for way, of in one["found"].items():
            for key, figure in of.items():
                if figure["claim"] in CLAIMING:
                    cell = world.raters, world.rater_error, way, key
                    cells[cell].append((figure["coverage"], figure["width"]))
    print("raters  wrong  answers taken  worlds  least and mean coverage / mean width of P, R, F")
    for raters, error, way in sorted({cell[:3] for cell in cells}):
        figures = [list(zip(*cells[raters, error, way, key], strict=True)) for key in MEASURES]
        shown = "   ".join(f"{min(c):.3f} {mean(c):.3f} / {mean(w):.4f}" for c, w in figures)
        print(f"{raters:6d}  {error:5.2f}  {way:13s}  {len(figures[0][0]):6d}  {shown}")


def show(world: CountsWorld, found: dict) -> None:
    """Print one world: coverage/width of P, R and F by estimator."""
    print(described(world))
    for name, of in found.items():
        cells = []
        for key in MEASURES:
            one = of[key]
            if one["coverage"] is None:
                cells.append("   not estimable    ")
                continue
            mark = MARKS[one["claim"]]
            seldom = "" if one["estimable"] > 0.995 else f" in {one['estimable']:.0%}"
            cells.append(f"{mark}{one['coverage']:.3f} / {one['width']:.4f}{seldom}")
        print(f"  {name:13s}" + "   ".join(f"{cell:20s}" for cell in cells), flush=True)


def main() -> int:
    """Run the grid; the exit code is 1 where the default does what it must not."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--replicates", type=int, default=2_000)
    parser.add_argument("--draws", type=int, default=1_000, help="posterior draws of an estimate")
    parser.add_argument("--estimator", action="append", choices=list(WITH_LABELS))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--json", type=Path, help="file for all figures")
    parser.add_argument("--raters", action="store_true", help="raters who err, instead")
    parser.add_argument("--worlds", type=int, help="only the first so many worlds")
    options = parser.parse_args()
    estimators = list(dict.fromkeys([DEFAULT, ALONE, *(options.estimator or WITH_LABELS)]))
    size = {"replicates": options.replicates, "draws": options.draws}
    if options.raters:
        work, grid = partial(measure_raters, **size), worlds_of_raters()
        check = partial(judge_raters, replicates=options.replicates)
    else:
        work, grid, check = partial(measure, estimators=estimators, **size), worlds(), judge
    grid = grid[: options.worlds]
    # Worlds that differ in raters' error alone would draw the same facts from one seed: an unlucky
    # series would look like a fault of all of them.
    seeds = count(options.seed, options.replicates if options.raters else 0)
    begun, faults, told = perf_counter(), [], []
    claims: Counter[str] = Counter()
    print(
        "coverage / mean width of the 95 % intervals of P, R, F "
        "(≥ claims at least, ~ by assumption, ? few labels)"
    )
    with ProcessPoolExecutor(options.processes, mp_context=get_context("spawn")) as pool:
        for world, found in zip(grid, pool.map(work, grid, seeds), strict=True):
            show(world, found)
            faults += check(world, found)
            claims.update(
                list(found.values())[-1 if options.raters else 0][k]["claim"] for k in MEASURES
            )
            told.append({"world": described(world), "found": found})
    seconds = perf_counter() - begun
    estimates = sum(len(one["found"]) for one in told) * options.replicates
    print(
        f"{len(grid)} worlds, {options.replicates:,} replicates, {estimates:,} estimates in "
        f"{seconds:,.0f} s: {60 * estimates / seconds:,.0f} a minute"
    )
    print(f"{DEFAULT} claims: " + ", ".join(f"{n} × {claim}" for claim, n in claims.items()))
    if options.json:
        options.json.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
    for fault in faults:
        print("FAULT", fault)
    if options.raters:
        summarise_raters(grid, told)
    elif not faults:
        print(
            f"{DEFAULT}: within {NOMINAL[0]:.0%} to {NOMINAL[1]:.0%} wherever it claims nominal "
            f"coverage, at most {WIDER - 1:.0%} wider than {ALONE} everywhere"
        )
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())

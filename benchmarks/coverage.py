"""How often the 95 % intervals hold the truth: every estimator over a grid of made worlds.

Each world has a known share of true facts, an annotator from perfect to useless, and a number of
labels, of facts drawn one by one or of whole documents. Every estimator gets as many labels, drawn
as it wants them, in 2,000 replicates of each world. What the default estimator must do is checked
at the end: where it claims nominal coverage its intervals hold the truth in 93 to 97 % of the
replicates, and they are never more than 2 % wider than those of the labels alone.

    .venv/bin/python benchmarks/coverage.py                     # all, about half an hour
    .venv/bin/python benchmarks/coverage.py --replicates 300    # a look
"""

import argparse
import json
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import product
from multiprocessing import get_context
from pathlib import Path
from time import perf_counter

from evaluator.estimators import WITH_LABELS
from evaluator.intervals import Drawing
from evaluator.simulation import CountsWorld, coverage

MEASURES = ("precision", "recall", "f1")
DEFAULT, ALONE = "chain-rule", "labels-only"
SHARES = ((0.03, 0.03), (0.10, 0.05), (0.30, 0.15))
ANNOTATORS = ((1.0, 1.0), (0.9, 0.97), (0.73, 0.73), (0.5, 0.5))
LABELS = (100, 200, 558)
NOMINAL = (0.93, 0.97)
WIDER = 1.02


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


def measure(
    world: CountsWorld, *, estimators: list[str], replicates: int, draws: int, seed: int
) -> dict:
    """Return coverage, width and claims of every estimator in one world."""
    found = coverage(world, estimators, Drawing(seed=seed, draws=draws), replicates=replicates)
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
        f"true {world.true:.2f}  Se {world.sensitivity:.2f} Sp {world.specificity:.3f}  "
        f"{world.labels} labels" + (" by document" if world.together > 1 else "")
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
            mark = {"nominal": " ", "at least": "≥", "few labels": "?"}[one["claim"]]
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
    options = parser.parse_args()
    estimators = list(dict.fromkeys([DEFAULT, ALONE, *(options.estimator or WITH_LABELS)]))
    work = partial(
        measure,
        estimators=estimators,
        replicates=options.replicates,
        draws=options.draws,
        seed=options.seed,
    )
    begun, faults, told = perf_counter(), [], []
    claims: Counter[str] = Counter()
    print(
        "coverage / mean width of the 95 % intervals of P, R, F (≥ claims at least, ? few labels)"
    )
    grid = worlds()
    with ProcessPoolExecutor(options.processes, mp_context=get_context("spawn")) as pool:
        for world, found in zip(grid, pool.map(work, grid), strict=True):
            show(world, found)
            faults += judge(world, found)
            claims.update(found[DEFAULT][key]["claim"] for key in MEASURES)
            told.append({"world": described(world), "found": found})
    seconds = perf_counter() - begun
    estimates = len(grid) * len(estimators) * options.replicates
    print(
        f"{len(grid)} worlds, {options.replicates:,} replicates, {estimates:,} estimates in "
        f"{seconds:,.0f} s: {60 * estimates / seconds:,.0f} a minute"
    )
    print(f"{DEFAULT} claims: " + ", ".join(f"{n} × {claim}" for claim, n in claims.items()))
    if options.json:
        options.json.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
    for fault in faults:
        print("FAULT", fault)
    if not faults:
        print(
            f"{DEFAULT}: within {NOMINAL[0]:.0%} to {NOMINAL[1]:.0%} wherever it claims nominal "
            f"coverage, at most {WIDER - 1:.0%} wider than {ALONE} everywhere"
        )
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())

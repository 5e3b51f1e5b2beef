"""Time and memory of each stage as a job grows, and what the paper's job would take by them.

Made worlds of text (:mod:`jobs.worlds`) of several sizes are evaluated whole, every fact judged:
each in a process of its own, whose stages tell what they took (``stages.json``). Of each stage the
slope of log time over log size is fitted: 1 is linear. A cost for each unit of a stage's work (a
sentence, a candidate, a judged fact, a document of the text) is fitted to the first three sizes
and checked on the largest.

    .venv/bin/python benchmarks/scale.py                             # 10,000 to 100,000 documents
    .venv/bin/python benchmarks/scale.py --sizes 1000,3000,10000     # a look
    .venv/bin/python benchmarks/scale.py --engine spark
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from jobs.worlds.making import make_world
from jobs.worlds.settings import World

STEEPEST = 1.1
LEAST = 2.0  # seconds of a stage at the largest size, from which on its slope says something
STAGES = (
    "knowledge base", "text index", "read", "annotate", "superset", "match", "score", "estimate",
)  # fmt: skip

# What the work of a stage grows with.
UNITS = {
    "knowledge base": "statements",
    "text index": "documents",
    "read": "sentences",
    "annotate": "sentences",
    "superset": "candidates",
    "match": "candidates",
    "score": "counted",
    "estimate": "candidates",
}
# Bronzi et al. 2012: 1.8 million articles of the New York Times, some 30 sentences each; 63 million
# candidates, of which a sample is counted; ClueWeb09 category B.
PAPER = {
    "statements": 400e6,
    "documents": 50e6,
    "sentences": 54e6,
    "candidates": 63e6,
    "counted": 63e6,
}
CORES = (1, 16, 256)


class Measured(NamedTuple):
    """One size: seconds and peak bytes of each stage, and the numbers of its units."""

    size: int
    seconds: Mapping[str, float]
    memory: int
    units: Mapping[str, int]


def measured(size: int, engine: str, folder: Path) -> Measured:
    """Evaluate a world of a size in a process of its own."""
    world = World(seed=1, entities=size // 4, facts=size // 2, sentences=size, documents=size)
    make_world(world, folder)
    code = f"import benchmarks.scale as s; s.evaluate({str(folder)!r}, {engine!r})"
    subprocess.run([sys.executable, "-c", code], check=True, cwd=Path(__file__).parents[1])
    told: dict[str, Any] = json.loads((folder / "took.json").read_text())
    stages = json.loads((folder / "run" / "stages.json").read_text())
    rows = {f"{one['stage']}/{table}": n for one in stages for table, n in one["rows"].items()}
    seconds = told["evidence"] | {one["stage"]: one["seconds"] for one in stages}
    units = {
        "statements": told["statements"],
        "documents": size,
        "sentences": rows["read/sentences"],
        "candidates": rows["superset/facts"],
        "counted": rows["score/counts"],
    }
    return Measured(size, seconds, max(one["peak_memory"] for one in stages), units)


def evaluate(folder: str, engine: str) -> None:
    """Build the evidence of a world and run it; write what the evidence took."""
    from jobs.config import Configuration
    from jobs.evidence.sources import prepare
    from jobs.run.pipeline import run

    place = Path(folder)
    c = Configuration.load(place / "run.toml", overrides=[f"engine={engine}"])
    begun: list[tuple[str, float]] = []
    prepare(c.kb, c.index, on_stage=lambda name, _kept: begun.append((name, perf_counter())))
    ends = [at for _, at in begun[1:]] + [perf_counter()]
    evidence = {name: end - at for (name, at), end in zip(begun, ends, strict=True)}
    statements = sum(1 for _ in (place / "kb.nt").open())
    (place / "took.json").write_text(json.dumps({"evidence": evidence, "statements": statements}))
    run(c, page=False)


def slope(sizes: Sequence[int], seconds: Sequence[float]) -> float:
    """Return the slope of log seconds over log size."""
    return float(np.polyfit(np.log(sizes), np.log(seconds), 1)[0])


def cost(units: Sequence[int], seconds: Sequence[float]) -> tuple[float, float]:
    """Return seconds to start with, and seconds a unit, none below 0."""
    matrix = np.column_stack([np.ones(len(units)), units])
    start, each = np.linalg.lstsq(matrix, np.array(seconds), rcond=None)[0]
    if start < 0:
        return 0.0, float(np.dot(units, seconds) / np.dot(units, units))
    return float(start), max(float(each), 0.0)


def main() -> int:
    """Measure all sizes; 1 where a stage grows faster than it may."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", default="10000,20000,30000,100000", help="the largest last")
    parser.add_argument("--engine", choices=("local", "spark"), default="local")
    asked = parser.parse_args()
    sizes = sorted(map(int, asked.sizes.split(",")))
    found = []
    for size in sizes:
        with TemporaryDirectory(prefix="distval-scale-") as folder:
            found.append(measured(size, asked.engine, Path(folder)))
        one = found[-1]
        told = ", ".join(f"{name} {one.seconds[name]:.1f}" for name in STAGES)
        print(f"{size:,} documents: {told} s; {one.memory / 1e6:,.0f} MB", flush=True)
        print(f"    {', '.join(f'{n:,} {unit}' for unit, n in one.units.items())}", flush=True)
    largest, steep = found[-1], []
    print("\nstage            slope  start s  µs a unit           predicted  measured")
    costs: dict[str, tuple[float, float]] = {}
    for name in STAGES:
        seconds = [one.seconds[name] for one in found]
        units = [one.units[UNITS[name]] for one in found]
        costs[name] = start, each = cost(units[:-1], seconds[:-1])
        rises = slope(sizes, seconds)
        if seconds[-1] >= LEAST and rises > STEEPEST:
            steep.append(name)
        print(
            f"{name:15}  {rises:5.2f}  {start:7.1f}  {1e6 * each:9.1f} {UNITS[name]:10}"
            f"  {start + each * units[-1]:8.1f}  {largest.seconds[name]:8.1f}"
        )
    total = sum(largest.seconds[name] for name in STAGES)
    predicted = sum(
        start + each * largest.units[UNITS[name]] for name, (start, each) in costs.items()
    )
    print(f"all              {predicted:.1f} s predicted, {total:.1f} measured: "
          f"{predicted / total - 1:+.0%}")  # fmt: skip
    memory = [one.memory for one in found]
    print(f"memory           slope {slope(sizes, memory):.2f}, {memory[-1] / 1e9:.2f} GB")
    hours = sum(each * PAPER[UNITS[name]] for name, (_, each) in costs.items()) / 3600
    here = 2
    print("\nthe paper's job, if work divides as it did over the two processes here:")
    for cores in CORES:
        print(f"    {cores:3} cores: {hours * here / cores:,.1f} hours")
    for name in steep:
        print(f"FAULT: {name} grows faster than size^{STEEPEST}")
    return 1 if steep else 0


if __name__ == "__main__":
    sys.exit(main())

"""Time and memory of each stage as a job grows, and what the paper's job would take by them.

Made worlds of text (:mod:`jobs.worlds`) of several sizes are evaluated whole, every fact judged,
each in a process of its own. Of each stage this takes the seconds by the clock, the processor time
of all processes, Java's among them, and the most memory of all processes together. The slope of log
processor time over log size is told: 1 is linear. A cost for each unit of a stage's work (a word,
a candidate, a counted fact) is fitted to all sizes but the largest, and checked on that. One more
world, the least with ten times its background text, tells facts from text where a stage takes time
for both.

    .venv/bin/python benchmarks/scale.py                       # 10,000 to 100,000 documents
    .venv/bin/python benchmarks/scale.py --sizes 1000,3000     # a look
    .venv/bin/python benchmarks/scale.py --engine spark

Exit code 1 where a stage grows faster than it may.
"""

import argparse
import json
import os
import subprocess
import sys
import threading
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import nnls

from jobs.worlds.making import make_world
from jobs.worlds.settings import World

STEEPEST = 1.1
LEAST = 2.0  # seconds of a stage at the largest size, from which on its slope says something
MORE_TEXT = 10

# What the work of a stage grows with.
UNITS = {
    "knowledge base": ["statements"],
    "text index": ["words of text"],
    "read": ["words of sentences"],
    "annotate": ["words of sentences"],
    "superset": ["candidates"],
    "match": ["candidates"],
    "score": ["facts by shards", "words by blocks"],
    "estimate": ["candidates"],
}
# A task counts a block of facts in a shard. So every fact is asked in every shard, and every block
# asks for the words of all text. A block has as many facts as the 512 MB of `index.memory` hold, at
# 100 bytes each (jobs.run.stages.score).
FACTS_OF_A_BLOCK = 5_120_000
LEAST_SHARDS = 16
CORES = (1, 16, 256)


def paper(cores: int) -> dict[str, float]:
    """Return the units of the paper's job, with a shard for each core.

    Bronzi et al. 2012: 1.8 million articles of the New York Times, a billion words, with 63 million
    candidates, all of which are counted here. ClueWeb09 category B: 50 million pages of 765 words
    (34 million of them have 26 billion). Freebase: 400 million statements.
    """
    text, candidates = 50e6 * 765, 63e6
    return {
        "statements": 400e6,
        "words of text": text,
        "words of sentences": 1e9,
        "candidates": candidates,
        "facts by shards": candidates * max(cores, LEAST_SHARDS),
        "words by blocks": text * np.ceil(candidates / FACTS_OF_A_BLOCK),
    }


class Took(NamedTuple):
    """What a stage took: seconds by the clock, processor time, and bytes at the most."""

    seconds: float
    processor: float
    memory: int


class Measured(NamedTuple):
    """One world: what each stage took, and the numbers of its units."""

    documents: int
    took: Mapping[str, Took]
    units: Mapping[str, int]


# --- One world ------------------------------------------------------------------------------------


def measured(sentences: int, documents: int, engine: str) -> Measured:
    """Evaluate a world in a process of its own; print what it took."""
    with TemporaryDirectory(prefix="distval-scale-") as name:
        folder = Path(name)
        size = {"entities": sentences // 4, "facts": sentences // 2, "sentences": sentences}
        make_world(World(seed=1, documents=documents, **size), folder)
        code = f"import benchmarks.scale as s; s.evaluate({name!r}, {engine!r})"
        subprocess.run([sys.executable, "-c", code], check=True, cwd=Path(__file__).parents[1])
        told: dict[str, Any] = json.loads((folder / "took.json").read_text())
        one = Measured(
            documents,
            {stage: Took(*each) for stage, each in told["took"].items()},
            told["units"],
        )
    print(f"\n{sentences:,} sentences, {documents:,} documents of background text")
    print(f"{'':16}{'seconds':>9}{'CPU s':>9}{'MB':>8}")
    for stage in UNITS:
        seconds, processor, memory = one.took[stage]
        print(f"{stage:16}{seconds:9.1f}{processor:9.1f}{memory / 1e6:8,.0f}")
    seconds, processor, memory = whole(one)
    print(f"{'all':16}{seconds:9.1f}{processor:9.1f}{memory / 1e6:8,.0f}")
    print("; ".join(f"{number:,} {unit}" for unit, number in one.units.items()), flush=True)
    return one


def evaluate(folder: str, engine: str) -> None:
    """Build the evidence of a world and run it; write what that took."""
    from indexes.text.manifest import read_manifest
    from jobs.config import Configuration
    from jobs.run.pipeline import run
    from jobs.run.stages import score

    place = Path(folder)
    c = Configuration.load(place / "run.toml", overrides=[f"engine={engine}"])
    with measuring() as begin:
        run(c, on_stage=lambda stage, _kept: begin(stage), page=False)
        took = begin("")
    stages = json.loads((c.run / "stages.json").read_text())
    rows = {f"{one['stage']}/{table}": n for one in stages for table, n in one["rows"].items()}
    sentences = map(json.loads, (place / "sentences.jsonl").open())
    text = read_manifest(c.index.path)
    counted = rows["score/counts"]
    parallel = c.local.workers or len(os.sched_getaffinity(0))
    blocks = min(-(-parallel // len(text.shards)), -(-counted // score._LEAST))
    units = {
        "statements": sum(1 for _ in (place / "kb.nt").open()),
        "words of text": text.tokens,
        "words of sentences": sum(len(one["text"].split()) for one in sentences),
        "candidates": rows["superset/facts"],
        "facts by shards": counted * len(text.shards),
        "words by blocks": text.tokens * blocks,
    }
    (place / "took.json").write_text(json.dumps({"took": took, "units": units}))


@contextmanager
def measuring() -> Iterator[Any]:
    """Give out a function that ends a stage, begins another, and returns what all took so far.

    Memory and processor time are looked at four times a second: a process that ended took what was
    last seen of it.
    """
    took: dict[str, Took] = defaultdict(lambda: Took(0, 0, 0))
    now, most, ended = "", [0], threading.Event()
    seen: dict[int, float] = {}
    seen.update(processor_seconds())
    last = perf_counter(), sum(seen.values())

    def look() -> None:
        while not ended.wait(0.25):
            seen.update(processor_seconds())
            most[0] = max(most[0], memory())

    def begin(stage: str) -> dict[str, Took]:
        nonlocal now, last
        seen.update(processor_seconds())
        here = perf_counter(), sum(list(seen.values()))
        before = took[now]
        took[now] = Took(
            before.seconds + here[0] - last[0],
            before.processor + here[1] - last[1],
            max(before.memory, most[0], memory()),
        )
        now, last, most[0] = stage, here, 0
        return dict(took)

    watcher = threading.Thread(target=look, daemon=True)
    watcher.start()
    try:
        yield begin
    finally:
        ended.set()
        watcher.join()


def processor_seconds() -> dict[int, float]:
    """Return the processor time of this process and of each that came from it, as Linux tells it.

    What their children took that ended is not in it: Spark's do not all tell their parents.
    """
    seconds = {}
    for process in family():
        with suppress(OSError):
            columns = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
            seconds[process] = sum(map(int, columns[11:13])) / os.sysconf("SC_CLK_TCK")
    return seconds


def memory() -> int:
    """Return the bytes of this process and of all that came from it, what they share once."""
    total = 0
    for process in family():
        with suppress(OSError):
            told = Path(f"/proc/{process}/smaps_rollup").read_text()
            total += int(told.partition("\nPss:")[2].split()[0]) << 10
    return total


def family() -> list[int]:
    """Return this process and all that came from it and are alive."""
    parents: dict[int, list[int]] = defaultdict(list)
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            parent = (folder / "stat").read_text().rpartition(")")[2].split()[1]
            parents[int(parent)].append(int(folder.name))
    found = [os.getpid()]
    for process in found:
        found += parents[process]
    return found


# --- All worlds -----------------------------------------------------------------------------------


def whole(one: Measured) -> Took:
    """Return what all stages took together."""
    seconds, processor, memory = zip(*(one.took[stage] for stage in UNITS), strict=True)
    return Took(sum(seconds), sum(processor), max(memory))


def slope(sizes: Sequence[float], values: Sequence[float]) -> float:
    """Return the slope of log values over log size."""
    return float(np.polyfit(np.log(sizes), np.log(values), 1)[0])


def costs(worlds: Sequence[Measured], stage: str) -> list[float]:
    """Return processor seconds to start with, and for each unit: the least relative errors."""
    processor = np.array([one.took[stage].processor for one in worlds])
    rows = [[1.0, *(one.units[unit] for unit in UNITS[stage])] for one in worlds]
    scale = np.max(rows, axis=0)
    found, _ = nnls(np.array(rows) / scale / processor[:, np.newaxis], np.ones(len(rows)))
    fitted: list[float] = (found / scale).tolist()
    return fitted


def predicted(fitted: Sequence[float], stage: str, units: Mapping[str, float]) -> float:
    """Return the processor seconds that a stage takes by its costs."""
    start, *each = fitted
    return start + sum(cost * units[unit] for cost, unit in zip(each, UNITS[stage], strict=True))


def main() -> int:
    """Measure all sizes; 1 where a stage grows faster than it may."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", default="10000,20000,30000,100000", help="two or more")
    parser.add_argument("--engine", choices=("local", "spark"), default="local")
    asked = parser.parse_args()
    sizes = sorted(map(int, asked.sizes.split(",")))
    worlds = [measured(size, size, asked.engine) for size in sizes]
    largest = worlds[-1]
    with_text = measured(sizes[0], MORE_TEXT * sizes[0], asked.engine)

    print("\nstage            slope  CPU s: start  and µs for each             predicted  measured")
    all_costs = {stage: costs([*worlds[:-1], with_text], stage) for stage in UNITS}
    steep = []
    for stage, (start, *each) in all_costs.items():
        rises = slope(sizes, [one.took[stage].processor for one in worlds])
        took = largest.took[stage].processor
        if took >= LEAST and rises > STEEPEST:
            steep.append(stage)
        parts = [f"{1e6 * cost:.2f} {unit}" for cost, unit in zip(each, UNITS[stage], strict=True)]
        for number, part in enumerate(parts):
            begun = f"{stage:16}{rises:6.2f}{start:14.1f}" if number == 0 else f"{'':36}"
            last = number == len(parts) - 1
            print(f"{begun}  {part:27}" + (
                f"{predicted(all_costs[stage], stage, largest.units):10.1f}{took:10.1f}"
                if last else ""
            ))  # fmt: skip
    total = whole(largest).processor
    told = sum(predicted(fitted, stage, largest.units) for stage, fitted in all_costs.items())
    print(f"all: {told:.1f} s predicted, {total:.1f} measured, error {told / total - 1:+.0%}")
    print(f"slope of all: {slope(sizes, [whole(one).processor for one in worlds]):.2f}; of memory: "
          f"{slope(sizes, [whole(one).memory for one in worlds]):.2f}")  # fmt: skip

    print("\nthe paper's job, hours of each stage if work divides without loss")
    print(f"{'':16}" + "".join(f"{cores:>6} cores" for cores in CORES))
    hours = {
        stage: [predicted(all_costs[stage], stage, paper(n)) / 3600 / n for n in CORES]
        for stage in UNITS
    }
    hours["all"] = [sum(column) for column in zip(*hours.values(), strict=True)]
    for stage, row in hours.items():
        print(f"{stage:16}" + "".join(f"{each:12,.1f}" for each in row))
    for stage in steep:
        print(f"FAULT: {stage} grows faster than size^{STEEPEST}")
    return 1 if steep else 0


if __name__ == "__main__":
    sys.exit(main())

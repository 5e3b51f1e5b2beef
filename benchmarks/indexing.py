"""Indexing a collection: Anserini's IndexCollection against ours.

Both index one made collection of JSON Lines with positions and keep the texts: Anserini in a Java
process of its own on one and on two threads, ours (:func:`indexes.text.build.build_collection`)
with one worker and with two. Time is that of the whole command, the start of Python and of Java
included; where others use the machine, compare the processors' time. Ours also merges each shard
into one segment and takes out ids that are there twice.

Both must hold all documents; where they do not, the command exits with 1.
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

import numpy as np

from evaluator.errors import DistvalError
from indexes.jvm import running
from indexes.text.manifest import open_reader, read_manifest
from peers.anserini import index_collection

SEED = 2012
VOCABULARY, LENGTH = 200_000, 110
LETTERS = "etaoinshrdlucmfwypvbgk"
BUILD = """
import sys
from pathlib import Path
from indexes.text.build import build_collection

if __name__ == "__main__":
    workers = int(sys.argv[3])
    build_collection(Path(sys.argv[1]), Path(sys.argv[2]), shards=workers, workers=workers)
"""


class Timing(NamedTuple):
    """How long a number of documents took."""

    what: str
    documents: int
    seconds: float
    processor: float

    @property
    def rate(self) -> float:
        """Documents per second."""
        return self.documents / self.seconds

    @property
    def processor_rate(self) -> float:
        """Documents per second of processor time, over all cores."""
        return self.documents / self.processor


class Watch:
    """Takes the time of the processes that are run until it is asked."""

    def __init__(self) -> None:
        self._start = time.perf_counter(), self._processor()

    def read(self) -> tuple[float, float]:
        """Seconds on the clock and of the processors since the start."""
        now = time.perf_counter(), self._processor()
        return now[0] - self._start[0], now[1] - self._start[1]

    @staticmethod
    def _processor() -> float:
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return used.ru_utime + used.ru_stime


def main() -> int:
    """Measure, compare and print; return the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--documents", type=int, default=100_000, metavar="N")
    number = parser.parse_args().documents
    try:
        with tempfile.TemporaryDirectory(prefix="distval-") as name:
            folder = Path(name)
            for kind, text in (("ours", "text"), ("anserini", "contents")):
                (folder / kind).mkdir()
                write_collection(folder / kind / "made.jsonl", number, text)
            print(f"{'':<24}{'documents':>10}{'seconds':>9}{'docs/s':>9}{'docs/CPU-s':>12}")
            timings = []
            for count in (1, 2):
                for run in (run_anserini, run_ours):
                    timings.append(run(folder, count))
                    print_timing(timings[-1])
    except DistvalError as error:
        print(error, file=sys.stderr)
        return 2
    print("\nours / Anserini")
    for count, (theirs, ours) in enumerate((timings[:2], timings[2:]), start=1):
        processor = ours.processor_rate / theirs.processor_rate
        print(f"  on {count}: docs/s {ours.rate / theirs.rate:.2f}, docs/CPU-s {processor:.2f}")
    return 0 if {timing.documents for timing in timings} == {number} else 1


def print_timing(timing: Timing) -> None:
    """Print the line of a timing."""
    what, documents, seconds, _ = timing
    rates = f"{timing.rate:>9,.0f}{timing.processor_rate:>12,.0f}"
    print(f"{what:<24}{documents:>10,}{seconds:>9.1f}{rates}", flush=True)


def write_collection(file: Path, number: int, text: str) -> None:
    """Write documents of Zipfian words, whose field of text is called `text`."""
    random = np.random.default_rng(SEED)
    letters = np.array(list(LETTERS))
    lengths = random.integers(2, 11, VOCABULARY)
    words = np.array(["".join(random.choice(letters, length)) for length in lengths], object)
    likelihood = 1 / (np.arange(VOCABULARY) + 3)
    shares = np.cumsum(likelihood / likelihood.sum())
    with file.open("w", encoding="utf-8") as stream:
        for document in range(number):
            drawn = np.searchsorted(shares, random.random(random.poisson(LENGTH) + 1))
            found = words[np.minimum(drawn, VOCABULARY - 1)]
            record = {"id": f"doc-{document}", "title": found[0].title()}
            stream.write(json.dumps({**record, text: " ".join(found).capitalize() + "."}) + "\n")


def run_ours(folder: Path, workers: int) -> Timing:
    """Index with ours, and count what is in the index."""
    index = folder / f"ours-{workers}"
    script = folder / "build.py"
    script.write_text(BUILD, encoding="utf-8")
    watch = Watch()
    collection = folder / "ours" / "made.jsonl"
    subprocess.run(
        [sys.executable, script, collection, index, str(workers)],
        env={"PYTHONPATH": str(Path(__file__).parents[1])},
        check=True,
    )
    seconds = watch.read()
    shards = read_manifest(index).shards
    documents = sum(documents_in(index / shard.name) for shard in shards)
    return Timing(f"ours, {workers} worker{'s' * (workers > 1)}", documents, *seconds)


def run_anserini(folder: Path, threads: int) -> Timing:
    """Index with Anserini, and count what is in the index."""
    index = folder / f"anserini-{threads}"
    stored = ["-fields", "title", "-storePositions", "-storeRaw"]
    watch = Watch()
    index_collection(folder / "anserini", index, threads=threads, options=stored)
    seconds = watch.read()
    what = f"Anserini, {threads} thread{'s' * (threads > 1)}"
    return Timing(what, documents_in(index), *seconds)


def documents_in(index: Path) -> int:
    """Return how many documents a Lucene index holds."""
    with running() as java, ExitStack() as opening:
        return int(open_reader(java, index, opening).numDocs())


if __name__ == "__main__":
    sys.exit(main())

"""Reading a dump of Freebase: ours, and the parsers that others would use, on the same lines.

In one process, on one core, on a file in the form of Freebase's dump, compressed as it is:

* ours is :func:`indexes.dumps.read_dump`: statements, whatever the lines are;
* pyoxigraph parses every triple, rdflib those of a first part of the file (its rate is
  extrapolated), and both are reduced to the facts that join two topics;
* ``zcat FILE | wc -l`` only unpacks the file and counts its lines: the bound for all.

Seconds are of CPU time, so that other work on the machine counts for nothing.

The facts must be the same, in number and by a hash that no order changes; where they are not, the
command exits with 1. No line of that file is damaged, since pyoxigraph passes over the neighbours
of damaged lines too. Ours then reads the file with one line in 20,000 damaged, and the memory that
it takes is measured on that and on one of a tenth of its size, each in a process of its own.

The files are made out of FB15k-237 (:mod:`freebase_dump`).
"""

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

import pyarrow.compute as pc
import pyoxigraph
from freebase_dump import write_dump
from isal import igzip
from rdflib.plugins.parsers.ntriples import W3CNTriplesParser
from rdflib.term import Identifier, URIRef

from evaluator.errors import DistvalError
from evaluator.model import Rejects
from indexes.dumps import read_dump
from indexes.dumps.parts import split_dump
from jobs.config import data_folder

LINES = 5_000_000
RDFLIB_LINES = 200_000
SEED = 2012
LIMIT = 1 << 30  # bytes of memory

_NS = "http://rdf.freebase.com/ns/"
# What is said about the database and the web, and not about the world.
_NO_RELATIONS = (
    *(f"{_NS}{name}." for name in ("type", "freebase", "common", "pipeline")),
    "http://www.w3.org/",
    "http://rdf.freebase.com/key/",
)
_YET_RELATIONS = (f"{_NS}common.topic.webpage", f"{_NS}common.webpage.")
_MASK = (1 << 64) - 1

type Triple = tuple[str, str, str]


class Facts(NamedTuple):
    """A set of facts, known by its size and the sum of their hashes."""

    number: int
    hashed: int


class Reading(NamedTuple):
    """How long a reader took, and the facts that it found."""

    what: str
    lines: int
    seconds: float
    facts: Facts | None = None

    @property
    def rate(self) -> float:
        """Lines per second."""
        return self.lines / self.seconds


def main() -> int:
    """Measure, compare and print; return the exit code."""
    options = _options()
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    try:
        with tempfile.TemporaryDirectory(prefix="distval-") as name:
            folder = Path(name)
            damaged, tenth, clean, first = _files(folder, options)
            peaks = {count_lines(path).lines: peak(path) for path in (tenth, damaged)}
            lines, first_lines = count_lines(clean).lines, count_lines(first).lines
            whole = [
                count_lines(clean),
                timed("ours", lines, lambda: read_with_ours(clean), facts_of_ours(clean)),
                timed("pyoxigraph", lines, lambda: reduced(parse_with_pyoxigraph(clean))),
            ]
            part = [
                timed("ours", first_lines, lambda: read_with_ours(first), facts_of_ours(first)),
                timed("rdflib", first_lines, lambda: reduced(parse_with_rdflib(first))),
            ]
            split = splitting(clean, folder, cores=cores)
    except DistvalError as error:
        print(error, file=sys.stderr)
        return 2
    print_readings(whole, part)
    print_splitting(split)
    return 0 if print_agreement(whole, part) & print_memory(peaks) else 1


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--lines", type=int, default=LINES, metavar="N", help="of the file made")
    parser.add_argument(
        "--rdflib-lines", type=int, default=RDFLIB_LINES, metavar="M", help="read by rdflib"
    )
    options = parser.parse_args()
    if not 0 < options.rdflib_lines <= options.lines // 10:
        parser.error("expected 0 < --rdflib-lines <= --lines / 10")
    return options


# --- What is read -----------------------------------------------------------------------------


def _files(folder: Path, options: argparse.Namespace) -> tuple[Path, Path, Path, Path]:
    """Make the files: damaged, a tenth of it, without damage, and the first lines of that."""
    data = data_folder() / "fb15k237"
    damaged, tenth, clean, first = (
        folder / f"{name}.nt.gz" for name in ("damaged", "tenth", "clean", "first")
    )
    start = time.perf_counter()
    write_dump(damaged, data=data, lines=options.lines, seed=SEED)
    write_dump(tenth, data=data, lines=options.lines // 10, seed=SEED)
    made = write_dump(clean, data=data, lines=options.lines, seed=SEED, damaged=False)
    with igzip.open(clean, "rb") as stream, igzip.open(first, "wb") as part:
        part.writelines(islice(stream, options.rdflib_lines))
    print(f"files of {made:,} lines made in {time.perf_counter() - start:.0f} s")
    return damaged, tenth, clean, first


# --- The readers ------------------------------------------------------------------------------


def timed(
    what: str, lines: int, read: Callable[[], Facts | None], facts: Facts | None = None
) -> Reading:
    """Return how long reading takes; `facts` are those found if `read` does not say."""
    start = time.process_time()
    found = read()
    return Reading(what, lines, time.process_time() - start, found or facts)


def count_lines(path: Path) -> Reading:
    """Unpack a file with the system's gzip and count its lines."""
    start = _children_time()
    with subprocess.Popen(["zcat", path], stdout=subprocess.PIPE) as unpacked:
        counted = subprocess.run(
            ["wc", "-l"], stdin=unpacked.stdout, capture_output=True, check=True, text=True
        )
    return Reading("zcat | wc -l", int(counted.stdout), _children_time() - start)


def _children_time() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def read_with_ours(path: Path) -> None:
    """Read all statements, of every kind."""
    for _ in read_dump(path, format="freebase", rejects=Rejects(), left_out=Rejects()):
        pass


def facts_of_ours(path: Path) -> Facts:
    """Return the facts among our statements."""

    def facts() -> Iterator[Triple]:
        for batch in read_dump(path, format="freebase", rejects=Rejects(), left_out=Rejects()):
            found = batch.filter(pc.equal(batch["kind"], "fact"))
            yield from zip(
                *(found[name].to_pylist() for name in ("subject", "predicate", "object")),
                strict=True,
            )

    return _facts(facts())


def parse_with_pyoxigraph(path: Path) -> Iterator[Triple]:
    """Yield the IRIs of each triple that has three."""
    with igzip.open(path, "rb") as stream:
        for subject, predicate, object_, _graph in pyoxigraph.parse(
            stream, pyoxigraph.RdfFormat.N_TRIPLES
        ):
            if isinstance(object_, pyoxigraph.NamedNode):
                yield subject.value, predicate.value, object_.value


class _Collecting(W3CNTriplesParser):
    """rdflib's parser, a line at a time."""

    def __init__(self) -> None:
        super().__init__(sink=self)
        self.found: list[tuple[Identifier, Identifier, Identifier]] = []

    def triple(self, subject: Identifier, predicate: Identifier, object_: Identifier) -> None:
        self.found.append((subject, predicate, object_))


def parse_with_rdflib(path: Path) -> Iterator[Triple]:
    """Yield the IRIs of each triple that has three."""
    parser = _Collecting()
    with igzip.open(path, "rt", encoding="utf-8") as stream:
        for line in stream:
            parser.line = line.rstrip("\n")
            parser.parseline()
            if isinstance(parser.found[-1][2], URIRef):
                subject, predicate, object_ = parser.found[-1]
                yield str(subject), str(predicate), str(object_)
            parser.found.clear()


def reduced(triples: Iterator[Triple]) -> Facts:
    """Return the facts that join two topics, written as ours are."""
    start = len(_NS)
    return _facts(
        (
            f"/{subject[start]}/{subject[start + 2 :]}",
            predicate[start:],
            f"/{object_[start]}/{object_[start + 2 :]}",
        )
        for subject, predicate, object_ in triples
        if _is_relation(predicate) and _is_topic(subject) and _is_topic(object_)
    )


def _is_topic(iri: str) -> bool:
    return iri.startswith((f"{_NS}m.", f"{_NS}g."))


def splitting(path: Path, folder: Path, *, cores: set[int]) -> dict[str, float]:
    """Return the seconds that unpacking and counting takes, and splitting, by the clock."""
    os.sched_setaffinity(0, cores)
    seconds = {}
    start = time.perf_counter()
    count_lines(path)
    seconds["zcat | wc -l"] = time.perf_counter() - start
    for number in sorted({1, len(cores)}):
        os.sched_setaffinity(0, sorted(cores)[:number])
        start = time.perf_counter()
        split_dump(path, folder / f"parts-{number}", format="freebase")
        seconds[f"split to parts on {number} core(s)"] = time.perf_counter() - start
    return seconds


@cache
def _is_relation(predicate: str) -> bool:
    return predicate.startswith(_YET_RELATIONS) or not predicate.startswith(_NO_RELATIONS)


def _facts(facts: Iterator[Triple]) -> Facts:
    number = hashed = 0
    for fact in facts:
        number += 1
        hashed = (hashed + hash(fact)) & _MASK
    return Facts(number, hashed)


# --- Memory -----------------------------------------------------------------------------------


def peak(path: Path) -> int:
    """Return the most memory that reading a file takes, in bytes, in a process of its own."""
    with get_context("spawn").Pool(1) as pool:
        return pool.apply(_peak, (path,))


def _peak(path: Path) -> int:
    read_with_ours(path)
    status = Path("/proc/self/status").read_text(encoding="ascii")
    fields = dict(line.split(":", 1) for line in status.splitlines())
    return int(fields["VmHWM"].split()[0]) << 10


# --- What is printed --------------------------------------------------------------------------


def print_readings(whole: Sequence[Reading], part: Sequence[Reading]) -> None:
    """Print a line for each reader, and how the rates compare."""
    print(f"{'':<18}{'lines':>11}{'seconds':>9}{'lines/s':>11}{'facts':>10}")
    for what, lines, seconds, facts in (*whole, *part):
        number = f"{facts.number:,}" if facts else ""
        print(f"{what:<18}{lines:>11,}{seconds:>9.2f}{lines / seconds:>11,.0f}{number:>10}")
    bound, ours, *others = whole
    print("\nours / others, in lines/s")
    print(f"  {bound.what}: {ours.rate / bound.rate:.2f}")
    for other in others:
        print(f"  {other.what}: {ours.rate / other.rate:,.1f}")
    for other in part[1:]:
        print(f"  {other.what}, by its first {other.lines:,} lines: {ours.rate / other.rate:,.1f}")


def print_splitting(seconds: Mapping[str, float]) -> None:
    """Print how long splitting takes beside unpacking."""
    bound, *_ = seconds.values()
    print("\nsplitting to parts, parts written, by the clock")
    for what, taken in seconds.items():
        print(f"  {what:<30}{taken:>7.2f} s  {bound / taken:.2f} of the rate of zcat | wc -l")


def print_agreement(*readings: Sequence[Reading]) -> bool:
    """Print whether those who read the same lines found the same facts; tell it."""
    agree = all(len({reading.facts for reading in same if reading.facts}) == 1 for same in readings)
    print("\nfacts agree" if agree else "\nfacts disagree")
    return agree


def print_memory(peaks: Mapping[int, int]) -> bool:
    """Print the memory that reading so many lines takes; tell whether it is within the limit."""
    print("\nmemory of ours, damaged lines among the others")
    for lines, most in peaks.items():
        print(f"  {lines:>11,} lines: {most / (1 << 20):,.0f} MiB at most")
    within = max(peaks.values()) < LIMIT
    print(f"  {'within' if within else 'beyond'} {LIMIT >> 20:,} MiB")
    return within


if __name__ == "__main__":
    sys.exit(main())

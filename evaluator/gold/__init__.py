"""Gold benchmarks: what annotators wrote down of a few hundred sentences, and how it is scored.

One file per benchmark, each with a ``NAME``, a one-line ``DESCRIPTION``, its ``SOURCE`` (paper and
data), the ``MODES`` and ``OPTIONS`` it has, its ``MENDS``, and two functions (:class:`Benchmark`).
Adding a benchmark is adding such a file: :func:`benchmarks` finds it.

A *mode* says whose rules count. "released" are those of the scorer that the authors released, with
its faults: the figures that papers report. "corrected" mends the known faults; each mend has a name
that the signature of a figure holds. "paper" follows the paper's formula where that is another.
The rules are written from their description and from the papers; no code was copied.

Whatever the benchmark, a sentence contributes additive numbers (:mod:`evaluator.gold.statistics`).
From these come precision, recall and F, a curve over confidences, intervals and paired tests, for
every benchmark in the same way.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, NamedTuple, Protocol

from evaluator.found import Found
from evaluator.gold.statistics import Statistics
from evaluator.model import Extraction, Rejects

Mode = Literal["released", "corrected", "paper"]

# What became of an extraction: the outcomes of Judged.
MATCHED = "matched"
UNMATCHED = "unmatched"
COVERED = "its gold tuple is covered already"
OUTSIDE = "its sentence is not in the gold data"
LEFT_OUT = "left out by the rules"
OUTCOMES = (MATCHED, UNMATCHED, COVERED, OUTSIDE, LEFT_OUT)


class Judged(NamedTuple):
    """What became of one extraction, with all extractions of the system kept.

    Attributes
    ----------
    extraction
        As read.
    outcome
        One of :data:`OUTCOMES`.
    sentence
        Index of its sentence in the gold data; None where it is not there.
    gold
        Index, within the sentence, of the gold tuple or synset that it was matched with.
    precision, recall
        Of the pair, where the benchmark scores overlaps; None where it does not or nothing matched.
    note
        Why, where the outcome does not say it ("left out: empty relation").
    """

    extraction: Extraction
    outcome: str
    sentence: int | None = None
    gold: int | None = None
    precision: float | None = None
    recall: float | None = None
    note: str = ""


class GoldSentence(NamedTuple):
    """A sentence of the gold data.

    Attributes
    ----------
    id
        What the data call it; where they do not, its number from 1 in file order.
    text
        The sentence as the data give it.
    tuples
        Its gold tuples as a person reads them: "(He; served as; Prime Minister)".
    """

    id: str
    text: str
    tuples: Sequence[str]


class Gold(Protocol):
    """Gold data as a benchmark holds them: whatever it scores with, and these two."""

    @property
    def sentences(self) -> Sequence[GoldSentence]:
        """The sentences in file order: Statistics and Judged count them from 0."""

    @property
    def counts(self) -> Mapping[str, int]:
        """What the data hold: "sentences", "tuples" or "synsets", and the benchmark's own."""


@dataclass(frozen=True, slots=True)
class Output:
    """The output of one system, read: its name, the format it came in, its extractions in order.

    The format matters: released scorers read some formats in ways of their own.
    """

    system: str
    format: str
    extractions: Sequence[Extraction]


@dataclass(frozen=True, slots=True)
class Scored:
    """What one system gets.

    Attributes
    ----------
    statistics
        The additive numbers; precision, recall, F and the curve follow from them.
    counts
        The benchmark's own figures, in the order in which they are shown ("tp", "matches", …).
    judged
        One entry for each extraction of the output, in its order.
    notes
        What a reader of the figures should know ("2 gold sentences have one key; …").
    """

    statistics: Statistics
    counts: Mapping[str, float]
    judged: Sequence[Judged]
    notes: Sequence[str] = field(default_factory=tuple)


class Benchmark(Protocol):
    """What a module of this package offers.

    Attributes
    ----------
    NAME, DESCRIPTION, SOURCE
        What the command line calls it, one line for people, and paper and data.
    MODES
        The modes that it has; "released" first.
    OPTIONS
        Further choices with their values, the first of which is the default:
        ``{"rules": ("supervised", "2019", "head")}``.
    CURVE
        Whether it ranks extractions by their confidences: it then has an area under a curve.
    MENDS
        What "corrected" mends: the name that a signature holds, and a line for people. Where not
        every option needs every mend, ``mends_under(options)`` names those that it has.
    """

    NAME: str
    DESCRIPTION: str
    SOURCE: str
    MODES: Sequence[Mode]
    OPTIONS: Mapping[str, Sequence[str]]
    CURVE: bool
    MENDS: Mapping[str, str]

    def read_gold(
        self, path: Path, *, mode: Mode, options: Mapping[str, str], rejects: Rejects
    ) -> Gold:
        """Return the gold data of a file; count what is no record in `rejects`.

        Raises
        ------
        InputError
            If the file is missing, empty, damaged, or holds no gold tuple.
        """

    def score(self, gold: Any, output: Output, *, mode: Mode, options: Mapping[str, str]) -> Scored:
        """Return what a system gets on gold data that were read with the same mode and options."""


_BENCHMARKS = Found[Benchmark](__name__, "MENDS", whole=True)


def benchmarks() -> Mapping[str, Benchmark]:
    """Return the known benchmarks by name, in alphabetical order."""
    return _BENCHMARKS

"""What a report tells beyond the result: facts by relation, sentence, document and source.

All of it is counted from the run's tables (:mod:`jobs.run.report_data`) as the numbers here, and
the rules of what may be shown are here:

*Groups* have a figure of their own from :data:`LEAST_VERDICTS` judged facts on, the number that a
system's own headline needs. Smaller ones are pooled into one group, "others". Of groups without an
order the best are those with the highest lower end of Wilson's interval, and the worst those with
the lowest upper end, each group taken as a sample of more facts like its own: neither place is won
by a group of which little is known.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import NamedTuple

from evaluator.comparison.withheld import LEAST_VERDICTS
from evaluator.estimators.sensitivity import Curve
from evaluator.intervals import Estimate, wilson

MOST_GROUPS = 8
"""Groups that are shown at each end, best and worst."""


class FactCounts(NamedTuple):
    """Facts of S that a system has in common with a group, by what is known of them.

    Attributes
    ----------
    facts
        All.
    matched
        Those that the knowledge base holds.
    sampled
        Of the others, those in the sample that was judged.
    accepted, undefined
        Of these.
    """

    facts: int
    matched: int
    sampled: int
    accepted: int
    undefined: int

    @property
    def verdicts(self) -> int:
        """Facts that are judged correct or not."""
        return self.matched + self.sampled - self.undefined

    def __add__(self, other: object) -> "FactCounts":
        if not isinstance(other, FactCounts):
            return NotImplemented
        return FactCounts(*(a + b for a, b in zip(self, other, strict=True)))

    def precision(self, level: float) -> Estimate:
        """Return the share of correct facts: those matched are known, the others sampled.

        Undefined facts count as not correct, as in precision.
        """
        rest = self.facts - self.matched
        n = self.matched + self.sampled
        if not self.facts or (rest and not self.sampled):
            return Estimate(None, None, None, "Wilson", level, n)
        share = wilson(self.accepted, self.sampled, level=level, population=rest)
        value, low, high = ((self.matched + rest * (s or 0.0)) / self.facts for s in share[:3])
        return Estimate(value, low, high, share.method, level, n)


class Group(NamedTuple):
    """A group of a system's facts."""

    name: str
    counts: FactCounts
    precision: Estimate


class Breakdown(NamedTuple):
    """The facts of one system in groups.

    Attributes
    ----------
    groups
        In their order, or the best first and the worst last.
    left_out
        Groups between the best and the worst that are not shown.
    pooled
        Groups too small to have a figure; their facts are in ``others``.
    others
        None where there are none.
    """

    groups: Sequence[Group]
    left_out: int
    pooled: int
    others: Group | None


def breakdown(
    counts: Mapping[str, FactCounts], *, level: float, small: tuple[int, FactCounts] | None = None
) -> Breakdown:
    """Return groups as they may be shown: the best and the worst.

    Parameters
    ----------
    counts
        By the name of the group.
    level
        Of the intervals.
    small
        How many groups are left out of `counts` for being too small, and their facts.
    """
    large, pooled, rest = _pooled(counts, level)
    if small is not None:
        pooled, rest = pooled + small[0], rest + small[1]
    large.sort(key=lambda group: (-_ends(group)[0], group.name))
    left_out = 0
    if len(large) > 2 * MOST_GROUPS:
        best = large[:MOST_GROUPS]
        worst = sorted(large[MOST_GROUPS:], key=lambda group: (_ends(group)[1], group.name))
        left_out = len(worst) - MOST_GROUPS
        large = [*best, *worst[:MOST_GROUPS][::-1]]
    return Breakdown(large, left_out, pooled, _others(rest, level))


def ordered_breakdown(counts: Mapping[str, FactCounts], *, level: float) -> Breakdown:
    """Return groups that have an order of their own, such as lengths, in the order of `counts`."""
    large, pooled, rest = _pooled(counts, level)
    return Breakdown(large, 0, pooled, _others(rest, level))


def _pooled(counts: Mapping[str, FactCounts], level: float) -> tuple[list[Group], int, FactCounts]:
    large = [
        Group(name, of, of.precision(level))
        for name, of in counts.items()
        if of.verdicts >= LEAST_VERDICTS
    ]
    small = [of for of in counts.values() if of.verdicts < LEAST_VERDICTS]
    return large, len(small), sum(small, NOTHING)


def _others(counts: FactCounts, level: float) -> Group | None:
    return Group("others", counts, counts.precision(level)) if counts.facts else None


def _ends(group: Group) -> tuple[float, float]:
    of = group.counts
    found = wilson(of.matched + of.accepted, of.matched + of.sampled)
    return found.low or 0.0, found.high or 0.0


NOTHING = FactCounts(0, 0, 0, 0, 0)


class CurveStep(NamedTuple):
    """Precision and recall of the facts of a system from a confidence on.

    Attributes
    ----------
    confidence
        The least that is taken.
    facts
        How many there are.
    precision
        Their precision.
    recall
        None where it is not known.
    """

    confidence: float
    facts: int
    precision: Estimate
    recall: float | None


def confidence_curve(
    steps: Sequence[tuple[float, FactCounts]], *, truth: float | None, level: float
) -> list[CurveStep]:
    """Return the curve of a system.

    Parameters
    ----------
    steps
        The facts at each confidence, the highest first; equal ones are in one step.
    truth
        a + b + c + d as they are estimated, which recall is of; None where it is not known.
    level
        Of the intervals.
    """
    confidences = [confidence for confidence, _ in steps]
    found = []
    for confidence, counts in zip(confidences, accumulate(of for _, of in steps), strict=True):
        precision = counts.precision(level)
        right = None if precision.value is None else precision.value * counts.facts
        recall = right / truth if truth and right is not None else None
        found.append(CurveStep(confidence, counts.facts, precision, recall))
    return found


class RunBefore(NamedTuple):
    """What a run said before.

    Attributes
    ----------
    figures
        By system and measure: with labels where there were some.
    differing
        The parts of the signature that are others now: name, before and now.
    """

    figures: Mapping[str, Mapping[str, Estimate]]
    differing: Sequence[tuple[str, str, str]]


@dataclass(frozen=True, kw_only=True)
class ReportData:
    """What a report shows beside the result.

    Attributes
    ----------
    scores
        By system, the scores of its sampled facts that the knowledge base does not decide; None
        and NaN stand for undefined.
    curves
        By system that gives confidences.
    sources
        By system, its facts by where the evidence came from and what it says.
    groups
        By kind ("relation", ...), the facts of each system in groups.
    sensitivity
        What ``distval sensitivity`` found for this result; None where it has not been run.
    date
        When the figures were made.
    before
        What the run said before, where that was something else.
    """

    scores: Mapping[str, Sequence[float | None]] = field(default_factory=dict)
    curves: Mapping[str, Sequence[CurveStep]] = field(default_factory=dict)
    sources: Mapping[str, Mapping[str, Mapping[str, int]]] = field(default_factory=dict)
    groups: Mapping[str, Mapping[str, Breakdown]] = field(default_factory=dict)
    sensitivity: Sequence[Curve] | None = None
    date: str | None = None
    before: RunBefore | None = None


GROUPS = {
    "relation": "relation",
    "popularity": "sentences that mention the rarer entity",
    "length": "words of the sentence",
    "document": "document",
}
"""What facts are grouped by, and how it is called."""

ORDERED = ("popularity", "length")
"""Groups with an order of their own; systems are shown in one chart."""

SOURCES = (
    "knowledge base",
    "all three near each other in a document",
    "only the two entities in a document",
    "no document with both entities",
    "no relation word, or negated",
    "not judged",
)
"""Where the evidence on a fact came from, the strongest first: what the text holds of its entities
and its relation, which is not yet what the annotator makes of it."""

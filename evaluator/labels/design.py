"""Which facts to label: the strata of a run's facts and the classes to draw from.

A fact is in S or only in G′, and in D or not: that makes its *group*, whose size is known exactly.
Where several systems are evaluated together, the facts that they state are divided by the smallest
system that states them, so that a small system gets labels too. In every group a simple random
sample was judged, the facts with sampling keys up to a cut; by what the annotator said they fall
into *classes*, finer where there are labels enough: by verdict, by the annotator's score, and by
how many documents hold the pair. The facts with the smallest keys of each class are drawn: a simple
random sample of it, because a key says nothing of its fact. So a larger budget only adds.
"""

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from evaluator.estimators.allocation import ASSUMED
from evaluator.estimators.strata import Stratum, StratumClass
from evaluator.estimators.tallies import UNDEFINED, Verdict

MATCHED = "matched"
_ORDER = ("rejected", "undefined", "accepted", MATCHED)
# Labels that a class should get at least on average before classes are made finer.
_ENOUGH = 12
_UNITS = 1_000


class JudgedFact(NamedTuple):
    """A fact of S ∪ G′ as a run judged it; fields as in the table of judged facts."""

    candidate: bool
    systems: frozenset[str]
    matched: bool
    verdict: Verdict | None
    score: float | None
    pair: int | None
    key: int


class Place(NamedTuple):
    """Where a fact is: its group, and its class if it is among those that labels are drawn from."""

    group: str
    name: str | None


class Stratification(NamedTuple):
    """How facts are divided into groups and classes.

    Attributes
    ----------
    systems
        From the one with the fewest facts to the one with the most.
    cuts
        Group to the largest sampling key of its judged facts; None where all are judged.
    rejected, accepted
        Scores at which these verdicts are divided: rejected facts above the first, accepted ones
        from the second on; None where they are not divided.
    pair
        Documents with both entities from which on a pair is common; None where not divided.
    """

    systems: tuple[str, ...]
    cuts: Mapping[str, int | None]
    rejected: float | None = None
    accepted: float | None = None
    pair: int | None = None

    def known_cuts(self) -> tuple[int, ...]:
        """Return the cuts that divide facts, smallest first."""
        return tuple(sorted({cut for cut in self.cuts.values() if cut is not None}))

    def place(self, fact: JudgedFact) -> Place:
        """Return the group and the class of a fact."""
        owner = next((name for name in self.systems if name in fact.systems), None)
        group = group_name(owner, matched=fact.matched)
        if fact.matched:
            return Place(group, MATCHED)
        cut = self.cuts.get(group)
        if fact.verdict is None or (cut is not None and fact.key > cut):
            return Place(group, None)
        return Place(group, self._class(fact))

    def _class(self, fact: JudgedFact) -> str:
        if fact.verdict in UNDEFINED or fact.score is None or fact.pair is None:
            return "undefined"
        name = str(fact.verdict)
        edge = self.rejected if name == "rejected" else self.accepted
        if edge is not None:
            above = fact.score > edge if name == "rejected" else fact.score >= edge
            name += f", score {'high' if above else 'low'}"
        if self.pair is not None:
            name += ", common pair" if fact.pair >= self.pair else ", rare pair"
        return name

    def as_json(self) -> dict[str, Any]:
        """Return the stratification as a JSON object."""
        return {**self._asdict(), "systems": list(self.systems), "cuts": dict(self.cuts)}

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> "Stratification":
        """Return the stratification that :meth:`as_json` wrote."""
        return cls(**{**content, "systems": tuple(content["systems"])})


def group_name(system: str | None, *, matched: bool) -> str:
    """Return the name of the group of a system's facts, or of the candidates that none states."""
    return (
        f"{'G′ alone' if system is None else f'S of {system}'}, {'in D' if matched else 'not in D'}"
    )


def order(name: str) -> tuple[int, str]:
    """Return the sorting key of a class: from those with the least true facts to the most."""
    verdict = name.partition(",")[0]
    # "low" and "rare" come before "high" and "common" here, whatever the alphabet says.
    return _ORDER.index(verdict), name.replace("low", "0").replace("high", "1").replace("rare", "0")


def assumed_share(name: str) -> float:
    """Return the share of true facts that a plan assumes of a class before there are labels."""
    return ASSUMED[name.partition(",")[0]]


def _counted(
    facts: Iterable[JudgedFact] | Mapping[JudgedFact, int],
) -> Iterator[tuple[JudgedFact, int]]:
    yield from facts.items() if isinstance(facts, Mapping) else ((fact, 1) for fact in facts)


def stratifications(
    facts: Iterable[JudgedFact] | Mapping[JudgedFact, int],
    *,
    systems: Sequence[str],
    cuts: Mapping[str, int | None],
) -> list[Stratification]:
    """Return the ways to divide facts, from the finest to the coarsest.

    Parameters
    ----------
    facts
        All facts of S ∪ G′, or how many there are of each kind.
    systems
        From the smallest to the largest.
    cuts
        As in :class:`Stratification`.
    """
    coarse = Stratification(tuple(systems), cuts)
    scores: dict[str, Counter[float]] = {"rejected": Counter(), "accepted": Counter()}
    pairs: Counter[int] = Counter()
    for fact, number in _counted(facts):
        if fact.score is None or fact.pair is None or fact.verdict not in scores:
            continue
        if coarse.place(fact).name:
            pairs[fact.pair] += number
            scores[fact.verdict][fact.score] += number
    rejected, accepted = scores["rejected"], scores["accepted"]
    # A PMI is 0 for most rejected facts: any hit at all tells more than how many.
    least = min(rejected, default=0.0)
    by_score = coarse._replace(
        rejected=(least if least == 0 else _median(rejected)) if len(rejected) > 1 else None,
        accepted=_median(accepted) if len(accepted) > 1 else None,
    )
    popular = _median(pairs) if pairs else 0
    by_pair = by_score._replace(pair=popular if pairs and min(pairs) < popular else None)
    return [by_pair, *[s for s in (by_score, coarse) if s != by_pair]]


def _median[Number: (int, float)](counts: Counter[Number]) -> Number:
    """Return the value above which at most half of the facts are."""
    left = sum(counts.values()) / 2
    for value in sorted(counts):
        left -= counts[value]
        if left <= 0:
            return value
    raise ValueError("nothing is counted")


def enough(cells: Iterable["LabelCell"], budget: int) -> bool:
    """Return whether a budget gives the classes of `cells` labels enough on average."""
    return budget >= _ENOUGH * len({cell.place for cell in cells if cell.place.name is not None})


class LabelCell(NamedTuple):
    """Facts that agree in all that follows, and their sums: additive over any division of facts.

    Attributes
    ----------
    place
        Group and class; no class where they are not among those that labels are drawn from.
    candidate, systems
        As in :class:`JudgedFact`.
    facts
        Number of facts.
    score, squares
        Sums of the annotator's score and of its square, in thousandths and millionths: whole
        numbers, which add up to the same in any order.
    """

    place: Place
    candidate: bool
    systems: frozenset[str]
    facts: int
    score: int
    squares: int


def thousandths(fact: JudgedFact) -> int:
    """Return the annotator's score of a fact in thousandths: 1 in D, 0 where it is undefined."""
    return _UNITS if fact.matched else round(_UNITS * min(fact.score or 0.0, 1.0))


def label_cells(
    facts: Iterable[JudgedFact] | Mapping[JudgedFact, int], stratification: Stratification
) -> list[LabelCell]:
    """Return the cells of `facts`, or of so many of each kind, in a fixed order."""
    sums: dict[tuple[Place, bool, frozenset[str]], list[int]] = defaultdict(lambda: [0, 0, 0])
    for fact, number in _counted(facts):
        place, value = stratification.place(fact), thousandths(fact)
        of = sums[place, fact.candidate, fact.systems]
        of[0] += number
        if place.name is not None:
            of[1] += number * value
            of[2] += number * value * value
    return in_fixed_order(LabelCell(*cell, *of) for cell, of in sums.items())


def in_fixed_order(cells: Iterable[LabelCell]) -> list[LabelCell]:
    """Return cells in an order that depends on nothing but themselves."""
    return sorted(
        cells, key=lambda c: (c.place.group, str(c.place.name), c.candidate, sorted(c.systems))
    )


class LabelledFact(NamedTuple):
    """A labelled fact with what people say of it.

    Attributes
    ----------
    place, candidate, systems
        As in :class:`LabelCell`; `place` has a class.
    score
        The annotator's, in thousandths.
    truth, link_wrong
        Shares in [0, 1]: that it is true, and that it is not because a link is wrong.
    document
        The document that it was shown in; empty where there is none.
    drawn
        Whether it is true in each posterior draw of a model of raters, shape (draws,); None where
        `truth` is taken as it is.
    """

    place: Place
    candidate: bool
    systems: frozenset[str]
    score: int
    truth: float
    link_wrong: float
    document: str
    drawn: NDArray[np.bool_] | None = None


def system_strata(
    cells: Iterable[LabelCell], labelled: Iterable[LabelledFact], system: str
) -> list[Stratum]:
    """Return the strata of a system's regions, for the estimators with labels.

    A group is divided by whether the system states its facts; what it does not state counts where
    it is a candidate.
    """
    return strata(cells, labelled, domain=lambda fact: _region(fact, system))


def strata(
    cells: Iterable[LabelCell],
    labelled: Iterable[LabelledFact],
    *,
    domain: Callable[[LabelCell | LabelledFact], Hashable],
) -> list[Stratum]:
    """Return the strata of facts divided by group and by `domain`; None leaves a fact out."""
    divided: dict[tuple[str, Hashable], list[LabelCell]] = defaultdict(list)
    for cell in cells:
        if (of := domain(cell)) is not None:
            divided[cell.place.group, of].append(cell)
    labels: dict[tuple[str, Hashable, str | None], list[LabelledFact]] = defaultdict(list)
    for number, fact in enumerate(labelled):
        if (of := domain(fact)) is not None:
            # A fact without a document is a document of its own.
            named = fact if fact.document else fact._replace(document=f"\0{number}")
            labels[fact.place.group, of, fact.place.name].append(named)
    documents = sorted({fact.document for facts in labels.values() for fact in facts})
    return [
        Stratum(
            domain=of,
            population=sum(cell.facts for cell in members),
            classes=tuple(
                _labelled_class(name, found, labels[group, of, name], documents)
                for name, found in _by_class(members)
            ),
        )
        for (group, of), members in sorted(divided.items(), key=lambda one: str(one[0]))
    ]


def _region(fact: LabelCell | LabelledFact, system: str) -> str | None:
    """Return the region that a true fact counts in for a system; None for none."""
    matched = fact.place.name == MATCHED
    if system in fact.systems:
        return "b" if matched else "a"
    if not fact.candidate:
        return None
    return "c" if matched else "d"


def _by_class(cells: Iterable[LabelCell]) -> Iterator[tuple[str, list[LabelCell]]]:
    classes: dict[str, list[LabelCell]] = defaultdict(list)
    for cell in cells:
        if cell.place.name is not None:
            classes[cell.place.name].append(cell)
    yield from ((name, classes[name]) for name in sorted(classes, key=order))


def _labelled_class(
    name: str,
    cells: Sequence[LabelCell],
    labels: Sequence[LabelledFact],
    documents: Sequence[str],
) -> StratumClass:
    judged = sum(cell.facts for cell in cells)
    mean = sum(cell.score for cell in cells) / judged / _UNITS
    square = sum(cell.squares for cell in cells) / judged / _UNITS**2
    drawn = [fact.drawn for fact in labels if fact.drawn is not None]
    return StratumClass(
        name=name,
        judged=judged,
        truth=np.array([fact.truth for fact in labels], dtype=float),
        link_wrong=np.array([fact.link_wrong for fact in labels], dtype=float),
        annotator=np.array([fact.score / _UNITS for fact in labels], dtype=float),
        annotator_mean=mean,
        annotator_variance=max(square - mean**2, 0.0),
        documents=np.array(
            [bisect_right(documents, fact.document) for fact in labels], dtype=np.int64
        ),
        drawn=np.stack(drawn) if drawn else None,
    )

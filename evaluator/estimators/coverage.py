r"""The coverage of the candidate superset: the share of the true facts of the corpus that G' holds.

G' is meant to hold all that the corpus states, and does not. How much it lacks is seen in S: some
true facts of the systems lie outside G'. Each fact of the corpus has a *history*: whether it is in
G', and which systems state it. Of histories without any system those inside G' are judged too;
those outside are what nobody has seen, and must be estimated. Three ways, each with its assumption:

* ``share``: of the true facts that any system states, those in G'. This is the Lincoln-Petersen
  estimate with G' as one list and S as the other. It assumes that systems state facts outside G' as
  readily as facts inside it. They rarely do, since what keeps a fact out of G' (an entity or a word
  that the sentence has in other words) is hard for systems too; then G' covers less than it says.
* ``pairs``: two systems, by how many facts outside G' both state (Chapman's estimate). It assumes
  that outside G' they find facts independently of each other. As both find the easy ones, there
  are rather more facts outside, and G' covers less than it says.
* ``most``: Chao's lower bound for the facts outside G', over all systems, from those that one and
  those that two of them state. It holds where facts are unequally hard and systems alike; what it
  gives is the *most* that G' covers. It needs two systems.

All three take for granted what says which facts are true: the annotator, or labels. None sees a
fact that no system can state at all, such as one whose entities are not linked: it is in no
history. Facts of one sentence are treated as independent, so the intervals are somewhat narrow.

Sources: C. Petersen, Report of the Danish Biological Station 6 (1896); D. G. Chapman, "Some
properties of the hypergeometric distribution with applications to zoological sample censuses",
University of California Publications in Statistics 1 (1951); A. Chao, "Estimating the population
size for capture-recapture data with unequal catchability", Biometrics 43 (1987), equation 12 with
the correction of bias for t occasions.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from evaluator.estimators.tallies import Cell
from evaluator.intervals import Drawing, Estimate, finite_population_draws, from_draws
from evaluator.named_objects import ClosedModel

METHOD = "capture-recapture"

type _Draws = NDArray[np.float64]


class History(NamedTuple):
    """Whether facts are in G', and which systems state them."""

    candidate: bool
    systems: frozenset[str]


class TrueOf(NamedTuple):
    """The true facts of a history: point estimate, and posterior draws of shape (draws,)."""

    value: float
    draws: _Draws


class PairCoverage(ClosedModel):
    """What two systems tell of the facts outside G'.

    Attributes
    ----------
    systems
        The two.
    outside
        True facts outside G', by Chapman's estimate.
    coverage
        Share of the true facts that G' then holds.
    """

    systems: tuple[str, str]
    outside: Estimate
    coverage: Estimate


class SupersetCoverage(ClosedModel):
    """What is known of the coverage of G'.

    Attributes
    ----------
    by
        What says which facts are true.
    inside, outside
        True facts in G'; true facts that systems state outside it.
    share
        Of the true facts of all systems together, those in G'. ``n`` is the number of true facts,
        rounded.
    systems
        The same of each system by itself.
    pairs
        The facts outside G' by the overlap of two systems.
    most
        The most that G' covers, by Chao's lower bound; None for fewer than two systems.
    """

    by: Literal["annotator", "labels"]
    inside: Estimate
    outside: Estimate
    share: Estimate
    systems: Mapping[str, Estimate]
    pairs: tuple[PairCoverage, ...]
    most: Estimate | None


class Covered(NamedTuple):
    """The coverage of G' in a run, and that of G' ∪ S for one system; None where not known."""

    found: SupersetCoverage | None
    within: Estimate | None


def coverage(
    true: Mapping[History, TrueOf],
    systems: Sequence[str],
    drawing: Drawing,
    *,
    by: Literal["annotator", "labels"],
) -> tuple[SupersetCoverage, dict[str, Estimate]]:
    """Return the coverage of G', and for each system that of G' ∪ S, within which its recall is.

    Parameters
    ----------
    true
        True facts by history.
    systems
        Those that may tell of G', in order. A baseline over G' itself may not.
    drawing
        How the posterior is drawn.
    by
        What says which facts are true.
    """
    rng = drawing.rng()
    seen = [
        (History(history.candidate, states), of)
        for history, of in true.items()
        if (states := history.systems.intersection(systems)) or history.candidate
    ]

    def total(*, candidate: bool, among: Iterable[str] | None = None, times: int = 0) -> TrueOf:
        """Return the sum over histories, those of facts that `among`, or `times` systems, state."""
        return _sum(
            drawing.draws,
            *(
                of
                for history, of in seen
                if history.candidate == candidate
                and (among is None or not history.systems.isdisjoint(among))
                and (not times or len(history.systems) == times)
            ),
        )

    def estimate(value: float | None, draws: _Draws, n: float) -> Estimate:
        return from_draws(value, draws, method=METHOD, level=drawing.level, n=round(n))

    def share(among: Iterable[str]) -> tuple[float | None, _Draws, float]:
        held, lacking = (total(candidate=side, among=among) for side in (True, False))
        n = held.value + lacking.value
        drawn = rng.beta(held.draws + 0.5, lacking.draws + 0.5)
        return (held.value / n if n else None), drawn, n

    inside = total(candidate=True)

    def covering(outside: TrueOf, n: float) -> Estimate:
        """Return the share of the true facts that G' holds beside so many others."""
        value = inside.value / (inside.value + outside.value) if inside.value else None
        drawn = inside.draws / np.maximum(inside.draws + outside.draws, 1e-9)
        return estimate(value, drawn, n)

    def pair(one: str, other: str) -> PairCoverage:
        first, second = (total(candidate=False, among=[name]) for name in (one, other))
        either = total(candidate=False, among=[one, other])
        both = TrueOf(
            max(first.value + second.value - either.value, 0.0),
            np.maximum(first.draws + second.draws - either.draws, 0.0),
        )
        found = rng.beta(both.draws + 0.5, np.maximum(second.draws - both.draws, 0.0) + 0.5)
        outside = TrueOf(
            (first.value + 1) * (second.value + 1) / (both.value + 1) - 1,
            np.maximum(first.draws / np.maximum(found, 1e-9), either.draws),
        )
        n = either.value
        return PairCoverage(
            systems=(one, other),
            outside=estimate(outside.value, outside.draws, n),
            coverage=covering(outside, n),
        )

    def chao() -> TrueOf:
        once, twice = (total(candidate=False, times=times) for times in (1, 2))
        occasions = (len(systems) - 1) / len(systems)

        def unseen(f1: float | _Draws, f2: float | _Draws) -> _Draws:
            return np.asarray(occasions * f1 * np.maximum(f1 - 1, 0) / (2 * (f2 + 1)))

        drawn = unseen(rng.gamma(once.draws + 0.5), rng.gamma(twice.draws + 0.5))
        value = outside.value + float(unseen(once.value, twice.value))
        return TrueOf(value, outside.draws + drawn)

    value, drawn, n = share(systems)
    outside = total(candidate=False)
    made = SupersetCoverage(
        by=by,
        inside=estimate(inside.value, inside.draws, inside.value),
        outside=estimate(outside.value, outside.draws, outside.value),
        share=estimate(value, drawn, n),
        systems={name: estimate(*share([name])) for name in systems},
        pairs=tuple(pair(one, other) for one, other in combinations(systems, 2)),
        most=covering(chao(), outside.value) if len(systems) > 1 else None,
    )

    def with_own(name: str) -> Estimate:
        """Return the coverage of G' and what the system itself states outside it."""
        own = _sum(
            drawing.draws,
            *(of for (held, states), of in true.items() if name in states and not held),
        )
        whole = None
        if value is not None and inside.value:
            whole = min(value * (1 + own.value / inside.value), 1.0)
        more = 1 + own.draws / np.maximum(inside.draws, 1e-9)
        return estimate(whole, np.minimum(drawn * more, 1.0), n)

    names = {*systems, *(name for history in true for name in history.systems)}
    return made, {name: with_own(name) for name in sorted(names)}


def _sum(draws: int, *parts: TrueOf) -> TrueOf:
    total = np.sum([of.draws for of in parts], axis=0) if parts else np.zeros(draws)
    return TrueOf(sum(of.value for of in parts), total)


def corrected(recall: Estimate | None, covered: Estimate | None) -> Estimate | None:
    """Return recall of all facts: recall within a set, times the share of the facts in that set.

    None where either is unknown. The ends are the products of the ends, so that the interval is
    rather too wide.
    """
    if recall is None or covered is None or recall.value is None or covered.value is None:
        return None
    value, low, high = (
        (one or 0.0) * (other or 0.0) for one, other in zip(recall[:3], covered[:3], strict=True)
    )
    return Estimate(value, low, high, f"recall × {METHOD}", recall.level, recall.n)


def least_recall(
    bounds: tuple[float, float] | None, covered: Covered
) -> tuple[float, float] | None:
    """Return bounds of recall whose lower one allows for what G' may lack.

    It is multiplied by the lower end of the coverage, of the share's interval or of Chao's, and 0
    where no system tells anything of what lies outside.
    """
    if bounds is None or covered.found is None:
        return bounds
    share, most = covered.within, covered.found.most
    if share is None or share.low is None:
        return 0.0, bounds[1]
    least = share.low if most is None or most.low is None else min(share.low, most.low)
    return bounds[0] * least, bounds[1]


def in_words(found: SupersetCoverage, recalls: Mapping[str, Estimate | None]) -> str:
    """Return what a reader of recall should know of the coverage, in sentences.

    `recalls` are the corrected recalls of the systems.
    """
    by = "by the labels" if found.by == "labels" else "as the annotator judges"

    def shown(of: Estimate) -> str:
        value, low, high = (f"{100 * (part or 0.0):.1f}" for part in of[:3])
        return f"{value} % [{low}, {high}]"

    if found.share.value is None:
        return "No true fact of a system tells how many facts the corpus states beyond them."
    told = f"Of the true facts of all systems G′ holds {shown(found.share)}, {by}: its coverage, "
    told += "if systems state facts outside G′ as readily as inside; else it covers less."
    if found.most is not None and found.most.value is not None:
        told += f" Chao's lower bound for facts that no system found: at most {shown(found.most)}."
    corrected_recalls = [f"{shown(of)} for {name}" for name, of in recalls.items() if of]
    if corrected_recalls:
        told += f" Corrected for the coverage, recall is {', '.join(corrected_recalls)}."
    return told + " Facts between entities that are not linked are in neither."


def true_by_annotator(cells: Iterable[Cell], drawing: Drawing) -> dict[History, TrueOf]:
    """Return the true facts of each history as the annotator judged its sample.

    What the knowledge base matches is counted in full. The facts of a history that were judged are
    a simple random sample of it; where none was, those on the same side of G' stand for it.
    Undefined facts are not counted as true.
    """
    matched: dict[History, int] = defaultdict(int)
    rest: dict[History, int] = defaultdict(int)
    judged: dict[History, int] = defaultdict(int)
    accepted: dict[History, int] = defaultdict(int)
    for cell in cells:
        history = History(cell.candidate, cell.systems)
        if cell.matched:
            matched[history] += cell.facts
            continue
        rest[history] += cell.facts
        if cell.verdict is not None:
            judged[history] += cell.facts
            accepted[history] += cell.facts * (cell.verdict == "accepted")
    rng, found = drawing.rng(), {}
    for history in sorted({*matched, *rest}, key=in_order):
        like = [history]
        if rest[history] and not judged[history]:
            like = [other for other in [*judged] if other.candidate == history.candidate]
        yes, of = sum(accepted[h] for h in like), sum(judged[h] for h in like)
        if like == [history]:
            drawn = finite_population_draws(yes, of, rest[history], draws=drawing.draws, rng=rng)
        else:
            drawn = rng.binomial(rest[history], rng.beta(yes + 0.5, of - yes + 0.5, drawing.draws))
        found[history] = TrueOf(
            matched[history] + (rest[history] * yes / of if of else 0.0),
            matched[history] + drawn.astype(np.float64),
        )
    return found


def in_order(history: History) -> tuple[bool, list[str]]:
    """Return the sorting key of a history."""
    return history.candidate, sorted(history.systems)

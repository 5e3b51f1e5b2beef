"""A world with known truth, in counts only, to see whether intervals hold what they promise.

A world has a system S and candidates G′ ∖ S with known shares of true facts, a knowledge base that
holds some of the true facts and matches some false ones, an annotator with known sensitivity and
specificity, and raters with known error. A replicate draws what is judged and what is labelled, and
estimates; over many replicates the intervals should hold the truth as often as they say.
(:mod:`jobs.worlds` makes a world of texts that goes through the whole pipeline.)
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from evaluator.estimators.allocation import ASSUMED, PlannedClass, allocate
from evaluator.estimators.claims import ClaimKind
from evaluator.estimators.labelled import LabelledEstimate, estimate, measures
from evaluator.estimators.rater_error import RaterAnswers, latent_truth, unidentified
from evaluator.estimators.strata import Stratum, StratumClass
from evaluator.intervals import Drawing, Estimate

_SYSTEM = "S"


@dataclass(frozen=True, slots=True, kw_only=True)
class CountsWorld:
    """A world in counts.

    Attributes
    ----------
    facts, candidates
        |S| and |G′ ∖ S|.
    true, true_candidates
        Shares of true facts in them.
    coverage
        Share of the true facts that the knowledge base holds.
    match_precision
        Share of true facts among those that match the base.
    sensitivity, specificity
        Of the annotator on what the base leaves open.
    judged, judged_candidates
        Facts that the annotator judges, at most.
    labels
        Facts that people label, in S and G′ ∖ S together.
    together
        Labelled facts of one document; 1 draws facts one by one, by the classes of the annotator;
        more draws whole documents, half of whose facts are in S.
    correlation
        Of the truth of facts in one document, in [0, 1); only where documents are drawn.
    rater_error
        Chance that a rater's answer is wrong.
    raters, double
        Number of raters, who take turns, and the share of labelled facts that two of them answer.
    """

    facts: int = 20_000
    candidates: int = 100_000
    true: float = 0.1
    true_candidates: float = 0.05
    coverage: float = 0.2
    match_precision: float = 0.9
    sensitivity: float = 0.73
    specificity: float = 0.73
    judged: int = 10_000
    judged_candidates: int = 40_000
    labels: int = 200
    together: int = 1
    correlation: float = 0.2
    rater_error: float = 0.0
    raters: int = 1
    double: float = 0.0

    def cells(self) -> list["WorldCell"]:
        """Return the facts by region and annotator's verdict, with the true ones among them."""
        cells = []
        for size, share, regions in (
            (self.facts, self.true, "ba"),
            (self.candidates, self.true_candidates, "cd"),
        ):
            true = round(size * share)
            held = round(true * self.coverage)
            mistaken = round(held * (1 - self.match_precision) / self.match_precision)
            mistaken = min(mistaken, size - true)  # there are no other facts to mistake
            open_true, open_false = true - held, size - true - mistaken
            found = round(open_true * self.sensitivity)
            wrong = round(open_false * (1 - self.specificity))
            cells += [
                WorldCell(regions[0], "matched", held + mistaken, held),
                WorldCell(regions[1], "accepted", found + wrong, found),
                WorldCell(
                    regions[1],
                    "rejected",
                    size - held - mistaken - found - wrong,
                    open_true - found,
                ),
            ]
        return cells

    def truth(self) -> dict[str, float]:
        """Return the true precision, recall and F."""
        true = dict.fromkeys("abcd", 0)
        for cell in self.cells():
            true[cell.region] += cell.true
        figures = measures(true, self.facts)
        return {
            name: float(value or 0.0)
            for name, value in zip(("precision", "recall", "f1"), figures, strict=True)
        }


class WorldCell(NamedTuple):
    """Facts of one region and verdict, and how many of them are true."""

    region: str
    verdict: str
    facts: int
    true: int


class Design(NamedTuple):
    """How an estimator wants its labels.

    Attributes
    ----------
    by_class
        Drawn within each class of the annotator, or only within each region.
    merged
        Whether the classes of a region are one for it: it looks at the annotator's number, or not
        at the annotator.
    """

    by_class: bool
    merged: bool


DESIGNS: Mapping[str, Design] = {
    "chain-rule": Design(by_class=True, merged=False),
    "labels-only": Design(by_class=False, merged=True),
    "ppi": Design(by_class=False, merged=True),
    "ppi++": Design(by_class=False, merged=True),
    "rogan-gladen": Design(by_class=False, merged=False),
}


def replicate(
    world: CountsWorld, estimator: str, drawing: Drawing, *, model: bool = False
) -> LabelledEstimate:
    """Return the estimate of one replicate: judge, label, estimate.

    Parameters
    ----------
    world
        The world.
    estimator
        NAME of an estimator with labels; it gets its labels as it wants them (`DESIGNS`).
    drawing
        How intervals are drawn; one seed, one replicate.
    model
        Whether raters' errors are estimated, where the answers allow it; else what most raters say
        of a fact is taken for true.
    """
    rng = np.random.default_rng([drawing.seed, 1])  # not the stream of the posterior draws
    # Whoever does not say otherwise gets labels as they are drawn for people: by class.
    design = DESIGNS.get(estimator, DESIGNS["chain-rule"])
    judged = _judge(world, rng)
    if world.together > 1:
        labelled = _label_documents(world, judged, rng)
    else:
        labelled = _label_facts(world, judged, design, rng)
    if model:
        labelled = _modelled(labelled, drawing)
    strata = list(_strata(judged, labelled, merged=design.merged))
    return estimate(strata, estimator, drawing, corpus=True)


class Coverage(NamedTuple):
    """How the intervals of a measure did over all replicates.

    Attributes
    ----------
    replicates, estimable
        Number of replicates, and of those with a figure.
    covered
        Of the estimable ones, those whose interval holds the truth.
    width
        Mean width of their intervals.
    claim, claimed
        What most of the estimates claim of the interval, and the share of those that do.
    """

    replicates: int
    estimable: int
    covered: int
    width: float
    claim: ClaimKind = "nominal"
    claimed: float = 1.0

    @property
    def coverage(self) -> float | None:
        """Share of the estimable replicates whose interval holds the truth."""
        return self.covered / self.estimable if self.estimable else None


def coverage(
    world: CountsWorld,
    estimators: Sequence[str],
    drawing: Drawing,
    *,
    replicates: int,
    each: Callable[..., LabelledEstimate] = replicate,
) -> dict[str, dict[str, Coverage]]:
    """Return the coverage of every estimator's intervals, by estimator and measure.

    All estimators meet the same replicates of the world, of the seeds from that of `drawing` on;
    `each` makes one.
    """
    seeds = range(drawing.seed, drawing.seed + replicates)
    truth = world.truth()
    found: dict[str, dict[str, Coverage]] = {}
    for name in estimators:
        estimates = [each(world, name, replace(drawing, seed=seed)) for seed in seeds]
        found[name] = {}
        for measure, value in truth.items():
            claims = Counter(e.claims[measure] for e in estimates)
            claim, number = claims.most_common(1)[0]
            one = covered([getattr(e, measure) for e in estimates], value)
            found[name][measure] = one._replace(claim=claim, claimed=number / replicates)
    return found


def covered(estimates: Sequence[Estimate | None], truth: float) -> Coverage:
    """Return how often intervals hold the truth, and how wide they are."""
    known = [e for e in estimates if e is not None]
    widths = [e.width for e in known if e.width is not None]
    held = sum(e.holds(truth) for e in known)
    return Coverage(len(estimates), len(widths), held, float(np.mean(widths)) if widths else 0.0)


class _Judged(NamedTuple):
    """A cell of the world as the annotator's sample shows it."""

    cell: WorldCell
    facts: int
    true: int


def _judge(world: CountsWorld, rng: np.random.Generator) -> list[_Judged]:
    """Draw the facts that are judged; what the base matches is known in full."""
    judged = []
    cells = world.cells()
    for region, size in (("a", world.judged), ("d", world.judged_candidates)):
        matched = next(
            c for c in cells if c.verdict == "matched" and (c.region == "b") == (region == "a")
        )
        judged.append(_Judged(matched, matched.facts, matched.true))
        open_cells = [c for c in cells if c.region == region]
        kinds = [n for c in open_cells for n in (c.true, c.facts - c.true)]
        drawn = rng.multivariate_hypergeometric(kinds, min(size, sum(kinds)))
        for place, cell in enumerate(open_cells):
            true, false = (int(n) for n in drawn[2 * place : 2 * place + 2])
            judged.append(_Judged(cell, true + false, true))
    return judged


class _Labels(NamedTuple):
    """Labels of a cell: what people say of its facts, and from which documents they are.

    `answers` has shape (raters, labels): 1 or 0, nan where a rater was not asked. `drawn` is as in
    :class:`~evaluator.estimators.strata.StratumClass`.
    """

    answers: NDArray[np.float64]
    documents: NDArray[np.int64]
    truth: NDArray[np.float64]
    drawn: NDArray[np.bool_] | None = None

    @classmethod
    def by_majority(cls, answers: NDArray[np.float64], documents: NDArray[np.int64]) -> "_Labels":
        """Return the labels as most raters say; a tie is half true."""
        told = np.nansum(answers, axis=0) / np.maximum((~np.isnan(answers)).sum(axis=0), 1)
        return cls(answers, documents, np.where(told == 0.5, 0.5, told > 0.5))


def _label_facts(
    world: CountsWorld, judged: Sequence[_Judged], design: Design, rng: np.random.Generator
) -> list[_Labels]:
    """Draw facts one by one, within classes or within regions, and let people label them."""
    labels: list[_Labels] = []
    for members, number in _planned(world, by_class=design.by_class):
        kinds = [n for place in members for n in (judged[place].true, _false(judged[place]))]
        drawn = rng.multivariate_hypergeometric(kinds, min(number, sum(kinds)))
        for true, false in drawn.reshape(-1, 2):
            truth = np.repeat([1.0, 0.0], [true, false])
            labels.append(_Labels.by_majority(_rated(truth, world, rng), np.empty(0, np.int64)))
    return labels


def _false(judged: _Judged) -> int:
    return judged.facts - judged.true


@cache
def _planned(world: CountsWorld, *, by_class: bool) -> list[tuple[list[int], int]]:
    """Return the places of the cells that are drawn from together, with the number of labels.

    The plan is that of the world, not of a replicate's sample, which makes no difference worth its
    time.
    """
    cells = world.cells()
    groups: dict[object, list[int]] = {}
    for place, cell in enumerate(cells):
        groups.setdefault(place if by_class else cell.region, []).append(place)
    planned = []
    for members in groups.values():
        region = cells[members[0]].region
        facts = sum(cells[place].facts for place in members)
        most = {"a": world.judged, "d": world.judged_candidates}.get(region, facts)
        # As the plan takes them: the class of the many says what the region is like.
        assumed = np.average(
            [ASSUMED[cells[place].verdict] for place in members],
            weights=[max(cells[place].facts, 1) for place in members],
        )
        open_facts = sum(cell.facts for cell in cells if cell.region == region)
        planned.append(
            PlannedClass(
                judged=round(facts * min(1, most / max(open_facts, 1))),
                of_system={_SYSTEM: facts if region in "ab" else 0},
                of_rest={_SYSTEM: 0 if region in "ab" else facts},
                assumed=float(assumed),
            )
        )
    return list(zip(groups.values(), allocate(planned, world.labels), strict=True))


def _label_documents(
    world: CountsWorld, judged: Sequence[_Judged], rng: np.random.Generator
) -> list[_Labels]:
    """Draw documents, half of whose facts are in S, and let people label all their facts.

    How true a document is, is one number for all its facts: the shares of true facts of its cells
    are beta-distributed with the wanted correlation, and rise and fall together.
    """
    from scipy.special import betaincinv

    documents = -(-world.labels // world.together)
    rank = rng.uniform(size=documents)
    spread = 1 / world.correlation - 1 if world.correlation else 1e9
    labels = []
    for inside in (True, False):
        cells = [j for j in judged if (j.cell.region in "ab") == inside]
        number = world.together // 2 if inside else world.together - world.together // 2
        sizes = np.array([j.cell.facts for j in cells], dtype=float)
        drawn = rng.multinomial(number, sizes / sizes.sum(), size=documents)
        for place, one in enumerate(cells):
            share = one.cell.true / max(one.cell.facts, 1)
            if 0 < share < 1:
                chance = betaincinv(share * spread, (1 - share) * spread, rank)
            else:
                chance = np.full(documents, share)
            true = rng.binomial(drawn[:, place], chance)
            kinds = np.stack([true, drawn[:, place] - true], axis=1).ravel()
            truth = np.repeat(np.tile([1.0, 0.0], documents), kinds)
            of = np.repeat(np.arange(documents), drawn[:, place])
            labels.append(_Labels.by_majority(_rated(truth, world, rng), of))
    return labels


def _rated(
    truth: NDArray[np.float64], world: CountsWorld, rng: np.random.Generator
) -> NDArray[np.float64]:
    """Return what raters say of facts; shape (raters, facts)."""
    wrong = rng.uniform(size=(world.raters, truth.size)) < world.rater_error
    answers = np.where(wrong, 1 - truth, truth)
    if world.raters > 1:
        turn = np.argsort(rng.uniform(size=truth.size)) + rng.integers(world.raters)
        asked = 1 + (rng.uniform(size=truth.size) < world.double)
        place = (np.arange(world.raters)[:, None] - turn) % world.raters
        answers[place >= asked] = np.nan
    return answers


def _modelled(labels: Sequence[_Labels], drawing: Drawing) -> list[_Labels]:
    """Return the labels as the model of raters draws them; a cell's facts are one class of it.

    Where the answers do not allow the model, they stay as they are.
    """
    answers = np.concatenate([one.answers for one in labels], axis=1)
    rater, fact = np.nonzero(~np.isnan(answers))
    said = RaterAnswers(
        fact=fact,
        rater=rater,
        said=answers[rater, fact] > 0.5,
        of_class=np.repeat(np.arange(len(labels)), [one.truth.size for one in labels]),
        decided=np.full(answers.shape[1], -1),
    )
    if unidentified(said):
        return list(labels)
    found = latent_truth(said, drawing)
    ends = np.cumsum([one.truth.size for one in labels])[:-1]
    return [
        one._replace(truth=drawn.mean(axis=1), drawn=drawn)
        for one, drawn in zip(labels, np.split(found.true, ends), strict=True)
    ]


def _strata(
    judged: Sequence[_Judged], labels: Sequence[_Labels], *, merged: bool
) -> Iterator[Stratum]:
    """Yield the strata of the world's system."""
    for region in "abcd":
        members = [
            pair for pair in zip(judged, labels, strict=True) if pair[0].cell.region == region
        ]
        members.sort(key=lambda member: member[0].cell.verdict == "accepted")
        classes = [
            StratumClass(
                name=j.cell.verdict,
                judged=j.facts,
                truth=said.truth,
                drawn=said.drawn,
                documents=said.documents,
                annotator=np.full(said.truth.size, float(j.cell.verdict != "rejected")),
                annotator_mean=float(j.cell.verdict != "rejected"),
            )
            for j, said in members
            if j.facts
        ]
        yield Stratum(
            domain=region,
            population=sum(j.cell.facts for j, _ in members),
            classes=(_merge(classes),) if merged and classes else tuple(classes),
        )


def _merge(classes: Sequence[StratumClass]) -> StratumClass:
    """Return one class of all facts, which keeps the annotator's number of each."""
    judged = np.array([c.judged for c in classes])
    number = np.array([c.annotator_mean for c in classes])
    mean = float(np.average(number, weights=judged))
    return StratumClass(
        name="all",
        judged=int(judged.sum()),
        truth=np.concatenate([c.truth for c in classes]),
        drawn=np.concatenate([c.drawn for c in classes if c.drawn is not None])
        if all(c.drawn is not None for c in classes)
        else None,
        documents=np.concatenate([c.documents for c in classes]),
        annotator=np.concatenate([c.annotator for c in classes]),
        annotator_mean=mean,
        annotator_variance=float(np.average((number - mean) ** 2, weights=judged)),
    )

"""Systems by gold data and by distant validation: figures, places, and how far both agree."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from evaluator.comparison.two_systems import MEASURES
from evaluator.gold.against_corpus.rank_agreement import RankAgreement, rank_agreement, ranks
from evaluator.gold.resampling import Draws, bootstrap
from evaluator.gold.statistics import Statistics
from evaluator.intervals import Drawing, Estimate
from evaluator.labels.agreement_coefficients import pair_coefficients

SIDES = ("gold", "distant")


class Figure(NamedTuple):
    """A figure of one system with its interval, and the system's place by it, 1 for the best.

    There is no place by the annotator's verdicts: they state no order
    (:mod:`evaluator.comparison.withheld`).
    """

    estimate: Estimate
    rank: int | None

    def as_json(self) -> dict[str, Any]:
        """Return the figure as a JSON object."""
        return {**self.estimate.as_json(), "rank": self.rank}


type FiguresByMeasure = Mapping[str, Figure]
"""Precision, recall and F of a system."""


class SideBySide(NamedTuple):
    """The same systems measured in two ways.

    Attributes
    ----------
    figures
        By side ("gold" or "distant") and system.
    agreement
        On the order of the systems, by measure.
    """

    figures: Mapping[str, Mapping[str, FiguresByMeasure]]
    agreement: Mapping[str, RankAgreement]


class JudgedByBoth(NamedTuple):
    """Extractions that both judge, by what gold data and annotator say.

    Attributes
    ----------
    matched_accepted, matched_rejected, unmatched_accepted, unmatched_rejected
        Numbers of extractions; the first word is about a gold tuple.
    matched_undefined, unmatched_undefined
        Those whose fact the text cannot decide.
    """

    matched_accepted: int
    matched_rejected: int
    unmatched_accepted: int
    unmatched_rejected: int
    matched_undefined: int
    unmatched_undefined: int

    @property
    def kappa(self) -> float | None:
        """Cohen's κ of the decided ones; None where it is undefined."""
        return pair_coefficients(*self[:4]).kappa.value

    def as_json(self) -> dict[str, Any]:
        """Return the numbers as a JSON object."""
        return {**self._asdict(), "kappa": self.kappa}


def side_by_side(
    gold: Mapping[str, Statistics], distant: Mapping[str, Statistics], drawing: Drawing
) -> SideBySide:
    """Return figures with intervals, places by gold data, and Kendall's τ of the two orders.

    Parameters
    ----------
    gold, distant
        Sums of each system by sentence: the same systems, the same sentences in the same order. A
        draw of sentences is one for both sides and all systems.
    drawing
        How the bootstrap is drawn.
    """
    both = dict(zip(SIDES, (gold, distant), strict=True))
    drawn = bootstrap(
        {f"{side} {name}": of for side in SIDES for name, of in both[side].items()}, drawing
    )
    by_side = {side: {name: drawn[f"{side} {name}"] for name in gold} for side in SIDES}
    return SideBySide(
        {side: _figures(by_side[side], drawing.level, ranked=side == "gold") for side in SIDES},
        {measure: _agreement(by_side, place, drawing) for place, measure in enumerate(MEASURES)},
    )


def _figures(
    drawn: Mapping[str, Draws], level: float, *, ranked: bool
) -> dict[str, dict[str, Figure]]:
    places = {
        measure: ranks(np.array([of.point[place] for of in drawn.values()]))
        if ranked
        else [None] * len(drawn)
        for place, measure in enumerate(MEASURES)
    }
    return {
        name: {m: Figure(of.interval(m, level=level), places[m][number]) for m in MEASURES}
        for number, (name, of) in enumerate(drawn.items())
    }


def _agreement(
    drawn: Mapping[str, Mapping[str, Draws]], place: int, drawing: Drawing
) -> RankAgreement:
    (gold, gold_drawn), (distant, distant_drawn) = (
        (
            np.array([of.point[place] for of in drawn[side].values()]),
            np.array([of.drawn[place] for of in drawn[side].values()]),
        )
        for side in SIDES
    )
    return rank_agreement(
        gold,
        distant,
        first_drawn=gold_drawn,
        second_drawn=distant_drawn,
        level=drawing.level,
        seed=drawing.seed,
    )

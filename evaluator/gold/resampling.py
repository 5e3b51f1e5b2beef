"""How sure a figure on gold data is: intervals, and tests of differences, over sentences.

*Intervals and the paired bootstrap.* As many sentences as there are, drawn with replacement, each
with all that is known of it (Efron 1979; Koehn 2004): another benchmark of the same kind. The
threshold with the best F is chosen anew in every draw, as it was on the data.

*Approximate randomisation* (Noreen 1989; for P, R and F: Yeh 2000) deals out by a coin, sentence by
sentence, which system said what. Thresholds of two systems are on different scales, so each system
stands at its best one. The statistic is the difference over its standard error (Janssen 1997 and
Chung and Romano 2013 say why), which follows from the influence of each sentence on the figures.
"""

from collections.abc import Mapping
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from evaluator.comparison import two_systems
from evaluator.comparison.influence import influence
from evaluator.comparison.two_systems import Difference, PValue, with_holm
from evaluator.gold.statistics import Floats, Statistics
from evaluator.intervals import Drawing, Estimate, from_draws

MEASURES = (*two_systems.MEASURES, "auc")
BOOTSTRAP = "percentile bootstrap over sentences"

_AT_ONCE = 500_000  # coins held in memory
_TIE = 1e-12  # what rounding leaves of equal figures


class Draws(NamedTuple):
    """Figures of one system and of the same in bootstrap draws.

    Attributes
    ----------
    point
        Precision, recall, F and area under the curve, shape (4,); NaN where undefined.
    drawn
        The same in each draw, shape (4, draws).
    sentences
        Number of gold sentences.
    """

    point: Floats
    drawn: Floats
    sentences: int

    def interval(self, measure: str, *, level: float) -> Estimate:
        """Return a figure with its interval."""
        place = MEASURES.index(measure)
        drawn = self.drawn[place]
        drawn = drawn[np.isfinite(drawn)]
        value = self.point[place] if drawn.size else None
        return from_draws(value, drawn, method=BOOTSTRAP, level=level, n=self.sentences)


class PairedTest(NamedTuple):
    """Two systems on the same sentences.

    Attributes
    ----------
    first, second
        Their names.
    measures
        The difference in each measure; p-values of "bootstrap" and, but for the area under the
        curve, of "randomisation".
    """

    first: str
    second: str
    measures: Mapping[str, Difference]

    def as_json(self) -> dict[str, Any]:
        """Return the comparison as a JSON object."""
        measures = {name: found.as_json() for name, found in self.measures.items()}
        return {**self._asdict(), "measures": measures}


def bootstrap(systems: Mapping[str, Statistics], drawing: Drawing) -> dict[str, Draws]:
    """Draw sentences anew, the same for all systems.

    Parameters
    ----------
    systems
        The statistics of each system, all on the same gold data.
    drawing
        Number of draws, and their seed.
    """
    sizes = {len(statistics.gold) for statistics in systems.values()}
    if len(sizes) != 1:
        raise ValueError(f"systems were scored on different numbers of sentences: {sizes}")
    (n,) = sizes
    rng = drawing.rng()
    shares = np.full(n, 1 / n)
    drawn = {name: np.empty((len(MEASURES), drawing.draws)) for name in systems}
    for draw in range(drawing.draws):
        copies = rng.multinomial(n, shares).astype(np.float64)
        for name, statistics in systems.items():
            drawn[name][:, draw] = _figures(statistics, copies)
    return {
        name: Draws(np.array(_figures(statistics, None)), drawn[name], n)
        for name, statistics in systems.items()
    }


def _figures(statistics: Statistics, copies: Floats | None) -> tuple[float, float, float, float]:
    found = statistics.at_thresholds(copies).figures(area=statistics.curve)
    return found.precision, found.recall, found.f1, found.auc


def paired(
    systems: Mapping[str, Statistics], drawn: Mapping[str, Draws], drawing: Drawing
) -> list[PairedTest]:
    """Compare all pairs of systems; p-values are corrected over the pairs (Holm).

    Parameters
    ----------
    systems
        The statistics of each system.
    drawn
        What :func:`bootstrap` returned for them.
    drawing
        Nominal coverage of the intervals of differences; number and seed of the randomisations.
    """
    at_best = {name: statistics.by_sentence() for name, statistics in systems.items()}
    tests = []
    for first, second in combinations(systems, 2):
        coins = _randomisation(at_best[first], at_best[second], drawing)
        measures = {}
        for place, name in enumerate(MEASURES):
            one, other = (float(drawn[system].point[place]) for system in (first, second))
            if not np.isfinite(one - other):
                continue
            found = Difference.of_draws(
                one,
                other,
                drawn[first].drawn[place] - drawn[second].drawn[place],
                test="bootstrap",
                method=BOOTSTRAP,
                level=drawing.level,
                n=drawn[first].sentences,
            )
            if name in coins:
                found = found._replace(tests={**found.tests, "randomisation": PValue(coins[name])})
            measures[name] = found
        tests.append(PairedTest(first, second, measures))
    return with_holm(tests)


def _randomisation(first: Floats, second: Floats, drawing: Drawing) -> dict[str, float | None]:
    """Return p-values of precision, recall and F; None where the difference is undefined."""
    rng, draws = drawing.rng(), drawing.draws
    observed = _studentised(first[None], second[None])[:, 0]
    as_extreme = np.zeros(3)
    at_once = max(1, _AT_ONCE // len(first))
    for start in range(0, draws, at_once):
        swap = rng.integers(0, 2, size=(min(at_once, draws - start), len(first), 1)) == 1
        drawn = _studentised(np.where(swap, second, first), np.where(swap, first, second))
        # Undefined draws are taken to be as far from 0 as what was observed.
        nearer = np.abs(drawn) < np.abs(observed)[:, None] * (1 - _TIE) - _TIE
        as_extreme += (~nearer).sum(axis=1)
    return {
        name: None if np.isnan(observed[place]) else float((as_extreme[place] + 1) / (draws + 1))
        for place, name in enumerate(MEASURES[:3])
    }


def _studentised(first: Floats, second: Floats) -> Floats:
    """Return differences in P, R and F over their standard errors, shape (3, draws).

    Parameters
    ----------
    first, second
        Sums of each sentence, shape (draws, n, 4).
    """
    point1, influence1 = influence(first)
    point2, influence2 = influence(second)
    with np.errstate(divide="ignore", invalid="ignore"):
        error = np.sqrt(((influence1 - influence2) ** 2).sum(axis=2))
        difference = point1 - point2
        studentised: Floats = np.where(difference == 0, 0.0, difference / error)
    return studentised

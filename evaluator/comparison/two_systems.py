r"""Two systems compared on the same facts: differences in P, R and F, with intervals.

Systems that share a corpus share most of what decides their figures: candidates, samples, verdicts.
Their difference is therefore estimated by itself, not read off two intervals.

*Estimate.* What D holds is counted in full. Of the others, the facts in the sample of S₁ ∖ D, of
S₂ ∖ D or of G′ ∖ D are judged. In each stratum of the pair
(:mod:`evaluator.comparison.pair_counts`) all facts belong to the same of these populations, so they
are judged iff their sampling key is below the largest of its cuts: a simple random sample of the
stratum, which is expanded to it (Horvitz and Thompson 1952). Where all was judged, both systems
have the figures of the census estimator; else these may differ within sampling error, for the
sample of one system now tells also of the facts that it shares with the other. A third system
changes nothing.

*Interval.* The paired bootstrap (Efron 1979; Koehn 2004) draws as many facts as there are, with
replacement, each with all that is known of it. It tells how far a difference would hold for other
text of the same kind: of this corpus it may be known exactly. Facts are taken to be independent;
where those of a document or an entity share their fate, intervals are too narrow.

*No test.* The annotator's own errors are in no such interval, and a test of its verdicts would find
them significant. A p-value comes with people's labels alone (:mod:`evaluator.comparison.withheld`).
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from math import isfinite
from typing import Any, NamedTuple, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from evaluator.comparison import pair_counts
from evaluator.comparison.withheld import difference
from evaluator.estimators.tallies import Cell
from evaluator.interval_ends import detectable
from evaluator.intervals import Drawing, Estimate, from_draws

MEASURES = ("precision", "recall", "f1")
BOOTSTRAP = "paired bootstrap over facts"
POSTERIOR = "joint posterior draws"

_TIE = 1e-12  # what rounding leaves of equal figures


class StatedBy(NamedTuple):
    """Who states a fact: whether it is in G′, and the systems that state it."""

    candidate: bool
    systems: frozenset[str]


class PValue(NamedTuple):
    """A two-sided p-value, and the same after Holm's correction; None where not estimable.

    n draws give no p below 1 / (n + 1), or 2 / (n + 1) from the bootstrap: what was observed is
    counted among them (Phipson and Smyth 2010).
    """

    p: float | None
    holm: float | None = None


class Difference(NamedTuple):
    """One measure of two systems.

    Attributes
    ----------
    first, second
        The figures of the two, from the facts judged for the pair; None where not estimable.
    difference
        First minus second, with interval.
    tests
        p-values by test: "posterior" on facts, "bootstrap" and "randomisation" on gold data.
    withheld
        Why the difference may not be marked and has no p-value
        (:mod:`evaluator.comparison.withheld`); None where it may.
    error
        Standard deviation of the draws of the difference; None where it is not estimable.
    tested
        How many differences are tested together, which share the level.
    """

    first: float | None
    second: float | None
    difference: Estimate
    tests: Mapping[str, PValue]
    withheld: str | None = None
    error: float | None = None
    tested: int = 1

    @property
    def resolves(self) -> float | None:
        """The smallest difference that would be marked in four of five cases.

        That is at the level of the first of the `tested` in Holm's correction: where other pairs
        differ too, smaller ones are marked. None where nothing may be.
        """
        if self.withheld is not None or self.error is None:
            return None
        return detectable(self.error, 1 - (1 - self.difference.level) / self.tested)

    @classmethod
    def of_draws(
        cls,
        first: float,
        second: float,
        draws: NDArray[np.float64],
        *,
        test: str | None,
        method: str,
        level: float,
        n: int,
    ) -> Self:
        """Return the difference of two figures by draws of it.

        Parameters
        ----------
        first, second
            The figures; NaN where not estimable.
        draws
            First minus second, shape (draws,); undefined ones, NaN, are left out.
        test
            What the p-value is called; None for none.
        method, level, n
            Of the interval.
        """
        value = first - second
        draws = draws[np.isfinite(draws)]
        known = isfinite(value) and draws.size > 0  # in very few draws it may never be defined
        return cls(
            first if isfinite(first) else None,
            second if isfinite(second) else None,
            from_draws(value if known else None, draws, method=method, level=level, n=n),
            {} if test is None else {test: PValue(_opposite_sign(draws) if known else None)},
            error=float(draws.std()) if known else None,
        )

    def as_json(self) -> dict[str, Any]:
        """Return the difference as a JSON object."""
        return {
            "first": self.first,
            "second": self.second,
            "difference": self.difference.as_json(),
            "resolves": self.resolves,
            "tests": None
            if self.withheld is not None
            else {test: value._asdict() for test, value in self.tests.items()},
            "withheld": self.withheld,
        }


class Compared(Protocol):
    """Two systems side by side, on facts or on gold data: a named tuple with their differences."""

    @property
    def measures(self) -> Mapping[str, Difference]:
        """The difference in each measure."""

    def _replace(self, *, measures: Mapping[str, Difference]) -> Self: ...


class Comparison(NamedTuple):
    """Two systems side by side.

    Attributes
    ----------
    first, second
        Their names.
    only_first, only_second, both
        Numbers of facts that they state.
    measures
        The difference in "precision", "recall" and "f1"; without a corpus the first only.
    """

    first: str
    second: str
    only_first: int
    only_second: int
    both: int
    measures: Mapping[str, Difference]

    def as_json(self) -> dict[str, Any]:
        """Return the comparison as a JSON object."""
        measures = {name: found.as_json() for name, found in self.measures.items()}
        return {**self._asdict(), "measures": measures}


def compare_all(
    cells: Iterable[Cell], systems: Sequence[str], drawing: Drawing, *, corpus: bool = True
) -> list[Comparison]:
    """Return :func:`compare` for all pairs."""
    cells = list(cells)
    return [compare(cells, *pair, drawing, corpus=corpus) for pair in combinations(systems, 2)]


def compare(
    cells: Iterable[Cell], first: str, second: str, drawing: Drawing, *, corpus: bool = True
) -> Comparison:
    """Return the difference between two systems by the annotator's verdicts, untested.

    Facts with an undefined PMI are not counted as correct, as in the estimators.

    Parameters
    ----------
    cells
        The facts of S₁ ∪ S₂ ∪ G′; others are left aside.
    first, second
        Names of the systems.
    drawing
        How the bootstrap is drawn; the order of the cells changes no draw.
    corpus
        Whether G′ is known; without it precision alone is compared.
    """
    counts = pair_counts.count(cells, first, second)
    resampled = pair_counts.resample(counts, draws=drawing.draws, rng=drawing.rng())
    size, drawn = pair_counts.sizes(counts), pair_counts.sizes(resampled)
    measured = _measure(
        pair_counts.figures(size, pair_counts.true_facts(counts)),
        pair_counts.figures(drawn, pair_counts.true_facts(resampled)),
        pair_counts.judged(counts),
        test=None,
        method=BOOTSTRAP,
        corpus=corpus,
        level=drawing.level,
    )
    withheld = difference(claims=None)
    measures = {name: found._replace(withheld=withheld) for name, found in measured.items()}
    return Comparison(first, second, *_stated(size), measures)


def compare_draws(
    true: Mapping[StatedBy, NDArray[Any]],
    sizes: Mapping[StatedBy, int],
    first: str,
    second: str,
    *,
    judged: Mapping[StatedBy, int],
    point: Mapping[StatedBy, float] | None = None,
    corpus: bool = True,
    level: float = 0.95,
) -> Comparison:
    """Return the difference between two systems by joint draws of how many facts are true.

    Draws about a finite population tell of the difference on this corpus, not on its like.

    Parameters
    ----------
    true
        For every pattern, draws of the number of its true facts (what D holds among them), shape
        (draws,). Draws of the same place belong together.
    sizes
        Facts of every pattern, judged or not.
    first, second
        Names of the systems; patterns may name others too.
    judged
        Facts of every pattern that the draws rest on: the n of the figures.
    point
        Point estimates of the numbers of true facts; by default the means of the draws.
    corpus
        As for :func:`compare`.
    level
        Nominal coverage of the intervals.

    Raises
    ------
    ValueError
        If the mappings are not about the same patterns, or `level` is outside (0, 1).
    """
    if point is None:
        point = {pattern: float(np.mean(drawn)) for pattern, drawn in true.items()}
    if not true.keys() == sizes.keys() == judged.keys() == point.keys():
        raise ValueError("true, sizes, judged and point must be about the same patterns")
    draws = max((len(drawn) for drawn in true.values()), default=0)
    size, known = np.zeros((2, pair_counts.STRATA), dtype=np.int64)
    middle, drawn_true = np.zeros(pair_counts.STRATA), np.zeros((draws, pair_counts.STRATA))
    for pattern, drawn in true.items():
        row = pair_counts.stratum(*pattern, first, second)
        if row is not None:
            size[row] += sizes[pattern]
            known[row] += judged[pattern]
            middle[row] += point[pattern]
            drawn_true[:, row] += drawn
    measures = _measure(
        pair_counts.figures(size, middle),
        pair_counts.figures(size, drawn_true),
        known,
        test="posterior",
        method=POSTERIOR,
        corpus=corpus,
        level=level,
    )
    return Comparison(first, second, *_stated(size), measures)


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """Return p-values that hold for all tests at once (Holm 1979).

    None, a test that could not be made, stays None and does not count.
    """
    order = sorted((p, place) for place, p in enumerate(p_values) if p is not None)
    corrected: list[float | None] = [None] * len(p_values)
    largest = 0.0
    for rank, (p, place) in enumerate(order):
        largest = max(largest, min(1.0, (len(order) - rank) * p))
        corrected[place] = largest
    return corrected


def with_holm[Pair: Compared](comparisons: Sequence[Pair]) -> list[Pair]:
    """Return the comparisons with p-values corrected over all pairs, by measure and test."""
    raw: dict[tuple[str, str], list[float | None]] = defaultdict(list)
    for comparison in comparisons:
        for name, found in comparison.measures.items():
            for test, value in found.tests.items():
                raw[name, test].append(value.p)
    corrected = {key: iter(holm(p_values)) for key, p_values in raw.items()}
    made = {key: sum(p is not None for p in p_values) for key, p_values in raw.items()}

    def correct(name: str, found: Difference) -> Difference:
        tests = {t: PValue(v.p, next(corrected[name, t])) for t, v in found.tests.items()}
        tested = max((made[name, t] for t in tests), default=1)
        return found._replace(tests=tests, tested=max(tested, 1))

    return [
        comparison._replace(
            measures={name: correct(name, found) for name, found in comparison.measures.items()}
        )
        for comparison in comparisons
    ]


def _measure(
    point: NDArray[np.float64],
    drawn: NDArray[np.float64],
    judged: NDArray[np.int64],
    *,
    test: str | None,
    method: str,
    corpus: bool,
    level: float,
) -> dict[str, Difference]:
    """Return the differences of figures, shapes (3, 2) and (3, 2, draws), with at most one test."""
    return {
        name: Difference.of_draws(
            float(point[m, 0]),
            float(point[m, 1]),
            drawn[m, 0] - drawn[m, 1],
            test=test,
            method=method,
            level=level,
            n=int((judged[pair_counts.STATED] if name == "precision" else judged).sum()),
        )
        for m, name in enumerate(MEASURES if corpus else MEASURES[:1])
    }


def _opposite_sign(draws: NDArray[np.float64]) -> float:
    """Return twice the share of draws on the lesser side of 0; 0 itself is on both."""
    lesser = min((draws <= _TIE).sum(), (draws >= -_TIE).sum())
    return min(1.0, float(2 * (lesser + 1) / (draws.size + 1)))


def _stated(size: NDArray[np.int64]) -> tuple[int, int, int]:
    """Return how many facts the first states alone, the second alone, and both."""
    first, second = pair_counts.FIRST, pair_counts.SECOND
    groups = (first & ~second, second & ~first, first & second)
    alone1, alone2, both = (int(size[group].sum()) for group in groups)
    return alone1, alone2, both

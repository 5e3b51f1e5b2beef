"""Whether a candidate is worse than a baseline: a gate for continuous integration.

Both were scored on the same units: sentences of gold data, facts with verdicts, or the subjects of
a run's facts. Per unit four sums are known (right and said for precision, found and gold for
recall), and each figure is a ratio of sums, so that the influence of a unit on the difference is
known too (the delta method). The test is one-sided: the difference, plus the drop that is allowed,
over its standard error, against the normal distribution. Where every unit is one verdict on the
same fact, McNemar's exact test takes its place.

A gate that passes has not shown that nothing was lost. So it says what it could have seen: the drop
that it would have failed in four of five cases.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf, isnan, sqrt
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from evaluator.comparison.influence import influence
from evaluator.comparison.two_systems import MEASURES
from evaluator.interval_ends import detectable, normal_quantile
from evaluator.intervals import Estimate

type Sums = Mapping[str, Sequence[float]]
"""By unit: right, said, found, gold."""

FEWEST: Final = 30
"""Units from which on the normal distribution is trusted."""

_NOISE = 1e-12  # sums in another order differ by less

MCNEMAR: Final = "McNemar's exact test, one-sided"
DELTA: Final = "delta method over units, one-sided"
SAME: Final = "no unit differs"


@dataclass(frozen=True, slots=True, kw_only=True)
class Gate:
    """The outcome for one measure.

    Attributes
    ----------
    measure
        "precision", "recall" or "f1".
    baseline, candidate
        The two figures.
    difference
        Candidate less baseline, with a two-sided interval; its `n` are the units.
    p
        One-sided: how often chance alone makes a drop, beyond the allowed, as large as this one.
    test
        By which test.
    allowed
        Drop that is no failure.
    floor
        Least figure that the candidate may have; None for none.
    detectable
        The drop, beyond the allowed, that would have failed in four of five cases; None where no
        unit differs, which says nothing of how two systems scatter.
    """

    measure: str
    baseline: float
    candidate: float
    difference: Estimate
    p: float
    test: str
    allowed: float
    floor: float | None
    detectable: float | None

    @property
    def failures(self) -> list[str]:
        """Why the gate is closed; nothing where it is open."""
        told = []
        if self.p <= (1 - self.difference.level) / 2:
            beyond = f" by more than the allowed {100 * self.allowed:g}" if self.allowed else ""
            told.append(f"{self.measure} dropped{beyond} (p = {self.p:.2g})")
        if self.floor is not None and self.candidate < self.floor:
            told.append(
                f"{self.measure} {100 * self.candidate:.1f} % is below {100 * self.floor:g} %"
            )
        return told

    def as_json(self) -> dict[str, Any]:
        """Return the outcome as a JSON object."""
        told = {name: getattr(self, name) for name in self.__slots__}
        told["difference"] = self.difference.as_json()
        return {**told, "failures": self.failures}


def gate(
    baseline: Sums,
    candidate: Sums,
    measure: str,
    *,
    level: float = 0.95,
    allowed: float = 0.0,
    floor: float | None = None,
) -> Gate:
    """Return whether the candidate is worse in a measure.

    Parameters
    ----------
    baseline, candidate
        The sums of either; a unit that one lacks has only zeros there.
    measure
        "precision", "recall" or "f1".
    level
        The gate closes where the two-sided interval of this level lies below the allowed drop: at
        0.95 in 2.5 % of the cases where there is none.
    allowed
        Drop that is no failure, from 0 to 1.
    floor
        Least figure of the candidate.

    Raises
    ------
    ValueError
        If a figure is not defined: nothing is said, or there is nothing to find.
    """
    units = sorted({*baseline, *candidate})
    nothing = (0.0,) * 4
    one, other = (
        np.array([of.get(unit, nothing) for unit in units], float).reshape(-1, 4)
        for of in (baseline, candidate)
    )
    (before, influence1), (after, influence2) = (_figure(of, measure) for of in (one, other))
    influence = influence2 - influence1
    n, difference = len(units), after - before
    # The sum of influences is 0, and their spread the error; n/(n - 1) as for any variance.
    error = sqrt(float((influence**2).sum()) * n / max(n - 1, 1))
    z = normal_quantile((1 + level) / 2)
    p, test = _test(one, other, difference + allowed, error, measure, exact=not allowed)
    return Gate(
        measure=measure,
        baseline=before,
        candidate=after,
        difference=Estimate(
            difference, difference - z * error, difference + z * error, DELTA, level, n
        ),
        p=p,
        test=test,
        allowed=allowed,
        floor=floor,
        detectable=detectable(error, level) if error > _NOISE else None,
    )


def _figure(sums: NDArray[np.float64], measure: str) -> tuple[float, NDArray[np.float64]]:
    """Return a figure, and the influence of each unit on it."""
    points, influences = influence(sums[None])
    place = MEASURES.index(measure)
    figure = float(points[place, 0])
    if isnan(figure):
        nothing = "to be found" if sums[:, 1].any() or measure == "recall" else "said"
        raise ValueError(f"{measure} is not defined: nothing is {nothing}")
    return figure, np.nan_to_num(influences[place, 0])  # of an F of 0 it is not defined


def _test(
    one: NDArray[np.float64],
    other: NDArray[np.float64],
    beyond: float,
    error: float,
    measure: str,
    *,
    exact: bool,
) -> tuple[float, str]:
    from scipy.stats import binomtest, norm

    if exact and np.allclose(one, other, rtol=1e-9, atol=0):  # sums of shares, in another order
        return 1.0, SAME
    single = (one[:, 1] == 1) & (other[:, 1] == 1) & np.isin(one[:, 0], (0, 1))
    if exact and measure == "precision" and (single & np.isin(other[:, 0], (0, 1))).all():
        lost = int((one[:, 0] > other[:, 0]).sum())
        changed = lost + int((one[:, 0] < other[:, 0]).sum())
        return float(binomtest(lost, changed, alternative="greater").pvalue), MCNEMAR
    if not error:
        return (0.0 if beyond < 0 else 1.0), DELTA
    return float(norm.cdf(beyond / error)), DELTA


def least_units(outcomes: Sequence[Gate]) -> float:
    """Return the fewest units that an outcome by the normal distribution rests on."""
    return min((of.difference.n for of in outcomes if of.test == DELTA), default=inf)

"""The cheapest way to a precision whose interval is narrow enough: whom to ask, and how many facts.

A judge costs little and errs; people cost much.

Two-phase sampling (Neyman 1938; Cochran, section 12.3): M facts are judged, and n of them labelled
within the judge's classes. The variance of the share of true facts is B/M + A²/n, where B is the
variance between the classes and A the mean standard deviation within them, so that at the least
cost M/n = √(B·c_person) / (A·√c_judge). The closed form gives this ratio; the sizes follow from the
intervals of the estimators themselves, which small classes widen. A judge that tells nothing has
B = 0: then people alone are cheaper, and the plan says so.
"""

from collections.abc import Callable, Sequence
from math import ceil, sqrt
from typing import Any, Final, NamedTuple

import numpy as np

from evaluator.estimators.allocation import PlannedClass, allocate
from evaluator.estimators.labelled import estimate
from evaluator.estimators.strata import Stratum, StratumClass
from evaluator.intervals import Drawing

PILOT: Final = 40
"""Labels of the judge's classes together, from which on a plan rests on them."""

_FLOOR = 6
_JUDGE = "chain-rule"
_ALONE = "labels-only"


class PricedClass(NamedTuple):
    """A class of the judge.

    Attributes
    ----------
    name
        Its name.
    share
        Of the facts.
    true
        Share of true facts in it, as far as labels tell.
    """

    name: str
    share: float
    true: float


class CostPlan(NamedTuple):
    """A way to the wanted width.

    Attributes
    ----------
    judged
        Facts for the judge; 0 where there is none.
    labels
        Facts for people.
    of_class
        Of these, by the judge's class.
    width
        Of the interval of precision to expect.
    cost
        In the unit of the prices.
    """

    judged: int
    labels: int
    of_class: dict[str, int]
    width: float
    cost: float

    def as_json(self) -> dict[str, Any]:
        """Return the plan as a JSON object."""
        return self._asdict()


class Prices(NamedTuple):
    """What one fact costs, by judge and by person."""

    judge: float
    person: float


def with_judge(
    classes: Sequence[PricedClass],
    *,
    population: int,
    width: float,
    prices: Prices,
    drawing: Drawing,
) -> CostPlan:
    """Return the cheapest plan with the judge.

    Parameters
    ----------
    classes
        Of the judge; their shares sum to 1.
    population
        Facts of the system.
    width
        Of the interval of precision, in (0, 1).
    prices
        Per fact.
    drawing
        How intervals are drawn.
    """
    share = np.array([of.share for of in classes])
    true = np.array([of.true for of in classes])
    between = float(share @ (true - share @ true) ** 2)
    within = float(share @ np.sqrt(true * (1 - true)))
    # Each person's label is of a judged fact.
    ratio = sqrt(between * prices.person / max(prices.judge, 1e-12)) / max(within, 1e-12)
    ratio = max(ratio, 1.0)

    def of_labels(labels: int) -> CostPlan:
        judged = min(population, ceil(ratio * labels))
        sizes = _parts(share, judged)
        planned = [
            PlannedClass(
                judged=size, of_system={"S": population * part}, of_rest={}, assumed=of.true
            )
            for size, part, of in zip(sizes, share, classes, strict=True)
        ]
        numbers = allocate(planned, min(labels, judged), floor=_FLOOR)
        stratum = Stratum(
            domain="a",
            population=population,
            classes=tuple(
                StratumClass(name=of.name, judged=size, truth=np.full(number, of.true))
                for of, size, number in zip(classes, sizes, numbers, strict=True)
            ),
        )
        return CostPlan(
            judged,
            sum(numbers),
            dict(zip((of.name for of in classes), numbers, strict=True)),
            _width(stratum, _JUDGE, drawing),
            judged * prices.judge + sum(numbers) * prices.person,
        )

    return _least(of_labels, population, width)


def labels_alone(
    share: float, *, population: int, width: float, prices: Prices, drawing: Drawing
) -> CostPlan:
    """Return the plan without a judge; parameters as for :func:`with_judge`."""

    def of_labels(labels: int) -> CostPlan:
        everything = StratumClass(name="all", judged=population, truth=np.full(labels, share))
        stratum = Stratum(domain="a", population=population, classes=(everything,))
        found = _width(stratum, _ALONE, drawing)
        return CostPlan(0, labels, {"all": labels}, found, labels * prices.person)

    return _least(of_labels, population, width)


def cheapest(
    classes: Sequence[PricedClass],
    *,
    population: int,
    width: float,
    prices: Prices,
    drawing: Drawing,
) -> tuple[CostPlan, dict[str, CostPlan]]:
    """Return the cheapest plan, and all that were looked at; people alone is one of them."""
    share = sum(of.share * of.true for of in classes)
    asked: dict[str, Any] = {
        "population": population, "width": width, "prices": prices, "drawing": drawing,
    }  # fmt: skip
    plans = {
        "people alone": labels_alone(share, **asked),
        "judge and people": with_judge(classes, **asked),
    }
    return min(plans.values(), key=lambda of: of.cost), plans


def _least(of_labels: Callable[[int], CostPlan], population: int, width: float) -> CostPlan:
    """Return the plan of the fewest labels whose interval is narrow enough: all leave no width."""
    low, high = 1, population
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if of_labels(middle).width > width else (low, middle)
    return of_labels(high)


def _width(stratum: Stratum, estimator: str, drawing: Drawing) -> float:
    found = estimate([stratum], estimator, drawing, corpus=False).precision.width
    return 1.0 if found is None else found


def _parts(share: np.ndarray, total: int) -> list[int]:
    """Return whole numbers in these shares that sum to `total`."""
    ends = np.floor(np.concatenate([[0.0], np.cumsum(share)]) * total + 1e-9)
    ends[-1] = total
    return [int(size) for size in np.diff(ends)]

"""The plan of costs: its widths come, and it never costs more than people alone."""

import numpy as np
import pytest

from evaluator.estimators.labelled import estimate
from evaluator.estimators.strata import Stratum, StratumClass
from evaluator.intervals import Drawing
from evaluator.labels.cost_plan import CostPlan, PricedClass, Prices, cheapest

DRAWING = Drawing(draws=4_000, seed=5)
PRICES = Prices(judge=0.002, person=1.5)
GOOD = [
    PricedClass("rejected", 0.37, 0.05),
    PricedClass("undefined", 0.03, 0.3),
    PricedClass("accepted", 0.6, 0.9),
]
USELESS = [PricedClass("rejected", 0.5, 0.4), PricedClass("accepted", 0.5, 0.4)]
RARE = [PricedClass("rejected", 0.9, 0.01), PricedClass("accepted", 0.1, 0.6)]


def plans(
    classes: list[PricedClass], width: float = 0.1, population: int = 20_000, **prices: float
):
    return cheapest(
        classes,
        population=population,
        width=width,
        prices=PRICES._replace(**prices),
        drawing=DRAWING,
    )


def drawn_width(
    classes: list[PricedClass], of: CostPlan, population: int, rng: np.random.Generator
) -> float:
    """The width of one survey as planned, its facts and labels drawn."""
    share = np.array([c.share for c in classes])
    if not of.judged:
        true = rng.random(of.labels) < share @ np.array([c.true for c in classes])
        everything = StratumClass(name="all", judged=population, truth=true.astype(float))
        strata = [Stratum(domain="a", population=population, classes=(everything,))]
        return float(estimate(strata, "labels-only", DRAWING, corpus=False).precision.width or 1)
    sizes = rng.multinomial(of.judged, share)
    made = []
    for size, c in zip(sizes, classes, strict=True):
        labels = min(of.of_class[c.name], size)
        truth = (rng.random(labels) < c.true).astype(float)
        made.append(StratumClass(name=c.name, judged=int(size), truth=truth))
    strata = [Stratum(domain="a", population=population, classes=tuple(made))]
    return float(estimate(strata, "chain-rule", DRAWING, corpus=False).precision.width or 1)


@pytest.mark.parametrize("classes", [GOOD, USELESS, RARE], ids=["good", "useless", "rare"])
@pytest.mark.parametrize("width", [0.06, 0.1])
def test_the_promised_width_is_reached_and_people_alone_never_cost_less(
    classes: list[PricedClass], width: float
) -> None:
    rng = np.random.default_rng(3)
    best, looked_at = plans(classes, width)
    assert best.cost <= looked_at["people alone"].cost
    for of in looked_at.values():
        widths = [drawn_width(classes, of, 20_000, rng) for _ in range(40)]
        assert np.mean(widths) == pytest.approx(width, rel=0.1)


def test_a_good_and_cheap_judge_saves_most_of_the_labels() -> None:
    # People alone: 4·1.96²·p(1 - p)/width² = 371 labels at p = .5675; within the classes the
    # variance is .0725 of .2454.
    best, looked_at = plans(GOOD)
    assert looked_at["people alone"].labels == pytest.approx(377, rel=0.1)
    assert looked_at["judge and people"] is best
    assert best.labels == pytest.approx(0.3 * 377, rel=0.2)


def test_a_judge_that_costs_as_much_as_people_is_not_asked() -> None:
    best, looked_at = plans(GOOD, judge=1.5)
    assert best is looked_at["people alone"]


def test_all_facts_are_labelled_where_there_are_few() -> None:
    best, _ = plans(GOOD, population=60, width=0.01)
    assert best.labels >= 58

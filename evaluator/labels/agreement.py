"""How far raters agree: Table 1 of Bronzi et al. 2012, for any raters and any items.

The automatic annotator is a rater like the others. Agreement alone says little where classes are
uneven (where 3 % of the facts are true, a rater who always says "false" agrees on 97 %), so the
2×2 table, each rater's share of true and coefficients beyond chance stand beside it
(:mod:`evaluator.labels.agreement_coefficients`).
"""

from collections import Counter
from collections.abc import Hashable, Mapping
from itertools import combinations
from math import fsum
from typing import Any, NamedTuple

import numpy as np

from evaluator.intervals import Estimate, wilson
from evaluator.labels.agreement_coefficients import (
    Coefficient,
    JointCoefficients,
    joint_coefficients,
    pair_coefficients,
)

type Ratings[Item: Hashable] = Mapping[str, Mapping[Item, bool]]
"""Rater to item to judgement. Raters need not have judged the same items."""


class PairAgreement(NamedTuple):
    """Agreement of two raters on the items that both judged.

    Attributes
    ----------
    rater1, rater2
        The raters.
    both_true, true_false, false_true, both_false
        The 2×2 table; the first word is the first rater's judgement.
    level
        Nominal coverage of the intervals, from 0.9 to 0.99.
    """

    rater1: str
    rater2: str
    both_true: int
    true_false: int
    false_true: int
    both_false: int
    level: float = 0.95

    @property
    def items(self) -> int:
        """Items that both raters judged."""
        return sum(self[2:6])

    @property
    def interval(self) -> Estimate:
        """Share of equal judgements, with Wilson's interval."""
        return wilson(self.both_true + self.both_false, self.items, level=self.level)

    @property
    def agreement(self) -> float | None:
        """Share of equal judgements (Bronzi et al. 2012, section 2.4); None without items."""
        return self.interval.value

    @property
    def shares_of_true(self) -> tuple[float, float] | None:
        """How much of the items each rater calls true; None without items."""
        if not self.items:
            return None
        return (
            (self.both_true + self.true_false) / self.items,
            (self.both_true + self.false_true) / self.items,
        )

    @property
    def kappa(self) -> Coefficient:
        """Cohen's κ, low by construction where nearly all items are of one class: see `ac1`."""
        return pair_coefficients(*self[2:6], level=self.level).kappa

    @property
    def ac1(self) -> Coefficient:
        """Gwet's AC1, meaningful also where classes are uneven."""
        return pair_coefficients(*self[2:6], level=self.level).ac1

    def as_json(self) -> dict[str, Any]:
        """Return the table and the figures that follow from it as a JSON object."""
        return {
            **self._asdict(),
            "items": self.items,
            "true": self.shares_of_true,
            "agreement": self.interval.as_json(),
            "kappa": self.kappa.as_json(),
            "ac1": self.ac1.as_json(),
        }


class JointAgreement(NamedTuple):
    """Agreement of all raters together.

    Attributes
    ----------
    raters
        Number of raters.
    items
        Items that two raters or more judged; the figures are about these.
    mean
        Mean over items of the share of rater pairs that agree on the item.
    coefficients
        The same beyond chance.
    """

    raters: int
    items: int
    mean: Estimate
    coefficients: JointCoefficients

    def as_json(self) -> dict[str, Any]:
        """Return the figures as a JSON object."""
        return {
            "raters": self.raters,
            "items": self.items,
            "mean_pairwise": self.mean.as_json(),
            **{name: of.as_json() for name, of in self.coefficients._asdict().items()},
        }


def pairwise_agreement[Item: Hashable](
    ratings: Ratings[Item], *, level: float = 0.95
) -> list[PairAgreement]:
    """Return the agreement of every two raters with a common item, in the order of their names."""
    # By item and not by pair: of a crowd, most pairs of raters have no item in common.
    by_item: dict[Item, list[tuple[str, bool]]] = {}
    for rater in sorted(ratings):
        for item, judgement in ratings[rater].items():
            by_item.setdefault(item, []).append((rater, judgement))
    tables: dict[tuple[str, str], list[int]] = {}
    for judgements in by_item.values():
        for (rater1, judged1), (rater2, judged2) in combinations(judgements, 2):
            table = tables.setdefault((rater1, rater2), [0, 0, 0, 0])
            table[2 * (not judged1) + (not judged2)] += 1
    return [
        PairAgreement(rater1, rater2, both_true, true_false, false_true, both_false, level)
        for (rater1, rater2), (both_true, true_false, false_true, both_false) in sorted(
            tables.items()
        )
    ]


def compare[Item: Hashable](
    rater1: str,
    judged1: Mapping[Item, bool],
    rater2: str,
    judged2: Mapping[Item, bool],
    *,
    level: float = 0.95,
) -> PairAgreement:
    """Return the agreement of two raters, in this order."""
    common = judged1.keys() & judged2.keys()
    counts = Counter((judged1[item], judged2[item]) for item in common)
    return PairAgreement(
        rater1,
        rater2,
        both_true=counts[True, True],
        true_false=counts[True, False],
        false_true=counts[False, True],
        both_false=counts[False, False],
        level=level,
    )


def consensus[Item: Hashable](ratings: Ratings[Item], *raters: str) -> dict[Item, bool]:
    """Return the judgements that raters share: H12 of the paper, its most reliable rater.

    Items on which they differ, or which one of them did not judge, are left out.
    """
    first, *others = (ratings[rater] for rater in raters)
    return {
        item: judgement
        for item, judgement in first.items()
        if all(other.get(item) == judgement for other in others)
    }


class Votes(NamedTuple):
    """How many raters say true of an item, and how many false."""

    true: int
    false: int


def votes[Item: Hashable](ratings: Ratings[Item]) -> dict[Item, Votes]:
    """Return how the raters voted on each item."""
    true: Counter[Item] = Counter()
    judged: Counter[Item] = Counter()
    for judgements in ratings.values():
        judged.update(judgements.keys())
        true.update(item for item, judgement in judgements.items() if judgement)
    return {item: Votes(true[item], count - true[item]) for item, count in judged.items()}


def majority[Item: Hashable](votes: Mapping[Item, Votes]) -> dict[Item, bool]:
    """Return what most raters say; items with as many votes for as against are left out."""
    return {item: true > false for item, (true, false) in votes.items() if true != false}


def unanimous[Item: Hashable](votes: Mapping[Item, Votes]) -> dict[Item, bool]:
    """Return what all raters say, of the items that two or more judged and all judge alike."""
    return {
        item: true > false
        for item, (true, false) in votes.items()
        if true + false > 1 and 0 in (true, false)
    }


def average_pairwise_agreement[Item: Hashable](
    ratings: Ratings[Item], *, level: float = 0.95
) -> Estimate:
    """Return the mean over items of the share of rater pairs that agree on the item.

    For crowds: many raters, any two of whom share few items. Only items with two raters or more
    count, each once (Fleiss 1971). Items are the independent units of the interval.
    """
    return _mean(votes(ratings), level=level)


def joint_agreement[Item: Hashable](
    ratings: Ratings[Item], *, level: float = 0.95
) -> JointAgreement:
    """Return the agreement of all raters together, plain and beyond chance."""
    counts = votes(ratings)
    true, false = np.array(list(counts.values()), dtype=np.int64).reshape(-1, 2).T
    mean = _mean(counts, level=level)
    coefficients = joint_coefficients(true, false, level=level)
    return JointAgreement(len(ratings), mean.n, mean, coefficients)


def _mean[Item: Hashable](counts: Mapping[Item, Votes], *, level: float) -> Estimate:
    agreeing = [
        (true * (true - 1) + false * (false - 1)) / ((true + false) * (true + false - 1))
        for true, false in counts.values()
        if true + false > 1
    ]
    # fsum gives the same sum whatever the order of the items.
    return wilson(fsum(agreeing), len(agreeing), level=level)

"""How far raters agree: Table 1 of Bronzi et al. 2012, for any raters and any items.

The automatic annotator is a rater like the others. Agreement alone says little where classes are
uneven (where 3 % of the facts are true, a rater who always says "false" agrees on 97 %), so the
2×2 table and two chance-corrected coefficients stand beside it.
"""

from collections import Counter
from collections.abc import Hashable, Mapping
from itertools import combinations
from math import fsum
from typing import Any, NamedTuple

from evaluator.intervals import Estimate, wilson


class PairAgreement(NamedTuple):
    """Agreement of two raters on the items that both judged.

    Attributes
    ----------
    rater1, rater2
        The raters.
    both_true, true_false, false_true, both_false
        The 2×2 table; the first word is the first rater's judgement.
    level
        Nominal coverage of `interval`.
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
        return self.both_true + self.true_false + self.false_true + self.both_false

    @property
    def interval(self) -> Estimate:
        """Share of equal judgements, with Wilson's interval."""
        return wilson(self.both_true + self.both_false, self.items, level=self.level)

    @property
    def agreement(self) -> float | None:
        """Share of equal judgements (Bronzi et al. 2012, section 2.4); None without items."""
        return self.interval.value

    @property
    def kappa(self) -> float | None:
        """Cohen's κ (1960); None if by chance alone the raters would always agree.

        Low by construction where nearly all items fall into one class: see :attr:`ac1`.
        """
        if self.agreement is None:
            return None
        true1, true2 = self._shares_of_true()
        return _beyond_chance(self.agreement, true1 * true2 + (1 - true1) * (1 - true2))

    @property
    def ac1(self) -> float | None:
        """Gwet's AC1 (2008), meaningful also where classes are uneven; None without items."""
        if self.agreement is None:
            return None
        true = sum(self._shares_of_true()) / 2
        return _beyond_chance(self.agreement, 2 * true * (1 - true))

    def _shares_of_true(self) -> tuple[float, float]:
        return (
            (self.both_true + self.true_false) / self.items,
            (self.both_true + self.false_true) / self.items,
        )

    def as_json(self) -> dict[str, Any]:
        """Return the table and the figures that follow from it as a JSON object."""
        return {
            **self._asdict(),
            "items": self.items,
            "agreement": self.interval.as_json(),
            "kappa": self.kappa,
            "ac1": self.ac1,
        }


def pairwise_agreement[Item: Hashable](
    ratings: Mapping[str, Mapping[Item, bool]], *, level: float = 0.95
) -> list[PairAgreement]:
    """Return the agreement of every two raters, in the order of their names.

    Parameters
    ----------
    ratings
        Rater to item to judgement. Raters need not have judged the same items; two raters without
        a common item are listed with no agreement.
    level
        Nominal coverage of the intervals.
    """
    pairs = []
    for rater1, rater2 in combinations(sorted(ratings), 2):
        judged1, judged2 = ratings[rater1], ratings[rater2]
        counts = Counter((judged1[item], judged2[item]) for item in judged1.keys() & judged2.keys())
        pairs.append(
            PairAgreement(
                rater1,
                rater2,
                both_true=counts[True, True],
                true_false=counts[True, False],
                false_true=counts[False, True],
                both_false=counts[False, False],
                level=level,
            )
        )
    return pairs


def consensus[Item: Hashable](
    ratings: Mapping[str, Mapping[Item, bool]], rater1: str, rater2: str
) -> dict[Item, bool]:
    """Return the judgements that two raters share: H12 of the paper, its most reliable rater.

    Items on which they differ, or which only one judged, are left out.
    """
    judged2 = ratings[rater2]
    return {
        item: judgement
        for item, judgement in ratings[rater1].items()
        if item in judged2 and judged2[item] == judgement
    }


def average_pairwise_agreement[Item: Hashable](
    ratings: Mapping[str, Mapping[Item, bool]], *, level: float = 0.95
) -> Estimate:
    """Return the mean over items of the share of rater pairs that agree on the item.

    For crowds: many raters, any two of whom share few items. Only items with two raters or more
    count, each once (Fleiss 1971). Items are the independent units of the interval.
    """
    votes: dict[Item, list[bool]] = {}
    for judged in ratings.values():
        for item, judgement in judged.items():
            votes.setdefault(item, []).append(judgement)
    agreeing = [
        (true * (true - 1) + false * (false - 1)) / ((true + false) * (true + false - 1))
        for true, false in ((v.count(True), v.count(False)) for v in votes.values() if len(v) > 1)
    ]
    # fsum gives the same sum whatever the order of the items.
    return wilson(fsum(agreeing), len(agreeing), level=level)


def _beyond_chance(observed: float, expected: float) -> float | None:
    return None if expected == 1 else (observed - expected) / (1 - expected)

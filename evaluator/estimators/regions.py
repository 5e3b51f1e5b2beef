"""The four regions of the Venn diagram of S, D and G, and what follows from their sizes.

Bronzi et al. 2012, section 2.1 and Figure 1: S holds the facts of a system, D those of the
knowledge base, G those that the corpus states. True positives are in a and b, false negatives in
c and d.
"""

from typing import NamedTuple


class Regions(NamedTuple):
    """Sizes of the regions, in facts.

    Estimates need not be whole numbers, and `c` and `d` may be negative where they come from a
    subtraction (:mod:`evaluator.estimators.paper`).

    Attributes
    ----------
    a
        Correct facts of the system that the knowledge base lacks: (S ∩ G) ∖ D.
    b
        Facts of the system that the knowledge base holds: S ∩ D, all taken to be correct.
    c
        Facts of the knowledge base that the corpus states and the system lacks: (G ∩ D) ∖ S.
    d
        Facts that the corpus states and that neither the system nor the base has: G ∖ (S ∪ D).
    """

    a: float
    b: float
    c: float
    d: float

    @property
    def correct(self) -> float:
        """True positives, |S ∩ G|."""
        return self.a + self.b

    @property
    def ground_truth(self) -> float:
        """All that the corpus states, |G|."""
        return self.a + self.b + self.c + self.d

    def precision(self, size: float) -> float | None:
        """Return the share of the system's `size` = |S| facts that is correct; None if |S| = 0."""
        return _ratio(self.correct, size)

    def recall(self) -> float | None:
        """Return the share of G that the system found; None if G is empty."""
        return _ratio(self.correct, self.ground_truth)

    def f1(self, size: float) -> float | None:
        """Return the harmonic mean of precision and recall; None where either is undefined.

        Written as 2·|S ∩ G| / (|S| + |G|), which equals 2PR / (P + R) and is 0, not undefined,
        for a system without a correct fact.
        """
        if self.precision(size) is None or self.recall() is None:
            return None
        return _ratio(2 * self.correct, size + self.ground_truth)


def _ratio(numerator: float, denominator: float) -> float | None:
    return None if denominator == 0 else numerator / denominator

"""What makes a threshold a good one.

A threshold t judges "correct iff score ≥ t". What that does to labelled facts is a
:class:`Confusion`; a criterion says which t to take, given the confusions of all of them.

``balanced`` is the default. The paper's populations are uneven: of the facts that systems state few
are true (3 % of ReVerb's), of those that people are asked to label often most. With the accuracy,
the t that is best at one share of true facts accepts everything or nothing at another. The balanced
accuracy does not depend on that share, so its t carries over.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evaluator.errors import ConfigurationError, choices
from evaluator.intervals import wilson

Shares = NDArray[np.float64]


class Confusion(NamedTuple):
    """Facts by verdict and label; each part a number, or an array of them, all of one shape.

    Attributes
    ----------
    true_positives, false_positives, true_negatives, false_negatives
        Accepted and true, accepted and false, rejected and false, rejected and true.
    """

    true_positives: Any
    false_positives: Any
    true_negatives: Any
    false_negatives: Any

    @classmethod
    def of(cls, verdict: ArrayLike, label: ArrayLike) -> "Confusion":
        """Count verdicts, booleans of shape (facts,), by the labels of the same facts."""
        said, true = np.asarray(verdict, bool), np.asarray(label, bool)
        cells = (said & true, said & ~true, ~said & ~true, ~said & true)
        return cls(*(int(cell.sum()) for cell in cells))

    def at(self, place: Any) -> "Confusion":
        """Return the confusion at a place, or at several, of the arrays."""
        return Confusion(*(part[place] for part in self))

    # Every measure is one division of whole numbers, so that equal ones are equal to the last bit:
    # the plateaus of a criterion are found by comparison.

    @property
    def accuracy(self) -> Shares:
        """Share of the facts judged as the label says; NaN without a fact."""
        tp, fp, tn, fn = self
        return _ratio(tp + tn, tp + fp + tn + fn)

    @property
    def balanced_accuracy(self) -> Shares:
        """Mean of the shares judged right among true and among false facts.

        1/2 for a verdict that does not depend on the fact; NaN where all labels are alike.
        """
        tp, fp, tn, fn = self
        true, false = tp + fn, fp + tn
        return _ratio(tp * false + tn * true, 2 * true * false)

    @property
    def youden(self) -> Shares:
        """Youden's J: sensitivity + specificity − 1; NaN where all labels are alike."""
        tp, fp, tn, fn = self
        return _ratio(tp * tn - fp * fn, (tp + fn) * (fp + tn))

    @property
    def f1(self) -> Shares:
        """Harmonic mean of precision and recall; NaN where nothing is true or accepted."""
        tp, fp, _, fn = self
        return _ratio(2 * tp, 2 * tp + fp + fn)

    @property
    def precision(self) -> Shares:
        """Share of true facts among the accepted; NaN where none is accepted."""
        return _ratio(self.true_positives, self.true_positives + self.false_positives)

    @property
    def recall(self) -> Shares:
        """Share of accepted facts among the true; NaN where none is true."""
        return _ratio(self.true_positives, self.true_positives + self.false_negatives)


class Criterion(Protocol):
    """Which threshold to take."""

    @property
    def name(self) -> str:
        """How the command line calls it."""

    @property
    def measure(self) -> str:
        """The measure of a :class:`Confusion` that it looks at."""

    def best(self, candidates: Confusion) -> int | None:
        """Return the place of the threshold to take, of those that rise; None where none will do.

        Parameters
        ----------
        candidates
            Arrays of shape (thresholds,), thresholds rising; the last accepts nothing.
        """

    def merit(self, judged: Confusion) -> Shares:
        """Return how good verdicts are, to rank annotators by: the higher, the better."""


@dataclass(frozen=True)
class Highest:
    """The threshold at which a measure is highest.

    Where several are best, the middle one (the lower of two) of the longest run of neighbouring
    best candidates is taken, of equally long runs the one with higher thresholds: a threshold amid
    a plateau depends least on single labels.
    """

    name: str
    measure: str

    def best(self, candidates: Confusion) -> int | None:
        """Return the middle of the longest plateau; None where the measure is nowhere defined."""
        values: Shares = getattr(candidates, self.measure)
        if np.isnan(values).all():
            return None
        edges = np.diff(np.r_[False, values == np.nanmax(values), False].astype(np.int8))
        starts, ends = np.flatnonzero(edges == 1), np.flatnonzero(edges == -1)
        longest = np.flatnonzero(ends - starts == (ends - starts).max())[-1]
        return int(starts[longest] + ends[longest] - 1) // 2

    def merit(self, judged: Confusion) -> Shares:
        """Return the measure."""
        merit: Shares = getattr(judged, self.measure)
        return merit


@dataclass(frozen=True)
class WantedPrecision:
    """The smallest threshold whose precision on the labels reaches what is wanted.

    Precision is wanted of the labelled facts themselves or, `surely`, of the population that they
    are a sample of: then the lower end of Wilson's 95 % interval has to reach it.
    """

    wanted: float
    surely: bool = False
    measure: str = "precision"

    @property
    def name(self) -> str:
        """How the command line calls it."""
        return f"{'surely-' if self.surely else ''}precision={self.wanted:g}"

    def best(self, candidates: Confusion) -> int | None:
        """Return the first threshold that reaches the precision; None where none does."""
        reached = np.nan_to_num(candidates.precision) >= self.wanted
        if self.surely:
            accepted = candidates.true_positives + candidates.false_positives
            for place in np.flatnonzero(reached):
                size = int(accepted[place])
                low = wilson(candidates.precision[place] * size, size).low
                reached[place] = low is not None and low >= self.wanted
        return int(reached.argmax()) if reached.any() else None

    def merit(self, judged: Confusion) -> Shares:
        """Return the recall; what misses the precision is below all else, by how far it misses."""
        precision = np.nan_to_num(judged.precision)
        return np.where(precision >= self.wanted, judged.recall, precision - 1)


CRITERIA: dict[str, Criterion] = {
    criterion.name: criterion
    for criterion in (
        Highest("balanced", "balanced_accuracy"),
        Highest("accuracy", "accuracy"),
        Highest("f1", "f1"),
        Highest("youden", "youden"),
    )
}


def criterion(text: str) -> Criterion:
    """Return the criterion that `text` names, such as "balanced" or "precision=0.9".

    Raises
    ------
    ConfigurationError
        For a name that is unknown, or a precision outside (0, 1].
    """
    if text in CRITERIA:
        return CRITERIA[text]
    name, equals, number = text.partition("=")
    if equals and name in ("precision", "surely-precision"):
        try:
            wanted = float(number)
        except ValueError:
            wanted = -1.0
        if not 0 < wanted <= 1:
            raise ConfigurationError(f"criterion {text}: expected a precision above 0, at most 1")
        return WantedPrecision(wanted, surely=name == "surely-precision")
    known = choices(text, (*CRITERIA, "precision=0.9", "surely-precision=0.9"))
    raise ConfigurationError(f"criterion {text} is unknown; {known}")


MEASURES = ("accuracy", "balanced_accuracy", "f1", "precision", "recall")
"""What verdicts are measured by, whichever of them chose the threshold."""


def _ratio(numerator: Any, denominator: Any) -> Shares:
    """Divide; NaN where the denominator is 0."""
    above, below = np.broadcast_arrays(np.asarray(numerator, float), np.asarray(denominator, float))
    shares: Shares = np.divide(above, below, out=np.full(above.shape, np.nan), where=below != 0)
    return shares

"""The choice of a threshold, with an interval for the threshold itself."""

from dataclasses import dataclass
from math import inf
from typing import Any

import numpy as np

from evaluator.tuning.criteria import CRITERIA, Criterion
from evaluator.tuning.thresholds import Scores, Sweep
from evaluator.tuning.verdict_figures import Weights


@dataclass(frozen=True)
class Plan:
    """How a threshold is chosen and tried.

    Attributes
    ----------
    criterion
        Which t to take.
    folds, repeats
        Of the cross-validation; the facts are dealt out anew in each repeat.
    resamples
        Of the bootstrap.
    level
        Nominal coverage of intervals.
    seed
        Of folds and resamples.
    """

    criterion: Criterion = CRITERIA["balanced"]
    folds: int = 10
    repeats: int = 5
    resamples: int = 1000
    level: float = 0.95
    seed: int = 2012


@dataclass(frozen=True)
class Choice:
    """A threshold and how sure it is.

    Attributes
    ----------
    threshold
        Infinity where accepting nothing is best; None where the criterion takes none.
    low, high
        Percentile interval over resamples of the facts; None where no resample has a threshold.
    accept_none, accept_all
        Shares of the resamples in which the choice accepts none, and all, of the defined facts.
    none
        Share of the resamples in which the criterion takes no threshold.
    """

    threshold: float | None
    low: float | None
    high: float | None
    accept_none: float
    accept_all: float
    none: float

    def as_json(self) -> dict[str, Any]:
        """Return the choice as a JSON object; infinity is the string "inf"."""
        ends = ("threshold", "low", "high")
        return {**vars(self), **{end: json_number(getattr(self, end)) for end in ends}}


def choose(sweep: Sweep, plan: Plan, weights: Weights, *, weight: Scores | None = None) -> Choice:
    """Return the threshold that the criterion of `plan` takes, and what it takes in resamples.

    Parameters
    ----------
    sweep, plan
        The candidates, and what to take of them.
    weights
        The resamples, shape (resamples, facts).
    weight
        How much each fact counts, shape (facts,); all alike by default.
    """
    counts = 1.0 if weight is None else weight
    threshold = sweep.choose(plan.criterion, weight)
    drawn = [sweep.choose(plan.criterion, resample * counts) for resample in weights]
    known = np.array([t for t in drawn if t is not None])
    if threshold is None or not known.size:
        return Choice(threshold, None, None, 0.0, 0.0, 1.0)
    tail = (1 - plan.level) / 2
    # Resampled thresholds may be infinite, so an end is one of them and nothing between two.
    low, high = np.quantile(known, [tail, 1 - tail], method="inverted_cdf").tolist()
    return Choice(
        threshold,
        min(low, threshold),
        max(high, threshold),
        accept_none=float((known == inf).mean()),
        accept_all=float((known <= sweep.thresholds[0]).mean()),
        none=1 - known.size / len(drawn),
    )


def json_number(number: float | None) -> float | str | None:
    """Return a number as JSON can hold it: infinity is the string "inf"."""
    return "inf" if number == inf else number

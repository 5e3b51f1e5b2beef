"""Parts of a benchmark's sums: some of its sentences, or one point of its curve."""

from dataclasses import replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from evaluator.gold.statistics import Statistics

type OperatingPoint = Literal["best", "all"]


def restricted(statistics: Statistics, kept: NDArray[np.bool_]) -> Statistics:
    """Return the sums of some of the sentences, those for which `kept`, shape (n,), is true."""
    places = np.cumsum(kept) - 1
    of_kept = kept[statistics.sentence]
    return replace(
        statistics,
        sentence=places[statistics.sentence[of_kept]],
        threshold=statistics.threshold[of_kept],
        changes=statistics.changes[of_kept],
        gold=statistics.gold[kept],
    )


def at_point(statistics: Statistics, point: OperatingPoint) -> Statistics:
    """Return the sums as they are, for "best", or for "all" those of all extractions only."""
    if point == "best":
        return statistics
    return replace(
        statistics,
        thresholds=statistics.thresholds[:1],
        threshold=np.zeros_like(statistics.threshold),
        curve=False,
    )

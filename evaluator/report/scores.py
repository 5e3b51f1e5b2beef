"""The distribution of scores: bars, the ticks of their axis, and the threshold between bars."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

type _Floats = NDArray[np.float64]

_BARS_PER_DECADE = 8
_LOWEST = 1e-4
_STEP = 0.05  # width of a bar of probabilities


class Bar(NamedTuple):
    """The facts with ``low`` <= score < ``high``."""

    low: float
    high: float
    facts: int
    accepted: bool


class ScoreHistogram(NamedTuple):
    """The distribution of the scores of a system's facts.

    A PMI is a ratio of hit counts and its threshold is small, so its axis is logarithmic; that of
    probabilities runs from 0 to 1. The threshold is an edge between bars: no bar holds facts on
    both sides of it. Facts that the axis cannot show, undefined ones and on a logarithmic axis
    those with score 0, are counted beside the bars.

    Attributes
    ----------
    logarithmic
        Whether the axis is.
    shares
        (name, count, share of all) of undefined, zero (on a logarithmic axis), below and at or
        above the threshold.
    ticks
        Scores.
    threshold
        None where the axis does not reach it.
    """

    logarithmic: bool
    total: int
    shares: Sequence[tuple[str, int, float]]
    bars: Sequence[Bar]
    ticks: Sequence[float]
    threshold: float | None
    peak: int


def histogram(
    scores: Sequence[float | None], *, threshold: float, logarithmic: bool
) -> ScoreHistogram | None:
    """Return the distribution of scores, or None where there are none.

    Parameters
    ----------
    scores
        None and NaN stand for undefined.
    threshold
        Least score of a fact that is accepted.
    logarithmic
        For PMIs; else the scores are probabilities.
    """
    values = np.array([math.nan if score is None else score for score in scores], dtype=float)
    if not values.size:
        return None
    if logarithmic:
        drawn = values[values > 0]
        edges = _magnitudes(drawn, anchor=threshold if threshold > 0 else 1.0)
    else:
        drawn = values[~np.isnan(values)]
        edges = _shares_of_one(threshold)
    counts, _ = np.histogram(np.clip(drawn, edges[0], edges[-1]), bins=edges)
    ticks = (
        [10.0**decade for decade in range(math.ceil(math.log10(edges[0]) - 1e-9), 1)]
        if logarithmic
        else [0.0, 0.25, 0.5, 0.75, 1.0]
    )
    return ScoreHistogram(
        logarithmic=logarithmic,
        total=values.size,
        shares=_parts(values, threshold=threshold, logarithmic=logarithmic),
        bars=[
            Bar(low, high, facts, low >= threshold)
            for low, high, facts in zip(
                edges[:-1].tolist(), edges[1:].tolist(), counts.tolist(), strict=True
            )
        ],
        ticks=ticks,
        threshold=threshold if edges[0] <= threshold <= edges[-1] else None,
        peak=int(counts.max()),
    )


def _magnitudes(positive: _Floats, *, anchor: float) -> _Floats:
    """Return the bars' edges: a logarithmic grid through `anchor`, from the least PMI past 1."""
    lowest = min(anchor, max(_LOWEST, float(positive.min(initial=0.1))))
    # One bar at least below the anchor: what lies under the least edge is drawn in the first bar.
    first = min(math.floor(_BARS_PER_DECADE * math.log10(lowest / anchor)), -1)
    last = math.floor(_BARS_PER_DECADE * math.log10(1 / anchor)) + 1
    return np.asarray(anchor * 10.0 ** (np.arange(first, last + 1) / _BARS_PER_DECADE))


def _shares_of_one(threshold: float) -> _Floats:
    """Return the bars' edges: from 0 to 1 an even grid through `threshold`, without slivers."""
    grid = threshold + _STEP * np.arange(-round(1 / _STEP), round(1 / _STEP) + 1)
    inner = grid[(grid >= _STEP / 2) & (grid <= 1 - _STEP / 2)]
    # Only what is certain is accepted at 1; it needs a bar of its own.
    ends = [0.0, 1.0, 1 + _STEP] if threshold == 1 else [0.0, 1.0]
    return np.unique([*ends, *inner, *([threshold] if 0 < threshold < 1 else [])])


def _parts(values: _Floats, *, threshold: float, logarithmic: bool) -> list[tuple[str, int, float]]:
    """Return how many values are undefined, zero, below and at or above the threshold."""
    accepted = values >= threshold
    zero = (values == 0) & ~accepted if logarithmic else np.zeros(values.size, bool)
    parts = {
        "undefined": np.isnan(values),
        **({"zero": zero} if logarithmic else {}),
        "below": (values < threshold) & ~zero,
        "accepted": accepted,
    }
    counts = {name: int(np.count_nonzero(mask)) for name, mask in parts.items()}
    return [(name, count, count / values.size) for name, count in counts.items()]

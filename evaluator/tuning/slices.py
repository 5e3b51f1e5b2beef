"""Figures of parts of the facts: how far agreement depends on how much is known of a fact."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from evaluator.intervals import Estimate
from evaluator.tuning.thresholds import Mask
from evaluator.tuning.verdict_figures import Verdicts, Weights

PAIR_COUNTS = (0, 1, 2, 4)
"""Where classes of pair counts begin: 0, 1, 2-3, 4 and more."""


class NamedFacts(NamedTuple):
    """Some of the facts, by what they are called."""

    name: str
    facts: Mask


class Slice(NamedTuple):
    """Held-out figures of a part: all its facts, those without a score judged "not correct"."""

    name: str
    facts: int
    true: int
    agreement: Estimate
    balanced_accuracy: Estimate

    def as_json(self) -> dict[str, Any]:
        """Return the slice as a JSON object."""
        agreement, balanced = self.agreement.as_json(), self.balanced_accuracy.as_json()
        return {**self._asdict(), "agreement": agreement, "balanced_accuracy": balanced}


def by_counts(counts: NDArray[np.int64], starts: Sequence[int] = PAIR_COUNTS) -> list[NamedFacts]:
    """Return the parts with counts from each of `starts` to the next; the last is open."""
    parts = []
    for start, end in zip(starts, [*starts[1:], None], strict=True):
        if end is None:
            name, facts = f"≥ {start:,}", counts >= start
        else:
            name = f"{start:,}" if end == start + 1 else f"{start:,}–{end - 1:,}"
            facts = (counts >= start) & (counts < end)
        parts.append(NamedFacts(name, facts))
    return parts


def by_thirds(values: NDArray[np.int64], *, among: Mask) -> list[NamedFacts]:
    """Return about a third of some facts each, by rising value; equal values stay together."""
    if not among.any():
        return []
    of = values[among]
    edges = np.quantile(of, [1 / 3, 2 / 3], method="inverted_cdf").tolist()
    starts = sorted({int(of.min()), *(int(edge) + 1 for edge in edges)})
    parts = (NamedFacts(name, facts & among) for name, facts in by_counts(values, starts))
    return [part for part in parts if part.facts.any()]


def sliced(verdicts: Verdicts, parts: Sequence[NamedFacts], *, weights: Weights) -> list[Slice]:
    """Return the figures of parts that have a fact."""
    slices = []
    for part in parts:
        if part.facts.any():
            figures = verdicts.among(part.facts).figures(weights[:, part.facts])
            told = figures.accuracy, figures.balanced_accuracy
            slices.append(Slice(part.name, figures.facts, figures.true, *told))
    return slices

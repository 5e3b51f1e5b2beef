"""Recall within sentences and across them: the true facts of G' in two parts.

With a window of several sentences G' holds what some sentence by itself states, and what only two
sentences together do. Systems that read sentence by sentence find nothing of the second, so one
recall over both says little of them. Each part has its own number of true facts, and of those the
share that a system states, as the annotator judges: what the knowledge base matches is counted in
full, the rest from the facts of the part that were judged. Facts of S outside G' are in neither.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated

import numpy as np
from pydantic import Field

from evaluator.estimators.coverage import TrueOf, true_by_annotator
from evaluator.estimators.tallies import Cell
from evaluator.intervals import CENSUS, FINITE_POPULATION, Drawing, Estimate, from_draws
from evaluator.named_objects import ClosedModel

NO_CANDIDATE = "G′ has no such fact"
NOT_JUDGED = "none of these facts was judged"
NONE_TRUE = "none of these facts is judged true"


class RecallPart(ClosedModel):
    """A part of G′."""

    candidates: Annotated[int, Field(strict=True, ge=0)]
    """Its facts."""
    true: Estimate
    """How many of them are true; without a value where none was judged."""
    recall: Mapping[str, Estimate]
    """By system, the share of the true ones that it states."""
    why: str | None
    """Why there is no recall; None where there is."""


class RecallParts(ClosedModel):
    """The facts of G′ that some sentence by itself states, and those that only a window does."""

    sentence: RecallPart
    window: RecallPart

    def in_words(self) -> str:
        """Return the parts in sentences."""
        return (
            f"Of G′, {self.sentence.candidates:,} facts stand in one sentence: "
            f"{_in_words(self.sentence)}. {self.window.candidates:,} stand only in a window of "
            f"several: {_in_words(self.window)}."
        )


def recall_parts(cells: Iterable[Cell], systems: Sequence[str], drawing: Drawing) -> RecallParts:
    """Return the two parts of G' with the recall of `systems` in each."""
    candidates = [cell for cell in cells if cell.candidate]
    sentence, window = (
        _part([cell for cell in candidates if cell.across == across], systems, drawing)
        for across in (False, True)
    )
    return RecallParts(sentence=sentence, window=window)


def _part(cells: Sequence[Cell], systems: Sequence[str], drawing: Drawing) -> RecallPart:
    facts = sum(cell.facts for cell in cells)
    known = sum(cell.facts for cell in cells if cell.matched or cell.verdict is not None)
    found = true_by_annotator(cells, drawing)
    all_true = _total(drawing, found.values())

    def estimate(value: float | None, draws: np.ndarray) -> Estimate:
        method = CENSUS if known == facts else FINITE_POPULATION
        return from_draws(value, draws, method=method, level=drawing.level, n=known)

    def recall(name: str) -> Estimate:
        own = _total(drawing, (of for history, of in found.items() if name in history.systems))
        value = own.value / all_true.value if known and all_true.value else None
        return estimate(value, own.draws / np.maximum(all_true.draws, 1e-9))

    why = None
    if not facts:
        why = NO_CANDIDATE
    elif not known:
        why = NOT_JUDGED
    elif not all_true.value:
        why = NONE_TRUE
    return RecallPart(
        candidates=facts,
        true=estimate(None if why == NOT_JUDGED else all_true.value, all_true.draws),
        recall={name: recall(name) for name in systems},
        why=why,
    )


def _total(drawing: Drawing, parts: Iterable[TrueOf]) -> TrueOf:
    value, draws = 0.0, np.zeros(drawing.draws)
    for part in parts:
        value, draws = value + part.value, draws + part.draws
    return TrueOf(value, draws)


def _in_words(part: RecallPart) -> str:
    if part.why is not None:
        return f"no recall, since {part.why}"

    def shown(of: Estimate, times: int, digits: int) -> str:
        value, low, high = (f"{times * (number or 0.0):,.{digits}f}" for number in of[:3])
        return f"{value} [{low}, {high}]"

    recalls = ", ".join(f"{shown(of, 100, 1)} % for {name}" for name, of in part.recall.items())
    return f"{shown(part.true, 1, 0)} of them are judged true, and recall of these is {recalls}"

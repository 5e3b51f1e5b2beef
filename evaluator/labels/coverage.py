"""True facts inside and outside G', by who states them, from labels.

They are what :func:`evaluator.estimators.coverage.coverage` takes.
"""

from collections import defaultdict
from collections.abc import Iterable

import numpy as np

from evaluator.estimators.coverage import History, TrueOf, in_order
from evaluator.intervals import Drawing
from evaluator.labels.design import LabelCell, LabelledFact, Place


def true_by_labels(
    cells: Iterable[LabelCell], labelled: Iterable[LabelledFact], drawing: Drawing
) -> dict[History, TrueOf]:
    """Return the true facts of each history as people labelled facts of its classes.

    The share of true facts of a class is estimated apart inside and outside G'. A class without a
    label on one side is taken to be like the class as a whole, else like its group, else like all.
    """
    facts: dict[tuple[History, str], int] = defaultdict(int)
    judged: dict[tuple[History, str], dict[Place, int]] = defaultdict(lambda: defaultdict(int))
    for cell in cells:
        at = History(cell.candidate, cell.systems), cell.place.group
        facts[at] += cell.facts
        if cell.place.name is not None:
            judged[at][cell.place] += cell.facts
    labels: dict[tuple[object, ...], list[LabelledFact]] = defaultdict(list)
    for fact in labelled:
        for key in _alike(fact.place, fact.candidate):
            labels[key].append(fact)
    rng = drawing.rng()
    drawn: dict[tuple[object, ...], TrueOf] = {}

    def share(place: Place, candidate: bool) -> TrueOf:
        key = next((key for key in _alike(place, candidate) if labels.get(key)), ())
        if key not in drawn:
            alike = labels[key]
            n, value = len(alike), sum(fact.truth for fact in alike)
            true = np.zeros(drawing.draws)
            for fact in alike:
                true += fact.truth if fact.drawn is None else fact.drawn
            draws = rng.beta(true + 0.5, n - true + 0.5)
            drawn[key] = TrueOf(value / n if n else 0.0, draws)
        return drawn[key]

    found: dict[History, TrueOf] = {}
    for at in sorted(facts, key=lambda at: (in_order(at[0]), at[1])):
        history, group = at
        classes = judged[at] or {Place(group, None): 1}
        of = [(n, share(place, history.candidate)) for place, n in sorted(classes.items(), key=str)]
        whole = sum(n for n, _ in of)
        before = found.get(history, TrueOf(0.0, np.zeros(drawing.draws)))
        found[history] = TrueOf(
            before.value + facts[at] * sum(n * one.value for n, one in of) / whole,
            before.draws + facts[at] * np.sum([n * one.draws for n, one in of], axis=0) / whole,
        )
    return found


def _alike(place: Place, candidate: bool) -> tuple[tuple[object, ...], ...]:
    """Return what tells facts like those of a class from others, from the finest on."""
    return (*place, candidate), tuple(place), (place.group,), ()

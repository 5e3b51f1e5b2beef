"""The threshold for matching relations, chosen from known alignments.

An alignment says of a relation phrase and of a relation's name whether they mean the same. Scored
by a similarity, a set of them tells what each threshold finds (recall), how much of what it finds
is right (precision), and how often it takes a wrong relation for the right one (false positive
rate). Precision alone depends on how many wrong relations there are for each right one, which is
a choice of whoever drew the set: it is quoted with that number, and ``false_per_true`` of
:func:`matching_curve` restates it for another.

A file of alignments is a table (:mod:`evaluator.tables`) with the columns ``phrase``, ``relation``
(the name of the relation) and ``same`` (true/false, yes/no, correct/incorrect or 1/0, in any
case), and optionally ``weight``, a number above 1e-9 and below 1e9 that tells how often the
alignment counts. Where there is also a column ``name``, the name is read from there and
``relation`` is an identifier.
"""

import math
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from evaluator.errors import InputError
from evaluator.intervals import Estimate, wilson
from evaluator.labels.label import FALSE, TRUE
from evaluator.tables import Row, read_table, write_table
from evaluator.wordnet.similarity import IDENTICAL

COLUMNS = ("phrase", "relation", "same")

# Beyond these, sums of the squares of weights lose the other alignments, or are infinite or 0.
LEAST_WEIGHT, GREATEST_WEIGHT = 1e-9, 1e9


class Alignment(NamedTuple):
    """Whether a relation phrase says what a relation of a database says.

    Attributes
    ----------
    phrase
        Relation phrase of a text, or another name of a relation.
    relation
        Name of the database's relation.
    same
        Whether a text that states the phrase of a pair states the relation of it.
    weight
        How often the alignment counts.
    """

    phrase: str
    relation: str
    same: bool
    weight: float = 1.0


class MatchingPoint(NamedTuple):
    """What a threshold does to the alignments; all sums are weighted.

    Attributes
    ----------
    threshold
        Alignments with at least this score are matched;
        :data:`~evaluator.wordnet.similarity.IDENTICAL` matches only what is the same.
    matched, true_matched
        Matched alignments, and those among them that are the same.
    precision
        Share of the same among the matched.
    recall
        Share of the matched among the same.
    f1
        Harmonic mean of both; 0 where both are 0.
    false_positive_rate
        Share of the matched among those that are not the same; None where all are the same.
    balanced_accuracy
        Mean of recall and 1 − false positive rate: 1/2 for a threshold that does not look at the
        alignment. Does not depend on how many are the same.
    """

    threshold: float
    matched: float
    true_matched: float
    precision: Estimate
    recall: Estimate
    f1: float
    false_positive_rate: float | None
    balanced_accuracy: float | None

    def as_json(self) -> dict[str, Any]:
        """Return the point as a JSON object; the score of the same is the string "identical"."""
        identical = self.threshold >= IDENTICAL
        return {
            **self._asdict(),
            "threshold": "identical" if identical else self.threshold,
            "precision": self.precision.as_json(),
            "recall": self.recall.as_json(),
        }


def read_alignments(path: Path) -> list[Alignment]:
    """Return the alignments of a file, in its order.

    Raises
    ------
    InputError
        If the file cannot be read, lacks a column, or a row is not an alignment; with the line.
    """
    found = [_alignment(row) for row in read_table(path, columns=COLUMNS)]
    if not found:
        raise InputError(path, "no alignment below the header")
    return found


def write_alignments(path: Path, alignments: Iterable[Alignment]) -> None:
    """Write `alignments` as a file that :func:`read_alignments` reads; whole, or not at all.

    Tabs and line ends inside a field become spaces.

    Raises
    ------
    InputError
        If the file cannot be written.
    """
    rows = (
        (phrase, relation, "true" if same else "false", f"{weight:.12g}")
        for phrase, relation, same, weight in alignments
    )
    write_table(path, (*COLUMNS, "weight"), rows)


def merge_alignments(alignments: Iterable[Alignment]) -> list[Alignment]:
    """Return each distinct (phrase, relation, same) once, with the sum of its weights, sorted."""
    weights: dict[tuple[str, str, bool], float] = {}
    for phrase, relation, same, weight in alignments:
        key = (phrase, relation, same)
        weights[key] = weights.get(key, 0.0) + weight
    return [Alignment(*key, weight) for key, weight in sorted(weights.items())]


def matching_curve(
    alignments: Sequence[Alignment],
    scores: Sequence[float],
    *,
    false_per_true: float | None = None,
    level: float = 0.95,
) -> list[MatchingPoint]:
    """Return what each threshold that matters does, thresholds rising.

    A threshold matters if an alignment that is the same has just that score: any other matches
    the same true alignments as the next one above and, beside them, more or as many false ones.

    The intervals are Wilson's over the effective number of alignments, (Σw)² / Σw² of the weights
    w (Kish 1965): a phrase that counts a thousand times is not a thousand observations. They know
    nothing of alignments that depend on each other, as those of one relation do.

    Parameters
    ----------
    alignments, scores
        The alignments and, in the same order, their similarities (0 or more).
    false_per_true
        Restate precision and F1 as if there were so many false alignments for each true one;
        without it as in `alignments`. Recall and the false positive rate do not change.
    level
        Nominal coverage of the intervals.

    Raises
    ------
    ValueError
        If the lengths differ, a score is negative or not a number, no alignment is the same, or
        `false_per_true` is not above 0.
    """
    if len(alignments) != len(scores):
        raise ValueError(f"{len(alignments)} alignments, but {len(scores)} scores")
    if not all(score >= 0 for score in scores):
        raise ValueError("a score is negative or not a number")
    same = np.array([alignment.same for alignment in alignments], np.bool_)
    if not same.any():
        raise ValueError("no alignment is the same: nothing to find")
    weight = np.array([alignment.weight for alignment in alignments], np.float64)
    score = np.array(scores, np.float64)
    true, false = _Side(score[same], weight[same]), _Side(score[~same], weight[~same])
    scale = 1.0
    if false_per_true is not None:
        if not 0 < false_per_true < math.inf:
            raise ValueError(f"false_per_true must be above 0: {false_per_true}")
        scale = false_per_true * true.total / false.total if false.total else 1.0
    return [
        _point(float(threshold), true, false, scale, level) for threshold in np.unique(true.scores)
    ]


def best_f1(points: Sequence[MatchingPoint]) -> MatchingPoint:
    """Return the point with the highest F1, of several the one with the highest threshold.

    A threshold of 0, at which words match that have nothing in common, is no choice unless there
    is no other: where most alignments are the same, F1 would be highest there.
    """
    return max(points, key=lambda point: (point.threshold > 0, point.f1, point.threshold))


def best_balanced(points: Sequence[MatchingPoint]) -> MatchingPoint | None:
    """Return the point with the highest balanced accuracy, of several the highest threshold.

    None where all alignments are the same.
    """
    ranked = [(p.balanced_accuracy, p.threshold, p) for p in points if p.balanced_accuracy]
    return max(ranked, key=lambda row: row[:2])[2] if ranked else None


class _Side:
    """The true or the false alignments: weights from a score upwards, by binary search."""

    def __init__(self, scores: NDArray[np.float64], weights: NDArray[np.float64]) -> None:
        order = np.argsort(scores, kind="stable")
        self.scores = scores[order]
        self._sums = np.concatenate(([0.0], np.cumsum(weights[order])))
        self._squares = np.concatenate(([0.0], np.cumsum(weights[order] ** 2)))
        self.total = float(self._sums[-1])

    def above(self, threshold: float) -> tuple[float, float]:
        """Return the sum of the weights and of their squares at `threshold` and above."""
        first = int(np.searchsorted(self.scores, threshold))
        return (
            float(self._sums[-1] - self._sums[first]),
            float(self._squares[-1] - self._squares[first]),
        )


def _point(
    threshold: float, true: _Side, false: _Side, scale: float, level: float
) -> MatchingPoint:
    found, found_squares = true.above(threshold)
    wrong, wrong_squares = false.above(threshold)
    wrong_scaled = scale * wrong
    precision = _share(found, found + wrong_scaled, found_squares + scale**2 * wrong_squares, level)
    recall = _share(found, true.total, true.above(0.0)[1], level)
    both = 2 * found + wrong_scaled + (true.total - found)
    rate = wrong / false.total if false.total else None
    return MatchingPoint(
        threshold=threshold,
        matched=found + wrong,
        true_matched=found,
        precision=precision,
        recall=recall,
        f1=2 * found / both if both else 0.0,
        false_positive_rate=rate,
        balanced_accuracy=None if rate is None else (found / true.total + 1 - rate) / 2,
    )


def _share(part: float, whole: float, squares: float, level: float) -> Estimate:
    """Return part / whole with Wilson's interval over the effective number of alignments."""
    effective = max(1, round(whole**2 / squares)) if squares else 0
    return wilson(min(1.0, part / whole) * effective if whole else 0.0, effective, level=level)


def _alignment(row: Row[str]) -> Alignment:
    phrase, name, verdict = row["phrase"], row.get("name", row["relation"]), row["same"].casefold()
    if not (phrase and name):
        raise InputError(row.where, "a phrase or the name of a relation is empty")
    if verdict not in TRUE | FALSE:
        raise InputError(row.where, f'same is "{row["same"]}"; expected true or false')
    return Alignment(phrase, name, verdict in TRUE, _weight(row))


def _weight(row: Row[str]) -> float:
    text = row.get("weight")
    if not text:
        return 1.0
    try:
        weight = float(text)
    except ValueError:
        weight = math.nan
    if not LEAST_WEIGHT < weight < GREATEST_WEIGHT:
        expected = f"expected a number above {LEAST_WEIGHT:g} and below {GREATEST_WEIGHT:g}"
        raise InputError(row.where, f'weight is "{text}"; {expected}')
    return weight

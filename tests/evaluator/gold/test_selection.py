"""Some sentences, or one point, of a benchmark's sums."""

import numpy as np
import pytest

from evaluator.gold.selection import at_point, restricted
from evaluator.gold.statistics import Change, Statistics

# Three sentences with two gold tuples each; sentence, threshold, right, said, found.
CHANGES = [
    Change(0, 0.9, 1, 1, 1),
    Change(1, 0.8, 0, 1, 0),
    Change(2, 0.5, 1, 1, 1),
    Change(2, 0.2, 0, 2, 0),
]
STATISTICS = Statistics.of(CHANGES, np.array([2.0, 2, 2]), curve=True)


def test_sentences_that_are_left_out_count_for_nothing() -> None:
    kept = np.array([True, False, True])
    alone = restricted(STATISTICS, kept)
    assert alone.gold.tolist() == [2, 2]
    assert alone.sums() == pytest.approx(STATISTICS.sums(kept.astype(float)))
    assert alone.sums(np.array([0.0, 1])) == pytest.approx(STATISTICS.sums(np.array([0.0, 0, 1])))
    assert alone.figures[:3] == pytest.approx((1, 2 / 4, 2 / 3))


def test_all_extractions_are_one_point() -> None:
    assert STATISTICS.figures[:2] == pytest.approx((2 / 3, 2 / 6))  # at 0.5
    every = at_point(STATISTICS, "all")
    assert every.figures[:2] == pytest.approx((2 / 5, 2 / 6))
    assert len(every.thresholds) == 1
    assert at_point(STATISTICS, "best") is STATISTICS

"""Precision, recall and F from the sizes of the regions: Tables 2 and 3 of Bronzi et al. 2012."""

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluator.estimators.regions import Regions

# Table 2, in thousands of facts: a, b, c, d and |S|.
REVERB = (77, 3, 41, 1944, 2643)
SONEX = (259, 4, 40, 1763, 3288)


def measure(name, a, b, c, d, size):
    regions = Regions(a, b, c, d)
    value = {
        "precision": regions.precision(size),
        "recall": regions.recall(),
        "f1": regions.f1(size),
    }[name]
    return 100 * value


# Table 3, in per cent, where the printed counts give the printed figure.
@pytest.mark.parametrize(
    ("row", "name", "printed"),
    [
        (REVERB, "recall", 3.9),
        (REVERB, "f1", 3.4),
        (SONEX, "precision", 8.0),
        (SONEX, "f1", 9.8),
    ],
)
def test_table_2_gives_table_3(row, name, printed):
    assert round(measure(name, *row), 1) == printed


# Two cells of Table 3 follow only from counts that round to the printed ones: each of a, b, c, d
# and |S| stands for any number within half a thousand of it.
@pytest.mark.parametrize(
    ("row", "name", "printed", "from_printed_counts"),
    [(REVERB, "precision", 3.1, 3.0), (SONEX, "recall", 12.8, 12.7)],
)
def test_table_3_lies_within_the_rounding_of_table_2(row, name, printed, from_printed_counts):
    assert round(measure(name, *row), 1) == from_printed_counts
    corners = [measure(name, *corner) for corner in product(*((n - 0.5, n + 0.5) for n in row))]
    assert min(corners) < printed + 0.05
    assert max(corners) > printed - 0.05


def test_four_facts_by_hand():
    # S has 4 facts, one in a and one in b; the corpus states 2 more in c and 4 more in d.
    regions = Regions(1, 1, 2, 4)
    assert regions.correct == 2
    assert regions.ground_truth == 8
    assert regions.precision(4) == 1 / 2
    assert regions.recall() == 1 / 4
    assert regions.f1(4) == pytest.approx(1 / 3)


def test_an_empty_denominator_gives_none():
    assert Regions(0, 0, 1, 1).precision(0) is None
    assert Regions(0, 0, 1, 1).recall() == 0
    assert Regions(0, 0, 1, 1).f1(0) is None
    assert Regions(0, 0, 0, 0).recall() is None
    assert Regions(0, 0, 0, 0).f1(3) is None


def test_a_system_without_a_correct_fact_has_f1_zero():
    assert Regions(0, 0, 2, 3).f1(10) == 0


@settings(deadline=None)
@given(st.tuples(*[st.integers(0, 1000)] * 4), st.integers(0, 1000))
def test_f1_is_the_harmonic_mean_of_precision_and_recall(sizes, wrong):
    regions = Regions(*sizes)
    size = regions.a + regions.b + wrong
    if regions.correct:
        precision, recall = regions.precision(size), regions.recall()
        expected = 2 * precision * recall / (precision + recall)
        assert regions.f1(size) == pytest.approx(expected)

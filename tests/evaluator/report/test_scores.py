"""The distribution of scores on a page."""

import math
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.report.scores import histogram
from tests.evaluator.report.test_annotator import judged_by
from tests.evaluator.report.test_page import inside, page


def pmis(values, *, threshold=0.1):
    return histogram(values, threshold=threshold, logarithmic=True)


def probabilities(values, *, threshold=0.5):
    return histogram(values, threshold=threshold, logarithmic=False)


def parts(chart):
    return {name: count for name, count, _ in chart.shares}


def test_pmis_are_counted_by_what_the_threshold_makes_of_them():
    chart = pmis([None, math.nan, 0.0, 0.0, 0.0, 0.02, 0.0999, 0.1, 0.5, 1.0])
    assert parts(chart) == {"undefined": 2, "zero": 3, "below": 2, "accepted": 3}
    assert sum(bar.facts for bar in chart.bars if bar.accepted) == 3
    assert sum(bar.facts for bar in chart.bars if not bar.accepted) == 2


def test_a_probability_of_zero_is_one_among_others():
    chart = probabilities([None, 0.0, 0.499, 0.5, 1.0])
    assert parts(chart) == {"undefined": 1, "below": 2, "accepted": 2}
    assert sum(bar.facts for bar in chart.bars) == 4


@given(
    st.lists(
        st.one_of(st.none(), st.just(0.0), st.floats(1e-7, 1), st.sampled_from([0.001, 0.07, 1.0])),
        min_size=1,
    ),
    st.sampled_from([1e-6, 0.001, 0.01, 0.07, 0.1, 0.3, 0.5, 0.97, 0.99, 1.0]),
    st.booleans(),
)
def test_no_bar_stands_on_both_sides_of_the_threshold(values, threshold, logarithmic):
    chart = histogram(values, threshold=threshold, logarithmic=logarithmic)
    counts = parts(chart)
    assert sum(counts.values()) == chart.total == len(values)
    assert sum(bar.facts for bar in chart.bars if bar.accepted) == counts["accepted"]
    assert sum(bar.facts for bar in chart.bars if not bar.accepted) == counts["below"]
    assert chart.threshold == threshold


def test_axis_of_probabilities_is_even_from_0_to_1():
    chart = probabilities([0.2], threshold=0.25)
    assert chart.ticks == [0, 0.25, 0.5, 0.75, 1]
    (bar,) = (bar for bar in chart.bars if bar.facts)
    assert (bar.low, bar.high) == (pytest.approx(0.2), pytest.approx(0.25))


def test_axis_of_pmis_has_a_tick_a_decade():
    assert pmis([0.001, 0.5]).ticks == pytest.approx([0.001, 0.01, 0.1, 1])


def test_undefined_facts_have_a_bar_of_their_own_beside_the_axis():
    shown = page(scores={"ReVerb": [None] * 3 + [0.2] * 3 + [0.0]})
    [undefined], [zero] = (inside(shown, kind, "path") for kind in ("undefined", "zero"))
    assert "url(#" in undefined["style"]  # a hatch
    assert height(undefined["d"]) == pytest.approx(3 * height(zero["d"]), rel=0.01)


def height(path):
    """Return the height of a bar."""
    ys = [float(y) for y in re.findall(r"[ML] [-\d.]+ ([\d.]+)", path)]
    return max(ys) - min(ys)


def test_without_scores_there_is_no_histogram():
    assert pmis([]) is None
    assert probabilities([]) is None
    assert page().text.count("No PMI was measured") == 2
    assert page(judged_by("urns")).text.count("No probability was measured") == 2
    assert "No fact has a PMI above zero." in page(scores={"ReVerb": [0.0, None]}).text
    assert "No fact has a probability." in page(judged_by("urns"), scores={"ReVerb": [None]}).text


def test_numpy_arrays_of_scores_are_taken():
    scores = {"ReVerb": np.array([0.2, np.nan, 0.0])}
    assert "PMI of 3 judged facts" in page(scores=scores).text
    assert "Probability of 3 judged facts" in page(judged_by("calibrated"), scores=scores).text

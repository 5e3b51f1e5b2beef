"""Curves of figures, the model of wrong links, and the page that shows both."""

import re
from html.parser import HTMLParser

import numpy as np
import pytest

from evaluator.estimators import Tally
from evaluator.estimators.census import census
from evaluator.estimators.regions import Regions
from evaluator.estimators.sensitivity import (
    Curve,
    CurvePoint,
    ValueFigures,
    link_curve,
    values_around,
    with_link_precision,
)
from evaluator.intervals import Drawing, Estimate, finite_population_draws
from evaluator.report.sensitivity import render_sensitivity
from evaluator.results.result import Result
from tests.evaluator.report.test_page import result

S = Tally(population=900, sampled=300, accepted=90, undefined=30)
REST = Tally(population=20_000, sampled=2_000, accepted=150)
B, C = 100, 400

ONE = Drawing(seed=1)


def estimated(system=S, candidates=REST, **corpus) -> ValueFigures:
    given = {"c": C, "candidate_rest": candidates, "outside_candidates": 0} | corpus
    return ValueFigures.of(census(Drawing(draws=20_000, seed=1), b=B, system_rest=system, **given))


@pytest.mark.parametrize(
    ("name", "configured", "expected"),
    [
        ("t", 0.1, (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1)),
        ("t", 0.3, (0.03, 0.06, 0.15, 0.3, 0.6)),  # 1.5 and 3 are no shares
        ("match", 0.4, (0.1, 0.2, 0.3, 0.4, 0.6, 0.8, 1.2)),
        ("x", 4, (1, 2, 4, 8, 16)),
        ("x", 5, (1, 2, 5, 10, 20)),
        ("x", 0, (0, 1, 2, 4)),
        ("link", 1.0, (0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 1)),
    ],
)
def test_a_parameter_is_varied_around_its_configured_value(name, configured, expected) -> None:
    assert values_around(name, configured) == expected


def test_the_configured_value_is_on_the_curve_to_the_last_digit() -> None:
    assert 0.123456789 in values_around("t", 0.123456789)


# --- wrong links


@pytest.mark.parametrize("precision", [0.7, 0.85, 0.95])
def test_wrong_links_leave_of_every_region_the_facts_with_two_right_links(precision) -> None:
    """P, R and F of the model are those of the regions that it leaves."""
    before = estimated()
    after = with_link_precision(before, precision)
    size = B + S.population
    sizes = Regions(*(before.regions[region].value for region in "abcd"))
    left = Regions(*(precision**2 * size for size in sizes))
    assert [after.regions[region].value for region in "abcd"] == pytest.approx(list(left))
    assert after.precision.value == pytest.approx(left.precision(size))
    assert after.recall.value == pytest.approx(left.recall())
    assert after.f1.value == pytest.approx(left.f1(size))


def test_by_hand_links_of_90_percent() -> None:
    """|S| = 100, a + b = 50, c + d = 50: P = R = F = 1/2. Then P = 0.405, R = 1/2.

    F = 2 · 0.405 · 0.5 / 0.905 = 0.44751...
    """
    half = Estimate(0.5, 0.5, 0.5, "census", 0.95, 100)
    figures = ValueFigures(half, half, half, dict.fromkeys("abcd", half))
    after = with_link_precision(figures, 0.9)
    assert after.precision.value == pytest.approx(0.405)
    assert after.recall.value == 0.5
    assert after.f1.value == pytest.approx(0.447514, abs=1e-6)


def test_with_right_links_only_the_figures_stay_to_the_last_digit() -> None:
    assert with_link_precision(estimated(), 1.0) == estimated()


@pytest.mark.parametrize("sampled", [S.population, 300, 60])
def test_the_interval_of_f_holds_that_of_its_own_posterior(sampled) -> None:
    """Exactly where all of S is judged; else it is wider, by little."""
    system = Tally(population=S.population, sampled=sampled, accepted=sampled * 3 // 10)
    right = 0.8**2
    f1 = with_link_precision(estimated(system), 0.8).f1
    rng = np.random.default_rng(2)
    a, d = (
        finite_population_draws(t.accepted, t.sampled, t.population, draws=200_000, rng=rng)
        for t in (system, REST)
    )
    drawn = 2 * right * (a + B) / (B + S.population + right * (a + B + C + d))
    low, high = np.quantile(drawn, [0.025, 0.975])
    width = high - low
    margin = 0.03 * width  # of the quantiles of 20,000 draws
    assert low - 0.35 * width < f1.low < low + margin
    assert high - margin < f1.high < high + 0.35 * width
    if sampled == S.population:
        assert f1.low == pytest.approx(low, abs=margin)
        assert f1.high == pytest.approx(high, abs=margin)


def test_without_a_correct_fact_f_is_0_and_without_facts_it_is_none() -> None:
    none = Tally(population=0, sampled=0)
    wrong = Tally(population=50, sampled=50)
    nothing_right = ValueFigures.of(
        census(ONE, b=0, c=5, system_rest=wrong, candidate_rest=none, outside_candidates=0)
    )
    assert with_link_precision(nothing_right, 0.8).f1.value == 0
    empty = ValueFigures.of(
        census(ONE, b=0, c=5, system_rest=none, candidate_rest=none, outside_candidates=0)
    )
    assert with_link_precision(empty, 0.8).f1.value is None


def test_without_a_corpus_there_is_precision_only() -> None:
    alone = ValueFigures.of(census(ONE, b=B, system_rest=S))
    after = with_link_precision(alone, 0.8)
    assert after.precision.value == pytest.approx(0.64 * alone.precision.value)
    assert (after.recall, after.f1, after.regions["c"]) == (None, None, None)


@pytest.mark.parametrize("precision", [0, -0.1, 1.01])
def test_a_link_precision_is_a_share_above_0(precision) -> None:
    with pytest.raises(ValueError, match="outside"):
        with_link_precision(estimated(), precision)


# --- the page

RESULT = Result.of(result() | {"name": "A <corpus>"})


class Page(HTMLParser):
    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(html)

    def handle_starttag(self, tag, attrs) -> None:
        self.tags.append((tag, dict(attrs)))

    handle_startendtag = handle_starttag

    def of_class(self, *names: str) -> list[dict[str, str | None]]:
        return [a for _, a in self.tags if set(names) <= set((a.get("class") or "").split())]


def exact(value: float | None) -> Estimate:
    return Estimate(value, value, value, "census", 0.95, 10)


def at(value: float | None, f1: float | None = 0.5) -> ValueFigures:
    return ValueFigures(exact(value), exact(0.25), exact(f1), {})


def points(*systems_at) -> list[CurvePoint]:
    return [CurvePoint(value, systems) for value, systems in systems_at]


T = Curve(
    "t",
    0.1,
    points(*((t, {"alpha": at(0.5), "beta": at(0.4)}) for t in (0.01, 0.1, 1))),
    "pmi.threshold",
)


def test_the_page_has_a_chart_for_each_measure_and_parameter_and_marks_the_run() -> None:
    link = link_curve(T.points[1].systems, (0.7, 1.0))
    page = Page(render_sensitivity(RESULT, [T, link]))
    assert len(page.of_class("chart")) == 3 * 2
    assert len(page.of_class("curve")) == 3 * 2 * 2
    assert len(page.of_class("configured")) == 3 * 2


def test_axes_of_thresholds_are_logarithmic_and_a_measure_has_one_axis_of_shares() -> None:
    higher = Curve(
        "match", 0.1, points((0.1, {"alpha": at(0.9), "beta": at(0.4)})), "match.threshold"
    )
    html = render_sensitivity(RESULT, [T, higher])
    line, *_ = re.findall(r'class="curve">.*?<path d="([^"]+)"', html, re.DOTALL)
    xs = [float(x) for x in re.findall(r"[ML] ([\d.]+)", line)]
    # 0.1 is in the middle between 0.01 and 1.
    assert xs[1] == pytest.approx((xs[0] + xs[2]) / 2, abs=0.02)
    ends = re.findall(r"> ?100 %<", html)
    assert len(ends) == 2  # both charts of precision, which reaches 90 % in one of them


def test_the_page_loads_nothing_and_runs_nothing_and_says_what_it_is_worth() -> None:
    html = render_sensitivity(RESULT, [T], ["A note."])
    assert not re.search(r"<script|src=|https?://|@import|(?:href=\"|url\()(?!#)", html)
    assert "A &lt;corpus&gt;" in html
    assert "annotator-relative" in html
    assert "A note." in html
    assert html == render_sensitivity(RESULT, [T], ["A note."])


def test_a_line_is_interrupted_where_nothing_can_be_estimated() -> None:
    values = (0.3, 0.4, None, 0.4, 0.3)
    curve = Curve("x", 1, points(*((x, {"alpha": at(v)}) for x, v in enumerate(values))), "pmi.x")
    html = render_sensitivity(RESULT, [curve])
    first = re.search(r'class="curve">.*?<path d="([^"]+)"', html, re.DOTALL)[1]
    assert re.sub(r"[^ML]", "", first) == "MLML"
    assert "not estimable" in html


def test_without_a_corpus_the_page_shows_precision_alone() -> None:
    alone = ValueFigures(exact(0.5), None, None, {})
    curve = Curve("t", 0.1, points((0.1, {"alpha": alone})), "pmi.threshold")
    html = render_sensitivity(RESULT, [curve])
    assert len(Page(html).of_class("configured")) == 1
    assert "Recall" not in html


def test_each_system_is_named_beside_its_line() -> None:
    systems = {f"system {number}": at(0.001) for number in range(9)}
    curve = Curve("t", 0.1, points((0.1, systems)), "urns.threshold")
    html = render_sensitivity(RESULT, [curve])
    assert "urns.threshold = 0.1" in html
    for name in systems:
        assert len(re.findall(f">{name}</text>", html)) == 3

"""Facts in groups, and curves over confidences; expected values by hand."""

import pytest

from evaluator.estimators.sensitivity import Curve, CurvePoint, ValueFigures, read_curves
from evaluator.intervals import Estimate, wilson
from evaluator.report.breakdowns import (
    MOST_GROUPS,
    FactCounts,
    ReportData,
    RunBefore,
    breakdown,
    confidence_curve,
    ordered_breakdown,
)
from evaluator.report.page import keys, report_charts
from evaluator.results.result import Result
from tests.evaluator.report.test_page import estimate, page, result


def counts(facts, matched=0, sampled=None, accepted=0, undefined=0):
    return FactCounts(
        facts, matched, facts - matched if sampled is None else sampled, accepted, undefined
    )


def test_precision_of_a_group_counts_what_matches_and_samples_the_rest():
    # 10 of 50 match; 20 of the other 40 were judged, 5 of them accepted: (10 + 40 · 5/20) / 50.
    found = counts(50, 10, 20, 5, undefined=8).precision(0.95)
    assert found.value == pytest.approx(0.4)
    assert found.n == 30
    share = wilson(5, 20, population=40)
    assert found.low == pytest.approx((10 + 40 * share.low) / 50)
    assert found.high == pytest.approx((10 + 40 * share.high) / 50)


def test_a_group_judged_in_full_has_no_interval_and_one_not_judged_no_figure():
    assert counts(50, 10, accepted=10).precision(0.95).all_judged
    assert counts(50, 10, sampled=0).precision(0.95).value is None
    assert counts(5, 5).precision(0.95).value == 1


def test_groups_with_fewer_than_30_verdicts_are_pooled():
    # 40 judged facts of which 11 are undefined make 29 verdicts.
    found = breakdown(
        {"large": counts(30, accepted=15), "small": counts(40, accepted=20, undefined=11)},
        level=0.95,
        small=(3, counts(10, accepted=4)),
    )
    assert [group.name for group in found.groups] == ["large"]
    assert found.pooled == 4
    assert found.others.counts == counts(50, accepted=24, undefined=11)


def test_a_large_group_comes_before_a_small_one_of_the_same_share():
    of = {"small": counts(30, accepted=30), "large": counts(3000, accepted=2970)}
    assert [group.name for group in breakdown(of, level=0.95).groups] == ["large", "small"]


def test_only_the_best_and_the_worst_groups_are_shown():
    of = {f"{share:02}": counts(100, accepted=share) for share in range(100)}
    found = breakdown(of, level=0.95)
    names = [group.name for group in found.groups]
    assert names[:MOST_GROUPS] == [f"{share}" for share in range(99, 99 - MOST_GROUPS, -1)]
    assert names[MOST_GROUPS:] == [f"{share:02}" for share in range(MOST_GROUPS - 1, -1, -1)]
    assert found.left_out == 100 - 2 * MOST_GROUPS
    assert found.others is None


def test_classes_keep_their_order():
    of = {"1 to 10": counts(50, accepted=5), "11 to 20": counts(50, accepted=40)}
    assert [g.name for g in ordered_breakdown(of, level=0.95).groups] == ["1 to 10", "11 to 20"]


def test_a_curve_adds_up_the_facts_from_the_most_confident_on():
    steps = [(0.9, counts(4, 1, accepted=3)), (0.5, counts(6, 1, accepted=1))]
    first, last = confidence_curve(steps, truth=12, level=0.95)
    assert (first.precision.value, first.recall) == (1.0, pytest.approx(4 / 12))
    assert (last.facts, last.precision.value, last.recall) == (10, 0.6, pytest.approx(6 / 12))
    assert confidence_curve(steps, truth=None, level=0.95)[1].recall is None


def test_names_become_keys_that_differ():
    assert keys(["Open IE/4", "open ie 4", "関係", "X"]) == {
        "Open IE/4": "open-ie-4",
        "open ie 4": "open-ie-4-2",
        "関係": "system-3",
        "X": "x",
    }


# --- on the page ---------------------------------------------------------------------------------

GROUPS = {
    "relation": {"ReVerb": breakdown({"born <in>": counts(60, accepted=30)}, level=0.95)},
    "length": {
        name: ordered_breakdown({"at most 10": counts(50, accepted=5)}, level=0.95)
        for name in ("ReVerb", "SONEX")
    },
    "document": {"ReVerb": breakdown({}, level=0.95, small=(7, counts(70)))},
}


def test_the_page_shows_groups_their_facts_and_the_rule():
    shown = page(groups=GROUPS)
    assert "born <in> (60)" in shown.text
    assert "Precision by words of the sentence" in shown.text
    assert "No document has 30 judged facts of a system" in shown.text
    assert "from 30 judged facts on" in shown.text
    assert not shown.misnested


def test_the_page_shows_sources_with_undefined_facts_apart():
    of = {"knowledge base": {"correct": 3}, "no document with both entities": {"undefined": 5}}
    shown = page(sources={"ReVerb": of})
    assert "no document with both entities undefined 5" in " ".join(shown.text.split())


def test_the_page_shows_the_curves_and_which_system_has_none():
    steps = confidence_curve([(0.9, counts(40)), (0.5, counts(60))], truth=200, level=0.95)
    shown = page(curves={"ReVerb": steps})
    assert "Precision and recall by confidence" in shown.text
    assert "No line for SONEX: no confidences, or one for all." in shown.text


def test_the_page_shows_what_the_run_said_before():
    old = {"ReVerb": {"precision": Estimate(**estimate(0.5, 0.4, 0.6))}, "Gone": {}}
    before = RunBefore(old, [("kb", "Freebase.1", "Freebase.2")])
    shown = page(before=before, date="2026-11-29")
    text = " ".join(shown.text.split())
    assert "The figures have changed since the run before." in text
    assert "ReVerb 50.00 % [40.00, 60.00] → 3.03 %" in text
    assert "Gone no longer in the run" in text
    assert "SONEX new →" in text
    assert "kb Freebase.1 Freebase.2" in text
    assert "evaluation of open relation extractors, 2026-11-29" in text
    assert "Since the run before" not in page().text


def curve():
    figures = [
        ValueFigures(
            *(Estimate(**estimate(share, share / 2, share * 1.5)) for share in (p, p / 2, p / 3)),
            {"a": Estimate(**estimate(9)), "d": None},
        )
        for p in (0.2, 0.3)
    ]
    points = [
        CurvePoint(value, {"ReVerb": of}) for value, of in zip((0.1, 0.5), figures, strict=True)
    ]
    return Curve("t", 0.1, points, "pmi.threshold")


def test_curves_of_sensitivity_are_read_as_they_were_told():
    assert read_curves({"curves": {"t": curve().as_json()}}) == [curve()]


def test_the_page_shows_sensitivity_or_how_to_get_it():
    assert "distval sensitivity CONF varies" in page().text
    shown = page(sensitivity=[curve()])
    assert "distval sensitivity CONF varies" not in shown.text
    assert len(shown.find("g", "curve")) == 3
    assert len(shown.find("g", "configured")) == 3


def test_every_chart_has_a_name_of_its_own_and_its_data():
    data = ReportData(scores={"ReVerb": [0.1]}, groups=GROUPS, sensitivity=[curve()])
    charts = report_charts(Result.of(result()), data)
    assert {
        "precision",
        "venn-sonex",
        "scores-reverb",
        "relation-reverb",
        "length",
    } <= charts.keys()
    for name, chart in charts.items():
        assert chart.name == name
        assert chart.rows
        assert all(len(row) == len(chart.columns) for row in chart.rows), name

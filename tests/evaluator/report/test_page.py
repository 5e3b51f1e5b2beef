import math
import re
from copy import deepcopy
from html.parser import HTMLParser

import pytest

from evaluator.comparison.two_systems import MEASURES
from evaluator.comparison.withheld import NO_LABELS
from evaluator.errors import InputError
from evaluator.estimators.base import RECALL_WITHIN
from evaluator.estimators.regions import Regions
from evaluator.report.breakdowns import ReportData
from evaluator.report.figures import added, compact, count, percent, similarity
from evaluator.report.page import _steps, render_report
from evaluator.report.parts import ShownFact, WrittenExtraction
from evaluator.results.result import Account, Result

NOT_ESTIMABLE = {
    "value": None, "low": None, "high": None, "method": "Jeffreys", "level": 0.95, "n": 0
}  # fmt: skip

PARTS = {
    "distval": "9.8.7",
    "corpus": {"name": "nyt", "digest": "c0ffee00"},
    "systems": [
        {"name": "ReVerb", "digest": "00000001"},
        {"name": "SONEX", "digest": "baseline:between"},
    ],
    "kb": {"name": "Freebase", "digest": "00000002"},
    "index": {"name": "ClueWeb09", "digest": "00000003", "analysis": "distval-tokens-1"},
    "link": {
        "arguments": "head", "scope": "linked", "negation": "exclude", "unasserted": "keep",
        "proper_only": True, "context": False,
    },
    "relation": {"key": "head", "words": None},
    "superset": {"direction": "text", "words": "sentence", "gap": 3},
    "match": {"measure": "jcn", "threshold": 0.5, "direction": "both"},
    "annotator": "pmi-proximity-t0.1",
    "pmi": {"x": 4, "reach": 32, "ordered": False, "denominator": "and", "names": []},
    "unit": "fact",
    "sample": {"seed": 7, "system": 100, "candidates": "all"},
    "estimate": {"method": "census", "level": 0.95, "draws": 10_000},
    "labels": None,
}  # fmt: skip
SIGNATURE = (
    "distval:9.8.7|corpus:nyt.c0ffee00|systems:ReVerb.00000001+SONEX.baseline:between"
    "|kb:Freebase.00000002|index:ClueWeb09.00000003.distval-tokens-1"
    "|link:head,linked,negation-exclude,proper|relation:head|superset:text,sentence|match:jcn>=0.5,both"
    "|annotator:pmi-proximity-t0.1|pmi:x=4,reach=32,any-order,denominator-and|unit:fact"
    "|sample:seed=7,S=100,G'=all|estimate:census,0.95,draws=10000|labels:none"
)


def estimate(value, low=None, high=None, *, n=10_000, method="Jeffreys"):
    low, high = (value if end is None else end for end in (low, high))
    return {"value": value, "low": low, "high": high, "method": method, "level": 0.95, "n": n}


def system(a, b, c, d, *, facts, margin=0.002):
    """What a result says of a system with regions a to d, with intervals of one width."""
    regions = Regions(a, b, c, d)
    measures = zip(
        MEASURES, (regions.precision(facts), regions.recall(), regions.f1(facts)), strict=True
    )
    return {
        "extractions": {
            "read": 1000,
            "rejected": {"invalid UTF-8": 10},
            "unaligned": 40,
            "out_of_scope": {"no linked pair": 300, "negated": 50},
            "in_scope": 600,
        },
        "estimator": "census",
        "facts": facts,
        "outside_candidates": 77,
        "regions": {name: estimate(size) for name, size in regions._asdict().items()},
        **{name: estimate(value, value - margin, value + margin) for name, value in measures},
        "precision_bounds": [0.0, 0.15],
        "recall_bounds": [0.0, 0.15],
        "recall_corrected": None,
        "undefined": {"system": estimate(0.25), "candidates": estimate(0.5)},
        "undefined_facts": {"system": estimate(facts / 4), "candidates": estimate(2 * d)},
        "rejected": estimate(facts * 3 / 4 - a - b),
        "notes": ["A note on how this was estimated."],
        "undefined_reasons": {"no pair": 4},
        "matches": {"matched": 3, "inverse": 2, "through_mediators": 1},
        "with_labels": None,
        "basis": {
            "verdicts": 900, "open": 800, "undefined": 90, "extractions": 950, "out_of_scope": 350
        },
        "withheld": dict.fromkeys(MEASURES),
    }  # fmt: skip


def result(**changes):
    """Return the paper's Tables 2 and 3 as a result (facts, not thousands of facts)."""
    return {
        "schema": 1,
        "distval": "9.8.7",
        "name": "New York Times",
        "signature": SIGNATURE,
        "parts": deepcopy(PARTS),
        "annotator_relative": True,
        "corpus": {
            "name": "New York Times",
            "sentences": 11,
            "documents": 12,
            "mentions": 13,
            "sentences_with_pair": 15,
            "relation_words": 14,
            "cut_sentences": 16,
            "candidates": 62_930_000,
        },
        "recall_within": {"set": "G′", "coverage": None, "means": RECALL_WITHIN},
        "order": {"by": "f1", "first": None, "withheld": NO_LABELS},
        "knowledge_base": {"name": "Freebase", "entities": 21, "relations": 22, "triples": 23},
        "index": {"name": "ClueWeb09", "documents": 31, "tokens": 32, "analysis": "a"},
        "annotator": {
            "name": "pmi",
            "signature": "pmi-proximity-t0.1",
            "threshold": 0.1,
            "parameters": {"variant": "proximity", "smoothing": "none", "threshold": 0.1},
            "audited": None,
        },
        "settings": {
            "pmi.threshold": 0.1,
            "pmi.x": 4,
            "pmi.reach": 32,
            "pmi.ordered": False,
            "match.threshold": 0.5,
        },
        "matching": {
            "entities": 31,
            "unknown_entities": 2,
            "matched": 61,
            "inverse": 17,
            "through_mediators": 19,
        },
        "rejects": {"sentences.txt": {"duplicate sentence": 41}, "kb.nt": {}},
        "systems": {
            "ReVerb": system(77e3, 3e3, 41e3, 1944e3, facts=2_643_000),
            "SONEX": system(259e3, 4e3, 40e3, 1763e3, facts=3_288_000),
        },
        "labels": None,
        "truth": None,
        **changes,
    }


def verdict(**changes):
    told = {
        "e1": "Barack Obama",
        "r": "visit",
        "e2": "Rome",
        "verdict": True,
        "region": "a",
        "relation": None,
        "similarity": None,
        "pair": 40,
        "classic": 20,
        "proximity": 10,
        "topic": 3,
        "anchored": 1,
        "score": 0.25,
        "parts": (),
        "extraction": None,
        "sentence": None,
        "snippet": None,
    }
    return ShownFact(**told | changes)


class Page(HTMLParser):
    """The page as a browser takes it in: text, elements, and whether they close in order."""

    VOID = frozenset({"meta", "input", "link", "br", "img", "hr"})

    def __init__(self, page):
        super().__init__()
        self.source, self.words, self.elements, self.open, self.misnested = page, [], [], [], []
        self.feed(page)
        self.close()
        self.text = re.sub(r"\s+", " ", "".join(self.words).replace("\u202f", " "))

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.misnested.append(tag)
        if tag in {"dt", "dd", "th", "td"}:
            self.words.append(" ")

    def handle_data(self, data):
        if "style" not in self.open:
            self.words.append(data)

    def find(self, tag, name=None):
        """Return the attributes of the elements `tag`, those of class `name` if one is given."""
        return [
            attrs
            for element, attrs in self.elements
            if element == tag and (name is None or name in (attrs.get("class") or "").split())
        ]


def page(changed=None, verdicts=None, scores=None, **data):
    told = ReportData(scores=scores or {}, **data)
    return Page(render_report(Result.of(changed or result()), verdicts or {}, told))


def inside(shown, kind, tag):
    """Return the attributes of the first `tag` inside each mark of a kind in the charts."""
    found = []
    for place, (element, attrs) in enumerate(shown.elements):
        if element == "g" and kind in (attrs.get("class") or "").split():
            found.append(next(a for e, a in shown.elements[place:] if e == tag))
    return found


def dots(shown, kind):
    """Return where the dots of a kind stand along their axes."""
    places = [use["x"] for use in inside(shown, kind, "use")]
    return [float(x) for x in places]


def drawn(shown, about):
    """Return the text of the drawing whose description has the words `about`."""
    [svg] = [svg for svg in re.findall(r"<svg .*?</svg>", shown.source, re.DOTALL) if about in svg]
    return " ".join(re.sub(r"<[^>]*>", " ", svg).split())


# --- the page is whole and stands alone ----------------------------------------------------------


@pytest.fixture(scope="module")
def full():
    shown = {"strongest": [verdict()] * 5, "weakest": [verdict(verdict=False)] * 2}
    truth = {"ReVerb": {"precision": 0.03, "recall": 0.04, "f1": 0.035}}
    return page(
        result(truth=truth), {"ReVerb": shown, "SONEX": shown}, {"ReVerb": [0.0, 0.1, 0.5, None]}
    )


def test_every_element_closes_in_order(full):
    assert full.misnested == []
    assert full.open == []


def test_nothing_is_loaded_and_no_script_runs(full):
    assert not full.find("script")
    assert not full.find("link")
    assert not any("src" in attrs or "srcset" in attrs for _, attrs in full.elements)
    assert all(attrs["href"].startswith("#") for attrs in full.find("a"))
    assert not re.search(r"url\((?!#)|@import|https?:", full.source)
    assert any("default-src 'none'" in (attrs.get("content") or "") for attrs in full.find("meta"))


def test_links_lead_to_a_place_on_the_page_and_ids_are_unique(full):
    ids = [attrs["id"] for _, attrs in full.elements if "id" in attrs]
    assert len(ids) == len(set(ids))
    assert {attrs["href"][1:] for attrs in full.find("a")} <= set(ids)
    assert {attrs["for"] for attrs in full.find("label")} <= set(ids)


def test_drawings_and_tables_speak_to_those_who_cannot_see_them(full):
    for attrs in full.find("svg"):
        assert attrs.get("aria-label") or attrs.get("aria-hidden") == "true"
    assert len(full.find("caption")) == len(full.find("table"))
    assert all(attrs.get("scope") for attrs in full.find("th"))
    assert full.find("html")[0]["lang"] == "en"


def test_both_colour_schemes_paper_and_small_screens_are_provided_for(full):
    for query in ("prefers-color-scheme: dark", "@media print", "max-width: 720px"):
        assert query in full.source


def test_same_result_gives_same_page():
    made, data = Result.of(result()), ReportData(scores={"ReVerb": [0.2, 0.0, math.nan]})
    assert render_report(made, {}, data) == render_report(made, {}, data)


def test_text_of_users_is_never_markup():
    hostile = "<script>alert('x')</script> & \"q\""
    changed = result()
    changed["corpus"]["name"] = changed["parts"]["corpus"]["name"] = hostile
    changed["signature"] = SIGNATURE.replace("nyt", hostile)
    changed["rejects"] = {hostile: {hostile: 1}}
    changed["settings"][f"pmi.{hostile}"] = hostile
    changed["systems"][hostile] = changed["systems"].pop("SONEX") | {"notes": [hostile]}
    snippet = {"document": hostile, "title": "", "parts": [[hostile, "e1"], [hostile, hostile]]}
    row = verdict(e1=hostile, r=hostile, e2=hostile, relation=hostile, snippet=snippet)
    shown = page(changed, {hostile: {"strongest": [row], "weakest": []}})
    assert not shown.find("script")
    assert shown.misnested == []
    assert shown.text.count("alert('x')") > 12


# --- what it says --------------------------------------------------------------------------------


def test_a_fact_is_shown_with_the_extraction_as_the_system_wrote_it_and_its_sentence():
    row = verdict(
        extraction=WrittenExtraction("Mr. Obama", "<is> visiting", "Rome", 0.87),
        sentence={"document": "n", "number": 1, "parts": [["Obama", "e1"], [" visits ", ""]]},
    )
    text = " ".join(page(verdicts={"ReVerb": {"strongest": [row]}}).text.split())
    assert "Extracted Mr. Obama<is> visitingRome confidence 0.87 From Obama visits" in text


def test_the_signature_and_the_command_that_repeats_the_run_stand_at_the_end():
    text = page().text
    assert text.count(SIGNATURE) == 1
    assert "Settings" in text.partition(SIGNATURE)[0]
    assert "distval run CONF --verify RUN/result.json" in text.partition(SIGNATURE)[2]


def test_the_page_tells_when_no_figure_leads_it():
    assert "fewer than 30 of the system’s facts have a verdict" in page().text


def test_figures_of_the_papers_tables():
    text = page().text
    # Table 3 as the regions of Table 2 give it: 80/2643, 80/2065, 263/3288, 263/2066.
    for share in ("3.03 %", "3.87 %", "8.00 %", "12.73 %"):
        assert share in text
    assert "1,944,000" in text
    assert "9.82 % [9.62, 10.02]" in text


# --- what leads, and why nothing does ------------------------------------------------------------

FEW = "Only 6 of its facts have a verdict, fewer than 30."


def test_without_labels_no_system_leads_and_the_reason_stands_instead():
    shown = page()
    lede = shown.text.partition("These figures are annotator-relative.")[0]
    assert f"No order of the systems is stated. {NO_LABELS}" in lede
    for claim in ("has the highest", "reaches an", "9.82"):
        assert claim not in lede


def test_a_system_alone_leads_with_its_figures():
    changed = result(order=None)
    del changed["systems"]["ReVerb"]
    told = (
        "SONEX reaches an annotator-relative F of 9.82 % [9.62, 10.02]; 8.00 % of its "
        "facts are accepted; of the facts within G′ that are accepted it found 12.73 %."
    )
    assert told in page(changed).text


def test_a_withheld_headline_gives_way_to_its_reason_and_the_figures_stay_in_the_tables():
    changed = result(order=None)
    del changed["systems"]["ReVerb"]
    changed["systems"]["SONEX"]["withheld"] = dict.fromkeys(MEASURES, FEW)
    shown = page(changed)
    assert f"No headline figure. {FEW}" in shown.text
    assert f"No headline figures. {FEW}" in shown.text  # in the system's own part
    assert f"{FEW} The tables have what was estimated all the same" in shown.text
    assert "reaches an" not in shown.text
    assert not shown.find("dl", "headline")
    assert "9.82 % [9.62, 10.02]" in shown.text


def test_of_several_systems_each_withheld_headline_is_told():
    changed = result()
    changed["systems"]["ReVerb"]["withheld"] = dict.fromkeys(MEASURES, FEW)
    shown = page(changed)
    assert f"No headline figure for ReVerb. {FEW}" in shown.text
    assert "No headline figure for SONEX" not in shown.text
    assert len(shown.find("dl", "headline")) == 1


# --- undefined facts -----------------------------------------------------------------------------


def test_undefined_facts_are_a_region_of_their_own_and_not_among_the_incorrect():
    # 136 facts: 20 + 5 correct, 53 undefined, 58 rejected; 400 candidates more are undefined.
    changed = result(order=None, systems={"one": system(20, 5, 10, 100, facts=136)})
    changed["systems"]["one"] |= {
        "undefined_facts": {"system": estimate(53), "candidates": estimate(400, 380, 420)},
        "rejected": estimate(58),
    }
    shown = page(changed)
    assert "58 not correct" in drawn(shown, "Venn")
    for number in ("53", "400"):
        assert f"{number} undefined" in drawn(shown, "Venn")
    assert "111" not in shown.text  # 136 − 20 − 5, which would call undefined facts incorrect
    assert len(shown.find("g", "undefined-region")) == 2
    text = re.sub(r"\s+", " ", shown.text)
    assert (
        "extracted and not correct: the text was asked and did not support it 58 all judged" in text
    )
    assert "? extracted, undefined, so neither correct nor not" in text
    assert "400 [380, 420]" in text
    for words in ("not correct 58 all judged", "undefined, system 53 all judged"):
        assert words in text.partition("All estimates of")[2]


def test_no_region_is_drawn_where_nothing_is_undefined():
    changed = result(order=None, systems={"one": system(20, 5, 10, 100, facts=136)})
    changed["systems"]["one"]["undefined_facts"] = {
        "system": estimate(0), "candidates": NOT_ESTIMABLE,
    }  # fmt: skip
    assert not page(changed).find("g", "undefined-region")


def test_with_the_papers_estimator_undefined_candidates_are_not_drawn_outside_s():
    changed = result(order=None, systems={"one": system(20, 5, 10, 100, facts=136)})
    changed["settings"]["estimate.method"] = "paper"
    shown = page(changed)
    assert len(shown.find("g", "undefined-region")) == 1
    assert "a candidate, extracted or not, undefined" in shown.text


# --- recall --------------------------------------------------------------------------------------


def test_recall_is_called_recall_within_the_candidates_and_the_page_says_what_is_missing():
    shown = page()
    assert not re.search(r"Recall(?! within| needs| is recall| bounds)", shown.text)
    assert shown.text.count(RECALL_WITHIN) == 2  # under the table, and how to read it
    assert "Recall bounds over undefined facts, within G′" in shown.text
    assert "they hold nothing of what G′ lacks" in shown.text


def test_a_measure_is_called_annotator_relative_wherever_it_is_named():
    shown = page()
    assert "These figures are annotator-relative." in shown.text
    for name in ("Precision", "Recall within G′", "F"):
        # Charts and tiles, side by side and by system, and the table of all estimates.
        assert len(re.findall(f"{name} annotator-relative", shown.text)) >= 4


def test_without_labels_the_page_says_how_to_get_true_figures():
    shown = page()
    assert (
        "Label 300 facts with distval label draw RUN, where RUN is the folder of this page, to get "
        "true precision and recall."
    ) in shown.text
    for absent in ("Human labels were used", "What people said", "from labels", "design effect"):
        assert absent not in shown.text


def test_made_sample_shows_the_truth_beside_the_estimate():
    truth = {"ReVerb": {"precision": 0.031, "recall": 0.042, "f1": 0.0356}}
    shown = page(result(truth=truth))
    assert "This sample is made." in shown.text
    for share in ("truth 3.10 %", "truth 4.20 %", "truth 3.56 %"):
        assert shown.text.count(share) == 2
    # One mark for each measure of the one system whose truth is known.
    assert len(shown.find("g", "truth")) == len(MEASURES)


def test_real_corpus_shows_no_truth():
    shown = page()
    assert "made" not in shown.text.replace("Made by distval", "").replace("were made", "")
    assert not shown.find("g", "truth")


def test_what_is_not_estimable_is_said_and_not_drawn():
    changed = result()
    for name in changed["systems"]:
        nothing = changed["systems"][name]
        nothing |= dict.fromkeys(MEASURES, NOT_ESTIMABLE)
        nothing |= {"precision_bounds": None, "recall_bounds": None}
        nothing["regions"] |= {"a": NOT_ESTIMABLE, "d": NOT_ESTIMABLE}
        nothing["undefined"] = {"system": NOT_ESTIMABLE, "candidates": NOT_ESTIMABLE}
    shown = page(changed)
    assert "not estimable" in shown.text
    assert "None" not in shown.text
    assert "nan" not in shown.text
    assert "has the highest" not in shown.text
    assert not shown.find("g", "dot")


def test_negative_region_of_the_papers_estimator_is_shown_as_it_is():
    changed = result()
    changed["systems"]["ReVerb"]["regions"]["c"] = estimate(-1200.0, -3400.0, 560.0)
    text = page(changed).text
    assert "−1,200 [−3,400, 560]" in text
    assert "−1.2k" in text


def test_where_every_fact_was_judged_the_page_says_so_and_calls_no_figure_exact():
    changed = result()
    legend = "all judged every fact judged: no sampling error"
    assert legend not in page(changed).text
    changed["systems"]["ReVerb"]["precision"] = estimate(0.5)
    text = page(changed).text
    assert "50.00 % all judged" in text
    assert legend in text
    assert " exact" not in text


def test_every_setting_reject_note_and_method_is_on_the_page():
    text = page().text
    for words in (
        "threshold 0.1", "x 4", "ordered false", "threshold 0.5",
        "sentences.txt duplicate sentence 41",
        "A note on how this was estimated.",
        SIGNATURE,
        "undefined share, candidates 50.00 % all judged Jeffreys 95 % 10,000",
    ):  # fmt: skip
        assert words in text
    assert "kb.nt" not in text  # nothing was rejected there


def test_many_systems_keep_the_order_given():
    names = [f"system {letter}" for letter in "fbcaed"]
    changed = result(systems={name: system(9, 3, 4, 9, facts=50) for name in names})
    shown = page(changed)
    assert "Six extractors on New York Times" in shown.text
    headings = re.findall(r"<h2>(system \w)</h2>", shown.source)
    assert headings == names


# --- dots, intervals and bounds ------------------------------------------------------------------


def test_dots_stand_on_one_axis_from_zero():
    changed = result(systems={"half": system(1, 0, 1, 0, facts=2, margin=0.1)})
    changed["systems"]["half"] |= {
        "precision": estimate(0.5, 0.4, 0.6),
        "recall": estimate(1.0, 0.8, 1.0),
        "f1": estimate(0.0, 0.0, 0.2),
    }
    # The axis of a panel runs from 10 to 286, here for 0 to 100 %.
    assert dots(page(changed), "alone") == pytest.approx([10 + 276 * 0.5, 286, 10], abs=0.01)


def test_bounds_that_reach_beyond_the_axis_are_cut_off_and_marked():
    changed = result()
    for content in changed["systems"].values():
        content["precision_bounds"] = [0.03, 0.95]
        content["recall_bounds"] = [0.03, 0.05]
    shown = page(changed)
    assert len(shown.find("g", "beyond")) == 2
    assert "an arrow where they reach beyond the axis" in shown.text
    assert "3.00 % to 95.00 %" in shown.text
    bars = [path["d"] for path in inside(shown, "bounds", "path")]
    assert len(bars) == 4
    assert all(float(x) <= 286.01 for bar in bars for x in re.findall(r"[ML] ([\d.]+)", bar))


# --- what became of the extractions --------------------------------------------------------------


@pytest.mark.parametrize("read", [1000, 990])
def test_parts_of_the_output_add_up_whether_or_not_rejects_count_as_read(read):
    first, *parts = _steps(Account(**{**system(1, 1, 1, 1, facts=9)["extractions"], "read": read}))
    assert first.records == 1000
    assert [part.records for part in parts] == [10, 40, 350, 600]
    assert sum(part.share for part in parts) == pytest.approx(1)
    assert parts[2].reasons == [("no linked pair", 300), ("negated", 50)]


def test_records_that_no_count_explains_are_shown():
    parts = _steps(Account(**{**system(1, 1, 1, 1, facts=9)["extractions"], "read": 1007}))
    assert ("Not accounted for", 7) in [(part.label, part.records) for part in parts]


def test_empty_output_has_no_shares():
    nothing = {"read": 0, "rejected": {}, "unaligned": 0, "out_of_scope": {}, "in_scope": 0}
    assert {part.share for part in _steps(Account(**nothing))} == {0.0}


# --- verdicts ------------------------------------------------------------------------------------


def test_row_of_a_verdict_holds_all_its_evidence():
    row = verdict(relation="place of birth", similarity=0.07341, pair=1200, region="b")
    text = page(verdicts={"SONEX": {"strongest": [row], "weakest": []}}).text
    assert "Barack Obama visit Rome" in text
    assert "correct b place of birth 0.0734 1,200 20 10 1 of 3 0.25" in re.sub(r"\s+", " ", text)


def test_undefined_verdict_shows_as_undefined_and_never_as_wrong():
    unknown = dict.fromkeys(("verdict", "region", "classic", "proximity", "anchored", "score"))
    row = verdict(**unknown, pair=0, topic=0)
    shown = page(verdicts={"SONEX": {"strongest": [], "weakest": [row]}})
    assert shown.find("span", "undefined")
    assert not shown.find("span", "wrong")
    assert not shown.find("span", "correct")


def test_snippet_keeps_its_text_and_marks_the_three_elements():
    parts = [
        ["Yesterday ", ""], ["Obama", "e1"], [" was ", ""], ["visiting", "r"], [" ", ""],
        ["Rome", "e2"], [".", ""],
    ]  # fmt: skip
    row = verdict(snippet={"document": "d7", "title": "State trip", "parts": parts})
    shown = page(verdicts={"SONEX": {"strongest": [row], "weakest": []}})
    assert "Yesterday Obama was visiting Rome." in shown.text
    assert "State trip" in shown.text
    assert [attrs["class"] for attrs in shown.find("mark")] == ["e1", "r", "e2"]


def test_rows_after_the_third_wait_behind_a_labelled_check_box():
    shown = page(verdicts={"SONEX": {"strongest": [verdict()] * 20, "weakest": [verdict()] * 3}})
    assert len(shown.find("tbody", "rest")) == 17
    assert len(shown.find("input", "toggle")) == 1
    assert "Show all 20 strongest verdicts" in shown.text


# --- numbers as text -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("share", "places", "text"),
    [
        (0.312, 1, "31.2 %"),
        (0.0303, 2, "3.03 %"),
        (0.0, 1, "0.0 %"),
        (0.0004, 1, "< 0.1 %"),
        (1.0, 1, "100.0 %"),
        (-0.0001, 1, "0.0 %"),
        (-0.02, 1, "−2.0 %"),
        (None, 1, "not estimable"),
    ],
)
def test_shares_as_text(share, places, text):
    assert percent(share, places).replace("\u202f", " ") == text


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0, "0"), (999, "999"), (1000, "1k"), (1516, "1.52k"), (9996, "10k"), (77_412, "77.4k"),
        (999_400, "999k"), (999_600, "1M"), (1_944_213, "1.94M"), (62_930_000, "62.9M"),
        (2.5e9, "2.5G"), (-300, "−300"), (999.7, "1k"),
    ],
)  # fmt: skip
def test_counts_in_three_figures(number, text):
    assert compact(number) == text


def test_counts_and_similarities_as_text():
    assert [count(n) for n in (None, 1944213, 12.6)] == ["not known", "1,944,213", "13"]
    assert [similarity(s) for s in (None, 0.5, 1e300)] == ["", "0.5", "identical"]


# --- what is no result ---------------------------------------------------------------------------


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_a_number_that_is_not_finite_is_one_clear_line(number):
    """JSON has no such number: what is not estimable is null."""
    changed = result()
    changed["systems"]["SONEX"]["precision"]["low"] = number
    with pytest.raises(
        InputError, match=r"^result: damaged \(systems.SONEX.precision.low: "
    ) as told:
        page(changed)
    assert "finite number" in str(told.value)


@pytest.mark.parametrize("key", sorted(result()))
def test_missing_part_is_one_clear_line(key):
    changed = result()
    del changed[key]
    with pytest.raises(InputError, match=f"^result: has no '{key}'") as raised:
        page(changed)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("part", ["corpus", "knowledge_base", "index"])
def test_missing_part_of_a_part_is_one_clear_line(part):
    changed = result()
    changed[part] = {"name": "something"}
    with pytest.raises(InputError, match=r"^result: .*another version\?$"):
        page(changed)


def test_result_without_systems_is_refused():
    with pytest.raises(InputError, match="evaluates no system"):
        page(result(systems={}))


# ----- facts without a corpus


def without_corpus():
    """What a result says where the facts were given without the sentences."""
    known = system(77, 3, 0, 0, facts=2_643)
    unknown = dict.fromkeys(("recall", "f1", "recall_bounds", "outside_candidates"))
    regions = {**known["regions"], "c": None, "d": None}
    undefined = {"system": estimate(0.25), "candidates": None}
    given = {**known, **unknown, "regions": regions, "undefined": undefined}
    return result(name="given facts", corpus=None, systems={"ReVerb": given})


def test_without_a_corpus_the_page_shows_precision_and_b():
    shown = page(without_corpus())
    assert not shown.misnested
    assert "One extractor in given facts" in shown.text
    assert "3.03 %" in shown.text  # 80 / 2,643
    assert "extracted and in the knowledge base" in shown.text


def test_without_a_corpus_one_sentence_stands_in_place_of_recall():
    shown = page(without_corpus())
    assert "Recall needs the corpus: these facts are given without the sentences" in shown.text
    for absent in (
        "harmonic mean",
        "Recall bounds",
        "not estimable",
        "G′",
        "Venn",
        "No such sentence",
    ):
        assert absent not in shown.text
    assert "It assumes that what matches the database is correct" in shown.text
    assert "Regions of" not in shown.text
    assert len(shown.find("figure", "drawn")) == 2  # precision, and what became of the records


def test_what_rounds_to_zero_is_added_without_a_minus():
    assert [added(number) for number in (-0.001, 0.0, 0.31, -1.2)] == [
        "+0.00", "+0.00", "+0.31", "−1.20",
    ]  # fmt: skip

"""The page of gold data against the corpus: whole, self-contained, drawn where its figures say."""

import re
from html.parser import HTMLParser

import pytest

from evaluator.report.gold import render_gold_comparison
from tests.evaluator.report.test_page import Page, inside

MEASURES = ("precision", "recall", "f1")


def figure(value, rank):
    known = value is not None
    low, high = (value - 0.1, value + 0.1) if known else (None, None)
    return {"value": value, "low": low, "high": high, "rank": rank}


def told(systems):
    """Return a comparison in which all measures of a system are alike, by either side."""
    tau = {"value": -0.5, "low": -1.0, "high": 0.25, "n": len(systems)}
    return {
        "benchmark": "made",
        "gold_signature": "gold:made",
        "signature": "corpus:made",
        "level": 0.95,
        "sentences": {"gold": 12, "shared": 10, "in_scope": 4},
        "systems": {
            name: {
                "gold": {measure: figure(gold, 1) for measure in MEASURES},
                "distant": {measure: figure(distant, None) for measure in MEASURES},
                "extractions": 1234,
                "facts": 56,
                "true": 7,
            }
            for name, (gold, distant) in systems.items()
        },
        "withheld": "No order is claimed.",
        "agreement": {measure: {"tau": tau, "p": 0.125} for measure in MEASURES},
        "notes": ["A note with <brackets>."],
    }


class Elements(HTMLParser):
    def __init__(self):
        super().__init__()
        self.found = []

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))


def elements(page, tag):
    parser = Elements()
    parser.feed(page)
    return [attributes for name, attributes in parser.found if name == tag]


PAGE = render_gold_comparison(
    told({"One": (0.4, 0.2), "Two & Co": (0.8, 0.3), "No figure": (0.3, None)}), distval="0"
)


def test_it_loads_nothing_and_runs_nothing() -> None:
    assert not elements(PAGE, "script") + elements(PAGE, "link") + elements(PAGE, "img")
    assert "http" not in PAGE.replace("http-equiv", "")
    assert "&lt;brackets&gt;" in PAGE


def test_the_reason_stands_above_and_verdicts_give_no_places() -> None:
    assert PAGE.index("No order is claimed.") < PAGE.index("<svg")
    assert PAGE.count('<th scope="col">place</th>') == len(MEASURES)


def test_systems_stand_where_their_figures_say() -> None:
    """Axes end at 100 % by gold (0.9 is shown) and at 40 % by the corpus."""
    page = Page(PAGE)
    dots = inside(page, "cross", "use")
    assert len(dots) == 3 * 2  # a system without a figure has no dot
    one, two = ([float(dot[side]) for side in ("x", "y")] for dot in dots[:2])
    wide, high = (
        float(attrs[side])
        for attrs in [next(a for tag, a in page.elements if tag == "rect")]
        for side in ("width", "height")
    )
    assert two[0] - one[0] == pytest.approx(wide * 0.4, abs=0.1)
    assert one[1] - two[1] == pytest.approx(high * 0.1 / 0.4, abs=0.1)


def test_systems_at_one_place_are_each_named() -> None:
    names = ("Ada", "Bob", "Cid")
    page = render_gold_comparison(told(dict.fromkeys(names, (0.5, 0.3))), distval="0")
    for name in names:
        assert len(re.findall(f">{name}</text>", page)) == len(MEASURES)


def test_the_tables_hold_the_figures() -> None:
    assert "40.0 [30.0, 50.0]" in PAGE
    assert PAGE.count("τ = −0.50 [−1.00, 0.25], p = 0.125") == 6  # beside plots and tables
    assert len(elements(PAGE, "table")) == 3


def test_an_order_that_is_undefined_is_said_so() -> None:
    one = told({"One": (0.4, None)})
    for of in one["agreement"].values():
        of.update(tau={"value": None, "low": None, "high": None, "n": 0}, p=None)
    assert "τ undefined" in render_gold_comparison(one, distval="0")

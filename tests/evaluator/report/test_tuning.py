"""The page of a tuning: whole, self-contained, and drawn where its figures say."""

import json
import re
from html.parser import HTMLParser

import numpy as np
import pytest

from evaluator.report.tuning import render_tuning
from evaluator.tuning.choice import Plan
from evaluator.tuning.criteria import criterion
from evaluator.tuning.curves import curves
from evaluator.tuning.held_out import untrained
from evaluator.tuning.tuning import tune
from evaluator.tuning.verdict_figures import resamples

ITEMS = [(f"e{i:03}", "r", "o") for i in range(60)]


def told(score, label, *, name="balanced", probabilities=False):
    plan = Plan(criterion(name), resamples=50, repeats=1)
    found = tune(untrained(score), ITEMS, label, plan=plan)
    drawn = curves(
        score,
        label,
        criterion=plan.criterion,
        weights=resamples(60, count=50, seed=1),
        probabilities=probabilities,
    )
    of = {**found.as_json(), "curves": drawn.as_json(), "behind": None}
    return json.loads(
        json.dumps(
            {
                "labels": "labels <of> people.tsv",
                "facts": 60,
                "true": int(label.sum()),
                "ties": 1,
                "matched": 0,
                "matched_true": 0,
                "open": 60,
                "open_true": int(label.sum()),
                "criterion": name,
                "measure": plan.criterion.measure,
                "level": 0.95,
                "recommended": "urns",
                "annotators": {"urns": of},
                "slices": {},
            },
            allow_nan=False,
        )
    )


SCORE = np.arange(60) / 60
LABEL = np.arange(60) >= 30


class Elements(HTMLParser):
    def __init__(self):
        super().__init__()
        self.found, self.open = [], []

    def handle_starttag(self, tag, attributes):
        self.found.append((tag, dict(attributes)))
        if tag not in ("meta", "link", "br"):
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.found.append((tag, dict(attributes)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def elements(page):
    parser = Elements()
    parser.feed(page)
    assert not parser.open
    return parser.found


def marks(found, kind):
    """Return the paths of the marks of a kind in the charts."""
    places = [n for n, (tag, a) in enumerate(found) if tag == "g" and a.get("class") == kind]
    return [next(a for tag, a in found[n:] if tag == "path") for n in places]


def test_the_page_is_whole_and_loads_nothing():
    page = render_tuning(told(SCORE, LABEL, probabilities=True), distval="1")
    for tag, attributes in elements(page):
        assert tag not in ("script", "link", "img", "iframe")
        assert not {"src", "onload"} & attributes.keys()
        assert attributes.get("href", "#").startswith("#")
    assert not re.search(r"url\((?!#)", page)
    assert "labels &lt;of&gt; people.tsv" in page


def test_probabilities_have_a_fourth_panel():
    for probabilities, panels in ((False, 3), (True, 4)):
        page = render_tuning(told(SCORE, LABEL, probabilities=probabilities), distval="1")
        assert len(marks(elements(page), "line")) == panels


def test_the_chosen_threshold_stands_where_its_curve_is_highest():
    page = render_tuning(told(SCORE, LABEL), distval="1")
    found = elements(page)
    line = marks(found, "line")[0]
    points = [tuple(map(float, p.split())) for p in re.split("[ML]", line["d"]) if p.strip()]
    # Of its steps the highest is the one below t and up to it.
    top = min(y for _, y in points)
    highest = [x for x, y in points if y == top]
    chosen = float(marks(found, "chosen")[0]["d"].split()[1])
    assert min(highest) - 0.1 <= chosen <= max(highest) + 0.1


@pytest.mark.parametrize("name", ["balanced", "youden", "precision=0.9", "accuracy"])
@pytest.mark.parametrize(
    ("score", "label"),
    [
        (SCORE, ~LABEL),  # worse than chance: infinity may be best
        (np.full(60, np.nan), LABEL),
        (SCORE, np.ones(60, bool)),
        (np.zeros(60), LABEL),
    ],
)
def test_what_has_no_curve_leaves_the_page_whole(name, score, label):
    elements(render_tuning(told(score, label, name=name), distval="1"))


def test_the_same_figures_give_the_same_page():
    one, other = (render_tuning(told(SCORE, LABEL), distval="1") for _ in range(2))
    assert one == other

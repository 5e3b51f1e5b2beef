"""The report in a browser: offline, on a phone, for all eyes, on paper."""

import re
from collections import defaultdict

import pytest

from evaluator.report.breakdowns import ReportData, confidence_curve
from evaluator.report.page import render_report
from evaluator.report.parts import WrittenExtraction
from evaluator.results.result import Result
from tests.evaluator.report.test_breakdowns import GROUPS, counts, curve
from tests.evaluator.report.test_page import SIGNATURE, result, verdict

HOSTILE = "<img src=x onerror=alert(1)>"
WIDTHS = {"phone": 360, "desk": 1200}


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    """A report with every part, and with markup in whatever comes from outside."""
    row = verdict(
        e1=HOSTILE,
        extraction=WrittenExtraction(HOSTILE, "is " * 60, "Rome", 0.9),
        sentence={"document": "n", "number": 1, "parts": [[HOSTILE, "e1"], [" in Rome", ""]]},
        snippet={"document": HOSTILE, "title": "", "parts": [["x" * 300, ""]]},
    )
    shown = {"strongest": [row] * 12, "weakest": [row] * 12}
    changed = result(truth={"ReVerb": {"precision": 0.03, "recall": 0.04, "f1": 0.035}})
    changed["rejects"] = {HOSTILE: {HOSTILE: 1}}
    data = ReportData(
        scores={"ReVerb": [0.0, 0.1, 0.5, None], "SONEX": [0.2]},
        curves={
            name: confidence_curve([(0.9, counts(40)), (0.5, counts(60))], truth=200, level=0.95)
            for name in ("ReVerb", "SONEX")
        },
        sources={name: {"knowledge base": {"correct": 3}} for name in ("ReVerb", "SONEX")},
        groups=GROUPS,
        sensitivity=[curve()],
        date="2026-11-29",
    )
    page = tmp_path_factory.mktemp("report") / "report.html"
    page.write_text(render_report(Result.of(changed), {"ReVerb": shown, "SONEX": shown}, data))
    return page


@pytest.fixture
def opened(chromium, report):
    """Return what opens the report, and what it asked for and complained of."""
    contexts = []

    def open_page(**options):
        context = chromium.new_context(offline=True, **options)
        contexts.append(context)
        page = context.new_page()
        told = []
        page.on("console", lambda message: told.append(message.text))
        page.on("pageerror", lambda error: told.append(str(error)))
        page.on("dialog", lambda dialog: told.append(dialog.message))
        page.on("request", lambda request: told.append(request.url))
        page.goto(report.as_uri())
        page.wait_for_load_state("networkidle")
        told.remove(report.as_uri())
        return page, told

    yield open_page
    for context in contexts:
        context.close()


def test_it_asks_for_nothing_and_complains_of_nothing(opened):
    page, told = opened()
    page.locator("summary").last.click()
    assert told == []
    assert page.locator("svg.chart").count() > 10
    assert page.locator("img").count() == 0
    assert HOSTILE in page.inner_text("body")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(opened, scheme):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    page, _ = opened(color_scheme=scheme)
    found = axe.run(page).response["violations"]
    serious = {
        rule["id"]: [node["html"][:200] for node in rule["nodes"][:3]]
        for rule in found
        if rule["impact"] in ("serious", "critical")
    }
    assert serious == {}


def test_charts_follow_the_colours_of_the_page(opened):
    seen = {
        scheme: opened(color_scheme=scheme)[0]
        .locator("svg.chart text")
        .first.evaluate("text => getComputedStyle(text).fill")
        for scheme in ("light", "dark")
    }
    assert seen["light"] != seen["dark"]


@pytest.mark.parametrize("width", WIDTHS.values(), ids=WIDTHS)
def test_nothing_is_wider_than_the_screen(opened, width):
    page, _ = opened(viewport={"width": width, "height": 800})
    for toggle in page.locator("input.toggle").all():
        toggle.check(force=True)
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_toggle_shows_all_rows_by_the_keyboard_too(opened):
    page, _ = opened()
    rows = page.locator("tbody.rest").first
    assert not rows.is_visible()
    page.locator("input.toggle").first.focus()
    page.keyboard.press("Space")
    assert rows.is_visible()


def test_nothing_is_wider_than_the_paper(opened):
    # A4 less the margins. What is wider makes Chromium print everything smaller.
    page, _ = opened(viewport={"width": 688, "height": 900})
    page.emulate_media(media="print")
    assert page.evaluate("document.documentElement.scrollWidth") <= 688


def test_on_paper_no_heading_stands_alone_at_the_foot_of_a_page(opened):
    page, _ = opened()
    last = last_on_each_page(page.pdf(format="A4", tagged=True))
    assert len(last) > 5
    assert {number: kind for number, kind in last.items() if kind in ("H1", "H2", "H3")} == {}


def test_a_heading_that_stands_alone_would_be_found(chromium):
    page = chromium.new_page()
    page.set_content("<p style='height: 24cm'>text</p><h2>Alone</h2><p style='height: 10cm'>more")
    page.add_style_tag(content="p { break-inside: avoid; margin: 0 } h2 { break-after: page }")
    assert next(iter(last_on_each_page(page.pdf(format="A4", tagged=True)).values())) == "H2"
    page.close()


def test_the_signature_is_the_last_thing_to_read(opened):
    page, _ = opened()
    text = page.inner_text("main")
    assert SIGNATURE in text[-len(SIGNATURE) - 60 :]


def last_on_each_page(pdf):
    """Return by page the kind of heading that its last content is of, None for other content.

    A tagged PDF has a tree of elements (/StructElem): each with its kind (/S), its parent (/P) and,
    if it is marked content, its page (/Pg) and number there (/K), in the order of painting.
    """
    elements = {}
    for number, body in re.findall(
        rb"(\d+) 0 obj\s*<</Type /StructElem(.*?)endobj", pdf, re.DOTALL
    ):
        elements[int(number)] = body

    def field(body, pattern):
        found = re.search(pattern, body)
        return found and found[1].decode()

    def heading(number):
        while number in elements:
            kind = field(elements[number], rb"/S /(\w+)")
            if kind in ("H1", "H2", "H3"):
                return kind
            number = int(field(elements[number], rb"/P (\d+) 0 R") or -1)
        return None

    painted = defaultdict(list)
    for number, body in elements.items():
        page, place = field(body, rb"/Pg (\d+) 0 R"), field(body, rb"/K (\d+)\s*>>")
        if page and place:
            painted[int(page)].append((int(place), heading(number)))
    return {page: max(of, key=lambda one: one[0])[1] for page, of in painted.items()}

"""The labelling page in a browser: by keyboard alone, by two raters at once, without a script."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from evaluator.labels.answers import all_answers
from jobs.config import Configuration
from jobs.labels.draw import DrawChoice, draw
from tests.browser.conftest import findings, is_scrolled_sideways
from tests.jobs.explore.servers import serving

type Said = Callable[[str], list[tuple[str, bool | None, str]]]


@pytest.fixture(scope="module")
def folder(finished: Configuration, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("labelling") / "labels"
    raters = ("ann", "bob", "cyd", "dan", "eve")
    draw(finished.run, folder, DrawChoice(40, raters=raters, double=1.0, each=5))
    return folder


@pytest.fixture(scope="module")
def address(chromium: Browser, finished: Configuration, folder: Path) -> Iterator[str]:
    with serving(finished.run, "--labels", folder) as served:
        yield served


@pytest.fixture
def said(folder: Path) -> Said:
    """Return what a rater has said, in the order of ids."""
    return lambda rater: [
        (one.said, one.stated, one.comment) for one in all_answers(folder) if one.rater == rater
    ]


def press(page: Page, *keys: str) -> None:
    """Press keys that lead to another page."""
    before = page.url
    for key in keys:
        page.keyboard.press(key)
    page.wait_for_url(lambda address: address != before)


def test_all_by_keyboard(page: Page, address: str, said: Said) -> None:
    page.goto(f"{address}/labels")
    page.get_by_role("link", name="ann").focus()
    press(page, "Enter")
    fact = page.locator("h1").inner_text()
    press(page, "1", "5")
    assert said("ann") == [("true", True, "")]
    expect(page.locator("#answered")).to_have_text("1")
    press(page, "6", "3")  # in either order
    press(page, "4")  # who skips is asked no more
    press(page, "2", "Enter")  # the first answer alone
    assert sorted(one[0] for one in said("ann")) == ["false", "link wrong", "skip", "true"]
    page.keyboard.press("c")
    page.keyboard.type("1 of 2, u know")
    page.keyboard.press("Escape")
    press(page, "1", "5")
    assert ("true", True, "1 of 2, u know") in said("ann")
    for left in (4, 3, 2, 1, 0):
        press(page, "u")
        assert len(said("ann")) == left
    assert page.locator("h1").inner_text() == fact
    assert page.locator("input[type=radio]:checked").count() == 0
    expect(page.get_by_role("button", name="Undo")).to_be_disabled()
    page.keyboard.press("u")  # there is nothing to undo any more
    press(page, "ArrowRight")
    press(page, "ArrowLeft")
    assert page.locator("h1").inner_text() == fact
    assert said("ann") == []


def test_two_raters_at_once_lose_nothing(
    chromium: Browser, page: Page, address: str, said: Said
) -> None:
    other = chromium.new_context().new_page()
    page.goto(f"{address}/label/bob")
    other.goto(f"{address}/label/cyd")
    for number in range(8):
        press(page, "1", "5")
        press(other, "2" if number % 2 else "1", "6")
    assert said("bob") == [("true", True, "")] * 8
    assert sorted(said("cyd")) == [("false", False, "")] * 4 + [("true", False, "")] * 4
    other.context.close()
    # Both know where they agree, and what that tells, before the next answer.
    expect(page.locator("#standing")).to_contain_text(
        "Two raters agree: bob and cyd on 4 of 8.", timeout=30_000
    )
    expect(page.locator("#standing")).to_contain_text("since you began")
    expect(page.locator("#standing")).to_contain_text("this interval claims nothing yet")


def test_who_is_done_is_told_so_and_can_go_back(
    page: Page, finished: Configuration, tmp_path: Path
) -> None:
    folder = tmp_path / "labels"
    draw(finished.run, folder, DrawChoice(3, raters=("ann",)))
    with serving(finished.run, "--labels", folder) as address:
        page.goto(f"{address}/label/ann")
        facts = []
        for keys in ("15", "26", "15"):
            facts.append(page.locator("h1").inner_text())
            press(page, *keys)
        expect(page.get_by_role("status")).to_contain_text("ann: all facts are answered.")
        expect(page.locator("main")).to_contain_text("All raters are done.")
        assert findings(page) == []
        press(page, "u")
        expect(page.locator("h1")).to_have_text(facts[-1], use_inner_text=True)
        expect(page.locator("[value=yes]")).to_be_checked()
        press(page, "u")  # takes it back
        press(page, "2", "6")
        page.get_by_role("link", name="ann", exact=True).focus()
        press(page, "Enter")
        expect(page.locator("h1")).to_have_text(facts[0], use_inner_text=True)
        press(page, "2")  # the second question has its answer
        expect(page.locator("h1")).to_have_text(facts[1], use_inner_text=True)
    assert [one.said for one in all_answers(folder)] == ["false"] * 3


def test_the_page_says_what_a_rater_needs_to_know(page: Page, address: str) -> None:
    page.goto(f"{address}/label/eve")
    expect(page.get_by_label("link wrong")).to_be_enabled()
    expect(page.locator("#label-hint")).to_contain_text("left to right")
    before = page.locator("h1").inner_text()
    while "(no relation word)" not in page.locator("h1").inner_text():
        press(page, "ArrowRight")
        assert page.locator("h1").inner_text() != before
    expect(page.locator("#label-hint")).to_contain_text("no relation word: false, unless")


def test_a_link_that_is_not_there_cannot_be_wrong(
    page: Page, finished: Configuration, tmp_path: Path
) -> None:
    folder = tmp_path / "labels"
    draw(finished.run, folder, DrawChoice(2, raters=("ann",)))
    design = json.loads((folder / "design.json").read_text("utf-8"))
    for fact in design["facts"]:
        fact |= {"e1": "a big dog", "e2": "small cat"}
    (folder / "design.json").write_text(json.dumps(design), "utf-8")
    with serving(finished.run, "--labels", folder) as address:
        page.goto(f"{address}/label/ann")
        expect(page.get_by_label("link wrong")).to_be_disabled()
        expect(page.locator(".entities")).to_contain_text("words of the text, linked to no entity")
        page.keyboard.press("3")
        page.keyboard.press("5")
        assert all_answers(folder) == []
        press(page, "1")
    assert [one.said for one in all_answers(folder)] == ["true"]


def test_without_a_script(chromium: Browser, address: str, said: Said) -> None:
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{address}/label/dan")
    page.get_by_role("button", name="Save and go on").click()
    expect(page.get_by_role("alert")).to_have_text("Choose an answer to the first question.")
    page.get_by_label("link wrong").check()
    page.get_by_label("no").check()
    page.get_by_role("button", name="Save and go on").click()
    assert said("dan") == [("link wrong", False, "")]
    page.get_by_role("button", name="Undo").click()
    assert said("dan") == []
    context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious_and_it_fits_a_phone(
    page: Page, address: str, scheme: str
) -> None:
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": 360, "height": 740})
    for path in ("/labels", "/label/eve", "/labels/figures"):
        page.goto(address + path)
        assert findings(page) == [], path
        assert not is_scrolled_sideways(page), path

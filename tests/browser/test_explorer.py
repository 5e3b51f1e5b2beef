"""The explorer in a browser: to search, open, filter and go back; by keyboard, on a phone."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import findings, is_scrolled_sideways
from tests.jobs.explore.servers import HOSTILE, IMAGE, SCRIPT

FACT = "/fact?e1=/m/s_ada_lovelace&r=meet&e2=/m/s_charles_babbage"
SENTENCE = "/sentence?document=ada_lovelace&number=1&system=beta&system=gamma"
TRIED = "/try?text=Ada+Lovelace+was+born+in+London+and+met+with+Charles+Babbage."
PAGES = ("/", "/?system=beta&region=d&known=1", FACT, SENTENCE, TRIED, "/?least=x")


def test_search_filter_open_and_back(page: Page, explorer: str) -> None:
    page.goto(explorer)
    page.get_by_label("Names and relation").fill("Lovelace meet")
    page.get_by_role("button", name="Show").click()
    page.wait_for_url(f"{explorer}/?q=Lovelace+meet&sort=fact")  # and the script has run
    expect(page.get_by_role("status")).to_contain_text(" of ")
    # A choice is shown at once.
    page.get_by_label("System").select_option("gamma")
    page.wait_for_url("**system=gamma**")
    assert page.get_by_label("Names and relation").input_value() == "Lovelace meet"
    page.locator("a.fact", has_text="Charles Babbage").click()
    expect(page.locator("h1")).to_contain_text("Ada Lovelace meet Charles Babbage")
    expect(page.locator("mark.r").first).to_have_text("met")
    page.go_back()
    assert "system=gamma" in page.url
    assert page.get_by_label("System").input_value() == "gamma"
    # The address is all there is to a state.
    shared = page.context.new_page()
    shared.goto(page.url)
    assert shared.get_by_role("status").inner_text() == page.get_by_role("status").inner_text()


def test_all_by_keyboard(page: Page, explorer: str) -> None:
    page.goto(explorer)
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="To the content")).to_be_focused()
    page.keyboard.press("/")
    expect(page.get_by_label("Names and relation")).to_be_focused()
    page.keyboard.type("lovelace meet")
    page.keyboard.press("Enter")
    page.wait_for_url("**q=lovelace**")
    page.keyboard.press("j")
    page.keyboard.press("j")
    page.keyboard.press("k")
    expect(page.locator("a.fact").first).to_be_focused()
    outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert outline == "solid"
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_contain_text("Ada Lovelace")


def test_without_javascript(chromium, explorer: str) -> None:
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(explorer)
    page.get_by_label("Names and relation").fill("lovelace meet")
    page.get_by_label("System").select_option("gamma")
    page.get_by_role("button", name="Show").click()
    page.locator("a.fact", has_text="Charles Babbage").click()
    assert "Ada Lovelace meet Charles Babbage" in " ".join(page.locator("h1").inner_text().split())
    context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(page: Page, explorer: str, scheme: str) -> None:
    page.emulate_media(color_scheme=scheme)
    for path in PAGES[:-1]:
        page.goto(explorer + path)
        assert findings(page) == [], path


def test_no_page_is_wider_than_a_phone(page: Page, explorer: str) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    for path in PAGES[:-1]:
        page.goto(explorer + path)
        assert not is_scrolled_sideways(page), path


def test_markup_and_script_show_as_text(page: Page, explorer_of_markup: str) -> None:
    page.goto(f"{explorer_of_markup}/?q=evil")
    title = page.title()
    expect(page.locator("a.fact").first).to_contain_text(f"Evil {SCRIPT}")
    expect(page.locator(".sentence").first).to_have_text(HOSTILE)
    page.goto(f"{explorer_of_markup}/fact?e1=/m/s_ada_lovelace&r=meet&e2=/m/s_evil")
    expect(page.locator("main")).to_contain_text(f"<b>{IMAGE}</b>: true")
    expect(page.locator("main")).to_contain_text(f"met {SCRIPT}")
    assert page.title() != "broken"
    page.get_by_role("link", name="evil").first.click()
    expect(page.locator(".lede")).to_have_text(HOSTILE)
    assert page.locator("img, b").count() == 0
    assert "broken" not in (title, page.title())

"""Take the pictures of the documentation: a report, a run in the explorer, a fact to label.

``python -m tests.browser.screenshot runs/demo/report.html docs/report.png``
``python -m tests.browser.screenshot runs/demo docs/explorer.png``
``python -m tests.browser.screenshot runs/demo docs/labelling.png``
"""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Page, sync_playwright

from jobs.labels.draw import DrawChoice, draw
from tests.browser.conftest import CHROMIUM, QUIET
from tests.jobs.explore.servers import serving

WIDTH, HEIGHT = 1120, 1000
_SHOWN = "/?q=einstein&system=beta&sort=highest+score"


def main(source: Path, out: Path) -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(QUIET))
        page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT}, color_scheme="light")
        take = of_report
        if source.is_dir():
            take = of_labelling if out.stem == "labelling" else of_explorer
        take(page, source, out)
        browser.close()


def of_report(page: Page, report: Path, out: Path) -> None:
    page.goto(report.absolute().as_uri())
    page.evaluate("document.querySelector('#side-by-side').scrollIntoView()")
    page.screenshot(path=out)


def of_explorer(page: Page, run: Path, out: Path) -> None:
    with serving(run) as address:
        page.goto(address + _SHOWN)
        page.screenshot(path=out)


def of_labelling(page: Page, run: Path, out: Path) -> None:
    """Show a fact that a system extracted, after a few answers."""
    with TemporaryDirectory() as scratch:
        folder = Path(scratch) / "labels"
        draw(run, folder, DrawChoice(60, raters=("ann", "bob"), double=0.5))
        with serving(run, "--labels", folder) as address:
            page.goto(f"{address}/label/ann")
            for answer in ("15", "26", "15", "26", "25", "16"):
                before = page.url
                for key in answer:
                    page.keyboard.press(key)
                page.wait_for_url(lambda now, before=before: now != before)
            while not page.locator(".phrase").count():
                before = page.url
                page.keyboard.press("ArrowRight")
                page.wait_for_url(lambda now, before=before: now != before)
            page.locator("#standing table").wait_for()
            page.screenshot(path=out, full_page=True)


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))

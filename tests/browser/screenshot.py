"""Take the pictures that the documentation shows: of a report, or of a run in the explorer.

``python -m tests.browser.screenshot runs/demo/report.html docs/report.png``
``python -m tests.browser.screenshot runs/demo docs/explorer.png``
"""

import sys
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from tests.browser.conftest import CHROMIUM, QUIET
from tests.jobs.explore.servers import serving

WIDTH, HEIGHT = 1120, 1000
_SHOWN = "/?q=einstein&system=beta&sort=highest+score"


def main(source: Path, out: Path) -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(QUIET))
        page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT}, color_scheme="light")
        take = of_explorer if source.is_dir() else of_report
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


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))

"""Take the picture of a report that the documentation shows.

``python -m tests.browser.screenshot runs/demo/report.html docs/report.png``
"""

import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.browser.conftest import CHROMIUM, QUIET

WIDTH, HEIGHT = 1120, 1000


def main(report: Path, out: Path) -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(QUIET))
        page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT}, color_scheme="light")
        page.goto(report.absolute().as_uri())
        page.evaluate("document.querySelector('#side-by-side').scrollIntoView()")
        page.screenshot(path=out)
        browser.close()


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))

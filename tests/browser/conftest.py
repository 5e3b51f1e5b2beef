"""One headless Chromium for all tests of pages, and pages that say what went wrong in them."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, sync_playwright

from jobs.config import Configuration
from tests.jobs.explore.servers import run_of_markup, serving

CHROMIUM = Path("/usr/bin/chromium")  # Debian's package
QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """The browser; a test opens a page of its own in it."""
    if not CHROMIUM.is_file():
        pytest.skip(f"no {CHROMIUM}: apt-get install chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(QUIET))
        yield browser
        browser.close()


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    """A new page; whatever test uses it fails where a page has an error or asks another host."""
    context = chromium.new_context()
    opened = context.new_page()
    problems: list[str] = []
    opened.on("pageerror", lambda error: problems.append(f"error: {error}"))
    opened.on(
        "console",
        lambda message: (
            problems.append(f"{message.type}: {message.text}")
            if message.type in ("error", "warning")
            else None
        ),
    )
    opened.on(
        "request",
        lambda request: (
            None
            if request.url.startswith(("http://127.0.0.1:", "data:", "file:"))
            else problems.append(f"asked: {request.url}")
        ),
    )
    yield opened
    context.close()
    assert problems == []


@pytest.fixture(scope="session")
def explorer(chromium: Browser, finished: Configuration) -> Iterator[str]:
    """The address of the explorer on the sample's run."""
    with serving(finished.run) as address:
        yield address


@pytest.fixture(scope="session")
def explorer_of_markup(
    chromium: Browser,
    evidence: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[str]:
    """The address of the explorer on a run that is full of markup."""
    with serving(run_of_markup(evidence, tmp_path_factory.mktemp("markup"))) as address:
        yield address


def findings(page: Page) -> list[str]:
    """Return what axe finds on a page that is serious or critical."""
    found = Axe().run(page).response["violations"]
    return [
        f"{one['id']}: {node['target']} {node['failureSummary']}"
        for one in found
        if one["impact"] in ("serious", "critical")
        for node in one["nodes"]
    ]


def is_scrolled_sideways(page: Page) -> bool:
    """Whether a page is wider than its window."""
    return bool(page.evaluate("document.documentElement.scrollWidth > window.innerWidth"))

"""What the pages show: every command can be parsed, every link leads somewhere."""

import re
import shlex
from pathlib import Path

import pytest
import typer
from typer.core import TyperGroup

from jobs.cli.app import app

HOME = Path(__file__).parents[3]
PAGES = [*HOME.glob("*.md"), *HOME.glob("docs/*.md"), *HOME.glob("conf/*/*.md")]
SHOWN = [*PAGES, *HOME.glob("benchmarks/*.py")]  # whose docstrings show commands


def commands(page: Path) -> list[str]:
    """Return the commands of a page; those with an ellipsis are patterns."""
    text = page.read_text(encoding="utf-8").replace("\\\n", " ")
    found = re.findall(r"^[ $]+(?:\.venv/bin/)?distval ([a-z].*)$", text, re.MULTILINE)
    return [re.sub(r"\s+#.*", "", line) for line in found if "..." not in line and "…" not in line]


def test_every_command_can_be_parsed() -> None:
    shown = [(page.name, line) for page in SHOWN for line in commands(page)]
    assert len(shown) > 60
    for page, line in shown:
        command, words = typer.main.get_command(app), shlex.split(line)
        while isinstance(command, TyperGroup) and words and words[0] in command.commands:
            command = command.commands[words.pop(0)]
        try:
            command.make_context("distval", words)
        except Exception as error:  # so that the message names the page
            pytest.fail(f"{page}: distval {line}: {error}")


def places(page: Path) -> set[str]:
    """Return the names by which links lead to the headings of a page."""
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.M)
    headings = re.findall(r"^#+ (.*)", text, re.MULTILINE)
    bare = (re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading) for heading in headings)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in bare}


def test_every_link_leads_somewhere() -> None:
    links = [
        (page, *link.partition("#")[::2])
        for page in PAGES
        for link in re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8"))
        if "://" not in link
    ]
    assert len(links) > 100
    lost = []
    for page, path, place in links:
        target = (page.parent / path).resolve() if path else page
        if not target.exists() or (place and place not in places(target)):
            lost.append(f"{page.name}: {path}#{place}")
    assert lost == []
    linked = {(page.parent / path).resolve() for page, path, _ in links}
    assert set(HOME.glob("docs/*.md")) <= linked

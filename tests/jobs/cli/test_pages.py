"""What the pages show: commands can be parsed, links lead somewhere, settings are known."""

import re
import runpy
import shlex
from pathlib import Path

import pytest
import typer
from typer.core import TyperGroup

from jobs.cli.app import app
from jobs.config import Configuration

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
    root = typer.main.get_command(app)
    for page, line in shown:
        command, words = root, shlex.split(line)
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


@pytest.mark.parametrize("page", ["settings.md", "commands.md", "names.md"])
def test_the_reference_is_that_of_the_code(page: str) -> None:
    made = runpy.run_path(str(HOME / "docs/reference.py"))["PAGES"][page]()
    assert made == (HOME / "docs" / page).read_text(encoding="utf-8"), "run make reference"


def test_every_configuration_shown_is_one(tmp_path: Path) -> None:
    shown = [
        (page, block)
        for page in PAGES
        for block in re.findall(r"^```toml\n(.*?)^```", page.read_text("utf-8"), re.DOTALL | re.M)
    ]
    assert len(shown) > 1
    for page, block in shown:
        conf = tmp_path / f"{page.stem}.toml"
        conf.write_text(block, encoding="utf-8")
        Configuration.load(conf)


def test_every_setting_given_is_one() -> None:
    reference = (HOME / "docs/settings.md").read_text(encoding="utf-8")
    settings = set(re.findall(r"^\| `([a-z_.]+)` \|", reference, re.MULTILINE))
    sections = "|".join({name.partition(".")[0] for name in settings if "." in name})
    given = {
        (page.name, name)
        for page in PAGES
        for name in re.findall(rf"[` ]((?:{sections})\.[a-z_]+) ?=", page.read_text("utf-8"))
    }
    assert len(given) > 20
    assert {one for one in given if one[1] not in settings} == set()

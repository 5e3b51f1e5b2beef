"""CONTRIBUTING.md tells the truth: what it names is there, and a walk goes as the code goes."""

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from pkgutil import resolve_name
from types import CodeType

from tests.jobs.commands import shown

HOME = Path(__file__).parents[2]
PAGE = (HOME / "CONTRIBUTING.md").read_text(encoding="utf-8")
PACKAGES = ("evaluator", "indexes", "jobs")


def named(text: str) -> list[str]:
    """Return the functions, classes and modules that a text names, in its order."""
    return re.findall(rf"`((?:{'|'.join(PACKAGES)})(?:\.\w+)+)`", text)


def test_what_the_page_names_is_in_the_code() -> None:
    names = named(PAGE)
    assert len(names) > 100
    gone = []
    for name in names:
        try:
            resolve_name(name)
        except (AttributeError, ImportError):
            gone.append(name)
    assert gone == []


def test_the_files_that_the_page_names_are_there() -> None:
    folders = "|".join((*PACKAGES, "benchmarks", "conf", "docs", "tests"))
    paths = set(re.findall(rf"[`(]((?:{folders})/[\w./-]*)[`)]", PAGE))
    assert len(paths) > 50
    assert [path for path in paths if not (HOME / path).exists() and "/mine." not in path] == []


def test_the_page_has_every_room() -> None:
    told = set(re.findall(r"^\| `(\w+/\w+)/` \|", PAGE, re.MULTILINE))
    rooms = {
        f"{package}/{file.parent.name}"
        for package in PACKAGES
        for file in (HOME / package).glob("*/__init__.py")
    }
    assert told == rooms


@contextmanager
def passed() -> Iterator[list[str]]:
    """Give out a list that gets our functions in the order in which they are first called."""
    names: list[str] = []
    watch, tool = sys.monitoring, sys.monitoring.PROFILER_ID

    def started(code: CodeType, _offset: int) -> object:
        file = Path(code.co_filename)
        if file.is_relative_to(HOME):
            module = ".".join(file.relative_to(HOME).with_suffix("").parts)
            names.append(f"{module.removesuffix('.__init__')}.{code.co_qualname}")
        return watch.DISABLE

    watch.use_tool_id(tool, "walk")
    watch.register_callback(tool, watch.events.PY_START, started)
    watch.restart_events()
    watch.set_events(tool, watch.events.PY_START)
    try:
        yield names
    finally:
        watch.set_events(tool, watch.events.NO_EVENTS)
        watch.free_tool_id(tool)


def test_a_line_goes_through_a_gold_benchmark_as_its_walk_says(tmp_path: Path) -> None:
    _, _, walk = PAGE.partition("### A line through `distval gold carb`\n")
    told = named(walk.partition("\n### ")[0].partition("Intervals and tests resample")[0])
    assert len(told) > 15
    gold, system = tmp_path / "gold.tsv", tmp_path / "system.tsv"
    gold.write_text("Ada wrote notes .\twrote\tAda\tnotes\n")
    system.write_text("Ada wrote notes .\t0.9\twrote\tAda\tnotes\n")
    with passed() as names:
        shown("gold", "carb", "--gold", gold, "--system", f"mine=tabbed:{system}")
    places = [names.index(name) for name in told]  # an error where one is not passed
    assert places == sorted(places)

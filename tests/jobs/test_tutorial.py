"""The tutorial: its commands, run in their order, print what it shows."""

import re
import shlex
from pathlib import Path

import pytest

from tests.jobs.commands import command

HOME = Path(__file__).parents[2]
STEP = re.compile(
    r"^    (?P<command>\S[^\n]*)$|^```(?P<kind>text|python)\n(?P<block>.*?)^```",
    re.MULTILINE | re.DOTALL,
)


@pytest.mark.jvm
@pytest.mark.slow
def test_the_tutorial_shows_what_its_commands_print(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "conf").symlink_to(HOME / "conf")
    monkeypatch.chdir(tmp_path)
    text = (HOME / "docs/tutorial.md").read_text(encoding="utf-8")
    printed: list[str] = []
    compared = 0
    for step in STEP.finditer(text):
        line, kind, block = step["command"], step["kind"], step["block"]
        if line:
            line = line.replace("make demo", "distval run conf/demo.toml")
            done = command(*shlex.split(line)[1:])
            assert done.code == 0, done.err
            printed = [one.rstrip() for one in (done.out + done.err).splitlines()]
        elif kind == "python":
            exec(block, {})
        else:
            expected = [one.rstrip() for one in block.splitlines() if one.strip("… ")]
            assert [one for one in expected if one not in printed] == []
            compared += len(expected)
    assert compared > 60

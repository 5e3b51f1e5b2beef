"""The help of commands: each has an example, and no description is cut."""

import shlex
from pathlib import Path

import pytest
import typer
from typer.core import TyperGroup
from typer.testing import CliRunner

from jobs.cli.app import app
from tests.jobs.cli.test_files import ALL

ROOT = Path(__file__).parents[3]


def helped(*names: str, width: int = 80) -> str:
    done = CliRunner().invoke(app, [*names, "--help"], env={"COLUMNS": str(width)})
    assert done.exit_code == 0
    return done.output


@pytest.mark.parametrize("names", ALL, ids=" ".join)
def test_every_command_has_an_example_that_it_can_parse(names: tuple[str, ...]) -> None:
    _, _, example = helped(*names).partition("Example:\n")
    (line,) = example.strip().splitlines()
    program, *arguments = shlex.split(line)
    assert program == "distval"
    told = arguments[len(names) :]
    if names == ("similarity", "compare"):  # the group takes two phrases for it
        told = arguments[1:]
    else:
        assert tuple(arguments[: len(names)]) == names
    context = ALL[names].make_context("example", told)
    assert not context.args


def test_the_example_of_agree_runs_as_it_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    _, _, example = helped("agree").partition("Example:\n")
    _, *arguments = shlex.split(example)
    done = CliRunner().invoke(app, [*arguments, "--json"])
    assert done.exit_code == 0, done.output


@pytest.mark.parametrize(
    "group",
    ["", "index", "kb", "label", "judge", "simulate", "data", "sample", "wordnet", "similarity"],
)
def test_descriptions_are_whole_in_eighty_columns(group: str) -> None:
    _, _, listed = helped(*([group] if group else [])).partition("Commands:\n")
    lines = listed.strip().splitlines()
    command = typer.main.get_command(app)
    assert isinstance(command, TyperGroup)
    if group:
        command = command.commands[group]
    assert isinstance(command, TyperGroup)
    assert len(lines) == len(command.commands)  # none goes over two lines
    assert not [line for line in lines if line.endswith("...")]

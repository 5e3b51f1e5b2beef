"""``distval data qa-srl``: a file of questions becomes a file of gold tuples."""

import json
from pathlib import Path

from typer.testing import CliRunner

from jobs.cli import app
from tests.evaluator.test_qa_srl import APPEALING, DETERMINED
from tests.jobs.test_cli import refused


def run(*arguments: object) -> dict:
    done = CliRunner().invoke(app, ["data", "qa-srl", *map(str, arguments), "--json"])
    assert done.exit_code == 0, done.exception
    return json.loads(done.stdout)


def test_a_file_of_questions_becomes_a_gold_file(tmp_path: Path) -> None:
    source, out = tmp_path / "made.qa", tmp_path / "gold.oie"
    source.write_text(f"{DETERMINED}\n{APPEALING}")
    told = run(source, "--out", out)
    assert (told["sentences"], told["predicates"], told["questions"]) == (2, 4, 9)
    lines = out.read_text().splitlines()
    assert told["tuples"] == len(lines) == 4 + 1  # of Obama's, and of the investors'
    assert lines[0].split("\t")[1:] == [
        "determined",
        "was determined",
        "Barack Obama",
        "to win the majority vote in Washington",
    ]
    told = run(source, "--out", out, "--embedded", "keep")
    assert told["tuples"] == 4 + 4 + 2


def test_bad_input_is_told_in_a_line(tmp_path: Path) -> None:
    source = tmp_path / "made.qa"
    source.write_text("no blocks\n")
    assert "made.qa: nothing could be read" in refused(
        "data", "qa-srl", source, "--out", tmp_path / "gold.oie"
    )
    assert not (tmp_path / "gold.oie").exists()

"""``distval data qa-srl``: a file of questions becomes a file of gold tuples."""

from pathlib import Path

from tests.evaluator.gold.oie2016.test_qa_srl import APPEALING, DETERMINED
from tests.jobs.commands import refused, told


def run(*arguments: object) -> dict:
    return told("data", "qa-srl", *arguments)


def test_a_file_of_questions_becomes_a_gold_file(tmp_path: Path) -> None:
    source, out = tmp_path / "made.qa", tmp_path / "gold.oie"
    source.write_text(f"{DETERMINED}\n{APPEALING}")
    made = run(source, "--out", out)
    assert (made["sentences"], made["predicates"], made["questions"]) == (2, 4, 9)
    lines = out.read_text().splitlines()
    assert made["tuples"] == len(lines) == 4 + 1  # of Obama's, and of the investors'
    assert lines[0].split("\t")[1:] == [
        "determined",
        "was determined",
        "Barack Obama",
        "to win the majority vote in Washington",
    ]
    made = run(source, "--out", out, "--embedded", "keep")
    assert made["tuples"] == 4 + 4 + 2


def test_lines_that_are_none_are_told_with_the_first(tmp_path: Path) -> None:
    source = tmp_path / "made.qa"
    source.write_text(f"{DETERMINED}\nmade_1\t1\nAda wrote .\nno verb\nno more\n")
    made = run(source, "--out", tmp_path / "gold.oie")
    ((reason, count),) = made["rejects"].items()
    assert reason.startswith("neither a verb")
    assert count == 2
    last = len(source.read_text().splitlines())
    assert made["examples"] == {reason: f"line {last - 1}: no verb"}


def test_bad_input_is_told_in_a_line(tmp_path: Path) -> None:
    source = tmp_path / "made.qa"
    source.write_text("no blocks\n")
    assert "made.qa: nothing could be read" in refused(
        "data", "qa-srl", source, "--out", tmp_path / "gold.oie"
    )
    assert not (tmp_path / "gold.oie").exists()
    source.write_text("made_1\t1\nAda wrote .\nno verb\n")
    assert "gives no tuple: neither a verb" in refused(
        "data", "qa-srl", source, "--out", tmp_path / "gold.oie"
    )
    assert "--out" in refused("data", "qa-srl", source, "--out", source)

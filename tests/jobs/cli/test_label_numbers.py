"""What raters and readers are told of labels is the same everywhere."""

from pathlib import Path

from evaluator.estimators.claims import BUDGET, FEW
from evaluator.results.result import Result
from jobs.cli.measures import about_labels
from jobs.labels.draw import INSTRUCTIONS
from tests.evaluator.report.test_page import page, result
from tests.jobs.commands import shown

HOME = Path(__file__).parents[3]


def test_readme_report_and_help_name_the_same_number_of_labels():
    assert f"[default: {BUDGET}; " in " ".join(shown("label", "draw", "--help").split())
    readme = (HOME / "README.md").read_text(encoding="utf-8")
    assert f"Let people label {BUDGET} facts" in readme
    assert f"distval label draw runs/oie2016 --budget {BUDGET} " in readme
    assert f"{BUDGET} is what `label draw` asks for" in (HOME / "docs/labels.md").read_text("utf-8")
    page_of_results = " ".join((HOME / "docs/oie2016.md").read_text("utf-8").split())
    assert f"[{BUDGET} are a start](labels.md)" in page_of_results
    (line,) = about_labels(Result.of(result()))
    assert f"label {BUDGET} facts with distval label draw" in line
    assert f"Label {BUDGET} facts with <code>distval label draw" in page().source


def test_raters_and_readers_are_told_the_same_rule_of_facts_without_a_relation_word():
    rule = "A fact without a relation word is false unless the sentence gives it one."
    assert rule in " ".join(INSTRUCTIONS.split())
    assert rule in " ".join((HOME / "docs/labels.md").read_text("utf-8").split())


def test_so_many_labels_are_enough_for_one_system():
    assert sum(FEW) * 2 <= BUDGET

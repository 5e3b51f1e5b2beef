"""One name for each thing, wherever people read it."""

import re
from pathlib import Path
from typing import get_args

import pytest

from evaluator import wordings
from evaluator.counting.definition import Counts
from evaluator.estimators.tallies import Verdict
from jobs.run.facts_table import REGIONS

ROOT = Path(__file__).parents[2]


def test_everything_that_has_a_name_in_files_has_one_for_people() -> None:
    assert tuple(wordings.COUNTS) == Counts._fields
    assert tuple(wordings.REGIONS) == REGIONS
    assert "no relation word" in get_args(Verdict)
    assert wordings.NO_RELATION_WORD == "(no relation word)"
    assert wordings.TITLES["recall"] == "Recall within G′"


@pytest.mark.parametrize("other", ["F-measure", "undecided facts", "In the database", "Database:"])
def test_no_page_and_no_command_has_another_name(other: str) -> None:
    files = [
        *(ROOT / "evaluator" / "report").rglob("*.j2"),
        *(ROOT / "evaluator" / "report").rglob("*.py"),
        *(ROOT / "jobs" / "explore").rglob("*.j2"),
        *(ROOT / "jobs" / "cli").rglob("*.py"),
    ]
    assert len(files) > 60
    told = [path.name for path in files if re.search(other, path.read_text(encoding="utf-8"))]
    assert told == []


def test_one_is_no_plural() -> None:
    told = [wordings.plural(number, "document") for number in (0, 1, 2, 2000)]
    assert told == ["0 documents", "1 document", "2 documents", "2,000 documents"]

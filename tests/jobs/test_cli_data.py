"""``distval data``: public sets become label sheets that other commands read."""

from pathlib import Path

import pytest

from evaluator.labels import Label, read_labels
from evaluator.model import Rejects
from tests.evaluator.test_factbench import ADA, turtle
from tests.jobs.test_cli import distval, refused


def test_factbench_becomes_a_label_sheet_with_the_kind_beside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DISTVAL_DATA", str(tmp_path))
    made = {
        "correct/birth/1.ttl": ADA,
        "wrong/range/birth/1.ttl": turtle("Ada", "birthPlace", "Rome"),
        "wrong/date/birth/1.ttl": ADA,
    }
    for name, text in made.items():
        path = tmp_path / "factbench" / "test" / name
        path.parent.mkdir(parents=True)
        path.write_text(text)
    sheet = tmp_path / "labels.tsv"
    done = distval("data", "factbench", "--part", "test", "--out", sheet)
    assert done.returncode == 0, done.stderr
    assert "2 labels" in done.stdout
    assert "1 wrong by its date" in done.stderr
    assert sheet.read_text().splitlines() == [
        "e1\tr\te2\tlabel\trater\tkind",
        "Ada\twas born in\tLondon\ttrue\tfactbench\tcorrect",
        "Ada\twas born in\tRome\tfalse\tfactbench\trange",
    ]
    assert read_labels(sheet, rejects=Rejects()) == [
        Label("Ada", "was born in", "London", True, "factbench"),
        Label("Ada", "was born in", "Rome", False, "factbench"),
    ]
    assert "no folder train" in refused("data", "factbench", "--out", tmp_path / "no.tsv")
    assert not (tmp_path / "no.tsv").exists()

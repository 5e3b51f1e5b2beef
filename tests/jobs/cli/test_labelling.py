"""``distval label``: what it tells of sheets taken in, and how it takes bad ones."""

import csv
import json
from pathlib import Path

import pytest

from evaluator.labels.questions import Question
from evaluator.labels.sheets import write_sheet
from jobs.cli.labelling import _expected_claims
from tests.jobs.cli.test_cli import distval, refused

FACTS = [
    Question(f"{n:016x}", "Q1", "visit", f"Q{n}", "Ada", f"Place {n}", "A sentence.", "")
    for n in range(10)
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "labels"
    folder.mkdir()
    (folder / "design.json").write_text(json.dumps({"facts": [fact._asdict() for fact in FACTS]}))
    return folder


def filled(path: Path, words: str, *, stated: str = "") -> Path:
    """Write a sheet whose n-th label is the n-th letter: t, f, w (link wrong), s or a dot."""
    meaning = {"t": "true", "f": "false", "w": "link wrong", "s": "skip", ".": ""}
    write_sheet(path, FACTS, rater=path.stem)
    with path.open(encoding="utf-8-sig", newline="") as stream:
        rows = list(csv.DictReader(stream))
    for row, letter in zip(rows, words, strict=True):
        row["label"], row["stated"] = meaning.get(letter, letter), stated
    with path.open("w", encoding="utf-8", newline="") as stream:
        sheet = csv.DictWriter(stream, rows[0], delimiter=";")
        sheet.writeheader()
        sheet.writerows(rows)
    return path


def test_import_tells_answers_agreement_and_disputes(folder: Path, tmp_path: Path) -> None:
    ann = filled(tmp_path / "ann.csv", "tttttffff.", stated="yes")
    bob = filled(tmp_path / "bob.csv", "ttttfffwsx", stated="yes")
    done = distval("label", "import", folder, ann, bob, "--json")
    assert done.code == 0, done.err
    told = json.loads(done.out)
    assert told["drawn"] == 10
    assert [sheet["answered"] for sheet in told["sheets"]] == [9, 8]
    assert [sheet["skipped"] for sheet in told["sheets"]] == [0, 1]
    assert [sheet["unanswered"] for sheet in told["sheets"]] == [1, 0]
    assert [sheet["unused"] for sheet in told["sheets"]] == [0, 1]
    assert told["rejects"] == {"unknown label": 1}
    assert told["examples"] == {"unknown label": f"{bob}:11: x"}
    assert told["raters"]["bob"]["link wrong"] == 1
    (pair,) = told["agreement"]
    # Of eight facts both call 4 true, 3 false; ann calls 5 true, bob 4.
    assert [pair[key] for key in ("both_true", "true_false", "false_true", "both_false")] == [
        4, 1, 0, 3,
    ]  # fmt: skip
    by_chance = (5 * 4 + 3 * 4) / 64
    assert pair["kappa"]["value"] == pytest.approx((7 / 8 - by_chance) / (1 - by_chance))
    by_chance = 2 * (9 / 16) * (7 / 16)
    assert pair["ac1"]["value"] == pytest.approx((7 / 8 - by_chance) / (1 - by_chance))
    # Place 4: true or false; place 7: false or a wrong link.
    assert (told["disputed"], told["adjudicated"]) == (2, 0)

    shown = distval("label", "import", folder, ann, bob)
    assert f"{ann}: 9 answered, 0 skipped, 1 not answered yet\n" in shown.out
    assert f"{bob}: 8 answered, 1 skipped, 0 not answered yet, 1 not used\n" in shown.out
    assert "what its rater said before stays" in shown.out
    assert f"skipped answers: 1 × unknown label (first: {bob}:11: x)" in shown.err
    assert "ann – bob" in shown.out
    assert "Facts in dispute: 2, adjudicated: 0" in shown.out
    sheet = (folder / "adjudicate.csv").read_text("utf-8-sig")
    assert "Place 4" in sheet
    assert "ann" not in sheet
    distval("label", "import", folder, ann, bob, "--show-answers")
    assert "ann: true" in (folder / "adjudicate.csv").read_text("utf-8-sig")


def test_bad_input_is_told_in_one_line(folder: Path, tmp_path: Path) -> None:
    ann = filled(tmp_path / "ann.csv", "." * 10)
    assert "draw the facts" in refused("label", "import", tmp_path, ann)
    assert "no such file" in refused("label", "import", folder, tmp_path / "none.csv")
    (tmp_path / "bob.jsonl").write_text('{"e1": "a"}\n{\n')
    assert "bob.jsonl:2: broken JSON" in refused(
        "label", "import", folder, ann, tmp_path / "bob.jsonl"
    )
    assert [path.name for path in folder.glob("[!.]*")] == ["design.json"]


def test_the_draw_tells_which_differences_of_systems_will_have_p_values() -> None:
    few = "The labels are too few for the interval to claim anything."
    pairs = [
        {"first": "A", "second": "B", "withheld": {"precision": None, "recall": few, "f1": None}},
        {"first": "A", "second": "C", "withheld": {"precision": few, "recall": few, "f1": few}},
    ]
    design = {
        "level": 0.95,
        "expected_claims": {},
        "enough_labels": {},
        "why_no_model_expected": None,
    }
    *_, line = _expected_claims(design | {"expected_differences": pairs})
    assert line.endswith("will then test the differences of: A – B P, F.")
    *_, line = _expected_claims(design | {"expected_differences": pairs[1:]})
    assert line.endswith("will then test no difference of the systems.")
    [line, *_] = _expected_claims(design | {"expected_differences": ()})
    assert line == "Even if all facts are answered, no interval will claim to hold the truth."

"""``distval agree``: the paper's table on the screen and as JSON, and how it takes bad input."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from evaluator.errors import ConfigurationError
from jobs.cli.agree import agree
from tests.evaluator.paper_table import TABLE_1, paper_ratings
from tests.jobs.cli.test_cli import SAMPLE, distval, refused


@pytest.fixture
def matrix(tmp_path: Path) -> Path:
    """The paper's 558 facts and four raters, one column each."""
    ratings = paper_ratings()
    lines = [
        ",".join([f"fact {fact}", *(str(of[fact]).lower() for of in ratings.values())])
        for fact in range(558)
    ]
    path = tmp_path / "matrix.csv"
    path.write_text("\n".join([",".join(["item", *ratings]), *lines]) + "\n")
    return path


@pytest.fixture
def told(capsys: pytest.CaptureFixture[str]) -> Callable[..., dict[str, Any]]:
    """What the command prints with --json."""

    def told(*files: Path, **options: Any) -> dict[str, Any]:
        agree([*files], **options, as_json=True)
        return json.loads(capsys.readouterr().out)

    return told


def test_table_1_of_the_paper(matrix: Path, told: Callable[..., dict[str, Any]]) -> None:
    found = told(matrix, annotators=["A"])
    rows = {(row["rater1"], row["rater2"]): row for row in (*found["pairs"], *found["consensus"])}
    rows["A", "H12"] = rows["A", "H1=H2"]
    printed = {pair: round(100 * rows[pair]["agreement"]["value"], 1) for pair in TABLE_1}
    assert printed == TABLE_1
    assert (found["raters"], found["items"], found["together"]["items"]) == (3, 558, 558)
    assert found["by_rater"]["H0"] == {"items": 558, "true": 186}


def test_the_screen_shows_the_triangle_and_the_rows(matrix: Path) -> None:
    shown = distval("agree", matrix, "--annotator", "A")
    assert shown.err == ""
    cells = [line.replace("│", " ").split() for line in shown.out.splitlines()]
    assert ["H0", "71.9"] in cells
    assert ["H1", "68.8", "80.8"] in cells
    assert ["H2", "72.8", "78.0", "80.3"] in cells
    assert ["H1=H2", "75.9", "86.6"] in cells  # H0 says what both say on 388 of 448 facts
    assert "All 3 people together: 558 facts" in shown.out


def test_only_rows_beside_one_consensus(matrix: Path) -> None:
    shown = distval("agree", matrix, "--reference", "H1,H2")
    rows = [line.split("│")[1].strip() for line in shown.out.splitlines() if " – " in line]
    assert rows == ["A – H1=H2", "H0 – H1=H2"]


def test_a_consensus_asked_for(matrix: Path, told: Callable[..., dict[str, Any]]) -> None:
    rows = told(matrix, groups=["A,H2"])["consensus"]
    assert [row["rater1"] for row in rows if row["rater2"] == "A=H2"] == ["H0", "H1"]


def test_sheets_of_several_raters_are_one_table(
    tmp_path: Path, told: Callable[..., dict[str, Any]]
) -> None:
    lines = (SAMPLE / "labels.tsv").read_text().splitlines(keepends=True)
    for rater in ("anna", "ben", "chloe"):
        own = [line for line in lines[1:] if line.rstrip().endswith(f"\t{rater}")]
        (tmp_path / f"{rater}.tsv").write_text(lines[0] + "".join(own))
    whole = told(SAMPLE / "labels.tsv")
    assert whole["rejects"] == {"skip": 8}
    of_parts = told(*sorted(tmp_path.glob("*.tsv")))
    assert of_parts.pop("examples") == {"skip": f"{tmp_path / 'anna.tsv'}:30: skip"}
    del whole["examples"]
    assert of_parts == whole


def test_one_rater_alone_has_nobody_to_agree_with(
    tmp_path: Path, told: Callable[..., dict[str, Any]]
) -> None:
    path = tmp_path / "alone.tsv"
    path.write_text("e1\tr\te2\tlabel\nAda\tvisit\tParis\tyes\n")
    found = told(path)
    assert found["pairs"] == found["consensus"] == []
    assert found["together"]["krippendorff_alpha"]["reason"] == "no item that two raters judged"
    shown = distval("agree", path)
    assert (shown.code, shown.err) == (0, "")
    assert "No two raters judged the same item" in shown.out


def test_ratings_that_cannot_be_used(tmp_path: Path) -> None:
    (tmp_path / "labels.tsv").write_text("e1\tr\te2\n")
    assert "neither labels nor a matrix of raters" in refused("agree", tmp_path / "labels.tsv")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"annotators": ["B"]}, '--annotator: no rater is called "B"'),
        ({"groups": ["H1"]}, "the consensus of two raters or more"),
        ({"reference": "H3"}, 'no rater is called "H3"; there are A, H0, H1, H2'),
        ({"x": 3}, "who needs --conf or --index"),
        ({"index": Path("nowhere")}, "e1, r and e2 in place of item"),
    ],
)
def test_options_that_do_not_fit(matrix: Path, options: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        agree([matrix], **options)


def test_a_rater_may_be_called_like_markup(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    matrix = tmp_path / "matrix.tsv"
    matrix.write_text("item\t[/nope]\t[bold]\n1\ttrue\ttrue\n2\tfalse\ttrue\n")
    agree([matrix])
    shown = capsys.readouterr()
    assert "[/nope]" in shown.out + shown.err
    assert "[bold]" in shown.out + shown.err

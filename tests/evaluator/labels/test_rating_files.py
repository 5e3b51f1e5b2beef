"""Judgements from files of any form come out as the same table of raters."""

import json
from pathlib import Path

import pytest

from evaluator.errors import InputError
from evaluator.labels.questions import Question
from evaluator.labels.rating_files import read_ratings
from evaluator.labels.sheets import write_sheet
from evaluator.model import Rejects

ADA = ("Ada", "visit", "Paris")
BEN = ("Ben", "visit", "Rome")

SHEET = "e1\tr\te2\tlabel\trater\nAda\tvisit\tParis\tyes\tH1\nBen\tvisit\tRome\tfalse\tH2\n"
MATRIX = "e1\tr\te2\tH1\tH2\nAda\tvisit\tParis\ttrue\t\nBen\tvisit\tRome\t\t0\n"


def read(*paths: Path) -> tuple[dict, dict]:
    rejects = Rejects()
    return read_ratings(paths, rejects=rejects), rejects.counts


@pytest.fixture
def write(tmp_path: Path):
    def written(name: str, content: str | bytes) -> Path:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return written


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("ratings.tsv", SHEET),
        ("ratings.tsv", MATRIX),
        ("ratings.csv", MATRIX.replace("\t", ",")),
        ("ratings.csv", "\ufeff" + MATRIX.replace("\t", ";").replace("\n", "\r\n")),
        ("ratings.csv", 'e1,"r",e2,H1,H2\n"Ada","visit","Paris","true",""\nBen,visit,Rome,,"0"\n'),
        ("ratings.txt", MATRIX.replace("Paris\ttrue\t\n", "Paris\ttrue\n")),
        (
            "ratings.jsonl",
            '{"e1": "Ada", "r": "visit", "e2": "Paris", "label": "true", "rater": "H1"}\n'
            '{"e1": "Ben", "r": "visit", "e2": "Rome", "label": "no", "rater": "H2"}\n',
        ),
    ],
)
def test_every_form_gives_the_same_ratings(write, name: str, content: str) -> None:
    assert read(write(name, content)) == ({"H1": {ADA: True}, "H2": {BEN: False}}, {})


def test_a_comma_in_the_name_of_a_rater_is_no_delimiter(write) -> None:
    path = write("m.csv", 'item;Doe, A.;B\n"x; y";yes;no\n')
    assert read(path)[0] == {"Doe, A.": {("x; y",): True}, "B": {("x; y",): False}}


def test_a_matrix_of_items(write) -> None:
    path = write("matrix.csv", "H1,item,H2\n1,a,no\n,b,correct\nskip,c,yes\n")
    ratings, rejects = read(path)
    assert ratings == {"H1": {("a",): True}, "H2": {("a",): False, ("b",): True, ("c",): True}}
    assert rejects == {"skip": 1}


def test_a_sheet_that_was_handed_out_and_a_folder_of_answers(tmp_path: Path) -> None:
    question = Question("0" * 16, "Ada", "visit", "Paris", "Ada", "Paris", "Ada in Paris.", "")
    sheet = tmp_path / "sheet.tsv"
    write_sheet(sheet, [question], rater="H1")
    header, row = (line.split("\t") for line in sheet.read_text().splitlines())
    row[header.index("label")] = "link wrong"
    sheet.write_text("\t".join(header) + "\n" + "\t".join(row) + "\n")
    assert read(sheet) == ({"H1": {ADA: False}}, {})

    folder = tmp_path / "labels"
    folder.mkdir()
    answer = {"id": "", "e1": "Ada", "r": "visit", "e2": "Paris", "label": "true", "rater": "H2"}
    (folder / "answers.jsonl").write_text(json.dumps(answer) + "\n")
    assert read(sheet, folder) == ({"H1": {ADA: False}, "H2": {ADA: True}}, {})


def test_the_same_rater_in_two_files_is_one_and_counts_once_for_a_fact(write) -> None:
    again = write("again.tsv", "e1\tr\te2\tH1\nAda\tvisit\tParis\tno\nBen\tvisit\tRome\tyes\n")
    ratings, rejects = read(write("ratings.tsv", SHEET), again)
    assert ratings == {"H1": {ADA: True, BEN: True}, "H2": {BEN: False}}
    assert rejects == {"labelled twice by one rater": 1}


def test_the_names_of_raters_keep_their_case(write) -> None:
    assert [*read(write("m.tsv", "Item\tAnn\tann\nx\tyes\tno\n"))[0]] == ["Ann", "ann"]


def test_what_does_not_count_is_counted(write) -> None:
    path = write(
        "m.csv", "item,H1,H2,comment\na,yes,maybe,good\n,yes,yes,\nb,no,no,x,more\n\nc,yes,no,\n"
    )
    ratings, rejects = read(path)
    assert ratings == {"H1": {("a",): True, ("c",): True}, "H2": {("c",): False}}
    assert rejects == {
        "unknown label": 1,
        "item without a name": 1,
        "more cells than columns": 1,
    }


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("a.tsv", "", "empty file; expected a header"),
        ("a.tsv", "\n \n", "empty file"),
        ("a.tsv", "e1\tr\te2\n", "a.tsv:1: neither labels nor a matrix of raters"),
        ("a.tsv", "item\tlabel\nx\ttrue\n", "neither labels nor a matrix"),
        ("a.tsv", "fact\tH1\tH2\nx\tyes\tno\n", "neither labels nor a matrix"),
        ("a.csv", "item,H1,H1\nx,yes,no\n", "two columns have the name"),
        ("a.csv", "item,H1,score\nx,yes,0.7\n", 'column "score" holds no judgement ("0.7")'),
        ("a.csv", 'item,H1\nx,"yes\n', "broken CSV"),
        ("a.csv", "item,H1,H2\nx,,\n", "no judgement to use (nothing is answered)"),
        ("a.csv", "item,H1\nx,skip\n", "no judgement to use (1 × skip)"),
        ("a.tsv", "e1\tr\te2\tlabel\nA\tis\n", "no label to use (1 × empty field"),
        ("a.tsv", b"\x1f\x8b\x08\x00\xff\xfe\x00", "not UTF-8 text"),
        ("a.csv", b"PK\x03\x04\x00\x00\x00", "neither labels nor a matrix"),
        ("a.json", "{", "broken JSON"),
    ],
)
def test_bad_files_are_told_in_one_line(write, name: str, content, told: str) -> None:
    path = write(name, content)
    with pytest.raises(InputError) as error:
        read(path)
    assert str(error.value).startswith(str(path))
    assert told in str(error.value)
    assert "\n" not in str(error.value)


def test_a_folder_without_answers_and_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"answers\.jsonl in this folder"):
        read(tmp_path)
    with pytest.raises(InputError, match="no such file"):
        read(tmp_path / "missing.tsv")


def test_what_a_program_writes_for_a_missing_rating_is_missing(write) -> None:
    """As pandas, R and Python write a matrix with gaps; each is told with its place."""
    path = write("m.csv", "item,H1,H2\na,1.0,NA\nb,nan,0.0\nc,None,1\nd,0.0,\n")
    rejects = Rejects()
    assert read_ratings([path], rejects=rejects) == {
        "H1": {("a",): True, ("d",): False},
        "H2": {("b",): False, ("c",): True},
    }
    assert rejects.counts == {"missing": 3}
    assert rejects.examples == {"missing": f"{path}:2, H2: NA"}


def test_each_judgement_that_does_not_count_is_told_with_its_place(write) -> None:
    path = write("m.csv", "item,H1,H2\na,yes,maybe\n\n,yes,no\nb,no,skip\nc,no,yes,x\nb,yes,yes\n")
    rejects = Rejects()
    read_ratings([path], rejects=rejects)
    assert rejects.examples == {
        "unknown label": f"{path}:2, H2: maybe",
        "item without a name": f"{path}:4:  yes no",
        "skip": f"{path}:5, H2: b",
        "more cells than columns": f"{path}:6: c no yes x",
        "labelled twice by one rater": f"{path}:7: b, H1: true, and false before, which counts",
    }


def test_two_columns_of_items_are_refused(write) -> None:
    with pytest.raises(InputError, match='two columns are called "item"'):
        read(write("m.csv", "item,Item,H1\na,b,yes\n"))


def test_a_matrix_whose_lines_end_in_carriage_returns(write) -> None:
    assert read(write("m.csv", "item,H1\ra,yes\rb,no\r"))[0] == {
        "H1": {("a",): True, ("b",): False}
    }


def test_a_column_without_a_name_that_holds_judgements_is_refused(write):
    path = write("m.tsv", "item\tA\t\n1\t1\t0\n2\t1\t1\n")
    with pytest.raises(InputError, match=r"m\.tsv:1: column 3 has no name: which rater is it of"):
        read(path)


def test_an_empty_column_without_a_name_is_passed_over(write):
    table, _ = read(write("m.tsv", "item\tA\tB\t\n1\t1\t0\t\n2\t1\t1\t\n"))
    assert sorted(table) == ["A", "B"]

"""A label folder: answers taken in, taken again, and put to an adjudicator."""

import csv
import json
from itertools import permutations

import pytest

from evaluator.errors import InputError
from evaluator.labels.answers import add_answer, all_answers, gather, read_answers
from evaluator.labels.design_file import read_questions
from evaluator.labels.label import Label
from evaluator.labels.questions import Question
from evaluator.labels.sheets import Answer, read_rows, write_sheet
from evaluator.model import Rejects

# Three facts; the id of the first is a number to a spreadsheet, the name of the third a date.
FACTS = [
    Question("1234567890123456", "Q1", "bear", "Q2", "Ada", "London", "Ada was born.", "d1"),
    Question("00000000000000b2", "Q1", "", "Q3", "Ada", "Rome", "Ada is in Rome.", "d2"),
    Question("00000000000000c3", "1/2", "not visit", "Q4", "1/2", "Oslo", "Never.", "d3"),
]


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "labels"
    (folder / "sheets").mkdir(parents=True)
    design = {"version": 1, "facts": [{**fact._asdict(), "stratum": 7} for fact in FACTS]}
    (folder / "design.json").write_text(json.dumps(design))
    return folder


def rows_of(path):
    return list(csv.DictReader(path.read_text("utf-8-sig").splitlines()))


def write(path, rows):
    with path.open("w", encoding="utf-8-sig", newline="") as stream:
        sheet = csv.DictWriter(stream, rows[0])
        sheet.writeheader()
        sheet.writerows(rows)


@pytest.fixture
def filled(folder):
    """Return a function that fills a rater's sheet: ``filled("ann", "true yes", "false", "")``."""

    def fill(rater, *answers, name=None):
        path = folder / "sheets" / f"{name or rater}.csv"
        write_sheet(path, FACTS, rater=rater)
        rows = rows_of(path)
        for row, answer in zip(rows, answers, strict=True):
            row["label"], _, row["stated"] = answer.partition(" ")
        write(path, rows)
        return path

    return fill


def labels(folder):
    return [(x.rater, x.e2, x.label, x.stated) for x in read_answers(folder, rejects=Rejects())]


def test_answers_are_those_of_the_facts_drawn(folder, filled):
    rejects = Rejects()
    gathered = gather(folder, [filled("ann", "true yes", "skip", "")], rejects=rejects)
    assert [tuple(sheet[1:]) for sheet in gathered.sheets] == [(1, 1, 1, 0)]
    assert (gathered.drawn, gathered.withdrawn, gathered.disputed) == (3, 0, 0)
    assert rejects.total == 0
    assert not (folder / "adjudicate.csv").exists()
    read = read_answers(folder, rejects=rejects)
    assert read == [Label("Q1", "bear", "Q2", True, "ann", stated=True)]
    assert rejects.counts == {"skip": 1}


def test_raters_merge_and_importing_again_changes_nothing(folder, filled):
    sheets = [filled("ann", "true", "true", "false"), filled("bob", "true", "false", "")]
    sheets += [filled("eve", "link_wrong", "", "true")]
    gather(folder, sheets, rejects=Rejects())
    answers = (folder / "answers.jsonl").read_bytes()
    assert len(answers.splitlines()) == 7
    for order in permutations(sheets):
        gather(folder, order, rejects=Rejects())
        assert (folder / "answers.jsonl").read_bytes() == answers
    (folder / "answers.jsonl").unlink()
    (folder / "adjudicate.csv").unlink()
    for sheet in reversed(sheets):
        gather(folder, [sheet], rejects=Rejects())
    assert (folder / "answers.jsonl").read_bytes() == answers


def test_a_sheet_imported_again_replaces_what_its_rater_said(folder, filled):
    gather(
        folder,
        [filled("ann", "true yes", "true", "false"), filled("bob", "true", "true", "false")],
        rejects=Rejects(),
    )
    gathered = gather(folder, [filled("ann", "false", "", "skip")], rejects=Rejects())
    assert gathered.withdrawn == 1
    assert labels(folder) == [
        ("ann", "Q2", False, None),
        ("bob", "Q3", True, None),
        ("bob", "Q4", False, None),
        ("bob", "Q2", True, None),
    ]


def test_a_part_of_a_sheet_or_a_sheet_nobody_filled_takes_nothing_back(folder, filled):
    path = filled("ann", "true", "true", "false")
    gather(folder, [path], rejects=Rejects())
    write(path, rows_of(path)[:1])
    write_sheet(folder / "sheets" / "ann.json", FACTS, rater="ann")
    gathered = gather(folder, [path, folder / "sheets" / "ann.json"], rejects=Rejects())
    assert gathered.withdrawn == 0
    assert len(labels(folder)) == 3


def test_the_first_of_two_answers_of_a_rater_counts(folder, filled):
    sheets = [filled("ann", "true", "", "true"), filled("ann", "false", "true", "", name="two")]
    rejects = Rejects()
    gather(folder, [*sheets, sheets[0]], rejects=rejects)
    assert {e2: label for _, e2, label, _ in labels(folder)} == {"Q2": True, "Q3": True, "Q4": True}
    assert rejects.counts == {"labelled twice by one rater": 1}


def test_what_a_spreadsheet_spoils_is_found_by_the_id_or_by_the_fact(folder, filled):
    path = filled("ann", "true", "true", "true")
    rows = rows_of(path)
    rows[0]["id"] = "1.23456789012346E+15"
    rows[1]["id"] = "00000000000000B2"
    rows[2]["e1"] = "2-Jan"
    write(path, rows)
    rejects = Rejects()
    gather(folder, [path], rejects=rejects)
    assert rejects.total == 0
    read = read_answers(folder, rejects=rejects)
    assert {label.item for label in read} == {fact[1:4] for fact in FACTS}


def test_answers_to_other_facts_are_counted(folder, filled):
    path = filled("ann", "true", "true", "true")
    rows = rows_of(path)
    rows[0]["id"], rows[1]["id"] = rows[1]["id"], rows[0]["id"]  # columns sorted apart
    rows[2] |= {"id": "00000000000000d4", "e2": "Q5"}
    write(path, rows)
    rejects = Rejects()
    gathered = gather(folder, [path], rejects=rejects)
    assert gathered.answers == []
    assert rejects.counts == {"id of another fact": 2, "not drawn": 1}
    with pytest.raises(InputError, match="no answers yet"):
        read_answers(folder, rejects=rejects)


def test_disputes_go_to_the_adjudicator_blind(folder, filled):
    sheets = [filled("ann", "true", "true yes", "false"), filled("bob", "true", "false", "false")]
    gathered = gather(folder, sheets, rejects=Rejects())
    assert (gathered.disputed, gathered.adjudicated) == (1, 0)
    sheet = folder / "adjudicate.csv"
    (row,) = rows_of(sheet)
    asked = {name: row[name] for name in ("id", "e2", "name2", "sentence", "rater")}
    assert asked == {
        "id": "00000000000000b2",
        "e2": "Q3",
        "name2": "Rome",
        "sentence": "Ada is in Rome.",
        "rater": "adjudicator",
    }
    assert row["label"] == row["stated"] == row["comment"] == ""
    assert "ann" not in sheet.read_text("utf-8-sig")

    gather(folder, sheets, show_answers=True, rejects=Rejects())
    assert rows_of(sheet)[0]["answers"] == "ann: true, stated: yes; bob: false"

    write(sheet, [row | {"label": "true"}])
    gathered = gather(folder, [sheet], rejects=Rejects())
    assert (gathered.disputed, gathered.adjudicated) == (1, 1)
    assert ("adjudicator", "Q3", True, None) in labels(folder)


def test_what_the_adjudicator_wrote_is_not_lost_when_other_sheets_come_in(folder, filled):
    sheets = [filled("ann", "true", "true", "false"), filled("bob", "true", "false", "")]
    gather(folder, sheets, rejects=Rejects())
    sheet = folder / "adjudicate.csv"
    write(
        sheet, [rows_of(sheet)[0] | {"label": "false", "stated": "no", "comment": "not Rome, NY"}]
    )
    gathered = gather(folder, [filled("eve", "false", "", "")], rejects=Rejects())
    assert (gathered.disputed, gathered.adjudicated) == (2, 1)
    written = {row["e2"]: (row["label"], row["stated"], row["comment"]) for row in rows_of(sheet)}
    assert written == {"Q2": ("", "", ""), "Q3": ("false", "no", "not Rome, NY")}
    # Nor what was only remarked on.
    write(sheet, [row | {"label": "", "comment": f"ask {row['e2']}"} for row in rows_of(sheet)])
    gather(folder, [filled("eve", "false", "", "")], rejects=Rejects())
    assert [row["comment"] for row in rows_of(sheet)] == ["ask Q2", "not Rome, NY"]
    # A copy that is imported by name goes before what waits.
    copy = folder / "copy.csv"
    write(copy, [rows_of(sheet)[1] | {"label": "true"}])
    rejects = Rejects()
    gather(folder, [copy], rejects=rejects)
    assert rejects.total == 0
    assert ("adjudicator", "Q3", True, False) in labels(folder)


def test_where_nothing_is_disputed_any_more_nothing_is_adjudicated(folder, filled):
    gather(
        folder, [filled("ann", "true", "", ""), filled("bob", "false", "", "")], rejects=Rejects()
    )
    assert (folder / "adjudicate.csv").exists()
    gather(folder, [filled("bob", "true", "", "")], rejects=Rejects())
    assert not (folder / "adjudicate.csv").exists()


def test_one_bad_sheet_and_nothing_is_taken_in(folder, filled):
    good = filled("ann", "true", "true", "true")
    gather(folder, [good], rejects=Rejects())
    before = (folder / "answers.jsonl").read_bytes()
    bad = folder / "sheets" / "bob.csv"
    bad.write_text("e1,r,e2\n")
    with pytest.raises(InputError, match=r"bob\.csv:1: no column label"):
        gather(folder, [filled("ann", "false", "", ""), bad], rejects=Rejects())
    assert (folder / "answers.jsonl").read_bytes() == before
    assert sorted(path.name for path in folder.iterdir()) == [
        "answers.jsonl",
        "design.json",
        "sheets",
    ]


@pytest.mark.parametrize(
    ("design", "told"),
    [
        (None, "no such file; draw the facts"),
        ("{", "design.json:1: broken JSON"),
        ("[]", "no design of labels"),
        ('{"facts": [{"id": "1"}]}', "no design of labels"),
        ('{"facts": [{"id": 1, "e1": "a", "r": "r", "e2": "b"}]}', "no design of labels"),
        ('{"facts": 7}', "no design of labels"),
        ('{"facts": [7]}', "no design of labels"),
    ],
)
def test_a_folder_without_a_design_is_refused(folder, design, told):
    (folder / "design.json").unlink()
    if design is not None:
        (folder / "design.json").write_text(design)
    with pytest.raises(InputError, match=told):
        read_questions(folder)


def test_a_design_may_do_without_names_and_sentences(folder):
    facts = [{"id": "1", "e1": "a", "r": "r", "e2": "b"}]
    (folder / "design.json").write_text(json.dumps({"facts": facts}))
    assert read_questions(folder) == [Question("1", "a", "r", "b", "a", "b", "", "")]


def test_damaged_answers_are_told_and_kept(folder, filled):
    gather(folder, [filled("ann", "true", "true", "true")], rejects=Rejects())
    path = folder / "answers.jsonl"
    damaged = path.read_text().replace('"label": "true"', '"label": "trye"', 1)
    path.write_text(damaged)
    with pytest.raises(
        InputError, match=r"answers\.jsonl: damaged \(unknown label\); mend .*:1: trye"
    ):
        gather(folder, [filled("ann", "true", "true", "true")], rejects=Rejects())
    with pytest.raises(InputError, match="damaged"):
        read_answers(folder, rejects=Rejects())
    path.write_text(damaged[:-20])
    with pytest.raises(InputError, match=r"answers\.jsonl:3: broken JSON"):
        read_answers(folder, rejects=Rejects())
    assert path.read_text() == damaged[:-20]


def test_the_answers_are_a_sheet(folder, filled):
    gather(folder, [filled("ann", "true yes", "link_wrong", "skip")], rejects=Rejects())
    rows = read_rows(folder / "answers.jsonl", rejects=Rejects())
    assert {(row.e2, row.said, row.stated) for row in rows} == {
        ("Q2", "true", True),
        ("Q3", "link wrong", None),
        ("Q4", "skip", None),
    }


def one(rater, fact, said, stated=None, comment=""):
    e1, r, e2 = fact[1:4]
    return Answer(fact.id, e1, r, e2, said, stated, comment, rater)


def test_answers_put_in_one_by_one_stand_beside_those_of_sheets(folder, filled):
    gather(folder, [filled("ann", "true yes", "", "")], rejects=Rejects())
    add_answer(folder, one("bob", FACTS[0], "false", False))
    add_answer(folder, one("ann", FACTS[1], "link wrong"))
    add_answer(folder, one("ann", FACTS[2], "skip", comment="who?"))
    assert labels(folder) == [
        ("ann", "Q3", False, None),
        ("ann", "Q2", True, True),
        ("bob", "Q2", False, False),
    ]
    assert [(a.rater, a.said, a.comment) for a in all_answers(folder)][1] == ("ann", "skip", "who?")


def test_an_answer_put_in_again_replaces_and_an_empty_one_takes_back(folder):
    add_answer(folder, one("ann", FACTS[0], "true", True))
    add_answer(folder, one("ann", FACTS[0], "false"))
    assert labels(folder) == [("ann", "Q2", False, None)]
    add_answer(folder, one("ann", FACTS[0], ""))
    assert all_answers(folder) == []


def test_sheets_that_come_in_later_keep_what_was_put_in(folder, filled):
    add_answer(folder, one("ann", FACTS[0], "true", True))
    # The sheet was handed out before, and nobody wrote into it.
    gather(folder, [filled("ann", "", "", "")], rejects=Rejects())
    assert labels(folder) == [("ann", "Q2", True, True)]

"""Sheets handed out and read back, as spreadsheet programs and Label Studio leave them."""

import csv
import json
from io import StringIO
from xml.etree import ElementTree

import pandas
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluator.errors import InputError
from evaluator.labels.label import Label, judgement
from evaluator.labels.questions import Question
from evaluator.labels.sheets import COLUMNS, read_rows, read_sheet, write_sheet
from evaluator.model import Rejects
from evaluator.text import normalise

CURIE = Question(
    "00000000000000a1",
    "Q7186",
    "bear",
    "Q270",
    "Marie Curie",
    "Warsaw",
    'Marie Curie, née Skłodowska, was born in "Warsaw"; she left it later.',
    "doc-1",
)
HOSTILE = Question(
    "00000000000000b2", "@e1", "not visit", "-e2", "=1+2", "+x", '=HYPERLINK("x")', "'=quoted"
)
FACTS = [CURIE, HOSTILE]
LABEL = COLUMNS.index("label")


def fill(path, *answers):
    """Write answers (label, stated, comment) into a CSV sheet, row by row."""
    rows = list(csv.reader(StringIO(path.read_text("utf-8-sig"), newline="")))
    for row, answer in zip(rows[1:], answers, strict=True):
        row[LABEL : LABEL + 3] = answer
    return rows


def save(path, rows, *, delimiter=",", encoding="utf-8-sig", **options):
    text = StringIO(newline="")
    csv.writer(text, delimiter=delimiter, **options).writerows(rows)
    path.write_bytes(text.getvalue().encode(encoding))
    return path


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".jsonl", ".json", ".CSV"])
def test_a_sheet_that_nobody_filled_has_every_fact_and_no_label(tmp_path, suffix):
    path = tmp_path / f"ann{suffix}"
    write_sheet(path, FACTS, rater="ann")
    rejects = Rejects()
    rows = read_rows(path, rejects=rejects)
    assert [row[:4] for row in rows] == [fact[:4] for fact in FACTS]
    assert {(row.said, row.stated, row.comment, row.rater) for row in rows} == {
        ("", None, "", "ann")
    }
    assert read_sheet(path, rejects=rejects) == []
    assert rejects.total == 0  # not answered yet is no reject


def test_a_csv_sheet_opens_in_a_spreadsheet(tmp_path):
    path = tmp_path / "ann.csv"
    write_sheet(path, FACTS, rater="ann")
    written = path.read_bytes()
    assert written.startswith(b"\xef\xbb\xbfid,e1,name1,r,name2,e2,sentence,extracted,")
    assert written.count(b"\r\n") == written.count(b"\n") == 3
    # As another program reads it.
    table = pandas.read_csv(path, encoding="utf-8-sig", dtype=str, keep_default_na=False)
    assert tuple(table.columns) == COLUMNS
    assert table.sentence[0] == CURIE.sentence
    assert table.name1[0] == "Marie Curie"


@pytest.mark.parametrize("suffix", [".csv", ".tsv"])
def test_no_cell_begins_like_a_formula(tmp_path, suffix):
    path = tmp_path / f"x{suffix}"
    write_sheet(path, FACTS, rater="=cmd")
    lines = path.read_text("utf-8-sig").splitlines()
    cells = [cell for row in csv.reader(lines, delimiter="," if suffix == ".csv" else "\t")
             for cell in row]  # fmt: skip
    assert "'=1+2" in cells
    assert "''=quoted" in cells
    assert not [cell for cell in cells if cell.startswith(("=", "+", "-", "@", "\t", "\r"))]
    assert read_rows(path, rejects=Rejects())[1][:4] == HOSTILE[:4]
    assert read_rows(path, rejects=Rejects())[1].rater == "=cmd"


cells = st.text(
    st.one_of(st.sampled_from("'=+-@＝ \",;\t\n\r"), st.characters(codec="utf-8")), max_size=6
)
names = cells.map(lambda cell: " ".join(normalise(f"{cell}x").split()))


@settings(deadline=None)
@given(st.lists(st.tuples(names, names, names), min_size=1, max_size=4), cells)
@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".jsonl", ".json"])
def test_facts_come_back_as_they_went(tmp_path_factory, suffix, facts, sentence):
    path = tmp_path_factory.getbasetemp() / f"facts{suffix}"
    questions = [Question("0" * 16, *fact, "a", "b", sentence, "") for fact in facts]
    write_sheet(path, questions, rater="ann")
    rejects = Rejects()
    assert [row[1:4] for row in read_rows(path, rejects=rejects)] == facts
    assert rejects.total == 0


ANSWERS = [["true", "yes", "sure"], ["link wrong", "no", ""]]
FILLED = [
    Label("Q7186", "bear", "Q270", True, "ann", stated=True),
    Label("@e1", "not visit", "-e2", False, "ann", stated=False, link_wrong=True),
]


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"delimiter": ";"},  # as Excel saves where the comma is the decimal sign
        {"delimiter": "\t"},
        {"encoding": "utf-8"},  # without byte order mark
        {"quoting": csv.QUOTE_ALL, "delimiter": ";"},
        {"lineterminator": "\n"},
        {"lineterminator": "\r"},
    ],
)
def test_a_filled_csv_sheet_is_read_as_any_program_saves_it(tmp_path, options):
    path = tmp_path / "ann.csv"
    write_sheet(path, FACTS, rater="ann")
    save(path, fill(path, *ANSWERS), **options)
    rejects = Rejects()
    assert read_sheet(path, rejects=rejects) == FILLED
    assert rejects.total == 0
    assert read_rows(path, rejects=rejects)[0].comment == "sure"


def test_what_cells_hold_does_not_change_the_delimiter(tmp_path):
    path = tmp_path / "ann.csv"
    said = 'He said, "yes", and, "no", and left, then, "yes", again.'
    save(
        path, [["e1", "r", "e2", "sentence", "label"], ["a", "r", "b", said, "true"]], delimiter=";"
    )
    assert read_sheet(path, rejects=Rejects()) == [Label("a", "r", "b", True, "ann")]


def test_a_comment_may_have_lines_of_its_own(tmp_path):
    path = tmp_path / "ann.csv"
    write_sheet(path, FACTS, rater="ann")
    save(path, fill(path, ["true", "yes", "see\nbelow"], ["false", "", "=-)"]))
    rows = read_rows(path, rejects=Rejects())
    assert [row.comment for row in rows] == ["see\nbelow", "=-)"]
    assert [row.said for row in rows] == ["true", "false"]


def test_rows_that_give_no_label_are_counted(tmp_path):
    header = "e1,r,e2,label,stated"
    rows = ["a,r,b,true,", "a,r,c,skip,", "a,r,d,,", "a,r,e,maybe,", ",r,f,true,", "a,,g,no,dunno"]
    rows += ["a,r,h,true,,shifted", ",,,,", "", "a,r,b,false,", "a,r,i"]
    (tmp_path / "bob.csv").write_text("\n".join([header, *rows]))
    rejects = Rejects()
    assert read_sheet(tmp_path / "bob.csv", rejects=rejects) == [
        Label("a", "r", "b", True, "bob"),
        Label("a", "", "g", False, "bob"),  # a relation without a content word
    ]
    assert rejects.counts == {
        "skip": 1,
        "unknown label": 1,
        "no entity": 1,
        "unknown word for stated": 1,
        "more cells than columns": 1,
        "labelled twice by one rater": 1,
    }
    assert rejects.examples["unknown label"] == f"{tmp_path / 'bob.csv'}:5: maybe"
    assert rejects.examples["labelled twice by one rater"] == (
        f"{tmp_path / 'bob.csv'}:11: a r b, bob: false, and true before, which counts"
    )


def test_json_lines_take_json_values(tmp_path):
    rows = [
        {"id": "1", "e1": "a", "r": "r", "e2": "b", "label": True, "stated": False, "rater": 7},
        {"id": "2", "e1": "a", "r": "r", "e2": "c", "label": None, "stated": None},
        {"id": "3", "e1": "a", "r": "r", "e2": "d"},
        {"id": "4", "e1": "a", "r": "r", "e2": "e", "label": ["true"]},
        {"id": "5", "e1": "a", "r": "r", "e2": "\ud800", "label": 0},
    ]
    path = tmp_path / "bob.jsonl"
    path.write_text("\ufeff" + "\n\n".join(map(json.dumps, rows)) + "\r\n", newline="")
    rejects = Rejects()
    assert read_sheet(path, rejects=rejects) == [
        Label("a", "r", "b", True, "7", stated=False),
        Label("a", "r", "\ud800", False, "bob"),
    ]
    assert rejects.counts == {"not a text": 1}


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("a.csv", b"", "empty file"),
        ("a.csv", b"\xef\xbb\xbf\r\n", "empty file"),
        ("a.csv", b",,,\n", "a.csv:1: no column e1, r, e2, label"),
        ("a.csv", b"e1,r,e2\n", "a.csv:1: no column label; expected e1, r, e2, label"),
        ("a.csv", b"e1,r,e2,label\n", "no fact in it"),
        ("a.csv", b'e1,r,e2,label\na,r,b,"true\n', "a.csv:2: broken CSV"),
        ("a.csv", b"e1,r,e2,label\na,r,b,1\nZo\xeb,r,b,1\n", r"a.csv:3: not UTF-8 text; save it"),
        ("a.csv", "e1,r,e2,label\n".encode("utf-16"), "a.csv:1: not UTF-8 text"),
        ("a.tsv", b"", "empty file"),
        ("a.tsv", b"e1\tr\te2\tlabel\n", "no fact in it"),
        ("a.tsv", b"e1\tr\n", "a.tsv:1: no column e2, label"),
        ("a.jsonl", b"", "empty file"),
        ("a.jsonl", b'{"e1": "a"}\n{"e1": \n', "a.jsonl:2: broken JSON"),
        ("a.jsonl", b'{"e1": "a"}\n', "no column r, e2, label"),
        ("a.jsonl", b"\n[1]\n", "a.jsonl:2: expected one JSON object a line"),
        ("a.jsonl", b"[" * 100_000, "a.jsonl:1: "),
        ("a.json", b"[\n{]", "a.json:2: broken JSON"),
        ("a.json", b"{}", "expected a JSON list"),
        ("a.json", b"[]", "no fact in it"),
        ("a.json", b'[{"data": {"text": "x"}}]', "no column e1, r, e2"),
        ("a.xlsx", b"PK", "CSV UTF-8"),
        ("a", b"", "expected .csv, .tsv, .jsonl or .json"),
    ],
)
def test_a_file_that_is_no_sheet_is_refused_in_one_line(tmp_path, name, content, told):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError, match=told) as error:
        read_sheet(tmp_path / name, rejects=Rejects())
    assert str(error.value).startswith(str(tmp_path / name))
    assert "\n" not in str(error.value)


def test_a_file_that_is_not_there_and_a_folder_are_refused(tmp_path):
    with pytest.raises(InputError, match="no such file"):
        read_sheet(tmp_path / "none.csv", rejects=Rejects())
    (tmp_path / "folder.csv").mkdir()
    with pytest.raises(InputError, match="a folder"):
        read_sheet(tmp_path / "folder.csv", rejects=Rejects())
    with pytest.raises(InputError, match="cannot be written"):
        write_sheet(tmp_path / "none" / "a.csv", FACTS, rater="ann")
    with pytest.raises(InputError, match=r"expected \.csv"):
        write_sheet(tmp_path / "a.xlsx", FACTS, rater="ann")
    assert [path.name for path in tmp_path.iterdir()] == ["folder.csv"]


def test_the_interface_shows_what_the_tasks_have_and_asks_what_we_read(tmp_path):
    write_sheet(tmp_path / "ann.json", FACTS, rater="ann")
    view = ElementTree.parse(tmp_path / "label-studio.xml").getroot()
    tasks = json.loads((tmp_path / "ann.json").read_text("utf-8"))
    shown = {value[1:] for tag in view for value in [tag.get("value", "")] if value[:1] == "$"}
    for task in tasks:
        assert list(task) == ["data"]
        assert shown <= set(task["data"])
        # The short export writes over these.
        assert not {"id", "label", "stated", "comment", "annotator"} & set(task["data"])
    objects = {tag.get("name") for tag in view.iter("Text")}
    controls = [tag for tag in view if tag.get("toName")]
    assert {tag.get("name") for tag in controls} == {"element", "label", "stated", "comment"}
    assert {tag.get("toName") for tag in controls} <= objects
    words = {c.get("name"): [choice.get("value") for choice in c] for c in view.iter("Choices")}
    assert [judgement(word) for word in words["label"]] == words["label"]
    assert words["stated"] == ["yes", "no"]
    assert "Marie Curie — bear — Warsaw" in tasks[0]["data"]["statement"]


def annotated(task, *annotations):
    """Return the task as Label Studio exports it; an annotation is account, answers."""
    return {
        "id": 17,
        **task,
        "annotations": [
            {
                "id": number,
                "completed_by": account,
                "was_cancelled": answers is None,
                "ground_truth": False,
                "lead_time": 3.5,
                "result": [
                    {
                        "id": f"r{name}",
                        "type": "textarea" if name == "comment" else "choices",
                        "from_name": name,
                        "to_name": "statement",
                        "origin": "manual",
                        "value": {"text" if name == "comment" else "choices": [word]},
                    }
                    for name, word in (answers or {}).items()
                ],
            }
            for number, (account, answers) in enumerate(annotations)
        ],
        "predictions": [{"result": [{"from_name": "label", "value": {"choices": ["false"]}}]}],
    }


@pytest.fixture
def tasks(tmp_path):
    write_sheet(tmp_path / "ann.json", FACTS, rater="ann")
    return json.loads((tmp_path / "ann.json").read_text("utf-8"))


@pytest.fixture
def exported(tmp_path):
    def write(content):
        path = tmp_path / "project-1.json"
        path.write_text(json.dumps(content))
        return path

    return write


BY_ACCOUNT_1 = [label._replace(rater="1") for label in FILLED]


def test_an_export_of_one_account_is_that_accounts(tasks, exported):
    first = {"label": "true", "stated": "yes", "comment": "sure"}
    second = {"label": "link wrong", "stated": "no"}
    path = exported([annotated(tasks[0], (1, first)), annotated(tasks[1], (1, second))])
    rejects = Rejects()
    assert read_sheet(path, rejects=rejects) == BY_ACCOUNT_1
    assert rejects.total == 0
    (row, _) = read_rows(path, rejects=rejects)
    assert (row.id, row.comment) == (CURIE.id, "sure")


def test_of_several_accounts_each_is_a_rater(tasks, exported):
    email = {"id": 5, "email": "bob@example.org", "first_name": "Bob"}
    path = exported(
        [
            annotated(tasks[0], (1, {"label": "true"}), (email, {"label": "false"})),
            annotated(tasks[1], (email, None)),  # the button "skip"
        ]
    )
    rejects = Rejects()
    assert {*read_sheet(path, rejects=rejects)} == {
        Label(*CURIE[1:4], True, "1"),
        Label(*CURIE[1:4], False, "5"),
    }
    assert rejects.counts == {"skip": 1}
    assert rejects.examples == {"skip": f"{path}: task 2: @e1 not visit -e2"}


@pytest.mark.parametrize("sheets_rater", ["r3", "3", "", None])
def test_an_account_has_one_name_in_every_export(tasks, exported, sheets_rater):
    """Alone or beside others, as a number, as an object, in the short export: one person."""
    task = tasks[0]
    task["data"]["rater"] = sheets_rater
    flat = {**task["data"], "id": 17, "label": "true", "annotator": 3}
    whole = {"id": 3, "email": "eve@example.org"}
    exports = [
        [annotated(task, (3, {"label": "true"}))],
        [annotated(task, (3, {"label": "true"}), (5, {"label": "false"}))],
        [annotated(task, (5, {"label": "false"}), ("3", {"label": "true"}))],
        [annotated(task, (whole, {"label": "true"}))],
        [annotated(task, (whole, {"label": "true"}), (5, None))],
        [flat],
        [flat, {**flat, "annotator": 5, "label": "false"}],
        [{**flat, "annotator": whole}],
    ]
    for export in exports:
        labels = read_sheet(exported(export), rejects=Rejects())
        assert [label.rater for label in labels if label.label] == ["3"]
        assert [label.rater for label in labels if not label.label] in ([], ["5"])


def test_what_was_cancelled_does_not_beat_an_answer_and_the_later_answer_counts(tasks, exported):
    def export(*annotations, **times):
        task = annotated(tasks[0], *annotations)
        for field, values in times.items():
            for annotation, value in zip(task["annotations"], values, strict=True):
                annotation[field] = value
        rejects = Rejects()
        labels = read_sheet(exported([task]), rejects=rejects)
        return [label.label for label in labels], rejects.counts

    true, false, skip = (1, {"label": "true"}), (1, {"label": "false"}), (1, None)
    for order in ((skip, true), (true, skip), (skip, true, skip)):
        labels, rejects = export(*order)
        assert labels == [True]
        assert rejects == {"cancelled, and answered": len(order) - 1}
    assert export(skip) == ([], {"skip": 1})
    # Another account's skip is its own.
    assert export((2, None), true) == ([True], {"skip": 1})
    twice = {"labelled twice by one rater": 1}
    assert export(true, false) == ([False], twice)  # by the numbers of the annotations
    days = ["2024-05-02T10:00:00Z", "2024-05-01T10:00:00Z"]
    assert export(true, false, created_at=days) == ([True], twice)
    assert export(true, false, created_at=days, updated_at=days[::-1]) == ([False], twice)


def test_tasks_that_wait_belong_to_the_only_account(tasks, exported):
    """So that an answer deleted there is taken back here."""
    path = exported([annotated(tasks[0], (4, {"label": "true"})), annotated(tasks[1])])
    assert [(row.rater, row.said) for row in read_rows(path, rejects=Rejects())] == [
        ("4", "true"),
        ("4", ""),
    ]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.csv", "e1,r,e2,label,Label\na,r,b,true,false\n"),
        ("a.csv", "e1,r,e2,label,rater,rater\na,r,b,true,x,y\n"),
        ("a.tsv", "e1\tr\te2\tlabel\tlabel\na\tr\tb\ttrue\tfalse\n"),
        ("a.jsonl", '{"e1": "a", "r": "r", "e2": "b", "label": "true", "label": "false"}\n'),
        ("a.json", '[{"e1": "a", "r": "r", "e2": "b", "label": "true", "label": "false"}]'),
    ],
)
def test_two_columns_of_one_name_are_refused(tmp_path, name, content):
    """Which of the two counts cannot be told."""
    (tmp_path / name).write_text(content)
    with pytest.raises(InputError, match=r'(two columns are called|the key) "(label|rater)"'):
        read_sheet(tmp_path / name, rejects=Rejects())


@pytest.mark.parametrize(
    ("name", "row"), [("a.csv", "a,r,b,true,more"), ("a.tsv", "a\tr\tb\ttrue\tmore")]
)
def test_a_row_with_more_cells_than_columns_is_told(tmp_path, name, row):
    header = row.replace("a", "e1", 1).replace("b", "e2").replace("true", "label")
    good = row.removesuffix(row[-5:])
    path = tmp_path / name
    path.write_text("\n".join([header.removesuffix(header[-5:]), row, good]))
    rejects = Rejects()
    assert read_sheet(path, rejects=rejects) == [Label("a", "r", "b", True, "a")]
    assert rejects.counts == {"more cells than columns": 1}
    assert rejects.examples["more cells than columns"].startswith(f"{path}:2: ")


def test_lines_of_every_form_may_end_in_a_carriage_return(tmp_path):
    rows = [{"e1": "a", "r": "r", "e2": e2, "label": "true"} for e2 in "bc"]
    (tmp_path / "a.jsonl").write_text("\r".join(map(json.dumps, rows)) + "\r", newline="")
    for name, tab in (("a.csv", ","), ("a.tsv", "\t")):
        lines = [tab.join(rows[0]), *(tab.join(row.values()) for row in rows)]
        (tmp_path / name).write_text("\r".join(lines) + "\r", newline="")
    for name in ("a.jsonl", "a.csv", "a.tsv"):
        assert [x.e2 for x in read_sheet(tmp_path / name, rejects=Rejects())] == ["b", "c"]


def test_tasks_without_a_rater_have_their_account_for_one(tasks, exported):
    del tasks[0]["data"]["rater"]
    (label,) = read_sheet(
        exported([annotated(tasks[0], (4, {"label": "true"}))]), rejects=Rejects()
    )
    assert label.rater == "4"


def test_tasks_not_answered_are_rows_and_predictions_are_no_answers(tasks, exported):
    path = exported([annotated(tasks[0]), annotated(tasks[1], (1, {}))])
    assert [row.said for row in read_rows(path, rejects=Rejects())] == ["", ""]


@pytest.mark.parametrize("kind", ["JSON_MIN", "CSV"])
def test_the_flat_exports_are_read(tasks, exported, kind):
    def flat(task, account, **answers):
        about = {"annotation_id": 3, "created_at": "2024-01-01", "lead_time": 2.5}
        return {**task["data"], "id": 17, **answers, "annotator": account, **about}

    rows = [
        flat(tasks[0], 1, label="true", stated="yes", comment="sure"),
        flat(tasks[1], 1, label="link wrong", stated="no"),
    ]
    path = exported(rows)
    if kind == "CSV":
        path = path.with_suffix(".csv")
        pandas.DataFrame(rows).to_csv(path, index=False)
    assert read_sheet(path, rejects=Rejects()) == BY_ACCOUNT_1
    assert [row.id for row in read_rows(path, rejects=Rejects())] == [CURIE.id, HOSTILE.id]


def test_broken_tasks_and_annotations_are_counted(tasks, exported):
    good = annotated(tasks[0], (1, {"label": "true", "stated": "yes"}))
    twice = annotated(tasks[1], (1, {"label": "true"}))
    twice["annotations"][0]["result"][0]["value"]["choices"] = ["true", "false"]
    empty = annotated(tasks[1], (1, {"label": "true"}))
    del empty["annotations"][0]["result"][0]["value"]
    path = exported(
        [
            good,
            "task",
            {"data": []},
            {**tasks[1], "annotations": [7]},
            {**tasks[1], "annotations": {"a": 1}},
            twice,
            empty,
        ]
    )
    rejects = Rejects()
    assert read_sheet(path, rejects=rejects) == BY_ACCOUNT_1[:1]
    assert rejects.counts == {"broken task": 2, "broken annotation": 4}
    assert rejects.examples["broken task"].startswith(f"{path}: task 2: ")

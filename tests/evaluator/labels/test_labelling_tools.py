"""Facts handed to Label Studio, Argilla, doccano and Potato, and what these write read back.

The files of the tools are written here by hand, in the form that their own code writes them.
"""

import csv
import json
from collections.abc import Callable, Sequence
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from evaluator.errors import InputError
from evaluator.labels.answers import gather
from evaluator.labels.label import Label
from evaluator.labels.questions import ASKED, Question
from evaluator.labels.sheet_formats import SHEET_FORMATS, TOOLS
from evaluator.labels.sheets import Answer, read_rows, read_sheet, write_sheet
from evaluator.model import Rejects

BORN = "Ada, née Żak 😀, was born in Ur; she left."
#       0123 45678910  13 15   20   25 28
CODE = '<script>alert(1)</script> A & B\n=cmd() *C* {{x}}\t"q" <b>'
ADA = Question(
    "00000000000000a1", "Q1", "bear", "Q2", "Ada", "Ur", BORN, "doc-1",
    ((0, 3, "e1"), (20, 24, "r"), (28, 30, "e2")), "Ada ; was born in ; Ur", "person", "<city>",
)  # fmt: skip
HOSTILE = Question(
    "00000000000000b2", "@e1", "not visit", "-e2", "=1+2 <i>", '+x "', CODE, "d&<1>",
    ((26, 27, "e1"), (30, 31, "e2")),
)  # fmt: skip
BARE = Question("00000000000000c3", "Q3", "", "Q4", "One", "Two", "", "")
FACTS = [ADA, HOSTILE, BARE]
DETAILS = "as extracted: Ada ; was born in ; Ur\nAda: person\nUr: <city>"


def handed_out(folder: Path, form: str, facts: Sequence[Question] = FACTS) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"ann{SHEET_FORMATS[form]}"
    write_sheet(path, facts, rater="ann", form=form)
    return path


def records(path: Path) -> list[dict[str, Any]]:
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".json":
        content: list[dict[str, Any]] = json.loads(text)
        return content
    return [json.loads(line) for line in text.splitlines()]


def saved(path: Path, content: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix == ".jsonl":
        path.write_text("".join(json.dumps(one) + "\n" for one in content), encoding="utf-8")
    else:
        path.write_text(json.dumps(content), encoding="utf-8")
    return path


def answers(*paths: Path) -> tuple[list[tuple[str, str, bool | None, str, str]], dict[str, int]]:
    """Return what files say: id, label, stated, comment, rater; and what was left out."""
    rejects = Rejects()
    rows: list[Answer] = [row for path in paths for row in read_rows(path, rejects=rejects)]
    return [(x.id, x.said, x.stated, x.comment, x.rater) for x in rows], rejects.counts


# What each tool gives back where account "ann" says that the first fact is true and stated, with a
# comment, and that the second has a wrong link, and leaves the third. Forms, from its own code:
# Label Studio's export; Argilla's DatasetRecords.to_list(flatten=True) as JSON; doccano's export of
# a text classification project; Potato's store, user_state.json.
COMMENT = "sure <b>\t=1"


def of_label_studio(folder: Path) -> Path:
    def region(name: str, kind: str, value: Any) -> dict[str, Any]:
        return {
            "id": f"x{name}", "from_name": name, "to_name": "statement", "type": kind,
            "origin": "manual", "value": value,
        }  # fmt: skip

    def annotation(*result: dict[str, Any]) -> dict[str, Any]:
        return {"id": 7, "completed_by": "ann", "was_cancelled": False, "result": [*result]}

    first, second, third = records(handed_out(folder, "label-studio"))
    # A rater who submits a task submits the regions that were shown, too.
    shown = [region | {"origin": "prediction"} for region in first["predictions"][0]["result"]]
    yes = region("stated", "choices", {"choices": ["yes"]})
    true = region("label", "choices", {"choices": ["true"]})
    comment = region("comment", "textarea", {"text": [COMMENT]})
    wrong = region("label", "choices", {"choices": ["link wrong"]})
    first["annotations"] = [annotation(*shown, true, yes, comment)]
    second["annotations"] = [annotation(wrong)]
    third["annotations"] = []
    return saved(folder / "export" / "project-1.json", [first, second, third])


def of_argilla(folder: Path) -> Path:
    def record(one: dict[str, Any], **said: str | None) -> dict[str, Any]:
        told: dict[str, Any] = {"id": one["id"], "status": "pending", "_server_id": "ab-1"}
        told |= one["fields"] | one["metadata"]
        for question in ("label", "stated", "comment", "elements"):
            answer = said.get(question)
            cells = (None, None, None) if answer is None else ([answer], ["ann"], ["submitted"])
            for name, cell in zip(("", ".users", ".status"), cells, strict=True):
                told[f"{question}.responses{name}"] = cell
        for name, suggestion in one["suggestions"].items():
            told[f"{name}.suggestion"] = suggestion["value"]
        return told

    first, second, third = records(handed_out(folder, "argilla"))
    content = [
        record(first, label="true", stated="yes", comment=COMMENT),
        record(second, label="link wrong"),
        record(third),
    ]
    return saved(folder / "export" / "records.json", content)


def of_doccano(folder: Path) -> Path:
    said = [(["stated: yes", "true"], [COMMENT]), (["link wrong"], []), ([], [])]
    content = [
        {"id": number, **document, "label": labels, "Comments": comments}
        for number, (document, (labels, comments)) in enumerate(
            zip(records(handed_out(folder, "doccano")), said, strict=True), start=1
        )
    ]
    return saved(folder / "export" / "ann.jsonl", content)


def of_potato(folder: Path) -> Path:
    items = [item["id"] for item in records(handed_out(folder, "potato"))]

    def said(**given: str) -> list[list[Any]]:
        name = {"comment": "text_box"}
        return [[{"schema": q, "name": name.get(q, word)}, word] for q, word in given.items()]

    content = {
        "user_id": "ann",
        "instance_id_ordering": items,
        "instance_id_to_label_to_value": {
            items[0]: said(label="true", stated="yes", comment=COMMENT),
            items[1]: said(label="link wrong"),
        },
        "instance_id_to_span_to_value": {},
    }
    return saved(folder / "export" / "ann" / "user_state.json", content)


def of_csv(folder: Path) -> Path:
    path = handed_out(folder, "csv")
    with path.open(encoding="utf-8-sig", newline="") as lines:
        rows = list(csv.reader(lines))
    label = rows[0].index("label")
    rows[1][label : label + 3] = ["true", "yes", COMMENT]
    rows[2][label : label + 3] = ["link wrong", "", ""]
    with path.open("w", encoding="utf-8", newline="") as lines:
        csv.writer(lines).writerows(rows)
    return path


FILLED: dict[str, Callable[[Path], Path]] = {
    "label-studio": of_label_studio,
    "argilla": of_argilla,
    "doccano": of_doccano,
    "potato": of_potato,
    "csv": of_csv,
}


@pytest.mark.parametrize("form", FILLED)
def test_what_comes_back_is_the_same_in_every_format(tmp_path: Path, form: str) -> None:
    assert {*TOOLS, "csv"} == {*FILLED}
    folder = tmp_path / "labels"
    folder.mkdir()
    (folder / "design.json").write_text(json.dumps({"facts": [fact._asdict() for fact in FACTS]}))
    rejects = Rejects()
    gathered = gather(folder, [FILLED[form](tmp_path / form)], rejects=rejects)
    assert rejects.total == 0
    assert [counts[1:] for counts in gathered.sheets] == [(2, 0, 1, 0)]
    assert [answer[:-1] for answer in gathered.answers] == [
        (*ADA[:4], "true", True, COMMENT, "ann"),
        (*HOSTILE[:4], "link wrong", None, "", "ann"),
    ]
    assert [answer.label for answer in gathered.answers] == [
        Label("Q1", "bear", "Q2", True, "ann", stated=True),
        Label("@e1", "not visit", "-e2", False, "ann", link_wrong=True),
    ]


@pytest.mark.parametrize("form", [*TOOLS, "json"])
def test_tasks_that_nobody_did_have_no_answer_and_keep_each_fact(tmp_path: Path, form: str) -> None:
    path = handed_out(tmp_path, form)
    rejects = Rejects()
    rows = read_rows(path, rejects=rejects)
    assert [row[:4] for row in rows] == [fact[:4] for fact in FACTS]
    assert {row[4:8] for row in rows} == {("", None, "", "ann")}
    assert rejects.total == 0


@pytest.mark.parametrize("form", TOOLS)
def test_tasks_show_the_fact_and_its_sentence_and_nothing_of_its_class(
    tmp_path: Path, form: str
) -> None:
    first = records(handed_out(tmp_path, form))[0]
    told = json.dumps(first, ensure_ascii=False)
    assert "Ada — bear — Ur" in told
    assert "née Żak 😀, was" in told
    keys = {key for key, value in _pairs(first) if isinstance(value, str)}
    blind = {"id", "fact", "e1", "r", "e2", "name1", "name2", "sentence", "document", "rater"}
    how = {
        "text",
        "statement",
        "details",
        "label",
        "model_version",
        "from_name",
        "to_name",
        "type",
        "agent",
    }
    assert keys <= blind | how


def _pairs(value: Any) -> list[tuple[str, Any]]:
    if isinstance(value, list):
        return [pair for one in value for pair in _pairs(one)]
    if isinstance(value, dict):
        return [*value.items(), *(pair for one in value.values() for pair in _pairs(one))]
    return []


def test_label_studio_shows_the_elements_as_regions_and_has_a_key_for_each_answer(
    tmp_path: Path,
) -> None:
    first, second, third = records(handed_out(tmp_path, "label-studio"))
    [prediction] = first["predictions"]
    assert [region["value"] for region in prediction["result"]] == [
        {"start": 0, "end": 3, "text": "Ada", "labels": ["first argument"]},
        {"start": 20, "end": 24, "text": "born", "labels": ["relation"]},
        {"start": 28, "end": 30, "text": "Ur", "labels": ["second argument"]},
    ]
    assert [r["value"]["text"] for r in second["predictions"][0]["result"]] == ["A", "B"]
    assert "predictions" not in third
    assert [one["data"]["details"] for one in (first, third)] == [DETAILS, ""]
    view = ElementTree.parse(tmp_path / "label-studio.xml").getroot()
    assert "$details" in [text.get("value") for text in view.iter("Text")]
    [labels] = view.iter("Labels")
    for region in prediction["result"]:
        assert (region["from_name"], region["to_name"]) == (labels.get("name"), "sentence")
        assert region["value"]["labels"][0] in {label.get("value") for label in labels}
    keys = {choice.get("value"): choice.get("hotkey") for choice in view.iter("Choice")}
    assert keys == {
        "true": "1", "false": "2", "link wrong": "3", "skip": "4", "yes": "5", "no": "6"
    }  # fmt: skip
    others = {label.get("hotkey") for label in labels}
    assert len(others) == 3
    assert not others & {*keys.values()}


def test_argilla_shows_the_elements_as_suggested_spans(tmp_path: Path) -> None:
    first, second, third = records(handed_out(tmp_path, "argilla"))
    assert first["suggestions"]["elements"]["value"] == [
        {"start": 0, "end": 3, "label": "e1"},
        {"start": 20, "end": 24, "label": "r"},
        {"start": 28, "end": 30, "label": "e2"},
    ]
    assert first["fields"]["details"] == DETAILS
    assert second["fields"] == {"statement": '=1+2 <i> — not visit — +x "', "sentence": CODE}
    # A span of a field that a record lacks is refused, an empty text too.
    assert (third["fields"], third["suggestions"]) == (
        {"statement": "One — (no relation word) — Two"},
        {},
    )
    settings = json.loads((tmp_path / "argilla-settings.json").read_text())
    questions = {one["name"]: one for one in settings["questions"]}
    assert [name for name, one in questions.items() if one["required"]] == ["label"]
    for name, asked in ASKED.items():
        options = questions[name]["settings"]["options"]
        assert [one["value"] for one in options] == [*asked.keys]
    assert questions["elements"]["settings"]["field"] == "sentence"
    markdown = [one["settings"]["use_markdown"] for one in settings["fields"]]
    assert markdown == [False, False, False]


def test_doccano_shows_the_elements_in_brackets_and_has_a_key_for_each_label(
    tmp_path: Path,
) -> None:
    path = handed_out(tmp_path, "doccano")
    first, second, third = records(path)
    assert path.read_bytes().isascii()  # doccano guesses the encoding of a file
    assert first["text"] == (
        "Ada — bear — Ur\n\n[Ada]₁, née Żak 😀, was [born]ᵣ in [Ur]₂; she left.\n\n" + DETAILS
    )
    assert second["text"].endswith(CODE.replace(" A & B", " [A]₁ & [B]₂"))
    assert third["text"] == "One — (no relation word) — Two"
    labels = json.loads((tmp_path / "doccano-labels.json").read_text())
    assert {one["text"]: one["suffix_key"] for one in labels} == {
        "true": "1", "false": "2", "link wrong": "3", "skip": "4", "stated: yes": "5",
        "stated: no": "6",
    }  # fmt: skip


class _Seen(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.text = ""
        self.tags: set[str] = set()

    def handle_data(self, data: str) -> None:
        self.text += data

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.tags.add(tag)


def test_potato_shows_the_elements_marked_and_all_else_as_it_stands(tmp_path: Path) -> None:
    first, second, _ = records(handed_out(tmp_path, "potato"))
    marked = [part.split("<")[0].split(">")[1] for part in first["text"].split("<span")[1:]]
    assert marked == ["Ada", "born", "Ur"]
    assert first["text"].endswith("<br>Ada: person<br>Ur: &lt;city&gt;")
    seen = _Seen()
    seen.feed(second["text"])
    assert seen.text == '=1+2 <i> — not visit — +x "' + CODE
    assert seen.tags == {"b", "br", "span"}
    configuration = json.loads((tmp_path / "ann.yaml").read_text())
    assert configuration["data_files"] == ["ann.jsonl"]
    keys = {
        label["name"]: label["key_value"]
        for scheme in configuration["annotation_schemes"]
        for label in scheme.get("labels", ())
    }
    assert keys == {word: key for asked in ASKED.values() for word, key in asked.keys.items()}


def test_of_elements_that_overlap_the_first_is_marked() -> None:
    question = ADA._replace(sentence="Ur of Ur", spans=((0, 8, "e1"), (6, 8, "e2")))
    assert question.marked(lambda element, words: f"[{element} {words}]") == "[e1 Ur of Ur]"
    assert BARE.marked(lambda element, words: words) == ""


# Argilla: each response is one account's; the nested form does not tell which are drafts.


def flat(one: dict[str, Any], *said: tuple[str, str, str]) -> dict[str, Any]:
    """Return a record with responses: label, account, status."""
    about = {"id": one["id"], "status": "pending", "_server_id": "1", **one["metadata"]}
    cells = zip(("", ".users", ".status"), zip(*said, strict=True), strict=True)
    return about | {f"label.responses{name}": list(cell) for name, cell in cells}


def test_argilla_drafts_are_nobodys_answers_and_discarded_is_skipped(tmp_path: Path) -> None:
    first, second, third = records(handed_out(tmp_path, "argilla"))
    content = [
        flat(first, ("true", "u1", "submitted"), ("false", "u2", "draft")),
        flat(second, ("true", "u1", "discarded"), ("false", "u2", "submitted")),
        flat(third, ("true", "u1", "draft")),
    ]
    path = saved(tmp_path / "records.json", content)
    said, rejects = answers(path)
    assert said == [
        (ADA.id, "true", None, "", "u1"),
        (HOSTILE.id, "skip", None, "", "u1"),
        (HOSTILE.id, "false", None, "", "u2"),
        (BARE.id, "", None, "", "ann"),
    ]
    assert rejects == {"draft": 2}
    told = Rejects()
    read_rows(path, rejects=told)
    assert told.examples == {"draft": f"{path}: task 1: account u2"}


def test_argilla_records_without_the_status_of_responses_are_read_as_far_as_it_is_known(
    tmp_path: Path,
) -> None:
    """``to_json`` tells whether a record is completed: whether somebody has submitted it."""
    first, second, third = records(handed_out(tmp_path, "argilla"))

    def nested(one: dict[str, Any], status: str, **accounts: str) -> dict[str, Any]:
        given = [{"value": value, "user_id": account} for account, value in accounts.items()]
        spans = [{"value": [], "user_id": account} for account in accounts]
        responses = {"label": given, "elements": spans}
        return one | {"responses": responses, "status": status, "_server_id": "1"}

    content = [
        nested(first, "completed", u1="true"),
        nested(second, "completed", u1="true", u2="false"),
        nested(third, "pending", u1="true"),
        {**third, "metadata": None},
        {**third, "responses": {"label": ["true"]}},
    ]
    said, rejects = answers(saved(tmp_path / "records.json", content))
    assert [row for row in said if row[1]] == [(ADA.id, "true", None, "", "u1")]
    assert rejects == {"response without its status": 2, "draft": 1, "broken record": 2}


# doccano: a file is one account's.


def document(fact: Question, *labels: Any, **more: Any) -> dict[str, Any]:
    about = {"id": 1, "text": "…", "fact": fact.id, "e1": fact.e1, "r": fact.r, "e2": fact.e2}
    return {**about, "rater": "ann", "label": [*labels], "Comments": [], **more}


@pytest.mark.parametrize("suffix", [".jsonl", ".json"])
def test_a_doccano_export_is_its_accounts_and_a_shared_one_the_raters_of_the_tasks(
    tmp_path: Path, suffix: str
) -> None:
    content = [
        document(ADA, "false", "stated: no", Comments=["a", "b"]),
        document(HOSTILE, "true", "skip"),
        document(BARE, "true", "Person", [0, 3, "PER"]),
    ]
    for name, rater in (("ben", "ben"), ("all", "ann")):
        said, rejects = answers(saved(tmp_path / f"{name}{suffix}", content))
        assert said == [
            (ADA.id, "false", False, "a b", rater),
            (BARE.id, "true", None, "", rater),
        ]
        assert rejects == {"two answers to one question": 1, "unknown label": 2}


def test_a_doccano_export_as_csv_is_its_accounts_too(tmp_path: Path) -> None:
    path = tmp_path / "ben.csv"
    path.write_text(
        "id,text,fact,e1,r,e2,rater,label,Comments\n"
        f"1,x,{ADA.id},Q1,bear,Q2,ann,stated: yes#true,sure#very\n"
        f"2,x,{BARE.id},Q3,,Q4,ann,,\n"
    )
    assert answers(path) == (
        [(ADA.id, "true", True, "sure very", "ben"), (BARE.id, "", None, "", "ben")],
        {},
    )


# Potato: what it stores and exports names a fact by its id alone.


def test_all_forms_that_potato_writes_are_read(tmp_path: Path) -> None:
    said = {"label": {"false": "2"}, "stated": {"no": "no"}, "comment": {"text_box": "so"}}
    expected = ([(ADA.id, "false", False, "so", "ben")], {})
    exported = {"instance_id": ADA.id, "user_id": "ben", "labels": said, "spans": {}, "links": {}}
    assert answers(saved(tmp_path / "annotations.jsonl", [exported])) == expected
    # Potato 1: of all raters, and of one, in a folder of that name.
    texts = {"displayed_text": "…", "span_annotations": [], "behavioral_data": {"time": "3"}}
    of_all = {"user_id": "ben", "instance_id": ADA.id, "label_annotations": said, **texts}
    assert answers(saved(tmp_path / "annotated_instances.jsonl", [of_all])) == expected
    of_one = {"id": ADA.id, "label_annotations": said, **texts}
    path = saved(tmp_path / "ben" / "annotated_instances.jsonl", [of_one, of_one])
    assert answers(path) == (expected[0] * 2, {})
    # It calls JSON Lines .json too.
    assert answers(path.rename(path.with_suffix(".json"))) == (expected[0] * 2, {})


@pytest.mark.parametrize(
    ("annotation", "reason"),
    [
        ({"completed_by": [1]}, "broken annotation"),
        ({"completed_by": {"id": {"a": 1}}}, "broken annotation"),
        ({"completed_by": "\ud800"}, "not a text"),
    ],
)
def test_odd_accounts_of_label_studio_are_counted(
    tmp_path: Path, annotation: dict[str, Any], reason: str
) -> None:
    data = {"fact": ADA.id, "e1": ADA.e1, "r": ADA.r, "e2": ADA.e2}
    result = [{"from_name": "label", "value": {"choices": ["true"]}}]
    done = annotation | {"id": 10**401, "result": result}
    path = tmp_path / "export.json"
    path.write_text(json.dumps([{"id": 1, "data": data, "annotations": [done]}]))
    assert answers(path) == ([], {reason: 1})


def test_what_potato_leaves_unclear_is_counted(tmp_path: Path) -> None:
    both = {"label": {"true": "1", "false": "2"}}
    rows = [
        {"instance_id": ADA.id, "user_id": "ben", "labels": both},
        {"instance_id": HOSTILE.id, "user_id": "ben", "labels": {"label": "true"}},
        {"instance_id": BARE.id, "user_id": "ben", "labels": {"label": {"true": None}}},
        {"instance_id": BARE.id, "user_id": "eve", "labels": {"label": {"maybe": "x"}}},
        {"instance_id": BARE.id, "user_id": "eve", "labels": [[{"schema": "label", "name": 1}, 1]]},
    ]
    said, rejects = answers(saved(tmp_path / "annotations.jsonl", rows))
    assert said == [(BARE.id, "", None, "", "ben")]
    assert rejects == {"two answers to one question": 1, "broken item": 2, "unknown label": 1}
    store = {"user_id": "ben", "instance_id_to_label_to_value": ["x"]}
    assert answers(saved(tmp_path / "user_state.json", store)) == ([], {"broken item": 1})


def test_ids_alone_are_no_facts_outside_their_label_folder(tmp_path: Path) -> None:
    rejects = Rejects()
    assert read_sheet(of_potato(tmp_path), rejects=rejects) == []
    assert rejects.counts == {"fact known by its id alone": 2}


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("a.jsonl", [{"text": "x", "label": ["POS"]}], "no column e1, r, e2"),
        ("a.json", [{"id": "1", "fields": {"text": "x"}, "metadata": {}}], "no column e1, r, e2"),
        ("a.json", {"user_id": "ann"}, "expected a JSON list of tasks"),
        ("a.json", [{"text": "x"}], "no column e1, r, e2"),
    ],
)
def test_a_tools_file_about_something_else_is_refused_in_one_line(
    tmp_path: Path, name: str, content: Any, told: str
) -> None:
    with pytest.raises(InputError, match=told) as error:
        read_rows(saved(tmp_path / name, content), rejects=Rejects())
    assert "\n" not in str(error.value)


def test_answers_to_facts_of_another_draw_are_told_apart(tmp_path: Path) -> None:
    (tmp_path / "design.json").write_text(json.dumps({"facts": [BARE._asdict()]}))
    row = {"instance_id": "item_7", "user_id": "ben", "labels": {"label": {"true": "1"}}}
    path = saved(tmp_path / "annotations.jsonl", [row])
    rejects = Rejects()
    gather(tmp_path, [path], rejects=rejects)
    assert rejects.counts == {"not drawn": 1}
    assert rejects.examples == {"not drawn": f"{path}:1: item_7"}


@pytest.mark.parametrize(("suffix", "delimiter"), [(".csv", ","), (".tsv", "\t")])
def test_a_table_of_label_studio_has_several_lines_in_a_cell(
    tmp_path: Path, suffix: str, delimiter: str
) -> None:
    """As Label Studio 1.23 exports it: columns sorted, every text quoted, numbers bare."""
    path = tmp_path / f"project-1{suffix}"
    details = "as extracted: Ada ; was born in ; Ur\nAda: person"
    regions = json.dumps([{"start": 0, "end": 3, "text": "Ada", "labels": ["first argument"]}])
    told = {
        "annotation_id": 3, "annotator": "4", "comment": 'unsure: "Ur", or <Uruk>?',
        "created_at": "2026-11-30T08:33:33.437141Z", "details": details, "document": "d",
        "e1": "Q1", "e2": "Q2", "element": regions, "fact": ADA.id, "id": 3,
        "label": "link wrong", "lead_time": 3.2, "name1": "Ada", "name2": "Ur", "r": "bear",
        "rater": "ann", "sentence": "Ada is from Ur.", "stated": "yes",
        "statement": "Ada — bear — Ur", "updated_at": "2026-11-30T08:33:33.437160Z",
    }  # fmt: skip
    with path.open("w", encoding="utf-8", newline="") as lines:
        csv.writer(lines, delimiter=delimiter, quoting=csv.QUOTE_NONNUMERIC).writerows(
            [told.keys(), told.values()]
        )
    said, rejected = answers(path)
    assert said == [(ADA.id, "link wrong", True, 'unsure: "Ur", or <Uruk>?', "4")]
    assert rejected == {}

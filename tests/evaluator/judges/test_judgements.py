"""Files of judges' answers, in every form."""

import gzip
import json
from hashlib import blake2b
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from evaluator.errors import ConfigurationError, InputError
from evaluator.judges.judgements import JudgedItem, read_judgements

ADA = ("Q7259", "bear", "Q84")
ROWS: list[dict[str, Any]] = [
    {"e1": "Q7259", "r": "bear", "e2": "Q84", "sentence": "Ada was born.", "verdict": "yes"},
    {"e1": "Q1", "r": "", "e2": "Q2", "sentence": "", "verdict": "no"},
    {"e1": "Q3", "r": "like", "e2": "Q4", "sentence": "", "verdict": "perhaps"},
    {"e1": "Q5", "r": "like", "e2": "Q6", "sentence": "", "verdict": ""},
]
EXPECTED = [
    JudgedItem(None, ADA, "Ada was born.", 1.0, ""),
    JudgedItem(None, ("Q1", "", "Q2"), None, 0.0, ""),
    JudgedItem(None, ("Q3", "like", "Q4"), None, None, "no answer in it"),
    JudgedItem(None, ("Q5", "like", "Q6"), None, None, "empty"),
]


def tsv(rows: list[dict[str, Any]], separator: str = "\t") -> str:
    lines = [separator.join(rows[0]), *(separator.join(map(str, row.values())) for row in rows)]
    return "\n".join(lines) + "\n"


def lines(*rows: object) -> str:
    return "".join(f"{json.dumps(row)}\n" for row in rows)


@pytest.mark.parametrize("form", ["tsv", "csv", "jsonl", "json", "parquet", "tsv.gz", "jsonl.gz"])
def test_every_form_of_a_file_reads_alike(tmp_path: Path, form: str) -> None:
    path = tmp_path / f"judge.{form}"
    if form == "parquet":
        pq.write_table(pa.Table.from_pylist(ROWS), path)
    else:
        kind = form.removesuffix(".gz")
        texts = {"tsv": tsv(ROWS), "csv": tsv(ROWS, ","), "jsonl": lines(*ROWS)}
        content = (texts | {"json": json.dumps(ROWS)})[kind].encode()
        path.write_bytes(gzip.compress(content) if form.endswith("gz") else content)
    found = read_judgements(path)
    assert found.rows == EXPECTED
    assert found.unreadable == {"no answer in it": 1, "empty": 1}
    assert not found.rejects.counts
    assert (found.model, found.prompt) == ("", "")
    if form == "tsv":
        assert found.digest == blake2b(path.read_bytes(), digest_size=16).hexdigest()


@pytest.mark.parametrize(
    ("row", "value"),
    [
        ({"verdict": "T"}, 1.0),
        ({"Output": "no"}, 0.0),
        ({"label": 1}, 1.0),
        ({"verdict": False}, 0.0),
        ({"probability": 0.25}, 0.25),
        ({"score": "1"}, 1.0),
        ({"answer": "```json {'output': 'yes'} ```"}, 1.0),
        ({"response": "No, because it is not."}, 0.0),
        ({"answer": {"output": "yes"}}, 1.0),
        # The first filled column counts; the label may be what people say.
        ({"answer": "no", "verdict": "yes"}, 1.0),
        ({"verdict": "", "answer": "no"}, 0.0),
        ({"label": "1", "answer": "no"}, 0.0),
        ({"label": "1", "answer": "I cannot tell"}, None),
        ({"verdict": "no", "probability": 0.9}, 0.0),
    ],
)
def test_columns_of_what_was_said(tmp_path: Path, row: dict[str, Any], value: float | None) -> None:
    path = tmp_path / "judge.jsonl"
    path.write_text(lines({"id": "one"} | row))
    assert [(row.id, row.value) for row in read_judgements(path).rows] == [("one", value)]


def test_other_names_of_the_fact(tmp_path: Path) -> None:
    path = tmp_path / "judge.jsonl"
    said = {"verdict": "yes"}
    path.write_text(
        lines(
            {"Subject": "a", "Relation": "b", "Object": "c"} | said,
            {"fact_id": 17} | said,
            {"subject": "a", "predicate": "b", "object": "c", "ID": "x"} | said,
        )
    )
    rows = read_judgements(path).rows
    assert [(row.id, row.item) for row in rows] == [
        (None, ("a", "b", "c")),
        ("17", None),
        ("x", ("a", "b", "c")),
    ]


SEVERAL = "id\tmethod\tmodel\tverdict\tanswer\n" + "".join(
    f"f{n}\t{method}\t{model}\t{verdict}\t\n"
    for n, (method, model, verdict) in enumerate(
        [("RAG", "large", "T"), ("RAG", "small", "F"), ("DKA", "large", "F")]
    )
)


def test_one_of_several_judges(tmp_path: Path) -> None:
    path = tmp_path / "judges.tsv"
    path.write_text(SEVERAL)
    listed = "DKA/large, RAG/large, RAG/small"
    with pytest.raises(ConfigurationError, match=f"several judges; name one of {listed}"):
        read_judgements(path)
    with pytest.raises(ConfigurationError, match=r"'large'; name one of DKA/large, RAG/large$"):
        read_judgements(path, judge="large")
    with pytest.raises(ConfigurationError, match=f"no judge 'huge'; it has {listed}"):
        read_judgements(path, judge="huge")
    small = read_judgements(path, judge="small")
    assert (small.model, [row.id for row in small.rows]) == ("RAG/small", ["f1"])
    assert [row.value for row in read_judgements(path, judge="DKA/large").rows] == [0.0]


def test_one_model_asked_with_two_prompts_is_two_judges(tmp_path: Path) -> None:
    path = tmp_path / "judges.jsonl"
    row = {"id": "f", "model": "org/large", "verdict": "yes"}
    path.write_text(lines(row | {"prompt": "aa"}, row | {"prompt": "bb", "verdict": "no"}))
    with pytest.raises(ConfigurationError, match="name one of org/large@aa, org/large@bb"):
        read_judgements(path)
    found = read_judgements(path, judge="org/large@bb")
    assert (found.prompt, [row.value for row in found.rows]) == ("bb", [0.0])


def test_rows_of_the_other_question_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "judge.jsonl"
    asked = [{"question": "world"}, {"question": "Sentence"}, {}]
    path.write_text(lines(*({"id": str(n), "verdict": "yes"} | q for n, q in enumerate(asked))))
    found = read_judgements(path)
    assert [row.id for row in found.rows] == ["0", "2"]
    assert found.rejects.counts == {"another question": 1}
    other = read_judgements(path, question="sentence")
    assert [row.id for row in other.rows] == ["1", "2"]


def test_two_rows_of_one_fact_are_both_kept(tmp_path: Path) -> None:
    path = tmp_path / "judge.tsv"
    path.write_text("id\tverdict\nf\tyes\nf\tno\n")
    assert [row.value for row in read_judgements(path).rows] == [1.0, 0.0]


def batch(identifier: str, content: object) -> dict[str, Any]:
    message = {"role": "assistant", "content": content}
    body = {"model": "large", "choices": [{"message": message, "finish_reason": "stop"}]}
    return {"custom_id": identifier, "response": {"status_code": 200, "body": body}, "error": None}


def test_outputs_of_batches(tmp_path: Path) -> None:
    path = tmp_path / "output.jsonl"
    busy = {"status_code": 429, "body": {"error": {"message": "slow down"}}}
    message = {"model": "large", "content": [{"type": "text", "text": '{"output": "yes"}'}]}
    path.write_text(
        lines(
            batch("0123456789abcdef-world", '{"output": "yes"}'),
            batch("0123456789abcdef-sentence", '{"output": "no"}'),
            batch("mine-1", "No."),
            batch("f2", None),
            {"custom_id": "f3", "response": busy, "error": None},
            {"custom_id": "f4", "response": None, "error": {"code": "expired"}},
            {"custom_id": "f5", "result": {"type": "succeeded", "message": message}},
            {"custom_id": "f6", "result": {"type": "errored", "error": {"type": "overloaded"}}},
        )
    )
    found = read_judgements(path)
    assert [(row.id, row.value, row.reason) for row in found.rows if row.value is not None] == [
        ("0123456789abcdef", 1.0, ""),
        ("mine-1", 0.0, ""),
        ("f5", 1.0, ""),
    ]
    assert found.unreadable == {
        "empty": 1,
        "the server answered 429": 1,
        "the server answered with an error": 2,
    }
    assert {row.id for row in found.rows if row.value is None} == {"f2", "f3", "f4", "f6"}
    assert found.model == "large"


def test_broken_records_are_counted_and_the_rest_is_read(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    row = {"id": "f", "verdict": "yes"}
    path.write_text(lines(row, ["f", "yes"], {"verdict": "no"}) + '{"id": "g", "ver')
    found = read_judgements(path)
    assert [row.id for row in found.rows] == ["f"]
    assert found.rejects.counts == {
        "not an object": 1,
        "no fact: neither id nor e1, r, e2": 1,
        "broken JSON": 1,
    }


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "empty file; expected columns id"),
        (b" \n", "empty file"),
        (b"id\tcomment\nf\tfine\n", "no column with a verdict; expected columns id"),
        (b"name\tverdict\nf\tyes\n", "no judgement to use: no fact"),
        (b"id\tverdict\n", "no judgement to use: nothing in it"),
        (b"id\tverdict\tVerdict\nf\tyes\tno\n", 'two columns are called "verdict"'),
        (b"id\tverdict\nf\t\xff\n", r"judge:2: not UTF-8 text"),
        (b"[{", "broken JSON"),
        (b"{\n", "no judgement to use: broken JSON"),
        (b"PAR1nothing", "damaged Parquet"),
        (b"\x1f\x8b\x08", "damaged or cut archive"),
    ],
)
def test_a_file_of_no_use_is_refused_in_one_line(
    tmp_path: Path, content: bytes, problem: str
) -> None:
    path = tmp_path / "judge"
    path.write_bytes(content)
    with pytest.raises(InputError, match=problem) as error:
        read_judgements(path)
    assert "\n" not in str(error.value)


def test_no_file_and_a_folder_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        read_judgements(tmp_path / "none")
    with pytest.raises(InputError, match="a folder"):
        read_judgements(tmp_path)

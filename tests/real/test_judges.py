"""The raw answers of language models on FactBench, beside how those who asked read them."""

import csv
from collections import Counter
from pathlib import Path

import pytest

from evaluator.judges.answers import read_answer
from evaluator.judges.judgements import read_judgements
from jobs.judging.answer_file import AnswerFile
from jobs.judging.asking import Asking
from jobs.judging.chat_server import ChatServer
from jobs.judging.prompts import FactInWords, PromptTemplate
from tests.jobs.judging.servers import Reply, said, serving


@pytest.fixture(scope="module")
def judges(data: Path) -> Path:
    return data / "factbench_web" / "judges.tsv"


def test_no_answer_is_read_as_the_opposite_of_what_was_read_there(judges: Path) -> None:
    with judges.open(encoding="utf-8", newline="") as file:
        rows = [*csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)]
    read: Counter[str] = Counter()
    unreadable: Counter[str] = Counter()
    for row in rows:
        if not row["answer"]:
            continue
        value, _ = read_answer(row["answer"])
        if value is None:
            unreadable[row["model"]] += 1
        else:
            assert value == {"T": 1.0, "F": 0.0}[row["verdict"]], row
            read[row["model"]] += 1
    # The answers there are cut after 80 characters. Of gemma's only 9 do not have the whole object
    # within them, by grep -c for output, a colon and a quoted yes or no; of qwen's 3, of mistral's
    # 29, of llama's 1,529, which likes to begin with a paragraph. Two of gemma's nine are "No.",
    # one of mistral's begins with "Yes,"; two of mistral's others are made-up dialogues.
    assert unreadable == {"gemma2:9b": 7, "qwen2.5:7b": 3, "mistral:7b": 30, "llama3.1:8b": 1529}
    assert {*(read + unreadable).values()} == {2799}


def test_the_file_is_one_of_sixteen_judges(judges: Path) -> None:
    found = read_judgements(judges, judge="RAG/gemma2:9b")
    assert Counter(row.value for row in found.rows) == {1.0: 1516, 0.0: 1283}
    assert found.model == "RAG/gemma2:9b"
    assert not found.rejects.counts


@pytest.mark.parametrize("model", ["gemma2:9b", "llama3.1:8b"])
def test_a_server_that_answers_and_fails_like_a_real_one(
    judges: Path, model: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_PROXY", "*")
    with judges.open(encoding="utf-8", newline="") as file:
        rows = [*csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)]
    recorded = {r["id"]: r for r in rows if r["method"] == "RAG" and r["model"] == model}
    some = [*recorded.values()][::14]
    template = PromptTemplate("world", "{fact}")
    prompts = [
        template.about(FactInWords((r["id"], "r", "x"), (r["id"], "r", "x"), "")) for r in some
    ]
    failures = {
        5: Reply(b"", status=429, headers={"Retry-After": "0"}),
        11: Reply(b"<html>bad gateway</html>", status=502),
        17: Reply(b'{"choices": [{"message": {"con'),
        23: Reply(b'{"choices": [', missing=200),
        29: Reply(b"", after=0.5),
    }

    def answer(prompt: str, nth: int) -> Reply:
        number = len(asked.prompts) % 30
        if nth == 1 and number in failures:
            return failures[number]
        return said(recorded[prompt.split(" | ")[0]]["answer"])

    path = tmp_path / "answers.jsonl"
    with serving(answer) as asked:
        server = ChatServer(endpoint=asked.url, pause=0.01, timeout=(1.0, 0.3))
        with AnswerFile.open(path) as file:
            done = Asking(server, file, model=model, template=template).ask(prompts)
    assert done.answers == len(some) == 200
    assert done.retries > 20
    found = read_judgements(path, judge=model)
    assert found.model == model
    wrong = [
        row
        for row in found.rows
        if row.item
        and row.value is not None
        and row.value != (recorded[row.item[0]]["verdict"] == "T")
    ]
    assert wrong == []
    unread = sum(read_answer(r["answer"]).value is None for r in some)
    assert sum(found.unreadable.values()) == sum(done.unreadable.values()) == unread

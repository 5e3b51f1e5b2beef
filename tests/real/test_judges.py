"""The raw answers of language models on FactBench, beside how those who asked read them."""

import csv
from collections import Counter
from pathlib import Path

import pytest

from evaluator.judges.answers import read_answer
from evaluator.judges.judgements import read_judgements


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

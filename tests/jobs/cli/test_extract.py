"""``distval extract``: a baseline's output as a system's file."""

import json
from pathlib import Path

import pytest

from evaluator.model import Rejects
from evaluator.readers import SystemSource, read_extractions
from tests.jobs.commands import command, refused, told

TEXT = "Ann has met Bo in Rome .\n\nIt rained .\nAnn has met Bo in Rome .\n"


@pytest.fixture
def sentences(tmp_path: Path) -> Path:
    path = tmp_path / "sentences.txt"
    path.write_text(TEXT)
    return path


def test_naive_makes_a_system_file_of_benchie(sentences: Path, tmp_path: Path) -> None:
    """Sentences are named by their lines; the empty line counts as one."""
    out = tmp_path / "naive.txt"
    made = told(
        "extract", sentences, "--baseline", "naive", "--out", out, "--format", "benchie"
    )  # fmt: skip
    assert out.read_text().splitlines() == [
        "1\tAnn\thas\tmet Bo in Rome",
        "1\tAnn has\tmet\tBo in Rome",
        "3\tIt\trained\t",
    ]
    assert made == {
        "baseline": "naive",
        "sentences": 2,
        "extractions": 3,
        "format": "benchie",
        "out": str(out),
        "rejects": {"blank line": 1, "duplicate sentence": 1},
        "examples": {
            "blank line": "line 2: ",
            "duplicate sentence": "4: Ann has met Bo in Rome .",
        },
        "notes": {},
    }


def test_sentences_are_named_by_the_ids_of_a_list(tmp_path: Path) -> None:
    listed, out = tmp_path / "sentences.tsv", tmp_path / "naive.jsonl"
    listed.write_text("TO 1\tIt rained -LRB- a lot -RRB- .\nTO 2\tBo slept .\n")
    told("extract", listed, "--baseline", "naive", "--out", out)
    found = [json.loads(line) for line in out.read_text().splitlines()]
    assert [one["sentence_id"] for one in found][:1] == ["TO 1"]
    assert {one["sentence"] for one in found} == {
        "It rained -LRB- a lot -RRB- .",
        "Bo slept .",
    }
    assert "--out" in refused("extract", listed, "--baseline", "naive", "--out", listed)


@pytest.mark.parametrize("format_name", ["jsonl", "tabbed"])
def test_trivial_is_less_and_less_confident(
    sentences: Path, tmp_path: Path, format_name: str
) -> None:
    out = tmp_path / "trivial"
    done = command(
        "extract", sentences, "--baseline", "trivial", "--out", out, "--format", format_name
    )
    assert done.code == 0
    assert "extractions" in done.out
    assert "1 × duplicate sentence" in done.err
    source = SystemSource("trivial", format_name, out)
    found = list(read_extractions(source, rejects=Rejects()))
    # Six words: five cuts but the first and the last; two words of the other sentence have none.
    assert [(one.relation, one.confidence) for one in found] == [
        ("has", 1.0),
        ("has met", 1 / 2),
        ("has met Bo", 1 / 3),
        ("has met Bo in", 1 / 4),
    ]
    assert {one.sentence for one in found} == {"Ann has met Bo in Rome ."}


def test_between_runs_over_annotated_sentences_only(sentences: Path, tmp_path: Path) -> None:
    out = tmp_path / "between.jsonl"
    line = refused("extract", sentences, "--baseline", "between", "--out", out)
    assert "sentences, sentence 0: not annotated" in line
    assert "--sentences-format jsonl" in line
    assert not out.exists()

    mentions = [(0, 3, "a"), (12, 14, "b"), (18, 22, "r")]
    annotated = tmp_path / "annotated.jsonl"
    keys = ("start", "end", "entity")
    record = {
        "text": "Ann has met Bo in Rome .",
        "mentions": [dict(zip(keys, mention, strict=True)) for mention in mentions],
    }
    annotated.write_text(json.dumps(record) + "\n")
    made = told(
        "extract", annotated, "--sentences-format", "jsonl", "--baseline", "between@2",
        "--out", out,
    )  # fmt: skip
    # Ann and Rome are four words apart; Bo and Rome have "in" between them, no content word.
    assert (made["baseline"], made["extractions"]) == ("between@2", 1)
    assert json.loads(out.read_text()) == {
        "sentence": "Ann has met Bo in Rome .",
        "arg1": "Ann",
        "relation": "has met",
        "arg2": "Bo",
        "sentence_id": "1",
    }


def test_sentences_of_several_documents_have_ids_of_their_own(tmp_path: Path) -> None:
    corpus, out = tmp_path / "corpus.jsonl", tmp_path / "naive.txt"
    places = [("a", 0, "Bo left ."), ("b", 0, "Ann slept ."), ("b", 1, "Cid ate .")]
    records = [{"document": d, "number": n, "text": text} for d, n, text in places]
    corpus.write_text("".join(f"{json.dumps(record)}\n" for record in records))
    told(
        "extract", corpus, "--sentences-format", "jsonl", "--baseline", "naive",
        "--format", "benchie", "--out", out,
    )  # fmt: skip
    assert [line.split("\t")[0] for line in out.read_text().splitlines()] == ["a:1", "b:1", "b:2"]


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (("--baseline", "clever"), "baseline 'clever' is unknown"),
        (("--baseline", "naive", "--format", "clever"), "cannot be written"),
        (("--baseline", "naive", "--sentences-format", "clever"), "corpus format 'clever'"),
    ],
)
def test_what_is_unknown_is_refused(
    sentences: Path, tmp_path: Path, options: tuple[str, ...], problem: str
) -> None:
    assert problem in refused("extract", sentences, "--out", tmp_path / "out", *options)

"""Judges side by side: whose answer counts for which fact."""

import json
from pathlib import Path

import numpy as np
import pytest

from evaluator.annotators.items import digest_of
from evaluator.annotators.judge_panel import NEGATED, TIED, JudgePanel
from evaluator.errors import InputError
from evaluator.judges.source import JudgeSource

BORN = ("Q1", "bear", "Q2")
LED = ("Q1", "lead", "Q3")
MET = ("Q4", "meet", "Q2")


def answers(path: Path, *rows: dict[str, object]) -> JudgeSource:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return JudgeSource.parse(f"{path.stem}={path}")


def named(item: tuple[str, str, str], verdict: object) -> dict[str, object]:
    return {**dict(zip(("e1", "r", "e2"), item, strict=True)), "verdict": verdict}


def panel_of(*sources: JudgeSource, **forms: object) -> JudgePanel:
    return JudgePanel.of({source.name: source.read() for source in sources}, **forms)


def test_a_fact_is_found_by_its_digest_or_by_its_parts(tmp_path: Path) -> None:
    first = answers(tmp_path / "gemma", {"id": digest_of(BORN), "verdict": "yes"}, named(LED, "no"))
    second = answers(tmp_path / "qwen", named(BORN, "no"), {**named(MET, ""), "verdict": "0.3"})
    panel = panel_of(first, second)
    assert panel.names == ("gemma", "qwen")
    said = panel.said_of([MET, BORN, LED, ("Q9", "bear", "Q2")])
    expected = [[np.nan, 0.3], [1, 0], [0, np.nan], [np.nan, np.nan]]
    assert np.array_equal(said, expected, equal_nan=True)


def test_several_answers_to_one_fact_have_a_mean_but_no_tie(tmp_path: Path) -> None:
    judge = answers(
        tmp_path / "gemma",
        *(named(BORN, answer) for answer in ("yes", "yes", "no", "perhaps")),
        *(named(LED, answer) for answer in ("yes", "no")),
    )
    panel = panel_of(judge)
    [[born], [led]] = panel.said_of([BORN, LED]).tolist()
    assert born == pytest.approx(2 / 3)
    assert np.isnan(led)
    assert panel.unread["gemma"][TIED] == 1
    assert sum(panel.unread["gemma"].values()) == 2  # "perhaps" is no answer


def test_a_fact_in_words_is_looked_for_in_every_form_and_its_own_goes_first(tmp_path: Path) -> None:
    forms = {
        ("Ada", "was born in", "London"): [("Ada", "was born in", "London"), BORN],
        LED: [LED],
        ("Ada", "led", "Q3"): [("Ada", "led", "Q3"), LED],
        ("Ada", "never met", "Q2"): [],
    }
    judge = answers(
        tmp_path / "gemma",
        named(("Ada", "was born in", "London"), "yes"),
        named(LED, "no"),
        named(("Ada", "led", "Q3"), "yes"),
        named(("Ada", "never met", "Q2"), "no"),
    )
    panel = panel_of(judge, forms=forms.__getitem__)
    assert panel.said_of([BORN, LED]).tolist() == [[1], [0]]
    assert panel.unread == {"gemma": {NEGATED: 1}}


def test_no_judge_says_nothing() -> None:
    assert JudgePanel().said_of([BORN, LED]).shape == (2, 0)


@pytest.mark.parametrize("text", ["gemma", "=a.tsv", "gemma=", "two words=a.tsv", 3, "gemma=#x"])
def test_what_is_no_source_is_refused_with_what_is_expected(text: object) -> None:
    with pytest.raises(ValueError, match="expected NAME=FILE"):
        JudgeSource.parse(text)


def test_a_source_names_its_file_and_which_judge_of_it(tmp_path: Path) -> None:
    source = JudgeSource.parse("gemma=some/judges.tsv#RAG/gemma2:9b")
    assert (source.name, source.path, source.judge) == (
        "gemma", Path("some/judges.tsv"), "RAG/gemma2:9b",
    )  # fmt: skip
    assert str(source) == "gemma=some/judges.tsv#RAG/gemma2:9b"
    with pytest.raises(InputError, match="No such file"):
        JudgeSource.parse(f"gemma={tmp_path / 'missing.tsv'}").read()


def test_the_name_of_a_file_may_hold_the_mark_of_a_judge(tmp_path: Path) -> None:
    there = tmp_path / "answers #1 é=.jsonl"
    there.write_text("")
    for judge in (None, "RAG/gemma2:9b", "gemma #2"):
        text = f"gemma={there}" + (f"#{judge}" if judge else "")
        source = JudgeSource.parse(text)
        assert (source.path, source.judge) == (there, judge)
        assert str(source) == text

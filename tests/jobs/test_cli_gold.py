"""``distval gold``: the documentation's example, what it prints and writes, and bad input."""

import csv
import json
import re
import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from evaluator.gold import benchmarks
from jobs.cli import main

DOCS = Path(__file__).parents[2] / "docs" / "gold.md"

type Run = Callable[..., str]


@pytest.fixture
def example(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The worked example of the documentation: its files, written; its command, returned."""
    text = DOCS.read_text(encoding="utf-8")
    for name, content in re.findall(r"^```text (\S+)\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
        (tmp_path / name).write_text(content)
    (command,) = re.findall(r"^```sh\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    monkeypatch.chdir(tmp_path)
    return shlex.split(command)[1:]


@pytest.fixture
def shown(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., str]:
    """Runs a command in this process; returns what it prints, or the line with which it refuses."""
    monkeypatch.setenv("COLUMNS", "200")

    def run(*arguments: object, code: int = 0) -> str:
        monkeypatch.setattr(sys, "argv", ["distval", *map(str, arguments)])
        with pytest.raises(SystemExit) as stopped:
            main()
        out, err = capsys.readouterr()
        assert stopped.value.code == code, err
        if not code:
            return out
        (line,) = (line for line in err.splitlines() if line.startswith("distval: "))
        return line

    return run


def test_the_worked_example(example: list[str], shown: Run, tmp_path: Path) -> None:
    found: dict[str, Any] = json.loads(shown(*example, "--json"))
    mine = found["systems"]["mine"]
    assert (mine["tp"], mine["fp"], mine["fn"]) == (2, 1, 1)
    assert mine["precision"] == mine["recall"] == mine["f1"] == pytest.approx(2 / 3)
    assert "auc" not in mine
    with (tmp_path / "why.tsv").open() as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    assert [row["outcome"] for row in rows] == [
        "matched",
        "its gold tuple is covered already",
        "unmatched",
        "matched",
    ]
    assert [row["sentence_id"] for row in rows] == ["1", "1", "1", "2"]
    assert rows[3]["gold"] == "(Lena; met; her)"


def test_the_screen_shows_figures_and_signature(example: list[str], shown: Run) -> None:
    screen = shown(*example)
    figures, counts = (line for line in screen.splitlines() if "│ mine" in line)
    assert figures.count("66.7") == 3
    assert counts.split()[3::2][:4] == ["2", "1", "1", "4"]  # tp, fp, fn, extractions
    assert re.search(r"gold:benchie\|data:gold.txt.[0-9a-f]{8}\|mode:released\|match:slot", screen)


def test_sentences_tell_what_was_missed(example: list[str], shown: Run, tmp_path: Path) -> None:
    shown(*example, "--by-sentence", tmp_path / "sentences.tsv")
    with (tmp_path / "sentences.tsv").open() as file:
        first, second = csv.DictReader(file, delimiter="\t")
    assert (first["right"], first["said"], first["gold"], second["recall"]) == ("1", "2", "2", "1")
    assert "worked as [the] [only] vet of" in first["missed"]
    assert second["missed"] == ""


def test_intervals_and_tests(example: list[str], shown: Run, tmp_path: Path) -> None:
    (tmp_path / "other.txt").write_text("1\tShe\tworked\tKelp Island\n")
    example += ["--system", "other=benchie:other.txt", "--intervals", "--paired"]
    found = json.loads(shown(*example, "--json"))
    interval = found["systems"]["mine"]["intervals"]["f1"]
    assert interval["low"] <= interval["value"] <= interval["high"]
    assert (interval["level"], interval["n"]) == (0.95, 2)
    (pair,) = found["pairs"]
    assert (pair["first"], pair["second"]) == ("mine", "other")
    assert pair["measures"]["recall"]["difference"]["value"] == pytest.approx(2 / 3)
    screen = shown(*example)
    assert "mine – other" in screen
    assert screen.count("differences in points") == 3  # P, R and F: no confidences, no area


@pytest.mark.parametrize("name", ["benchie", "carb", "oie2016", "ore", "wire57"])
def test_corrected_figures_name_their_mends(name: str, shown: Run) -> None:
    benchmark = benchmarks()[name]
    assert benchmark.MODES[0] == "released"
    assert "corrected" in benchmark.MODES
    assert benchmark.MENDS
    assert all(re.fullmatch(r"[a-z0-9-]+", mend) for mend in benchmark.MENDS)
    text = DOCS.read_text(encoding="utf-8")
    assert all(f"| `{mend}` | {told} |" in text for mend, told in benchmark.MENDS.items())
    line = shown("gold", name, "--gold", "nowhere", "--system", "a=tabbed:any", code=2)
    assert line == "distval: nowhere: no such file; it should hold the gold data"


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (["--mode", "better"], "--mode better: benchie has released, corrected"),
        (["--rules", "2019"], "--rules: benchie has no such option"),
        (["--match", "loose"], "--match loose: expected one of slot, lexical"),
        (["--level", "2"], "--level 2"),
        (["--draws", "0"], "--draws 0"),
        (["--system", "mine=benchie:system.txt"], "two systems are called mine"),
        (["--system", "b=benchie:none.txt"], "none.txt: no such file"),
        (["--system", "b=nothing:x"], "unknown format 'nothing'"),
        (["--system", "b=baseline:naive"], "a baseline needs sentences"),
    ],
)
def test_what_cannot_be_scored_is_said(
    example: list[str], shown: Run, change: list[str], says: str
) -> None:
    assert says in shown(*example, *change, code=2)


def test_an_unknown_benchmark_names_the_known(example: list[str], shown: Run) -> None:
    example[1] = "mine"
    assert "known: benchie, carb, oie2016, ore, wire57" in shown(*example, code=2)

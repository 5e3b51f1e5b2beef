"""``distval gold``: the documentation's example, what it prints and writes, and bad input."""

import csv
import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest

import distval
from evaluator.gold import benchmarks
from tests.jobs.commands import command, refused, shown, told

DOCS = Path(__file__).parents[3] / "docs" / "gold.md"


@pytest.fixture
def example(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The worked example of the documentation: its files, written; its command, returned."""
    text = DOCS.read_text(encoding="utf-8")
    for name, content in re.findall(r"^```text (\S+)\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
        (tmp_path / name).write_text(content)
    (command,) = re.findall(r"^```sh\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    monkeypatch.chdir(tmp_path)
    return shlex.split(command)[1:]


def test_the_worked_example(example: list[str], tmp_path: Path) -> None:
    found: dict[str, Any] = told(*example)
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
    assert rows[3]["gold"] == "1: (Lena; met; her)"


def test_a_system_under_keys_of_its_own_scores_alike_and_its_keys_are_in_the_signature(
    example: list[str], tmp_path: Path
) -> None:
    with (tmp_path / "system.txt").open() as file:
        rows = [line.rstrip("\n").split("\t") for line in file]
    own = [dict(zip(("of", "who", "does", "whom"), row, strict=True)) for row in rows]
    (tmp_path / "own.json").write_text(json.dumps(own))
    keys = "object=whom,relation=does,sentence_id=of,subject=who"
    given = [part.replace("mine=benchie:system.txt", f"mine=json({keys}):own.json")
             for part in example]  # fmt: skip
    found, wanted = told(*given), told(*example)
    assert found["systems"]["mine"]["f1"] == wanted["systems"]["mine"]["f1"]
    assert f"systems:mine.json({keys})." in found["signature"]
    scores = distval.score_gold("benchie", "gold.txt", {"mine": f"json({keys}):own.json"})
    assert scores.figures["mine"].f1 == wanted["systems"]["mine"]["f1"]


def test_the_screen_shows_figures_and_signature(example: list[str]) -> None:
    screen = shown(*example)
    (figures,) = (line for line in screen.splitlines() if "│ mine" in line)
    assert figures.count("66.7") == 3
    counts = dict(re.findall(r"│ ([a-z ]+?) +│ +(\d+) │", screen))
    assert (counts["tp"], counts["fp"], counts["fn"], counts["extractions"]) == ("2", "1", "1", "4")
    assert re.search(r"gold:benchie\|data:gold.txt.[0-9a-f]{8}\|mode:released\|match:slot", screen)


def test_sentences_tell_what_was_missed(example: list[str], tmp_path: Path) -> None:
    shown(*example, "--by-sentence", tmp_path / "sentences.tsv")
    with (tmp_path / "sentences.tsv").open() as file:
        first, second = csv.DictReader(file, delimiter="\t")
    assert (first["right"], first["said"], first["gold"], second["recall"]) == ("1", "2", "2", "1")
    assert "worked as [the] [only] vet of" in first["missed"]
    assert second["missed"] == ""


def test_intervals_and_tests(example: list[str], tmp_path: Path) -> None:
    (tmp_path / "other.txt").write_text("1\tShe\tworked\tKelp Island\n")
    example += ["--system", "other=benchie:other.txt", "--intervals", "--paired"]
    found = told(*example)
    interval = found["systems"]["mine"]["intervals"]["f1"]
    assert interval["low"] <= interval["value"] <= interval["high"]
    assert (interval["level"], interval["n"]) == (0.95, 2)
    (pair,) = found["pairs"]
    assert (pair["first"], pair["second"]) == ("mine", "other")
    assert pair["measures"]["recall"]["difference"]["value"] == pytest.approx(2 / 3)
    screen = shown(*example)
    assert "mine – other" in screen
    rows = [line.split("│")[2].strip() for line in screen.splitlines() if line.count("│") == 8]
    assert rows == ["Precision", "Recall", "F"]  # no confidences, no area


@pytest.mark.parametrize("name", ["benchie", "carb", "oie2016", "ore", "wire57"])
def test_corrected_figures_name_their_mends(name: str) -> None:
    benchmark = benchmarks()[name]
    assert benchmark.MODES[0] == "released"
    assert "corrected" in benchmark.MODES
    assert benchmark.MENDS
    assert all(re.fullmatch(r"[a-z0-9-]+", mend) for mend in benchmark.MENDS)
    text = DOCS.read_text(encoding="utf-8")
    assert all(f"| `{mend}` | {line} |" in text for mend, line in benchmark.MENDS.items())
    line = refused("gold", name, "--gold", "nowhere", "--system", "a=tabbed:any")
    assert line == "distval: nowhere: no such file; it should hold the gold data"


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (["--mode", "better"], "--mode better: benchie has released, corrected"),
        (["--rules", "2019"], "--rules: benchie has no such option"),
        (["--match", "loose"], "--match loose: expected one of slot, lexical"),
        (["--level", "2"], "'--level': Input should be less than or equal to 0.9999"),
        (["--draws", "0"], "'--draws': Input should be greater than or equal to 1"),
        (["--paired"], "give at least two"),
        (["--by-extraction", "system.txt"], "would be written over what is read"),
        (["--by-sentence", "why.tsv"], "would be written over the file of --by-extraction"),
        (["--gold", "system.txt"], "system.txt:1: "),
        (["--system", "mine=benchie:system.txt"], "two systems are called mine"),
        (["--system", "b=benchie:none.txt"], "none.txt: no such file"),
        (["--system", "b=nothing:x"], "unknown format 'nothing'"),
        (["--system", "b=baseline:naive"], "a baseline needs sentences"),
    ],
)
def test_what_cannot_be_scored_is_said(example: list[str], change: list[str], says: str) -> None:
    assert says in refused(*example, *change)


def test_an_unknown_benchmark_names_the_known(example: list[str]) -> None:
    example[1] = "mine"
    assert "known: benchie, carb, oie2016, ore, wire57" in refused(*example)


@pytest.mark.parametrize(
    ("rules", "only_there"),
    [("supervised", "linear"), ("2019", "one-to-one"), ("head", "linear")],
)
def test_a_signature_names_the_mends_of_its_rules_alone(rules: str, only_there: str) -> None:
    oie2016 = benchmarks()["oie2016"]
    named = oie2016.mends_under({"rules": rules})
    assert set(named) < set(oie2016.MENDS)
    assert only_there in named
    assert ("verbs" in named) == (rules == "2019")
    assert ("slots" in named) == (rules != "head")


def test_gold_data_must_be_a_file(example: list[str], tmp_path: Path) -> None:
    assert "not a file; save the gold data as one first" in refused(*example, "--gold", tmp_path)


def test_gold_data_of_another_benchmark_are_refused(example: list[str]) -> None:
    example[1] = "carb"
    assert "gold.txt: looks like gold data of benchie, not of carb" in refused(*example)


def test_what_a_system_does_not_assert_can_be_left_out(example: list[str], tmp_path: Path) -> None:
    keys = ("sentence_id", "arg1", "relation", "arg2")
    lines = (tmp_path / "system.txt").read_text().splitlines()
    records = [dict(zip(keys, line.split("\t"), strict=True)) for line in lines]
    records[3]["asserted"] = False
    (tmp_path / "told.jsonl").write_text("\n".join(map(json.dumps, records)))
    example[-3] = "mine=jsonl:told.jsonl"
    everything, asserted = told(*example), told(*example, "--asserted")
    assert (everything["systems"]["mine"]["tp"], asserted["systems"]["mine"]["tp"]) == (2, 1)
    assert asserted["systems"]["mine"]["rejects"] == {"not asserted": 1}
    assert asserted["signature"].endswith("|asserted-only")


@pytest.mark.parametrize(("mode", "kept", "dropped"), [("released", 2, 1), ("corrected", 3, 1)])
def test_what_is_said_twice_can_be_dropped(
    example: list[str], tmp_path: Path, mode: str, kept: int, dropped: int
) -> None:
    """A wrong extraction said twice is wrong twice, a right one only when corrected."""
    with (tmp_path / "system.txt").open("a") as file:
        file.write("1\tShe\tworked\tKelp Island\n2\tLena\tmet\ther\n")
    example += ["--mode", mode]
    for option, wrong in (("keep", kept), ("drop", dropped)):
        found = told(*example, "--duplicates", option)
        mine = found["systems"]["mine"]
        assert (mine["tp"], mine["fp"], mine["repeats"]) == (2, wrong, 2)
        assert mine["precision"] == pytest.approx(2 / (2 + wrong))
        assert f"|duplicates:{option}" in found["signature"]


def test_the_table_of_pairs_names_its_resamples_and_the_least_p(
    example: list[str], tmp_path: Path
) -> None:
    (tmp_path / "other.txt").write_text((tmp_path / "system.txt").read_text())
    system = f"other=benchie:{tmp_path / 'other.txt'}"
    shown = command(*example, "--system", system, "--paired", "--draws", "99").out
    said = " ".join(shown.split())
    assert "99 resamples give no uncorrected p below 1/100 (bootstrap: 2/100)" in said


def test_records_that_are_none_are_told_with_the_first(example: list[str], tmp_path: Path) -> None:
    with (tmp_path / "system.txt").open("a") as file:
        file.write("nothing\nnothing at all\n")
    found = told(*example)["systems"]["mine"]
    (reason,) = found["rejects"]
    assert found["rejects"][reason] == 2
    assert "nothing" in found["examples"][reason]
    assert "at all" not in found["examples"][reason]
    assert command(*example).err == (
        "skipped records of mine: 2 × fewer than 4 columns (first: line 5: nothing)\n"
    )


@pytest.fixture
def carb(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A gold tuple and an output, on which every benchmark of tuples can be run."""
    monkeypatch.chdir(tmp_path)
    Path("gold.tsv").write_text("I ate figs and plums .\tate\tI\tfigs and plums\n")
    Path("out.tsv").write_text(
        "I ate figs and plums .\t0.9\tate\tI\tfigs\nI ate figs and plums .\t0.8\tate\tI\tplums\n"
    )
    return ["gold", "carb", "--gold", "gold.tsv", "--system", "mine=tabbed:out.tsv"]


def test_gold_data_that_cannot_be_read_whole_are_told_by_line_and_status(carb: list[str]) -> None:
    with Path("gold.tsv").open("a") as file:
        file.write("\nfigs\n")
    done = command(*carb)
    assert done.code == 1
    assert "mine" in done.out
    assert done.err == (
        "skipped records of the gold data: 1 × fewer than 2 columns (first: line 3: figs)\n"
    )
    assert command(*carb, "--json").code == 1


@pytest.mark.parametrize("benchmark", ["carb", "oie2016", "ore"])
def test_a_signature_names_gold_and_output_by_what_they_hold(
    carb: list[str], benchmark: str
) -> None:
    """Same names, other content: another figure, so another signature."""
    carb[1] = benchmark
    first = told(*carb)["signature"]
    # What sha256sum says of the two files.
    assert "|systems:mine.tabbed.f75d5335|" in first
    assert "|data:gold.tsv.a8d145c9|" in first
    assert told(*carb)["signature"] == first
    Path("out.tsv").write_text(Path("out.tsv").read_text().replace("0.8", "0.7"))
    other = told(*carb)["signature"]
    assert other != first
    assert other.split("|")[2:] == first.split("|")[2:]
    Path("gold.tsv").write_text(Path("gold.tsv").read_text() * 2)
    assert told(*carb)["signature"].split("|")[3] != first.split("|")[3]


def test_each_system_is_in_the_signature(carb: list[str]) -> None:
    signature = told(*carb, "--system", "other=tabbed:out.tsv")["signature"]
    assert re.search(r"\|systems:mine\.tabbed\.(\w{8})\+other\.tabbed\.\1\|", signature)


@pytest.mark.parametrize("benchmark", ["carb", "oie2016", "ore"])
@pytest.mark.parametrize(
    ("gold", "says"),
    [
        ("sentence\tpredicate\targ1\targ2\nI ate figs .\tate\tI\tfigs\n", "gold.tsv:1: a header"),
        ('I ate figs .\t("ate", [1])\t("I", [0])\t("figs", [2])\n', "not gold data of"),
        (
            "I ate figs .\t<rel> ate </rel>\t<arg1> I </arg1>\t<arg2> figs </arg2>\n",
            "not gold data of",
        ),
        ("0\tI\tate\t[1]\t1\tA0-B\n1\tate\tate\t[1]\t1\tP-B\n", "not gold data of"),
    ],
)
def test_gold_data_that_are_not_understood_are_refused(
    carb: list[str], benchmark: str, gold: str, says: str
) -> None:
    Path("gold.tsv").write_text(gold, newline="")
    carb[1] = benchmark
    assert says in refused(*carb)


@pytest.mark.parametrize("end", ["\r", "\r\n"])
def test_gold_data_may_end_their_lines_in_carriage_returns(
    example: list[str], carb: list[str], end: str
) -> None:
    text = Path("gold.txt").read_text()
    Path("gold.txt").write_text(text.replace("\n", end), newline="")
    assert told(*example)["systems"]["mine"]["tp"] == 2
    Path("gold.tsv").write_text(
        f"I ate figs .\tate\tI\tfigs{end}It rains .\train\tIt\trains{end}", newline=""
    )
    assert told(*carb)["gold"]["tuples"] == 2


@pytest.mark.parametrize("benchmark", ["carb", "oie2016", "ore"])
def test_quoted_cells_of_gold_data_are_read_without_their_quotes_and_counted(
    carb: list[str], benchmark: str
) -> None:
    """As Python's csv writes them; without quotes gold data and output are alike."""
    Path("gold.tsv").write_text('"I ate ""figs"" today ."\tate\tI\t"""figs"" today"\n')
    Path("out.tsv").write_text('I ate "figs" today .\t0.9\tate\tI\t"figs" today\n')
    carb[1] = benchmark
    found = told(*carb)
    assert found["systems"]["mine"]["f1"] == 1
    assert sum(found["gold"]["notes"].values()) == 1


def test_a_key_twice_in_wire57_gold_data_is_refused(carb: list[str]) -> None:
    carb[1] = "wire57"
    Path("gold.tsv").write_text('{"doc": [], "doc": [{"id": "1", "sent": "a b", "tuples": []}]}')
    assert "the key 'doc' stands twice in one object" in refused(*carb)

"""A run, the facts drawn from it to be labelled, and the run with the answers."""

import csv
import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest
from typer.testing import CliRunner

from evaluator.errors import ConfigurationError, InputError
from evaluator.intervals import Drawing
from evaluator.labels.answers import gather
from evaluator.model import Rejects
from jobs.analysis.comparison import FinishedRun
from jobs.cli.app import app
from jobs.config import Configuration, LabelsSettings
from jobs.labels.desk import LabelDesk
from jobs.labels.draw import DrawChoice, draw
from jobs.run.facts_table import FactsTable
from jobs.run.label_folder import LabelFolder
from jobs.run.result import read_truth
from tests import plain_path
from tests.jobs.sample_runs import SAMPLE, of_sample, run

TRUTH = SAMPLE / "truth.tsv"
RATERS = ("ann", "bob")


def configured(folder: Path, *overrides: str) -> Configuration:
    return of_sample(folder, folder / "run", *overrides, partitions=2)


@pytest.fixture(scope="module")
def copied(finished: Configuration, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a finished run of the sample and its evidence, which both may be moved."""
    folder = tmp_path_factory.mktemp("labelled") / "copied"
    return copytree(finished.run.parent, folder)


def fill(folder: Path) -> None:
    """Answer all sheets by the known truth, and take the answers in."""
    truth = {fact[:3] for fact in read_truth(TRUTH)}
    sheets = sorted((folder / "sheets").glob("*.csv"))
    for sheet in sheets:
        with sheet.open(encoding="utf-8-sig", newline="") as lines:
            rows = list(csv.DictReader(lines))
        for row in rows:
            right = (row["e1"], row["r"], row["e2"]) in truth
            row |= {"label": "true" if right else "false", "stated": "yes" if right else "no"}
        with sheet.open("w", encoding="utf-8", newline="") as lines:
            writer = csv.DictWriter(lines, rows[0].keys())
            writer.writeheader()
            writer.writerows(rows)
    gather(folder, sheets, rejects=Rejects())


@pytest.fixture(scope="module")
def labels(copied: Path) -> Path:
    """A label folder with answers to 250 facts, a fifth of them from both raters."""
    folder = copied / "labels"
    draw(copied / "run", folder, DrawChoice(250, raters=RATERS, double=0.2))
    fill(folder)
    return folder


@pytest.fixture(scope="module")
def result(copied: Path, labels: Path) -> dict[str, Any]:
    return run(configured(copied, f"labels.path={labels}"))


@pytest.mark.usefixtures("spark")
def test_both_engines_give_what_the_plain_path_gives_with_labels_too(
    copied: Path, labels: Path, result: dict[str, Any], tmp_path: Path
):
    plain = plain_path.evaluate(configured(copied, f"labels.path={labels}"))
    assert result == json.loads(json.dumps(plain))
    of_spark = configured(copied, f"labels.path={labels}", "engine=spark", f"run={tmp_path}")
    assert run(of_spark) == result


def test_result_and_signature_say_that_there_are_labels(result: dict[str, Any]):
    assert not result["annotator_relative"]
    told = result["labels"]
    assert (told["drawn"], told["labelled"], set(told["by_rater"])) == (250, 250, set(RATERS))
    assert sum(one["labels"] for one in told["classes"]) == 250
    part = f"labels:{told['digest']},n=250,model,chain-rule"
    assert result["signature"].endswith(part)


def test_raters_errors_are_in_the_intervals_where_two_answered_enough_facts(
    labels: Path, result: dict[str, Any]
):
    assert (result["labels"]["raters"], result["labels"]["why_no_model"]) == ("model", None)
    for figures in result["labels"]["quality"].values():
        # Both know the truth, and each has some 150 answers, a quarter of them true.
        assert figures["sensitivity"]["value"] > 0.9
        assert figures["specificity"]["value"] > 0.95
    for system in result["systems"].values():
        assert system["with_labels"]["world"]["wrong_answers"] == []
    chosen = LabelFolder.open(labels).combination(LabelsSettings(raters="majority"))
    assert chosen.name == "majority"


def test_figures_while_one_labels_are_those_of_a_run_with_these_labels(
    copied: Path, labels: Path, result: dict[str, Any], tmp_path: Path
):
    with FactsTable.open(copied / "run", workers=1) as table:
        desk = LabelDesk(table, copytree(labels, tmp_path / "labels"))
    standing = desk.standing()
    answers = sum(result["labels"]["by_rater"].values())
    assert (standing.answers, standing.why_not) == (answers, None)
    agreeing = [pair.interval for pair in standing.agreement]
    assert [(pair.value, pair.n) for pair in agreeing] == [(1.0, answers - 250)]
    for system, figures in standing.figures.items():
        world = result["systems"][system]["with_labels"]["world"]
        for measure, figure in figures.items():
            # The same answers, with fewer draws.
            assert figure is not None
            assert figure.value == pytest.approx(world[measure]["value"], abs=0.01)
            assert figure.low == pytest.approx(world[measure]["low"], abs=0.03)
    # An answer less, and they are looked for anew.
    one = desk.facts("ann")[0]
    desk.answer("ann", one.fact.id, "")
    assert desk.standing().answers == answers - 1


def test_labels_of_one_rater_are_taken_for_right_and_what_errors_would_make_is_told(
    copied: Path, tmp_path: Path
):
    folder = tmp_path / "labels"
    drawn = draw(copied / "run", folder, DrawChoice(150))
    fill(folder)
    made = run(of_sample(copied, tmp_path / "run", f"labels.path={folder}", partitions=2))
    assert made["labels"]["raters"] == "majority"
    told = (drawn["why_no_model_expected"], made["labels"]["why_no_model"])
    assert told == ("one rater answered all facts",) * 2
    assert "n=150,majority,chain-rule" in made["signature"]
    for system in made["systems"].values():
        world = system["with_labels"]["world"]
        assert [one["share"] for one in world["wrong_answers"]] == [0.01, 0.02, 0.05]
        assert any("1, 2 or 5 % of wrong answers change" in note for note in world["notes"])
        assert "Raters' errors are not estimated: one rater answered all facts." in world["notes"]
    problem = "cannot estimate raters' errors: one rater answered all facts; let two raters"
    with pytest.raises(ConfigurationError, match=problem):
        LabelFolder.open(folder).combination(LabelsSettings(raters="model"))


def test_a_result_tells_the_documents_that_its_labels_are_from(
    labels: Path, result: dict[str, Any]
):
    design = json.loads((labels / "design.json").read_text(encoding="utf-8"))
    documents = {fact["document"] for fact in design["facts"]}
    assert result["labels"]["documents"] == len(documents)


def test_labels_of_a_file_of_bare_sentences_are_from_as_many_documents_as_sentences(
    copied: Path, tmp_path: Path
):
    texts = [json.loads(line)["text"] for line in (SAMPLE / "sentences.jsonl").open("rb")]
    (tmp_path / "bare.txt").write_text("\n".join(texts), encoding="utf-8")
    bare = f'corpus={{sentences="{tmp_path / "bare.txt"}", format="lines"}}'
    made = run(of_sample(copied, tmp_path / "run", bare, partitions=2))
    assert made["corpus"]["documents"] == made["corpus"]["sentences"]
    drawn = draw(tmp_path / "run", tmp_path / "labels", DrawChoice(250))
    # Of one sentence several facts may be drawn: they are of one document, named by its line.
    of_sentence = {(fact["sentence"], fact["document"]) for fact in drawn["facts"]}
    assert len({sentence for sentence, _ in of_sentence}) == len(of_sentence)
    for sentence, document in of_sentence:
        name, _, line = document.rpartition(":")
        assert (name, texts[int(line) - 1].split()) == ("bare", sentence.split())
    assert "few labels" not in drawn["expected_claims"]["beta"].values()


def test_figures_with_labels_are_nearer_to_the_truth_than_the_annotators(result: dict[str, Any]):
    off = Counter()
    for name, system in result["systems"].items():
        for measure in ("precision", "recall", "f1"):
            truth = result["truth"][name][measure]
            off["annotator"] += abs(system[measure]["value"] - truth)
            off["labels"] += abs(system["with_labels"]["world"][measure]["value"] - truth)
    assert off["labels"] < off["annotator"] / 2


def test_a_fact_is_drawn_with_a_known_chance_and_shown_with_its_sentence(labels: Path):
    design = json.loads((labels / "design.json").read_text(encoding="utf-8"))
    chances = {(c["group"], c["class"]): c["inclusion"] for c in design["classes"]}
    for fact in design["facts"]:
        assert fact["inclusion"] == chances[fact["group"], fact["class"]]
        assert 0 < fact["inclusion"] <= 1
        assert fact["document"]
        assert fact["name2"].split()[-1] in fact["sentence"] or fact["name1"] in fact["sentence"]
    assert (labels / "sheets" / "instructions.txt").is_file()
    raters = Counter(rater for fact in design["facts"] for rater in fact["raters"])
    both = sum(len(fact["raters"]) == 2 for fact in design["facts"])
    assert sum(raters.values()) == 250 + both
    assert 25 < both < 75


def test_a_larger_budget_adds_and_keeps_what_was_drawn(copied: Path, tmp_path: Path):
    folder = tmp_path / "labels"
    first = draw(copied / "run", folder, DrawChoice(120))
    fill(folder)
    second = draw(copied / "run", folder, DrawChoice(200))
    ids = {fact["id"] for fact in first["facts"]}
    assert len(ids) == 120
    assert ids < {fact["id"] for fact in second["facts"]}
    assert second["new"] == 80
    with Path(second["sheets"][0]).open(encoding="utf-8-sig", newline="") as lines:
        assert not ids & {row["id"] for row in csv.DictReader(lines)}
    assert LabelFolder.open(folder).identity(LabelsSettings()).answered == 120


def test_labels_of_other_facts_are_refused(copied: Path, labels: Path, tmp_path: Path):
    other = configured(copied, f"labels.path={labels}", "pmi.x=16")
    with pytest.raises(InputError, match=r"was drawn from another run: .*; draw again"):
        plain_path.evaluate(other)
    design = json.loads((labels / "design.json").read_text(encoding="utf-8"))
    design["classes"][0]["judged"] += 1
    (tmp_path / "design.json").write_text(json.dumps(design))
    with pytest.raises(InputError, match="holds a draw from another run"):
        draw(copied / "run", tmp_path, DrawChoice(300))


def test_systems_are_compared_by_labels_where_the_result_rests_on_them(
    copied: Path, result: dict[str, Any]
):
    # The 95 % interval of this sample ends 0.0004 short of the truth, as one in twenty may.
    asked = ["compare", str(copied / "run"), "--level", "0.99", "--json"]
    outcome = CliRunner().invoke(app, asked)
    told = json.loads(outcome.stdout)
    assert not told["annotator_relative"]
    by_pair = {(pair["first"], pair["second"]): pair["measures"] for pair in told["pairs"]}
    precision = by_pair["alpha", "gamma"]["precision"]
    low, high = precision["difference"]["low"], precision["difference"]["high"]
    assert low < 0.900 - 0.418 < high  # the truth: 90.0 and 41.8 %
    # 57 of alpha's 130 facts tell as much as 100 of many: 100 · 130/(129 + 100) = 56.8.
    of_alpha = result["systems"]["alpha"]["with_labels"]["world"]
    assert of_alpha["facts"] == 130
    assert 57 <= of_alpha["labels"][0] < 100
    assert "few labels" not in of_alpha["claims"].values()
    assert precision["withheld"] is None
    assert precision["tests"]["posterior"]["holm"] < 0.01
    # With 57 labels of 130 and 57 or more of 371 facts some points can be told, 48 of course.
    assert 0 < precision["resolves"] < 0.2
    for pair in told["pairs"]:
        for of in pair["measures"].values():
            assert (of["resolves"] is None) == (of["withheld"] is not None)
    # How far the figures of a pair are from those of the run is told, of what labels tell.
    apart = max(
        abs(of[place] - result["systems"][pair[place]]["with_labels"]["world"][measure]["value"])
        for pair in told["pairs"]
        for measure, of in pair["measures"].items()
        for place in ("first", "second")
    )
    assert f"here by up to {100 * apart:.2f} points" in " ".join(told["notes"])
    assert FinishedRun.open(copied / "run").labelled(Drawing(seed=1)) is not None


@pytest.mark.parametrize(
    ("choice", "problem"),
    [
        (DrawChoice(0), "--budget 0"),
        (DrawChoice(9, double=2), "--double 2"),
        (DrawChoice(9, double=0.5), "1 rater"),
        (DrawChoice(9, raters=("a", "a")), "another name"),
        (DrawChoice(9, raters=("../a",)), "without /"),
        (DrawChoice(9, raters=("adjudicator",)), "settles disputes"),
    ],
)
def test_a_draw_that_cannot_be_is_refused(
    copied: Path, tmp_path: Path, choice: DrawChoice, problem: str
):
    with pytest.raises(ConfigurationError, match=problem):
        draw(copied / "run", tmp_path / "labels", choice)
    assert not (tmp_path / "labels").exists()


DAMAGE = [
    lambda d: d.pop("facts"),
    lambda d: d["facts"][0].pop("id"),
    lambda d: d["classes"][0].update(judged=None),
    lambda d: d["stratification"].update(cuts=[]),
    lambda d: d["facts"][0].update(document=5),
    lambda d: d["facts"][0].pop("class"),
    lambda d: d["classes"][0].update({"class": None}),
]


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_design_is_told_in_one_line(
    copied: Path, labels: Path, tmp_path: Path, damage: Callable[[dict[str, Any]], object]
):
    design = json.loads((labels / "design.json").read_text(encoding="utf-8"))
    damage(design)
    (tmp_path / "design.json").write_text(json.dumps(design))
    (tmp_path / "answers.jsonl").write_bytes((labels / "answers.jsonl").read_bytes())
    with pytest.raises(InputError, match="no design of labels"):
        LabelFolder.open(tmp_path)
    with pytest.raises(InputError, match="no design of labels"):
        draw(copied / "run", tmp_path, DrawChoice(300))


def test_answers_to_facts_that_were_not_drawn_are_told(labels: Path, tmp_path: Path):
    (tmp_path / "design.json").write_bytes((labels / "design.json").read_bytes())
    lines = [json.loads(line) for line in (labels / "answers.jsonl").read_text().splitlines()]
    some = [line | {"e1": "/m/other"} if place < 10 else line for place, line in enumerate(lines)]
    (tmp_path / "answers.jsonl").write_text("".join(json.dumps(line) + "\n" for line in some))
    assert LabelFolder.open(tmp_path).rejects == {"not drawn": 10}
    none = [line | {"e1": "/m/other"} for line in lines]
    (tmp_path / "answers.jsonl").write_text("".join(json.dumps(line) + "\n" for line in none))
    with pytest.raises(InputError, match="no label of a fact that was drawn"):
        LabelFolder.open(tmp_path)


def test_a_sheet_that_stands_is_not_replaced(copied: Path, tmp_path: Path):
    draw(copied / "run", tmp_path, DrawChoice(20))
    (tmp_path / "design.json").unlink()
    with pytest.raises(InputError, match=r"rater1\.csv: stands already"):
        draw(copied / "run", tmp_path, DrawChoice(20))


def test_labels_are_drawn_from_a_finished_run_only(tmp_path: Path):
    with pytest.raises(InputError, match="no finished run is here"):
        draw(tmp_path, tmp_path / "labels", DrawChoice(9))


def test_a_folder_without_draw_or_answers_is_refused_before_anything_is_built(tmp_path: Path):
    with pytest.raises(InputError, match=r"design\.json: no such file"):
        run(configured(tmp_path, f"labels.path={tmp_path}"))
    assert not (tmp_path / "kb").exists()

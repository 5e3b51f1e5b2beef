"""Worlds through the whole pipeline: with everything labelled, the estimate is the truth."""

import json
from collections import Counter
from dataclasses import asdict, replace
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from evaluator.errors import ConfigurationError
from evaluator.intervals import Drawing, Estimate
from evaluator.labels.answers import read_answers
from evaluator.labels.sheets import write_sheet
from evaluator.model import Rejects
from evaluator.simulation import CountsWorld
from jobs.analysis.simulated_coverage import ANNOTATOR_ALONE, annotator_alone, check, coverage_of
from jobs.analysis.simulation import MEASURES, Labelling, Outcome, answer, summarise
from jobs.cli.output import console
from jobs.cli.simulation_tables import show_worlds
from jobs.worlds.making import Made, make_world
from jobs.worlds.raters import ask
from jobs.worlds.settings import Extractor, World
from tests.jobs import commands

pytestmark = pytest.mark.jvm

SMALL = World(
    seed=5,
    entities=80,
    facts=250,
    sentences=60,
    documents=80,
    extractors=(
        Extractor(name="one", precision=0.75, recall=0.5),
        Extractor(name="two", precision=0.4, recall=0.6),
    ),
    fronted=0.3,
    wrong_links=0.2,
    untrue=0.1,
)
ALL, SOME = 1_000_000, 60


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("worlds")


@pytest.fixture(scope="module")
def told(out: Path) -> dict[str, Any]:
    """What the command tells of one world whose facts are all labelled, and then 60 of them."""
    world = asdict(SMALL)
    extractors, seed = world.pop("extractors"), world.pop("seed")
    settings = [(f"--{name.replace('_', '-')}", value) for name, value in world.items()]
    settings += [("--system", "{name}={precision},{recall}".format(**e)) for e in extractors]
    settings += [("--budget", ALL), ("--budget", SOME), ("--raters", 3), ("--double", 1)]
    # A model of raters would leave it open, by a few millionths, whether all three are wrong.
    settings += [("--set", "labels.raters=majority")]
    options = ["--seed", seed, *chain.from_iterable(settings), "--out", out]
    return commands.told("simulate", "text", *options)


@pytest.fixture(scope="module")
def made(told: dict[str, Any], out: Path) -> Made:
    return make_world(SMALL, out / "seed-5")


def outcomes(told: dict[str, Any], budget: int) -> list[dict[str, Any]]:
    return [o for o in told["outcomes"] if o["labelling"]["budget"] == budget]


def test_perfect_raters_who_label_every_judged_fact_give_the_truth(told: dict[str, Any]):
    assert [o["system"] for o in outcomes(told, ALL)] == ["one", "two"]
    for o in outcomes(told, ALL):
        for measure in MEASURES:
            estimate = o["labelled"][measure]
            ends = [estimate[key] for key in ("value", "low", "high")]
            assert ends == pytest.approx([o["truth"][measure]] * 3, abs=1e-12)
            assert o["holds"][measure]
            assert o["annotator"][measure]["value"] != pytest.approx(o["truth"][measure])
    of_all = [s for s in told["summaries"] if s["labelling"]["budget"] == ALL]
    assert [(s["seeds"], s["held"], s["held_by_annotator"]) for s in of_all] == [(1, 1, 0)] * 6


def test_the_truth_is_that_of_the_world_within_the_reach_of_the_system(
    told: dict[str, Any], made: Made
):
    for o in told["outcomes"]:
        facts = made.systems[o["system"]]
        right = sum(made.reality.is_true(fact) for fact in facts)
        reach = sum(made.reality.is_true(fact) for fact in made.candidates | facts)
        assert o["truth"] == {
            "precision": right / len(facts),
            "recall": right / reach,
            "f1": 2 * right / (len(facts) + reach),
        }


def test_what_is_labelled_by_all_raters_is_answered_by_all(told: dict[str, Any], out: Path):
    (folder,) = (out / "seed-5").glob(f"labels-{SOME}-*")
    lines = (folder / "answers.jsonl").read_text("utf-8").splitlines()
    answers = [json.loads(line) for line in lines]
    assert Counter(a["rater"] for a in answers) == {"rater1": 60, "rater2": 60, "rater3": 60}
    assert len({(a["id"], a["label"]) for a in answers}) == 60  # none errs
    for o in outcomes(told, SOME):
        assert 0 < sum(o["labels"]) <= 60
        assert all(o["labelled"][m]["low"] < o["labelled"][m]["high"] for m in MEASURES)


def test_raters_answer_what_is_on_their_sheets_and_err_as_often_as_chosen(
    made: Made, tmp_path: Path
):
    questions = ask(made, sorted(made.true))
    facts = [question._asdict() for question in questions]
    (tmp_path / "design.json").write_text(json.dumps({"facts": facts}))
    for rater in ("ann", "bob"):
        write_sheet(tmp_path / f"{rater}.csv", questions[5:], rater=rater)
    answer(made, tmp_path, [tmp_path / "ann.csv", tmp_path / "bob.csv"], error=0.25)
    labels = read_answers(tmp_path, rejects=Rejects())
    number = len(questions) - 5
    assert Counter(label.rater for label in labels) == {"ann": number, "bob": number}
    wrong = sum(not label.label for label in labels)
    assert wrong / (2 * number) == pytest.approx(0.25, abs=4 * (0.25 * 0.75 / 2 / number) ** 0.5)
    by_fact = Counter((label.item, label.label) for label in labels)
    assert any(count == 1 for count in by_fact.values())  # each by themselves


def made_outcome(seed: int, value: float | None, low: float, high: float, truth: float) -> Outcome:
    known = value is not None
    labelled = Estimate(value, low if known else None, high if known else None, "joint", 0.95, 7)
    annotator = Estimate(0.2, 0.1, 0.3, "alone", 0.95, 90)
    return Outcome(
        seed,
        "one",
        Labelling(),
        (3, 4),
        dict.fromkeys(MEASURES, truth),
        dict.fromkeys(MEASURES, annotator),
        dict.fromkeys(MEASURES, labelled),
        dict.fromkeys(MEASURES, "few labels" if seed == 1 else "nominal"),
    )


def test_a_summary_counts_the_worlds_whose_intervals_hold_the_truth():
    worlds = [
        made_outcome(1, 0.6, 0.5, 0.7, truth=0.5),  # at its end: inside
        made_outcome(2, 0.4, 0.3, 0.5, truth=0.2),  # outside; inside the annotator's
        made_outcome(3, None, 0, 0, truth=0.8),  # not estimable: holds nothing
    ]
    precision, *others = summarise(worlds)
    assert [s.measure for s in (precision, *others)] == list(MEASURES)
    assert (precision.seeds, precision.held, precision.held_by_annotator) == (3, 1, 1)
    assert precision.truth == pytest.approx((0.5 + 0.2 + 0.8) / 3)
    assert precision.error == pytest.approx((0.1 + 0.2) / 2)
    assert precision.annotator_error == pytest.approx((-0.3 + 0.0 - 0.6) / 3)
    assert precision.width == pytest.approx(0.2)
    assert precision.few == 1


def test_tables_show_the_truth_beside_the_estimates_and_mark_those_that_miss_it():
    worlds = [made_outcome(1, 0.6, 0.5, 0.7, truth=0.5), made_outcome(2, 0.4, 0.3, 0.5, truth=0.2)]
    with console.capture() as shown:
        show_worlds(worlds, summarise(worlds))
    lines = [line for line in shown.get().splitlines() if line.startswith("│")]
    rows = [[cell.strip() for cell in line.split("│")[1:-1]] for line in lines]
    assert rows[0] == ["one", "1", *["50.0", "20.0", "60.0 [50.0, 70.0]"] * 3]
    assert rows[1] == ["one", "2", *["20.0", "20.0", "40.0 [30.0, 50.0] ✗"] * 3]
    of_all = ["35.0", "-15.0", "1 of 2", "15.0", "20.0", "1 of 2", "1 of 2"]
    assert rows[2:] == [["one", sign, *of_all] for sign in "PRF"]


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        ({"raters": 0}, "somebody has to label"),
        ({"budget": 0}, "at least one fact"),
        ({"error": 1.5}, "error is 1.5"),
        ({"double": 2.0, "raters": 2}, "a share from 0 to 1"),
        ({"double": 0.5}, "cannot label a fact 2 times"),
    ],
)
def test_labellings_that_cannot_be_are_refused(settings: dict[str, Any], problem: str):
    with pytest.raises(ConfigurationError, match=problem):
        Labelling(**settings)


# Counts.

COUNTS = CountsWorld(facts=1_000, candidates=4_000, judged=300, judged_candidates=500)
PERFECT = replace(COUNTS, sensitivity=1, specificity=1, match_precision=1)


def test_an_annotator_that_never_errs_needs_no_labels():
    full = replace(PERFECT, judged=1_000, judged_candidates=4_000)
    made = annotator_alone(full, Drawing(seed=1, draws=2_000))
    # 100 of 1,000 and 200 of 4,000 are true.
    for measure, truth in (("precision", 0.1), ("recall", 100 / 300), ("f1", 200 / 1_300)):
        estimate = getattr(made, measure)
        assert [estimate.value, estimate.low, estimate.high] == pytest.approx([truth] * 3)


def test_sampling_is_the_only_error_that_an_annotator_alone_tells_of():
    found = coverage_of(PERFECT, [ANNOTATOR_ALONE], Drawing(seed=1, draws=400), replicates=400)
    erring = coverage_of(COUNTS, [ANNOTATOR_ALONE], Drawing(seed=1, draws=400), replicates=50)
    for measure in MEASURES:
        right = found[ANNOTATOR_ALONE][measure]
        assert right.coverage == pytest.approx(0.95, abs=4 * (0.95 * 0.05 / 400) ** 0.5)
        assert erring[ANNOTATOR_ALONE][measure].covered == 0


def test_the_number_of_processes_changes_no_figure():
    estimators = ["chain-rule", ANNOTATOR_ALONE]
    one, two = (
        coverage_of(
            COUNTS, estimators, Drawing(seed=3, draws=200), replicates=70, processes=processes
        )
        for processes in (1, 2)
    )
    assert one == two
    other = coverage_of(COUNTS, estimators, Drawing(seed=1003, draws=200), replicates=70)
    assert other != one


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        ({"facts": 0}, "facts is 0"),
        ({"true": 1.2}, "true is 1.2"),
        ({"correlation": 1.0}, "correlation below 1"),
        ({"match_precision": 0.0}, "match_precision must be above 0"),
    ],
)
def test_worlds_in_counts_that_cannot_be_are_refused(settings: dict[str, Any], problem: str):
    with pytest.raises(ConfigurationError, match=problem):
        check(replace(COUNTS, **settings))

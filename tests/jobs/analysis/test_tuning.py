"""Annotators tried beside each other: which is recommended, on which facts, and why."""

from dataclasses import replace

import numpy as np
import pytest

from evaluator.annotators import Distant, Examples, Pmi
from evaluator.annotators.distant import subject_of
from evaluator.annotators.evidence import COUNTS, Evidence
from evaluator.errors import ConfigurationError
from evaluator.tuning.choice import Plan
from evaluator.tuning.criteria import criterion
from jobs.analysis.tuning import as_json, curves_of, majority, slices, try_out
from jobs.evidence.labelled_evidence import LabelledEvidence

PLAN = Plan(resamples=50, repeats=1)


def made(seed: int = 5, facts: int = 120) -> tuple[LabelledEvidence, np.ndarray]:
    """Facts with ten documents each, of which PROXIMITY finds more the truer they are."""
    rng = np.random.default_rng(seed)
    label = rng.random(facts) < 0.5
    counts = np.zeros((facts, len(COUNTS) + 6), np.int64)
    counts[:, 0] = 10
    counts[:, 1] = rng.integers(0, 11, facts)  # CLASSIC tells nothing
    counts[:, 2] = np.minimum(counts[:, 1], np.where(label, 5, 2))
    counts[:, 5:7] = 20
    found = LabelledEvidence(
        [(f"e{i:03}", "was born in", "o") for i in range(facts)],
        [(f"e{i:03}", "bear", "o") for i in range(facts)],
        Evidence.of(
            counts,
            documents=1000,
            similarity=np.full(facts, np.nan),
            known=np.full(facts, 2),
            relation=["bear"] * facts,
        ),
        ["bear"] * facts,
        np.zeros(facts, bool),
        np.arange(facts) % 7 - 1,
    )
    return found, label


def test_the_best_on_held_out_facts_comes_first() -> None:
    found, label = made()
    trials = try_out(found, label, plan=PLAN, wanted=["pmi-classic", "pmi-proximity"])
    assert {trial.name for trial in trials} == {
        f"pmi-{variant}{smoothing}"
        for variant in ("classic", "proximity")
        for smoothing in ("", "-shrunken", "-lower")
    }
    assert trials[0].name.startswith("pmi-proximity")
    merits = [trial.merit for trial in trials]
    assert merits == sorted(merits, reverse=True)
    # Up to 2 of 10 documents for false facts, up to 5 for true ones.
    plain = next(trial for trial in trials if trial.name == "pmi-proximity")
    assert plain.tuning.choice.threshold == 0.3


def test_without_a_document_about_e1_anchored_has_no_threshold() -> None:
    found, label = made()
    for trial in try_out(found, label, plan=PLAN, wanted=["pmi-anchored"]):
        assert trial.tuning.choice.threshold is None
        assert trial.tuning.undefined == 120


def test_all_can_be_tried_and_told() -> None:
    found, label = made()
    names: list[str] = []
    plan = Plan(resamples=50, repeats=1, folds=3)
    trials = try_out(found, label, plan=plan, per_relation=True, on_step=names.append)
    assert {"urns", "calibrated", "anchored", "pmi-classic-lower"} <= set(names)
    drawn = {trial.name: curves_of(trial, label, plan=PLAN) for trial in trials}
    assert {name for name, of in drawn.items() if of.reliability} == {"urns", "calibrated"}
    parts = slices(trials[0], found, plan=PLAN, knows_entities=True)
    told = as_json(trials, drawn, parts, plan=PLAN)
    assert told["recommended"] == trials[0].name
    assert told["annotators"][trials[0].name]["behind"]["value"] == 0
    (everything,) = told["slices"]["documents with the pair"]
    assert (everything["name"], everything["facts"]) == ("≥ 4", 120)
    unknown, *thirds = told["slices"]["triples of the lesser known entity"]
    assert (unknown["name"], unknown["facts"]) == ("not both known", 18)
    assert sum(part["facts"] for part in thirds) == 102


def test_an_annotator_gets_its_threshold_and_says_what_a_run_needs() -> None:
    found, label = made()
    trial = try_out(found, label, plan=PLAN, wanted=["pmi-proximity-lower"])[0]
    annotator = trial.candidate.at(0.25)
    assert annotator.describe() == "pmi-proximity-lower-t0.25"
    assert trial.candidate.settings == {
        "annotator": "pmi",
        "pmi.variant": "proximity",
        "pmi.smoothing": "lower",
    }
    assert trial.candidate.section == "pmi"


def test_too_few_labels_train_nothing() -> None:
    found, label = made(facts=30)
    left_out: list[str] = []
    trials = try_out(
        found,
        label,
        plan=PLAN,
        wanted=["pmi-proximity", "calibrated"],
        on_left_out=left_out.append,
    )
    assert "calibrated" not in {trial.name for trial in trials}
    assert len(left_out) == 1
    assert left_out[0].startswith("calibrated: ")
    with pytest.raises(ConfigurationError, match="can be tried on these labels: calibrated: "):
        try_out(found, label, plan=PLAN, wanted=["calibrated"])


@pytest.mark.slow
def test_what_is_drawn_by_class_gives_the_model_of_the_population() -> None:
    """Known truth: 1,000 facts, few of them true, most of which are of one class."""
    found, label = made(facts=1_000)
    rng = np.random.default_rng(3)
    label = label & (rng.random(label.size) < 0.25)
    drawn = np.zeros(label.size, bool)
    sizes = {}
    # Whose facts a class has the model does not see: two thirds of its facts are true.
    of_class = rng.random(label.size) < np.where(label, 0.8, 0.05)
    for kind, number in ((of_class, 100), (~of_class, 150)):
        drawn[rng.choice(np.flatnonzero(kind), number, replace=False)] = True
        sizes[number] = kind.sum() / number
    weight = np.where(of_class, sizes[100], sizes[150])[drawn]
    said = {}
    for name, counts in (("sample", None), ("population", weight)):
        (trial,) = try_out(
            found.take(drawn), label[drawn], plan=PLAN, weight=counts, wanted=["calibrated"]
        )
        model = trial.candidate.at(0.5)
        mean = float(model.score(found.evidence).mean())
        said[name] = mean, model.as_json()["training"]["share"]
    assert said["population"] == pytest.approx((label.mean(), label.mean()), abs=0.03)
    assert said["sample"][0] > 2 * label.mean()
    assert said["sample"][1] == label[drawn].mean()


def test_distant_is_tried_as_a_run_has_fitted_it() -> None:
    found, label = made()
    names = list(map(subject_of, found.facts))
    nobody = np.zeros(label.size, bool)
    # What learns without labels needs facts that nobody states; the false ones stand for them.
    learnt_from = Examples(found.evidence, nobody, ~label, np.ones(label.size), names)
    fitted = Distant.fit(learnt_from)
    wanted = ["pmi-proximity", "distant"]
    left_out: list[str] = []
    trials = try_out(
        found, label, plan=PLAN, wanted=wanted, fitted=fitted, on_left_out=left_out.append
    )
    assert left_out == []
    (trial,) = (trial for trial in trials if trial.name == "distant")
    # Each fact is judged by the model that has seen none of its subject, as in the run.
    assert np.array_equal(trial.tuning.score, fitted.score(found.evidence, names).round(3))
    assert trial.candidate.at(0.3) == replace(fitted, threshold=0.3)
    assert trial.candidate.settings == {"annotator": "distant"}
    assert (trial.candidate.section, trial.candidate.probabilities) == ("distant", True)


def test_distant_that_no_run_has_fitted_is_left_out_with_its_reason() -> None:
    found, label = made()
    for fitted in (None, Pmi()):
        left_out: list[str] = []
        trials = try_out(
            found,
            label,
            plan=PLAN,
            wanted=["pmi-classic", "distant"],
            fitted=fitted,
            on_left_out=left_out.append,
        )
        assert "distant" not in {trial.name for trial in trials}
        assert left_out == [
            'distant: no run has fitted it: distval run CONF with annotator = "distant", then '
            "name CONF"
        ]


def test_the_criterion_decides_which_is_best() -> None:
    found, label = made()
    wanted = Plan(criterion("precision=0.95"), resamples=50, repeats=1)
    best = try_out(found, label, plan=wanted, wanted=["pmi-classic", "pmi-proximity"])[0]
    assert best.name.startswith("pmi-proximity")
    assert best.tuning.held_out is not None
    assert best.tuning.held_out.precision.value >= 0.95


def test_raters_count_by_majority_and_ties_have_none() -> None:
    one, two, three = ("a", "r", "b"), ("c", "r", "d"), ("e", "r", "f")
    ratings = {
        "ann": {one: True, two: True, three: False},
        "bob": {one: True, two: False, three: False},
        "eve": {one: False, three: True},
    }
    assert majority(ratings) == {one: True, two: None, three: False}
    with pytest.raises(ConfigurationError, match="e1, r and e2"):
        majority({"ann": {("item 1",): True}})

"""Estimates from 200 labels beside the truth of all labels, on facts that people judged.

The short form of benchmarks/real_labels.py: 30 draws of labels where the benchmark takes 500.
"""

from dataclasses import replace

import numpy as np
import pytest

from benchmarks import real_labels
from benchmarks.real_labels import (
    ALONE,
    CHAIN_RULE,
    LABELS,
    Findings,
    LabelledSet,
    by_pipeline,
    numbers_by_class,
    repeated,
    summary,
)
from evaluator.counting.definition import Counts
from jobs.config import Configuration

DRAWS = 30
NORMAL = 1.96


@pytest.fixture(scope="module")
def google(data):
    return real_labels.google(data)


@pytest.fixture(scope="module")
def reverb(data):
    return real_labels.reverb(data)


@pytest.fixture(scope="module")
def factbench(data):
    return real_labels.factbench_train(data)


@pytest.fixture(scope="module")
def by_person(google):
    return real_labels.by_person(google, seed=1)


@pytest.fixture(scope="module")
def by_lot(by_person):
    """The same facts and labels, with an annotator that knows nothing of them."""
    truth = np.random.default_rng(1).permutation(by_person.truth)
    return replace(by_person, truth=truth)


@pytest.fixture(scope="module")
def estimates(by_person):
    return {name: repeated(by_person, name, draws=DRAWS, seed=1) for name in real_labels.ESTIMATORS}


def standard_error(truth, labels):
    """Standard error of the mean of a simple random sample (Cochran 1977, equation 2.20)."""
    return np.sqrt(truth.var(ddof=1) / labels * (1 - labels / truth.size))


@pytest.mark.parametrize("estimator", [CHAIN_RULE, ALONE])
def test_labels_of_all_facts_leave_nothing_to_estimate(by_person, estimator):
    (made,) = repeated(by_person, estimator, labels=len(by_person.facts), draws=1)
    assert made.low == pytest.approx(by_person.share)
    assert made.value == pytest.approx(by_person.share)
    assert made.high == pytest.approx(by_person.share)


@pytest.mark.parametrize("estimator", real_labels.ESTIMATORS)
def test_estimates_lie_about_the_truth(by_person, estimates, estimator):
    error = standard_error(by_person.truth, LABELS) / np.sqrt(DRAWS)
    assert summary(estimates[estimator], by_person.share).mean == pytest.approx(
        by_person.share, abs=4 * error
    )


@pytest.mark.parametrize("estimator", real_labels.ESTIMATORS)
def test_intervals_hold_the_truth(by_person, estimates, estimator):
    # At 95 % fewer than 25 of 30 would hold it once in 600 times.
    assert summary(estimates[estimator], by_person.share).coverage >= 25 / DRAWS


def test_labels_alone_are_as_uncertain_as_a_sample_without_replacement(by_person, estimates):
    width = 2 * NORMAL * standard_error(by_person.truth, LABELS)
    assert summary(estimates[ALONE], by_person.share).width == pytest.approx(width, rel=0.05)


def test_a_good_annotator_makes_intervals_shorter_as_stratified_sampling_does(by_person, estimates):
    numbers = numbers_by_class(by_person, LABELS)
    assert sum(numbers.values()) == LABELS
    truth = {name: by_person.truth[facts] for name, facts in by_person.classes.items()}
    size = len(by_person.facts)
    error = np.sqrt(
        sum((of.size / size * standard_error(of, numbers[name])) ** 2 for name, of in truth.items())
    )
    widths = {name: summary(estimates[name], by_person.share).width for name in (CHAIN_RULE, ALONE)}
    assert widths[CHAIN_RULE] == pytest.approx(2 * NORMAL * error, rel=0.08)
    assert widths[CHAIN_RULE] < 0.85 * widths[ALONE]


def test_an_annotator_that_knows_nothing_costs_next_to_nothing(by_lot):
    widths = {
        name: summary(repeated(by_lot, name, draws=DRAWS, seed=1), by_lot.share).width
        for name in (CHAIN_RULE, ALONE)
    }
    assert widths[CHAIN_RULE] == pytest.approx(widths[ALONE], rel=0.05)


def test_verdicts_follow_the_evidence(google):
    evidence = {
        "matched": Findings(True, Counts(None, None, None, None, None)),
        "no pair": Findings(False, Counts(0, 0, 0, 0, 0)),
        "no relation word": Findings(False, Counts(3, None, None, 0, None)),
        "rejected": Findings(False, Counts(10, 5, 1, 0, 0)),
        "accepted": Findings(False, Counts(10, 5, 2, 0, 0)),
    }
    items = list(google.labels)[: len(evidence)]
    few = LabelledSet("a few", {item: google.labels[item] for item in items}, {})
    found = by_pipeline(
        few,
        dict(zip(items, evidence.values(), strict=True)),
        variant="proximity",
        threshold=0.2,
    )
    assert [fact.verdict for fact in found.facts] == list(evidence)
    assert found.accepted.tolist() == [True, False, False, False, True]
    assert {name: facts.tolist() for name, facts in found.classes.items()} == {
        "matched": [0],
        "undefined": [1, 2],
        "rejected": [3],
        "accepted": [4],
    }


def test_one_rater_for_each_fact_tells_the_mean_vote_not_the_majority(reverb):
    silent = dict.fromkeys(reverb.labels, Findings(False, Counts(0, 0, 0, 0, 0)))
    of = by_pipeline(reverb, silent, variant="proximity", threshold=0.1)
    votes = np.array([np.mean([label.label for label in given]) for given in of.labels])
    # All facts are labelled, so only which rater is asked differs: its variance is p(1 - p) a fact.
    times = 8
    error = np.sqrt((votes * (1 - votes)).sum() / times) / votes.size
    made = repeated(of, ALONE, rating="one rater", labels=votes.size, draws=times, seed=1)
    mean = np.mean([e.value for e in made])
    assert mean == pytest.approx(votes.mean(), abs=4 * error)
    assert of.share - mean > 4 * error


def test_the_evidence_of_the_knowledge_base_and_the_text_is_estimated_with(factbench):
    settings = Configuration.load(real_labels.CONF)
    if missing := [p for p in (settings.kb.path, settings.index.path) if not p.exists()]:
        pytest.skip(f"no {missing[0]}: distval run {real_labels.CONF} makes it")
    some = LabelledSet("FactBench", dict(list(factbench.labels.items())[::20]), {})
    evidence = real_labels.find_evidence([some], settings)
    of = by_pipeline(some, evidence, variant="proximity", threshold=settings.pmi.threshold)
    # The base holds true facts, so what it matches is true more often than the rest, and the text
    # says nothing of most.
    matched = of.truth[of.classes["matched"]]
    assert matched.mean() > 0.7 > 0.3 > of.share
    assert real_labels.worth(of).undefined > 0.5
    for name in (CHAIN_RULE, ALONE):
        made = repeated(of, name, labels=100, draws=DRAWS, seed=1)
        assert summary(made, of.share).coverage >= 25 / DRAWS, name

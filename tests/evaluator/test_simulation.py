"""Whether intervals hold the truth as often as they say, in worlds whose truth is known."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from evaluator.estimators import Tally
from evaluator.estimators.census import census
from evaluator.estimators.chain_rule import chain_rule
from evaluator.estimators.strata import Asked, Stratum, StratumClass
from evaluator.intervals import Drawing, Estimate, wilson
from evaluator.simulation import DESIGNS, CountsWorld, WorldCell, coverage, covered, replicate

MEASURES = ("precision", "recall", "f1")
USELESS = CountsWorld(sensitivity=0.3, specificity=0.7, labels=400)

# 1,000 facts of S, 200 of them true: the base holds a fifth, 40, and matches 10 false ones, so that
# 40 of 50 are right. Of the other 160 true facts the annotator accepts 3/4, of 790 false ones 8 %.
# 5,000 candidates, 500 of them true: 100 held, 25 matched by mistake; 400 true, 4,475 false.
BY_HAND = CountsWorld(
    facts=1000,
    candidates=5000,
    true=0.2,
    true_candidates=0.1,
    coverage=0.2,
    match_precision=0.8,
    sensitivity=0.75,
    specificity=0.92,
)
ONE = Drawing(seed=1, draws=2_000)


def test_a_world_by_hand():
    assert BY_HAND.cells() == [
        WorldCell("b", "matched", 50, 40),
        WorldCell("a", "accepted", 120 + 63, 120),
        WorldCell("a", "rejected", 40 + 727, 40),
        WorldCell("c", "matched", 125, 100),
        WorldCell("d", "accepted", 300 + 358, 300),
        WorldCell("d", "rejected", 100 + 4117, 100),
    ]


def test_the_truth_of_a_world_by_hand():
    truth = BY_HAND.truth()
    assert truth == pytest.approx({"precision": 0.2, "recall": 200 / 700, "f1": 400 / 1700})


@pytest.mark.parametrize(
    "world", [CountsWorld(), BY_HAND, USELESS, CountsWorld(coverage=0), CountsWorld(true=1)]
)
def test_the_cells_of_a_world_add_up(world):
    cells = world.cells()
    for regions, size, share in (
        ("ab", world.facts, world.true),
        ("cd", world.candidates, world.true_candidates),
    ):
        of = [cell for cell in cells if cell.region in regions]
        assert sum(cell.facts for cell in of) == size
        assert sum(cell.true for cell in of) == round(size * share)
    assert all(0 <= cell.true <= cell.facts for cell in cells)


# Self-check: known share of true facts, sensitivity and specificity. Of 300 intervals that hold the
# truth 95 times in 100, 274 to 294 do but once in 700 (3 standard errors of .0126).
@pytest.mark.parametrize(
    "world",
    [
        CountsWorld(labels=400),
        CountsWorld(true=0.3, true_candidates=0.1, sensitivity=0.6, specificity=0.985, labels=300),
    ],
)
@pytest.mark.statistical
def test_intervals_of_the_chain_rule_hold_the_truth_as_often_as_they_say(world):
    (found,) = coverage(world, ["chain-rule"], replace(ONE, draws=1_000), replicates=300).values()
    for measure in MEASURES:
        assert found[measure].estimable == 300
        assert 274 <= found[measure].covered <= 296


@pytest.mark.statistical
def test_intervals_of_labels_that_share_documents_hold_it_too():
    # Without the design effect the same intervals are narrower, and hold it too rarely.
    world = CountsWorld(true=0.3, true_candidates=0.2, labels=500, together=10, correlation=0.3)
    (found,) = coverage(world, ["labels-only"], replace(ONE, draws=1_000), replicates=200).values()
    assert found["precision"].covered >= 180  # 190 - 3 · 3.1
    assert replicate(world, "labels-only", ONE).design_effects["precision"] > 1.3
    alone = replicate(CountsWorld(labels=500), "labels-only", ONE)
    assert set(alone.design_effects.values()) == {1}


# Self-check: an annotator without error tells all by itself, and so do labels of every fact.
def test_an_oracle_gives_the_census_estimator_exact_figures():
    world = CountsWorld(facts=900, candidates=4000, match_precision=1, sensitivity=1, specificity=1)
    facts = {(cell.region, cell.verdict): cell.facts for cell in world.cells()}
    rests = {
        region: Tally(
            population=(size := facts[region, "accepted"] + facts[region, "rejected"]),
            sampled=size,
            accepted=facts[region, "accepted"],
        )
        for region in "ad"
    }
    found = census(
        Drawing(seed=1),
        b=facts["b", "matched"],
        c=facts["c", "matched"],
        system_rest=rests["a"],
        candidate_rest=rests["d"],
        outside_candidates=0,
    )
    for measure, truth in world.truth().items():
        figure = getattr(found, measure)
        assert figure[:3] == pytest.approx((truth, truth, truth), rel=1e-12)


SMALL = CountsWorld(
    facts=60, candidates=90, judged=60, judged_candidates=90, true=0.3, true_candidates=0.2,
    labels=150,
)  # fmt: skip


@pytest.mark.parametrize("estimator", ["chain-rule", "labels-only"])
def test_labels_of_every_fact_give_exact_figures(estimator):
    found = replicate(SMALL, estimator, ONE)
    # 18 of 60 and 18 of 90 facts are true.
    for measure, truth in (("precision", 18 / 60), ("recall", 18 / 36), ("f1", 36 / 96)):
        assert getattr(found, measure)[:3] == pytest.approx((truth, truth, truth), rel=1e-12)


# Self-check: a useless annotator, which accepts 30 % of true and of false facts.
@pytest.mark.statistical
def test_a_useless_annotator_has_no_rogan_gladen_estimate_and_costs_the_chain_rule_nothing():
    names = ["rogan-gladen", "chain-rule", "labels-only"]
    found = coverage(USELESS, names, replace(ONE, draws=1_000), replicates=150)
    for measure in MEASURES:
        # Its lower limit of J is above 0 by chance, in one of 40 where all labels weigh the same.
        assert found["rogan-gladen"][measure].estimable <= 150 / 10
        ratio = found["chain-rule"][measure].width / found["labels-only"][measure].width
        assert ratio == pytest.approx(1, abs=0.05)
    none = [replicate(USELESS, "rogan-gladen", replace(ONE, seed=seed)) for seed in range(20)]
    none = [made for made in none if made.precision.value is None]
    assert len(none) > 10
    assert all(made.precision[:3] == (None, None, None) and made.notes for made in none)


# The coverage and mean width of nominal 95 % intervals in another simulation, of 4,000 samples:
# a share of true facts, Se and Sp, labels next to 10,000 judged facts.
TABLE = [
    # share, Se, Sp, labels, naive, labels only, chain rule
    (0.03, 0.73, 0.73, 558, (0.000, None), (0.949, 0.0287), (0.949, 0.0255)),
    (0.03, 0.60, 0.985, 558, (0.679, 0.007), (0.952, 0.0287), (0.945, 0.0257)),
    (0.30, 0.73, 0.73, 558, (0.000, None), (0.954, 0.0757), (0.948, 0.0671)),
    (0.03, 0.60, 0.985, 200, (0.679, 0.007), (0.942, 0.0493), (0.969, 0.0447)),
]
JUDGED = 10_000


def exact_coverage(truth, n, chance):
    """Coverage and mean width of Wilson's interval of a binomial share, summed over its values."""
    mass = stats.binom(n, chance).pmf(np.arange(n + 1))
    kept = np.flatnonzero(mass > 1e-9)
    found = [wilson(int(k), n) for k in kept]
    holds = np.array([e.low <= truth <= e.high for e in found])
    widths = np.array([e.high - e.low for e in found])
    return mass[kept] @ holds, mass[kept] @ widths


# The table's own coverages have a standard error of up to .0074 (naive) and .0034.
@pytest.mark.parametrize(("share", "se", "sp", "labels", "naive", "alone", "chain"), TABLE)
def test_coverage_of_the_share_accepted_and_of_labels_alone(
    share, se, sp, labels, naive, alone, chain
):
    accepted = share * se + (1 - share) * (1 - sp)
    found = exact_coverage(share, JUDGED, accepted)
    assert found[0] == pytest.approx(naive[0], abs=0.022)
    assert naive[1] is None or found[1] == pytest.approx(naive[1], abs=0.0005)
    assert exact_coverage(share, labels, share) == pytest.approx(alone, abs=0.01)


# There, Jeffreys' prior was ½ for each class; here classes divide it. From 400 samples a coverage
# of .95 has a standard error of .0109.
@pytest.mark.parametrize(("share", "se", "sp", "labels", "naive", "alone", "chain"), TABLE)
@pytest.mark.statistical
def test_coverage_of_the_chain_rule(share, se, sp, labels, naive, alone, chain):
    rng, many, ends = np.random.default_rng(1), 10**7, []
    accepted = share * se + (1 - share) * (1 - sp)
    chances = share * (1 - se) / (1 - accepted), share * se / accepted
    for _ in range(400):
        of_accepted = rng.binomial(JUDGED, accepted)
        half = min(labels // 2, of_accepted)
        classes = []
        for name, judged, n, chance in (
            ("rejected", JUDGED - of_accepted, labels - half, chances[0]),
            ("accepted", of_accepted, half, chances[1]),
        ):
            truth = (rng.random(n) < chance).astype(float)
            classes.append(StratumClass(name=name, judged=judged, truth=truth))
        of = Stratum(domain="a", population=many, classes=tuple(classes))
        drawn = chain_rule(Asked([of], draws=1_000, rng=rng)).draws
        ends.append(np.quantile(drawn / many, [0.025, 0.975, 0.1, 0.9]))
    low, high, tenth, nine_tenths = np.transpose(ends)
    holds = (low <= share) & (share <= high)
    assert holds.mean() == pytest.approx(chain[0], abs=0.035)
    assert np.mean((tenth <= share) & (share <= nine_tenths)) == pytest.approx(0.8, abs=0.06)
    assert np.mean(high - low) == pytest.approx(chain[1], rel=0.05)


@pytest.mark.parametrize("name", DESIGNS)
def test_the_same_seed_is_the_same_simulation(name):
    world = CountsWorld(labels=150, rater_error=0.1)
    drawing = Drawing(seed=3, draws=200)
    first = coverage(world, [name], drawing, replicates=5)
    both = coverage(world, ["chain-rule", name], drawing, replicates=5)
    assert both[name] == first[name]
    assert coverage(world, [name], replace(drawing, seed=8), replicates=5) != first


@pytest.mark.parametrize(("world", "labels"), [(CountsWorld(labels=150), 150), (SMALL, 150)])
@pytest.mark.parametrize("name", DESIGNS)
def test_a_replicate_has_the_labels_of_its_world(name, world, labels):
    found = replicate(world, name, ONE)
    assert sum(found.labels) == labels
    assert (found.estimator, found.facts) == (name, world.facts)


@pytest.mark.parametrize("together", [2, 5, 10])
def test_documents_are_labelled_in_full(together):
    found = replicate(CountsWorld(labels=200, together=together), "chain-rule", ONE)
    documents = 200 // together
    of_system = documents * (together // 2)
    assert found.labels == (of_system, 200 - of_system)


def test_raters_who_err_pull_every_share_towards_one_half():
    # With a tenth wrong, 5 % of true facts look like 5 % · .9 + 95 % · .1 = 14 %.
    world = CountsWorld(true=0.05, coverage=0, labels=400, rater_error=0.1)
    made = (replicate(world, "labels-only", Drawing(seed=s, draws=50)) for s in range(60))
    values = [one.precision.value for one in made]
    # 60 samples of about 290 labels: a standard error of .0026.
    assert np.mean(values) == pytest.approx(0.14, abs=0.01)


def test_coverage_counts_by_hand():
    def interval(low, high):
        return Estimate(None if low is None else 0.2, low, high, "by hand", 0.95, 9)

    found = covered(
        [interval(0.1, 0.3), interval(0.25, 0.3), interval(None, None), None, interval(0.2, 0.2)],
        0.2,
    )
    assert found[:4] == (5, 3, 2, pytest.approx((0.2 + 0.05 + 0) / 3))
    assert found.coverage == pytest.approx(2 / 3)
    assert covered([interval(None, None), None], 0.2)[:4] == (2, 0, 0, 0)
    assert covered([], 0.2).coverage is None

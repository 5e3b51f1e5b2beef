"""Estimates from human labels: exact where all is labelled, joint where it is not."""

import json
from itertools import pairwise

import numpy as np
import pytest
from scipy import stats

from evaluator.estimators import WITH_LABELS, methods
from evaluator.estimators.chain_rule import chain_rule
from evaluator.estimators.claims import FEW, labels_needed
from evaluator.estimators.labelled import estimate, measures
from evaluator.estimators.labels_only import labels_only
from evaluator.estimators.misclassification import Calibration, rogan_gladen
from evaluator.estimators.ppi import ppi
from evaluator.estimators.ppi_plus_plus import ppi_plus_plus
from evaluator.estimators.prediction_powered import ppi_mean, ppi_plus_plus_mean
from evaluator.estimators.rogan_gladen import corrected_share
from evaluator.estimators.strata import Asked, Stratum, StratumClass, nearest, shares
from evaluator.interval_ends import effective_size
from evaluator.intervals import Drawing, finite_population_draws, jeffreys

MEASURES = ("precision", "recall", "f1")
MANY = 100_000


def labelled(name, judged, true, labels, *, wrong_links=0):
    """A class in which `true` of the `labels` are true; wrong links come last, among the false."""
    return StratumClass(
        name=name,
        judged=judged,
        truth=np.repeat([1.0, 0.0], [true, labels - true]),
        link_wrong=np.repeat([0.0, 1.0], [labels - wrong_links, wrong_links]),
        annotator=np.full(labels, float(name != "rejected")),
        annotator_mean=float(name != "rejected"),
    )


def stratum(domain, population, *classes):
    return Stratum(domain=domain, population=population, classes=classes)


def of_world(strata, *, name="chain-rule", corpus=True, level=0.95, draws=2_000, seed=1):
    drawing = Drawing(level=level, draws=draws, seed=seed)
    return estimate(strata, name, drawing, corpus=corpus)


def figures(found):
    return [*found.regions.values(), found.precision, found.recall, found.f1]


# |S| = 1,050: a is 1,000 facts, 300 of them judged, b 50; |G′ ∖ S| = 5,050.
WORLD = [
    stratum("a", 1000, labelled("rejected", 200, 2, 50), labelled("accepted", 100, 30, 50)),
    stratum("b", 50, labelled("matched", 50, 9, 10)),
    stratum("c", 50, labelled("matched", 50, 9, 10)),
    stratum("d", 5000, labelled("rejected", 800, 1, 50), labelled("accepted", 100, 10, 50)),
]


def test_point_estimates_by_hand():
    # a = 1000 (2/3 · 2/50 + 1/3 · 30/50), b = c = 50 · 9/10, d = 5000 (8/9 · 1/50 + 1/9 · 10/50).
    a, b, d = 1000 * (2 / 3 * 0.04 + 1 / 3 * 0.6), 45, 5000 * (8 / 9 * 0.02 + 1 / 9 * 0.2)
    for name in ("chain-rule", "labels-only", "ppi"):
        found = of_world(WORLD, name=name)
        sizes = [found.regions[region].value for region in "abcd"]
        assert sizes == pytest.approx([a, b, b, d])
        assert found.precision.value == pytest.approx((a + b) / 1050)
        assert found.recall.value == pytest.approx((a + b) / (a + 2 * b + d))
        assert found.f1.value == pytest.approx(2 * (a + b) / (1050 + a + 2 * b + d))
        assert (found.facts, found.labels) == (1050, (110, 110))
        assert (found.precision.n, found.recall.n) == (110, 220)


# S: 3 facts of a and 4 of b, 2 + 3 of them true. G′ ∖ S: 2 of c, 9 of d, of which 1 + 3 are true.
# So P = 5/7, R = 5/9, F = 10/16.
FULL = [
    stratum("a", 3, labelled("rejected", 2, 1, 2), labelled("accepted", 1, 1, 1)),
    stratum("b", 4, labelled("matched", 4, 3, 4)),
    stratum("c", 2, labelled("matched", 2, 1, 2)),
    stratum("d", 9, labelled("rejected", 6, 1, 6), labelled("accepted", 3, 2, 3)),
]


@pytest.mark.parametrize("name", ["chain-rule", "labels-only"])
@pytest.mark.parametrize("level", [0.5, 0.95, 0.999])
def test_where_every_fact_is_labelled_figures_are_exact_and_have_no_width(name, level):
    found = of_world(FULL, name=name, level=level)
    for figure, exact in zip(figures(found), (2, 3, 1, 3, 5 / 7, 5 / 9, 10 / 16), strict=True):
        assert figure[:3] == pytest.approx((exact, exact, exact), rel=1e-12)
    assert set(found.claims.values()) == {"nominal"}


@pytest.mark.parametrize("name", WITH_LABELS)
def test_no_draw_leaves_what_is_possible(name):
    for of in WORLD:
        rng = np.random.default_rng(1)
        found = WITH_LABELS[name](Asked([of], 2_000, rng, everything=WORLD, design_effect=3))
        true = sum(c.truth.sum() for c in of.classes)
        if name in ("chain-rule", "labels-only"):
            assert found.draws.min() >= true
            assert found.draws.max() <= of.population - (of.labels - true)
        assert found.draws.min() >= 0
        assert found.draws.max() <= of.population
        assert found.draws.shape == (2_000,)


def recorded(strata, **options):
    """The estimate of the chain rule, and the draws that went into it."""
    draws = {}

    def recording(asked):
        found = chain_rule(asked)
        draws[asked.strata[0].domain] = found.draws
        return found

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("evaluator.estimators.labelled.WITH_LABELS", {"chain-rule": recording})
        return of_world(strata, **options), draws


def test_precision_recall_and_f_come_from_the_same_draws():
    made, draws = recorded(WORLD, corpus=True)
    correct = draws["a"] + draws["b"]
    truth = correct + draws["c"] + draws["d"]
    for figure, values in (
        (made.precision, correct / 1050),
        (made.recall, correct / truth),
        (made.f1, 2 * correct / (1050 + truth)),
    ):
        assert figure[1:3] == pytest.approx(np.quantile(values, [0.025, 0.975]), rel=1e-12)


def test_the_regions_and_what_is_wrong_in_s_are_the_union_of_s_and_g():
    made, draws = recorded(WORLD, corpus=True)
    sizes = {region: size.value for region, size in made.regions.items()}
    for regions, (precision, recall, _) in (
        (sizes, (made.precision.value, made.recall.value, None)),
        (draws, measures(draws, 1050)),
    ):
        correct = regions["a"] + regions["b"]
        union = sum(regions.values()) + (1050 - correct)
        assert union == pytest.approx(1050 + regions["c"] + regions["d"])
        # |S ∪ G| = |S| + |G| - |S ∩ G|, from P and R alone.
        assert union == pytest.approx(1050 + correct / recall - 1050 * precision)


def test_where_g_outside_s_is_known_recall_depends_on_precision_alone():
    # Only a is uncertain: with c = 50 known, R = 1000P / (1000P + 50), F = 2000P / (1050 + 1000P).
    found = of_world(
        [
            stratum("a", 1000, labelled("accepted", 1000, 20, 100)),
            stratum("c", 50, labelled("matched", 50, 50, 50)),
        ]
    )
    assert found.precision.high > 2 * found.precision.low
    for name in ("value", "low", "high"):
        p = getattr(found.precision, name)
        assert getattr(found.recall, name) == pytest.approx(1000 * p / (1000 * p + 50), rel=1e-4)
        assert getattr(found.f1, name) == pytest.approx(2000 * p / (1050 + 1000 * p), rel=1e-4)


@pytest.mark.parametrize("name", WITH_LABELS)
def test_one_seed_gives_one_answer_in_any_order_of_labels_and_domains(name):
    rng = np.random.default_rng(5)
    shuffled = []
    for of in reversed(WORLD):
        classes = []
        for c in of.classes:
            order = rng.permutation(c.labels)
            fields = {"truth": c.truth[order], "link_wrong": c.link_wrong[order]}
            classes.append(
                StratumClass(
                    name=c.name,
                    judged=c.judged,
                    annotator=c.annotator[order],
                    annotator_mean=c.annotator_mean,
                    **fields,
                )
            )
        shuffled.append(stratum(of.domain, of.population, *classes))
    first, second = of_world(WORLD, name=name), of_world(shuffled, name=name)
    for one, other in zip(figures(first), figures(second), strict=True):
        assert one[:3] == pytest.approx(other[:3], rel=1e-9)
    assert of_world(WORLD, name=name) == first
    assert of_world(WORLD, name=name, seed=2) != first


# One class: Jeffreys' posterior, and no other draw than that of evaluator.intervals.
@pytest.mark.parametrize(("true", "labels", "population"), [(0, 10, 500), (7, 40, 41), (9, 9, 90)])
def test_one_judged_class_has_jeffreys_posterior(true, labels, population):
    of = [stratum("a", population, labelled("accepted", population, true, labels))]
    found = chain_rule(Asked(of, draws=1_000, rng=np.random.default_rng(3)))
    same = finite_population_draws(
        true, labels, population, draws=1_000, rng=np.random.default_rng(3)
    )
    assert found.value == pytest.approx(population * true / labels)
    assert (found.draws == same).all()


@pytest.mark.parametrize("estimator", [chain_rule, labels_only])
def test_one_class_is_beta_binomial_also_where_not_all_is_judged(estimator):
    of = [stratum("a", 500, labelled("accepted", 100, 3, 40))]
    found = estimator(Asked(of, draws=MANY, rng=np.random.default_rng(3)))
    exact = stats.betabinom(460, 3.5, 37.5, loc=3)
    assert found.value == pytest.approx(500 * 3 / 40)
    assert distance(found.draws, exact.pmf(np.arange(501))) < 0.006


def distance(draws, mass):
    """Kolmogorov's distance; for 100,000 draws of the same law it is above .006 once in 10³."""
    counts = np.bincount(draws.astype(int), minlength=mass.size)
    return np.abs(np.cumsum(counts) / draws.size - np.cumsum(mass)).max()


# Two classes of known sizes: the posterior is a convolution of two beta-binomials. Jeffreys' prior
# is for one share; here the classes divide it, not ½ each: by their share w of the facts, or by the
# geometric mean of that and of their share t of the true, or f of the other, facts.
def test_two_classes_are_the_convolution_of_their_posteriors():
    of = [stratum("a", 400, labelled("rejected", 300, 1, 50), labelled("accepted", 100, 12, 20))]
    found = chain_rule(Asked(of, draws=MANY, rng=np.random.default_rng(3)))
    # 300 · 1½/51 and 100 · 12½/21 true facts, so t = .871 of the second; 291.2 and 40.5 others, so
    # f = .878 of the first.
    rejected, accepted = 0.5 * np.sqrt(0.75 * 0.878), 0.5 * np.sqrt(0.25 * 0.871)
    mass = np.convolve(
        stats.betabinom(250, 1 + rejected, 49 + rejected, loc=1).pmf(np.arange(301)),
        stats.betabinom(80, 12 + accepted, 8 + accepted, loc=12).pmf(np.arange(101)),
    )
    assert mass.sum() == pytest.approx(1)
    assert distance(found.draws, mass) < 0.006


def test_classes_of_unknown_size_add_their_own_uncertainty():
    # By brute force: 40 + Dirichlet-multinomial facts are accepted, 60 + the rest rejected.
    of = [stratum("a", 1000, labelled("rejected", 60, 2, 20), labelled("accepted", 40, 18, 20))]
    found = chain_rule(Asked(of, draws=MANY, rng=np.random.default_rng(3)))
    rng = np.random.default_rng(4)
    accepted = 40 + rng.binomial(900, rng.beta(40.5, 60.5, MANY))
    # 35.2 and 7.1 true facts of 100, 4.8 and 52.9 others.
    of_accepted, of_rejected = 0.5 * np.sqrt(0.4 * 0.831), 0.5 * np.sqrt(0.6 * 0.917)
    ppv = rng.beta(18 + of_accepted, 2 + of_accepted, MANY)
    omitted = rng.beta(2 + of_rejected, 18 + of_rejected, MANY)
    true = 20 + rng.binomial(accepted - 20, ppv) + rng.binomial(1000 - accepted - 20, omitted)
    assert stats.ks_2samp(found.draws, true).statistic < 0.009
    known = [stratum("a", 100, *of[0].classes)]
    narrow = chain_rule(Asked(known, draws=MANY, rng=np.random.default_rng(3))).draws.std() / 100
    assert found.draws.std() / 1000 > 1.1 * narrow


@pytest.mark.parametrize("estimator", [chain_rule, labels_only])
def test_what_is_labelled_leaves_the_others_a_share_of_their_own(estimator):
    # 80 of 100 labelled and 40 of 50 others are true of one class, 4 of 50 and 14 of 171 of the
    # other: 138 of all, 84 of them known.
    classes = labelled("rejected", 221, 4, 50), labelled("accepted", 150, 80, 100)
    found = estimator(Asked([stratum("a", 371, *classes)], MANY, np.random.default_rng(5)))
    assert found.value == pytest.approx(120 + 221 * 0.08)
    assert found.draws.mean() == pytest.approx(found.value, abs=3)


def test_a_design_effect_divides_the_labels():
    of = [stratum("a", 10**6, labelled("accepted", 10**6, 20, 100))]
    for estimator in (chain_rule, labels_only):
        found = estimator(Asked(of, MANY, np.random.default_rng(3), design_effect=4))
        # Beta(20/4 + ½, 80/4 + ½) for what is not labelled.
        assert found.draws.std() / 10**6 == pytest.approx(stats.beta(5.5, 20.5).std(), rel=0.02)


def test_fractions_count_by_their_sum():
    divided = StratumClass(name="accepted", judged=90, truth=np.array([0.5, 0.5, 1.0, 0.0]))
    whole = labelled("accepted", 90, 2, 4)
    for estimator in (chain_rule, labels_only):
        one, other = (
            estimator(Asked([stratum("a", 300, c)], 500, np.random.default_rng(1)))
            for c in (divided, whole)
        )
        assert one.value == other.value == 150
        assert (one.draws == other.draws).all()


@pytest.mark.parametrize("name", WITH_LABELS)
def test_counts_of_a_hundred_million(name):
    many = 10**8
    found = of_world(
        [
            stratum(
                "a", many, labelled("rejected", 900_000, 2, 90), labelled("accepted", 99, 60, 90)
            ),
            stratum("d", many, labelled("rejected", many, 2, 90)),
        ],
        name=name,
    )
    if name != "rogan-gladen":
        assert 0.02 < found.precision.value < 0.03
    assert found.precision.value is None or (
        0 <= found.precision.low <= found.precision.value <= found.precision.high < 1
    )


def test_a_class_without_labels_is_like_the_nearest_one():
    def classes_with(*labels):
        return [labelled(f"class {place}", 9, 0, n) for place, n in enumerate(labels)]

    one = stratum("a", 99, *classes_with(0, 3, 0, 0, 2))
    assert nearest([one]).tolist() == [1, 1, 1, 4, 4]
    three = stratum("a", 99, *classes_with(2, 0, 2))
    assert nearest([three]).tolist() == [0, 0, 2]  # the less likely one, where both are as near
    classes = [labelled("rejected", 9, 1, 4), labelled("accepted", 9, 0, 0)]
    assert shares([stratum("a", 18, *classes)]).tolist() == [0.25, 0.25]
    assert np.isnan(shares([stratum("a", 9, *classes[1:])])).all()
    # The same class of another stratum comes first, also where another class is as near.
    other = stratum("a", 18, labelled("rejected", 9, 1, 4), labelled("accepted", 9, 3, 4))
    assert nearest([stratum("a", 18, *classes), other]).tolist() == [0, 3, 2, 3]
    found = of_world([stratum("a", 100, *classes)], corpus=False)
    assert found.precision.value == 0.25
    assert found.notes[0] == (
        "No label in classes with 50.0% of region a's facts: they are taken to be like the nearest "
        "class."
    )


def test_labels_only_knows_the_effective_size_of_weighted_labels():
    # Each of 10 labels of the first class stands for 10 facts, of the second for 30: the effective
    # size is 400² / (100²/10 + 300²/10) = 16, and the share (100 · 5/10 + 300 · 1/10) / 400 = 1/5.
    of = [stratum("a", 400, labelled("rejected", 300, 1, 10), labelled("accepted", 100, 5, 10))]
    found = labels_only(Asked(of, draws=MANY, rng=np.random.default_rng(3)))
    assert found.value == pytest.approx(80)
    # Of the 380 others 74 are true.
    share = 74 / 380
    exact = stats.betabinom(380, 16 * share + 0.5, 16 * (1 - share) + 0.5, loc=6)
    assert distance(found.draws, exact.pmf(np.arange(401))) < 0.006


def test_labels_only_lends_the_weight_of_a_class_without_labels():
    # All 400 facts then rest on the 10 labels of the first class: an effective size of 10.
    of = [stratum("a", 400, labelled("rejected", 300, 1, 10), labelled("accepted", 100, 0, 0))]
    found = labels_only(Asked(of, draws=MANY, rng=np.random.default_rng(3)))
    assert found.value == pytest.approx(40)
    exact = stats.betabinom(390, 1.5, 9.5, loc=1)
    assert distance(found.draws, exact.pmf(np.arange(401))) < 0.006


def scored(judged, truth, annotator, mean, variance):
    return StratumClass(
        name="all",
        judged=judged,
        truth=np.array(truth, float),
        annotator=np.array(annotator, float),
        annotator_mean=mean,
        annotator_variance=variance,
    )


def test_ppi_of_one_class_is_that_of_prediction_powered():
    rng = np.random.default_rng(2)
    score, others = rng.random(60), rng.random(900)
    truth = (rng.random(60) < score).astype(float)
    plain = ppi_mean(truth, score, others)
    of = [stratum("a", 9_000, scored(900, truth, score, others.mean(), others.var()))]
    found = ppi(Asked(of, draws=MANY, rng=rng))
    assert found.value / 9_000 == pytest.approx(plain.value)
    assert found.draws.std() / 9_000 == pytest.approx(np.sqrt(plain.variance), rel=0.01)


def test_ppi_plus_plus_of_one_class_is_that_of_prediction_powered():
    # There, λ takes the variance of the score over labelled and other facts, with n - 1.
    rng = np.random.default_rng(2)
    score, others = rng.random(60), rng.random(900)
    truth = (rng.random(60) < score).astype(float)
    pooled = np.concatenate([score, others]).var(ddof=1)
    plain = ppi_plus_plus_mean(truth, score, others)
    of = [stratum("a", 9_000, scored(900, truth, score, others.mean(), pooled))]
    found = ppi_plus_plus(Asked(of, draws=MANY, rng=rng))
    assert found.value / 9_000 == pytest.approx(plain.value)
    assert found.draws.std() / 9_000 == pytest.approx(np.sqrt(plain.variance), rel=0.01)


# Two classes of 100 and 300 facts, all judged, W = 1/4 and 3/4.
#   first:  y = 0 1 0 1, f = 0 1 1 1; mean f = 1/2, Var f = 1/4; y - f = 0 0 -1 0, Cov(y, f) = 1/8
#   second: y = 0 0 0 1, f = 0 0 1 1; mean f = 1/3, Var f = 2/9; y - f = 0 0 -1 0, Cov(y, f) = 1/8
TWO = [
    stratum(
        "a",
        400,
        scored(100, [0, 1, 0, 1], [0, 1, 1, 1], 1 / 2, 1 / 4),
        scored(300, [0, 0, 0, 1], [0, 0, 1, 1], 1 / 3, 2 / 9),
    )
]


def test_ppi_of_two_classes_by_hand():
    found = ppi(Asked(TWO, draws=MANY, rng=np.random.default_rng(1)))
    assert found.value == pytest.approx(400 * (1 / 4 * (1 / 2 - 1 / 4) + 3 / 4 * (1 / 3 - 1 / 4)))


def test_the_spread_of_ppi_and_its_design_effect_by_hand():
    # The same with 100 times the labels, far from 0, where draws are cut.
    of = [
        stratum(
            "a",
            400_000,
            scored(10**5, [0, 1, 0, 1] * 100, [0, 1, 1, 1] * 100, 1 / 2, 1 / 4),
            scored(3 * 10**5, [0, 0, 0, 1] * 100, [0, 0, 1, 1] * 100, 1 / 3, 2 / 9),
        )
    ]
    of_score = 1 / 16 * (1 / 4) / 10**5 + 9 / 16 * (2 / 9) / (3 * 10**5)
    of_error = (1 / 16 * (3 / 16) + 9 / 16 * (3 / 16)) / 400
    for effect in (1, 2.5):
        found = ppi(Asked(of, draws=MANY, rng=np.random.default_rng(1), design_effect=effect))
        exact = np.sqrt(of_score + effect * of_error)
        assert found.draws.std() / 400_000 == pytest.approx(exact, rel=0.01)


def test_the_power_tuning_of_two_classes_by_hand():
    covariance = (1 / 16 + 9 / 16) * (1 / 8) / 4
    scale = 1 / 16 * (1 / 4) * (1 / 4 + 1 / 100) + 9 / 16 * (2 / 9) * (1 / 4 + 1 / 300)
    tuning = covariance / scale
    assert 0 < tuning < 1
    # mean y is 1/2 and 1/4, mean f of the labelled 3/4 and 1/2.
    share = 1 / 4 * (1 / 2 + tuning * (1 / 2 - 3 / 4)) + 3 / 4 * (1 / 4 + tuning * (1 / 3 - 1 / 2))
    found = ppi_plus_plus(Asked(TWO, draws=100, rng=np.random.default_rng(1)))
    assert found.value == pytest.approx(400 * share)


def test_a_score_turned_round_or_constant_leaves_ppi_plus_plus_the_labels():
    for annotator, mean, variance in (([1, 0, 1, 0], 0.4, 0.25), ([1, 1, 1, 1], 1, 0)):
        of = [stratum("a", 100, scored(100, [0, 1, 0, 1], annotator, mean, variance))]
        found = ppi_plus_plus(Asked(of, draws=100, rng=np.random.default_rng(1)))
        assert found.value == pytest.approx(50)


def test_one_label_is_too_few_for_ppi():
    found = of_world([stratum("a", 9, labelled("accepted", 9, 1, 1))], name="ppi", corpus=False)
    assert found.precision.value is None
    assert found.notes[0] == "PPI needs two labels of a class in each region."


# a: 300 of 1,000 accepted; labels weigh 10 facts each: 20 + 7 true ones of 100, so Se = 20/27 and
# Sp = 63/73. d: the annotator is taken to err alike there.
CALIBRATED = [
    stratum("a", 1000, labelled("rejected", 700, 7, 70), labelled("accepted", 300, 20, 30)),
    stratum("b", 100, labelled("matched", 100, 8, 10)),
    stratum("d", 400, labelled("rejected", 100, 0, 0), labelled("accepted", 100, 0, 0)),
]


def test_rogan_gladen_of_the_labelled_facts_themselves_is_their_share():
    # (.3 + Sp - 1) / (Se + Sp - 1) is 27/100 by the algebra of the four cells.
    found = corrected_share(
        Asked(CALIBRATED[:1], 100, np.random.default_rng(1), everything=CALIBRATED)
    )
    assert found.value == pytest.approx(270)


def test_rogan_gladen_carries_sensitivity_and_specificity_to_another_region():
    found = corrected_share(
        Asked(CALIBRATED[2:], MANY, np.random.default_rng(1), everything=CALIBRATED)
    )
    assert found.value == pytest.approx(400 * (1 / 2 + 63 / 73 - 1) / (20 / 27 + 63 / 73 - 1))
    whole = Calibration(true=27, true_accepted=20, false=73, false_rejected=63)
    plain = rogan_gladen(100, 200, calibration=whole).estimate
    assert np.quantile(found.draws / 400, [0.025, 0.975]) == pytest.approx(plain[1:3], abs=0.005)


def test_what_the_base_matches_is_not_corrected():
    found = of_world(CALIBRATED, name="rogan-gladen")
    assert found.regions["b"].value == 80


def test_a_useless_annotator_has_no_rogan_gladen_estimate():
    useless = [stratum("a", 100, labelled("rejected", 50, 9, 30), labelled("accepted", 50, 9, 30))]
    found = of_world(useless, name="rogan-gladen", corpus=False)
    assert found.precision == (None, None, None, "rogan-gladen, joint posterior", 0.95, 60)
    assert found.notes[0].startswith("Rogan-Gladen: the annotator is not reliably better than cha")


# 10 of the 20 facts of S are true. Of 4 + 6 labels that are not true 1 and 3 have a wrong link, and
# stand for 1 and 6 facts: wrong links are 1 + 6 of the facts, so P = 8/(20 - 7) with
# 4 + 4 true ones.
def test_precision_among_right_links_by_hand():
    found = of_world(
        [
            stratum("a", 8, labelled("accepted", 8, 4, 8, wrong_links=1)),
            stratum("b", 12, labelled("matched", 12, 2, 6, wrong_links=3)),
        ],
        corpus=False,
    )
    assert found.precision.value == pytest.approx(8 / 20)
    assert found.precision_right_links.value == pytest.approx(8 / 13)
    assert found.precision_right_links.low < 8 / 13 < found.precision_right_links.high
    assert found.precision_right_links.n == 14


def test_without_a_wrong_link_there_is_no_such_precision():
    assert of_world(WORLD).precision_right_links is None


# FEW: 100 labels of S and 40 of G′ ∖ S, of many facts. Of 900, 91 · 899/(900 - 91) = 101.1 and
# 90 · 899/810 = 99.9; 39 · 899/861 = 40.7 and 38 · 899/862 = 39.6. "At least" where people
# contradict no class of a region.
@pytest.mark.parametrize(
    ("of_system", "of_rest", "precision", "recall"),
    [
        ((90, 50), (39, 20), "few labels", "few labels"),
        ((91, 50), (38, 20), "nominal", "few labels"),
        ((91, 50), (39, 20), "nominal", "nominal"),
        ((91, 91), (39, 20), "at least", "at least"),
        ((91, 50), (39, 0), "nominal", "at least"),
        ((900, 900), (38, 0), "at least", "few labels"),
    ],
)
def test_what_intervals_claim(of_system, of_rest, precision, recall):
    assert FEW == (100, 40)
    found = of_world(
        [
            stratum("a", 900, labelled("accepted", 900, of_system[1], of_system[0])),
            stratum("d", 900, labelled("rejected", 900, of_rest[1], of_rest[0])),
        ]
    )
    assert found.claims == {"precision": precision, "recall": recall, "f1": recall}


@pytest.mark.parametrize("few", FEW)
@pytest.mark.parametrize("facts", [0, 1, 2, 33, 82, 151, 5_000, 10**9])
def test_labels_needed_are_worth_as_many_of_many_facts(facts, few):
    needed = labels_needed(facts, few)
    assert needed <= min(few, facts)
    if 0 < needed < facts:
        assert effective_size(needed, facts) >= few > effective_size(needed - 1, facts)


def test_what_the_base_matches_has_no_say_in_that():
    found = of_world(
        [
            stratum("a", 900, labelled("rejected", 900, 1, 90)),
            stratum("b", 900, labelled("matched", 900, 20, 20)),
        ],
        corpus=False,
    )
    assert found.claims == {"precision": "nominal"}


# Of 900 facts 840 are rejected and 60 accepted by expectation: 8.4 true ones, and 24 or 30 in a
# class of five or six labels. A class that is labelled in full lacks nothing.
@pytest.mark.parametrize(
    ("judged", "labels", "claim"), [(50, 5, "few labels"), (50, 6, "nominal"), (5, 5, "nominal")]
)
def test_classes_of_many_true_facts_need_their_floor_of_labels(judged, labels, claim):
    small = labelled("accepted", judged, labels // 2, labels)
    strata = [
        stratum("a", 900, labelled("rejected", 700, 1, 100), small),
        stratum("b", 9, labelled("matched", 9, 1, 2)),
    ]
    assert of_world(strata, corpus=False).claims == {"precision": claim}


def test_only_estimators_whose_coverage_was_measured_claim_it():
    enough = [
        stratum("a", 900, labelled("rejected", 700, 3, 100), labelled("accepted", 200, 20, 40)),
        stratum("b", 90, labelled("matched", 90, 8, 10)),
    ]
    claims = {
        name: of_world(enough, name=name, corpus=False).claims["precision"] for name in WITH_LABELS
    }
    assert claims == {
        "chain-rule": "nominal",
        "labels-only": "nominal",
        "ppi": "by assumption",
        "ppi++": "by assumption",
        "rogan-gladen": "by assumption",
    }


def test_few_labels_are_enough_where_there_are_no_more_facts():
    assert set(of_world(FULL).claims.values()) == {"nominal"}


@pytest.mark.parametrize(("blank", "like"), [("b", "c"), ("c", "b")])
def test_what_the_base_matches_is_as_true_inside_s_as_outside(blank, like):
    # 9 of 10 labels of the one are true: so are 270 of the 300 facts of the other.
    blank_stratum = stratum(blank, 300, labelled("matched", 300, 0, 0))
    found = of_world([blank_stratum, *(s for s in WORLD if s.domain != blank)])
    assert found.regions[blank].value == pytest.approx(270)
    assert found.regions[blank].low == pytest.approx(300 * jeffreys(9, 10).low, rel=0.05)
    note = f"No label in region {blank}: its share of true facts is taken from region {like}."
    assert found.notes[0] == note


def test_what_is_known_of_a_few_matches_is_not_known_of_many_others():
    few = stratum("c", 5, labelled("matched", 5, 4, 5))
    many = stratum("b", 100_000, labelled("matched", 100_000, 0, 0))
    found = of_world([many, few, *(s for s in WORLD if s.domain not in "bc")])
    assert found.regions["c"][:3] == (4, 4, 4)
    assert found.regions["b"].high - found.regions["b"].low > 30_000


@pytest.mark.parametrize("name", sorted(WITH_LABELS))
def test_a_stratum_of_which_nothing_was_judged_is_like_the_one_of_which_most_was(name):
    more = [stratum("a", 1500, *WORLD[0].classes), *WORLD[1:]]
    found = of_world([*WORLD, stratum("a", 500)], name=name)
    assert figures(found) == figures(of_world(more, name=name))


def test_what_the_base_matches_is_correct_where_nobody_labelled_any_of_it():
    # As without labels, but the interval allows for any share: Jeffreys' prior, whose quantiles
    # are sin²(π/80) and its complement.
    blank = stratum("b", 300, labelled("matched", 300, 0, 0))
    found = of_world([WORLD[0], blank], corpus=False, draws=MANY)
    least = np.sin(np.pi / 80) ** 2
    assert found.regions["b"][:3] == pytest.approx((300, 300 * least, 300), rel=0.1)
    assert found.notes[0].startswith("No label in region b: what the base holds is taken to be cor")


def test_without_a_corpus_only_precision_is_known():
    found = of_world(WORLD, corpus=False)
    assert (found.recall, found.f1, found.regions["c"], found.regions["d"]) == (None,) * 4
    assert found.labels == (110, None)
    assert set(found.claims) == set(found.design_effects) == {"precision"}
    assert found.precision == of_world(WORLD).precision


@pytest.mark.parametrize("name", WITH_LABELS)
def test_a_region_without_labels_leaves_what_rests_on_it_without_figures(name):
    blank = stratum("d", 500, labelled("rejected", 100, 0, 0), labelled("accepted", 9, 0, 0))
    if name == "rogan-gladen":  # which calibrates by the labels of a
        blank = stratum("d", 500)
    found = of_world([*WORLD[:3], blank], name=name)
    assert found.precision.value is not None or name == "rogan-gladen"
    assert found.recall[:3] == found.f1[:3] == (None, None, None)
    assert found.regions["d"].value is None
    assert found.notes


@pytest.mark.parametrize("name", WITH_LABELS)
def test_empty_regions_hold_no_true_facts(name):
    found = of_world([stratum("a", 0), *WORLD[1:3]], name=name)
    assert found.regions["a"][:3] == found.regions["d"][:3] == (0, 0, 0)
    nothing = of_world([], name=name)
    assert [getattr(nothing, measure).value for measure in MEASURES] == [None] * 3


@pytest.mark.parametrize("name", WITH_LABELS)
def test_a_higher_level_is_a_wider_interval(name):
    levels = [of_world(WORLD, name=name, level=level) for level in (0.5, 0.9, 0.99)]
    for narrow, wide in pairwise(levels):
        for measure in MEASURES:
            low, high = getattr(narrow, measure)[1:3]
            assert getattr(wide, measure).low < low < high < getattr(wide, measure).high


@pytest.mark.parametrize("level", [0, 1])
def test_what_is_no_level_is_refused(level):
    with pytest.raises(ValueError, match="outside"):
        of_world(WORLD, level=level)


def test_what_does_not_fit_is_refused():
    with pytest.raises(ValueError, match="3 labels of 2 judged facts: accepted"):
        labelled("accepted", 2, 1, 3)
    with pytest.raises(ValueError, match="5 facts judged of 4: a"):
        stratum("a", 4, labelled("accepted", 5, 1, 3))


def test_an_estimate_is_json_without_numbers_that_json_lacks():
    for strata in (WORLD, WORLD[1:2], []):
        told = json.loads(json.dumps(of_world(strata).as_json(), allow_nan=False))
        assert set(told["regions"]) == set("abcd")
        assert set(told["claims"]) == set(MEASURES)
        assert told["estimator"] == "chain-rule"


def test_every_estimator_says_what_it_is():
    found = methods()
    assert set(WITH_LABELS) <= set(found)
    assert next(iter(WITH_LABELS)) == "chain-rule"
    for name in WITH_LABELS:
        for field in ("DESCRIPTION", "ASSUMPTIONS", "FORMULA", "SOURCE"):
            assert getattr(found[name], field)


def test_classes_of_a_useless_annotator_divide_the_prior_of_one_share():
    # As many true of each: every class has the prior of its size, and all together that of one.
    of = [stratum("a", 400, labelled("rejected", 300, 15, 60), labelled("accepted", 100, 5, 20))]
    found = chain_rule(Asked(of, draws=MANY, rng=np.random.default_rng(3)))
    one = [stratum("a", 400, labelled("all", 400, 20, 80))]
    whole = chain_rule(Asked(one, draws=MANY, rng=np.random.default_rng(4)))
    assert found.draws.std() == pytest.approx(whole.draws.std(), rel=0.03)
    assert found.draws.mean() == pytest.approx(whole.draws.mean(), rel=0.005)

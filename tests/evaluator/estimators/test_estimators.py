"""The census and the paper's estimator: exact at a census, honest about the rest."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from evaluator import estimators
from evaluator.estimators import Tally
from evaluator.estimators.census import census as census_of
from evaluator.estimators.paper import paper as paper_of
from evaluator.intervals import Drawing

MEASURES = ("precision", "recall", "f1")

ONE = Drawing(seed=1)


def tally(population, sampled, accepted=0, undefined=0, matched=0):
    return Tally(
        population=population,
        sampled=sampled,
        matched=matched,
        accepted=accepted,
        undefined=undefined,
    )


def census(drawing, *, outside_candidates=0, **counts):
    return census_of(drawing, outside_candidates=outside_candidates, **counts)


def paper(drawing, *, outside_candidates=0, **counts):
    return paper_of(drawing, outside_candidates=outside_candidates, **counts)


def values(estimate):
    return {name: getattr(estimate, name).value for name in MEASURES}


def figures(estimate):
    return [*estimate.regions.values(), *(getattr(estimate, name) for name in MEASURES)]


@st.composite
def tallies(draw, *, matched=False):
    parts = draw(st.tuples(*[st.integers(0, 20)] * 4))
    if not matched:
        parts = (0, *parts[1:])
    unsampled = draw(st.sampled_from([0, 1, 100, 10**7]))
    return tally(
        sum(parts) + unsampled, sum(parts), matched=parts[0], accepted=parts[1], undefined=parts[2]
    )


# The whole truth: S has 10 facts, 2 in D and 4 of the others accepted; G′ ∖ S has 3 facts in D and
# 27 others, 1 of them accepted. So P = 6/10, R = 6/(6 + 3 + 1), F = 12/(10 + 10).
def test_census_of_a_world_by_hand():
    estimate = census(ONE, b=2, c=3, system_rest=tally(8, 8, 4), candidate_rest=tally(27, 27, 1))
    assert {name: size.value for name, size in estimate.regions.items()} == {
        "a": 4, "b": 2, "c": 3, "d": 1,
    }  # fmt: skip
    assert values(estimate) == {"precision": 0.6, "recall": 0.6, "f1": 0.6}
    for figure in figures(estimate):
        assert figure.low == figure.value == figure.high
        assert figure.method == "census"
    assert estimate.facts == 10
    assert estimate.notes == ()


def test_paper_estimator_of_the_same_world():
    # G′ is the 30 facts outside S and S itself: 5 matched, 5 accepted.
    estimate = paper(
        ONE, system=tally(10, 10, 4, matched=2), candidates=tally(40, 40, 5, matched=5)
    )
    assert {name: size.value for name, size in estimate.regions.items()} == {
        "a": 4, "b": 2, "c": 3, "d": 1,
    }  # fmt: skip
    assert values(estimate) == {"precision": 0.6, "recall": 0.6, "f1": 0.6}
    assert all(figure.low == figure.value == figure.high for figure in figures(estimate))


def test_samples_are_expanded_to_their_strata():
    # a = 800 · 30/100 = 240, d = 10,000 · 5/200 = 250.
    estimate = census(
        ONE, b=60, c=50, system_rest=tally(800, 100, 30), candidate_rest=tally(10_000, 200, 5)
    )
    assert estimate.regions["a"].value == 240
    assert estimate.regions["d"].value == 250
    assert estimate.precision.value == 300 / 860
    assert estimate.recall.value == 300 / 600
    assert estimate.f1.value == 600 / 1460
    assert estimate.regions["b"][:3] == (60, 60, 60)
    assert estimate.regions["a"].method == "Jeffreys posterior, finite population"


# Bronzi et al. 2012, Tables 2 and 3: ReVerb and SONEX, from samples of 10,000 and 40,000 with the
# hits that the printed counts (in thousands) stand for.
@pytest.mark.parametrize(
    ("size", "a", "b", "c", "d", "printed"),
    [
        (2643, 77, 3, 41, 1944, {"recall": 3.9, "f1": 3.4}),
        (3288, 259, 4, 40, 1763, {"precision": 8.0, "f1": 9.8}),
    ],
)
def test_paper_estimator_gives_table_3_from_table_2(size, a, b, c, d, printed):
    hits = {"accepted": round(10_000 * a / size), "matched": round(10_000 * b / size)}
    hits_of_candidates = {
        "accepted": round(40_000 * (a + d) / 62_930),
        "matched": round(40_000 * (b + c) / 62_930),
    }
    estimate = paper(
        ONE,
        system=Tally(population=size * 1000, sampled=10_000, **hits),
        candidates=Tally(population=62_930_000, sampled=40_000, **hits_of_candidates),
    )
    for name, figure in printed.items():
        assert round(100 * getattr(estimate, name).value, 1) == figure
    for name, thousands in zip("abcd", (a, b, c, d), strict=True):
        assert estimate.regions[name].value == pytest.approx(thousands * 1000, abs=900)


# 10,000 facts are so small a part of S that the posterior of b is Beta(11.5, 9989.5) times |S|,
# and that of a nearly Beta(291.5, 9709.5) times |S|.
def test_paper_estimator_has_the_sampling_error_of_its_samples():
    estimate = paper(
        ONE,
        system=Tally(population=2_643_000, sampled=10_000, matched=11, accepted=291),
        candidates=Tally(population=62_930_000, sampled=40_000, matched=28, accepted=1285),
    )
    for name, hits in (("b", 11), ("a", 291)):
        low, high = stats.beta(hits + 0.5, 10_000 - hits + 0.5).interval(0.95)
        figure = estimate.regions[name]
        assert (figure.low / 2_643_000, figure.high / 2_643_000) == pytest.approx(
            (low, high), rel=0.02
        )


def test_paper_estimator_keeps_negative_differences_and_says_so():
    # b = 50 in S, but no match in the sample of G′; a = 50, but |G ∖ D| = 20.
    estimate = paper(ONE, system=tally(100, 10, 5, matched=5), candidates=tally(1000, 50, 1))
    assert estimate.regions["c"].value == -50
    assert estimate.regions["d"].value == -30
    assert estimate.recall.value == 100 / 20
    assert [note.split(" ")[0] for note in estimate.notes] == ["c", "d", "Recall"]


def test_undefined_facts_are_not_correct_and_bound_precision_and_recall():
    # Of S, 10 facts: 2 in D, 3 accepted, 4 undefined. Of the rest of G′: 5 accepted, 10 undefined.
    estimate = census(
        ONE, b=2, c=0, system_rest=tally(8, 8, 3, 4), candidate_rest=tally(40, 40, 5, 10)
    )
    assert estimate.precision.value == 5 / 10
    assert estimate.precision_bounds == (5 / 10, 9 / 10)
    # Least recall: the undefined of S false, those of G′ true; greatest: the other way round.
    assert estimate.recall.value == 5 / 10
    assert estimate.recall_bounds == (5 / 20, 9 / 14)
    assert estimate.undefined["system"].value == 4 / 8
    assert estimate.undefined["candidates"].value == 10 / 40


def test_undefined_facts_are_counted_apart_from_the_rejected_ones():
    # As above: of the 8 facts of S outside D 3 are accepted, 4 undefined, and only 1 is rejected.
    estimate = census(
        ONE, b=2, c=0, system_rest=tally(8, 8, 3, 4), candidate_rest=tally(40, 40, 5, 10)
    )
    assert estimate.undefined_facts["system"][:3] == (4, 4, 4)
    assert estimate.undefined_facts["candidates"].value == 10
    assert estimate.rejected[:3] == (1, 1, 1)
    # A quarter sampled: 32 facts outside D of which 12 are expected accepted, 16 undefined.
    sampled = census(ONE, b=2, c=0, system_rest=tally(32, 8, 3, 4), candidate_rest=tally(40, 40))
    for found, value in ((sampled.undefined_facts["system"], 16), (sampled.rejected, 4)):
        assert found.value == value
        assert found.low < value < found.high
    # The paper's sample of S, of which 1 is in D.
    by_paper = paper(ONE, system=tally(20, 10, 3, 4, matched=1), candidates=tally(50, 50, 8, 10))
    parts = (by_paper.regions["a"], by_paper.regions["b"], by_paper.undefined_facts["system"])
    assert [part.value for part in (*parts, by_paper.rejected)] == [6, 2, 8, 4]  # 20 together


def test_undefined_facts_bound_the_paper_estimator_too():
    # a + b = 5, with undefined 9, of 10; |G| = 10, with undefined 20.
    estimate = paper(
        ONE, system=tally(10, 10, 3, 4, matched=2), candidates=tally(50, 50, 8, 10, matched=2)
    )
    assert estimate.precision_bounds == (5 / 10, 9 / 10)
    assert estimate.recall_bounds == (5 / 20, 9 / 10)


def test_without_undefined_facts_the_bounds_are_the_value():
    estimate = census(ONE, b=2, c=3, system_rest=tally(80, 8, 4), candidate_rest=tally(270, 27, 1))
    assert estimate.precision_bounds == (estimate.precision.value,) * 2
    assert estimate.recall_bounds == (estimate.recall.value,) * 2


def test_a_system_without_facts_has_no_precision_and_recall_zero():
    for estimate in (
        census(ONE, b=0, c=3, system_rest=tally(0, 0), candidate_rest=tally(30, 30, 1)),
        paper(ONE, system=tally(0, 0), candidates=tally(30, 30, 1, matched=3)),
    ):
        assert values(estimate) == {"precision": None, "recall": 0, "f1": None}
        assert estimate.precision_bounds is None
        assert estimate.regions["a"][:3] == (0, 0, 0)


def test_nothing_accepted_anywhere_leaves_recall_without_a_denominator():
    for estimate in (
        census(ONE, b=0, c=0, system_rest=tally(50, 10), candidate_rest=tally(90, 30)),
        paper(ONE, system=tally(50, 10), candidates=tally(140, 40)),
    ):
        assert values(estimate) == {"precision": 0, "recall": None, "f1": None}
        assert estimate.precision.low == 0 < estimate.precision.high < 0.3
        assert estimate.recall_bounds is None


def test_a_stratum_without_a_sample_is_not_estimable():
    estimate = census(ONE, b=2, c=3, system_rest=tally(8, 8, 4), candidate_rest=tally(270, 0))
    assert estimate.regions["d"].value is None
    assert values(estimate) == {"precision": 0.6, "recall": None, "f1": None}
    assert estimate.recall_bounds is None
    assert estimate.undefined["candidates"].value is None
    assert "not estimable" in estimate.notes[0]


def test_facts_outside_the_candidates_are_noted():
    estimate = census(
        ONE,
        b=2,
        c=3,
        system_rest=tally(8, 8, 4),
        candidate_rest=tally(27, 27, 1),
        outside_candidates=5,
    )
    assert estimate.outside_candidates == 5
    assert estimate.notes[0].startswith("5 facts")


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 30), st.integers(0, 30), tallies(), tallies(), st.integers(0, 2**32))
def test_census_values_are_inside_their_intervals(b, c, system_rest, candidate_rest, seed):
    estimate = census(
        Drawing(draws=200, seed=seed),
        b=b,
        c=c,
        system_rest=system_rest,
        candidate_rest=candidate_rest,
    )
    for figure in (*figures(estimate), *estimate.undefined.values()):
        if figure.value is None:
            assert figure.low is figure.high is None
        else:
            assert 0 <= figure.low <= figure.value <= figure.high
    for name in MEASURES:
        assert (getattr(estimate, name).high or 0) <= 1
    for figure, bounds in (
        (estimate.precision, estimate.precision_bounds),
        (estimate.recall, estimate.recall_bounds),
    ):
        if bounds is not None:
            assert 0 <= bounds[0] <= figure.value <= bounds[1] <= 1


@settings(max_examples=60, deadline=None)
@given(tallies(matched=True), tallies(matched=True), st.integers(0, 2**32))
def test_paper_values_are_inside_their_intervals(system, candidates, seed):
    estimate = paper(Drawing(draws=200, seed=seed), system=system, candidates=candidates)
    for figure in figures(estimate):
        assert figure.value is None or figure.low <= figure.value <= figure.high


def test_the_seed_decides_the_intervals_and_nothing_else():
    def estimate(seed):
        return census(
            Drawing(seed=seed),
            b=2,
            c=3,
            system_rest=tally(800, 80, 40),
            candidate_rest=tally(2700, 90, 7),
        )

    assert estimate(1) == estimate(1)
    assert estimate(1) != estimate(2)
    assert values(estimate(1)) == values(estimate(2))


def test_precision_and_recall_go_through_the_same_draws():
    # d is known, so R rises and falls with a: the ends of P and R belong to the same draw of a.
    estimate = census(ONE, b=0, c=100, system_rest=tally(1000, 100, 30), candidate_rest=tally(0, 0))
    for end in ("low", "high"):
        a = 1000 * getattr(estimate.precision, end)
        assert getattr(estimate.recall, end) == pytest.approx(a / (a + 100), abs=1e-3)


# A world of 5,000 facts of S ∖ D and 50,000 of G′ ∖ (S ∪ D), 400 samples of it. The share of the
# intervals that hold the truth is itself uncertain by 1.1 % at 400.
@pytest.mark.statistical
def test_intervals_hold_the_truth_about_as_often_as_they_say():
    b, c, a, d = 100, 200, 400, 1500
    truth = {
        "a": a,
        "d": d,
        "precision": (a + b) / 5100,
        "recall": (a + b) / (a + b + c + d),
        "f1": 2 * (a + b) / (5100 + a + b + c + d),
    }
    rng = np.random.default_rng(2012)
    held = dict.fromkeys(truth, 0)
    for seed in range(400):
        estimate = census(
            Drawing(draws=1000, seed=seed),
            b=b,
            c=c,
            system_rest=tally(5000, 500, rng.hypergeometric(a, 5000 - a, 500)),
            candidate_rest=tally(50_000, 2000, rng.hypergeometric(d, 50_000 - d, 2000)),
        )
        for name, true in truth.items():
            figure = estimate.regions[name] if name in "ad" else getattr(estimate, name)
            held[name] += figure.low <= true <= figure.high
    assert all(0.917 < count / 400 < 0.983 for count in held.values()), held


@pytest.mark.parametrize(
    "counts",
    [
        {"population": 5, "sampled": 6},
        {"population": 5, "sampled": 4, "accepted": 5},
        {"population": 5, "sampled": 4, "accepted": 2, "undefined": 2, "matched": 1},
        {"population": 5, "sampled": 4, "accepted": -1},
    ],
)
def test_counts_that_do_not_fit_are_refused(counts):
    with pytest.raises(ValueError, match="do not fit"):
        Tally(**counts)


def test_matched_facts_outside_the_database_are_refused():
    with pytest.raises(ValueError, match="matched"):
        census(ONE, b=0, c=0, system_rest=tally(5, 5, matched=1), candidate_rest=tally(5, 5))


def test_an_estimate_is_a_json_object_without_nan():
    estimate = census(ONE, b=0, c=0, system_rest=tally(5, 0), candidate_rest=tally(5, 5))
    record = json.loads(json.dumps(estimate.as_json(), allow_nan=False))
    assert record["precision"]["value"] is None
    assert record["precision_bounds"] is None
    assert sorted(record["regions"]) == ["a", "b", "c", "d"]


def test_every_estimator_describes_itself():
    assert sorted(estimators.methods()) == sorted(["census", "paper", *estimators.WITH_LABELS])
    for module in estimators.methods().values():
        assert module.DESCRIPTION
        assert module.ASSUMPTIONS
        assert module.FORMULA
        assert module.SOURCE


# ----- facts without a corpus


@pytest.mark.parametrize("accepted", [0, 30, 100])
def test_without_a_corpus_precision_is_that_with_one(accepted):
    """What is read off S alone does not change; c, d, recall and F are not known."""
    of_system = tally(800, 100, accepted)
    estimate = census_of(ONE, b=60, system_rest=of_system)
    full = census(ONE, b=60, c=50, system_rest=of_system, candidate_rest=tally(10, 10))
    assert estimate.precision == full.precision
    assert estimate.precision_bounds == full.precision_bounds
    assert (estimate.regions["a"], estimate.regions["b"]) == (full.regions["a"], full.regions["b"])
    assert (estimate.regions["c"], estimate.regions["d"]) == (None, None)
    assert (estimate.recall, estimate.f1, estimate.recall_bounds) == (None, None, None)
    assert estimate.undefined["candidates"] is None
    assert estimate.undefined_facts["candidates"] is None
    assert estimate.rejected.value == full.rejected.value == 8 * (100 - accepted)
    assert "Recall needs the corpus" in " ".join(estimate.notes)


def test_the_paper_estimator_without_a_corpus():
    sampled = tally(1000, 100, 30, undefined=20, matched=10)
    estimate = paper_of(ONE, system=sampled)
    assert (estimate.regions["a"].value, estimate.regions["b"].value) == (300, 100)
    assert estimate.precision.value == 400 / 1000
    assert estimate.precision.low < 0.4 < estimate.precision.high
    assert estimate.precision_bounds == (0.4, 0.6)
    assert (estimate.recall, estimate.f1, estimate.regions["c"], estimate.regions["d"]) == (
        (None,) * 4
    )


def test_an_estimate_without_a_corpus_is_json():
    estimate = census_of(ONE, b=2, system_rest=tally(8, 8, 4)).as_json()
    assert json.loads(json.dumps(estimate, allow_nan=False)) == estimate
    assert estimate["recall"] is None
    assert estimate["precision"]["value"] == 0.6


def test_half_a_corpus_is_refused():
    with pytest.raises(ValueError, match="together or not at all"):
        census_of(ONE, b=1, c=1, system_rest=tally(1, 1))
    with pytest.raises(ValueError, match="together or not at all"):
        paper_of(ONE, system=tally(1, 1), candidates=tally(1, 1))

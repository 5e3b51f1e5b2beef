"""When a headline, an order of systems or a difference is withheld, and the reason."""

import pytest

from evaluator.comparison.two_systems import Comparison, Difference, PValue
from evaluator.comparison.withheld import (
    NO_LABELS,
    Basis,
    clear,
    difference,
    headline,
    headlines,
    order,
)
from evaluator.estimators import Tally
from evaluator.intervals import Estimate

ENOUGH = Basis(verdicts=30, open=20, undefined=10, extractions=100, out_of_scope=50)


def test_a_basis_of_a_census_and_of_the_papers_sample():
    # 12 facts in D; of 40 others 25 were judged: 8 accepted, 6 undefined, 11 rejected.
    rest = Tally(population=40, sampled=25, accepted=8, undefined=6)
    assert Basis.of(rest, in_database=12, in_scope=70, out_of_scope=5) == (31, 25, 6, 75, 5)
    # A sample of S itself: 5 of its 30 facts are in D.
    sample = Tally(population=52, sampled=30, matched=5, accepted=8, undefined=6)
    assert Basis.of(sample, in_database=0, in_scope=70, out_of_scope=5) == (24, 25, 6, 75, 5)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({}, None),
        ({"verdicts": 29}, "Only 29 of its facts have a verdict, fewer than 30."),
        ({"verdicts": 1}, "Only 1 of its facts has a verdict, fewer than 30."),
        ({"undefined": 11}, "11 of the 20 facts left to the text are undefined."),
        ({"out_of_scope": 51}, "51 of its 100 aligned extractions are out of scope."),
        ({"open": 0, "undefined": 0}, None),
        # The run that was called the best: six facts, all others undefined, 98 % out of scope.
        (
            {"verdicts": 6, "open": 9, "undefined": 9, "extractions": 750, "out_of_scope": 735},
            "Only 6 of its facts have a verdict, fewer than 30; 9 of the 9 facts left to the text "
            "are undefined; 735 of its 750 aligned extractions are out of scope.",
        ),
    ],
)
def test_a_headline_without_labels(changes, reason):
    assert headline(ENOUGH._replace(**changes)) == reason


@pytest.mark.parametrize(
    ("claim", "changes", "reason"),
    [
        ("nominal", {"verdicts": 3, "undefined": 20}, None),
        ("at least", {}, None),
        ("by assumption", {}, None),
        ("few labels", {}, "The labels are too few for the interval to claim anything."),
        ("nominal", {"out_of_scope": 98}, "98 of its 100 aligned extractions are out of scope."),
    ],
)
def test_labels_mend_what_is_the_annotators_and_not_what_is_out_of_scope(claim, changes, reason):
    assert headline(ENOUGH._replace(**changes), claim=claim) == reason


def test_facts_given_without_a_corpus_are_not_called_aligned():
    reason = headline(ENOUGH._replace(out_of_scope=51), corpus=False)
    assert reason == "51 of its 100 given facts are out of scope."


def test_each_measure_has_its_own_reason():
    claims = {"precision": "nominal", "recall": "few labels", "f1": "nominal"}
    told = headlines(ENOUGH, {"precision": 0.4, "recall": 0.2, "f1": None}, claims=claims)
    assert told == {
        "precision": None,
        "recall": "The labels are too few for the interval to claim anything.",
        "f1": "It is not estimable.",
    }


@pytest.mark.parametrize(
    ("claims", "told"),
    [
        (None, NO_LABELS),
        (["nominal", "at least"], None),
        (["nominal", "few labels", "by assumption"], "too few"),
        (["nominal", "by assumption"], "assumptions"),
    ],
)
def test_a_difference_claims_what_all_that_it_rests_on_claim(claims, told):
    reason = difference(claims)
    assert reason is None if told is None else told in reason


def differing(value, low, high, *, holm=0.01, withheld=None):
    estimate = Estimate(value, low, high, "joint", 0.95, 100)
    return Difference(0.5, 0.4, estimate, {"posterior": PValue(0.01, holm)}, withheld)


@pytest.mark.parametrize(
    ("found", "is_clear"),
    [
        (differing(0.1, 0.01, 0.2), True),
        (differing(-0.1, -0.2, -0.01), True),
        (differing(0.1, 0.0, 0.2), False),
        (differing(0.1, 0.01, 0.2, holm=0.06), False),
        (differing(0.1, 0.01, 0.2, holm=None), False),
        (differing(0.1, 0.01, 0.2, withheld="The labels are too few."), False),
        (differing(None, None, None, holm=None), False),
    ],
)
def test_a_difference_is_clear_where_its_interval_and_its_tests_say_so(found, is_clear):
    assert clear(found) is is_clear


def compared(**unclear):
    """A beside B, C; B beside C; all differences clear but those that are given."""
    return [
        Comparison(*pair, 0, 0, 0, {"f1": unclear.get(pair, differing(0.1, 0.05, 0.2))})
        for pair in ("AB", "AC", "BC")
    ]


FIGURES = {"A": 0.5, "B": 0.4, "C": 0.3}
FIT = dict.fromkeys(FIGURES)


def test_no_order_without_labels_and_none_of_one_system():
    assert order(FIGURES, by="f1", withheld=FIT) == ("f1", None, NO_LABELS)
    assert order({"A": 0.5}, by="f1", withheld={"A": None}) is None


def test_the_best_is_the_one_that_is_clearly_better_than_every_other():
    held = differing(0.0, -0.1, 0.1)
    assert order(FIGURES, by="f1", withheld=FIT, pairs=compared()) == ("f1", "A", None)
    # Who comes after it does not matter.
    assert order(FIGURES, by="f1", withheld=FIT, pairs=compared(BC=held)).first == "A"
    told = order(FIGURES, by="f1", withheld=FIT, pairs=compared(AC=held))
    assert told == ("f1", None, "By F, A cannot be told from C.")
    few = differing(0.1, 0.05, 0.2, withheld="The labels are too few.")
    told = order(FIGURES, by="f1", withheld=FIT, pairs=compared(AB=few))
    assert told.withheld == "By F, A cannot be told from B. The labels are too few."


def test_no_order_over_a_figure_that_may_not_lead():
    withheld = {"A": None, "B": "Too few.", "C": "Too few."}
    told = order(FIGURES, by="f1", withheld=withheld, pairs=compared())
    assert told == ("f1", None, "B, C: Too few.")

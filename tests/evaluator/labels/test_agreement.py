"""Agreement between raters: the arithmetic of Table 1 of Bronzi et al. 2012, and hand counts."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluator.intervals import wilson
from evaluator.labels.agreement import (
    Votes,
    average_pairwise_agreement,
    compare,
    consensus,
    joint_agreement,
    majority,
    pairwise_agreement,
    unanimous,
    votes,
)
from tests.evaluator.paper_table import TABLE_1, paper_ratings


@pytest.fixture
def ratings():
    return paper_ratings()


def test_table_1(ratings):
    ratings["H12"] = consensus(ratings, "H1", "H2")
    agreements = {(p.rater1, p.rater2): p for p in pairwise_agreement(ratings)}
    printed = {pair: round(100 * agreements[pair].agreement, 1) for pair in TABLE_1}
    assert printed == TABLE_1
    assert agreements["A", "H0"].items == 558
    assert agreements["A", "H12"].items == 295 + 93 + 15 + 45
    assert agreements["A", "H0"].interval == wilson(401, 558)


def test_the_two_by_two_table_names_the_first_rater_first():
    one = {"p": True, "q": True, "s": False, "t": False, "u": False, "w": True}
    other = {"p": True, "q": False, "s": True, "t": False, "v": True, "w": False}
    (pair,) = pairwise_agreement({"one": one, "other": other})
    assert pair[:6] == ("one", "other", 1, 2, 1, 1)
    assert pair.agreement == 2 / 5
    assert pair.shares_of_true == (3 / 5, 2 / 5)
    assert compare("other", other, "one", one)[:6] == ("other", "one", 1, 1, 2, 1)


def test_pairs_do_not_depend_on_the_order_of_raters_and_items(ratings):
    backwards = {
        rater: dict(reversed(judged.items())) for rater, judged in reversed(ratings.items())
    }
    assert pairwise_agreement(backwards) == pairwise_agreement(ratings)
    assert joint_agreement(backwards) == joint_agreement(ratings)


def test_raters_without_a_common_item_are_no_pair():
    assert pairwise_agreement({"one": {"p": True}, "other": {"q": True}}) == []


@settings(deadline=None)
@given(st.dictionaries(st.integers(0, 20), st.booleans(), min_size=1))
def test_a_rater_agrees_with_itself_and_never_with_its_opposite(judged):
    opposite = {item: not judgement for item, judgement in judged.items()}
    pairs = pairwise_agreement({"a": judged, "b": judged, "c": opposite})
    assert [pair.agreement for pair in pairs] == [1, 0, 0]


def test_consensus_leaves_out_what_the_raters_do_not_share():
    one = {"p": True, "q": True, "s": False, "t": True}
    other = {"p": True, "q": False, "s": False, "u": True}
    third = {"p": True, "s": True}
    raters = {"one": one, "other": other, "third": third}
    assert consensus(raters, "one", "other") == {"p": True, "s": False}
    assert consensus(raters, "one", "other", "third") == {"p": True}


def test_votes_their_majority_and_who_all_agree():
    counts = votes(
        {
            "one": {"p": True, "q": False, "s": True, "t": True},
            "two": {"p": True, "q": False, "s": False},
            "three": {"p": False},
        }
    )
    assert counts == {"p": Votes(2, 1), "q": Votes(0, 2), "s": Votes(1, 1), "t": Votes(1, 0)}
    assert majority(counts) == {"p": True, "q": False, "t": True}
    assert unanimous(counts) == {"q": False}  # one rater alone agrees with nobody


# Three raters on p say true, true, false: 1 of 3 pairs agrees. Two raters agree on q. Only one
# judged s, which says nothing. The mean of 1/3 and 1 is 2/3, over two items.
def test_average_pairwise_agreement_by_hand():
    raters = {
        "one": {"p": True, "q": False},
        "two": {"p": True, "q": False},
        "three": {"p": False, "s": True},
    }
    estimate = average_pairwise_agreement(raters)
    assert estimate.value == pytest.approx(2 / 3)
    assert estimate.n == 2
    together = joint_agreement(raters)
    assert (together.raters, together.items, together.mean) == (3, 2, estimate)


def test_average_of_two_raters_is_their_agreement(ratings):
    two = {rater: ratings[rater] for rater in ("H1", "H2")}
    assert average_pairwise_agreement(two) == pairwise_agreement(two)[0].interval


@pytest.mark.parametrize("raters", [{}, {"one": {"p": True}}])
def test_no_item_with_two_raters_gives_no_figure(raters):
    together = joint_agreement(raters)
    assert together.mean.value is None
    assert [of.value for of in together.coefficients] == [None] * 3
    assert {of.reason for of in together.coefficients} == {"no item that two raters judged"}


def test_a_pair_is_a_json_object(ratings):
    record = json.loads(json.dumps(pairwise_agreement(ratings)[0].as_json()))
    assert (record["rater1"], record["rater2"], record["items"]) == ("A", "H0", 558)
    assert record["agreement"]["value"] == 401 / 558
    assert record["kappa"]["low"] < record["kappa"]["value"] < record["kappa"]["high"]

"""Agreement between raters: the arithmetic of Table 1 of Bronzi et al. 2012, and hand counts."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluator.agreement import average_pairwise_agreement, consensus, pairwise_agreement
from evaluator.intervals import wilson

# 558 facts in blocks on which the raters' judgements are alike, with sizes solved by hand so that
# all seven agreements come out as printed. H1 differs from H0 on 107 facts and H2 on 123, both of
# them on the same 60.
BLOCKS = [
    # facts, H0, H1, H2, A
    (295, True, True, True, True),
    (93, True, True, True, False),
    (15, True, False, False, True),
    (45, True, False, False, False),
    (47, True, False, True, True),
    (44, True, True, False, True),
    (19, True, True, False, False),
]

# Table 1. (H12 and A are compared on the facts where H1 and H2 agree.)
TABLE_1 = {
    ("H0", "H1"): 80.8,
    ("H1", "H2"): 80.3,
    ("H0", "H2"): 78.0,
    ("A", "H0"): 71.9,
    ("A", "H1"): 68.8,
    ("A", "H2"): 72.8,
    ("A", "H12"): 75.9,
}


@pytest.fixture
def ratings():
    table = {"H0": {}, "H1": {}, "H2": {}, "A": {}}
    fact = 0
    for count, *judgements in BLOCKS:
        for _ in range(count):
            for rater, judgement in zip(table, judgements, strict=True):
                table[rater][fact] = judgement
            fact += 1
    return table


def test_table_1(ratings):
    ratings["H12"] = consensus(ratings, "H1", "H2")
    agreements = {(p.rater1, p.rater2): p for p in pairwise_agreement(ratings)}
    printed = {pair: round(100 * agreements[pair].agreement, 1) for pair in TABLE_1}
    assert printed == TABLE_1
    assert agreements["A", "H0"].items == 558
    assert agreements["A", "H12"].items == 295 + 93 + 15 + 45
    assert agreements["A", "H0"].interval == wilson(401, 558)


def test_the_two_by_two_table_names_the_first_rater_first():
    one = {"p": True, "q": True, "s": False, "t": False, "u": False}
    other = {"p": True, "q": False, "s": True, "t": False, "v": True}
    (pair,) = pairwise_agreement({"one": one, "other": other})
    assert pair[:6] == ("one", "other", 1, 1, 1, 1)
    assert pair.agreement == 2 / 4


def test_pairs_do_not_depend_on_the_order_of_raters_and_items(ratings):
    backwards = {
        rater: dict(reversed(judged.items())) for rater, judged in reversed(ratings.items())
    }
    assert pairwise_agreement(backwards) == pairwise_agreement(ratings)


def test_raters_without_a_common_item_have_no_agreement():
    (pair,) = pairwise_agreement({"one": {"p": True}, "other": {"q": True}})
    assert pair.items == 0
    assert (pair.agreement, pair.kappa, pair.ac1) == (None, None, None)


# Of 100 facts both say true on 20, both false on 50, one-only on 5 and other-only on 25. Chance
# agreement is .25·.45 + .75·.55 = .525 for κ; the mean share of true is .35, so 2·.35·.65 = .455
# for AC1.
def test_kappa_and_ac1_by_hand():
    cells = [(True, True)] * 20 + [(True, False)] * 5 + [(False, True)] * 25
    cells += [(False, False)] * 50
    (pair,) = pairwise_agreement(
        {
            "one": {item: one for item, (one, _) in enumerate(cells)},
            "other": {item: other for item, (_, other) in enumerate(cells)},
        }
    )
    assert pair.agreement == 0.7
    assert pair.kappa == pytest.approx((0.7 - 0.525) / (1 - 0.525))
    assert pair.ac1 == pytest.approx((0.7 - 0.455) / (1 - 0.455))


def test_always_false_agrees_on_97_in_100_and_kappa_sees_it():
    truth = {item: item < 3 for item in range(100)}
    (pair,) = pairwise_agreement({"always false": dict.fromkeys(truth, False), "truth": truth})
    assert pair.agreement == 0.97
    assert pair.kappa == 0


def test_raters_who_always_say_the_same_have_no_kappa():
    (pair,) = pairwise_agreement({"one": {"p": True}, "other": {"p": True}})
    assert pair.agreement == 1
    assert pair.kappa is None
    assert pair.ac1 == 1


@settings(deadline=None)
@given(st.dictionaries(st.integers(0, 20), st.booleans(), min_size=1))
def test_a_rater_agrees_with_itself_and_never_with_its_opposite(judged):
    opposite = {item: not judgement for item, judgement in judged.items()}
    pairs = pairwise_agreement({"a": judged, "b": judged, "c": opposite})
    assert [pair.agreement for pair in pairs] == [1, 0, 0]


def test_consensus_leaves_out_what_the_raters_do_not_share():
    one = {"p": True, "q": True, "s": False, "t": True}
    other = {"p": True, "q": False, "s": False, "u": True}
    assert consensus({"one": one, "other": other}, "one", "other") == {"p": True, "s": False}


# Three raters on p say true, true, false: 1 of 3 pairs agrees. Two raters agree on q. Only one
# judged s, which says nothing. The mean of 1/3 and 1 is 2/3, over two items.
def test_average_pairwise_agreement_by_hand():
    estimate = average_pairwise_agreement(
        {
            "one": {"p": True, "q": False},
            "two": {"p": True, "q": False},
            "three": {"p": False, "s": True},
        }
    )
    assert estimate.value == pytest.approx(2 / 3)
    assert estimate.n == 2


def test_average_of_two_raters_is_their_agreement(ratings):
    two = {rater: ratings[rater] for rater in ("H1", "H2")}
    assert average_pairwise_agreement(two) == pairwise_agreement(two)[0].interval


def test_no_item_with_two_raters_gives_no_figure():
    assert average_pairwise_agreement({"one": {"p": True}}).value is None


def test_a_pair_is_a_json_object(ratings):
    record = json.loads(json.dumps(pairwise_agreement(ratings)[0].as_json()))
    assert (record["rater1"], record["rater2"], record["items"]) == ("A", "H0", 558)
    assert record["agreement"]["value"] == 401 / 558

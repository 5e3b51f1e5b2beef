"""What raters say together: votes and EM counted by hand, and raters whose errors are known."""

from fractions import Fraction
from itertools import product
from math import log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluator.errors import ConfigurationError
from evaluator.labels.dawid_skene import PRIOR, dawid_skene
from evaluator.labels.label import Label, ratings
from evaluator.labels.raters import JointJudgement, combine, disputes, undecided

# What a rater may say of a fact, as label, stated and link_wrong.
WORDS = {"t": (True, False), "f": (False, False), "w": (False, True)}
STATED = {"y": True, "n": False, "-": None}


def fact(name):
    return ("O", "v", name)


def said(**facts):
    """Return labels from ``p="ty fn"``: of p, H0 says true and stated, H1 false and not stated.

    The rater called "adjudicator" speaks after a slash.
    """
    labels = []
    for name, words in facts.items():
        people, _, adjudicator = words.partition("/")
        raters = [(f"H{n}", word) for n, word in enumerate(people.split())]
        raters += [("adjudicator", word) for word in adjudicator.split()]
        for rater, (word, stated) in raters:
            label, link_wrong = WORDS[word]
            labels.append(Label(*fact(name), label, rater, STATED[stated], link_wrong))
    return labels


def test_the_majority_decides_each_question_and_a_tie_is_one_half():
    together = combine(
        said(p="ty ty fn", q="f- fn ty", tie="ty fn", unasked="t- t-"), method="majority"
    )
    assert together == {
        fact("p"): JointJudgement(1, 3, 1, 0),
        fact("q"): JointJudgement(0, 3, 0.5, 0),
        fact("tie"): JointJudgement(0.5, 2, 0.5, 0),
        fact("unasked"): JointJudgement(1, 2, None, 0),
    }


def test_wrong_links_take_their_part_of_what_is_not_true():
    together = combine(said(p="w- f- t-", q="w- t-", r="w- w-", s="t- t- w-"), method="majority")
    assert {item[2]: (found.true, found.link_wrong) for item, found in together.items()} == {
        "p": (0, 0.5),  # of the two who say that it is not true, one says why
        "q": (0.5, 0.5),
        "r": (0, 1),
        "s": (1, 0),
    }


def test_the_adjudicator_decides_and_what_nobody_decided_is_left_out():
    labels = said(
        agreed="ty ty",
        decided="ty fn/fn",
        overruled="ty ty/w-",
        open="ty fn",
        stated_open="ty tn",
        stated_decided="ty tn/ty",
        stated_left="ty ty tn/f-",
        outvoted="ty ty fy",
    )
    assert combine(labels, method="adjudicated") == {
        fact("agreed"): JointJudgement(1, 2, 1, 0),
        fact("decided"): JointJudgement(0, 3, 0, 0),
        fact("overruled"): JointJudgement(0, 3, 1, 1),
        fact("stated_open"): JointJudgement(1, 2, None, 0),
        fact("stated_decided"): JointJudgement(1, 3, 1, 0),
        fact("stated_left"): JointJudgement(0, 4, None, 0),
    }
    assert undecided(labels) == [fact("open"), fact("outvoted")]


def test_raters_dispute_a_label_a_link_or_what_is_stated():
    labels = said(
        same="ty ty", label="ty fy", link="fy wy", stated="ty tn", silent="ty t-", one="ty/fn"
    )
    assert disputes(labels) == [fact("label"), fact("link"), fact("stated")]


def test_an_unknown_way_to_combine_is_refused():
    with pytest.raises(ConfigurationError, match="majority, adjudicated, dawid-skene"):
        combine(said(p="ty"), method="mean")


# Three raters, four facts: A and B always agree, C differs on q and s.
FOUR = {
    "A": {"p": True, "q": True, "r": False, "s": False},
    "B": {"p": True, "q": True, "r": False, "s": False},
    "C": {"p": True, "q": False, "r": False, "s": True},
}


def test_the_first_step_of_dawid_skene_is_the_one_counted_by_hand():
    # At the start p is true with probability 1, q 2/3, r 0, s 1/3: two true facts, two false.
    # Of the true ones A calls 1 + 2/3 true, of the false ones 1/3; C calls 1 + 1/3 and 2/3 true.
    # With half an answer of either kind beforehand:
    se_a, fp_a = Fraction(5, 3) + Fraction(1, 2), Fraction(1, 3) + Fraction(1, 2)
    se_c, fp_c = Fraction(4, 3) + Fraction(1, 2), Fraction(2, 3) + Fraction(1, 2)
    se_a, fp_a, se_c, fp_c = (share / 3 for share in (se_a, fp_a, se_c, fp_c))
    assert (se_a, fp_a, se_c, fp_c) == tuple(Fraction(n, 18) for n in (13, 5, 11, 7))
    # Half of the facts are true: the odds of a fact are those of its votes.
    p = Fraction(13, 5) ** 2 * Fraction(11, 7)
    q = Fraction(13, 5) ** 2 * Fraction(7, 11)
    expected = {"p": p / (1 + p), "q": q / (1 + q), "r": 1 / (1 + p), "s": 1 / (1 + q)}
    step = dawid_skene(FOUR, most_steps=1)
    assert not step.converged
    assert step.posterior == pytest.approx({k: float(v) for k, v in expected.items()}, rel=1e-12)
    # What is true now sums to 2 again, and A called p and q true.
    sensitivity = (expected["p"] + expected["q"] + Fraction(1, 2)) / 3
    assert step.raters["A"].sensitivity == pytest.approx(float(sensitivity), rel=1e-12)
    assert step.raters["A"].specificity == pytest.approx(float(sensitivity), rel=1e-12)
    assert step.raters["A"].labels == 4
    assert step.prevalence == pytest.approx(0.5, rel=1e-12)


def simulated(*, seed, facts, prevalence, raters, share=1.0):
    """Draw facts, and raters with a sensitivity and specificity who label a share of them."""
    rng = np.random.default_rng(seed)
    true = rng.random(facts) < prevalence
    table = {}
    for name, (sensitivity, specificity) in raters.items():
        yes = rng.random(facts) < np.where(true, sensitivity, 1 - specificity)
        seen = np.flatnonzero(rng.random(facts) < share)
        table[name] = {int(i): bool(yes[i]) for i in seen}
    return true, table


RATERS = {"careful": (0.95, 0.97), "strict": (0.6, 0.98), "lenient": (0.9, 0.7), "poor": (0.7, 0.7)}


@pytest.mark.parametrize(("prevalence", "share"), [(0.5, 1), (0.2, 1), (0.3, 0.7)])
def test_dawid_skene_finds_the_error_rates_that_raters_have(prevalence, share):
    true, table = simulated(seed=5, facts=8000, prevalence=prevalence, raters=RATERS, share=share)
    found = dawid_skene(table)
    assert found.converged
    assert found.prevalence == pytest.approx(true.mean(), abs=0.03)
    for name, (sensitivity, specificity) in RATERS.items():
        assert found.raters[name].sensitivity == pytest.approx(sensitivity, abs=0.05)
        assert found.raters[name].specificity == pytest.approx(specificity, abs=0.03)
        assert found.raters[name].labels == len(table[name])


def test_its_probabilities_are_those_of_being_true():
    true, table = simulated(seed=6, facts=8000, prevalence=0.3, raters=RATERS)
    posterior = dawid_skene(table).posterior
    for low, high in ((0, 0.1), (0.1, 0.5), (0.5, 0.9), (0.9, 1)):
        held = [item for item, share in posterior.items() if low <= share <= high]
        expected = np.mean([posterior[item] for item in held])
        assert true[held].mean() == pytest.approx(expected, abs=3 / np.sqrt(len(held)))


def test_it_is_right_more_often_than_the_majority_where_raters_differ():
    raters = {"good": (0.97, 0.97), "poor": (0.6, 0.6), "poor too": (0.6, 0.65)}
    true, table = simulated(seed=7, facts=3000, prevalence=0.4, raters=raters)
    by_model = dawid_skene(table).posterior
    votes = {i: sum(judged[i] for judged in table.values()) for i in by_model}
    right = sum((by_model[i] > 0.5) == true[i] for i in by_model)
    right_by_majority = sum((votes[i] > 1) == true[i] for i in by_model)
    assert right > right_by_majority + 300


def log_posterior(table, prevalence, qualities):
    """Sum over both truths of every fact, by the definition of the model; PRIOR counts added."""
    total = PRIOR * (log(prevalence) + log(1 - prevalence))
    for shares in qualities.values():
        total += PRIOR * sum(log(share) + log(1 - share) for share in shares)
    for item in {item for judged in table.values() for item in judged}:
        true, false = prevalence, 1 - prevalence
        for rater, judged in table.items():
            if item in judged:
                sensitivity, specificity = qualities[rater]
                true *= sensitivity if judged[item] else 1 - sensitivity
                false *= 1 - specificity if judged[item] else specificity
        total += log(true + false)
    return total


def test_where_it_stops_no_small_change_is_more_likely():
    _, table = simulated(seed=8, facts=60, prevalence=0.4, raters=RATERS)
    found = dawid_skene(table)
    qualities = {name: quality[:2] for name, quality in found.raters.items()}
    best = log_posterior(table, found.prevalence, qualities)
    for sign in (-0.003, 0.003):
        assert log_posterior(table, found.prevalence + sign, qualities) < best
        for name, which in product(qualities, (0, 1)):
            shares = list(qualities[name])
            shares[which] += sign
            assert log_posterior(table, found.prevalence, qualities | {name: shares}) < best


votes = st.dictionaries(st.integers(0, 6), st.booleans(), min_size=1)


@settings(deadline=None, max_examples=12)
@given(st.dictionaries(st.sampled_from("ABCDE"), votes, min_size=3))
def test_no_rater_does_worse_than_chance_whatever_the_labels(table):
    if len({i for judged in table.values() for i in judged}) == sum(map(len, table.values())):
        return  # no fact has two raters
    found = dawid_skene(table)
    for sensitivity, specificity, _ in found.raters.values():
        assert sensitivity + specificity >= 1 - 1e-9
    assert all(0 <= share <= 1 for share in found.posterior.values())


def test_the_order_of_raters_and_facts_does_not_matter():
    _, table = simulated(seed=10, facts=300, prevalence=0.3, raters=RATERS, share=0.7)
    turned = {name: dict(reversed(judged.items())) for name, judged in reversed(table.items())}
    assert list(turned) != list(table)
    assert dawid_skene(turned) == dawid_skene(table)


def test_true_and_false_do_not_change_places():
    # Two raters who contradict everybody, and many true facts: the start is far off.
    raters = {"good": (0.9, 0.9), "fair": (0.8, 0.8), "turned": (0.1, 0.1), "too": (0.8, 0.7)}
    true, table = simulated(seed=9, facts=4000, prevalence=0.8, raters=raters)
    found = dawid_skene(table)
    assert np.corrcoef(true, [found.posterior[i] for i in range(true.size)])[0, 1] > 0.5
    turned = found.raters["turned"]
    assert turned.sensitivity + turned.specificity == pytest.approx(1, abs=1e-6)


def test_too_few_raters_are_refused_with_what_to_do():
    with pytest.raises(ConfigurationError, match=r"3 raters or more.*2 \(H0, H1\).*majority"):
        combine(said(p="ty fn", q="ty ty"), method="dawid-skene")
    with pytest.raises(ConfigurationError, match="two raters labelled"):
        dawid_skene({"A": {"p": True}, "B": {"q": True}, "C": {"r": False}})


def test_combined_by_the_model_each_question_has_its_own_probabilities():
    labels = said(p="ty ty ty", q="ty tn fn", r="fn wn fy", s="tn fn w-", t="f- f- t-")
    together = combine(labels, method="dawid-skene")
    true = dawid_skene(ratings(labels)).posterior
    asked = [x for x in labels if x.stated is not None]
    stated = dawid_skene(ratings(x._replace(label=x.stated) for x in asked)).posterior
    assert {item: found.true for item, found in together.items()} == true
    assert {i: found.stated for i, found in together.items()} == {**stated, fact("t"): None}
    assert together[fact("r")].link_wrong == pytest.approx((1 - true[fact("r")]) / 3)
    assert together[fact("s")].link_wrong == pytest.approx((1 - true[fact("s")]) / 2)
    # A question that fewer than three answered goes by majority.
    fewer = [x._replace(stated=None) if x.rater == "H2" else x for x in labels]
    assert combine(fewer, method="dawid-skene")[fact("q")].stated == 0.5

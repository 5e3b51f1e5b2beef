"""URNS: the posterior by other ways of computing it, and parameters that are recovered."""

import numpy as np
import pytest
from scipy.stats import betabinom

from evaluator.annotators import Urns
from evaluator.annotators.evidence import COUNTS, Evidence
from evaluator.annotators.urns import Urn
from evaluator.errors import ConfigurationError

PROXIMITY = Urn(true=0.3, false=0.05, strength=20)
ANCHORED = Urn(true=0.8, false=0.1, strength=10)


def model(**urns):
    return Urns(prior=0.4, urns=urns, facts=1, gain=0)


def evidence(proximity, pair, anchored=0, topic=0):
    columns = np.broadcast_arrays(pair, pair, proximity, topic, anchored)
    return Evidence.of(np.stack(columns, axis=1), documents=1000)


def drawn(rng, facts, *, prior, proximity, anchored):
    """Evidence drawn from the model, and what is true."""
    true = rng.random(facts) < prior
    of = rng.geometric([[0.15], [0.6]], size=(2, facts)) - [[0], [1]]
    mean, strength = (
        np.array([np.where(true, urn.true, urn.false) for urn in (proximity, anchored)]),
        np.array([[urn.strength] for urn in (proximity, anchored)]),
    )
    hits = rng.binomial(of, rng.beta(mean * strength, (1 - mean) * strength))
    return evidence(hits[0], of[0], hits[1], of[1]), true


def test_posterior_is_bayes_rule_with_beta_binomial_probabilities():
    k, n, anchored, topic = (3, 8, 1, 2)
    odds = 0.4 / 0.6
    for (hits, of), urn in zip([(k, n), (anchored, topic)], (PROXIMITY, ANCHORED), strict=True):
        true, false = (
            betabinom.pmf(hits, of, mean * urn.strength, (1 - mean) * urn.strength)
            for mean in urn[:2]
        )
        odds *= true / false
    score = model(proximity=PROXIMITY, anchored=ANCHORED).score(evidence([k], n, anchored, topic))
    assert score == pytest.approx([odds / (1 + odds)])


def test_rates_that_do_not_vary_give_the_papers_equation_1():
    # 40 labels of C with r/s = 0.3, 60 of E with r/s = 0.05, summed as the paper writes it.
    k, n = np.arange(7), 6
    targets, errors = ([rate] * size for rate, size in ((0.3, 40), (0.05, 60)))
    likely = [sum(r**k * (1 - r) ** (n - k) for r in labels) for labels in (targets, errors)]
    steady = model(proximity=Urn(true=0.3, false=0.05, strength=1e7))
    assert steady.score(evidence(k, n)) == pytest.approx(likely[0] / sum(likely), rel=1e-4)


@pytest.mark.parametrize("strength", [2, 20, 200])
def test_more_hits_of_as_many_documents_are_more_probable(strength):
    urn = Urn(true=0.02, false=0.01, strength=strength)
    assert (np.diff(model(proximity=urn).score(evidence(np.arange(301), 300))) > 0).all()


def test_parameters_are_recovered_from_facts_without_labels():
    rng = np.random.default_rng(1)
    facts, true = drawn(rng, 20_000, prior=0.4, proximity=PROXIMITY, anchored=ANCHORED)
    fitted = Urns.fit(facts)
    assert fitted.tells_apart
    assert fitted.prior == pytest.approx(0.4, abs=0.03)
    for name, urn in (("proximity", PROXIMITY), ("anchored", ANCHORED)):
        assert fitted.urns[name][:2] == pytest.approx(urn[:2], abs=0.03)
        assert fitted.urns[name].strength == pytest.approx(urn.strength, rel=0.3)
    # So its probabilities are those of the model that the facts are from, and what they say.
    score = fitted.score(facts)
    ideal = model(proximity=PROXIMITY, anchored=ANCHORED).score(facts)
    assert abs(score - ideal).mean() < 0.02
    for called in (score < 0.2, (score >= 0.2) & (score < 0.8), score >= 0.8):
        assert true[called].mean() == pytest.approx(score[called].mean(), abs=0.03)


def test_order_does_not_matter():
    rng = np.random.default_rng(2)
    facts, _ = drawn(rng, 200, prior=0.3, proximity=PROXIMITY, anchored=ANCHORED)
    fitted = Urns.fit(facts)
    assert Urns.fit(facts.take(rng.permutation(200))) == fitted
    # Nor whether equal facts are given one by one or counted.
    counts = [getattr(facts, name) for name in COUNTS]
    rows, number = np.unique(np.stack(counts, axis=1), axis=0, return_counts=True)
    assert Urns.fit(Evidence.of(rows, documents=1000), facts=number) == fitted


def test_facts_of_one_kind_are_not_told_apart():
    alike = Urn(true=0.2, false=0.2, strength=10)
    facts, _ = drawn(np.random.default_rng(3), 500, prior=0.5, proximity=alike, anchored=alike)
    assert not Urns.fit(facts).tells_apart


def test_without_documents_a_fact_is_undefined():
    both, one = model(proximity=PROXIMITY, anchored=ANCHORED), model(proximity=PROXIMITY)
    # Without any document, with the topic's only, with a pair only.
    facts = evidence([0, 0, 1], [0, 0, 2], [0, 1, 0], [0, 1, 0])
    assert np.isnan(both.score(facts)).tolist() == [True, False, False]
    assert np.isnan(one.score(facts)).tolist() == [True, True, False]
    negated = Evidence.of([(2, 2, 2, 0, 0)], documents=9, defined=[False])
    assert np.isnan(one.score(negated)).all()


def test_an_urn_with_few_facts_is_left_out():
    facts, _ = drawn(
        np.random.default_rng(4), 100, prior=0.3, proximity=PROXIMITY, anchored=ANCHORED
    )
    no_topics = Evidence.of(
        np.stack([facts.pair, facts.classic, facts.proximity, *[0 * facts.pair] * 2], axis=1),
        documents=9,
    )
    assert set(Urns.fit(facts).urns) == {"proximity", "anchored"}
    assert set(Urns.fit(no_topics).urns) == {"proximity"}


@pytest.mark.parametrize(
    ("proximity", "pair"), [([1] * 10 + [0] * 9, 1), ([0] * 50, 3), ([3] * 50, 3), ([0] * 50, 0)]
)
def test_what_cannot_be_fitted(proximity, pair):
    with pytest.raises(ConfigurationError, match="URNS cannot be fitted: it takes 20 facts"):
        Urns.fit(evidence(proximity, pair))


def test_parts_add_up_to_the_log_odds():
    fact = evidence([3], 8, 1, 2)
    annotator = model(proximity=PROXIMITY, anchored=ANCHORED)
    prior, *shares = annotator.parts(fact)
    odds = prior.contribution + sum(part.contribution for part in shares)
    assert 1 / (1 + np.exp(-odds)) == pytest.approx(annotator.score(fact)[0])
    assert [part.value for part in shares] == [3 / 8, 1 / 2]
    assert annotator.describe() == "urns-proximity-anchored-t0.5"


@pytest.mark.parametrize(
    "parameters",
    [
        {"urns": {}},
        {"urns": {"classic": PROXIMITY}},
        {"prior": 1.0},
        {"urns": {"proximity": Urn(true=0.1, false=0.2, strength=1)}},
    ],
)
def test_parameters_out_of_range(parameters):
    with pytest.raises(ValueError, match=r"expected|out of range"):
        Urns(**{"prior": 0.4, "urns": {"proximity": PROXIMITY}, "facts": 1, "gain": 0} | parameters)

"""Evidence, and the annotators that are ratios of counts."""

import numpy as np
import pytest

from evaluator.annotators import Anchored, Pmi
from evaluator.annotators.evidence import Evidence
from evaluator.errors import ConfigurationError
from evaluator.intervals import wilson

# pair, classic, proximity, topic, anchored
HITS = [
    (4, 2, 1, 0, 0),
    (1, 1, 1, 1, 0),
    (20, 19, 0, 2, 2),
    (0, 0, 0, 0, 0),
    (0, 0, 0, 1, 1),  # e1 is no more than the topic of the document
]


@pytest.fixture
def evidence():
    return Evidence.of(HITS, documents=100)


def same(scores, expected):
    return np.array_equal(scores, [np.nan if e is None else e for e in expected], equal_nan=True)


@pytest.mark.parametrize(
    ("variant", "expected"),
    [
        ("classic", [1 / 2, 1, 19 / 20, None, None]),
        ("proximity", [1 / 4, 1, 0, None, None]),
        ("anchored", [None, 0, 1, None, 1]),
    ],
)
def test_pmi_is_a_ratio_and_undefined_without_documents(evidence, variant, expected):
    assert same(Pmi(variant=variant).score(evidence), expected)


def test_shrunken_counts_two_documents_more_without_the_fact(evidence):
    scores = Pmi(variant="classic", smoothing="shrunken").score(evidence)
    assert same(scores, [2 / 6, 1 / 3, 19 / 22, None, None])


@pytest.mark.parametrize("k", [0, 1, 7, 10])
def test_lower_is_the_lower_end_of_wilsons_interval(k):
    scores = Pmi(variant="classic", smoothing="lower").score(
        Evidence.of([(10, k, 0, 0, 0)], documents=10)
    )
    assert scores == pytest.approx([wilson(k, 10, level=0.9).low], abs=1e-15)


def test_lower_without_a_hit_is_exactly_zero():
    hits = [(n, 0, 0, 0, 0) for n in range(1, 200)]
    assert not Pmi(variant="classic", smoothing="lower").score(Evidence.of(hits, documents=9)).any()


@pytest.mark.parametrize("smoothing", ["shrunken", "lower"])
def test_smoothed_19_of_20_is_better_than_1_of_1(evidence, smoothing):
    _, one, many, *_ = Pmi(variant="classic", smoothing=smoothing).score(evidence)
    assert many > one


def test_classic_of_pairs_counted_near_may_exceed_them():
    scores = Pmi(variant="classic", smoothing="lower").score(
        Evidence.of([(2, 3, 0, 0, 0), (2, 2, 0, 0, 0)], documents=9)
    )
    assert scores[0] == scores[1]


def test_anchored_decides_where_it_is_defined_and_proximity_elsewhere(evidence):
    assert same(Anchored().score(evidence), [1 / 4, 0, 1, None, 1])


def test_anchored_smooths_both(evidence):
    assert same(Anchored(smoothing="shrunken").score(evidence), [1 / 6, 0, 2 / 4, None, 1 / 3])


def test_parts_are_the_counts_that_decide(evidence):
    first, second = (evidence.take([row]) for row in (0, 2))
    assert [part[:2] for part in Anchored().parts(first)] == [("proximity", 1), ("pair", 4)]
    assert [part.value for part in Anchored().parts(second)] == [2, 2]
    assert [part.value for part in Pmi(variant="classic").parts(second)] == [19, 20]
    with pytest.raises(ValueError, match="5 facts"):
        Pmi().parts(evidence)


def test_what_is_not_defined_has_no_score():
    # A fact whose relation has no word, and one of which an entity has none.
    hits = [(3, 0, 0, 1, 0), (0, 0, 0, 0, 0), (3, 2, 1, 1, 1)]
    evidence = Evidence.of(hits, documents=9, defined=[False, False, True])
    for annotator in (Pmi(), Pmi(smoothing="lower"), Pmi(variant="anchored"), Anchored()):
        assert np.isnan(annotator.score(evidence)).tolist() == [True, True, False]


def test_counts_of_undefined_facts_are_no_evidence():
    evidence = Evidence.of(HITS, documents=100, defined=[False, True, True, True, True])
    assert evidence.pair.tolist() == [0, 1, 20, 0, 0]


def test_evidence_with_context_and_similarity():
    evidence = Evidence.of(
        [(4, 2, 1, 0, 0, 8, 9, 1, 2, 3, 4), (1, 1, 1, 1, 0, 5, 6, 0, 0, 7, 1)],
        documents=100,
        defined=[True, False],
        similarity=[0.5, np.nan],
    )
    assert evidence.near2.tolist() == [3, 0]
    assert evidence.defined.tolist() == [True, False]
    last = evidence.take([False, True])
    assert (len(last), last.pair.tolist(), last.documents1.tolist()) == (1, [0], [0])
    assert np.isnan(last.similarity).all()
    assert Evidence.of(HITS, documents=1).take([0]).documents1 is None


def test_evidence_of_no_fact():
    empty = Evidence.of(np.zeros((0, 5)), documents=9)
    assert len(empty) == 0
    assert Anchored(smoothing="lower").score(empty).shape == (0,)


@pytest.mark.parametrize(
    ("hits", "columns", "problem"),
    [
        ([(1, 2, 3)], {}, "expected \\(facts, 5\\)"),
        ([(1, 0, 0, 0, -1)], {}, "negative counts in anchored"),
        ([(1, 0, 0, 0, 0)], {"similarity": [0.1, 0.2]}, "differ in shape"),
        ([(1, 0, 0, 0, 0)], {"similarity": [-0.1]}, "similarity is negative"),
    ],
)
def test_evidence_that_cannot_be(hits, columns, problem):
    with pytest.raises(ValueError, match=problem):
        Evidence.of(hits, documents=9, **columns)


@pytest.mark.parametrize(
    ("make", "problem"),
    [
        (lambda: Pmi(variant="near"), 'variant is "near": expected classic, proximity, anchored'),
        (lambda: Anchored(smoothing="more"), 'smoothing is "more": expected none, shrunken, lower'),
        (lambda: Pmi(threshold=float("nan")), "threshold nan"),
    ],
)
def test_settings_out_of_range(make, problem):
    with pytest.raises(ConfigurationError, match=problem):
        make()


def test_descriptions_name_every_choice():
    assert Pmi(variant="anchored", smoothing="lower", threshold=0.05).describe() == (
        "pmi-anchored-lower-t0.05"
    )
    assert (Pmi().describe(), Anchored().describe()) == ("pmi-proximity-t0.1", "anchored-t0.1")

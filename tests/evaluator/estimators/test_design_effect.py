"""The design effect: what the bootstrap by document has more in variance than that by fact."""

import numpy as np
import pytest
from scipy import stats

from evaluator.estimators.design_effect import design_effects
from evaluator.estimators.labelled import estimate
from evaluator.estimators.strata import Stratum, StratumClass
from evaluator.intervals import Drawing

NONE = {"precision": 1.0, "recall": 1.0, "f1": 1.0}


def stratum(domain, population, *classes):
    """A stratum whose classes have as many judged facts as labels, given as (truth, documents)."""
    return Stratum(
        domain=domain,
        population=population,
        classes=tuple(
            StratumClass(
                name=f"class {number}",
                judged=len(truth),
                truth=np.array(truth, float),
                documents=np.array(documents, np.int64),
            )
            for number, (truth, documents) in enumerate(classes)
        ),
    )


def factor(documents):
    """(Student's / normal quantile)², for the degrees of freedom that the documents leave."""
    return (stats.t.ppf(0.975, documents - 1) / stats.norm.ppf(0.975)) ** 2


def test_one_class_by_hand():
    # y - ȳ is ½ ½ -½ -½: alone 4 · ¼ = 1; the document with both true facts has 1² + ¼ + ¼ = 1½.
    of = {"a": [stratum("a", 40, ([1, 1, 0, 0], [1, 1, 2, 3]))], "b": []}
    # Student's quantile for two degrees of freedom is 4.3027, the normal one 1.9600.
    assert design_effects(of, 40)["precision"] == pytest.approx(1.5 * (4.3027 / 1.9600) ** 2, 1e-4)


def test_documents_that_are_like_all_others_lower_no_variance():
    # Each document has a true and a false fact: together 0. What is left is the uncertainty of it.
    of = {"a": [stratum("a", 40, ([1, 0, 1, 0, 1, 0], [1, 1, 2, 2, 3, 3]))], "b": []}
    assert design_effects(of, 40)["precision"] == pytest.approx(factor(3))


def test_labels_that_are_all_alike_vary_in_no_way():
    of = {"a": [stratum("a", 40, ([1, 1, 1, 1], [1, 1, 2, 3]))], "b": []}
    assert design_effects(of, 40)["precision"] == pytest.approx(factor(3))


def test_one_when_no_two_labels_share_a_document():
    of = {
        "a": [stratum("a", 40, ([1, 0, 1], [1, 2, 3]))],
        "b": [stratum("b", 40, ([1, 0, 1], [4, 5, 6]))],
    }
    assert design_effects(of, 80) == NONE


def test_one_when_documents_are_not_known():
    of = {
        "a": [stratum("a", 40, ([1, 1, 0], [1, 1, 2]))],
        "b": [stratum("b", 40, ([1, 0, 1], []))],
    }
    assert design_effects(of, 80) == NONE
    assert design_effects({"a": [], "b": []}, 0) == NONE


def test_classes_share_documents():
    # Two classes of weight ½ each, y - ȳ = ±½. Each document has a fact of either: both true, or
    # both false. Alone 8 parts of (½ · ½ · ¼)²; together 4 of twice that: the effect is 2.
    of = {
        "a": [stratum("a", 40, ([1, 1, 0, 0], [1, 2, 3, 4]), ([1, 1, 0, 0], [1, 2, 3, 4]))],
        "b": [],
    }
    assert design_effects(of, 40)["precision"] == pytest.approx(2 * factor(4))


def test_recall_gains_where_facts_inside_and_outside_s_are_true_together():
    # R rises with true facts of S and falls with others, so within a document they cancel.
    of = {
        "a": [stratum("a", 40, ([1, 1, 0, 0], [1, 2, 3, 4]))],
        "b": [],
        "d": [stratum("d", 40, ([1, 1, 0, 0], [1, 2, 3, 4]))],
    }
    found = design_effects(of, 40)
    assert found["recall"] == pytest.approx(factor(4))
    # P does not look at d.
    assert found["precision"] == pytest.approx(factor(4))
    # dF/dTP = 2 (80 - 20) / 80², dF/dFN = -2 · 20 / 80²: as 3 to -1. Together (3 - 1)², alone
    # 3² + 1²: less than alone.
    assert found["f1"] == pytest.approx(factor(4))
    crossed = {**of, "d": [stratum("d", 40, ([0, 0, 1, 1], [1, 2, 3, 4]))]}
    found = design_effects(crossed, 40)
    assert found["recall"] == pytest.approx(2 * factor(4))
    assert found["f1"] == pytest.approx((3 + 1) ** 2 / (3**2 + 1**2) * factor(4))


def clustered(seed=11):
    """80 documents, each with a truth of its own; |S| = 1,500 and |G′ ∖ S| = 6,000 facts."""
    rng = np.random.default_rng(seed)
    document = np.repeat(np.arange(80), 8)
    chance = rng.beta(0.6, 1.4, 80)[document]
    truth = (rng.random(document.size) < chance).astype(float)
    cell = rng.integers(0, 4, document.size)  # two classes of a, one of b, one of d
    kinds = [(truth[cell == k], document[cell == k]) for k in range(4)]
    return {
        "a": [stratum("a", 1000, kinds[0], kinds[1])],
        "b": [stratum("b", 500, kinds[2])],
        "c": [],
        "d": [stratum("d", 6000, kinds[3])],
    }


def bootstrap(by_domain, facts, copies):
    """P, R and F of every replicate; `copies` of a label, by document number or by place."""
    true, place = {}, 0
    for domain, strata in by_domain.items():
        true[domain] = 0.0
        for s in strata:
            for c, size in zip(s.classes, s.sizes(), strict=True):
                n = copies(c, slice(place, place + c.labels))
                true[domain] = true[domain] + size * (n @ c.truth) / n.sum(axis=1)
                place += c.labels
    correct = true["a"] + true["b"]
    ground_truth = correct + true["c"] + true["d"]
    return correct / facts, correct / ground_truth, 2 * correct / (facts + ground_truth)


def test_equals_the_bootstrap_by_document_over_that_by_fact():
    of, rng = clustered(), np.random.default_rng(1)
    documents = rng.multinomial(80, np.full(80, 1 / 80), size=4_000)
    single = rng.multinomial(640, np.full(640, 1 / 640), size=4_000)
    by_document = bootstrap(of, 1500, lambda c, _: documents[:, c.documents])
    by_fact = bootstrap(of, 1500, lambda _, where: single[:, where])
    found = design_effects(of, 1500)
    # A variance of 4,000 replicates has a relative error of 2.2 %, their ratio one of 3.2 %.
    effects = [one.var() / other.var() for one, other in zip(by_document, by_fact, strict=True)]
    assert effects[0] > 1.5 > effects[1]  # R: what is true in a raises it, what is true in d lowers
    for measure, effect in zip(NONE, effects, strict=True):
        assert found[measure] == pytest.approx(max(effect, 1) * factor(80), rel=0.1)


def test_intervals_widen_by_the_root_of_the_effect():
    of = [s for strata in clustered().values() for s in strata]
    alone = [
        Stratum(
            domain=s.domain,
            population=10**7,
            classes=tuple(
                StratumClass(name=c.name, judged=c.judged, truth=c.truth) for c in s.classes
            ),
        )
        for s in of
    ]
    together = [Stratum(domain=s.domain, population=10**7, classes=s.classes) for s in of]
    wide, narrow = (
        estimate(strata, "labels-only", Drawing(draws=20_000, seed=1), corpus=True)
        for strata in (together, alone)
    )
    assert narrow.design_effects == NONE
    for measure, effect in wide.design_effects.items():
        ends = [getattr(found, measure) for found in (wide, narrow)]
        ratio = (ends[0].high - ends[0].low) / (ends[1].high - ends[1].low)
        assert ratio == pytest.approx(np.sqrt(effect), rel=0.05)
        assert ends[0].value == ends[1].value

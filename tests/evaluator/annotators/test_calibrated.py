"""The calibrated annotator: what it learns, what it has not seen, and what it refuses."""

import subprocess
import sys

import numpy as np
import pytest

from evaluator.annotators import Calibrated, digest_of, write_annotator
from evaluator.annotators.evidence import CONTEXT, COUNTS, Evidence
from evaluator.annotators.features import AGREEMENT, FEATURES, SENTENCE, matrix
from evaluator.annotators.logistic import FEWEST_OF_RELATION, REGULARISATION
from evaluator.annotators.sentence_evidence import FIELDS
from evaluator.errors import ConfigurationError

FACTS = 300


def made(seed, facts=FACTS, relation=None, backwards=()):
    """Evidence in which CLASSIC and the topic tell, the labels, and digests of the items.

    Of the relations in `backwards` CLASSIC tells the contrary.
    """
    rng = np.random.default_rng(seed)
    pair = rng.poisson(2, facts)
    true = rng.random(facts) < 0.3
    stated = true ^ np.isin([""] * facts if relation is None else relation, backwards)
    classic = rng.binomial(pair, np.where(stated, 0.8, 0.4))
    topic = rng.binomial(1, 0.3, facts)
    anchored = topic * (rng.random(facts) < np.where(true, 0.9, 0.2))
    documents = pair + rng.poisson(20, (2, facts))
    near = rng.binomial(documents, 0.2)
    beside = rng.binomial(pair, 0.5)
    context = [*documents, topic, *near, beside]
    hits = np.stack([pair, classic, classic // 2, topic, anchored, *context], axis=1)
    items = [digest_of((f"e{seed}", "r", str(row))) for row in range(facts)]
    return Evidence.of(hits, documents=1000, relation=relation), true, items


def columns(evidence):
    return np.stack([getattr(evidence, name) for name in (*COUNTS, *CONTEXT)], axis=1)


@pytest.fixture(scope="module")
def trained():
    return Calibrated.train(*made(1))


def test_the_regression_is_at_the_optimum_of_the_penalised_likelihood(trained):
    evidence, true, _ = made(1)
    model = trained.model
    z = (matrix(evidence) - model.means) / model.scales
    intercept, *weights = model.shared
    error = 1 / (1 + np.exp(-(intercept + z @ weights))) - true
    # The derivatives of C · log loss + |w|²/2 vanish.
    assert REGULARISATION * (z.T @ error) + weights == pytest.approx(0, abs=1e-4)
    assert error.sum() == pytest.approx(0, abs=1e-3)


def test_a_relation_with_labels_enough_goes_its_own_way():
    # Of "lack" the text says the contrary, of "seldom" too, but there are few labels of it.
    names = np.array(["visit"] * 6 + ["lack"] * 3 + ["seldom"])
    old, new = np.random.default_rng(5).choice(names, (2, 1000))
    evidence, true, items = made(1, 1000, old.tolist(), backwards=("lack",))
    keep = (old != "seldom") | (np.cumsum(old == "seldom") < FEWEST_OF_RELATION)
    places = np.flatnonzero(keep).tolist()
    model = Calibrated.train(evidence.take(keep), true[keep], [items[i] for i in places], folds=4)
    assert set(model.model.own) == {"visit", "lack"}
    weight = {
        name: {part.name: part.weight for part in model.coefficients(name)}["classic"]
        for name in ("visit", "lack", "seldom", "never seen")
    }
    assert weight["lack"] < 0 < weight["seldom"] == weight["never seen"] < weight["visit"]
    # Of new facts of every relation, as many are true as the probabilities say.
    evidence, true, _ = made(2, 1000, new.tolist(), backwards=("lack",))
    score = model.score(evidence)
    for name in ("visit", "lack", "seldom"):
        assert true[new == name].mean() == pytest.approx(score[new == name].mean(), abs=0.1)


def test_weights_of_relations_are_at_the_optimum_too():
    relation = ["visit", "lack"] * 300
    evidence, true, items = made(1, 600, relation, backwards=("lack",))
    model = Calibrated.train(evidence, true, items, folds=3, threshold=0.5).model
    z = np.column_stack([np.ones(600), (matrix(evidence) - model.means) / model.scales])
    own = np.array(list(model.own.values()))
    error = 1 / (1 + np.exp(-(z * model.weights(relation)).sum(axis=1))) - true
    # With base w and deviations d_r, C · (derivative of the log loss of r) = −d_r, and over all
    # relations, which is the same sum, −w: so Σ own = Σ (w + d_r) = (1 + relations) · w.
    base = own.sum(axis=0) / 3
    for row, name in zip(own, model.own, strict=True):
        of = np.array(relation) == name
        pull = REGULARISATION * (z[of].T @ error[of])
        assert (pull + row - base)[1:] == pytest.approx(0, abs=1e-4)


def test_probabilities_of_new_facts_are_what_they_say():
    model = Calibrated.train(*made(1, facts=2500), folds=4, threshold=0.5)
    evidence, true, _ = made(2, facts=10_000)
    score = model.score(evidence)
    for low, high in ((0, 0.2), (0.2, 0.5), (0.5, 0.8), (0.8, 1)):
        called = (low <= score) & (score < high)
        assert called.sum() > 300
        assert true[called].mean() == pytest.approx(score[called].mean(), abs=0.06)


def test_what_tells_has_the_weight(trained):
    weight = {part.name: abs(part.weight) for part in trained.coefficients()[1:]}
    assert min(weight["classic"], weight["anchored"]) > 2 * max(weight["near2"], weight["pair"])


def test_a_fact_of_the_training_set_is_scored_by_a_model_that_never_saw_its_label(trained):
    evidence, true, items = made(1)
    first = trained
    fold = first.folds[0]
    held = np.isin(items, fold.items)
    other = Calibrated.train(evidence, true ^ held, items)
    score, otherwise = (model.score(evidence, items) for model in (first, other))
    assert np.array_equal(score[held], otherwise[held])
    assert not np.array_equal(score[~held], otherwise[~held])
    assert not np.array_equal(first.score(evidence), other.score(evidence))


def test_folds_divide_the_items_and_new_facts_have_the_whole_model(trained):
    evidence, _, items = made(1)
    assert sorted(item for fold in trained.folds for item in fold.items) == sorted(items)
    assert len(trained.folds) == 10
    new = [digest_of(("new", item)) for item in items]
    assert np.array_equal(trained.score(evidence, new), trained.score(evidence))


def test_the_same_item_twice_is_in_one_fold():
    evidence, true, items = made(1, facts=200)
    twice = evidence.take(np.tile(np.arange(200), 2))
    folds = Calibrated.train(twice, np.tile(true, 2), items * 2, folds=4).folds
    assert sorted(item for fold in folds for item in fold.items) == sorted(items)


def test_order_does_not_matter_and_the_seed_deals_the_folds(trained):
    evidence, true, items = made(1)
    order = np.random.default_rng(3).permutation(FACTS)
    mixed = evidence.take(order), true[order], [items[place] for place in order]
    assert Calibrated.train(*mixed) == trained
    other = Calibrated.train(*mixed, seed=1)
    assert other.folds != trained.folds
    assert other.model.shared == trained.model.shared


def test_how_many_facts_are_scored_at_a_time_changes_no_bit(trained):
    evidence, _, items = made(1)
    one_by_one = [
        trained.score(evidence.take([row]), [items[row]])[0] for row in range(len(evidence))
    ]
    assert np.array_equal(trained.score(evidence, items), one_by_one)


def test_parts_add_up_to_the_log_odds_and_weigh_the_values(trained):
    evidence, _, items = made(1)
    for given, model in ((None, trained.model), ([items[5]], None)):
        intercept, *parts = trained.parts(evidence.take([5]), given)
        odds = intercept.contribution + sum(part.contribution for part in parts)
        model = model or next(fold.model for fold in trained.folds if items[5] in fold.items)
        assert np.interp(odds, *np.array(model.shared_knots).T) == pytest.approx(
            trained.score(evidence.take([5]), given)[0]
        )
        for part, mean in zip(parts, model.means, strict=True):
            assert part.contribution == pytest.approx(part.weight * (part.value - mean))
        assert [part.name for part in parts] == list(FEATURES)


def test_threshold_has_the_best_balanced_accuracy_among_unseen_facts(trained):
    evidence, true, items = made(1)
    score = trained.score(evidence, items)

    def balanced(threshold):
        verdict = score >= threshold
        return (verdict[true].mean() + (~verdict)[~true].mean()) / 2

    assert balanced(trained.threshold) == max(map(balanced, score))
    assert Calibrated.train(*made(1), threshold=0.5).threshold == 0.5


def test_three_of_three_facts_are_not_certain(trained):
    knots = [knot for fold in trained.folds for knot in fold.model.shared_knots]
    assert 0 < min(p for _, p in knots) < max(p for _, p in knots) < 1


def test_undefined_facts_have_no_score_and_are_not_learnt_from(trained):
    evidence, true, items = made(1)
    counts = columns(evidence)
    more = Evidence.of(
        np.concatenate([counts, counts[:50]]),
        documents=1000,
        defined=np.arange(FACTS + 50) < FACTS,
    )
    new = [digest_of(("new", item)) for item in items[:50]]
    model = Calibrated.train(more, [*true, *~true[:50]], [*items, *new])
    assert model == trained
    assert np.isnan(model.score(more)).sum() == 50


def test_what_the_database_says_is_learnt(trained):
    evidence, true, items = made(1)
    # It joins half of the pairs: by the same relation if true, by something else if not.
    joined = np.arange(FACTS) % 2 == 0
    similarity = np.where(joined, np.where(true, 1e300, 0.05), np.nan)
    both = Evidence.of(columns(evidence), documents=1000, similarity=similarity)
    score = Calibrated.train(both, true, items, folds=4).score(both, items)
    assert score[joined & true].mean() > 0.9
    assert score[joined & ~true].mean() < 0.1
    assert 0.2 < score[~joined].mean() < 0.4
    weights = {part.name: part.weight for part in trained.coefficients()}
    assert weights["similarity"] == weights["joined"] == weights["both known"] == 0


def test_features_of_a_sentence_by_hand():
    closest = dict.fromkeys(FIELDS, 0) | {
        "distance": 3,
        "order": 2,
        "gap1": 1,
        "by": 1,
        "length": 9,
    }
    evidence = Evidence.of(
        np.zeros((1, 11), int),
        documents=100,
        closest=[list(closest.values())],
        stated={"sentences": [2], "stated_by": ["alpha"]},
    )
    told = dict(zip(FEATURES, matrix(evidence)[0].tolist(), strict=True))
    assert (told["stated"], told["r between"], told["r before"], told["r after"]) == (1, 0, 0, 1)
    assert (told["distance"], told["gap1"]) == pytest.approx((np.log(4), np.log(2)))
    assert (told["by"], told["verb"], told["length"]) == pytest.approx((1, 0, np.log(10)))
    counts = [told[name] for name in ("sentences", "stating_documents", "systems")]
    assert counts == pytest.approx([np.log(3), 0, np.log(2)])


def test_features_by_hand():
    hits = [(3, 2, 0, 1, 1, 9, 19, 1, 4, 5, 3), (0,) * 11]
    evidence = Evidence.of(hits, documents=100, similarity=[1.0, np.nan], known=[2, 1])
    expected = {
        "pair found": (1, 0),
        "pair": (np.log(4), 0),
        "classic": (np.log(2.5 / 1.5), 0),
        "proximity": (np.log(0.5 / 3.5), 0),
        "beside": (np.log(3.5 / 0.5), 0),
        "topic found": (1, 0),
        "anchored": (np.log(1.5 / 0.5), 0),
        "about found": (1, 0),
        "documents1": (np.log(10), 0),
        "documents2": (np.log(20), 0),
        "documents1 with pair": (np.log(10), 0),
        "documents2 with pair": (np.log(20), 0),
        "near1": (np.log(4.5 / 5.5), 0),
        "near2": (np.log(5.5 / 14.5), 0),
        "both known": (1, 0),
        "joined": (1, 0),
        "similarity": (0.5, 0),
    }
    expected |= dict.fromkeys((*SENTENCE, *AGREEMENT), (0, 0))  # no sentence states either
    assert list(expected) == list(FEATURES)
    assert matrix(evidence) == pytest.approx(np.array(list(expected.values())).T)


@pytest.mark.parametrize(("true", "false"), [(19, 100), (100, 19), (0, 100), (0, 0)])
def test_too_few_labels_of_a_kind(true, false):
    evidence, _, items = made(1, facts=true + false)
    with pytest.raises(ConfigurationError, match=f"{true} facts labelled true and {false} false"):
        Calibrated.train(evidence, np.arange(true + false) < true, items)


def test_what_cannot_be_learnt_from():
    evidence, true, items = made(1)
    alike = evidence.take(np.zeros(FACTS, int))
    with pytest.raises(ConfigurationError, match="same evidence"):
        Calibrated.train(alike, true, items)
    with pytest.raises(ConfigurationError, match="all facts labelled true are in two folds"):
        Calibrated.train(
            evidence, true, [items[0] if label else i for label, i in zip(true, items, strict=True)]
        )
    with pytest.raises(ValueError, match="300 facts, 299 labels"):
        Calibrated.train(evidence, true[1:], items)
    with pytest.raises(ValueError, match="2 folds"):
        Calibrated.train(evidence, true, items, folds=2)


def test_counts_without_context_are_refused(trained):
    with pytest.raises(ConfigurationError, match="needs beside"):
        trained.score(Evidence.of([(1, 1, 1, 1, 1)], documents=9))


def test_scoring_takes_numpy_alone(trained, tmp_path):
    write_annotator(tmp_path / "model.json", trained)
    code = f"""
import sys
from pathlib import Path
from evaluator.annotators import read_annotator
from evaluator.annotators.evidence import Evidence
facts = Evidence.of([(3, 2, 0, 1, 1, 9, 19, 1, 4, 5, 3)], documents=100)
score = read_annotator(Path({str(tmp_path / "model.json")!r})).score(facts, ["new"])
assert not {{"scipy", "sklearn", "pandas"}} & {{name.split(".")[0] for name in sys.modules}}
print(float(score[0]))
"""
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    facts = Evidence.of([(3, 2, 0, 1, 1, 9, 19, 1, 4, 5, 3)], documents=100)
    assert float(done.stdout) == trained.score(facts)[0]


def test_digests_tell_items_apart():
    assert digest_of(("ab", "c", "d")) != digest_of(("a", "bc", "d"))
    assert len(digest_of(("Obama", "visit", "\ud800"))) == 16

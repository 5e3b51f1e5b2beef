"""The distant annotator over drawn facts whose truth is known."""

from dataclasses import replace

import numpy as np
import pytest

from evaluator.annotators import Distant, Examples, read_annotator, write_annotator
from evaluator.annotators.distant import subject_of
from evaluator.annotators.evidence import CONTEXT, COUNTS, Evidence
from evaluator.annotators.lessons import FOLDS, looked_at
from evaluator.annotators.sentence_evidence import FIELDS
from evaluator.errors import ConfigurationError

HELD = 0.4
FACTS = 4_000
NAMED = np.array(["", "alpha", "alpha\tbeta", "alpha\tbeta\tgamma"])  # by number of systems


def drawn(seed: int = 1, *, held: float = HELD) -> tuple[Examples, np.ndarray]:
    """Facts of which a quarter are true; of the true ones the database holds a share, by lot."""
    rng = np.random.default_rng(seed)
    true = rng.random(FACTS) < 0.25
    closest = rng.integers(0, 9, (FACTS, len(FIELDS)))
    for field in ("gap1", "gap2", "words1"):  # a true fact is stated closely
        closest[:, FIELDS.index(field)] = np.where(
            true, rng.integers(0, 3, FACTS), rng.integers(1, 20, FACTS)
        )
    evidence = Evidence.of(
        rng.integers(0, 5, (FACTS, len(COUNTS) + len(CONTEXT))),
        documents=100,
        known=np.full(FACTS, 2),
        similarity=np.where(rng.random(FACTS) < 0.5, 1.0, np.nan),
        closest=closest,
    )
    matched = true & (rng.random(FACTS) < held)
    names = [subject_of((f"e{n}", "r", "x")) for n in rng.integers(0, 500, FACTS)]
    return Examples(evidence, matched, np.full(FACTS, False), np.ones(FACTS), names), true


def test_it_tells_true_facts_and_how_many_there_are():
    examples, true = drawn()
    annotator = Distant.fit(examples)
    scores = annotator.score(examples.evidence, examples.names)
    others = ~examples.matched
    assert annotator.share == pytest.approx(HELD, abs=0.06)
    assert scores[others & true].mean() > 0.6 > 0.2 > scores[others & ~true].mean()
    accepted = scores[others].round(3) >= annotator.threshold
    assert accepted.sum() == pytest.approx((others & true).sum(), rel=0.2)
    assert (accepted == true[others]).mean() > 0.85


def test_neither_order_nor_scale_of_the_weights_matters():
    examples, _ = drawn()
    order = np.random.default_rng(3).permutation(FACTS)
    shuffled = Examples(
        examples.evidence.take(order),
        examples.matched[order],
        examples.made[order],
        4 * examples.weight[order],
        [examples.names[place] for place in order],
    )
    assert Distant.fit(shuffled) == Distant.fit(examples)


def test_what_the_database_says_of_a_fact_is_not_looked_at():
    examples, _ = drawn()
    annotator = Distant.fit(examples)
    blind = replace(examples.evidence, similarity=np.full(FACTS, np.nan))
    told = annotator.score(examples.evidence, examples.names)
    assert (annotator.score(blind, examples.names) == told).all()
    assert not {"joined", "similarity", "both known"} & {*looked_at("held", ())}


def test_a_fact_is_judged_by_a_model_that_has_not_seen_its_subject():
    examples, _ = drawn()
    fold = np.array([int(name, 16) % FOLDS for name in examples.names])
    turned = examples._replace(matched=np.where(fold == 2, False, examples.matched))
    few = turned._replace(matched=turned.matched | ((fold == 2) & (np.arange(FACTS) % 50 == 0)))
    before, after = Distant.fit(examples), Distant.fit(few)
    assert before.folds[2].shared == after.folds[2].shared
    assert before.folds[1].shared != after.folds[1].shared


def test_facts_of_entities_that_the_database_does_not_know_are_no_examples():
    examples, _ = drawn()
    half = np.arange(FACTS) % 2 == 0
    unknown = replace(examples.evidence, known=np.where(half, 2, 1))
    strange = examples._replace(evidence=unknown)
    taken = Examples(
        examples.evidence.take(half),
        examples.matched[half],
        examples.made[half],
        examples.weight[half],
        [name for name, there in zip(examples.names, half, strict=True) if there],
    )
    assert Distant.fit(strange).examples == half.sum()
    assert Distant.fit(strange).model == Distant.fit(taken).model


def test_without_a_corpus_it_learns_from_what_nobody_states():
    examples, true = drawn()
    # Stated facts, of which two fifths are true, and made ones like the false ones among them.
    made = ~true & (np.arange(FACTS) % 2 == 0)
    rng = np.random.default_rng(5)
    proximity = np.where(true, rng.integers(6, 10, FACTS), rng.integers(0, 4, FACTS))
    evidence = replace(examples.evidence, pair=np.full(FACTS, 9), proximity=proximity)
    examples = examples._replace(evidence=evidence)
    annotator = Distant.fit(examples._replace(made=made, matched=np.full(FACTS, False)))
    scores = annotator.score(examples.evidence, examples.names)
    assert annotator.lesson == "exchanged"
    assert annotator.share == pytest.approx(true[~made].mean(), abs=0.06)
    accepted = scores[~made].round(3) >= annotator.threshold
    assert (accepted == true[~made]).mean() > 0.85


def agreed(seed: int = 1) -> tuple[Examples, np.ndarray]:
    """Drawn facts that no database holds; systems state true ones with 0.5, false ones with 0.1."""
    examples, true = drawn(seed, held=0.0)
    rng = np.random.default_rng(seed + 1)
    systems = rng.binomial(3, np.where(true, 0.5, 0.1))
    return examples._replace(evidence=replace(examples.evidence, stated_by=NAMED[systems])), true


def test_where_the_database_holds_too_few_it_learns_from_what_systems_agree_on():
    examples, true = agreed()
    annotator = Distant.fit(examples)
    systems = examples.evidence.systems
    scores = annotator.score(examples.evidence, examples.names)
    assert annotator.lesson == "agreed"
    assert (annotator.examples, annotator.true) == (FACTS, (systems > 1).sum())
    assert annotator.threshold == 0.5
    assert annotator.share == pytest.approx(true[systems > 0].mean(), abs=0.08)
    for number in range(3):
        of = systems == number
        assert scores[of].mean() == pytest.approx(true[of].mean(), abs=0.12)
        assert scores[of & true].mean() > scores[of & ~true].mean() + 0.3
    assert ((scores >= annotator.threshold) == true).mean() > 0.85


def test_facts_that_the_database_holds_go_before_what_systems_agree_on():
    examples, _ = drawn()
    systems = np.arange(FACTS) % 3
    both = examples._replace(evidence=replace(examples.evidence, stated_by=NAMED[systems]))
    assert Distant.fit(both).lesson == "held"


def test_a_careful_system_is_believed_more_than_a_careless_one():
    """Of facts that look alike, by how many of each system's the database holds."""
    rng = np.random.default_rng(7)
    group = rng.integers(0, 4, FACTS)
    stated_by = np.array(["", "careful", "careless", "careful\tcareless"])[group]
    share = np.array([0.05, 0.9, 0.2, 0.95])  # of true facts
    true = rng.random(FACTS) < share[group]
    examples, _ = drawn()
    evidence = replace(
        examples.evidence,
        stated_by=stated_by,
        closest=rng.integers(0, 9, (FACTS, len(FIELDS))),
    )
    matched = true & (rng.random(FACTS) < HELD)
    annotator = Distant.fit(examples._replace(evidence=evidence, matched=matched))
    assert annotator.groups == ("careful", "careful\tcareless", "careless")
    scores = annotator.score(evidence, examples.names)
    for stating in range(4):
        of = (group == stating) & ~matched
        # Less those held, true facts are fewer; P(true) is of a fact before the database is asked.
        assert scores[of].mean() == pytest.approx(share[stating], abs=0.12)
    unknown = replace(evidence, stated_by=np.full(FACTS, "another"))
    likely = annotator.score(unknown, examples.names).mean()
    assert scores[group == 2].mean() < likely < scores[group == 1].mean()


def test_a_group_of_few_facts_or_the_only_one_has_no_column_of_its_own():
    examples, _ = drawn()
    one = np.where(np.arange(FACTS) % 2 == 0, "alpha", "")
    few = np.where(np.arange(FACTS) < 29, "beta", one)
    for stated_by in (one, np.full(FACTS, "alpha")):
        told = examples._replace(evidence=replace(examples.evidence, stated_by=stated_by))
        assert Distant.fit(told).groups == ()
    told = examples._replace(evidence=replace(examples.evidence, stated_by=few))
    assert Distant.fit(told).groups == ("alpha",)


def test_agreement_on_facts_that_all_look_alike_teaches_nothing():
    examples, _ = agreed()
    alike = Evidence.of(
        np.ones((FACTS, len(COUNTS) + len(CONTEXT))),
        documents=100,
        stated={"stated_by": examples.evidence.stated_by},
    )
    with pytest.raises(ConfigurationError, match="tells facts that two systems state from others"):
        Distant.fit(examples._replace(evidence=alike))


def test_too_few_facts_are_refused_with_what_to_do():
    examples, _ = drawn(held=0.02)
    with pytest.raises(
        ConfigurationError, match=r"\d+ facts that the database holds .* learns from none"
    ):
        Distant.fit(examples)


def test_it_is_saved_whole(tmp_path):
    examples, _ = drawn()
    of_two = NAMED[np.arange(FACTS) % 3]
    examples = examples._replace(evidence=replace(examples.evidence, stated_by=of_two))
    annotator = Distant.fit(examples, threshold=0.3)
    write_annotator(tmp_path / "annotator.json", annotator)
    assert read_annotator(tmp_path / "annotator.json") == annotator
    assert annotator.describe().endswith("-t0.3")
    one = examples.evidence.take([0])
    parts = annotator.parts(one, examples.names[:1])
    own = ["only 'alpha'", "only 'alpha' and 'beta'"]
    assert [part.name for part in parts] == ["intercept", *looked_at("held", ()), *own]

"""The candidate superset is E × R × E per sentence, in text order."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.errors import ConfigurationError
from evaluator.facts.superset import MOST_CANDIDATES, candidate_superset, is_crowded
from evaluator.model import Fact, Mention, Sentence


def annotated(entities, words):
    mentions = tuple(Mention(2 * i, 2 * i + 1, entity) for i, entity in enumerate(entities))
    return Sentence("d", 0, "", mentions=mentions, relation_words=tuple(words))


def test_figure_3_has_exactly_six_facts():
    sentence = Sentence(
        "d",
        0,
        "Barack Obama is visiting Rome to attend the G8 Summit",
        mentions=(
            Mention(0, 2, "Barack Obama"),
            Mention(4, 5, "Rome"),
            Mention(8, 10, "G8 Summit"),
        ),
        relation_words=("visit", "attend"),
    )
    facts = list(candidate_superset(sentence))
    assert len(facts) == 6
    assert set(facts) == {
        Fact("Barack Obama", "visit", "Rome"),
        Fact("Barack Obama", "visit", "G8 Summit"),
        Fact("Barack Obama", "attend", "Rome"),
        Fact("Barack Obama", "attend", "G8 Summit"),
        Fact("Rome", "visit", "G8 Summit"),
        Fact("Rome", "attend", "G8 Summit"),
    }
    both = list(candidate_superset(sentence, direction="both"))
    assert len(both) == 12
    assert set(both) == set(facts) | {Fact(e2, r, e1) for e1, r, e2, _ in facts}


def test_an_entity_has_no_relation_to_itself():
    assert list(candidate_superset(annotated("AA", ["know"]))) == []


def test_a_fact_comes_once_per_sentence():
    assert list(candidate_superset(annotated("ABB", ["know"]))) == [Fact("A", "know", "B")]


def test_entities_that_precede_each_other_are_paired_both_ways():
    facts = list(candidate_superset(annotated("ABA", ["know"])))
    assert facts == [Fact("A", "know", "B"), Fact("B", "know", "A")]


@pytest.mark.parametrize(("entities", "words"), [("", ["know"]), ("A", ["know"]), ("AB", [])])
def test_a_sentence_without_a_pair_or_a_relation_word_has_no_candidate(entities, words):
    assert list(candidate_superset(annotated(entities, words))) == []


@given(st.lists(st.sampled_from("ABCD"), max_size=6), st.lists(st.sampled_from("xyz"), unique=True))
def test_the_superset_is_what_its_definition_says(entities, words):
    sentence = annotated(entities, words)
    pairs = {(entities[i], entities[j]) for j in range(len(entities)) for i in range(j)} - {
        (entity, entity) for entity in entities
    }
    text = {Fact(e1, r, e2) for e1, e2 in pairs for r in words}
    facts = list(candidate_superset(sentence))
    assert len(facts) == len(set(facts))
    assert set(facts) == text
    both = list(candidate_superset(sentence, direction="both"))
    assert len(both) == len(set(both))
    assert set(both) == text | {Fact(e2, r, e1) for e1, r, e2, _ in text}


def test_bad_use_is_refused():
    with pytest.raises(ConfigurationError, match=r"superset.direction 'back'.*text, both"):
        list(candidate_superset(annotated("AB", ["know"]), direction="back"))
    with pytest.raises(ValueError, match="d, sentence 3: not annotated"):
        list(candidate_superset(Sentence("d", 3, "A knows B")))


def test_of_a_sentence_with_too_many_candidates_there_are_none():
    # 200 entities make 19,900 pairs; with 50 words that is 995,000, with 51 more than a million.
    entities, words = [f"e{i}" for i in range(200)], [f"r{i}" for i in range(51)]
    kept, crowded = annotated(entities, words[:50]), annotated(entities, words)
    assert (is_crowded(kept), is_crowded(crowded)) == (False, True)
    assert sum(1 for _ in candidate_superset(kept)) == 995_000
    assert list(candidate_superset(crowded)) == []


def test_no_sentence_of_two_hundred_tokens_has_too_many():
    # A mention and a relation word take a token each.
    most = max(e * (e - 1) // 2 * (200 - e) for e in range(201))
    assert most < MOST_CANDIDATES

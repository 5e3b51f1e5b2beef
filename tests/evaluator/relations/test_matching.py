"""Database matches, one by one and many at a time."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

import evaluator.relations.matching
from evaluator.relations.matching import INVERSE, RelationMatch, best_relation, best_relations
from evaluator.wordnet.similarity import IDENTICAL, InformationContent, JiangConrath

NAMES = {
    "born": ("place.n", "birth.n"),
    "chief": ("leader",),
    "empty": (),
    "goer": ("travel.v", "zzyzx"),
    "leads": ("lead", "president.n"),
    "president": ("president",),
    "unknown": ("zzyzx",),
}


@pytest.fixture(scope="module")
def small(small_wordnet) -> JiangConrath:
    return JiangConrath(small_wordnet, InformationContent.from_sense_counts(small_wordnet))


def test_the_most_similar_relation_is_taken(small):
    found = best_relation(("visit", "president"), ["chief", "unknown", "goer"], NAMES, small)
    assert found == ("chief", pytest.approx(1 / math.log(1.5)), "president", "leader", False)


def test_of_equally_similar_relations_the_first_by_id_counts(small):
    for relations in (["president", "leads"], ["leads", "president"]):
        found = best_relation(["president"], relations, NAMES, small)
        assert found == ("leads", IDENTICAL, "president", "president.n", False)


def test_relations_the_other_way_round_count_after_the_others(small):
    there_and_back = [INVERSE + "leads", "president"]
    found = best_relation(["president"], there_and_back, NAMES, small)
    assert found == ("president", IDENTICAL, "president", "president", False)
    found = best_relation(["president"], [INVERSE + "leads", "unknown"], NAMES, small)
    assert found == ("leads", IDENTICAL, "president", "president.n", True)


def test_without_words_there_is_no_match(small):
    nothing = RelationMatch(None, None, None, None)
    assert best_relation((), ["chief"], NAMES, small) == nothing
    assert best_relation(["go"], ["empty", "not there"], NAMES, small) == nothing
    assert best_relation(["go"], [], NAMES, small) == nothing
    assert best_relations([((), ["chief"]), (("go",), ["empty"])], NAMES, small) == [nothing] * 2
    assert best_relations([], NAMES, small) == []


def test_a_word_to_compare_is_a_match_of_similarity_0(small):
    found = best_relation(["president"], ["unknown", "goer"], NAMES, small)
    assert found == ("goer", 0, "president", "travel.v", False)


WORDS = st.sampled_from(["go", "lead", "visit", "president", "official", "think", "zzyzx", "drift"])
RELATIONS = st.sampled_from([mark + id_ for mark in ("", INVERSE) for id_ in (*NAMES, "not there")])
FACTS = st.lists(st.tuples(st.lists(WORDS, max_size=3), st.lists(RELATIONS, max_size=5)))


@given(FACTS, st.integers(1, 30))
def test_many_facts_at_a_time_match_as_one_by_one(small, facts, cells):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(evaluator.relations.matching, "_MOST_CELLS", cells)
        found = best_relations(facts, NAMES, small)
    assert found == [best_relation(words, ids, NAMES, small) for words, ids in facts]

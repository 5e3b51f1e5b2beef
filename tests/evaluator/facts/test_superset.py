"""The candidate superset is E × R × E per sentence, in text order."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.errors import ConfigurationError
from evaluator.facts.superset import (
    MOST_CANDIDATES,
    candidate_superset,
    is_crowded,
    is_crowded_pair,
    one_passage,
    window_candidates,
)
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


MARRIAGE = Sentence(
    "d",
    0,
    "The marriage of Ann and Bob ended when Carl met Ann",
    mentions=(Mention(3, 4, "A"), Mention(5, 6, "B"), Mention(8, 9, "C"), Mention(10, 11, "A")),
    relation_words=("marriage", "end", "meet"),
)


def test_only_words_between_two_mentions_join_them():
    assert set(candidate_superset(MARRIAGE, words="between")) == {
        Fact("A", "end", "C"),
        Fact("B", "end", "C"),
        Fact("B", "end", "A"),  # the second mention of A
        Fact("B", "meet", "A"),
        Fact("C", "meet", "A"),
    }
    both = set(candidate_superset(MARRIAGE, words="between", direction="both"))
    assert {r for e1, r, e2, _ in both if (e1, e2) == ("A", "C")} == {"end", "meet"}
    assert {r for e1, r, e2, _ in both if (e1, e2) == ("A", "B")} == {"end", "meet"}


def test_words_near_two_mentions_join_them_too():
    def near(gap):
        found = candidate_superset(MARRIAGE, words="near", gap=gap)
        return {r for e1, r, e2, _ in found if (e1, e2) == ("A", "B")}

    assert near(0) == set()
    assert near(1) == {"end"}  # next to "Bob"; "marriage" is two tokens before "Ann"
    assert near(2) == {"end", "marriage"}
    assert near(3) == near(2)
    assert near(4) == {"end", "marriage", "meet"}  # the fourth token after "Bob"


def test_a_given_word_stands_where_a_token_has_its_lemma_or_else_anywhere():
    sentence = Sentence(
        "d",
        0,
        "Ann, whose Widow Bank won't pay, visited Bob's bank",
        mentions=(Mention(0, 1, "A"), Mention(2, 4, "W"), Mention(8, 9, "B")),
        # "bank" stands outside the mentions too, "widow" in one only; "win" is no word of "won't".
        relation_words=("visit", "bank", "widow", "win"),
    )
    between = set(candidate_superset(sentence, words="between"))
    assert between == {
        Fact("A", "win", "W"),
        Fact("A", "visit", "B"),
        Fact("A", "widow", "B"),
        Fact("A", "win", "B"),
        Fact("W", "visit", "B"),
        Fact("W", "win", "B"),
    }


TOKENS = {"Ann": "A", "Bob": "B", "Carl": "C", "visited": "visit", "attended": "attend", "of": ""}


@given(
    st.lists(st.sampled_from([*TOKENS]), max_size=9),
    st.sampled_from(["between", "near"]),
    st.integers(0, 4),
    st.sampled_from(["text", "both"]),
)
def test_words_that_join_a_pair_stand_where_the_definition_says(words, choice, gap, direction):
    places = {place: TOKENS[word] for place, word in enumerate(words)}
    mentions = [(place, e) for place, e in places.items() if e in ("A", "B", "C")]
    standing = [(place, r) for place, r in places.items() if r in ("visit", "attend")]
    sentence = Sentence(
        "d",
        0,
        " ".join(words),
        tuple(Mention(place, place + 1, e) for place, e in mentions),
        tuple(dict.fromkeys(r for _, r in standing)),
    )
    expected = set()
    for one, e1 in mentions:
        for two, e2 in mentions:
            for at, r in standing:
                near = choice == "near" and (0 < one - at <= gap or 0 < at - two <= gap)
                if one < two and e1 != e2 and (one < at < two or near):
                    expected.add(Fact(e1, r, e2))
                    if direction == "both":
                        expected.add(Fact(e2, r, e1))
    facts = list(candidate_superset(sentence, words=choice, gap=gap, direction=direction))
    assert len(facts) == len(set(facts))
    assert set(facts) == expected
    assert expected <= set(candidate_superset(sentence, direction=direction))


def test_a_word_of_a_noun_phrase_joins_what_stands_around_it():
    sentence = Sentence(
        "d",
        0,
        "Smith was the president of Freedonia",
        mentions=(Mention(0, 1, "smith"), Mention(3, 4, "president"), Mention(5, 6, "freedonia")),
        relation_words=("be", "president"),
    )
    assert set(candidate_superset(sentence, words="between")) == {
        Fact("smith", "be", "president"),
        Fact("smith", "be", "freedonia"),
        Fact("smith", "president", "freedonia"),
    }


def test_bad_use_is_refused():
    with pytest.raises(ConfigurationError, match=r"superset.words 'all'.*sentence, between, near"):
        list(candidate_superset(annotated("AB", ["know"]), words="all"))
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


# ----- windows


FOUNDED = Sentence(
    "d",
    4,
    "Ann founded Acme.",
    mentions=(Mention(0, 1, "Ann"), Mention(2, 3, "Acme")),
    relation_words=("found",),
)
HIRED = Sentence(
    "d",
    5,
    "It hired Bob, whom Ann met.",
    mentions=(Mention(2, 3, "Bob"), Mention(4, 5, "Ann")),
    relation_words=("hire", "meet"),
)


def test_a_window_joins_the_entities_of_two_sentences_by_the_words_of_both():
    facts = list(window_candidates(FOUNDED, HIRED))
    pairs = [("Ann", "Bob"), ("Acme", "Bob"), ("Acme", "Ann")]
    assert len(facts) == 9
    assert set(facts) == {Fact(e1, r, e2) for e1, e2 in pairs for r in ("found", "hire", "meet")}
    both = list(window_candidates(FOUNDED, HIRED, direction="both"))
    assert len(both) == 18
    assert set(both) == set(facts) | {Fact(e2, r, e1) for e1, r, e2, _ in facts}


@given(
    *[st.lists(st.sampled_from("ABCD"), max_size=5)] * 2,
    *[st.lists(st.sampled_from("xyz"), unique=True)] * 2,
)
def test_a_window_is_what_its_definition_says(one, other, words, further):
    first, second = annotated(one, words), annotated(other, further)
    text = {Fact(e1, r, e2) for e1 in one for e2 in other for r in (*words, *further) if e1 != e2}
    facts = list(window_candidates(first, second))
    assert len(facts) == len(set(facts))
    assert set(facts) == text
    both = list(window_candidates(first, second, direction="both"))
    assert len(both) == len(set(both))
    assert set(both) == text | {Fact(e2, r, e1) for e1, r, e2, _ in text}


def test_two_sentences_as_one_passage_mention_and_say_what_both_do():
    assert one_passage(FOUNDED, HIRED) == Sentence(
        "d",
        4,
        "Ann founded Acme. It hired Bob, whom Ann met.",
        mentions=(
            Mention(0, 1, "Ann"),
            Mention(2, 3, "Acme"),
            Mention(5, 6, "Bob"),
            Mention(7, 8, "Ann"),
        ),
        relation_words=("found", "hire", "meet"),
    )


def test_sentences_that_would_give_too_much_together_are_not_joined():
    def listing(mentions, words):
        return annotated(map(str, range(mentions)), map(str, range(words)))

    assert MOST_CANDIDATES == 100 * 100 * (60 + 40)
    assert not is_crowded_pair(listing(100, 60), listing(100, 40))
    full, too_full = listing(100, 60), listing(100, 41)
    assert is_crowded_pair(full, too_full)
    assert not is_crowded(full)
    assert not is_crowded(too_full)
    assert list(window_candidates(full, too_full)) == []
    crowded = listing(1_001, 3)  # 1001 × 1000 / 2 pairs × 3 words
    assert is_crowded(crowded)
    assert not is_crowded_pair(crowded, listing(1, 1))
    assert list(window_candidates(crowded, listing(1, 1))) == []

"""Jiang-Conrath similarity: by hand on a small WordNet, and against NLTK on the whole one."""

import math
import pickle
import random
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import evaluator.wordnet.similarity_table
from evaluator.errors import ConfigurationError
from evaluator.wordnet.lexicon import wordnet
from evaluator.wordnet.similarity import (
    IDENTICAL,
    InformationContent,
    JiangConrath,
    Similarity,
    default_similarity,
    similarity,
)


@pytest.fixture(scope="module")
def shipped() -> JiangConrath:
    return JiangConrath(wordnet(), InformationContent.from_sense_counts(wordnet()))


@pytest.fixture(scope="module")
def small(small_wordnet) -> JiangConrath:
    return JiangConrath(small_wordnet, InformationContent.from_sense_counts(small_wordnet))


# By hand: the small WordNet of conftest.py --------------------------------------------------------
#
# Tags of nouns, with those below: president 4, official 4, leader 6, person 8, entity 8; of verbs:
# visit 1, go 4, move 4, think 3, lead 1; wander, drift, rove and the noun Obama are unseen.


@pytest.mark.parametrize(
    ("word1", "word2", "score", "subsumer"),
    [
        # IC(president) + IC(leader) - 2 IC(leader) = ln 2 - ln 4/3
        ("president", "leader", 1 / math.log(1.5), "leader.n.01"),
        # Below person, which says nothing: ln 2 + ln 4/3
        ("official", "leader", 1 / math.log(8 / 3), "person.n.01"),
        # Every official is a president: no information separates them.
        ("president", "official", IDENTICAL, "official.n.01"),
        ("president", "president", IDENTICAL, "president.n.01"),
        # What is true of everything has nothing in common with anything.
        ("president", "person", 0, "person.n.01"),
        # The verb "go" shares a sense with "travel" and one with "lead".
        ("go", "travel", IDENTICAL, "go.v.01"),
        ("go", "lead", IDENTICAL, "lead.v.01"),
        # visit is below go: ln 8 - ln 2
        ("visit", "travel", 1 / math.log(4), "go.v.01"),
        # No common ancestor: ln 8 + ln 8/3
        ("visit", "think", 1 / math.log(64 / 3), None),
        # Unseen, with an unseen ancestor in common: NLTK calls these identical.
        ("drift", "rove", 0, None),
        ("drift", "go", 0, None),
        ("drift", "drift", IDENTICAL, "drift.v.01"),
        # A noun and a verb; words that WordNet lacks.
        ("president", "visit", 0, None),
        ("president", "zzyzx", 0, None),
        ("zzyzx", "zzyzx", IDENTICAL, None),
    ],
)
def test_words(small, word1, word2, score, subsumer):
    found = small.words(word1, word2)
    assert found.score == pytest.approx(score, rel=1e-12)
    assert (found.word1, found.word2) == (word1, word2)
    assert found.subsumer == (subsumer if score else None)
    assert small.words(word2, word1) == found.swapped()
    assert small.score((word1,), (word2,)) == found.score


def test_relations_are_as_similar_as_their_closest_words(small):
    found = small.relations(("zzyzx", "visit", "president"), ("think", "leader"))
    assert found == Similarity(
        pytest.approx(1 / math.log(1.5)), "president", "leader",
        "president.n.01", "leader.n.01", "leader.n.01",
    )  # fmt: skip


def test_of_equally_close_words_the_first_pair_counts(small):
    assert small.relations(("go", "president"), ("president", "go"))[:3] == (IDENTICAL, "go", "go")
    assert small.relations(("zzyzx", "qqq"), ("visit",))[:3] == (0, "zzyzx", "visit")


def test_a_relation_without_words_resembles_nothing(small):
    assert small.relations((), ("visit",)) == Similarity(0.0, "", "")
    assert small.score(("visit",), ()) == 0


def test_similarity_survives_pickling(small, small_wordnet):
    counted = InformationContent.from_word_counts({"visits": 2, "official": 1}, small_wordnet)
    for measure in (small, JiangConrath(small_wordnet, counted, sense_share=0.3)):
        again = pickle.loads(pickle.dumps(measure))
        assert again.words("president", "leader") == measure.words("president", "leader")
        assert again.words("go", "lead") == measure.words("go", "lead")
    assert len(pickle.dumps(small)) < 400


def test_pickled_it_is_only_its_parameters():
    chosen = similarity(derivations=True, sense_share=0.1)
    assert len(pickle.dumps(chosen)) < 100
    assert pickle.loads(pickle.dumps(chosen)) is chosen
    assert similarity() is default_similarity() is not chosen


# Parts of speech ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("word1", "word2", "score"),
    [
        # "go" is a verb only; as a noun it has no sense, and is the same as itself alone.
        ("go.v", "travel", IDENTICAL),
        ("go.v", "travel.v", IDENTICAL),
        ("go.n", "travel", 0),
        ("go.n", "go.n", IDENTICAL),
        ("president.n", "leader", 1 / math.log(1.5)),
        ("president.v", "leader", 0),
        # What is no part of speech belongs to the word.
        ("go.x", "go", 0),
        ("go.x", "go.x", IDENTICAL),
        (".n", ".n", IDENTICAL),
    ],
)
def test_a_word_with_a_part_of_speech_is_compared_by_those_senses(small, word1, word2, score):
    assert small.words(word1, word2).score == pytest.approx(score)
    assert small.words(word2, word1) == small.words(word1, word2).swapped()


def test_a_shared_sense_of_the_wrong_part_of_speech_is_no_match(shipped):
    # What someone says is no state/province.
    assert shipped.words("say", "state").score == IDENTICAL
    assert shipped.words("say", "state.n").score < 0.5


# Words of WordNet, with and without a part of speech, and words that it lacks.
@st.composite
def some_words(draw) -> list[str]:
    names = wordnet()._names
    words = st.sampled_from(["zzyzx", "make", "hold", "entity", "be", "have", "place", "birth"])
    lemmas = st.integers(0, len(names) - 1).map(names.__getitem__)
    suffix = st.sampled_from(["", "", ".n", ".v"])
    return draw(st.lists(st.builds(str.__add__, words | lemmas, suffix), max_size=6))


@settings(max_examples=50)
@given(some_words())
def test_a_word_is_as_close_as_its_closer_part_of_speech(words):
    words = [word for word in words if default_similarity().has_senses(word)]
    bare = [word for word in words if not word.endswith((".n", ".v"))]
    nouns, verbs = (
        default_similarity().table([word + pos for word in bare], words) for pos in (".n", ".v")
    )
    assert (default_similarity().table(bare, words) == np.maximum(nouns, verbs)).all()


# Tables -------------------------------------------------------------------------------------------


@settings(max_examples=100)
@given(
    some_words(),
    some_words(),
    st.sampled_from([{}, {"derivations": True}, {"sense_share": 0.2, "derivations": True}]),
    st.integers(1, 40),
)
def test_a_table_is_what_the_words_give_one_by_one(words1, words2, options, cells):
    measure = similarity(**options)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(evaluator.wordnet.similarity_table, "_BLOCK_CELLS", cells)
        table = measure.table(words1, words2)
    assert table.shape == (len(words1), len(words2))
    assert table.tolist() == [[measure.words(a, b).score for b in words2] for a in words1]


@settings(max_examples=50)
@given(some_words())
def test_a_table_is_symmetric_and_every_word_identical_with_itself(words):
    table = default_similarity().table(words, words)
    assert (table == table.T).all()
    assert (table.diagonal() == IDENTICAL).all()
    assert ((table >= 0) & (table <= IDENTICAL)).all()


@settings(max_examples=60)
@given(some_words(), some_words())
def test_the_closest_words_are_found_among_all_pairs_of_senses(words1, words2):
    # Brute force: every pair of senses, the least common subsumer by its definition.
    measure, shipped = default_similarity(), wordnet()
    content = measure.information_content.content

    def distance(row1: int, row2: int) -> float:
        if row1 == row2:
            return 0.0
        if not all(0 < content[row] < math.inf for row in (row1, row2)):
            return math.inf
        common = set(shipped.ancestors(row1)) & set(shipped.ancestors(row2))
        return content[row1] + content[row2] - 2 * max((content[row] for row in common), default=0)

    def senses(word: str, pos: str) -> tuple[int, ...]:
        lemma, dot, part = word.rpartition(".")
        return (
            shipped.senses(lemma, pos)
            if dot and part == pos
            else (() if dot else shipped.senses(word, pos))
        )

    table = measure.distances(words1, words2)
    for row, column in product(range(len(words1)), range(len(words2))):
        word1, word2 = words1[row], words2[column]
        expected = min(
            (
                distance(*pair)
                for pos in "nv"
                for pair in product(senses(word1, pos), senses(word2, pos))
            ),
            default=0.0 if word1 == word2 else math.inf,
        )
        if word1 == word2:
            expected = 0.0
        assert table[row, column] == expected


def test_empty_tables(small):
    assert small.table([], ["go"]).shape == (0, 1)
    assert small.table(["go"], []).shape == (1, 0)


# Which senses a word has --------------------------------------------------------------------------


def test_a_sense_that_a_word_hardly_ever_has_is_left_out(small_wordnet, small):
    # Of the three tags of "go" two are on go.v.01 and one on the sense that it shares with "lead".
    content = InformationContent.from_sense_counts(small_wordnet)
    for share, score in ((0.33, IDENTICAL), (0.34, small.senses(
        small_wordnet.senses("go", "v")[0], small_wordnet.senses("lead", "v")[0]
    ))):  # fmt: skip
        measure = JiangConrath(small_wordnet, content, sense_share=share)
        assert measure.words("go", "lead").score == score
        assert measure.words("go", "travel").score == IDENTICAL


def test_the_first_sense_and_untagged_words_stay_whole(small_wordnet):
    content = InformationContent.from_sense_counts(small_wordnet)
    strict = JiangConrath(small_wordnet, content, sense_share=1.0)
    assert strict.words("go", "travel").score == IDENTICAL
    assert strict.has_senses("wander")  # no tag at all
    for share in (-0.1, 1.1, math.nan):
        with pytest.raises(ConfigurationError, match="sense_share is"):
            JiangConrath(small_wordnet, content, sense_share=share)


def test_rare_senses_no_longer_make_words_identical(shipped):
    for word, other in (("make", "hold"), ("post", "place.n")):
        assert shipped.words(word, other).score == IDENTICAL
        assert similarity(sense_share=0.1).words(word, other).score < 1


@settings(max_examples=50)
@given(some_words(), some_words(), st.sampled_from([0.05, 0.2, 1.0]))
def test_fewer_senses_never_bring_words_closer_and_links_never_apart(words1, words2, share):
    plain = default_similarity().table(words1, words2)
    assert (similarity(sense_share=share).table(words1, words2) <= plain).all()
    known = [
        [default_similarity().has_senses(word) for word in words] for words in (words1, words2)
    ]
    linked = similarity(derivations=True).table(words1, words2)
    assert (linked >= plain)[np.ix_(*known)].all()


def test_born_reaches_birth_by_derivation(shipped):
    linked = similarity(derivations=True)
    assert shipped.words("bear", "birth.n").score < 0.1
    assert linked.words("bear", "birth.n")[3:] == ("give_birth.v.01",) * 3
    assert linked.words("birth.n", "bear.v").score == IDENTICAL


# Explanations -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("word1", "word2", "verdict", "contents"),
    [
        ("president", "leader", "related", (math.log(2), math.log(4 / 3), math.log(4 / 3))),
        ("leader", "president", "related", (math.log(4 / 3), math.log(2), math.log(4 / 3))),
        ("visit", "think", "no common subsumer", (math.log(8), math.log(8 / 3), None)),
        ("go", "travel", "identical", (math.log(2), math.log(2), math.log(2))),
        ("drift", "drift", "identical", (math.inf, math.inf, math.inf)),
        ("zzyzx", "zzyzx", "identical", (None, None, None)),
        ("president", "zzyzx", "no sense", (None, None, None)),
        ("president", "go.n", "no sense", (None, None, None)),
        ("president", "visit", "nothing in common", (None, None, None)),
        ("drift", "go", "nothing in common", (None, None, None)),
        ("president", "person", "nothing in common", (None, None, None)),
    ],
)
def test_an_explanation_tells_matches_from_what_only_has_a_score(
    small, word1, word2, verdict, contents
):
    found = small.explain(word1, word2)
    assert found.similarity == small.words(word1, word2)
    assert found.verdict == verdict
    assert found[1:4] == tuple(
        value if value is None else pytest.approx(value) for value in contents
    )


def test_verbs_of_different_roots_score_without_a_common_subsumer(shipped):
    # Frequent verbs get more for having nothing in common than rarer ones for being trade.
    unrelated, related = shipped.explain("be", "have"), shipped.explain("buy.v", "sell.v")
    assert unrelated.verdict == "no common subsumer"
    assert related.verdict == "related"
    assert unrelated.similarity.score > related.similarity.score > 0


def test_threads_may_share_a_similarity(shipped):
    pairs = random_word_pairs(400)
    fresh = JiangConrath(wordnet(), shipped.information_content)
    size = len(shipped.information_content.counts)
    with ThreadPoolExecutor(8) as pool:
        scores = list(pool.map(lambda pair: fresh.words(*pair).score, pairs))
    assert scores == [shipped.words(*pair).score for pair in pairs]
    # Looking up what nobody has counted adds nothing to the counts.
    assert len(fresh.information_content.counts) == size
    with pytest.raises(ValueError, match="read-only"):
        fresh.information_content.counts[0] += 1


# Against NLTK -------------------------------------------------------------------------------------


def random_word_pairs(number: int) -> list[tuple[str, str]]:
    """Pairs of words seen at least once, most of them with several senses."""
    shipped, chosen = wordnet(), random.Random(1997)
    words = sorted(
        {shipped.sense_name(row).split(".")[0] for row in range(0, len(shipped), 7)}
    )  # fmt: skip
    several = [
        word
        for word in words
        if 2 <= len(shipped.senses(word, "n")) + len(shipped.senses(word, "v")) <= 8
    ]
    return [
        (chosen.choice(several), chosen.choice(several if place % 4 else words))
        for place in range(number)
    ]


@pytest.mark.slow
def test_scores_are_those_of_nltk(nltk_wordnet, shipped):
    content = InformationContent.from_sense_counts(wordnet())
    theirs = {"n": defaultdict(float), "v": defaultdict(float)}
    for row, count in enumerate(content.counts.tolist()):
        theirs[wordnet().pos(row)][wordnet().offset(row)] = count
    for pos, total in content.totals.items():
        theirs[pos][0] = total

    synsets = {}

    def nltk_score(row1: int, row2: int) -> float:
        pair = []
        for row in (row1, row2):
            if row not in synsets:
                synsets[row] = nltk_wordnet.synset_from_pos_and_offset(
                    wordnet().pos(row), wordnet().offset(row)
                )
            pair.append(synsets[row])
        if row1 != row2 and not content.counts[[row1, row2]].any():
            return 0  # the documented deviation
        return pair[0].jcn_similarity(pair[1], theirs)

    compared = 0
    for word1, word2 in random_word_pairs(5_000):
        best = 0.0
        for pos in ("n", "v"):
            for row1, row2 in product(wordnet().senses(word1, pos), wordnet().senses(word2, pos)):
                score = nltk_score(row1, row2)
                assert shipped.senses(row1, row2) == pytest.approx(score, rel=1e-9, abs=1e-9)
                best = max(best, score)
                compared += 1
        if word1 == word2:
            best = IDENTICAL
        assert shipped.words(word1, word2).score == pytest.approx(best, rel=1e-9, abs=1e-9)
    assert compared > 10_000

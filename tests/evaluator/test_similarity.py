"""Jiang-Conrath similarity: by hand on a small WordNet, and against NLTK on the whole one."""

import math
import pickle
import random
from collections import defaultdict
from itertools import product

import pytest

from evaluator.errors import InputError
from evaluator.similarity import IDENTICAL, InformationContent, JiangConrath, Similarity
from evaluator.wordnet import wordnet


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


def test_a_tag_counts_once_for_each_ancestor(small_wordnet):
    content = InformationContent.from_sense_counts(small_wordnet)
    expected = {
        "obama": 0, "president": 4, "official": 4, "leader": 6, "person": 8, "entity": 8,
        "visit": 1, "wander": 0, "move": 4, "think": 3, "lead": 1,
    }  # fmt: skip
    for word, count in expected.items():
        (row, *_) = small_wordnet.senses(word, "n") + small_wordnet.senses(word, "v")
        assert content.counts[row] == count
        assert content.content[row] == (pytest.approx(math.log(8 / count)) if count else math.inf)
    assert content.totals == {"n": 8, "v": 8}


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


def test_similarity_survives_pickling(small):
    again = pickle.loads(pickle.dumps(small))
    assert again.words("president", "leader") == small.words("president", "leader")


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


# Information content files ------------------------------------------------------------------------


def ic_file(small_wordnet, path):
    """An ic-*.dat file with the counts of the test by hand, halved."""
    lines = ["wnver::made"]
    content = InformationContent.from_sense_counts(small_wordnet)
    for row, count in enumerate(content.counts.tolist()):
        sense = f"{small_wordnet.offset(row)}{small_wordnet.pos(row)}"
        root = " ROOT" if not small_wordnet.hypernyms(row) else ""
        lines.append(f"{sense} {count / 2:g}{root}")
    path.write_text("\n".join(lines) + "\n")
    return path


def test_an_nltk_file_replaces_the_sense_counts(small_wordnet, small, tmp_path):
    path = ic_file(small_wordnet, tmp_path / "ic-made.dat")
    content = InformationContent.from_nltk_file(path, small_wordnet)
    assert content.source == "ic-made.dat"
    assert content.totals == {"n": 4, "v": 4}
    halved = JiangConrath(small_wordnet, content)
    assert halved.words("visit", "travel") == small.words("visit", "travel")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", r":1: no header wnver::"),
        ("1740n 12\n", r":1: no header wnver::"),
        ("wnver::x\n1740n\n", r':2: expected: "<offset><n or v> <count>", .*found \'1740n\''),
        ("wnver::x\n1740a 3\n", r":2: expected"),
        ("wnver::x\n\n", r":2: expected"),
        ("wnver::x\n1740n nan\n", r":2: expected"),
        ("wnver::x\n3n 4\n", r":2: WordNet 3.0 has no synset 3n"),
        ("wnver::x\n1740n 4 ROOT\n", r"ic.dat: no count at a ROOT of nouns or of verbs"),
    ],
)
def test_a_damaged_file_is_refused(tmp_path, text, problem):
    path = tmp_path / "ic.dat"
    path.write_text(text)
    with pytest.raises(InputError, match=problem):
        InformationContent.from_nltk_file(path, wordnet())


def test_a_missing_file_is_refused(tmp_path):
    (tmp_path / "latin.dat").write_bytes(b"wnver::\xe9\n")
    for path in (tmp_path / "none.dat", tmp_path, tmp_path / "latin.dat"):
        with pytest.raises(InputError, match="give one of NLTK's"):
            InformationContent.from_nltk_file(path, wordnet())

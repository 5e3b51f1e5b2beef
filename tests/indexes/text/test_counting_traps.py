"""What makes counts in text wrong without anybody noticing: each trap with its count by hand.

Both engines are asked, and must say the same: Lucene's queries, one fact at a time, and the joins
over all facts at once.
"""

import re
from pathlib import Path

import pytest

from evaluator.counting.elements import relation_element
from evaluator.text import tokens
from tests.indexes.engines import InText, element, engines


@pytest.fixture
def count(tmp_path):
    """Return a function that counts a fact in texts; names as strings, or tuples of several."""

    def counts(texts, e1, r, e2, **options):
        fact = (
            names if names == () else element(*([names] if isinstance(names, str) else names))
            for names in (e1, r, e2)
        )
        with engines(tmp_path, texts) as both:
            return both.agreed(tuple(fact), **options)

    return counts


def forms(relation):
    """Return a relation's alternatives: its lemmas, inflected."""
    return tuple(map(" ".join, relation_element(relation)))


# --- Distances


@pytest.mark.parametrize(("x", "near"), [(3, 0), (4, 1), (5, 1)])
def test_figure_2_holds_at_4_words_and_not_at_3(count, x, near):
    # "was appointed as senior" and "by" are between: every word counts, also those that say little.
    text = "Valerie Jarrett was appointed as senior advisor by Barack Obama"
    fact = "Valerie Jarrett", forms("advisor"), "Barack Obama"
    assert count([text], *fact, x=x) == InText(1, 1, near)


@pytest.mark.parametrize(("x", "near"), [(1, 0), (2, 1)])
def test_near_is_a_distance_of_two_neighbours_not_a_total(count, x, near):
    # Two words on either side of "visited", four in all; and four on one side are too many.
    texts = [
        "Obama has gladly visited the beautiful Rome",
        "Obama and many others and visited Rome",
    ]
    assert count(texts, "Obama", "visited", "Rome", x=x) == InText(2, 2, near)


@pytest.mark.parametrize(("x", "near"), [(3, 0), (4, 1)])
def test_a_nearer_relation_word_does_not_hide_a_better_one(count, x, near):
    # The first r is next to "a b" but 7 words from "c d"; the second is 4 and 3 words away.
    assert count(["a b r x x x r x x x c d"], "a b", "r", "c d", x=x) == InText(1, 1, near)


def test_a_shorter_name_does_not_hide_a_longer_one_that_is_nearer(count):
    texts = ["In Rome visited Barack Obama", "In Rome visited Mr. Obama"]
    fact = ("Obama", "Barack Obama"), "visited", "Rome"
    assert count(texts, *fact, x=0) == InText(2, 2, 1)
    assert count(texts, *fact, x=1) == InText(2, 2, 2)


def test_any_order_will_do_unless_one_is_asked_for(count):
    texts = ["Obama visited Rome", "Rome Obama visited", "visited Rome Obama"]
    assert count(texts, "Obama", "visited", "Rome", x=1) == InText(3, 3, 3)
    assert count(texts, "Obama", "visited", "Rome", x=1, ordered=True) == InText(3, 3, 1)


def test_near_pairs_are_those_that_a_relation_fits_between(count):
    # At X = 1 a relation of one word leaves room for three words.
    texts = ["Obama x x x Rome", "Rome x x x Obama", "Obama x x x x Rome", "Obama x visited x Rome"]
    fact = "Obama", "visited", "Rome"
    assert count(texts, *fact, x=1) == InText(4, 1, 1)
    assert count(texts, *fact, x=1, denominator="near") == InText(3, 1, 1)


# --- One mention, one element


def test_a_relation_word_inside_a_name_states_nothing(count):
    texts = ["The Bank of America is in Boston", "A bank, the Bank of America, is in Boston"]
    fact = "Bank of America", "bank", "Boston"
    assert count(texts, *fact, x=6) == InText(2, 1, 1)
    assert count(texts, *fact, x=5) == InText(2, 1, 0)  # "the Bank of America is in" are 6


def test_one_mention_does_not_serve_both_entities(count):
    texts = ["Michelle Obama met", "Obama met Michelle Obama", "Obama met Obama"]
    assert count(texts, "Obama", "met", "Michelle Obama", x=5) == InText(1, 1, 1)
    assert count(texts, "Obama", "met", "Obama", x=5) == InText(2, 2, 2)


def test_names_that_run_into_each_other_are_one_of_the_two(count):
    texts = ["New York City", "New York and York City"]
    assert count(texts, "New York", "and", "York City", x=5) == InText(1, 1, 1)


def test_a_document_with_two_names_of_an_entity_counts_once(count):
    texts = ["Obama, Barack Obama visited and is visiting Rome, the Eternal City", "Barack Obama"]
    fact = ("Obama", "Barack Obama"), forms("visit"), ("Rome", "Eternal City")
    assert count(texts, *fact, x=5) == InText(1, 1, 1)


# --- What a word is


@pytest.mark.parametrize("name", ["Bank of America", "Bank in America", "Bank America"])
def test_small_words_are_words(count, name):
    texts = [f"{other} near Boston" for other in ("Bank of America", "bank in America")]
    found = int(name != "Bank America")
    assert count(texts, name, "near", "Boston", x=0) == InText(found, found, found)


@pytest.mark.parametrize("word", ["organization", "organ", "universe", "university"])
def test_different_words_of_one_stem_stay_different(count, word):
    texts = [f"The {other} of Rome" for other in ("organization", "organs", "universe")]
    found = int(word != "university")
    assert count(texts, "the", forms(word), "Rome", x=1) == InText(3, found, found)


def test_a_name_of_small_words_only_is_a_name(count):
    texts = ["The The is a band", "The band is the band", "the the the band"]
    assert count(texts, "The The", "is", "band", x=1) == InText(2, 1, 1)


def test_a_relation_of_small_words_only_is_a_relation(count):
    texts = ["Obama is in Rome", "Obama was in Rome", "Obama, in Rome", "in Rome Obama is"]
    assert count(texts, "Obama", forms("be in"), "Rome", x=0) == InText(4, 2, 2)


def test_a_relation_without_words_never_counts_as_its_pair(count):
    assert count(["Obama in Rome"], "Obama", (), "Rome", x=5) == InText(1, None, None)


def test_relations_are_found_in_every_inflection_and_not_beyond(count):
    texts = [f"Obama {verb} Rome" for verb in ("visits", "visited", "is visiting", "the visitor")]
    assert count(texts, "Obama", forms("visit"), "Rome", x=1) == InText(4, 3, 3)


def test_a_possessive_is_the_name_and_a_word(count):
    texts = ["Obama's visit to Rome", "Obama 's visit to Rome", "Obama’s visit to Rome"]
    for name in ("Obama", "Obama's", "OBAMA’S"):
        assert count(texts, name, "visit", "Rome", x=1) == InText(3, 3, 3)


@pytest.mark.parametrize(
    ("name", "same", "other"),
    [
        ("AT&T", ["AT&T", "AT & T", "at t"], ["ATT", "AT and T", "T at"]),
        ("U.S.", ["U.S.", "U. S.", "U.S", "(u s)"], ["US", "U.", "S.U."]),
        (
            "Jean-Luc Godard",
            ["Jean-Luc Godard", "Jean Luc Godard", "Jean‑Luc\nGodard"],
            ["Jeanluc"],
        ),
        ("Beyoncé", ["Beyonce\u0301", "Beyonc\u00e9", "BEYONCÉ"], ["Beyonce", "Beyoncés"]),
        ("Straße", ["STRASSE", "straße", "Strasse"], ["Strase"]),
        ("Bank of America", ["Bank of America", "bank, of America"], ["America of the Bank"]),
        ("3.14", ["3.14", "3 14"], ["314", "3 1 4"]),
        ("北京", ["北京", "(北京)"], ["北京大学", "北 京"]),
    ],
)
def test_names_match_word_by_word(count, name, same, other):
    texts = [f"{mention} visited Rome" for mention in (*same, *other)]
    found = len(same)
    assert count(texts, name, "visited", "Rome", x=0) == InText(found, found, found)


# --- Numbers


def test_counts_are_exact_beyond_a_thousand_documents(count):
    texts = ["Obama visits Rome"] * 1_200 + ["Obama x Rome: visits"] * 1_100 + ["Rome Obama"] * 57
    assert count(texts, "Obama", "visits", "Rome", x=0) == InText(2357, 2300, 1200)


@pytest.mark.parametrize(
    "fact",
    [("Obama", "visits", "Rome"), ("New York", "York", "York City"), ("so", "so", "so")],
    ids=["apart", "sharing words", "equal"],
)
def test_a_very_long_document_needs_no_more_than_its_length(count, fact):
    # Of each element 18,000 occurrences, 3 words or more from the next: 5.8e12 triples.
    text = " x x x ".join(fact)
    texts = [" x x x ".join([text] * 18_000)]
    assert len(texts[0].split()) > 200_000
    assert count(texts, *fact, x=2) == InText(1, 1, 0)
    assert count(texts, *fact, x=3) == InText(1, 1, 1)


# --- What the guide says


def test_the_guide_shows_tokens_as_they_are():
    guide = Path(__file__).parents[3] / "docs" / "text.md"
    section = guide.read_text(encoding="utf-8").partition("## What is a word")[2].split("\n## ")[0]
    rows = re.findall(r"^\| `(.+?)` \| (`.+`) \|$", section, re.MULTILINE)
    assert len(rows) == 10
    for text, words in rows:
        assert tokens(text) == re.findall(r"`(\S+)`", words)

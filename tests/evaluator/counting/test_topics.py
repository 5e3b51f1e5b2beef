"""What a document is about: titles without their qualifiers, and the words that texts open with."""

import pytest

from evaluator.counting.topics import topics
from evaluator.text import tokens


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Abraham Lincoln", "abraham lincoln"),
        ("Paris (film)", "paris"),
        ("Paris (1929 film) ", "paris"),
        ("John Smith (footballer) (born 1990)", "john smith footballer"),
        ("(500) Days of Summer", "500 days of summer"),
        ("(film)", "film"),
        ("AC/DC", "ac dc"),
        ("Straße", "strasse"),
    ],
)
def test_a_title_names_the_topic_less_a_qualifier_at_its_end(title, name):
    assert topics(title, ["something", "else"]) == (tuple(name.split()),)


@pytest.mark.parametrize("title", ["", "!!!", " () "])
def test_without_a_title_of_words_the_opening_may_be_the_name(title):
    assert topics(title, tokens("Marie Curie was")) == (
        ("marie",),
        ("marie", "curie"),
        ("marie", "curie", "was"),
    )
    assert [len(names) for names in topics(title, list("abcdefghijk"))] == [1, 2, 3, 4, 5, 6, 7, 8]
    assert topics(title, []) == ()


def test_a_name_of_more_than_500_characters_names_no_topic():
    longest = " ".join(["x" * 99] * 5)  # 499 characters
    assert topics(longest, []) == (tuple(longest.split()),)
    assert topics(f"{longest} yy", ["a"]) == ()
    assert len(topics("", [*longest.split(), "yy"])) == 5

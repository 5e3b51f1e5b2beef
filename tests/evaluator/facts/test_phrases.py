"""Names and noun phrases that no database knows are elements by their normal form."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.errors import ConfigurationError
from evaluator.facts.phrases import LONGEST_PHRASE, bare_verbs, find_elements, normal_form
from evaluator.model import Mention
from evaluator.text import normalise, spans, tokens


def marked(text):
    """Return a text without its [brackets], and the mentions of a database that these mark."""
    mentions, plain = [], ""
    for piece in re.split(r"(\[.*?\])", text):
        start = len(tokens(plain))
        plain += piece.strip("[]")
        if piece.startswith("["):
            mentions.append(Mention(start, len(tokens(plain)), "/m/1"))
    return plain, tuple(mentions)


def found(text, scope="phrases"):
    plain, known = marked(text)
    elements = find_elements(plain, known, scope=scope)
    return [m.entity for m in elements.names], [m.entity for m in elements.phrases]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Yesterday Ann Smith met Bob Miller in Freedonia .",
         ["ann smith", "bob miller", "freedonia"]),
        # A capital at the start of a sentence says nothing of a common word.
        ("Bats learn to avoid it .", []),
        ("Although Ciprian left , he came back .", ["ciprian"]),
        ("It said : `` Banks fail . ''", []),
        # Titles and offices are no part of a name; initials and "of" are, "and" joins two.
        ("Mr. Smith met President Jones .", ["smith", "jones"]),
        ("J. P. Freed met John F. Freed .", ["j p freed", "john f freed"]),
        ("She left the University of Freedonia .", ["university of freedonia"]),
        ("Rita of Freedonia met Ann Smith and Bob Miller .",
         ["rita", "freedonia", "ann smith", "bob miller"]),
        # Capital letters throughout say nothing, one word in capitals is a name.
        ("ANN SMITH MET BOB MILLER .", []),
        ("Stocks Fall Sharply After Smith Leaves Freedonia", []),
        ("He joined UAL on Monday in March .", ["ual"]),
        # Nationalities are modifiers; what the database knows it keeps.
        ("A Japanese company left .", []),
        ("Ann Smith met [Bob Miller] .", ["ann smith"]),
        ("", []),
        (". . . !", []),
        ("Она живёт в Москве", ["она", "москве"]),
        ("東京は日本の首都です", []),
        ("🙂 🙂 Smith 🙂", ["smith"]),
    ],
)  # fmt: skip
def test_names(text, names):
    assert found(text, "names") == (names, [])


@pytest.mark.parametrize(
    ("text", "phrases"),
    [
        ("The old company plans a big merger with its main rival .",
         ["old company", "big merger", "main rival"]),
        ("The company 's chairman bought tax-exempt bonds .",
         ["company", "company s chairman", "tax exempt bonds"]),
        ("A widely known actor visited the newly elected president .",
         ["widely known actor", "newly elected president"]),
        ("It has a population of 4,000 people .", ["population", "4 000 people"]),
        ("They paid $ 10 million in 1990 .", ["10 million", "1990"]),
        ("He decided to visit the city .", ["city"]),
        # Mentions stay; what is left of their phrase is known by the whole.
        ("the [French] president and president [Barack Obama] met .", ["french president"]),
        ("[Obama] 's wife left .", ["obama s wife"]),
        ("", []),
        ("? ! -- , .", []),
        ("東京は日本の首都です", []),
        ("🙂 🙂", []),
    ],
)  # fmt: skip
def test_noun_phrases(text, phrases):
    assert found(text)[1] == phrases


def test_what_is_too_long_is_no_phrase():
    assert found(" ".join(["stone"] * LONGEST_PHRASE)) == ([], [" ".join(["stone"] * 12)])
    assert found(" ".join(["stone"] * 1_000)) == ([], [])
    assert found("he saw " + " ".join(["Stone"] * 1_000)) == ([], [])


def test_a_normal_form_leaves_out_what_only_points_to_the_phrase():
    assert normal_form("The companies") == normal_form("those companies 's") == "companies"
    assert normal_form("the") == normal_form(" ") == ""


def test_be_and_have_are_relation_words_where_they_join_elements():
    text = "Smith is a painter , has been in Freedonia , is visiting it and has left ."
    elements = find_elements(text, (), scope="phrases")
    mentions = sorted((*elements.names, *elements.phrases))
    # "has been in": been stands before Freedonia; has, is and has before other verbs.
    assert bare_verbs(tokens(text), mentions) == {1: "be", 5: "be"}


def test_an_unknown_scope_is_refused():
    with pytest.raises(ConfigurationError, match=r"link\.scope 'all' is unknown"):
        find_elements("Ann", (), scope="all")


WORDS = (
    "The the a Ann Smith of and company 's president visited plans to 4,000 1990 million , . - "
    "old Monday UAL U.S. in said `` '' -LRB- %"
)


@given(
    st.lists(st.sampled_from(WORDS.split()), max_size=30),
    st.sets(st.integers(0, 29)),
    st.sampled_from(["names", "phrases"]),
)
def test_no_element_overlaps_another_or_a_mention(words, marks, scope):
    text = " ".join(words)
    count = len(tokens(text))
    known = tuple(Mention(at, at + 1, "/m/1") for at in sorted(marks) if at < count)
    elements = find_elements(text, known, scope=scope)
    mentions = sorted((*known, *elements.names, *elements.phrases))
    places = [place for m in mentions for place in range(m.start, m.end)]
    assert len(places) == len(set(places))
    assert all(0 <= m.start < m.end <= count for m in mentions)


@given(st.text(max_size=60))
def test_a_normal_form_is_its_own_and_no_identifier(text):
    form = normal_form(text)
    assert normal_form(form) == form
    assert not re.search(r"[A-Z:/]", form)


@given(st.text(max_size=60))
def test_any_text_has_elements_or_none(text):
    text = normalise(text)
    for m in find_elements(text, (), scope="phrases").names:
        words = [token.form for token in spans(text)[m.start : m.end]]
        assert m.entity == normal_form(" ".join(words))

"""The entity dictionary: which names a sentence mentions, and whom they mean."""

import pickle
import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.model import Mention
from evaluator.text import tokens
from indexes.entities import EntityDictionary, is_distinctive

NAMES = [
    ("/m/obama", "Barack Obama", "label"),
    ("/m/obama", "Obama", "alias"),
    ("/m/rome", "Rome", "label"),
    ("/m/summit", "G8 Summit", "label"),
    ("/m/us", "United States", "label"),
    ("/m/us", "US", "alias"),
    ("/m/us", "U.S.", "alias"),
    ("/m/gm", "General Motors", "label"),
    ("/m/ford", "Ford", "label"),
    ("/m/oxford", "University of Oxford", "label"),
    ("/m/denton", "Denton, Texas", "label"),
    ("/m/denton", "Denton", "alias"),
    ("/m/acdc", "AC/DC", "label"),
    ("/m/apple", "Apple", "label"),
    ("/m/ipod", "iPod", "label"),
    ("/m/hague", "The Hague", "label"),
    ("/m/mcdonalds", "McDonald's", "label"),
    ("/m/wilson", "Wilson", "label"),
    ("/m/kazoo", "kazoo", "label"),
]


@pytest.fixture(scope="module")
def dictionary() -> EntityDictionary:
    return EntityDictionary.build(NAMES, {})


def entities(dictionary: EntityDictionary, text: str) -> list[str]:
    return [mention.entity.removeprefix("/m/") for mention in dictionary.mentions(text)]


def test_mentions_of_figure_3_of_the_paper(dictionary):
    sentence = "Barack Obama is visiting Rome to attend the G8 Summit"
    assert dictionary.mentions(sentence) == (
        Mention(0, 2, "/m/obama"),
        Mention(4, 5, "/m/rome"),
        Mention(8, 10, "/m/summit"),
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # spacing and escapes of the Penn Treebank
        ("The speech was Obama 's -LRB- in Rome -RRB- .", ["obama", "rome"]),
        ("The speech was Obama's (in Rome).", ["obama", "rome"]),
        ("They ate at McDonald 's .", ["mcdonalds"]),
        ("It left the U.S. for Rome.", ["us", "rome"]),
        # capital letters
        ("He studied at the University Of Oxford", ["oxford"]),
        ("He studied at the university of Oxford", []),
        ("They told us the US won", ["us"]),
        ("They told Us", []),
        ("A united states of mind", []),
        ("he drives a ford", []),
        ("GENERAL MOTORS gained, FORD fell", ["gm"]),
        ("US TROOPS LEAVE", []),
        ("an iPod, an Ipod and an IPOD", ["ipod"]),
        # punctuation inside
        ("He lives in Denton , Texas", ["denton"]),
        ("He lives in Denton Texas", ["denton"]),
        ("The band AC/DC", ["acdc"]),
        ("Cars by General, Motors by others", []),
        # a common word that begins the sentence; "ford" is one in WordNet only
        ("Apple pays", []),
        ("Apples and Apple", ["apple"]),
        ("On Monday Apple pays", ["apple"]),
        ("Ford pays", ["ford"]),
        ("Rome fell", ["rome"]),
        # part of a longer name
        ("It was Frank Wilson", []),
        ("It was Wilson College", []),
        ("It was the Miller-Wilson plan", []),
        ("It was J. Wilson", []),
        ("It was General Motors Hall", []),
        ("It was Painter Barack Obama", ["obama"]),
        ("It was General Motors Corp.", ["gm"]),
        ("It was Wilson Pope", []),
        ("It was Pope Wilson", ["wilson"]),
        ("It was Mr. Wilson", ["wilson"]),
        ("It was the Ford chairman, Ford CEO Wilson", ["ford", "ford", "wilson"]),
        ("In Wilson it rains", ["wilson"]),
        ("He said: \"In Wilson it rains\"", ["wilson"]),
        ("They met Wilson, Miller and Ford", ["wilson", "ford"]),
        ("The Hague 's court", ["hague"]),
    ],
)  # fmt: skip
def test_what_a_text_mentions(dictionary, text, expected):
    assert entities(dictionary, text) == expected


def test_the_longest_name_wins_and_mentions_do_not_overlap():
    names = [
        ("/m/1", "New York", "label"),
        ("/m/2", "New York City", "label"),
        ("/m/3", "City Director", "label"),
    ]
    dictionary = EntityDictionary.build(names, {})
    assert entities(dictionary, "New York City Director, in New York") == ["2", "1"]
    assert entities(dictionary, "New York City Hall") == []


def test_names_that_cannot_be_told_from_text_are_left_out():
    left_out = ("Q", "24", "1984", "9/11", "Her", "it", "June", "Friday", "🇧🇪", "", "kazoo", "été")
    names = (*left_out, "The Who", "IT", "C4")
    dictionary = EntityDictionary.build((("/m/1", name, "label") for name in names), {})
    assert len(dictionary) == 3
    assert [dictionary.resolve(name) for name in ("The Who", "IT", "C4")] == ["/m/1"] * 3


def test_names_without_a_capital_only_on_request():
    assert entities(EntityDictionary.build(NAMES, {}), "he plays the kazoo") == []
    wider = EntityDictionary.build(NAMES, {}, proper_only=False)
    assert entities(wider, "he plays the kazoo") == ["kazoo"]


@pytest.mark.parametrize(
    ("names", "degree", "expected"),
    [
        # a label before an alias, whatever the degrees
        ([("/m/a", "Springfield", "alias"), ("/m/b", "Springfield", "label")], {"/m/a": 9}, "/m/b"),
        # then the larger degree
        ([("/m/a", "Springfield", "label"), ("/m/b", "Springfield", "label")], {"/m/b": 1}, "/m/b"),
        # then the smaller identifier
        ([("/m/b", "Springfield", "label"), ("/m/a", "Springfield", "label")], {}, "/m/a"),
        # but a name of the text's own case comes first
        ([("/m/a", "SpringField", "label"), ("/m/b", "Springfield", "alias")], {"/m/a": 9}, "/m/b"),
    ],
)
def test_an_ambiguous_name_goes_by_the_prior(names, degree, expected):
    dictionary = EntityDictionary.build(names, degree)
    assert dictionary.resolve("Springfield") == expected
    assert [mention.entity for mention in dictionary.mentions("in Springfield")] == [expected]


def test_a_name_that_differs_in_case_only_means_who_is_written_so():
    dictionary = EntityDictionary.build(
        [("/m/aids", "AIDS", "label"), ("/m/aid", "Aids", "alias")], {"/m/aids": 5}
    )
    assert entities(dictionary, "He had AIDS") == ["aids"]
    assert entities(dictionary, "He had Aids") == ["aid"]
    assert dictionary.resolve("aids") == "/m/aids"


def test_resolve_knows_any_case_and_nothing_else(dictionary):
    assert dictionary.resolve("barack obama") == "/m/obama"
    assert dictionary.resolve("DENTON TEXAS") == "/m/denton"
    assert dictionary.resolve("Barack") is None
    assert dictionary.resolve("") is None


def test_texts_and_names_meet_in_unicode_normal_form_c():
    dictionary = EntityDictionary.build([("/m/1", "Mu\u0308nchen", "label")], {})
    assert dictionary.mentions("in M\u00fcnchen") == dictionary.mentions("in Mu\u0308nchen")
    assert dictionary.mentions("in M\u00fcnchen") == (Mention(1, 2, "/m/1"),)


def test_the_order_of_names_changes_nothing(dictionary):
    shuffled = random.Random(3).sample(NAMES, len(NAMES))
    assert EntityDictionary.build(shuffled, {}) == dictionary


def test_a_pickled_dictionary_is_the_same(dictionary):
    assert pickle.loads(pickle.dumps(dictionary)) == dictionary


# Words that are no English, and names in lower case: only longest match is left to decide.
WORDS = st.sampled_from(["zor", "qib", "vaxo"])


@given(
    names=st.sets(st.lists(WORDS, min_size=1, max_size=4).map(" ".join), min_size=1, max_size=6),
    text=st.lists(WORDS, max_size=12).map(" ".join),
)
def test_longest_match_from_left_to_right_as_a_regular_expression_finds_it(names, text):
    longest_first = sorted(names, key=lambda name: -len(name.split()))
    expected = [
        (len(tokens(text[: match.start()])), match.group())
        for match in re.finditer(rf"\b(?:{'|'.join(longest_first)})\b", text)
    ]
    dictionary = EntityDictionary.build(
        ((name, name, "label") for name in names), {}, proper_only=False
    )
    assert [(mention.start, mention.entity) for mention in dictionary.mentions(text)] == expected


@pytest.mark.parametrize(
    ("form", "distinctive"),
    [
        ("barack obama", True),
        ("obama", True),
        ("usa", True),
        ("u s", True),
        ("house of representatives", True),
        ("us", False),
        ("la", False),
        ("rock", False),
        ("the rock", False),
        ("the who", False),
    ],
)
def test_a_name_without_capitals_must_still_tell_whom_it_means(form, distinctive):
    assert is_distinctive(form) is distinctive

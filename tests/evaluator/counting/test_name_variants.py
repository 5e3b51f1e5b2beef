"""Variants of names: how else a text writes them."""

import pytest

from evaluator.counting.definition import IF_NAMED, alternatives, full_names, short_forms
from evaluator.counting.elements import entity_element
from evaluator.counting.name_variants import NAME_VARIANTS, variants_of
from evaluator.text import tokens


def words(*texts):
    return {tuple(text.split()) for text in texts}


@pytest.mark.parametrize(
    ("kind", "name", "expected"),
    [
        ("qualifier", "Portland, Oregon", words("portland")),
        ("qualifier", "Avatar (film)", words("avatar")),
        ("qualifier", "2012 (film)", words("2012")),
        ("qualifier", "Douglas Haig, 1st Earl Haig", words("douglas haig")),
        ("qualifier", "Hempstead (village), New York", words("hempstead village")),
        ("qualifier", "I, Robot", set()),  # "I" is no name
        ("qualifier", "So Long, and Thanks for All the Fish", set()),
        ("qualifier", "Earth, Wind & Fire", set()),
        ("qualifier", "Crosby, Stills, Nash", set()),  # a list
        ("qualifier", "Robert Downey, Jr.", set()),  # his father
        ("qualifier", "Macy's, Inc.", set()),
        ("qualifier", "(500) Days of Summer", set()),
        ("qualifier", "Oregon", set()),
        ("article", "The Beatles", words("beatles")),
        ("article", "The Who", set()),
        ("article", "Theodore", set()),
        ("legal", "Yahoo! Inc.", words("yahoo")),
        ("legal", "Bandai Co., Ltd.", words("bandai")),
        ("legal", "Target Corporation", {(IF_NAMED, "target")}),  # a common word, too
        ("legal", "Apple, Inc.", {(IF_NAMED, "apple")}),
        ("legal", "Company", set()),
        ("plain", "Gabriel García Márquez", words("gabriel garcia marquez")),
        ("plain", "Łódź", words("lodz")),
        ("plain", "Rome", set()),
        (
            "initials",
            "John Ronald Reuel Tolkien",
            words("j r r tolkien", "jrr tolkien", "john tolkien", "john r r tolkien"),
        ),
        ("initials", "J. R. R. Tolkien", words("jrr tolkien")),
        (
            "initials",
            "George Walker Bush",
            words("george bush", "george w bush", "g w bush", "gw bush"),
        ),
        ("initials", "Barack Obama", set()),
        ("family", "Barack Obama", {(IF_NAMED, "obama")}),
        ("family", "Martin Luther King, Jr.", {(IF_NAMED, "king")}),
        ("family", "Vincent van Gogh", {(IF_NAMED, "van", "gogh")}),
        ("family", "Bank of America", set()),
        ("family", "Ford Motor Company", set()),
        ("family", "Madonna", set()),
        ("family", "Windows 95", set()),
    ],
)
def test_each_kind_of_variant_by_itself(kind, name, expected):
    assert set(variants_of(name, [kind])) - {tuple(tokens(name))} == expected


def test_what_is_left_of_a_name_has_the_variants_of_other_kinds():
    found = set(variants_of("José Martí (actor)", ["qualifier", "family", "plain"]))
    assert found == words("josé martí", "jose marti", "jose marti actor") | {
        (IF_NAMED, "martí"),
        (IF_NAMED, "marti"),
    }


def test_an_entity_without_variants_is_its_names():
    assert entity_element("/m/x", ["Portland, Oregon", "PDX"]) == (
        ("portland", "oregon"),
        ("pdx",),
    )
    assert entity_element("Portland, Oregon", None) == (("portland", "oregon"),)
    assert entity_element("?!", None, variants=NAME_VARIANTS) == ()


def test_a_short_form_that_is_a_name_anyway_is_none():
    element = entity_element("/m/x", ["Barack Obama", "Obama"], variants=["family"])
    assert alternatives(element) == (("barack", "obama"), ("obama",))
    element = alternatives(entity_element("Barack Obama", None, variants=["family"]))
    assert full_names(element) == (("barack", "obama"),)
    assert short_forms(element) == (("obama",),)
    assert alternatives(((IF_NAMED, "obama"),)) == ()

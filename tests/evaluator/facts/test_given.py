"""Facts that are given without sentences become facts as extractions do."""

import pytest

from evaluator.facts.given import GivenFact, link_given, names_of
from evaluator.facts.linking import NEGATED, NO_FIRST, NO_PAIR, NO_SECOND, ONE_ARGUMENT, SAME_ENTITY
from evaluator.model import Fact


def identify(text):
    """Take ``m.1`` and ``/m/1`` for the same entity, and what has no number for none."""
    return f"/m/{text[-1]}" if text[-1:].isdigit() else None


def given(e1="m.1", relation="is visiting", e2="/m/2", name1="", name2=""):
    return GivenFact("system", 1, e1, relation, e2, name1, name2)


def test_a_fact_has_identifiers_in_one_form_and_the_relation_in_normal_form():
    linked = link_given(given(), identify=identify)
    assert linked.fact == Fact("/m/1", "visit", "/m/2")
    assert linked.reason is None


def test_the_relation_key_is_that_of_the_run():
    fact = given(relation="wants to visit")
    assert link_given(fact, identify=identify).fact.r == "visit"
    assert link_given(fact, identify=identify, key="all").fact.r == "want visit"


def test_a_relation_without_content_stays_in_scope():
    assert link_given(given(relation="be in"), identify=identify).fact == Fact("/m/1", "", "/m/2")


@pytest.mark.parametrize(
    ("fact", "reason"),
    [
        (given(e1="NULL", e2="", name2="Rome"), NO_PAIR),
        (given(e1="NULL"), NO_FIRST),
        (given(e2="", name2="Rome"), NO_SECOND),
        (given(e2=""), ONE_ARGUMENT),
        (given(e2="m.1"), SAME_ENTITY),
        (given(relation="did not visit"), NEGATED),
    ],
)
def test_what_is_out_of_scope_has_a_reason(fact, reason):
    assert link_given(fact, identify=identify)[:2] == (None, reason)


def test_a_negated_fact_can_be_kept_and_is_not_the_positive_one():
    fact = given(relation="did not visit")
    kept = link_given(fact, identify=identify, negation="keep").fact
    assert kept == Fact("/m/1", "visit", "/m/2", negated=True)


@pytest.mark.parametrize(
    ("scope", "name1", "name2", "outcome"),
    [
        ("names", "The White House", "Rome", Fact("white house", "visit", "rome")),
        ("names", "The White House", "a city", NO_SECOND),
        ("phrases", "The White House", "a city", Fact("white house", "visit", "city")),
        ("phrases", "it", "a city", NO_FIRST),
        ("linked", "The White House", "Rome", NO_PAIR),
    ],
)
def test_an_unlinked_argument_is_an_element_by_its_normal_form(scope, name1, name2, outcome):
    fact = given(e1="NULL", name1=name1, e2=name2)
    linked = link_given(fact, identify=identify, scope=scope)
    assert outcome in (linked.fact, linked.reason)


def test_names_are_kept_as_written_beside_the_entity_or_its_search_form():
    fact = given(name1="Obama", e2="NULL", name2="Rome, Italy")
    rome = ("rome italy", "Rome, Italy")
    assert names_of(fact, identify=identify, scope="names") == [("/m/1", "Obama"), rome]
    linked = link_given(fact, identify=identify, scope="names").fact
    assert linked == Fact("/m/1", "visit", "rome italy")
    assert names_of(fact, identify=identify, scope="linked") == [("/m/1", "Obama")]
    assert names_of(given(name1=" , "), identify=identify, scope="names") == []

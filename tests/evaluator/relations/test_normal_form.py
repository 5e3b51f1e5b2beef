"""Relation phrases in normal form, and that sentences and phrases agree on it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluator.errors import ConfigurationError
from evaluator.relations.normal_form import (
    RelationForm,
    relation_form,
    relation_key,
    relation_name_words,
    relation_words,
)
from evaluator.text import tokens


def test_the_relation_words_of_figure_3():
    # "Barack Obama is visiting Rome to attend the G8 Summit" outside its three mentions.
    assert relation_words(["is", "visiting", "to", "attend", "the"]) == ("visit", "attend")


def test_relation_words_are_distinct_and_in_text_order():
    words = tokens(
        "He visited it, left, was visiting again and left the city in which he was born."
    )
    assert relation_words(words) == ("visit", "leave", "city", "bear")


@pytest.mark.parametrize(
    ("phrase", "head", "lemmas"),
    [
        # The last main verb.
        ("was born in", "bear", "bear"),
        ("has been appointed as", "appoint", "appoint"),
        ("was appointed as senior advisor by", "appoint", "appoint advisor"),
        ("to attend", "attend", "attend"),
        ("wants to visit", "visit", "want visit"),
        ("has plans to visit", "visit", "plan visit"),
        ("is visiting", "visit", "visit"),
        ("is married to", "marry", "marry"),
        ("is a city located in", "locate", "city locate"),
        ("founded", "found", "found"),
        ("was found in", "find", "find"),
        ("lives in", "live", "live"),
        ("got married to", "marry", "get marry"),
        # The noun of a copula or light-verb phrase.
        ("is the president of", "president", "president"),
        ("is president of", "president", "president"),
        ("became the president of", "president", "become president"),
        ("is the vice president of", "president", "vice president"),
        ("is the founder and president of", "founder", "founder president"),
        ("is one of the founders of", "founder", "founder"),
        ("is head of", "head", "head"),
        ("is the head coach of", "coach", "head coach"),
        ("is the author of a book about", "author", "author book"),
        ("is a visiting professor at", "professor", "visit professor"),
        ("is expected to be the president of", "president", "expect president"),
        ("took place in", "place", "take place"),
        ("takes part in", "part", "take part"),
        ("gave birth to", "birth", "give birth"),
        ("has a population of", "population", "population"),
        # A light verb without a noun.
        ("was made by", "make", "make"),
        ("became", "become", "become"),
        # No verb: the head noun.
        ("mayor of", "mayor", "mayor"),
        ("'s wife", "wife", "wife"),
        ("'s wife is", "wife", "wife"),
        ("place of birth", "place", "place birth"),
        ("children", "child", "child"),
        # No content word.
        ("is in", "", ""),
        ("has", "", ""),
        ("-LRB- of -RRB-", "", ""),
        ("", "", ""),
    ],
)
def test_head_and_lemmas(phrase, head, lemmas):
    form = relation_form(phrase)
    assert (form.head, form.lemmas) == (head, tuple(lemmas.split()))


@pytest.mark.parametrize(
    "phrase",
    [
        "did not visit", "didn't visit", "did n't visit", "didn’t visit", "cannot visit",
        "never visited", "no longer visits", "neither visited", "left without visiting",
        "won't visit", "ca n't visit",
    ],
)  # fmt: skip
def test_negated(phrase):
    form = relation_form(phrase)
    assert form.negated
    assert form.head == "visit"


@pytest.mark.parametrize("phrase", ["visited", "visited t", "is notable for", "knows"])
def test_not_negated(phrase):
    assert not relation_form(phrase).negated


def test_an_auxiliary_before_nt_is_no_word_of_the_relation():
    assert relation_form("won't join") == RelationForm(("join",), "join", True, False)
    assert relation_form("won").head == "win"


@pytest.mark.parametrize(
    "phrase",
    [
        "may have visited", "might visit", "would visit", "reportedly visited", "seems to visit",
        "is expected to visit", "is likely to visit", "appears to have visited",
    ],
)  # fmt: skip
def test_hedged(phrase):
    form = relation_form(phrase)
    assert form.hedged
    assert form.head == "visit"


def test_who_appears_in_a_film_is_not_hedged():
    assert not relation_form("appeared in").hedged
    assert not relation_form("visited").hedged


def test_relation_key():
    form = relation_form("took place in")
    assert relation_key(form) == relation_key(form, key="head") == "place"
    assert relation_key(form, key="all") == "take place"
    with pytest.raises(ConfigurationError, match=r'relation.key is "tail"; it must be "head" or'):
        relation_key(form, key="tail")


WORDS = (
    "is was has been did n t not to the a of in and by city president visiting visited visits "
    "plans won haven lives building born first new head take took place became married who "
    "never may work works leading 2012 x zzyzx"
)
LISTS = st.lists(st.sampled_from(WORDS.split()), max_size=8)


@settings(max_examples=1000)
@given(LISTS)
def test_a_phrase_has_the_relation_words_of_its_tokens(words):
    form = relation_form(" ".join(words))
    assert form.lemmas == relation_words(words)
    assert form.head in form.lemmas or (form.head == "" and not form.lemmas)


@given(LISTS, LISTS, LISTS)
def test_a_phrase_stays_inside_the_words_of_its_sentence(before, phrase, after):
    # Unless the phrase is cut between "won" and "t", it gives the sentence no other word.
    sentence = relation_words([*before, *phrase, *after])
    whole = not (after[:1] == ["t"] or phrase[:1] == ["t"])
    assert not whole or set(relation_form(" ".join(phrase)).lemmas) <= set(sentence)


# Names of relations -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "words"),
    [
        # Nouns as they stand, and plurals.
        ("place of birth", "place.n birth.n"),
        ("spouse (or domestic partner)", "spouse.n partner.n"),
        ("state/province/region", "state.n province.n region.n"),
        ("member states", "member.n state.n"),
        ("cast members", "cast.n member.n"),
        ("release date", "release.n date.n"),
        ("children", "child.n"),
        ("notable people with this condition", "people.n condition.n"),
        # Past forms, among them some that are rare nouns: what is "given", who is "married".
        ("Date founded", "date.n found.v"),
        ("directed by", "direct.v"),
        ("educated at", "educate.v"),
        ("languages spoken, written, or signed", "language.n speak.v write.v sign.v"),
        ("given to", "give.v"),
        ("married to", "marry.v"),
        ("ground", "ground.n"),
        # Verbs that are nothing else.
        ("contains", "contain.v"),
        ("participating countries", "participate.v country.n"),
        # Either: forms in -ing that are nouns of their own, forms in -s as often verbs as nouns.
        ("filming location", "filming.n film.v location.n"),
        ("wing area", "wing.n area.n"),
        ("uses", "use"),
        ("notable works", "work"),
        # No content words.
        ("is in", ""),
        ("native", ""),
        ("", ""),
    ],
)
def test_words_of_a_name_have_the_part_of_speech_that_they_stand_in(name, words):
    assert relation_name_words(name) == tuple(words.split())


@given(LISTS)
def test_a_name_has_as_many_content_words_as_a_phrase(words):
    lemmas = set(relation_words(words))
    named = relation_name_words(" ".join(words))
    assert len(set(named)) == len(named)
    # Each lemma of the phrase is there, unless the name means a noun that is no form of it.
    assert bool(named) == bool(lemmas)
    assert {word.partition(".")[0] for word in named} >= lemmas - {"live"}

"""What each stage makes of a text that is not English: docs/configuration.md, Other languages."""

from pathlib import Path

import pytest

from evaluator.corpus.splitting import split_sentences
from evaluator.counting.name_variants import variants_of
from evaluator.facts.phrases import element_of, find_elements
from evaluator.relations.normal_form import relation_form, relation_name_words
from evaluator.text import tokens
from evaluator.wordnet.lexicon import wordnet
from evaluator.wordnet.similarity import similarity
from indexes.kb.dictionary_names import name_row
from indexes.kb.entities import EntityDictionary, build_dictionary


@pytest.mark.parametrize("phrase", ["wurde gegründet von", "est né à", "родился в", "出生于"])
def test_a_relation_has_words_only_where_english_has_them(phrase: str):
    assert relation_form(phrase).lemmas == ()


@pytest.mark.parametrize(
    ("phrase", "head"),
    [("war Präsident von", "war"), ("hat den Preis", "den"), ("mit Gift", "gift")],
)
def test_a_word_that_english_has_too_is_taken_for_it(phrase: str, head: str):
    """The wrong number that the check of the corpus keeps away: "was" would be "war"."""
    assert relation_form(phrase).head == head


def test_no_negation_nor_hedge_is_seen():
    assert not relation_form("hat nicht besucht").negated
    assert not relation_form("soll vielleicht besuchen").hedged


def test_a_relation_of_the_database_has_no_words_to_compare():
    assert relation_name_words("Geburtsort") == relation_name_words("verheiratet mit") == ()


def test_other_words_are_similar_to_themselves_only():
    [[same, other]] = similarity().distances(["gründen"], ["gründen", "found"]).tolist()
    assert (same, other) == (0, float("inf"))
    assert wordnet().forms("gründen") == ("gründen",)


def test_abbreviations_and_dates_of_other_languages_end_a_sentence():
    text = "Der Vertrag gilt ab 3. Oktober 1990. Er endet bzw. ruht."
    assert len(list(split_sentences(text))) == 4  # of two
    assert len(list(split_sentences("他来了。她走了。"))) == 1  # of two


def test_scripts_without_spaces_have_no_words():
    assert tokens("他来了。") == ["他来了"]


def test_only_english_articles_leave_a_noun_phrase_and_german_nouns_are_names():
    assert element_of("the bridge", scope="phrases") == "bridge"
    assert element_of("eine Brücke", scope="phrases") == "eine brücke"

    def names(text: str) -> list[str]:
        return [mention.entity for mention in find_elements(text, [], scope="names").names]

    assert names("He built a bridge.") == []
    assert names("Er baute eine Brücke.") == ["er", "brücke"]


def test_names_need_capitals_and_german_nouns_look_like_names(tmp_path: Path):
    assert (name_row("北京").proper, name_row("Köln").proper) == (False, True)
    names = [("Q1", "Köln", "label"), ("Q2", "Rhein", "label")]
    dictionary: EntityDictionary = build_dictionary(tmp_path / "names", names, {})

    def found(text: str) -> list[str]:
        return [mention.entity for mention in dictionary.mentions(text)]

    assert found("Er lebt in Köln am Rhein.") == ["Q1", "Q2"]
    assert found("Er lebt in der Stadt Köln am Rhein.") == ["Q2"]  # "Stadt Köln" may be one name
    assert found("He lives in the city Köln.") == ["Q1"]


def test_of_the_variants_of_names_the_article_is_english():
    assert variants_of("The Beatles", ["article"]) != ()
    assert variants_of("Die Ärzte", ["article"]) == ()

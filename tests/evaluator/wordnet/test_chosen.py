"""What is known of the words of relations with the shipped WordNet, another one, and none."""

import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.counting.elements import relation_element
from evaluator.facts.superset import candidate_superset
from evaluator.model import Mention, Sentence
from evaluator.relations.matching import RelationMatch, best_relation, best_relations
from evaluator.relations.normal_form import RelationForm, relation_form, relation_words
from evaluator.text import tokens
from evaluator.wordnet.chosen import ENGLISH, Lexicon
from evaluator.wordnet.equal_words import EqualWords
from evaluator.wordnet.similarity import IDENTICAL, similarity

NO_GERMAN = Lexicon("none", english=False)
NO_ENGLISH = Lexicon("none")


@pytest.fixture
def german(tmp_path: Path) -> Lexicon:
    path = tmp_path / "wn-data-deu.tab"
    lines = ["10468559-n\tdeu:lemma\tPräsident", "10014939-n\tdeu:lemma\tDirektor"]
    path.write_text("\n".join(lines), encoding="utf-8")
    return Lexicon(path, english=False)


@pytest.mark.parametrize(
    ("phrase", "form"),
    [
        ("wurde in Wien geboren", ("wurde", "in", "wien", "geboren")),
        ("war und war", ("war", "und")),
        ("heißt GROẞ", ("heisst", "gross")),  # as Unicode folds them
        ("est né à", ("est", "né", "à")),
        ("родился в", ("родился", "в")),
        ("出生于", ("出生于",)),
        ("1990 – 3.", ()),
    ],
)
def test_a_relation_of_another_language_is_its_words(
    german: Lexicon, phrase: str, form: tuple[str, ...]
):
    for lexicon in (NO_GERMAN, german):
        found = relation_form(phrase, lexicon)
        assert found == RelationForm(form, " ".join(form), negated=False, hedged=False)
        assert relation_words(tokens(phrase), lexicon) == form


@pytest.mark.parametrize(
    ("phrase", "form"),
    [
        ("has not been appointed as", RelationForm(("appointed",), "appointed", True, False)),
        ("may have visited", RelationForm(("visited",), "visited", False, True)),
        ("is the president of", RelationForm(("president",), "president", False, False)),
        ("won't give birth", RelationForm(("give", "birth"), "give birth", True, False)),
        ("is in", RelationForm((), "", False, False)),
    ],
)
def test_an_english_one_is_its_words_but_function_words(phrase: str, form: RelationForm):
    assert relation_form(phrase, NO_ENGLISH) == form


def test_forms_of_one_lexicon_are_not_kept_for_another():
    heads = [relation_form("visited", of).head for of in (ENGLISH, NO_ENGLISH, ENGLISH)]
    assert heads == ["visit", "visited", "visit"]


def test_queries_hold_the_words_as_they_stand(german: Lexicon):
    assert relation_element("wurde geboren", lexicon=german) == (("wurde", "geboren"),)
    assert relation_element("visited", lexicon=NO_ENGLISH) == (("visited",),)
    assert ("visits",) in relation_element("visit")


def test_a_relation_is_compared_as_a_whole_and_by_words_with_senses(german: Lexicon):
    assert ENGLISH.compared("take place") == ("take", "place")
    assert NO_GERMAN.compared("ist präsident von") == ("ist präsident von",)
    assert german.compared("ist präsident von") == ("ist präsident von", "präsident")
    assert german.compared("präsident") == ("präsident",)
    assert {of.compared("") for of in (ENGLISH, NO_GERMAN, german)} == {()}
    names = [("direktor",), ("leitet",), ("direktor", "der")]
    assert NO_GERMAN.compared_names(names) == ("direktor", "leitet", "direktor der")


def test_without_a_wordnet_equal_words_match_and_no_others(monkeypatch: pytest.MonkeyPatch):
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("Jiang-Conrath was asked")

    monkeypatch.setattr("evaluator.wordnet.chosen.similarity", refuse)
    measure = NO_GERMAN.measure(derivations=True, sense_share=0.1)
    names = {"a": ("geburtsort", "geboren in"), "b": ("gestorben in",), "c": ()}

    def found(r: str, *relations: str) -> RelationMatch:
        return best_relation(NO_GERMAN.compared(r), relations, names, measure)

    assert found("geboren in", "b", "a") == ("a", IDENTICAL, "geboren in", "geboren in", False)
    assert found("geboren in", "b", "^a") == ("a", IDENTICAL, "geboren in", "geboren in", True)
    assert found("geboren", "b", "a") == ("a", 0.0, "geboren", "geburtsort", False)
    assert found("geboren in", "c") == found("geboren in") == (None, None, None, None, None)


def test_with_another_wordnet_a_common_word_says_nothing_without_a_sense(german: Lexicon):
    measure = german.measure()
    names = {"a": german.compared_names([("direktor", "von")]), "b": ("tochter von",)}

    def found(r: str, *relations: str) -> RelationMatch:
        return best_relation(german.compared(r), relations, names, measure)

    english = similarity().words("president", "director")
    best = found("ist präsident von", "b", "a")
    assert best[2:] == ("präsident", "direktor", False)
    assert best.similarity == english.score == pytest.approx(0.40475, abs=1e-5)
    assert found("sohn von", "b").similarity == 0
    assert found("tochter von", "b").similarity == IDENTICAL


WORDS = st.lists(st.sampled_from("abcd"), max_size=3).map(tuple)


@given(st.lists(st.tuples(WORDS, st.sets(st.sampled_from("pqrs"))), max_size=5), st.data())
def test_many_at_once_are_as_one_by_one(facts: list, data: st.DataObject):
    names = {relation: data.draw(WORDS) for relation in "pqrs"}
    measure = EqualWords()
    one_by_one = [best_relation(words, ids, names, measure) for words, ids in facts]
    assert best_relations(facts, names, measure) == one_by_one


def test_distances_have_the_shape_of_their_words():
    assert EqualWords().distances(["a", "b"], ["b"]).tolist() == [[math.inf], [0]]
    assert EqualWords().distances([], ["b"]).shape == (0, 1)


def test_words_near_a_pair_are_found_by_the_lexicon_of_the_sentence():
    text = "Anna wurde in Wien geboren"
    mentions = (Mention(0, 1, "A"), Mention(3, 4, "W"))
    sentence = Sentence("d", 0, text, mentions, ("wurde", "in", "geboren"))
    between = candidate_superset(sentence, words="between", lexicon=NO_GERMAN)
    assert [fact.r for fact in between] == ["wurde", "in"]

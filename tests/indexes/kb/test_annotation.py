"""A sentence gets the elements of its scope, and the relation words outside names."""

import pytest

from evaluator.model import Mention, Sentence
from indexes.kb.annotation import annotate_sentence
from indexes.kb.entities import build_dictionary

TEXT = "Ann Smith is the president of Freedonia , where Rome Bank has a population ."


@pytest.mark.parametrize(
    ("scope", "entities", "words"),
    [
        ("linked", ["/m/free"], ("smith", "president", "bank", "population")),
        ("names", ["ann smith", "/m/free", "rome bank"], ("president", "population")),
        (
            "phrases",
            ["ann smith", "president", "/m/free", "rome bank", "population"],
            ("be", "president", "have", "population"),
        ),
    ],
)
def test_a_sentence_has_the_elements_of_its_scope(tmp_path, scope, entities, words):
    dictionary = build_dictionary(tmp_path / "d", [("/m/free", "Freedonia", "label")], {})
    annotated = annotate_sentence(Sentence("d", 0, TEXT), dictionary, scope=scope)
    assert [mention.entity for mention in annotated.mentions] == entities
    assert annotated.relation_words == words


def test_given_mentions_stay_and_take_their_words(tmp_path):
    dictionary = build_dictionary(tmp_path / "d", [], {})
    given = Sentence("d", 0, TEXT, mentions=(Mention(3, 5, "Q30461"),))
    annotated = annotate_sentence(given, dictionary, scope="phrases")
    assert [mention.entity for mention in annotated.mentions] == [
        "ann smith", "Q30461", "freedonia", "rome bank", "population",
    ]  # fmt: skip
    assert annotated.relation_words == ("be", "have", "population")

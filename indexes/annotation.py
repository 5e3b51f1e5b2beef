"""Annotation: a sentence gets its entity mentions and its relation words."""

from evaluator.model import Sentence
from evaluator.relation import relation_words
from evaluator.text import tokens
from indexes.entities import EntityDictionary


def annotate_sentence(sentence: Sentence, dictionary: EntityDictionary) -> Sentence:
    """Return `sentence` with mentions and relation words; what its input gave is kept."""
    mentions = sentence.mentions
    if mentions is None:
        mentions = dictionary.mentions(sentence.text)
    words = sentence.relation_words
    if words is None:
        covered = {place for mention in mentions for place in range(mention.start, mention.end)}
        forms = enumerate(tokens(sentence.text))
        words = relation_words([form for place, form in forms if place not in covered])
    return Sentence(sentence.document, sentence.number, sentence.text, mentions, words)

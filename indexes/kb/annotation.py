"""Annotation: a sentence gets its entity mentions and its relation words."""

from collections.abc import Mapping

from evaluator.facts.phrases import bare_verbs, find_elements
from evaluator.model import Sentence
from evaluator.relations.normal_form import content_lemmas
from evaluator.text import tokens
from evaluator.wordnet.chosen import ENGLISH, Lexicon
from indexes.kb.entities import EntityDictionary


def annotate_sentence(
    sentence: Sentence,
    dictionary: EntityDictionary,
    *,
    proper_only: bool = True,
    context: bool = True,
    scope: str = "linked",
    meaning: Mapping[str, str] | None = None,
    lexicon: Lexicon = ENGLISH,
) -> Sentence:
    """Return `sentence` with mentions and relation words; what its input gave is kept.

    Parameters
    ----------
    sentence, dictionary
        What to annotate, and with which names.
    proper_only, context
        See :meth:`indexes.kb.entities.EntityDictionary.mentions`.
    scope
        Which elements the sentence has beside the entities of the dictionary
        (:func:`evaluator.facts.phrases.find_elements`). A name gives no relation word, as no
        mention does; the words of a noun phrase do: "president" is one in "the president of".
    meaning
        The entity of each identifier that given mentions may have, where it is another.
    lexicon
        What is known of relation words.
    """
    mentions = sentence.mentions
    if mentions is None:
        mentions = dictionary.mentions(sentence.text, proper_only=proper_only, context=context)
    elif meaning:
        mentions = tuple(m._replace(entity=meaning.get(m.entity, m.entity)) for m in mentions)
    elements = find_elements(sentence.text, mentions, scope=scope)
    words = sentence.relation_words
    named = (*mentions, *elements.names)
    mentions = tuple(sorted((*named, *elements.phrases)))
    if words is None:
        covered = {place for mention in named for place in range(mention.start, mention.end)}
        forms = tokens(sentence.text)
        bare = bare_verbs(forms, mentions) if scope == "phrases" and lexicon.english else {}
        uncovered = [place for place in range(len(forms)) if place not in covered]
        lemmas = content_lemmas([forms[place] for place in uncovered], lexicon)
        found = (bare.get(place, lemma) for place, lemma in zip(uncovered, lemmas, strict=True))
        words = tuple(dict.fromkeys(lemma for lemma in found if lemma is not None))
    return Sentence(sentence.document, sentence.number, sentence.text, mentions, words)

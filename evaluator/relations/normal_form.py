"""The normal form of a relation: what "has been appointed as" and "appointed" have in common.

A relation phrase is reduced to the lemmas of its content words, with one of them as head; a
sentence offers as relation words the lemmas of its content words outside mentions (the R of Bronzi
et al. 2012, section 2.3 and Figure 3). Both use the same lemma for the same token, whatever stands
around it, so that the facts of a system fall inside the candidate superset of its corpus.

Context decides only which of a phrase's lemmas is the head, and by closed word lists rather than a
parser: phrases of extractors are short, and an answer that everyone can foresee is worth more here
than a cleverer one.

All of this is English. With another lexicon (:mod:`evaluator.wordnet.chosen`) a phrase is its words
as they stand, and all of them name the relation.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Literal, NamedTuple

from evaluator.errors import ConfigurationError
from evaluator.function_words import (
    ADVERBS,
    AUXILIARIES,
    BE,
    DETERMINERS,
    FUNCTION_WORDS,
    NEGATIONS,
    NUMERALS,
)
from evaluator.text import tokens, unescape_treebank
from evaluator.wordnet.chosen import ENGLISH, Lexicon
from evaluator.wordnet.lexicon import wordnet

_HAVE = frozenset({"have", "has", "had", "having"})
_DO = frozenset({"do", "does", "did", "done", "doing"})

# What "be" and "have" are known by where they say all that a relation does: "is | a painter".
BARE_VERBS = dict.fromkeys(BE, "be") | dict.fromkeys(_HAVE, "have")

# Verbs whose noun says what the relation is: "is president of", "took place in", "has a son".
VERBS_OF_NOUNS = frozenset({"become", "get", "give", "make", "remain", "take"})

# Words that a noun phrase goes through, and words that end it.
_BEFORE_NOUN = (DETERMINERS | NUMERALS) - {"that", "which", "whose"}
_AFTER_NOUN = FUNCTION_WORDS - _BEFORE_NOUN - ADVERBS

# After these a word that can be a noun or a verb is a verb.
_BEFORE_VERB = (AUXILIARIES - BE - _HAVE) | {"to"}

HEDGES = frozenset({
    "may", "might", "could", "would", "should", "seem", "seems", "seemed", "expected", "likely",
    "allegedly", "apparently", "perhaps", "possibly", "probably", "reportedly", "supposedly",
})  # fmt: skip
_APPEAR = frozenset({"appear", "appears", "appeared"})  # a hedge in "appears to be" only


class RelationForm(NamedTuple):
    """A relation phrase in normal form.

    Attributes
    ----------
    lemmas
        Distinct lemmas of the content words, in order; empty for "is in".
    head
        The lemma that names the relation; empty without a content word.
    negated
        True for "did not visit", "no longer works for", "without".
    hedged
        True for "may have visited", "is expected to join", "reportedly".
    """

    lemmas: tuple[str, ...]
    head: str
    negated: bool
    hedged: bool


@lru_cache(maxsize=1 << 16)
def relation_form(phrase: str, lexicon: Lexicon = ENGLISH) -> RelationForm:
    """Return the normal form of a relation phrase as a system or a knowledge base writes it.

    The head is the noun of a copula or light-verb phrase ("is the president of", "took place in"),
    else the last main verb ("wants to visit"), else the head noun ("mayor of").

    Examples
    --------
    >>> relation_form("has not been appointed as")
    RelationForm(lemmas=('appoint',), head='appoint', negated=True, hedged=False)
    """
    words = tokens(unescape_treebank(phrase))
    lemmas = relation_words(words, lexicon)
    return RelationForm(
        lemmas=lemmas,
        head=_head(words) if lexicon.is_shipped else " ".join(lemmas),
        negated=lexicon.english and _negated(words),
        hedged=lexicon.english and _hedged(words),
    )


def relation_key(form: RelationForm, *, key: str = "head") -> str:
    """Return the string that identifies the relation of a fact (``relation.key`` of a run).

    ``"head"`` gives the head lemma, ``"all"`` all content lemmas joined by spaces. Empty where the
    phrase has no content word.

    Raises
    ------
    ConfigurationError
        For another `key`.
    """
    if key == "head":
        return form.head
    if key == "all":
        return " ".join(form.lemmas)
    raise ConfigurationError(f'relation.key is "{key}"; it must be "head" or "all"')


def relation_words(words: Sequence[str], lexicon: Lexicon = ENGLISH) -> tuple[str, ...]:
    """Return the distinct lemmas of the content words among `words`, in text order.

    Parameters
    ----------
    words
        Tokens (:func:`evaluator.text.tokens`) of a sentence that lie outside its mentions.
    lexicon
        What is known of words.
    """
    lemmas = content_lemmas(words, lexicon)
    return tuple(dict.fromkeys(lemma for lemma in lemmas if lemma is not None))


def content_lemmas(words: Sequence[str], lexicon: Lexicon = ENGLISH) -> list[str | None]:
    """Return the lemma of each token as a relation word; None for one that is no content word."""
    lemmas = list(map(lexicon.content_lemma, words))
    if lexicon.english and "t" in words:
        for place, (word, after) in enumerate(pairwise(words)):
            if _is_contracted(word, after):
                lemmas[place] = None
    return lemmas


@lru_cache(maxsize=1 << 16)
def relation_name_words(name: str) -> tuple[str, ...]:
    """Return the distinct content words of a relation's name in a knowledge base, in order.

    A word that stands in a name as a noun or as a verb only says so: ``place.n``, ``found.v``
    (:meth:`evaluator.wordnet.lexicon.WordNet.name_readings`). It is then compared by these senses
    alone (:mod:`evaluator.wordnet.similarity`). Without that, words meet in senses that the
    relation has nothing to do with: what somebody says in a "state/province", as verbs.

    No word of a name is left out for saying little ("type", "place"): on alignments with Freebase
    and Wikidata that gained nothing on the one that it did not lose on the other.

    Examples
    --------
    >>> relation_name_words("place of birth"), relation_name_words("Date founded")
    (('place.n', 'birth.n'), ('date.n', 'found.v'))
    """
    words: dict[str, None] = {}
    for token in _without_contractions(tokens(name)):
        readings = wordnet().name_readings(token)
        lemmas = [lemma for _, lemma in readings]
        if len(lemmas) == 2 and lemmas[0] == lemmas[1]:
            words[lemmas[0]] = None
        else:
            words |= dict.fromkeys(f"{lemma}.{pos}" for pos, lemma in readings)
    return tuple(words)


def _without_contractions(words: Sequence[str]) -> Sequence[str]:
    """Leave out the auxiliaries of "won't" and "haven't", which look like content words."""
    if "t" not in words:
        return words
    following = [*words[1:], ""]
    return [
        word
        for word, after in zip(words, following, strict=True)
        if not _is_contracted(word, after)
    ]


def _is_contracted(word: str, after: str) -> bool:
    """Tell whether a token is the auxiliary of "won't"."""
    return after == "t" and word.endswith("n")


def _head(words: Sequence[str]) -> str:
    """Return the lemma that names the relation, going through the phrase once."""
    verb = ""  # the last main verb
    light = ""  # the last light verb, which names the relation where it has no noun
    noun = ""  # the head noun since the last copula or light verb
    noun_wanted = True  # the last verb is a copula or a light one, or there is none yet
    complete = False  # the head noun has been left behind: "president | of the council"
    subject = ""  # what came before the copula: "'s wife is"
    phrase: Literal["outside", "begun", "filled"] = "outside"  # of a noun phrase
    previous = ""

    for word in _without_contractions(words):
        readings = wordnet().readings(word)
        if word in BE or word in _HAVE or word in _DO:
            subject = noun or light or subject
            light, noun, noun_wanted, complete, phrase = "", "", True, False, "outside"
        elif word in _BEFORE_NOUN:
            phrase = "begun"
        elif word in _AFTER_NOUN:
            complete, phrase = complete or bool(noun), "outside"
        elif readings:
            (part, lemma), can_be_noun = readings[0], any(part == "n" for part, _ in readings)
            if not can_be_noun:
                is_noun = phrase == "begun"  # "a visiting professor", "the building of"
            elif previous in _BEFORE_VERB and len(readings) > 1:
                is_noun = False
            else:
                # "is head of", "take part in": no verb follows a copula in its plain form.
                wanted = noun_wanted and not noun and (bool(light) or word == lemma)
                is_noun = phrase != "outside" or part == "n" or wanted
            if is_noun:
                noun, phrase = noun if complete else lemma, "filled"
            elif lemma in VERBS_OF_NOUNS:
                subject = noun or light or subject
                light, noun, noun_wanted, complete, phrase = lemma, "", True, False, "outside"
            else:
                verb, noun_wanted, phrase = lemma, False, "outside"
        previous = word

    return (noun or light or verb or subject) if noun_wanted else verb


def _negated(words: Sequence[str]) -> bool:
    """Tell whether a negation stands in the phrase, as a word of its own or as "n't"."""
    contracted = any(_is_contracted(word, after) for word, after in pairwise(words))
    return contracted or not (NEGATIONS - {"n", "t"}).isdisjoint(words)


def _hedged(words: Sequence[str]) -> bool:
    """Tell whether the phrase says something less than that it is so."""
    appears_to = any(word in _APPEAR and after == "to" for word, after in pairwise(words))
    return appears_to or not HEDGES.isdisjoint(words)

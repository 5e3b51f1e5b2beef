"""When an extraction has a gold tuple's words: the released rules of OIE2016, and mended ones."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from evaluator.function_words import FUNCTION_WORDS
from evaluator.gold.bags import Bag, bag
from evaluator.gold.oie2016.propositions import Slots
from evaluator.text import tokens, unescape_treebank
from evaluator.wordnet.lexicon import wordnet


class Match[Wanted, Said](NamedTuple):
    """When an extraction matches a gold tuple.

    Attributes
    ----------
    wanted
        Returns what a gold tuple is compared by: computed once, when the gold data are read.
    said
        The same of an extraction.
    agree
        Tells whether the two match.
    """

    wanted: Callable[[Slots], Wanted]
    said: Callable[[Slots], Said]
    agree: Callable[[Wanted, Said], bool]


# Released ---------------------------------------------------------------------------------------


class WantedWords(NamedTuple):
    """How often each word stands in a gold tuple, and their number."""

    counts: Mapping[str, int]
    total: int


def _words(slots: Slots) -> Sequence[str]:
    # Split at single spaces, as released: slots that end in a space make empty words.
    return " ".join(slots).split(" ")


def _wanted_words(slots: Slots) -> WantedWords:
    words = _words(slots)
    # A plain dict answers faster than a Counter.
    return WantedWords(dict(Counter(words)), len(words))


def _cover(wanted: WantedWords, said: Sequence[str], share: float) -> bool:
    """Tell whether more than a share of the gold words is found.

    Pairs of equal words are counted: a word that stands twice on both sides counts four times. That
    other words are said too, or that the words stand in other slots, plays no part.
    """
    counts = wanted.counts
    return sum([counts[word] for word in said if word in counts]) > share * wanted.total


def _cover_half(wanted: WantedWords, said: Sequence[str]) -> bool:
    return _cover(wanted, said, 0.5)


type Lemmas = frozenset[str]
"""The noun lemmas of a predicate."""


def _wanted_by_noun(slots: Slots) -> tuple[Lemmas, WantedWords]:
    return noun_lemmas(slots[0]), _wanted_words(slots)


def _said_by_noun(slots: Slots) -> tuple[Lemmas, Slots]:
    return noun_lemmas(slots[0]), slots


def _cover_quarter_and_predicate(
    wanted: tuple[Lemmas, WantedWords], said: tuple[Lemmas, Slots]
) -> bool:
    # Most predicates differ: the words of an extraction are often never looked at.
    return not wanted[0].isdisjoint(said[0]) and _cover(wanted[1], _words(said[1]), 0.25)


RELEASED = Match(_wanted_words, _words, _cover_half)
"""More than half of the gold words, in whatever slot (supervised-oie)."""

RELEASED_2019 = Match(_wanted_by_noun, _said_by_noun, _cover_quarter_and_predicate)
"""More than a quarter of them, and predicates that share a noun lemma (oie-benchmark, 2019)."""


@lru_cache(maxsize=1 << 16)
def noun_lemmas(predicate: str) -> frozenset[str]:
    """Return the noun lemmas (:func:`noun_lemma`) of the words of a predicate."""
    return frozenset(map(noun_lemma, predicate.split(" ")))


@lru_cache(maxsize=1 << 16)
def noun_lemma(word: str) -> str:
    """Return what NLTK's lemmatiser makes of a word that it takes for a noun.

    The shortest of the nouns that the word can be a form of, or the word: "was" becomes "wa",
    "has" becomes "ha", "said" stays. The case is kept, and a word in capitals is no noun.
    """
    nouns = [lemma for pos, lemma in wordnet().lemmas(word) if pos == "n"]
    return min(nouns, key=len, default=word)


# Corrected --------------------------------------------------------------------------------------


class Slot(NamedTuple):
    """The tokens of a slot, and those that say something.

    Attributes
    ----------
    tokens
        As a bag.
    content
        Those that are no function words; all, where there are only these ("he").
    """

    tokens: Bag
    content: frozenset[str]


class ThreeSlots(NamedTuple):
    """Predicate, first argument, and the others together; with their number of tokens."""

    slots: Sequence[Slot]
    total: int


def _wanted_slots(slots: Slots) -> ThreeSlots:
    return _three_slots(_slot(slots[0]), slots)


def _wanted_slots_by_verb(slots: Slots) -> ThreeSlots:
    return _three_slots(_verb_slot(slots[0]), slots)


def _three_slots(predicate: Slot, slots: Slots) -> ThreeSlots:
    three = tuple(_each_slot(predicate, slots))
    return ThreeSlots(three, sum(len(slot.tokens) for slot in three))


def _each_slot(predicate: Slot, slots: Slots) -> Iterator[Slot]:
    yield predicate
    yield _slot("".join(slots[1:2]))
    yield _slot(" ".join(slots[2:]))


@lru_cache(maxsize=1 << 16)
def _slot(text: str) -> Slot:
    return _of_tokens(tokens(unescape_treebank(text)))


@lru_cache(maxsize=1 << 16)
def _verb_slot(text: str) -> Slot:
    return _of_tokens([verb_lemma(token) for token in tokens(unescape_treebank(text))])


def _of_tokens(found: Sequence[str]) -> Slot:
    distinct = frozenset(found)
    return Slot(bag(found), distinct - FUNCTION_WORDS or distinct)


@lru_cache(maxsize=1 << 16)
def verb_lemma(token: str) -> str:
    """Return the most frequent verb that a token can be a form of, or the token: "was" is "be"."""
    verbs = [lemma for pos, lemma in wordnet().lemmas(token) if pos == "v"]
    return max(verbs, key=lambda lemma: wordnet().sense_count(lemma, "v"), default=token)


type SaidSlots = tuple[Slot, Slots]
"""The predicate of an extraction, and all its slots: most are looked at no further."""


def _said_slots(slots: Slots) -> SaidSlots:
    return _slot(slots[0]), slots


def _said_slots_by_verb(slots: Slots) -> SaidSlots:
    return _verb_slot(slots[0]), slots


def _slots_agree(wanted: ThreeSlots, said: SaidSlots, share: float) -> bool:
    """Tell whether each side has more than a share of its tokens in the same slots of the other.

    Each slot in which the gold tuple has tokens must share one that says something; without that,
    pieces of the sentence would do (WiRe57, Léchelle et al. 2019, section 2.2).
    """
    predicate, slots = said
    if not _share_content(wanted.slots[0], predicate):
        return False
    common = total = 0
    for ours, theirs in zip(wanted.slots, _each_slot(predicate, slots), strict=True):
        if not _share_content(ours, theirs):
            return False
        common += len(ours.tokens & theirs.tokens)
        total += len(theirs.tokens)
    return common > share * wanted.total and common > share * total


def _share_content(wanted: Slot, said: Slot) -> bool:
    return not wanted.content or not wanted.content.isdisjoint(said.tokens)


def _slots_agree_by_half(wanted: ThreeSlots, said: SaidSlots) -> bool:
    return _slots_agree(wanted, said, 0.5)


def _slots_agree_by_quarter(wanted: ThreeSlots, said: SaidSlots) -> bool:
    return _slots_agree(wanted, said, 0.25)


CORRECTED = Match(_wanted_slots, _said_slots, _slots_agree_by_half)
"""More than half of the tokens of both, slot by slot."""

CORRECTED_2019 = Match(_wanted_slots_by_verb, _said_slots_by_verb, _slots_agree_by_quarter)
"""More than a quarter of the tokens of both, slot by slot, predicates by the lemmas of verbs."""

"""Systems over the closed world: what they extract, and how it is spoilt."""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from random import Random
from typing import NamedTuple

from benchmarks.webnlg.lexicon import Lexicon, Pairs, true_pairs
from benchmarks.webnlg.sentences import Place, Said
from evaluator.function_words import AUXILIARIES, DETERMINERS, PREPOSITIONS
from evaluator.model import Extraction
from evaluator.relations.normal_form import relation_form
from evaluator.text import spans
from evaluator.wordnet.lexicon import wordnet


class Profile(NamedTuple):
    """A made system.

    Attributes
    ----------
    name
        Its name.
    found
        Share of what a sentence says in words that it extracts.
    spoilt
        Share of its extractions in which something is exchanged.
    """

    name: str
    found: float
    spoilt: float


SYSTEMS = (Profile("A", 0.58, 0.18), Profile("B", 0.30, 0.05))


def extractions(profile: Profile, corpus: Iterable[Said], lexicon: Lexicon) -> list[Extraction]:
    """Return what a made system extracts."""
    rng = Random(profile.name)
    made: list[Extraction] = []
    for said in corpus:
        seen = set()
        pairs = true_pairs(said.stated, lexicon)
        words = _words(said)
        for one, two in said.pairs:
            fitting = pairs.get((one.entity, two.entity), frozenset())
            for word in words:
                if word.lemma not in fitting or rng.random() >= profile.found:
                    continue
                triple = (one, word, two)
                if rng.random() < profile.spoilt:
                    spoilt = _spoilt(triple, said, words, pairs, rng)
                    if spoilt is None:
                        continue
                    triple = spoilt
                first, what, second = triple
                slots = (
                    said.text[first.start : first.end],
                    what.phrase,
                    said.text[second.start : second.end],
                )
                if slots not in seen:
                    seen.add(slots)
                    made.append(Extraction.of_slots(profile.name, len(made) + 1, said.text, slots))
    return made


class _Word(NamedTuple):
    """A relation word of a sentence, with the phrase around it."""

    lemma: str
    phrase: str


_BEFORE = AUXILIARIES | DETERMINERS


def _words(said: Said) -> list[_Word]:
    """Return the relation words of a sentence outside its names, each once, in text order."""
    found = spans(said.text)
    starts = [token.start for token in found]
    inside = {
        place
        for at in said.places
        for place in range(bisect_left(starts, at.start), bisect_left(starts, at.end))
    }
    words: dict[str, _Word] = {}
    for place, token in enumerate(found):
        lemma = wordnet().content_lemma(token.form)
        if place in inside or lemma is None or lemma in words:
            continue
        first, last = place, place + 1
        while first - 1 not in inside and first > 0 and found[first - 1].form in _BEFORE:
            first -= 1
        if last < len(found) and last not in inside and found[last].form in PREPOSITIONS:
            last += 1
        phrase = said.text[found[first].start : found[last - 1].end]
        if relation_form(phrase).head != lemma or relation_form(phrase).negated:
            phrase = said.text[token.start : token.end]
        if relation_form(phrase).head == lemma:
            words[lemma] = _Word(lemma, phrase)
    return list(words.values())


def _spoilt(
    triple: tuple[Place, _Word, Place],
    said: Said,
    words: Sequence[_Word],
    pairs: Pairs,
    rng: Random,
) -> tuple[Place, _Word, Place] | None:
    """Return a triple in which something is exchanged so that the sentence does not state it.

    None where every exchange would be stated.
    """
    one, word, two = triple
    kinds = {
        "object": [(one, word, other) for other in said.places],
        "subject": [(other, word, two) for other in said.places],
        "relation": [(one, other, two) for other in words],
        "order": [(two, word, one)],
    }
    order = list(kinds)
    rng.shuffle(order)
    for kind in order:
        false = [
            (a, w, b)
            for a, w, b in kinds[kind]
            if a.entity != b.entity and w.lemma not in pairs.get((a.entity, b.entity), ())
        ]
        if false:
            return rng.choice(false)
    return None

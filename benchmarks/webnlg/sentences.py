"""The corpus of the closed world: sentences, what each states, and where entities stand by name."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from benchmarks.webnlg.entries import Entry, Text, Triple, label_of, short_label
from evaluator.corpus.sentences import sentence_key
from evaluator.corpus.splitting import split_sentences
from evaluator.function_words import FUNCTION_WORDS
from evaluator.text import spans, tokens


class Place(NamedTuple):
    """Characters ``[start, end)`` of a sentence that stand for an entity by one of its names."""

    start: int
    end: int
    entity: str


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence of the corpus and what it states.

    Attributes
    ----------
    document, number, text
        As the corpus gives them.
    places
        Where entities stand by name, in text order, as the data tell.
    stated
        The triples that it states.
    """

    document: str
    number: int
    text: str
    places: tuple[Place, ...]
    stated: frozenset[Triple]

    @property
    def pairs(self) -> Iterator[tuple[Place, Place]]:
        """The pairs of different entities in text order, each once."""
        seen = set()
        for place, one in enumerate(self.places):
            for two in self.places[place + 1 :]:
                if one.entity != two.entity and (one.entity, two.entity) not in seen:
                    seen.add((one.entity, two.entity))
                    yield one, two


def corpus_of(entries: Iterable[Entry]) -> list[Said]:
    """Return the sentences of entries, each once, with all that they state.

    The same sentence may stand in texts of several entries; it states what it does in any.
    """
    said: dict[str, Said] = {}
    for entry in entries:
        number = 0
        for text in entry.texts:
            for one in _sentences(entry, text):
                key = sentence_key(one.text)
                if not key:
                    continue
                if key in said:
                    said[key] = replace(said[key], stated=said[key].stated | one.stated)
                else:
                    said[key] = replace(one, number=number)
                    number += 1
    return list(said.values())


def _sentences(entry: Entry, text: Text) -> Iterator[Said]:
    pieces = [piece.text for piece in split_sentences(text.text)]
    first = 0
    entities = sorted(
        {end for triple in entry.triples for end in (triple.subject, triple.object)},
        key=lambda entity: (-len(entity), entity),
    )
    whole = {triple for told in text.by_sentence for triple in told} or {*entry.triples}
    for number, piece in enumerate(pieces):
        places, first = _places(piece, text.names, entities, first)
        if len(pieces) == len(text.by_sentence):
            stated = {*text.by_sentence[number]}
        else:
            words = {*tokens(piece)}
            stated = {t for t in whole if _names_a_word(t.subject, words)
                      and _names_a_word(t.object, words)}  # fmt: skip
        yield Said(entry.name, number, piece, places, frozenset(stated))


def _names_a_word(entity: str, words: Collection[str]) -> bool:
    return any(t in words for t in tokens(short_label(entity)) if t not in FUNCTION_WORDS)


def _places(
    sentence: str, names: Sequence[tuple[str, str, bool]], entities: Iterable[str], first: int
) -> tuple[tuple[Place, ...], int]:
    """Return where names stand in a sentence, and the number of the first name that comes after it.

    Names are told in text order: each is looked for behind the one before it. A description that
    has no word of the entity's name ("the airport") is no name of it. Where the data tell of none,
    an entity stands wherever its title does.
    """
    found = spans(sentence)
    forms = [token.form for token in found]
    free = [True] * len(forms)
    places: list[Place] = []

    def take(name: Sequence[str], entity: str, cursor: int) -> int:
        for at in range(cursor, len(forms) - len(name) + 1):
            end = at + len(name)
            if forms[at:end] == name and all(free[at:end]):
                free[at:end] = [False] * len(name)
                places.append(Place(found[at].start, found[end - 1].end, entity))
                return end
        return -1

    cursor = 0
    for number, (name, entity, is_name) in enumerate(names[first:], start=first):
        words = _bare(tokens(name), entity)
        if words and (is_name or _names_a_word(entity, words)):
            end = take(words, entity, cursor)
            if end >= 0:
                cursor, first = end, number + 1
    for entity in entities:
        for name in dict.fromkeys((label_of(entity), short_label(entity))):
            while tokens(name) and take(tokens(name), entity, 0) >= 0:
                pass
    return tuple(sorted(places)), first


def _bare(words: list[str], entity: str) -> list[str]:
    """Return the words of a name less an article before them and a possessive behind."""
    if words and words[0] in {"the", "a", "an"} and tokens(label_of(entity))[:1] != words[:1]:
        words = words[1:]
    return words[:-1] if words[-1:] == ["s"] else words

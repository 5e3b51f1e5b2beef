"""The corpus of a made world: sentences, what each states, and the candidates that they make."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from string import Formatter
from typing import NamedTuple

import numpy as np

from evaluator.corpus.sentences import sentence_key
from evaluator.facts.superset import candidate_superset
from evaluator.model import Fact, Mention, Sentence
from evaluator.relations.normal_form import relation_form, relation_words
from evaluator.text import tokens
from jobs.worlds.reality import Reality
from jobs.worlds.settings import World, pick
from jobs.worlds.statements import Entity, Statement
from jobs.worlds.vocabulary import FRONTED, FRONTED_PREPOSITIONS, KINDS, PATTERNS, Pattern

SENTENCES_IN_DOCUMENT = 10


class SentenceClaim(NamedTuple):
    """What a sentence says, or asks.

    Attributes
    ----------
    meant
        The fact that it means: its subject may be an entity that the knowledge base lacks.
    read
        The same as linking reads it.
    true
        Whether what is meant is true.
    """

    meant: Fact
    read: Fact
    true: bool


class Written(NamedTuple):
    """A sentence of the corpus.

    Attributes
    ----------
    sentence
        With the mentions and relation words that annotation must find.
    claims
        What it states.
    phrases
        A phrase of the sentence for each of its relation words.
    wrong_links
        Ids of the entities that it does not mean, but that its names are linked to.
    """

    sentence: Sentence
    claims: tuple[SentenceClaim, ...]
    phrases: Mapping[str, str]
    wrong_links: frozenset[str]


@dataclass(frozen=True)
class Corpus:
    """The sentences of a world."""

    written: tuple[Written, ...]

    @cached_property
    def sources(self) -> Mapping[Fact, tuple[int, ...]]:
        """The candidate superset in text order, and whatever else is stated.

        For each fact the places of the sentences that hold it.
        """
        found: dict[Fact, list[int]] = {}
        for place, written in enumerate(self.written):
            stated = (claim.read for claim in written.claims)
            for fact in dict.fromkeys((*candidate_superset(written.sentence), *stated)):
                found.setdefault(fact, []).append(place)
        return {fact: tuple(places) for fact, places in found.items()}

    def find(self, text: str) -> Written | None:
        """Return a sentence by its text, however that is spaced; None for no such."""
        return self._by_key.get(sentence_key(text))

    @cached_property
    def _by_key(self) -> Mapping[str, Written]:
        return {sentence_key(written.sentence.text): written for written in self.written}

    @cached_property
    def candidates(self) -> frozenset[Fact]:
        """The candidate superset G' in text order."""
        return frozenset(
            fact for written in self.written for fact in candidate_superset(written.sentence)
        )


def write_corpus(world: World, reality: Reality) -> Corpus:
    """Return the sentences of a world, all distinct."""
    rng = world.random("corpus")
    seen = set()
    written: list[Written] = []
    while len(written) < world.sentences:
        filled = _filled(world, reality, rng)
        if filled and (key := sentence_key(filled.text)) not in seen:
            seen.add(key)
            written.append(_written(filled, len(written)))
    return Corpus(tuple(written))


class _Spoken(NamedTuple):
    """A statement in words, true or not."""

    statement: Statement
    phrase: str
    true: bool


class _Filled(NamedTuple):
    """A pattern filled in: its text, entities, and what it says.

    Where `namesake` is an entity, it is not the one that the sentence means by that name.
    """

    text: str
    entities: tuple[Entity, ...]
    spoken: tuple[_Spoken, ...]
    states: bool
    namesake: Entity | None


def _filled(world: World, reality: Reality, rng: np.random.Generator) -> _Filled | None:
    """Return a sentence; None where its entities do not go together."""
    pattern = pick(rng, PATTERNS)
    slots = {slot for _, slot, _, _ in Formatter().parse(pattern.text) if slot}
    spoken = _spoken(world, reality, pattern, slots, rng)
    words: dict[str, str] = {}
    entities: dict[str, Entity] = {}
    for number, (statement, phrase, _) in zip(("", "2"), spoken, strict=False):
        words[f"V{number}"] = phrase
        if f"S{number}" in slots:
            entities[f"S{number}"] = statement.subject
        entities[f"O{number}"] = statement.object
    for slot in sorted(slots & {"X", "Y"}):
        entities[slot] = _besides(world, reality, spoken, rng)
    namesake = None
    if pattern.states and rng.random() < world.wrong_links:
        namesake = pick(rng, reality.of_kind[entities["S"].kind])
    named = {*entities.values(), namesake} - {None}
    if len(named) < len(entities) + (namesake is not None):
        return None
    if pattern.states and len(spoken) == 1 and rng.random() < world.fronted:
        first, _, last = spoken[0].phrase.rpartition(" ")
        if last in FRONTED_PREPOSITIONS:
            words = {"P": last.capitalize(), "V": first}
            spoken = (spoken[0]._replace(phrase=first),)
            entities = {slot: entities[slot] for slot in ("O", "S")}
            pattern = FRONTED
    if namesake:
        del entities["S"]
        if any(reality.are_related(namesake.id, other.id) for other in entities.values()):
            return None  # or the link would be wrong, and the fact that it gives true
        entities["S"] = namesake
    names = {slot: entity.name for slot, entity in entities.items()}
    text = pattern.text.format(**words, **names)
    return _Filled(text, tuple(entities.values()), spoken, pattern.states, namesake)


def _spoken(
    world: World, reality: Reality, pattern: Pattern, slots: set[str], rng: np.random.Generator
) -> tuple[_Spoken, ...]:
    """Return what a sentence states, true but for the share that is not, or asks, true or not."""
    spoken: list[_Spoken] = []
    for verb, subject in (("V", "S"), ("V2", "S2")):
        if verb in slots:
            statements = reality.statements
            if subject not in slots:  # the subject of the first
                statements = reality.of_subject[spoken[0].statement.subject]
            statement = pick(rng, statements)
            if not pattern.states or rng.random() < world.untrue:
                objects = reality.of_kind[statement.relation.object]
                statement = statement._replace(object=pick(rng, objects))
            phrase = pick(rng, statement.relation.phrases)
            spoken.append(_Spoken(statement, phrase, reality.holds(statement)))
    return tuple(spoken)


def _besides(
    world: World, reality: Reality, spoken: Sequence[_Spoken], rng: np.random.Generator
) -> Entity:
    """Return an entity to mention besides: of any kind, of an argument's, or an argument itself."""
    if spoken:
        subject, relation, object_ = spoken[0].statement
        if rng.random() < world.unstated:
            known = reality.of_subject[subject]
            objects = [s.object for s in known if s.relation == relation and s.object != object_]
            if objects:
                return pick(rng, objects)
        if rng.random() < 0.6:
            return pick(rng, reality.of_kind[pick(rng, (subject.kind, object_.kind))])
    return pick(rng, reality.of_kind[pick(rng, tuple(KINDS))])


def _written(filled: _Filled, place: int) -> Written:
    mentions = tuple(_mentions(filled.text, filled.entities))
    inside = {at for mention in mentions for at in range(mention.start, mention.end)}
    outside = [word for at, word in enumerate(tokens(filled.text)) if at not in inside]
    document, number = divmod(place, SENTENCES_IN_DOCUMENT)
    sentence = Sentence(
        f"d{document:04}", number, filled.text, mentions, tuple(relation_words(outside))
    )
    phrases = {lemma: word for word in outside for lemma in relation_words([word])}
    phrases |= {relation_form(spoken.phrase).head: spoken.phrase for spoken in filled.spoken}
    wrong = frozenset({filled.namesake.id} if filled.namesake else ())
    claims = tuple(_claims(filled, place)) if filled.states else ()
    return Written(sentence, claims, phrases, wrong)


def _claims(filled: _Filled, place: int) -> Iterator[SentenceClaim]:
    """Yield what a sentence states; a namesake stands in for the first subject in all of it."""
    for (subject, _, object_), phrase, true in filled.spoken:
        meant = read = Fact(subject.id, relation_form(phrase).head, object_.id)
        if filled.namesake and subject == filled.spoken[0].statement.subject:
            meant, read = meant._replace(e1=f"/m/x_{place}"), read._replace(e1=filled.namesake.id)
        yield SentenceClaim(meant, read, true)


def _mentions(text: str, entities: Sequence[Entity]) -> Iterator[Mention]:
    """Yield where the entities are named, in text order."""
    named = {tokens(entity.name)[0]: entity for entity in entities}
    for place, word in enumerate(tokens(text)):
        if entity := named.get(word):
            yield Mention(place, place + len(entity.name.split()), entity.id)

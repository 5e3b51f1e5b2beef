"""How the embedded sample puts its facts into words: each in one of many ways, chosen by chance."""

import re
from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from jobs.worlds.sample_facts import CONTRASTS, FRAMES, PAIRS, TAILS, Unstated, entities, facts
from jobs.worlds.statements import Entity, Statement, WorldRelation


class Noun(NamedTuple):
    """An argument as a sentence writes it; `entity` is None where it names none ("She")."""

    text: str
    entity: Entity | None


class Clause(NamedTuple):
    """A relation phrase of a sentence and its two arguments.

    Attributes
    ----------
    status
        "stated"; "denied" or "doubted", where `bare` is the phrase without "never" or "may have";
        "pronoun", stated of somebody whom the sentence does not name; or "unrelated", where only a
        careless reader relates the two entities, and `bare` is the sentence's own first argument
        ("A choir from Oslo").
    in_order
        Whether the subject stands before the object.
    symmetric
        Whether the phrase holds from object to subject as well.
    """

    status: str
    subject: Noun
    phrase: str
    object: Noun
    bare: str = ""
    in_order: bool = True
    symmetric: bool = False


class Draft(NamedTuple):
    """A sentence without its capital and its full stop."""

    text: str
    clauses: tuple[Clause, ...]


def forward(fact: Statement, rng: Random) -> Clause:
    """Return a clause that states a fact, its subject first."""
    phrase = rng.choice(fact.relation.phrases)
    return _stated(fact.relation, noun_of(fact.subject, rng), phrase, noun_of(fact.object, rng))


def _stated(relation: WorldRelation, first: Noun, phrase: str, second: Noun) -> Clause:
    return Clause("stated", first, phrase, second, symmetric=relation.symmetric)


def _said(pattern: str, *clauses: Clause, **words: str) -> Draft:
    """Return a pattern filled in: S V O is the first clause, S2 V2 O2 another."""
    for number, clause in zip(("", "2"), clauses, strict=False):
        words |= {
            f"S{number}": clause.subject.text,
            f"V{number}": clause.phrase,
            f"O{number}": clause.object.text,
        }
    return Draft(pattern.format(**words), clauses)


def plain(clause: Clause) -> Draft:
    """Return a clause as a sentence of its own."""
    return _said("{S} {V} {O}", clause)


def single(fact: Statement, rng: Random) -> Draft:
    """Return a sentence that states one fact: plain, passive, framed, or with a role."""
    relation = fact.relation
    clause = forward(fact, rng)
    if relation.inverted and rng.random() < 0.2:
        preposition, verb = relation.inverted
        clause = clause._replace(phrase=verb, in_order=False)
        return _said("{P} {O}, {S} {V}", clause, P=preposition)
    converse = relation.phrases if relation.symmetric else relation.converse
    if converse and rng.random() < 0.3:
        phrase = rng.choice(converse)
        clause = _stated(relation, clause.object, phrase, clause.subject)
    elif fact.subject.role and relation.name in _ROLE_IS_NO_RELATION and rng.random() < 0.35:
        return _with_role(clause, fact.subject, rng)
    draft = plain(clause)
    style = rng.random()
    if style < 0.2:
        return draft._replace(text=rng.choice(FRAMES).format(draft.text))
    if style < 0.4:
        return draft._replace(text=draft.text + rng.choice(TAILS))
    return draft


# Where the subject's occupation does not itself relate it to the object: "the novelist Jane Austen
# died in Winchester", but not "the composer Bach composed ...".
_ROLE_IS_NO_RELATION = ("born", "died", "studied", "moved", "visited", "won")


def _with_role(clause: Clause, subject: Entity, rng: Random) -> Draft:
    if rng.random() < 0.5:
        named = clause.subject._replace(text=f"the {subject.role} {clause.subject.text}")
        return plain(clause._replace(subject=named))
    article = "an" if subject.role[0] in "aeiou" else "a"
    return _said("{S}, {A} {R}, {V} {O}", clause, A=article, R=subject.role)


def pair(fact: Statement, other: Statement, rng: Random) -> Draft:
    """Return a sentence that states two facts of one subject."""
    first = forward(fact, rng)
    second = forward(other, rng)._replace(subject=first.subject)
    who = "who" if fact.subject.kind == "person" else "which"
    return _said(rng.choice(PAIRS), first, second, who=who)


def contrast(stated: Sequence[Statement], rng: Random) -> Draft:
    """Return a sentence that states two facts which share no entity."""
    fact, other = rng.sample(stated, 2)
    while {fact.subject, fact.object} & {other.subject, other.object}:
        other = rng.choice(stated)
    clauses = (forward(fact, rng), forward(other, rng))
    return _said(rng.choice(CONTRASTS), *clauses)


def not_stated(status: str, unstated: Unstated, rng: Random) -> Draft:
    """Return a sentence that denies or doubts something."""
    subject, object_ = noun_of(unstated.subject, rng), noun_of(unstated.object, rng)
    return plain(Clause(status, subject, unstated.wording, object_, bare=unstated.claim))


def by_pronoun(fact: Statement, rng: Random) -> Draft:
    """Return a sentence that states a fact of "he" or "she"."""
    clause = forward(fact, rng)
    subject = Noun(fact.subject.pronoun, None)
    return plain(clause._replace(status="pronoun", subject=subject))


def unrelated(template: str, rng: Random) -> Draft:
    """Return a sentence about two entities that no fact of the sample relates."""
    related = {frozenset((fact.subject, fact.object)) for fact in facts()}
    things = [entity for entity in entities().values() if entity.kind in ("person", "work")]
    places = [entity for entity in entities().values() if entity.kind == "place"]
    thing, place = rng.choice(things), rng.choice(places)
    while {thing, place} in related:
        place = rng.choice(places)
    sentence, phrase = template.split(" | ")
    nouns = {"thing": noun_of(thing, rng), "place": noun_of(place, rng)}
    text = sentence.format(**{slot: noun.text for slot, noun in nouns.items()})
    first, second = sorted(nouns.values(), key=lambda noun: text.index(noun.text))
    clause = Clause("unrelated", first, phrase, second, bare=text.partition(f" {phrase}")[0])
    return Draft(text, (clause,))


def noun_of(entity: Entity, rng: Random) -> Noun:
    """Return an entity by one of its names."""
    if entity.aliases and rng.random() < 0.2:
        return Noun(rng.choice(entity.aliases), entity)
    return Noun(entity.article + entity.name, entity)


def sentence_of(text: str) -> str:
    """Return a text with its capital and its full stop."""
    return opened(text) + ("" if text.endswith(".") else ".")


def opened(text: str) -> str:
    """Return a text with a capital at its start."""
    return text[:1].upper() + text[1:]


def treebank_spaced(text: str) -> str:
    """Return `text` as the Penn Treebank spaces it."""
    text = text.replace("(", "-LRB- ").replace(")", " -RRB-")
    text = re.sub(r"(?<=\w)(n't)\b", r" \1", text)
    return re.sub(r"(?<=[\w.-])(,|'s\b|\.$)", r" \1", text)

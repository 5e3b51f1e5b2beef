"""What a world is made of: entities, relations, statements; and the tables that list them."""

from collections.abc import Iterator
from typing import NamedTuple

from evaluator.relations.normal_form import relation_form

CONFIDENCE = {True: (6, 2), False: (4, 3)}
"""Shapes of the beta distribution of an extraction's confidence, by whether it is right."""


class Entity(NamedTuple):
    """An entity.

    Attributes
    ----------
    id, name, kind
        Id and label in the knowledge base; "person", "place" …
    aliases
        Other names that mean nothing else in the world, as running text has them.
    shared_aliases
        Names that several entities have: in the knowledge base only, never in a sentence.
    article
        ``"the "`` where running text has it before the name, else empty.
    pronoun, role
        Of people in running text: "he" or "she", and an occupation.
    """

    id: str
    name: str
    kind: str
    aliases: tuple[str, ...] = ()
    shared_aliases: tuple[str, ...] = ()
    article: str = ""
    pronoun: str = ""
    role: str = ""


class WorldRelation(NamedTuple):
    """A relation between entities.

    Attributes
    ----------
    name
        What distinguishes it from the others.
    phrases, converse
        Wordings with the subject first, and with the object first. Each has one content word.
    inverted
        Preposition and verb for "In Paris, Marie Curie died"; empty where that reads badly.
    predicate, label, inverse
        What the knowledge base calls it, the name of that, and the predicate from object to
        subject; empty where it has none.
    symmetric
        Whether it holds either way round.
    subject, object
        Kinds of its arguments, where the world keeps to them.
    """

    name: str
    phrases: tuple[str, ...]
    converse: tuple[str, ...] = ()
    inverted: tuple[str, ...] = ()
    predicate: str = ""
    label: str = ""
    inverse: str = ""
    symmetric: bool = False
    subject: str = ""
    object: str = ""

    @property
    def lemmas(self) -> tuple[str, ...]:
        """The relation key of each phrase."""
        return tuple(relation_form(phrase).head for phrase in self.phrases)


class Statement(NamedTuple):
    """A relation of two entities, whatever words say it."""

    subject: Entity
    relation: WorldRelation
    object: Entity


def rows(table: str, fields: int = 1) -> Iterator[list[str]]:
    """Yield the fields of each line of a table, padded to so many; ``|`` stands between them.

    An indented line goes on with the one above.
    """
    for line in table.strip("\n").replace("\n    ", " ").splitlines():
        found = [field.strip() for field in line.split("|")]
        yield found + [""] * (fields - len(found))


def listed(field: str) -> tuple[str, ...]:
    """Return what a field lists, with commas between."""
    return tuple(part.strip() for part in field.split(",") if part.strip())

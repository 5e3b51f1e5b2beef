"""What the parts of a triple mean: the common surface of the RDF vocabularies, and its use.

A vocabulary (:mod:`indexes.dumps.freebase`, :mod:`indexes.dumps.wikidata_truthy`,
:mod:`indexes.dumps.rdf`) says what each predicate does and how entities are written.
:func:`interpret` turns one triple into statements by it. That is the definition; the fast reader
of :mod:`indexes.dumps.ntriples` does the same to whole columns where lines are of the usual form.
"""

import string
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Literal, NamedTuple, Protocol

from indexes.dumps.statements import (
    DumpStatement,
    NameKind,
    StatementKind,
    clean_name,
    label_kind,
)

SCHEMA = "schema"
LITERAL_VALUE = "literal value"
OTHER_LANGUAGE = "other language"
EMPTY_NAME = "empty name"
NO_NAME = "name that is no text"

ID_CHARACTERS = string.ascii_letters + string.digits + "_"


class Triple(NamedTuple):
    """One statement of an RDF dump.

    Attributes
    ----------
    subject, predicate, object
        IRIs as written, with escapes undone; blank nodes as ``_:label``; an object that is a
        literal is its text with escapes undone.
    literal
        Whether the object is a literal. Its datatype is not kept.
    language
        Language tag of the literal; empty where there is none.
    """

    subject: str
    predicate: str
    object: str
    literal: bool = False
    language: str = ""


@dataclass(frozen=True)
class Joins:
    """The predicate joins two entities. With `is_type`, the object is a type of the subject too."""

    relation: str
    is_type: bool = False


@dataclass(frozen=True)
class Name:
    """The object is a name of the subject."""

    kind: Literal["label", "alias"]


@dataclass(frozen=True)
class Type:
    """The object is a type of the subject."""


@dataclass(frozen=True)
class LiteralOf:
    """The object is a literal that `read` makes the object of a statement of `kind` on an entity.

    Where `read` returns None, or there is no literal, the triple is left out for `reason`. `read`
    returns None for whatever does not begin with `prefix`, and so need not be asked.
    """

    kind: StatementKind
    read: Callable[[str], str | None]
    reason: str
    prefix: str = ""


@dataclass(frozen=True)
class LeftOut:
    """The triple is no evidence here."""

    reason: str


@dataclass(frozen=True)
class Special:
    """`read` makes the triple a statement, or gives the reason for which it is left out."""

    read: Callable[[Triple], DumpStatement | str]


Meaning = Joins | Name | Type | LiteralOf | LeftOut | Special


@dataclass(frozen=True)
class Prefix:
    """How the ids of a namespace are written, for the fast reader.

    ``<`` and `written`, some of the characters `plain`, and ``>`` stand for the id that is `id`
    and those characters. Terms in which other characters follow are left to the vocabulary's own
    methods, which must agree with this.
    """

    written: str
    id: str
    plain: str = ID_CHARACTERS

    def __post_init__(self) -> None:
        # The fast reader writes the one over the end of the other.
        if len(self.id) > len(self.written):
            raise ValueError(f"{self.id!r} is longer than {self.written!r}")


class Vocabulary(Protocol):
    """What a reader asks of a vocabulary."""

    entities: ClassVar[tuple[Prefix, ...]]
    """The usual written forms of entities, the most frequent first."""

    types: ClassVar[tuple[Prefix, ...]]
    """The usual written forms of types."""

    def meaning(self, predicate: str) -> Meaning:
        """Return what a predicate does."""

    def entity(self, term: str) -> str | None:
        """Return the id of an entity, given its IRI or blank node; None for what is none."""

    def identify(self, term: str) -> str:
        """Return the id of whatever can bear a name: an entity, a relation or a type."""

    def no_entity(self, term: str) -> str:
        """Return the reason for which triples with this term in place of an entity are left out."""


def interpret(
    triple: Triple, vocabulary: Vocabulary, *, wanted: tuple[str, ...]
) -> list[DumpStatement] | str:
    """Return the statements that a triple makes, or the reason for which it is left out.

    `wanted` are the languages of names.
    """
    meaning = vocabulary.meaning(triple.predicate)
    match meaning:
        case LeftOut(reason):
            return reason
        case Special(read):
            found = read(triple)
            return found if isinstance(found, str) else [found]
        case Name(kind):
            return _named(triple, kind, vocabulary, wanted)
    if triple.literal and not isinstance(meaning, LiteralOf):
        return LITERAL_VALUE
    subject = vocabulary.entity(triple.subject)
    if subject is None:
        return vocabulary.no_entity(triple.subject)
    if isinstance(meaning, LiteralOf):
        value = meaning.read(triple.object) if triple.literal else None
        return (
            meaning.reason if value is None else [DumpStatement(meaning.kind, subject, "", value)]
        )
    if isinstance(meaning, Type):
        return [DumpStatement("type", subject, "", vocabulary.identify(triple.object))]
    object_ = vocabulary.entity(triple.object)
    if object_ is None:
        return vocabulary.no_entity(triple.object)
    fact = DumpStatement("fact", subject, meaning.relation, object_)
    return [fact, DumpStatement("type", subject, "", object_)] if meaning.is_type else [fact]


def _named(
    triple: Triple,
    kind: Literal["label", "alias"],
    vocabulary: Vocabulary,
    wanted: tuple[str, ...],
) -> list[DumpStatement] | str:
    if not triple.literal:
        return NO_NAME
    # Untagged names are in the language of the data set, for all we know.
    found = label_kind(triple.language, wanted) if triple.language else NameKind("label")
    if found.kind == "named":
        entity = vocabulary.entity(triple.subject)
        return (
            OTHER_LANGUAGE
            if entity is None or kind == "alias"
            else [DumpStatement("named", entity)]
        )
    name = clean_name(triple.object)
    if not name:
        return EMPTY_NAME
    subject = vocabulary.identify(triple.subject)
    if kind == "alias":
        return [DumpStatement("alias", subject, "", name)]
    return [DumpStatement(found.kind, subject, found.language, name)]

"""Wikidata's direct statements in N-Triples (``latest-truthy.nt``).

Each line is one statement of best rank. Of those about items:

* ``wdt:P19`` and its like between two items are facts; ``wdt:P31`` is a type as well;
* ``rdfs:label``, ``skos:prefLabel`` and ``schema:name`` (they repeat each other) are labels, those
  of properties included; ``skos:altLabel`` are aliases;
* ``wdt:P646`` is the id in Freebase, ``schema:about`` the article in the Wikipedia of the wanted
  language: the same thing under another id;
* ``owl:sameAs`` goes from an item that was merged to the one it became;
* ``wdt:P1696`` between properties makes inverse relations;
* ``wikibase:sitelinks`` counts the Wikipedia articles and the like.

An unknown value (a blank node) and no value (``rdf:type wdno:P570``) are no facts; nor is
anything about lexemes, full statements, values, and references, which share the larger dumps.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import override

import pyarrow as pa

from evaluator.model import Rejects
from indexes.dumps.ntriples import read_ntriples
from indexes.dumps.statements import DumpStatement, languages
from indexes.dumps.vocabulary import (
    LITERAL_VALUE,
    SCHEMA,
    Joins,
    LeftOut,
    LiteralOf,
    Meaning,
    Name,
    Prefix,
    Special,
    Triple,
    Vocabulary,
)
from indexes.identifiers import canonical_id

NAME = "wikidata-truthy"
DESCRIPTION = "Wikidata's direct statements (latest-truthy.nt), N-Triples"

NO_VALUE = "no value"
UNKNOWN_VALUE = "unknown value"
LEXEME = "lexeme"
NO_ENTITY = "no entity"
OTHER_SITE = "article of another site"
STATEMENT_NODE = "statement, value or reference"
DESCRIPTION_TEXT = "description"

_DIRECT = "http://www.wikidata.org/prop/direct/"
_ENTITY = "http://www.wikidata.org/entity/"
_NO_VALUE_CLASS = "http://www.wikidata.org/prop/novalue/"
_UNKNOWN = ("_:", "http://www.wikidata.org/.well-known/genid/")
_WIKIBASE = "http://wikiba.se/ontology#"

_ITEM = re.compile(rf"{re.escape(_ENTITY)}(Q[1-9][0-9]*)")
_PROPERTY = re.compile(rf"{re.escape(_ENTITY)}(P[1-9][0-9]*)")
_ID = re.compile(r"[PQ][1-9][0-9]*")
_LEXEME = re.compile(rf"{re.escape(_ENTITY)}L[1-9][0-9]*(?:-[FS][1-9][0-9]*)?")
_FREEBASE_ID = re.compile(r"/[mg]/[0-9a-zA-Z_]+")

_LABELS = (
    "http://www.w3.org/2000/01/rdf-schema#label",
    "http://www.w3.org/2004/02/skos/core#prefLabel",
    "http://schema.org/name",
)
_NAMESPACES = {
    "http://www.wikidata.org/prop/direct-normalized/": "repeated value",
    "http://www.wikidata.org/prop/": STATEMENT_NODE,
    "http://www.w3.org/ns/prov#": STATEMENT_NODE,
    "http://www.w3.org/ns/lemon/ontolex#": LEXEME,
    _WIKIBASE: SCHEMA,
    "http://schema.org/": "article of another site",
    "http://purl.org/dc/terms/language": LEXEME,
}


class WikidataVocabulary(Vocabulary):
    """What the predicates of Wikidata's dumps mean, with Wikipedia in the languages of a chain."""

    entities = (Prefix(f"{_ENTITY}Q", "Q", "0123456789"),)
    types = entities

    def __init__(self, language: str) -> None:
        wanted = languages(language)
        self._wikipedias = tuple(f"https://{tag}.wikipedia.org/wiki/" for tag in wanted)

    @override
    def meaning(self, predicate: str) -> Meaning:
        if predicate.startswith(_DIRECT):
            relation = predicate.removeprefix(_DIRECT)
            if relation == "P646":
                return LiteralOf("same", _freebase_id, LITERAL_VALUE)
            if relation == "P1696":
                return Special(_inverse)
            return Joins(relation, is_type=relation == "P31")
        if predicate in _LABELS:
            return Name("label")
        match predicate:
            case "http://www.w3.org/2004/02/skos/core#altLabel":
                return Name("alias")
            case "http://schema.org/description":
                return LeftOut(DESCRIPTION_TEXT)
            case "http://schema.org/about":
                return Special(self._article)
            case "http://www.w3.org/2002/07/owl#sameAs":
                return Special(_redirect)
            case "http://www.w3.org/1999/02/22-rdf-syntax-ns#type":
                return Special(_class)
            case "http://wikiba.se/ontology#sitelinks":
                return Special(_sitelinks)
        for namespace, reason in _NAMESPACES.items():
            if predicate.startswith(namespace):
                return LeftOut(reason)
        return LeftOut(SCHEMA)

    @override
    def entity(self, term: str) -> str | None:
        found = _ITEM.fullmatch(term)
        return found[1] if found else None

    @override
    def identify(self, term: str) -> str:
        name = term.removeprefix(_ENTITY)
        return name if _ID.fullmatch(name) else term

    @override
    def no_entity(self, term: str) -> str:
        if term.startswith(_UNKNOWN):
            return UNKNOWN_VALUE
        if _LEXEME.fullmatch(term):
            return LEXEME
        return SCHEMA if _PROPERTY.fullmatch(term) else NO_ENTITY

    def _article(self, triple: Triple) -> DumpStatement | str:
        entity = self.entity(triple.object)
        if not triple.subject.startswith(self._wikipedias):
            return OTHER_SITE
        title = canonical_id(triple.subject)
        if entity is None or title is None:
            return NO_ENTITY
        return DumpStatement("same", entity, "", title)


def read(
    path: Path,
    *,
    language: str,
    rejects: Rejects,
    left_out: Rejects,
    byte_range: tuple[int, int] | None = None,
) -> Iterator[pa.RecordBatch]:
    """Yield the statements of the dump; see :func:`indexes.dumps.ntriples.read_ntriples`."""
    return read_ntriples(
        path,
        WikidataVocabulary(language),
        language=language,
        rejects=rejects,
        left_out=left_out,
        byte_range=byte_range,
    )


def _freebase_id(text: str) -> str | None:
    return text if _FREEBASE_ID.fullmatch(text) else None


def _inverse(triple: Triple) -> DumpStatement | str:
    of, to = _PROPERTY.fullmatch(triple.subject), _PROPERTY.fullmatch(triple.object)
    return DumpStatement("inverse", of[1], "", to[1]) if of and to else SCHEMA


def _redirect(triple: Triple) -> DumpStatement | str:
    old, current = _ITEM.fullmatch(triple.subject), _ITEM.fullmatch(triple.object)
    if old and current:
        return DumpStatement("redirect", old[1], "", current[1])
    return LEXEME if _LEXEME.fullmatch(triple.subject) else SCHEMA


def _class(triple: Triple) -> str:
    if triple.object.startswith(_NO_VALUE_CLASS):
        return NO_VALUE
    return LEXEME if _LEXEME.fullmatch(triple.subject) else SCHEMA


def _sitelinks(triple: Triple) -> DumpStatement | str:
    # The dump states it of the page about the item, other writers of the item itself.
    subject = triple.subject.replace("/wiki/Special:EntityData/", "/entity/")
    found = _ITEM.fullmatch(subject.replace("https://", "http://"))
    if found and triple.literal and triple.object.isascii() and triple.object.isdigit():
        return DumpStatement("sitelinks", found[1], "", str(int(triple.object)))
    return SCHEMA

r"""Freebase's RDF dump, and extracts of it.

Full IRIs (``<http://rdf.freebase.com/ns/m.0abc12>``) and the shortened form of extracts
(``</m.0abc12>``) are the same. Of the statements about topics (``m.`` and ``g.`` ids):

* ``type.object.name`` and ``rdfs:label`` (they repeat each other) are labels, and so are those of
  properties and types, which are the words of a relation;
* ``common.topic.alias`` are aliases;
* ``type.object.type`` and ``rdf:type`` (they repeat each other too) are types;
  ``type.type.instance`` is the same turned round and left out;
* the keys ``key/wikipedia.en`` and ``key/wikipedia.en_title``, and the older
  ``type.object.key "/wikipedia/en_title/X"``, are titles in Wikipedia, ``$0028`` and the like
  undone. ``wikipedia.en_id`` is a number and no title;
* ``owl:sameAs``, which published mappings to Wikidata add, names the same thing elsewhere;
* ``type.property.reverse_property`` and ``owl:inverseOf`` make inverse relations;
* ``freebase.type_hints.mediator "true"`` marks types whose nodes only join facts;
* ``dataworld.gardening_hint.replaced_by`` says that a topic was merged with another: a redirect.

Anything else that joins two topics is a fact, but for what is about the database and the web: all
of ``type.``, ``freebase.``, ``pipeline.``, ``rdfs:`` and ``owl:``, and what :data:`LEFT_OUT` and
:data:`LEFT_OUT_TYPES` list of ``common.``. Of two steps in one (``a.b.c..d.e.f``) the first
decides. Users' bases (``base.``, ``user.``) are kept: much of them is about the world. So is all
that FB15k-237 has, whose page categories are not.
"""

import re
from collections.abc import Iterator
from functools import lru_cache, partial
from pathlib import Path
from typing import override

import pyarrow as pa

from evaluator.model import Rejects
from indexes.dumps.ntriples import read_ntriples
from indexes.dumps.statements import DumpStatement, languages
from indexes.dumps.vocabulary import (
    ID_CHARACTERS,
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
    Type,
    Vocabulary,
)
from indexes.identifiers import canonical_id, title_id

NAME = "freebase"
DESCRIPTION = "Freebase's RDF dump (N-Triples), full or with shortened IRIs"

DUPLICATE_TYPE = "duplicate type statement"
DESCRIPTION_TEXT = "description"
OTHER_KEY = "other key"
OF_THE_WEB = "page, image or document"
NOTABLE = "notability"
NO_MEDIATOR = "no mediator"

NAMESPACE = "http://rdf.freebase.com/ns/"
_KEYS = ("http://rdf.freebase.com/key/", "/key/")
_RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
_RDFS = "http://www.w3.org/2000/01/rdf-schema#"
_OWL = "http://www.w3.org/2002/07/owl#"

_ENTITY = re.compile(r"[mg]\.[0-9a-zA-Z_]+")
_KEY_ESCAPED = re.compile(r"(?:\$[0-9A-Fa-f]{4})+")

LEFT_OUT = {
    "type.type.instance": DUPLICATE_TYPE,
    "common.topic.description": DESCRIPTION_TEXT,
    "common.topic.notable_for": NOTABLE,
    "common.topic.notable_types": NOTABLE,
    **{
        f"common.topic.{name}": OF_THE_WEB
        for name in (
            "article", "image", "topical_webpage", "official_website",
            "topic_equivalent_webpage", "social_media_presence", "weblink",
        )
    },
    "common.topic.properties": SCHEMA,
    "common.topic.subjects": OF_THE_WEB,
}  # fmt: skip
LEFT_OUT_TYPES = {
    **dict.fromkeys(
        ("document", "image", "licensed_object", "image_source", "resource"), OF_THE_WEB
    ),
    "notable_for": NOTABLE,
    "identity": SCHEMA,
    "uri_property": SCHEMA,
}
_SCHEMA_DOMAINS = ("type", "freebase", "pipeline")


def decode_key(key: str) -> str:
    """Undo the ``$XXXX`` escapes of a Freebase key: UTF-16 units in four hexadecimal digits."""
    return _KEY_ESCAPED.sub(lambda run: _characters(run.group()), key) if "$" in key else key


@lru_cache(1 << 12)
def _characters(escapes: str) -> str:
    return bytes.fromhex(escapes.replace("$", "")).decode("utf-16-be", errors="replace")


def encode_key(text: str) -> str:
    """Escape `text` as Freebase escapes its keys; :func:`decode_key` gives it back."""

    def units(character: re.Match[str]) -> str:
        code = character.group().encode("utf-16-be").hex().upper()
        return "".join(f"${code[start : start + 4]}" for start in range(0, len(code), 4))

    return re.sub(r"[^A-Za-z0-9_-]", units, text)


class FreebaseVocabulary(Vocabulary):
    """What Freebase's predicates mean to a reader that wants names in a chain of languages."""

    entities = tuple(
        Prefix(f"{namespace}{letter}.", f"/{letter}/")
        for namespace in (NAMESPACE, "/")
        for letter in "mg"
    )
    types = (
        *entities,
        *(Prefix(namespace, "", f"{ID_CHARACTERS}.") for namespace in (NAMESPACE, "/")),
    )

    def __init__(self, language: str) -> None:
        wanted = languages(language)
        self._title_keys = {
            f"wikipedia.{tag}{kind}": partial(self._title, language=tag)
            for tag in wanted
            for kind in ("", "_title")
        }
        self._old_keys = f"/wikipedia/{wanted[0] if len(wanted) == 1 else ''}"
        old = "|".join(map(re.escape, wanted))
        self._old_key = re.compile(rf"/wikipedia/({old})(?:_title)?/(.+)", re.DOTALL)

    @override
    def meaning(self, predicate: str) -> Meaning:
        for keys in _KEYS:
            if predicate.startswith(keys):
                title = self._title_keys.get(predicate.removeprefix(keys))
                return LiteralOf("same", title, OTHER_KEY) if title else LeftOut(OTHER_KEY)
        name = _local(predicate)
        match name:
            case "type.object.name" | "http://www.w3.org/2000/01/rdf-schema#label":
                return Name("label")
            case "common.topic.alias":
                return Name("alias")
            case "type.object.type" | "http://www.w3.org/1999/02/22-rdf-syntax-ns#type":
                return Type()
            case "type.object.key":
                return LiteralOf("same", self._old_title, OTHER_KEY, self._old_keys)
            case "type.property.reverse_property" | "http://www.w3.org/2002/07/owl#inverseOf":
                return Special(self._inverse)
            case "http://www.w3.org/2002/07/owl#sameAs":
                return Special(self._same)
            case "freebase.type_hints.mediator":
                return Special(self._mediator)
            case "dataworld.gardening_hint.replaced_by":
                return Special(self._replaced)
        step = name.partition("..")[0]
        if step in LEFT_OUT:
            return LeftOut(LEFT_OUT[step])
        domain, _, rest = step.partition(".")
        if domain in _SCHEMA_DOMAINS or name.startswith((_RDF, _RDFS, _OWL)):
            return LeftOut(SCHEMA)
        if domain == "common" and (kind := rest.partition(".")[0]) in LEFT_OUT_TYPES:
            return LeftOut(LEFT_OUT_TYPES[kind])
        return Joins(name)

    @override
    def entity(self, term: str) -> str | None:
        name = _local(term)
        return f"/{name[0]}/{name[2:]}" if _ENTITY.fullmatch(name) else None

    @override
    def identify(self, term: str) -> str:
        return self.entity(term) or _local(term)

    @override
    def no_entity(self, term: str) -> str:
        return SCHEMA

    def _title(self, key: str, *, language: str) -> str | None:
        title = decode_key(key).strip("_ ")
        return title_id(title, language=language) if title else None

    def _old_title(self, key: str) -> str | None:
        found = self._old_key.fullmatch(key)
        return self._title(found[2], language=found[1]) if found else None

    def _inverse(self, triple: Triple) -> DumpStatement | str:
        if triple.literal:
            return SCHEMA
        return DumpStatement(
            "inverse", self.identify(triple.subject), "", self.identify(triple.object)
        )

    def _same(self, triple: Triple) -> DumpStatement | str:
        entity, other = self.entity(triple.subject), canonical_id(triple.object)
        if triple.literal or entity is None or other is None:
            return SCHEMA
        return DumpStatement("same", entity, "", other)

    def _replaced(self, triple: Triple) -> DumpStatement | str:
        old, current = self.entity(triple.subject), self.entity(triple.object)
        if triple.literal or old is None or current is None:
            return SCHEMA
        return DumpStatement("redirect", old, "", current)

    def _mediator(self, triple: Triple) -> DumpStatement | str:
        if triple.literal and triple.object == "true":
            return DumpStatement("mediator", self.identify(triple.subject))
        return NO_MEDIATOR if triple.literal else LITERAL_VALUE


def read(
    path: Path,
    *,
    language: str,
    rejects: Rejects,
    left_out: Rejects,
    byte_range: tuple[int, int] | None = None,
) -> Iterator[pa.RecordBatch]:
    """Yield the statements of a Freebase dump; see :func:`indexes.dumps.ntriples.read_ntriples`."""
    vocabulary = FreebaseVocabulary(language)
    return read_ntriples(
        path,
        vocabulary,
        language=language,
        rejects=rejects,
        left_out=left_out,
        byte_range=byte_range,
    )


def _local(term: str) -> str:
    """Return the local name of an IRI of Freebase's in either form; any other as it is."""
    if term.startswith(NAMESPACE):
        return term[len(NAMESPACE) :]
    return term.removeprefix("/")

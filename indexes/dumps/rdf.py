"""Any other RDF: DBpedia, YAGO, a vocabulary of one's own.

N-Triples and N-Quads are streamed, of any size, compressed or not. Turtle, TriG, RDF/XML and
JSON-LD are read into memory by rdflib, so they have to be small: above 1 GB they are refused.

Entities are IRIs, in the form of :mod:`indexes.identifiers` (DBpedia's are Wikipedia titles), and
blank nodes, which are told apart from those of other files. Names are ``rdfs:label``,
``skos:prefLabel``, ``foaf:name``, ``schema:name`` and aliases ``skos:altLabel``, ``dbo:alias`` and
the like; a name without a language tag counts as one in the wanted language. ``rdf:type`` gives
types, ``owl:sameAs`` other ids, ``dbo:wikiPageRedirects`` redirects, ``owl:inverseOf`` inverse
relations. Any other predicate that joins two entities is a fact by its IRI, but for links between
pages and for what the vocabularies RDFS, OWL, SKOS, SHACL, VoID and Dublin Core say.
"""

import hashlib
import logging
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Literal, override
from xml.parsers import expat
from xml.sax import SAXException

import orjson
import pyarrow as pa
import rdflib
from rdflib.exceptions import ParserError
from rdflib.term import BNode, Node

from evaluator.errors import InputError
from evaluator.inputs import LARGEST_WHOLE, LONG_LINE
from evaluator.model import Rejects
from indexes.dumps.ntriples import read_ntriples
from indexes.dumps.statements import DumpStatement, batches, languages
from indexes.dumps.vocabulary import (
    SCHEMA,
    Joins,
    LeftOut,
    Meaning,
    Name,
    Prefix,
    Special,
    Triple,
    Type,
    Vocabulary,
    interpret,
)
from indexes.identifiers import canonical_id
from indexes.streams import blocks

NAME = "rdf"
DESCRIPTION = "any RDF by the ending of its name: .nt, .nq (streamed); .ttl, .trig, .rdf, .jsonld"

PAGE_LINK = "link between pages"
NO_ENTITY = "no entity"

LARGEST = LARGEST_WHOLE  # bytes that rdflib is given, unpacked

SYNTAXES = {
    ".ttl": "turtle",
    ".turtle": "turtle",
    ".n3": "n3",
    ".trig": "trig",
    ".rdf": "xml",
    ".owl": "xml",
    ".xml": "xml",
    ".jsonld": "json-ld",
}
LINE_SUFFIXES = (".nt", ".ntriples", ".nq", ".nquads")

_DBO = "http://dbpedia.org/ontology/"
_RDFS = "http://www.w3.org/2000/01/rdf-schema#"
_OWL = "http://www.w3.org/2002/07/owl#"
_SKOS = "http://www.w3.org/2004/02/skos/core#"
_FOAF = "http://xmlns.com/foaf/0.1/"
_SCHEMA_ORG = ("http://schema.org/", "https://schema.org/")
_LABELS = (
    f"{_RDFS}label", f"{_SKOS}prefLabel", f"{_FOAF}name", *(f"{org}name" for org in _SCHEMA_ORG),
)  # fmt: skip
_ALIASES = (
    f"{_SKOS}altLabel", f"{_DBO}alias", f"{_DBO}otherName", f"{_DBO}alternativeName",
    f"{_FOAF}nick", "http://dbpedia.org/property/alias",
    "http://dbpedia.org/property/alternativeNames",
    *(f"{org}alternateName" for org in _SCHEMA_ORG),
)  # fmt: skip
_SAME = (f"{_OWL}sameAs", f"{_SKOS}exactMatch")
_PAGES = (
    f"{_DBO}wikiPage", f"{_DBO}abstract", f"{_DBO}thumbnail",
    "http://dbpedia.org/property/wikiPage", f"{_FOAF}page", f"{_FOAF}homepage",
    f"{_FOAF}isPrimaryTopicOf", f"{_FOAF}primaryTopic", f"{_FOAF}depiction",
    "http://www.w3.org/ns/prov#wasDerivedFrom",
)  # fmt: skip
_SCHEMATA = (
    "http://www.w3.org/1999/02/22-rdf-syntax-ns#", _RDFS, _OWL, _SKOS,
    "http://www.w3.org/ns/shacl#", "http://rdfs.org/ns/void#",
    "http://purl.org/dc/terms/", "http://purl.org/dc/elements/1.1/",
)  # fmt: skip
_SYNTAX_LINE = re.compile(r"(?:at line |^|:)(\d+)(?: of <>|:\d+)")


class GeneralVocabulary(Vocabulary):
    """What the usual RDF vocabularies mean; `mark` tells the blank nodes of files apart."""

    # Titles have to be made even one by one, so DBpedia's resources are not among these.
    entities = (Prefix("http://www.wikidata.org/entity/Q", "Q", "0123456789"),)
    types = ()

    def __init__(self, mark: str) -> None:
        self._mark = mark

    @override
    def meaning(self, predicate: str) -> Meaning:
        if predicate in _LABELS:
            return Name("label")
        if predicate in _ALIASES:
            return Name("alias")
        if predicate in _SAME:
            return Special(self._same)
        match predicate:
            case "http://www.w3.org/1999/02/22-rdf-syntax-ns#type":
                return Type()
            case "http://dbpedia.org/ontology/wikiPageRedirects":
                return Special(self._redirect)
            case "http://www.w3.org/2002/07/owl#inverseOf":
                return Special(self._inverse)
        if predicate.startswith(_PAGES):
            return LeftOut(PAGE_LINK)
        if predicate.startswith(_SCHEMATA):
            return LeftOut(SCHEMA)
        return Joins(predicate)

    @override
    def entity(self, term: str) -> str | None:
        if term.startswith("_:"):
            return f"_:{self._mark}-{term[2:]}"
        return None if term.startswith(_SCHEMATA) else canonical_id(term)

    @override
    def identify(self, term: str) -> str:
        return self.entity(term) or term

    @override
    def no_entity(self, term: str) -> str:
        return SCHEMA if term.startswith(_SCHEMATA) else NO_ENTITY

    def _same(self, triple: Triple) -> DumpStatement | str:
        return self._pair(triple, "same")

    def _redirect(self, triple: Triple) -> DumpStatement | str:
        return self._pair(triple, "redirect")

    def _pair(self, triple: Triple, kind: Literal["same", "redirect"]) -> DumpStatement | str:
        of, to = self.entity(triple.subject), self.entity(triple.object)
        if triple.literal or of is None or to is None:
            return NO_ENTITY
        return DumpStatement(kind, of, "", to)

    def _inverse(self, triple: Triple) -> DumpStatement | str:
        if triple.literal or triple.subject.startswith("_:") or triple.object.startswith("_:"):
            return SCHEMA
        # Relations go by the names that facts give them.
        return DumpStatement("inverse", triple.subject, "", triple.object)


def by_line(path: Path) -> bool:
    """Return whether a file is of a syntax that is read line by line."""
    return syntax(path) is None


def syntax(path: Path) -> str | None:
    """Return rdflib's name of a file's syntax by its suffixes; None for lines of triples."""
    suffixes = [suffix.lower() for suffix in reversed(path.suffixes)]
    return next((SYNTAXES[suffix] for suffix in suffixes if suffix in SYNTAXES), None)


def read(
    path: Path,
    *,
    language: str,
    rejects: Rejects,
    left_out: Rejects,
    byte_range: tuple[int, int] | None = None,
) -> Iterator[pa.RecordBatch]:
    """Yield the statements of an RDF file.

    Raises
    ------
    InputError
        As :func:`indexes.dumps.ntriples.read_ntriples`; a file that rdflib cannot parse, with the
        line if it names one; one without a statement; one of more than 1 GB in a syntax that must
        be read into memory. Nothing that a file refers to is fetched, so JSON-LD with a context
        elsewhere is refused; and so is RDF/XML that declares entities.
    """
    vocabulary = GeneralVocabulary(hashlib.blake2b(path.name.encode(), digest_size=4).hexdigest())
    named = syntax(path)
    if named is None:
        return read_ntriples(
            path,
            vocabulary,
            language=language,
            rejects=rejects,
            left_out=left_out,
            byte_range=byte_range,
        )
    return batches(_interpreted(path, named, vocabulary, language, rejects, left_out))


def _interpreted(
    path: Path,
    named: str,
    vocabulary: GeneralVocabulary,
    language: str,
    rejects: Rejects,
    left_out: Rejects,
) -> Iterator[DumpStatement]:
    found_any, wanted = False, languages(language)
    for triple in _parsed(path, named, rejects):
        found_any = True
        found = interpret(triple, vocabulary, wanted=wanted)
        if isinstance(found, str):
            left_out.add(found, f"{triple.subject} {triple.predicate} {triple.object}")
        else:
            yield from found
    if not found_any:
        raise InputError(
            path, f"no statement found in this {named}; is it empty, or without terms?"
        )


def _parsed(path: Path, named: str, rejects: Rejects) -> Iterator[Triple]:
    """Yield the triples of a file that rdflib holds in memory."""
    content = bytearray()
    own = Rejects()
    for block in blocks(path, rejects=own):
        content += block
        if len(content) > LARGEST:
            raise InputError(
                path,
                f"more than {LARGEST:,} bytes of {named}, which is read into memory; convert it to"
                " N-Triples (for example with rapper or riot) and give that",
            )
    rejects.merge([own])
    if LONG_LINE in own.counts:  # and without it the rest is another text
        raise InputError(path, f"has a {LONG_LINE}; convert it to N-Triples and give that")
    graph = rdflib.Dataset(default_union=True)
    text = bytes(content)
    if named == "json-ld":
        _check_contexts(path, text)
    elif named == "xml":
        _check_entities(path, text)
    try:
        with _silence():
            graph.parse(data=text, format=named, publicID=path.absolute().as_uri())
    except Exception as error:  # its parsers raise all sorts on bad files
        problem = " ".join(str(error).split())
        if not isinstance(error, (ParserError, SAXException, SyntaxError, ValueError)):
            problem = f"{type(error).__name__}: {problem}"
        found = _SYNTAX_LINE.search(problem)
        raise InputError(
            path,
            f"not {named}: {problem[:200]}; mend it or convert it to N-Triples",
            line=int(found[1]) if found else None,
        ) from None
    for subject, predicate, object_, _ in graph.quads():
        yield Triple(
            _text(subject),
            _text(predicate),
            _text(object_),
            literal=isinstance(object_, rdflib.Literal),
            language=getattr(object_, "language", None) or "",
        )


@contextmanager
def _silence() -> Iterator[None]:
    """Keep rdflib from printing: it warns of its own doings, and logs each odd literal and IRI."""
    logger = logging.getLogger("rdflib")
    level = logger.level
    logger.setLevel(logging.CRITICAL + 1)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logger.setLevel(level)


def _check_contexts(path: Path, text: bytes) -> None:
    """Refuse JSON-LD for which rdflib would read another file or ask the network."""
    try:
        pending: list[Any] = [orjson.loads(text)]
    except orjson.JSONDecodeError as error:
        raise InputError(path, f"not JSON: {error}; mend it", line=error.lineno) from None
    while pending:
        part = pending.pop()
        if isinstance(part, list):
            pending += part
        elif isinstance(part, dict):
            contexts = part.get("@context")
            for context in contexts if isinstance(contexts, list) else [contexts]:
                if isinstance(context, str):
                    raise InputError(
                        path, f"remote @context {context[:80]!r} is not fetched; inline it"
                    )
            if "@import" in part:
                raise InputError(
                    path, f"remote @import {part['@import']!r:.80} is not fetched; inline it"
                )
            pending += part.values()


def _check_entities(path: Path, text: bytes) -> None:
    """Refuse XML that declares entities: a few lines of them can make terabytes."""
    inside: list[bool] = []
    parser = expat.ParserCreate()
    parser.StartDoctypeDeclHandler = lambda *declared: inside.append(bool(declared[3]))
    # The declarations are over where the first element begins.
    parser.StartElementHandler = lambda *_: _stop()
    parser.EntityDeclHandler = lambda *_: _stop()
    # Of whatever else is wrong, rdflib says more.
    with suppress(expat.ExpatError, StopIteration, ValueError, LookupError):
        parser.Parse(text, True)
    if any(inside):
        raise InputError(
            path,
            "declares entities (<!DOCTYPE ... [), which are not expanded; write them out or convert"
            " the file to N-Triples (for example with rapper)",
        )


def _stop() -> None:
    raise StopIteration


def _text(term: Node) -> str:
    return f"_:{term}" if isinstance(term, BNode) else str(term)

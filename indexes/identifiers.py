"""Identifiers: one written form for each entity, whoever named it.

Annotations, dumps and mapping files write the same entity in many ways. Here it is always

==================  ===============================================
Freebase            ``/m/0abc12``, ``/g/11abc``
Wikidata            ``Q42`` (properties ``P19``)
Wikipedia           ``en:Douglas_Adams``: language and title
blank nodes         ``_:label``
anything else       its IRI
==================  ===============================================

DBpedia's resources are Wikipedia's titles. Which of these mean the same entity is the knowledge
base's to know (:mod:`indexes.kb.knowledge_base`).
"""

import re
from urllib.parse import quote, unquote

from evaluator.text import normalise

_FREEBASE = re.compile(
    r"(?:https?://(?:rdf|www)\.freebase\.com/(?:ns/)?|fb:|ns:|/)?([mg])[./]([0-9a-zA-Z_]+)"
)
_WIKIDATA = re.compile(
    r"(?:https?://(?:www|m)\.wikidata\.org/(?:entity/|wiki/(?:Special:EntityData/)?|prop/direct/)"
    r"|wdt?:)?(?:Property:)?([QP][1-9][0-9]*)"
)
_WIKIPEDIA = re.compile(r"https?://([a-z][a-z-]*)\.(?:m\.)?wikipedia\.org/wiki/([^?#]+)(?:#.*)?")
_DBPEDIA = re.compile(r"(?:http://(?:([a-z][a-z-]*)\.)?dbpedia\.org/resource/|dbr:)(.+)")
_TITLE = re.compile(r"([a-z]{2,3}(?:-[a-z]+)*)(?:wiki)?:(?!//)(.+)")
_OTHER = re.compile(r"_:\S+|[a-z][a-z0-9+.-]*:[^\s<>\"]+", re.IGNORECASE)


def canonical_id(text: str) -> str | None:
    """Return the one written form of an identifier; None for what is none.

    Examples
    --------
    >>> canonical_id("http://rdf.freebase.com/ns/m.0282x"), canonical_id("wd:Q42")
    ('/m/0282x', 'Q42')
    >>> canonical_id("https://en.wikipedia.org/wiki/Douglas%20Adams")
    'en:Douglas_Adams'
    """
    text = text.strip()
    if found := _FREEBASE.fullmatch(text):
        return f"/{found[1]}/{found[2]}"
    if found := _WIKIDATA.fullmatch(text):
        return found[1]
    if found := _WIKIPEDIA.fullmatch(text) or _DBPEDIA.fullmatch(text):
        return title_id(unquote(found[2]), language=found[1] or "en")
    if found := _TITLE.fullmatch(text):
        return title_id(found[2], language=found[1])
    return text if _OTHER.fullmatch(text) else None


def title_id(title: str, *, language: str) -> str:
    """Return the identifier of a Wikipedia title, written with blanks or underscores.

    Wikipedia's titles begin with a capital letter, whatever a link to them does.
    """
    title = "_".join(normalise(title).replace("_", " ").split())
    return f"{language}:{title[:1].upper()}{title[1:]}"


def page_of(identifier: str) -> str | None:
    """Return the address of a page about an entity; None where its identifier leads to none.

    Freebase's own pages are gone; Wikidata's search finds the items that name its identifiers.

    Parameters
    ----------
    identifier
        In the form of :func:`canonical_id`.

    Examples
    --------
    >>> page_of("Q42"), page_of("en:Douglas_Adams"), page_of("_:b0")
    ('https://www.wikidata.org/wiki/Q42', 'https://en.wikipedia.org/wiki/Douglas_Adams', None)
    """
    if _FREEBASE.fullmatch(identifier):
        wanted = quote(f"haswbstatement:P646={identifier}")
        return f"https://www.wikidata.org/wiki/Special:Search?search={wanted}"
    if _WIKIDATA.fullmatch(identifier):
        return f"https://www.wikidata.org/wiki/{identifier}"
    if found := _TITLE.fullmatch(identifier):
        return f"https://{found[1]}.wikipedia.org/wiki/{quote(found[2])}"
    return identifier if identifier.startswith(("http://", "https://")) else None


def iri_of(identifier: str) -> str:
    """Return the IRI of an entity, or of words that name none.

    Freebase's and Wikidata's are those of their dumps, a title's is its page. Blank nodes and words
    get one of distval's own.

    Examples
    --------
    >>> iri_of("/m/0282x"), iri_of("Q42")
    ('http://rdf.freebase.com/ns/m.0282x', 'http://www.wikidata.org/entity/Q42')
    >>> iri_of("a red house")
    'urn:distval:name:a%20red%20house'
    """
    if found := _FREEBASE.fullmatch(identifier):
        return f"http://rdf.freebase.com/ns/{found[1]}.{found[2]}"
    if _WIKIDATA.fullmatch(identifier):
        return f"http://www.wikidata.org/entity/{identifier}"
    if page := page_of(identifier):
        return quote(page, safe=_OF_IRIS)
    if _OTHER.fullmatch(identifier) and not identifier.startswith("_:"):
        return quote(identifier, safe=_OF_IRIS)
    return f"urn:distval:name:{quote(identifier, safe='')}"


_OF_IRIS = "%:/?#[]@!$&'()*+,;=~"  # what has a meaning in an IRI, and what is escaped already

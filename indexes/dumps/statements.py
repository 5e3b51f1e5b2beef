"""Statements: the one form in which every dump reader yields what it found.

A batch of statements has four columns of strings. What the last three hold depends on the first:

=========  ==============  ===========  ===========================================================
kind       subject         predicate    object
=========  ==============  ===========  ===========================================================
fact       entity          relation     entity
label      any id          language     name in a wanted language
variant    any id          language     name in a variant of it (``en-gb``) or in no language
alias      any id                       alias in one of the languages or a variant of it
named      entity                       (it has a name in another language)
type       entity                       type
same       id                           another id of the same thing
redirect   old id                       current id
inverse    relation                     relation that says the same the other way round
mediator   type                         (its nodes join two facts and are no entities of their own)
sitelinks  entity                       number of Wikipedia articles and the like, in digits
=========  ==============  ===========  ===========================================================

Entities are written as :mod:`indexes.identifiers` writes them. Relations and types are Freebase's
names (``people.person.place_of_birth``), Wikidata's ids (``P19``) or IRIs. Blank nodes
(``_:label``) may stand for entities in facts. Names are in Unicode normal form C, with single
spaces.

Several languages may be wanted, the first first: a chain ``de,en,mul``. The language of a name is
empty for the first of them; else it is the tag of another, or of none of them that is no language.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import batched
from typing import Literal, NamedTuple, get_args

import pyarrow as pa

from evaluator.errors import ConfigurationError
from evaluator.text import normalise

StatementKind = Literal[
    "fact", "label", "variant", "alias", "named", "type",
    "same", "redirect", "inverse", "mediator", "sitelinks",
]  # fmt: skip
KINDS: tuple[StatementKind, ...] = get_args(StatementKind)

STATEMENTS = pa.schema(
    [pa.field(name, pa.string()) for name in ("kind", "subject", "predicate", "object")]
)

NO_LANGUAGE = ("mul", "und", "zxx")
"""Tags of names that are in no language; Wikidata's ``mul`` is the name in all that give no other.
"""

_TAG = re.compile(r"[a-z]{2,8}(?:-[a-z0-9]{1,8})*")


class DumpStatement(NamedTuple):
    """One row of a batch of :data:`STATEMENTS`."""

    kind: StatementKind
    subject: str
    predicate: str = ""
    object: str = ""


def batches(
    statements: Iterable[DumpStatement], *, size: int = 1 << 16
) -> Iterator[pa.RecordBatch]:
    """Yield `statements` in record batches of at most `size` rows each."""
    for rows in batched(statements, size):
        columns = [pa.array(column, pa.string()) for column in zip(*rows, strict=True)]
        yield pa.record_batch(columns, schema=STATEMENTS)


class NameKind(NamedTuple):
    """What a label is to a reader, and the language that it has as a statement."""

    kind: StatementKind
    language: str = ""


def languages(chain: str) -> tuple[str, ...]:
    """Return the languages of a chain.

    Raises
    ------
    ConfigurationError
        For what is no chain of distinct language tags.

    Examples
    --------
    >>> languages("en"), languages("de, en, mul")
    (('en',), ('de', 'en', 'mul'))
    """
    tags = tuple(tag.strip().lower() for tag in chain.split(","))
    for tag in tags:
        if not _TAG.fullmatch(tag):
            meant = tag.partition(".")[0].replace("_", "-")
            remedy = f": write {meant}" if meant != tag and _TAG.fullmatch(meant) else ""
            problem = f"language {tag!r} is no tag of one, such as en, pt-br, mul{remedy}"
            raise ConfigurationError(problem)
    if len(set(tags)) < len(tags):
        raise ConfigurationError(f"a language is named twice in {chain!r}")
    return tags


def label_kind(tag: str, wanted: tuple[str, ...]) -> NameKind:
    """Return what a label tagged `tag` is to a reader that wants some languages, the first first.

    Examples
    --------
    >>> [label_kind(tag, ("en",)).kind for tag in ("en", "en-GB", "mul", "de")]
    ['label', 'variant', 'variant', 'named']
    >>> label_kind("mul", ("de", "mul"))
    NameKind(kind='label', language='mul')
    """
    tag = tag.lower()
    kind: StatementKind = "label"
    found = tag if tag in wanted else None
    if found is None:
        kind = "variant"
        found = next((language for language in wanted if tag.startswith(f"{language}-")), None)
    if found is None and tag in NO_LANGUAGE:
        found = tag
    if found is None:
        return NameKind("named")
    return NameKind(kind, "" if found == wanted[0] else found)


def clean_name(text: str) -> str:
    """Return a name as it is kept: normal form C, white space collapsed; empty if it is none."""
    return normalise(" ".join(text.split()))

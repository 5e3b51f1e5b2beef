"""Statements: the one form in which every dump reader yields what it found.

A batch of statements has four columns of strings. What the last three hold depends on the first:

=========  ==============  ===========  ===========================================================
kind       subject         predicate    object
=========  ==============  ===========  ===========================================================
fact       entity          relation     entity
label      any id                       name in the wanted language
variant    any id                       name in a variant of it (``en-gb``) or in no language
alias      any id                       alias in the language or a variant of it
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
"""

from collections.abc import Iterable, Iterator
from itertools import batched
from typing import Literal, NamedTuple, get_args

import pyarrow as pa

from evaluator.text import normalise

StatementKind = Literal[
    "fact", "label", "variant", "alias", "named", "type",
    "same", "redirect", "inverse", "mediator", "sitelinks",
]  # fmt: skip
KINDS: tuple[StatementKind, ...] = get_args(StatementKind)

STATEMENTS = pa.schema(
    [pa.field(name, pa.string()) for name in ("kind", "subject", "predicate", "object")]
)

_NO_LANGUAGE = ("mul", "und", "zxx")


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


def label_kind(tag: str, language: str) -> StatementKind:
    """Return what a label tagged `tag` is to a reader that wants `language`.

    Examples
    --------
    >>> [label_kind(tag, "en") for tag in ("en", "en-GB", "mul", "de")]
    ['label', 'variant', 'variant', 'named']

    Wikidata's ``mul`` is the name in all languages that give no other.
    """
    tag, language = tag.lower(), language.lower()
    if tag == language:
        return "label"
    if tag.startswith(f"{language}-") or tag in _NO_LANGUAGE:
        return "variant"
    return "named"


def clean_name(text: str) -> str:
    """Return a name as it is kept: normal form C, white space collapsed; empty if it is none."""
    return normalise(" ".join(text.split()))

"""WebNLG's entries as the data have them: texts, the triples that they state, and names in them."""

import re
import tarfile
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote
from xml.etree import ElementTree

from evaluator.errors import InputError
from evaluator.text import normalise
from indexes.identifiers import canonical_id

ARCHIVE = "webnlg_v1.6_en_train.tar.xz"


class Triple(NamedTuple):
    """A triple as WebNLG writes it."""

    subject: str
    property: str
    object: str


class Entry(NamedTuple):
    """An entry: its name, its triples, and its texts."""

    name: str
    triples: tuple[Triple, ...]
    texts: tuple["Text", ...]


class Text(NamedTuple):
    """A text: what it says, and the triples by sentence.

    `names` has, in text order, what stands for an entity, the entity, and whether it is a name.
    """

    text: str
    by_sentence: tuple[tuple[Triple, ...], ...]
    names: tuple[tuple[str, str, bool], ...]


def entry_nodes(folder: Path) -> Iterator[tuple[str, ElementTree.Element]]:
    """Yield the entries of the train part as elements, with the file of each, by file.

    Raises
    ------
    InputError
        If the archive, which `folder` holds, is missing or damaged.
    """
    path = folder / ARCHIVE
    try:
        with tarfile.open(path) as archive:
            for member in sorted(archive.getmembers(), key=lambda one: one.name):
                if member.name.endswith(".xml") and (file := archive.extractfile(member)):
                    name = member.name.removesuffix(".xml").partition("/")[2]
                    for node in ElementTree.parse(file).iter("entry"):
                        yield name, node
    except (OSError, EOFError, tarfile.TarError, ElementTree.ParseError) as error:
        raise InputError(path, f"cannot be read ({error})") from None


def read_entries(folder: Path, *, most: int | None = None) -> list[Entry]:
    """Return the entries of the train part.

    Parameters
    ----------
    folder
        That which holds the archive.
    most
        Entries at most; of the whole part those whose name has the smallest hash values.

    Raises
    ------
    InputError
        If the archive is missing or damaged.
    """
    found = [_entry(file, node) for file, node in entry_nodes(folder)]
    if most is not None:
        first = sorted(found, key=lambda entry: share_of(entry.name, "slice"))[:most]
        kept = {entry.name for entry in first}
        found = [entry for entry in found if entry.name in kept]
    return found


def _entry(file: str, node: ElementTree.Element) -> Entry:
    triples = tuple(triple_of(one.text or "") for one in node.findall("modifiedtripleset/mtriple"))
    texts = tuple(
        Text(
            normalise(lex.findtext("text") or ""),
            tuple(
                tuple(triple_of(one.text or "") for one in sentence.findall("striple"))
                for sentence in lex.findall("sortedtripleset/sentence")
            ),
            tuple(
                (
                    normalise(one.text or ""),
                    normalise(one.get("entity", "")),
                    one.get("type") == "name",
                )
                for one in lex.findall("references/reference")
                if one.get("entity")
            ),
        )
        for lex in node.findall("lex")
    )
    return Entry(f"{file}/{node.get('eid')}", triples, texts)


def triple_of(text: str) -> Triple:
    """Return the triple that "subject | property | object" is."""
    subject, property_, object_ = normalise(text).split(" | ")
    return Triple(subject, property_, object_)


_LITERAL = re.compile(r'["<].*|-?\d[\d.,:/-]*( .*)?')


def is_literal(name: str) -> bool:
    """Tell a string in quotes, a number or a date from an entity ("12_Kelp_Hall")."""
    return _LITERAL.fullmatch(name) is not None


def label_of(entity: str) -> str:
    """Return the title of an entity as people write it."""
    return entity.replace("_", " ")


def short_label(entity: str) -> str:
    """Return the title less a qualifier in parentheses."""
    return re.sub(r" \([^()]*\)$", "", label_of(entity))


def iri_of(entity: str) -> str:
    """Return the IRI of an entity in the knowledge base."""
    return "http://dbpedia.org/resource/" + quote(entity.replace(" ", "_"), safe="_-.,:!'*&;=@~+/$")


def id_of(entity: str) -> str:
    """Return what the knowledge base calls an entity."""
    identifier = canonical_id(iri_of(entity))
    if identifier is None:
        raise ValueError(f"{entity}: no identifier")
    return identifier


def share_of(name: str, salt: str) -> float:
    """Return a number in [0, 1) that depends on a name and a salt alone."""
    digest = blake2b(f"{salt}\t{name}".encode(), digest_size=8).digest()
    return int.from_bytes(digest) / 2**64

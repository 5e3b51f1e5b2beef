"""FB15k-237 as a Freebase dump.

The benchmark (Toutanova and Chen 2015) is a slice of Freebase: 14,541 entities, 237 relations and
310,116 triples, distributed as numbered identifiers. Written in the dump's own form, with names
from Wikidata's labels, it is a knowledge base that anybody can build in seconds, and it goes
through the same reader as the dump itself.

The benchmark has joined the two steps of relations that lead through a nameless node; here they
are taken apart again, as the dump has them.
"""

import gzip
from base64 import b32encode
from collections.abc import Iterable, Iterator
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote

from evaluator.errors import InputError
from evaluator.inputs import read_json, read_unpacked
from evaluator.text import normalise
from evaluator.whole_files import whole_binary_file
from indexes.dumps.freebase import NAMESPACE, encode_key

_TITLE_KEY = "<http://rdf.freebase.com/key/wikipedia.en_title>"
_WIKIPEDIA = "https://en.wikipedia.org/wiki/"
_JOINED = "./"
_FREEBASE_DIGITS = bytes.maketrans(
    b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", b"0123456789bcdfghjklmnpqrstvwxyz_"
)
_ESCAPES = str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"})


_SAME = "<http://www.w3.org/2002/07/owl#sameAs>"  # as in the published mappings to Wikidata
_WIKIDATA = "http://www.wikidata.org/entity/"


class WrittenCounts(NamedTuple):
    """What was written: labels, aliases, Wikipedia titles, triples, and mediator nodes.

    A triple is a triple of the benchmark, whether it took one line or, with a mediator, three.
    """

    labels: int
    aliases: int
    titles: int
    triples: int
    mediators: int


def write_freebase_ntriples(folder: Path, out: Path) -> WrittenCounts:
    """Write FB15k-237 as N-Triples in the form of Freebase's dump.

    Parameters
    ----------
    folder
        Holds ``entity2wikidata.json`` (entity to label, alternatives and Wikipedia address) and
        ``openke/`` (``entity2id``, ``relation2id``, ``train2id``, ``valid2id`` and ``test2id``,
        each ``.txt.gz``; a triple is written head, tail, relation).
    out
        The file to write, ``.nt.gz``: sorted lines, each once, the same bytes every time. The
        relation ``/a/b/c`` becomes the predicate ``a.b.c``; ``/a/b/c./d/e/f`` becomes two steps,
        ``a.b.c`` to a node of its own (:func:`mediator_id`) and ``d.e.f`` from there. The node has
        the type ``d.e``, which is marked as one of mediators.

    Raises
    ------
    InputError
        A file that is missing or not of this form, or an `out` that cannot be written.
    """
    names = read_names(folder / "entity2wikidata.json")
    labels = {_label(entity, about) for entity, about in names.items() if about.get("label")}
    aliases = {
        _name(entity, "common.topic.alias", alias)
        for entity, about in names.items()
        for alias in about.get("alternatives") or ()
    }
    titles = {
        _line(entity, _TITLE_KEY, f'"{encode_key(title)}"')
        for entity, about in names.items()
        if (title := title_of(about.get("wikipedia")))
    }
    same = {
        _line(entity, _SAME, f"<{_WIKIDATA}{about['wikidata_id']}>")
        for entity, about in names.items()
        if about.get("wikidata_id")
    }
    triples = set(read_triples(folder))
    joined = {triple for triple in triples if _JOINED in triple[1]}
    facts = {_line(head, _iri(relation), _iri(tail)) for head, relation, tail in triples - joined}
    for triple in joined:
        facts.update(_steps(*triple))
    write_lines(out, sorted(labels | aliases | titles | same | facts))
    return WrittenCounts(len(labels), len(aliases), len(titles), len(triples), len(joined))


def mediator_id(head: str, relation: str, tail: str) -> str:
    """Return the id of the nameless node of a triple: the same always, and no other's.

    It is ``/m/0`` and twelve digits from a hash of the triple, in Freebase's digits (no vowels, and
    the underscore). The set's entities have seven digits at most, so it is none of them; that any
    two of its triples share those 60 bits has a likelihood of two in 10^8, and they do not.
    """
    digest = blake2b("\t".join((head, relation, tail)).encode(), digest_size=10).digest()
    return f"/m/0{b32encode(digest).translate(_FREEBASE_DIGITS)[:12].decode()}"


def read_triples(folder: Path) -> Iterator[tuple[str, str, str]]:
    """Yield (head, relation, tail) of all three parts, as the benchmark names them.

    Raises
    ------
    InputError
        A file of ``openke/`` that is missing or not of OpenKE's form.
    """
    entities = _read_ids(folder / "openke" / "entity2id.txt.gz")
    relations = _read_ids(folder / "openke" / "relation2id.txt.gz")
    for part in ("train", "valid", "test"):
        path = folder / "openke" / f"{part}2id.txt.gz"
        for number, line in enumerate(_read_counted(path), start=2):
            try:
                head, tail, relation = map(int, line.split())
                yield entities[head], relations[relation], entities[tail]
            except (ValueError, KeyError):
                raise InputError(
                    path, f"{line!r} is not three known ids: head, tail, relation", line=number
                ) from None


def read_names(path: Path) -> dict[str, dict[str, Any]]:
    """Return ``entity2wikidata.json``: of each entity its label, alternatives and addresses.

    Raises
    ------
    InputError
        A file that is missing or not of this form.
    """
    try:
        names = read_json(path)
    except OSError as error:
        raise InputError(path, f"cannot be read ({error.strerror})") from None
    except ValueError as error:
        raise InputError(path, f"not JSON ({error})") from None
    if not isinstance(names, dict):
        raise InputError(path, "not an object from entity to names")
    return names


def read_labels(folder: Path) -> dict[str, str]:
    """Return the label of each entity of ``entity2wikidata.json`` in `folder` that has one.

    Raises
    ------
    InputError
        As :func:`read_names`.
    """
    names = read_names(folder / "entity2wikidata.json")
    return {entity: about["label"] for entity, about in names.items() if about.get("label")}


def _read_ids(path: Path) -> dict[int, str]:
    try:
        rows = (line.split() for line in _read_counted(path))
        return {int(number): name for name, number in rows}
    except ValueError:
        raise InputError(path, "not lines of a name and its number") from None


def _read_counted(path: Path) -> list[str]:
    """Return the lines of an OpenKE file after the first, which states their number."""
    try:
        count, *lines = read_unpacked(path).decode().splitlines()
        complete = int(count) == len(lines)
    except OSError as error:
        raise InputError(path, f"cannot be read ({error.strerror or error})") from None
    except (EOFError, ValueError):
        raise InputError(path, "damaged, or its first line is no count; fetch it again") from None
    if not complete:
        raise InputError(path, f"states {count} lines and holds {len(lines)}; fetch it again")
    return lines


def _steps(head: str, relation: str, tail: str) -> Iterator[str]:
    """Yield the lines of a triple that leads through a mediator."""
    first, second = relation.split(_JOINED)
    node = mediator_id(head, relation, tail)
    kind = second.rpartition("/")[0]
    yield _line(head, _iri(first), _iri(node))
    yield _line(node, _iri(second), _iri(tail))
    yield _line(node, _iri("type.object.type"), _iri(kind))
    yield _line(kind, _iri("freebase.type_hints.mediator"), '"true"')


def title_of(address: str | None) -> str:
    """Return the title that the address of an English Wikipedia page names; empty for none."""
    if address is None or not address.startswith(_WIKIPEDIA):
        return ""
    return normalise(unquote(address.removeprefix(_WIKIPEDIA)))


def _label(entity: str, about: dict[str, Any]) -> str:
    return _name(entity, "type.object.name", about["label"])


def _name(entity: str, predicate: str, name: str) -> str:
    return _line(entity, _iri(predicate), f'"{escape(name)}"@en')


def _line(entity: str, predicate: str, object_: str) -> str:
    return f"{_iri(entity)}\t{predicate}\t{object_}\t.\n"


def escape(text: str) -> str:
    """Escape `text` for a literal of N-Triples."""
    return text.translate(_ESCAPES)


def _iri(name: str) -> str:
    """Return the dump's form of ``/m/0abc12``, of ``/a/b/c``, or of ``a.b.c``."""
    return f"<{NAMESPACE}{name.removeprefix('/').replace('/', '.')}>"


def write_lines(out: Path, lines: Iterable[str]) -> None:
    """Write `lines` compressed, whole or not at all, with no time or name in gzip's header."""
    with whole_binary_file(out) as raw, gzip.GzipFile("", "wb", 6, raw, mtime=0) as stream:
        stream.writelines(line.encode() for line in lines)

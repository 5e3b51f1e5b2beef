"""FB15k-237 as a Freebase dump.

The benchmark (Toutanova and Chen 2015) is a slice of Freebase: 14,541 entities, 237 relations and
310,116 triples, distributed as numbered identifiers. Written in the dump's own form, with names
from Wikidata's labels, it is a knowledge base that anybody can build in seconds, and it goes
through the same reader as the dump itself.
"""

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote

from evaluator.errors import InputError
from evaluator.text import normalise
from indexes.ntriples import encode_key

_NAMESPACE = "http://rdf.freebase.com/ns/"
_TITLE_KEY = "<http://rdf.freebase.com/key/wikipedia.en_title>"
_WIKIPEDIA = "https://en.wikipedia.org/wiki/"
_ESCAPES = str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"})


class Counts(NamedTuple):
    """What was written, in lines: labels, aliases, Wikipedia titles and triples of entities."""

    labels: int
    aliases: int
    titles: int
    triples: int


def write_freebase_ntriples(folder: Path, out: Path) -> Counts:
    """Write FB15k-237 as N-Triples in the form of Freebase's dump.

    Parameters
    ----------
    folder
        Holds ``entity2wikidata.json`` (entity to label, alternatives and Wikipedia address) and
        ``openke/`` (``entity2id``, ``relation2id``, ``train2id``, ``valid2id`` and ``test2id``,
        each ``.txt.gz``; a triple is written head, tail, relation).
    out
        The file to write, ``.nt.gz``: sorted lines, each once, the same bytes every time. The
        relation ``/a/b/c`` becomes the predicate ``a.b.c``; the two steps through a nameless
        node, ``/a/b/c./d/e/f``, become ``a.b.c..d.e.f``.

    Raises
    ------
    InputError
        A file that is missing or not of this form.
    """
    names = _read_names(folder / "entity2wikidata.json")
    labels = {_label(entity, about) for entity, about in names.items() if about.get("label")}
    aliases = {
        _name(entity, "common.topic.alias", alias)
        for entity, about in names.items()
        for alias in about.get("alternatives") or ()
    }
    titles = {
        _line(entity, _TITLE_KEY, f'"{encode_key(title)}"')
        for entity, about in names.items()
        if (title := _title(about.get("wikipedia")))
    }
    triples = {
        _line(head, f"<{_NAMESPACE}{_predicate(relation)}>", _iri(tail))
        for head, relation, tail in read_triples(folder)
    }
    _write(out, sorted(labels | aliases | titles | triples))
    return Counts(len(labels), len(aliases), len(titles), len(triples))


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


def _read_names(path: Path) -> dict[str, dict[str, Any]]:
    try:
        names = json.loads(path.read_bytes())
    except OSError as error:
        raise InputError(path, f"cannot be read ({error.strerror})") from None
    except ValueError as error:
        raise InputError(path, f"not JSON ({error})") from None
    if not isinstance(names, dict):
        raise InputError(path, "not an object from entity to names")
    return names


def _read_ids(path: Path) -> dict[int, str]:
    try:
        rows = (line.split() for line in _read_counted(path))
        return {int(number): name for name, number in rows}
    except ValueError:
        raise InputError(path, "not lines of a name and its number") from None


def _read_counted(path: Path) -> list[str]:
    """Return the lines of an OpenKE file after the first, which states their number."""
    try:
        count, *lines = gzip.decompress(path.read_bytes()).decode().splitlines()
        complete = int(count) == len(lines)
    except OSError as error:
        raise InputError(path, f"cannot be read ({error.strerror or error})") from None
    except (EOFError, ValueError):
        raise InputError(path, "damaged, or its first line is no count; fetch it again") from None
    if not complete:
        raise InputError(path, f"states {count} lines and holds {len(lines)}; fetch it again")
    return lines


def _predicate(relation: str) -> str:
    """Return the dump's form of ``/a/b/c`` (``a.b.c``) or ``/a/b/c./d/e/f`` (``a.b.c..d.e.f``)."""
    return relation.removeprefix("/").replace("/", ".")


def _title(address: str | None) -> str:
    if address is None or not address.startswith(_WIKIPEDIA):
        return ""
    return normalise(unquote(address.removeprefix(_WIKIPEDIA)))


def _label(entity: str, about: dict[str, Any]) -> str:
    return _name(entity, "type.object.name", about["label"])


def _name(entity: str, predicate: str, name: str) -> str:
    return _line(entity, f"<{_NAMESPACE}{predicate}>", f'"{name.translate(_ESCAPES)}"@en')


def _line(entity: str, predicate: str, object_: str) -> str:
    return f"{_iri(entity)}\t{predicate}\t{object_}\t.\n"


def _iri(entity: str) -> str:
    return f"<{_NAMESPACE}{_predicate(entity)}>"


def _write(out: Path, lines: list[str]) -> None:
    """Write `lines` compressed, whole or not at all, with no time or name in gzip's header."""
    partial = out.with_name(f"{out.name}.partial")
    try:
        with partial.open("wb") as raw, gzip.GzipFile("", "wb", 6, raw, mtime=0) as stream:
            stream.writelines(line.encode() for line in lines)
        partial.replace(out)
    finally:
        partial.unlink(missing_ok=True)

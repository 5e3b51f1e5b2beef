"""CoDEx as a Wikidata dump.

The benchmark (Safavi and Koutra 2020) is a slice of Wikidata under its own ids: 206,205 triples of
17,050 items in CoDEx-M, 36,543 of 2,034 in CoDEx-S. Written in the forms in which Wikidata is
dumped, direct ("truthy") N-Triples and JSON, it is a knowledge base that anybody can build in
seconds, through the same readers as the dumps themselves. Names, Wikipedia titles and Freebase ids
come from the names of FB15k-237, which know a quarter of the items.
"""

import json
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, NamedTuple
from urllib.parse import quote

from evaluator.errors import InputError
from evaluator.inputs import read_json, read_unpacked
from indexes.dumps.fb15k237 import escape, read_names, title_of, write_lines

_ENTITY = "http://www.wikidata.org/entity/"
_DIRECT = "http://www.wikidata.org/prop/direct/"
_LABEL = "<http://www.w3.org/2000/01/rdf-schema#label>"
_ALIAS = "<http://www.w3.org/2004/02/skos/core#altLabel>"
_ABOUT = "<http://schema.org/about>"
_WIKIPEDIA = "https://en.wikipedia.org/wiki/"
_FREEBASE_ID = "P646"

Size = Literal["s", "m"]


class CodexCounts(NamedTuple):
    """What was written: items, properties and triples; and how many of the items have a name."""

    items: int
    properties: int
    triples: int
    named: int


class _Item(NamedTuple):
    """What FB15k-237's names say of an item."""

    label: str = ""
    aliases: tuple[str, ...] = ()
    title: str = ""
    freebase: str = ""


class _Slice(NamedTuple):
    """The benchmark, with its items and properties in numeric order."""

    items: dict[str, _Item]
    properties: dict[str, str]
    statements: dict[str, dict[str, list[str]]]

    @property
    def counts(self) -> CodexCounts:
        return CodexCounts(
            len(self.items),
            len(self.properties),
            sum(len(found) for of in self.statements.values() for found in of.values()),
            sum(bool(item.label) for item in self.items.values()),
        )


def write_truthy(folder: Path, names: Path, out: Path, *, size: Size = "m") -> CodexCounts:
    """Write CoDEx as Wikidata's direct N-Triples.

    Parameters
    ----------
    folder
        Holds ``codex-m-train.txt.gz`` and so on (head, relation, tail) and ``relations.en.json``.
    names
        ``entity2wikidata.json`` of FB15k-237.
    out
        The file to write, ``.nt.gz``: the same bytes every time.
    size
        ``m`` or ``s``.

    Raises
    ------
    InputError
        A file that is missing or not of this form.
    """
    read = _read(folder, names, size)
    write_lines(out, _truthy_lines(read))
    return read.counts


def write_json(folder: Path, names: Path, out: Path, *, size: Size = "m") -> CodexCounts:
    """Write CoDEx as Wikidata's JSON dump, ``.json.gz``; otherwise as :func:`write_truthy`."""
    read = _read(folder, names, size)
    write_lines(out, _json_lines(read))
    return read.counts


def read_triples(folder: Path, *, size: Size = "m") -> Iterator[tuple[str, str, str]]:
    """Yield (head, relation, tail) of all three parts.

    Raises
    ------
    InputError
        A part that is missing or not of this form.
    """
    for part in ("train", "valid", "test"):
        path = folder / f"codex-{size}-{part}.txt.gz"
        try:
            lines = read_unpacked(path).decode().splitlines()
        except OSError as error:
            raise InputError(path, f"cannot be read ({error.strerror or error})") from None
        except (EOFError, ValueError, zlib.error):
            raise InputError(path, "damaged; fetch it again") from None
        for number, line in enumerate(lines, start=1):
            match line.split("\t"):
                case [head, relation, tail] if (head[:1], relation[:1], tail[:1]) == tuple("QPQ"):
                    yield head, relation, tail
                case _:
                    problem = f"{line!r} is not an item, a property and an item"
                    raise InputError(path, problem, line=number)


def _read(folder: Path, names: Path, size: Size) -> _Slice:
    known = {
        about["wikidata_id"]: _Item(
            about.get("label") or "",
            tuple(about.get("alternatives") or ()),
            title_of(about.get("wikipedia")),
            freebase,
        )
        for freebase, about in sorted(read_names(names).items())
        if about.get("wikidata_id")
    }
    labels = _property_labels(folder / "relations.en.json")
    triples = sorted(
        set(read_triples(folder, size=size)), key=lambda triple: [*map(_number, triple)]
    )
    statements: dict[str, dict[str, list[str]]] = {}
    for head, relation, tail in triples:
        statements.setdefault(head, {}).setdefault(relation, []).append(tail)
    items = {item for head, _, tail in triples for item in (head, tail)}
    properties = {relation for _, relation, _ in triples}
    return _Slice(
        {item: known.get(item, _Item()) for item in sorted(items, key=_number)},
        {property_: labels.get(property_, "") for property_ in sorted(properties, key=_number)},
        statements,
    )


def _property_labels(path: Path) -> dict[str, str]:
    try:
        return {name: about["label"] for name, about in read_json(path).items()}
    except OSError as error:
        raise InputError(path, f"cannot be read ({error.strerror or error})") from None
    except (ValueError, TypeError, KeyError, AttributeError):
        raise InputError(path, "not an object from property to label") from None


def _number(identifier: str) -> int:
    return int(identifier[1:])


def _truthy_lines(read: _Slice) -> Iterator[str]:
    for item, about in read.items.items():
        subject = f"<{_ENTITY}{item}>"
        if about.title:
            page = f"<{_WIKIPEDIA}{quote(about.title.replace(' ', '_'), safe='/,:()!*~;@$')}>"
            yield f"{page} {_ABOUT} {subject} .\n"
        if about.label:
            yield f'{subject} {_LABEL} "{escape(about.label)}"@en .\n'
        for alias in about.aliases:
            yield f'{subject} {_ALIAS} "{escape(alias)}"@en .\n'
        if about.freebase:
            yield f'{subject} <{_DIRECT}{_FREEBASE_ID}> "{about.freebase}" .\n'
        for relation, tails in read.statements.get(item, {}).items():
            for tail in tails:
                yield f"{subject} <{_DIRECT}{relation}> <{_ENTITY}{tail}> .\n"
    for property_, label in read.properties.items():
        if label:
            yield f'<{_ENTITY}{property_}> {_LABEL} "{escape(label)}"@en .\n'


def _json_lines(read: _Slice) -> Iterator[str]:
    yield "[\n"
    between = ""
    for entity in _entities(read):
        yield between + json.dumps(entity, ensure_ascii=False, separators=(",", ":"))
        between = ",\n"
    yield "\n]\n"


def _entities(read: _Slice) -> Iterator[dict[str, Any]]:
    for item, about in read.items.items():
        claims = {
            relation: [_statement(relation, "wikibase-item", _item_value(tail)) for tail in tails]
            for relation, tails in read.statements.get(item, {}).items()
        }
        if about.freebase:
            value = {"value": about.freebase, "type": "string"}
            claims[_FREEBASE_ID] = [_statement(_FREEBASE_ID, "external-id", value)]
        links = {"enwiki": {"site": "enwiki", "title": about.title, "badges": []}}
        yield {
            "type": "item",
            "id": item,
            "labels": _in_english(about.label),
            "descriptions": {},
            "aliases": {"en": [_text(alias) for alias in about.aliases]} if about.aliases else {},
            "claims": claims,
            "sitelinks": links if about.title else {},
        }
    for property_, label in read.properties.items():
        yield {
            "type": "property",
            "datatype": "wikibase-item",
            "id": property_,
            "labels": _in_english(label),
            "descriptions": {},
            "aliases": {},
            "claims": {},
        }


def _statement(relation: str, datatype: str, value: dict[str, Any]) -> dict[str, Any]:
    snak = {
        "snaktype": "value",
        "property": relation,
        "datavalue": value,
        "datatype": datatype,
    }
    return {"mainsnak": snak, "type": "statement", "rank": "normal"}


def _item_value(item: str) -> dict[str, Any]:
    value = {"entity-type": "item", "numeric-id": _number(item), "id": item}
    return {"value": value, "type": "wikibase-entityid"}


def _in_english(label: str) -> dict[str, Any]:
    return {"en": _text(label)} if label else {}


def _text(value: str) -> dict[str, str]:
    return {"language": "en", "value": value}

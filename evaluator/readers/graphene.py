"""Graphene's RDF-NL, the default and the flat form, with links as ids or resolved.

Default: the sentence after "# ", then its extractions, each followed by its indented contexts::

    # sentence
    id⇥layer⇥subject⇥predicate⇥object
    ⇥S:TEMPORAL⇥in 2003 .
    ⇥L:CONTRAST⇥id of another extraction (resolved: its subject⇥predicate⇥object)

Flat: one extraction a line::

    sentence⇥id⇥layer⇥subject⇥predicate⇥object⇥S:TEMPORAL(in 2003 .)⇥L:CONTRAST(id)

Layer 0 is what the sentence says; a deeper layer is context of the layer above and not asserted.
Nor is what has a condition or an attribution, be it a text or a link to an extraction of the same
sentence. ``extra`` keeps "id", "layer", "contexts" (S) and "links" (L). The object may be empty;
Graphene gives no confidence.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import NamedTuple

from evaluator.model import Extraction, Rejects
from evaluator.readers import mostly, refuse

NAME = "graphene"
KIND = "extractions"
DESCRIPTION = "Graphene's RDF-NL: '# sentence', then id, layer, subject, predicate, object; or flat"
TOLD_BY = "columns id, layer, subject, predicate, below '# sentence' or after it"
EXAMPLE = (
    "# Although Lena Marsh founded Kelp in 2003 , Marek left .\n"
    "\n"
    "c1a0\t0\tLena Marsh\tfounded\tKelp\n"
    "\tS:TEMPORAL\tin 2003 .\n"
    "\tL:CONTRAST\tc1a1\n"
    "\n"
    "c1a1\t0\tMarek\tleft\t\n"
    "\tL:CONTRAST\tc1a0\n"
    "\n"
)

_LAYER = re.compile(r"[0-9]{1,3}")
_INDENTED = re.compile(r"\s+([SL]):(\w+)[\t ]+(.*)")
_FLAT = re.compile(r"([SL]):(\w+)\((.*)\)\s*")
_NEXT_FLAT = re.compile(r"(?:^|[\t ])(?=[SL]:[A-Z_]+\()")


class _Context(NamedTuple):
    """A context: its class (S: text, L: link), its type, and the text, id or slots."""

    simple: bool
    type: str
    content: tuple[str, ...]


@dataclass(slots=True)
class _Record:
    line: int
    sentence: str
    id: str
    layer: int
    slots: tuple[str, str, str]
    contexts: list[_Context] = field(default_factory=list)


def read(
    lines: Iterable[tuple[int, str]], *, system: str, rejects: Rejects
) -> Iterator[Extraction]:
    """Yield the extractions sentence by sentence; count the lines that are part of none."""
    for _, records in groupby(_records(lines, rejects), key=lambda record: record.sentence):
        block = list(records)
        said = {record.id: _said(record.slots) for record in block}
        for record in block:
            yield _extraction(record, said, system)


def recognises(head: Sequence[str]) -> bool:
    """Tell whether the lines are flat extractions, or sentences, extractions and contexts."""
    flat = default = False
    for line in head:
        if record := _record(line, 0, ""):
            flat, default = flat or bool(record.sentence), default or not record.sentence
    if flat:
        return not default and mostly(head, lambda line: _record(line, 0, "") is not None)
    return (
        default
        and any(line.startswith("# ") for line in head)
        and mostly(
            head,
            lambda line: bool(line.startswith("# ") or _record(line, 0, "") or _context(line)),
        )
    )


def _records(lines: Iterable[tuple[int, str]], rejects: Rejects) -> Iterator[_Record]:
    sentence, above = "", 0
    record: _Record | None = None
    for number, line in lines:
        if not line.strip():
            continue
        if line[0].isspace():
            context = _context(line)
            if context is None:
                refuse(rejects, "an indented line that is no context", number, line)
            elif record is None:
                refuse(rejects, "a context without an extraction", number, line)
            else:
                rejects.settle([number])
                record.contexts.append(context)
            continue
        if record:
            yield record
            record = None
        if line.startswith("# "):
            sentence, above = line[2:], number
        elif found := _record(line, number, sentence):
            if found.sentence == sentence:  # the flat form brings its own
                rejects.settle([above])
            record = found
        else:
            refuse(rejects, "neither a sentence nor an extraction", number, line)
    if record:
        yield record


def _record(line: str, number: int, sentence: str) -> _Record | None:
    """Return the extraction of a line of either form; one of the flat form has its sentence."""
    columns = line.rstrip("\t").split("\t")
    columns += [""] * (5 - len(columns))
    if len(columns) == 5 and _LAYER.fullmatch(columns[1]) and " " not in columns[0]:
        columns.insert(0, sentence)
    columns += [""] * (6 - len(columns))
    sentence, id_, layer, *slots = columns[:6]
    subject, predicate, object_ = slots
    if not (id_.strip() and _LAYER.fullmatch(layer) and subject.strip() and predicate.strip()):
        return None
    pieces = [piece for piece in _NEXT_FLAT.split("\t".join(columns[6:])) if piece.strip()]
    contexts = [_FLAT.fullmatch(piece) for piece in pieces]
    if not all(contexts):
        return None
    return _Record(
        number,
        sentence,
        id_,
        int(layer),
        (subject, predicate, object_),
        [_of_class(*found.groups()) for found in contexts if found],
    )


def _context(line: str) -> _Context | None:
    found = _INDENTED.fullmatch(line)
    return _of_class(*found.groups()) if found else None


def _of_class(class_: str, type_: str, content: str) -> _Context:
    return _Context(class_ == "S", type_, tuple(content.rstrip("\t").split("\t")))


def _said(slots: Iterable[str]) -> str:
    return " ".join(slot.strip() for slot in slots if slot.strip())


def _extraction(record: _Record, said: Mapping[str, str], system: str) -> Extraction:
    simple = [context for context in record.contexts if context.simple]
    links = [context for context in record.contexts if not context.simple]
    subject, predicate, object_ = record.slots
    condition, attribution = (
        "; ".join(
            said.get(content[0], content[0]) if len(content) == 1 else _said(content)
            for _, kind, content in record.contexts
            if kind == wanted
        )
        for wanted in ("CONDITION", "ATTRIBUTION")
    )
    extra: dict[str, object] = {"id": record.id, "layer": record.layer}
    if simple:
        extra["contexts"] = [{"type": kind, "text": _said(content)} for _, kind, content in simple]
    if links:
        extra["links"] = [
            {"type": kind, "id": content[0]}
            if len(content) == 1
            else {"type": kind, "extraction": list(content)}
            for _, kind, content in links
        ]
    return Extraction(
        system=system,
        line=record.line,
        sentence=record.sentence,
        arg1=subject,
        relation=predicate,
        arg2=object_,
        condition=condition or None,
        attribution=attribution or None,
        asserted=record.layer == 0 and not condition and not attribution,
        extra=extra,
    )

"""Triples in JSON, as language models and scripts write them: no two alike, so the keys decide.

A triple is an object or a list of three::

    {"text": "...", "triples": [{"subject": "Lena", "predicate": "founded", "object": "Kelp"}]}
    [["Lena", "founded", "Kelp"]]
    ("Lena", "founded", "Kelp")

alone, in lists, or in lists in an object; a file, a line or a code fence each
(:mod:`evaluator.readers._json_values`). What an object around triples says of the sentence, its id
and the confidence holds for all of them. :data:`ALIASES` lists the keys that are known, whatever
their case, the first one of a field counts; where a file has others, a mapping names them. A slot
is text, a number, or an object with the text under ``text`` or ``name`` (all of it is kept in
``extra["slots"]``). Without an object, or with null, an extraction has one argument. Any other list
is refused: nothing tells what stands where.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from evaluator.errors import ConfigurationError
from evaluator.model import Extraction, Rejects
from evaluator.readers import RecordError, jsonl, parse_confidence, refuse
from evaluator.readers._json_values import Value, first_value, json_values

NAME = "json"
KIND = "extractions"
DESCRIPTION = "JSON triples: objects with subject, predicate, object, or lists of three"

ALIASES: Mapping[str, tuple[str, ...]] = {
    "subject": ("subject", "subj", "s", "head", "h", "arg1", "source"),
    "relation": ("relation", "rel", "r", "predicate", "pred", "p", "verb", "v"),
    "object": ("object", "obj", "o", "tail", "t", "arg2", "target"),
    "sentence": ("sentence", "sent", "text"),
    "sentence_id": ("sentence_id", "sent_id", "id"),
    "confidence": ("confidence", "conf", "score", "probability", "prob"),
    "more_arguments": ("more_arguments",),
    "negated": ("negated",),
    "modality": ("modality",),
    "attribution": ("attribution",),
    "condition": ("condition",),
    "asserted": ("asserted",),
    "triples": (
        *("triples", "triplets", "relations", "extractions", "facts", "tuples"),
        *("triple", "triplet"),
    ),
}
"""What a triple or an object around triples can say, and the keys it goes by."""

NO_TRIPLE = "an object without {missing} under a known key; map its keys"
POSITIONAL = "a list that is not subject, relation, object; use objects and map their keys"

# Keys of the format jsonl, which must not be found in ``extra``.
_RESERVED = frozenset(ALIASES) - {"triples", "subject", "object"} | {"arg1", "arg2"}
_SLOTS = ("subject", "relation", "object")


class _Around(NamedTuple):
    """What the objects around a triple say of it."""

    sentence: str = ""
    sentence_id: str = ""
    confidence: float | None = None
    extra: Mapping[str, object] = {}


def read(
    lines: Iterable[tuple[int, str]],
    *,
    system: str,
    rejects: Rejects,
    keys: Mapping[str, str] | None = None,
) -> Iterator[Extraction]:
    """Yield the triples of each value; count what is none in `rejects`.

    Parameters
    ----------
    lines, system, rejects
        As for every reader.
    keys
        The file's own keys by what they hold, a name of :data:`ALIASES`: ``{"subject": "who"}``.

    Raises
    ------
    ConfigurationError
        If a name of `keys` is unknown, or if one of the keys is nowhere in the file.
    """
    if unknown := sorted(set(keys or ()) - set(ALIASES)):
        raise ConfigurationError(f"no field {unknown[0]!r} to map; known: {', '.join(ALIASES)}")
    return _read(lines, keys or {}, system, rejects)


def _read(
    lines: Iterable[tuple[int, str]], keys: Mapping[str, str], system: str, rejects: Rejects
) -> Iterator[Extraction]:
    fields, seen = _fields(keys), set[str]()
    for value in json_values(lines, rejects=rejects):
        yield from _triples(value, fields, system, rejects, seen=seen)
    for field, key in keys.items():
        if key.casefold() not in seen:
            raise ConfigurationError(f"no record has the key {key!r}, mapped to {field}")


def recognises(head: Sequence[str]) -> bool:
    """Tell whether the first value of `head` holds triples, and is not of the format ``jsonl``."""
    if jsonl.recognises(head):
        return False
    first = Value(0, "", first_value(head))
    return next(_triples(first, _fields({}), "", Rejects(), seen=set()), None) is not None


type _Fields = Mapping[str, tuple[str, int]]


def _fields(keys: Mapping[str, str]) -> _Fields:
    """Return the field that a key stands for, and its rank among the keys of that field."""
    known = {**ALIASES, **{field: (key,) for field, key in keys.items()}}
    # A key that is mapped to one field is no alias of another.
    mapped = {key.casefold(): field for field, key in keys.items()}
    return {
        alias.casefold(): (field, rank)
        for field, aliases in known.items()
        for rank, alias in enumerate(aliases)
        if mapped.get(alias.casefold(), field) == field
    }


def _triples(
    value: Value, fields: _Fields, system: str, rejects: Rejects, *, seen: set[str]
) -> Iterator[Extraction]:
    # A stack of our own: values nest deeper than Python calls.
    waiting = [(value.value, _Around())]
    while waiting:
        item, around = waiting.pop()
        try:
            match item:
                case list() if all(isinstance(inner, list | dict) for inner in item):
                    waiting += [(inner, around) for inner in reversed(item)]
                case [subject, relation, object_] if isinstance(relation, str | dict):
                    slots = {"subject": subject, "relation": relation, "object": object_}
                    yield _triple(slots, {}, around, system, value.line)
                case dict():
                    seen.update(key.casefold() for key in item)
                    said, others = _said(item, fields)
                    if "subject" in said and "relation" in said:
                        yield _triple(said, others, around, system, value.line)
                    elif "triples" in said:
                        waiting.append((said["triples"] or [], _inside(said, others, around)))
                    else:
                        missing = (slot for slot in ("subject", "relation") if slot not in said)
                        raise RecordError(NO_TRIPLE.format(missing=" and ".join(missing)))
                case _:
                    raise RecordError(POSITIONAL)
        except RecordError as reason:
            refuse(rejects, str(reason), value.line, value.text)


def _said(
    record: Mapping[str, object], fields: _Fields
) -> tuple[dict[str, object], dict[str, object]]:
    """Return what `record` says by field, and its other keys."""
    ranked = sorted((fields[key.casefold()], key) for key in record if key.casefold() in fields)
    taken: dict[str, str] = {}
    for (field, _), key in ranked:
        taken.setdefault(field, key)
    others = {key: value for key, value in record.items() if key not in taken.values()}
    return {field: record[key] for field, key in taken.items()}, others


def _inside(said: Mapping[str, object], others: Mapping[str, object], around: _Around) -> _Around:
    own = _confidence(said.get("confidence"))
    further = {f"json_{key}" if key in _RESERVED else key: value for key, value in others.items()}
    return _Around(
        _text(said, "sentence") or around.sentence,
        _identifier(said.get("sentence_id")) or around.sentence_id,
        around.confidence if own is None else own,
        {**around.extra, **further},
    )


def _triple(
    said: Mapping[str, object],
    others: Mapping[str, object],
    around: _Around,
    system: str,
    line: int,
) -> Extraction:
    around = _inside(said, others, around)
    extra = dict(around.extra)
    if "triples" in said:
        extra["triples"] = said["triples"]
    if whole := {slot: said[slot] for slot in _SLOTS if isinstance(said.get(slot), dict)}:
        extra["slots"] = whole
    jsonl.need_finite(extra)
    more = said.get("more_arguments")
    if not isinstance(more, list | None):
        raise RecordError("more_arguments is not a list")
    return Extraction(
        system=system,
        line=line,
        sentence=around.sentence,
        arg1=_slot(said["subject"], "subject"),
        relation=_slot(said["relation"], "relation"),
        arg2="" if (object_ := said.get("object")) is None else _slot(object_, "object"),
        more_arguments=tuple(_slot(argument, "argument") for argument in more or ()),
        confidence=around.confidence,
        sentence_id=around.sentence_id,
        negated=_flag(said, "negated"),
        modality=_text(said, "modality") or None,
        attribution=_text(said, "attribution") or None,
        condition=_text(said, "condition") or None,
        asserted=_flag(said, "asserted") is not False,
        extra=extra,
    )


def _slot(value: object, name: str) -> str:
    if isinstance(value, dict):
        value = value.get("text", value.get("name"))
    if isinstance(value, str):
        return value
    if isinstance(value, int | float) and not isinstance(value, bool):
        jsonl.need_finite(value)
        return json.dumps(value)
    raise RecordError(f"no text as the {name}")


def _text(said: Mapping[str, object], field: str) -> str:
    value = said.get(field)
    if not isinstance(value, str | None):
        raise RecordError(f"no text as the {field}")
    return value or ""


def _identifier(value: object) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int | None):
        raise RecordError("sentence_id is neither text nor a whole number")
    return "" if value is None else str(value)


def _flag(said: Mapping[str, object], field: str) -> bool | None:
    value = said.get(field)
    if not isinstance(value, bool | None):
        raise RecordError(f"{field} is not true or false")
    return value


def _confidence(value: object) -> float | None:
    return parse_confidence(value) if isinstance(value, str) else jsonl.json_confidence(value)

"""Triples in JSON, as language models and scripts write them: no two alike, so the keys decide.

A triple is an object or a list of three::

    {"text": "...", "triples": [{"subject": "Lena", "predicate": "founded", "object": "Kelp"}]}
    [["Lena", "founded", "Kelp"]]
    ("Lena", "founded", "Kelp")

alone, in lists, or in lists in an object; a file, a line or a code fence each
(:mod:`evaluator.readers._json_values`). What an object around triples says of the sentence, its id
and the confidence holds for all of them. :data:`ALIASES` lists the keys that are known, whatever
their case, the first one of a field counts; where a file has others, a mapping names them besides.
Numbered arguments begin with arg0 where there is one (Multi2OIE), else with arg1, and the others
follow; a list under ``arguments`` or ``args`` goes on from the subject. A slot is text, a number, a
list of tokens (joined by spaces), or an object with the text under ``text``, ``name`` or ``id``
(all of it is kept in ``extra["slots"]``). Without an object, or with null, an extraction has one
argument. Any other list is refused: nothing tells what stands where.

Triples may be further inside, under any key: answers of language models as they are stored
(``{"output": "```json ..."}``, the objects of a server), also in the notations of REBEL and
LightRAG, attributes (langextract), objects whose keys are sentences or their ids (Multi2OIE). What
a model was asked is passed over, and so is what it thinks before it answers (``<think>``).

Lists and objects around triples are not kept, nor text that would be repeated too often
(:data:`MOST_REPEATED`): what is written of a file must not grow beyond all measure of it.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from evaluator.errors import ConfigurationError
from evaluator.model import Extraction, Rejects
from evaluator.readers import (
    RecordError,
    jsonl,
    langchain,
    lightrag,
    parse_confidence,
    rebel,
    refuse,
)
from evaluator.readers._accounts import NO_RELATION
from evaluator.readers._answers import AnswerTriple, Notation
from evaluator.readers._json_values import (
    CUT,
    REASONING,
    CutObject,
    JsonValue,
    RepeatingObject,
    json_values,
    may_hold_json,
)

NAME = "json"
KIND = "extractions"
DESCRIPTION = "JSON triples: objects with subject, predicate, object, or lists of three"
TOLD_BY = "JSON with a subject and a relation under keys that are known, or lists of three"
EXAMPLE = (
    '{"text": "Lena Marsh founded Kelp .", "triples": [{"subject": "Lena Marsh", "predicate": '
    '"founded", "object": "Kelp"}]}\n'
    '{"text": "Marek slept .", "triples": [["Marek", "slept", null]]}\n'
)

ALIASES: Mapping[str, tuple[str, ...]] = {
    "subject": ("subject", "subj", "s", "head", "h", "head_text", "arg1", "source"),
    "relation": (
        *("relation", "rel", "r", "predicate", "pred", "p", "verb", "v"),
        *("type", "label", "relation_text"),
    ),
    "object": ("object", "obj", "o", "tail", "t", "tail_text", "arg2", "target"),
    "sentence": ("sentence", "sent", "text", "tokenized_text"),
    "sentence_id": ("sentence_id", "sent_id", "id", "chunk_id"),
    "confidence": ("confidence", "conf", "score", "probability", "prob"),
    "more_arguments": ("more_arguments",),
    "negated": ("negated",),
    "modality": ("modality",),
    "attribution": ("attribution",),
    "condition": ("condition",),
    "asserted": ("asserted",),
    "triples": (
        *("triples", "triplets", "relations", "relationships", "extractions", "facts", "tuples"),
        *("triple", "triplet", "claims"),
    ),
}
"""What a triple or an object around triples can say, and the keys it goes by."""

KEYS = tuple(ALIASES)

MOST_REPEATED = 200_000
"""How many characters an object says to all triples in it together, at most."""

NO_TRIPLE = "an object without {missing} under a known key; map its keys (--map)"
UNRELATED = "an extraction without subject and relation in its attributes; map their keys (--map)"
POSITIONAL = "a list that is not subject, relation, object; use objects and map their keys (--map)"
LEFT_OUT = "without an object: the mapping leaves it out, and the record has no key known for it"
NOTHING = "nothing extracted: the answer is empty"
NO_JSON = "no JSON in the answer"

# Keys of the format jsonl, which must not be found in ``extra``.
_RESERVED = frozenset(ALIASES) - {"triples", "subject", "object"} | {"arg1", "arg2"}
_SLOTS = ("subject", "relation", "object")
_NUMBERED = re.compile(r"arg(?:ument)?_?([0-9])", re.IGNORECASE)
_ATTRIBUTES = "attributes"
_ARGUMENTS = ("arguments", "args")
_DEEPEST = 12
_NOTATIONS: tuple[Notation, ...] = (rebel, lightrag, langchain)
# What a model is asked holds examples of what it is to answer.
_ASKED = frozenset(
    {"prompt", "prompts", "original_prompt", "instruction", "instructions"}
    | {"input", "system", "user"}
)
_TRIPLES_NAMED = re.compile(
    r"tripl|tuple|relation|fact|extract|kg|graph|response|answer|output|reply|result|content"
    r"|completion|generat|predict",
    re.IGNORECASE,
)
_ANSWER = re.compile(
    r"response|answer|output|reply|result|content|completion|generated|generation|prediction",
    re.IGNORECASE,
)


_JUDGED = re.compile(r"claims|triplets|.*_kg")
_OF_EDGES = (
    "keywords",
    "description",
)  # of LightRAG and GraphRAG: what an edge has as its relation
_WRAPPER, _PAGE = "lc", "page_content"
_OF_WRAPPER = (_WRAPPER, "id", "type")
_SLOT_TEXTS = ("text", "name", "id", "mention")


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
        If one of the keys is nowhere in the file.
    """
    values = json_values(lines, rejects=rejects)
    return read_values(values, keys=keys or {}, system=system, rejects=rejects)


def read_values(
    values: Iterable[JsonValue], *, keys: Mapping[str, str], system: str, rejects: Rejects
) -> Iterator[Extraction]:
    """Yield the triples of values, with `keys` as :func:`read` takes them."""
    fields, seen = _fields(keys), set[str]()
    for value in values:
        for triple in _triples(value, fields, system, rejects, seen=seen):
            if keys and "object" not in keys and not triple.arg2:
                rejects.note(LEFT_OUT)
            yield triple
    for field, key in keys.items():
        if key.casefold() not in seen:
            raise ConfigurationError(f"no record has the key {key!r}, mapped to {field}")


def read_value(value: JsonValue, *, system: str, rejects: Rejects) -> Iterator[Extraction]:
    """Yield the triples of one value."""
    return _triples(value, _fields({}), system, rejects, seen=set())


def recognises(head: Sequence[str]) -> bool:
    """Tell whether the first values of `head` hold triples."""
    values = islice(json_values(enumerate(head, start=1), rejects=Rejects()), 3)
    return any(next(read_value(value, system="", rejects=Rejects()), None) for value in values)


type _Fields = Mapping[str, tuple[str, int]]


def _fields(keys: Mapping[str, str]) -> _Fields:
    """Return the field that a key stands for, and its rank among the keys of that field."""
    # A key that is mapped to one field is no alias of another.
    mapped = {key.casefold(): field for field, key in keys.items()}
    known = {
        field: (keys[field], *aliases) if field in keys else aliases
        for field, aliases in ALIASES.items()
    }
    ranked: dict[str, tuple[str, int]] = {}
    for field, aliases in known.items():
        for rank, alias in enumerate(aliases):
            if mapped.get(alias.casefold(), field) == field:
                ranked.setdefault(alias.casefold(), (field, rank))
    return ranked


def _triples(
    value: JsonValue, fields: _Fields, system: str, rejects: Rejects, *, seen: set[str]
) -> Iterator[Extraction]:
    # A stack of our own: values nest deeper than Python calls.
    waiting: list[tuple[object, _Around]] = [(value.value, _Around())]
    while waiting:
        item, around = waiting.pop()
        try:
            match item:
                case list() if _are_parts(item):
                    waiting += [(inner, around) for inner in reversed(item)]
                case [subject, relation, object_] if isinstance(relation, str | dict | None):
                    slots = {"subject": subject, "relation": relation, "object": object_}
                    yield _triple(slots, {}, around, system, value.line, rejects)
                case dict():
                    seen.update(key.casefold() for key in item)
                    if isinstance(item, RepeatingObject):
                        raise RecordError(jsonl.REPEATED_KEY)
                    if _WRAPPER in item:  # of LangChain, whose id and type are a class's
                        item = {key: one for key, one in item.items() if key not in _OF_WRAPPER}
                    said, others = _said(item, fields)
                    if _is_triple(said) and not isinstance(item, CutObject):
                        yield _triple(said, others, around, system, value.line, rejects)
                    elif inner := _inner(item, said, others, fields, around, rejects):
                        waiting += reversed(inner)
                    elif not isinstance(item, CutObject):  # that is counted
                        raise RecordError(_cause(item, said, fields))
                case str() if found := _replies(item, value, rejects):
                    waiting += [(inner, around) for inner in reversed(found)]
                case str():
                    raise RecordError("text without a triple in JSON")
                case _:
                    raise RecordError(POSITIONAL)
        except RecordError as reason:
            refuse(rejects, str(reason), value.line, value.text)


def _are_parts(item: Sequence[object]) -> bool:
    """Tell whether a list is one of triples, or of what holds triples."""
    return all(
        isinstance(inner, list | dict) or (isinstance(inner, str) and _may_hold_triples(inner))
        for inner in item
    )


def _is_triple(said: Mapping[str, object]) -> bool:
    return "subject" in said and "relation" in said


def _cause(item: Mapping[str, object], said: Mapping[str, object], fields: _Fields) -> str:
    """Return why there is no triple in an object: often a model gave no answer, or half of one."""
    answers = list(_answers(item, fields, 0))
    if answers and not said.keys() & {"subject", "relation"}:
        own = Rejects()
        for answer in answers:
            if isinstance(answer, str):
                _replies(answer, JsonValue(0, "", None), own)
        if CUT in own.counts:
            return CUT
        return NO_JSON if any(answers) else NOTHING
    if "extraction_class" in item:
        return UNRELATED
    missing = [slot for slot in ("subject", "relation") if slot not in said]
    return NO_TRIPLE.format(missing=" and ".join(missing))


def _answers(item: Mapping[str, object], fields: _Fields, depth: int) -> Iterator[object]:
    """Yield what stands under keys that an answer goes by: texts, or nothing."""
    if depth > _DEEPEST or item.get("role") in ("system", "user"):
        return
    for key, one in item.items():
        if key.casefold() in _ASKED or key.casefold() in fields:
            continue
        for part in one if isinstance(one, list) else [one]:
            if isinstance(part, dict):
                yield from _answers(part, fields, depth + 1)
        if _ANSWER.search(key) and (isinstance(one, str) or not one):
            yield one.strip() if isinstance(one, str) else None


def _may_hold_triples(text: str) -> bool:
    return may_hold_json(text) or any(notation.MARK.search(text) for notation in _NOTATIONS)


def _replies(text: str, value: JsonValue, rejects: Rejects) -> list[object]:
    """Return the values in a text that is stored as a string."""
    for notation in _NOTATIONS:
        if notation.MARK.search(text):
            said = notation.answer(text)
            for reason in said.refused:
                refuse(rejects, reason, value.line, value.text)
            for note in said.notes:
                rejects.note(note)
            return [_of_notation(triple) for triple in said.triples]
    own = Rejects()
    # Some servers give the tag that opens a model's thoughts as part of what it was asked.
    thought, ends, answer = text.rpartition("</think>")
    if ends and "<think>" not in thought:
        text = answer
        own.note(REASONING)
    found = [one.value for one in json_values(enumerate(text.split("\n"), start=1), rejects=own)]
    if REASONING in own.notes:
        rejects.note(REASONING)
    for _ in range(own.counts.get(CUT, 0)):
        refuse(rejects, CUT, value.line, value.text)
    return found


def _of_notation(triple: AnswerTriple) -> dict[str, object]:
    """Return a triple of a notation as an object that says the same."""
    said = {"subject": triple.arg1, "relation": triple.relation, "object": triple.arg2}
    given = {"confidence": triple.confidence, "sentence": triple.sentence}
    return {**triple.extra, **said, **{key: one for key, one in given.items() if one}}


def _inner(
    item: Mapping[str, object],
    said: Mapping[str, object],
    others: Mapping[str, object],
    fields: _Fields,
    around: _Around,
    rejects: Rejects,
) -> list[tuple[object, _Around]]:
    """Return what of an object holds triples, each with what the object says of them."""
    if others.get("role") in ("system", "user"):
        return [([], around)]
    # RefChecker's claims, and the text that they are taken from.
    if others.get("format") == "triplet" and isinstance(others.get("content"), list):
        return [(others["content"], around)]
    response = others.get("response")
    if (
        "sentence" not in said
        and isinstance(response, str)
        and not _may_hold_triples(response)
        and any(map(_JUDGED.fullmatch, item))
    ):
        said = {**said, "sentence": response}
        others = {key: one for key, one in others.items() if key != "response"}
    if "triples" in said:
        held = said["triples"] or []
        plural = any(one is held and key.casefold().endswith("s") for key, one in item.items())
        if plural and isinstance(held, list) and not _are_parts(held):
            raise RecordError(POSITIONAL)
        return [(held, _inside(said, others, around, _number(held), rejects))]
    if isinstance(attributes := others.get(_ATTRIBUTES), dict):
        of_attributes, _ = _said(attributes, fields)
        if _is_triple(of_attributes):
            further = {key: one for key, one in others.items() if key != _ATTRIBUTES}
            return [(attributes, _inside(said, further, around, 1, rejects))]
    # The text may be the answer.
    everything = {**others, **{key: said[key] for key in ("sentence",) if key in said}}
    holding = {
        key: one
        for key, one in everything.items()
        if key.casefold() not in _ASKED
        and _holds(one, fields, named=bool(_TRIPLES_NAMED.search(key)), depth=0)
    }
    own = {key: one for key, one in said.items() if key not in holding}
    rest = {key: one for key, one in others.items() if key not in holding}
    return [
        (one, _inside(own | _keyed(key, own), rest, around, _number(one), rejects))
        for key, one in holding.items()
    ]


def _keyed(key: str, own: Mapping[str, object]) -> dict[str, object]:
    """Return what a key says that stands for its sentence, or for the id of it."""
    if len(key.split()) > 2 and "sentence" not in own:
        return {"sentence": key}
    named = _TRIPLES_NAMED.search(key)  # "gpt4_response" is no name of a sentence
    if any(map(str.isdigit, key)) and not named and "sentence_id" not in own:
        return {"sentence_id": key}
    return {}


def _holds(value: object, fields: _Fields, *, named: bool, depth: int) -> bool:
    """Tell whether there is a triple somewhere in `value`.

    `named` is whether a key says that there are some; lists of three words may be anything.
    """
    if depth > _DEEPEST:
        return False
    match value:
        case str():
            return _may_hold_triples(value) and any(
                _holds(one, fields, named=True, depth=depth + 1)
                for one in _replies(value, JsonValue(0, "", None), Rejects())
            )
        case list() if value and _are_parts(value):
            return any(_holds(one, fields, named=named, depth=depth + 1) for one in value)
        case [str() | list(), str() | None, _]:
            return named and depth > 0
        case dict():
            said, others = _said(value, fields)
            if others.get("role") in ("system", "user"):
                return False
            inside = {**others, "sentence": said.get("sentence")}
            return (
                _is_triple(said)
                or "triples" in said
                or any(
                    _holds(one, fields, named=named, depth=depth + 1)
                    for key, one in inside.items()
                    if key.casefold() not in _ASKED
                )
            )
    return False


def _number(held: object) -> int:
    """Return how many triples there may be in a value: its parts, and the parts of these."""
    if isinstance(held, str):
        return held.count("{") + held.count("[")
    if not isinstance(held, list | dict):
        return 1
    parts = held if isinstance(held, list) else held.values()
    return sum(len(part) if isinstance(part, list | dict) else 1 for part in parts)


def _said(
    record: Mapping[str, object], fields: _Fields
) -> tuple[dict[str, object], dict[str, object]]:
    """Return what `record` says by field, and its other keys."""
    ranked = sorted((fields[key.casefold()], key) for key in record if key.casefold() in fields)
    taken: dict[str, str] = {}
    mapped: set[str] = set()
    for (field, rank), key in ranked:
        if taken.setdefault(field, key) == key and rank == 0:
            mapped.add(key)
    numbers = {key: int(found[1]) for key in record if (found := _NUMBERED.fullmatch(key))}
    free = sorted((key for key in numbers if key not in mapped), key=numbers.__getitem__)
    # Where the first argument is numbered, the second is the next one, whatever it is called. A
    # subject that a mapping names stands in the place of arg0.
    named = taken.get("subject") in mapped
    if free and (
        numbers[free[0]] == 0
        if named
        else taken.get("subject", free[0]) in free and numbers[free[0]] <= 1
    ):
        first = free.pop(0)
        if not named:
            taken["subject"] = first
        if taken.get("object", "") in (*numbers, "") and taken.get("object") not in mapped:
            taken.pop("object", None)
            if free:
                taken["object"] = free.pop(0)
    used = set(taken.values())
    said = {field: record[key] for field, key in taken.items()}
    last = max((numbers[key] for key in used if key in numbers), default=None)
    more = [key for key in free if key not in used and last is not None and numbers[key] > last]
    if more and _is_triple(said) and "more_arguments" not in said:
        said["more_arguments"] = [record[key] for key in more if record[key] not in (None, "")]
        used.update(more)
    listed = next((key for key in record if key.casefold() in _ARGUMENTS), None)
    given = record[listed] if listed else None
    if isinstance(given, list) and given and _is_triple(said) and "more_arguments" not in said:
        if "object" not in said:
            said["object"], *given = given
        said["more_arguments"] = given
        used.add(str(listed))
    if "relation" not in said and said.keys() >= {"subject", "object"}:
        texts = ((key, record.get(key)) for key in _OF_EDGES)
        for key, text in texts:
            if isinstance(text, str) and text.strip():
                said["relation"] = text
                used.add(key)
                break
    return said, {key: one for key, one in record.items() if key not in used}


def _inside(
    said: Mapping[str, object],
    others: Mapping[str, object],
    around: _Around,
    times: int,
    rejects: Rejects,
) -> _Around:
    """Return what is said of each of some triples (about `times` of them) by what is around it."""
    plain = {key: one for key, one in others.items() if not isinstance(one, list | dict)}
    sentence = _text(said, "sentence") or _page(said, others)
    if len(plain) < len(others):
        rejects.note("lists and objects around triples left out")
    if len(json.dumps(plain)) * times > MOST_REPEATED:
        plain = {}
        rejects.note("text around very many triples left out")
    if len(sentence) * times > MOST_REPEATED:
        sentence = ""
        rejects.note("a text that is too long to be the sentence of so many triples left out")
    own = _confidence(said.get("confidence"))
    return _Around(
        sentence or around.sentence,
        _identifier(said.get("sentence_id")) or around.sentence_id,
        around.confidence if own is None else own,
        {**around.extra, **_named_apart(plain)},
    )


def _page(*said: Mapping[str, object]) -> str:
    """Return the text of a document of LangChain that stands in an object."""
    pages = (
        one[_PAGE] for of in said for one in of.values() if isinstance(one, dict) and _PAGE in one
    )
    return next((page for page in pages if isinstance(page, str)), "")


def _named_apart(others: Mapping[str, object]) -> dict[str, object]:
    return {f"json_{key}" if key in _RESERVED else key: value for key, value in others.items()}


def _triple(
    said: Mapping[str, object],
    others: Mapping[str, object],
    around: _Around,
    system: str,
    line: int,
    rejects: Rejects,
) -> Extraction:
    if said["relation"] is None:
        raise RecordError(NO_RELATION)
    around = _inside(said, {}, around, 1, rejects)
    extra = {**around.extra, **_named_apart(others)}
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
        value = next((value[key] for key in _SLOT_TEXTS if key in value), None)
    if isinstance(value, str):
        return value
    if isinstance(value, list) and value and all(isinstance(token, str) for token in value):
        return " ".join(value)
    if isinstance(value, int | float) and not isinstance(value, bool):
        jsonl.need_finite(value)
        return json.dumps(value)
    raise RecordError(f"no text as the {name}")


def _text(said: Mapping[str, object], field: str) -> str:
    value = said.get(field)
    if isinstance(value, list) and value and all(isinstance(token, str) for token in value):
        return " ".join(value)
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

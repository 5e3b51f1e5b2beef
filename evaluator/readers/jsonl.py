"""JSON Lines: one object per extraction, for systems that want to say more than columns can.

Keys: ``sentence``, ``arg1`` and ``relation`` (text), and where there are any, ``arg2`` (text),
``more_arguments`` (list of text), ``confidence`` (number), ``sentence_id`` (text; with it
``sentence`` may be left out), ``negated`` (true or false), ``modality``, ``attribution``,
``condition`` (text) and ``asserted`` (false where it is not; see
:class:`~evaluator.model.Extraction`). Null or empty is the same as absent for all but the first
three. Every further key is kept in :attr:`Extraction.extra`. Reading and writing a file gives equal
objects, line by line; the keys come in the order above, the others after them.
"""

import json
import math
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress

from evaluator.json_objects import RepeatedKeyError, unique_keys
from evaluator.model import Extraction, Rejects
from evaluator.readers import RecordError, mostly, one_per_line

NAME = "jsonl"
KIND = "extractions"
DESCRIPTION = (
    "JSON objects, one a line: sentence, arg1, relation, arg2?, more_arguments?, confidence?"
)
SPECIAL_CASE = "json"
TOLD_BY = "objects, one a line, with sentence, arg1 and relation"
EXAMPLE = (
    '{"sentence": "Lena Marsh founded Kelp .", "arg1": "Lena Marsh", "relation": "founded", '
    '"arg2": "Kelp", "confidence": 0.9}\n'
    '{"sentence": "Marek slept .", "arg1": "Marek", "relation": "slept"}\n'
)

REPEATED_KEY = "an object that gives a key twice"

_FROM_ZERO = "arg0"
_REQUIRED = ("arg1", "relation")
_TEXTS = ("arg2", "sentence_id", "modality", "attribution", "condition")
_OPTIONAL = (
    "arg2",
    "more_arguments",
    "confidence",
    "sentence_id",
    "negated",
    "modality",
    "attribution",
    "condition",
)


def read(
    lines: Iterable[tuple[int, str]], *, system: str, rejects: Rejects
) -> Iterator[Extraction]:
    """Return one extraction per line; count the others in `rejects`."""
    return one_per_line(lines, _extraction, system=system, rejects=rejects)


def recognises(head: Sequence[str]) -> bool:
    """Tell whether these first lines of a file are of this format."""
    return mostly(head, _is_record)


def _is_record(line: str) -> bool:
    with suppress(RecordError):
        record = parse_object(line)
        named = "sentence" in record or "sentence_id" in record
        # With an arg0, arg1 is not the subject: that is for the format json to read.
        return (
            named
            and _FROM_ZERO not in record
            and all(isinstance(record.get(key), str) for key in _REQUIRED)
        )
    return False


def line_of(extraction: Extraction) -> str:
    """Return the JSON object of an extraction."""
    record: dict[str, object] = {
        "sentence": extraction.sentence,
        "arg1": extraction.arg1,
        "relation": extraction.relation,
    }
    if not extraction.sentence and extraction.sentence_id:
        del record["sentence"]
    for key in _OPTIONAL:
        value = getattr(extraction, key)
        if value not in (None, "", ()):
            record[key] = value
    if not extraction.asserted:
        record["asserted"] = False
    return json.dumps(record | dict(extraction.extra), ensure_ascii=False)


def parse_object(line: str) -> dict[str, object]:
    """Return the JSON object that a line holds.

    Raises
    ------
    RecordError
        With the reason for which the line is to be rejected.
    """
    if not line.strip():
        raise RecordError("blank line")
    try:
        record = json.loads(line, object_pairs_hook=unique_keys)
    except RepeatedKeyError:
        raise RecordError(REPEATED_KEY) from None
    except (ValueError, RecursionError):
        raise RecordError("not JSON") from None
    if not isinstance(record, dict):
        raise RecordError("not a JSON object")
    if "\\u" in line and not is_encodable(record):
        raise RecordError("unpaired surrogate")
    return record


def need_finite(value: object) -> None:
    """Refuse a value that holds NaN or an infinity, which Python reads and JSON does not have.

    Raises
    ------
    RecordError
        If it does.
    """
    try:
        json.dumps(value, allow_nan=False)
    except ValueError:
        raise RecordError("a number that JSON does not have") from None
    except RecursionError:
        raise RecordError("nested too deeply") from None


def is_encodable(value: object) -> bool:
    """Tell whether a JSON value can be written in UTF-8.

    Half of a surrogate pair is legal in JSON and in a Python string, but in no UTF-8 file.
    """
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True


def _extraction(line: str, system: str, number: int) -> Extraction:
    record = parse_object(line)
    if _FROM_ZERO in record:
        raise RecordError("arguments that are numbered from 0: name the format json")
    for key in _REQUIRED:
        if not isinstance(record.get(key), str):
            raise RecordError(f"no text under {key!r}")
    arg1, relation = (str(record.pop(key)) for key in _REQUIRED)
    arg2, sentence_id, modality, attribution, condition = (_text(record, key) for key in _TEXTS)
    sentence = record.pop("sentence", None)
    if sentence is None and sentence_id:
        sentence = ""
    elif not isinstance(sentence, str):
        raise RecordError("no text under 'sentence'")
    elif not sentence.strip() and not sentence_id:
        raise RecordError("no sentence")
    more_arguments, confidence = (record.pop(k, None) for k in ("more_arguments", "confidence"))
    asserted = _flag(record, "asserted")
    negated = _flag(record, "negated")
    confidence = json_confidence(confidence)
    need_finite(record)
    return Extraction(
        system=system,
        line=number,
        sentence=sentence,
        arg1=arg1,
        relation=relation,
        arg2=arg2,
        more_arguments=_texts(more_arguments),
        confidence=confidence,
        sentence_id=sentence_id,
        negated=negated,
        modality=modality or None,
        attribution=attribution or None,
        condition=condition or None,
        asserted=asserted is not False,
        extra=record,
    )


def _text(record: dict[str, object], key: str) -> str:
    value = record.pop(key, None)
    if not isinstance(value, str | None):
        raise RecordError(f"{key!r} is not text")
    return value or ""


def _flag(record: dict[str, object], key: str) -> bool | None:
    value = record.pop(key, None)
    if not isinstance(value, bool | None):
        raise RecordError(f"{key!r} is not true or false")
    return value


def _texts(value: object) -> tuple[str, ...]:
    if value is None:
        return ()
    if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
        raise RecordError("'more_arguments' is not a list of texts")
    return tuple(value)


def json_confidence(value: object, *, name: str = "confidence") -> float | None:
    """Return a confidence that is a number in JSON, None for null; `name` is what it goes by.

    Raises
    ------
    RecordError
        If it is anything else, or not finite.
    """
    if value is None:
        return None
    # True is an int to Python, and json reads NaN and Infinity.
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise RecordError(f"{name} is not a number")
    with suppress(OverflowError):
        if math.isfinite(confidence := float(value)):
            return confidence
    raise RecordError(f"{name} is not a number")

"""OpenIE 5's output: the answers of its server, or the text formats that it shares with OpenIE 4.

The server answers a sentence with a JSON array of extractions: ``confidence``, ``sentence``, and
under ``extraction`` the texts of ``arg1``, ``rel``, ``arg2s`` and ``context`` (null, mostly) with
their ``offsets``, and whether it is ``negated`` and ``passive``. A file holds one array, or one
answer or one extraction a line. Where the server failed it holds a page of HTML, a message or
nothing: lines that are no JSON are counted.

Offsets list the characters of a slot, and count in parts into which the program split the
sentence: as with the text formats they are kept where they hold the slot's text.

Saha and Mausam, "Open Information Extraction from Conjunctive Sentences", COLING 2018.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice

from evaluator.model import Extraction, Rejects
from evaluator.readers import RecordError, refuse
from evaluator.readers._blocks import parse_local_confidence, recognised
from evaluator.readers._json_values import CutObject, json_values
from evaluator.readers._openie import (
    OpenIePart,
    from_parts,
    has_spans_of_openie5,
    is_text_row,
    read_text,
)

NAME = "openie5"
KIND = "extractions"
DESCRIPTION = "OpenIE 5: the JSON of its server; or OpenIE 4's simple and column formats"
SPECIAL_CASE = "json"
TOLD_BY = "JSON with extraction and arg2s, or spans that are null or empty"
EXAMPLE = (
    '[{"confidence": 0.9, "sentence": "The fire killed livestock", "extraction": {"arg1": '
    '{"text": "The fire", "offsets": [[0, 1, 2, 3, 4, 5, 6, 7]]}, "rel": {"text": "killed", '
    '"offsets": [[9, 10, 11, 12, 13, 14]]}, "arg2s": [{"text": "livestock", "offsets": []}], '
    '"context": null, "negated": false, "passive": false}}]\n'
)

_HEAD = 200
# Texts have a sentence, a number or "[info]" there.
# Possessive: a line of spaces must not be tried in every way.
_begins_json = re.compile(r'\s*+(?:\[\s*+\]?\s*+$|\[?\s*+\{\s*+(?:"|$))').match


def read(
    lines: Iterable[tuple[int, str]], *, system: str, rejects: Rejects
) -> Iterator[Extraction]:
    """Yield the extractions; count in `rejects` what is meant to be one only.

    An extraction in the passive has ``extra`` "passive".
    """
    lines = iter(lines)
    head = list(islice(lines, _HEAD))
    lines = chain(head, lines)
    if not _is_json([text for _, text in head]):
        yield from read_text(lines, system=system, rejects=rejects)
        return
    for number, text, value in json_values(lines, rejects=rejects):
        for record in value if isinstance(value, list) else [value]:
            if isinstance(record, CutObject):  # counted; it may lack an argument
                continue
            try:
                yield _extraction(record, system, number, rejects)
            except RecordError as reason:
                refuse(rejects, str(reason), number, text)


def recognises(head: Sequence[str]) -> bool:
    """Tell whether these first lines of a file are of this format.

    Its text formats are OpenIE 4's, but for null and empty spans.
    """
    return (_is_json(head) or has_spans_of_openie5(head)) and recognised(read, head)


def _is_json(head: Sequence[str]) -> bool:
    """Tell whether more of the lines begin JSON than are rows of a text format."""
    begun = sum(_begins_json(line) is not None for line in head)
    return begun > sum(map(is_text_row, head))


def _extraction(record: object, system: str, number: int, rejects: Rejects) -> Extraction:
    if not isinstance(record, dict) or not isinstance(fields := record.get("extraction"), dict):
        raise RecordError("no object under 'extraction'")
    sentence = record.get("sentence")
    if not isinstance(sentence, str) or not sentence.strip():
        raise RecordError("no sentence")
    arguments = fields.get("arg2s")
    if arguments is not None and not isinstance(arguments, list):
        raise RecordError("no list under 'arg2s'")
    context = fields.get("context")
    negated = fields.get("negated")
    return from_parts(
        _part(fields.get("arg1"), "arg1"),
        _part(fields.get("rel"), "rel"),
        [_part(argument, "arg2s") for argument in arguments or ()],
        context=None if context is None else _part(context, "context"),
        confidence=_confidence(record.get("confidence")),
        sentence=sentence,
        system=system,
        line=number,
        rejects=rejects,
        negated=negated if isinstance(negated, bool) else None,
        extra={"passive": True} if fields.get("passive") is True else None,
    )


def _part(value: object, key: str) -> OpenIePart:
    text = value.get("text") if isinstance(value, dict) else None
    if not isinstance(value, dict) or not isinstance(text, str):
        raise RecordError(f"no text under {key!r}")
    groups = value.get("offsets")
    offsets = [
        offset
        for group in (groups if isinstance(groups, list) else ())
        for offset in (group if isinstance(group, list) else ())
        if type(offset) is int and offset >= 0
    ]
    return OpenIePart(text, (min(offsets), max(offsets) + 1) if offsets else None)


def _confidence(value: object) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise RecordError("confidence is not a number")
    return parse_local_confidence(str(value))

"""The system output of the WiRe57 benchmark: one JSON file with the output of several extractors.

An object from the name of a sentence ("TO 1") to a list of records ``arg1``, ``rel``, ``arg2``,
``extractor``, and where there are any, ``score`` (number or null) and ``arg3+`` (list of text). The
system's name, compared without case, says which extractor's records are read; the others are
somebody else's. The file gives no sentences. It has no lines that mean anything either: the line of
an extraction is the number of its record, counted through all extractors.
"""

import json
import re
from collections.abc import Iterable, Iterator, Sequence

from evaluator.errors import ConfigurationError
from evaluator.inputs import held_whole
from evaluator.model import Extraction, Rejects
from evaluator.readers import RecordError, refuse
from evaluator.readers.jsonl import is_encodable, json_confidence, need_finite

NAME = "wire57"
KIND = "extractions"
DESCRIPTION = (
    "WiRe57's JSON: from the name of a sentence to records of arg1, rel, arg2, extractor, score?, "
    "arg3+?; the system's name picks the extractor"
)
SPECIAL_CASE = "json"
TOLD_BY = "JSON from the name of a sentence to records with extractor"
EXAMPLE = (
    '{"TO 1": [{"arg1": "Lena Marsh", "rel": "founded", "arg2": "Kelp", "arg3+": ["in Oslo"], '
    '"extractor": "clausie", "score": -184.3}]}\n'
)

_SLOTS = ("arg1", "rel", "arg2")
_OPENING = re.compile(r'\s*\{\s*"(?:[^"\\]|\\.)*+"\s*:\s*\[\s*[]{]')
_EXTRACTOR = re.compile(r'"extractor"\s*:\s*"')


def recognises(head: Sequence[str]) -> bool:
    """Tell whether the first lines of a file are the beginning of this format's JSON."""
    text = "\n".join(head).removeprefix("\ufeff")
    return bool(_OPENING.match(text) and _EXTRACTOR.search(text))


def read(
    lines: Iterable[tuple[int, str]], *, system: str, rejects: Rejects
) -> Iterator[Extraction]:
    """Yield the extractions of the extractor that `system` names; count what is no record.

    Raises
    ------
    ConfigurationError
        If the file holds records of other extractors only.
    """
    numbered = list(held_whole(lines, f"system {system}"))
    rejects.settle(number for number, _ in numbered)
    try:
        sentences = json.loads("\n".join(line for _, line in numbered))
    except json.JSONDecodeError as error:
        if numbered:
            refuse(rejects, f"not JSON ({error.msg})", *numbered[error.lineno - 1])
        return
    except (ValueError, RecursionError):
        refuse(rejects, "not JSON", *numbered[0])
        return
    if not isinstance(sentences, dict):
        refuse(rejects, "not an object of sentences", *numbered[0])
        return
    found: set[str] = set()
    wanted = False
    for number, (sentence, record) in enumerate(_records(sentences, rejects), start=1):
        try:
            extractor, extraction = _extraction(record, sentence, system, number)
        except RecordError as reason:
            shown = f"record {number}, sentence {sentence}: {record}"
            rejects.add(str(reason), shown.encode(errors="replace").decode())
            continue
        found.add(extractor)
        if extractor.casefold() == system.casefold():
            wanted = True
            yield extraction
    if found and not wanted:
        raise ConfigurationError(
            f"system {system}: the file holds no extractor of this name; there are "
            f"{', '.join(sorted(found))}: NAME in --system NAME=wire57:PATH picks one "
            "(convert: --system NAME)"
        )


def _records(sentences: dict[str, object], rejects: Rejects) -> Iterator[tuple[str, object]]:
    for sentence, records in sentences.items():
        if not isinstance(records, list):
            rejects.add(
                "no list of records", f"sentence {sentence}".encode(errors="replace").decode()
            )
            continue
        for record in records:
            yield sentence, record


def _extraction(record: object, sentence: str, system: str, number: int) -> tuple[str, Extraction]:
    if not isinstance(record, dict):
        raise RecordError("not a JSON object")
    rest = dict(record)
    extractor = rest.pop("extractor", None)
    if not isinstance(extractor, str):
        raise RecordError("no text under 'extractor'")
    slots = [rest.pop(slot, None) for slot in _SLOTS]
    for name, slot in zip(_SLOTS, slots, strict=True):
        if not isinstance(slot, str):
            raise RecordError(f"no text under {name!r}")
    arg1, relation, arg2 = slots
    more = rest.pop("arg3+", None)
    if more is None:
        more = []
    if not isinstance(more, list) or not all(isinstance(argument, str) for argument in more):
        raise RecordError("'arg3+' is not a list of text")
    confidence = json_confidence(rest.pop("score", None), name="score")
    need_finite(rest)
    if not is_encodable([sentence, record]):
        raise RecordError("unpaired surrogate")
    return extractor, Extraction(
        system=system,
        line=number,
        sentence="",
        arg1=arg1,
        relation=relation,
        arg2=arg2,
        more_arguments=tuple(more),
        confidence=confidence,
        sentence_id=sentence,
        extra=rest,
    )

"""AllenNLP's predictors of open information extraction and semantic roles: BIO tags in JSON.

One record a sentence, one frame a predicate, one record a line or all of them in one array
(:mod:`evaluator.readers._json_values`)::

    {"words": ["Lena", "Marsh", "founded", "Kelp"],
     "verbs": [{"verb": "founded", "tags": ["B-ARG0", "I-ARG0", "B-V", "B-ARG1"],
                "description": "[ARG0: Lena Marsh] [V: founded] [ARG1: Kelp]"}]}

Where words or tags are missing the description is read; it may also be a line of its own.

The relation is what is tagged V with the parts before and after it (BV, AV). The numbered
arguments come in the order in which their labels first occur, then the modifiers (ARGM-TMP) in
theirs: the first two are arg1 and arg2. ARGM-NEG makes the extraction negated and ARGM-MOD is its
modality; neither is an argument. C-ARG1 goes on with ARG1; R-ARG1 only refers to it and is left
out. A numbered label that occurs twice means a choice: a frame stands for the Cartesian product of
its choices, of which the first :data:`MOST_READINGS` are kept. ``extra["roles"]`` has the text of
every label.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice, product
from math import prod

from evaluator.model import Extraction, Rejects
from evaluator.readers import RecordError, mostly, refuse
from evaluator.readers._json_values import CutObject, JsonValue, first_value, json_values
from evaluator.readers._roles import (
    Filler,
    Frame,
    LabelledSpan,
    frame,
    spans_of_tags,
    words_of_description,
)

NAME = "allennlp"
KIND = "extractions"
DESCRIPTION = 'AllenNLP\'s JSON: {"words", "verbs": [{"verb", "tags", "description"}]}'
SPECIAL_CASE = "json"
TOLD_BY = "objects with words and verbs, or descriptions with [V: ...]"
EXAMPLE = (
    '{"words": ["Lena", "Marsh", "founded", "Kelp"], "verbs": [{"verb": "founded", '
    '"description": "[ARG0: Lena Marsh] [V: founded] [ARG1: Kelp]", "tags": ["B-ARG0", '
    '"I-ARG0", "B-V", "B-ARG1"]}]}\n'
    '{"words": ["Marek", "ran"], "verbs": [{"verb": "ran", "description": "[ARG0: Marek] [V: '
    'ran]", "tags": ["B-ARG0", "B-V"]}]}\n'
)

MOST_READINGS = 64
"""How many extractions a frame gives at most."""

_READ = frozenset({"words", "verbs", "verb", "tags", "description"})


def read(
    lines: Iterable[tuple[int, str]], *, system: str, rejects: Rejects
) -> Iterator[Extraction]:
    """Yield what each frame says; count those with fewer than two arguments in `rejects`."""
    for value in json_values(_wrapped(lines), rejects=rejects):
        for record in value.value if isinstance(value.value, list) else [value.value]:
            yield from _of_record(record, value, system, rejects)


def recognises(head: Sequence[str]) -> bool:
    """Tell whether `head` begins with a record that has frames, or is made of descriptions."""
    if mostly(head, _is_description):
        return True
    first = first_value(head)
    if isinstance(first, list) and first:
        first = first[0]
    return (
        isinstance(first, dict)
        and isinstance(frames := first.get("verbs"), list)
        and ("words" in first or (bool(frames) and isinstance(frames[0], dict)))
    )


def _is_description(line: str) -> bool:
    line = line.strip()
    return ("[V: " in line) and not line.startswith(("{", "[{", '"', "'"))


def _wrapped(lines: Iterable[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """Yield the lines, those that are bare descriptions as records."""
    for number, line in lines:
        if _is_description(line):
            line = json.dumps({"verbs": [{"description": line}]}, ensure_ascii=False)
        yield number, line


def _of_record(
    record: object, value: JsonValue, system: str, rejects: Rejects
) -> Iterator[Extraction]:
    if not isinstance(record, dict) or not isinstance(record.get("verbs"), list):
        if not isinstance(record, CutObject):  # that is counted
            refuse(rejects, 'no list under "verbs"', value.line, value.text)
        return
    for verb in record["verbs"]:
        try:
            if not isinstance(verb, dict):
                raise RecordError("a frame is not an object")
            words, spans = _words_and_spans(record.get("words"), verb)
            yield from _readings(frame(words, spans), " ".join(words), system, value.line, rejects)
        except RecordError as reason:
            refuse(rejects, str(reason), value.line, value.text)
        else:
            if unread := sorted((record.keys() | verb.keys()) - _READ):
                rejects.note(f"further keys left out: {', '.join(unread)}")


def _words_and_spans(
    words: object, verb: Mapping[str, object]
) -> tuple[list[str], list[LabelledSpan]]:
    tags, description = verb.get("tags"), verb.get("description")
    if isinstance(words, list) and isinstance(tags, list):
        if len(words) != len(tags):
            raise RecordError("not as many tags as words")
        if not all(isinstance(word, str) for word in words):
            raise RecordError("a word is not text")
        return words, spans_of_tags(tags)
    if isinstance(description, str):
        return words_of_description(description)
    raise RecordError("a frame without words and tags, and without a description")


def _readings(
    found: Frame, sentence: str, system: str, line: int, rejects: Rejects
) -> Iterator[Extraction]:
    """Yield one extraction for each choice of numbered arguments."""
    if not found.numbered or len(found.numbered) + len(found.modifiers) < 2:
        raise RecordError("a frame with fewer than 2 arguments")
    if found.references:
        rejects.note("a reference to an argument (R-...) left out")
    if prod(map(len, found.numbered.values())) > MOST_READINGS:
        rejects.note(f"a frame of more than {MOST_READINGS} extractions, cut to these")
    said = [("ARGM-NEG", filler) for filler in found.negations]
    said += [("ARGM-MOD", filler) for filler in found.modals]
    for choices in islice(product(*found.numbered.values()), MOST_READINGS):
        arguments = [*zip(found.numbered, choices, strict=True), *found.modifiers]
        (_, arg1), (_, arg2), *others = arguments
        yield Extraction(
            system=system,
            line=line,
            sentence=sentence,
            arg1=arg1.text,
            relation=found.predicate.text,
            arg2=arg2.text,
            more_arguments=tuple(filler.text for _, filler in others),
            negated=True if found.negations else None,
            modality=" ".join(filler.text for filler in found.modals) or None,
            extra={"roles": _texts([*arguments, *said])} | _spans(arg1, found.predicate, arg2),
        )


def _texts(roles: Iterable[tuple[str, Filler]]) -> dict[str, list[str]]:
    texts: dict[str, list[str]] = {}
    for label, filler in roles:
        texts.setdefault(label, []).append(filler.text)
    return texts


def _spans(arg1: Filler, relation: Filler, arg2: Filler) -> dict[str, object]:
    """Return the spans, in words of the sentence, of the slots that are in one piece."""
    slots = {"arg1": arg1.span, "relation": relation.span, "arg2": arg2.span}
    whole = {slot: list(span) for slot, span in slots.items() if span is not None}
    return {"spans": whole, "span_unit": "token"} if whole else {}

"""The text formats of OpenIE 4 and 5, which are one program's: simple and column.

Simple (the default): a sentence, then lines such as ``0.93 (Lena Marsh; gave; a talk; L:in Oslo)``;
``Context(Some say,List([0, 8))):`` may stand before the tuple. ``T:`` and ``L:`` mark arguments of
time and place, ``[is]`` words that the sentence lacks; both stay, as the published scorers have it.

Column: confidence, context, arg1, relation, further arguments and sentence, separated by tabs.
A column holds ``Type(text,List([0, 8)))``; further arguments are joined by semicolons.

A context is kept as the attribution, and its extraction is not asserted by the sentence. Spans
count characters, half-open. They are unreliable (OpenIE 5 splits sentences first and counts in the
parts): those that do not hold the text of their slot are dropped, which is noted.

Output of sbt has ``[info]`` before each line.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from evaluator.model import Extraction, Rejects
from evaluator.readers import RecordError
from evaluator.readers._blocks import (
    SCORE,
    need_sentence,
    parse_local_confidence,
    split_tuple,
    starts,
    starts_tuple,
    under_sentences,
)
from evaluator.readers._cells import cells

_SBT = "[info]"
_simple_row = starts_tuple(" +", r"\(|Context\(")
_column_row = starts(rf"\s*{SCORE}\t|[^\t]*\t.*,List\(")
_SPAN = re.compile(r"\[([0-9]{1,9}), ?([0-9]{1,9})\)")
_BETWEEN_ARGUMENTS = re.compile(r"(?<=\)\));\s*(?=\w+\()")


class OpenIePart(NamedTuple):
    """A slot or a context with its span in the sentence, if given, and its type."""

    text: str
    span: tuple[int, int] | None = None
    kind: str = ""


def read_text(
    lines: Iterable[tuple[int, str]], *, system: str, rejects: Rejects
) -> Iterator[Extraction]:
    """Yield the extractions of both text formats."""

    def extraction(line: str, sentence: str, number: int) -> Extraction:
        row = _simple_row(line)
        if row is None:
            return _from_columns(cells(line, rejects), system, number, rejects)
        return _from_tuple(row[1], line[row.end() :].rstrip(), sentence, system, number)

    return under_sentences(
        ((number, _without_prefix(line)) for number, line in lines),
        extraction,
        is_row=is_text_row,
        rejects=rejects,
    )


def is_text_row(line: str) -> bool:
    """Tell whether a line is meant to be an extraction in one of the two formats."""
    return bool(_simple_row(line) or _column_row(line))


def has_spans_of_openie5(head: Sequence[str]) -> bool:
    """Tell whether there are spans as only OpenIE 5 writes them: null, or empty."""
    return any("List(null)" in line or "List([0, 0))" in line for line in head)


def from_parts(
    arg1: OpenIePart,
    relation: OpenIePart,
    arguments: Sequence[OpenIePart],
    *,
    context: OpenIePart | None,
    confidence: float | None,
    sentence: str,
    system: str,
    line: int,
    rejects: Rejects,
    negated: bool | None = None,
    extra: Mapping[str, object] | None = None,
) -> Extraction:
    """Return the extraction; note in `rejects` where a span does not hold its text.

    ``extra`` gets ``spans`` under "arg1", "relation", "arg2", "arg3", ... (``span_unit`` is
    "character"), and the ``types`` of the arguments after the relation where one is not simple.
    """
    extra = dict(extra or {})
    slots = {"arg1": arg1, "relation": relation}
    slots |= {f"arg{number}": part for number, part in enumerate(arguments, start=2)}
    given = {name: part.span for name, part in slots.items() if part.span}
    spans = {
        name: list(span)
        for name, span in given.items()
        if sentence[slice(*span)] == slots[name].text
    }
    if len(spans) < len(given):
        rejects.note("a span that does not hold the text of its slot")
    if spans:
        extra |= {"spans": spans, "span_unit": "character"}
    if any(part.kind not in ("", "SimpleArgument") for part in arguments):
        extra["types"] = [part.kind for part in arguments]
    return Extraction(
        system=system,
        line=line,
        sentence=sentence,
        arg1=arg1.text,
        relation=relation.text,
        arg2=arguments[0].text if arguments else "",
        more_arguments=tuple(part.text for part in arguments[1:]),
        confidence=confidence,
        negated=negated,
        attribution=(context.text or None) if context else None,
        asserted=context is None,
        extra=extra,
    )


def _from_tuple(score: str, text: str, sentence: str, system: str, number: int) -> Extraction:
    context = None
    if text.startswith("Context("):
        before, _, text = text.partition(")):(")
        context = _part(before)
        text = f"({text}"
    slots = map(OpenIePart, split_tuple(text, need_sentence(sentence)))
    arg1, relation, *arguments = slots
    return from_parts(
        arg1,
        relation,
        arguments,
        context=context,
        confidence=parse_local_confidence(score),
        sentence=sentence,
        system=system,
        line=number,
        rejects=Rejects(),
    )


def _from_columns(columns: Sequence[str], system: str, number: int, rejects: Rejects) -> Extraction:
    if len(columns) < 6:
        raise RecordError("fewer than 6 columns")
    score, context, arg1, relation, *arguments, sentence = columns
    if not sentence.strip():
        raise RecordError("no sentence")
    parts = [text for column in arguments for text in _BETWEEN_ARGUMENTS.split(column)]
    return from_parts(
        _part(arg1),
        _part(relation),
        [_part(text) for text in parts if text.strip()],
        context=_part(context) if context.strip() else None,
        confidence=parse_local_confidence(score),
        sentence=sentence,
        system=system,
        line=number,
        rejects=rejects,
    )


def _part(text: str) -> OpenIePart:
    kind, opened, rest = text.partition("(")
    words, listed, spans = rest.partition(",List(")
    if not (opened and listed):
        raise RecordError("not Type(text,List(...))")
    # A slot may be gathered from several spans; it has one span where they adjoin in the sentence.
    ends = _SPAN.findall(spans)
    return OpenIePart(words, (int(ends[0][0]), int(ends[-1][1])) if ends else None, kind.strip())


def _without_prefix(line: str) -> str:
    return line.removeprefix(_SBT).removeprefix(" ") if line.startswith(_SBT) else line

"""OLLIE's output, in any of three of its formats.

``tabbed``: a line that names the columns, then confidence, arg1, relation, arg2, enabler,
attribution, sentence, pattern and dependencies, separated by tabs. ``tabbedsingle``: the same with
``(arg1; relation; arg2)`` in one column. ``interactive``: a sentence, then lines such as
``0.71: (the deal; will close in; May)[enabler=if they agree][attrib=Marsh says]``, or "No
extractions found.", then a blank line.

An extraction with an enabler (a condition) or an attribution is not asserted by the sentence.
Columns of these two hold an Option as Scala prints it, ``None`` or ``Some(...)``. Confidences have
a decimal comma where the computer's locale has one. The pattern goes to ``extra``; the
dependencies, the parse of the whole sentence, are not kept.

Mausam, Schmitz, Bart, Soderland and Etzioni, "Open Language Learning for Information Extraction",
EMNLP 2012.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from evaluator.model import Extraction, Rejects
from evaluator.readers import RecordError
from evaluator.readers._blocks import (
    need_sentence,
    parse_local_confidence,
    recognised,
    split_tuple,
    starts_tuple,
    under_sentences,
)
from evaluator.readers._cells import cells

NAME = "ollie"
KIND = "extractions"
DESCRIPTION = "OLLIE: tabbed (confidence, arg1, rel, arg2, enabler, ...), tabbedsingle, interactive"
TOLD_BY = "the columns of OLLIE, or tuples with enabler, attrib or three decimals"
EXAMPLE = (
    "confidence\targ1\trel\targ2\tenabler\tattribution\ttext\tpattern\tdependencies\n"
    "0.71\tthe deal\twill close in\tMay\tSome(if regulators agree)\tNone\tIf regulators agree "
    ", the deal will close in May .\t{arg1} <nsubj< {rel} >prep> {arg2}\tnsubj(close_7, "
    "deal_5)\n"
)
SPECIAL_CASE = "table"

NOTHING_FOUND = "No extractions found."
"""What the interactive output has in place of extractions."""

_interactive_row = starts_tuple(": ?")
modifiers_in = re.compile(r"(?<=\))\[(?=(?:enabler|attrib)=)").search
_MODIFIER = re.compile(r"(?:^|\]\[|;\s*)(enabler|attrib)=")
# OLLIE prints up to three decimals, OpenIE 6 two; the two write interactive rows alike.
_three_decimals = re.compile(r"\s*[01]\.[0-9]{3}: \(").match
_decimal_comma = re.compile(r"\s*[01],[0-9]+: \(").match


def read(
    lines: Iterable[tuple[int, str]], *, system: str, rejects: Rejects
) -> Iterator[Extraction]:
    """Yield one extraction per line of one; count in `rejects` what is meant to be one only."""

    def extraction(line: str, sentence: str, number: int) -> Extraction:
        row = _interactive_row(line)
        if row is None:
            return _from_columns(cells(line, rejects), system, number)
        text = line[row.end() :].rstrip()
        triple, condition, attribution = _split_modifiers(text)
        return _build(
            score=row[1],
            slots=_slots(triple, need_sentence(sentence)),
            condition=condition,
            attribution=attribution,
            sentence=sentence,
            system=system,
            line=number,
        )

    return under_sentences(
        _without_header(lines, rejects),
        extraction,
        is_row=lambda line: _interactive_row(line) or "\t" in line,
        rejects=rejects,
        nothing=NOTHING_FOUND,
    )


def recognises(head: Sequence[str]) -> bool:
    """Tell whether these first lines of a file are of this format.

    Interactive rows are OpenIE 6's as well; they are said to be OLLIE's where something is that
    OpenIE 6 does not write.
    """
    return any(map(_is_distinct, head)) and recognised(read, head)


def _is_distinct(line: str) -> bool:
    if row := _interactive_row(line):
        return bool(_decimal_comma(line) or _three_decimals(line) or modifiers_in(line, row.end()))
    return line.count("\t") in (6, 8) or line.strip() == NOTHING_FOUND


def _without_header(
    lines: Iterable[tuple[int, str]], rejects: Rejects
) -> Iterator[tuple[int, str]]:
    for number, line in lines:
        if line.partition("\t")[0].strip().lower() == "confidence":
            rejects.settle([number])
        else:
            yield number, line


def _from_columns(columns: list[str], system: str, number: int) -> Extraction:
    if len(columns) not in (7, 9):
        raise RecordError("not 9 columns, nor the 7 of tabbedsingle")
    score, *slots, enabler, attribution, sentence, pattern, _dependencies = columns
    if not sentence.strip():
        raise RecordError("no sentence")
    return _build(
        score=score,
        slots=slots if len(slots) == 3 else _slots(slots[0].strip(), sentence),
        condition=_option(enabler),
        attribution=_option(attribution),
        sentence=sentence,
        system=system,
        line=number,
        extra={"pattern": pattern},
    )


def _build(
    *,
    score: str,
    slots: Sequence[str],
    condition: str,
    attribution: str,
    sentence: str,
    system: str,
    line: int,
    extra: dict[str, object] | None = None,
) -> Extraction:
    return Extraction.of_slots(
        system,
        line,
        sentence,
        slots,
        confidence=parse_local_confidence(score),
        condition=condition or None,
        attribution=attribution or None,
        asserted=not (condition or attribution),
        extra=extra or {},
    )


def _slots(triple: str, sentence: str) -> tuple[str, str, str]:
    arg1, relation, *arguments = split_tuple(triple, sentence)
    return arg1, relation, "; ".join(arguments)


def _split_modifiers(text: str) -> tuple[str, str, str]:
    found = modifiers_in(text)
    if not found:
        return text, "", ""
    if not text.endswith("]"):
        raise RecordError("[enabler=...] or [attrib=...] does not end")
    _, *pairs = _MODIFIER.split(text[found.end() : -1])
    modifiers = dict(zip(pairs[::2], pairs[1::2], strict=True))
    return text[: found.start()], modifiers.get("enabler", ""), modifiers.get("attrib", "")


def _option(text: str) -> str:
    text = text.strip()
    if text in ("None", ""):
        return ""
    if not (text.startswith("Some(") and text.endswith(")")):
        raise RecordError("neither None nor Some(...)")
    return text[len("Some(") : -1]

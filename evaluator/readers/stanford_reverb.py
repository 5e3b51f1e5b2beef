"""Stanford's Open IE in imitation of ReVerb's format: 17 tab-separated columns, no header.

The output of ``-format reverb``: document, index of the sentence in it (from 0, where ReVerb counts
from 1), arg1, relation, arg2, six token positions, confidence, sentence, part-of-speech tags, and
the three slots normalised. ReVerb's column of chunks is missing. The document is ``no_doc_id``
where it has no name; then the index tells nothing, and the sentence is known by its text alone.

A slot that no token stands for, such as the relation of a nominal triple, is empty or implied and
has the positions -1. An argument may skip words of the sentence: then its positions span more than
it says. Only positions that the sentence bears out are kept.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from evaluator.model import Extraction, Rejects
from evaluator.readers import RecordError, is_number, mostly, one_per_line, parse_confidence
from evaluator.readers._cells import cells

NAME = "stanford-reverb"
KIND = "extractions"
DESCRIPTION = "Stanford's 17 tab-separated columns: document, index, arg1, relation, arg2, ..."
TOLD_BY = "17 columns, those of ReVerb without the chunks"
EXAMPLE = (
    "doc7\t0\tLena Marsh\tfounded\tKelp\t0\t2\t2\t3\t3\t4\t1.000\tLena Marsh founded Kelp "
    ".\tNNP NNP VBD NNP .\tLena Marsh\tfound\tKelp\n"
)

COLUMNS = 17

_NO_DOCUMENT = ("", "no_doc_id")
_NO_TRIPLE = "No extractions in:"
_INDEX = re.compile("[0-9]{1,9}")


def read(
    lines: Iterable[tuple[int, str]], *, system: str, rejects: Rejects
) -> Iterator[Extraction]:
    """Return one extraction per line; count the others in `rejects`.

    Document and index go to ``extra`` ("file", "sentence_number"), as do the token positions
    ("spans", with "span_unit"). An empty relation, the positions -1 and such as the sentence does
    not bear out are noted in `rejects`.
    """

    def extraction(line: str, system: str, number: int) -> Extraction:
        columns = split_columns(line)
        if len(columns) != COLUMNS:
            raise RecordError(f"not {COLUMNS} columns")
        return from_columns(columns, system, number, rejects=rejects)

    return one_per_line(lines, extraction, system=system, rejects=rejects)


def recognises(head: Sequence[str]) -> bool:
    """Tell whether these first lines of a file are of this format."""
    return mostly(head, _is_record)


def _is_record(line: str) -> bool:
    columns = cells(line)
    return len(columns) == COLUMNS and is_number(columns[1]) and is_number(columns[11])


def split_columns(line: str) -> list[str]:
    """Return the columns of a line of Stanford's output.

    Raises
    ------
    RecordError
        If the line is blank, or the notice that a sentence has no triple: it belongs to the
        standard error stream, but stands among the triples where both went into one file.
    """
    if not line.strip():
        raise RecordError("blank line")
    if line.startswith(_NO_TRIPLE):
        raise RecordError("notice of a sentence without extractions")
    return cells(line)


def from_columns(
    columns: Sequence[str], system: str, number: int, *, rejects: Rejects
) -> Extraction:
    """Return the extraction that the first 13 of `columns` hold."""
    document, index, *slots = columns[:5]
    confidence, sentence = columns[11:13]
    if not sentence.strip():
        raise RecordError("no sentence")
    named = document.strip() not in _NO_DOCUMENT and index.isdecimal()
    return of_triple(
        system,
        number,
        sentence,
        slots,
        parse_confidence(confidence),
        rejects=rejects,
        sentence_id=f"{document}:{index}" if named else "",
        extra={
            "file": document,
            "sentence_number": index,
            **_positions(columns, sentence.split(), rejects),
        },
    )


def of_triple(
    system: str,
    number: int,
    sentence: str,
    slots: Sequence[str],
    confidence: float | None,
    *,
    rejects: Rejects,
    **others: Any,
) -> Extraction:
    """Return an extraction of three slots; note a relation without a word."""
    if not slots[1].strip():
        rejects.note("empty relation")
    return Extraction.of_slots(system, number, sentence, slots, confidence=confidence, **others)


def _positions(
    columns: Sequence[str], tokens: Sequence[str], rejects: Rejects
) -> dict[str, object]:
    spans = {}
    lost = set()
    for place, slot in enumerate(("arg1", "relation", "arg2")):
        span = columns[5 + 2 * place : 7 + 2 * place]
        words = columns[2 + place].split()
        if span == ["-1", "-1"]:
            lost.add("slot without position (-1)")
        elif words and all(map(_INDEX.fullmatch, span)) and tokens[slice(*map(int, span))] == words:
            spans[slot] = [int(index) for index in span]
        else:
            lost.add("positions that do not fit the sentence")
    for what in sorted(lost):
        rejects.note(what)
    return {"spans": spans, "span_unit": "token"} if spans else {}

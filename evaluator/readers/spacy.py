"""Subject-verb-object triples of spaCy: as textacy prints them, or as rows with a header.

``SVOTriple(subject=[Lena, Marsh], verb=[founded], object=[Kelp])``, one or several a line, in a
list or not; the tokens of a slot are joined by spaces. Or comma-separated with the header
``sent_id,subject,verb,object`` in any order, of which ``sent_id`` may be missing; ``sentence`` is
the sentence where there is such a column, and others are kept in ``extra``. Neither form has
confidences, and the printed one no sentences.
"""

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain

from evaluator.model import Extraction, Rejects
from evaluator.readers import RecordError, mostly, refuse

NAME = "spacy"
KIND = "extractions"
DESCRIPTION = "textacy's SVOTriple(subject=[...], verb=[...], object=[...]), or rows with a header"
TOLD_BY = "SVOTriple(...), or a header with subject, verb, object"
EXAMPLE = (
    "SVOTriple(subject=[Lena, Marsh], verb=[founded], object=[Kelp])\n"
    "SVOTriple(subject=[Marek], verb=[left], object=[Oslo])\n"
)

SPECIAL_CASE = "table"

_TRIPLE = "SVOTriple("
_SLOTS = ("subject", "verb", "object")
_KNOWN = ("sent_id", "sentence", *_SLOTS)


def read(
    lines: Iterable[tuple[int, str]], *, system: str, rejects: Rejects
) -> Iterator[Extraction]:
    """Yield the triples of each line; count the lines without one in `rejects`."""
    lines = iter(lines)
    first = next(((number, line) for number, line in lines if line.strip()), (1, ""))
    if (header := _header(first[1])) is not None:
        rejects.settle([first[0]])
        yield from _of_rows(lines, header, system, rejects)
    else:
        yield from _of_triples(chain([first], lines), system, rejects)


def recognises(head: Sequence[str]) -> bool:
    """Tell whether `head` begins with the header, or is made of printed triples."""
    first = next((line for line in head if line.strip()), "")
    return _header(first) is not None or mostly(head, lambda line: _TRIPLE in line)


def _of_rows(
    lines: Iterable[tuple[int, str]], header: list[str], system: str, rejects: Rejects
) -> Iterator[Extraction]:
    for number, line in lines:
        if not line.strip() or _header(line) == header:  # files are put one after the other
            rejects.settle([number])
            continue
        try:
            columns = _columns(line)
            if columns is None or len(columns) != len(header):
                raise RecordError("not as many columns as the header")
            yield _of_row(dict(zip(header, columns, strict=True)), system, number)
        except RecordError as reason:
            refuse(rejects, str(reason), number, line)


def _of_row(row: Mapping[str, str], system: str, number: int) -> Extraction:
    if not row["subject"].strip() or not row["verb"].strip():
        raise RecordError("no subject or no verb")
    others = {key: text for key, text in row.items() if key not in _KNOWN}
    return Extraction(
        system=system,
        line=number,
        sentence=row.get("sentence", ""),
        arg1=row["subject"],
        relation=row["verb"],
        arg2=row["object"],
        sentence_id=row.get("sent_id", ""),
        extra={"columns": others} if others else {},
    )


def _header(line: str) -> list[str] | None:
    columns = [column.strip().casefold() for column in _columns(line) or ()]
    return columns if set(_SLOTS) <= set(columns) and len(set(columns)) == len(columns) else None


def _columns(line: str) -> list[str] | None:
    try:
        # A field over several lines is not read: a quote too many would swallow the file.
        return next(csv.reader([line], strict=True), None)
    except csv.Error:
        return None


def _of_triples(
    lines: Iterable[tuple[int, str]], system: str, rejects: Rejects
) -> Iterator[Extraction]:
    for number, line in lines:
        if not line.strip(" \t\r[],"):
            rejects.settle([number])
            continue
        before, *pieces = line.split(_TRIPLE)
        if not pieces:
            refuse(rejects, "no SVOTriple", number, line)
        elif before.strip(" \t[(,"):
            rejects.note("text before a triple left out")
        for piece in pieces:
            slots = _slots(piece)
            if slots is None:
                refuse(rejects, "not SVOTriple(subject=[], verb=[], object=[])", number, line)
            else:
                yield Extraction(system, number, "", *slots)


def _slots(piece: str) -> tuple[str, str, str] | None:
    """Return the slots of ``subject=[...], verb=[...], object=[...])``, tokens joined by spaces."""
    head, mark, rest = piece[: max(0, piece.rfind("])"))].partition("], verb=[")
    verb, other_mark, object_ = rest.partition("], object=[")
    subject = head.removeprefix("subject=[")
    if not (mark and other_mark and subject != head and subject.strip() and verb.strip()):
        return None
    return _joined(subject), _joined(verb), _joined(object_)


def _joined(tokens: str) -> str:
    return " ".join(tokens.split(", "))

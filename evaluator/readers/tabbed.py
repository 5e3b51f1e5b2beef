"""The tabbed format of the OIE2016 and CaRB benchmarks.

One extraction a line, no header: sentence, confidence, relation, first argument, and any number
of further arguments. Blank confidence means none, and so do "nan", "inf" and "-inf", which are kept
as written in ``extra``. Spaces at the ends of a column belong to it (PropS writes them). Reading
and writing a file gives the same bytes, except that lines end in a line feed, that cells lose
their quotes (:mod:`evaluator.readers._cells`), and that an empty fifth column at the end of a line
is the same as none.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress

from evaluator.model import Extraction, Rejects
from evaluator.readers import (
    RecordError,
    how_to_find,
    is_number,
    mostly,
    one_per_line,
    parse_confidence,
)
from evaluator.readers._cells import cell, cells

NAME = "tabbed"
KIND = "extractions"
DESCRIPTION = "tab-separated columns: sentence, confidence, relation, arg1, arg2, ..."
TOLD_BY = "four columns or more, of which the second is a score or empty"
EXAMPLE = (
    "Lena Marsh founded Kelp in Oslo .\t0.93\tfounded\tLena Marsh\tKelp\tin Oslo\n"
    "Marek slept .\t\tslept\tMarek\n"
)

LOSES = ("negated", "modality", "attribution", "condition", "asserted")
"""What an extraction may say that these columns cannot."""

# A confidence such as "0.50" is kept as text beside its value, or "0.5" would be written back.
_TEXT = "confidence_text"

# PropS writes the logarithm of zero as "-inf": an extraction without a confidence.
_NOT_FINITE = {"nan", "inf", "infinity"}


def read(
    lines: Iterable[tuple[int, str]], *, system: str, rejects: Rejects
) -> Iterator[Extraction]:
    """Return one extraction per line; count the others in `rejects`."""
    return one_per_line(lines, _extraction, system=system, rejects=rejects)


def recognises(head: Sequence[str]) -> bool:
    """Tell whether these first lines of a file are of this format.

    The second column is a number or blank. So it is in other formats, but there the first is a
    number too (OpenIE 4), or the third (the layer of Graphene), or the twelfth (ReVerb).
    """
    return mostly(head, _is_record)


def _is_record(line: str) -> bool:
    columns = cells(line)
    if len(columns) < 4 or is_number(columns[0]) or is_number(columns[2]):
        return False
    if len(columns) >= 13 and is_number(columns[11]):
        return False
    with suppress(RecordError):
        finite_confidence(columns[1])
        return bool(columns[0].strip())
    return False


def line_of(extraction: Extraction) -> str:
    """Return the line of an extraction.

    Raises
    ------
    RecordError
        If it has no sentence, without which it is not read, or if a field holds a tab or a line
        end, for which the format has no escape.
    """
    if not extraction.sentence.strip():
        raise RecordError(
            "an extraction without its sentence, which tabbed files begin with: "
            + how_to_find(named=bool(extraction.sentence_id.strip()))
        )
    columns = [
        extraction.sentence,
        _confidence_column(extraction),
        extraction.relation,
        extraction.arg1,
        extraction.arg2,
        *extraction.more_arguments,
    ]
    if not extraction.arg2 and not extraction.more_arguments:
        columns.pop()
    return joined(columns)


def joined(columns: Sequence[str]) -> str:
    """Return the line of an extraction, with a tab between its columns.

    Raises
    ------
    RecordError
        If a field holds a tab or a line end.
    """
    line = "\t".join(map(cell, columns))
    if line.count("\t") >= len(columns) or "\n" in line or line.endswith("\r"):
        raise RecordError(
            "a field holds a tab or a line end, which tab-separated columns cannot; write jsonl"
        )
    return line


def _extraction(line: str, system: str, number: int) -> Extraction:
    columns = cells(line)
    if not line.strip():
        raise RecordError("blank line")
    if len(columns) < 4:
        raise RecordError("fewer than 4 columns")
    sentence, confidence_text, relation, arg1, *arguments = columns
    if not sentence.strip():
        raise RecordError("no sentence")
    confidence = finite_confidence(confidence_text)
    return Extraction.of_slots(
        system,
        number,
        sentence,
        [arg1, relation, *arguments],
        confidence=confidence,
        extra={} if confidence_text == _plain(confidence) else {_TEXT: confidence_text},
    )


def finite_confidence(text: str) -> float | None:
    """Return the number written in `text`; None for blank text and where it is not finite.

    Raises
    ------
    RecordError
        If it is no number.
    """
    try:
        return parse_confidence(text)
    except RecordError:
        if text.strip().lstrip("+-").lower() in _NOT_FINITE:
            return None
        raise


def _confidence_column(extraction: Extraction) -> str:
    text = extraction.extra.get(_TEXT)
    with suppress(RecordError):
        if isinstance(text, str) and finite_confidence(text) == extraction.confidence:
            return text
    return _plain(extraction.confidence)


def _plain(confidence: float | None) -> str:
    return "" if confidence is None else repr(confidence)

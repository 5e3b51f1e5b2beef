"""The system files of BenchIE (Gashteovski et al. 2022).

One extraction a line, no header: identifier of the sentence in the gold data, subject, relation,
object. There is no sentence and no confidence. Further columns, which the released files do not
have, are further arguments. Spaces at the ends of a slot are kept. Reading and writing a file gives
the same bytes, but for spaces around the identifier, an empty fifth column, and lines that are no
extraction.
"""

from collections.abc import Iterable, Iterator, Sequence

from evaluator.model import Extraction, Rejects
from evaluator.readers import RecordError, how_to_find, is_number, mostly, one_per_line, tabbed
from evaluator.readers._cells import cells

NAME = "benchie"
KIND = "extractions"
DESCRIPTION = "tab-separated columns: sentence id, subject, relation, object"
TOLD_BY = "four columns, of which the first is a whole number and the second none"
EXAMPLE = "1\tShe\tserved as\tmayor\n1\tShe\twas mayor of\tOslo\n2\tMarek\tslept in\ta tent\n"

COLUMNS = 4

LOSES = (*tabbed.LOSES, "confidence")
"""What an extraction may say that these columns cannot."""


def recognises(head: Sequence[str]) -> bool:
    """Tell whether these first lines of a file are of this format.

    A confidence has a decimal point where formats of other systems begin with one.
    """
    return mostly(head, _is_record)


def _is_record(line: str) -> bool:
    columns = cells(line)
    return (
        len(columns) == COLUMNS
        and columns[0].strip().isdecimal()
        and bool(columns[1].strip() and columns[2].strip())
        # The second column of the tabbed format is a confidence.
        and not is_number(columns[1])
    )


def read(
    lines: Iterable[tuple[int, str]], *, system: str, rejects: Rejects
) -> Iterator[Extraction]:
    """Return one extraction per line; count the others in `rejects`."""
    return one_per_line(lines, _extraction, system=system, rejects=rejects)


def line_of(extraction: Extraction) -> str:
    """Return the line of an extraction.

    Raises
    ------
    RecordError
        If it names no sentence, or a field holds a tab or a line end, for which the format has no
        escape.
    """
    if not extraction.sentence_id.strip():
        raise RecordError(
            "an extraction without the identifier of its sentence, which BenchIE's files begin "
            "with: " + how_to_find(named=bool(extraction.sentence.strip()))
        )
    columns = [
        extraction.sentence_id,
        extraction.arg1,
        extraction.relation,
        extraction.arg2,
        *extraction.more_arguments,
    ]
    return tabbed.joined(columns)


def _extraction(line: str, system: str, number: int) -> Extraction:
    if not line.strip():
        raise RecordError("blank line")
    columns = cells(line)
    if len(columns) < COLUMNS:
        raise RecordError(f"fewer than {COLUMNS} columns")
    sentence_id, *slots = columns
    if not (sentence_id := sentence_id.strip()):
        raise RecordError("no sentence id")
    if not any(slot.strip() for slot in slots[:3]):
        raise RecordError("empty slots")
    if slots[3:] == [""]:
        slots.pop()
    return Extraction.of_slots(system, number, "", slots, sentence_id=sentence_id)

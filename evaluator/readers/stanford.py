"""Stanford's Open IE, its own tab-separated columns: confidence, arg1, relation, arg2.

The output of ``-format default``. It names no sentence: there is one to be found only by the words
of the triple. Lines of 13 columns and more, in which the scorer of CaRB expects Stanford's output,
are read too: those are of the format ``stanford-reverb``, or begin like it.

A sentence without a triple leaves no line. It is named on the standard error stream ("No
extractions in: ..."); where both streams went into one file, such lines are counted.

Angeli, Johnson Premkumar and Manning, "Leveraging Linguistic Structure For Open Domain Information
Extraction", ACL 2015.
"""

from collections.abc import Iterable, Iterator, Sequence

from evaluator.model import Extraction, Rejects
from evaluator.readers import RecordError, is_number, mostly, one_per_line, parse_confidence
from evaluator.readers._cells import cells
from evaluator.readers.stanford_reverb import COLUMNS, from_columns, of_triple, split_columns

NAME = "stanford"
KIND = "extractions"
DESCRIPTION = "Stanford's default tab-separated columns: confidence, arg1, relation, arg2"
TOLD_BY = "four columns, of which the first is a score with a decimal point"
EXAMPLE = "1.0\tLena Marsh\tfounded\tKelp\n0.7\tKelp\tis in\tOslo\n"


def read(
    lines: Iterable[tuple[int, str]], *, system: str, rejects: Rejects
) -> Iterator[Extraction]:
    """Return one extraction per line; count the others in `rejects`."""

    def extraction(line: str, system: str, number: int) -> Extraction:
        columns = split_columns(line)
        if len(columns) >= 13:
            return from_columns(columns, system, number, rejects=rejects)
        if len(columns) != 4:
            raise RecordError("not 4 columns, nor 13 or more")
        confidence, *slots = columns
        score = parse_confidence(confidence)
        return of_triple(system, number, "", slots, score, rejects=rejects)

    return one_per_line(lines, extraction, system=system, rejects=rejects)


def recognises(head: Sequence[str]) -> bool:
    """Tell whether these first lines of a file are of this format.

    The confidence has a decimal point: a whole number before a triple is that of a sentence.
    """
    return mostly(head, _is_record)


def _is_record(line: str) -> bool:
    columns = cells(line)
    if len(columns) == 4:
        return is_number(columns[0]) and "." in columns[0]
    return len(columns) >= 13 and len(columns) not in (COLUMNS, 18) and is_number(columns[11])

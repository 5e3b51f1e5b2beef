"""Stanford's Open IE for question-answer driven role labels: 6 tab-separated columns, no header.

The output of ``-format qa_srl``: the indexes of the heads of arg1, relation and arg2 in the
sentence, joined by full stops (``2.3.4``), the three slots, confidence, sentence. Triples of a
sentence with the same heads are variants of one.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from evaluator.model import Extraction, Rejects
from evaluator.readers import RecordError, mostly, one_per_line, parse_confidence
from evaluator.readers._cells import cells
from evaluator.readers.stanford_reverb import of_triple, split_columns

NAME = "stanford-qasrl"
KIND = "extractions"
DESCRIPTION = "Stanford's qa_srl columns: head indexes, arg1, relation, arg2, confidence, sentence"
TOLD_BY = "a first column of three numbers between points, and six columns"
EXAMPLE = (
    "2.3.4\tLena Marsh\tfounded\tKelp\t1.0\tLena Marsh founded Kelp .\n"
    "2.3.6\tLena Marsh\tfounded in\tOslo\t0.8\tLena Marsh founded Kelp .\n"
)

_HEADS = re.compile(r"-?[0-9]+(?:\.-?[0-9]+){2}")


def read(
    lines: Iterable[tuple[int, str]], *, system: str, rejects: Rejects
) -> Iterator[Extraction]:
    """Return one extraction per line; count the others in `rejects`.

    The head indexes go to ``extra`` ("heads") as they are written. An empty relation is noted in
    `rejects`.
    """

    def extraction(line: str, system: str, number: int) -> Extraction:
        columns = split_columns(line)
        if len(columns) != 6:
            raise RecordError("not 6 columns")
        heads, *slots, score, sentence = columns
        if not _HEADS.fullmatch(heads):
            raise RecordError("no head indexes such as 2.3.4")
        if not sentence.strip():
            raise RecordError("no sentence")
        confidence, extra = parse_confidence(score), {"heads": heads}
        return of_triple(system, number, sentence, slots, confidence, rejects=rejects, extra=extra)

    return one_per_line(lines, extraction, system=system, rejects=rejects)


def recognises(head: Sequence[str]) -> bool:
    """Tell whether these first lines of a file are of this format."""
    return mostly(head, _is_record)


def _is_record(line: str) -> bool:
    columns = cells(line)
    return len(columns) == 6 and _HEADS.fullmatch(columns[0]) is not None

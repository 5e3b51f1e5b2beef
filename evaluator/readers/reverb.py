"""ReVerb's own output: 18 tab-separated columns, no header.

file, number of the sentence in it (from 1), arg1, relation, arg2, six token positions, confidence,
sentence, part-of-speech tags, chunk tags, and the three slots normalised. The sentence is taken
from column 13, never looked up by its number: in the published output on OIE2016 the numbers do
not meet the sentence list. Stanford's imitation of the format has 17 columns (no chunks); it is
the format ``stanford-reverb``.
"""

from collections.abc import Iterable, Iterator, Sequence

from evaluator.model import Extraction, Rejects
from evaluator.readers import RecordError, is_number, mostly, one_per_line, parse_confidence
from evaluator.readers._cells import cells

NAME = "reverb"
KIND = "extractions"
DESCRIPTION = "ReVerb's 18 tab-separated columns: file, number, arg1, relation, arg2, ..."
TOLD_BY = "18 columns, of which the second and the twelfth are numbers"
EXAMPLE = (
    "news.txt\t1\tLena Marsh\twas born in\tOslo\t0\t2\t2\t5\t5\t6\t0.8412\tLena Marsh was born "
    "in Oslo .\tNNP NNP VBD VBN IN NNP .\tB-NP I-NP B-VP I-VP B-PP B-NP O\tlena marsh\tbe bear "
    "in\toslo\n"
)


def read(
    lines: Iterable[tuple[int, str]], *, system: str, rejects: Rejects
) -> Iterator[Extraction]:
    """Return one extraction per line; count the others in `rejects`.

    The file and the sentence number of a line go to ``extra`` ("file", "sentence_number").
    """
    return one_per_line(lines, _extraction, system=system, rejects=rejects)


def recognises(head: Sequence[str]) -> bool:
    """Tell whether these first lines of a file are of this format."""
    return mostly(head, _is_record)


def _is_record(line: str) -> bool:
    columns = cells(line)
    return len(columns) == 18 and is_number(columns[1]) and is_number(columns[11])


def _extraction(line: str, system: str, number: int) -> Extraction:
    if not line.strip():
        raise RecordError("blank line")
    columns = cells(line)
    if len(columns) != 18:
        raise RecordError("not 18 columns")
    file, sentence_number, *slots = columns[:5]
    confidence, sentence = columns[11:13]
    if not sentence.strip():
        raise RecordError("no sentence")
    return Extraction.of_slots(
        system,
        number,
        sentence,
        slots,
        confidence=parse_confidence(confidence),
        extra={"file": file, "sentence_number": sentence_number},
    )

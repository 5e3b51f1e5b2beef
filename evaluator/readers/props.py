"""PropS: tab-separated columns, with a label before each argument.

Confidence, sentence, relation, then label and argument in turn: ``subj``, ``Lena Marsh``,
``dobj``, ``Kelp``. Labels repeat, arguments end in spaces, and there may be any number of them; all
that is kept. A proposition without an argument has a blank fourth column, and is an extraction all
the same: the scorer of CaRB counts it. Confidences are negative and the same for all of a sentence;
"-inf" is none, and is kept as written in ``extra`` ("confidence_text").

Stanovsky, Ficler, Dagan and Goldberg, "Getting More Out Of Syntax with PropS", 2016. The output of
PropS that the benchmarks OIE2016 and Mesquita et al. distribute is in the format ``tabbed``.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from evaluator.model import Extraction, Rejects
from evaluator.readers import RecordError, is_number, mostly, one_per_line
from evaluator.readers._cells import cells
from evaluator.readers.tabbed import finite_confidence

NAME = "props"
KIND = "extractions"
DESCRIPTION = (
    "PropS's tab-separated columns: confidence, sentence, relation, label, arg1, label, ..."
)
TOLD_BY = "a score, a sentence, a relation, then labels and arguments in turn"
EXAMPLE = (
    "-227.49\tLena Marsh founded Kelp .\tfounded\tsubj\tLena Marsh \tdobj\tKelp \n"
    "-31.5\tMarek slept .\tslept\tsubj\tMarek \n"
)

_LABEL = re.compile(r"[A-Za-z][\w/]*")


def read(
    lines: Iterable[tuple[int, str]], *, system: str, rejects: Rejects
) -> Iterator[Extraction]:
    """Return one extraction per line; count the others in `rejects`.

    The labels of the arguments go to ``extra`` ("labels"), where there is an argument.
    """
    return one_per_line(lines, _extraction, system=system, rejects=rejects)


def recognises(head: Sequence[str]) -> bool:
    """Tell whether these first lines of a file are of this format.

    A sentence has several words and a label is a name: so it is with no other format that begins
    with a number.
    """
    return mostly(head, _is_record)


def _is_record(line: str) -> bool:
    columns = line.split("\t")
    if not _is_alternating(columns) or not is_number(columns[0]):
        return False
    return len(columns[1].split()) > 1 and all(map(_LABEL.fullmatch, columns[3:-1:2]))


def _is_alternating(columns: Sequence[str]) -> bool:
    blank_fourth = len(columns) == 4 and not columns[3].strip()
    return blank_fourth or (len(columns) >= 3 and len(columns) % 2 == 1)


def _extraction(line: str, system: str, number: int) -> Extraction:
    if not line.strip():
        raise RecordError("blank line")
    columns = cells(line)
    if not _is_alternating(columns):
        raise RecordError("not three columns and a label for each argument")
    confidence_text, sentence, relation, *pairs = columns
    if not sentence.strip():
        raise RecordError("no sentence")
    arguments = pairs[1::2]
    extra: dict[str, object] = {"labels": pairs[::2]} if arguments else {}
    confidence = finite_confidence(confidence_text)
    if confidence is None and confidence_text.strip():
        extra["confidence_text"] = confidence_text
    arg1, *others = arguments or [""]
    slots = [arg1, relation, *others]
    return Extraction.of_slots(system, number, sentence, slots, confidence=confidence, extra=extra)

"""Stanford's Open IE in imitation of OLLIE's format: ``1.000: (Lena Marsh; founded; Kelp)``.

The output of ``-format ollie``: a triple a line and nothing else. No line names the sentence. A
semicolon inside a slot looks like one between slots, so where there are more than two, the rest
counts as the second argument, and the record is noted.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from evaluator.model import Extraction, Rejects
from evaluator.readers import RecordError, mostly, one_per_line, parse_confidence
from evaluator.readers.stanford_reverb import of_triple, split_columns

NAME = "stanford-ollie"
KIND = "extractions"
DESCRIPTION = "Stanford's imitation of OLLIE, a line each: confidence: (arg1; relation; arg2)"
TOLD_BY = "lines of a score, a colon and a tuple, without any sentence"
EXAMPLE = "1.000: (Lena Marsh; founded; Kelp)\n0.700: (Kelp; is in; Oslo)\n"

_RECORD = re.compile(r"([^(:]*): \((.*)\)\s*", re.DOTALL)


def read(
    lines: Iterable[tuple[int, str]], *, system: str, rejects: Rejects
) -> Iterator[Extraction]:
    """Return one extraction per line; count the others in `rejects`.

    An empty relation and semicolons that may belong to a slot are noted in `rejects`.
    """

    def extraction(line: str, system: str, number: int) -> Extraction:
        split_columns(line)
        match = _RECORD.fullmatch(line)
        if match is None:
            raise RecordError("not a confidence and a triple in parentheses")
        confidence = parse_confidence(match[1])
        slots = match[2].split("; ", maxsplit=2)
        if len(slots) < 3:
            raise RecordError("fewer than 3 slots")
        if "; " in slots[2]:
            rejects.note("more than two semicolons")
        return of_triple(system, number, "", slots, confidence, rejects=rejects)

    return one_per_line(lines, extraction, system=system, rejects=rejects)


def recognises(head: Sequence[str]) -> bool:
    """Tell whether these first lines of a file are of this format.

    OLLIE and OpenIE 6 begin with a sentence and write such lines below it.
    """
    first = next(filter(str.strip, head), "")
    return _is_record(first) and mostly(head, _is_record)


def _is_record(line: str) -> bool:
    return _RECORD.fullmatch(line) is not None

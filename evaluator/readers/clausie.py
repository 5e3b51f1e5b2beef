"""ClausIE's output: a line with the sentence, then one line for each triple.

The sentence's number, then the slots in double quotes, then a score, separated by tabs. Quotes
inside a slot are not escaped, so only the first and the last character go. A triple may have two
slots, and with n-ary output more than three; some builds write no score. The score is a logarithm
that the parser gave to the whole sentence: it ranks sentences, not triples, and is no probability.

The numbers go to ``extra`` ("sentence_number") and are not taken for the sentence's name: in
published files, which several runs were joined for, they begin anew.

Del Corro and Gemulla, "ClausIE: Clause-Based Open Information Extraction", WWW 2013.
"""

from collections.abc import Iterable, Iterator, Sequence

from evaluator.model import Extraction, Rejects
from evaluator.readers import RecordError, parse_confidence
from evaluator.readers._blocks import (
    LostSentenceError,
    need_sentence,
    recognised,
    starts,
    under_sentences,
)

NAME = "clausie"
KIND = "extractions"
DESCRIPTION = 'ClausIE: a sentence, then lines of number, "arg1", "relation", "arg2", score'
TOLD_BY = "below a sentence, lines of a number and slots in double quotes"
EXAMPLE = (
    "Lena Marsh moved to Oslo and founded Kelp .\n"
    '1\t"Lena Marsh"\t"founded"\t"Kelp"\t-184.33\n'
    '1\t"Lena Marsh"\t"moved"\t"to Oslo"\t-184.33\n'
)

# A sentence may hold a tab, but hardly one before a quote or after a number that begins it.
_is_row = starts(r'\s*[0-9]+\t|.*\t"')


def read(
    lines: Iterable[tuple[int, str]], *, system: str, rejects: Rejects
) -> Iterator[Extraction]:
    """Yield one extraction per line of one; count in `rejects` what is meant to be one only."""

    def extraction(line: str, sentence: str, number: int) -> Extraction:
        sentence_number, *columns = line.split("\t")
        if not sentence_number.strip().isdigit():
            if not columns[0].startswith('"'):
                raise LostSentenceError("a sentence and an extraction on one line")
            raise RecordError("no number in the first column")
        score = None if _is_quoted(columns[-1]) else parse_confidence(columns.pop())
        if not all(map(_is_quoted, columns)):
            raise RecordError("a slot is not in double quotes")
        slots = [column[1:-1] for column in columns]
        if len(slots) < 2:
            raise RecordError("fewer than two slots")
        extra: dict[str, object] = {"sentence_number": sentence_number}
        if len(slots) == 2:
            extra["two_slots"] = True  # a row of three with an empty one is another thing
        sentence = need_sentence(sentence)
        return Extraction.of_slots(system, number, sentence, slots, confidence=score, extra=extra)

    return under_sentences(lines, extraction, is_row=_is_row, rejects=rejects)


def recognises(head: Sequence[str]) -> bool:
    """Tell whether these first lines of a file are of this format."""
    return recognised(read, head)


def _is_quoted(column: str) -> bool:
    return len(column) >= 2 and column[0] == column[-1] == '"'

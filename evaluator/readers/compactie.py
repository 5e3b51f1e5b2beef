"""CompactIE's output: a sentence, a tab, and three tagged slots; there is no confidence.

``sentence⇥<arg1> Lena Marsh </arg1> <rel> founded </rel> <arg2> Kelp </arg2>``, as OpenIE 6 has it
converted, without its third column. Where a script has added one, the file is told as ``openie6``;
named ``compactie`` it is read too.

Slots are tokens of BERT's basic tokenizer in the order of the sentence, joined by spaces, and may
leave words out between them. The sentence is joined from tokens as well, unless it is the one that
a clause was split off: it is another text than a gold file's then.

Fatahi Bayat, Bhutani and Jagadish, "CompactIE: Compact Facts in Open Information Extraction", NAACL
2022.
"""

from collections.abc import Iterable, Iterator, Sequence

from evaluator.model import Extraction, Rejects
from evaluator.readers import RecordError, mostly, one_per_line, parse_confidence
from evaluator.readers._cells import cells
from evaluator.readers.openie6 import tagged_slots

NAME = "compactie"
KIND = "extractions"
DESCRIPTION = "CompactIE: sentence, then <arg1> arg1 </arg1> <rel> relation </rel> <arg2> ..."
TOLD_BY = "two columns, the second with the tags <arg1> and <rel>"
EXAMPLE = (
    "Lena founded Kelp .\t<arg1> Lena </arg1> <rel> founded </rel> <arg2> Kelp </arg2>\n"
    "Marek slept .\t<arg1> Marek </arg1> <rel> slept </rel> <arg2>  </arg2>\n"
)


def read(
    lines: Iterable[tuple[int, str]], *, system: str, rejects: Rejects
) -> Iterator[Extraction]:
    """Return one extraction per line; count the others in `rejects`."""
    return one_per_line(lines, _extraction, system=system, rejects=rejects)


def recognises(head: Sequence[str]) -> bool:
    """Tell whether these first lines of a file are of this format."""
    return mostly(head, _is_record)


def _is_record(line: str) -> bool:
    _, tab, tagged = line.partition("\t")
    return bool(tab) and "\t" not in tagged and "<arg1>" in tagged and "<rel>" in tagged


def _extraction(line: str, system: str, number: int) -> Extraction:
    if not line.strip():
        raise RecordError("blank line")
    sentence, *columns = cells(line)
    if len(columns) not in (1, 2):
        raise RecordError("not 2 columns, nor 3 with a confidence")
    if not sentence.strip():
        raise RecordError("no sentence")
    tagged, *score = columns
    confidence = parse_confidence(score[0]) if score else None
    slots = tagged_slots(tagged)
    return Extraction.of_slots(system, number, sentence, slots, confidence=confidence)

"""IMoJIE's output: a sentence, then ``(  Lena  ;  founded  ;  Kelp  )`` on the lines below it.

Blank lines end a block. The first triple may stand on the line of its sentence. There is no
confidence. A triple without its closing bracket, which the model left unfinished, is counted.

The program's own script writes the last sentence of its input above every block. The sentences are
kept as they stand, and it is noted where a block has that of the block before it: such a file says
of no extraction what it is about.

Kolluru, Aggarwal, Rathore, Mausam and Chakrabarti, "IMoJIE: Iterative Memory-Based Joint Open
Information Extraction", ACL 2020.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from evaluator.model import Extraction, Rejects
from evaluator.readers import RecordError
from evaluator.readers._blocks import need_sentence, under_sentences

NAME = "imojie"
KIND = "extractions"
DESCRIPTION = "IMoJIE: a sentence, then lines of (  arg1  ;  relation  ;  arg2  )"
TOLD_BY = "tuples with two spaces around their semicolons"
EXAMPLE = (
    "Lena Marsh founded Kelp .\n"
    "(  Lena Marsh  ;  founded  ;  Kelp  )\n"
    "\n"
    "Marek left .(  Marek  ;  left  ;    )\n"
)

SAME_SENTENCE = (
    "a block with the sentence of the one before: IMoJIE's script writes the last to all"
)

_OPEN, _BETWEEN, _CLOSE = "(  ", "  ;  ", "  )"
_whole = re.compile(r"[^\t]*\(  [^\t]*?  ;  [^\t]*  \)\s*").fullmatch


def read(
    lines: Iterable[tuple[int, str]], *, system: str, rejects: Rejects
) -> Iterator[Extraction]:
    """Yield one extraction per triple; count in `rejects` what is meant to be one only."""
    block, last = 0, (0, "")

    def blocks() -> Iterator[tuple[int, str]]:
        nonlocal block
        for number, line in lines:
            block += not line.strip()
            yield number, line

    def extraction(line: str, sentence: str, number: int) -> Extraction:
        nonlocal last
        before, _, triple = line.rstrip().partition(_OPEN)
        if not triple.endswith(_CLOSE):
            raise RecordError("a triple without its closing bracket")
        slots = [slot.strip() for slot in triple.removesuffix(_CLOSE).split(_BETWEEN)]
        if len(slots) < 2:
            raise RecordError("fewer than 2 slots")
        sentence = need_sentence(before.strip() or sentence)
        if sentence.strip() == last[1] and last[0] < block:
            rejects.note(SAME_SENTENCE)
        last = block, sentence.strip()
        return Extraction.of_slots(system, number, sentence, slots)

    return under_sentences(
        blocks(),
        extraction,
        is_row=lambda line: _OPEN in line and _BETWEEN in line,
        rejects=rejects,
    )


def recognises(head: Sequence[str]) -> bool:
    """Tell whether these first lines of a file are of this format: no other spaces tuples so."""
    return any(map(_whole, head))

"""OpenIE 6's output, as it writes it or converted for scoring.

Blocks with a blank line after each: a sentence, then lines ``0.95: (Lena Marsh; founded; Kelp L:in
Oslo)``. There are three slots; time and place are in the third, marked ``T:`` and ``L:``, and stay
there. Semicolons inside a slot are not escaped. One that the sentence has too, between the same
words, is text (:func:`~evaluator.readers._blocks.split_tuple`); what then still is more than three
pieces is counted to the third slot, and noted.

Converted: ``sentence``, ``<arg1> Lena Marsh </arg1> <rel> founded </rel> <arg2> Kelp </arg2>`` and
confidence, separated by tabs. The one space inside each tag belongs to the tag. Elements ``arg3``
to ``arg5``, ``loc`` and ``time``, if any, are further arguments.

With ``--mode splitpredict`` the sentence of a block may be a part that the program split off a
conjunction. It is kept as it stands; gold data do not know it.

OLLIE's interactive output looks the same but for the modifiers after some tuples. Such a line is
refused with a reason that names the format to read the file in.

Kolluru et al., "OpenIE6: Iterative Grid Labeling and Coordination Analysis for Open Information
Extraction", EMNLP 2020.
"""

from collections.abc import Iterable, Iterator, Sequence

from evaluator.model import Extraction, Rejects
from evaluator.readers import RecordError, ollie, parse_confidence
from evaluator.readers._blocks import (
    need_sentence,
    recognised,
    split_tuple,
    starts_tuple,
    under_sentences,
)
from evaluator.readers._cells import cells

NAME = "openie6"
KIND = "extractions"
DESCRIPTION = (
    "OpenIE 6: a sentence, then 0.95: (arg1; relation; arg2); or sentence, tags, confidence"
)
TOLD_BY = "below a sentence, lines of a score, a colon and a tuple; or <arg1> tags and a score"
EXAMPLE = (
    "Lena Marsh founded Kelp in Oslo .\n"
    "0.95: (Lena Marsh; founded; Kelp L:in Oslo)\n"
    "\n"
    "Marek slept .\n"
    "0.41: (Marek; slept; )\n"
    "\n"
)

_block_row = starts_tuple(": ?")
_OF_OLLIE = "is what OLLIE writes: name the format ollie"
_MORE = ("arg3", "arg4", "arg5", "loc", "time")


def read(
    lines: Iterable[tuple[int, str]], *, system: str, rejects: Rejects
) -> Iterator[Extraction]:
    """Yield one extraction per line of one; count in `rejects` what is meant to be one only."""

    def extraction(line: str, sentence: str, number: int) -> Extraction:
        row = _block_row(line)
        if row is None and _says_nothing_found(line):
            raise RecordError(f"{ollie.NOTHING_FOUND!r} {_OF_OLLIE}")
        if row is None:
            sentence, slots, score = _from_columns(cells(line, rejects))
        else:
            score = row[1]
            if line.rstrip().endswith("]") and ollie.modifiers_in(line, row.end()):
                raise RecordError(f"an enabler or attribution {_OF_OLLIE}")
            slots = split_tuple(line[row.end() :].rstrip(), need_sentence(sentence))
            if len(slots) > 3:
                rejects.note("more than two semicolons in a tuple")
                slots[2:] = ["; ".join(slots[2:])]
        return Extraction.of_slots(
            system, number, sentence, slots, confidence=parse_confidence(score)
        )

    return under_sentences(
        lines,
        extraction,
        is_row=lambda line: _block_row(line) or "\t" in line or _says_nothing_found(line),
        rejects=rejects,
    )


def recognises(head: Sequence[str]) -> bool:
    """Tell whether these first lines of a file are of this format."""
    return recognised(read, head) and not ollie.recognises(head)


def _says_nothing_found(line: str) -> bool:
    return line.strip() == ollie.NOTHING_FOUND


def _from_columns(columns: Sequence[str]) -> tuple[str, list[str], str]:
    if len(columns) != 3:
        raise RecordError("not 3 columns")
    sentence, tagged, score = columns
    if not sentence.strip():
        raise RecordError("no sentence")
    return sentence, tagged_slots(tagged), score


def tagged_slots(text: str) -> list[str]:
    """Return what stands in ``<arg1>``, ``<rel>``, ``<arg2>`` and further elements of a text.

    Raises
    ------
    RecordError
        If there is no first argument or no relation.
    """
    arg1, relation, arg2 = (_element(text, name) for name in ("arg1", "rel", "arg2"))
    if arg1 is None or relation is None:
        raise RecordError("no <arg1> and <rel>")
    more = [found for name in _MORE if (found := _element(text, name)) is not None]
    return [arg1, relation, arg2 or "", *more]


def _element(text: str, name: str) -> str | None:
    _, opened, rest = text.partition(f"<{name}>")
    inner, closed, _ = rest.partition(f"</{name}>")
    return inner.removeprefix(" ").removesuffix(" ") if opened and closed else None

"""What formats share that write a sentence on a line and its extractions on the lines below it.

ClausIE, OLLIE's interactive output, OpenIE 4 and 5 in their simple format, OpenIE 6. Blank lines
end a block, where there are any; of a sentence with another below it nothing is extracted.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Protocol

from evaluator.model import Extraction, Rejects
from evaluator.readers import RecordError, parse_confidence, refuse

SCORE = r"(?:[-+]?\.?[0-9][0-9.,]*(?:[eE][-+]?[0-9]+)?|(?i:[-+]?(?:nan|inf(?:inity)?)|null))"
"""What begins the line of an extraction: a number, if only in intention."""

# No sentence begins so, and none may pass for one.
_begins_json = re.compile(r"\s*(?:\{\s*[\"'}]|\[\s*[\[{\"'])").match

_FRACTION = r"[-+]?(?:[0-9]*\.[0-9]+(?:[eE][-+]?[0-9]+)?|0?,[0-9]+|1,0+)"


class LostSentenceError(RecordError):
    """A damaged row that holds the sentence of those below it, which have none then."""


class Read(Protocol):
    """The function ``read`` of a format."""

    def __call__(
        self, lines: Iterable[tuple[int, str]], *, system: str, rejects: Rejects
    ) -> Iterator[Extraction]: ...


def under_sentences(
    lines: Iterable[tuple[int, str]],
    parse: Callable[[str, str, int], Extraction],
    *,
    is_row: Callable[[str], object],
    rejects: Rejects,
    nothing: str = "",
) -> Iterator[Extraction]:
    """Yield ``parse(line, sentence, number)`` of each row; count what it refuses.

    Parameters
    ----------
    is_row
        Tells whether a line is meant to be an extraction. Whether it is a good one is for `parse`
        to say: a damaged row must not pass for the sentence of those below it.
    nothing
        What the format writes below a sentence of which nothing is extracted.
    """
    sentence = ""
    above = previous = 0
    for number, line in lines:
        # A line that could not be decoded is missing here, and may have been the next sentence.
        if number != previous + 1:
            sentence = ""
        previous = number
        if not line.strip():
            sentence = ""
        elif nothing and line.strip() == nothing:
            rejects.settle([above, number] if sentence else [number])
            sentence = ""
        elif is_row(line):
            try:
                extraction = parse(line, sentence, number)
            except RecordError as reason:
                refuse(rejects, str(reason), number, line)
                if sentence:  # told with its row
                    rejects.settle([above])
                if isinstance(reason, LostSentenceError):
                    sentence = ""
                continue
            # A row with columns brings its own.
            if sentence and extraction.sentence == sentence:
                rejects.settle([above])
            yield extraction
        elif _begins_json(line):
            refuse(rejects, "JSON where a sentence or an extraction is expected", number, line)
        else:
            sentence, above = line, number


def need_sentence(sentence: str) -> str:
    """Return `sentence`, the one that stands above a row.

    Raises
    ------
    RecordError
        If none does.
    """
    if not sentence:
        raise RecordError("no sentence above the extraction")
    return sentence


def split_tuple(text: str, sentence: str) -> list[str]:
    """Return the slots, two or more, of an extraction written ``(arg1; relation; arg2; ...)``.

    A semicolon inside a slot looks like one between two. It is taken for text where the sentence
    itself has the two pieces side by side with the semicolon between them, as long as three slots
    are left.

    Raises
    ------
    RecordError
        If the text is no such tuple.
    """
    if not (text.startswith("(") and text.endswith(")")):
        raise RecordError("not (arg1; relation; arg2)")
    slots = text[1:-1].split("; ")
    if len(slots) < 2:
        raise RecordError("not (arg1; relation; arg2)")
    place = 0
    while len(slots) > 3 and place + 1 < len(slots):
        left, right = slots[place : place + 2]
        if left.strip() and right.strip() and f"{left}; {right}" in sentence:
            slots[place : place + 2] = [f"{left}; {right}"]
        else:
            place += 1
    return slots


def parse_local_confidence(text: str) -> float | None:
    """Return the number in `text`, in which a comma may stand for the decimal point.

    The Java and Scala programs format numbers as the computer's locale has it.
    """
    return parse_confidence(text.replace(",", "."))


def recognised(read: Read, head: Sequence[str]) -> bool:
    """Tell whether `read` gets extractions from these lines, three for each line it refuses."""
    rejects = Rejects()
    count = sum(1 for _ in read(enumerate(head, start=1), system="", rejects=rejects))
    return count > 0 and count >= 3 * rejects.total


def starts(pattern: str) -> Callable[[str], re.Match[str] | None]:
    """Return the function that matches a line's beginning with `pattern`."""
    return re.compile(pattern).match


def starts_tuple(between: str, opening: str = r"\(") -> Callable[[str], re.Match[str] | None]:
    """Return the function that matches the beginning of ``score between (arg1; ...)``.

    Group 1 is the score. "1950 (or so) was cold" is a sentence: what is no fraction is a score only
    where a bracket ends the line.
    """
    return starts(rf"\s*({_FRACTION}|{SCORE}(?={between}.*\)\s*$)){between}(?={opening})")

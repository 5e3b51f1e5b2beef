"""Answers of models in a notation of their own, on lines of a file or as texts inside JSON.

A format of such answers is a module with a function ``answer`` from a text to what it says, and
``MARK``, which is in each such text and in no other.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, Protocol

from evaluator.model import Extraction, Rejects
from evaluator.readers import refuse


class AnswerTriple(NamedTuple):
    """What an answer says once."""

    arg1: str
    relation: str
    arg2: str
    confidence: float | None = None
    extra: Mapping[str, object] = {}
    sentence: str = ""


class ParsedAnswer(NamedTuple):
    """What a text says: its triples, why each piece is refused, and what is passed over."""

    triples: Sequence[AnswerTriple]
    refused: Sequence[str] = ()
    notes: Sequence[str] = ()


class Notation(Protocol):
    """What a module of such a format offers."""

    MARK: re.Pattern[str]

    def answer(self, text: str) -> ParsedAnswer:
        """Return what a text says."""


def read_answers(
    lines: Iterable[tuple[int, str]],
    answer: Callable[[str], ParsedAnswer],
    *,
    system: str,
    rejects: Rejects,
    sentence_id: Callable[[int], str] = lambda _number: "",
) -> Iterator[Extraction]:
    """Yield what the answers of a file say, one a line; count what is refused of them.

    Parameters
    ----------
    sentence_id
        The name of the sentence that an answer is about, by the number of its line.
    """
    for number, line in lines:
        said = answer(line)
        for reason in said.refused:
            refuse(rejects, reason, number, line)
        for note in said.notes:
            rejects.note(note)
        rejects.settle([number])
        for triple in said.triples:
            yield Extraction(
                system,
                number,
                triple.sentence,
                triple.arg1,
                triple.relation,
                triple.arg2,
                confidence=triple.confidence,
                sentence_id="" if triple.sentence else sentence_id(number),
                extra=triple.extra,
            )

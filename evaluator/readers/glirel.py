"""GLiREL's relations as its examples print them: token lists with arrows between, and a score.

``['Lena', 'Marsh'] --> founder --> ['Kelp'] | score: 0.98``. Tokens are joined by spaces. The lines
that the examples print above them are no relations. A label "no relation" is no extraction.

The objects that GLiREL returns, with ``head_text``, ``tail_text``, ``label`` and ``score``, are of
the format ``json``, written as JSON or as Python prints them; so are its sentences with relations.

Boylan, Hokamp and Gholipour Ghalandari, "GLiREL: Generalist Model for Zero-Shot Relation
Extraction", NAACL 2025.
"""

import ast
import re
from collections.abc import Iterable, Iterator, Sequence

from evaluator.model import Extraction, Rejects
from evaluator.readers import RecordError, one_per_line, parse_confidence

NAME = "glirel"
KIND = "extractions"
DESCRIPTION = "GLiREL's printed relations: ['head'] --> label --> ['tail'] | score: 0.98"
TOLD_BY = "token lists with arrows between, and a score"
EXAMPLE = (
    "Number of relations: 2\n"
    "\n"
    "Descending Order by Score:\n"
    "['Lena', 'Marsh'] --> founder --> ['Kelp'] | score: 0.9854260683059692\n"
    "['Kelp'] --> headquartered in --> ['Oslo'] | score: 0.09025496244430542\n"
)

_ARROW = " --> "
_score = re.compile(
    r"s(?:co|oc)re: (\S+)"
).fullmatch  # the examples of the first releases misspell it
_FRAME = re.compile(r"Number of relations: \d+|Descending Order by Score:")


def read(
    lines: Iterable[tuple[int, str]], *, system: str, rejects: Rejects
) -> Iterator[Extraction]:
    """Yield one extraction per relation; count what is none in `rejects`."""
    return one_per_line(_rows(lines, rejects), _extraction, system=system, rejects=rejects)


def recognises(head: Sequence[str]) -> bool:
    """Tell whether these first lines of a file are of this format."""
    return any(map(_slots_and_score, head))


def _rows(lines: Iterable[tuple[int, str]], rejects: Rejects) -> Iterator[tuple[int, str]]:
    for number, line in lines:
        if not line.strip() or _FRAME.fullmatch(line.strip()):
            rejects.settle([number])
        else:
            yield number, line


def _extraction(line: str, system: str, number: int) -> Extraction:
    found = _slots_and_score(line)
    if not found:
        raise RecordError("not [tokens] --> label --> [tokens] | score: number")
    (head, label, tail), score = found
    slots = [_tokens(head), label, _tokens(tail)]
    return Extraction.of_slots(system, number, "", slots, confidence=parse_confidence(score))


def _slots_and_score(line: str) -> tuple[tuple[str, str, str], str] | None:
    triple, _, score = line.strip().rpartition(" | ")
    head, _, rest = triple.partition(_ARROW)
    label, _, tail = rest.rpartition(_ARROW)
    found = _score(score)
    if not (found and label and head.startswith("[") and tail.startswith("[")):
        return None
    return (head, label, tail), found[1]


def _tokens(text: str) -> str:
    try:
        tokens = ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        tokens = None
    if not isinstance(tokens, list) or not tokens or not all(isinstance(t, str) for t in tokens):
        raise RecordError("no list of tokens")
    return " ".join(tokens)

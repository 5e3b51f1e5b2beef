"""Sentences of Mesquita et al. (2013) as annotators marked them, in two forms.

::

    [[[PER Lena Marsh]]] ---> has {{{founded}}} the firm <--- [[[ORG Kelp]]] in Oslo .

``[[[TYPE`` and ``]]]`` mark an entity, ``{{{`` and ``}}}`` the trigger, a token without which the
relation is not there, and ``--->`` and ``<---`` the window: the tokens that a relation phrase may
have besides. In the binary form the sentence is the fifth tab-separated column, after the names of
its two entities in columns 1 and 3, and the first line is a header; in the n-ary form it is the
whole line. A sentence without a trigger has entities but no relation between them.
"""

from collections.abc import Iterable, Iterator
from itertools import chain, zip_longest
from typing import NamedTuple

from evaluator.model import Rejects
from evaluator.readers import RecordError, example
from evaluator.text import tokens, unescape_treebank

type Tokens = tuple[str, ...]

# What may be wrong with the marks.
_ENTITY = "the mark of an entity is not closed, or not opened"
_TRIGGER = "not one trigger, or its mark is not closed"
_WINDOW = "not one window, or it is marked on one side only"


class AnnotatedRelation(NamedTuple):
    """A relation between entities of a sentence, or that there is none.

    Attributes
    ----------
    entities
        Their tokens.
    trigger
        Its tokens; empty where the sentence states no relation.
    window
        Tokens that the relation may have, the trigger's among them; None where any may stand there.
    """

    entities: tuple[Tokens, ...]
    trigger: Tokens
    window: frozenset[str] | None = None


class Annotated(NamedTuple):
    """A sentence without its marks, what they say, and the entities and trigger as written."""

    text: str
    relation: AnnotatedRelation
    entities: tuple[str, ...]
    trigger: str


def comparable(text: str) -> Tokens:
    """Return the tokens by which entities, triggers and slots are compared."""
    return tuple(tokens(unescape_treebank(text)))


def has_marks(line: str) -> bool:
    """Tell whether a line has a mark of an entity."""
    return "[[[" in line or "]]]" in line


def has_entity(line: str) -> bool:
    """Tell whether a line has both marks of an entity, the closing one after the opening one."""
    return "]]]" in line.partition("[[[")[2]


def read_annotated(lines: Iterable[tuple[int, str]], *, rejects: Rejects) -> Iterator[Annotated]:
    """Yield the sentences of either form; count malformed ones in `rejects`."""
    binary = False
    for number, line in lines:
        if number == 1:
            binary = "\t" in line
            if binary and not has_marks(line):
                continue  # the header
        try:
            if not line.strip():
                raise RecordError("blank line")
            yield _of_pair(line) if binary else annotated(line)
        except RecordError as reason:
            rejects.add(str(reason), example(number, line))


def _of_pair(line: str) -> Annotated:
    columns = line.split("\t")
    if len(columns) < 5:
        raise RecordError("fewer than 5 columns")
    found = annotated(columns[4])
    named = sorted(map(comparable, (columns[0], columns[2])))
    if named != sorted(found.relation.entities):
        raise RecordError("the marked entities are not the two named: one marked in part?")
    return found


def annotated(marked: str) -> Annotated:
    """Return what the marks of a sentence say.

    Raises
    ------
    RecordError
        If a mark lacks its counterpart, there are two triggers or windows, or fewer than two
        entities.
    """
    around, named = _parted(marked, "[[[", "]]]", _ENTITY)
    typed = [one.split(maxsplit=1) for one in named]
    if any(len(one) < 2 for one in typed):
        raise RecordError("an entity is marked without a type, or without words")
    words = [one for _, one in typed]
    if len(words) < 2:
        raise RecordError("fewer than two entities are marked")
    outside, triggers = _parted(" ".join(around), "{{{", "}}}", _TRIGGER)
    trigger = "".join(triggers[:1])
    _, windows = _parted(trigger.join(outside), "--->", "<---", _WINDOW)
    if len(triggers) > 1 or len(windows) > 1:
        raise RecordError(_TRIGGER if len(triggers) > 1 else _WINDOW)
    window = frozenset(comparable(f"{windows[0]} {trigger}")) if windows else None
    text = "".join(chain.from_iterable(zip_longest(around, words, fillvalue="")))
    for mark, instead in (("{{{", ""), ("}}}", ""), ("--->", " "), ("<---", " ")):
        text = text.replace(mark, instead)
    return Annotated(
        text=" ".join(text.split()),
        relation=AnnotatedRelation(tuple(map(comparable, words)), comparable(trigger), window),
        entities=tuple(" ".join(one.split()) for one in words),
        trigger=trigger,
    )


def _parted(text: str, opening: str, closing: str, problem: str) -> tuple[list[str], list[str]]:
    """Return what stands around the marked parts of a text, and these, in time linear in it.

    Raises
    ------
    RecordError
        Saying the `problem`, if a mark lacks its counterpart.
    """
    first, *others = text.split(opening)
    pairs = [other.split(closing) for other in others]
    if closing in first or any(len(pair) != 2 for pair in pairs):
        raise RecordError(problem)
    return [first, *(after for _, after in pairs)], [inside for inside, _ in pairs]

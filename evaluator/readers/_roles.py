"""Frames of semantic roles: a predicate and the labelled spans of words around it.

Labels are PropBank's as AllenNLP writes them: V with its parts BV and AV, ARG0 to ARG5, modifiers
(ARGM-...), continuations (C-...) and references (R-...).
"""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from evaluator.readers import RecordError

_PREDICATE = ("BV", "V", "AV")
_NEGATION, _MODAL = "ARGM-NEG", "ARGM-MOD"
_NUMBERED = re.compile(r"(?:ARG|A)[0-9A]")
_OPENING = re.compile(r"\[([A-Z][A-Z0-9-]*):")


class LabelledSpan(NamedTuple):
    """A labelled span of words, half open."""

    label: str
    start: int
    end: int


class Filler(NamedTuple):
    """What fills a role: its text, and its span of words where it is in one piece."""

    text: str
    span: tuple[int, int] | None


class Frame(NamedTuple):
    """A predicate and what fills its roles.

    Attributes
    ----------
    predicate
        Its parts in text order.
    numbered
        The fillers of each numbered label, labels in the order of their first span.
    modifiers
        The other arguments in text order.
    negations, modals
        What is tagged as negation and as modal verb.
    references
        How many spans only refer to an argument ("who").
    """

    predicate: Filler
    numbered: dict[str, list[Filler]]
    modifiers: list[tuple[str, Filler]]
    negations: list[Filler]
    modals: list[Filler]
    references: int


def spans_of_tags(tags: Sequence[object]) -> list[LabelledSpan]:
    """Return the spans of BIO tags; an I that continues nothing begins one.

    Raises
    ------
    RecordError
        If a tag is not text.
    """
    spans: list[LabelledSpan] = []
    for place, tag in enumerate(tags):
        if not isinstance(tag, str):
            raise RecordError("a tag is not text")
        prefix, _, label = tag.partition("-")
        if not label:
            continue
        if prefix == "I" and spans and spans[-1].label == label and spans[-1].end == place:
            spans[-1] = spans[-1]._replace(end=place + 1)
        else:
            spans.append(LabelledSpan(label, place, place + 1))
    return spans


def words_of_description(text: str) -> tuple[list[str], list[LabelledSpan]]:
    """Return the words and spans of ``[ARG0: Lena Marsh] [V: founded] ...``."""
    words: list[str] = []
    spans: list[LabelledSpan] = []
    label = ""
    for word in text.split():
        if opening := _OPENING.fullmatch(word):
            label = opening[1]
            spans.append(LabelledSpan(label, len(words), len(words)))
            continue
        # The bracket that closes is glued to a word; one that stands alone is a word.
        closes = label and word.endswith("]") and word != "]"
        words.append(word[:-1] if closes else word)
        if label:
            spans[-1] = spans[-1]._replace(end=len(words))
        if closes:
            label = ""
    return words, spans


def frame(words: Sequence[str], spans: Iterable[LabelledSpan]) -> Frame:
    """Return the frame that `spans` of `words` make.

    Raises
    ------
    RecordError
        If no span is a predicate.
    """
    predicate: list[LabelledSpan] = []
    fillers: list[tuple[str, list[LabelledSpan]]] = []
    last: dict[str, list[LabelledSpan]] = {}
    references = 0
    for span in spans:
        label = span.label.removeprefix("C-")
        if label in _PREDICATE:
            predicate.append(span)
        elif label.startswith("R-"):
            references += 1
        elif label != span.label and label in last:
            last[label].append(span)
        else:
            last[label] = [span]
            fillers.append((label, last[label]))
    if not predicate:
        raise RecordError("a frame without a predicate")
    numbered: dict[str, list[Filler]] = {}
    others: list[tuple[str, Filler]] = []
    for label, pieces in fillers:
        if _NUMBERED.fullmatch(label):
            numbered.setdefault(label, []).append(_filler(words, pieces))
        else:
            others.append((label, _filler(words, pieces)))
    return Frame(
        _filler(words, predicate),
        numbered,
        [(label, filler) for label, filler in others if label not in (_NEGATION, _MODAL)],
        [filler for label, filler in others if label == _NEGATION],
        [filler for label, filler in others if label == _MODAL],
        references,
    )


def _filler(words: Sequence[str], pieces: Sequence[LabelledSpan]) -> Filler:
    start, end = pieces[0].start, pieces[-1].end
    whole = sum(piece.end - piece.start for piece in pieces) == end - start
    text = " ".join(word for piece in pieces for word in words[piece.start : piece.end])
    return Filler(text, (start, end) if whole else None)

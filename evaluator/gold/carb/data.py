"""The gold data of CaRB: tab-separated sentence, predicate, arg1, arg2, …, one tuple a line."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from evaluator.errors import InputError
from evaluator.gold import GoldSentence, Mode
from evaluator.gold.bags import Bag, bag
from evaluator.gold.joining import SentenceIndex, released_key
from evaluator.gold.oie2016.propositions import gold_rows, no_tuple, readable
from evaluator.model import Rejects

_CONTEXT = "C: "
_LABELS = ("T: ", "L: ")
_SAYING = ("said", "told", "added", "adds", "says")
_SAYING_WORDS = frozenset(_SAYING)
_BE = frozenset(("be", "is", "am", "are", "was", "were", "been", "being"))


class Words(NamedTuple):
    """A part of a tuple as a bag of words, and their number."""

    bag: Bag
    size: int


class WordsOf(dict[str, Words]):
    """The words of texts, each split once: what spaces separate, case and punctuation kept."""

    def __missing__(self, text: str) -> Words:
        split = text.split()
        words = self[text] = Words(bag(split), len(split))
        return words

    def binary(self, arguments: Sequence[str]) -> tuple[Words, ...]:
        """Return the words of one or two arguments: those after the first make up the second."""
        if len(arguments) > 2:
            return self[arguments[0]], self[" ".join(arguments[1:])]
        return tuple([self[argument] for argument in arguments])


class GoldTuple(NamedTuple):
    """A gold tuple, binary.

    Attributes
    ----------
    predicate, arguments
        Its words; at most two arguments.
    size
        Number of words in all.
    be
        The forms of "be" in the predicate.
    saying
        Whether the predicate reports what somebody said: then either order of arguments will do.
    """

    predicate: Words
    arguments: tuple[Words, ...]
    size: int
    be: Bag
    saying: bool


@dataclass(frozen=True, slots=True)
class CarbGold:
    """Sentences with their tuples, and how to find a sentence.

    Attributes
    ----------
    counts
        Of those kept: "sentences" and "tuples". Of the file: "contexts", lines of which an argument
        is dropped; "repeated" tuples; "empty_predicates"; "colliding_sentences", which have the
        released key of a later one: "released" loses them.
    by_key
        Index by released key ("released").
    by_text
        Index by text ("corrected").
    """

    sentences: Sequence[GoldSentence]
    tuples: Sequence[Sequence[GoldTuple]]
    counts: Mapping[str, int]
    by_key: Mapping[str, int]
    by_text: SentenceIndex

    def find_key(self, text: str) -> int | None:
        """Return the index of the sentence with the released key of `text` ("released")."""
        return self.by_key.get(released_key(text))


def read(path: Path, *, mode: Mode, rejects: Rejects) -> CarbGold:
    """Read a gold file; lines of one sentence need not stand together.

    Raises
    ------
    InputError
        If the file is missing, or holds no gold tuple.
    """
    rows = _rows(path, rejects)
    if not rows:
        raise no_tuple(path, rejects)
    corrected = mode == "corrected"
    last = {released_key(sentence): sentence for sentence in rows}
    counts = {"sentences": 0, "tuples": 0, "contexts": 0, "repeated": 0, "empty_predicates": 0}
    counts["colliding_sentences"] = len(rows) - len(last)
    words = WordsOf()
    sentences: list[GoldSentence] = []
    tuples: list[list[GoldTuple]] = []
    for text in rows:
        if not corrected and last[released_key(text)] != text:
            continue
        kept: list[tuple[str, ...]] = []
        for predicate, *given in rows[text]:
            one = (predicate, *_arguments(given, corrected=corrected))
            counts["contexts"] += len(one) <= len(given)
            repeated = one in kept
            counts["repeated"] += repeated
            counts["empty_predicates"] += not predicate
            if not corrected or (predicate and not repeated):
                kept.append(one)
        sentences.append(GoldSentence(str(len(sentences) + 1), text, list(map(readable, kept))))
        tuples.append([_tuple(words, *one, corrected=corrected) for one in kept])
    if not any(tuples):
        raise InputError(path, "no gold tuple with a predicate")
    counts["sentences"], counts["tuples"] = len(sentences), sum(map(len, tuples))
    return CarbGold(
        sentences=sentences,
        tuples=tuples,
        counts=counts,
        by_key={released_key(sentence.text): k for k, sentence in enumerate(sentences)},
        by_text=SentenceIndex([sentence.text for sentence in sentences]),
    )


def _rows(path: Path, rejects: Rejects) -> dict[str, list[list[str]]]:
    """Return the columns after the sentence of each line, by sentence."""
    rows: dict[str, list[list[str]]] = {}
    for columns in gold_rows(path, least=2, rejects=rejects):
        sentence, *others = (column.strip() for column in columns)
        rows.setdefault(sentence, []).append(others)
    return rows


def _arguments(given: Sequence[str], *, corrected: bool) -> list[str]:
    if not corrected:
        return [argument for argument in given if _CONTEXT not in argument]
    kept = [argument for argument in given if not argument.startswith(_CONTEXT)]
    return [
        next((a.removeprefix(label) for label in _LABELS if a.startswith(label)), a) for a in kept
    ]


def _tuple(words: WordsOf, predicate: str, *given: str, corrected: bool) -> GoldTuple:
    of_predicate, arguments = words[predicate], words.binary(given)
    saying = (
        not _SAYING_WORDS.isdisjoint(predicate.split())
        if corrected
        else any(word in predicate for word in _SAYING)
    )
    return GoldTuple(
        predicate=of_predicate,
        arguments=arguments,
        size=of_predicate.size + sum(argument.size for argument in arguments),
        be=bag(word for word in predicate.split() if word in _BE),
        saying=saying,
    )

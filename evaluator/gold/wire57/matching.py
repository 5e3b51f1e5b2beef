"""How an extraction fares against a gold tuple of WiRe57, and which pairs are taken."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from evaluator.gold import Mode
from evaluator.gold.bags import Bag, bag
from evaluator.gold.wire57.data import SLOTS, Wire57Tuple
from evaluator.model import Extraction


class ExtractionWords(NamedTuple):
    """An extraction's parts as words, in the order arg1, relation, arg2, further arguments."""

    texts: tuple[str, ...]
    words: tuple[list[str], ...]
    bags: tuple[Bag, ...]

    @property
    def length(self) -> int:
        """Number of words."""
        return sum(map(len, self.words))


class PairWords(NamedTuple):
    """How an extraction fares against a gold tuple: counts of words.

    Attributes
    ----------
    right, said
        Of the extraction's words: those that the gold tuple has, and all that are counted.
    found, wanted
        Of the gold tuple's words: those that the extraction has, and those that are not inferred.
    """

    right: int
    said: int
    found: int
    wanted: int

    @property
    def precision(self) -> float:
        """Share of the extraction's words that are right."""
        return self.right / self.said if self.said else 0.0

    @property
    def recall(self) -> float:
        """Share of the wanted words that are found; all, where none is wanted."""
        return self.found / self.wanted if self.wanted else float(self.right > 0)

    @property
    def f1(self) -> float:
        """Harmonic mean of the two; 0 where nothing is right."""
        total = self.precision + self.recall
        return 2 * self.precision * self.recall / total if total else 0.0


class PossibleMatch(NamedTuple):
    """A pair that may match, with the indexes of its gold tuple and its extraction."""

    gold: int
    said: int
    pair: PairWords


def words_of(extraction: Extraction) -> ExtractionWords:
    """Return the words of an extraction, part by part."""
    texts = (extraction.arg1, extraction.relation, extraction.arg2, *extraction.more_arguments)
    words = tuple(text.split() for text in texts)
    return ExtractionWords(texts, words, tuple(map(bag, words)))


def once(said: Sequence[ExtractionWords]) -> Sequence[int]:
    """Return the indexes of the extractions that say what none before them says."""
    first: dict[tuple[Bag, ...], int] = {}
    for index, one in enumerate(said):
        first.setdefault(one.bags, index)
    return list(first.values())


def candidates_of(
    said: Sequence[ExtractionWords],
    which: Iterable[int],
    tuples: Sequence[Wire57Tuple],
    *,
    mode: Mode,
) -> list[PossibleMatch]:
    """Return the pairs that may match, the best first.

    Ties go to the first gold tuple, then to the first extraction.
    """
    candidates = []
    for gold, parts in enumerate(tuples):
        for index in which:
            pair = _pair(said[index], parts, mode=mode)
            if pair is not None and pair.f1 > 0:
                candidates.append(PossibleMatch(gold, index, pair))
    return sorted(candidates, key=lambda candidate: -candidate.pair.f1)


def _pair(one: ExtractionWords, parts: Wire57Tuple, *, mode: Mode) -> PairWords | None:
    """Return the counts of a pair, or None where it may not match."""
    right = said = found = wanted = 0
    for place, part in enumerate(parts):
        if place >= len(one.words):
            wanted += part.stated
            continue
        words = one.words[place]
        if mode == "corrected":
            shared = len(one.bags[place] & part.bag)
            shared_stated = len(one.bags[place] & part.stated_bag)
        else:
            shared = shared_stated = sum(word in part.words for word in words)
        if place < len(SLOTS) and not shared and part.stated:
            return None
        right += shared
        said += len(words)
        found += shared_stated
        wanted += part.stated
    if mode == "corrected":
        said = one.length
    return PairWords(right, said, found, wanted)


def is_exact(one: ExtractionWords, parts: Wire57Tuple, *, mode: Mode) -> bool:
    """Tell whether the texts are those of the gold tuple, inferred words with them.

    The released scorer does not look at arguments that the gold tuple lacks.
    """
    texts = one.texts if mode == "corrected" else one.texts[: len(parts)]
    return texts == tuple(part.text for part in parts)

"""How an extraction fares against a gold tuple of CaRB, and which pairs are taken."""

from collections.abc import Sequence
from typing import NamedTuple

from evaluator.gold.carb.data import GoldTuple, Words, WordsOf


class BinaryExtraction(NamedTuple):
    """An extraction, binary.

    Attributes
    ----------
    predicate, arguments
        Its words; at most two arguments.
    be
        How often the predicate has the word "be".
    """

    predicate: Words
    arguments: tuple[Words, ...]
    be: int


class Pair(NamedTuple):
    """A gold tuple and an extraction that match, by their indexes in the sentence."""

    gold: int
    said: int
    precision: float
    recall: float


def words_of(slots: Sequence[str], words: WordsOf) -> BinaryExtraction:
    """Return the words of the slots of an extraction, its predicate first."""
    text, *arguments = slots
    predicate = words[text]
    be = text.split().count("be") if "be" in predicate.bag else 0
    return BinaryExtraction(predicate, words.binary(arguments), be)


def once(
    said: Sequence[BinaryExtraction], ranks: Sequence[float]
) -> list[tuple[int, BinaryExtraction]]:
    """Return the extractions with their indexes; of those that say the same, the best ranked."""
    first: dict[BinaryExtraction, int] = {}
    for k in sorted(range(len(said)), key=lambda k: -ranks[k]):
        first.setdefault(said[k], k)
    return sorted((k, one) for one, k in first.items())


def pairs_of(
    said: Sequence[tuple[int, BinaryExtraction]], tuples: Sequence[GoldTuple], *, corrected: bool
) -> list[Pair]:
    """Return the pairs that match, the largest precision first, then in file order."""
    pairs = []
    for which, other in enumerate(tuples):
        for k, one in said:
            shared = len(one.predicate.bag & other.predicate.bag)
            if one.be and other.be and _be_is_left(one, other, corrected=corrected):
                shared += 1
            if shared and len(one.arguments) >= len(other.arguments):
                pairs.append(Pair(which, k, *_overlap(shared, one, other, surplus=corrected)))
    return sorted(pairs, key=lambda pair: -pair.precision)


def _be_is_left(one: BinaryExtraction, other: GoldTuple, *, corrected: bool) -> bool:
    """Tell whether a "be" of the extraction has no "be" of its own in the gold predicate.

    In the corrected mode a form of be must be left there for it, too.
    """
    left = one.be > sum(word == "be" or word[0] == "be" for word in other.be)
    return left and (not corrected or bool(other.be - one.predicate.bag))


def _overlap(
    shared: int, one: BinaryExtraction, other: GoldTuple, *, surplus: bool
) -> tuple[float, float]:
    """Return precision and recall of a pair whose predicates share so many words.

    Of two orders of the arguments, where either will do, the one with the larger precision.
    """
    best = (0.0, 0.0)
    turned = other.saying and len(one.arguments) > 1
    for arguments in (one.arguments, one.arguments[::-1]) if turned else (one.arguments,):
        right, said = shared, one.predicate.size
        for mine, theirs in zip(arguments, other.arguments, strict=False):
            right += len(mine.bag & theirs.bag)
            said += mine.size
        if surplus:
            said += sum(argument.size for argument in arguments[len(other.arguments) :])
        best = max(best, (right / said, right / other.size))
    return best

"""Relations compared without a WordNet: the same words are the same relation, others are not.

Nothing here knows a sense. What is compared are whole relations, "born in" with "born in", so that
a word in common ("in") says nothing. Scores are those of
:class:`~evaluator.wordnet.similarity.JiangConrath`, which meets them in matching.
"""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from evaluator.wordnet.similarity import IDENTICAL, Similarity


class EqualWords:
    """A measure by which each relation is like itself alone."""

    def relations(self, words1: Sequence[str], words2: Sequence[str]) -> Similarity:
        """Return the first pair of equals, or of all the first pair, which has nothing in common.

        A relation without words has nothing in common with any other (score 0, empty words).
        """
        equal = next((word for word in words1 if word in words2), None)
        if equal is not None:
            return Similarity(IDENTICAL, equal, equal)
        return (
            Similarity(0.0, words1[0], words2[0]) if words1 and words2 else Similarity(0.0, "", "")
        )

    def distances(self, words1: Sequence[str], words2: Sequence[str]) -> NDArray[np.float64]:
        """Return 0 for equals and infinity for others; shape ``(len(words1), len(words2))``."""
        place = {word: number for number, word in enumerate(dict.fromkeys((*words1, *words2)))}
        ones, others = ([place[word] for word in words] for words in (words1, words2))
        return np.where(np.equal.outer(ones, others), 0.0, math.inf)

"""Words that known facts are stated with: what stands around two entities that D joins.

Distant supervision (Mintz et al. 2009): a text that names both entities of a known fact of r' is
taken to state it, so that the content words there are words for r'. Many are not; but what stands
with the facts of r' much more often than with those of other relations mostly is. For "performance"
of Freebase, an actor in a film, these are *star*, *role*, *film*, *direct*, *portray*, *cast*.

A *context* is a document and a known fact whose entities stand near each other in it; words are
counted once in each (:mod:`indexes.text.patterns` finds them). The counts are additive over
documents. They lean on D, as its facts are their only examples: a fact that D holds and that is
judged by the text later has brought its own words in.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from evaluator.wordnet.lexicon import wordnet

BETWEEN = 12
"""Most words between the two entities of a context."""

AROUND = 4
"""Words before and after the two that belong to the context."""

LEAST_CONTEXTS = 20
"""Contexts that a relation needs, else nothing is said of its words."""

LEAST_WITH_WORD = 8
"""Contexts of the relation that a word needs to be in."""

LEAST_LIFT = math.exp(2)
"""How much more often a word must stand with the relation than with others, for its word."""

MOST_WORDS = 14
"""Words that stand for a relation, at most."""


@dataclass
class ContextCounts:
    """How often words stand with the facts of one relation.

    Attributes
    ----------
    contexts
        Contexts of the relation.
    words
        Of these, how many hold a lemma.
    """

    contexts: int = 0
    words: Counter[str] = field(default_factory=Counter)

    def add(self, lemmas: Iterable[str]) -> None:
        """Count one context, which holds `lemmas`."""
        self.contexts += 1
        self.words.update(set(lemmas))


class MinedWord(NamedTuple):
    """A word that the facts of a relation are stated with.

    Attributes
    ----------
    word
        Its lemma.
    weight
        1 - q / p, where the word stands in the share p of the relation's contexts and q of those of
        other relations: the share of its occurrences that the other relations do not explain.
    contexts
        The relation's contexts that hold it.
    """

    word: str
    weight: float
    contexts: int


def context_lemmas(
    words: Sequence[str], first: tuple[int, int], second: tuple[int, int]
) -> set[str]:
    """Return the content lemmas of a context in a text of `words`.

    Parameters
    ----------
    words
        The text's tokens as it spells them: one that begins with a capital letter is taken for a
        part of a name, and left out.
    first, second
        The spans of the two entities, in this order, not overlapping.
    """
    around = (
        *words[max(0, first[0] - AROUND) : first[0]],
        *words[first[1] : second[0]],
        *words[second[1] : second[1] + AROUND],
    )
    lemmas = {_content_lemma(word) for word in around}
    return {lemma for lemma in lemmas if lemma is not None}


def characteristic_words(counts: Mapping[str, ContextCounts]) -> dict[str, tuple[MinedWord, ...]]:
    """Return the words that stand for each relation, the most telling first.

    Of the words that stand with the relation in :data:`LEAST_WITH_WORD` contexts and
    :data:`LEAST_LIFT` times as often as with others, the :data:`MOST_WORDS` with the greatest
    n log(p / q), the evidence that their n contexts give; q is smoothed by one context. A relation
    of less than :data:`LEAST_CONTEXTS` contexts, or without such words, is left out.
    """
    contexts = sum(count.contexts for count in counts.values())
    totals: Counter[str] = Counter()
    for count in counts.values():
        totals.update(count.words)

    told = {}
    for relation, count in sorted(counts.items()):
        if count.contexts < LEAST_CONTEXTS:
            continue
        found = []
        for word, number in count.words.items():
            if number < LEAST_WITH_WORD:
                continue
            elsewhere = (totals[word] - number + 1) / (contexts - count.contexts + 1)
            lift = number / count.contexts / elsewhere
            if lift >= LEAST_LIFT:
                evidence = number * math.log(lift)
                found.append((-evidence, MinedWord(word, 1 - 1 / lift, number)))
        if found:
            told[relation] = tuple(word for _, word in sorted(found)[:MOST_WORDS])
    return told


@lru_cache(maxsize=1 << 16)
def _content_lemma(written: str) -> str | None:
    """Return the content lemma of a token that is not capitalised."""
    return None if written[0].isupper() else wordnet().content_lemma(written.casefold())

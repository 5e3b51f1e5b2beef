"""What a run knows of the words of relations: WordNet, one of another language, or none.

Everything that asks what a word of a relation is gets a :class:`Lexicon`, a value of a few bytes
that goes to other processes as it is, and opens there what it names.

=====================  =======================  =========================  =========================
of a relation          the shipped WordNet      one of another language    none
=====================  =======================  =========================  =========================
its words              lemmas of its nouns and  all                        all, but for function
                       verbs                                               words of English
what names it          the head lemma           these words                these words
what is compared       each lemma               the words as a whole, and  the words as a whole
                                                those with senses
what queries hold      each inflection          the words as they stand    the words as they stand
=====================  =======================  =========================  =========================

Beside English nothing is known of function words, of negation and hedges, nor of inflection.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from evaluator.function_words import FUNCTION_WORDS
from evaluator.wordnet.equal_words import EqualWords
from evaluator.wordnet.lexicon import wordnet
from evaluator.wordnet.open_multilingual import OpenWordNet, open_multilingual
from evaluator.wordnet.similarity import JiangConrath, similarity

type Measure = JiangConrath | EqualWords
"""How alike relations are."""

SHIPPED, NONE = "english", "none"


@dataclass(frozen=True)
class Lexicon:
    """Which words of relations are known.

    Attributes
    ----------
    source
        The shipped WordNet, none, or a file of another language
        (:mod:`evaluator.wordnet.open_multilingual`).
    english
        Whether the text is English, so that function words, negations and hedges are known.

    Examples
    --------
    >>> Lexicon().forms("visit")
    ('visit', 'visited', 'visiting', 'visits')
    >>> Lexicon("none", english=False).compared("ist Präsident von")
    ('ist Präsident von',)
    """

    source: Literal["english", "none"] | Path = "english"
    english: bool = True

    @property
    def is_shipped(self) -> bool:
        """Whether this is the shipped WordNet, so that lemmas and heads are known."""
        return self.source == SHIPPED

    @property
    def content_lemma(self) -> Callable[[str], str | None]:
        """What gives the lemma of a token as a relation word, or None where it is none.

        Without the shipped WordNet a token with a letter in it is its own lemma.
        """
        return wordnet().content_lemma if self.is_shipped else self._word

    def _word(self, token: str) -> str | None:
        if self.english and token in FUNCTION_WORDS:
            return None
        return token if any(map(str.isalpha, token)) else None

    def forms(self, word: str) -> tuple[str, ...]:
        """Return every token that stands for a word of a relation in a text."""
        return wordnet().forms(word) if self.is_shipped else (word,)

    def compared(self, relation: str) -> tuple[str, ...]:
        """Return what a relation, words joined by spaces, is compared by."""
        words = tuple(relation.split())
        if self.is_shipped or not words:
            return words
        known = self._open
        return tuple(dict.fromkeys((relation, *(w for w in words if known and w in known))))

    def compared_names(self, names: Iterable[Iterable[str]]) -> tuple[str, ...]:
        """Return what a relation of a database is compared by: each of its names, in words."""
        found = (word for name in names for word in self.compared(" ".join(name)))
        return tuple(dict.fromkeys(found))

    def measure(
        self, *, ic: Path | None = None, derivations: bool = False, sense_share: float = 0.0
    ) -> Measure:
        """Return what tells how alike relations are: :class:`EqualWords` where there is no WordNet.

        Parameters are those of :func:`evaluator.wordnet.similarity.similarity`.

        Raises
        ------
        InputError
            Where a file is missing or damaged.
        """
        if self.source == NONE:
            return EqualWords()
        words = self.source if isinstance(self.source, Path) else None
        return similarity(ic, derivations=derivations, sense_share=sense_share, words=words)

    @property
    def _open(self) -> OpenWordNet | None:
        return open_multilingual(self.source) if isinstance(self.source, Path) else None


ENGLISH = Lexicon()
"""The shipped WordNet."""

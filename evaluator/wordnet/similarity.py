"""Jiang-Conrath similarity of relation words: how a relation of a text meets one of a database.

Bronzi et al. (2012, section 2.2) match a fact's relation with a relation of the database by the
greatest similarity between their words, after Jiang and Conrath (1997): senses are close when
little information separates them from what both of them are. With IC(s) = -ln p(s)
(:mod:`evaluator.wordnet.information_content`),

    similarity(s1, s2) = 1 / (IC(s1) + IC(s2) - 2 IC(lcs(s1, s2)))

where lcs, the least common subsumer, is the most informative of their common ancestors in
WordNet. Of two words the closest pair of senses counts, nouns against nouns and verbs against
verbs. A word is a lemma; ``place.n`` and ``bear.v`` are a lemma as a noun and as a verb only.

The scores are those of NLTK's ``jcn_similarity``, so that thresholds carry over:

* one sense with itself, and two senses that no information separates, score :data:`IDENTICAL`;
* a sense that is the root of all of its part of speech scores 0 with any other;
* verbs without a common ancestor are compared as if below one root of no information.

There is one deviation. A sense that no count has seen has infinite information, and here it scores
0 with every other sense. NLTK puts 1e300 in place of infinity: two unseen senses with an unseen
ancestor in common cancel out and become "identical", which would make rare words match anything
near them.

Two options change which senses a word has. ``sense_share`` leaves out senses that the word hardly
ever has, so that "make" and "hold" are no longer identical; ``derivations`` adds senses of the
other part of speech that WordNet links to its own, so that "bear" and "birth" are.
"""

import math
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Literal, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from evaluator.errors import ConfigurationError
from evaluator.wordnet.information_content import InformationContent
from evaluator.wordnet.lexicon import wordnet
from evaluator.wordnet.open_multilingual import open_multilingual
from evaluator.wordnet.similarity_table import Meeting, least_distances

__all__ = [
    "IDENTICAL",
    "Explanation",
    "InformationContent",
    "JiangConrath",
    "Similarity",
    "default_similarity",
    "score_of",
    "similarity",
]

IDENTICAL = 1e300
"""The score of what is the same: NLTK's stand-in for infinity."""

_PARTS = ("n", "v")

type MeetingPlace = int | str
"""Where words meet: the row of an ancestor; -1 and -2, roots of no information above all nouns and
all verbs; -3 - row, a sense that meets only itself; a word without senses."""

type WordProfile = dict[MeetingPlace, tuple[float, int, int]]
"""By meeting place: information in nats of the least informative sense of a word below it; that
sense's place among the word's senses; its row, -1 for a word without senses."""


type Verdict = Literal[
    "identical", "related", "no common subsumer", "no sense", "nothing in common"
]
"""What a score of two words means; :class:`Explanation` tells them apart."""


class Similarity(NamedTuple):
    """A similarity and where it comes from.

    Attributes
    ----------
    score
        Jiang-Conrath similarity; 0 for nothing in common, :data:`IDENTICAL` for the same.
    word1, word2
        The words (lemmas) compared; of two relations, their closest words.
    sense1, sense2
        Names of their closest senses, such as ``visit.v.01``; None for a word that WordNet lacks
        and for words with nothing in common.
    subsumer
        Name of the most informative common ancestor; None where there is none.
    """

    score: float
    word1: str
    word2: str
    sense1: str | None = None
    sense2: str | None = None
    subsumer: str | None = None

    def swapped(self) -> "Similarity":
        """Return the similarity as seen from the other side."""
        return Similarity(
            self.score, self.word2, self.word1, self.sense2, self.sense1, self.subsumer
        )  # fmt: skip


class Explanation(NamedTuple):
    """A similarity of two words with the figures that make it.

    Attributes
    ----------
    similarity
        The score, the closest senses and their common subsumer.
    content1, content2, content
        Information content in nats of the two senses and of the subsumer; None where there is none.
        An unseen sense has an infinite one.
    verdict
        ``"identical"``; ``"related"`` through a common subsumer; ``"no common subsumer"``, verbs
        below different roots, whose score only says how frequent they are; ``"no sense"``, a word
        that WordNet lacks; ``"nothing in common"``, as of a noun and a verb.
    """

    similarity: Similarity
    content1: float | None
    content2: float | None
    content: float | None
    verdict: Verdict


class Senses(Protocol):
    """What is asked of a WordNet: the senses of words, and what is above a sense."""

    def senses(self, lemma: str, pos: str, /) -> tuple[int, ...]:
        """Return the rows of the senses of a lemma."""

    def tags(self, lemma: str, pos: str, /) -> tuple[int, ...]:
        """Return how often a lemma is tagged with each of them."""

    def derivations(self, lemma: str, pos: str, /) -> tuple[tuple[int, ...], ...]:
        """Return the senses that derivation links each of them to."""

    def pos(self, row: int, /) -> str:
        """Return the part of speech of a sense."""

    def ancestors(self, row: int, /) -> tuple[int, ...]:
        """Return the rows of a sense and of all above it."""

    def sense_name(self, row: int, /) -> str:
        """Return what a sense is called."""


class JiangConrath:
    """Jiang-Conrath similarity of senses, words and relations.

    Parameters
    ----------
    wordnet
        The senses: a :class:`~evaluator.wordnet.lexicon.WordNet`, or one of another language
        (:mod:`evaluator.wordnet.open_multilingual`).
    information_content
        How much each of them says.
    derivations
        Whether a word also has the senses that its own are derivationally linked to: those that
        WordNet links to this very word, not to another word of the sense. That way *born* reaches
        *birth*; links of all words of a sense reach further, and more often what is wrong.
    sense_share
        A sense with less than this share of the word's tagged occurrences, in its part of speech,
        is left out. The first sense never is, nor any sense of a word without tags.

    Raises
    ------
    ConfigurationError
        For a `sense_share` outside 0 to 1.

    Examples
    --------
    >>> from evaluator.wordnet.lexicon import wordnet
    >>> similarity = JiangConrath(wordnet(), InformationContent.from_sense_counts(wordnet()))
    >>> similarity.words("president", "leader").subsumer
    'leader.n.01'
    """

    def __init__(
        self,
        wordnet: Senses,
        information_content: InformationContent,
        *,
        derivations: bool = False,
        sense_share: float = 0.0,
    ) -> None:
        if not 0 <= sense_share <= 1:
            raise ConfigurationError(f"sense_share is {sense_share}; it must be between 0 and 1")
        self._wordnet = wordnet
        self._information_content = information_content
        self._derivations = derivations
        self._sense_share = sense_share
        self._made_by: tuple[Path | None, bool, float, Path | None] | None = None
        self._content: list[float] = information_content.content.tolist()
        self._profile = lru_cache(maxsize=1 << 14)(self._make_profile)
        self._closest_senses = lru_cache(maxsize=1 << 17)(self._find_closest_senses)
        self._similarity = lru_cache(maxsize=1 << 14)(self._compare)

    def __reduce__(self) -> tuple[Any, ...]:
        if self._made_by is not None:
            return _made_once, self._made_by
        arguments = (self._wordnet, self._information_content)
        return _made_again, (*arguments, self._derivations, self._sense_share)

    @property
    def information_content(self) -> InformationContent:
        """How much each sense says."""
        return self._information_content

    def senses(self, row1: int, row2: int) -> float:
        """Return the similarity of two senses (rows of WordNet) of the same part of speech."""
        if row1 == row2:
            return IDENTICAL
        content1, content2 = self._content[row1], self._content[row2]
        if content1 == 0 or content2 == 0 or math.inf in (content1, content2):
            return 0.0
        subsumer = self._subsumer(row1, row2)
        shared = 0.0 if subsumer is None else self._content[subsumer]
        return score_of(_between(content1, content2, shared))

    def words(self, word1: str, word2: str) -> Similarity:
        """Return the similarity of two words (lemmas): that of their closest senses.

        Equal words are identical, also where WordNet lacks them. Of equally close senses WordNet's
        first ones count; the same words in the other order give the same score and senses.
        """
        if word1 > word2:
            return self._similarity(word2, word1).swapped()
        return self._similarity(word1, word2)

    def explain(self, word1: str, word2: str) -> Explanation:
        """Return the similarity of two words with the figures that make it."""
        found = self.words(word1, word2)
        if word1 > word2:
            _, row2, row1 = self._closest_senses(word2, word1)
        else:
            _, row1, row2 = self._closest_senses(word1, word2)
        subsumer = None if row1 is None or row2 is None else self._subsumer(row1, row2)
        content1, content2, content = (
            None if row is None else self._content[row] for row in (row1, row2, subsumer)
        )
        verdict: Verdict
        if found.score == IDENTICAL:
            verdict = "identical"
        elif not (self.has_senses(word1) and self.has_senses(word2)):
            verdict = "no sense"
        elif row1 is None:
            verdict = "nothing in common"
        else:
            verdict = "no common subsumer" if subsumer is None else "related"
        return Explanation(found, content1, content2, content, verdict)

    def has_senses(self, word: str) -> bool:
        """Tell whether WordNet has senses by which `word` can be compared."""
        return bool(self._senses_of(word))

    def relations(self, words1: Sequence[str], words2: Sequence[str]) -> Similarity:
        """Return the similarity of two relations: that of their closest words.

        Of equally close pairs the first counts, in the order of `words1`, then of `words2`. A
        relation without words has nothing in common with any other (score 0, empty words).
        """
        pairs = ((word1, word2) for word1 in words1 for word2 in words2)
        closest = min(pairs, key=lambda pair: self._distance(*pair), default=None)
        return self.words(*closest) if closest else Similarity(0.0, "", "")

    def score(self, words1: Sequence[str], words2: Sequence[str]) -> float:
        """Return the score of :meth:`relations` alone, which takes a third of the time."""
        pairs = (self._distance(word1, word2) for word1 in words1 for word2 in words2)
        return score_of(min(pairs, default=math.inf))

    def table(self, words1: Sequence[str], words2: Sequence[str]) -> NDArray[np.float64]:
        """Return the score of each of `words1` with each of `words2`, as :meth:`words` gives it.

        Returns
        -------
        numpy.ndarray
            Shape ``(len(words1), len(words2))``; equal to the scores of :meth:`words` to the bit.
        """
        distances = self.distances(words1, words2)
        identical = distances == 0
        with np.errstate(divide="ignore"):
            scores = np.divide(1.0, distances, out=distances)
        scores[identical] = IDENTICAL
        return scores

    def distances(self, words1: Sequence[str], words2: Sequence[str]) -> NDArray[np.float64]:
        """Return the information between words, in nats: the reciprocals of :meth:`table`.

        0 for identical words, infinite for words with nothing in common.
        """
        return least_distances(
            [list(self._meetings(word)) for word in words1],
            [list(self._meetings(word)) for word in words2],
            self._information_at,
        )

    def _meetings(self, word: str) -> Iterator[Meeting[MeetingPlace]]:
        return ((place, content) for place, (content, _, _) in self._profile(word).items())

    def _information_at(self, place: MeetingPlace) -> float:
        """Return the information that two words have in common where they meet at `place`."""
        return self._content[place] if isinstance(place, int) and place >= 0 else 0.0

    def _compare(self, word1: str, word2: str) -> Similarity:
        distance, row1, row2 = self._closest_senses(word1, word2)
        if row1 is None or row2 is None:
            return Similarity(score_of(distance), word1, word2)
        subsumer = self._subsumer(row1, row2)
        return Similarity(
            score_of(distance),
            word1,
            word2,
            self._wordnet.sense_name(row1),
            self._wordnet.sense_name(row2),
            None if subsumer is None else self._wordnet.sense_name(subsumer),
        )

    def _distance(self, word1: str, word2: str) -> float:
        """Return the information between two words, in nats: the reciprocal of their score."""
        if word1 > word2:
            word1, word2 = word2, word1
        return self._closest_senses(word1, word2)[0]

    def _find_closest_senses(
        self, word1: str, word2: str
    ) -> tuple[float, int, int] | tuple[float, None, None]:
        """Return the information between two words and the rows of their closest senses.

        The words are as far from each other as the least, over the places where they meet, of what
        separates them there: the closest senses come out without a look at every pair of senses.
        """
        profile1, profile2 = self._profile(word1), self._profile(word2)
        meetings = [
            (
                _between(content1, content2, self._information_at(place)),
                order1,
                order2,
                row1,
                row2,
            )
            for place, (content1, order1, row1) in profile1.items()
            if place in profile2
            for content2, order2, row2 in (profile2[place],)
        ]
        distance, _, _, row1, row2 = min(meetings, default=(math.inf, 0, 0, -1, -1))
        return (distance, row1, row2) if row1 >= 0 else (distance, None, None)

    def _make_profile(self, word: str) -> WordProfile:
        """Return where the senses of a word can meet those of another, and what they say.

        They meet at each ancestor, themselves among them, and at a root above all of a part of
        speech. A sense that scores 0 with every other sense, as one that is unseen, meets only
        itself; so does a word without senses.
        """
        profile: WordProfile = {}
        for order, row in enumerate(self._senses_of(word)):
            content = self._content[row]
            if content == 0 or content == math.inf:
                profile[-3 - row] = (0.0, order, row)
                continue
            root = -1 if self._wordnet.pos(row) == "n" else -2
            above = (place for place in self._wordnet.ancestors(row) if self._content[place])
            for place in (*above, root):  # those without information say what the root says
                nearest = (content, order, row)
                if place not in profile or nearest < profile[place]:
                    profile[place] = nearest
        return profile or {word: (0.0, 0, -1)}

    def _senses_of(self, word: str) -> list[int]:
        """Return the distinct senses that a word is compared by: its own ones, then linked ones."""
        lemma, parts = _lemma_and_parts(word)
        own, linked = [], []
        for pos in parts:
            tags = self._wordnet.tags(lemma, pos)
            least = self._sense_share * sum(tags)
            kept = [order == 0 or count >= least for order, count in enumerate(tags)]
            senses = self._wordnet.senses(lemma, pos)
            own += [row for row, keep in zip(senses, kept, strict=True) if keep]
            if self._derivations:
                links = zip(self._wordnet.derivations(lemma, pos), kept, strict=True)
                linked += [row for rows, keep in links if keep for row in rows]
        return list(dict.fromkeys(own + linked))

    def _subsumer(self, row1: int, row2: int) -> int | None:
        """Return the most informative common ancestor, of equally informative ones the lowest."""
        above2 = set(self._wordnet.ancestors(row2))
        return max(
            (row for row in self._wordnet.ancestors(row1) if row in above2),
            key=lambda row: (self._content[row], len(self._wordnet.ancestors(row)), -row),
            default=None,
        )


def similarity(
    ic: Path | None = None,
    *,
    derivations: bool = False,
    sense_share: float = 0.0,
    words: Path | None = None,
) -> JiangConrath:
    """Return the similarity over the shipped WordNet, made once per process and choice of options.

    Pickled, it is only these parameters: where it is unpickled, the file must be there too.

    Parameters
    ----------
    ic
        A file of information content (:meth:`InformationContent.from_nltk_file`); None for
        WordNet's own sense counts.
    derivations, sense_share
        Which senses a word has; see :class:`JiangConrath`.
    words
        A file of another language's words for these senses
        (:mod:`evaluator.wordnet.open_multilingual`); None for the English ones.

    Raises
    ------
    InputError
        Where a file is missing or damaged.
    """
    return _made_once(ic, derivations, sense_share, words)


def default_similarity() -> JiangConrath:
    """Return the similarity over the shipped WordNet and its own sense counts; made once."""
    return similarity()


@cache
def _made_once(
    ic: Path | None, derivations: bool, sense_share: float, words: Path | None
) -> JiangConrath:
    shipped = wordnet()
    content = (
        InformationContent.from_sense_counts(shipped)
        if ic is None
        else InformationContent.from_nltk_file(ic, shipped)
    )
    senses = shipped if words is None else open_multilingual(words)
    made = _made_again(senses, content, derivations, sense_share)
    made._made_by = (ic, derivations, sense_share, words)  # so that a process makes it once, too
    return made


def _made_again(
    wordnet: Senses, content: InformationContent, derivations: bool, sense_share: float
) -> JiangConrath:
    return JiangConrath(wordnet, content, derivations=derivations, sense_share=sense_share)


def _between(content1: float, content2: float, shared: float) -> float:
    """Return the information between two senses, by NLTK's arithmetic.

    Never negative: the counts of a foreign file may be rounded.
    """
    return max(0.0, content1 + content2 - 2 * shared)


def score_of(distance: float) -> float:
    """Return the score of words or senses that so much information separates, in nats."""
    return 1 / distance if distance else IDENTICAL


def _lemma_and_parts(word: str) -> tuple[str, tuple[str, ...]]:
    """Read ``place.n`` as a noun, ``bear.v`` as a verb, and any other word as both."""
    lemma, _, part = word.rpartition(".")
    return (lemma, (part,)) if lemma and part in _PARTS else (word, _PARTS)

"""Jiang-Conrath similarity of relation words: how a relation of a text meets one of a database.

Bronzi et al. (2012, section 2.2) match a fact's relation with a relation of the database by the
greatest similarity between their words, after Jiang and Conrath (1997): senses are close when
little information separates them from what both of them are. With IC(s) = -ln p(s),

    similarity(s1, s2) = 1 / (IC(s1) + IC(s2) - 2 IC(lcs(s1, s2)))

where lcs, the least common subsumer, is the most informative of their common ancestors in
WordNet. Of two words the closest pair of senses counts, nouns against nouns and verbs against
verbs.

The scores are those of NLTK's ``jcn_similarity``, so that thresholds carry over:

* one sense with itself, and two senses that no information separates, score :data:`IDENTICAL`;
* a sense that is the root of all of its part of speech scores 0 with any other;
* verbs without a common ancestor are compared as if below one root of no information.

There is one deviation. A sense that no count has seen has infinite information, and here it scores
0 with every other sense. NLTK puts 1e300 in place of infinity: two unseen senses with an unseen
ancestor in common cancel out and become "identical", which would make rare words match anything
near them.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from evaluator.errors import InputError
from evaluator.wordnet import WordNet, wordnet

IDENTICAL = 1e300
"""The score of what is the same: NLTK's stand-in for infinity."""

type Profile = dict[int, tuple[float, int, int]]
"""By meeting place: information in nats between it and the nearest sense of a word; that sense's
place among the word's senses; its row."""


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


@dataclass(frozen=True, eq=False)
class InformationContent:
    """How much each sense says: -ln of the share of occurrences that are the sense or below it.

    Attributes
    ----------
    source
        Name of the counts, for signatures.
    counts
        Occurrences of each sense or of a sense below it; shape ``(len(wordnet),)``.
    content
        Information content in nats, same shape; infinite for an unseen sense.
    totals
        All occurrences of nouns (``"n"``) and of verbs (``"v"``).
    """

    source: str
    counts: NDArray[np.float64]
    content: NDArray[np.float64]
    totals: dict[str, float]

    @classmethod
    def from_sense_counts(cls, wordnet: WordNet) -> Self:
        """Count with the sense tags that come with WordNet (``cntlist.rev``), the default.

        The tags of a sense are added once to each of its ancestors, however many paths lead there.
        """
        own = wordnet.sense_counts
        counts = [0.0] * len(wordnet)
        for row in np.flatnonzero(own).tolist():
            tags = float(own[row])
            for ancestor in wordnet.ancestors(row):
                counts[ancestor] += tags
        totals = {pos: float(own[_slice(wordnet.rows(pos))].sum()) for pos in ("n", "v")}
        return cls._from_counts(wordnet, "WordNet 3.0 sense counts", np.array(counts), totals)

    @classmethod
    def from_nltk_file(cls, path: Path, wordnet: WordNet) -> Self:
        """Read an ``ic-*.dat`` file of NLTK's ``wordnet_ic`` (or of WordNet::Similarity).

        Each line after the first is ``<offset><n or v> <count>``, with ``ROOT`` behind a root.

        Raises
        ------
        InputError
            Where the file is missing, is none of these files, or is for another WordNet.
        """
        try:
            text = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            problem = error.strerror if isinstance(error, OSError) else "not UTF-8 text"
            raise InputError(path, f"{problem}; give one of NLTK's ic-*.dat files") from error
        header, *lines = text.splitlines() or [""]
        if not header.startswith("wnver::") or not lines:
            raise InputError(path, "no header wnver::; give one of NLTK's ic-*.dat files", line=1)
        counts = np.zeros(len(wordnet))
        totals = {"n": 0.0, "v": 0.0}
        for number, line in enumerate(lines, start=2):
            sense, count, root = _ic_line(path, number, line)
            row = wordnet.row(*sense)
            if row is None:
                raise InputError(
                    path, f"WordNet 3.0 has no synset {sense[1]}{sense[0]}", line=number
                )
            counts[row] = count
            if root:
                totals[sense[0]] += count
        if not all(totals.values()):
            raise InputError(path, "no count at a ROOT of nouns or of verbs")
        return cls._from_counts(wordnet, path.name, counts, totals)

    @classmethod
    def _from_counts(
        cls,
        wordnet: WordNet,
        source: str,
        counts: NDArray[np.float64],
        totals: dict[str, float],
    ) -> Self:
        content = np.full(len(wordnet), math.inf)
        for pos, total in totals.items():
            rows = _slice(wordnet.rows(pos))
            # One logarithm per distinct count, by math.log: bit for bit what NLTK computes.
            distinct, where = np.unique(counts[rows], return_inverse=True)
            information = [-math.log(count / total) if count else math.inf for count in distinct]
            content[rows] = np.array(information)[where]
        counts.flags.writeable = content.flags.writeable = False
        return cls(source, counts, content, totals)


class JiangConrath:
    """Jiang-Conrath similarity of senses, words and relations.

    Examples
    --------
    >>> from evaluator.wordnet import wordnet
    >>> similarity = JiangConrath(wordnet(), InformationContent.from_sense_counts(wordnet()))
    >>> similarity.words("president", "leader").subsumer
    'leader.n.01'
    """

    def __init__(self, wordnet: WordNet, information_content: InformationContent) -> None:
        self._wordnet = wordnet
        self._information_content = information_content
        self._content: list[float] = information_content.content.tolist()
        self._profile = lru_cache(maxsize=1 << 14)(self._make_profile)
        self._closest_senses = lru_cache(maxsize=1 << 17)(self._find_closest_senses)
        self._similarity = lru_cache(maxsize=1 << 14)(self._compare)

    def __reduce__(self) -> tuple[Any, ...]:
        return JiangConrath, (self._wordnet, self._information_content)

    def senses(self, row1: int, row2: int) -> float:
        """Return the similarity of two senses (rows of WordNet) of the same part of speech."""
        if row1 == row2:
            return IDENTICAL
        content1, content2 = self._content[row1], self._content[row2]
        if content1 == 0 or content2 == 0 or math.inf in (content1, content2):
            return 0.0
        subsumer = self._subsumer(row1, row2)
        shared = 0.0 if subsumer is None else self._content[subsumer]
        return _score(content1 + content2 - 2 * shared)

    def words(self, word1: str, word2: str) -> Similarity:
        """Return the similarity of two words (lemmas): that of their closest senses.

        Equal words are identical, also where WordNet lacks them. Of equally close senses WordNet's
        first ones count; the same words in the other order give the same score and senses.
        """
        if word1 > word2:
            return self._similarity(word2, word1).swapped()
        return self._similarity(word1, word2)

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
        return _score(min(pairs, default=math.inf))

    def _compare(self, word1: str, word2: str) -> Similarity:
        distance, row1, row2 = self._closest_senses(word1, word2)
        if row1 is None or row2 is None:
            return Similarity(_score(distance), word1, word2)
        subsumer = self._subsumer(row1, row2)
        return Similarity(
            _score(distance),
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

        The words are as far from each other as the least sum, over the places where they meet, of
        the information between either word and the place: their closest senses and the least common
        subsumer of these come out together, without a look at every pair of senses.
        """
        profile1, profile2 = self._profile(word1), self._profile(word2)
        places = profile1.keys() & profile2.keys()
        if not places:
            return (0.0 if word1 == word2 else math.inf), None, None
        *_, place = min(
            (profile1[place][0] + profile2[place][0], profile1[place][1], profile2[place][1], place)
            for place in places
        )
        row1, row2 = profile1[place][2], profile2[place][2]
        if row1 == row2:
            return 0.0, row1, row2
        shared = self._content[place] if place >= 0 else 0.0
        return self._content[row1] + self._content[row2] - 2 * shared, row1, row2

    def _make_profile(self, word: str) -> Profile:
        """Return where the senses of a word can meet those of another, and how far that is.

        They meet at each ancestor (its row), at a root of no information above all of a part of
        speech (-1 and -2), and each sense meets itself (below -2). A sense that scores 0 with every
        other sense, as one that is unseen, meets only itself.
        """
        profile: Profile = {}
        nouns, verbs = (self._wordnet.senses(word, pos) for pos in ("n", "v"))
        for order, row in enumerate(nouns + verbs):
            content = self._content[row]
            profile[-3 - row] = (0.0, order, row)
            if content == 0 or content == math.inf:
                continue
            root = -1 if row in nouns else -2
            for place in (*self._wordnet.ancestors(row), root):
                above = self._content[place] if place >= 0 else 0.0
                nearest = (content - above, order, row)
                if place not in profile or nearest < profile[place]:
                    profile[place] = nearest
        return profile

    def _subsumer(self, row1: int, row2: int) -> int | None:
        """Return the most informative common ancestor, of equally informative ones the lowest."""
        above2 = set(self._wordnet.ancestors(row2))
        return max(
            (row for row in self._wordnet.ancestors(row1) if row in above2),
            key=lambda row: (self._content[row], len(self._wordnet.ancestors(row)), -row),
            default=None,
        )


@cache
def default_similarity() -> JiangConrath:
    """Return the similarity over the shipped WordNet and its own sense counts; made once."""
    shipped = wordnet()
    return JiangConrath(shipped, InformationContent.from_sense_counts(shipped))


def _score(distance: float) -> float:
    return 1 / distance if distance else IDENTICAL


def _slice(rows: range) -> slice:
    return slice(rows.start, rows.stop)


def _ic_line(path: Path, number: int, line: str) -> tuple[tuple[str, int], float, bool]:
    """Read ``<offset><n or v> <count> [ROOT]`` as ((part of speech, offset), count, is a root)."""
    expected = 'expected: "<offset><n or v> <count>", with "ROOT" behind a root'
    sense, *fields = line.split() or [""]
    try:
        if sense[-1:] not in {"n", "v"} or fields[1:] not in ([], ["ROOT"]):
            raise ValueError(sense)
        count = float(fields[0])
        if not 0 <= count < math.inf:
            raise ValueError(count)
        return (sense[-1], int(sense[:-1])), count, len(fields) == 2
    except (ValueError, IndexError):
        raise InputError(path, f"{expected}; found {line[:60]!r}", line=number) from None

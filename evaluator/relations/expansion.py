"""The words that stand for a relation beyond its own: "die" and "death", "star" and "role".

Hit counts look for a fact's relation by the inflections of its lemma, and miss texts that say it in
other words. Five sources know further ones, each with a weight between 0 and 1:

``neighbours``
    Words near it by the run's Jiang-Conrath similarity. exp(-d / 2) for words d nats apart: by
    d = -ln(p1 p2 / p²), where p is the frequency of the least common subsumer, this is the
    geometric mean of the shares that the two senses have of it; 1 for words that share a sense.
``derivations``
    Nouns and verbs that WordNet derives from it: the share of the word's occurrences that are of
    the senses so linked (:meth:`evaluator.wordnet.lexicon.WordNet.derived`).
``aliases``
    The names of the database's relations that match it: the weight of the match as for neighbours,
    divided among the content words of the name.
``patterns``
    What the known facts of such a relation are stated with
    (:mod:`evaluator.relations.patterns`): the weight of the word there times that of the bridge. A
    relation of the database is a bridge by a match, or because the fact's relation is itself one
    of the words that its facts are stated with; the best bridge is taken.
``properties``
    The names of Wikidata's properties of which one says the relation in the same lemmas: "born in"
    and "place of birth". One over the content words of the name, times ten over the properties that
    have the word in a name, where these are more: "place" and "date" say little.

By default there are none: on FactBench derivations alone helped every count a little, the others
helped PROXIMITY and harmed ANCHORED (docs/relation-words.md).
"""

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal, NamedTuple, get_args

from evaluator.errors import ConfigurationError
from evaluator.relations.normal_form import relation_form
from evaluator.relations.patterns import MinedWord
from evaluator.wordnet.lexicon import wordnet
from evaluator.wordnet.similarity import JiangConrath, score_of

type WordSource = Literal["neighbours", "derivations", "aliases", "patterns", "properties"]

SOURCES: tuple[WordSource, ...] = get_args(WordSource.__value__)

LEAST_TAGGED = 5
"""Occurrences in WordNet's tagged texts that a neighbour needs: some 3,900 lemmas have them."""

COMMON = 10
"""Properties in whose names a word may stand before it counts for less."""

type Patterns = Mapping[str, Sequence[MinedWord]]
"""The words that the facts of each relation of the database are stated with, by its id."""


@dataclass(frozen=True, slots=True)
class Widening:
    """Which further words stand for a relation.

    Attributes
    ----------
    sources
        Where they come from; none, and there are none.
    least
        The least weight of a word.
    most
        Words for a relation at most, those of the greatest weight.
    names
        Folder of the names of Wikidata's properties, for properties
        (:mod:`evaluator.datasets.wikidata_properties`).

    Raises
    ------
    ConfigurationError
        For a source that is unknown, or a number out of range.
    """

    sources: tuple[WordSource, ...] = ()
    least: float = 0.3
    most: int = 12
    names: Path | None = None

    def __post_init__(self) -> None:
        for source in self.sources:
            if source not in SOURCES:
                raise ConfigurationError(
                    f'words from "{source}": expected some of {", ".join(SOURCES)}'
                )
        if "properties" in self.sources and self.names is None:
            raise ConfigurationError(
                "words from properties need relation.properties, the folder of Wikidata's names"
            )
        if not 0 < self.least <= 1:
            raise ConfigurationError(f"least weight of a word {self.least}: expected 0 to 1, not 0")
        if self.most < 1:
            raise ConfigurationError(f"{self.most} words at most: expected 1 or more")

    def describe(self) -> str:
        """Return what a signature says of it: ``words-neighbours+patterns-0.3-12``."""
        if not self.sources:
            return "words-none"
        sources = "+".join(source for source in SOURCES if source in self.sources)
        return f"words-{sources}-{self.least:g}-{self.most}"


class WeightedWord(NamedTuple):
    """A word that stands for a relation: a lemma, its weight, and the source that gave it most."""

    word: str
    weight: float
    source: WordSource


class KnownRelation(NamedTuple):
    """A relation of the database as words know it.

    Attributes
    ----------
    id
        Its id.
    words
        The words that a fact's relation is compared with, which may say their part of speech.
    names
        The content words of each of its names, label and aliases.
    """

    id: str
    words: tuple[str, ...]
    names: tuple[tuple[str, ...], ...] = ()


def widened(
    relations: Collection[str],
    *,
    widening: Widening,
    measure: JiangConrath,
    threshold: float,
    known: Collection[KnownRelation] = (),
    patterns: Patterns | None = None,
    properties: Collection[Sequence[str]] = (),
) -> dict[str, tuple[WeightedWord, ...]]:
    """Return the further words of each relation, those of the greatest weight first.

    A word that several sources give has the greatest of their weights. A relation's own lemmas are
    not among its words, unless a property's names weigh one of several. There are none for an empty
    relation. Neighbours and derivations are those of relations of one lemma: what is near "take" is
    not near "take place".

    Parameters
    ----------
    relations
        Relation keys: lemmas joined by spaces.
    widening
        The sources, and which words are kept.
    measure, threshold
        The similarity of a fact's relation and one of the database, and from where on they match.
    known
        The relations of the database, for aliases and patterns.
    patterns
        What the facts of these relations are stated with, for patterns.
    properties
        The names of each property, for properties.
    """
    lemmas = {relation: tuple(relation.split()) for relation in dict.fromkeys(relations)}
    found: dict[str, dict[str, WeightedWord]] = {relation: {} for relation in lemmas}

    def give(source: WordSource, words: Iterable[tuple[str, str, float]]) -> None:
        for relation, word, weight in words:
            known_word = found[relation].get(word)
            # Half of "birth place" may stand for it, for a name tells how much of it.
            own = {relation} if source == "properties" else lemmas[relation]
            if word not in own and (not known_word or known_word.weight < weight):
                found[relation][word] = WeightedWord(word, weight, source)

    single = [relation for relation, words in lemmas.items() if len(words) == 1]
    if "neighbours" in widening.sources:
        give("neighbours", _neighbours(single, measure, least=widening.least))
    if "derivations" in widening.sources:
        give("derivations", _derivations(single))
    if {"aliases", "patterns"} & {*widening.sources}:
        matches = _matches(lemmas, measure, threshold, known)
        if "aliases" in widening.sources:
            give("aliases", _aliases(matches, {relation.id: relation for relation in known}))
        if "patterns" in widening.sources:
            give("patterns", _patterns(lemmas, matches, patterns or {}))
    if "properties" in widening.sources:
        give("properties", _properties(lemmas, properties))
    return {
        relation: tuple(
            sorted(
                (word for word in words.values() if word.weight >= widening.least),
                key=lambda word: (-word.weight, word.word),
            )[: widening.most]
        )
        for relation, words in found.items()
    }


def similarity_weight(distance: float) -> float:
    """Return the weight of words that so much information separates, in nats."""
    return math.exp(-distance / 2)


def _neighbours(
    relations: Sequence[str], measure: JiangConrath, *, least: float
) -> Iterator[tuple[str, str, float]]:
    words = _vocabulary()
    distances = measure.distances(relations, words)
    furthest = -2 * math.log(least)
    for row, column in zip(*(distances <= furthest).nonzero(), strict=True):
        weight = similarity_weight(distances.item(row, column))
        yield relations[row], words[column], weight


def _derivations(relations: Sequence[str]) -> Iterator[tuple[str, str, float]]:
    for relation in relations:
        for word, share in wordnet().derived(relation).items():
            if word.isalpha():  # "ill-treat" and "be_born" are no tokens
                yield relation, word, share


type _Matches = Mapping[str, Mapping[str, float]]
"""Of each relation those of the database that match it, with the weight of the match."""


def _matches(
    lemmas: Mapping[str, Sequence[str]],
    measure: JiangConrath,
    threshold: float,
    known: Collection[KnownRelation],
) -> _Matches:
    """Match each relation with all of the database."""
    words1 = list(dict.fromkeys(word for words in lemmas.values() for word in words))
    words2 = list(dict.fromkeys(word for relation in known for word in relation.words))
    distances = measure.distances(words1, words2)
    row, column = ({word: place for place, word in enumerate(w)} for w in (words1, words2))
    matches: dict[str, dict[str, float]] = {relation: {} for relation in lemmas}
    for relation, words in lemmas.items():
        rows = distances[[row[word] for word in words]].min(axis=0, initial=math.inf)
        for other in known:
            distance = min((rows.item(column[word]) for word in other.words), default=math.inf)
            if score_of(distance) >= threshold:
                matches[relation][other.id] = similarity_weight(distance)
    return matches


def _aliases(
    matches: _Matches, known: Mapping[str, KnownRelation]
) -> Iterator[tuple[str, str, float]]:
    for relation, others in matches.items():
        for other, weight in others.items():
            for name in known[other].names:
                for word in name:
                    yield relation, _lemma(word), weight / len(name)


def _patterns(
    lemmas: Mapping[str, Sequence[str]], matches: _Matches, patterns: Patterns
) -> Iterator[tuple[str, str, float]]:
    mined = {id_: {word.word: word for word in words} for id_, words in patterns.items()}
    for relation, words in lemmas.items():
        if not words:
            continue
        # A bridge is as strong as its weight; of equal ones, the one with more contexts of the
        # relation's own words tells more.
        bridges = []
        for id_, there in mined.items():
            own = [there.get(word, MinedWord(word, 0.0, 0)) for word in words]
            by_words = min(word.weight for word in own)
            weight = max(by_words, matches[relation].get(id_, 0.0))
            if weight:
                bridges.append((-weight, -min(word.contexts for word in own), id_))
        if bridges:
            weight, _, id_ = min(bridges)
            for word in patterns[id_]:
                yield relation, word.word, -weight * word.weight


def _properties(
    lemmas: Mapping[str, Sequence[str]], properties: Collection[Sequence[str]]
) -> Iterator[tuple[str, str, float]]:
    """Yield the words of the names of each property that one name says as the relation does."""
    named = [[relation_form(name).lemmas for name in names] for names in properties]
    spread = Counter(word for names in named for word in {w for name in names for w in name})
    called = defaultdict(list)
    for names in named:
        for form in {frozenset(name) for name in names}:
            called[form].append(names)
    for relation, words in lemmas.items():
        for names in called[frozenset(words)] if words else ():
            for name in names:
                for word in name:
                    yield relation, word, min(1.0, COMMON / spread[word]) / len(name)


def _lemma(word: str) -> str:
    """Return ``place`` for ``place.n``."""
    return word.partition(".")[0]


@cache
def _vocabulary() -> tuple[str, ...]:
    return tuple(wordnet().content_lemmas(least=LEAST_TAGGED))

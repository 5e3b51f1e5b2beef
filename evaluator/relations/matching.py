"""Database match: which relation of the knowledge base says what a fact's relation says.

Bronzi et al. 2012, section 2.2: the similarity of r and r' is the greatest Jiang-Conrath similarity
between a word of the one and a word of the other; the relation r' most similar to r is taken, and
is the same as r if its similarity reaches a threshold.

Another lexicon may have another measure (:mod:`evaluator.wordnet.chosen`), by which equals alone
are similar; whole relations then stand where a word does here.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from operator import itemgetter
from typing import NamedTuple

from evaluator.wordnet.chosen import Measure
from evaluator.wordnet.similarity import score_of

# Cells of one table of words; facts that need a larger one are matched in parts.
_MOST_CELLS = 1 << 22

INVERSE = "^"
"""Mark before the id of a relation that holds from e2 to e1, as in SPARQL's paths."""


class RelationMatch(NamedTuple):
    """The relation of the knowledge base nearest to a fact's relation.

    Attributes
    ----------
    relation
        Its id; None where no word of any relation can be compared.
    similarity
        Jiang-Conrath similarity of the two words that follow.
    word, relation_word
        The words that decided: the fact's, and the relation's.
    inverse
        True where the relation holds from e2 to e1.
    """

    relation: str | None
    similarity: float | None
    word: str | None
    relation_word: str | None
    inverse: bool | None = None


def is_match(similarity: float | None, threshold: float) -> bool:
    """Tell whether a fact is in D: its most similar relation reaches the threshold.

    `similarity` is None, or NaN, where D has no relation to compare between the two entities.
    """
    return similarity is not None and similarity >= threshold


type _Relation = tuple[str, bool]
"""Id of a relation, and whether it holds from e2 to e1."""

_NO_MATCH = (0.0, RelationMatch(None, None, None, None))


def best_relation(
    words: Sequence[str],
    relations: Iterable[str],
    relation_words: Mapping[str, Sequence[str]],
    similarity: Measure,
) -> RelationMatch:
    """Return the relation most similar to `words`.

    Of equally similar relations the first by id counts, those from e1 to e2 before those from e2
    to e1.

    Parameters
    ----------
    words
        Lemmas of the fact's relation.
    relations
        Ids of the relations between its entities: from e1 to e2 as they are, from e2 to e1 marked
        with :data:`INVERSE`.
    relation_words
        Content words of each relation's name, by id
        (:func:`evaluator.relations.normal_form.relation_name_words`).
    similarity
        The measure.
    """
    best = RelationMatch(None, None, None, None)
    for relation, inverse in _in_order(relations):
        found = similarity.relations(words, relation_words.get(relation, ()))
        if not found.word1:  # a relation without a word to compare
            continue
        if best.similarity is None or found.score > best.similarity:
            best = RelationMatch(relation, found.score, found.word1, found.word2, inverse)
    return best


def best_relations(
    facts: Sequence[tuple[Sequence[str], Iterable[str]]],
    relation_words: Mapping[str, Sequence[str]],
    similarity: Measure,
) -> list[RelationMatch]:
    """Return what :func:`best_relation` gives for each of many facts, from one table of words.

    Parameters
    ----------
    facts
        Of each fact the lemmas of its relation, and the ids of the relations between its entities,
        both as for :func:`best_relation`.
    relation_words, similarity
        As for :func:`best_relation`.
    """
    asked = [(tuple(words), _in_order(relations)) for words, relations in facts]
    return list(_best_relations(asked, relation_words, similarity))


def _in_order(relations: Iterable[str]) -> list[_Relation]:
    """Return the relations without their marks, and whether they had one; forward ones first."""
    told = ((id_.removeprefix(INVERSE), id_.startswith(INVERSE)) for id_ in relations)
    return sorted(told, key=lambda relation: (relation[1], relation[0]))


def _best_relations(
    facts: Sequence[tuple[tuple[str, ...], list[_Relation]]],
    relation_words: Mapping[str, Sequence[str]],
    similarity: Measure,
) -> Iterator[RelationMatch]:
    """Match facts by one table; by several where it would be large."""
    words1 = list(dict.fromkeys(word for words, _ in facts for word in words))
    ids = dict.fromkeys(relation for _, relations in facts for relation, _ in relations)
    words2 = list(dict.fromkeys(word for id_ in ids for word in relation_words.get(id_, ())))
    if len(facts) > 1 and len(words1) * len(words2) > _MOST_CELLS:
        half = len(facts) // 2
        yield from _best_relations(facts[:half], relation_words, similarity)
        yield from _best_relations(facts[half:], relation_words, similarity)
        return

    distances = similarity.distances(words1, words2)
    row, column = ({word: place for place, word in enumerate(w)} for w in (words1, words2))

    @cache
    def match(
        words: tuple[str, ...], relation: str, inverse: bool
    ) -> tuple[float, RelationMatch] | None:
        others = relation_words.get(relation, ())
        pairs = (
            (distances.item(row[word], column[other]), word, other)
            for word in words
            for other in others
        )
        closest = min(pairs, key=itemgetter(0), default=None)  # of equally close ones the first
        if closest is None:
            return None
        distance, word, other = closest
        score = score_of(distance)
        return score, RelationMatch(relation, score, word, other, inverse)

    for words, relations in facts:
        found = [matched for relation in relations if (matched := match(words, *relation))]
        # Of equally similar relations max takes the first.
        yield max(found, key=itemgetter(0), default=_NO_MATCH)[1]

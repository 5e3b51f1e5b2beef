"""Database match: which relation of the knowledge base says what a fact's relation says.

Bronzi et al. 2012, section 2.2: the similarity of r and r' is the greatest Jiang-Conrath similarity
between a word of the one and a word of the other; the relation r' most similar to r is taken, and
is the same as r if its similarity reaches a threshold.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from evaluator.similarity import JiangConrath


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
    """

    relation: str | None
    similarity: float | None
    word: str | None
    relation_word: str | None


def best_relation(
    words: Sequence[str],
    relations: Iterable[str],
    relation_words: Mapping[str, Sequence[str]],
    similarity: JiangConrath,
) -> RelationMatch:
    """Return the relation most similar to `words`; of equally similar ones the first by id.

    Parameters
    ----------
    words
        Lemmas of the fact's relation.
    relations
        Ids of the relations between its entities.
    relation_words
        Content lemmas of each relation's name, by id.
    similarity
        The measure.
    """
    best = RelationMatch(None, None, None, None)
    for relation in sorted(relations):
        found = similarity.relations(words, relation_words.get(relation, ()))
        if not found.word1:  # a relation without a word to compare
            continue
        if best.similarity is None or found.score > best.similarity:
            best = RelationMatch(relation, found.score, found.word1, found.word2)
    return best

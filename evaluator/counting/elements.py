"""From the parts of a fact to the elements of a query: what counts as an occurrence in text."""

from collections.abc import Collection, Sequence
from itertools import islice, product

from evaluator.counting.definition import Element
from evaluator.counting.name_variants import NameVariant, variants_of
from evaluator.text import tokens
from evaluator.wordnet.chosen import ENGLISH, Lexicon

# A relation of several lemmas has as many alternatives as its words have forms, multiplied.
_MOST_ALTERNATIVES = 1_000


def entity_element(
    entity: str, names: Sequence[str] | None, *, variants: Collection[NameVariant] = ()
) -> Element:
    """Return what stands for an entity: its names, or, where it has none, its own tokens.

    Parameters
    ----------
    entity
        Identifier in the knowledge base, or the surface string of an unlinked argument.
    names
        The entity's names, as written or in search form; None or empty for an entity without names.
    variants
        What else stands for each name (:mod:`evaluator.counting.name_variants`).
    """
    called = (entity,) if names is None or len(names) == 0 else names
    found = dict.fromkeys(tuple(tokens(name)) for name in called)
    if variants:
        found |= dict.fromkeys(other for name in called for other in variants_of(name, variants))
    return tuple(words for words in found if words)


def relation_element(
    relation: str, words: Sequence[str] = (), *, lexicon: Lexicon = ENGLISH
) -> Element:
    """Return what stands for a relation: its lemma in every inflection ("visit", "visited" ...).

    A relation of several lemmas is the phrase of them, each inflected; an empty relation has no
    occurrence, and counts with it are undefined.

    Parameters
    ----------
    relation
        Relation key: lemmas joined by spaces.
    words
        Further words that stand for it (:func:`evaluator.relations.expansion.widened`), each
        inflected.
    lexicon
        Knows the inflections.
    """
    if not relation:
        return ()
    found = dict.fromkeys(
        phrase
        for key in (relation, *words)
        for phrase in islice(product(*map(lexicon.forms, key.split())), _MOST_ALTERNATIVES)
    )
    return tuple(found)

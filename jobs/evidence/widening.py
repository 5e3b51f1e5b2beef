"""The further words of relations, by the settings and the evidence of a run."""

from collections.abc import Callable, Collection
from dataclasses import asdict
from pathlib import Path

from evaluator.datasets.wikidata_properties import read_names
from evaluator.errors import ConfigurationError
from evaluator.model import Rejects
from evaluator.relations.expansion import KnownRelation, Patterns, WeightedWord, Widening, widened
from evaluator.relations.normal_form import relation_name_words
from evaluator.relations.patterns import characteristic_words
from evaluator.wordnet.similarity import similarity
from indexes.kb.knowledge_base import KnowledgeBase
from indexes.text.manifest import read_manifest
from indexes.text.patterns import patterns_path, read_patterns
from jobs.config import Configuration, MatchSettings
from jobs.rundir import content_digest


def further_words(
    relations: Collection[str],
    *,
    widening: Widening,
    match: MatchSettings,
    kb: KnowledgeBase | None = None,
    index: Path | None = None,
) -> dict[str, tuple[WeightedWord, ...]]:
    """Return the further words of relations (:func:`evaluator.relations.expansion.widened`).

    Parameters
    ----------
    relations
        Relation keys.
    widening
        Which words.
    match
        How relations are compared.
    kb, index
        The knowledge base, for aliases and patterns, and the folder of the index, for patterns.

    Raises
    ------
    ConfigurationError
        For a source that needs evidence which is not given.
    InputError
        Where patterns are asked for and none have been mined from these two.
    """
    if not widening.sources:
        return dict.fromkeys(relations, ())
    known: tuple[KnownRelation, ...] = ()
    patterns: Patterns = {}
    if {"aliases", "patterns"} & {*widening.sources}:
        if kb is None:
            raise ConfigurationError("aliases and patterns need a knowledge base: --kb DIR")
        known = known_relations(kb, match)
    if "patterns" in widening.sources:
        if kb is None or index is None:
            raise ConfigurationError("patterns need a text index: --index DIR")
        mined = read_patterns(patterns_path(kb, index), kb=kb, index=read_manifest(index))
        patterns = characteristic_words(mined.counts)
    properties: list[tuple[str, ...]] = []
    if widening.names is not None and "properties" in widening.sources:
        properties = read_names(widening.names, rejects=Rejects())
    return widened(
        relations,
        widening=widening,
        measure=similarity(match.ic, derivations=match.derivations, sense_share=match.sense_share),
        threshold=match.threshold,
        known=known,
        patterns=patterns,
        properties=properties,
    )


def run_words(
    c: Configuration, relations: Callable[[], Collection[str]], kb: KnowledgeBase
) -> dict[str, tuple[str, ...]]:
    """Return the further words of the relations of a run; none unless it asks for some."""
    if not c.relation.widen:
        return {}
    found = further_words(
        relations(), widening=c.relation.widening, match=c.match, kb=kb, index=c.index.path
    )
    return {relation: tuple(word.word for word in words) for relation, words in found.items()}


def words_fingerprint(c: Configuration) -> list[object]:
    """Return all that the further words of a run depend on, beside its evidence."""
    if not c.relation.widen:
        return []
    names = c.relation.properties
    return [
        asdict(c.relation.widening) | {"names": names and content_digest(names)},
        c.measure_name,
        c.match.threshold,
    ]


def known_relations(kb: KnowledgeBase, match: MatchSettings) -> tuple[KnownRelation, ...]:
    """Return the relations of a knowledge base as words know them."""
    return tuple(
        KnownRelation(
            relation.id,
            match.words(relation),
            tuple(relation_name_words(name) for name in (relation.label, *relation.aliases)),
        )
        for relation in kb.relations()
    )

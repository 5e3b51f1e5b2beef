"""Judging labelled facts: the annotator's evidence for facts that people have judged too."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from evaluator.counting import Counts, Denominator, Element
from evaluator.elements import entity_element, relation_element
from evaluator.fact_table import FactTable
from evaluator.matching import INVERSE, best_relation
from evaluator.relation import relation_form, relation_key
from indexes.knowledge_base import KnowledgeBase
from indexes.text_index import TextIndex
from jobs.config import Match

Item = tuple[str, str, str]


class Findings(NamedTuple):
    """What the annotator knows of a fact: whether D holds it, and its hit counts."""

    matched: bool
    counts: Counts


def judge_items(
    items: Sequence[Item],
    *,
    kb: KnowledgeBase | None,
    index: TextIndex,
    match: Match,
    x: int,
    ordered: bool,
    denominator: Denominator,
    key: str,
) -> list[Findings]:
    """Return the evidence for facts given in words or by entity id, in their order.

    Parameters
    ----------
    items
        (e1, r, e2): entities by id or name, the relation as a phrase. What the knowledge base does
        not know is looked for in the text by its own words.
    kb, match
        The database and what counts as a match; without `kb` nothing matches.
    index, x, ordered, denominator
        The text and the distance of PROXIMITY.
    key
        Relation normal form.
    """
    forms = [relation_form(r) for _, r, _ in items]
    keys = [relation_key(form, key=key) for form in forms]
    entities = {
        text: kb.entity(text) if kb else None for item in items for text in (item[0], item[2])
    }
    elements = {text: _element(text, entity, kb) for text, entity in entities.items()}
    counts = index.count(
        [
            (elements[e1], relation_element(relation), elements[e2])
            for (e1, _, e2), relation in zip(items, keys, strict=True)
        ],
        x=x,
        ordered=ordered,
        denominator=denominator,
    )
    evidence = []
    for (e1, _, e2), form, relation, found in zip(items, forms, keys, counts, strict=True):
        if form.negated:  # neither source says anything for a negation
            evidence.append(Findings(False, Counts(found.pair, None, None, found.topic, None)))
        else:
            matched = _matches(entities[e1], relation, entities[e2], kb, match)
            evidence.append(Findings(matched, found))
    return evidence


class Elements(NamedTuple):
    """What stands for the parts of facts given in words or by entity id."""

    kb: KnowledgeBase | None

    @classmethod
    def of(cls, kb: Path | None) -> "Elements":
        """Take the names of entities from a knowledge base, if there is one."""
        return cls(None if kb is None else KnowledgeBase.open(kb))

    def table(self, e1: Sequence[str], r: Sequence[str], e2: Sequence[str]) -> FactTable:
        """Return the facts in these columns; None is an element without words."""
        return FactTable.of_columns(e1, r, e2, entity=self.entity, relation=self.relation)

    def entity(self, text: str | None) -> Element:
        """Return the element of an entity: all names that are known, or its own words."""
        if not text:
            return ()
        return _element(text, self.kb.entity(text) if self.kb else None, self.kb)

    def relation(self, text: str | None) -> Element:
        """Return the element of a relation phrase: its head in every inflection.

        A negation has none: that the text says the same without it is no evidence.
        """
        form = relation_form(text or "")
        return () if form.negated else relation_element(relation_key(form))


def _element(text: str, entity: str | None, kb: KnowledgeBase | None) -> Element:
    if kb is not None and entity is not None:
        return kb.query_names(entity)
    return entity_element(text, None)


def _matches(
    e1: str | None, relation: str, e2: str | None, kb: KnowledgeBase | None, match: Match
) -> bool:
    if kb is None or e1 is None or e2 is None:
        return False
    between = kb.relations_between(e1, e2, direction=match.direction)
    known = [kb.relation(mark.removeprefix(INVERSE)) for mark in between]
    words = {relation.id: match.words(relation) for relation in known}
    best = best_relation(relation.split(), between, words, match.measure())
    return best.similarity is not None and best.similarity >= match.threshold

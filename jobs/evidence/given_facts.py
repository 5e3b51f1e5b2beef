"""Facts given in words or by entity id: what stands for their parts in the text."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from evaluator.counting.definition import Element
from evaluator.counting.elements import entity_element, relation_element
from evaluator.counting.fact_table import FactTable
from evaluator.counting.name_variants import NameVariant
from evaluator.relations.normal_form import relation_form, relation_key
from indexes.kb.knowledge_base import KnowledgeBase


class Elements(NamedTuple):
    """What stands for the parts of facts given in words or by entity id."""

    kb: KnowledgeBase | None
    variants: Sequence[NameVariant] = ()

    @classmethod
    def of(cls, kb: Path | None, *, variants: Sequence[NameVariant] = ()) -> "Elements":
        """Take the names of entities from a knowledge base, if there is one."""
        return cls(None if kb is None else KnowledgeBase.open(kb), variants)

    def table(self, e1: Sequence[str], r: Sequence[str], e2: Sequence[str]) -> FactTable:
        """Return the facts in these columns; None is an element without words."""
        return FactTable.of_columns(e1, r, e2, entity=self.entity, relation=self.relation)

    def entity(self, text: str | None) -> Element:
        """Return the element of an entity: all names that are known, or its own words."""
        if not text:
            return ()
        known = self.kb.entity(text) if self.kb else None
        names = self.kb.query_names(known) if self.kb and known else None
        return entity_element(text, names, variants=self.variants)

    def relation(self, text: str | None) -> Element:
        """Return the element of a relation phrase: its head in every inflection.

        A negation has none: that the text says the same without it is no evidence.
        """
        form = relation_form(text or "")
        return () if form.negated else relation_element(relation_key(form))

"""What the entities of a run are called: by the knowledge base, else by the facts as given."""

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import duckdb

from evaluator.counting.definition import Element
from evaluator.counting.elements import entity_element
from evaluator.counting.name_variants import NameVariant
from indexes.kb.knowledge_base import KnowledgeBase
from jobs.config import Configuration
from jobs.rundir import files_of_table


class GivenName(NamedTuple):
    """What the systems' facts call an entity that is not linked: its label, and all its names."""

    label: str
    names: Sequence[str]


class EntityNames(NamedTuple):
    """What the entities of a run are called, for people and in its text.

    Attributes
    ----------
    kb
        The knowledge base.
    given
        Of entities that it may not have, what they are given as.
    variants
        As ``pmi.names`` of the run.
    """

    kb: KnowledgeBase
    given: Mapping[str, GivenName]
    variants: Sequence[NameVariant]

    @classmethod
    def of_run(cls, run: Path, c: Configuration, entities: Collection[str]) -> "EntityNames":
        """Return what these entities of a finished run are called."""
        given = _given_names(run, entities) if c.gives_facts else {}
        return cls(KnowledgeBase.open(c.kb.path), given, c.pmi.names)

    def label(self, entity: str) -> str:
        """Return what people call an entity."""
        label = self.kb.label(entity)
        return self.given[entity].label if label == entity and entity in self.given else label

    def element(self, entity: str) -> Element:
        """Return what stands for an entity in the text."""
        given = self.given.get(entity)
        names = self.kb.query_names(entity) or (given and given.names)
        return entity_element(entity, names, variants=self.variants)


def _given_names(run: Path, entities: Collection[str]) -> dict[str, GivenName]:
    query = "select entity, label, names from read_parquet($1) where list_contains($2, entity)"
    with duckdb.connect() as connection, files_of_table(run / "superset" / "names") as files:
        rows = connection.execute(query, [files, sorted({*entities})]).fetchall()
    return {entity: GivenName(label, names) for entity, label, names in rows}

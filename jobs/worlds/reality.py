"""Reality: the entities of a world and all that is true of them."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from evaluator.model import Fact
from evaluator.wordnet.lexicon import wordnet
from jobs.worlds.settings import World, pick
from jobs.worlds.statements import Entity, Statement, WorldRelation
from jobs.worlds.vocabulary import CODAS, KINDS, NAMES, ONSETS, RELATIONS, VOWELS


@dataclass(frozen=True)
class Reality:
    """What there is and what is true.

    Attributes
    ----------
    entities
        All that the knowledge base knows.
    relations
        Those in which entities stand.
    statements
        What is true, in the order in which it was drawn.
    """

    entities: tuple[Entity, ...]
    relations: tuple[WorldRelation, ...]
    statements: tuple[Statement, ...]

    def is_true(self, fact: Fact) -> bool:
        """Tell whether a fact of the pipeline is true in the world, in whichever wording."""
        relation = self.relation_of.get(fact.r)
        if relation is None or fact.negated:
            return False
        return (fact.e1, relation.name, fact.e2) in self._true

    def holds(self, statement: Statement) -> bool:
        """Tell whether a statement is true."""
        subject, relation, object_ = statement
        return (subject.id, relation.name, object_.id) in self._true

    def fits(self, fact: Fact) -> bool:
        """Tell whether a fact could be true: a relation, and arguments of its kinds."""
        relation = self.relation_of.get(fact.r)
        return (
            relation is not None
            and self.by_id[fact.e1].kind == relation.subject
            and self.by_id[fact.e2].kind == relation.object
        )

    def are_related(self, one: str, other: str) -> bool:
        """Tell whether anything is true of two entities."""
        return frozenset((one, other)) in self._related

    @cached_property
    def by_id(self) -> Mapping[str, Entity]:
        """The entities by their ids."""
        return {entity.id: entity for entity in self.entities}

    @cached_property
    def of_kind(self) -> Mapping[str, tuple[Entity, ...]]:
        """The entities by their kinds."""
        return {kind: tuple(e for e in self.entities if e.kind == kind) for kind in KINDS}

    @cached_property
    def of_subject(self) -> Mapping[Entity, tuple[Statement, ...]]:
        """What is true of each entity as a subject."""
        found = defaultdict(list)
        for statement in self.statements:
            found[statement.subject].append(statement)
        return {subject: tuple(statements) for subject, statements in found.items()}

    @cached_property
    def relation_of(self) -> Mapping[str, WorldRelation]:
        """The relation that each relation key words."""
        return {lemma: relation for relation in self.relations for lemma in relation.lemmas}

    @cached_property
    def _true(self) -> frozenset[tuple[str, str, str]]:
        return frozenset((s.id, relation.name, o.id) for s, relation, o in self.statements)

    @cached_property
    def _related(self) -> frozenset[frozenset[str]]:
        return frozenset(frozenset((s.id, o.id)) for s, _, o in self.statements)


def draw_reality(world: World) -> Reality:
    """Return the entities and true facts of a world."""
    rng = world.random("reality")
    relations = RELATIONS[: world.relations]
    entities = _entities(world, rng)
    of_kind = {kind: tuple(e for e in entities if e.kind == kind) for kind in KINDS}
    drawn: dict[Statement, None] = {}
    while len(drawn) < world.facts:
        relation = pick(rng, relations)
        subject, object_ = pick(rng, of_kind[relation.subject]), pick(rng, of_kind[relation.object])
        if subject != object_:
            drawn[Statement(subject, relation, object_)] = None
    return Reality(entities, relations, tuple(drawn))


def _entities(world: World, rng: np.random.Generator) -> tuple[Entity, ...]:
    numbers = {kind: max(2, round(world.entities * share)) for kind, share in KINDS.items()}
    numbers["person"] += world.entities - sum(numbers.values())
    used: set[str] = set()
    entities = []
    for kind, number in numbers.items():
        for _ in range(number):
            name = pick(rng, NAMES[kind]).format(_word(rng, used), _word(rng, used))
            entities.append(Entity(f"/m/w_{name.lower().replace(' ', '_')}", name, kind))
    return tuple(entities)


def _word(rng: np.random.Generator, used: set[str]) -> str:
    """Return a new capitalised word that English does not have."""
    while True:
        first, second = (pick(rng, ONSETS) + pick(rng, VOWELS) for _ in range(2))
        word = first + second + pick(rng, CODAS)
        if word not in used and wordnet().content_lemma(word) is None:
            used.add(word)
            return word.capitalize()

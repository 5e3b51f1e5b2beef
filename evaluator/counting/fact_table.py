"""Facts as rows of numbers: what counting, which sees millions of them, works on."""

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from evaluator.counting.definition import Counts, Element, FactElements, alternatives
from evaluator.counting.occurrences import Booleans, Integers

EMPTY = -1
"""The number of an element without words."""


@dataclass(frozen=True, slots=True)
class FactTable:
    """Many facts, each distinct element kept once.

    Attributes
    ----------
    entities, relations
        The distinct elements, in canonical form, none empty.
    e1, r, e2
        Of each fact the numbers of its elements in these lists; :data:`EMPTY` for an empty one.
    """

    entities: list[Element]
    relations: list[Element]
    e1: Integers
    r: Integers
    e2: Integers

    @classmethod
    def of(cls, facts: Iterable[FactElements]) -> "FactTable":
        """Return the table of `facts`."""
        # Facts share the objects of their elements, which are told apart by identity much faster
        # than by value.
        facts = list(facts)
        objects: dict[int, Element] = {}
        columns = []
        for place in range(3):
            column = [fact[place] for fact in facts]
            columns.append(list(map(id, column)))
            objects.update(zip(columns[-1], column, strict=True))
        canonical = cache(alternatives)

        def element(identity: int) -> Element:
            return canonical(objects[identity])

        e1, r, e2 = columns
        return cls.of_columns(e1, r, e2, entity=element, relation=element)

    @classmethod
    def of_columns[Key: Hashable](
        cls,
        e1: Sequence[Key],
        r: Sequence[Key],
        e2: Sequence[Key],
        *,
        entity: Callable[[Key], Element],
        relation: Callable[[Key], Element],
    ) -> "FactTable":
        """Return the table of facts given in columns.

        Parameters
        ----------
        e1, r, e2
            What stands for the elements of each fact: names, identifiers.
        entity, relation
            Give the element that such a one stands for; called once for each distinct one.
        """
        entities, number_of = _numbered([*dict.fromkeys(e1), *dict.fromkeys(e2)], entity)
        relations, number_of_r = _numbered(dict.fromkeys(r), relation)
        columns = [
            np.fromiter(map(numbers.__getitem__, column), np.int64, len(column))
            for numbers, column in ((number_of, e1), (number_of_r, r), (number_of, e2))
        ]
        return cls(entities, relations, *columns)

    def __len__(self) -> int:
        return len(self.e1)

    @property
    def defined(self) -> Booleans:
        """Which counts of each fact are defined; columns as in :class:`Counts`."""
        pair = (self.e1 != EMPTY) & (self.e2 != EMPTY)
        triple = pair & (self.r != EMPTY)
        return np.stack([pair, triple, triple, pair, triple], axis=1)

    def counts(self, hits: Integers) -> list[Counts]:
        """Return hit counts (a row for each fact, the first columns as in Counts) as Counts."""
        values = hits[:, : len(Counts._fields)].astype(object)
        values[~self.defined] = None
        return list(map(Counts._make, values.tolist()))


def _numbered[Key: Hashable](
    keys: Iterable[Key], element: Callable[[Key], Element]
) -> tuple[list[Element], dict[Key, int]]:
    """Return the distinct elements that `keys` stand for, and the number of each key's."""
    numbers: dict[Element, int] = {}
    number_of = {}
    for key in dict.fromkeys(keys):
        words = alternatives(element(key))
        number_of[key] = numbers.setdefault(words, len(numbers)) if words else EMPTY
    return list(numbers), number_of

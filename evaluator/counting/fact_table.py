"""Facts as rows of numbers: what counting, which sees millions of them, works on."""

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import pyarrow as pa

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
        facts = list(facts)
        e1, r, e2 = ([fact[place] for fact in facts] for place in range(3))
        entities, of_entities = _numbered_objects(e1 + e2)
        relations, of_relations = _numbered_objects(r)
        return cls(
            entities, relations, of_entities[: len(facts)], of_relations, of_entities[len(facts) :]
        )

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
        # As Counts._make does, which is twice as slow: it is written in Python.
        return list(map(partial(tuple.__new__, Counts), zip(*values.T.tolist(), strict=True)))


def _numbered[Key: Hashable](
    keys: Iterable[Key], element: Callable[[Key], Element]
) -> tuple[list[Element], dict[Key, int]]:
    """Return the distinct elements that `keys` stand for, and the number of each key's."""
    keys = list(dict.fromkeys(keys))
    elements, numbers = _numbered_elements(map(element, keys))
    return elements, dict(zip(keys, numbers.tolist(), strict=True))


def _numbered_objects(elements: Sequence[Element]) -> tuple[list[Element], Integers]:
    """Return the distinct ones of `elements`, and the number of each.

    Facts share the objects of their elements, which are told apart by identity much faster than by
    value.
    """
    identities = np.fromiter(map(id, elements), np.int64, len(elements))
    encoded = pa.array(identities).dictionary_encode()  # hashed: numpy would sort millions
    object_of = encoded.indices.to_numpy()
    place = np.zeros(len(encoded.dictionary), dtype=np.int64)  # where each object last stands
    place[object_of] = np.arange(len(elements))
    distinct, numbers = _numbered_elements(map(elements.__getitem__, place.tolist()))
    return distinct, numbers[object_of]


def _numbered_elements(elements: Iterable[Element]) -> tuple[list[Element], Integers]:
    """Return the distinct ones of elements in canonical form, and the number of each."""
    # Millions of objects may be few elements: each object is hashed once, the rest is of elements.
    as_written: dict[Element, int] = {}
    numbers = [as_written.setdefault(element, len(as_written)) for element in elements]
    canonical = list(map(alternatives, as_written))
    distinct = list(filter(None, dict.fromkeys(canonical)))
    number_of = {words: number for number, words in enumerate(distinct)} | {(): EMPTY}
    of_written = np.array(list(map(number_of.__getitem__, canonical)), dtype=np.int64)
    return distinct, of_written[np.array(numbers, dtype=np.int64)]

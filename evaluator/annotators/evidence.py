"""What is known of facts before they are judged: columns of numbers, one row per fact.

Annotators (:mod:`evaluator.annotators`) see nothing else, no names above all, so that they judge
millions of facts at a time, and a fact alike wherever it is judged.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evaluator.annotators.sentence_evidence import FIELDS
from evaluator.counting.definition import Context, Counts
from evaluator.counting.occurrences import Booleans, Integers
from evaluator.errors import ConfigurationError

type Floats = NDArray[np.float64]
type Strings = NDArray[np.str_]

COUNTS = Counts._fields
"""Columns of document counts."""

CONTEXT = Context._fields
"""Columns that tell how often the elements occur without each other."""

STATED = ("sentences", "stating_documents", "stated_by")
"""Columns that tell where a fact is stated, and by whom."""

NOBODY = ""
"""What :func:`joined` makes of no system."""

_BETWEEN = "\t"  # no name of a system holds it

_OTHERS = ("defined", "similarity", "known", "relation", "closest", "judged", *STATED)


def joined(systems: Iterable[str]) -> str:
    """Return the names of systems as one string, the same for any order."""
    return _BETWEEN.join(sorted(systems))


def separate(stated_by: str) -> tuple[str, ...]:
    """Return the names that :func:`joined` made one string of, in order."""
    return tuple(stated_by.split(_BETWEEN)) if stated_by else ()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Evidence:
    """Counts and similarities of facts; every column has shape (facts,).

    Attributes
    ----------
    pair, classic, proximity
        Documents with e1 and e2, with CLASSIC, with PROXIMITY.
    topic, anchored
        Documents about e1 that hold e2; those in which r stands near e2.
    documents1, documents2, about, near1, near2, beside
        The context (:class:`evaluator.counting.definition.Context`). None where it was not counted.
    defined
        Whether the text can speak for or against the fact: it has all three elements and is not
        negated. Counts of other facts are 0 and mean nothing.
    similarity
        Of the best relation that the database has between the two; NaN where it has none.
    known
        How many of the two entities the database knows: 0, 1 or 2.
    relation
        Normal form of each fact's relation.
    closest
        How the closest sentence states the fact, shape (facts, :data:`FIELDS`); a row of -1 where
        none does (:class:`~evaluator.annotators.sentence_evidence.SentenceEvidence`).
    sentences, stating_documents
        Sentences of the corpus that state the fact, and their documents.
    stated_by
        Names of the systems that state it, as :func:`joined`.
    documents
        Size of the collection.
    judges
        Names of the judges from outside that were asked; none by default.
    judged
        What each says, from 0 (no) to 1 (yes), shape (facts, judges); NaN where it has no answer.

    Raises
    ------
    ValueError
        If columns differ in length, or a count or a similarity is negative.
    """

    pair: Integers
    classic: Integers
    proximity: Integers
    topic: Integers
    anchored: Integers
    documents1: Integers | None
    documents2: Integers | None
    about: Integers | None
    near1: Integers | None
    near2: Integers | None
    beside: Integers | None
    defined: Booleans
    similarity: Floats
    known: Integers
    relation: Strings
    closest: Integers
    sentences: Integers
    stating_documents: Integers
    stated_by: Strings
    judged: Floats
    documents: int
    judges: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        columns = {name: getattr(self, name) for name in (*COUNTS, *CONTEXT)}
        counted = {name: column for name, column in columns.items() if column is not None}
        others = [getattr(self, name) for name in _OTHERS]
        shapes = {column.shape[:1] for column in (*counted.values(), *others)}
        if shapes != {(len(self),)}:
            raise ValueError(f"columns of evidence differ in shape: {sorted(shapes)}")
        if negative := [name for name, column in counted.items() if (column < 0).any()]:
            raise ValueError(f"negative counts in {', '.join(negative)}")
        if (self.similarity < 0).any():
            raise ValueError("a similarity is negative")

    def __len__(self) -> int:
        return int(self.defined.size)

    @classmethod
    def of(
        cls,
        hits: ArrayLike,
        *,
        documents: int,
        defined: ArrayLike | None = None,
        similarity: ArrayLike | None = None,
        known: ArrayLike | None = None,
        relation: Sequence[str] | None = None,
        closest: ArrayLike | None = None,
        stated: Mapping[str, ArrayLike] | None = None,
    ) -> Self:
        """Return the evidence in an array of counts.

        Parameters
        ----------
        hits
            Shape (facts, 11), :data:`COUNTS` and :data:`CONTEXT`; or (facts, 5) without the latter.
        documents
            Size of the collection.
        defined
            Shape (facts,); all are by default.
        similarity
            Shape (facts,); none by default.
        known
            Shape (facts,); 0 by default.
        relation
            Shape (facts,); empty by default.
        closest
            Shape (facts, fields); no sentence states any fact by default.
        stated
            The columns :data:`STATED`, each of shape (facts,); 0 and nobody by default.

        Raises
        ------
        ValueError
            If `hits` has another shape, or as for :class:`Evidence`.
        """
        array = np.asarray(hits, np.int64)
        if array.ndim != 2 or array.shape[1] not in (len(COUNTS), len(COUNTS) + len(CONTEXT)):
            raise ValueError(f"hits of shape {array.shape}: expected (facts, 5) or (facts, 11)")
        facts = len(array)
        told = np.ones(facts, bool) if defined is None else np.asarray(defined, bool)
        columns: dict[str, Any] = dict.fromkeys(CONTEXT) | stated_columns(stated or {}, facts)
        # Counts of undefined facts are whatever was counted of their elements: not evidence.
        columns |= zip((*COUNTS, *CONTEXT), (array * told[:, None]).T, strict=False)
        return cls(
            **columns,
            defined=told,
            similarity=np.full(facts, np.nan)
            if similarity is None
            else np.asarray(similarity, float),
            known=np.zeros(facts, np.int64) if known is None else np.asarray(known, np.int64),
            relation=np.full(facts, "") if relation is None else np.array(relation, np.str_),
            closest=np.full((facts, len(FIELDS)), -1)
            if closest is None
            else np.asarray(closest, np.int64).reshape(facts, len(FIELDS)),
            judged=np.zeros((facts, 0)),
            documents=documents,
        )

    @property
    def systems(self) -> Integers:
        """How many systems state each fact, shape (facts,)."""
        named: Integers = np.char.count(self.stated_by, _BETWEEN)
        return np.where(self.stated_by == NOBODY, 0, named + 1)

    def take(self, rows: ArrayLike) -> Self:
        """Return the evidence of some facts, by their places or by a mask."""
        chosen = np.asarray(rows)
        names = (*COUNTS, *CONTEXT, *_OTHERS)
        columns: dict[str, Any] = {name: getattr(self, name) for name in names}
        taken: dict[str, Any] = {n: c if c is None else c[chosen] for n, c in columns.items()}
        return type(self)(**taken, documents=self.documents, judges=self.judges)

    def said_by(self, judge: str) -> Floats:
        """Return what a judge says of each fact, shape (facts,); NaN where it has no answer.

        Raises
        ------
        ConfigurationError
            If no judge is called so.
        """
        if judge not in self.judges:
            known = ", ".join(self.judges) or "none"
            raise ConfigurationError(f"no judge is called {judge!r}; external.judges has: {known}")
        return self.judged[:, self.judges.index(judge)]

    def of_sentence(self, field: str) -> Integers:
        """Return a field of the closest sentence of each fact, shape (facts,); -1 without one."""
        return self.closest[:, FIELDS.index(field)]


def stated_columns(given: Mapping[str, Any], facts: int) -> dict[str, NDArray[Any]]:
    """Return the columns :data:`STATED` as arrays; those that are not given say that none does."""
    *counts, names = STATED
    columns = {name: np.asarray(given.get(name, np.zeros(facts)), np.int64) for name in counts}
    return {**columns, names: np.array(given.get(names, np.full(facts, NOBODY)), np.str_)}

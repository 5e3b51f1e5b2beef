"""The evidence for a few facts at a time: counted in an open index, for people or for training.

A run counts millions of facts by shard and adds up (:mod:`jobs.run.stages.score`); the counts are
the same.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from evaluator.annotators.evidence import Evidence
from evaluator.counting.bulk import columns
from evaluator.counting.definition import Counts, FactElements
from evaluator.counting.fact_table import FactTable
from evaluator.counting.occurrences import Integers
from indexes.text.index import TextIndex
from jobs.config import PmiSettings


@dataclass(frozen=True)
class CountedFacts:
    """Facts with what the text and the database say of them, one row each.

    Attributes
    ----------
    elements
        What stands for the parts of each fact in the text.
    hits
        Hit counts, shape (facts, 5), or (facts, 11) with their context.
    counts
        The same, None where a count is not defined.
    evidence
        What annotators see.
    """

    elements: Sequence[FactElements]
    hits: Integers
    counts: Sequence[Counts]
    evidence: Evidence

    @classmethod
    def of(
        cls,
        elements: Iterable[FactElements],
        *,
        index: TextIndex,
        pmi: PmiSettings,
        context: bool,
        similarity: ArrayLike,
        known: ArrayLike,
        relation: Sequence[str],
        told: Sequence[Sequence[int]] = (),
    ) -> Self:
        """Count facts.

        Parameters
        ----------
        elements
            What stands for the parts of each fact.
        index, pmi
            The text, and how to count in it.
        context
            Whether to count the elements by themselves too.
        similarity, known, relation
            As in :class:`evaluator.annotators.evidence.Evidence`.
        told
            The hits of each fact where a run has counted it, else nothing; those are not counted
            again.
        """
        elements = list(elements)
        table = FactTable.of(elements)
        hits = np.zeros((len(elements), columns(context=context)), np.int64)
        asked: dict[FactElements, list[int]] = {}  # systems share facts
        for place, (fact, of_run) in enumerate(zip(elements, told or repeat(()), strict=False)):
            if of_run:
                hits[place] = of_run
            else:
                asked.setdefault(fact, []).append(place)
        counted = index.hits(FactTable.of(list(asked)), **pmi.counting, context=context)
        for places, of_fact in zip(asked.values(), counted, strict=True):
            hits[places] = of_fact
        evidence = Evidence.of(
            hits,
            documents=index.manifest.documents,
            defined=table.defined[:, 1],
            similarity=similarity,
            known=known,
            relation=relation,
        )
        return cls(elements, hits, table.counts(hits), evidence)

"""The text index: Lucene over a collection, and what is asked of it.

:class:`TextIndex` opens an index (:mod:`indexes.text.build` writes it), counts facts in it (the
hit counts of Bronzi et al. 2012, section 2.2, as :mod:`evaluator.counting.definition` defines them)
and shows where a fact stands. There are two engines with the same answers: *direct* asks Lucene
about one fact at a time, *bulk* reads the positions of all elements once and joins them.
"""

from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack, closing
from functools import partial
from heapq import nsmallest
from pathlib import Path
from typing import Literal, Self

import numpy as np

from evaluator.counting.bulk import MEMORY, columns, count_shards
from evaluator.counting.definition import (
    REACH,
    Counts,
    Denominator,
    Element,
    FactElements,
    alternatives,
    check_options,
    full_names,
    phrases,
    short_forms,
)
from evaluator.counting.fact_table import EMPTY, FactTable
from evaluator.counting.occurrences import Integers
from evaluator.errors import ConfigurationError
from indexes.jvm import running
from indexes.processes import process_pool
from indexes.text.manifest import ShardManifest, read_manifest, read_sound_manifest
from indexes.text.shard import IndexShard
from indexes.text.snippets import Snippet

type CountingEngine = Literal["auto", "direct", "bulk"]

# What the engines were measured to take on one core, on encyclopedia articles; a choice by them is
# wrong by a few seconds at the most.
_SECONDS_PER_DIRECT_FACT = 1e-3
_TIMES_WITH_CONTEXT = 2  # what direct takes then
_SECONDS_PER_POSITION = 2e-8
_SECONDS_PER_ELEMENT = 1e-4
_WORTH_A_PROCESS = 5.0  # seconds of counting; starting one takes two


class TextIndex:
    """An open text index.

    Use it as a context manager, or close it. Threads may share it, a fork may not; pickled, it is
    only its path, and is opened anew where it is unpickled.
    """

    def __init__(self, path: Path) -> None:
        """Open an index whose files are known to be sound; :meth:`open` looks."""
        self.path = path
        self.manifest = read_manifest(path)
        with ExitStack() as opening:
            self.shards = [
                opening.enter_context(closing(IndexShard(path, shard)))
                for shard in self.manifest.shards
            ]
            self._resources = opening.pop_all()

    @classmethod
    def open(cls, path: Path) -> "TextIndex":
        """Open the index in the folder `path`.

        Raises
        ------
        InputError
            Where there is no index, a damaged one, or one that these counts cannot be had from.
        SetupError
            Where there is no JVM to be had: see :func:`indexes.jvm.running`.
        """
        read_sound_manifest(path)
        return cls(path)

    def close(self) -> None:
        """Close the files."""
        self._resources.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __reduce__(self) -> tuple[type["TextIndex"], tuple[Path]]:
        return TextIndex, (self.path,)

    def count(
        self,
        facts: Sequence[FactElements],
        *,
        x: int,
        reach: int = REACH,
        ordered: bool = False,
        denominator: Denominator = "and",
        engine: CountingEngine = "auto",
        memory: int = MEMORY,
        workers: int = 1,
    ) -> list[Counts]:
        """Count facts; the parameters are those of :meth:`hits`."""
        table = FactTable.of(facts)
        return table.counts(
            self.hits(
                table,
                x=x,
                reach=reach,
                ordered=ordered,
                denominator=denominator,
                engine=engine,
                memory=memory,
                workers=workers,
            )
        )

    def hits(
        self,
        table: FactTable,
        *,
        x: int,
        reach: int = REACH,
        ordered: bool = False,
        denominator: Denominator = "and",
        context: bool = False,
        engine: CountingEngine = "auto",
        memory: int = MEMORY,
        workers: int = 1,
    ) -> Integers:
        """Count the facts of a table.

        Many facts at a time are much cheaper than one.

        Parameters
        ----------
        table
            The facts.
        x, reach, ordered, denominator
            As for :func:`evaluator.counting.bulk.count_facts`.
        context
            Count the context of facts, too.
        engine
            "direct", "bulk", or the one that is likely to be faster. It changes no count.
        memory
            Bytes that positions may take at a time, all workers together.
        workers
            Processes that count shards in parallel, where that is worth while.

        Returns
        -------
        Array of shape (facts, 5), with the context (facts, 11)
            Columns as in :class:`evaluator.counting.definition.Counts`, then as in
            :class:`evaluator.counting.definition.Context`; 0 where a count is not defined.
        """
        check_options(x=x, reach=reach, denominator=denominator)
        if engine not in ("auto", "direct", "bulk"):
            raise ConfigurationError(f'engine "{engine}": expected auto, direct or bulk')
        bulk = direct = 0.0
        if engine == "auto" or workers > 1:
            bulk, direct = self._costs(table, context=context)
        none = np.zeros((len(table), columns(context=context)), dtype=np.int64)
        if engine == "direct" or (engine == "auto" and direct < bulk):
            ask = partial(
                direct_hits,
                table,
                x=x,
                reach=reach,
                ordered=ordered,
                denominator=denominator,
                context=context,
            )
            return sum(map(ask, self.shards), start=none)
        workers = min(workers, len(self.shards)) if bulk > _WORTH_A_PROCESS else 1
        count = partial(
            count_shards,
            table,
            x=x,
            reach=reach,
            ordered=ordered,
            denominator=denominator,
            context=context,
            memory=memory // workers,
        )
        if workers == 1:
            return count(self.shards)
        with process_pool(workers) as pool:
            counted = pool.map(partial(_open_and, count, self.path), self.manifest.shards)
            return sum(counted, start=none)

    def snippets(
        self, e1: Element, r: Element, e2: Element, *, x: int, reach: int = REACH, most: int = 3
    ) -> list[Snippet]:
        """Return excerpts of the documents in which a fact stands, the closest first.

        Documents in which the three elements are in proximity come first, then those about e1 in
        which r is within reach of e2, then those that only hold the three; where `r` is empty, the
        documents of the pair.
        """
        if not (alternatives(e1) and alternatives(e2)):
            return []
        best = nsmallest(
            most,
            (
                found
                for number, shard in enumerate(self.shards)
                for found in shard.standings(e1, r, e2, x=x, reach=reach, shard=number, most=most)
            ),
        )
        return [self.shards[found.shard].snippet(found) for found in best]

    def queries(
        self, e1: Element, r: Element, e2: Element, x: int, reach: int = REACH
    ) -> dict[str, str]:
        """Return the queries for a fact as a person would write them (paper, Figure 2).

        One for each of its counts; ``topic:`` asks what a document is about.
        """
        first, relation, second = (_query(element) for element in (e1, r, e2))
        near = f" NEAR:{x} "
        return {
            "pair": f"{first} AND {second}",
            "classic": f"{first} AND {relation} AND {second}",
            "proximity": near.join((first, relation, second)),
            "topic": f"topic:{first} AND {second}",
            "anchored": f"topic:{first} AND {relation} NEAR:{reach} {second}",
        }

    def term_counts(self, forms: Iterable[str]) -> list[int]:
        """Return how often each of `forms` stands in the texts, titles left out.

        A form is one token (:mod:`evaluator.text`); anything else is never there.
        """
        forms = list(forms)
        total = np.zeros(len(forms), dtype=np.int64)
        for shard in self.shards:
            total += shard.frequencies(forms)
        counts: list[int] = total.tolist()
        return counts

    def _costs(self, table: FactTable, *, context: bool) -> tuple[float, float]:
        """Return the seconds that the bulk and the direct engine may take, on one core."""
        each = _SECONDS_PER_DIRECT_FACT * (_TIMES_WITH_CONTEXT if context else 1)
        direct = len(table) * each * len(self.shards)
        elements = [*table.entities, *table.relations]
        words = sorted(
            {word for element in elements for words in phrases(element) for word in words}
        )
        bulk = len(elements) * _SECONDS_PER_ELEMENT * len(self.shards)
        if bulk < direct:
            bulk += sum(self.term_counts(words)) * _SECONDS_PER_POSITION
        return bulk, direct


def direct_hits(
    table: FactTable,
    shard: IndexShard,
    *,
    x: int,
    reach: int,
    ordered: bool,
    denominator: Denominator,
    context: bool,
) -> Integers:
    """Count the facts of a table in one shard, one by one; as :meth:`TextIndex.hits` does."""
    entities, relations = (
        dict(enumerate(elements)) | {EMPTY: ()} for elements in (table.entities, table.relations)
    )
    asked = (column.tolist() for column in (table.e1, table.r, table.e2))
    rows = []
    with running():
        for e1, r, e2 in zip(*asked, strict=True):
            fact = entities[e1], relations[r], entities[e2]
            counts: tuple[int | None, ...] = shard.count(
                fact, x=x, reach=reach, ordered=ordered, denominator=denominator
            )
            if context:
                counts += shard.context(fact, x=x, reach=reach)
            rows.append([count or 0 for count in counts])
    return np.array(rows, dtype=np.int64).reshape(-1, columns(context=context))


def _open_and(
    count: Callable[[Sequence[IndexShard]], Integers], index: Path, shard: ShardManifest
) -> Integers:
    """Count in a shard, in a process that has none open."""
    with closing(IndexShard(index, shard)) as opened:
        return count([opened])


def _query(element: Element) -> str:
    """Return an element as it stands in a query: its alternatives, in parentheses.

    Short forms, which count only beside a name, are in square brackets.
    """
    names = [" ".join(words) for words in full_names(element)]
    if not names:
        return "(no word)"
    several = len(phrases(element)) > 1
    asked = [f'"{name}"' if several and " " in name else name for name in names]
    asked += [f"[{' '.join(words)}]" for words in short_forms(element)]
    return f"({' OR '.join(asked)})"

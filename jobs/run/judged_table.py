"""The judged facts of a run as labels see them: counted by kind, drawn, and looked up."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pyarrow as pa

from evaluator.annotators.sentence_evidence import FIELDS, FLAGS, ORDERS, decoded
from evaluator.labels.design import JudgedFact
from evaluator.model import Fact
from indexes.engine import DuckEngine, Engine
from jobs.run.stages.rows import FACT, FACT_COLUMNS, FACT_FIELDS, WORDS
from jobs.rundir import files_of_table

# Facts of one kind agree in all that a stratification looks at; a cut only asks on which side of it
# a key is, so any of the keys stands for all.
_KIND_COLUMNS = "candidate, systems, matched, verdict, score, pair"
FACTS = pa.schema(FACT_FIELDS)


class JudgedFacts:
    """The judged facts of a run: the table ``judged`` of an engine.

    Parameters
    ----------
    engine
        The engine.
    cuts
        Sampling keys that facts are told apart by: on which side of each a fact is.
    """

    def __init__(self, engine: Engine, cuts: Iterable[int] = ()) -> None:
        self._engine, self._cuts = engine, tuple(cuts)
        # Every key is on the same side of the first, which gives the array a type without cuts.
        sides = engine.array(["true", *(f"sample_key <= {cut}" for cut in self._cuts)])
        engine.view("sided", f"SELECT *, {sides} AS sides FROM judged")

    def kinds(self) -> dict[JudgedFact, int]:
        """Return how many facts there are of each kind."""
        rows = self._engine.rows(
            f"""SELECT {_KIND_COLUMNS}, min(sample_key), count(*)
            FROM sided GROUP BY {_KIND_COLUMNS}, sides"""
        )
        return {_judged(row[:7]): row[7] for row in rows}

    def smallest(
        self, classes: Mapping[JudgedFact, str], labels: Mapping[str, int]
    ) -> list[tuple[Fact, JudgedFact]]:
        """Return the facts with the smallest sampling keys of each class.

        Parameters
        ----------
        classes
            The class of every kind of facts that is in one.
        labels
            How many facts of each class.
        """
        kinds = [(kind, name) for kind, name in classes.items() if labels.get(name, 0)]
        rows = [
            (
                place,
                kind.candidate,
                sorted(kind.systems),
                kind.matched,
                kind.verdict,
                kind.score,
                kind.pair,
                [True, *(kind.key <= cut for cut in self._cuts)],
                name,
                labels[name],
            )
            for place, (kind, name) in enumerate(kinds)
        ]
        self._engine.table("kinds", rows, _KINDS)
        found = self._engine.rows(
            f"""SELECT place, {FACT_COLUMNS}, sample_key FROM (
                SELECT k.place, {_of("j", FACT)}, j.sample_key, k.labels, row_number() OVER (
                    PARTITION BY k.class ORDER BY j.sample_key, {_of("j", FACT)}
                ) AS turn
                FROM sided j JOIN kinds k
                    ON j.candidate = k.candidate AND j.systems = k.systems
                    AND j.matched = k.matched AND j.sides = k.sides
                WHERE j.verdict IS NOT DISTINCT FROM k.verdict
                    AND j.score IS NOT DISTINCT FROM k.score
                    AND j.pair IS NOT DISTINCT FROM k.pair
            ) WHERE turn <= labels"""
        )
        return [
            (Fact(*row[1:5]), kinds[row[0]][0]._replace(key=row[5]))
            for row in sorted(found, key=lambda row: row[1:])
        ]

    def look_up(self, facts: Collection[Fact]) -> dict[Fact, JudgedFact]:
        """Return those of `facts` that the run has, as it judged them."""
        self._engine.table("wanted", [tuple(fact) for fact in sorted({*facts})], FACTS)
        same = " AND ".join(f"w.{name} = j.{name}" for name in FACT)
        kind = ", ".join(f"j.{name}" for name in _KIND_COLUMNS.split(", "))
        rows = self._engine.rows(
            f"SELECT {_of('j', FACT)}, {kind}, j.sample_key FROM sided j JOIN wanted w ON {same}"
        )
        return {Fact(*row[:4]): _judged(row[4:]) for row in rows}


@dataclass(frozen=True)
class JudgedTable:
    """The table of judged facts in the directory of a finished run.

    Attributes
    ----------
    run
        The run directory.
    cuts
        As for :class:`JudgedFacts`.
    """

    run: Path
    cuts: tuple[int, ...] = ()

    def kinds(self) -> dict[JudgedFact, int]:
        """Return how many facts there are of each kind."""
        with self._opened() as facts:
            return facts.kinds()

    def smallest(
        self, classes: Mapping[JudgedFact, str], labels: Mapping[str, int]
    ) -> list[tuple[Fact, JudgedFact]]:
        """Return the facts with the smallest keys; see :meth:`JudgedFacts.smallest`."""
        with self._opened() as facts:
            return facts.smallest(classes, labels)

    def look_up(self, facts: Collection[Fact]) -> dict[Fact, JudgedFact]:
        """Return those of `facts` that the run has, as it judged them."""
        with self._opened() as judged:
            return judged.look_up(facts)

    @contextmanager
    def _opened(self) -> Iterator[JudgedFacts]:
        folder = self.run / "estimate" / "judged"
        with TemporaryDirectory() as scratch, DuckEngine(Path(scratch)) as engine:
            with files_of_table(folder):
                engine.read("judged", [folder])
            yield JudgedFacts(engine, self.cuts)


CLOSEST = {f"closest_{field}": field for field in FIELDS}
"""Names of the columns of :func:`closest_columns`, and the field of each."""


def closest_columns(closest: pa.ChunkedArray) -> dict[str, pa.Array]:
    """Return the sentence evidence in the column ``closest`` as columns, null where there is none.

    Fields are as :func:`evaluator.annotators.sentence_evidence.named` gives them.
    """
    fields = decoded(closest.to_pylist())
    none = (fields < 0).any(axis=1)
    columns = {}
    for (name, field), numbers in zip(CLOSEST.items(), fields.T, strict=True):
        values = numbers > 0 if field in FLAGS else numbers
        if field == "order":
            values = np.array(ORDERS, object)[numbers]
        columns[name] = pa.array(values, mask=none)
    return columns


_KINDS = pa.schema(
    [
        ("place", pa.int64()),
        ("candidate", pa.bool_()),
        ("systems", WORDS),
        ("matched", pa.bool_()),
        ("verdict", pa.string()),
        ("score", pa.float64()),
        ("pair", pa.int64()),
        ("sides", pa.list_(pa.bool_())),
        ("class", pa.string()),
        ("labels", pa.int64()),
    ]
)


def _of(table: str, names: Iterable[str]) -> str:
    return ", ".join(f"{table}.{name}" for name in names)


def _judged(row: Sequence[Any]) -> JudgedFact:
    candidate, systems, *rest = row
    return JudgedFact(candidate, frozenset(systems), *rest)

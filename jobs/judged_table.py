"""The judged facts of a finished run, read without Spark."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa

from evaluator.errors import InputError
from evaluator.label_design import Judged
from evaluator.model import Fact

# Facts of one kind agree in all that a stratification looks at; a cut only asks on which side of it
# a key is, so any of the keys stands for all.
_KINDS = """
select candidate, systems, matched, verdict, score, pair, min(sample_key) as sample_key,
    count(*) as facts
from judged group by candidate, systems, matched, verdict, score, pair, sides
"""
_SMALLEST = """
select kind, e1, r, e2, negated, sample_key from (
    select kind, e1, r, e2, negated, sample_key, labels,
        row_number() over (partition by class order by sample_key, e1, r, e2, negated) as place
    from judged join kinds using (candidate, systems, matched, sides)
    where judged.verdict is not distinct from kinds.verdict
        and judged.score is not distinct from kinds.score
        and judged.pair is not distinct from kinds.pair
) where place <= labels
"""
_LOOK_UP = """
select e1, r, e2, negated, candidate, systems, matched, verdict, score, pair, sample_key
from judged join wanted using (e1, r, e2, negated)
"""
FACTS = pa.schema(
    [("e1", pa.string()), ("r", pa.string()), ("e2", pa.string()), ("negated", pa.bool_())]
)


@dataclass(frozen=True)
class JudgedTable:
    """The table of judged facts in a run directory.

    Attributes
    ----------
    run
        The run directory.
    cuts
        Sampling keys that facts are told apart by: on which side of each a fact is.
    """

    run: Path
    cuts: tuple[int, ...] = ()

    def kinds(self) -> dict[Judged, int]:
        """Return how many facts there are of each kind."""
        with self._opened() as connection:
            rows = connection.execute(_KINDS).fetchall()
        return {_judged(row[:7]): row[7] for row in rows}

    def smallest(
        self, classes: Mapping[Judged, str], labels: Mapping[str, int]
    ) -> list[tuple[Fact, Judged]]:
        """Return the facts with the smallest sampling keys of each class.

        Parameters
        ----------
        classes
            The class of every kind of facts that is in one.
        labels
            How many facts of each class.
        """
        kinds = [(kind, name) for kind, name in classes.items() if labels.get(name, 0)]
        table = pa.Table.from_pylist(
            [
                {
                    "kind": place,
                    "candidate": kind.candidate,
                    "systems": sorted(kind.systems),
                    "matched": kind.matched,
                    "verdict": kind.verdict,
                    "score": kind.score,
                    "pair": kind.pair,
                    "sides": [kind.key <= cut for cut in self.cuts],
                    "class": name,
                    "labels": labels[name],
                }
                for place, (kind, name) in enumerate(kinds)
            ],
            schema=_KIND,
        )
        with self._opened() as connection:
            connection.register("kinds", table)
            rows = connection.execute(_SMALLEST).fetchall()
        return [
            (Fact(*row[1:5]), kinds[row[0]][0]._replace(key=row[5]))
            for row in sorted(rows, key=lambda row: row[1:])
        ]

    def look_up(self, facts: Collection[Fact]) -> dict[Fact, Judged]:
        """Return those of `facts` that the run has, as it judged them."""
        wanted = pa.Table.from_pylist([fact._asdict() for fact in set(facts)], schema=FACTS)
        with self._opened() as connection:
            connection.register("wanted", wanted)
            rows = connection.execute(_LOOK_UP).fetchall()
        return {Fact(*row[:4]): _judged(row[4:]) for row in rows}

    def _opened(self) -> duckdb.DuckDBPyConnection:
        """Return a connection that sees the facts as the view ``judged``."""
        folder = self.run / "estimate" / "judged"
        connection = duckdb.connect()
        try:
            table = connection.read_parquet([str(file) for file in parquet_files(folder)])
        except duckdb.Error as error:
            connection.close()
            problem = str(error).partition("\n")[0]
            raise InputError(folder, f"cannot be read ({problem}); run distval run again") from None
        sides = ", ".join(f"sample_key <= {cut}" for cut in self.cuts)
        table.project(f"*, [{sides}]::boolean[] as sides").create_view("judged")
        return connection


_KIND = pa.schema(
    [
        ("kind", pa.int64()),
        ("candidate", pa.bool_()),
        ("systems", pa.list_(pa.string())),
        ("matched", pa.bool_()),
        ("verdict", pa.string()),
        ("score", pa.float64()),
        ("pair", pa.int64()),
        ("sides", pa.list_(pa.bool_())),
        ("class", pa.string()),
        ("labels", pa.int64()),
    ]
)


def parquet_files(folder: Path) -> list[Path]:
    """Return the files of a table.

    Raises
    ------
    InputError
        Where there are none.
    """
    files = sorted(folder.glob("[!._]*.parquet"))
    if not files:
        raise InputError(folder, "holds no Parquet file; run distval run again")
    return files


def judged_facts(rows: Iterable[Sequence[Any]]) -> Iterator[Judged]:
    """Yield rows of candidate, systems, matched, verdict, score, pair and key as judged facts."""
    return map(_judged, rows)


def _judged(row: Sequence[Any]) -> Judged:
    candidate, systems, *rest = row
    return Judged(candidate, frozenset(systems), *rest)

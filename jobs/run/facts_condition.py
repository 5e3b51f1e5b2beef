"""A condition on facts that a person writes: evaluated where it can reach nothing else."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property

import duckdb
import pyarrow as pa

from evaluator.errors import ConfigurationError
from indexes.engine import Batches
from jobs.run.facts_table import FACTS_TABLE, JUDGED_COLUMNS

# The database is empty and stays so: no file, no setting and no Python variable is in reach.
_CLOSED: dict[str, str | bool | int | float | list[str]] = {
    "enable_external_access": False,
    "python_enable_replacements": False,
    "threads": 1,
    "lock_configuration": True,
}


class FactCondition:
    """An expression of DuckDB's SQL over the columns of a fact.

    Parameters
    ----------
    expression
        Such as ``score > 0.5 and len(systems) > 1``.

    Raises
    ------
    ConfigurationError
        Where it is no single expression over :data:`jobs.run.facts_table.FACTS_TABLE`.
    """

    def __init__(self, expression: str) -> None:
        self.expression = expression
        with self._told():
            self._filtered(FACTS_TABLE.empty_table())

    @cached_property
    def is_on_judged(self) -> bool:
        """Whether it needs no sentence and no extraction, which are looked up fact by fact."""
        try:
            self._filtered(JUDGED_COLUMNS.empty_table())
        except duckdb.Error:
            return False
        return True

    def true_of(self, batches: Batches) -> Batches:
        """Yield the rows of facts that it is true of, in their order."""
        for batch in batches:
            with self._told():
                found = self._filtered(pa.Table.from_batches([batch]))
            yield from found.combine_chunks().to_batches()

    def _filtered(self, rows: pa.Table) -> pa.Table:
        return self._database.from_arrow(rows).filter(self.expression).to_arrow_table()

    @cached_property
    def _database(self) -> duckdb.DuckDBPyConnection:
        return duckdb.connect(config=_CLOSED)

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except duckdb.Error as error:
            problem = str(error).partition("\n")[0]
            columns = ", ".join(FACTS_TABLE.names)
            raise ConfigurationError(
                f"--where {self.expression}: {problem.removesuffix('!')}; the columns are {columns}"
            ) from None

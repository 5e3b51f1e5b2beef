"""A condition on facts that a person writes (:mod:`indexes.condition`)."""

from functools import cached_property

import pyarrow as pa

from evaluator.errors import ConfigurationError
from indexes.condition import ClosedCondition, ConditionError
from indexes.engine import Batches
from jobs.run.facts_table import FACTS_TABLE, JUDGED_COLUMNS

_LONGEST = 60.0  # seconds for a batch of facts; one takes a few milliseconds


class FactCondition:
    """An expression of DuckDB's SQL over the columns of a fact.

    Parameters
    ----------
    expression
        Such as ``score > 0.5 and len(systems) > 1``.

    Raises
    ------
    ConfigurationError
        Where it is no single expression over :data:`jobs.run.facts_table.FACTS_TABLE`, or takes
        more than a minute.
    """

    def __init__(self, expression: str) -> None:
        self.expression = expression
        self._condition = ClosedCondition(expression, longest=_LONGEST)
        self._true_of(FACTS_TABLE.empty_table())

    @cached_property
    def is_on_judged(self) -> bool:
        """Whether it needs no sentence and no extraction, which are looked up fact by fact."""
        try:
            self._condition.filter(JUDGED_COLUMNS.empty_table())
        except ConditionError:
            return False
        return True

    def true_of(self, batches: Batches) -> Batches:
        """Yield the rows of facts that it is true of, in their order."""
        for batch in batches:
            found = self._true_of(pa.Table.from_batches([batch]))
            yield from found.combine_chunks().to_batches()

    def _true_of(self, rows: pa.Table) -> pa.Table:
        try:
            return self._condition.filter(rows)
        except ConditionError as error:
            columns = ", ".join(FACTS_TABLE.names)
            raise ConfigurationError(
                f"--where {self.expression}: {error}; the columns are {columns}"
            ) from None

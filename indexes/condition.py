"""A condition that somebody writes, on Arrow tables: it can reach and hold up nothing else.

DuckDB evaluates it over an empty database in a process of its own. DuckDB does not stop in the
middle of a long computation; the process is ended.
"""

import resource
from multiprocessing.connection import Connection

import duckdb
import pyarrow as pa

from indexes.processes import Worker, requests, starting

# The database is empty and stays so: no file, no setting and no Python variable is in reach.
_CLOSED: dict[str, str | bool | int | float | list[str]] = {
    "enable_external_access": False,
    "python_enable_replacements": False,
    "threads": 1,
}
_MEMORY = 4 << 30  # bytes of address space; a gigabyte is there before anything is asked
_QUIET = "SET enable_progress_bar = false; SET lock_configuration = true"


class ConditionError(Exception):
    """What is wrong with a condition, in a line."""


class ClosedCondition:
    """An expression of DuckDB's SQL over the columns of tables.

    Parameters
    ----------
    expression
        Such as ``score > 0.5 and len(systems) > 1``.
    longest
        Seconds that it may take for one table.
    """

    def __init__(self, expression: str, *, longest: float) -> None:
        self._longest = longest
        with starting():
            self._worker = Worker(_filter, expression)
        self._worker.connection.recv()  # that it is there, which takes its time where much goes on

    def filter(self, rows: pa.Table) -> pa.Table:
        """Return the rows of which the condition is true, in their order.

        Raises
        ------
        ConditionError
            Where it is no condition on these columns, or takes too long.
        """
        connection = self._worker.connection
        answer: pa.Table | str
        try:
            connection.send(rows)
            if not connection.poll(self._longest):
                self._worker.kill()
                raise ConditionError(f"takes more than {self._longest:g} s")
            answer = connection.recv()
        except (EOFError, OSError):
            raise ConditionError(self._worker.died()) from None
        if isinstance(answer, str):
            raise ConditionError(answer)
        return answer


def _filter(connection: Connection, expression: str) -> None:
    """Answer, in a process of its own, each table with the rows of which a condition is true."""
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    with duckdb.connect(config=_CLOSED) as database:
        database.execute(_QUIET)
        connection.send("ready")
        for rows in requests(connection):
            try:
                answer = database.from_arrow(rows).filter(expression).to_arrow_table()
            except (duckdb.Error, MemoryError) as error:
                answer = str(error).partition("\n")[0].removesuffix("!") or "takes too much memory"
            connection.send(answer)

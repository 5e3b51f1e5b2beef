"""A condition that somebody writes is answered, or ended; what it costs is bounded."""

import time

import pyarrow as pa
import pytest

from indexes.condition import ClosedCondition, ConditionError

ROWS = pa.table({"n": [1, 5, None, 9], "name": ["a", "b", "c", "d"]})


def test_the_rows_stay_of_which_it_is_true() -> None:
    condition = ClosedCondition("n > 1", longest=60)
    assert condition.filter(ROWS)["name"].to_pylist() == ["b", "d"]
    assert condition.filter(ROWS.slice(0, 2))["name"].to_pylist() == ["b"]
    with pytest.raises(ConditionError, match="n"):
        condition.filter(ROWS.select(["name"]))
    assert condition.filter(ROWS).num_rows == 2


# About 10^12 steps inside one call of a function, in which DuckDB looks at no interruption, and a
# query that it could interrupt.
ENDLESS = {
    "one call": "levenshtein(repeat(name, 1000000), repeat('z', 1000000)) > n",
    "one query": "(SELECT count(*) FROM range(1000000000000)) > n",
}


@pytest.mark.parametrize("condition", ENDLESS.values(), ids=ENDLESS)
def test_one_that_does_not_end_is_ended(condition: str) -> None:
    begun = time.monotonic()
    with pytest.raises(ConditionError, match=r"^takes more than 1 s$"):
        ClosedCondition(condition, longest=1).filter(ROWS)
    assert time.monotonic() < begun + 30


def test_one_that_takes_too_much_memory_is_told() -> None:
    with pytest.raises(ConditionError, match="Out of Memory"):
        ClosedCondition("len(repeat(name, 2000000000)) > n", longest=60).filter(ROWS)

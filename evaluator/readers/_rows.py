"""Tables in Parquet, row by row."""

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from evaluator.errors import InputError
from evaluator.inputs import open_file
from evaluator.model import Rejects

PARQUET = b"PAR1"
"""What such a file begins with."""

_ROWS = 1_000


def rows(path: Path, *, rejects: Rejects) -> Iterator[tuple[int, str]]:  # noqa: ARG001
    """Yield the rows of a table as objects in JSON, each with its number from 1.

    What JSON does not have is written as text; a number that is none is left out, as null is.

    Raises
    ------
    InputError
        If the file is missing, damaged, or no such table.
    """
    import pyarrow as pa  # takes longer to load than most files of text to read
    import pyarrow.parquet as pq

    try:
        with open_file(path) as file:
            number = 0
            for batch in pq.ParquetFile(file).iter_batches(batch_size=_ROWS):
                for row in batch.to_pylist():
                    number += 1
                    said = {key: one for key, one in row.items() if not _is_nothing(one)}
                    yield number, json.dumps(said, ensure_ascii=False, default=str)
    except OSError as error:
        raise InputError(path, f"cannot be read: {error.strerror or error}") from error
    except pa.ArrowException as error:
        raise InputError(path, f"damaged, or no table in Parquet: {error}") from error


def _is_nothing(value: Any) -> bool:
    return value is None or (isinstance(value, float) and not math.isfinite(value))

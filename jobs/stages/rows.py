"""Rows of the batches that Spark hands to its workers as pandas frames."""

from collections.abc import Iterable
from typing import Any

import pandas as pd

from evaluator.model import Mention, Sentence


def rows_of(batch: pd.DataFrame) -> Iterable[Any]:
    """Return the rows of a batch as named tuples, whose types only its schema in Spark tells."""
    return batch.itertuples(index=False)


def sentence_of(row: Any) -> Sentence:
    """Return the sentence that a row of :func:`rows_of` holds."""
    mentions = getattr(row, "mentions", None)
    words = getattr(row, "relation_words", None)
    return Sentence(
        row.document,
        int(row.number),
        row.text,
        None
        if mentions is None
        else tuple(Mention(m["start"], m["end"], m["entity"]) for m in mentions),
        None if words is None else tuple(words),
    )

"""Annotate: sentences get their entity mentions and relation words."""

from collections.abc import Iterator

import pandas as pd
from pyspark.broadcast import Broadcast
from pyspark.sql import DataFrame

from evaluator.model import Mention, Sentence
from indexes.annotation import annotate_sentence
from indexes.entities import EntityDictionary

ANNOTATED = """
    document string, number long, key string, text string,
    mentions array<struct<start: int, end: int, entity: string>>, relation_words array<string>
"""


def annotate(sentences: DataFrame, dictionary: "Broadcast[EntityDictionary]") -> DataFrame:
    """Return the sentences with mentions and relation words (schema ``ANNOTATED``)."""

    def annotate_batches(batches: Iterator[pd.DataFrame]) -> Iterator[pd.DataFrame]:
        for batch in batches:
            rows = [
                annotate_sentence(sentence_of(row), dictionary.value)
                for row in batch.itertuples(index=False)
            ]
            batch["mentions"] = [[m._asdict() for m in s.mentions or ()] for s in rows]
            batch["relation_words"] = [list(s.relation_words or ()) for s in rows]
            yield batch[["document", "number", "key", "text", "mentions", "relation_words"]]

    return sentences.mapInPandas(annotate_batches, schema=ANNOTATED)


def sentence_of(row: object) -> Sentence:
    """Return the sentence that a row of pandas' ``itertuples`` holds."""
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

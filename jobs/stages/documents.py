"""Documents: a collection read into Parquet, and split into the distinct sentences of a corpus."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import functions as f

from evaluator.corpus import NO_WORD, REPEATED, sentence_key
from evaluator.model import Rejects
from evaluator.sentences import split_sentences
from indexes.collections import read_collection
from jobs.config import Corpus
from jobs.stages.read import write_rows
from jobs.stages.rows import rows_of

DOCUMENTS = pa.schema(
    [
        ("ordinal", pa.int64()),  # the document's rank in the collection
        ("document", pa.string()),
        ("text", pa.string()),
    ]
)
SPLIT = "ordinal long, document string, number long, key string, text string, cut boolean"
_BYTES_PER_FILE = 1 << 23


def write_documents(corpus: Corpus, out: Path) -> dict[str, int]:
    """Write the documents of a corpus as Parquet, one at a time; return the rejects."""
    assert corpus.collection is not None
    rejects = Rejects()
    documents = read_collection(
        corpus.collection, format=corpus.format, select=corpus.select, rejects=rejects
    )
    rows = (
        {"ordinal": ordinal, "document": document.id, "text": document.text}
        for ordinal, document in enumerate(documents)
    )
    write_rows(rows, DOCUMENTS, out, most=_BYTES_PER_FILE, size=lambda row: len(row["text"]))
    return rejects.counts


def split(documents: DataFrame) -> DataFrame:
    """Return the sentences of documents (``DOCUMENTS``), numbered within each (``SPLIT``)."""

    def split_batches(batches: Iterator[pd.DataFrame]) -> Iterator[pd.DataFrame]:
        for batch in batches:
            for row in rows_of(batch):
                pieces = list(split_sentences(row.text))
                yield pd.DataFrame(
                    {
                        "ordinal": row.ordinal,
                        "document": row.document,
                        "number": range(len(pieces)),
                        "key": [sentence_key(piece.text) for piece in pieces],
                        "text": [piece.text for piece in pieces],
                        "cut": [piece.cut for piece in pieces],
                    }
                )

    return documents.mapInPandas(split_batches, schema=SPLIT)


def distinct(pieces: DataFrame) -> DataFrame:
    """Return the sentences (``SPLIT``) that hold a word; of equal keys the first in the corpus."""
    place = f.struct("ordinal", "number", "document", "text")  # the first two are a key
    first = pieces.where("key != ''").groupBy("key").agg(f.min(place).alias("first"))
    return first.select(
        "first.document",
        "first.number",
        "key",
        "first.text",
        f.lit(None).cast("array<struct<start: int, end: int, entity: string>>").alias("mentions"),
        f.lit(None).cast("array<string>").alias("relation_words"),
    )


def account(pieces: DataFrame, kept: DataFrame, rejected: Mapping[str, int]) -> dict[str, Any]:
    """Return the notes on a corpus: its sentences, and what was left out of the documents."""
    found = pieces.agg(
        f.count("*").alias("all"),
        f.count_if(f.col("key") == "").alias("bare"),
        f.count_if("cut").alias("cut"),
    ).collect()[0]
    read = kept.count()
    left_out = {NO_WORD: found["bare"], REPEATED: found["all"] - found["bare"] - read}
    return {
        "read": read,
        "annotated": 0,
        "cut": found["cut"],
        "rejected": {**rejected, **{reason: n for reason, n in left_out.items() if n}},
    }

"""Documents: a collection read into Parquet, and split into the distinct sentences of a corpus."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa

from evaluator.corpus.sentences import NO_WORD, REPEATED, sentence_key
from evaluator.corpus.splitting import split_sentences
from evaluator.model import Rejects
from indexes.collections import read_collection
from indexes.engine import Batches, Engine, Mapped
from jobs.config import CorpusSettings
from jobs.run.stages.read import write_rows
from jobs.run.stages.rows import columns

DOCUMENTS = pa.schema(
    [
        ("ordinal", pa.int64()),  # the document's rank in the collection
        ("document", pa.string()),
        ("text", pa.string()),
    ]
)
PIECES = pa.schema(
    [
        ("ordinal", pa.int64()),
        ("document", pa.string()),
        ("number", pa.int64()),
        ("key", pa.string()),
        ("text", pa.string()),
        ("cut", pa.bool_()),
    ]
)
_BYTES_PER_FILE = 1 << 23
_MOST_SENTENCES = 1 << 32  # of a document


def write_documents(corpus: CorpusSettings, out: Path) -> dict[str, int]:
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


def split(engine: Engine) -> None:
    """Make of the table ``documents`` the table ``pieces``: sentences, numbered within each."""
    spread = f"/*+ REPARTITION({engine.parallelism}) */"
    engine.sql("pieces", Mapped(f"SELECT {spread} * FROM documents", split_batches, PIECES))


def split_batches(batches: Batches) -> Batches:
    """Split documents into sentences."""
    for batch in batches:
        rows = [
            (ordinal, document, number, sentence_key(piece.text), piece.text, piece.cut)
            for ordinal, document, text in columns(batch, *DOCUMENTS.names)
            for number, piece in enumerate(split_sentences(text))
        ]
        arrays = zip(*rows, strict=True) if rows else ([],) * len(PIECES)
        yield pa.record_batch(
            [pa.array(array, of.type) for array, of in zip(arrays, PIECES, strict=True)],
            schema=PIECES,
        )


def save_distinct(engine: Engine, out: Path) -> None:
    """Write those pieces that hold a word; of equal keys the first in the corpus."""
    first = ", ".join(f"min_by({of}, place) AS {of}" for of in ("document", "number", "text"))
    engine.save(
        f"""SELECT key, {first}
        FROM (SELECT *, ordinal * {_MOST_SENTENCES} + number AS place FROM pieces WHERE key <> '')
        GROUP BY key""",
        out,
    )


def account(engine: Engine, rejected: Mapping[str, int]) -> dict[str, Any]:
    """Return the notes on a corpus: its sentences, and what was left out of the documents."""
    [(found, bare, cut)] = engine.rows(
        "SELECT count(*), count_if(key = ''), count_if(cut) FROM pieces"
    )
    [(read,)] = engine.rows("SELECT count(*) FROM sentences")
    left_out = {NO_WORD: bare, REPEATED: found - bare - read}
    return {
        "read": read,
        "annotated": 0,
        "cut": cut,
        "rejected": {**rejected, **{reason: n for reason, n in left_out.items() if n}},
    }

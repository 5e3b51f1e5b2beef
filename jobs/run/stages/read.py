"""Read the input: sentences, extractions and facts, streamed into Parquet, bad records counted."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from evaluator.corpus.sentences import read_sentences, sentence_key
from evaluator.facts.given import GivenFact
from evaluator.model import Extraction, Rejects, Sentence
from evaluator.readers import SystemSource, read_extractions, read_facts
from jobs.run.stages.rows import MENTIONS, WORDS

SENTENCES = pa.schema(
    [
        ("document", pa.string()),
        ("number", pa.int64()),
        ("key", pa.string()),  # what extractions are aligned by
        ("text", pa.string()),
        ("mentions", MENTIONS),  # null where the input is not annotated
        ("relation_words", WORDS),
    ]
)
EXTRACTIONS = pa.schema(
    [
        ("system", pa.string()),
        ("line", pa.int64()),
        ("key", pa.string()),
        ("sentence", pa.string()),
        ("arg1", pa.string()),
        ("relation", pa.string()),
        ("arg2", pa.string()),
        ("confidence", pa.float64()),
        ("negated", pa.bool_()),
        ("asserted", pa.bool_()),
    ]
)
GIVEN = pa.schema(
    [
        ("system", pa.string()),
        ("line", pa.int64()),
        ("e1", pa.string()),
        ("relation", pa.string()),
        ("e2", pa.string()),
        ("name1", pa.string()),
        ("name2", pa.string()),
    ]
)
_ROWS_PER_FILE = 50_000


def write_sentences(path: Path, *, format: str, out: Path) -> dict[str, Any]:  # noqa: A002
    """Write the sentences of a corpus as Parquet; return what they are and the rejects."""
    rejects = Rejects()
    annotated = 0

    def rows() -> Iterator[dict[str, Any]]:
        nonlocal annotated
        for sentence in read_sentences(path, format=format, rejects=rejects):
            annotated += sentence.mentions is not None
            yield _sentence_row(sentence)

    read = write_rows(rows(), SENTENCES, out)
    return {"read": read, "annotated": annotated, "cut": 0, "rejected": rejects.counts}


def write_extractions(sources: Iterable[SystemSource], *, out: Path) -> dict[str, Any]:
    """Write the extractions of all systems as Parquet; return what each gave and lost."""

    def rows(source: SystemSource, rejects: Rejects) -> Iterator[dict[str, Any]]:
        return (_extraction_row(e) for e in read_extractions(source, rejects=rejects))

    return _write_systems(sources, rows, EXTRACTIONS, out)


def write_facts(sources: Iterable[SystemSource], *, out: Path) -> dict[str, Any]:
    """Write the facts that all systems give as Parquet; return what each gave and lost."""

    def rows(source: SystemSource, rejects: Rejects) -> Iterator[dict[str, Any]]:
        return (_fact_row(given) for given in read_facts(source, rejects=rejects))

    return _write_systems(sources, rows, GIVEN, out)


def _write_systems(
    sources: Iterable[SystemSource],
    rows: Callable[[SystemSource, Rejects], Iterator[dict[str, Any]]],
    schema: pa.Schema,
    out: Path,
) -> dict[str, Any]:
    notes = {}
    for number, source in enumerate(sources):
        rejects = Rejects()
        prefix = f"system-{number:03d}"
        read = write_rows(rows(source, rejects), schema, out, prefix=prefix, size=_size)
        notes[source.name] = {"read": read, "rejected": rejects.counts}
    return notes


def _size(row: Mapping[str, Any]) -> int:
    """Return how many ordinary rows one is worth: a line may hold megabytes."""
    return 1 + sum(len(text) for text in row.values() if isinstance(text, str)) // 1000


def _sentence_row(sentence: Sentence) -> dict[str, Any]:
    mentions = sentence.mentions
    return {
        "document": sentence.document,
        "number": sentence.number,
        "key": sentence_key(sentence.text),
        "text": sentence.text,
        "mentions": None if mentions is None else [m._asdict() for m in mentions],
        "relation_words": None
        if sentence.relation_words is None
        else list(sentence.relation_words),
    }


def _extraction_row(extraction: Extraction) -> dict[str, Any]:
    return {
        "system": extraction.system,
        "line": extraction.line,
        "key": sentence_key(extraction.sentence),
        "sentence": extraction.sentence,
        "arg1": extraction.arg1,
        "relation": extraction.relation,
        "arg2": extraction.arg2,
        "confidence": extraction.confidence,
        "negated": bool(extraction.negated),
        "asserted": extraction.asserted,
    }


def _fact_row(given: GivenFact) -> dict[str, Any]:
    return {name: getattr(given, name) for name in GIVEN.names}


def write_rows(
    rows: Iterable[Mapping[str, Any]],
    schema: pa.Schema,
    out: Path,
    *,
    prefix: str = "part",
    most: int = _ROWS_PER_FILE,
    size: Callable[[Mapping[str, Any]], int] = lambda _row: 1,
) -> int:
    """Write rows as a folder of Parquet files that engines share out; return their number.

    A file is closed when the sizes of its rows reach `most`: one row is 1, or what `size` says.
    """
    out.mkdir(parents=True, exist_ok=True)
    written = files = held = 0
    batch: list[Mapping[str, Any]] = []

    def close() -> None:
        table = pa.Table.from_pylist(batch, schema=schema)
        pq.write_table(table, out / f"{prefix}-{files:05d}.parquet", compression="zstd")

    for row in rows:
        batch.append(row)
        held += size(row)
        if held >= most:
            close()
            written, files, held, batch = written + len(batch), files + 1, 0, []
    if batch or not files:  # a table without rows has its columns all the same
        close()
    return written + len(batch)

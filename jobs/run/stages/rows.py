"""Records of the batches that functions are given: from Arrow to values of the model, and back."""

from collections.abc import Iterator, Sequence
from typing import Any

import pyarrow as pa

from evaluator.model import Fact, Mention, Sentence

FACT = ("e1", "r", "e2", "negated")
"""The columns that make a fact."""

FACT_COLUMNS = ", ".join(FACT)

FACT_FIELDS = [
    ("e1", pa.string()),
    ("r", pa.string()),
    ("e2", pa.string()),
    ("negated", pa.bool_()),
]
MENTIONS = pa.list_(
    pa.struct([("start", pa.int32()), ("end", pa.int32()), ("entity", pa.string())])
)
WORDS = pa.list_(pa.string())
LATER = "_later"
"""Suffix of the columns of the later one of two sentences."""


def same_fact(one: str, other: str) -> str:
    """Return the condition that the rows of two tables have one fact."""
    return " AND ".join(f"{one}.{name} = {other}.{name}" for name in FACT)


def columns(batch: pa.RecordBatch, *names: str) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of some columns."""
    return zip(*(batch[name].to_pylist() for name in names), strict=True)


def facts(batch: pa.RecordBatch) -> list[Fact]:
    """Return the facts of a batch."""
    return list(map(Fact, *(batch[name].to_pylist() for name in FACT)))


def fact_arrays(of: Sequence[Fact | None]) -> list[pa.Array]:
    """Return the columns of facts; nulls where there is none."""
    nothing = (None,) * len(FACT)
    fields = zip(*(fact or nothing for fact in of), strict=True) if of else ((),) * len(FACT)
    return [pa.array(field, kind) for field, (_, kind) in zip(fields, FACT_FIELDS, strict=True)]


def sentences(batch: pa.RecordBatch, suffix: str = "") -> list[Sentence | None]:
    """Return the sentences of a batch; None for a row without text.

    A batch without a column of mentions or relation words is of sentences that have none. With a
    `suffix` they are those of the columns whose names have it (:func:`suffixed`).
    """
    count = batch.num_rows
    document, number, said, of, words_of = (
        f"{name}{suffix}" for name in ("document", "number", "text", "mentions", "relation_words")
    )
    names = batch.schema.names
    mentions = _mentions(batch[of]) if of in names else [None] * count
    words = batch[words_of].to_pylist() if words_of in names else [None] * count
    return [
        None
        if text is None
        else Sentence(name, place, text, held, None if told is None else tuple(told))
        for name, place, text, held, told in zip(
            batch[document].to_pylist(),
            batch[number].to_pylist(),
            batch[said].to_pylist(),
            mentions,
            words,
            strict=True,
        )
    ]


def pairs(batch: pa.RecordBatch) -> Iterator[tuple[Sentence, Sentence]]:
    """Yield the two sentences of each row of a batch, of which the second has ``LATER``."""
    for first, second in zip(sentences(batch), sentences(batch, LATER), strict=True):
        assert first is not None
        assert second is not None
        yield first, second


def suffixed(table: str, suffix: str, *names: str) -> str:
    """Return the columns of a table of sentences under names with a suffix, to be selected."""
    return ", ".join(f"{table}.{name} AS {name}{suffix}" for name in names)


def mention_array(of: Sequence[Sequence[Mention]]) -> pa.Array:
    """Return a column of mentions."""
    offsets = [0]
    all_mentions: list[Mention] = []
    for mentions in of:
        all_mentions += mentions
        offsets.append(len(all_mentions))
    kinds = list(MENTIONS.value_type)
    parts = zip(*all_mentions, strict=True) if all_mentions else ([], [], [])
    fields = [pa.array(part, kind.type) for part, kind in zip(parts, kinds, strict=True)]
    return pa.ListArray.from_arrays(
        pa.array(offsets, pa.int32()), pa.StructArray.from_arrays(fields, fields=kinds), MENTIONS
    )


def _mentions(column: pa.ListArray) -> list[tuple[Mention, ...] | None]:
    # Much faster than to_pylist, which makes a dictionary of each.
    values = column.flatten()
    made = list(
        map(Mention, *(values.field(name).to_pylist() for name in ("start", "end", "entity")))
    )
    found: list[tuple[Mention, ...] | None] = []
    begin = 0
    for length in column.value_lengths().to_pylist():
        end = begin + (length or 0)
        found.append(None if length is None else tuple(made[begin:end]))
        begin = end
    return found

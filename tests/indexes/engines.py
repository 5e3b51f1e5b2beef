"""Texts in an index, asked through both engines: one fact at a time, and all facts at once."""

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import chain, repeat
from pathlib import Path
from typing import NamedTuple

from evaluator.counting.definition import Context, Counts, Element, FactElements
from evaluator.counting.fact_table import FactTable
from evaluator.text import tokens
from indexes.text.build import build_collection
from indexes.text.index import TextIndex
from indexes.text.plan import Pace

type Count = Callable[..., list[Counts]]


class InText(NamedTuple):
    """The counts that ask for an occurrence of each element."""

    pair: int | None
    classic: int | None
    proximity: int | None


class Engines(NamedTuple):
    """From facts to counts, with the options of :meth:`indexes.text.index.TextIndex.count`."""

    index: TextIndex
    direct: Count
    bulk: Count

    def counts(self, fact: FactElements, **options: object) -> Counts:
        """Return the counts of a fact, on which the engines must agree."""
        (direct,), (bulk,) = self.direct([fact], **options), self.bulk([fact], **options)
        assert direct == bulk
        return direct

    def agreed(self, fact: FactElements, **options: object) -> InText:
        """Return the same without those of documents about e1."""
        return InText(*self.counts(fact, **options)[:3])

    def context(self, fact: FactElements, **options: int) -> Context:
        """Return the context of a fact, on which the engines must agree; 0 where undefined."""
        table = FactTable.of([fact])
        (direct,), (bulk,) = (
            self.index.hits(table, **options, context=True, engine=engine)[:, 5:].tolist()
            for engine in ("direct", "bulk")
        )
        assert direct == bulk
        return Context(*direct)


def element(*names: str) -> Element:
    """Return the element whose alternatives are `names`, written as people write them."""
    return tuple(tuple(tokens(name)) for name in names)


@contextmanager
def engines(
    folder: Path, texts: Iterable[str], *, titles: Iterable[str] = (), shards: int = 1
) -> Iterator[Engines]:
    """Index `texts` in `shards` shards inside `folder`, and open the index; titles may run out."""
    titled = zip(texts, chain(titles, repeat("")), strict=False)
    lines = (
        json.dumps({"id": str(number), "title": title, "text": text})
        for number, (text, title) in enumerate(titled)
    )
    folder.mkdir(exist_ok=True)
    collection = folder / "texts.jsonl"
    collection.write_text("\n".join(lines) + "\n", encoding="utf-8")
    build_collection(
        collection,
        folder / "index",
        format="jsonl",
        shards=shards,
        workers=1,
        pace=Pace(batch_bytes=200),
    )
    with TextIndex.open(folder / "index") as index:
        yield Engines(
            index, *(partial(index.count, engine=engine) for engine in ("direct", "bulk"))
        )

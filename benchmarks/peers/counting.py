"""Three ways to count a fact with what there is: a query each, and the number of hits.

Each peer gives a function for every count that it can give. NEAR:X, at most X words between each
two neighbours, can be had from Lucene's intervals only: a phrase with slop bounds edits, a span
query the sum of the gaps.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import tantivy

from evaluator.counting.definition import Element
from indexes.jvm import Java
from peers.anserini import index_collection

type Asks = Mapping[str, Callable[..., int]]
"""By the name of a count: from the elements of a fact to the count."""


class _Queries:
    """Lucene queries for elements, put together through pyjnius; each is made once."""

    def __init__(self, java: Java) -> None:
        def lucene(name: str) -> Any:
            return java.autoclass(f"org.apache.lucene.{name}")

        self._builder = lucene("search.BooleanQuery$Builder")
        self._must = lucene("search.BooleanClause$Occur").MUST
        self._should = lucene("search.BooleanClause$Occur").SHOULD
        self._phrase = lucene("search.PhraseQuery")
        self._intervals = lucene("queries.intervals.Intervals")
        self._interval_query = lucene("queries.intervals.IntervalQuery")
        self._query, self._source = cache(self._make_query), cache(self._make_source)

    def all_of(self, *elements: Element) -> Any:
        return self._boolean(self._must, map(self._query, elements))

    def near(self, e1: Element, r: Element, e2: Element, *, x: int) -> Any:
        near = self._source(r)
        for entity in (e1, e2):
            around = self._intervals.extend(self._source(entity), x + 1, x + 1)
            near = self._intervals.containedBy(near, around)
        return self._interval_query("contents", near)

    def _make_query(self, element: Element) -> Any:
        phrases = [self._phrase("contents", *words) for words in element]
        return phrases[0] if len(phrases) == 1 else self._boolean(self._should, phrases)

    def _make_source(self, element: Element) -> Any:
        phrases = [self._intervals.phrase(*words) for words in element]
        return phrases[0] if len(phrases) == 1 else getattr(self._intervals, "or")(*phrases)

    def _boolean(self, occur: Any, queries: Iterable[Any]) -> Any:
        builder = self._builder()
        for query in queries:
            builder.add(query, occur)
        return builder.build()


@contextmanager
def hits_of_simple_searcher(java: Java, folder: Path, texts: Iterable[str]) -> Iterator[Asks]:
    """Search for all documents and take the number of hits, as one would with pyserini.

    In an index that Anserini made, since it sorts equal scores by a field of its own; ``texts`` are
    split at spaces. Pyserini's class is a wrapper around this one, and needs torch.
    """
    (folder / "texts").mkdir(parents=True)
    documents = 0
    with (folder / "texts" / "texts.jsonl").open("w", encoding="utf-8") as stream:
        for documents, text in enumerate(texts, start=1):
            stream.write(json.dumps({"id": str(documents), "contents": text}) + "\n")
    options = ["-storePositions", "-pretokenized"]
    index_collection(folder / "texts", folder / "index", threads=2, options=options)
    queries = _Queries(java)
    searcher = java.autoclass("io.anserini.search.SimpleSearcher")(str(folder / "index"))

    def hits(*elements: Element) -> int:
        return len(searcher.search(queries.all_of(*elements), documents))

    with closing(searcher):
        yield {"pair": lambda e1, _, e2: hits(e1, e2), "CLASSIC": hits}


@contextmanager
def counts_of_pyjnius(java: Java, shard: Path, x: int) -> Iterator[Asks]:
    """Ask Lucene for the count of a conjunction, or of intervals."""
    queries = _Queries(java)
    path = java.autoclass("java.nio.file.Paths").get(str(shard.resolve()))
    directory = java.autoclass("org.apache.lucene.store.FSDirectory").open(path)
    with closing(
        java.autoclass("org.apache.lucene.index.DirectoryReader").open(directory)
    ) as open_:
        # Without the cast pyjnius takes another constructor.
        reader = java.cast("org.apache.lucene.index.IndexReader", open_)
        searcher = java.autoclass("org.apache.lucene.search.IndexSearcher")(reader)
        yield {
            "pair": lambda e1, _, e2: searcher.count(queries.all_of(e1, e2)),
            "CLASSIC": lambda *fact: searcher.count(queries.all_of(*fact)),
            "PROXIMITY": lambda *fact: searcher.count(queries.near(*fact, x=x)),
        }


@contextmanager
def counts_of_tantivy(folder: Path, texts: Iterable[str]) -> Iterator[Asks]:
    """Index the same texts with tantivy and ask it for the count of a conjunction."""
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("contents", tokenizer_name="whitespace", index_option="position")
    schema = builder.build()
    folder.mkdir()
    index = tantivy.Index(schema, path=str(folder))
    writer = index.writer(heap_size=512 << 20, num_threads=1)
    for text in texts:
        writer.add_document(tantivy.Document(contents=[text]))
    writer.commit()
    writer.wait_merging_threads()
    index.reload()
    searcher = index.searcher()
    query, occur = tantivy.Query, tantivy.Occur

    @cache
    def of_element(element: Element) -> tantivy.Query:
        names = [
            query.phrase_query(schema, "contents", list(words))
            if len(words) > 1
            else query.term_query(schema, "contents", words[0])
            for words in element
        ]
        return query.boolean_query([(occur.Should, name) for name in names])

    def hits(*elements: Element) -> int:
        all_of = query.boolean_query([(occur.Must, of_element(element)) for element in elements])
        return int(searcher.search(all_of, limit=1, count=True).count)  # type: ignore[attr-defined]  # its stub lacks it

    yield {"pair": lambda e1, _, e2: hits(e1, e2), "CLASSIC": hits}

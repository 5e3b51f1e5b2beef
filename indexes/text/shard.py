"""One shard of a text index, open: where elements stand in its texts."""

import threading
from bisect import insort
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import reduce
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple

import numpy as np

from evaluator.counting.definition import (
    IF_NAMED,
    Context,
    Counts,
    Denominator,
    Element,
    FactElements,
    alternatives,
    full_names,
    phrases,
)
from evaluator.counting.occurrences import (
    ADDRESS_BITS,
    Integers,
    ManyOccurrences,
    Occurrences,
    distinct,
)
from evaluator.errors import InputError
from indexes.jvm import Java, one_at_a_time, running
from indexes.text.direct import DirectCounter
from indexes.text.manifest import (
    CONTENTS,
    TOPIC,
    ShardManifest,
    java_reason,
    open_reader,
    read_rows,
    stored_document,
    topic_term,
)
from indexes.text.postings import PostingsExport, find_all, occurrences
from indexes.text.snippets import (
    LEAST_ANCHORED,
    Snippet,
    Span,
    Standing,
    closest,
    closest_anchored,
    closest_pair,
    excerpt,
    least_standings,
)

_REMEMBERED = 256 << 20  # bytes of positions kept for the next snippet


class FoundDocument(NamedTuple):
    """A document in which a fact stands; the lesser, the closer its elements and the earlier it is.

    Attributes
    ----------
    standing
        How close.
    ordinal
        The document's place in the collection, whatever the shards.
    shard, document
        Where it is held.
    about
        Whether it is about e1, with r within reach of e2.
    """

    standing: Standing
    ordinal: int
    shard: int
    document: int
    about: bool


class IndexShard:
    """An open shard (:class:`evaluator.counting.bulk.Shard`).

    Threads may share it; they take turns in Lucene. :meth:`close` closes its files.
    """

    def __init__(self, index: Path, manifest: ShardManifest) -> None:
        """Open a shard of the index in the folder `index`."""
        self._path = path = index / manifest.name
        self.documents, self.tokens = manifest.documents, manifest.tokens
        self._remembered: OrderedDict[str, Integers] = OrderedDict()
        self._remembering = threading.Lock()
        with ExitStack() as opening:
            java = opening.enter_context(running())
            self._reader = open_reader(java, path, opening)
            leaves = self._reader.leaves()
            if self._reader.maxDoc() != manifest.documents or leaves.size() != 1:
                raise InputError(
                    path,
                    f"holds {self._reader.maxDoc()} documents in {leaves.size()} segments, its "
                    f"manifest says {manifest.documents} in one: build the index anew "
                    "(distval index build)",
                )
            self._rows = read_rows(path)
            with self._asking():
                self._export = PostingsExport(java, leaves.get(0), CONTENTS)
                self._topics = PostingsExport(java, leaves.get(0), TOPIC)
                self._direct = DirectCounter(java, self._reader)
            self._resources = opening.pop_all()

    def close(self) -> None:
        """Close the files."""
        self._resources.close()

    def find(self, elements: Sequence[Element], first: int, last: int) -> ManyOccurrences:
        """Return the occurrences of each element in the documents `first` to `last`, inclusive."""
        words = {word for element in elements for phrase in element for word in phrase}
        with self._asking():
            positions = self._export.positions(words - {IF_NAMED}, first, last)
        return find_all(elements, positions)

    def about(self, elements: Sequence[Element]) -> list[Integers]:
        """Return the documents about each element, distinct and sorted."""
        terms = [[topic_term(name) for name in full_names(element)] for element in elements]
        with self._asking():
            asked = {term for several in terms for term in several}
            positions = self._topics.positions(asked, 0, self.documents - 1)
        return [_documents([positions[term] for term in several]) for several in terms]

    def count(
        self, fact: FactElements, *, x: int, reach: int, ordered: bool, denominator: Denominator
    ) -> Counts:
        """Count one fact by queries (:meth:`indexes.text.direct.DirectCounter.count`)."""
        with self._asking():
            return self._direct.count(
                fact, x=x, reach=reach, ordered=ordered, denominator=denominator
            )

    def context(self, fact: FactElements, *, x: int, reach: int) -> Context:
        """Count the context of one fact (:meth:`indexes.text.direct.DirectCounter.context`)."""
        with self._asking():
            return self._direct.context(fact, x=x, reach=reach)

    def frequencies(self, words: Sequence[str]) -> Integers:
        """Return how often each of `words` stands in the texts."""
        with self._asking() as java:
            term = java.autoclass("org.apache.lucene.index.Term")
            total = [self._reader.totalTermFreq(term(CONTENTS, word)) for word in words]
        return np.array(total, dtype=np.int64)

    def standings(
        self, e1: Element, r: Element, e2: Element, *, x: int, reach: int, shard: int, most: int
    ) -> list[FoundDocument]:
        """Return the documents in which a fact, or its pair where `r` is empty, stands closest.

        At most `most` of them, in order. How close the elements of a document can stand at the best
        is had for all documents at once, so that few of them must be looked at.
        """
        e1, r, e2 = alternatives(e1), alternatives(r), alternatives(e2)
        there = self._everywhere([element for element in (e1, r, e2) if element])
        bounds = dict(least_standings(there, x=x))
        about: set[int] = set()
        if r:
            held = [distinct(places.start >> ADDRESS_BITS) for places in there[1:]]
            about = set(reduce(np.intersect1d, [*self.about([e1]), *held]).tolist())
        for document in about:
            bounds[document] = min(LEAST_ANCHORED, bounds.get(document, LEAST_ANCHORED))
        best: list[FoundDocument] = []
        for document, bound in sorted(bounds.items(), key=itemgetter(1)):
            if len(best) == most and bound > best[-1].standing[:2]:
                break
            spans = [_spans_in(places, document) for places in there]
            standing = closest(*spans, x=x) if r else closest_pair(*spans)
            anchored = closest_anchored(*spans, reach=reach) if document in about else None
            standings = [each for each in (standing, anchored) if each is not None]
            if standings:
                ordinal = int(self._rows[document]["ordinal"])
                about_it = anchored is not None
                place = ordinal, shard, document
                insort(best, FoundDocument(min(standings), *place, about=about_it))
                del best[most:]
        return best

    def snippet(self, found: FoundDocument) -> Snippet:
        """Cut out of a document what stands around the places that were found."""
        with self._asking():
            id_, title, content = stored_document(self._reader.storedFields(), found.document)
        text, highlights = excerpt(content, dict(found.standing.places))
        return Snippet(id_, title, text, highlights, near=not found.standing.far, about=found.about)

    def text(self, document: int) -> str:
        """Return the text of a document."""
        with self._asking():
            return stored_document(self._reader.storedFields(), document).text

    @contextmanager
    def _asking(self) -> Iterator[Java]:
        """Ask Lucene, one thread at a time; what it finds damaged is told in one line.

        It checks the sums of its files only when it is told to (:mod:`indexes.text.check`).
        """
        with running() as java, one_at_a_time:
            try:
                yield java
            except java.exception as error:
                raise InputError(
                    self._path,
                    f"damaged, Lucene cannot read it ({java_reason(error)}): see distval index "
                    "check, and build the index anew (distval index build)",
                ) from error

    def _everywhere(self, elements: Sequence[Element]) -> list[Occurrences]:
        """Return the occurrences of elements in the whole shard.

        The positions of the words used last are remembered: names and relations share many.
        """
        words = {word for element in elements for words in phrases(element) for word in words}
        with self._remembering:
            positions = {word: self._remembered[word] for word in words & self._remembered.keys()}
            if new := words - positions.keys():
                with self._asking():
                    positions |= self._export.positions(new, 0, self.documents - 1)
            for word in words:
                self._remembered[word] = positions[word]
                self._remembered.move_to_end(word)
            held = sum(some.nbytes for some in self._remembered.values())
            while held > _REMEMBERED:
                _, forgotten = self._remembered.popitem(last=False)
                held -= forgotten.nbytes
        return [occurrences(element, positions) for element in elements]


def _spans_in(places: Occurrences, document: int) -> list[Span]:
    """Return the occurrences in one document as token positions."""
    base = document << ADDRESS_BITS
    low, high = np.searchsorted(places.start, [base, base + (1 << ADDRESS_BITS)])
    starts, ends = places.start[low:high] - base, places.end[low:high] - base
    return list(zip(starts.tolist(), ends.tolist(), strict=True))


def _documents(found: Sequence[Integers]) -> Integers:
    """Return the documents of addresses, distinct and sorted."""
    documents = (found[0] if len(found) == 1 else np.concatenate(found)) >> ADDRESS_BITS
    return distinct(documents) if len(documents) > 1 else documents  # most have one or none

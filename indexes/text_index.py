"""The text index: a Lucene index over a collection, and what is asked of it.

:func:`build_index` writes it, :class:`TextIndex` opens it, counts facts in it (the hit counts of
Bronzi et al. 2012, section 2.2, as :mod:`evaluator.counting` defines them) and shows where a fact
stands. A word of the index is a token of :mod:`evaluator.text` and nothing else: Lucene gets texts
in search form and only splits them at spaces.
"""

import json
import shutil
import threading
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import asdict, dataclass
from functools import partial, reduce
from hashlib import blake2b
from heapq import nsmallest
from pathlib import Path
from typing import Any, Self

import numpy as np

from evaluator.counting import (
    Counts,
    Denominator,
    Element,
    FactElements,
    alternatives,
    count_facts,
)
from evaluator.errors import InputError
from evaluator.model import Rejects
from evaluator.occurrences import ADDRESS_BITS, Occurrences
from evaluator.text import normalise, search_form
from indexes.collections import Document
from indexes.jvm import Java, running
from indexes.postings import PostingsExport, occurrences
from indexes.snippets import Snippet, Span, Standing, closest, closest_pair, excerpt

ANALYSIS = "distval-tokens-1"
"""Name and version of the analysis; an index with another one answers other questions."""

_MANIFEST = "manifest.json"
_CONTENTS, _TITLE = "contents", "title"  # in search form, indexed with positions
_ID, _RAW_CONTENTS, _RAW_TITLE = "id", "raw.contents", "raw.title"  # stored

_BUFFER_MEGABYTES = 192.0
_LONGEST_TOKEN = 1024  # beyond every token of ours, so that Lucene never cuts one

# Counting looks at so many tokens at a time, which bounds its memory whatever the index's size:
# 8 bytes a position, if the facts were to ask for every word.
_SHARD_TOKENS = 64_000_000
_CACHE_BYTES = 256 << 20


@dataclass(frozen=True, slots=True)
class IndexManifest:
    """What an index says of itself, in ``manifest.json``.

    Attributes
    ----------
    documents, tokens
        Size of the collection as indexed; titles are not counted.
    analysis, lucene
        Versions of the analysis and of Lucene.
    source
        Where the documents came from, as the builder was told.
    rejects
        Records of the collection that are not in the index, by reason.
    checksum
        Of the documents' ids, titles and texts, whatever their order.
    """

    documents: int
    tokens: int
    analysis: str
    lucene: str
    source: Mapping[str, str]
    rejects: Mapping[str, int]
    checksum: str


# --- Building ---------------------------------------------------------------------------------


def build_index(
    documents: Iterable[Document], out: Path, *, source: Mapping[str, str], rejects: Rejects
) -> IndexManifest:
    """Build an index of `documents` in the folder `out`.

    Parameters
    ----------
    documents
        The collection, read once; ids must be distinct.
    out
        The folder to write. It appears whole when everything is done; an index that is there
        already is then replaced.
    source
        What the manifest is to say of the collection: its path and format, say.
    rejects
        The rejects of whoever reads `documents`; read into the manifest at the end.

    Raises
    ------
    InputError
        Where `out` is something other than an index, or there is no document.
    """
    out = out.resolve()  # Java would take a relative path from where the JVM was started
    if out.exists() and not (out / _MANIFEST).is_file() and (out.is_file() or any(out.iterdir())):
        raise InputError(out, "exists and is not a text index: remove it, or name another folder")
    with _appearing(out) as folder, running() as java:
        with _Writer(java, folder) as writer:
            for document in documents:
                writer.add(document)
        if not writer.documents:
            raise InputError(out, "no document to index")
        manifest = IndexManifest(
            documents=writer.documents,
            tokens=writer.tokens,
            analysis=ANALYSIS,
            lucene=java.autoclass("org.apache.lucene.util.Version").LATEST.toString(),
            source=dict(source),
            rejects=dict(sorted(rejects.counts.items())),
            checksum=f"{writer.checksum:032x}",
        )
        text = json.dumps(asdict(manifest), ensure_ascii=False, indent=2)
        (folder / _MANIFEST).write_text(text + "\n", encoding="utf-8")
    return manifest


class _Writer:
    """Writes documents into a Lucene index; merges it into one segment in the end."""

    def __init__(self, java: Java, folder: Path) -> None:
        autoclass = java.autoclass
        analyzer = autoclass("org.apache.lucene.analysis.core.WhitespaceAnalyzer")(_LONGEST_TOKEN)
        settings = autoclass("org.apache.lucene.index.IndexWriterConfig")(analyzer)
        settings.setRAMBufferSizeMB(_BUFFER_MEGABYTES)
        settings.setUseCompoundFile(False)
        # Merges neighbours only, so that documents keep the order of the collection.
        settings.setMergePolicy(autoclass("org.apache.lucene.index.LogDocMergePolicy")())
        path = autoclass("java.nio.file.Paths").get(str(folder))
        self._directory = autoclass("org.apache.lucene.store.FSDirectory").open(path)
        self._writer = autoclass("org.apache.lucene.index.IndexWriter")(self._directory, settings)
        self._document = autoclass("org.apache.lucene.document.Document")()
        self._fields = {name: _field(java, name, stored=False) for name in (_CONTENTS, _TITLE)}
        for name in (_ID, _RAW_CONTENTS, _RAW_TITLE):
            self._fields[name] = _field(java, name, stored=True)
        for field in self._fields.values():
            self._document.add(field)
        self.documents = self.tokens = self.checksum = 0

    def add(self, document: Document) -> None:
        text, title = normalise(document.text), normalise(document.title)
        contents = search_form(text)
        values = {
            _CONTENTS: contents,
            _TITLE: search_form(title),
            _ID: document.id,
            _RAW_CONTENTS: text,
            _RAW_TITLE: title,
        }
        for name, value in values.items():
            self._fields[name].setStringValue(value)
        self._writer.addDocument(self._document)
        self.documents += 1
        self.tokens += contents.count(" ") + 1 if contents else 0
        lengths = f"{len(document.id)} {len(title)} "
        digest = blake2b((lengths + document.id + title + text).encode(), digest_size=16).digest()
        self.checksum = (self.checksum + int.from_bytes(digest)) % (1 << 128)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        with closing(self._directory):
            if kind is None:
                self._writer.forceMerge(1)
                self._writer.close()
            else:
                self._writer.rollback()


def _field(java: Java, name: str, *, stored: bool) -> Any:
    """Return a reusable field: stored only, or indexed only, with positions."""
    field_type = java.autoclass("org.apache.lucene.document.FieldType")()
    field_type.setStored(stored)
    if not stored:
        options = java.autoclass("org.apache.lucene.index.IndexOptions")
        field_type.setIndexOptions(options.DOCS_AND_FREQS_AND_POSITIONS)
        field_type.setOmitNorms(True)  # nothing is ranked
    field_type.freeze()
    return java.autoclass("org.apache.lucene.document.Field")(
        name,
        java.cast("java.lang.CharSequence", java.autoclass("java.lang.String")("")),
        java.cast("org.apache.lucene.index.IndexableFieldType", field_type),
    )


@contextmanager
def _appearing(out: Path) -> Iterator[Path]:
    """Give out a temporary sibling of the folder `out`, which takes its place if all goes well."""
    fresh, old = (out.with_name(f".{out.name}.{suffix}") for suffix in ("partial", "old"))
    for left_over in (fresh, old):
        shutil.rmtree(left_over, ignore_errors=True)
    try:
        fresh.mkdir(parents=True)
    except OSError as error:
        raise InputError(out, f"cannot be written ({error.strerror})") from error
    try:
        yield fresh
        if out.exists():
            out.rename(old)
        fresh.rename(out)
        shutil.rmtree(old, ignore_errors=True)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)


# --- Asking -----------------------------------------------------------------------------------


class TextIndex:
    """An open text index.

    Use it as a context manager, or close it. Threads may share it, a fork may not; pickled, it is
    only its path, and is opened anew where it is unpickled.
    """

    def __init__(self, path: Path) -> None:
        """Open the index; :meth:`open` says the same."""
        self.path = path
        self.manifest = _read_manifest(path)
        self._lock = threading.Lock()
        self._cache: OrderedDict[tuple[int, Element], Occurrences] = OrderedDict()
        self._cached_bytes = 0
        with ExitStack() as opening:
            java = opening.enter_context(running())
            self._reader = _open_reader(java, path, opening)
            if self._reader.numDocs() != self.manifest.documents:
                raise InputError(
                    path,
                    f"holds {self._reader.numDocs()} documents, its manifest says "
                    f"{self.manifest.documents}: build it anew (distval index build)",
                )
            self._shards = list(self._cut(java))
            self._resources = opening.pop_all()

    @classmethod
    def open(cls, path: Path) -> "TextIndex":
        """Open the index in the folder `path`.

        Raises
        ------
        InputError
            Where there is no index, or one that these counts cannot be had from.
        SetupError
            Where there is no JVM to be had: see :func:`indexes.jvm.running`.
        """
        return cls(path)

    def close(self) -> None:
        """Close the files."""
        self._resources.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __reduce__(self) -> tuple[type["TextIndex"], tuple[Path]]:
        return TextIndex, (self.path,)

    def count(
        self,
        facts: Sequence[FactElements],
        *,
        x: int,
        ordered: bool = False,
        denominator: Denominator = "and",
    ) -> list[Counts]:
        """Count facts; see :func:`evaluator.counting.count_facts` for the parameters.

        Many facts at a time are much cheaper than one: facts are best sorted by entity or relation
        into batches of some 10,000 or more.
        """
        finds = [partial(self._find, shard) for shard in range(len(self._shards))]
        with running():
            return count_facts(facts, finds, x=x, ordered=ordered, denominator=denominator)

    def snippets(
        self, e1: Element, r: Element, e2: Element, *, x: int, most: int = 3
    ) -> list[Snippet]:
        """Return excerpts of the documents in which a fact stands, the closest first.

        Documents in which the three elements are in proximity come before those that only hold
        them; where `r` is empty, the documents of the pair.
        """
        kinds = {"e1": alternatives(e1), "r": alternatives(r), "e2": alternatives(e2)}
        if not (kinds["e1"] and kinds["e2"]):
            return []
        if not kinds["r"]:
            del kinds["r"]
        found = []
        with running():
            for shard in range(len(self._shards)):
                there = self._find(shard, list(kinds.values()))
                documents = [np.unique(places.start >> ADDRESS_BITS) for places in there]
                for document in reduce(np.intersect1d, documents).tolist():
                    held = [_spans_in(places, document) for places in there]
                    standing = closest(*held, x=x) if len(held) == 3 else closest_pair(*held)
                    if standing is not None:
                        found.append((standing, document))
            return [
                self._snippet(document, dict(zip(kinds, standing.places, strict=True)), standing)
                for standing, document in nsmallest(most, found)
            ]

    def queries(self, e1: Element, r: Element, e2: Element, x: int) -> dict[str, str]:
        """Return the queries for a fact as a person would write them (paper, Figure 2)."""
        first, relation, second = (_query(element) for element in (e1, r, e2))
        near = f" NEAR:{x} "
        return {
            "pair": f"{first} AND {second}",
            "classic": f"{first} AND {relation} AND {second}",
            "proximity": near.join((first, relation, second)),
        }

    def term_counts(self, forms: Iterable[str]) -> list[int]:
        """Return how often each of `forms` stands in the texts, titles left out.

        A form is one token (:mod:`evaluator.text`); anything else is never there.
        """
        with running() as java, self._lock:
            term = java.autoclass("org.apache.lucene.index.Term")
            return [self._reader.totalTermFreq(term(_CONTENTS, form)) for form in forms]

    def _cut(self, java: Java) -> Iterator[tuple[PostingsExport, int, int]]:
        """Cut the index into shards: a segment, its first document and its last."""
        length = self.manifest.tokens // self.manifest.documents + 1
        size = max(1, _SHARD_TOKENS // length)
        leaves = self._reader.leaves()
        for leaf in (leaves.get(number) for number in range(leaves.size())):
            export = PostingsExport(java, leaf, _CONTENTS)
            documents = leaf.reader().maxDoc()
            for first in range(0, documents, size):
                yield export, first, min(first + size, documents) - 1

    def _find(self, shard: int, elements: Sequence[Element]) -> list[Occurrences]:
        """Return the occurrences of `elements` in a shard, from the cache or from Lucene."""
        export, first, last = self._shards[shard]
        with self._lock:
            missing = [element for element in elements if (shard, element) not in self._cache]
            words = {word for element in missing for words in element for word in words}
            positions = export.positions(words, first, last)
            fresh = {element: occurrences(element, positions) for element in missing}
            found = [
                fresh[element] if element in fresh else self._cache[shard, element]
                for element in elements
            ]
            for element in elements:
                self._remember((shard, element), fresh.get(element))
        return found

    def _remember(self, key: tuple[int, Element], fresh: Occurrences | None) -> None:
        """Put occurrences into the cache, or renew them there; drop the longest unused."""
        if fresh is not None and key not in self._cache:
            self._cache[key] = fresh
            self._cached_bytes += _bytes(fresh)
        if key in self._cache:
            self._cache.move_to_end(key)
        while self._cached_bytes > _CACHE_BYTES:
            self._cached_bytes -= _bytes(self._cache.popitem(last=False)[1])

    def _snippet(self, document: int, places: Mapping[str, Span], standing: Standing) -> Snippet:
        # One thread at a time: jnius keeps the object of a call with the method, for all threads.
        with self._lock:
            stored = self._reader.storedFields().document(document)
            id_, title, content = (stored.get(f) for f in (_ID, _RAW_TITLE, _RAW_CONTENTS))
        text, highlights = excerpt(content, places)
        return Snippet(id_, title, text, highlights, not standing.far)


def _spans_in(places: Occurrences, document: int) -> list[Span]:
    """Return the occurrences in one document as token positions."""
    base = document << ADDRESS_BITS
    low, high = np.searchsorted(places.start, [base, base + (1 << ADDRESS_BITS)])
    starts, ends = places.start[low:high] - base, places.end[low:high] - base
    return list(zip(starts.tolist(), ends.tolist(), strict=True))


def _query(element: Element) -> str:
    """Return an element as it stands in a query: its alternatives, in parentheses."""
    several = len(element) > 1
    words = (" ".join(words) for words in element if words)
    return f"({' OR '.join(f'"{name}"' if several and ' ' in name else name for name in words)})"


def _bytes(places: Occurrences) -> int:
    return places.start.nbytes + places.end.nbytes


def _read_manifest(path: Path) -> IndexManifest:
    """Return the manifest of the index in `path`; refuse what is no index of ours."""
    rebuild = "build one there with: distval index build"
    if not path.is_dir():
        problem = "is not a folder" if path.exists() else "no such folder"
        raise InputError(path, f"{problem}; expected a text index: {rebuild}")
    try:
        manifest = IndexManifest(**json.loads((path / _MANIFEST).read_text(encoding="utf-8")))
    except FileNotFoundError:
        raise InputError(path, f"{_what_is_there(path)}: {rebuild}") from None
    except (ValueError, TypeError) as error:
        raise InputError(path / _MANIFEST, f"damaged ({error}): {rebuild}") from error
    if manifest.analysis != ANALYSIS:
        raise InputError(
            path,
            f'has the analysis "{manifest.analysis}", where this version of distval counts by '
            f'"{ANALYSIS}": {rebuild}',
        )
    return manifest


def _what_is_there(path: Path) -> str:
    """Say what a folder without a manifest holds."""
    if not any(path.iterdir()):
        return "an empty folder, no text index"
    if not any(path.glob("segments_*")):
        return "no text index (no manifest.json)"
    with ExitStack() as opening:
        java = opening.enter_context(running())
        reader = _open_reader(java, path, opening)
        infos = java.autoclass("org.apache.lucene.index.FieldInfos").getMergedFieldInfos(reader)
        if not infos.hasProx():
            return "a Lucene index without positions, in which no name of two words can be counted"
    return "a Lucene index that distval did not build (no manifest.json), of unknown analysis"


def _open_reader(java: Java, path: Path, resources: ExitStack) -> Any:
    """Open a Lucene index for reading; `resources` close it."""
    location = java.autoclass("java.nio.file.Paths").get(str(path.resolve()))
    try:
        directory = java.autoclass("org.apache.lucene.store.FSDirectory").open(location)
        resources.enter_context(closing(directory))
        reader = java.autoclass("org.apache.lucene.index.DirectoryReader").open(directory)
    except java.exception as error:
        reason = str(error).splitlines()[0].removeprefix("JVM exception occurred: ")
        raise InputError(
            path, f"damaged, Lucene cannot open it ({reason}): build it anew (distval index build)"
        ) from error
    return resources.enter_context(closing(reader))

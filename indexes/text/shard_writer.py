"""Writing one shard: documents into a Lucene index that can be gone on with after a crash.

What a shard has reached is kept in Lucene's own commits, beside the documents that they hold, so
that the two never disagree. Nothing is merged before the end: the documents that turn out to be
there twice are then deleted by their number, and merging into one segment drops them.
"""

import json
import os
import struct
import time
from contextlib import closing
from dataclasses import asdict
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from evaluator.counting.occurrences import Integers
from evaluator.counting.topics import OPENING, topics
from evaluator.errors import SetupError
from evaluator.model import Rejects
from evaluator.text import normalise, search_form
from indexes.collections import Document
from indexes.jvm import Java
from indexes.text.manifest import (
    CONTENTS,
    DOCUMENTS,
    ID,
    RAW_CONTENTS,
    RAW_TITLE,
    ROW,
    TITLE,
    TOPIC,
    Rows,
    ShardManifest,
    checksum_of,
    id_hash,
    java_reason,
    read_rows,
    stored_document,
    topic_term,
)

_ROWS = "documents.rows"  # rows of documents.npy while the shard is written
_ROW = struct.Struct("<q8s")
_STATE = "distval"
_LONGEST_TOKEN = 1024  # beyond every token and topic of ours, so that Lucene never cuts one
_SEGMENTS_AT_ONCE = 100  # merged in one go
_PATIENCE = 100  # tenths of a second


class ShardWriter:
    """Writes a shard, from where its last commit stands.

    Parameters
    ----------
    java
        The running JVM.
    folder
        The shard's folder; made where there is none.
    buffer
        Megabytes of postings that Lucene gathers before it writes a segment.

    Attributes
    ----------
    batches
        How many batches of records are in; the caller counts them.
    complete, finished
        Whether all records are in; whether duplicates are out and all is one segment.
    documents
        Number of documents, duplicates included until the end.
    rejects
        Records that are not in, by reason.
    """

    def __init__(self, java: Java, folder: Path, *, buffer: float = 192.0) -> None:
        self._java, self._folder = java, folder
        folder.mkdir(parents=True, exist_ok=True)
        autoclass = java.autoclass
        analyzer = autoclass("org.apache.lucene.analysis.core.WhitespaceAnalyzer")(_LONGEST_TOKEN)
        settings = autoclass("org.apache.lucene.index.IndexWriterConfig")(analyzer)
        settings.setRAMBufferSizeMB(buffer)
        settings.setUseCompoundFile(False)
        settings.setCommitOnClose(False)
        settings.setMergePolicy(autoclass("org.apache.lucene.index.NoMergePolicy").INSTANCE)
        settings.setMergeScheduler(autoclass("org.apache.lucene.index.SerialMergeScheduler")())
        path = autoclass("java.nio.file.Paths").get(str(folder.resolve()))
        self._directory = autoclass("org.apache.lucene.store.FSDirectory").open(path)
        _wait_for_lock(java, self._directory)
        try:
            self._writer = autoclass("org.apache.lucene.index.IndexWriter")(
                self._directory, settings
            )
        except java.exception as error:
            self._directory.close()
            raise _failed(folder, error) from error
        self._document = autoclass("org.apache.lucene.document.Document")()
        fields = {name: _field(java, name, stored=False) for name in (CONTENTS, TITLE, TOPIC)}
        for name in (ID, RAW_CONTENTS, RAW_TITLE):
            fields[name] = _field(java, name, stored=True)
        for field in fields.values():
            self._document.add(field)
        self._fields = fields
        state = self._committed()
        self.batches: int = state.get("batches", 0)
        self.complete: bool = state.get("complete", False)
        self.finished: bool = state.get("finished", False)
        self.documents: int = state.get("documents", 0)
        self.rejects = Rejects(**state.get("rejects", {}))
        self._tokens: int = state.get("tokens", 0)
        self._checksum = int(state.get("checksum", "0"), 16)
        self._rows = bytearray()
        if not self.finished:
            rows = folder / _ROWS
            rows.touch()
            os.truncate(rows, self.documents * _ROW.size)

    def add(self, ordinal: int, document: Document) -> None:
        """Add a document; ordinals must grow."""
        id_, text, title = document.id, normalise(document.text), normalise(document.title)
        contents = search_form(text)
        fields = self._fields
        try:
            fields[CONTENTS].setStringValue(contents)
            fields[TITLE].setStringValue(search_form(title))
            fields[TOPIC].setStringValue(" ".join(topic_terms(title, contents)))
            fields[ID].setStringValue(id_)
            fields[RAW_CONTENTS].setStringValue(text)
            fields[RAW_TITLE].setStringValue(title)
            self._writer.addDocument(self._document)
        except self._java.exception as error:
            raise _failed(self._folder, error) from error
        self._rows += _ROW.pack(ordinal, id_hash(id_))
        self.documents += 1
        self._tokens += contents.count(" ") + 1 if contents else 0
        self._checksum += _digest(id_, title, text)

    def commit(self, *, complete: bool = False) -> None:
        """Keep what there is, whatever happens afterwards."""
        self.complete = complete
        with (self._folder / _ROWS).open("ab") as stream:
            stream.write(self._rows)
            stream.flush()
            os.fsync(stream.fileno())
        self._rows.clear()
        self._commit()

    def finish(self, duplicates: Integers) -> tuple[ShardManifest, Rejects]:
        """Take out the documents of the rows `duplicates`, merge the rest; return what is left."""
        if not self.finished:
            merges = self._java.autoclass("org.apache.lucene.index.LogDocMergePolicy")()
            merges.setMergeFactor(_SEGMENTS_AT_ONCE)  # merges neighbours: the order stays
            try:
                self._delete(duplicates)
                self._writer.getConfig().setMergePolicy(merges)
                self._writer.forceMerge(1)
            except self._java.exception as error:
                raise _failed(self._folder, error) from error
            rows = np.delete(np.fromfile(self._folder / _ROWS, ROW), duplicates)
            with (self._folder / DOCUMENTS).open("wb") as stream:
                np.save(stream, rows)
                stream.flush()
                os.fsync(stream.fileno())
            self.finished = True
            self._commit()
        (self._folder / _ROWS).unlink(missing_ok=True)
        return self.manifest, self.rejects

    @property
    def manifest(self) -> ShardManifest:
        """What the shard holds."""
        checksum = checksum_of(self._checksum)
        return ShardManifest(self._folder.name, self.documents, self._tokens, checksum)

    def close(self) -> None:
        """Close the files; what was not committed is lost."""
        with closing(self._directory):
            self._writer.rollback()
        (self._folder / "write.lock").unlink(missing_ok=True)

    def _committed(self) -> dict[str, Any]:
        """Return the state that the last commit holds; empty where there is none."""
        entries = self._writer.getLiveCommitData()
        iterator = entries.iterator() if entries is not None else None
        while iterator is not None and iterator.hasNext():
            entry = self._java.cast("java.util.Map$Entry", iterator.next())
            if entry.getKey() == _STATE:
                state: dict[str, Any] = json.loads(entry.getValue())
                return state
        return {}

    def _commit(self) -> None:
        state = {
            "batches": self.batches,
            "complete": self.complete,
            "finished": self.finished,
            "documents": self.documents,
            "tokens": self._tokens,
            "checksum": checksum_of(self._checksum),
            "rejects": asdict(self.rejects),
        }
        kept = self._java.autoclass("java.util.HashMap")()
        kept.put(_STATE, json.dumps(state))
        try:
            self._writer.setLiveCommitData(kept.entrySet())
            self._writer.commit()
        except self._java.exception as error:
            raise _failed(self._folder, error) from error

    def _delete(self, rows: Integers) -> None:
        """Delete documents by their row, and take them out of the counts."""
        if not len(rows):
            return
        open_ = self._java.autoclass("org.apache.lucene.index.DirectoryReader").open
        with closing(open_(self._writer)) as reader:
            leaves = reader.leaves()
            for leaf in (leaves.get(number) for number in range(leaves.size())):
                segment = leaf.reader()
                first, last = np.searchsorted(rows, [leaf.docBase, leaf.docBase + segment.maxDoc()])
                stored = segment.storedFields()
                for number in (rows[first:last] - leaf.docBase).tolist():
                    id_, title, text = stored_document(stored, number)
                    whole = self._java.cast("org.apache.lucene.index.IndexReader", segment)
                    self._writer.tryDeleteDocument(whole, number)
                    self.documents -= 1
                    contents = search_form(text)
                    self._tokens -= contents.count(" ") + 1 if contents else 0
                    self._checksum -= _digest(id_, title, text)
                    self.rejects.add("duplicate id", id_)


class Pacemaker:
    """Commits writers from time to time, so that a crash costs a minute and not a day."""

    def __init__(self, seconds: float) -> None:
        self._seconds, self._last = seconds, time.monotonic()

    @property
    def due(self) -> bool:
        """Whether it is time again; asking starts the time anew."""
        now = time.monotonic()
        if now - self._last < self._seconds:
            return False
        self._last = now
        return True


def rows_of(shard: Path) -> Rows:
    """Return the rows of a shard, whether it is being written or stands."""
    rows = shard / _ROWS
    if not rows.exists():
        return read_rows(shard)
    return np.memmap(rows, ROW, mode="r") if rows.stat().st_size else np.empty(0, ROW)


class Content(NamedTuple):
    """What a document as it is stored adds to its shard: tokens, names of topics, a digest."""

    tokens: int
    topics: int
    digest: int

    @classmethod
    def of(cls, document: Document) -> "Content":
        """Return that of a document."""
        id_, title, text = document
        contents = search_form(text)
        terms = topic_terms(title, contents)
        return cls(len(contents.split()), len(terms), _digest(id_, title, text))


def topic_terms(title: str, contents: str) -> list[str]:
    """Return the terms that say what a document is about; its contents are in search form."""
    return [topic_term(name) for name in topics(title, contents.split(maxsplit=OPENING)[:OPENING])]


def _digest(id_: str, title: str, text: str) -> int:
    lengths = f"{len(id_)} {len(title)} "
    digest = blake2b((lengths + id_ + title + text).encode(), digest_size=16).digest()
    return int.from_bytes(digest)


def _wait_for_lock(java: Java, directory: Any) -> None:
    """Wait a little where a process that was killed has not quite gone."""
    for _ in range(_PATIENCE):
        try:
            directory.obtainLock("write.lock").close()
            return
        except java.exception:
            time.sleep(0.1)


def _failed(folder: Path, error: Exception) -> SetupError:
    return SetupError(
        f"{folder}: Lucene cannot write ({java_reason(error)}); mend that, and run the same "
        "command to go on"
    )


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

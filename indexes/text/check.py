"""Checking a text index: whether what it says of itself is what it holds."""

from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import numpy as np

from evaluator.errors import InputError
from indexes.jvm import Java, running
from indexes.sums import faults as sum_faults
from indexes.text.manifest import (
    CONTENTS,
    TOPIC,
    IndexManifest,
    ShardManifest,
    checksum_of,
    id_hash,
    java_reason,
    open_reader,
    read_manifest,
    read_rows,
    shard_folders,
    shard_sums,
    stored_document,
)
from indexes.text.plan import duplicates
from indexes.text.shard_writer import Content

_SAMPLE = 1_000  # documents of a shard, spread over it


def check_index(path: Path, *, full: bool = False) -> list[str]:
    """Return what is wrong with the index in the folder `path`, one sentence each.

    Files must hold what was written, and agree with each other, which Lucene checks; the numbers of
    documents must agree, ordinals grow, ids be distinct, and the stored documents have the ids that
    are noted beside them.

    Parameters
    ----------
    path
        Folder of an index.
    full
        Read every document and not a sample, and compare tokens, topics and checksums with what is
        indexed and with the manifest.

    Raises
    ------
    InputError
        Where there is no index of this version.
    """
    manifest = read_manifest(path)
    faults = list(_sums(manifest))
    standing = {folder.name for folder in shard_folders(path)}
    named = {shard.name for shard in manifest.shards}
    faults += [
        f"{name}: in the folder, but not in the manifest" for name in sorted(standing - named)
    ]
    with running() as java:
        for shard in manifest.shards:
            if shard.name not in standing:
                faults.append(f"{shard.name}: in the manifest, but not in the folder")
                continue
            damaged = list(sum_faults(path / shard.name, shard_sums(manifest, shard.name)))
            if damaged:
                faults += [f"{shard.name}/{file.name}: {problem}" for file, problem in damaged]
                continue
            try:
                faults += _check_shard(java, path / shard.name, shard, full=full)
            except InputError as error:
                faults.append(str(error))
            except java.exception as error:
                faults.append(f"{shard.name}: Lucene cannot read it ({java_reason(error)})")
    return faults or list(_twice(path, manifest))


def _sums(manifest: IndexManifest) -> Iterator[str]:
    """Yield where the manifest contradicts itself."""
    for what in ("documents", "tokens"):
        total = sum(getattr(shard, what) for shard in manifest.shards)
        if total != getattr(manifest, what):
            told = getattr(manifest, what)
            yield f"manifest: {told:,} {what}, but {total:,} in its shards"
    if manifest.checksum != checksum_of(sum(int(s.checksum, 16) for s in manifest.shards)):
        yield "manifest: its checksum is not that of its shards"


def _check_shard(java: Java, folder: Path, shard: ShardManifest, *, full: bool) -> Iterator[str]:
    """Yield what is wrong with one shard."""
    name = shard.name
    damage = _lucene_check(java, folder)
    if damage:
        yield f"{name}: {damage}"
        return
    rows = read_rows(folder)
    with ExitStack() as opening:
        reader = open_reader(java, folder, opening)
        if not reader.numDocs() == reader.maxDoc() == len(rows) == shard.documents:
            yield (
                f"{name}: {reader.numDocs():,} documents in Lucene, {len(rows):,} in "
                f"documents.npy, {shard.documents:,} in the manifest"
            )
            return
        if np.any(rows["ordinal"][1:] <= rows["ordinal"][:-1]):
            yield f"{name}: documents are not in the order of their ordinals"
        stored = reader.storedFields()
        tokens = topics = checksum = 0
        step = 1 if full else max(1, len(rows) // _SAMPLE)
        for number in range(0, len(rows), step):
            document = stored_document(stored, number)
            if int.from_bytes(id_hash(document.id), "little") != int(rows["id"][number]):
                yield f"{name}: document {number} is {document.id!r}, documents.npy notes another"
                return
            content = Content.of(document)
            tokens, topics = tokens + content.tokens, topics + content.topics
            checksum += content.digest
        if full and tokens != shard.tokens:
            yield f"{name}: {tokens:,} tokens in its documents, {shard.tokens:,} in the manifest"
        if full and checksum_of(checksum) != shard.checksum:
            yield f"{name}: the checksum of its documents is not the manifest's"
        indexed = max(reader.getSumTotalTermFreq(TOPIC), 0)
        if full and indexed != topics:
            yield f"{name}: {indexed:,} names of topics indexed, {topics:,} in its documents"
        indexed = reader.getSumTotalTermFreq(CONTENTS)
        if max(indexed, 0) != shard.tokens:
            yield f"{name}: {indexed:,} tokens indexed, {shard.tokens:,} in the manifest"


def _lucene_check(java: Java, folder: Path) -> str:
    """Return what Lucene's own check finds wrong; empty where nothing is."""
    path = java.autoclass("java.nio.file.Paths").get(str(folder.resolve()))
    try:
        with ExitStack() as opening:
            directory = java.autoclass("org.apache.lucene.store.FSDirectory").open(path)
            opening.enter_context(closing(directory))
            lock = java.autoclass("org.apache.lucene.store.NoLockFactory").INSTANCE
            check: Any = java.autoclass("org.apache.lucene.index.CheckIndex")(
                directory, lock.obtainLock(directory, "check")
            )
            opening.enter_context(closing(check))
            check.setThreadCount(1)
            status = check.checkIndex()
    except java.exception as error:
        return f"damaged ({java_reason(error)})"
    if status.clean:
        return ""
    if status.missingSegments:
        return "damaged, Lucene finds no segments file that it can read"
    return f"damaged, {status.totLoseDocCount:,} documents cannot be read"


def _twice(path: Path, manifest: IndexManifest) -> Iterator[str]:
    """Yield the shards with documents whose id is there twice."""
    found = duplicates([read_rows(path / shard.name) for shard in manifest.shards])
    for shard, rows in zip(manifest.shards, found, strict=True):
        if len(rows):
            yield f"{shard.name}: {len(rows):,} documents have an id that another document has"

"""What an index is built from, and the stream of records that a build goes through.

A plan says which records go into which shard: a function of the collections and of the number of
shards alone, so that a build that was stopped finds its place again, and so that the same shards
come out wherever the work is done.
"""

import json
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from evaluator.counting.occurrences import Integers
from evaluator.errors import InputError
from evaluator.inputs import read_json
from evaluator.model import Rejects
from evaluator.whole_files import replacing
from indexes.collections import collection_files, detect_format, read_records
from indexes.collections.formats import format_named
from indexes.text.manifest import ANALYSIS, FORMAT, PLACE_BITS, Rows, shard_name

_HASHES_AT_ONCE = 1 << 22
_SMALL = 16 << 20  # bytes, packed or not, that are not worth a process


@dataclass(frozen=True, slots=True)
class CollectionFiles:
    """A collection: where it is, its format, the patterns that select, and its files in order."""

    path: Path
    format: str
    select: tuple[str, ...]
    files: tuple[Path, ...]

    @classmethod
    def find(cls, path: Path, *, format: str, select: Sequence[str]) -> "CollectionFiles":  # noqa: A002
        """Look at a collection; "auto" is told from its first file."""
        files = collection_files(path, select=select)
        name = detect_format(path, select=select) if format == "auto" else format_named(format).name
        return cls(path, name, tuple(select), tuple(files))


@dataclass(frozen=True, slots=True)
class Pace:
    """How much is handed over at a time, and how often what is done is committed.

    A change gives the same documents, in other shards.
    """

    batch_bytes: int = 2 << 20
    commit_seconds: float = 60.0


@dataclass(frozen=True, slots=True)
class BuildPlan:
    """A build.

    Attributes
    ----------
    sources
        The collections, in order.
    shards
        Number of shards.
    workers
        Number of processes; has no influence on the result.
    pace
        See :class:`Pace`.
    by_file
        Whether a file is in one shard as a whole, or records go to the shards in turn.
    first_shard, first_file
        Numbers of the first shard and the first file, where there is an index already.
    added_to
        Checksum of that index.
    """

    sources: tuple[CollectionFiles, ...]
    shards: int
    workers: int = 1
    pace: Pace = Pace()
    by_file: bool = False
    first_shard: int = 0
    first_file: int = 0
    added_to: str = ""

    @property
    def files(self) -> list[tuple[int, CollectionFiles, Path]]:
        """All files in order, each with its number and its collection."""
        found = [(source, file) for source in self.sources for file in source.files]
        return [(n, *each) for n, each in enumerate(found, self.first_file)]

    @property
    def names(self) -> list[str]:
        """Names of the shards."""
        return [shard_name(self.first_shard + number) for number in range(self.shards)]

    def files_of(self, shard: int) -> list[tuple[int, CollectionFiles, Path]]:
        """Return the files of a shard, where files are dealt out whole: the largest first."""
        files = self.files
        sizes = [file.stat().st_size for _, _, file in files]
        load, dealt = [0] * self.shards, []
        for place in sorted(range(len(files)), key=lambda place: (-sizes[place], place)):
            emptiest = load.index(min(load))
            load[emptiest] += sizes[place] + 1
            if emptiest == shard:
                dealt.append(place)
        return [files[place] for place in sorted(dealt)]

    def identity(self) -> dict[str, Any]:
        """Return everything that the shards depend on, as JSON holds it."""
        told: dict[str, Any] = json.loads(json.dumps(asdict(self), default=str))
        del told["workers"], told["pace"]["commit_seconds"]
        states = [file.stat() for _, _, file in self.files]
        told["states"] = [[state.st_size, state.st_mtime_ns] for state in states]
        return told | {"format": FORMAT, "analysis": ANALYSIS}


class Batch(NamedTuple):
    """Records of one format, each with its ordinal and where it stands."""

    number: int
    format: str
    records: list[tuple[int, str, bytes]]


@dataclass
class Framed:
    """What framing told: records lost in it, and a digest of the records of each file."""

    rejects: Rejects = field(default_factory=Rejects)
    digests: dict[int, str] = field(default_factory=dict)

    def merge(self, others: Iterable["Framed"]) -> "Framed":
        """Add what `others` told and return self."""
        for other in others:
            self.rejects.merge([other.rejects])
            self.digests |= other.digests
        return self

    def save(self, file: Path) -> None:
        """Write this to a file, whole or not at all."""
        with replacing(file) as stream:
            stream.write(json.dumps(asdict(self)))

    @classmethod
    def load(cls, file: Path) -> "Framed | None":
        """Return what was saved; None where nothing was.

        Raises
        ------
        InputError
            Where it is damaged.
        """
        if not file.is_file():
            return None
        try:
            told = read_json(file)
            digests = {int(number): digest for number, digest in told["digests"].items()}
            return cls(Rejects(**told["rejects"]), digests)
        except (AttributeError, LookupError, TypeError, ValueError):
            problem = f"damaged: delete {file.parent}; the next build begins anew"
            raise InputError(file, problem) from None


def frame(
    files: Iterable[tuple[int, CollectionFiles, Path]], framed: Framed, *, batch_bytes: int
) -> Iterator[Batch]:
    """Yield the records of files in batches; `framed` is told what there is to tell."""
    number, size = 0, 0
    format_: str | None = None
    records: list[tuple[int, str, bytes]] = []
    for file_number, source, file in files:
        if records and source.format != format_:
            yield Batch(number, str(format_), records)
            number, size, records = number + 1, 0, []
        format_ = source.format
        digest, base = blake2b(digest_size=16), file_number << PLACE_BITS
        for place, where, content in read_records(
            file, format=format_, select=source.select, rejects=framed.rejects, root=source.path
        ):
            digest.update(len(content).to_bytes(8, "little"))
            digest.update(content)
            records.append((base | place, where, content))
            size += len(content)
            if size >= batch_bytes:
                yield Batch(number, format_, records)
                number, size, records = number + 1, 0, []
        framed.digests[file_number] = digest.hexdigest()
    if records:
        yield Batch(number, str(format_), records)


def described(plan: BuildPlan, framed: Framed) -> list[dict[str, Any]]:
    """Return what the manifest says of the collections."""
    digests = {source.path: blake2b(digest_size=16) for source in plan.sources}
    for number, source, file in plan.files:
        name = file.relative_to(source.path).as_posix() if file != source.path else file.name
        digests[source.path].update(f"{name}\0{framed.digests[number]}\0".encode(*_NAMES))
    return [
        {
            "collection": source.path.name,
            "format": source.format,
            "select": list(source.select),
            "digest": digests[source.path].hexdigest(),
        }
        for source in plan.sources
    ]


_NAMES = "utf-8", "surrogateescape"  # a file may be called by bytes that are no UTF-8


def duplicates(tables: Sequence[Rows]) -> list[Integers]:
    """Return, for each table of documents, the rows whose id an earlier document has.

    Earlier is what has the lower ordinal, in whichever table. Memory is bounded: ids are compared
    range by range of their hashes.
    """
    found: list[list[Integers]] = [[] for _ in tables]
    total = sum(len(table) for table in tables)
    bits = max(0, total // _HASHES_AT_ONCE).bit_length()
    for part in range(1 << bits):
        places, ids, ordinals = [], [], []
        for table in tables:
            hashes = np.asarray(table["id"])
            inside = np.flatnonzero(hashes >> np.uint64(64 - bits) == part) if bits else None
            places.append(np.arange(len(table)) if inside is None else inside)
            ids.append(hashes[places[-1]])
            ordinals.append(np.asarray(table["ordinal"])[places[-1]])
        every = np.concatenate([*ids, np.empty(0, np.uint64)])
        order = np.lexsort((np.concatenate([*ordinals, np.empty(0, np.int64)]), every))
        sorted_ids = every[order]
        later = np.sort(order[1:][sorted_ids[1:] == sorted_ids[:-1]])
        ends = np.cumsum([len(each) for each in places])
        for number, (each, end) in enumerate(zip(places, ends, strict=True)):
            start = end - len(each)
            low, high = np.searchsorted(later, [start, end])
            found[number].append(each[later[low:high] - start])
    return [np.sort(np.concatenate(each)).astype(np.int64) for each in found]


def default_shards(sources: Sequence[CollectionFiles], cores: int | None = None) -> int:
    """Return how many shards suit collections: as many as cores, fewer where they are small."""
    size = sum(file.stat().st_size for source in sources for file in source.files)
    return max(1, min(cores or len(os.sched_getaffinity(0)), size // _SMALL))

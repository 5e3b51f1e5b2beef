"""What a text index says of itself: its manifest, and which document stands where.

::

    INDEX/manifest.json
    INDEX/shard-00000/      a Lucene index of one segment, and documents.npy
    INDEX/shard-00001/      ...

``documents.npy`` has a row for each document of the shard, in Lucene's order: its ordinal, by which
the documents of all shards are ordered, and a hash of its id.
"""

import json
import re
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import asdict, dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from evaluator.errors import InputError
from evaluator.inputs import read_json
from evaluator.whole_files import replacing
from indexes.collections import Document
from indexes.jvm import Java, running
from indexes.sums import check_sums_once, sealed, unsealed

FORMAT = "distval text index 4"
"""Name and version of the layout."""

ANALYSIS = "distval-tokens-1"
"""Name and version of the analysis; an index with another one answers other questions."""

MANIFEST = "manifest.json"
DOCUMENTS = "documents.npy"
CONTENTS, TITLE = "contents", "title"
"""Fields in search form, indexed with positions; counts are of the contents."""
TOPIC = "topic"
"""The names of what a document is about (:mod:`evaluator.counting.topics`), each one term."""
ID, RAW_CONTENTS, RAW_TITLE = "id", "raw.contents", "raw.title"
"""Fields that are stored."""

ROW = np.dtype([("ordinal", "<i8"), ("id", "<u8")])
"""A row of ``documents.npy``."""

PLACE_BITS = 40
"""An ordinal is the number of a file of the collection, and in so many bits the record's place."""

type Rows = npt.NDArray[np.void]

_SHARD = re.compile(r"shard-\d{5,}")
_SMALL = 4096  # bytes
_REBUILD = "build one there with: distval index build"


@dataclass(frozen=True, slots=True)
class ShardManifest:
    """One shard: the name of its folder, its size, and the checksum of its documents."""

    name: str
    documents: int
    tokens: int
    checksum: str


@dataclass(frozen=True, slots=True)
class IndexManifest:
    """What an index says of itself, in ``manifest.json``.

    Attributes
    ----------
    documents, tokens
        Size of the collection as indexed; titles are not counted.
    analysis, lucene
        Versions of the analysis and of Lucene.
    sources
        The collections: of each its name, format, the patterns that selected files, and a digest of
        its records.
    rejects
        Records of the collections that are not in the index, by reason.
    checksum
        Of the documents' ids, titles and texts, whatever their order and whatever the shards.
    shards
        The parts of the index; none is empty.
    sums
        Of every file of the shards (:mod:`indexes.sums`), by its path in the index. Manifests
        that differ in them alone are of the same content, written otherwise.
    format
        Name and version of the layout.
    """

    documents: int
    tokens: int
    analysis: str
    lucene: str
    sources: tuple[Mapping[str, Any], ...]
    rejects: Mapping[str, int]
    checksum: str
    shards: tuple[ShardManifest, ...]
    sums: Mapping[str, str] = field(compare=False)
    format: str = FORMAT


def topic_term(name: Sequence[str]) -> str:
    """Return the term of a name in the field :data:`TOPIC`.

    Tokens hold letters and digits only, so that no two names have the same one.
    """
    return "_".join(name)


def checksum_of(total: int) -> str:
    """Return the checksum that the sum of the documents' digests makes."""
    return f"{total % (1 << 128):032x}"


def id_hash(id_: str) -> bytes:
    """Return the hash of a document's id, as ``documents.npy`` holds it.

    Of a billion documents, one in forty such sets has two ids of equal hash.
    """
    return blake2b(id_.encode(), digest_size=8).digest()


def shard_name(number: int) -> str:
    """Return the name of a shard's folder."""
    return f"shard-{number:05d}"


def shard_folders(path: Path) -> list[Path]:
    """Return the folders in `path` that are called as shards are, in order."""
    return sorted(each for each in path.iterdir() if _SHARD.fullmatch(each.name) and each.is_dir())


def write_manifest(path: Path, manifest: IndexManifest) -> None:
    """Write the manifest of the index in the folder `path`, whole or not at all."""
    with replacing(path / MANIFEST) as stream:
        stream.write(json.dumps(sealed(asdict(manifest)), ensure_ascii=False, indent=2) + "\n")


def read_manifest(path: Path) -> IndexManifest:
    """Return the manifest of the index in `path`.

    Raises
    ------
    InputError
        Where there is no index, none of ours, one that is damaged, or one of another format or
        analysis.
    """
    if not path.is_dir():
        problem = "is not a folder" if path.exists() else "no such folder"
        raise InputError(path, f"{problem}; expected a text index: {_REBUILD}")
    try:
        told = read_json(path / MANIFEST)
    except FileNotFoundError:
        raise InputError(path, f"{_what_is_there(path)}: {_REBUILD}") from None
    except OSError as error:
        raise InputError(
            path / MANIFEST, f"cannot be read ({error.strerror}): {_REBUILD}"
        ) from None
    except ValueError as error:
        raise InputError(path / MANIFEST, f"damaged ({error}): {_REBUILD}") from error
    if not is_ours(told):
        raise InputError(path / MANIFEST, f"is not of a text index: {_REBUILD}")
    if told.get("format") != FORMAT:
        has = f'the format "{told["format"]}"' if "format" in told else "an older format"
        raise InputError(path, f'has {has}, where this version reads "{FORMAT}": build it anew')
    if told.get("analysis") != ANALYSIS:
        raise InputError(
            path,
            f'has the analysis "{told.get("analysis")}", where this version of distval counts by '
            f'"{ANALYSIS}": {_REBUILD}',
        )
    told = unsealed(told, path / MANIFEST, remedy=_remedy(path))
    try:
        shards = tuple(ShardManifest(**shard) for shard in told.pop("shards"))
        sources = tuple(told.pop("sources"))
        manifest = IndexManifest(**told, sources=sources, shards=shards)
    except (TypeError, KeyError) as error:
        raise InputError(path / MANIFEST, f"damaged ({error}): {_REBUILD}") from error
    return manifest


def read_sound_manifest(path: Path) -> IndexManifest:
    """Return the manifest of the index in `path`, every file of which holds what was written.

    What counts, counts after this: Lucene looks at the sums of its files only when it is told to,
    and a flipped bit in a file of positions is another count. It reads all files at the first use
    (:func:`indexes.sums.check_sums_once`).

    Raises
    ------
    InputError
        As :func:`read_manifest`, or names the damaged file.
    """
    manifest = read_manifest(path)
    for shard in manifest.shards:
        check_sums_once(path / shard.name, shard_sums(manifest, shard.name), remedy=_remedy(path))
    return manifest


def shard_sums(manifest: IndexManifest, shard: str) -> dict[str, str]:
    """Return the sums of a shard's files, by their path in it."""
    begin = f"{shard}/"
    return {
        file.removeprefix(begin): told
        for file, told in manifest.sums.items()
        if file.startswith(begin)
    }


def _remedy(path: Path) -> str:
    return f"delete {path} and {_REBUILD}"


def is_ours(told: object) -> bool:
    """Whether a parsed manifest is that of a text index, of whatever version."""
    if not isinstance(told, dict):
        return False
    if "format" in told:
        return str(told["format"]).startswith("distval text index")
    return {"documents", "tokens", "analysis"} <= told.keys()


def read_rows(shard: Path) -> Rows:
    """Return the rows of a shard's ``documents.npy``, mapped into memory.

    Raises
    ------
    InputError
        Where the file is missing or damaged.
    """
    file = shard / DOCUMENTS
    try:
        small = file.stat().st_size < _SMALL  # an empty table cannot be mapped
        rows: Rows = np.load(file, mmap_mode=None if small else "r", allow_pickle=False)
    except (OSError, ValueError, EOFError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(file, f"damaged ({reason}): build the index anew") from None
    if rows.dtype != ROW or rows.ndim != 1:
        raise InputError(file, "damaged (not a table of documents): build the index anew")
    return rows


def open_reader(java: Java, path: Path, resources: ExitStack) -> Any:
    """Open a Lucene index for reading; `resources` close it."""
    location = java.autoclass("java.nio.file.Paths").get(str(path.resolve()))
    try:
        directory = java.autoclass("org.apache.lucene.store.FSDirectory").open(location)
        resources.enter_context(closing(directory))
        reader = java.autoclass("org.apache.lucene.index.DirectoryReader").open(directory)
    except java.exception as error:
        raise InputError(path, f"{_why_not_opened(error)}: {_REBUILD}") from error
    return resources.enter_context(closing(reader))


def stored_document(stored: Any, number: int) -> Document:
    """Return a document out of a reader's ``storedFields()``."""
    fields = stored.document(number)
    return Document(*(fields.get(name) for name in (ID, RAW_TITLE, RAW_CONTENTS)))


def _why_not_opened(error: Exception) -> str:
    """Say why Lucene does not open an index: it may be sound, and of another version."""
    kind, reason = str(getattr(error, "classname", "")), java_reason(error)
    if kind.endswith("IndexFormatTooOldException"):
        return "written by an older Lucene, which this one does not read"
    if kind.endswith("IndexFormatTooNewException") or "is in the future" in reason:
        return "written by a newer Lucene, which this one does not read"
    return f"damaged, Lucene cannot open it ({reason})"


def java_reason(error: Exception) -> str:
    """Return what an exception of Java says, in one line."""
    return (str(error).splitlines() or [""])[0].removeprefix("JVM exception occurred: ")


def _what_is_there(path: Path) -> str:
    """Say what a folder without a manifest holds."""
    if not any(path.iterdir()):
        return "an empty folder, no text index"
    if not any(path.glob("segments_*")):
        return "no text index (no manifest.json)"
    with ExitStack() as opening:
        java = opening.enter_context(running())
        reader = open_reader(java, path, opening)
        infos = java.autoclass("org.apache.lucene.index.FieldInfos").getMergedFieldInfos(reader)
        if not infos.hasProx():
            return "a Lucene index without positions, in which no name of two words can be counted"
    return "a Lucene index that distval did not build (no manifest.json), of unknown analysis"

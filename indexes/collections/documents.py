"""From files to documents: records framed, decoded, and checked for what every format shares."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from evaluator.errors import InputError
from evaluator.model import Rejects
from indexes.collections.base import Document, Record
from indexes.collections.detection import detect_format
from indexes.collections.files import (
    UNREADABLE,
    collection_files,
    first_path,
    read_entries,
    unmatched,
)
from indexes.collections.formats import format_named
from indexes.collections.framing import WITHOUT_BEGIN, WITHOUT_END
from indexes.collections.warc_records import (
    CUT_SHORT,
    NO_HEADER,
    NO_LENGTH,
    NO_RECORD,
    WRONG_LENGTH,
)
from indexes.streams import DAMAGED, DAMAGED_PART, TRUNCATED

DAMAGE = frozenset(
    (
        TRUNCATED, DAMAGED, DAMAGED_PART, UNREADABLE, WITHOUT_BEGIN, WITHOUT_END,
        NO_RECORD, NO_HEADER, NO_LENGTH, WRONG_LENGTH, CUT_SHORT,
    )
)  # fmt: skip
"""Reasons that say a file is not what was written: it may be sound elsewhere."""

# Each would break the lines and columns of a file that names documents by their ids.
_UNUSABLE_IN_ID = re.compile("[\0-\x1f\x7f\x85\u2028\u2029]")
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def read_records(
    file: Path,
    *,
    format: str,  # noqa: A002
    select: Sequence[str] = (),
    rejects: Rejects,
    root: Path | None = None,
) -> Iterator[Record]:
    """Yield the records of one file of a collection, which may be an archive, undecoded.

    Parameters
    ----------
    file
        A file out of :func:`collection_files`.
    format
        A name in FORMATS.
    select
        Patterns that a path inside the collection must match; empty for everything.
    rejects
        Receives what cannot be framed, and what became of damaged files.
    root
        The collection that the file is of; None where the file is all of it.

    Raises
    ------
    ConfigurationError
        For an unknown format.
    InputError
        Not a byte of the file can be read.
    """
    frame = format_named(format).frame
    place = 0
    for name, stream in read_entries(file, root=root, select=select, rejects=rejects):
        before = place, rejects.total
        for where, content in frame(stream, name, rejects):
            yield Record(place, where, content)
            place += 1
        if before == (place, rejects.total) and stream.complete:
            rejects.add("file without a record", name)


def decode(record: Record, *, format: str, rejects: Rejects) -> Document | None:  # noqa: A002
    r"""Return the document of a record; None, and one count in `rejects`, where there is none.

    Whatever the format, an id with a control character or a line end in it is unusable, half of a
    surrogate pair is no character and cannot be stored, and a NUL in a text is a space.
    """
    document = format_named(format).decode(record.content, record.where, rejects)
    if document is None:
        return None
    if _UNUSABLE_IN_ID.search(document.id):
        rejects.add("unusable id", f"{record.where}: {document.id!r}")
        return None
    if any(map(_LONE_SURROGATE.search, document)):
        # JSON can escape it.
        rejects.add("invalid Unicode", record.where)
        return None
    return Document(document.id, *(part.replace("\0", " ") for part in document[1:]))


def read_collection(
    path: Path,
    *,
    format: str = "auto",  # noqa: A002
    select: Sequence[str] = (),
    rejects: Rejects,
) -> Iterator[Document]:
    """Yield the documents of a collection.

    Parameters
    ----------
    path
        A file, a tar archive, or a folder, whose files are read in the order of their paths.
    format
        A name in FORMATS, or "auto".
    select
        Patterns that a path inside the collection must match; empty for everything.
    rejects
        Receives every record that is not yielded, and every file that is empty, cut or damaged.

    Raises
    ------
    ConfigurationError
        For an unknown format.
    InputError
        For a path that is missing or holds no document, for a file of which nothing can be read,
        and for a format that cannot be told.
    """
    if format == "auto":
        format = detect_format(path, select=select)  # noqa: A001
    format_named(format)
    seen: set[str] = set()
    for file in collection_files(path, select=select):
        for record in read_records(file, format=format, select=select, rejects=rejects, root=path):
            document = decode(record, format=format, rejects=rejects)
            if document is None:
                continue
            if document.id in seen:
                rejects.add("duplicate id", f"{record.where}: {document.id}")
                continue
            seen.add(document.id)
            yield document
    if not seen:
        raise no_documents(path, format=format, select=select, rejects=rejects)


def no_documents(
    path: Path,
    *,
    format: str,  # noqa: A002
    select: Sequence[str] = (),
    rejects: Rejects,
) -> InputError:
    """Return the error for a collection that gave no document."""
    if select and not rejects.total:
        return InputError(path, unmatched(select, first_path(path)))
    reasons = "; ".join(f"{reason}: {number}" for reason, number in rejects.counts.items())
    return InputError(path, f"no {format} document found ({reasons or 'no record at all'})")

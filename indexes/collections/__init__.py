"""Text collections: the documents that a text index is built from.

Two formats are read, plain or compressed (gzip, bzip2, xz), from one file, a folder or a tar
archive, which is read in one pass and never unpacked:

``wikiextractor``
    What WikiExtractor writes: ``<doc id=".." url=".." title="..">``, text, ``</doc>``.
``jsonl``
    One JSON object a line with ``id``, ``text`` and, optionally, ``title``.

A record that cannot be used is counted in the `rejects` and passed over; a file that is damaged as
a whole is an error, so that no index is built from half a collection unnoticed.
"""

import bz2
import gzip
import html
import json
import lzma
import re
import tarfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from evaluator.errors import ConfigurationError, InputError
from evaluator.model import Rejects
from indexes.collections.base import Document

_UNPACKERS: dict[str, Callable[[IO[bytes]], Iterable[bytes]]] = {
    ".gz": lambda stream: gzip.GzipFile(fileobj=stream),
    ".bz2": bz2.BZ2File,
    ".xz": lzma.LZMAFile,
}
_ARCHIVES = (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz")
_DAMAGE = (OSError, EOFError, zlib.error, lzma.LZMAError, tarfile.TarError)
_DOC = re.compile(rb"<doc\s[^\n]*>\s*")
_ATTRIBUTE = re.compile(r'\b(id|title)="([^"]*)"')
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def read_collection(path: Path, *, format: str, rejects: Rejects) -> Iterator[Document]:  # noqa: A002
    """Yield the documents of a collection.

    Parameters
    ----------
    path
        A file, a tar archive, or a folder, whose files are read in the order of their paths.
    format
        "wikiextractor" or "jsonl".
    rejects
        Receives every record that is not yielded: broken JSON, a missing id or text, a document
        without an end, bytes that are not UTF-8, an id that was there before.

    Raises
    ------
    ConfigurationError
        For an unknown format.
    InputError
        For a path that is missing, holds no document, or is damaged as a whole.
    """
    if format not in _FORMATS:
        raise ConfigurationError(f'collection format "{format}": expected {" or ".join(_FORMATS)}')
    seen: set[str] = set()
    for name, lines in _files(path):
        for document in _FORMATS[format](lines, name, rejects):
            if document.id in seen:
                rejects.add("duplicate id", f"{name}: {document.id}")
                continue
            seen.add(document.id)
            yield document
    if not seen:
        reasons = "; ".join(f"{reason}: {number}" for reason, number in rejects.counts.items())
        raise InputError(path, f"no {format} document found ({reasons or 'no record at all'})")


# --- The two formats --------------------------------------------------------------------------


def _read_wikiextractor(lines: Iterable[bytes], name: str, rejects: Rejects) -> Iterator[Document]:
    head: bytes | None = None
    body: list[bytes] = []
    for line in lines:
        if _DOC.fullmatch(line):
            if head is not None:
                rejects.add("document without end", f"{name}: {head!r}")
            head, body = line, []
        elif line.rstrip() == b"</doc>":
            if head is None:
                rejects.add("end without document", name)
                continue
            document = _wikiextractor_document(head, b"".join(body), name, rejects)
            head = None
            if document is not None:
                yield document
        elif head is not None:
            body.append(line)
    if head is not None:
        rejects.add("document without end", f"{name}: {head!r}")


def _wikiextractor_document(
    head: bytes, body: bytes, name: str, rejects: Rejects
) -> Document | None:
    try:
        attributes = dict(_ATTRIBUTE.findall(head.decode("utf-8")))
        text = body.decode("utf-8")
    except UnicodeDecodeError:
        rejects.add("invalid UTF-8", f"{name}: {head!r}")
        return None
    if not attributes.get("id"):
        rejects.add("missing id", f"{name}: {head!r}")
        return None
    title = html.unescape(attributes.get("title", ""))
    return Document(html.unescape(attributes["id"]), title, text.strip())


def _read_jsonl(lines: Iterable[bytes], name: str, rejects: Rejects) -> Iterator[Document]:
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        where = f"{name}:{number}"
        try:
            record = json.loads(line.decode("utf-8-sig" if number == 1 else "utf-8"))
        except UnicodeDecodeError:
            rejects.add("invalid UTF-8", where)
            continue
        except (ValueError, RecursionError):
            rejects.add("broken JSON", where)
            continue
        document = _jsonl_document(record)
        if isinstance(document, str):
            rejects.add(document, where)
        else:
            yield document


def _jsonl_document(record: object) -> Document | str:
    """Return the document of a JSON record, or why there is none."""
    if not isinstance(record, dict):
        return "not a JSON object"
    identifier, text, title = record.get("id"), record.get("text"), record.get("title") or ""
    if isinstance(identifier, int) and not isinstance(identifier, bool):
        identifier = str(identifier)
    if not isinstance(identifier, str) or not identifier:
        return "missing id"
    if not isinstance(text, str) or not isinstance(title, str):
        return "missing text"
    # JSON can escape half of a surrogate pair, which is no character and cannot be stored.
    if _LONE_SURROGATE.search(identifier + title + text):
        return "invalid Unicode"
    return Document(identifier, title, text)


_FORMATS: dict[str, Callable[[Iterable[bytes], str, Rejects], Iterator[Document]]] = {
    "wikiextractor": _read_wikiextractor,
    "jsonl": _read_jsonl,
}


# --- Files, folders and archives --------------------------------------------------------------


def _files(path: Path) -> Iterator[tuple[str, Iterator[bytes]]]:
    """Yield the name and the lines of every file of a collection; lines must be read at once."""
    if path.is_dir():
        found = sorted(
            file
            for file in path.rglob("*")
            if file.is_file()
            and not any(part.startswith(".") for part in file.relative_to(path).parts)
        )
    elif path.is_file():
        found = [path]
    else:
        raise InputError(path, "no such file or folder")
    for file in found:
        if file.name.endswith(_ARCHIVES):
            yield from _members(file)
        else:
            with _damage_reported(str(file)), file.open("rb") as stream:
                yield str(file), _lines(stream, str(file))


def _members(archive: Path) -> Iterator[tuple[str, Iterator[bytes]]]:
    with _damage_reported(str(archive)), tarfile.open(archive, "r|*") as members:
        for member in members:
            stream = members.extractfile(member) if member.isfile() else None
            if stream is not None and not Path(member.name).name.startswith("."):
                name = f"{archive}/{member.name}"
                yield name, _lines(stream, name)


def _lines(stream: IO[bytes], name: str) -> Iterator[bytes]:
    unpack = _UNPACKERS.get(Path(name).suffix)
    with _damage_reported(name):
        yield from unpack(stream) if unpack else stream


@contextmanager
def _damage_reported(name: str) -> Iterator[None]:
    try:
        yield
    except _DAMAGE as error:
        raise InputError(name, f"cannot be read to its end ({error}): fetch it again") from error

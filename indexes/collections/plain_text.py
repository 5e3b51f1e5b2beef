"""Plain text: each file, or member of an archive, is one document.

Its path inside the collection is its id (without ``.gz`` and the like), and it has no title.
"""

from collections.abc import Iterator
from typing import BinaryIO

from evaluator.model import Rejects
from indexes.collections.base import CollectionFormat, Document
from indexes.collections.framing import LARGEST, TOO_LARGE
from indexes.streams import COMPRESSED, Unpacked


def _frame(stream: BinaryIO, name: str, rejects: Rejects) -> Iterator[tuple[str, bytes]]:
    content = stream.read(LARGEST + 1)
    if len(content) > LARGEST:
        rejects.add(TOO_LARGE, name)
    # Nothing in a text tells that its end is missing. The file is counted as cut or damaged.
    elif not isinstance(stream, Unpacked) or stream.complete:
        yield name, content


def _decode(content: bytes, where: str, rejects: Rejects) -> Document | None:
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        rejects.add("invalid UTF-8", where)
        return None
    path, dot, suffix = where.rpartition(".")
    return Document(path if path and dot + suffix.lower() in COMPRESSED else where, "", text)


FORMAT = CollectionFormat("text", _frame, _decode)

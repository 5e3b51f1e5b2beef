"""What every collection format is made of: records framed out of files, decoded to documents.

Framing is cheap and goes through a file once, in order; decoding (HTML or wikitext to text) is what
takes the time, and is a function of the record alone, so that it can be done anywhere.
"""

from collections.abc import Callable, Iterator
from typing import BinaryIO, NamedTuple

from evaluator.model import Rejects


class Document(NamedTuple):
    """A document of a collection: its identifier, unique in it, its title and its text."""

    id: str
    title: str
    text: str


class Record(NamedTuple):
    """A record of a file, not yet decoded.

    Attributes
    ----------
    place
        Its rank in the file (in the archive, where the file is one), from 0.
    where
        Where it stands, for messages: ``file:line``, ``archive/member``, ``file#17``.
    content
        Its bytes.
    """

    place: int
    where: str
    content: bytes


class CollectionFormat(NamedTuple):
    """A collection format.

    Attributes
    ----------
    name
        What the command line calls it.
    frame
        (stream, name of the file, rejects) -> (where, content) of its records, in order. Counts
        what cannot be framed, and goes on after it.
    decode
        (content, where, rejects) -> the document; None, and counted, where there is none.
    """

    name: str
    frame: Callable[[BinaryIO, str, Rejects], Iterator[tuple[str, bytes]]]
    decode: Callable[[bytes, str, Rejects], Document | None]

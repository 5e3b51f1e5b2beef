r"""Records of web archives: where each begins and ends, in damaged files too.

A record is a line ``WARC/1.0``, header fields, an empty line, as many bytes as its Content-Length
says, and two line ends (ClueWeb09 writes ``WARC/0.18`` and ``\n``, the others ``\r\n``). In large
crawls some lengths are wrong, and a reader that trusts one loses every record that it swallows, or
all that follow. So a length is believed only if a record, or the end of the file, comes where it
says; else the record is counted and reading goes on at the next line that begins one. The text of
a page may well hold such a line: while the lengths are right nobody looks for it.
"""

import re
from collections.abc import Iterator
from typing import BinaryIO

from evaluator.model import Rejects
from indexes.collections.framing import LARGEST, TOO_LARGE

NO_RECORD = "not a WARC record"
NO_HEADER = "WARC header without an end"
NO_LENGTH = "no Content-Length"
WRONG_LENGTH = "wrong Content-Length"
CUT_SHORT = "record cut short"

_BLOCK = 1 << 20  # bytes read at a time
_LONGEST_HEADER = 1 << 16  # bytes
_VERSION = re.compile(rb"^WARC/\d{1,3}\.\d{1,3}[ \t]{0,8}\r?\n", re.MULTILINE)
_VERSION_LENGTH = 32  # bytes, or fewer
_HEADER_END = re.compile(rb"\n\r?\n")
_LINE_ENDS = b"\r\n"
_RECORD_END = re.compile(rb"\r?\n\r?\n")


class _Window:
    """The part of a stream that is in memory; ``at`` is the place in it that reading has reached.

    The byte before that place is kept, so that it is known to begin a line or not.
    """

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._ended = False
        self.held = bytearray()
        self.at = 0

    def hold(self, count: int) -> bool:
        """Read on until `count` bytes are held; return whether there are so many."""
        while len(self.held) - self.at < count and not self._ended:
            if self.at > 1:
                del self.held[: self.at - 1]
                self.at = 1
            # Never `count` at once: a wrong length would ask for memory that no record needs.
            block = self._stream.read(_BLOCK)
            self.held += block
            self._ended = not block
        return len(self.held) - self.at >= count

    def peek(self, begin: int, end: int) -> bytes:
        """Return the bytes from `begin` to `end`, counted from here; fewer at the stream's end."""
        self.hold(end)
        return bytes(self.held[self.at + begin : self.at + end])

    def skip_line_ends(self) -> bool:
        """Go to the next byte that ends no line; return whether there is one."""
        while self.hold(1):
            if self.held[self.at] not in _LINE_ENDS:
                return True
            self.at += 1
        return False

    def at_record(self) -> bool:
        """Return whether a record begins here."""
        return bool(_VERSION.match(self.peek(0, _VERSION_LENGTH)))

    def go_to_record(self) -> None:
        """Go to the next line that begins a record, or to the end."""
        while True:
            found = _VERSION.search(self.held, self.at)
            if found:
                self.at = found.start()
                return
            self.at = max(self.at, len(self.held) - _VERSION_LENGTH)
            if not self.hold(_VERSION_LENGTH + 1):
                break
        found = _VERSION.search(self.held, self.at)
        self.at = found.start() if found else len(self.held)


def frame(stream: BinaryIO, name: str, rejects: Rejects) -> Iterator[tuple[str, bytes]]:
    """Yield the records of a web archive, of whatever type, each with its place ``name#number``.

    Parameters
    ----------
    stream
        The unpacked bytes; read once, and never more of them held than the longest record takes.
    name
        The file's, for messages.
    rejects
        Receives each record that has no sound header or length, and each stretch of bytes between
        records that belongs to none.
    """
    window = _Window(stream)
    number = 0
    while window.skip_line_ends():
        where = f"{name}#{number}"
        number += 1
        if not window.at_record():
            rejects.add(NO_RECORD, where)
            window.go_to_record()
            continue
        length = _measure(window)
        if isinstance(length, int):
            yield where, window.peek(0, length)
            window.at += length
        else:
            rejects.add(length, where)
            window.at += len(b"WARC/")
            window.go_to_record()


def split(record: bytes) -> tuple[dict[str, str], bytes]:
    """Return the header fields of a record, by lower-case name, and its content."""
    found = _HEADER_END.search(record)
    if found is None:
        return {}, record
    return _fields(record[: found.start()]), record[found.end() :]


def _fields(header: bytes) -> dict[str, str]:
    fields: dict[str, str] = {}
    for line in header.decode("utf-8", "replace").split("\n")[1:]:
        field, colon, value = line.partition(":")
        if colon:
            fields.setdefault(field.strip().lower(), value.strip())
    return fields


def _measure(window: _Window) -> int | str:
    """Return the bytes that the record here takes, or why nobody can tell."""
    header_end = _header_end(window)
    if header_end is None:
        return NO_HEADER
    said = _fields(window.peek(0, header_end)).get("content-length", "")
    if not (said.isascii() and said.isdigit()):
        return NO_LENGTH
    # A number of thousands of digits is no number to Python.
    if len(said) > 18 or int(said) > LARGEST:
        return TOO_LARGE
    end = header_end + int(said)
    if not window.hold(end):
        begun = _VERSION.search(window.held, window.at + header_end)
        return WRONG_LENGTH if begun else CUT_SHORT
    after = window.peek(end, end + 2 * _VERSION_LENGTH)
    following = after.lstrip(_LINE_ENDS)
    if not following or _VERSION.match(following):
        return end
    # What follows is no record; but the line ends of a whole one are there.
    if _RECORD_END.match(after) and not _VERSION.search(
        window.held, window.at + header_end, window.at + end
    ):
        return end
    return WRONG_LENGTH


def _header_end(window: _Window) -> int | None:
    for most in (_LONGEST_HEADER >> 5, _LONGEST_HEADER):
        window.hold(most)
        here, there = window.at, window.at + most
        found = _HEADER_END.search(window.held, here, there)
        if found:
            begun = _VERSION.search(window.held, here + 1, found.end())
            return None if begun else found.end() - here
    return None

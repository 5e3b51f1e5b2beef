"""What the bytes of a file are, where they are not plain UTF-8 with line feeds.

UTF-16 with its mark is read, and so are lines that end in carriage returns alone. Anything else is
named, with what to do: text that is decoded wrongly looks like text.
"""

import codecs
import io
import re
from pathlib import Path
from typing import BinaryIO

from evaluator.errors import InputError

_PEEK = 1 << 16
_UTF16 = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}
_CONVERT = "convert it: iconv -f {} -t UTF-8 FILE > NEW"
_OTHERS = {
    b"PAR1": "a Parquet file: of a system's output, name the format auto or parquet; else write "
    "its rows as JSON Lines (pandas: to_json(orient='records', lines=True))",
    b"PK\x03\x04": "a zip archive or a spreadsheet; unpack it, or save the sheet as "
    "tab-separated text in UTF-8",
    b"%PDF-": "a PDF; extract its text first",
    b"SQLite format 3": "a database of SQLite; write its rows as JSON Lines",
    b"\x80\x04\x95": "a pickle of Python; write it as JSON Lines",
    b"\x80\x05\x95": "a pickle of Python; write it as JSON Lines",
    b"\x28\xb5\x2f\xfd": "packed with Zstandard; unpack it first (zstd -d)",
    b"\xd0\xcf\x11\xe0": "an old spreadsheet or document; save it as tab-separated text in UTF-8",
}


def as_utf8(file: io.BufferedReader, path: Path) -> io.BufferedReader:
    """Return the bytes of `file` as UTF-8 with line feeds at the ends of lines.

    Raises
    ------
    InputError
        If the first bytes are of something else than text that is read.
    """
    head = file.peek(_PEEK)
    for magic, what in _OTHERS.items():
        if head.startswith(magic):
            raise InputError(path, what)
    if head.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)):
        raise InputError(path, f"text in UTF-32; {_CONVERT.format('UTF-32')}")
    for mark, encoding in _UTF16.items():
        if head.startswith(mark):
            file.read(len(mark))
            return io.BufferedReader(_Recoded(file, encoding, path))
    if named := _without_mark(head[:1000]):
        raise InputError(path, named)
    if b"\r" in head and b"\n" not in head:
        return io.BufferedReader(_Recoded(file, None, path))
    return file


def looks_like(raw: bytes) -> str:
    """Return what a line that is not UTF-8 may be in, and how to convert the file."""
    high = sum(byte >= 0x80 for byte in raw)
    # Western text has an accent here and there; other scripts are made of such bytes.
    if high <= 0.3 * len(re.sub(rb"\s", b"", raw)):
        return f"looks like Latin-1 or Windows-1252; {_CONVERT.format('WINDOWS-1252')}"
    return (
        "looks like an encoding of another script, such as GB18030, SHIFT_JIS or WINDOWS-1251; "
        f"{_CONVERT.format('ENCODING')}"
    )


def _without_mark(head: bytes) -> str | None:
    for encoding, place in (("UTF-16LE", 1), ("UTF-16BE", 0)):
        zeros, others = head[place::2], head[1 - place :: 2]
        if zeros.count(0) > 0.8 * max(4, len(zeros)) and others.count(0) < 0.2 * len(others):
            return f"looks like {encoding} without its mark; {_CONVERT.format(encoding)}"
    return None


class _Recoded(io.RawIOBase):
    """A file in UTF-16, or with carriage returns for line ends, as UTF-8 with line feeds."""

    def __init__(self, file: BinaryIO, encoding: str | None, path: Path) -> None:
        super().__init__()
        self._file, self._path = file, path
        self._decoder = codecs.getincrementaldecoder(encoding)() if encoding else None
        self._ready = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        while not self._ready:
            chunk = self._file.read(_PEEK)
            self._ready = self._recoded(chunk)
            if not chunk:
                break
        size = min(len(buffer), len(self._ready))
        buffer[:size] = self._ready[:size]
        self._ready = self._ready[size:]
        return size

    def _recoded(self, chunk: bytes) -> bytes:
        if self._decoder is None:
            return chunk.replace(b"\r", b"\n")
        try:
            return self._decoder.decode(chunk, final=not chunk).encode()
        except UnicodeError as error:
            raise InputError(self._path, f"damaged or cut UTF-16 ({error})") from None

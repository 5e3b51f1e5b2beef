"""Opening dumps and collections: plain, gzip, bzip2, xz and Zstandard files, damaged ones included.

They have tens of gigabytes, come over bad connections, and are read where the disk does not hold
them unpacked. So nothing is unpacked, what a file is is read off its first bytes and not its name,
and a file that was cut short or damaged gives what can be read before the damage: every whole line
(:func:`blocks`, for dumps) or every byte (:func:`open_unpacked`, for collections, which also read
on behind the damage in a file of many pieces).
"""

import bz2
import lzma
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BufferedReader, RawIOBase
from pathlib import Path, PurePath
from typing import Any

import numpy as np
import zstandard
from isal import igzip_lib, isal_zlib

from evaluator.errors import InputError
from evaluator.inputs import ENDLESS, LONG_LINE, LONGEST_LINE, endless, open_file
from evaluator.model import Rejects
from indexes.pieces import PACKED, CutError, Decompressor, Gap, Packing, unpack_pieces

TRUNCATED = "truncated file"
DAMAGED = "damaged file"
DAMAGED_PART = "damaged part of a file"

BLOCK = 1 << 22  # bytes, unpacked
_TRAILER = 8  # bytes after a gzip member: checksum and length
_BLOATED = 1 << 20  # bytes that no header has
_SPARING = 1 << 10  # bytes unpacked at a time where what comes out has no bound


class _Zstandard:
    """zstandard's decompressor with the surface of the standard library's.

    It gives out all that it can make of its input, and a few bytes can make megabytes: so it gets
    little at a time.
    """

    def __init__(self) -> None:
        self._inner: Any = zstandard.ZstdDecompressor().decompressobj()
        self._waiting = memoryview(b"")

    @property
    def needs_input(self) -> bool:
        return not self._waiting

    @property
    def eof(self) -> bool:
        return bool(self._inner.eof)

    @property
    def unused_data(self) -> bytes:
        return bytes(self._inner.unused_data) + bytes(self._waiting)

    def decompress(self, data: bytes, max_length: int = -1) -> bytes:  # noqa: ARG002
        waiting = self._waiting or memoryview(data)
        some, self._waiting = waiting[:_SPARING], waiting[_SPARING:]
        return bytes(self._inner.decompress(some))


class _Gzip:
    """One gzip member. What it holds is given out before its checksum is looked at.

    igzip's own check comes with the last bytes, and they are lost with it.
    """

    def __init__(self) -> None:
        self._inner: Any = igzip_lib.IgzipDecompressor(flag=igzip_lib.DECOMP_DEFLATE)
        self._header: bytes | None = b""
        self._trailer = b""
        self._sum = 0
        self._length = 0
        self.eof = False

    @property
    def needs_input(self) -> bool:
        if self._inner.eof:
            return len(self._trailer) < _TRAILER
        return self._header is not None or bool(self._inner.needs_input)

    @property
    def unused_data(self) -> bytes:
        return self._trailer[_TRAILER:]

    def decompress(self, data: bytes, max_length: int = -1) -> bytes:
        if self._inner.eof:
            self._trailer += data
            self._check()
            return b""
        if self._header is not None:
            self._header += data
            length = _header_length(self._header)
            if length is None:
                return b""
            data, self._header = self._header[length:], None
            if not data:
                return b""
        unpacked: bytes = self._inner.decompress(data, max_length)
        self._sum = isal_zlib.crc32(unpacked, self._sum)
        self._length += len(unpacked)
        if self._inner.eof:
            self._trailer = self._inner.unused_data
        return unpacked

    def _check(self) -> None:
        if len(self._trailer) < _TRAILER:
            return
        if int.from_bytes(self._trailer[:4], "little") != self._sum:
            raise ValueError("its checksum is wrong")
        if int.from_bytes(self._trailer[4:8], "little") != self._length % 2**32:
            raise ValueError("its length is wrong")
        self.eof = True


def _header_length(begins: bytes) -> int | None:
    """Return the length of the header of a gzip member; None where it is not all there yet."""
    magic = b"\x1f\x8b\x08"
    if not (magic.startswith(begins) or begins.startswith(magic)) or len(begins) > _BLOATED:
        raise ValueError("no header of gzip")
    if len(begins) < 10:
        return None
    flags, at = begins[3], 10
    if flags & 4:
        at += 2 + int.from_bytes(begins[at : at + 2], "little")
    for text in (8, 16):  # a name, a comment
        if flags & text:
            end = begins.find(b"\0", at)
            if end < 0:
                return None
            at = end + 1
    if flags & 2:
        at += 2
    return at if at <= len(begins) else None


_CANNOT_UNPACK: Any = (
    OSError, EOFError, ValueError, igzip_lib.error, lzma.LZMAError, zstandard.ZstdError,
)  # fmt: skip


def _packing(new: Callable[[], Decompressor], begin: bytes) -> Packing:
    return Packing(new, re.compile(begin, re.DOTALL), _CANNOT_UNPACK)


_GZIP = _packing(_Gzip, rb"\x1f\x8b\x08[\x00-\x1f]")
_ZSTANDARD = _packing(_Zstandard, rb"\x28\xb5\x2f\xfd")
_MAGIC = {
    b"\x1f\x8b": _GZIP,
    b"BZh": _packing(bz2.BZ2Decompressor, rb"BZh[1-9]1AY&SY"),
    b"\xfd7zXZ\0": _packing(lzma.LZMADecompressor, rb"\xfd7zXZ\x00"),
    b"\x28\xb5\x2f\xfd": _ZSTANDARD,
}
_SKIPPABLE = b"\x2a\x4d\x18"  # after a byte 0x5?: a frame of Zstandard that holds no text
_ELSEWHERE = {
    b"PK\x03\x04": "a zip archive",
    b"7z\xbc\xaf": "a 7z archive",
}
_MARK = b"\xef\xbb\xbf"
COMPRESSED = (".gz", ".bz2", ".xz", ".zst", ".zstd")  # what compressed files are named


def blocks(
    path: Path,
    *,
    rejects: Rejects,
    byte_range: tuple[int, int] | None = None,
    size: int = BLOCK,
) -> Iterator[bytes]:
    r"""Yield a file in blocks of whole lines of about `size` bytes, without a byte order mark.

    Only ``\n`` ends a line. Each line keeps its end; the very last line of a sound file may have
    none, and is then a record cut short or merely unterminated: its reader knows.

    Parameters
    ----------
    path
        A plain file, or one that gzip, bzip2, xz or Zstandard compressed, in one piece or in
        many; its first bytes tell which.
    rejects
        Receives ``"truncated file"`` for a compressed file that ends early and ``"damaged file"``
        for one that cannot be unpacked further. Every whole line before that is yielded (of a
        damaged file all but the last few: it is unpacked in steps of 16 KiB; where only the
        checksum of gzip is wrong, all). Also :data:`evaluator.inputs.LONG_LINE` for each line
        that is longer, which is left out.
    byte_range
        Yield only the lines that begin in ``[start, end)``; for files that are not compressed.

    Raises
    ------
    InputError
        No such file, a folder, a device or a pipe, an empty file, one that is not compressed
        though its name says so, one of which not a line can be read, or of which one has no end.
    """
    with _opened(path) as stream:
        packing = _packing_of(path, stream.peek(8)[:8])
        start, end = byte_range or (0, None)
        if packing is None:
            found = _whole_lines(path, _plain(stream, start, end), size, rejects)
        elif byte_range is None:
            found = _unpacked_lines(path, stream, packing, rejects, size)
        else:
            raise InputError(path, "compressed: it has no byte ranges; read it as a whole")
        if start == 0 and (first := next(found, b"").removeprefix(_MARK)):
            yield first
        yield from found


def splits(path: Path, size: int) -> list[tuple[int, int] | None]:
    """Return the byte ranges in which workers may read a file of lines, about `size` bytes each.

    A compressed file is one piece, ``[None]``: it can be read from its start only.
    """
    with _opened(path) as stream:
        if _packing_of(path, stream.peek(8)[:8]) is not None:
            return [None]
    length = path.stat().st_size
    return [(start, min(start + size, length)) for start in range(0, length, size)]


def head(path: Path, size: int = 1 << 16) -> bytes:
    """Return the first whole lines of a file, unpacked, as far as its first `size` bytes go."""
    for block in blocks(path, rejects=Rejects(), size=size):
        return block
    return b""


class Unpacked(BufferedReader):
    """The bytes of a file, unpacked and without a byte order mark, as far as they can be read.

    It ends where the file is cut, as if that were the end, and where it is damaged, unless it is
    compressed in many pieces: then a line end stands for what is lost.
    """

    def __init__(self, chunks: Iterator[bytes], state: "_State") -> None:
        super().__init__(_Chunks(chunks), PACKED)
        self._state = state

    def end_at_damage(self) -> None:
        """Read nothing behind a damaged place, for those who could not tell what it belongs to."""
        self._state.go_on = False

    @property
    def complete(self) -> bool:
        """Whether nothing is known to be missing, at the end.

        For those who take everything up to the end for one record.
        """
        return not (self._state.reason or self._state.gaps)


@contextmanager
def open_unpacked(path: Path, *, rejects: Rejects) -> Iterator[Unpacked]:
    """Open a file, plain or compressed, for reading its unpacked bytes.

    Parameters
    ----------
    path
        As for :func:`blocks`. An empty file is no error: the stream is empty.
    rejects
        Receives ``"truncated file"`` or ``"damaged file"`` where the stream ends for that reason,
        and ``"damaged part of a file"`` for each place behind which it goes on.

    Raises
    ------
    InputError
        No such file, a folder, one that is not compressed though its name says so, or one of which
        not a byte can be read.
    """
    with _opened(path) as stream:
        yield unpack(stream, path, rejects=rejects)


def unpack(stream: BufferedReader, name: PurePath, *, rejects: Rejects) -> Unpacked:
    """Return the unpacked bytes of a stream, such as a member of an archive.

    As :func:`open_unpacked`; a `stream` that cannot be read on raises an OSError.
    """
    state = _State(go_on=True)
    unpacked = Unpacked(_counted(stream, name, state, rejects), state)
    if unpacked.peek(1)[: len(_MARK)] == _MARK:
        unpacked.read(len(_MARK))
    return unpacked


def _counted(
    stream: BufferedReader, name: PurePath, state: "_State", rejects: Rejects
) -> Iterator[bytes]:
    """Yield the unpacked bytes of a stream, and count how it ends if not well."""
    try:
        begins = stream.peek(8)[:8]
    except OSError as error:
        raise InputError(name, f"cannot be read ({error}); fetch it again") from None
    refused = None
    try:
        packing = _packing_of(name, begins) if begins else None
    except NotCompressedError as error:  # or its first piece is damaged
        refused, packing = error, _GZIP
    yield from _as_it_is(stream, state) if packing is None else _unpacked(stream, packing, state)
    for problem in state.gaps:
        rejects.add(DAMAGED_PART, f"{name} {problem}")
    if not state.reason:
        return
    if not state.bytes:
        raise refused or InputError(
            name, f"{state.reason}: nothing can be read ({state.problem}); fetch it again"
        )
    rejects.add(state.reason, f"{name} {state.problem} after {state.bytes:,} bytes unpacked")


def _as_it_is(stream: BufferedReader, state: "_State") -> Iterator[bytes]:
    try:
        while chunk := stream.read1(PACKED):
            state.bytes += len(chunk)
            yield chunk
    except OSError as error:
        state.reason, state.problem = DAMAGED, f"cannot be read on ({error})"


class _Chunks(RawIOBase):
    """Chunks of bytes as a stream. It reads as much as it is asked for, unless it ends."""

    def __init__(self, chunks: Iterator[bytes]) -> None:
        self._chunks = chunks
        self._rest = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        length = 0
        while length < len(buffer):
            if not self._rest:
                self._rest = memoryview(next(self._chunks, b""))
                if not self._rest:
                    break
            part = self._rest[: len(buffer) - length]
            buffer[length : length + len(part)] = part
            self._rest = self._rest[len(part) :]
            length += len(part)
        return length


def _opened(path: Path) -> BufferedReader:
    try:
        return open_file(path)
    except FileNotFoundError:
        raise InputError(path, "no such file") from None
    except IsADirectoryError:
        raise InputError(path, "a folder, not a file; name the file in it") from None
    except OSError as error:
        raise InputError(path, f"cannot be read ({error.strerror or error})") from None


class NotCompressedError(InputError):
    """A file that is not compressed though its name says so, or that is damaged where it begins."""


def _packing_of(path: PurePath, begins: bytes) -> Packing | None:
    """Return how a file that begins so is compressed; None for a plain file."""
    if not begins:
        raise InputError(path, "the file is empty; fetch it again")
    for magic, packing in _MAGIC.items():
        if begins.startswith(magic):
            return packing
    if begins[0] & 0xF0 == 0x50 and begins[1:4] == _SKIPPABLE:
        return _ZSTANDARD
    for magic, name in _ELSEWHERE.items():
        if begins.startswith(magic):
            raise InputError(path, f"is {name}; unpack it, or compress it with gzip instead")
    if path.suffix.lower() in COMPRESSED:
        raise NotCompressedError(
            path,
            f"is named {path.suffix} but is not compressed"
            f" (begins with {begins.decode('latin-1')!r}); fetch it again",
        )
    return None


def _plain(stream: BufferedReader, start: int, end: int | None) -> Iterator[bytes]:
    """Yield the bytes of the lines that begin in ``[start, end)``."""
    if start:
        stream.seek(start - 1)
        start -= 1
        for part in _rest_of_line(stream):
            start += len(part)
    while end is None or start < end:
        chunk = stream.read(BLOCK if end is None else min(BLOCK, end - start))
        if not chunk:
            return
        start += len(chunk)
        yield chunk
        if start == end and not chunk.endswith(b"\n"):
            yield from _rest_of_line(stream)


def _rest_of_line(stream: BufferedReader) -> Iterator[bytes]:
    while part := stream.readline(BLOCK):
        yield part
        if part.endswith(b"\n"):
            return


def _unpacked_lines(
    path: Path,
    stream: BufferedReader,
    packing: Packing,
    rejects: Rejects,
    size: int,
) -> Iterator[bytes]:
    """Yield the whole lines of a compressed file, and count how it ends if not well."""
    state = _State(go_on=False)
    lines = 0
    for block in _whole_lines(path, _unpacked(stream, packing, state), size, rejects):
        whole = block
        if state.reason and not block.endswith(b"\n"):
            whole = block[: block.rfind(b"\n") + 1]
        if whole:
            lines += _count(whole)
            yield whole
    if not state.reason:
        return
    if lines == 0:
        raise InputError(
            path, f"{state.reason}: no whole line can be read ({state.problem}); fetch it again"
        )
    rejects.add(
        state.reason,
        f"{path.name} {state.problem} after {state.bytes:,} bytes unpacked, {lines:,} whole lines",
    )


def _count(block: bytes) -> int:
    """Count lines, several times as fast as :meth:`bytes.count` does."""
    every = np.frombuffer(block, np.uint8)
    parts = range(0, len(block), PACKED)
    return sum(int(np.count_nonzero(every[at : at + PACKED] == ord("\n"))) for at in parts)


class _State:
    """How far a compressed file was read, why no further, and what is lost in between."""

    def __init__(self, *, go_on: bool) -> None:
        self.go_on = go_on
        self.bytes = 0
        self.reason = ""
        self.problem = ""
        self.gaps: list[str] = []


def _unpacked(stream: BufferedReader, packing: Packing, state: _State) -> Iterator[bytes]:
    """Yield the unpacked bytes of a compressed file, as far as they can be read."""

    def gap(damaged: Gap) -> None:
        if damaged.end is None and not damaged.left_out:
            state.reason, state.problem = DAMAGED, f"is damaged ({damaged.problem})"
        else:
            behind = "nothing follows" if damaged.end is None else f"read on at {damaged.end:,}"
            state.gaps.append(
                f"is damaged from byte {damaged.begin:,} ({damaged.problem}); {behind}"
            )

    try:
        for chunk in unpack_pieces(stream, packing, go_on=lambda: state.go_on, gap=gap):
            state.bytes += len(chunk)
            yield chunk
    except CutError:
        state.reason, state.problem = TRUNCATED, "ends early"


def _whole_lines(
    path: Path, chunks: Iterator[bytes], size: int, rejects: Rejects
) -> Iterator[bytes]:
    """Join chunks to blocks of whole lines of about `size` bytes; the last may be cut.

    Lines that are too long are left out and counted. No more than one is held beside a block.
    """
    whole: list[bytes] = []  # ends with the end of a line
    length = 0
    part: list[bytes] = []  # of a line whose end was not read yet
    begun = 0  # bytes of it
    for chunk in _pieces(chunks):
        end = chunk.find(b"\n") + 1
        if begun + (end or len(chunk)) > LONGEST_LINE:
            if part:  # it has just become too long
                rejects.add(LONG_LINE, f"{path.name}: {_beginning(part)}")
                part = []
            begun += end or len(chunk)
            if begun > ENDLESS:
                raise endless(path)
            if not end:
                continue
            begun, chunk = 0, chunk[end:]
        cut = chunk.rfind(b"\n") + 1
        if not cut:
            begun += len(chunk)
            part.append(chunk)
            continue
        # Cut first and join then: one copy of a block, not two.
        whole += [*part, chunk[:cut]]
        length += begun + cut
        part, begun = [chunk[cut:]], len(chunk) - cut
        if length >= size:
            yield b"".join(whole)
            whole, length = [], 0
    if last := b"".join([*whole, *part]):
        yield last


def _pieces(chunks: Iterator[bytes]) -> Iterator[bytes]:
    """Cut chunks so that a line that is too long always ends in another than it begins in."""
    for chunk in chunks:
        if len(chunk) <= LONGEST_LINE:
            yield chunk
        else:
            yield from (
                chunk[begin : begin + LONGEST_LINE] for begin in range(0, len(chunk), LONGEST_LINE)
            )


def _beginning(parts: list[bytes]) -> str:
    return next(filter(None, parts))[:80].decode(errors="replace")

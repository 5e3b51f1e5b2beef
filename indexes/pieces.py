"""The pieces of a compressed file: gzip members, bzip2 and xz streams, frames of Zstandard.

Collections come as files of many pieces: a web archive has one for each record. A damaged piece is
no reason to lose those behind it: they are found again by the bytes that a piece begins with.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from io import BufferedReader
from typing import Protocol

PACKED = 1 << 17  # bytes read at a time
STEP = 1 << 14  # bytes unpacked at a time: so much is lost before a damaged place
_KEPT = 1 << 20  # packed bytes that can be gone back: a decoder errs sooner than after so many
_HELD = 1 << 22  # unpacked bytes of a piece that wait for its sum
_BEGIN = 16  # bytes, more than any pattern matches
_WEB = b"WARC/"
_RECORD = re.compile(rb"^WARC/\d", re.MULTILINE)


class Decompressor(Protocol):
    """What unpacks one piece."""

    @property
    def eof(self) -> bool:
        """Whether the piece is at its end."""

    @property
    def needs_input(self) -> bool:
        """Whether nothing more comes out of what was given."""

    @property
    def unused_data(self) -> bytes:
        """What follows the piece in what was given."""

    def decompress(self, data: bytes, max_length: int = -1) -> bytes:
        """Unpack further."""


@dataclass(frozen=True, slots=True)
class Packing:
    """A kind of compression.

    Attributes
    ----------
    new
        Returns what unpacks a piece.
    begin
        Matches what a piece begins with.
    errors
        What a decompressor raises over damage.
    """

    new: Callable[[], Decompressor]
    begin: re.Pattern[bytes]
    errors: tuple[type[Exception], ...]


@dataclass(frozen=True, slots=True)
class Gap:
    """A damaged piece.

    Attributes
    ----------
    begin, end
        Its first packed byte, and that of the next piece that is sound so far; None without one.
    problem
        What is wrong.
    left_out
        Whether it held one record of a web archive, none of which is given out.
    """

    begin: int
    end: int | None
    problem: str
    left_out: bool


class CutError(Exception):
    """The file ends inside a piece."""


def unpack_pieces(
    stream: BufferedReader,
    packing: Packing,
    *,
    go_on: Callable[[], bool],
    gap: Callable[[Gap], None],
) -> Iterator[bytes]:
    r"""Yield the unpacked bytes of all pieces.

    Where a piece is damaged, what comes before the damage is given out, then a line end, then the
    next sound piece: what stands on both sides of the gap is never read as one. A damaged piece
    that held one record of a web archive is left out, since its record is not to be trusted.

    Parameters
    ----------
    stream
        The packed bytes.
    packing
        The kind.
    go_on
        Whether to look for a piece behind a damaged one.
    gap
        Told of each damaged piece. Without an end, nothing follows.

    Raises
    ------
    CutError
        Where the file ends inside a piece.
    """
    packed = _Packed(stream)
    sound = 0  # pieces before
    web = False  # whether they are records of a web archive
    while True:
        start = packed.at
        held: list[bytes] = []
        size = 0  # of what is held; more than can be held once some is given out
        try:
            if not packed.skip_zeros():
                return
            for chunk in _piece(packed, packing.new()):
                size += len(chunk)
                held.append(chunk)
                if size > _HELD or not go_on():
                    yield from held
                    held.clear()
        except CutError:
            yield from held
            raise
        except packing.errors as error:
            before = b"".join(held)
            web = web or before.startswith(_WEB)
            end = _next_piece(packed, start, packing, _WEB if web else b"") if go_on() else None
            lone = (
                bool(sound or end is not None)
                and before.startswith(_WEB)
                and len(_RECORD.findall(before)) == 1
            )
            gap(Gap(start, end, str(error), lone))
            if before and not lone:
                yield before
            if end is None:
                return
            packed.go(end)
            yield b"\n"
        else:
            sound += 1
            web = bool(held) and held[0].startswith(_WEB)
            yield from held


def _piece(packed: "_Packed", decompressor: Decompressor) -> Iterator[bytes]:
    """Yield the unpacked bytes of the piece that begins here, and go to its end."""
    while not decompressor.eof:
        data = packed.read() if decompressor.needs_input else b""
        if not data and decompressor.needs_input:
            raise CutError
        if chunk := decompressor.decompress(data, STEP):
            yield chunk
    packed.go(packed.at - len(decompressor.unused_data))


def _next_piece(packed: "_Packed", start: int, packing: Packing, first: bytes) -> int | None:
    """Return where the first piece after `start` begins that can be unpacked for a step.

    Its unpacked bytes begin with `first`: the pages of a web archive may be packed themselves.
    """
    unreadable: tuple[type[Exception], ...] = (CutError, *packing.errors)
    place = packed.find(packing.begin, start + 1)
    while place is not None:
        packed.go(place)
        try:
            if next(_piece(packed, packing.new()), b"").startswith(first):
                return place
        except unreadable:
            pass
        place = packed.find(packing.begin, place + 1)
    return None


class _Packed:
    """Packed bytes; the last megabyte can be gone back."""

    def __init__(self, stream: BufferedReader) -> None:
        self._stream = stream
        self._held = bytearray()
        self._first = 0  # the place of the first byte held
        self._failed = False
        self.at = 0

    def read(self) -> bytes:
        """Return the next bytes; none at the end."""
        if self.at == self._end:
            self._more()
        data = bytes(self._held[self.at - self._first :][:PACKED])
        self.at += len(data)
        return data

    def go(self, place: int) -> None:
        """Go to a place that is held, or back as far as can be."""
        self.at = max(place, self._first)

    def skip_zeros(self) -> bool:
        """Go to the next byte that is not zero: zeros pad files from tape. False at the end."""
        while data := self.read():
            if rest := data.lstrip(b"\0"):
                self.go(self.at - len(rest))
                return True
        return False

    def find(self, begin: re.Pattern[bytes], place: int) -> int | None:
        """Return where `begin` next matches from `place` on."""
        place = max(place, self._first)
        while True:
            self.at = place
            if found := begin.search(self._held, place - self._first):
                return self._first + found.start()
            place = max(place, self._end - _BEGIN)
            if not self._more():
                return None

    @property
    def _end(self) -> int:
        return self._first + len(self._held)

    def _more(self) -> bool:
        surplus = self.at - self._first - _KEPT
        if surplus > 0:
            del self._held[:surplus]
            self._first += surplus
        if self._failed:
            return False
        self._failed = True  # a stream that raised an error has no more
        chunk = self._stream.read(PACKED)
        self._failed = False
        self._held += chunk
        return bool(chunk)

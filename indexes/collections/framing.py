"""Framing: where records begin and end in a stream, in bounded memory, at the speed of searching.

Two shapes cover the text formats: records between a begin mark and an end mark, and lines.
"""

import re
from collections.abc import Iterator
from typing import BinaryIO

from evaluator.inputs import ENDLESS, LONGEST_LINE
from evaluator.model import Rejects

LARGEST = LONGEST_LINE  # bytes of a record: more is no document, and it has to be held in memory
TOO_LARGE = f"record of more than {LARGEST >> 20} MiB"
NO_LINES = f"line without an end in {ENDLESS >> 20:,} MiB"
WITHOUT_END = "document without end"
WITHOUT_BEGIN = "end without document"

_BLOCK = 1 << 20  # bytes read at a time
_LONGEST_MARK = 512  # bytes


def frame_marked(
    stream: BinaryIO,
    name: str,
    rejects: Rejects,
    *,
    mark: re.Pattern[bytes],
    block: int = _BLOCK,
    largest: int = LARGEST,
) -> Iterator[tuple[str, bytes]]:
    r"""Yield the records between marks, both included, each with its place ``name:line``.

    What stands between records is passed over: formats have headers and blank lines there.

    Parameters
    ----------
    stream
        The unpacked bytes.
    name
        The file's, for messages.
    rejects
        Receives a record without an end (another begins, or the file ends), an end without a
        begin, and a record of more than `largest` bytes.
    mark
        Matches a begin or an end; an end by its group 1. At most 512 bytes, and no ``$`` or
        lookahead, since what follows may not have been read yet. It should begin with a literal:
        ``<(?<=^<)doc`` is found ten times as fast as ``^<doc``.
    block, largest
        Bytes read at a time; bytes of the largest record.
    """
    held = bytearray()  # from the byte before the open record, or before `at`
    at = 0  # up to here, all marks are known
    begin: int | None = None  # of the open record, in `held`
    skipping = False  # whether the end that comes next is that of a record given up
    line = 1  # in which `counted` stands
    counted = 0  # up to here, lines are counted
    begin_line = 0
    while True:
        found = mark.search(held, at)
        if found is None:
            at = max(at, len(held) - _LONGEST_MARK)
            if begin is not None and len(held) - begin > largest:
                rejects.add(TOO_LARGE, f"{name}:{begin_line}")
                begin, skipping = None, True
            keep = max((at if begin is None else begin) - 1, 0)
            if counted < keep:
                line, counted = line + held.count(b"\n", counted, keep), keep
            del held[:keep]
            at, counted = at - keep, counted - keep
            begin = None if begin is None else begin - keep
            read = stream.read(block)
            if not read:
                break
            held += read
            continue
        at = found.end()
        if found[1] is None:
            if begin is not None:
                rejects.add(WITHOUT_END, f"{name}:{begin_line}")
            begin, skipping = found.start(), False
            line, counted = line + held.count(b"\n", counted, begin), begin
            begin_line = line
        elif begin is not None and at - begin > largest:
            rejects.add(TOO_LARGE, f"{name}:{begin_line}")
            begin = None
        elif begin is not None:
            yield f"{name}:{begin_line}", bytes(held[begin:at])
            begin = None
        elif skipping:
            skipping = False
        else:
            rejects.add(WITHOUT_BEGIN, f"{name}:{line + held.count(b'\n', counted, at)}")
    if begin is not None:
        rejects.add(WITHOUT_END, f"{name}:{begin_line}")


def frame_lines(
    stream: BinaryIO, name: str, rejects: Rejects, *, largest: int = LARGEST
) -> Iterator[tuple[str, bytes]]:
    """Yield the lines that are not blank, each with its place ``name:line``.

    Parameters
    ----------
    stream, name, largest
        As for :func:`frame_marked`.
    rejects
        Receives lines of more than `largest` bytes, and one that has no end, at which reading
        stops.
    """
    number = 0
    while line := stream.readline(largest + 1):
        number += 1
        if len(line) > largest:
            length = len(line)
            while line and not line.endswith(b"\n"):
                line = stream.readline(_BLOCK)
                length += len(line)
                if length > ENDLESS:
                    rejects.add(NO_LINES, f"{name}:{number}")
                    return
            rejects.add(TOO_LARGE, f"{name}:{number}")
        elif not line.isspace():
            yield f"{name}:{number}", line

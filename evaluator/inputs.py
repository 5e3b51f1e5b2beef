"""The one way in for files: what may be opened, and how much of it is ever held.

Every reader opens its input here. Only a regular file is opened, or a link to one: a pipe makes a
program wait for whoever writes into it, and a device may never end. Nothing that a file holds makes
memory grow beyond these limits, however it is packed:

* a line has at most :data:`LONGEST_LINE` bytes. A longer one is passed over without being held, and
  counted; where it has no end within :data:`ENDLESS` bytes the file is refused, for it is no file
  of lines;
* a file that has to be held whole (a configuration, a sheet, a JSON document) has at most
  :data:`LARGEST_WHOLE` bytes, unpacked.

A pipe that is refused can be read through a file, or, where a command takes ``-``, from standard
input.
"""

import bz2
import errno
import gzip
import lzma
import os
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from io import BufferedReader, FileIO, RawIOBase
from pathlib import Path
from typing import IO, Any, BinaryIO, cast

from evaluator.errors import ConfigurationError, InputError
from evaluator.json_objects import parse_json
from evaluator.model import Rejects

LONGEST_LINE = 1 << 26
"""Bytes of a line: Wikidata's longest entities and JSON files of one line are below it."""

ENDLESS = 1 << 29
"""Bytes without the end of a line after which a file is none of lines."""

LARGEST_WHOLE = 1 << 28
"""Bytes of a file that is held whole."""

LONG_LINE = f"line of more than {LONGEST_LINE >> 20} MiB"
"""The reason under which a longer line is counted."""

NOT_A_FILE = "a device or a pipe; save what it gives as a file first"

_BROKEN_ZIP = (
    *(OSError, EOFError, RuntimeError, ValueError, struct.error),
    *(zipfile.BadZipFile, zlib.error, lzma.LZMAError),
)
_TOO_LARGE = f"more than {LARGEST_WHOLE >> 20} MiB, the most that is held of such a file"
_STEP = 1 << 20  # bytes of a long line that are passed over at a time
_BUFFER = 1 << 17
_SHOWN = 80  # bytes of a long line


def open_file(path: Path) -> BufferedReader:
    """Open a regular file for reading its bytes.

    Raises
    ------
    OSError
        If there is none; ``strerror`` says so of a device or a pipe, too, which is never waited
        for.
    """
    # Not asked before it is opened: what is there may change. Without waiting: nobody may write
    # into a pipe.
    try:
        number = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        if error.errno == errno.ENXIO:  # a socket, or a device that is not there
            raise OSError(errno.EINVAL, NOT_A_FILE, str(path)) from None
        raise
    try:
        kind = os.fstat(number).st_mode
        if stat.S_ISDIR(kind):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
        if not stat.S_ISREG(kind):
            raise OSError(errno.EINVAL, NOT_A_FILE, str(path))
        return BufferedReader(FileIO(number), _BUFFER)
    except BaseException:
        os.close(number)
        raise


def expanded(path: str | Path) -> Path:
    """Return a path in which "~" at the beginning is the home folder.

    Raises
    ------
    ConfigurationError
        If there is nobody of that name, or nothing tells where home is.
    """
    try:
        return Path(path).expanduser()
    except RuntimeError:
        raise ConfigurationError(f"{path} names the home folder of nobody here") from None


def read_bytes(path: Path) -> bytes:
    """Return what a file holds.

    Raises
    ------
    OSError
        As :func:`open_file`, and for a file of more than :data:`LARGEST_WHOLE` bytes.
    """
    with open_file(path) as file:
        if os.fstat(file.fileno()).st_size > LARGEST_WHOLE:
            raise _too_large(path)
        return _whole(file, path)


def read_text(path: Path, *, encoding: str = "utf-8") -> str:
    """Return the text of a file, each line end as a line feed; raise as :func:`read_bytes`.

    Raises
    ------
    UnicodeDecodeError
        If it is no such text.
    """
    return read_bytes(path).decode(encoding).replace("\r\n", "\n").replace("\r", "\n")


def read_json(path: Path) -> Any:
    """Return what a JSON file says; raise as :func:`read_bytes`.

    Raises
    ------
    ValueError
        If it is no JSON, or nests too deeply (:func:`evaluator.json_objects.parse_json`).
    """
    return parse_json(read_bytes(path))


def read_unpacked(path: Path) -> bytes:
    """Return what a file holds, unpacked (:func:`open_packed`).

    Raises
    ------
    OSError
        As :func:`read_bytes`; of what is unpacked, no more is held than the limit.
    EOFError, zlib.error, lzma.LZMAError
        If it is cut or damaged.
    """
    with open_packed(path) as file:
        return _whole(file, path)


@contextmanager
def open_packed(path: Path) -> Iterator[BufferedReader]:
    """Open a file for reading its bytes, unpacked where gzip, bzip2 or xz have packed it.

    The first bytes tell, not the name.

    Raises
    ------
    OSError
        As :func:`open_file`.
    """
    with open_file(path) as file:
        magic = file.peek(6)[:6]
        if magic.startswith(b"\x1f\x8b"):
            unpacked: Any = gzip.GzipFile(fileobj=file)
        elif magic.startswith(b"BZh"):
            unpacked = bz2.BZ2File(file)
        elif magic == b"\xfd7zXZ\0":
            unpacked = lzma.LZMAFile(file)  # noqa: SIM115
        else:
            yield file
            return
        yield BufferedReader(unpacked, _BUFFER)


def numbered_lines(
    stream: IO[bytes], path: object, *, rejects: Rejects | None = None
) -> Iterator[tuple[int, bytes]]:
    r"""Yield the lines of a stream with their numbers, from 1; only ``\n`` ends one, and is kept.

    Parameters
    ----------
    stream
        Bytes, unpacked.
    path
        What messages call it.
    rejects
        Receives :data:`LONG_LINE`; where it is None, such a line is an error.

    Raises
    ------
    InputError
        Where a line is too long and must not be left out, or does not end.
    """
    read = partial(stream.readline, LONGEST_LINE + 1)
    for number, line in enumerate(iter(read, b""), start=1):
        if len(line) <= LONGEST_LINE:
            yield number, line
            continue
        if rejects is None:
            raise InputError(path, f"a {LONG_LINE}; is it such a file?", line=number)
        begins = line[:_SHOWN]
        length, ended = len(line), line.endswith(b"\n")
        del line
        while not ended and (more := stream.readline(_STEP)):
            length, ended = length + len(more), more.endswith(b"\n")
            if length > ENDLESS:
                raise endless(path, line=number)
        rejects.add(LONG_LINE, f"line {number}: {begins.decode(errors='replace')}")


def zipped_lines(path: Path, *, rejects: Rejects) -> Iterator[bytes]:
    """Yield the lines of all members of a zip archive, in the order of their names.

    Parameters
    ----------
    path
        The archive.
    rejects
        As for :func:`numbered_lines`.

    Raises
    ------
    InputError
        Where it cannot be read: no such archive, a damaged one, one with a password, or one packed
        in a way that Python has not got.
    """
    try:
        with open_file(path) as file, zipfile.ZipFile(file) as archive:
            for name in sorted(name for name in archive.namelist() if not name.endswith("/")):
                with BufferedReader(cast(RawIOBase, archive.open(name))) as member:
                    for _, line in numbered_lines(member, path, rejects=rejects):
                        yield line
    except _BROKEN_ZIP as error:
        problem = getattr(error, "strerror", None) or str(error) or "it is cut"
        raise InputError(path, f"cannot be read as a zip archive ({problem})") from None


def held_whole(lines: Iterable[tuple[int, str]], name: object) -> Iterator[tuple[int, str]]:
    """Yield the numbered lines of what is held whole; raise an InputError where it is too much."""
    left = LARGEST_WHOLE
    for number, line in lines:
        left -= len(line) + 1
        if left < 0:
            raise InputError(name, _TOO_LARGE, line=number)
        yield number, line


def endless(path: object, *, line: int | None = None) -> InputError:
    """Return the error for a file of which a line has no end."""
    problem = f"a line without an end in {ENDLESS >> 20:,} MiB; is it a file of lines?"
    return InputError(path, problem, line=line)


def _whole(file: BinaryIO, path: Path) -> bytes:
    content = file.read(LARGEST_WHOLE + 1)
    if len(content) > LARGEST_WHOLE:
        raise _too_large(path)
    return content


def _too_large(path: Path) -> OSError:
    return OSError(errno.EFBIG, _TOO_LARGE, str(path))

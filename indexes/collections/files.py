"""The files of a collection: one file, a folder, or archives, read in one pass and never unpacked.

What a file is, compressed or an archive, is read off its bytes and not its name. The path of a
file inside the collection is relative to the folder, or the member's name in an archive; in an
archive in a folder, it is both: ``1987/01.tgz/01/01/0000001.xml``.

Patterns that select files are those of :mod:`fnmatch` over that path, with capitals told from small
letters; ``*`` matches ``/`` too, so that ``AC/*`` is all that is below ``AC``, at any depth. In a
folder, an archive is also selected as a whole, by its own path, and a member by its own name.
"""

import re
import tarfile
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from io import BufferedIOBase, BufferedReader, RawIOBase
from pathlib import Path, PurePosixPath
from typing import Any

from evaluator.errors import InputError
from evaluator.inputs import NOT_A_FILE
from evaluator.model import Rejects
from indexes.collections.framing import LARGEST
from indexes.streams import DAMAGED, TRUNCATED, Unpacked, open_unpacked, unpack

EMPTY = "empty file"
UNREADABLE = "unreadable file"

_NAMED_ARCHIVE = re.compile(r"\.(?:tar|tar\.\w+|tgz|tbz2?|txz|tzst)$", re.IGNORECASE)
_HEADER = 512  # bytes of a header in an archive


def collection_files(path: Path, *, select: Sequence[str] = ()) -> list[Path]:
    """Return the files of a collection in the order of their paths, without the hidden ones.

    Parameters
    ----------
    path
        A file, or a folder, in which links are followed.
    select
        Patterns. Archives are kept, unless neither they nor a member can match; which members do is
        known when they are read (:func:`read_entries`).

    Raises
    ------
    InputError
        No such file or folder, or no file of a folder is selected.
    """
    if path.is_file():
        return [path]
    if not path.is_dir():
        raise InputError(path, NOT_A_FILE if path.exists() else "no such file or folder")
    found = sorted(_walk(path, ()))
    if not found:
        raise InputError(path, "the folder holds no file (hidden ones are left out)")
    chosen = [file for file in found if _selected(_inside(file, path), select) or _archive(file)]
    if not chosen:
        raise InputError(path, unmatched(select, _inside(found[0], path)))
    return chosen


def read_entries(
    file: Path, *, root: Path | None = None, select: Sequence[str] = (), rejects: Rejects
) -> Iterator[tuple[str, Unpacked]]:
    """Yield the path inside the collection, and the unpacked bytes, of what a file holds.

    That is the file, or each regular member of an archive that is selected. A stream must be read
    before the next is asked for.

    Parameters
    ----------
    file
        A file out of :func:`collection_files`.
    root
        The collection; None where the file is all of it.
    select
        Patterns; empty for everything.
    rejects
        Receives files that are empty, cut or damaged, and members that cannot be read at all.

    Raises
    ------
    InputError
        Not a byte of the file can be read, or it is named as an archive and is none.
    """
    name = file.name if root is None or root == file else _inside(file, root)
    with open_unpacked(file, rejects=rejects) as stream:
        if not stream.peek(1):
            rejects.add(EMPTY, name)
        elif not is_archive(stream):
            if not _NAMED_ARCHIVE.search(name):
                if _selected(name, select):
                    yield name, stream
            elif stream.peek(_HEADER)[:_HEADER].strip(b"\0"):
                raise InputError(file, "is named like a tar archive but is none; fetch it again")
            else:
                rejects.add(EMPTY, name)  # what tar writes of no file is zeros
        else:
            stream.end_at_damage()
            folder = "" if root is None or root == file else f"{name}/"
            everything = bool(folder) and _selected(name, select)
            for member, content in _members(stream, name, rejects):
                path = folder + member
                if everything or _selected(path, select) or _selected(member, select):
                    yield from _unpacked_member(path, content, rejects)


def unmatched(select: Sequence[str], example: str) -> str:
    """Return what to say where nothing is selected; `example` is a path that is there."""
    patterns = ", ".join(repr(pattern) for pattern in select)
    return f"no file matches {patterns}; there is, for example, {example!r}"


def first_path(path: Path) -> str:
    """Return the path inside the collection of the first file that is there."""
    for file in collection_files(path):
        for name, _ in read_entries(file, root=path, rejects=Rejects()):
            return name
    return ""


def is_archive(stream: BufferedReader) -> bool:
    """Return whether a stream, of which nothing was read, begins as a tar archive does."""
    try:
        tarfile.TarInfo.frombuf(stream.peek(_HEADER)[:_HEADER], "utf-8", "surrogateescape")
    except tarfile.HeaderError:
        return False
    return True


# --- Folders ------------------------------------------------------------------------------------


def _walk(folder: Path, above: tuple[Path, ...]) -> Iterator[Path]:
    """Yield the files below a folder; links are followed, except back into a folder above."""
    here = folder.resolve()
    if here in above:
        return
    for entry in folder.iterdir():
        if entry.name.startswith("."):
            continue
        if entry.is_dir():
            yield from _walk(entry, (*above, here))
        elif entry.is_file() or not entry.exists():  # a link to nothing is an error when opened
            yield entry


def _inside(file: Path, root: Path) -> str:
    return _sound(file.relative_to(root).as_posix())


def _sound(name: str) -> str:
    """Return a name whose bytes may be no UTF-8 as one that can be written."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _selected(path: str, select: Sequence[str]) -> bool:
    return not select or any(fnmatchcase(path, pattern) for pattern in select)


def _archive(file: Path) -> bool:
    try:
        with open_unpacked(file, rejects=Rejects()) as stream:
            return is_archive(stream)
    except InputError:
        return False


# --- Archives -----------------------------------------------------------------------------------


class _Forward(BufferedIOBase):
    """A stream that tarfile can go forward in, and that knows where it ends.

    tarfile's own way of reading streams fails at the end of a cut one, and loses what it had read;
    and it takes a damaged header for the end of the archive.
    """

    def __init__(self, stream: BufferedReader) -> None:
        self._stream = stream
        self._at = 0
        self.last = b""  # what was read last

    def tell(self) -> int:
        return self._at

    def seek(self, place: int, whence: int = 0, /) -> int:  # noqa: ARG002
        while self._at < place:
            if not self.read(min(place - self._at, 1 << 20)):
                break
        return self._at

    def read(self, size: int | None = -1, /) -> bytes:
        # What a damaged header says of its size must not be held.
        self.last = self._stream.read(LARGEST if size is None else min(size, LARGEST))
        self._at += len(self.last)
        return self.last


class _Member(RawIOBase):
    """The content of a member. It ends in an error where the archive ends first."""

    def __init__(self, archive: _Forward, size: int) -> None:
        self._archive = archive
        self._left = size
        self.cut = False

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        content = self._archive.read(min(len(buffer), self._left))
        if not content and self._left:
            self.cut = True
            raise OSError("its archive ends before it does")
        self._left -= len(content)
        buffer[: len(content)] = content
        return len(content)


def _members(stream: Unpacked, name: str, rejects: Rejects) -> Iterator[tuple[str, _Member]]:
    """Yield the path and the content of each regular member that is not hidden."""
    forward = _Forward(stream)
    problem = ""
    try:
        with tarfile.open(fileobj=forward, mode="r:", errorlevel=2) as archive:
            while (member := archive.next()) is not None:
                # tarfile keeps them all, and there may be millions.
                archive.members.clear()  # type: ignore[attr-defined]
                path = _sound(member.name).strip("/")
                parts = [part for part in PurePosixPath(path).parts if part != ".."]
                if member.size < 0:
                    raise tarfile.ReadError("a size below zero")
                if member.issparse():
                    rejects.add("sparse file", f"{name}/{path}")
                elif member.isreg() and not any(part.startswith(".") for part in parts):
                    yield str(PurePosixPath(path)), _Member(forward, member.size)
    except (tarfile.TarError, ValueError) as error:
        problem = f"is damaged ({error})"
    if not stream.complete:
        return  # and counted
    if len(forward.last) < _HEADER:
        rejects.add(TRUNCATED, f"{name} ends without the mark for that")
    elif problem or forward.last.strip(b"\0"):
        rejects.add(DAMAGED, f"{name} {problem or 'has a damaged header'}")
    elif any(block.strip(b"\0") for block in iter(lambda: forward.read(1 << 20), b"")):
        rejects.add("data after the end of an archive", name)


def _unpacked_member(
    path: str, member: _Member, rejects: Rejects
) -> Iterator[tuple[str, Unpacked]]:
    problems = Rejects()
    try:
        stream = unpack(BufferedReader(member, 1 << 16), PurePosixPath(path), rejects=problems)
        if stream.peek(1):
            yield path, stream
        else:
            problems.add(EMPTY, path)
    except InputError as error:
        problems.add(UNREADABLE, str(error))
    if not member.cut:  # else it is the archive that is cut, and counted
        rejects.merge([problems])

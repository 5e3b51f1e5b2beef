"""Whether files are what the catalogue says, by size and sum."""

import gzip
import hashlib
import lzma
import tarfile
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import IO, NamedTuple

import pooch

from jobs.data.catalogue import DataSet, Packing, PublicFile

DAMAGED = (OSError, EOFError, zlib.error, lzma.LZMAError, tarfile.TarError)
"""What reading a packed file raises that is cut or of another kind."""

# What a mirror's keeper writes beside the files.
_NOTES = {"SOURCE.md"}


class Checked(NamedTuple):
    """What was found of a set in a folder.

    Attributes
    ----------
    good : int
        Files that are right.
    missing : list of str
        Paths under the folder of files that are not there.
    wrong : dict of str to str
        What is wrong with the others, by path.
    extra : list of str
        Paths of files that the catalogue does not know; hidden files and notes are left out.
    """

    good: int
    missing: list[str]
    wrong: dict[str, str]
    extra: list[str]


def check(data_set: DataSet, folder: Path) -> Checked:
    """Hold every file of a set under `folder` against the catalogue."""
    good, missing, wrong = 0, [], {}
    for file in data_set.files:
        path = folder / file.path
        if not path.is_file():
            missing.append(file.path)
        elif found := problem(file, path):
            wrong[file.path] = found
        else:
            good += 1
    return Checked(good, missing, wrong, _extra(data_set, folder))


def present(data_set: DataSet, folder: Path) -> int:
    """Return how many files of a set are in a folder, whatever they hold."""
    return sum((folder / file.path).is_file() for file in data_set.files)


def problem(file: PublicFile, path: Path) -> str | None:
    """Return what is wrong with a copy of a file, in one line, or None."""
    found = pooch.file_hash(str(path))
    if found == file.sha256:
        return None
    size = path.stat().st_size
    wrong = f"expected SHA-256 {file.sha256} ({file.size:,} bytes), found {found} ({size:,} bytes)"
    if file.packing is None:
        return wrong
    try:
        content = content_sum(path, file.packing)
    except DAMAGED as error:
        why = str(error).partition("\n")[0].rstrip(":")  # tarfile tells of each packing it tried
        return f"{wrong}, and it cannot be unpacked: {why}"
    if content == file.content:
        return None
    return f"{wrong}; of its content, expected {file.content}, found {content}"


def content_sum(path: Path, packing: Packing) -> str:
    """Return the SHA-256 of what a packed file holds.

    Of gzip, that of the unpacked bytes. Of a tar archive, that of what ``sha256sum`` prints for its
    files, sorted by name.
    """
    if packing == "gzip":
        with gzip.open(path) as unpacked:
            return _sum(unpacked)
    with tarfile.open(path) as archive:
        members = ((m.name.removeprefix("./"), archive.extractfile(m)) for m in archive)
        return manifest_sum((name, _sum(member)) for name, member in members if member is not None)


def manifest_sum(sums: Iterable[tuple[str, str]]) -> str:
    """Return the SHA-256 of a list of files (name, SHA-256), whatever their order."""
    lines = (f"{found}  {name}\n" for name, found in sorted(sums))
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def _sum(stream: IO[bytes] | gzip.GzipFile) -> str:
    return hashlib.file_digest(stream, "sha256").hexdigest()  # type: ignore[arg-type]


def _extra(data_set: DataSet, folder: Path) -> list[str]:
    """Return what lies in the folder of a set and is none of its files."""
    known = {file.path for file in data_set.files} | {
        f"{data_set.folder}/{note}" for note in _NOTES
    }
    found = (
        path.relative_to(folder) for path in (folder / data_set.folder).rglob("*") if path.is_file()
    )
    visible = (path for path in found if not any(part.startswith(".") for part in path.parts))
    return sorted({path.as_posix() for path in visible} - known)

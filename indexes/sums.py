"""Sums of files: what was written is what is read, or the work stops.

A stage of a run, a knowledge base, the parts of a dump and a text index each keep, in the JSON file
that makes them whole, the size and the sum of every file, and a sum of that JSON itself. Both are
checked when they are used again: a disk that fails flips bits without changing sizes or times, and
a figure that rests on them looks like any other.

A text index and a knowledge base may be so large that not every command can read them whole.
:func:`check_sums_once` reads all files at the first use and leaves a note beside them, in
:data:`CHECKED`. For a week it is enough that no file has another size, time or inode than then.

The sum is CRC-32, for it is read at the speed of the disk: of a damaged file, one in four thousand
million has the sum of the sound one. It is no seal against somebody who means to deceive.
"""

import json
import os
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import Any

from isal import isal_zlib

from evaluator.errors import InputError
from evaluator.inputs import open_file, read_json
from evaluator.whole_files import replacing

SUM = "sum"
"""The key of a JSON file's own sum."""

CHECKED = ".checked.json"
"""The note that all files of a folder held what was written; a copy of the folder needs its own."""

_BLOCK = 1 << 22  # bytes
_HOLDS = 7 * 86_400  # seconds; what a disk loses is noticed after this time
_SETTLED = 2  # seconds; a file changed again so soon may have the same times, as clocks of disks go


def sums_of(folder: Path, *, but: str = "") -> dict[str, str]:
    """Return ``size-crc32`` of every file below a folder, by its path in it.

    Parameters
    ----------
    folder
        The folder.
    but
        Name of the file, directly in it, that is to hold the sums.
    """
    names = [name for name in _names(folder) if name != but]
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        return dict(zip(names, threads.map(lambda name: sum_of(folder / name), names), strict=True))


def sum_of(file: Path) -> str:
    """Return ``size-crc32`` of a file; raise an InputError where it cannot be read."""
    size = crc = 0
    try:
        with open_file(file) as stream:
            while block := stream.read(_BLOCK):
                size, crc = size + len(block), isal_zlib.crc32(block, crc)
    except OSError as error:
        raise InputError(file, f"cannot be read ({error.strerror or error})") from None
    return f"{size}-{crc:08x}"


def faults(folder: Path, stated: Mapping[str, str], *, but: str = "") -> Iterator[tuple[Path, str]]:
    """Yield each file that is not as :func:`sums_of` found it, and what is wrong with it.

    A file that was not there then is a fault too, since an engine may read a folder's every file;
    hidden ones, which none reads, are not.
    """
    found = sums_of(folder, but=but)
    for name, written in stated.items():
        if name not in found:
            yield folder / name, _absence(folder / name)
        elif found[name] != written:
            sizes = [told.partition("-")[0] for told in (found[name], written)]
            cut = sizes[0] != sizes[1]
            yield (
                folder / name,
                (
                    f"damaged ({int(sizes[0]):,} bytes, of {int(sizes[1]):,} that were written)"
                    if cut
                    else "damaged (its sum is not that of what was written)"
                ),
            )
    for name in found.keys() - stated.keys():
        if not _is_hidden(name):
            yield folder / name, "was not there when the folder was written"


def check_sums(folder: Path, stated: Mapping[str, str], *, remedy: str, but: str = "") -> None:
    """Refuse a folder with a fault.

    Parameters
    ----------
    folder, stated, but
        As for :func:`faults`.
    remedy
        What to do, for the message.

    Raises
    ------
    InputError
        Names the first file that has one.
    """
    for file, problem in faults(folder, stated, but=but):
        raise InputError(file, f"{problem}: {remedy}")


def check_sums_once(folder: Path, stated: Mapping[str, str], *, remedy: str, but: str = "") -> None:
    """Refuse a folder with a fault, as :func:`check_sums`; read it only where no note holds.

    What was changed since, by whatever means, has another time of change. Where the note cannot be
    written, the next check reads everything again.
    """
    begun = time.time()
    stamps = _stamps(folder, stated, but)
    wanted = {"sums": _own_sum(stated), "files": stamps}
    note = _note(folder)
    if note is not None and 0 <= begun - note.pop("time") < _HOLDS and note == wanted:
        return
    check_sums(folder, stated, remedy=remedy, but=but)
    settled = (begun - _SETTLED) * 1e9
    if stamps == _stamps(folder, stated, but) and all(
        max(modified, changed) < settled for _, modified, changed, _ in stamps.values()
    ):
        with suppress(OSError), replacing(folder / CHECKED) as stream:
            json.dump(sealed({**wanted, "time": begun}), stream)


def sealed(told: Mapping[str, Any]) -> dict[str, Any]:
    """Return the content of a JSON file with its own sum."""
    return {**told, SUM: _own_sum(told)}


def unsealed(told: Mapping[str, Any], file: Path, *, remedy: str) -> dict[str, Any]:
    """Return the content of a JSON file without its own sum.

    Raises
    ------
    InputError
        Where it is not what :func:`sealed` returned.
    """
    content = {key: value for key, value in told.items() if key != SUM}
    if told.get(SUM) != _own_sum(content):
        raise InputError(file, f"damaged, or edited by hand: {remedy}")
    return content


def _own_sum(told: Mapping[str, Any]) -> str:
    as_read = json.loads(json.dumps(told))  # keys that are numbers become text, and sort as such
    return blake2b(json.dumps(as_read, sort_keys=True).encode(), digest_size=8).hexdigest()


def _note(folder: Path) -> dict[str, Any] | None:
    """Return the note on a folder; None where there is none, or a damaged one."""
    try:
        note = unsealed(read_json(folder / CHECKED), folder / CHECKED, remedy="")
    except (OSError, ValueError, AttributeError, InputError):
        return None
    return note if isinstance(note.get("time"), float) else None


def _stamps(folder: Path, stated: Mapping[str, str], but: str) -> dict[str, list[int]]:
    """Return of each file that counts what changes with it: size, two times and inode."""
    stamps = {}
    for name in _names(folder):
        if name != but and (name in stated or not _is_hidden(name)):
            told = (folder / name).stat()
            stamps[name] = [told.st_size, told.st_mtime_ns, told.st_ctime_ns, told.st_ino]
    return stamps


def _is_hidden(name: str) -> bool:
    return name.rpartition("/")[2].startswith((".", "_"))


def _names(folder: Path) -> list[str]:
    files = (file for file in folder.rglob("*") if file.is_file())
    return sorted(file.relative_to(folder).as_posix() for file in files)


def _absence(file: Path) -> str:
    """Say why there is no such file: none is there, or something else has its name."""
    if file.is_dir():
        return "a folder, where a file was written"
    if file.exists():
        return "a device or a pipe, where a file was written"
    return "a link that leads to no file" if file.is_symlink() else "missing"

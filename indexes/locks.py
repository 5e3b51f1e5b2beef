"""Building in a folder: one process at a time, and what it left is found again."""

import fcntl
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from evaluator.errors import InputError, SetupError

LOCK = ".lock"


@contextmanager
def folder_lock(folder: Path, message: str) -> Iterator[None]:
    """Keep a folder for this process; the lock goes with the process, however it ends.

    Raises
    ------
    SetupError
        With `message`, where another process has it.
    InputError
        Where the folder cannot be made or written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = (folder / LOCK).open("w")
    except OSError as error:
        raise InputError(folder, f"cannot be written: {error.strerror}") from None
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise SetupError(message) from None
        yield


def put_in_place(made: Path, out: Path, *, old: Path) -> None:
    """Rename the folder `made` to `out`, and what was `out`, if anything, to `old`."""
    if out.exists():
        out.rename(old)
    made.rename(out)


@contextmanager
def work_folder(out: Path) -> Iterator[Path]:
    """Lock and give the folder ``.NAME.building``, in which `out` is built.

    It stays when it is left: what is to survive, and when, is the builder's to say. What `out` was
    is kept in its folder ``old`` by a builder that replaces it, and is put back here if the
    builder was stopped between two steps.

    Raises
    ------
    SetupError
        Where another process builds there.
    InputError
        Where the folder cannot be written, or something of that name is no builder's.
    """
    work = out.with_name(f".{out.name}.building")
    if work.exists() and not (work / LOCK).is_file():
        raise InputError(work, "is in the way and was not made by a build; move it")
    with folder_lock(work, f"{out}: another process is building it; wait for it to finish"):
        old = work / "old"
        if old.exists() and not out.exists():
            old.rename(out)
        shutil.rmtree(old, ignore_errors=True)
        yield work

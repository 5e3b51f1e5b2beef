"""Building in a folder: one process at a time, and what it left is found again."""

import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from evaluator.errors import DistvalError, InputError, SetupError

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
    except FileExistsError:
        raise InputError(folder, "is not a folder; name another") from None
    except IsADirectoryError:
        raise InputError(folder / LOCK, "is in the way, where a file belongs; move it") from None
    except OSError as error:
        raise InputError(folder, f"cannot be written: {error.strerror}") from None
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            # Who had it may have deleted the file since it was opened here.
            is_there = os.path.samestat(os.fstat(lock.fileno()), (folder / LOCK).stat())
        except OSError:
            is_there = False
        if not is_there:
            raise SetupError(message)
        yield


@contextmanager
def no_new_folder_if_refused(folder: Path) -> Iterator[None]:
    """Remove a folder, and those above it, that are new and empty where the work is refused."""
    new = [place for place in (folder, *folder.parents) if not place.exists()]
    try:
        yield
    except DistvalError:
        with suppress(OSError):  # what was finished is kept
            for place in new:
                place.rmdir()
        raise


def remove(path: Path) -> None:
    """Remove a file, a link or a folder of work, if it is there."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def make_folder(folder: Path) -> None:
    """Make a folder of work, and those above it, where they are not there.

    Raises
    ------
    InputError
        Where something else has the name of one of them: it is nobody's work, and not deleted.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError):
        above = (folder, *folder.parents)
        other = next((one for one in above if os.path.lexists(one) and not one.is_dir()), folder)
        raise InputError(other, "is in the way, where a folder of work belongs; move it") from None


def put_in_place(made: Path, out: Path, *, old: Path) -> None:
    """Rename the folder `made` to `out`, and what was `out`, if anything, to `old`.

    Raises
    ------
    InputError
        Where `old` is a file: it is nobody's work, and not replaced.
    """
    if out.exists():
        if os.path.lexists(old) and not old.is_dir():
            raise InputError(old, "is in the way, where a folder of work belongs; move it")
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

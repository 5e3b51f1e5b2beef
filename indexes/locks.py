"""Locks: one process at a time builds in a folder."""

import fcntl
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

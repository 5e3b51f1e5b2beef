"""Files that are written whole or not at all, and never over what is no file."""

import os
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from secrets import token_hex
from typing import IO, Any, BinaryIO, TextIO

from evaluator.errors import InputError

# Half a surrogate pair, which JSON can escape, is no UTF-8: it stays the escape it was.
_TEXT: dict[str, Any] = {"encoding": "utf-8", "errors": "backslashreplace", "newline": ""}


def write_whole(path: Path, text: str) -> None:
    """Write `text` as a file that :func:`whole_file` opens."""
    with whole_file(path) as file:
        file.write(text)


def whole_file(path: Path) -> AbstractContextManager[TextIO]:
    """Open a UTF-8 text file that takes the place of `path` if the block ends well.

    Line ends are written as they are. A symbolic link stays, and what it leads to is written.

    Raises
    ------
    InputError
        If something other than a file is there (a folder, a device, a pipe), or if the file cannot
        be written.
    """
    return _refusing(path, "w")


def whole_binary_file(path: Path) -> AbstractContextManager[BinaryIO]:
    """Open a file of bytes as :func:`whole_file` opens one of text."""
    return _refusing(path, "wb")


@contextmanager
def _refusing(path: Path, mode: str) -> Iterator[Any]:
    file = None
    try:
        # Renaming onto a device would replace it for everybody.
        if path.is_dir():
            raise InputError(path, "cannot be written: a folder; name a file")
        if path.exists() and not path.is_file():
            raise InputError(path, "cannot be written: a device or a pipe; name a file")
        place = Path(os.path.realpath(path))
        if place.is_symlink():
            raise InputError(path, "cannot be written: a symbolic link that leads nowhere")
        with replacing(place, mode) as file:
            yield file
    except OSError as error:
        if file is not None and error.filename not in (None, file.name):
            raise  # it is about another file, used in the block
        raise InputError(path, f"cannot be written ({error.strerror or error})") from None


@contextmanager
def replacing(path: Path, mode: str = "w") -> Iterator[IO[Any]]:
    """Open a new file, which is renamed to `path` if the block ends well and else removed.

    For a file inside a build, whose folder outlives an :class:`OSError` and not an
    :class:`InputError`; where people name the file, :func:`whole_file` tells them what is wrong.

    Raises
    ------
    OSError
        If the file cannot be written.
    """
    # Process numbers would not do: threads share one, and so may machines that share a disk.
    temporary = path.with_name(f".{path.name}.{token_hex(4)}")
    try:
        with temporary.open(mode, **({} if "b" in mode else _TEXT)) as file:
            yield file
            file.flush()
            os.fsync(file.fileno())  # the new name may reach the disk before the content does
        temporary.replace(path)
    finally:
        with suppress(OSError):
            temporary.unlink()

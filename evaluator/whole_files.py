"""Files that are written whole or not at all, and never over what is no file."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TextIO

from evaluator.errors import InputError


@contextmanager
def whole_file(path: Path) -> Iterator[TextIO]:
    """Yield a UTF-8 text file that takes the place of `path` if the block ends well.

    Line ends are written as they are. A symbolic link stays, and what it leads to is written.

    Raises
    ------
    InputError
        If something other than a file is there (a folder, a device, a pipe), or if the file cannot
        be written.
    """
    try:
        # Renaming onto a device would replace it for everybody.
        if path.is_dir():
            raise InputError(path, "cannot be written: a folder; name a file")
        if path.exists() and not path.is_file():
            raise InputError(path, "cannot be written: a device or a pipe; name a file")
        place = Path(os.path.realpath(path))
        if place.is_symlink():
            raise InputError(path, "cannot be written: a symbolic link that leads nowhere")
        temporary = place.with_name(f".{place.name}.{os.getpid()}")
        try:
            # Half a surrogate pair, which JSON can escape, is no UTF-8: it stays the escape it was.
            with temporary.open(
                "w", encoding="utf-8", errors="backslashreplace", newline=""
            ) as file:
                yield file
            temporary.replace(place)
        finally:
            with suppress(OSError):
                temporary.unlink()
    except OSError as error:
        raise InputError(path, f"cannot be written ({error.strerror})") from None

"""Which format a file of system output has, told by its first lines.

Every reader says of some lines whether they are of its format and no other; the format is the one
whose reader does. A file that none or several readers recognise has to be named: a guess would be
evaluated as if it were the system's.
"""

from itertools import islice
from pathlib import Path

from evaluator.errors import InputError
from evaluator.model import Rejects
from evaluator.readers import formats, text_lines

HEAD = 200
"""How many lines are looked at."""

_NAME_IT = "name its format (--from FORMAT, or NAME=FORMAT:PATH)"


def recognised_by(head: list[str]) -> list[str]:
    """Return the names of the formats that recognise the first lines of a file."""
    return [name for name, known in formats().items() if known.recognises(head)]


def detect(path: Path) -> str:
    """Return the name of the format that `path` has.

    Parameters
    ----------
    path
        UTF-8 text, plain or packed with gzip, bzip2 or xz.

    Raises
    ------
    InputError
        If the file cannot be read, or if not exactly one format recognises it.
    """
    head = [line for _, line in islice(text_lines(path, rejects=Rejects()), HEAD)]
    found = recognised_by(head)
    if len(found) == 1:
        return found[0]
    if found:
        raise InputError(path, f"could be {' or '.join(found)}; {_NAME_IT}")
    first = next((line.strip() for line in head if line.strip()), "")
    raise InputError(
        path,
        f"of no format that is recognised by its first lines ({first[:60]!r}); {_NAME_IT}; "
        f"tried {', '.join(formats())}",
    )

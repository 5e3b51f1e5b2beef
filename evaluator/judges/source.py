"""Where a judge's answers are, as a configuration names it."""

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Self

from evaluator.errors import InputError
from evaluator.inputs import expanded
from evaluator.judges.judgements import Judgements, read_judgements

_NAME = re.compile(r"[\w.-]+")


def file_and_name(text: str) -> tuple[str, str | None]:
    """Return the parts of ``FILE`` or ``FILE#NAME``, where the name of a file may hold a "#" too.

    The longest part that is there is the file; where none is, all before the first "#".
    """
    cuts = [len(text), *(place for place, sign in enumerate(text) if sign == "#")]
    cuts.sort(reverse=True)
    end = next((cut for cut in cuts if expanded(text[:cut]).exists()), cuts[-1])
    return text[:end], text[end + 1 :] or None


@dataclass(frozen=True, slots=True)
class JudgeSource:
    """A judge: its name, its file of answers, and which judge of the file it is.

    Written ``NAME=PATH``, or ``NAME=PATH#JUDGE`` where the file has several.
    """

    name: str
    path: Path
    judge: str | None

    @classmethod
    def parse(cls, text: object) -> Self:
        """Return the source that a text describes, with a ValueError where it is none."""
        name, equals, rest = str(text).partition("=")
        path, judge = file_and_name(rest)
        if not (isinstance(text, str) and equals and path.strip() and _NAME.fullmatch(name)):
            raise ValueError(
                f"{text!r}: expected NAME=FILE or NAME=FILE#JUDGE, NAME of letters, digits and _.-"
            )
        return cls(name, Path(path), judge)

    def __str__(self) -> str:
        return f"{self.name}={self.path}" + (f"#{self.judge}" if self.judge else "")

    def read(self) -> Judgements:
        """Return what the judge said; a file that has not changed is read once.

        Raises as :func:`~evaluator.judges.judgements.read_judgements`.
        """
        try:
            found = self.path.stat()
        except OSError as error:
            raise InputError(self.path, f"cannot be read ({error.strerror})") from None
        return _read(self.path, self.judge, (found.st_mtime_ns, found.st_size))


@lru_cache(maxsize=16)
def _read(path: Path, judge: str | None, _state: object) -> Judgements:
    return read_judgements(path, judge=judge)

"""The errors that people see: one base class, one clear line each."""

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any

EXCERPT = 80
"""The most characters that a message shows of a file's text."""


def excerpt(value: object) -> str:
    """Return how a message shows what stands in a file: its beginning, quoted, without controls."""
    shown = repr(value)
    return shown if len(shown) <= EXCERPT else f"{shown[: EXCERPT - 1]}…"


def choices(given: str, known: Iterable[str]) -> str:
    """Return what a message says after an unknown name: the one that is meant, and all of them."""
    names = list(known)
    close = get_close_matches(given, names, n=1, cutoff=0.7)
    return f"{f'did you mean {close[0]}? ' if close else ''}known: {', '.join(names)}"


class DistvalError(Exception):
    """Input or set-up that a person has to mend.

    The message is one line: where (file and line), what was found, what to do. The command line
    prints it and exits with code 2; nothing else in the house prints or exits.
    """

    def __reduce__(self) -> tuple[Any, ...]:
        # Workers send their errors to the driver: what travels is the message, not how it was made.
        return _restored, (type(self), *self.args)


def _restored(kind: type[DistvalError], message: str) -> DistvalError:
    error = kind.__new__(kind)
    error.args = (message,)
    return error


class InputError(DistvalError):
    """A file that cannot be used: missing, empty, of another format, or damaged as a whole."""

    def __init__(self, path: object, problem: str, *, line: int | None = None) -> None:
        where = f"{path}:{line}" if line is not None else str(path)
        super().__init__(f"{where}: {problem}")


class ConfigurationError(DistvalError):
    """A setting that is unknown or out of range."""


class SetupError(DistvalError):
    """Something the machine lacks: a Java runtime, a package, memory."""

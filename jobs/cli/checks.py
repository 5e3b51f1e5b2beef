"""What several commands check of their options."""

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from evaluator.errors import ConfigurationError
from jobs.config import data_folder

_MOST_DRAWS = 1_000_000


def check_resampling(*, level: float, draws: int, seed: int) -> None:
    """Refuse a level, a number of draws or a seed that is out of range.

    Raises
    ------
    ConfigurationError
        Naming the option.
    """
    if not 0 < level < 1:
        raise ConfigurationError(f"--level {level:g}: expected a number between 0 and 1")
    if not 1 <= draws <= _MOST_DRAWS:
        raise ConfigurationError(f"--draws {draws}: expected 1 to {_MOST_DRAWS:,}")
    if seed < 0:
        raise ConfigurationError(f"--seed {seed}: expected 0 or more")


def check_outputs(outputs: Mapping[str, Path | None], *, inputs: Iterable[Path]) -> None:
    """Refuse to write over a file that is read, or twice to one file.

    Parameters
    ----------
    outputs
        By option; those that are None are not written.
    inputs
        Files that the command reads.

    Raises
    ------
    ConfigurationError
        Naming the option and the file.
    """
    taken = {_place(path): "what is read" for path in inputs}
    for option, path in outputs.items():
        if path is None:
            continue
        place = _place(path)
        if place in taken:
            raise ConfigurationError(f"{option} {path}: would be written over {taken[place]}")
        taken[place] = f"the file of {option}"


def _place(path: Path) -> str:
    return os.path.realpath(path.expanduser())  # Path.resolve fails at links that lead in a circle


def source_folder(name: str, *, out: Path) -> Path:
    """Return the folder of a public data set; refuse an output that is one of its files.

    Raises
    ------
    ConfigurationError
        Naming the file.
    """
    folder = data_folder() / name
    check_outputs({"--out": out}, inputs=folder.rglob("*"))
    return folder

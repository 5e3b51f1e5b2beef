"""Files and folders of this machine, as functions find them where they run.

On one machine, and on a cluster whose nodes mount what it has, they are at the same paths
everywhere (:class:`SamePath`). On a cluster that shares storage alone they are fetched from there,
or put there (:mod:`jobs.spark.fetching`).
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol


class FunctionPath(Protocol):
    """A file or a folder that functions read."""

    def __hash__(self) -> int:
        """Return the hash, the same for the same content."""

    def here(self) -> Path:
        """Return where it is for this process; it may be fetched first."""


class FunctionFolder(FunctionPath, Protocol):
    """A folder of this machine to which functions add files."""

    def put(self, file: Path) -> None:
        """Add a file that was written in the folder :meth:`here`, whole or not at all."""


@dataclass(frozen=True)
class SamePath:
    """A file or a folder that every process reaches at one path."""

    path: Path

    def here(self) -> Path:
        """Return the path."""
        return self.path

    def put(self, file: Path) -> None:
        """Do nothing: the file is there."""

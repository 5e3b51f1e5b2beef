"""The catalogue of public data sets: files, sums, licences and addresses, read from data."""

import os
import tomllib
from collections.abc import Iterable
from functools import cache
from importlib import resources
from pathlib import Path, PurePosixPath
from typing import Any, Literal
from urllib.parse import quote

from pydantic import BaseModel, ConfigDict, Field

from evaluator.errors import ConfigurationError, choices

Packing = Literal["gzip", "tar"]

_SUM = Field(pattern="^[0-9a-f]{64}$")


class _Entry(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Source(_Entry):
    """A repository at a commit."""

    repository: str
    commit: str = Field(pattern="^[0-9a-f]{40}$")

    def address(self, path: str) -> str:
        """Return where GitHub serves the bytes of a file."""
        return f"https://raw.githubusercontent.com/{self.repository}/{self.commit}/{quote(path)}"

    def __str__(self) -> str:
        return f"{self.repository}@{self.commit[:7]}"


class PublicFile(_Entry):
    """One file of a set.

    Attributes
    ----------
    path : str
        Where it lies under the data folder.
    size, sha256
        Its bytes, and their sum.
    content : str or None
        Sum of what a packed file holds (`content_sum`): whoever packs the same content has a good
        copy, though other bytes.
    address : str or None
        Where it is published: the same bytes or, of a packed file, its content. None: nowhere.
    members : tuple of str
        Files to pack into a tar archive; each has its place below `address`.
    confirmed : bool
        Whether the file has been seen in an index of its repository. The sum decides anyway.
    """

    path: str
    size: int
    sha256: str = _SUM
    content: str | None = Field(default=None, pattern="^[0-9a-f]{64}$")
    address: str | None = None
    members: tuple[str, ...] = ()
    confirmed: bool = True

    @property
    def packing(self) -> Packing | None:
        """Return how it is packed, where another packing of the same content is as good."""
        if self.content is None:
            return None
        return "tar" if ".tar" in PurePosixPath(self.path).suffixes else "gzip"


class DataSet(_Entry):
    """One public data set: what it holds, what for, under which licence, and its files."""

    name: str
    folder: str
    holds: str
    used_for: str
    licence: str = Field(min_length=1)
    how: str | None = None
    sources: tuple[Source, ...]
    files: tuple[PublicFile, ...]

    @property
    def version(self) -> str:
        """Return the repositories and commits that the files are from."""
        return ", ".join(dict.fromkeys(map(str, self.sources)))

    @property
    def size(self) -> int:
        """Return how many bytes the files have together."""
        return sum(file.size for file in self.files)


def read_catalogue(text: str) -> dict[str, DataSet]:
    """Return the sets of a catalogue by name.

    Parameters
    ----------
    text : str
        TOML: one table a set; its comments say what the keys mean.
    """
    return {name: _data_set(name, table) for name, table in tomllib.loads(text).items()}


def _data_set(name: str, table: dict[str, Any]) -> DataSet:
    """Return a set; paths and addresses are written short and become whole ones."""
    sources = {key: Source(**source) for key, source in table["sources"].items()}
    files = []
    for file in table["files"]:
        entry = dict(file)
        if source := entry.pop("source", None):
            entry["address"] = sources[source].address(entry.pop("at"))
        files.append(PublicFile(**entry | {"path": f"{table['folder']}/{file['path']}"}))
    return DataSet(**table | {"name": name, "sources": tuple(sources.values()), "files": files})


@cache
def catalogue() -> dict[str, DataSet]:
    """Return the sets that the project uses, by name."""
    return read_catalogue((resources.files("jobs.data") / "catalogue.toml").read_text("utf-8"))


def set_of(path: Path, folder: Path) -> DataSet | None:
    """Return the set that a path below the data folder `folder` belongs to, if any does."""
    return next(
        (
            found
            for found in catalogue().values()
            if path.is_relative_to(os.path.realpath(folder / found.folder))
        ),
        None,
    )


def chosen(names: Iterable[str]) -> list[DataSet]:
    """Return the named sets, each once; all of them where none is named.

    Raises
    ------
    ConfigurationError
        If there is no set of a name; the message lists the names.
    """
    known = catalogue()
    wanted = dict.fromkeys(name.replace("-", "_") for name in names)
    if unknown := [name for name in wanted if name not in known]:
        raise ConfigurationError(
            f"no data set {', '.join(unknown)}; {choices(unknown[0], sorted(known))}"
        )
    return [known[name] for name in wanted or known]

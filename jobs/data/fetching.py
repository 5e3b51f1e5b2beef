"""Bring the files of public data sets to a folder: from a mirror, a copy, or where published."""

import gzip
import shutil
import tarfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from urllib.parse import quote

import pooch

from evaluator.errors import ConfigurationError, InputError
from jobs.data.catalogue import PublicFile
from jobs.data.checking import problem
from jobs.data.downloading import ResumingDownloader

WORK = ".fetching"
"""Folder under the target for files that are not whole yet."""


class FetchOutcome(StrEnum):
    """What fetching a file came to."""

    THERE = "there already"
    COPIED = "copied"
    DOWNLOADED = "downloaded"
    UNPUBLISHED = "not published as such"


@dataclass(frozen=True, kw_only=True)
class Fetcher:
    """Bring files to a folder, each whole and with the right sum, or not at all.

    Attributes
    ----------
    target : Path
        Folder to fill; laid out as the catalogue says.
    mirror : str or None
        Folder or address of the same layout: the only place that files are taken from.
    copies : Path or None
        Without a mirror: folder whose files are taken where they are right, else the network.
    on_bytes : callable
        Told, while a file is downloaded, its path and how many bytes are there.
    attempts, pause
        As of `ResumingDownloader`.

    Raises
    ------
    ConfigurationError
        If the mirror is blank, no folder that is there, or an address of another kind than http or
        https.
    """

    target: Path
    mirror: str | None = None
    copies: Path | None = None
    on_bytes: Callable[[str, int], None] = lambda _path, _bytes: None
    attempts: int = 4
    pause: float = 1.0

    def __post_init__(self) -> None:
        scheme, address, _ = (self.mirror or "").partition("://")
        blank = self.mirror is not None and not self.mirror.strip()
        if blank or (address and scheme.lower() not in ("http", "https")):
            raise ConfigurationError(
                f"mirror {self.mirror!r}: expected a folder, or an address with http:// or https://"
            )
        if self.mirror and not address and not Path(self.mirror).is_dir():
            raise ConfigurationError(f"mirror {self.mirror}: no such folder")

    def fetch(self, file: PublicFile) -> FetchOutcome:
        """Bring one file; what is there and right is left alone.

        Raises
        ------
        InputError
            If the file is not to be had, has another sum, or the target cannot be written; what
            was at its place stays.
        SetupError
            If the server cannot be reached.
        """
        place = self.target / file.path
        if place.is_file() and problem(file, place) is None:
            return FetchOutcome.THERE
        _check_free(place)
        if self.mirror is not None and "://" not in self.mirror:
            return self._copy(file, Path(self.mirror) / file.path)
        if self.mirror is not None:
            self._download_packed(file, f"{self.mirror.rstrip('/')}/{quote(file.path)}")
            return FetchOutcome.DOWNLOADED
        copy = self.copies / file.path if self.copies else place
        if copy != place and copy.is_file() and problem(file, copy) is None:
            return self._copy(file, copy)
        if file.address is None:
            return FetchOutcome.UNPUBLISHED
        self._download_published(file, file.address)
        return FetchOutcome.DOWNLOADED

    def _copy(self, file: PublicFile, source: Path) -> FetchOutcome:
        if not source.is_file():
            raise InputError(source, "not in the mirror")
        with self._working(file) as work:
            made = _made(work)
            shutil.copyfile(source, made)
            self._put(file, made, source=str(source))
        return FetchOutcome.COPIED

    def _download_packed(self, file: PublicFile, url: str) -> None:
        """Download the file itself, however it was packed."""
        with self._working(file) as work:
            # Of a packed file only the content has one sum: _put knows.
            self._download(url, work, known=None if file.packing else file.sha256)
            self._put(file, work, source=url)

    def _download_published(self, file: PublicFile, url: str) -> None:
        """Download the file, or the content of a packed one, which is packed here."""
        if file.packing is None:
            self._download_packed(file, url)
            return
        with self._working(file) as work:
            unpacked, made = work.with_name(work.name + ".unpacked"), _made(work)
            if file.packing == "gzip":
                self._download(url, unpacked, known=file.content)
                _gzip(unpacked, made)
                unpacked.unlink()
            else:
                for member in file.members:
                    (unpacked / member).parent.mkdir(parents=True, exist_ok=True)
                    self._download(f"{url}/{quote(member)}", unpacked / member, known=None)
                _tar(unpacked, file.members, made)
                shutil.rmtree(unpacked)
            self._put(file, made, source=url)

    def _download(self, url: str, path: Path, *, known: str | None) -> None:
        """Download `url` to `path`, unless it is there from an earlier run, with pooch."""
        pooch.get_logger().setLevel("WARNING")
        downloader = ResumingDownloader(
            part=path.with_name(path.name + ".part"),
            attempts=self.attempts,
            pause=self.pause,
            on_bytes=lambda done: self.on_bytes(path.name, done),
        )

        def retrieve() -> None:
            pooch.retrieve(
                url,
                known_hash=known and f"sha256:{known}",
                fname=path.name,
                path=path.parent,
                downloader=downloader,
            )

        try:
            try:
                retrieve()
            except ValueError:
                if not downloader.resumed:
                    raise
                # The bytes of two versions may have met: once more, from the start.
                retrieve()
        except ValueError as error:
            raise InputError(url, str(error).partition(". ")[0]) from None

    @contextmanager
    def _working(self, file: PublicFile) -> Iterator[Path]:
        """Yield the place where a file is made ready; tell in one line if it cannot be written."""
        work = self.target / WORK / file.path
        there = next(folder for folder in (self.target, *self.target.parents) if folder.exists())
        try:
            work.parent.mkdir(parents=True, exist_ok=True)
            yield work
        except OSError as error:
            path, why = Path(error.filename or self.target), error.strerror or str(error)
            if not path.is_relative_to(self.target):
                raise InputError(path, why) from None
            raise InputError(
                self.target, f"cannot be written ({why}); name another folder with --to"
            ) from None
        finally:
            _remove_empty(work.parent, upto=there)

    def _put(self, file: PublicFile, work: Path, *, source: str) -> None:
        """Move a finished file to its place if it is the right one; else throw it away."""
        if found := problem(file, work):
            work.unlink()
            raise InputError(source, found)
        place = self.target / file.path
        place.parent.mkdir(parents=True, exist_ok=True)
        work.replace(place)


def _check_free(place: Path) -> None:
    """Refuse a place at which there is a folder, or a file where a folder is needed."""
    if place.is_dir():
        raise InputError(place, "a folder is where the file has to be; move it away")
    for folder in place.parents:
        if folder.exists():
            if not folder.is_dir():
                raise InputError(folder, "a file is where a folder has to be; move it away")
            return


def _made(work: Path) -> Path:
    """Return a name for what is written here: what is downloaded has another, and is trusted."""
    return work.with_name(work.name + ".made")


def _gzip(source: Path, path: Path) -> None:
    with (
        source.open("rb") as content,
        path.open("wb") as out,
        gzip.GzipFile(filename="", mode="wb", fileobj=out, mtime=0) as packed,
    ):
        shutil.copyfileobj(content, packed)


def _tar(folder: Path, members: tuple[str, ...], path: Path) -> None:
    # The lightest setting: the best takes minutes for a tenth less.
    mode, options = ("w:xz", {"preset": 1}) if path.suffix == ".xz" else ("w:gz", {})
    with tarfile.open(path, mode, **options) as archive:  # type: ignore[call-overload]
        for member in members:
            entry = tarfile.TarInfo(member)
            entry.size = (folder / member).stat().st_size
            with (folder / member).open("rb") as content:
                archive.addfile(entry, content)


def _remove_empty(folder: Path, *, upto: Path) -> None:
    """Remove a folder and those above it as far as they are empty."""
    with suppress(OSError):
        while folder != upto:
            folder.rmdir()
            folder = folder.parent

"""Where the workers of a cluster find what a run has, and put what they make.

A run's folder, its knowledge base and its text index are on the machine that submits it. Workers
either reach them at the same paths (:class:`Mounted`), or share with that machine a folder of any
file system of Hadoop and nothing else (:class:`Storage`)::

    STORAGE/evidence/NAME-DIGEST/   what runs judge by: stays, and later runs find it
    STORAGE/runs/NAME-TOKEN/        tables and finished parts of one run: goes with it

What is in ``evidence`` has a name that covers its content, and is taken if it has all files in
their sizes; so it does not matter that some file systems cannot rename a folder at once.
"""

import hashlib
import io
import json
import re
import shutil
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import cached_property, partial
from pathlib import Path
from secrets import token_hex
from typing import Any, Protocol

from pyspark.cloudpickle import CloudPickler
from pyspark.sql import SparkSession

from evaluator.errors import InputError, SetupError
from evaluator.inputs import read_json
from evaluator.whole_files import write_whole
from indexes.engine import BatchFunction
from indexes.function_paths import FunctionFolder, FunctionPath, SamePath
from indexes.sums import sum_of, sums_of
from jobs.spark.fetching import HadoopSettings, Probe, Shipped, StoredFolder, StoredPath, fetched
from jobs.spark.hadoop import HadoopFiles

NOTE = ".storage"
"""The file in the run directory that names the run's folder in the storage, while it is there."""

_AT_ONCE = 8  # files that are copied at the same time
_STEP = 2.0  # seconds between two looks for finished parts
_MANIFEST = "manifest.json"


class WorkerPaths(Protocol):
    """What an engine asks for."""

    def scratch(self) -> str:
        """Return the URL for another table that Spark keeps meanwhile."""

    def written(self, folder: Path) -> AbstractContextManager[str]:
        """Give out the URL to write the table `folder` to; it is there when the block ends."""

    def local(self, url: str) -> AbstractContextManager[Path]:
        """Give out a table of :meth:`scratch` as a folder of this machine."""

    def urls(self, parts: Sequence[Path], base: Path | None) -> tuple[list[str], str | None]:
        """Return the URLs from which Spark reads files or folders, and that of `base`."""

    def function(self, function: BatchFunction) -> BatchFunction:
        """Return a function whose paths lead to what they name where it runs."""

    def place(self, path: Path) -> FunctionPath:
        """Return a file or a folder as functions find it."""

    def receiving(self, folder: Path) -> AbstractContextManager[FunctionFolder]:
        """Give out a folder to which functions add files; all are there when the block ends."""


class Mounted:
    """All workers reach the folders of this machine.

    Parameters
    ----------
    scratch
        Folder for tables that Spark keeps meanwhile.
    """

    def __init__(self, scratch: Path) -> None:
        self._scratch = scratch
        self._written = 0

    def scratch(self) -> str:
        """Return the URL for another table that Spark keeps meanwhile."""
        self._written += 1
        return local_url(self._scratch / f"{self._written:04d}")

    @contextmanager
    def written(self, folder: Path) -> Iterator[str]:
        """Give out the URL of `folder`."""
        yield local_url(folder)

    @contextmanager
    def local(self, url: str) -> Iterator[Path]:
        """Give out a table of :meth:`scratch`."""
        yield Path(url.removeprefix("file://"))

    def urls(self, parts: Sequence[Path], base: Path | None) -> tuple[list[str], str | None]:
        """Return the URLs of files or folders, and that of `base`."""
        return [*map(local_url, parts)], None if base is None else local_url(base)

    def function(self, function: BatchFunction) -> BatchFunction:
        """Return the function."""
        return function

    def place(self, path: Path) -> FunctionPath:
        """Return a file or a folder as functions find it."""
        return SamePath(path)

    @contextmanager
    def receiving(self, folder: Path) -> Iterator[FunctionFolder]:
        """Give out the folder itself."""
        yield SamePath(folder)


class Storage:
    """Workers reach a folder of a file system of Hadoop.

    Parameters
    ----------
    spark
        The session.
    url
        The folder of this run there.
    evidence
        The folder there for what other runs find, too.
    run
        The run directory: what is in it is of this run alone.
    scratch
        A folder of this machine, which the caller removes.
    tell
        Told, in a sentence, what is copied to stay.
    """

    def __init__(
        self,
        spark: SparkSession,
        url: str,
        evidence: str,
        *,
        run: Path,
        scratch: Path,
        tell: Callable[[str], None] = lambda _what: None,
    ) -> None:
        self._spark, self._files = spark, HadoopFiles.of_driver(spark)
        self._url, self._evidence, self._run, self._scratch = url, evidence, run.absolute(), scratch
        self._tell = tell
        self._numbers = iter(range(1, 1 << 31))
        self._known: dict[str, str] = {}  # where in the storage content of the run is, by digest

    def scratch(self) -> str:
        """Return the URL for another table that Spark keeps meanwhile."""
        return f"{self._url}/{next(self._numbers):04d}"

    @contextmanager
    def written(self, folder: Path) -> Iterator[str]:
        """Give out a URL to write to; what is there when the block ends comes to `folder`."""
        url = self.scratch()
        yield url
        self._bring(url, folder)
        self._known[_digest(_sums(folder))] = url

    @contextmanager
    def local(self, url: str) -> Iterator[Path]:
        """Bring a table to this machine for the block."""
        folder = self._scratch / f"brought-{token_hex(4)}"
        try:
            yield self._bring(url, folder)
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def urls(self, parts: Sequence[Path], base: Path | None) -> tuple[list[str], str | None]:
        """Return the URLs from which Spark reads files or folders, and that of `base`."""
        if base is not None:
            root = self.place(base).url
            return [f"{root}/{part.relative_to(base).as_posix()}" for part in parts], root
        with ThreadPoolExecutor(_AT_ONCE) as threads:
            return [place.url for place in threads.map(self.place, parts)], None

    def function(self, function: BatchFunction) -> BatchFunction:
        """Return a function whose every path is fetched from the storage where it runs."""
        out = io.BytesIO()
        _Pickler(out, self.place).dump(function)  # type: ignore[no-untyped-call]
        return Shipped(out.getvalue())

    def place(self, path: Path) -> StoredPath:
        """Return a file or a folder as functions find it: in the storage, put there if need be."""
        sums = _sums(path)
        digest = _digest(sums)
        if digest not in self._known:
            self._known[digest] = self._put(path, sums, digest)
        return StoredPath(
            self._known[digest], path.name, digest, tuple(sorted(sums.items())), self._settings
        )

    @contextmanager
    def receiving(self, folder: Path) -> Iterator[FunctionFolder]:
        """Give out a folder of the storage; what functions add comes to `folder` meanwhile.

        So what was finished is kept here, where a run that goes on looks for it.
        """
        url = self.scratch()
        self._files.make_folder(url)
        seen: set[str] = set()

        def bring() -> None:
            for name, size in self._files.sizes(url).items():
                if name not in seen and not _is_hidden(name):
                    self._bring_file(f"{url}/{name}", folder / name, size)
                    self._known[_digest(_sums(folder / name))] = f"{url}/{name}"
                    seen.add(name)

        ended = threading.Event()

        def watch() -> None:
            with suppress(Exception):  # it is met again when the block ends
                while not ended.wait(_STEP):
                    bring()

        thread = threading.Thread(target=watch, name="received", daemon=True)
        thread.start()
        try:
            yield StoredFolder(url, folder.parts[-2:], self._settings)
        except BaseException:
            ended.set()
            thread.join()
            with suppress(Exception):  # Spark may have gone
                bring()
            raise
        ended.set()
        thread.join()
        bring()

    def probe(self) -> Probe:
        """Return what tasks try the storage with."""
        file = self._scratch / "probe"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("distval\n", encoding="utf-8")
        url = self.scratch()
        self._files.make_folder(url)
        return Probe(self.place(file), StoredFolder(url, ("probe",), self._settings))

    def check(self) -> None:
        """Refuse a storage that a worker does not reach as this machine does.

        Spark would take the lack of what it wrote for empty tables, or tell of files that are gone.
        """
        probe = self.probe()
        told = self._spark.sparkContext.parallelize([probe], 1).flatMap(Probe.problems).collect()
        if told:
            raise SetupError(f"a worker cannot use the {told[0]}")
        if not self._files.sizes(probe.folder.url):
            raise SetupError(
                f"storage {self._url}: what a worker puts there is not there for others"
            )

    @cached_property
    def _settings(self) -> HadoopSettings:
        return tuple(sorted(self._files.settings().items()))

    def _put(self, path: Path, sums: Mapping[str, str], digest: str) -> str:
        """Put a file or a folder into the storage, unless it is there, and return its URL."""
        is_of_run = path.absolute().is_relative_to(self._run)
        folder = self._url if is_of_run else self._evidence
        url = f"{folder}/{plain_name(path.name)}-{digest}"
        wanted = {name: int(told.partition("-")[0]) for name, told in sums.items()}

        def is_there() -> bool:
            return wanted.items() <= self._files.sizes(url).items()

        if is_there():
            return url
        if not is_of_run:
            size = f"{sum(wanted.values()) / 1e6:,.1f} MB"
            self._tell(f"spark: copies {path.name} ({size}) to {folder}")
        aside = f"{folder}/_{token_hex(8)}"
        try:
            self._copy(
                partial(self._put_file, path / name, f"{aside}/{name}".removesuffix("/"), told)
                for name, told in sums.items()
            )
            if not is_there():  # else another run was sooner
                self._files.delete(url)  # what is there is cut
                self._files.rename(aside, url)
        finally:
            self._files.delete(aside)
        if not is_there():
            raise SetupError(f"{url}: cannot be put there")
        return url

    def _put_file(self, file: Path, url: str, told: str) -> None:
        """Copy a file to the storage, unless it has changed since its sum was told."""
        if sum_of(file) != told:  # what Spark reads there, nobody else looks at
            raise InputError(file, "has changed since it was written: build its folder anew")
        self._files.put(file, url)

    def _bring(self, url: str, folder: Path) -> Path:
        """Bring a table to this machine, whole or not at all, without what engines do not read."""
        aside = folder.with_name(f".{folder.name}-{token_hex(4)}")
        aside.mkdir(parents=True)
        try:
            self._copy(
                partial(self._bring_file, f"{url}/{name}", aside / name, size)
                for name, size in self._files.sizes(url).items()
                if not _is_hidden(name)
            )
            return aside.rename(folder)
        finally:
            shutil.rmtree(aside, ignore_errors=True)

    def _bring_file(self, url: str, file: Path, size: int) -> None:
        """Bring a file to this machine, whole or not at all."""
        file.parent.mkdir(parents=True, exist_ok=True)
        aside = file.with_name(f".{file.name}-{token_hex(4)}")
        try:
            self._files.get(url, aside)
            if aside.stat().st_size != size:
                raise SetupError(f"{url}: was cut while it was copied")
            aside.rename(file)
        finally:
            aside.unlink(missing_ok=True)

    def _copy(self, copies: Iterable[Callable[[], None]]) -> None:
        with ThreadPoolExecutor(_AT_ONCE) as threads:
            for copy in [threads.submit(one) for one in copies]:
                copy.result()


class _Pickler(CloudPickler):
    """Makes of every path that a function holds a reference to a place."""

    def __init__(self, file: io.BytesIO, place: Callable[[Path], StoredPath]) -> None:
        super().__init__(file)  # type: ignore[no-untyped-call]
        self._place = place

    def reducer_override(self, obj: Any) -> Any:
        """Return how something is made again where it is unpickled."""
        if isinstance(obj, Path) and obj.exists():
            return fetched, (self._place(obj),)
        return super().reducer_override(obj)  # type: ignore[no-untyped-call]


@contextmanager
def open_storage(
    spark: SparkSession,
    storage: str,
    *,
    run: Path,
    scratch: Path,
    tell: Callable[[str], None] = lambda _what: None,
) -> Iterator[Storage]:
    """Give out the storage of a run; what is of this run alone goes with the block.

    Parameters
    ----------
    spark, run, scratch, tell
        As for :class:`Storage`. The run directory is locked.
    storage
        The folder that all workers reach (:func:`jobs.spark.settings.storage_url`).

    Raises
    ------
    SetupError
        Where it cannot be written.
    """
    files = HadoopFiles.of_driver(spark)
    url = f"{storage}/runs/{plain_name(run.name)}-{token_hex(8)}"
    note = run / NOTE
    _remove_left(files, note)
    files.make_folder(url, impatient=True)
    write_whole(note, url)
    try:
        yield Storage(spark, url, f"{storage}/evidence", run=run, scratch=scratch, tell=tell)
    except BaseException:
        with suppress(Exception):  # its Java may have gone
            spark.sparkContext.cancelAllJobs()
            files.delete(url)
        raise  # the note stays: a task may add to the folder before it learns that it is to end
    _remove_left(files, note)


def _remove_left(files: HadoopFiles, note: Path) -> None:
    """Remove the folder of the storage that a note names, and the note."""
    with suppress(Exception):  # its Java, or that storage, may have gone
        url = note.read_text(encoding="utf-8")
        if url.rpartition("/")[0].endswith("/runs"):
            files.delete(url)
        note.unlink()


def local_url(path: Path) -> str:
    """Return a path as Spark takes it for one of this file system, whatever its default is."""
    return f"file://{path.absolute()}"


def plain_name(name: str) -> str:
    """Return a name as every file system takes it; names of a dot or a bar are hidden to Spark."""
    return re.sub(r"[^A-Za-z0-9_.-]", "_", name).lstrip("._") or "unnamed"


def _sums(path: Path) -> dict[str, str]:
    """Return the sums of a file, under an empty path, or of the files below a folder.

    Evidence tells them in its manifest, and they were checked when it was opened.
    """
    if path.is_file():
        return {"": sum_of(path)}
    with suppress(OSError, ValueError, TypeError, KeyError):
        told = read_json(path.parent / _MANIFEST)["sums"]
        begin = f"{path.name}/"
        stated = {n.removeprefix(begin): s for n, s in told.items() if n.startswith(begin)}
        if stated and all(
            (path / name).stat().st_size == int(one.partition("-")[0])
            for name, one in stated.items()
        ):
            return stated
    return {name: one for name, one in sums_of(path).items() if Path(name).name[0] != "."}


def _digest(sums: Mapping[str, str]) -> str:
    told = json.dumps(sorted(sums.items())).encode()
    return hashlib.blake2b(told, digest_size=12).hexdigest()


def _is_hidden(name: str) -> bool:
    return any(part.startswith((".", "_")) for part in name.split("/"))

"""What a task finds of the storage: files and folders fetched once for each node, files put there.

Fetched is what a task opens, when it opens it: of a text index the shard that it counts in. It goes
with the run, in a folder that Spark gives it on the node (``spark.local.dir``).
"""

import fcntl
import os
import pickle
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from secrets import token_hex

from evaluator.errors import DistvalError, InputError, SetupError
from indexes.engine import Batches
from indexes.locks import remove
from indexes.sums import sum_of
from jobs.spark.hadoop import files_here

type HadoopSettings = tuple[tuple[str, str], ...]
"""What is set of Hadoop."""


@dataclass(frozen=True)
class StoredPath:
    """A file or a folder in the storage (:class:`indexes.function_paths.FunctionPath`).

    Attributes
    ----------
    url
        Where it is there.
    name
        What it is called here.
    digest
        Of its content.
    sums
        Of its files (:mod:`indexes.sums`), by their path in it; of a file, under an empty path.
    settings
        Of Hadoop.
    """

    url: str
    name: str
    digest: str
    sums: tuple[tuple[str, str], ...]
    settings: HadoopSettings

    def here(self) -> Path:
        """Return where it is on this node; the first who asks fetches it.

        Raises
        ------
        SetupError
            Where it cannot be fetched, or is not what was put there.
        """
        folder = node_folder() / self.digest
        place = folder / self.name  # of the same content under another name there is another
        with _alone(folder.with_suffix(".lock")):
            if not self._is_whole(place):
                aside = folder.with_suffix(".coming")
                for left in (place, aside):  # one that was cut, and one by who was killed
                    remove(left)
                self._fetch(aside)
                folder.mkdir(exist_ok=True)
                aside.rename(place)
        return place

    def _is_whole(self, place: Path) -> bool:
        """Tell whether all files are there in their sizes; who fetched them read their sums."""
        files = ((place / path, told) for path, told in self.sums)
        return all(
            file.is_file() and file.stat().st_size == int(told.partition("-")[0])
            for file, told in files
        )

    def _fetch(self, place: Path) -> None:
        files = files_here(self.settings)
        for path, told in self.sums:
            file, url = place / path, f"{self.url}/{path}".removesuffix("/")
            file.parent.mkdir(parents=True, exist_ok=True)
            files.get(url, file)
            if sum_of(file) != told:
                raise SetupError(
                    f"{url}: is not what was put there; delete {self.url}, and the next run puts "
                    "it there again"
                )


@dataclass(frozen=True)
class StoredFolder:
    """A folder in the storage to which tasks add files.

    It is an :class:`indexes.function_paths.FunctionFolder`.

    Attributes
    ----------
    url
        The folder.
    whose
        The last parts of its path at the driver, which are those of the folder here.
    settings
        Of Hadoop.
    """

    url: str
    whose: tuple[str, ...]
    settings: HadoopSettings

    def here(self) -> Path:
        """Return a folder of this node to write files in."""
        folder = node_folder().joinpath("added", *self.whose)
        folder.mkdir(parents=True, exist_ok=True)
        return folder

    def put(self, file: Path) -> None:
        """Move a file of this node to the storage."""
        files = files_here(self.settings)
        target = f"{self.url}/{file.name}"
        aside = f"{self.url}/.{file.name}-{token_hex(4)}"
        files.put(file, aside)
        if not files.rename(aside, target):
            files.delete(aside)  # another task was sooner with the same
            if not files.sizes(target):
                raise SetupError(f"{target}: the file cannot be put there")
        file.unlink(missing_ok=True)


@dataclass(frozen=True)
class Probe:
    """A file of the storage that a task fetches, and a folder there to which it adds one."""

    file: StoredPath
    folder: StoredFolder

    def problems(self) -> list[str]:
        """Return what of it cannot be done here."""
        try:
            copy = self.folder.here() / f"{self.file.name}-{token_hex(8)}"
            copy.write_bytes(self.file.here().read_bytes())
            self.folder.put(copy)
        except (DistvalError, OSError) as error:
            return [f"storage {' '.join(str(error).split())}"]
        return []


@dataclass(frozen=True)
class Shipped:
    """A function in whose pickle the places of the driver are references to the storage."""

    pickled: bytes

    def __call__(self, batches: Batches) -> Batches:
        """Yield what the function does."""
        yield from pickle.loads(self.pickled)(batches)


def fetched(place: StoredPath) -> Path:
    """Return where a place is here: what a path becomes when it is unpickled."""
    return place.here()


def node_folder() -> Path:
    """Return the folder of this run on this node, which Spark removes with the run.

    Standalone clusters and YARN have one for all executors of a run on a node; elsewhere it is one
    executor's.
    """
    of_executor = Path(os.environ["SPARK_LOCAL_DIRS"].partition(",")[0])
    of_run = of_executor.parent
    is_shared = of_run.name.startswith(("executor-", "application_"))
    folder = (of_run if is_shared else of_executor) / "distval"
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise InputError(folder, f"cannot be written ({error.strerror})") from None
    return folder


@contextmanager
def _alone(lock: Path) -> Iterator[None]:
    """Hold a lock of this node; who else wants it waits."""
    with lock.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield

"""The run directory: one folder a stage, whole or absent, kept while nothing it depends on changes.

A stage is named by a *fingerprint* over everything that its content depends on: the fingerprint of
the stages before it, the settings it reads, and the content of its input files. A folder whose
fingerprint is the wanted one is taken as it is; any other is computed anew beside it and put in its
place by renaming, so that an interruption leaves the old stage or none, never half of one.

A long stage keeps its finished parts (:mod:`indexes.finished_parts`) in ``.NAME.parts``, in a
folder named by the fingerprint, until the stage is whole: who goes on with it makes only the rest.

A stage that is kept must hold what was written (:mod:`indexes.sums`). One that does not is refused
and not made again in silence: a disk that loses data is something a person has to know.
"""

import hashlib
import json
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache, cached_property, partial
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evaluator.errors import DistvalError, InputError
from evaluator.inputs import open_file, read_json
from evaluator.results.result import Result
from indexes.locks import LOCK, folder_lock, make_folder, no_new_folder_if_refused, put_in_place
from indexes.sums import SUM, check_sums, sealed, sum_of, sums_of, unsealed
from jobs.stage_account import StageAccount, StageAccounts

if TYPE_CHECKING:  # it takes long to load, and configurations need this module too
    from indexes.finished_parts import FinishedParts, PartsProgress

STAMP = "_stage.json"
"""The file that makes a folder a stage; it is written last."""


def fingerprint(**parts: object) -> str:
    """Return a fingerprint of named parts (JSON-like values)."""
    encoded = json.dumps(parts, sort_keys=True, ensure_ascii=True, default=str)
    return hashlib.blake2b(encoded.encode(), digest_size=16).hexdigest()


def content_digest(path: Path) -> str:
    """Return a digest of the content of a file, or of all files below a folder with their names."""
    digest = hashlib.blake2b(digest_size=16)
    files = [path] if path.is_file() else sorted(p for p in path.rglob("*") if p.is_file())
    for file in files:
        if file != path:
            digest.update(file.relative_to(path).as_posix().encode() + b"\0")
        with open_file(file) as stream:
            while block := stream.read(1 << 20):
                digest.update(block)
    return digest.hexdigest()


@cache
def code_digest() -> str:
    """Return a digest of our own code and data: another method must not keep old stages."""
    digest = hashlib.blake2b(digest_size=16)

    def add(entry: Traversable) -> None:
        if entry.is_dir():
            for part in sorted(entry.iterdir(), key=lambda part: part.name):
                if part.name != "__pycache__":
                    add(part)
        else:
            digest.update(entry.name.encode() + b"\0" + entry.read_bytes())

    for package in ("evaluator", "indexes", "jobs"):
        add(resources.files(package))
    return digest.hexdigest()


@dataclass
class RunDirectory:
    """The folder of one run.

    Attributes
    ----------
    path
        The folder; made at first use.
    on_stage
        Told, before each stage, its name and whether its result is taken from an earlier run.
    on_account
        Told, after each stage, what it took.
    on_progress
        Told, during a stage that is made in parts, its name and how far it is.
    """

    path: Path
    on_stage: Callable[[str, bool], None] = field(default=lambda _name, _kept: None)
    on_account: Callable[[StageAccount], None] = field(default=lambda _account: None)
    on_progress: "Callable[[str, PartsProgress], None]" = field(
        default=lambda _name, _progress: None
    )
    _building: dict[str, str] = field(default_factory=dict, init=False)

    @cached_property
    def accounts(self) -> StageAccounts:
        """What the stages of this run took so far."""
        return StageAccounts(self.path, self.on_account)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keep the folder for this process; the lock goes with the process, however it ends.

        What is refused before it has a stage leaves nothing behind.

        Raises
        ------
        SetupError
            Where another run is at work in the folder.
        InputError
            Where the folder cannot be made or written.
        """
        busy = f"{self.path}: another run is at work here; wait for it, or set another run"
        lock = self.path / LOCK
        is_new = not lock.exists()
        with no_new_folder_if_refused(self.path), folder_lock(self.path, busy):
            try:
                yield
            except DistvalError:
                if is_new:
                    lock.unlink(missing_ok=True)
                raise

    def stage(
        self,
        name: str,
        *,
        depends_on: Mapping[str, object],
        build: Callable[[Path], Mapping[str, object] | None],
    ) -> "Stage":
        """Return the stage `name`, built unless it stands with the same dependencies.

        Parameters
        ----------
        name
            Name of the stage and of its folder.
        depends_on
            Everything that its content depends on, JSON-like.
        build
            Writes the stage's content into the (existing, empty) folder it is given and returns
            notes to keep with it: counts of rejects and the like.

        Raises
        ------
        InputError
            Where the stage is damaged, or something of its name is no stage.
        """
        wanted = fingerprint(stage=name, code=code_digest(), **depends_on)
        folder = self.path / name
        kept = _stamp(folder)
        if kept is None and folder.exists():
            raise InputError(folder, "is no stage of a run; move it, or set another run directory")
        if kept is not None and kept["fingerprint"] == wanted:
            stage = _checked(folder, kept)
            shutil.rmtree(self._parts(name), ignore_errors=True)
            self.on_stage(name, True)
            self.accounts.kept(name, folder, stage.notes)
            return stage
        self.on_stage(name, False)
        self._building[name] = wanted
        with self.accounts.timed(name, folder) as told:
            told["notes"] = notes = self._built(name, folder, wanted, build)
        return Stage(folder, wanted, json.loads(json.dumps(notes)))

    def parts(self, name: str, *, rows: int) -> "FinishedParts":
        """Return where a stage that is being built keeps its finished parts, of so many rows.

        Those of the same name that depended on something else go.
        """
        from indexes.finished_parts import FinishedParts

        folder = self._parts(name) / self._building[name]
        for other in self._parts(name).glob("*"):
            if other != folder:
                shutil.rmtree(other, ignore_errors=True)
        return FinishedParts(folder, rows, partial(self.on_progress, name))

    def _parts(self, name: str) -> Path:
        return self.path / f".{name}.parts"

    def _built(
        self,
        name: str,
        folder: Path,
        wanted: str,
        build: Callable[[Path], Mapping[str, object] | None],
    ) -> dict[str, object]:
        """Build a stage beside its place, put it there whole, and return its notes."""
        aside = self.path / f".{name}.partial"
        shutil.rmtree(aside, ignore_errors=True)
        make_folder(aside)
        notes = dict(build(aside) or {})
        files = sums_of(aside)
        stamp = sealed({"stage": name, "fingerprint": wanted, "notes": notes, "files": files})
        (aside / STAMP).write_text(json.dumps(stamp, indent=1, sort_keys=True) + "\n")
        # Renamed before it is deleted: a stage that loses files must not keep its stamp.
        old = self.path / f".{name}.old"
        shutil.rmtree(old, ignore_errors=True)
        put_in_place(aside, folder, old=old)
        shutil.rmtree(old, ignore_errors=True)
        shutil.rmtree(self._parts(name), ignore_errors=True)
        return notes


@dataclass(frozen=True)
class Stage:
    """A finished stage: its folder, its fingerprint, and the notes it left."""

    path: Path
    fingerprint: str
    notes: Mapping[str, Any]


def finished_stage(folder: Path) -> Stage:
    """Return the stage in a folder, for those who only read it.

    Raises
    ------
    InputError
        Where there is none, or it is damaged.
    """
    stamp = _stamp(folder)
    if stamp is None:
        raise InputError(folder, "is no finished stage of a run; run distval run again")
    return _checked(folder, stamp)


def finished_result(run: Path) -> Result:
    """Return the result that a run has published.

    Raises
    ------
    InputError
        Where there is none, or it is not the one that its stage made.
    """
    file = run / "result.json"
    result = Result.read(file)
    stamp = _stamp(run / "estimate") or {}
    made = stamp.get("files", {}).get(file.name)
    if made is not None and made != sum_of(file):
        raise InputError(file, "is not what the run wrote there: run distval run again")
    return result


@contextmanager
def files_of_table(folder: Path) -> Iterator[list[str]]:
    """Yield the Parquet files of a finished run's table, to be read by DuckDB.

    Raises
    ------
    DistvalError
        Where the table cannot be read, with what to do.
    """
    import duckdb  # long to load, and configurations need this module too

    from indexes.engine import parquet_files

    remedy = "run distval run again"
    try:
        files = [str(file) for file in parquet_files(folder)]
    except InputError as error:
        raise DistvalError(f"{error}; {remedy}") from None
    try:
        yield files
    except duckdb.Error as error:
        problem = str(error).partition("\n")[0]
        raise InputError(folder, f"cannot be read ({problem}); {remedy}") from None


def _stamp(folder: Path) -> dict[str, Any] | None:
    """Return the stamp of a stage; None where there is no folder with one."""
    file = folder / STAMP
    try:
        stamp = read_json(file)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise InputError(file, f"cannot be read ({error.strerror}): {_remedy(folder)}") from None
    except ValueError:
        stamp = None
    if not isinstance(stamp, dict) or "fingerprint" not in stamp:
        raise InputError(file, f"damaged, or edited by hand: {_remedy(folder)}")
    if SUM in stamp:  # else an older version wrote it: another fingerprint, and made anew
        unsealed(stamp, file, remedy=_remedy(folder))
    return stamp


def _checked(folder: Path, stamp: Mapping[str, Any]) -> Stage:
    """Return a stage that holds what was written; refuse any other."""
    if not {"notes", "files", SUM} <= stamp.keys():
        problem = "an older version wrote it, or somebody edited it"
        raise InputError(folder / STAMP, f"{problem}: {_remedy(folder)}")
    check_sums(folder, stamp["files"], remedy=_remedy(folder), but=STAMP)
    return Stage(folder, str(stamp["fingerprint"]), stamp["notes"])


def _remedy(folder: Path) -> str:
    return f"delete {folder}; the next run makes it again"

"""What each stage of a run took: time, rows, bytes, what was skipped, and the peak of memory.

``stages.json`` in a run directory holds it, written anew after every stage. A stage that is kept
keeps the account of the run that made it. Nothing here changes a result.
"""

import json
import resource
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from math import isfinite
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from evaluator.errors import InputError
from evaluator.inputs import read_json
from evaluator.whole_files import replacing

FILE = "stages.json"
_KIB = 1024


class StageAccount(NamedTuple):
    """What one stage took.

    Attributes
    ----------
    stage
        Its name.
    kept
        Whether it was taken from an earlier run; the rest is then of that run.
    seconds
        By the clock; None where it is not known any more.
    rows
        Of each of its tables.
    bytes
        Of its files.
    skipped
        Records of input that were skipped, by reason.
    peak_memory
        Most bytes of this process or of one of its workers, until the end of the stage; on a
        cluster, of the driver. None where it is not known any more.
    """

    stage: str
    kept: bool
    seconds: float | None
    rows: Mapping[str, int]
    bytes: int
    skipped: Mapping[str, int]
    peak_memory: int | None


class StageAccounts:
    """The accounts of a run's stages, kept in its directory.

    Parameters
    ----------
    run
        The run directory.
    on_account
        Told each account as it is made.
    """

    def __init__(
        self, run: Path, on_account: Callable[[StageAccount], None] = lambda _account: None
    ) -> None:
        self._path, self._on_account = run / FILE, on_account
        self._earlier = _read(self._path)
        self.accounts: list[StageAccount] = []

    @contextmanager
    def timed(self, stage: str, folder: Path) -> Iterator[dict[str, Any]]:
        """Take the account of a stage that is made in the block.

        The mapping that is given out takes what the stage left as ``notes``; its files are in
        `folder` when the block ends.
        """
        begun = time.monotonic()
        told: dict[str, Any] = {}
        yield told
        self._add(
            StageAccount(
                stage,
                False,
                round(time.monotonic() - begun, 3),
                _rows(folder),
                _bytes(folder),
                skipped_records(told.get("notes", {})),
                _peak_memory(),
            )
        )

    def kept(self, stage: str, folder: Path, notes: Mapping[str, Any]) -> None:
        """Take the account of a stage that stands from an earlier run."""
        account = StageAccount(
            stage, True, None, _rows(folder), _bytes(folder), skipped_records(notes), None
        )
        earlier = self._earlier.get(stage, {})
        if earlier.get("rows") == account.rows:  # else it is of another making
            account = account._replace(
                seconds=_number(earlier.get("seconds")),
                peak_memory=_whole(earlier.get("peak_memory")),
            )
        self._add(account)

    def _add(self, account: StageAccount) -> None:
        self.accounts.append(account)
        told = [one._asdict() for one in self.accounts]
        try:
            with replacing(self._path) as file:
                file.write(json.dumps(told, indent=1) + "\n")
        except IsADirectoryError:
            raise InputError(self._path, "is a folder: delete it, and run again") from None
        self._on_account(account)


def skipped_records(notes: Mapping[str, Any]) -> dict[str, int]:
    """Return what the notes of a stage say was skipped, by reason, over all its inputs."""
    found: dict[str, int] = {}
    for key, value in notes.items():
        if key == "rejected" and isinstance(value, dict):
            for reason, count in value.items():
                found[reason] = found.get(reason, 0) + count
        elif isinstance(value, dict):
            for reason, count in skipped_records(value).items():
                found[reason] = found.get(reason, 0) + count
    return found


def _rows(folder: Path) -> dict[str, int]:
    """Return the rows of each table below a folder, as the ends of its Parquet files say."""
    rows: dict[str, int] = {}
    for file in sorted(folder.rglob("*.parquet")):
        table = file.relative_to(folder).parts[0]
        with suppress(OSError, pa.ArrowException):  # a damaged one is told by who reads it
            rows[table] = rows.get(table, 0) + pq.read_metadata(file).num_rows
    return rows


def _bytes(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


def _peak_memory() -> int:
    kinds = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    return max(resource.getrusage(kind).ru_maxrss for kind in kinds) * _KIB


def _number(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if isfinite(value) else None


def _whole(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _read(path: Path) -> dict[str, dict[str, Any]]:
    """Return the accounts of an earlier run by stage; none where there are none to be read."""
    try:
        return {one["stage"]: one for one in read_json(path)}
    except (OSError, ValueError, TypeError, KeyError):
        return {}

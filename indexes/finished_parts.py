"""Finished parts: what a function made of shares of a table, kept until all of them are there.

A stage of hours that is interrupted goes on where it stood: its rows are divided by what they hold,
what the function makes of a part is a file, and a part whose file is there is not made again. Any
number of processes, on either engine, can go on with what others began.

A file is written aside and renamed to a name with its part and a sum over its content and place, so
that it is there whole or not at all, and is taken only where and as it was written.
"""

import os
import re
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from secrets import token_hex
from typing import NamedTuple
from zlib import crc32

import pyarrow as pa
import pyarrow.parquet as pq

from evaluator.errors import InputError
from indexes.engine import PART, Batches, BatchFunction, Engine, Mapped, TableQuery
from indexes.function_paths import FunctionFolder
from indexes.locks import make_folder, remove
from indexes.sums import sum_of

_FILE = re.compile(r"(\d{6,})-[0-9a-f]{8}\.parquet")
_MADE = pa.schema([(PART, pa.int32()), ("file", pa.string())])
_RECORDS = 1 << 11  # rows of a batch handed to a function
_STEP = 1.0  # seconds between two looks at what is finished


class PartsProgress(NamedTuple):
    """How far the parts of a table are.

    Attributes
    ----------
    done, of
        Parts that are finished, and all.
    kept
        Those that were when the work began.
    damaged
        Parts of an earlier run that did not hold what was written, and are made again.
    rows, unit
        What all parts are made of, and what one of these is called.
    seconds
        Since the work began.
    """

    done: int
    of: int
    kept: int
    damaged: int
    rows: int
    unit: str
    seconds: float

    @property
    def rate(self) -> float | None:
        """Rows a second, in parts of the same size; None where none is finished yet."""
        made = self.done - self.kept
        return self.rows * made / self.of / self.seconds if made and self.seconds else None

    @property
    def left(self) -> float | None:
        """Seconds that the rest takes at this rate; None where it is not known."""
        made = self.done - self.kept
        return self.seconds * (self.of - self.done) / made if made else None


@dataclass(frozen=True)
class FinishedParts:
    """The finished parts of a stage.

    Attributes
    ----------
    folder
        Where they are: of this stage alone, and for one state of what it depends on; who owns the
        stage removes it.
    part_rows
        About how many rows a part has.
    tell
        Told how far the work is: as it begins, about every second, and at its end.
    """

    folder: Path
    part_rows: int
    tell: Callable[[PartsProgress], None] = field(default=lambda _progress: None)

    def divided(
        self, engine: Engine, name: str, source: Mapped, *, by: str, rows: int, unit: str
    ) -> TableQuery:
        """Return what a function makes of rows; of many, it is made in parts that are kept.

        Parameters
        ----------
        engine
            Runs the function.
        name
            Of the table, one of its kind in the stage.
        source
            The rows and the function, without parts.
        by
            The expression, a text, by which rows are divided: those of one value are in one part.
        rows, unit
            How many there are, and what one is called.
        """
        parts = self.division(name, -(-rows // self.part_rows))
        if parts == 1:
            return source
        query = f"""SELECT *, CAST({engine.number(by)} % {parts} AS INT) AS {PART}
            FROM ({source.query})"""
        in_parts = replace(source, query=query, parts=parts)
        return self.made(engine, name, in_parts, division=parts, rows=rows, unit=unit)

    def division(self, name: str, wanted: int, *, least: int = 1) -> int:
        """Return into how many the rows of a table are divided: as they were, if that will do.

        Parameters
        ----------
        name
            Of the table.
        wanted, least
            How many where nothing is finished, and without which no earlier division will do.
        """
        standing = {
            int(place.name.rpartition("-")[2]): place
            for place in self.folder.glob(f"{name}-*")
            if place.name.rpartition("-")[2].isdecimal()
        }
        number = next((one for one in sorted(standing) if one >= least), max(wanted, least, 1))
        for one, place in standing.items():
            if one != number:
                shutil.rmtree(place, ignore_errors=True)
        return number

    def made(
        self, engine: Engine, name: str, source: Mapped, *, division: int, rows: int, unit: str
    ) -> str:
        """Return the query for what a function makes of parts; only missing ones are made.

        Parameters
        ----------
        engine, name, rows, unit
            As for :meth:`divided`.
        source
            With parts, each a share that depends on the rows and on `division` alone.
        division
            The number that :meth:`division` returned.
        """
        assert source.parts is not None
        place = self.folder / f"{name}-{division}"
        make_folder(place)
        files, damaged = _sound(place)
        begun = PartsProgress(len(files), source.parts, len(files), damaged, rows, unit, 0.0)
        self.tell(begun)
        if len(files) < source.parts:
            missing = source.query
            if files:
                kept = ", ".join(map(str, sorted(files)))
                missing = f"SELECT * FROM ({missing}) WHERE {PART} NOT IN ({kept})"
            with _told(place, begun, self.tell), engine.receiving(place) as folder:
                keep = Keep(source.function, folder, source.schema)
                engine.sql(f"{name}_made", Mapped(missing, keep, _MADE, parts=source.parts))
                # Their names by who made them: a folder of another machine may be listed late.
                made = engine.rows(f"SELECT {PART}, file FROM {name}_made")
            files |= {part: place / file for part, file in made}
        table = f"{name}_parts"
        if files:
            engine.read(table, [files[part] for part in sorted(files)])
        else:
            engine.table(table, [], source.schema)
        return f"SELECT * FROM {table}"


@dataclass(frozen=True)
class Keep:
    """Writes what a function makes of one part as a file, and yields the file's name."""

    function: BatchFunction
    folder: FunctionFolder
    schema: pa.Schema

    def __call__(self, batches: Batches) -> Batches:
        """Yield ``_MADE``; nothing for a part without rows."""
        rest = (piece for batch in batches for piece in _cut(batch))
        first = next(rest, None)
        if first is None:
            return
        part = int(first[PART][0].as_py())
        aside = self.folder.here() / f".{part:06d}-{token_hex(4)}"
        try:
            with pq.ParquetWriter(aside, self.schema, compression="zstd") as writer:
                for made in self.function(chain([first], rest)):
                    writer.write_batch(made)
            with aside.open("rb") as written:
                os.fsync(written.fileno())  # the name may reach the disk before the content does
            file = name_of_part(part, aside)
            self.folder.put(aside.rename(aside.with_name(file)))
        finally:
            aside.unlink(missing_ok=True)
        yield pa.record_batch([pa.array([part], pa.int32()), pa.array([file])], schema=_MADE)


def name_of_part(part: int, file: Path) -> str:
    """Return what the file of a part is called in the folder where it lies.

    The sum is over what it holds, the part, and the folders that say of which table and state it
    is: a copy under another number or elsewhere is no finished part.
    """
    whose = "/".join((*file.parent.parts[-2:], str(part), sum_of(file)))
    return f"{part:06d}-{crc32(whose.encode()):08x}.parquet"


def _cut(batch: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
    """Yield a batch in pieces, which take little memory as objects."""
    for start in range(0, batch.num_rows, _RECORDS):
        yield batch.slice(start, _RECORDS)


def _sound(place: Path) -> tuple[dict[int, Path], int]:
    """Return the files of finished parts, one of each, and how many were damaged and are gone.

    A part may be there twice, where a cluster had it made twice at once.
    """
    for left in place.glob(".*"):  # by who was killed
        remove(left)
    named = [
        (int(found[1]), file) for file in place.iterdir() if (found := _FILE.fullmatch(file.name))
    ]
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        sound = list(threads.map(lambda one: _is_sound(*one), named))
    files: dict[int, Path] = {}
    for (part, file), is_sound in zip(named, sound, strict=True):
        if is_sound:
            files[part] = file
        else:
            remove(file)
    return files, sound.count(False)


def _is_sound(part: int, file: Path) -> bool:
    try:
        return file.name == name_of_part(part, file)
    except InputError:  # it cannot be read
        return False


@contextmanager
def _told(
    place: Path, begun: PartsProgress, tell: Callable[[PartsProgress], None]
) -> Iterator[None]:
    """Tell how far the parts are while the block is at work."""
    started, ended = time.monotonic(), threading.Event()

    def now() -> PartsProgress:
        named = (_FILE.fullmatch(file.name) for file in place.iterdir())
        done = len({found[1] for found in named if found})
        seconds = time.monotonic() - started
        return begun._replace(done=max(done, begun.kept), seconds=seconds)

    def watch() -> None:
        with suppress(Exception):  # what ails the folder or the error stream, the work meets too
            while not ended.wait(_STEP):
                tell(now())

    thread = threading.Thread(target=watch, name="parts", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()
    tell(now())

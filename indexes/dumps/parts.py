"""Parts: what a dump says that counts here, as Parquet files that can be worked on in parallel.

A giant ``.gz`` can only be read from its beginning, by one process. Splitting does that once, at
the speed of unpacking, and leaves a folder that any number of processes reads:

=======================  ======================================================================
``part-00000.parquet``   statements (:data:`indexes.dumps.statements.STATEMENTS`)
``account.json``         the dump, and what became of its records; written last
=======================  ======================================================================
"""

import hashlib
import json
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Self

import pyarrow as pa
import pyarrow.parquet as pq

from evaluator.errors import InputError, excerpt
from evaluator.inputs import open_file, read_json
from evaluator.model import Rejects
from indexes.dumps import read_dump
from indexes.dumps.ntriples import CUT_LINE, INVALID_UTF8, MALFORMED
from indexes.dumps.recognition import looks_like
from indexes.dumps.statements import STATEMENTS, languages
from indexes.streams import DAMAGED, TRUNCATED
from indexes.sums import check_sums, sealed, sums_of, unsealed

ACCOUNT = "account.json"
_FORMAT = "distval statements 3"
_ROWS = 1 << 21  # of a part: some 20 MB
_GROUP = 1 << 18  # rows that are held before they are written
_UNREAD = (MALFORMED, CUT_LINE, INVALID_UTF8)
_MOST_UNREAD = 0.01
_REMEDY = "delete the folder and split the dump again (distval kb split)"


@dataclass(frozen=True, slots=True)
class DumpAccount:
    """What became of the records of a dump.

    Attributes
    ----------
    source
        ``name``, ``bytes`` and ``sha256`` of the dump.
    dump_format, language
        How it was read, and the language of the names that were kept, or the chain of them.
    statements
        Rows written.
    rejects
        Bad records, by reason.
    left_out
        Sound records that are no evidence, by reason.
    sums
        Of the files of statements (:mod:`indexes.sums`).
    examples
        The first bad record of each reason.
    """

    source: Mapping[str, Any]
    dump_format: str
    language: str
    statements: int
    rejects: Mapping[str, int]
    left_out: Mapping[str, int]
    sums: Mapping[str, str]
    examples: Mapping[str, str]
    format: str = _FORMAT

    @property
    def incomplete(self) -> bool:
        """Whether the dump was cut short or damaged: what follows is not known."""
        return TRUNCATED in self.rejects or DAMAGED in self.rejects

    @property
    def unread(self) -> str:
        """What to say where more than one line in a hundred is not of the format; else empty.

        A dump always holds some lines that are cut; so many are of another format.
        """
        bad = {reason: self.rejects.get(reason, 0) for reason in _UNREAD}
        number = sum(bad.values())
        of = number + self.statements + sum(self.left_out.values())
        if number <= max(1, _MOST_UNREAD * of):  # one alone is no format
            return ""
        example = self.examples.get(max(bad, key=lambda reason: bad[reason]), "")
        like = f", and look like {name}" if (name := looks_like(example)) else ""
        return (
            f"{number:,} lines of some {of:,} cannot be read{like}, the first of them "
            f"{excerpt(example)}: give a file of one format"
        )

    @classmethod
    def read(cls, folder: Path) -> Self:
        """Read the account of a folder of parts.

        Raises
        ------
        InputError
            No account, or one of another version.
        """
        try:
            stated = read_json(folder / ACCOUNT)
            if stated["format"] != _FORMAT:
                raise InputError(folder, f"has the format {stated['format']!r}: {_REMEDY}")
            return cls(**unsealed(stated, folder / ACCOUNT, remedy=_REMEDY))
        except (OSError, ValueError, TypeError, KeyError):
            raise InputError(
                folder, f"no parts of a dump (no readable {ACCOUNT}); distval kb split makes them"
            ) from None

    @classmethod
    def open(cls, folder: Path) -> Self:
        """Read the account of a folder of parts that holds all that the account says.

        Raises
        ------
        InputError
            As :meth:`read`, or where a file does not hold what was written.
        """
        account = cls.read(folder)
        check_sums(folder, account.sums, remedy=_REMEDY, but=ACCOUNT)
        return account


def is_complete(folder: Path) -> bool:
    """Whether a folder holds all parts of a dump."""
    try:
        DumpAccount.open(folder)
    except InputError:
        return False
    return True


def is_parts(path: Path) -> bool:
    """Whether `path` is a folder that :func:`split_dump` wrote."""
    return (path / ACCOUNT).is_file()


def split_dump(
    path: Path,
    out: Path,
    *,
    format: str = "auto",  # noqa: A002
    language: str = "en",
) -> DumpAccount:
    """Write what counts of a dump to the folder `out`, in parts; return the account.

    Parameters
    ----------
    path, format, language
        As :func:`indexes.dumps.read_dump` takes them.
    out
        A folder that is not there yet. It appears whole or not at all.

    Raises
    ------
    InputError
        What :func:`indexes.dumps.read_dump` refuses.
    """
    rejects, left_out = Rejects(), Rejects()
    language = ",".join(languages(language))
    batches = read_dump(path, format=format, language=language, rejects=rejects, left_out=left_out)
    partial = out.with_name(f".{out.name}.splitting")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)
    try:
        rows = write_parts(batches, partial)
        account = DumpAccount(
            source=describe(path),
            dump_format=format,
            language=language,
            statements=rows,
            rejects=dict(sorted(rejects.counts.items())),
            left_out=dict(sorted(left_out.counts.items())),
            sums=sums_of(partial),
            examples=rejects.examples,
        )
        write_account(account, partial)
        partial.rename(out)
    finally:
        shutil.rmtree(partial, ignore_errors=True)
    return account


def write_parts(batches: Iterable[pa.RecordBatch], out: Path, *, prefix: str = "part") -> int:
    """Write statements as Parquet files of bounded size; return the number of rows."""
    total = 0
    for number, part in enumerate(_parts(iter(batches))):
        with pq.ParquetWriter(
            out / f"{prefix}-{number:05d}.parquet",
            STATEMENTS,
            compression="lz4",
            use_dictionary=["kind", "predicate"],
            write_statistics=False,
        ) as writer:
            for table in part:
                writer.write_table(table)
                total += table.num_rows
    return total


def write_account(account: DumpAccount, out: Path) -> None:
    """Write the account, which makes the parts complete."""
    told = json.dumps(sealed(asdict(account)), indent=2)
    (out / ACCOUNT).write_text(told + "\n", encoding="utf-8")


def describe(source: Path) -> dict[str, Any]:
    """Return name, size and SHA-256 of a file."""
    with open_file(source) as stream:
        sha256 = hashlib.file_digest(stream, "sha256").hexdigest()
    return {"name": source.name, "bytes": source.stat().st_size, "sha256": sha256}


def files(folders: Sequence[Path]) -> list[Path]:
    """Return the Parquet files of folders of parts."""
    return [path for folder in folders for path in sorted(folder.glob("*.parquet"))]


def _parts(batches: Iterator[pa.RecordBatch]) -> Iterator[Iterator[pa.Table]]:
    """Cut a stream of batches into parts; each must be read before the next is asked for."""
    groups = _groups(batches)

    def part(first: pa.Table) -> Iterator[pa.Table]:
        rows = first.num_rows
        yield first
        while rows < _ROWS and (group := next(groups, None)) is not None:
            rows += group.num_rows
            yield group

    while (first := next(groups, None)) is not None:
        yield part(first)


def _groups(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.Table]:
    held: list[pa.RecordBatch] = []
    rows = 0
    for batch in batches:
        held.append(batch)
        rows += batch.num_rows
        if rows >= _GROUP:
            yield pa.Table.from_batches(held, STATEMENTS)
            held, rows = [], 0
    if held:
        yield pa.Table.from_batches(held, STATEMENTS)

"""Files of facts to count: tab-separated with a header, or Parquet; read and written in blocks."""

import csv
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from evaluator.errors import InputError

FACT = ("e1", "r", "e2")
COUNTS = ("pair", "classic", "proximity")

_PARQUET = b"PAR1"


class Block(NamedTuple):
    """Some rows of a file of facts: the names of its columns, and their values."""

    header: tuple[str, ...]
    columns: tuple[list[Any], ...]

    def column(self, name: str) -> list[Any]:
        """Return a column by its name."""
        return self.columns[self.header.index(name)]


def read_blocks(path: Path, *, rows: int) -> Iterator[Block]:
    """Yield the facts of a file, at most `rows` at a time; at least one block, maybe empty.

    Parameters
    ----------
    path
        TSV whose header has ``e1``, ``r`` and ``e2``, or Parquet with these columns. Other columns
        are kept.
    rows
        Facts in a block.

    Raises
    ------
    InputError
        Where the file cannot be read, lacks a column, has one that is to be added, or a row of
        another number of columns.
    """
    try:
        with path.open("rb") as stream:
            is_parquet = stream.read(len(_PARQUET)) == _PARQUET
        yield from _parquet_blocks(path, rows) if is_parquet else _tsv_blocks(path, rows)
    except UnicodeDecodeError:
        raise InputError(path, "cannot read facts: not UTF-8 text") from None
    except OSError as error:
        raise InputError(path, f"cannot read facts: {error.strerror or error}") from None


def _tsv_blocks(path: Path, rows: int) -> Iterator[Block]:
    with path.open(encoding="utf-8-sig", newline="\n") as stream:
        header = tuple(stream.readline().rstrip("\r\n").split("\t"))
        _check(header, path, line=1, kind="a header with the columns")
        lines = (
            (number, line.rstrip("\r\n").split("\t"))
            for number, line in enumerate(stream, start=2)
            if line.strip("\r\n")
        )
        first = True
        while (some := list(islice(lines, rows))) or first:
            for number, row in some:
                if len(row) != len(header):
                    raise InputError(
                        path, f"expected {len(header)} columns, found {len(row)}", line=number
                    )
            columns = zip(*(row for _, row in some), strict=True) if some else ((),) * len(header)
            yield Block(header, tuple(map(list, columns)))
            first = False


def _parquet_blocks(path: Path, rows: int) -> Iterator[Block]:
    try:
        with pq.ParquetFile(path) as file:
            header = tuple(file.schema_arrow.names)
            _check(header, path, line=None, kind="the columns")
            for name in FACT:
                kind = file.schema_arrow.field(name).type
                if not (pa.types.is_string(kind) or pa.types.is_large_string(kind)):
                    raise InputError(path, f"column {name} holds {kind}; expected strings")
            first = True
            for batch in file.iter_batches(batch_size=rows):
                yield Block(header, tuple(column.to_pylist() for column in batch.columns))
                first = False
            if first:
                yield Block(header, tuple([] for _ in header))
    except pa.ArrowException as error:
        reason = str(error).partition("\n")[0]
        raise InputError(path, f"cannot read facts: damaged Parquet ({reason})") from None


def _check(header: Sequence[str], path: Path, *, line: int | None, kind: str) -> None:
    if not set(FACT) <= set(header):
        raise InputError(path, f"expected {kind} e1, r, e2 (TSV or Parquet)", line=line)
    if twice := {*COUNTS} & {*header} or {name for name in header if header.count(name) > 1}:
        names = ", ".join(sorted(twice))
        raise InputError(path, f"has {names} already; leave that column out", line=line)


@contextmanager
def writing(out: Path | None) -> Iterator[Callable[[Block], None]]:
    """Yield a function that writes blocks: to `out`, whole or not at all, or to standard output.

    A name that ends in ``.parquet`` makes a Parquet file, any other is tab-separated.
    """
    if out is None:
        yield _TsvWriter(sys.stdout)
        return
    partial = out.with_name(f".{out.name}.partial")
    try:
        if out.suffix == ".parquet":
            with _ParquetWriter(partial) as write:
                yield write
        else:
            with partial.open("w", encoding="utf-8", newline="") as stream:
                yield _TsvWriter(stream)
        partial.replace(out)
    finally:
        partial.unlink(missing_ok=True)


class _TsvWriter:
    def __init__(self, stream: Any) -> None:
        self._rows = csv.writer(
            stream,
            delimiter="\t",
            lineterminator="\n",
            quoting=csv.QUOTE_NONE,
            quotechar=None,
            escapechar="\\",
        )
        self._begun = False

    def __call__(self, block: Block) -> None:
        if not self._begun:
            self._rows.writerow(block.header)
            self._begun = True
        self._rows.writerows(zip(*block.columns, strict=True))


class _ParquetWriter:
    def __init__(self, path: Path) -> None:
        self._path = path
        self._writer: pq.ParquetWriter | None = None

    def __enter__(self) -> "_ParquetWriter":
        return self

    def __exit__(self, *_: object) -> None:
        if self._writer is not None:
            self._writer.close()

    def __call__(self, block: Block) -> None:
        arrays = [
            pa.array(column, type=pa.int64() if name in COUNTS else None)
            for name, column in zip(block.header, block.columns, strict=True)
        ]
        table = pa.Table.from_arrays(arrays, names=list(block.header))
        if self._writer is None:
            self._writer = pq.ParquetWriter(self._path, table.schema, compression="zstd")
        self._writer.write_table(table.cast(self._writer.schema))

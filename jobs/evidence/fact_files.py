"""Files of facts to count: tab-separated with a header, or Parquet; read and written in blocks.

A block is an Arrow table. Columns that are not of the facts pass through as they are.
"""

import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, TextIO

import pyarrow as pa
import pyarrow.parquet as pq

from evaluator.counting.definition import Counts
from evaluator.errors import InputError
from evaluator.inputs import numbered_lines, open_file
from evaluator.printable import printable
from evaluator.whole_files import whole_binary_file, whole_file

FACT = ("e1", "r", "e2")

_PARQUET = b"PAR1"
_BOM = b"\xef\xbb\xbf"
# What no cell of a table in lines can hold. Names are the same with a space there.
_SEPARATORS = re.compile(r"[\t\r\n]")


def read_blocks(path: Path, *, rows: int) -> Iterator[pa.Table]:
    """Yield the facts of a file, at most `rows` at a time; at least one block, maybe empty.

    Parameters
    ----------
    path
        TSV whose header has ``e1``, ``r`` and ``e2``, Parquet with these columns, or a folder of
        such Parquet files, as Spark writes it.
    rows
        Facts in a block.

    Raises
    ------
    InputError
        Where the file cannot be read, lacks a column, has one that is to be added, or a row of
        another number of columns.
    """
    if path.is_dir():
        parts = sorted(path.glob("*.parquet"))
        if not parts:
            raise InputError(path, "a folder without .parquet files; name a file of facts")
        for part in parts:
            yield from read_blocks(part, rows=rows)
        return
    try:
        with open_file(path) as stream:
            is_parquet = stream.read(len(_PARQUET)) == _PARQUET
            stream.seek(0)
            yield from (
                _parquet_blocks(path, rows) if is_parquet else _tsv_blocks(stream, path, rows)
            )
    except OSError as error:
        raise InputError(path, f"cannot read facts: {error.strerror or error}") from None


def _tsv_blocks(stream: BinaryIO, path: Path, rows: int) -> Iterator[pa.Table]:
    numbered = numbered_lines(stream, path)
    _, first_line = next(numbered, (1, b""))
    header = _cells(first_line.removeprefix(_BOM), path, 1)
    _check(header, path, line=1, kind="a header with the columns")
    lines = (
        _row(line, path, number, columns=len(header))
        for number, line in numbered
        if line.strip(b"\r\n")
    )
    first = True
    while (some := list(islice(lines, rows))) or first:
        columns = zip(*some, strict=True) if some else ((),) * len(header)
        yield pa.table([pa.array(column, pa.string()) for column in columns], names=header)
        first = False


def _row(line: bytes, path: Path, number: int, *, columns: int) -> list[str]:
    row = _cells(line, path, number)
    if len(row) != columns:
        raise InputError(path, f"expected {columns} columns, found {len(row)}", line=number)
    return row


def _cells(line: bytes, path: Path, number: int) -> list[str]:
    try:
        return line.decode("utf-8").rstrip("\r\n").split("\t")
    except UnicodeDecodeError:
        raise InputError(path, "not UTF-8 text; save it as such", line=number) from None


def _parquet_blocks(path: Path, rows: int) -> Iterator[pa.Table]:
    try:
        with pq.ParquetFile(path) as file:
            schema = file.schema_arrow
            _check(schema.names, path, line=None, kind="the columns")
            for name in FACT:
                kind = schema.field(name).type
                if not _is_text(kind):
                    raise InputError(path, f"column {name} holds {kind}; expected strings")
            first = True
            for batch in file.iter_batches(batch_size=rows):
                table = pa.Table.from_batches([batch])
                for name in FACT:
                    for chunk in table.column(name).chunks:
                        chunk.validate(full=True)  # strings of Parquet may be any bytes
                yield table
                first = False
            if first:
                yield schema.empty_table()
    except (pa.ArrowException, OSError) as error:
        reason = str(error).partition("\n")[0]
        raise InputError(
            path, f"cannot read facts: damaged Parquet ({reason}); write it anew"
        ) from None


def _is_text(kind: pa.DataType) -> bool:
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    return any(
        is_kind(kind)
        for is_kind in (pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view)
    )


def _check(header: Sequence[str], path: Path, *, line: int | None, kind: str) -> None:
    if not any(header):
        raise InputError(path, f"empty; expected {kind} e1, r, e2 (TSV or Parquet)")
    if not set(FACT) <= set(header):
        raise InputError(path, f"expected {kind} e1, r, e2 (TSV or Parquet)", line=line)
    if taken := {*Counts._fields} & {*header}:
        names = ", ".join(sorted(taken))
        raise InputError(path, f"has a column {names} already; leave it out", line=line)
    if twice := {name for name in header if header.count(name) > 1}:
        names = ", ".join(sorted(twice))
        raise InputError(path, f"has several columns {names}; name each once", line=line)


def with_counts(block: pa.Table, counts: Sequence[Counts]) -> pa.Table:
    """Return a block of facts with their counts, null where a count is not defined."""
    columns = zip(*counts, strict=True) if counts else ((),) * len(Counts._fields)
    for name, column in zip(Counts._fields, columns, strict=True):
        block = block.append_column(name, pa.array(column, pa.int64()))
    return block


@contextmanager
def writing(out: Path | None) -> Iterator[Callable[[pa.Table], None]]:
    """Yield a function that writes blocks: to `out`, whole or not at all, or to standard output.

    A name that ends in ``.parquet`` makes a Parquet file, any other is tab-separated. There, what
    is null is left empty, and a tab or a line end in a cell is a space.

    Raises
    ------
    InputError
        Where `out` cannot be written.
    """
    if out is None:
        yield _TsvWriter(sys.stdout, show=sys.stdout.isatty()).write
    elif out.suffix == ".parquet":
        with whole_binary_file(out) as file, closing(_ParquetWriter(file)) as writer:
            yield writer.write
    else:
        with whole_file(out) as lines:
            yield _TsvWriter(lines).write


class _TsvWriter:
    def __init__(self, stream: TextIO, *, show: bool = False) -> None:
        self._stream = stream
        self._line = (lambda row: printable(_line(row))) if show else _line
        self._begun = False

    def write(self, block: pa.Table) -> None:
        if not self._begun:
            self._stream.write(self._line(block.column_names))
            self._begun = True
        columns = (column.to_pylist() for column in block.columns)
        self._stream.writelines(map(self._line, zip(*columns, strict=True)))


def _line(row: Sequence[Any]) -> str:
    cells = ("" if cell is None else _SEPARATORS.sub(" ", str(cell)) for cell in row)
    return "\t".join(cells) + "\n"


class _ParquetWriter:
    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._writer: pq.ParquetWriter | None = None

    def write(self, block: pa.Table) -> None:
        if self._writer is None:
            self._writer = pq.ParquetWriter(self._file, block.schema, compression="zstd")
        self._writer.write_table(block)

    def close(self) -> None:
        if self._writer is not None:
            self._writer.close()

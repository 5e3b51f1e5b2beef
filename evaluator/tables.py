"""Tables that people hand in, and tables for people: delimited text with a header.

One reader for all of them, whatever program saved the table. The header tells the dialect
(:class:`csv.Sniffer`): a comma, a semicolon, a tab or a bar between the columns. Cells may stand in
double quotes; between tabs only where the header does too, or the file is a ``.csv``, for there a
quote is mostly part of a text.
"""

import csv
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from io import StringIO
from pathlib import Path

from evaluator.errors import InputError, excerpt
from evaluator.inputs import read_bytes
from evaluator.model import Rejects
from evaluator.text import normalise
from evaluator.whole_files import write_whole

_DELIMITERS = ",;\t|"


class Row[Cell](dict[str, Cell]):
    """A row of a table, as column to cell, and where it stands: file and line."""

    def __init__(self, cells: Mapping[str, Cell], where: str) -> None:
        super().__init__(cells)
        self.where = where


def read_table(
    path: Path, *, columns: Sequence[str], rejects: Rejects | None = None
) -> Iterator[Row[str]]:
    """Yield the rows of a table as column to cell, the names of columns in small letters.

    Parameters
    ----------
    path
        The table.
    columns
        Those that it has to have.
    rejects
        As in :func:`read_delimited`.

    Raises
    ------
    InputError
        As :func:`table_text` and :func:`read_delimited`, and if the header lacks one of `columns`,
        or has a name twice.
    """
    expected = f"expected {', '.join(columns)}"
    text = table_text(path, expected=expected)
    names, rows = read_delimited(path, text, rejects=rejects)
    header = [name.casefold() for name in names]
    if missing := [column for column in columns if column not in header]:
        raise InputError(path, f"no column {', '.join(missing)}; {expected}", line=1)
    check_header(path, header)
    for where, cells in rows:
        yield Row(dict(zip(header, cells, strict=True)), where)


def read_delimited(
    path: Path, text: str, *, rejects: Rejects | None = None
) -> tuple[list[str], Iterator[tuple[str, list[str]]]]:
    """Return the header of a table and its rows, each with its place: file and line.

    Rows end with empty cells where they are too short, as Excel leaves them; empty rows are passed
    over.

    Parameters
    ----------
    path
        The file, for messages.
    text
        Its content, from :func:`table_text`.
    rejects
        Receives "more cells than columns"; where it is None, such a row is an error.

    Raises
    ------
    InputError
        If the header is broken, or, when it is reached, a row.
    """
    first = re.split("[\r\n]", text.lstrip("\r\n"), maxsplit=1)[0]
    delimiter = _delimiter(first)
    quoted = delimiter != "\t" or path.suffix.lower() == ".csv" or first.startswith('"')
    lines = csv.reader(
        StringIO(text, newline=""),
        delimiter=delimiter,
        quoting=csv.QUOTE_MINIMAL if quoted else csv.QUOTE_NONE,
        # Or a quote that is never closed swallows the rows below it without a word.
        strict=True,
    )

    def filled() -> Iterator[tuple[str, list[str]]]:
        read = 0  # lines of whole rows
        try:
            for row in lines:
                read = lines.line_num
                cells = [normalise(cell.strip()) for cell in row]
                if any(cells):
                    yield f"{path}:{lines.line_num}", cells
        except csv.Error as error:
            # Where the row begins that is broken: a quote left open takes all lines below it.
            raise InputError(path, _broken(error), line=read + 1) from None

    found = filled()
    _, header = next(found, ("", []))

    def rows() -> Iterator[tuple[str, list[str]]]:
        for where, cells in found:
            row, more = cells[: len(header)], cells[len(header) :]
            if not any(more):
                yield where, row + [""] * (len(header) - len(row))
            elif rejects is None:
                raise InputError(where, f"more cells than columns: {excerpt(' '.join(more))}")
            else:
                rejects.add("more cells than columns", f"{where}: {' '.join(cells)}")

    return header, rows()


def _delimiter(header: str) -> str:
    """Return what stands between the columns of a header."""
    sniffer = csv.Sniffer()
    # By itself it would take a comma in one name for it, however many semicolons there are.
    sniffer.preferred = sorted(_DELIMITERS, key=header.count, reverse=True)
    try:
        return sniffer.sniff(header, delimiters=_DELIMITERS).delimiter
    except csv.Error:
        return _DELIMITERS[0]  # a single column


def check_header(path: Path, names: Sequence[str]) -> None:
    """Refuse a header in which two columns have one name: it does not say which one counts.

    Raises
    ------
    InputError
        If a name stands there twice.
    """
    if repeated := sorted({name for name in names if name and names.count(name) > 1}):
        problem = f'two columns are called "{repeated[0]}"; rename one, or take it out'
        raise InputError(path, problem, line=1)


def table_text(path: Path, *, expected: str) -> str:
    """Return the text of a file that a person made, without a byte order mark.

    Raises
    ------
    InputError
        If the file cannot be read, is not UTF-8, or is empty: then the message says what was
        `expected`.
    """
    try:
        content = read_bytes(path)
    except FileNotFoundError:
        raise InputError(path, "no such file") from None
    except IsADirectoryError:
        raise InputError(path, "a folder, where a table is expected") from None
    except OSError as error:
        raise InputError(path, f"cannot be read ({error.strerror})") from None
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise InputError(path, "not UTF-8 text; save it as such (“CSV UTF-8”)", line=line) from None
    if not text.strip():
        raise InputError(path, f"empty file; {expected}")
    return text


def write_table(path: Path, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Write a tab-separated table with a header; whole, or not at all.

    Tabs and line ends inside a field become spaces.

    Raises
    ------
    InputError
        If the file cannot be written.
    """
    lines = ["\t".join(columns)]
    lines += ["\t".join(" ".join(field.split()) for field in row) for row in rows]
    write_whole(path, "\n".join(lines) + "\n")


def _broken(error: csv.Error) -> str:
    if "field larger" in str(error):
        most = csv.field_size_limit()
        return f"a cell of more than {most:,} characters; shorten it, or close its quotes"
    return f"broken CSV ({error}); close its quotes, or double those inside a cell"

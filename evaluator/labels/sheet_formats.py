"""The formats of label sheets, as rows of named cells: CSV, TSV, JSON Lines, Label Studio's JSON.

What the cells mean is said in :mod:`evaluator.labels.sheets`.
"""

import csv
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from io import StringIO
from pathlib import Path
from typing import Any

from evaluator.errors import InputError
from evaluator.json_objects import RepeatedKeyError, unique_keys
from evaluator.labels import label_studio
from evaluator.model import Rejects
from evaluator.tables import Row, read_table, table_text, write_table
from evaluator.whole_files import write_whole

NEEDED = ("e1", "r", "e2", "label")
SUFFIXES = (".csv", ".tsv", ".jsonl", ".json")

_EXPECTED = f"expected {', '.join(NEEDED)}"

# Apostrophes before the sign too, so that taking one away gives back what was written. The wide
# signs are typed in East Asian scripts, and taken for the others there.
_FORMULA = re.compile(r"'*[=+\-@＝＋－＠]")


def write_cells(path: Path, columns: Sequence[str], rows: Iterable[Mapping[str, str]]) -> None:
    """Write a sheet with `columns` in the format of its suffix; whole, or not at all.

    A row that lacks a column has an empty cell there. In .csv and .tsv, tabs and line ends inside a
    cell become spaces, and what looks like a formula is guarded by an apostrophe.

    Raises
    ------
    InputError
        If the suffix is none of :data:`SUFFIXES`, or the file cannot be written.
    """
    filled = [{column: row.get(column, "") for column in columns} for row in rows]
    match _suffix(path):
        case ".json":
            tasks = [label_studio.task(row) for row in filled]
            write_whole(path.with_name(label_studio.INTERFACE), label_studio.interface())
            write_whole(path, json.dumps(tasks, ensure_ascii=False, indent=1) + "\n")
        case ".jsonl":
            lines = (json.dumps(row, ensure_ascii=False) + "\n" for row in filled)
            write_whole(path, "".join(lines))
        case ".tsv":
            write_table(path, columns, map(_guarded, filled))
        case _:
            sheet = StringIO(newline="")
            csv.writer(sheet, lineterminator="\r\n").writerows([columns, *map(_guarded, filled)])
            write_whole(path, "\ufeff" + sheet.getvalue())


def read_cells(path: Path, *, rejects: Rejects) -> list[Row[Any]]:
    """Return the rows of a sheet as column to cell: text, or whatever JSON has there.

    Parameters
    ----------
    path
        The sheet, in the format of its suffix.
    rejects
        Receives the reasons of :func:`evaluator.tables.read_table` and
        :func:`evaluator.labels.label_studio.rows`.

    Raises
    ------
    InputError
        If the file cannot be read, is not UTF-8, is damaged, has no row, lacks one of
        :data:`NEEDED`, or has a column or key twice.
    """
    skipped = rejects.total
    match _suffix(path):
        case ".jsonl":
            rows = _jsonl_rows(path)
        case ".json":
            rows = _json_rows(path, rejects)
        case _:
            rows = [*map(_unguarded, read_table(path, columns=NEEDED, rejects=rejects))]
    if not rows and rejects.total == skipped:
        raise InputError(path, "no fact in it; expected a row for each")
    return rows


def _jsonl_rows(path: Path) -> list[Row[Any]]:
    rows = []
    # A line ends as in the other formats: no other separator of Unicode, which a text may hold.
    lines = StringIO(table_text(path, expected=_EXPECTED), newline=None)
    for number, line in enumerate(lines, start=1):
        if line.strip():
            row = _parsed(path, line, line=number)
            if not isinstance(row, dict):
                raise InputError(path, "expected one JSON object a line", line=number)
            rows.append(Row(row, f"{path}:{number}"))
    _need(path, (name for row in rows for name in row))
    return rows


def _json_rows(path: Path, rejects: Rejects) -> list[Row[Any]]:
    tasks = _parsed(path, table_text(path, expected=_EXPECTED))
    if not isinstance(tasks, list):
        raise InputError(path, "expected a JSON list of Label Studio's tasks")
    own = Rejects()
    rows = [
        Row(row, f"{path}: task {number}")
        for number, task in enumerate(tasks, start=1)
        for row in label_studio.rows(number, task, rejects=own)
    ]
    own.examples = {reason: f"{path}: {example}" for reason, example in own.examples.items()}
    rejects.merge([own])
    if rows:  # where nobody has answered yet, none has a "label"
        _need(path, {"label", *(name for row in rows for name in row)})
    return rows


def _parsed(path: Path, text: str, *, line: int | None = None) -> Any:
    try:
        return json.loads(text, object_pairs_hook=unique_keys)
    except json.JSONDecodeError as error:
        what = f"broken JSON ({error.msg}, column {error.colno})"
        raise InputError(path, what, line=line or error.lineno) from None
    except RepeatedKeyError as key:
        raise InputError(path, f'the key "{key}" stands twice in one object', line=line) from None
    except (ValueError, RecursionError):
        # A number or a nesting beyond all measure.
        raise InputError(path, "JSON that cannot be read", line=line) from None


def _need(path: Path, names: Iterable[str], *, line: int | None = None) -> None:
    there = list(names)
    if missing := [name for name in NEEDED if name not in there]:
        raise InputError(path, f"no column {', '.join(missing)}; {_EXPECTED}", line=line)


def _suffix(path: Path) -> str:
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        known = "expected .csv, .tsv, .jsonl or .json (save a workbook as “CSV UTF-8”)"
        raise InputError(path, f"no format of a sheet; {known}")
    return suffix


def guarded(cell: str) -> str:
    """Return a cell, with an apostrophe before it if a spreadsheet would take it for a formula."""
    return f"'{cell}" if _FORMULA.match(cell) else cell


def _guarded(row: Mapping[str, str]) -> list[str]:
    return [guarded(" ".join(cell.split())) for cell in row.values()]


def _unguarded(row: Row[str]) -> Row[str]:
    cells = {
        name: cell[1:] if cell.startswith("'") and _FORMULA.match(cell) else cell
        for name, cell in row.items()
    }
    return Row(cells, row.where)

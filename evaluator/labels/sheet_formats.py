"""The formats of label sheets, as rows of named cells: tables, JSON Lines, and labelling tools'.

What the cells mean is said in :mod:`evaluator.labels.sheets`. Each labelling tool has a module. Its
files are known by what is in them: their names tell JSON from JSON Lines, no more.
"""

import csv
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from io import StringIO
from pathlib import Path
from typing import Any, Final, Protocol

from evaluator.errors import InputError
from evaluator.json_objects import RepeatedKeyError, unique_keys
from evaluator.labels import argilla, doccano, label_studio, potato
from evaluator.labels.questions import Question
from evaluator.model import Rejects
from evaluator.tables import Row, read_table, table_text, write_table
from evaluator.whole_files import write_whole

NEEDED = ("e1", "r", "e2", "label")
SUFFIXES = (".csv", ".tsv", ".jsonl", ".json")


class LabellingTool(Protocol):
    """A labelling tool."""

    def task(self, question: Question, rater: str) -> dict[str, Any]:
        """Return a question as the tool's piece of work."""

    def beside(self, tasks: Path) -> dict[str, str]:
        """Return further files for a file of tasks, name to text."""

    def knows(self, record: Mapping[str, Any]) -> bool:
        """Return whether a record is the tool's."""

    def rows(
        self, record: Mapping[str, Any], *, where: str, path: Path, rejects: Rejects
    ) -> Iterator[dict[str, Any]]:
        """Yield what a record of a file says, as named cells."""


TOOLS: Final[Mapping[str, tuple[LabellingTool, str]]] = {
    "label-studio": (label_studio, ".json"),
    "argilla": (argilla, ".json"),
    "doccano": (doccano, ".jsonl"),
    "potato": (potato, ".jsonl"),
}
"""Labelling tools, each with the suffix of its tasks."""

SHEET_FORMATS: Final[Mapping[str, str]] = {
    "csv": ".csv",
    "tsv": ".tsv",
    "jsonl": ".jsonl",
    "json": ".json",
    **{name: suffix for name, (_, suffix) in TOOLS.items()},
}
"""Names of formats, each with the suffix of its files; "json" is Label Studio's."""

_EXPECTED = f"expected {', '.join(NEEDED)}"

# Apostrophes before the sign too, so that taking one away gives back what was written. The wide
# signs are typed in East Asian scripts, and taken for the others there.
_FORMULA = re.compile(r"'*[=+\-@＝＋－＠]")


def write_tasks(
    path: Path, questions: Iterable[Question], *, rater: str, tool: LabellingTool
) -> None:
    """Write questions as tasks of a labelling tool, and beside them what it needs; each file whole.

    Raises
    ------
    InputError
        If a file cannot be written.
    """
    tasks = [tool.task(question, rater) for question in questions]
    for name, text in tool.beside(path).items():
        write_whole(path.with_name(name), text)
    if path.suffix == ".jsonl":
        # ASCII: doccano guesses the encoding of a file.
        write_whole(path, "".join(json.dumps(task) + "\n" for task in tasks))
    else:
        write_whole(path, json.dumps(tasks, ensure_ascii=False, indent=1) + "\n")


def write_cells(path: Path, columns: Sequence[str], rows: Iterable[Mapping[str, str]]) -> None:
    """Write a sheet with `columns`, as .csv, .tsv or .jsonl; whole, or not at all.

    A row that lacks a column has an empty cell there. In .csv and .tsv, tabs and line ends inside a
    cell become spaces, and what looks like a formula is guarded by an apostrophe.

    Raises
    ------
    InputError
        If the suffix is none of these, or the file cannot be written.
    """
    if (suffix := _suffix(path)) == ".json":
        raise InputError(path, "a table is .csv, .tsv or .jsonl")
    filled = [{column: row.get(column, "") for column in columns} for row in rows]
    match suffix:
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
        the ``rows`` of :data:`TOOLS`.

    Raises
    ------
    InputError
        If the file cannot be read, is not UTF-8, is damaged, has no row, lacks one of
        :data:`NEEDED`, or has a column or key twice.
    """
    skipped = rejects.total
    match _suffix(path):
        case ".jsonl":
            rows = _rows(path, _lines(path, table_text(path, expected=_EXPECTED)), rejects)
        case ".json":
            rows = _rows(path, _list(path), rejects)
        case _:
            table = map(_unguarded, read_table(path, columns=NEEDED, rejects=rejects))
            rows = _rows(path, ((row.where, row) for row in table), rejects)
    if not rows and rejects.total == skipped:
        raise InputError(path, "no fact in it; expected a row for each")
    return rows


def _lines(path: Path, text: str) -> Iterator[tuple[str, object]]:
    """Yield the objects of JSON Lines, each with its place."""
    # A line ends as in the other formats: no other separator of Unicode, which a text may hold.
    lines = StringIO(text, newline=None)
    for number, line in enumerate(lines, start=1):
        if line.strip():
            row = _parsed(path, line, line=number)
            if not isinstance(row, dict):
                raise InputError(path, "expected one JSON object a line", line=number)
            yield f"{path}:{number}", row


def _list(path: Path) -> Iterator[tuple[str, object]]:
    """Yield the elements of a JSON list, each with its place.

    Potato's store is one object, and Potato 1 calls JSON Lines .json.
    """
    text = table_text(path, expected=_EXPECTED)
    if re.match(r"\s*\{.*\}\s*\n\s*\{", text):
        yield from _lines(path, text)
        return
    tasks = _parsed(path, text)
    if isinstance(tasks, dict) and potato.knows(tasks):
        yield str(path), tasks
    elif isinstance(tasks, list):
        yield from ((f"{path}: task {number}", task) for number, task in enumerate(tasks, start=1))
    else:
        told = f"expected a JSON list of tasks ({', '.join(TOOLS)}), or what Potato stores"
        raise InputError(path, told)


def _rows(path: Path, records: Iterable[tuple[str, object]], rejects: Rejects) -> list[Row[Any]]:
    rows: list[Row[Any]] = []
    for where, record in records:
        if not isinstance(record, dict):
            rejects.add("broken task", f"{where}: {record}")
            continue
        tool = next((tool for tool, _ in TOOLS.values() if tool.knows(record)), None)
        found = tool.rows(record, where=where, path=path, rejects=rejects) if tool else [record]
        rows += [Row(row, where) for row in found]
    if rows and not all("fact" in row for row in rows):
        # Where nobody has answered yet, tasks have no "label".
        tasks = {"label"} if path.suffix.lower() == ".json" else set[str]()
        _need(path, tasks.union(*rows))
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

"""Triples in a table with a header: tabs, commas, semicolons or bars between its columns.

Bars may stand around the rows too, with a line of dashes below the header, as in Markdown; then
text may stand around the tables, and ``**bold**`` words in them.

The header names what stands where, by any name that the keys of the format ``json`` go by
(:data:`evaluator.readers.json_triples.ALIASES`), or by the names that are given; columns of other
names are kept in ``extra``. A row is read as an object of ``json``, so a blank cell says nothing.
Commas and semicolons follow the rules of the module csv: a cell in double quotes may hold them, and
line ends. Between tabs a quote may also be a word (:mod:`evaluator.readers._cells`), and between
bars it is; a row is one line there.
"""

import csv
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

from evaluator.model import Extraction, Rejects
from evaluator.readers import json_triples, refuse
from evaluator.readers._cells import cells
from evaluator.readers._json_values import JsonValue
from evaluator.readers.json_triples import ALIASES
from evaluator.readers.json_triples import KEYS as KEYS

NAME = "table"
KIND = "extractions"
DESCRIPTION = "a table (TSV, CSV) whose header names columns such as subject, relation, object"
TOLD_BY = "a header with names for a subject and a relation"
EXAMPLE = (
    "sentence\tsubject\tpredicate\tobject\tscore\n"
    "Lena Marsh founded Kelp .\tLena Marsh\tfounded\tKelp\t0.93\n"
    "Marek slept .\tMarek\tslept\t\t\n"
)
NAMELESS = "a column without a name left out"
LONG = f"a cell of more than {csv.field_size_limit():,} characters, between commas or semicolons"
NO_HEADER = "no header that names a subject and a relation, and each column once"
NO_SLOTS = "no subject or no relation"
AROUND = "text around a table left out"
WIDTH = "not as many columns as the header"

_SEPARATORS, _QUOTING = "\t,;|", ",;"
_DASHES = re.compile(r"\s*:?-+:?\s*")
_BAR, _EMPHASIS = re.compile(r"(?<!\\)\|"), re.compile(r"^(\*\*|__|`)(.+)\1$")
_MOST_ABOVE = 200  # lines of text above a table
_LONGEST = 50  # lines of a row: a quote too many must not swallow the file
_FLAGS = {"true": True, "false": False, "1": True, "0": False, "yes": True, "no": False}


def read(
    lines: Iterable[tuple[int, str]],
    *,
    system: str,
    rejects: Rejects,
    keys: Mapping[str, str] | None = None,
) -> Iterator[Extraction]:
    """Yield the triple of each row; count the others in `rejects`.

    Raises
    ------
    ConfigurationError
        If one of the `keys` is no column.
    """
    keys = keys or {}
    lines = iter(lines)
    header = _first_header(lines, keys, rejects)
    if header is None:
        return iter(())
    if "" in header.columns:
        rejects.note(NAMELESS)
    values = _objects(lines, header, keys, rejects)
    return json_triples.read_values(values, keys=keys, system=system, rejects=rejects)


def recognises(head: Sequence[str]) -> bool:
    """Tell whether these lines begin with a header of known names."""
    return is_headed(head, {})


def is_headed(head: Sequence[str], keys: Mapping[str, str]) -> bool:
    """Tell whether these lines begin with a header, of names that are known or given."""
    lines = enumerate(head, start=1)
    return _first_header(lines, keys, Rejects()) is not None


def _first_header(
    lines: Iterable[tuple[int, str]], keys: Mapping[str, str], rejects: Rejects
) -> "_Header | None":
    """Return the header that lines begin with, or that of Markdown below a few lines of text."""
    above: list[tuple[int, str]] = []
    for number, line in lines:
        header = None if above and not _is_bar(line) else _header(line, keys)
        if header is not None:
            rejects.settle([number, *(place for place, _ in above)])
            if above:
                rejects.note(AROUND)
            return header
        if line.strip():
            above.append((number, line))
        if len(above) > _MOST_ABOVE:
            break
    for place, text in above:
        refuse(rejects, NO_HEADER, place, text)
    return None


def _is_bar(line: str) -> bool:
    """Tell whether a line may be a row of Markdown."""
    return line.lstrip().startswith("|")


class _Header(NamedTuple):
    """What stands between columns, their names, and the places of subject and relation."""

    separator: str
    columns: list[str]
    slots: list[set[int]]
    bars: bool  # also around the rows


def _header(line: str, keys: Mapping[str, str]) -> _Header | None:
    """Return what a header says; None for another line.

    No name comes twice, but for those that are blank.
    """
    wanted = [
        {keys[field].casefold()} if field in keys else {key.casefold() for key in ALIASES[field]}
        for field in ("subject", "relation")
    ]
    for separator in _SEPARATORS:
        columns = [column.strip() for column in _cells([line], separator) or ()]
        names = [column.casefold() for column in columns]
        slots = [{place for place, name in enumerate(names) if name in one} for one in wanted]
        if all(slots) and len({*filter(None, names)}) == sum(map(bool, names)):
            return _Header(separator, columns, slots, _is_bar(line))
    return None


def _objects(
    lines: Iterator[tuple[int, str]], header: _Header, keys: Mapping[str, str], rejects: Rejects
) -> Iterator[JsonValue]:
    """Yield each row as an object of what its cells say."""
    flags = {keys.get(field, field).casefold() for field in ("negated", "asserted")}
    for number, line, row in _rows(lines, header, rejects):
        if [cell.strip() for cell in row] == header.columns or all(map(_DASHES.fullmatch, row)):
            continue  # files are put one after the other
        if not all(any(row[place].strip() for place in slot) for slot in header.slots):
            refuse(rejects, NO_SLOTS, number, line)
            continue
        said: dict[str, object] = {
            column: cell
            for column, cell in zip(header.columns, row, strict=True)
            if column and cell.strip()
        }
        for column in said:
            if column.casefold() in flags:
                said[column] = _FLAGS.get(str(said[column]).strip().casefold(), said[column])
        yield JsonValue(number, line, said)


def _rows(
    lines: Iterator[tuple[int, str]], header: _Header, rejects: Rejects
) -> Iterator[tuple[int, str, list[str]]]:
    """Yield the number of a row's first line, that line, and the cells; count what is no row."""
    separator, width = header.separator, len(header.columns)
    waiting: list[tuple[int, str]] = []
    while first := waiting.pop(0) if waiting else next(lines, None):
        is_text = header.bars and not _is_bar(first[1])
        if is_text or not first[1].strip():
            rejects.settle([first[0]])
            if first[1].strip():
                rejects.note(AROUND)
            continue
        held = [first]
        row = _cells([first[1]], separator)
        while row is None and len(held) < _LONGEST:
            if (line := waiting.pop(0) if waiting else next(lines, None)) is None:
                break
            held.append(line)
            if not _is_open(held):
                row = _cells([text for _, text in held], separator)
                break
        if row is not None and len(row) == width:
            rejects.settle(number for number, _ in held)
            yield *first, row
        else:
            too_long = row is None and len(first[1]) > csv.field_size_limit()
            refuse(rejects, LONG if too_long else WIDTH, *first)
            waiting = held[1:] + waiting


def _is_open(held: Sequence[tuple[int, str]]) -> bool:
    """Tell whether a quote is open at the end of lines: a quote inside a cell is doubled."""
    return sum(line.count('"') for _, line in held) % 2 == 1


def _cells(lines: Sequence[str], separator: str) -> list[str] | None:
    """Return the cells of a row; None where its quotes are wrong."""
    if separator == "\t":
        return cells(lines[0])
    if separator not in _QUOTING:
        within = lines[0].strip().removeprefix(separator).removesuffix(separator)
        cells_ = (cell.strip().replace(r"\|", "|") for cell in _BAR.split(within))
        return [_EMPHASIS.sub(r"\2", cell) for cell in cells_]
    with suppress(csv.Error):
        ended = (f"{line}\n" for line in lines)
        return next(csv.reader(ended, delimiter=separator, strict=True), [])
    return None

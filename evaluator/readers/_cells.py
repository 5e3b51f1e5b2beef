"""Columns between tabs, by the rules of the module csv: a cell may stand in double quotes.

Spreadsheets and pandas write a cell so that holds a quote, which is doubled inside, or a tab. A
cell that only looks like it stays as it is: a quote before a space is a word of tokenised text, and
one inside that is not doubled is no end.
"""

import re

from evaluator.model import Rejects

UNQUOTED = "quoted cells, read without their quotes"

_CELL = re.compile(r'"((?! )(?:[^"]|"")*+)"(?=\t|\Z)|[^\t]*+')
_QUOTED = re.compile(r'"(?! )(?:[^"]|"")*+"')


def cells(line: str, rejects: Rejects | None = None) -> list[str]:
    """Return the columns of a line; note in `rejects` that some were in quotes."""
    if '"' not in line:
        return line.split("\t")
    columns: list[str] = []
    place = 0
    unquoted = False
    while place <= len(line):
        found = _CELL.match(line, place)
        assert found is not None  # the pattern matches nothing too
        quoted = found[1] is not None
        unquoted |= quoted
        columns.append(found[1].replace('""', '"') if quoted else found[0])
        place = found.end() + 1
    if unquoted and rejects is not None:
        rejects.note(UNQUOTED)
    return columns


def cell(text: str) -> str:
    """Return how a column is written that :func:`cells` reads as `text`."""
    return '"' + text.replace('"', '""') + '"' if _QUOTED.fullmatch(text) else text

"""Facts without sentences: tab-separated, with a header.

The header names at least ``e1``, ``r`` and ``e2``: two identifiers in any written form, and the
relation phrase. ``name1`` and ``name2`` say what the text called the entities; they stand for
those that the knowledge base does not know. Columns come in any order, others are passed over.
"""

from collections.abc import Iterable, Iterator, Sequence

from evaluator.facts.given import GivenFact
from evaluator.model import Rejects
from evaluator.readers import RecordError, one_per_line, refuse
from evaluator.readers._cells import cells

NAME = "facts"
KIND = "facts"
DESCRIPTION = "tab-separated columns with the header e1, r, e2, and name1?, name2?"
TOLD_BY = "a header with the columns e1, r, e2"
EXAMPLE = "e1\tr\te2\tname1\tname2\n/m/0abc12\twas born in\t/m/05l64\tLena Marsh\tOslo\n"


def read(lines: Iterable[tuple[int, str]], *, system: str, rejects: Rejects) -> Iterator[GivenFact]:
    """Return one fact per line after the header; count the others in `rejects`."""
    lines = iter(lines)
    number, header = next(lines, (1, ""))
    columns = cells(header)
    if not _is_header(columns):
        refuse(rejects, "no header with the columns e1, r, e2", number, header)
        return iter(())
    rejects.settle([number])

    def fact(line: str, system: str, number: int) -> GivenFact:
        if not line.strip():
            raise RecordError("blank line")
        fields = cells(line)
        if len(fields) != len(columns):
            raise RecordError("not as many columns as the header")
        record = dict(zip(columns, fields, strict=True))
        return GivenFact(
            system,
            number,
            e1=record["e1"],
            relation=record["r"],
            e2=record["e2"],
            name1=record.get("name1", ""),
            name2=record.get("name2", ""),
        )

    return one_per_line(lines, fact, system=system, rejects=rejects)


def recognises(head: Sequence[str]) -> bool:
    """Tell whether these first lines of a file are of this format: its header says so."""
    return bool(head) and _is_header(cells(head[0]))


def _is_header(columns: Sequence[str]) -> bool:
    return {"e1", "r", "e2"} <= set(columns) and len(set(columns)) == len(columns)

"""Raters' judgements from files of any form: label sheets, label folders and matrices.

A matrix has a header and one row for every item: the column ``item``, or ``e1``, ``r`` and ``e2``,
and a column for each rater, named by the rater, with true/false, yes/no, correct/incorrect or 1/0,
or nothing, or "NA" and the like, where that rater did not judge. The header decides: a column
``label`` makes it a sheet (:mod:`evaluator.labels.label`, :mod:`evaluator.labels.sheets`).
"""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from evaluator.errors import InputError
from evaluator.labels.answers import ANSWERS, read_answers
from evaluator.labels.label import (
    MISSING,
    SKIP,
    Label,
    is_missing,
    judgement,
    read_labels,
    tell_twice,
)
from evaluator.labels.sheets import FACT as ABOUT_FACTS
from evaluator.labels.sheets import read_sheet
from evaluator.model import Rejects
from evaluator.tables import check_header, read_delimited, table_text

type RatedItem = tuple[str, ...]
"""What was judged: (e1, r, e2), or the one word in the column ``item``."""

_FACT = ("e1", "r", "e2")
_EXPECTED = (
    "expected a header with e1, r, e2, label and rater, or with item (or e1, r, e2) and one column "
    "for each rater"
)
_NO_RATER = {*ABOUT_FACTS, "item", "stated", "comment"}

type _Rating = tuple[str, str, RatedItem, bool]
"""Where it stands, rater, what was judged, and the judgement."""

type _Row = tuple[str, Sequence[str]]
"""Where a row stands, file and line, and its cells."""


def read_ratings(paths: Iterable[Path], *, rejects: Rejects) -> dict[str, dict[RatedItem, bool]]:
    """Return what the raters in all files say, as rater to item to judgement.

    A rater of the same name in two files is the same rater; the first judgement that a rater gives
    of an item counts.

    Parameters
    ----------
    paths
        Sheets, matrices or label folders.
    rejects
        Receives judgements that do not count, with file and line: "labelled twice by one rater",
        "skip", "missing", "unknown label", "item without a name", "more cells than columns", and
        the reasons of the readers of sheets.

    Raises
    ------
    InputError
        If a file cannot be read, is none of these, or holds no judgement.
    """
    table: dict[str, dict[RatedItem, bool]] = {}
    for path in paths:
        own = Rejects()
        found = _ratings(path, own)
        rejects.merge([own])
        for where, rater, item, judged in found:
            judgements = table.setdefault(rater, {})
            if item in judgements:
                said, before = (str(one).lower() for one in (judged, judgements[item]))
                tell_twice(rejects, where, item, rater, said, before)
            else:
                judgements[item] = judged
    return table


def _ratings(path: Path, rejects: Rejects) -> list[_Rating]:
    if path.is_dir():
        if not (path / ANSWERS).is_file():
            what = f"no {ANSWERS} in this folder; expected a label folder with answers, or a file"
            raise InputError(path, what)
        found = _of_labels(path, read_answers(path, rejects=rejects))
    elif path.suffix.lower() in (".json", ".jsonl"):
        found = _of_labels(path, read_sheet(path, rejects=rejects))
    else:
        text = table_text(path, expected=_EXPECTED)
        header, rows = read_delimited(path, text, rejects=rejects)
        names = [name.casefold() for name in header]
        if {*_FACT, "label"} <= {*names}:
            handed_out = path.suffix.lower() == ".csv" or "id" in names
            read = read_sheet if handed_out else read_labels
            found = _of_labels(path, read(path, rejects=rejects))
        else:
            found = list(_of_matrix(path, header, list(rows), rejects))
    if not found:
        told = ", ".join(f"{n:,} × {reason}" for reason, n in rejects.counts.items())
        raise InputError(path, f"no judgement to use ({told or 'nothing is answered'})")
    return found


def _of_labels(path: Path, labels: Iterable[Label]) -> list[_Rating]:
    return [(str(path), label.rater, label.item, label.label) for label in labels]


def _of_matrix(
    path: Path, header: Sequence[str], rows: Sequence[_Row], rejects: Rejects
) -> Iterator[_Rating]:
    names = [name.casefold() for name in header]
    key = _FACT if {*_FACT} <= {*names} else ("item",)
    raters = {n: name for n, name in enumerate(header) if name and names[n] not in _NO_RATER}
    if "label" in names or not {*key} <= {*names} or not raters:
        raise InputError(path, f"neither labels nor a matrix of raters; {_EXPECTED}", line=1)
    nameless = [n for n, name in enumerate(header, start=1) if not name]
    for n in nameless:
        if any(cells[n - 1] for _, cells in rows):
            raise InputError(path, f"column {n} has no name: which rater is it of?", line=1)
    if len({*raters.values()}) < len(raters):
        raise InputError(path, "two columns have the name of one rater", line=1)
    check_header(path, [name for n, name in enumerate(names) if n not in raters])
    places = [names.index(name) for name in key]
    unknown: dict[str, str] = {}
    known = set()
    for where, cells in rows:
        item = tuple(cells[place] for place in places)
        if not all(item):
            rejects.add("item without a name", f"{where}: {' '.join(cells)}")
            continue
        for place, rater in raters.items():
            said = judgement(cells[place])
            if said is None:
                unknown.setdefault(rater, cells[place])
                rejects.add("unknown label", f"{where}, {rater}: {cells[place]}")
            elif said:
                known.add(rater)
                if said == SKIP:
                    rejects.add(SKIP, f"{where}, {rater}: {' '.join(item)}")
                else:
                    yield where, rater, item, said == "true"
            elif is_missing(cells[place]):
                rejects.add(MISSING, f"{where}, {rater}: {cells[place]}")
    for rater in (rater for rater in unknown if rater not in known):
        what = f'column "{rater}" holds no judgement ("{unknown[rater]}"): expected true or false'
        raise InputError(path, what)

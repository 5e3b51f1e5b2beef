"""Sheets for raters: facts to label, handed out and read back, in several formats.

``.csv``
    For spreadsheets: comma-separated, quoted where needed, lines ended by CR LF, UTF-8 with a byte
    order mark (without it Excel takes the file for another encoding). Read with semicolons and tabs
    too, as a spreadsheet saves it where the comma is the decimal sign.
``.tsv``
    Tab-separated, nothing quoted, as :mod:`evaluator.labels.label` reads it.
``.jsonl``
    One JSON object a line.
``.json``, ``.jsonl``
    Tasks for a labelling tool as well (:data:`evaluator.labels.sheet_formats.TOOLS`), and beside
    them what it needs to ask our questions; what it exports is read back.

A sheet asks two things. ``label``: is the fact *true in the world*? One of true, false, "link
wrong" (a name is not the entity that it is linked to) and skip. ``stated``: does *this sentence*
state it? yes or no. An empty ``label`` is not answered yet. ``comment`` is free.

A cell that begins like a formula would be computed when the sheet is opened, and texts come from
anywhere: in .csv and .tsv it is guarded by an apostrophe, which reading takes away.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from evaluator.labels.label import (
    LINK_WRONG,
    SKIP,
    Judgement,
    Label,
    first_labels,
    judgement,
    stated_word,
    yes_or_no,
)
from evaluator.labels.label_studio import account_name
from evaluator.labels.questions import ACCOUNT, Question
from evaluator.labels.sheet_formats import NEEDED, TOOLS, read_cells, write_cells, write_tasks
from evaluator.model import Rejects
from evaluator.tables import Row

BESIDE = ("extracted", "about1", "about2")
FACT = ("id", "e1", "name1", "r", "name2", "e2", "sentence", *BESIDE, "document")
COLUMNS = (*FACT, "label", "stated", "comment", "rater")


class Answer(NamedTuple):
    """What one rater says of one fact: a row of a sheet.

    Attributes
    ----------
    id, e1, r, e2
        The fact; `id` may be empty, or all but it, and a spreadsheet may have taken any of them for
        a number.
    said
        The label; empty where it is not answered yet.
    stated
        Whether the sentence states it; None where not answered.
    comment, rater
        As in the sheet.
    where
        File and line, or task, that it is from.
    """

    id: str
    e1: str
    r: str
    e2: str
    said: Judgement
    stated: bool | None
    comment: str
    rater: str
    where: str = ""

    @property
    def label(self) -> Label | None:
        """The label; None where it is skipped or not answered yet."""
        if self.said in ("", SKIP):
            return None
        return Label(
            self.e1,
            self.r,
            self.e2,
            self.said == "true",
            self.rater,
            stated=self.stated,
            link_wrong=self.said == LINK_WRONG,
        )

    def as_json(self) -> dict[str, str]:
        """Return the answer as a row of a JSON Lines sheet."""
        fact = {"id": self.id, "e1": self.e1, "r": self.r, "e2": self.e2, "label": self.said}
        stated = stated_word(self.stated)
        return {**fact, "stated": stated, "comment": self.comment, "rater": self.rater}


def write_sheet(
    path: Path, questions: Iterable[Question], *, rater: str, form: str | None = None
) -> None:
    """Write a sheet for `rater` to fill in; whole, or not at all.

    Parameters
    ----------
    path
        The sheet, with the suffix of its format.
    questions
        The facts.
    rater
        Who is to label them.
    form
        One of :data:`evaluator.labels.sheet_formats.SHEET_FORMATS`; None for that of the suffix.

    Raises
    ------
    InputError
        If the suffix is that of no format, or the file cannot be written.
    """
    json_is = "label-studio" if path.suffix.lower() == ".json" else ""
    tool, _ = TOOLS.get(form or "", TOOLS.get(json_is, (None, "")))
    if tool is not None:
        write_tasks(path, questions, rater=rater, tool=tool)
    else:
        rows = ({**question._asdict(), "rater": rater} for question in questions)
        write_cells(path, COLUMNS, rows)


def read_sheet(path: Path, *, rejects: Rejects) -> list[Label]:
    """Return the labels of a filled sheet, in its order; rows not answered yet give none.

    The first label that a rater gives to a fact counts. See :func:`read_rows` for who the rater is.

    Parameters
    ----------
    path
        A sheet that was written by :func:`write_sheet`, or what a labelling tool exports.
    rejects
        Receives "skip", "fact known by its id alone", "labelled twice by one rater", and the
        reasons of :func:`read_rows`.

    Raises
    ------
    InputError
        If the file cannot be read or is no sheet.
    """
    rows = read_rows(path, rejects=rejects)
    for row in rows:
        if row.said == SKIP:
            rejects.add(SKIP, f"{row.where}: {row.e1} {row.r} {row.e2}")
        elif row.said and not row.e1:
            rejects.add("fact known by its id alone", f"{row.where}: {row.id}")
    labels = ((row.where, label) for row in rows if row.e1 and (label := row.label))
    return list(first_labels(labels, rejects=rejects))


def read_rows(path: Path, *, rejects: Rejects) -> list[Answer]:
    """Return all rows of a sheet, also those skipped and those not answered yet.

    The rater is the account of the tool that answered, always, or one person would have two names
    in two exports; else the column ``rater``, or the name of the file without its suffix.
    Tasks that nobody has answered yet go to the account where the file tells of one only.

    Parameters
    ----------
    path
        As for :func:`read_sheet`.
    rejects
        Receives rows that cannot be used, with file and line: "unknown label", "no entity", "not a
        text", and the reasons of :func:`evaluator.labels.sheet_formats.read_cells`; and, though the
        row counts, "unknown word for stated".

    Raises
    ------
    InputError
        If the file cannot be read or is no sheet.
    """
    cells = (_as_texts(row, rejects) for row in read_cells(path, rejects=rejects))
    rows = [row for row in cells if row is not None]
    accounts = {row[ACCOUNT] for row in rows if row.get(ACCOUNT)}
    alone = accounts.pop() if len(accounts) == 1 else ""
    found = []
    for row in rows:
        names = (row.get(ACCOUNT, ""), alone, row.get("rater", "").strip(), path.stem)
        answer = _answer(row, next(filter(None, names)), rejects)
        if answer:
            found.append(answer)
    return found


def _answer(row: Row[str], rater: str, rejects: Rejects) -> Answer | None:
    e1, r, e2, word = (row.get(column, "") for column in NEEDED)
    said = judgement(word)
    if said is None:
        rejects.add("unknown label", f"{row.where}: {word}")
        return None
    identifier = row.get("fact") or row.get("id", "")
    # The relation may have no content word. Some tools give back no more than an id.
    if not (e1.strip() and e2.strip()) and not (identifier and "e1" not in row):
        rejects.add("no entity", f"{row.where}: {e1} {r} {e2}")
        return None
    stated = yes_or_no(row.get("stated", ""), rejects=rejects, where=row.where)
    comment = row.get("comment", "").strip()
    return Answer(identifier, e1, r, e2, said, stated, comment, rater, row.where)


def _is_text(name: str) -> bool:
    """Tell whether a name can be written; half a surrogate pair, which JSON can escape, cannot."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def _as_texts(row: Row[Any], rejects: Rejects) -> Row[str] | None:
    """Return the cells that we read as text; None, counted, where one is no text."""
    wanted = (*COLUMNS, "fact", ACCOUNT)
    cells = {name: row[name] for name in wanted if row.get(name) is not None}
    if ACCOUNT in cells:
        cells[ACCOUNT] = account_name(cells[ACCOUNT])
    names = (str(cells.get(name, "")) for name in ("rater", ACCOUNT))
    if any(isinstance(cell, list | dict) for cell in cells.values()) or not all(
        map(_is_text, names)
    ):
        rejects.add("not a text", f"{row.where}: {dict(row)}")
        return None
    # str(True) is a word for a label, str(1) too.
    return Row({name: str(cell) for name, cell in cells.items()}, row.where)

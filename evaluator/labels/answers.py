"""A label folder: which facts were drawn to be labelled, and all answers given so far.

``design.json`` holds the facts drawn, ``answers.jsonl`` every rater's answers (a sheet itself, in
the format of :mod:`evaluator.labels.sheets`), ``adjudicate.csv`` the facts on which raters differ:
the sheet of the rater "adjudicator"; ``accounts.json`` who the accounts of a labelling tool are.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from evaluator.errors import InputError
from evaluator.labels.accounts import check_known, joined, read_accounts, write_accounts
from evaluator.labels.design_file import read_questions
from evaluator.labels.label import SKIP, UNKNOWN_STATED, Label, stated_word, tell_twice
from evaluator.labels.questions import Question
from evaluator.labels.raters import ADJUDICATOR, disputes
from evaluator.labels.sheet_formats import write_cells
from evaluator.labels.sheets import COLUMNS, Answer, read_rows
from evaluator.model import Item, Rejects
from evaluator.printable import one_line
from evaluator.text import normalise
from evaluator.whole_files import write_whole

ANSWERS = "answers.jsonl"
ADJUDICATE = "adjudicate.csv"


class SheetCounts(NamedTuple):
    """What one sheet gave.

    Attributes
    ----------
    sheet
        The file.
    answered, skipped, unanswered
        Rows with a label, with "skip", and without an answer yet.
    unused
        Rows that change nothing, since they cannot be read or are of no fact drawn.
    """

    sheet: Path
    answered: int
    skipped: int
    unanswered: int
    unused: int


class Gathered(NamedTuple):
    """A label folder after sheets were taken in.

    Attributes
    ----------
    drawn
        Facts in the design.
    sheets
        What each sheet gave.
    withdrawn
        Answers given earlier that their rater's sheet now leaves empty.
    answers
        All answers there are now to facts drawn, by rater and fact.
    disputed
        Facts drawn on which raters differ.
    adjudicated
        Those among them that the adjudicator has answered.
    """

    drawn: int
    sheets: list[SheetCounts]
    withdrawn: int
    answers: list[Answer]
    disputed: int
    adjudicated: int


def read_answers(folder: Path, *, rejects: Rejects) -> list[Label]:
    """Return the labels in a label folder, one of each rater for a fact.

    Parameters
    ----------
    folder
        The label folder.
    rejects
        Receives "skip".

    Raises
    ------
    InputError
        If no answers were taken in, or their file is damaged.
    """
    answers = _stored(folder).values()
    if not answers:
        how = f"take them in with distval label import {folder} SHEETS"
        raise InputError(folder, f"no answers yet; {how}")
    for answer in answers:
        if answer.said == SKIP:
            rejects.add(SKIP, f"{answer.where}: {' '.join(answer[1:4])}")
    return [label for answer in answers if (label := answer.label)]


def gather(
    folder: Path,
    sheets: Iterable[Path],
    *,
    accounts: Mapping[str, str] = MappingProxyType({}),
    show_answers: bool = False,
    rejects: Rejects,
) -> Gathered:
    """Take the answers of `sheets` into a label folder; all of them, or nothing if one is no sheet.

    A row belongs to the fact of its id, or, where a spreadsheet has spoilt that, to the fact that
    it names. What a rater's sheet says of a fact replaces what was known of that rater and fact,
    also where it is left empty now (unless the whole sheet is); everything else stays. Answers that
    wait in ``adjudicate.csv`` are taken in too, so that none is lost when it is written anew.

    Parameters
    ----------
    folder
        The label folder.
    sheets
        Files that :func:`evaluator.labels.sheets.read_rows` reads.
    accounts
        Raters by their account in a labelling tool; kept in the folder for later exports. What such
        an account has answered already is its rater's too.
    show_answers
        Whether ``adjudicate.csv`` has a column with the raters' answers. It is better judged blind.
    rejects
        Receives rows that answer nothing: "not drawn", "id of another fact", "labelled twice by one
        rater", and the reasons of :func:`evaluator.labels.sheets.read_rows`.

    Raises
    ------
    InputError
        If the folder has no design, or a sheet cannot be read.
    ConfigurationError
        If one of `accounts` has answered nothing, or had another name before.
    """
    questions = read_questions(folder)
    names = joined(read_accounts(folder), accounts)
    known = _stored(folder)
    seen = {answer.rater for answer in known.values()}
    waiting = _own(folder / ADJUDICATE)
    paths = list({path.resolve(): path for path in sheets}.values())
    unused = {path: Rejects() for path in paths}
    given = [(path, _drawn(path, questions, unused[path])) for path in paths]
    check_known(accounts, {*seen, *(answer.rater for _, rows in given for answer in rows)})
    given = [(path, [_named(answer, names) for answer in rows]) for path, rows in given]
    # What somebody has said by name goes before what the same account has.
    by_name = sorted(known.values(), key=lambda answer: answer.rater in names)
    known = _one_each((_named(answer, names) for answer in by_name), rejects)
    if waiting.exists() and waiting.resolve() not in {path.resolve() for path in paths}:
        # What the sheets say of the adjudicator goes before what waits there.
        unused[waiting] = Rejects()
        kept = _drawn(waiting, questions, unused[waiting])
        said = {_key(answer) for _, rows in given for answer in rows if answer.said}
        given.append((waiting, [answer for answer in kept if _key(answer) not in said]))
    rejects.merge(unused.values())
    # A sheet that nobody has filled takes nothing back.
    new = (
        answer
        for _, rows in given
        for answer in rows
        if _key(answer) not in known or any(row.said for row in rows)
    )
    taken = _one_each(new, rejects)
    withdrawn = sum(
        not a.said and key in known and known[key].said != "" for key, a in taken.items()
    )
    known = _said(known | taken)
    if accounts:
        write_accounts(folder, names)
    _store(folder, known)
    drawn = {question.id for question in questions}
    answers = [answer for answer in known.values() if answer.id in drawn]
    labels = [label for answer in answers if (label := answer.label)]
    disputed = set(disputes(labels))
    in_dispute = [question for question in questions if _item(question) in disputed]
    _write_adjudication(waiting, in_dispute, known, show_answers=show_answers)
    return Gathered(
        drawn=len(questions),
        sheets=[_counts(path, rows, unused[path]) for path, rows in given],
        withdrawn=withdrawn,
        answers=answers,
        disputed=len(disputed),
        adjudicated=len(disputed & {x.item for x in labels if x.rater == ADJUDICATOR}),
    )


def add_answer(folder: Path, answer: Answer) -> None:
    """Put one answer into a label folder; on disk when this returns.

    It replaces what its rater said of the fact before. One that says nothing takes that back. Only
    one process may do so at a time.

    Raises
    ------
    InputError
        If the answers that there are cannot be read, or the file not written.
    """
    _store(folder, _said(_stored(folder) | {_key(answer): answer}))


def all_answers(folder: Path) -> list[Answer]:
    """Return every answer in a label folder, by rater and fact; those that are skipped too.

    Raises
    ------
    InputError
        If they cannot be read.
    """
    return list(_stored(folder).values())


type _Key = tuple[str, str]


def _key(answer: Answer) -> _Key:
    return answer.rater, answer.id


def _item(question: Question) -> Item:
    return question.e1, question.r, question.e2


def _stored(folder: Path) -> dict[_Key, Answer]:
    path = _own(folder / ANSWERS)
    if not path.is_file() or not path.stat().st_size:
        return {}
    rejects = Rejects()
    known = {_key(answer): answer for answer in read_rows(path, rejects=rejects)}
    if rejects.total:
        reason, place = next(iter(rejects.examples.items()))
        what = f"damaged ({reason}); mend or remove this line of it: {one_line(place)}"
        raise InputError(path, what)
    return known


def _said(answers: Mapping[_Key, Answer]) -> dict[_Key, Answer]:
    """Return the answers that say something, in order."""
    return {
        key: answer
        for key, answer in sorted(answers.items())
        if answer.said or answer.comment or answer.stated is not None
    }


def _store(folder: Path, answers: Mapping[_Key, Answer]) -> None:
    lines = (json.dumps(a.as_json(), ensure_ascii=False) + "\n" for a in answers.values())
    write_whole(_own(folder / ANSWERS), "".join(lines))


def _own(file: Path) -> Path:
    """Return a file of the folder that is written anew; refuse one that is somewhere else."""
    if file.is_symlink():
        raise InputError(file, "is a symbolic link; put the file itself in its place")
    return file


def _drawn(path: Path, questions: Sequence[Question], rejects: Rejects) -> list[Answer]:
    """Return the rows of a sheet that belong to facts drawn, with these facts' own names."""
    by_id = {question.id: question for question in questions}
    by_fact = {_plain(*_item(question)): question for question in questions}
    found = []
    for answer in read_rows(path, rejects=rejects):
        named = by_id.get(answer.id.casefold())
        written = by_fact.get(_plain(answer.e1, answer.r, answer.e2))
        question = named or written
        if question is None:
            told = " ".join(answer[1:4]).strip() or answer.id
            rejects.add("not drawn", f"{answer.where}: {told}")
        elif named and written and named != written:
            # The columns of a sheet were sorted apart: who knows which fact was judged.
            rejects.add("id of another fact", f"{answer.where}: {' '.join(answer[:4])}")
        else:
            e1, r, e2 = _item(question)
            found.append(answer._replace(id=question.id, e1=e1, r=r, e2=e2))
    return found


def _named(answer: Answer, names: Mapping[str, str]) -> Answer:
    return answer._replace(rater=names.get(answer.rater, answer.rater))


def _plain(*fact: str) -> tuple[str, ...]:
    return tuple(" ".join(normalise(part).split()) for part in fact)


def _one_each(answers: Iterable[Answer], rejects: Rejects) -> dict[_Key, Answer]:
    """Return the first answer of each rater to each fact; none gives way, and "skip" to a label."""
    first: dict[_Key, Answer] = {}
    for answer in answers:
        before = first.get(_key(answer))
        if before is None or not before.said or (before.said == SKIP and answer.label):
            first[_key(answer)] = answer
        elif answer.said and not (answer.said == SKIP and before.label):
            tell_twice(rejects, answer.where, answer[1:4], answer.rater, answer.said, before.said)
    return first


def _counts(path: Path, rows: Sequence[Answer], rejects: Rejects) -> SheetCounts:
    skipped = sum(row.said == SKIP for row in rows)
    unanswered = sum(not row.said for row in rows)
    unused = rejects.total - rejects.counts.get(UNKNOWN_STATED, 0)  # of which the rest counts
    return SheetCounts(path, len(rows) - skipped - unanswered, skipped, unanswered, unused)


def _write_adjudication(
    path: Path, questions: Sequence[Question], known: Mapping[_Key, Answer], *, show_answers: bool
) -> None:
    """Write the facts in dispute as the adjudicator's sheet; leave none where there is no dispute.

    The adjudicator's own answers stay in it.
    """
    if not questions:
        path.unlink(missing_ok=True)
        return
    said: dict[str, list[str]] = {}
    for answer in known.values():
        if answer.rater != ADJUDICATOR and answer.said:
            stated = f", stated: {word}" if (word := stated_word(answer.stated)) else ""
            said.setdefault(answer.id, []).append(f"{answer.rater}: {answer.said}{stated}")
    rows = []
    for question in questions:
        own = known.get((ADJUDICATOR, question.id))
        answers = "; ".join(said[question.id])
        rows.append(
            {**question._asdict(), **(own.as_json() if own else {}), "rater": ADJUDICATOR}
            | ({"answers": answers} if show_answers else {})
        )
    write_cells(path, (*COLUMNS, "answers") if show_answers else COLUMNS, rows)

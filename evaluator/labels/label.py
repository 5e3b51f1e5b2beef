"""Human labels of facts: tables of them, in and out.

A sheet has a header with the columns ``e1``, ``r``, ``e2``, ``label`` and, where several people
labelled, ``rater``; ``stated`` tells whether the sentence says it. Other columns (snippets,
comments) may be there and are not read. A label is true/false, yes/no, correct/incorrect or 1/0, in
any case, or "link wrong"; "skip" is no label, and what programs write for a missing value ("NA",
"nan", "None") is none either. Sheets to hand out, in more formats, are in
:mod:`evaluator.labels.sheets`.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final, Literal, NamedTuple

from evaluator.errors import InputError
from evaluator.model import Item, Rejects
from evaluator.tables import read_table, write_table

COLUMNS = ("e1", "r", "e2", "label", "rater")

# A spreadsheet takes "true" for its truth value and writes that in the language of its user.
_TRUE_ABROAD = """
wahr vrai verdadero vero verdadeiro waar sant sand sann tosi prawda pravda igaz истина doğru
"""
_FALSE_ABROAD = """
falsch faux falso onwaar falskt falsk usann epätosi fałsz nepravda hamis ложь yanliş
"""

TRUE = frozenset({"true", "yes", "correct", "1", *_TRUE_ABROAD.split()})
FALSE = frozenset({"false", "no", "incorrect", "0", *_FALSE_ABROAD.split()})
UNKNOWN_STATED = "unknown word for stated"
"""Why a word is counted that does not tell whether a sentence states a fact; its row counts."""

SKIP: Final = "skip"
LINK_WRONG: Final = "link wrong"
MISSING: Final = "missing"
"""Why a row gives no label whose cell says that there is none."""

_MISSING = frozenset({"na", "n/a", "#n/a", "<na>", "nan", "none", "null", "nil", "-", "–", "—"})

# A column with a missing value holds decimal numbers where it is read and written by pandas.
_WHOLE = re.compile(r"([01])[.,]0+")

type Judgement = Literal["true", "false", "link wrong", "skip", ""]
"""What the column ``label`` of a sheet says; empty where it is not answered yet."""


class Label(NamedTuple):
    """One rater's judgement of a fact.

    Attributes
    ----------
    e1, r, e2
        The fact, in the words or identifiers of the sheet.
    label
        Whether the rater calls it correct: true in the world.
    rater
        Who judged.
    stated
        Whether the sentence that it is from states it; None where not asked or not answered.
    link_wrong
        Whether a name is not the entity that it is linked to; then `label` is False.
    """

    e1: str
    r: str
    e2: str
    label: bool
    rater: str
    stated: bool | None = None
    link_wrong: bool = False

    @property
    def item(self) -> Item:
        """What was judged: (e1, r, e2)."""
        return self[:3]


def judgement(word: str) -> Judgement | None:
    """Return what a word in the column ``label`` says; None if it is not among the known words."""
    said = _plain(word)
    if said in TRUE:
        return "true"
    if said in FALSE:
        return "false"
    if said in (LINK_WRONG, "link_wrong", "link-wrong", "wrong link"):
        return LINK_WRONG
    return SKIP if said == SKIP else "" if not said or is_missing(said) else None


def is_missing(word: str) -> bool:
    """Tell whether a cell says in so many words that it has no value."""
    return word.strip().casefold() in _MISSING


def _plain(word: str) -> str:
    said = " ".join(word.casefold().split())
    whole = _WHOLE.fullmatch(said)
    return whole[1] if whole else said


def yes_or_no(word: str, *, rejects: Rejects, where: str) -> bool | None:
    """Return what a word in the column ``stated`` says; None where it is empty or missing.

    Another word is None too, and counted as "unknown word for stated"; `where` is its place.
    """
    said = _plain(word)
    if not said or is_missing(said):
        return None
    if said not in TRUE | FALSE:
        rejects.add(UNKNOWN_STATED, f"{where}: {word}")
        return None
    return said in TRUE


def read_labels(path: Path, *, rejects: Rejects) -> list[Label]:
    """Return the labels of a sheet, in its order.

    Without a column ``rater`` the sheet is one rater's, named by the file without its suffix. The
    first label that a rater gives to a fact counts.

    Parameters
    ----------
    path
        The sheet: a table (:mod:`evaluator.tables`).
    rejects
        Receives every row that is no label, with its file and line: "skip", "not answered",
        "missing", "unknown label", "empty field", "labelled twice by one rater", and the reasons
        of :func:`evaluator.tables.read_table`; and, though the label counts, "unknown word for
        stated".

    Raises
    ------
    InputError
        If the file cannot be read, has no such header, or holds no label.
    """

    def labels() -> Iterator[tuple[str, Label]]:
        for row in read_table(path, columns=COLUMNS[:4], rejects=rejects):
            e1, r, e2, word = (row[column] for column in COLUMNS[:4])
            said = judgement(word)
            if not (e1 and r and e2):
                rejects.add("empty field", f"{row.where}: {e1} {r} {e2}")
            elif said is None or said in ("", SKIP):
                without = MISSING if is_missing(word) else "not answered"
                reason = "unknown label" if said is None else said or without
                rejects.add(reason, f"{row.where}: {word}")
            else:
                label = Label(
                    e1,
                    r,
                    e2,
                    said == "true",
                    row.get("rater") or path.stem,
                    stated=yes_or_no(row.get("stated", ""), rejects=rejects, where=row.where),
                    link_wrong=said == LINK_WRONG,
                )
                yield row.where, label

    found = list(first_labels(labels(), rejects=rejects))
    if not found:
        reasons = ", ".join(f"{count} × {reason}" for reason, count in rejects.counts.items())
        raise InputError(path, f"no label to use ({reasons or 'nothing below the header'})")
    return found


def write_labels(path: Path, labels: Iterable[Label]) -> None:
    """Write `labels` as a tab-separated sheet that :func:`read_labels` reads; whole, or not at all.

    Tabs and line ends inside a field become spaces. There is a column ``stated`` where some label
    says so.

    Raises
    ------
    InputError
        If the file cannot be written.
    """
    written = list(labels)
    columns: tuple[str, ...] = (*COLUMNS, "stated")
    if all(label.stated is None for label in written):
        columns = COLUMNS
    rows = ((*x.item, word_of(x), x.rater, stated_word(x.stated)) for x in written)
    write_table(path, columns, (row[: len(columns)] for row in rows))


def word_of(label: Label) -> Judgement:
    """Return the word for `label` in a sheet: "true", "false" or "link wrong"."""
    return LINK_WRONG if label.link_wrong else "true" if label.label else "false"


def stated_word(stated: bool | None) -> str:
    """Return the word for `stated` in a sheet: "yes", "no", or nothing."""
    return "" if stated is None else "yes" if stated else "no"


def first_labels(labels: Iterable[tuple[str, Label]], *, rejects: Rejects) -> Iterator[Label]:
    """Yield the first label of every rater for every fact; count the others, with both words.

    Each label comes with its place: its file and line.
    """
    seen: dict[tuple[Item, str], Judgement] = {}
    for where, label in labels:
        vote = (label.item, label.rater)
        if vote in seen:
            tell_twice(rejects, where, label.item, label.rater, word_of(label), seen[vote])
        else:
            seen[vote] = word_of(label)
            yield label


def tell_twice(
    rejects: Rejects, where: str, item: Sequence[str], rater: str, said: str, before: str
) -> None:
    """Count a label that its rater has given before, with what was said both times."""
    told = f"{where}: {' '.join(item)}, {rater}: {said}, and {before} before, which counts"
    rejects.add("labelled twice by one rater", told)


def majority(labels: Iterable[Label]) -> dict[Item, bool | None]:
    """Return what most raters say of each fact; None where as many say true as false."""
    balance: Counter[Item] = Counter()
    for label in labels:
        balance[label.item] += 1 if label.label else -1
    return {item: votes > 0 if votes else None for item, votes in balance.items()}


def ratings(labels: Iterable[Label]) -> dict[str, dict[Item, bool]]:
    """Return the labels as rater to fact to judgement, for :mod:`evaluator.labels.agreement`."""
    table: dict[str, dict[Item, bool]] = {}
    for label in labels:
        table.setdefault(label.rater, {}).setdefault(label.item, label.label)
    return table

"""doccano: documents and labels of a text classification project, and its exports.

A project has one set of labels for both questions, so it must allow several labels of a document.
It shows a plain text: the fact, and the sentence with the elements in brackets, [e1]₁ [r]ᵣ [e2]₂.
What else a document has comes back in the export. An export is a zip archive with a file for each
member, named after the account; where members share their labels it is ``all``, and the rater is
the one whom the document was dealt to. In CSV it joins labels, and comments, by "#".
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from evaluator.labels.questions import ACCOUNT, ASKED, COMMENT, ELEMENTS, Question, carried
from evaluator.model import Rejects

LABELS = "doccano-labels.json"
"""Name of the file with the labels, beside the documents."""

_SHARED = "all"  # name of the export of a project whose members share their labels
_COMMENTS = ("Comments", "comments")  # names of columns are read in small letters
_SIGNS = dict(zip(ELEMENTS, "₁ᵣ₂", strict=True))
_COLOURS = ("#2e7d32", "#c62828", "#ad1457", "#616161", "#1565c0", "#5d4037")

# Label of the project to question and answer.
_LABELS = {
    word if name == "label" else f"{name}: {word}": (name, word, key)
    for name, asked in ASKED.items()
    for word, key in asked.keys.items()
}


def task(question: Question, rater: str) -> dict[str, Any]:
    """Return a question as a document."""
    sentence = question.marked(lambda element, words: f"[{words}]{_SIGNS[element]}")
    text = "\n\n".join(filter(None, (question.statement, sentence, question.details)))
    return {"text": text, "label": [], **carried(question, rater)}


def beside(tasks: Path) -> dict[str, str]:
    """Return the labels of a project for our documents, with their keys, by the file's name."""
    del tasks
    labels = [
        {
            "text": label,
            "suffix_key": key,
            "background_color": colour,
            "text_color": "#ffffff",
        }
        for colour, (label, (_, _, key)) in zip(_COLOURS, _LABELS.items(), strict=True)
    ]
    return {LABELS: json.dumps(labels, indent=1) + "\n"}


def knows(record: Mapping[str, Any]) -> bool:
    """Return whether a record is a document of a classification project."""
    exported = not record.keys().isdisjoint(_COMMENTS)
    return "text" in record and (exported or isinstance(record.get("label"), list))


def rows(
    record: Mapping[str, Any], *, where: str, path: Path, rejects: Rejects
) -> Iterator[dict[str, Any]]:
    """Yield what a document says.

    Parameters
    ----------
    record
        A row of an export as JSON Lines, JSON or CSV.
    where
        What to call it in `rejects`.
    path
        Its file, named after the account that answered.
    rejects
        Receives "unknown label" and "two answers to one question".
    """
    exported = [record[name] for name in _COMMENTS if name in record]
    answers: dict[str, str] = {}
    for label in _listed(record.get("label")):
        if not isinstance(label, str) or label not in _LABELS:
            rejects.add("unknown label", f"{where}: {label}")
            continue
        name, word, _ = _LABELS[label]
        if name in answers:
            rejects.add("two answers to one question", f"{where}: {answers[name]}, {word}")
            return
        answers[name] = word
    said = {**record, "label": "", **answers, COMMENT: " ".join(map(str, _listed(*exported)))}
    if path.stem != _SHARED and exported:  # else it is the file that we wrote
        said[ACCOUNT] = path.stem
    yield said


def _listed(cell: Any = None) -> list[Any]:
    """Return a cell with labels or comments as a list."""
    return cell if isinstance(cell, list) else [part for part in str(cell or "").split("#") if part]

"""Label Studio: tasks and the labelling interface for them, and its two JSON exports.

Three quirks shape the tasks. The short export ("JSON_MIN", and the CSV likewise) lays data and
answers side by side and puts Label Studio's own task number under ``id``: hence ours is ``fact``.
For the same reason no piece of data is called like a question. And a text can show one piece of
data only: hence ``statement``, the fact in one line, and ``details``, how it was extracted and what
its entities are.

Where the elements stand in the sentence is a prediction, which Label Studio shows as regions.
Regions count characters as Python does, not units of UTF-16.

An account is known by its number: exports name it so, or as an object with number and e-mail.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from evaluator.labels.label import SKIP
from evaluator.labels.questions import ACCOUNT, ASKED, COMMENT, ELEMENTS, Question, carried
from evaluator.model import Rejects

INTERFACE = "label-studio.xml"
"""Name of the file with the labelling interface, beside the tasks."""

_ELEMENT = "element"  # the name of the regions


def task(question: Question, rater: str) -> dict[str, Any]:
    """Return a question as a task."""
    told: dict[str, Any] = {
        "data": {
            **carried(question, rater),
            "statement": question.statement,
            "details": question.details,
        },
    }
    if question.spans:
        regions = [
            {
                "id": element,
                "from_name": _ELEMENT,
                "to_name": "sentence",
                "type": "labels",
                "value": {
                    "start": start,
                    "end": end,
                    "text": question.sentence[start:end],
                    "labels": [ELEMENTS[element]],
                },
            }
            for start, end, element in question.spans
        ]
        told["predictions"] = [{"model_version": "distval", "result": regions}]
    return told


def beside(tasks: Path) -> dict[str, str]:
    """Return the labelling interface for our tasks, by the name of its file."""
    del tasks
    view = ElementTree.Element("View")

    def add(tag: str, **attributes: str) -> ElementTree.Element:
        return ElementTree.SubElement(view, tag, attributes)

    add("Header", value="The fact")
    add("Text", name="statement", value="$statement")
    add("Header", value="The sentence that it is from", size="4")
    labels = add("Labels", name=_ELEMENT, toName="sentence")
    for key, element in zip("789", ELEMENTS.values(), strict=True):
        ElementTree.SubElement(labels, "Label", value=element, hotkey=key)
    add("Text", name="sentence", value="$sentence")
    add("Text", name="details", value="$details")
    add("Text", name="document", value="$document")
    for name, asked in ASKED.items():
        add("Header", value=asked.question, size="4")
        required = "true" if name == "label" else "false"
        shown = {"toName": "statement", "choice": "single", "showInline": "true"}
        choices = add("Choices", name=name, required=required, **shown)
        for answer, key in asked.keys.items():
            ElementTree.SubElement(choices, "Choice", value=answer, hotkey=key)
    add("TextArea", name=COMMENT, toName="statement", rows="2", placeholder="Comment")
    ElementTree.indent(view)
    return {INTERFACE: ElementTree.tostring(view, encoding="unicode") + "\n"}


def account_name(by: object) -> object:
    """Return what an account is called in every export: its number, or else its e-mail.

    Whatever is no account is given back.
    """
    if isinstance(by, dict):
        by = by.get("id", by.get("email", by))
    return by if isinstance(by, dict | list) or by is None else str(by).strip()


def knows(record: Mapping[str, Any]) -> bool:
    """Return whether a record is a task with its data and annotations apart."""
    return "data" in record


def rows(
    record: Mapping[str, Any], *, where: str, path: Path, rejects: Rejects
) -> Iterator[dict[str, Any]]:
    """Yield what an exported task says, one row for each annotation; one if there is none.

    A row has the task's data, the answers under the names of the questions, and the account that
    answered under ``annotator``, as the short export has it. The latest annotations come first. One
    that was cancelled, which is the button "skip", is none where its account has answered too.

    Parameters
    ----------
    record
        The task, with ``data`` and ``annotations``.
    where
        What to call it in `rejects`.
    path
        Its file.
    rejects
        Receives "broken task", "broken annotation" and "cancelled, and answered".
    """
    del path
    data = record["data"]
    if not isinstance(data, dict):
        rejects.add("broken task", f"{where}: {record}")
        return
    # Predictions and drafts are nobody's answers.
    annotations = record.get("annotations") or []
    if not isinstance(annotations, list):
        rejects.add("broken annotation", f"{where}: {annotations}")
    elif not annotations:
        yield data
    else:
        answered = set()
        for annotation in _in_order(annotations):
            try:
                answers = _answers(annotation)
            except (AttributeError, LookupError, TypeError, ValueError):
                rejects.add("broken annotation", f"{where}: {annotation}")
                continue
            if not annotation.get("was_cancelled"):
                answered.add(answers[ACCOUNT])
            elif answers[ACCOUNT] in answered:
                rejects.add("cancelled, and answered", f"{where}: account {answers[ACCOUNT]}")
                continue
            yield {**data, **answers}


def _in_order(annotations: list[Any]) -> list[Any]:
    """Return annotations with the later ones first, and those that were cancelled at the end."""

    def when(annotation: Any) -> tuple[str, int]:
        # Times are texts in one form, "2024-05-01T12:00:00Z"; without them numbers tell.
        if not isinstance(annotation, dict):
            return "", 0
        number = annotation.get("id")
        time = annotation.get("updated_at") or annotation.get("created_at") or ""
        return str(time), number if isinstance(number, int) else 0

    def cancelled(annotation: Any) -> bool:
        return isinstance(annotation, dict) and bool(annotation.get("was_cancelled"))

    return sorted(sorted(annotations, key=when, reverse=True), key=cancelled)


def _answers(annotation: Mapping[str, Any]) -> dict[str, Any]:
    answers: dict[str, Any] = {ACCOUNT: account_name(annotation.get("completed_by"))}
    if isinstance(answers[ACCOUNT], dict | list):
        raise TypeError("an account is a number, a name, or an object with one of them")
    for region in annotation.get("result") or ():
        match region.get("from_name"):
            case "comment":
                written = region["value"]["text"]
                answers[COMMENT] = written if isinstance(written, str) else " ".join(written)
            case "label" | "stated" as question:
                (answers[question],) = region["value"]["choices"]
    if annotation.get("was_cancelled"):  # the button "skip"
        answers["label"] = SKIP
    return answers

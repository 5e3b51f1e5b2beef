"""Label Studio's formats: tasks and the labelling interface for them, and its two JSON exports.

Three quirks shape the tasks. The short export ("JSON_MIN", and the CSV likewise) lays data and
answers side by side and puts Label Studio's own task number under ``id``: hence ours is ``fact``.
For the same reason no piece of data is called like a question. And a text can show one piece of
data only: hence ``statement``, the fact in one line.

An account is known by its number: exports name it so, or as an object with number and e-mail.
"""

from collections.abc import Iterator, Mapping
from typing import Any
from xml.etree import ElementTree

from evaluator.labels.label import LINK_WRONG, SKIP
from evaluator.model import Rejects

INTERFACE = "label-studio.xml"
"""Name of the file with the labelling interface, beside the tasks."""

QUESTIONS = ("label", "stated", "comment")

# Who answered: an account of Label Studio, which is not always a rater of ours.
ACCOUNT = "annotator"


def task(row: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """Return a row of a sheet as a task."""
    data = {name: cell for name, cell in row.items() if name not in ("id", *QUESTIONS)}
    statement = " — ".join((row["name1"], row["r"], row["name2"]))
    return {"data": {"fact": row["id"], **data, "statement": statement}}


def interface() -> str:
    """Return the labelling interface for our tasks: the three questions, as XML."""
    view = ElementTree.Element("View")

    def add(tag: str, **attributes: str) -> ElementTree.Element:
        return ElementTree.SubElement(view, tag, attributes)

    def choose(question: str, header: str, *answers: str, required: str = "false") -> None:
        add("Header", value=header, size="4")
        asked = {"toName": "statement", "choice": "single", "showInline": "true"}
        choices = add("Choices", name=question, required=required, **asked)
        for answer in answers:
            ElementTree.SubElement(choices, "Choice", value=answer)

    add("Header", value="The fact")
    add("Text", name="statement", value="$statement")
    add("Header", value="The sentence that it is from", size="4")
    add("Text", name="sentence", value="$sentence")
    add("Text", name="document", value="$document")
    answers = ("true", "false", LINK_WRONG, SKIP)
    choose("label", "Is the fact true in the world?", *answers, required="true")
    choose("stated", "Does this sentence state it?", "yes", "no")
    add("TextArea", name="comment", toName="statement", rows="2", placeholder="Comment")
    ElementTree.indent(view)
    return ElementTree.tostring(view, encoding="unicode") + "\n"


def account_name(by: object) -> object:
    """Return what an account is called in every export: its number, or else its e-mail.

    Whatever is no account is given back.
    """
    if isinstance(by, dict):
        by = by.get("id", by.get("email", by))
    return by if isinstance(by, dict | list) or by is None else str(by).strip()


def rows(number: int, task: object, *, rejects: Rejects) -> Iterator[dict[str, Any]]:
    """Yield what an exported task says, one row for each annotation; one if there is none.

    A row has the task's data, the answers under the names of the questions, and the account that
    answered under ``annotator``, as the short export has it. The latest annotations come first. One
    that was cancelled, which is the button "skip", is none where its account has answered too.

    Parameters
    ----------
    number
        Place of the task in its file, from 1.
    task
        The task, with ``data`` and ``annotations``, or flat.
    rejects
        Receives "broken task", "broken annotation" and "cancelled, and answered".
    """
    if not isinstance(task, dict) or not isinstance(task.get("data", {}), dict):
        rejects.add("broken task", f"task {number}: {task}")
        return
    if "data" not in task:
        yield task
        return
    # Predictions and drafts are nobody's answers.
    annotations = task.get("annotations") or []
    if not isinstance(annotations, list):
        rejects.add("broken annotation", f"task {number}: {annotations}")
    elif not annotations:
        yield task["data"]
    else:
        answered = set()
        for annotation in _in_order(annotations):
            try:
                answers = _answers(annotation)
            except (AttributeError, LookupError, TypeError, ValueError):
                rejects.add("broken annotation", f"task {number}: {annotation}")
                continue
            if not annotation.get("was_cancelled"):
                answered.add(answers[ACCOUNT])
            elif answers[ACCOUNT] in answered:
                rejects.add("cancelled, and answered", f"task {number}: account {answers[ACCOUNT]}")
                continue
            yield {**task["data"], **answers}


def _in_order(annotations: list[Any]) -> list[Any]:
    """Return annotations with the later ones first, and those that were cancelled at the end."""

    def when(annotation: Any) -> tuple[str, float]:
        # Times are texts in one form, "2024-05-01T12:00:00Z"; without them numbers tell.
        if not isinstance(annotation, dict):
            return "", 0.0
        number = annotation.get("id")
        time = annotation.get("updated_at") or annotation.get("created_at") or ""
        return str(time), float(number) if isinstance(number, int) else 0.0

    def cancelled(annotation: Any) -> bool:
        return isinstance(annotation, dict) and bool(annotation.get("was_cancelled"))

    return sorted(sorted(annotations, key=when, reverse=True), key=cancelled)


def _answers(annotation: Mapping[str, Any]) -> dict[str, Any]:
    answers: dict[str, Any] = {ACCOUNT: account_name(annotation.get("completed_by"))}
    for region in annotation.get("result") or ():
        match region.get("from_name"):
            case "comment":
                written = region["value"]["text"]
                answers["comment"] = written if isinstance(written, str) else " ".join(written)
            case "label" | "stated" as question:
                (answers[question],) = region["value"]["choices"]
    if annotation.get("was_cancelled"):  # the button "skip"
        answers["label"] = SKIP
    return answers

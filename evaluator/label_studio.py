"""Label Studio's formats: tasks and the labelling interface for them, and its two JSON exports.

Three quirks shape the tasks. The short export ("JSON_MIN", and the CSV likewise) lays data and
answers side by side and puts Label Studio's own task number under ``id``: hence ours is ``fact``.
For the same reason no piece of data is called like a question. And a text can show one piece of
data only: hence ``statement``, the fact in one line.
"""

from collections.abc import Iterator, Mapping
from typing import Any
from xml.etree import ElementTree

from evaluator.labels import LINK_WRONG, SKIP
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


def rows(number: int, task: object, *, rejects: Rejects) -> Iterator[dict[str, Any]]:
    """Yield what an exported task says, one row for each annotation; one if there is none.

    A row has the task's data, the answers under the names of the questions, and the account that
    answered under ``annotator``, as the short export has it.

    Parameters
    ----------
    number
        Place of the task in its file, from 1.
    task
        The task, with ``data`` and ``annotations``, or flat.
    rejects
        Receives "broken task" and "broken annotation".
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
        for annotation in annotations:
            try:
                yield {**task["data"], **_answers(annotation)}
            except (AttributeError, LookupError, TypeError, ValueError):
                rejects.add("broken annotation", f"task {number}: {annotation}")


def _answers(annotation: Mapping[str, Any]) -> dict[str, Any]:
    by = annotation.get("completed_by")
    if isinstance(by, dict):
        by = by.get("email") or by["id"]
    answers: dict[str, Any] = {ACCOUNT: by}
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

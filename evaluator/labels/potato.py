"""Potato: items and a configuration for each rater, and what it stores and exports.

Potato shows a text as HTML, after taking out what is not harmless: the fact, and the sentence with
the elements marked, all other signs escaped. It gives nothing back but the item's id, which is the
fact's. Read are, as JSON or JSON Lines,

* the export of Potato 2 (``annotations.jsonl``), a row for each rater and item;
* its store (``user_state.json`` of each rater), one object;
* ``annotated_instances.jsonl`` of Potato 1, of all raters, or of one in a folder of that name.
"""

import json
from collections.abc import Iterator, Mapping
from html import escape
from pathlib import Path
from typing import Any

from evaluator.labels.questions import ACCOUNT, ASKED, COMMENT, ELEMENTS, Question, carried
from evaluator.model import Rejects

_STATE = "instance_id_to_label_to_value"
_COLOURS = dict(zip(ELEMENTS, ("#bbdefb", "#fff59d", "#c8e6c9"), strict=True))


def task(question: Question, rater: str) -> dict[str, Any]:
    """Return a question as an item."""

    def mark(element: str, words: str) -> str:
        style = f"background-color: {_COLOURS[element]}; color: #000000"
        title = f' title="{ELEMENTS[element]}"'
        return f'<span style="{style}"{title}>{escape(words)}</span>'

    parts = [f"<b>{escape(question.statement)}</b>"]
    parts += [question.marked(mark, escape)] if question.sentence else []
    if question.details:
        parts.append("<br>".join(map(escape, question.details.split("\n"))))
    about = carried(question, rater)
    return {"id": about.pop("fact"), "text": "<br><br>".join(parts), **about, "label": ""}


def beside(tasks: Path) -> dict[str, str]:
    """Return the configuration for a file of items, by the name of its file.

    JSON is YAML. It asks for no export while people label: Potato makes one at most once a minute
    and none at its end, so that the last answers are not in it.
    """
    schemes: list[dict[str, Any]] = [
        {
            "annotation_type": "radio",
            "name": name,
            "description": asked.question,
            "labels": [{"name": word, "key_value": key} for word, key in asked.keys.items()],
            "label_requirement": {"required": name == "label"},
        }
        for name, asked in ASKED.items()
    ]
    schemes.append({"annotation_type": "text", "name": COMMENT, "description": "Comment"})
    configuration = {
        "annotation_task_name": f"Facts for {tasks.stem}",
        "task_dir": ".",
        "data_files": [tasks.name],
        "item_properties": {"id_key": "id", "text_key": "text"},
        "output_annotation_dir": f"potato-{tasks.stem}",
        "user_config": {"allow_all_users": True, "users": []},
        "annotation_schemes": schemes,
    }
    return {f"{tasks.stem}.yaml": json.dumps(configuration, ensure_ascii=False, indent=1) + "\n"}


def knows(record: Mapping[str, Any]) -> bool:
    """Return whether a record is an annotated item of Potato, or all that a rater said."""
    return _STATE in record or bool(record.keys() & {"instance_id", "label_annotations"})


def rows(
    record: Mapping[str, Any], *, where: str, path: Path, rejects: Rejects
) -> Iterator[dict[str, Any]]:
    """Yield what a record says: an item's answers, or those of all items of one rater.

    Parameters
    ----------
    record
        As Potato writes it.
    where
        What to call it in `rejects`.
    path
        Its file; where nothing else tells, its folder has the rater's name.
    rejects
        Receives "broken item" and "two answers to one question".
    """
    rater = record.get("user_id") or record.get("user") or path.absolute().parent.name
    items: Mapping[str, Any] = {}
    try:
        if _STATE in record:
            items = dict.fromkeys(record.get("instance_id_ordering") or ()) | record[_STATE]
        else:
            item = record.get("instance_id", record.get("id"))
            items = {str(item): record.get("labels", record.get("label_annotations"))}
    except (AttributeError, TypeError, ValueError):
        rejects.add("broken item", f"{where}: {record}")
    for item, labels in items.items():
        try:
            answers = _answers(labels or {})
            said = {name: " ".join(words) for name, words in answers.items()}
        except (AttributeError, LookupError, TypeError, ValueError):
            rejects.add("broken item", f"{where}: {item}, {labels}")
            continue
        if twice := [name for name in ASKED if len(answers.get(name, ())) > 1]:
            told = ", ".join(answers[twice[0]])
            rejects.add("two answers to one question", f"{where}: {item}, {told}")
            continue
        yield {"fact": item, ACCOUNT: rater, "label": "", **said}


def _answers(labels: Any) -> dict[str, list[str]]:
    """Return the answers of an item by question, from either of the two forms of its labels."""
    if isinstance(labels, list):  # [[{"schema": question, "name": answer}, value], ...]
        given = [(about["schema"], about["name"], value) for about, value in labels]
    else:  # {question: {answer: value}}
        given = [(name, word, value) for name, of in labels.items() for word, value in of.items()]
    answers: dict[str, list[str]] = {}
    for name, word, value in given:
        if value in (None, False, ""):
            continue
        if name in ASKED:
            answers.setdefault(name, []).append(word)
        elif name == COMMENT:
            answers.setdefault(name, []).append(str(value))
    return answers

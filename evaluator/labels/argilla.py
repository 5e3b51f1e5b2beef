"""Argilla 2: records and the settings of their dataset, and the records as it gives them back.

Records are written as ``dataset.records.from_json`` reads them, settings as ``Settings.from_json``
does. The elements' places in the sentence are a suggestion for a question of spans, which Argilla
shows as coloured text; keys 1, 2, ... choose an answer there without being told.

``dataset.records.to_json`` leaves out of each response whether it is a draft, submitted or
discarded; ``to_list(flatten=True)`` tells. Both are read. Where it is not told, what the record
says decides: none of a pending record's responses is submitted, and the only one of a completed
record is (:data:`_SETTINGS` asks for one). Accounts are told by their ids.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from evaluator.labels.label import SKIP
from evaluator.labels.questions import ACCOUNT, ASKED, COMMENT, ELEMENTS, Question, carried
from evaluator.model import Rejects

SETTINGS = "argilla-settings.json"
"""Name of the file with the settings, beside the records."""

_PARTS = "elements"  # the question of spans

_SETTINGS: dict[str, Any] = {
    "guidelines": None,
    "questions": [
        *(
            {
                "name": name,
                "title": asked.question,
                "required": name == "label",
                "settings": {
                    "type": "label_selection",
                    "options": [{"value": word, "text": word} for word in asked.keys],
                },
            }
            for name, asked in ASKED.items()
        ),
        {
            "name": COMMENT,
            "title": "Comment",
            "required": False,
            "settings": {"type": "text", "use_markdown": False},
        },
        {
            "name": _PARTS,
            "title": "The fact in the sentence",
            "required": False,
            "settings": {
                "type": "span",
                "field": "sentence",
                "allow_overlapping": True,
                "options": [{"value": key, "text": name} for key, name in ELEMENTS.items()],
            },
        },
    ],
    "fields": [
        {
            "name": name,
            "title": title,
            "required": name == "statement",
            "settings": {"type": "text", "use_markdown": False},
        }
        for name, title in (
            ("statement", "The fact"),
            ("sentence", "The sentence that it is from"),
            ("details", "How it was extracted, and its entities"),
        )
    ],
    "vectors": [],
    "metadata": [],
    "allow_extra_metadata": True,
    "distribution": {"strategy": "overlap", "min_submitted": 1},
    "mapping": None,
}


def task(question: Question, rater: str) -> dict[str, Any]:
    """Return a question as a record."""
    metadata = carried(question, rater)
    sentence = metadata.pop("sentence")
    shown = {"sentence": sentence, "details": question.details}
    fields = {"statement": question.statement, **{name: of for name, of in shown.items() if of}}
    spans = [
        {"start": start, "end": end, "label": element} for start, end, element in question.spans
    ]
    suggested = {"value": spans, "score": None, "agent": "distval"}
    return {
        "id": metadata.pop("fact"),
        "fields": fields,
        "metadata": metadata,
        "suggestions": {_PARTS: suggested} if spans else {},
        "responses": {},
        "vectors": {},
    }


def beside(tasks: Path) -> dict[str, str]:
    """Return the settings of a dataset for our records, by the name of their file."""
    del tasks
    return {SETTINGS: json.dumps(_SETTINGS, indent=1) + "\n"}


def knows(record: Mapping[str, Any]) -> bool:
    """Return whether a record is one of Argilla's."""
    return "_server_id" in record or {"fields", "metadata"} <= record.keys()


def rows(
    record: Mapping[str, Any], *, where: str, path: Path, rejects: Rejects
) -> Iterator[dict[str, Any]]:
    """Yield what a record says, one row for each account; one if nobody has answered.

    Parameters
    ----------
    record
        As ``to_json`` writes it, or ``to_list(flatten=True)``.
    where
        What to call it in `rejects`.
    path
        Its file.
    rejects
        Receives "broken record", "draft", and "response without its status": of several responses,
        it is not known which are drafts.
    """
    del path
    try:
        about, said = _flat(record) if "fields" not in record else _nested(record)
    except (AttributeError, LookupError, TypeError, ValueError):
        rejects.add("broken record", f"{where}: {record}")
        return
    nobody = True
    for account, (status, answers) in said.items():
        if status in ("submitted", "discarded"):
            nobody = False
            skipped = {"label": SKIP} if status == "discarded" else {}
            yield {**about, **answers, **skipped, ACCOUNT: account}
        else:
            reason = "draft" if status == "draft" else "response without its status"
            rejects.add(reason, f"{where}: account {account}")
    if nobody:
        yield about


type _Said = dict[str, tuple[str | None, dict[str, Any]]]
"""By account, the status of its response and the answers."""


def _nested(record: Mapping[str, Any]) -> tuple[dict[str, Any], _Said]:
    given = [
        (str(response["user_id"]), question, response["value"])
        for question, responses in (record.get("responses") or {}).items()
        for response in responses
        if question in (*ASKED, COMMENT)
    ]
    accounts = {account for account, *_ in given}
    told = {"pending": "draft", "completed": "submitted" if len(accounts) == 1 else None}
    said: _Said = {account: (told.get(str(record.get("status"))), {}) for account in accounts}
    for account, question, value in given:
        said[account][1][question] = value
    return _about(record["metadata"], record), said


def _flat(record: Mapping[str, Any]) -> tuple[dict[str, Any], _Said]:
    said: _Said = {}
    for question in (*ASKED, COMMENT):
        name = f"{question}.responses"
        cells = [record.get(name + part) or [] for part in ("", ".users", ".status")]
        for value, account, status in zip(*cells, strict=True):
            said.setdefault(str(account), (status, {}))[1][question] = value
    return _about(record, record), said


def _about(cells: Mapping[str, Any], record: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a record is about; another dataset's have no fact."""
    return {**cells, **({"fact": record["id"]} if "e1" in cells else {})}

"""One JSON object a line, with ``id``, ``text`` and, optionally, ``title``.

``contents`` may stand for ``text``, as in Anserini's JSON collections, and an id may be a whole
number. Other fields are not read, so that what WikiExtractor writes with ``--json`` is of this
format, too. Objects on several lines, and arrays of them, are not.
"""

import json

from evaluator.model import Rejects
from indexes.collections.base import CollectionFormat, Document
from indexes.collections.framing import frame_lines


def _decode(content: bytes, where: str, rejects: Rejects) -> Document | None:
    try:
        record = json.loads(content.decode("utf-8"))
    except UnicodeDecodeError:
        rejects.add("invalid UTF-8", where)
        return None
    except (ValueError, RecursionError):
        rejects.add("broken JSON", where)
        return None
    document = _document(record)
    if isinstance(document, Document):
        return document
    rejects.add(document, where)
    return None


def _document(record: object) -> Document | str:
    """Return the document of a JSON record, or why there is none."""
    if not isinstance(record, dict):
        return "not a JSON object"
    identifier, title = record.get("id"), record.get("title") or ""
    text = record.get("text", record.get("contents"))
    if isinstance(identifier, int) and not isinstance(identifier, bool):
        identifier = str(identifier)
    if not isinstance(identifier, str) or not identifier:
        return "missing id"
    if not isinstance(text, str) or not isinstance(title, str):
        return "missing text"
    return Document(identifier, title, text)


FORMAT = CollectionFormat("jsonl", frame_lines, _decode)

"""Common Crawl's WET: web archives of pages that were made text.

A document is a record of type ``conversion``, named by its own ``WARC-Record-ID`` without
``<urn:uuid:`` and ``>``. Its text is taken as it is. Nothing in the format marks a title.
"""

from evaluator.model import Rejects
from indexes.collections.base import CollectionFormat, Document
from indexes.collections.html import decode_text
from indexes.collections.warc import identifier, typed
from indexes.collections.warc_records import frame


def _decode(record: bytes, where: str, rejects: Rejects) -> Document | None:
    fields, content = typed(record, "conversion", where, rejects)
    name = identifier(fields, "WARC-Record-ID", where, rejects) if fields else ""
    if not name:
        return None
    return Document(name, "", decode_text(content, charset="utf-8").replace("\0", "").strip())


FORMAT = CollectionFormat("wet", frame, _decode)

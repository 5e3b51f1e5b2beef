"""What WikiExtractor writes: ``<doc id=".." url=".." title="..">``, text, ``</doc>``.

Each of the two tags begins a line. Titles stand in their quotation marks as they are, with
quotation marks of their own, or as HTML writes them, as the version of WikiExtractor has it.
"""

import html
import re
from collections.abc import Iterator
from typing import BinaryIO

from evaluator.model import Rejects
from indexes.collections.base import CollectionFormat, Document
from indexes.collections.framing import frame_marked

_MARK = re.compile(rb'<(?<=^<)(?:doc[ \t]\w{1,32}="|(/doc>))', re.MULTILINE)
_ID = re.compile(r'\sid="([^"]*)"')
_TITLE = re.compile(r'\stitle="(.*)"')  # the last attribute: all that is quoted


def _frame(stream: BinaryIO, name: str, rejects: Rejects) -> Iterator[tuple[str, bytes]]:
    return frame_marked(stream, name, rejects, mark=_MARK)


def _decode(content: bytes, where: str, rejects: Rejects) -> Document | None:
    try:
        head, _, body = content.decode("utf-8").partition("\n")
    except UnicodeDecodeError:
        rejects.add("invalid UTF-8", where)
        return None
    identifier, title = _ID.search(head), _TITLE.search(head)
    if identifier is None or not identifier[1]:
        rejects.add("missing id", f"{where}: {head}")
        return None
    text = body.removesuffix("</doc>").strip()
    return Document(html.unescape(identifier[1]), html.unescape(title[1]) if title else "", text)


FORMAT = CollectionFormat("wikiextractor", _frame, _decode)

"""The two formats of TREC: news in SGML (trectext) and web pages (trecweb).

Both are records ``<DOC> <DOCNO> id </DOCNO> .. </DOC>``, each begun at the start of a line. A
record of trectext has sections, of which the headline and the text are read under the names that
the collections of TREC give them; the DOC tag may name the id itself, as Gigaword does. A record of
trecweb has what the server said in ``<DOCHDR>``, and then the page.
"""

import html
import re
from collections.abc import Iterator
from typing import BinaryIO

from evaluator.model import Rejects
from indexes.collections.base import CollectionFormat, Document
from indexes.collections.framing import frame_marked
from indexes.collections.html import html_to_text

_MARK = re.compile(
    rb"<(?:(?<=^<)DOC(?:[ \t][^<>\n]{0,400})?>|(/DOC>))", re.IGNORECASE | re.MULTILINE
)
_ID = re.compile(r"<DOCNO>(.*?)</DOCNO>", re.IGNORECASE | re.DOTALL)
_ID_ATTRIBUTE = re.compile(r"<DOC\s[^>]*?\bid\s*=\s*[\"']?([^\"'>\s]+)", re.IGNORECASE)
_SECTION = re.compile(
    r"<(?:(HEADLINE|HEAD|TITLE|HL|TTL|TI)|TEXT|LP|LEADPARA)>(.*?)"
    r"(?=</?(?:HEADLINE|HEAD|TITLE|HL|TTL|TI|TEXT|LP|LEADPARA|DOC)>)",
    re.IGNORECASE | re.DOTALL,
)
_TAG = re.compile(r"<!--.*?-->|</?[A-Za-z][^<>]*>", re.DOTALL)
_HEADER = re.compile(rb"<DOCHDR>(.*?)</DOCHDR>", re.IGNORECASE | re.DOTALL)
_CHARSET = re.compile(
    r"^content-type:[^\n]*?\bcharset\s*=\s*[\"']?([\w.:-]+)", re.IGNORECASE | re.MULTILINE
)
_END = re.compile(rb"</DOC>\Z", re.IGNORECASE)
# The characters of windows-1252 where ISO 8859-1 has controls.
_WINDOWS = {
    code: bytes([code]).decode("cp1252")
    for code in range(0x80, 0xA0)
    if code not in (0x81, 0x8D, 0x8F, 0x90, 0x9D)
}


def _frame(stream: BinaryIO, name: str, rejects: Rejects) -> Iterator[tuple[str, bytes]]:
    return frame_marked(stream, name, rejects, mark=_MARK)


def _text(content: bytes) -> str:
    """Return old text as a string: UTF-8 or, where a byte does not fit that, windows-1252."""
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        return content.decode("latin-1").translate(_WINDOWS)


def _plain(sgml: str) -> str:
    return html.unescape(_TAG.sub(" ", sgml))


def _identifier(record: str) -> str:
    found = _ID.search(record) or _ID_ATTRIBUTE.match(record)
    return found[1].strip() if found else ""


def _decode_text(content: bytes, where: str, rejects: Rejects) -> Document | None:
    record = _text(content)
    identifier = _identifier(record)
    if not identifier:
        rejects.add("missing id", where)
        return None
    titles: list[str] = []
    texts: list[str] = []
    for section in _SECTION.finditer(record):
        (titles if section[1] else texts).append(_plain(section[2]).strip())
    if not texts:
        rejects.add("no text", where)
        return None
    return Document(identifier, " ".join(" ".join(titles).split()), "\n".join(texts).strip())


def _decode_web(content: bytes, where: str, rejects: Rejects) -> Document | None:
    header = _HEADER.search(content)
    if header is None:
        rejects.add("no DOCHDR", where)
        return None
    identifier = _identifier(_text(content[: header.start()]))
    if not identifier:
        rejects.add("missing id", where)
        return None
    charset = _CHARSET.search(_text(header[1]))
    page = _END.sub(b"", content[header.end() :])
    title, text = html_to_text(page, charset=charset[1] if charset else None)
    if not text:
        rejects.add("no text", where)
        return None
    return Document(identifier, title, text)


TRECTEXT = CollectionFormat("trectext", _frame, _decode_text)
TRECWEB = CollectionFormat("trecweb", _frame, _decode_web)

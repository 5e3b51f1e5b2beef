"""Pages of web archives: ClueWeb09, ClueWeb12, and Common Crawl or any other crawl in WARC.

A document is a page that a server answered with (a record of type ``response``, status 200, of a
type that holds text). The formats differ in what names a document:

``clueweb09``, ``clueweb12``
    ``WARC-TREC-ID`` (``clueweb09-en0000-99-00115``), by which judgements and entity links go.
``warc``
    ``WARC-Record-ID`` without ``<urn:uuid:`` and ``>``. The URI of a page would be easier to read,
    but a crawl may hold a page several times.
"""

import io
import re
from functools import partial
from typing import Literal

from fastwarc.warc import ArchiveIterator, WarcRecord

from evaluator.model import Rejects
from indexes.collections.base import CollectionFormat, Document
from indexes.collections.framing import LARGEST, TOO_LARGE
from indexes.collections.html import decode_text, html_to_text
from indexes.collections.warc_records import frame, split

NO_TYPE = "no WARC-Type"
NO_HTTP = "no HTTP header"
BAD_STATUS = "HTTP status not 200"
BAD_ENCODING = "HTTP body that cannot be unpacked"
NOT_HTML = "not HTML"

_TYPES = ("warcinfo", "request", "response", "metadata", "revisit", "resource", "conversion")
_HTML = ("text/html", "application/xhtml+xml")
_PLAIN = "text/plain"
_LOOKS_LIKE_HTML = re.compile(
    rb"<(?:!doctype\s+html|html|head|title|meta|body|div|table|p|br|h[1-6]|a)[\s/>]", re.IGNORECASE
)
_SNIFFED = 1024  # bytes
_PIECE = 1 << 18  # bytes
_ENVELOPE = (
    b"WARC/1.0\r\nWARC-Type: response\r\nContent-Type: application/http; msgtype=response\r\n"
    b"Content-Length: %d\r\n\r\n"
)


def typed(record: bytes, kind: str, where: str, rejects: Rejects) -> tuple[dict[str, str], bytes]:
    """Return the header fields and the content of a record of type `kind`.

    Of any other record, return nothing (an empty mapping) and count it.
    """
    fields, content = split(record)
    found = fields.get("warc-type", "").lower()
    if found == kind:
        return fields, content
    if not found:
        rejects.add(NO_TYPE, where)
    else:
        rejects.add(f"not a {kind} ({found if found in _TYPES else 'unknown type'})", where)
    return {}, b""


def identifier(fields: dict[str, str], name: str, where: str, rejects: Rejects) -> str:
    """Return what names a record, from the header field `name`; "", and counted, without one."""
    found = fields.get(name.lower(), "").removeprefix("<").removesuffix(">")
    found = found.removeprefix("urn:uuid:")
    if not found:
        rejects.add(f"no {name}", where)
    return found


def _page(record: bytes, where: str, rejects: Rejects, *, named_by: str) -> Document | None:
    fields, response = typed(record, "response", where, rejects)
    name = identifier(fields, named_by, where, rejects) if fields else ""
    page = _http(response, f"{where} {name}", rejects) if name else None
    if page is None:
        return None
    body, media_type, charset = page
    if media_type == _PLAIN:
        title, text = "", decode_text(body, charset=charset).replace("\0", "").strip()
    else:
        title, text = html_to_text(body, charset=charset)
    return Document(name, title, text)


def _http(response: bytes, where: str, rejects: Rejects) -> tuple[bytes, str, str | None] | None:
    """Return the unpacked body of an HTTP response, its media type and declared encoding."""
    try:
        record = _parse(response, "none")
    except OSError:
        rejects.add(NO_HTTP, where)
        return None
    headers = record.http_headers
    if headers is None or not (headers.status_line or "").startswith("HTTP/"):
        rejects.add(NO_HTTP, where)
        return None
    if headers.status_code != 200:
        rejects.add(BAD_STATUS, where)
        return None
    media_type = (record.http_content_type or "").strip().lower()
    if media_type and media_type not in (*_HTML, _PLAIN):
        rejects.add(NOT_HTML, f"{where}: {media_type}")
        return None
    body = record.reader.read()
    if any(f"{kind}-Encoding" in headers for kind in ("Content", "Transfer")):
        unpacked = _unpack(response, body)
        if isinstance(unpacked, str):
            rejects.add(unpacked, where)
            return None
        body = unpacked
    if not media_type and not _LOOKS_LIKE_HTML.search(body, 0, _SNIFFED):
        rejects.add(NOT_HTML, where)
        return None
    return body, media_type, record.http_charset


def _parse(response: bytes, unpack: Literal["all", "none"]) -> WarcRecord:
    # Crawlers' own header fields are as they are; under a plain one the library sees HTTP only.
    envelope = io.BytesIO(_ENVELOPE % len(response) + response)
    return next(iter(ArchiveIterator(envelope, quirks_mode=True, auto_decode=unpack)))


def _unpack(response: bytes, raw: bytes) -> bytes | str:
    """Return the body unpacked as the header says, as far as that goes, or why there is none."""
    body = bytearray()
    try:
        reader = _parse(response, "all").reader
        while piece := reader.read(_PIECE):
            body += piece
            if len(body) > LARGEST:  # a few packed bytes can make any number
                return TOO_LARGE
    except OSError:
        # What there is of a page that was cut, as crawlers cut long ones. Where nothing can be
        # unpacked, it was stored unpacked, as some do, under the header as the server sent it.
        if not body:
            return raw if _LOOKS_LIKE_HTML.search(raw, 0, _SNIFFED) else BAD_ENCODING
    return bytes(body)


CLUEWEB09 = CollectionFormat("clueweb09", frame, partial(_page, named_by="WARC-TREC-ID"))
CLUEWEB12 = CLUEWEB09._replace(name="clueweb12")
WARC = CollectionFormat("warc", frame, partial(_page, named_by="WARC-Record-ID"))

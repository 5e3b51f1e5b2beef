"""WET: the text of pages that Common Crawl extracted."""

import io

from evaluator.model import Rejects
from indexes.collections.base import Document
from indexes.collections.wet import FORMAT


def record(kind, name, content, *, length=None):
    length = len(content) if length is None else length
    return (
        f"WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: http://example.org/{name}\r\n"
        f"WARC-Record-ID: <urn:uuid:{name}>\r\nWARC-Refers-To: <urn:uuid:page-of-{name}>\r\n"
        f"Content-Type: text/plain\r\nContent-Length: {length}\r\n\r\n"
    ).encode() + content + b"\r\n\r\n"  # fmt: skip


def read(content):
    rejects = Rejects()
    framed = list(FORMAT.frame(io.BytesIO(content), "a.wet", rejects))
    documents = [FORMAT.decode(content, where, rejects) for where, content in framed]
    return [document for document in documents if document], rejects


def test_conversions_are_documents_as_they_are_and_damage_is_counted():
    content = b"".join(
        [
            record("warcinfo", "0", b"software: x\r\n"),
            record("conversion", "a", "Café\nOne < two\nWARC/1.0\n".encode()),
            record("conversion", "b", b"Its length is too small.", length=5),
            record("conversion", "c", b"Byte \xff is no UTF-8: " + "日本語のテキスト".encode()),
            b"bytes of nobody\n",
            record("", "d", b"It has no type."),
            record("conversion", "e", b"Its length is too large.", length=100),
            record("conversion", "f", b"\n"),
            record("conversion", "g", b"It has no end.")[:-12],
        ]
    )
    documents, rejects = read(content)
    assert documents == [
        Document("a", "", "Café\nOne < two\nWARC/1.0"),
        Document("c", "", "Byte \ufffd is no UTF-8: 日本語のテキスト"),
        Document("f", "", ""),
    ]
    assert rejects.counts == {
        "not a conversion (warcinfo)": 1,
        "wrong Content-Length": 2,
        "not a WARC record": 1,
        "no WARC-Type": 1,
        "record cut short": 1,
    }
    assert rejects.examples["no WARC-Type"] == "a.wet#5"


def test_a_record_without_a_name_is_counted():
    content = record("conversion", "a", b"x").replace(b"WARC-Record-ID", b"Something-Else")
    documents, rejects = read(content)
    assert (documents, rejects.counts) == ([], {"no WARC-Record-ID": 1})

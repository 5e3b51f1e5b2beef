"""Web archives: ClueWeb09, ClueWeb12 and Common Crawl, with damage of every kind."""

import gzip
import io
import zlib

import brotli
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluator.model import Rejects
from indexes.collections.base import Document
from indexes.collections.warc import CLUEWEB09, CLUEWEB12, WARC


def read(content, format):  # noqa: A002
    """Return the documents of a file and what was counted; each record is in one of the two."""
    rejects = Rejects()
    framed = list(format.frame(io.BytesIO(content), "a.warc", rejects))
    records = len(framed) + rejects.total
    documents = [format.decode(content, where, rejects) for where, content in framed]
    found = [document for document in documents if document is not None]
    assert len(found) + rejects.total == records
    return found, rejects


# --- ClueWeb09 --------------------------------------------------------------------------------

HTTP_09 = "HTTP/1.1 200 OK\nContent-Type: text/html; charset=utf-8\nConnection: close\n\n"


def clueweb09(number, page, *, length=None, without="", end="\n\n"):
    """A record as ClueWeb09 has them, dates that no calendar knows included."""
    block = (HTTP_09 + page).encode()
    length = len(block) if length is None else length
    lines = [
        "WARC/0.18",
        "WARC-Type: response",
        f"WARC-Target-URI: http://example.org/{number}",
        "WARC-Date: 2009-03-65T08:43:07-0800",
        f"WARC-Record-ID: <urn:uuid:67f7cabd-146c-41cf-bd01-04f5fa7d{number:04}>",
        f"WARC-TREC-ID: clueweb09-en0000-99-{number:05}",
        "Content-Type: application/http;msgtype=response",
        f"Content-Length: {length}",
    ]
    head = "\n".join(line for line in lines if not without or not line.startswith(without))
    return head.encode() + b"\n\n" + block + end.encode()


INFO_09 = (
    b"WARC/0.18\nWARC-Type: warcinfo\nWARC-Date: 2009-03-65T08:43:19-0800\n"
    b"WARC-Record-ID: <urn:uuid:993d3969-9643-4934-b1c6-68d4dbe55b83>\n"
    b"Content-Type: application/warc-fields\nContent-Length: 14\n\nsoftware: made\n\n"
)


def test_clueweb09_keeps_each_sound_page_and_counts_each_damaged_record():
    content = b"".join(
        [
            INFO_09,  # 0
            clueweb09(1, "<title>One</title><p>The first page."),
            clueweb09(2, "<p>Its length is too small.", length=90),
            clueweb09(3, "<title>Three</title><pre>A page on archives:\n\nWARC/0.18\nand so on"),
            clueweb09(4, "<p>Its length is too large, so it takes part of the next.", length=300),
            clueweb09(5, "<p>The fifth."),
            b"Bytes that\nare no record.\n\nAt all.\n",
            clueweb09(7, "<p>It has no length.", without="Content-Length"),
            clueweb09(8, "<p>Its length is no number.", length="many"),
            clueweb09(9, "<p>Its length is below zero.", length=-5),
            clueweb09(10, "<p>Nothing says what it is.", without="WARC-Type"),
            clueweb09(11, "<p>It has no name here.", without="WARC-TREC-ID"),
            clueweb09(12, "<p>No line ends after it.", end=""),
            clueweb09(13, "<p>Its length takes the rest of the file.", length=60_000),
            clueweb09(14, "<p>Its length is that of a film.", length=10**9),
            clueweb09(15, "<p>Its length has many digits.", length="9" * 5000),
            b"WARC/0.18\nWARC-Type: response\nWARC-TREC-ID: clueweb09-en0000-99-",  # 16
            b"\n",
            clueweb09(17, "<p>The one before has half a header."),
            clueweb09(18, "<p>The file ends before it.")[:-20],
        ]
    )
    documents, rejects = read(content, CLUEWEB09)
    assert documents == [
        Document("clueweb09-en0000-99-00001", "One", "The first page."),
        Document(
            "clueweb09-en0000-99-00003", "Three", "A page on archives:\n\nWARC/0.18\nand so on"
        ),
        Document("clueweb09-en0000-99-00005", "", "The fifth."),
        Document("clueweb09-en0000-99-00012", "", "No line ends after it."),
        Document("clueweb09-en0000-99-00017", "", "The one before has half a header."),
    ]
    assert rejects.counts == {
        "not a response (warcinfo)": 1,
        "wrong Content-Length": 3,
        "no Content-Length": 3,
        "not a WARC record": 1,
        "no WARC-Type": 1,
        "no WARC-TREC-ID": 1,
        "record of more than 64 MiB": 2,
        "WARC header without an end": 1,
        "record cut short": 1,
    }
    assert rejects.examples["not a WARC record"] == "a.warc#6"


# --- ClueWeb12 --------------------------------------------------------------------------------


def clueweb12(number, page, *, http="HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n", more=0):
    block = http.encode() + b"\r\n" + page.encode("cp1252")
    head = (
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Date: 2012-02-10T22:54:33Z\r\n"
        f"WARC-TREC-ID: clueweb12-0000tw-00-{number:05}\r\n"
        "Content-Type: application/http; msgtype=response\r\n"
        f"WARC-Record-ID: <urn:uuid:52b6d2d6-3f2a-4a51-9a4c-0000000{number:05}>\r\n"
        f"Content-Length: {len(block) + more}\r\n\r\n"
    )
    return head.encode() + block + b"\r\n\r\n"


def test_clueweb12_reads_the_page_behind_the_http_header():
    latin = "HTTP/1.0 200 OK\r\nContent-Type: text/html; charset=ISO-8859-1\r\n"
    content = b"".join(
        [
            clueweb12(0, "<title>Café</title><p>“Quoted” in the encoding of the web.", http=latin),
            clueweb12(1, "<meta charset=windows-1252><p>Café without a word of the server."),
            clueweb12(2, "<p>Too long by four: the two line ends after it.", more=4),
            clueweb12(3, "<p>Moved.", http="HTTP/1.1 301 Moved\r\nContent-Type: text/html\r\n"),
            clueweb12(4, "<p>No answer of a server.", http="GET / \r\n"),
            clueweb12(5, ""),
        ]
    )
    documents, rejects = read(content, CLUEWEB12)
    assert documents == [
        Document("clueweb12-0000tw-00-00000", "Café", "“Quoted” in the encoding of the web."),
        Document("clueweb12-0000tw-00-00001", "", "Café without a word of the server."),
        Document("clueweb12-0000tw-00-00002", "", "Too long by four: the two line ends after it."),
        Document("clueweb12-0000tw-00-00005", "", ""),
    ]
    assert rejects.counts == {"HTTP status not 200": 1, "no HTTP header": 1}


# --- Common Crawl, and any other --------------------------------------------------------------


def warc(name, block, *, kind="response", length=None):
    length = len(block) if length is None else length
    return (
        f"WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Date: 2024-02-20T22:12:53Z\r\n"
        f"WARC-Record-ID: <urn:uuid:{name}>\r\nContent-Length: {length}\r\n"
        "WARC-Target-URI: https://example.org/\r\n"
        "Content-Type: application/http; msgtype=response\r\n\r\n"
    ).encode() + block + b"\r\n\r\n"  # fmt: skip


def answer(body, *headers, status="200 OK"):
    lines = [f"HTTP/1.1 {status}", *headers]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


def test_common_crawl_keeps_answers_that_hold_text_and_counts_what_else_there_is():
    html = "Content-Type: text/html; charset=UTF-8"
    content = b"".join(
        [
            warc("info", b"isPartOf: made", kind="warcinfo"),
            warc("ask", b"GET / HTTP/1.1\r\n\r\n", kind="request"),
            warc("a", answer(b"<title>A</title><p>Page <b>a</b>", html)),
            warc("meta", b"fetchTimeMs: 12", kind="metadata"),
            warc("b", answer(b"<p>Not there", html, status="404 Not Found")),
            warc("c", answer(b"<p>XHTML", "content-type: Application/XHTML+xml")),
            warc("d", answer(b"Plain <text>\r\n", "Content-Type: text/plain")),
            warc("e", answer(b"\x89PNG\r\n\x1a\n", "Content-Type: image/png")),
            warc("f", answer(b"<!doctype html><p>Of no type")),
            warc("g", answer(b"%PDF-1.4")),
            warc("h", b"", kind="revisit"),
            warc("i", b"?", kind="strange"),
            warc("j", answer(b"<p>Too small", html), length=70),
            warc("k", answer(b"<p>Last", html)),
        ]
    )
    documents, rejects = read(content, WARC)
    assert documents == [
        Document("a", "A", "Page a"),
        Document("c", "", "XHTML"),
        Document("d", "", "Plain <text>"),
        Document("f", "", "Of no type"),
        Document("k", "", "Last"),
    ]
    assert rejects.counts == {
        "not a response (warcinfo)": 1,
        "not a response (request)": 1,
        "not a response (metadata)": 1,
        "not a response (revisit)": 1,
        "not a response (unknown type)": 1,
        "HTTP status not 200": 1,
        "not HTML": 2,
        "wrong Content-Length": 1,
    }


PAGE = b"<p>The page, " + b"packed " * 30 + b"once."
READ = "The page, " + "packed " * 30 + "once."


def chunked(body):
    half = len(body) // 2
    parts = [body[:half], body[half:], b""]
    return b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in parts)


@pytest.mark.parametrize(
    ("headers", "body"),
    [
        (["Content-Encoding: gzip"], gzip.compress(PAGE)),
        (["content-encoding: deflate"], zlib.compress(PAGE)),
        (["Content-Encoding: br"], brotli.compress(PAGE)),
        (["Transfer-Encoding: chunked"], chunked(PAGE)),
        (["transfer-encoding: chunked", "Content-Encoding: gzip"], chunked(gzip.compress(PAGE))),
        # Stored unpacked, under the header as the server sent it.
        (["Content-Encoding: gzip"], PAGE),
        (["Content-Encoding: br"], PAGE),
        (["Transfer-Encoding: chunked"], PAGE),
        (["Content-Encoding: none-such"], PAGE),
    ],
)
def test_bodies_are_unpacked_where_they_are_packed(headers, body):
    content = warc("a", answer(body, "Content-Type: text/html", *headers))
    assert read(content, WARC)[0] == [Document("a", "", READ)]


def test_a_packed_body_that_was_cut_gives_what_there_is():
    whole = b"<p>" + b" ".join(b"%d" % number for number in range(20_000))
    packed = gzip.compress(whole)
    content = warc("a", answer(packed[: len(packed) // 2], "Content-Encoding: gzip"))
    [(_, _, text)], _ = read(content, WARC)
    assert whole[3:].decode().startswith(text)
    assert len(text) > len(whole) // 3


def test_bodies_that_cannot_be_unpacked_or_never_end_are_counted():
    html = "Content-Type: text/html"
    broken = warc("a", answer(b"\x1f\x8b\xff\x00\x01", html, "Content-Encoding: gzip"))
    bomb = warc("b", answer(gzip.compress(bytes(70 << 20), 1), html, "Content-Encoding: gzip"))
    documents, rejects = read(broken + bomb, WARC)
    assert documents == []
    assert rejects.counts == {
        "HTTP body that cannot be unpacked": 1,
        "record of more than 64 MiB": 1,
    }


# --- Any damage -------------------------------------------------------------------------------

PIECES = [
    b"WARC/1.0\r\n", b"WARC/0.18\n", b"WARC-Type: response\r\n", b"Content-Length: 20\r\n",
    b"Content-Length: 50\n", b"\n", b"\r\n", b"HTTP/1.1 200 OK\r\n", b"Content-Type: text/html\r\n",
    b"Content-Encoding: gzip\r\n", b"Transfer-Encoding: chunked\r\n", b"5\r\nabcde\r\n", b": ",
    b"WARC-Record-ID: <urn:uuid:a>\r\n", b"<html>", b"\0\xff", warc("a", answer(b"<p>a")),
]  # fmt: skip
ANYTHING = st.lists(st.sampled_from(PIECES) | st.binary(max_size=5), max_size=25).map(b"".join)


@given(ANYTHING)
def test_every_record_of_any_bytes_is_a_document_or_counted_once(content):
    read(content, WARC)


@given(ANYTHING)
def test_an_answer_of_any_bytes_is_a_document_or_counted_once(content):
    read(warc("a", content), WARC)


class InPieces(io.RawIOBase):
    """A stream that gives a few bytes at a time."""

    def __init__(self, content, most):
        self.rest, self.most = io.BytesIO(content), most

    def read(self, size=-1):
        return self.rest.read(self.most)


@given(ANYTHING, st.integers(1, 50))
def test_it_does_not_matter_how_many_bytes_a_read_gives(content, most):
    rejects, again = Rejects(), Rejects()
    framed = list(WARC.frame(io.BytesIO(content), "a", rejects))
    assert list(WARC.frame(InPieces(content, most), "a", again)) == framed
    assert again == rejects


JUNK = (
    st.binary(max_size=60).filter(lambda junk: b"WARC/" not in junk).map(lambda junk: junk + b"\n")
)


@given(st.lists(st.tuples(JUNK, st.binary(max_size=60)), max_size=6), JUNK)
@settings(max_examples=200)
def test_every_sound_record_is_found_whatever_stands_between(around, last):
    records = [
        warc("a", block).removesuffix(b"\r\n\r\n") for _, block in around if b"WARC/" not in block
    ]
    junk = [junk for junk, block in around if b"WARC/" not in block]
    content = b"".join(b + a + b"\r\n\r\n" for b, a in zip(junk, records, strict=True)) + last
    framed = [record for _, record in WARC.frame(io.BytesIO(content), "a", Rejects())]
    assert framed == records


def test_records_are_found_across_the_ends_of_what_is_read_at_once():
    names = [f"{number:07}" for number in range(12_000)]
    content = b"".join(warc(name, answer(b"<p>" + name.encode())) for name in names)
    assert len(content) > 2 << 20
    framed = [record for _, record in WARC.frame(io.BytesIO(b"junk\n" + content), "a", Rejects())]
    assert len(framed) == len(names)
    assert all(name.encode() in record for name, record in zip(names, framed, strict=True))

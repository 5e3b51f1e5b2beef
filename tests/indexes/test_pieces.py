"""Damage in files of many pieces: what is sound behind it is read, and the damage is counted."""

import bz2
import gzip
import json

import pytest
import zstandard

from evaluator.model import Rejects
from indexes.collections import read_collection
from indexes.streams import open_unpacked

PAGES = 5


def page(number: int) -> bytes:
    body = f"<p>Page {number} of the archive, with words of its own: {'w' * number}.</p>".encode()
    http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + body
    return (
        f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:{number}>\r\n"
        f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(http)}\r\n\r\n"
    ).encode() + http + b"\r\n\r\n"  # fmt: skip


def text_page(number: int) -> bytes:
    text = f"Text {number} of the crawl".encode()
    return (
        f"WARC/1.0\r\nWARC-Type: conversion\r\nWARC-Record-ID: <urn:uuid:{number}>\r\n"
        f"Content-Type: text/plain\r\nContent-Length: {len(text)}\r\n\r\n"
    ).encode() + text + b"\r\n\r\n"  # fmt: skip


def news(number: int) -> bytes:
    return (f"<DOC>\n<DOCNO> {number} </DOCNO>\n<TEXT>\nNews {number}\n</TEXT>\n</DOC>\n").encode()


def in_header(piece: bytes) -> bytes:
    return b"\x1f\x8b\x07" + piece[3:]


def in_magic(piece: bytes) -> bytes:
    return b"\0" + piece[1:]


def in_content(piece: bytes) -> bytes:
    middle = len(piece) // 2
    return piece[:middle] + b"\xff" * 9 + piece[middle + 9 :]


def in_sum(piece: bytes) -> bytes:
    return piece[:-8] + bytes([piece[-8] ^ 1]) + piece[-7:]


def without_end(piece: bytes) -> bytes:
    return piece[:-20]


@pytest.mark.parametrize("damage", [in_header, in_magic, in_content, in_sum, without_end])
@pytest.mark.parametrize("place", range(PAGES - 1))
@pytest.mark.parametrize(
    ("record", "format"), [(page, "warc"), (text_page, "wet")], ids=["warc", "wet"]
)
def test_a_damaged_record_of_a_web_archive_costs_no_other(tmp_path, record, format, place, damage):  # noqa: A002
    pieces = [gzip.compress(record(number)) for number in range(PAGES)]
    begin = sum(map(len, pieces[:place]))
    end = begin + len(damage(pieces[place]))
    pieces[place] = damage(pieces[place])
    (tmp_path / "a.warc.gz").write_bytes(b"".join(pieces))
    rejects = Rejects()
    found = read_collection(tmp_path / "a.warc.gz", format=format, rejects=rejects)
    assert [document.id for document in found] == [str(n) for n in range(PAGES) if n != place]
    assert rejects.counts == {"damaged part of a file": 1}
    [told] = rejects.examples.values()
    assert f"damaged from byte {begin:,} " in told
    assert told.endswith(f"read on at {end:,}")


@pytest.mark.parametrize("damage", [in_header, in_content, in_sum])
def test_the_last_record_is_lost_alone(tmp_path, damage):
    pieces = [gzip.compress(page(number)) for number in range(PAGES)]
    (tmp_path / "a.warc.gz").write_bytes(b"".join([*pieces[:-1], damage(pieces[-1])]))
    rejects = Rejects()
    found = read_collection(tmp_path / "a.warc.gz", format="warc", rejects=rejects)
    assert [document.id for document in found] == [str(number) for number in range(PAGES - 1)]
    assert rejects.total == 1


def test_two_damaged_records_are_two(tmp_path):
    pieces = [gzip.compress(page(number)) for number in range(PAGES)]
    pieces[1], pieces[3] = in_content(pieces[1]), in_sum(pieces[3])
    (tmp_path / "a.warc.gz").write_bytes(b"".join(pieces))
    rejects = Rejects()
    found = read_collection(tmp_path / "a.warc.gz", format="warc", rejects=rejects)
    assert [document.id for document in found] == ["0", "2", "4"]
    assert rejects.counts == {"damaged part of a file": 2}


def test_a_packed_page_inside_a_damaged_record_is_no_record(tmp_path):
    inner = gzip.compress(b"WORDS of a page that was sent packed " * 3)
    http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + inner
    held = page(1).replace(b"\r\n\r\n", b"\r\nX: 1\r\n\r\n", 1) + http
    stored = gzip.compress(held, compresslevel=0)  # its bytes stand in the file as they are
    stored = stored[:40] + bytes([stored[40] ^ 1]) + stored[41:]
    (tmp_path / "a.warc.gz").write_bytes(gzip.compress(page(0)) + stored + gzip.compress(page(2)))
    rejects = Rejects()
    found = read_collection(tmp_path / "a.warc.gz", format="warc", rejects=rejects)
    assert [document.id for document in found] == ["0", "2"]
    assert rejects.counts == {"damaged part of a file": 1}


PACK = {
    ".gz": gzip.compress,
    ".bz2": bz2.compress,
    ".zst": zstandard.ZstdCompressor(write_checksum=True).compress,
}


@pytest.mark.parametrize("suffix", PACK)
def test_other_collections_are_read_behind_damage_too(tmp_path, suffix):
    pieces = [PACK[suffix](b"".join(map(news, range(n, n + 10)))) for n in range(0, 50, 10)]
    pieces[2] = in_content(pieces[2])
    (tmp_path / f"news{suffix}").write_bytes(b"".join(pieces))
    rejects = Rejects()
    found = read_collection(tmp_path / f"news{suffix}", format="trectext", rejects=rejects)
    ids = [int(document.id) for document in found]
    assert {*range(20), *range(30, 50)} <= set(ids)
    assert ids == sorted(ids)
    assert rejects.counts["damaged part of a file"] == 1
    assert rejects.total <= 2  # a document that begins before the damage has no end


def test_what_stands_on_both_sides_of_a_gap_is_never_one_line(tmp_path):
    lines = [json.dumps({"id": str(n), "text": f"line {n}"}).encode() for n in range(4)]
    # Pieces that end within lines, as those of parallel compressors do.
    pieces = [b"\n".join(lines[:2])[:-5], lines[1][-5:] + b"\n" + lines[2][:-5],
              lines[1][-5:] + b"\n" + lines[3]]  # fmt: skip
    packed = [gzip.compress(piece) for piece in pieces]
    packed[1] = in_header(packed[1])
    (tmp_path / "c.jsonl.gz").write_bytes(b"".join(packed))
    rejects = Rejects()
    found = read_collection(tmp_path / "c.jsonl.gz", format="jsonl", rejects=rejects)
    assert [document.id for document in found] == ["0", "3"]
    assert rejects.counts["damaged part of a file"] == 1


def test_a_large_piece_is_not_held_until_its_end(tmp_path):
    large = b"0123456789abcdef" * (1 << 20)
    (tmp_path / "a.gz").write_bytes(gzip.compress(large, 1)[:-8] + bytes(8))
    with open_unpacked(tmp_path / "a.gz", rejects=Rejects()) as stream:
        assert len(stream.read()) == len(large)

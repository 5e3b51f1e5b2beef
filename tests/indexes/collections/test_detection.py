"""Telling the format of a collection by how it begins."""

import gzip

import pytest

from evaluator.errors import InputError
from indexes.collections import FORMATS, detect_format
from tests.indexes.collections.reading import tar, wiki, write

INFO = "WARC/{0}\r\nWARC-Type: warcinfo\r\nContent-Length: 3\r\n\r\n<a>\r\n\r\nWARC/{0}\r\n"
BEGINS = {
    "wikiextractor": wiki("1").decode(),
    "jsonl": '\n{ "id": "1", "text": "WARC/1.0 <doc>"}',
    "trectext": "<DOC>\n<DOCNO>1</DOCNO>\n<TEXT>one</TEXT></DOC>",
    "trecweb": "\r\n<DOC>\n<DOCNO>1</DOCNO>\n<DOCHDR>http://kelp.example/\n</DOCHDR><html></DOC>",
    "clueweb09": INFO.format("0.18") + "WARC-Type: response\nWARC-TREC-ID: clueweb09-en0000-00-1",
    "clueweb12": INFO.format("1.0") + "WARC-TREC-ID: clueweb12-0000tw-00-00013\r\n",
    "warc": INFO.format("1.0") + "WARC-Type: request\r\n",
    "wet": INFO.format("1.0") + "WARC-Type: conversion\r\n",
    "nitf": '<?xml version="1.0"?>\n<!DOCTYPE nitf SYSTEM "x.dtd">\n<nitf change.date="June">',
    "mediawiki": '<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.10/">',
}


def test_every_format_but_plain_text_has_a_sign():
    assert {*BEGINS, "text"} == set(FORMATS)


@pytest.mark.parametrize("name", BEGINS)
def test_a_format_is_told_by_its_first_bytes_however_packed(tmp_path, name):
    content = BEGINS[name].encode()
    (tmp_path / "files.tar").write_bytes(tar({"0": b"", "1.gz": gzip.compress(content)}))
    write(tmp_path / "folder", {"0": b"", ".hidden": b"x", "1": b"\xef\xbb\xbf" + content})
    assert detect_format(tmp_path / "files.tar") == name
    assert detect_format(tmp_path / "folder") == name


def test_gigaword_is_no_wikiextractor(tmp_path):
    (tmp_path / "file").write_text('<DOC id="AFP_ENG_1" type="story" >\n')
    assert detect_format(tmp_path / "file") == "trectext"


def test_plain_text_is_never_guessed(tmp_path):
    (tmp_path / "file").write_text("Lena Marsh founded Kelp.")
    with pytest.raises(InputError, match=r"begins with 'Lena Marsh founded K'; name it: .*text"):
        detect_format(tmp_path / "file")
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(InputError, match="no file with anything in it"):
        detect_format(tmp_path / "file")


def test_the_files_that_are_selected_tell(tmp_path):
    write(tmp_path, {"README": b"read me", "data/1": wiki("1")})
    assert detect_format(tmp_path, select=["data/*"]) == "wikiextractor"
    with pytest.raises(InputError, match="README"):
        detect_format(tmp_path)
    with pytest.raises(InputError, match=r"no file matches 'date/\*'.*'README'"):
        detect_format(tmp_path, select=["date/*"])

"""WikiExtractor, JSON lines and plain text: what is read, what is counted as rejected."""

import gzip
import json

import pytest

from evaluator.errors import ConfigurationError, InputError
from indexes.collections import Document
from tests.indexes.collections.reading import read, tar, wiki


def read_bytes(folder, content, **options):
    (folder / "file").write_bytes(content)
    return read(folder / "file", **options)


def test_wikiextractor(tmp_path):
    content = """<doc id="12" url="http://x?curid=12" title="Bed &amp; Breakfast">
Bed & Breakfast

A place to <b>stay</b>. A </doc> inside a line is text, and so is <doc id="1">.
</doc>

<doc id="25" revid="7" url="http://x?curid=25" title=""Café" (album)">\r
"Café" (album)\r
</doc>\r
<doc id="26" url="u" title="Empty">
</doc>
""".encode()
    text = (
        "Bed & Breakfast\n\nA place to <b>stay</b>."
        ' A </doc> inside a line is text, and so is <doc id="1">.'
    )
    expected = [
        Document("12", "Bed & Breakfast", text),
        Document("25", '"Café" (album)', '"Café" (album)'),
        Document("26", "Empty", ""),
    ]
    assert read_bytes(tmp_path, content) == (expected, {})
    assert read_bytes(tmp_path, b"\xef\xbb\xbf" + content) == (expected, {})
    assert read_bytes(tmp_path, content.rstrip()) == (expected, {})


def test_wikiextractor_records_that_cannot_be_used(tmp_path):
    documents, rejects = read_bytes(
        tmp_path,
        b'<doc id="1" title="cut">\ntext\n'
        b'<doc id="2" title="whole">\ntext\n</doc>\n'
        b"</doc>\n"
        b'<doc url="u" title="no id">\ntext\n</doc>\n'
        b'<doc id="" title="no id">\ntext\n</doc>\n'
        b'<doc id="3" title="latin">\ncaf\xe9\n</doc>\n'
        b'<doc id="2" title="again">\ntext\n</doc>\n'
        b'<doc id="5&#9;6" title="a tab in its id">\ntext\n</doc>\n'
        b'<doc id="6" title="nul">\na\0b\n</doc>\n'
        b'<doc id="4" title="cut too">\n',
    )
    assert documents == [Document("2", "whole", "text"), Document("6", "nul", "a b")]
    assert rejects == {
        "document without end": 2,
        "end without document": 1,
        "missing id": 2,
        "invalid UTF-8": 1,
        "duplicate id": 1,
        "unusable id": 1,
    }


def test_jsonl_of_three_makers(tmp_path):
    lines = [
        {"id": "a", "text": "one", "title": "One"},
        {"id": "b", "contents": "Anserini"},
        {"id": "12", "revid": "7", "url": "u", "title": "WikiExtractor", "text": "two\nlines"},
        {"id": 7, "title": None, "text": ""},
        {"id": "café", "text": "a\0b 😀"},
    ]
    content = "\r\n\n".join(map(json.dumps, lines)).encode("utf-8-sig")
    assert read_bytes(tmp_path, content) == (
        [
            Document("a", "One", "one"),
            Document("b", "", "Anserini"),
            Document("12", "WikiExtractor", "two\nlines"),
            Document("7", "", ""),
            Document("café", "", "a b 😀"),
        ],
        {},
    )


def test_jsonl_records_that_cannot_be_used(tmp_path):
    lines = [
        b'{"id": "a", "text": "one", "title": "One"}',
        b"",
        b'{"id": "b", "text": "cut',
        b'{"id": "c", "text": "caf\xe9"}',
        b'{"id": "d"}',
        b'{"id": "d", "text": null, "contents": "no"}',
        b'{"text": "no id"}',
        b'{"id": true, "text": "no id"}',
        b'{"id": %s, "text": "no id"}' % (b"9" * 5000),
        b'["e", "text"]',
        b'{"id": "f", "text": "\\ud800"}',
        b'{"id": "\\n", "text": "two lines"}',
        b'{"id": "a", "text": "again"}',
        b"[" * 100_000,
    ]
    documents, rejects = read_bytes(tmp_path, b"\n".join(lines), format="jsonl")
    assert documents == [Document("a", "One", "one")]
    assert rejects == {
        "broken JSON": 3,
        "invalid UTF-8": 1,
        "missing text": 2,
        "missing id": 2,
        "not a JSON object": 1,
        "invalid Unicode": 1,
        "unusable id": 1,
        "duplicate id": 1,
    }


def test_every_file_of_plain_text_is_a_document(tmp_path):
    files = {
        "a/one.txt": b"\xef\xbb\xbfone\n<doc>",
        "two.txt.gz": b"not compressed, whatever its name",
        "a/latin": b"caf\xe9",
        "a/two\tcolumns": b"text",
    }
    (tmp_path / "texts.tar").write_bytes(tar(files))
    documents, rejects = read(tmp_path / "texts.tar", format="text")
    assert documents == [Document("a/one.txt", "", "one\n<doc>")]
    assert rejects == {"unreadable file": 1, "invalid UTF-8": 1, "unusable id": 1}


def test_the_id_of_a_text_does_not_say_how_it_was_compressed(tmp_path):
    for name in ("a.txt", "a.txt.gz", "a.txt.XZ"):
        (tmp_path / "texts").write_bytes(tar({name: gzip_or_plain(name)}))
        assert read(tmp_path / "texts", format="text") == ([Document("a.txt", "", "text")], {})


def gzip_or_plain(name: str) -> bytes:

    return b"text" if name.endswith("txt") else gzip.compress(b"text")


def test_what_is_asked_for_must_be_there(tmp_path):
    with pytest.raises(InputError, match=r"no jsonl document found \(broken JSON: 2\)"):
        read_bytes(tmp_path, b"{\n{\n", format="jsonl")
    with pytest.raises(
        InputError, match=r"no jsonl document found \(broken JSON: 3; not a JSON object: 1\)"
    ):
        read_bytes(tmp_path, wiki("1"), format="jsonl")
    with pytest.raises(ConfigurationError, match="known: auto, wikiextractor, jsonl"):
        read_bytes(tmp_path, wiki("1"), format="html")

"""Collections: what is read, what is counted as rejected, what is refused."""

import bz2
import gzip
import io
import json
import lzma
import tarfile

import pytest

from evaluator.errors import ConfigurationError, InputError
from evaluator.model import Rejects
from indexes.collections import Document, read_collection

TWO_DOCUMENTS = """<doc id="12" url="http://x?curid=12" title="Bed &amp; Breakfast">
Bed & Breakfast

A place to <b>stay</b>.
</doc>
<doc id="25" url="http://x?curid=25" title="Café">
Café
</doc>
""".encode()
READ = [
    Document("12", "Bed & Breakfast", "Bed & Breakfast\n\nA place to <b>stay</b>."),
    Document("25", "Café", "Café"),
]


def read(path, *, format="wikiextractor"):  # noqa: A002
    rejects = Rejects()
    return list(read_collection(path, format=format, rejects=rejects)), rejects.counts


@pytest.mark.parametrize(
    ("suffix", "pack"),
    [("", bytes), (".gz", gzip.compress), (".bz2", bz2.compress), (".xz", lzma.compress)],
)
def test_a_file_plain_or_compressed(tmp_path, suffix, pack):
    (tmp_path / f"wiki_00{suffix}").write_bytes(pack(TWO_DOCUMENTS))
    assert read(tmp_path / f"wiki_00{suffix}") == (READ, {})


def test_a_folder_is_read_in_the_order_of_its_paths(tmp_path):
    first, second = TWO_DOCUMENTS.split(b'<doc id="25"')
    for folder in ("AB", "AA", ".hidden"):
        (tmp_path / folder).mkdir()
    (tmp_path / "AB" / "wiki_00").write_bytes(b'<doc id="25"' + second)
    (tmp_path / "AA" / "wiki_07").write_bytes(first)
    (tmp_path / ".hidden" / "wiki_00").write_bytes(first)
    assert read(tmp_path) == (READ, {})


@pytest.mark.parametrize("mode", ["w", "w:gz", "w:xz"])
def test_an_archive_of_files(tmp_path, mode):
    path = tmp_path / f"wiki.tar{mode[1:].replace(':', '.')}"
    with tarfile.open(path, mode) as archive:
        for name, content in (("AA/wiki_00", TWO_DOCUMENTS), ("AA/wiki_01.gz", None)):
            content = content or gzip.compress(TWO_DOCUMENTS.replace(b'id="', b'id="1'))
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    documents, rejects = read(path)
    assert [document.id for document in documents] == ["12", "25", "112", "125"]
    assert rejects == {}


def test_wikiextractor_records_that_cannot_be_used(tmp_path):
    (tmp_path / "wiki").write_bytes(
        b'<doc id="1" title="cut">\ntext\n'
        b'<doc id="2" title="whole">\ntext\n</doc>\n'
        b"</doc>\n"
        b'<doc url="u" title="no id">\ntext\n</doc>\n'
        b'<doc id="3" title="latin">\ncaf\xe9\n</doc>\n'
        b'<doc id="2" title="again">\ntext\n</doc>\n'
        b'<doc id="4" title="cut too">\n'
    )
    documents, rejects = read(tmp_path / "wiki")
    assert [document.title for document in documents] == ["whole"]
    assert rejects == {
        "document without end": 2,
        "end without document": 1,
        "missing id": 1,
        "invalid UTF-8": 1,
        "duplicate id": 1,
    }


def test_jsonl_records_that_cannot_be_used(tmp_path):
    lines = [
        b'{"id": "a", "text": "one", "title": "One"}',
        b'{"id": 7, "text": ""}',
        b"",
        b'{"id": "b", "text": "cut',
        b'{"id": "c", "text": "caf\xe9"}',
        b'{"id": "d"}',
        b'{"text": "no id"}',
        b'{"id": true, "text": "no id"}',
        b'["e", "text"]',
        b'{"id": "f", "text": "\\ud800"}',
        b'{"id": "a", "text": "again"}',
        b"[" * 100_000,
    ]
    (tmp_path / "c.jsonl.gz").write_bytes(gzip.compress(b"\n".join(lines)))
    documents, rejects = read(tmp_path / "c.jsonl.gz", format="jsonl")
    assert documents == [Document("a", "One", "one"), Document("7", "", "")]
    assert rejects == {
        "broken JSON": 2,
        "invalid UTF-8": 1,
        "missing text": 1,
        "missing id": 2,
        "not a JSON object": 1,
        "invalid Unicode": 1,
        "duplicate id": 1,
    }


def test_jsonl_may_begin_with_a_byte_order_mark(tmp_path):
    line = json.dumps({"id": "a", "text": "one"})
    (tmp_path / "c.jsonl").write_text(line, encoding="utf-8-sig")
    assert read(tmp_path / "c.jsonl", format="jsonl") == ([Document("a", "", "one")], {})


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("cut.gz", gzip.compress(TWO_DOCUMENTS * 50)[:-30]),
        ("not.gz", TWO_DOCUMENTS),
        ("cut.bz2", bz2.compress(TWO_DOCUMENTS)[:-9]),
        ("cut.xz", lzma.compress(TWO_DOCUMENTS)[:-30]),
        ("not.tar", b"no archive" * 100),
    ],
)
def test_a_damaged_file_is_refused_by_name(tmp_path, name, content):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError, match=rf"{name}: cannot be read to its end"):
        read(tmp_path / name)


def test_nothing_to_read_is_refused(tmp_path):
    with pytest.raises(InputError, match="no such file"):
        read(tmp_path / "absent")
    with pytest.raises(InputError, match="no record at all"):
        read(tmp_path)
    (tmp_path / "empty").touch()
    with pytest.raises(InputError, match="no wikiextractor document found"):
        read(tmp_path / "empty")
    (tmp_path / "broken.jsonl").write_text("{\n{\n")
    with pytest.raises(InputError, match="broken JSON: 2"):
        read(tmp_path / "broken.jsonl", format="jsonl")
    with pytest.raises(ConfigurationError, match="expected wikiextractor or jsonl"):
        read(tmp_path, format="html")

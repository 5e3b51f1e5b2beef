"""The formats of TREC: sections, tags, entities and encodings, and what cannot be used."""

from indexes.collections import Document
from tests.indexes.collections.reading import read


def read_bytes(folder, content, **options):
    (folder / "file").write_bytes(content)
    return read(folder / "file", **options)


def test_a_headline_and_several_texts(tmp_path):
    content = b"""<DOC>
<DOCNO> KP900101-0001 </DOCNO>
<DATE>1990</DATE>
<HEAD>Marsh &amp; Son</HEAD>
<HEAD>open <B>Kelp</B> shop</HEAD>
<TEXT>
<!-- a comment -->
<P>Lena Marsh founded Kelp &mdash; in 1990.</P>
A price of 3 < 4.
</TEXT>
<NOTE>not read</NOTE>
<TEXT>Its second text.</TEXT>
</DOC>
<doc>
<docno>2</docno><headline>small letters</headline><text>all the same</text></doc>
<DOC>
<DOCNO>WSJ1</DOCNO> <HL> A headline </HL> <LP> The lead. </LP> <TEXT> </TEXT>
</DOC>
<DOC id="XIN_0001" type="story" >
<HEADLINE>
Named in
the tag
</HEADLINE>
<TEXT>
<P>
One.
</P>
</TEXT>
</DOC>
"""
    documents, rejects = read_bytes(tmp_path, content)
    assert [(document.id, document.title, document.text.split()) for document in documents] == [
        (
            "KP900101-0001",
            "Marsh & Son open Kelp shop",
            [
                *("Lena", "Marsh", "founded", "Kelp", "—", "in", "1990."),
                *("A", "price", "of", "3", "<", "4.", "Its", "second", "text."),
            ],
        ),
        ("2", "small letters", ["all", "the", "same"]),
        ("WSJ1", "A headline", ["The", "lead."]),
        ("XIN_0001", "Named in the tag", ["One."]),
    ]
    assert rejects == {}


def test_a_text_that_is_no_utf8_is_windows_1252(tmp_path):
    def record(text: bytes) -> bytes:
        return b"<DOC>\n<DOCNO>%d</DOCNO><TEXT>%s</TEXT>\n</DOC>\n" % (len(text), text)

    content = record("café €".encode()) + record(b"caf\xe9 \x80 \x81")
    assert read_bytes(tmp_path, content, format="trectext") == (
        [Document("9", "", "café €"), Document("8", "", "café € \x81")],
        {},
    )


def test_records_of_trectext_that_cannot_be_used(tmp_path):
    documents, rejects = read_bytes(
        tmp_path,
        b"<DOC>\n<DOCNO>1</DOCNO>\n<TEXT>cut\n"
        b"<DOC>\n<DOCNO>2</DOCNO>\n<TEXT>whole</TEXT>\n</DOC>\n"
        b"</DOC>\n"
        b"<DOC>\n<TEXT>no id</TEXT>\n</DOC>\n"
        b"<DOC>\n<DOCNO>  </DOCNO><TEXT>no id</TEXT>\n</DOC>\n"
        b"<DOC>\n<DOCNO>3</DOCNO><GRAPHIC>no text</GRAPHIC>\n</DOC>\n"
        b"<DOC>\n<DOCNO>4</DOCNO><TEXT>unclosed, but ended\n</DOC>\n"
        b"<DOC>\n<DOCNO>5</DOCNO>\n",
        format="trectext",
    )
    assert documents == [Document("2", "", "whole"), Document("4", "", "unclosed, but ended")]
    assert rejects == {
        "document without end": 2,
        "end without document": 1,
        "missing id": 2,
        "no text": 1,
    }


def test_pages_of_trecweb(tmp_path):
    def record(number: int, header: bytes, page: bytes) -> bytes:
        return (
            b"<DOC>\n<DOCNO>GX-%d</DOCNO>\n<DOCHDR>\nhttp://kelp.example/\n%s\n</DOCHDR>\n%s\n</DOC>\n"
            % (number, header, page)
        )

    page = "<html><head><title>Kelp</title></head><body><p>Café</p><p>Lena <b>Marsh</b></p></body>"
    content = (
        record(1, b"HTTP/1.1 200 OK\nContent-Type: text/html; charset=utf-8", page.encode())
        + record(2, b"Content-type: text/html; charset=ISO-8859-1", page.encode("latin-1"))
        + record(3, b"", b"<html><script>no text</script></html>")
        + b"<DOC>\n<DOCNO>GX-4</DOCNO>\n" + page.encode() + b"</DOC>\n"
        + b"<DOC>\n<DOCHDR></DOCHDR>\n" + page.encode() + b"</DOC>\n"
    )  # fmt: skip
    documents, rejects = read_bytes(tmp_path, content)
    assert [(document.id, document.title, document.text.split()) for document in documents] == [
        ("GX-1", "Kelp", ["Café", "Lena", "Marsh"]),
        ("GX-2", "Kelp", ["Café", "Lena", "Marsh"]),
    ]
    assert rejects == {"no text": 1, "no DOCHDR": 1, "missing id": 1}

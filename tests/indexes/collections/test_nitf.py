"""NITF: articles of the New York Times Annotated Corpus."""

import io

from hypothesis import given
from hypothesis import strategies as st

from evaluator.model import Rejects
from indexes.collections.base import Document
from indexes.collections.nitf import FORMAT

ARTICLE = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE nitf SYSTEM "http://www.example.org/nitf-3-3.dtd">
<nitf change.date="June 10, 2005"><head>
<title>Caf&#233; Owner
  Is Mayor</title><meta name="online_sections" content="World"/>
<docdata><doc-id id-string="1234567"/></docdata></head>
<body><body.head><hedline><hl1>CAF&#201; OWNER IS MAYOR</hl1></hedline></body.head>
<body.content>
<block class="lead_paragraph"><p>LEAD: Lena Marsh was elected.</p></block>
<block class="full_text"><p>LEAD: Lena Marsh was
 elected.</p><p>She owns a caf&#233; &amp; a <em>bar</em>.</p><p/></block>
</body.content></body></nitf>
"""
READ = Document(
    "1234567", "Café Owner Is Mayor", "LEAD: Lena Marsh was elected.\nShe owns a café & a bar."
)


def read(content):
    rejects = Rejects()
    framed = list(FORMAT.frame(io.BytesIO(content), "nyt/1234567.xml", rejects))
    documents = [FORMAT.decode(content, where, rejects) for where, content in framed]
    assert len(documents) == 1
    assert (documents[0] is None) == (rejects.total == 1)
    return documents[0], rejects.counts


def test_an_article_is_its_full_text_under_its_title():
    assert read(ARTICLE.encode()) == (READ, {})


def test_a_headline_stands_in_for_a_missing_title():
    without = ARTICLE.replace("<title>Caf&#233; Owner\n  Is Mayor</title>", "")
    assert read(without.encode())[0].title == "CAFÉ OWNER IS MAYOR"


def test_the_encoding_is_the_declared_one():
    latin = ARTICLE.replace("UTF-8", "ISO-8859-1").replace("&#233;", "é")
    assert read(latin.encode("latin-1")) == (READ, {})


def test_characters_that_the_document_type_would_name_are_those_of_html():
    assert read(ARTICLE.replace("&#233;", "&eacute;").encode()) == (READ, {})


def test_an_article_without_full_text_is_counted():
    assert read(ARTICLE.replace("full_text", "correction_text").encode()) == (
        None,
        {"no full text": 1},
    )
    empty = ARTICLE[: ARTICLE.index("<p>LEAD: Lena Marsh was\n")]
    assert read((empty + "</block></body.content></body></nitf>").encode()) == (
        None,
        {"no full text": 1},
    )


def test_an_article_without_an_id_is_counted():
    assert read(ARTICLE.replace("id-string", "id").encode()) == (None, {"missing id": 1})


def test_broken_xml_is_counted():
    for broken in (b"", b"no XML", ARTICLE.encode()[:-20], ARTICLE.replace("</em>", "").encode()):
        assert read(broken) == (None, {"broken XML": 1})
    assert read(b'<?xml version="1.0" encoding="none-such"?><nitf/>') == (None, {"broken XML": 1})


def test_declared_entities_are_refused_and_no_file_is_read(tmp_path):
    secret = tmp_path / "secret.txt"
    secret.write_text("secret")
    bomb = '<!ENTITY a "aaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">'
    for declared in (bomb, f'<!ENTITY x SYSTEM "{secret.as_uri()}">', '<!ENTITY % x "y"> %x;'):
        content = f"<!DOCTYPE nitf [{declared}]>{ARTICLE[ARTICLE.index('<nitf') :]}"
        assert read(content.encode()) == (None, {"XML that declares entities": 1})
    # A document type elsewhere is not read either: this one would be broken XML if it were.
    named = ARTICLE.replace("http://www.example.org/nitf-3-3.dtd", secret.as_uri())
    assert read(named.encode()) == (READ, {})


def test_deep_nesting_is_survived():
    deep = "<em>" * 50_000 + "bar" + "</em>" * 50_000
    assert read(ARTICLE.replace("<em>bar</em>", deep).encode()) == (READ, {})


@given(st.binary(max_size=100), st.integers(0, len(ARTICLE)))
def test_any_bytes_are_an_article_or_counted_once(junk, place):
    encoded = ARTICLE.encode()
    read(encoded[:place] + junk + encoded[place:])
    read(junk)

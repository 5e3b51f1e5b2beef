"""MediaWiki dumps: articles as running text."""

import io
from xml.sax.saxutils import escape, quoteattr

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.model import Rejects
from indexes.collections.base import Document
from indexes.collections.mediawiki import FORMAT, wikitext_to_text


def page(name, title, wikitext, *, namespace=0, redirect=""):
    redirect = f"<redirect title={quoteattr(redirect)} />" if redirect else ""
    return (
        f"  <page>\n    <title>{escape(title)}</title>\n    <ns>{namespace}</ns>\n"
        f"    <id>{name}</id>\n    {redirect}<revision>\n      <id>99</id>\n"
        f'      <text xml:space="preserve">{escape(wikitext)}</text>\n    </revision>\n  </page>\n'
    )


HEAD = '<mediawiki xml:lang="en">\n  <siteinfo><sitename>W</sitename></siteinfo>\n'


def read(dump):
    rejects = Rejects()
    framed = list(FORMAT.frame(io.BytesIO(dump.encode()), "wiki.xml", rejects))
    records = len(framed) + rejects.total
    documents = [FORMAT.decode(content, where, rejects) for where, content in framed]
    found = [document for document in documents if document is not None]
    assert len(found) + rejects.total == records
    return found, rejects.counts


def test_articles_are_documents_and_all_other_pages_are_counted():
    dump = "".join(
        [
            HEAD,
            page(12, "Bed & Breakfast", "'''Bed & Breakfast''' is a <place>."),
            page(13, "B&B", "#REDIRECT [[Bed & Breakfast]]", redirect="Bed & Breakfast"),
            page(14, "Old", "#redirect [[New]]"),
            page(15, "Talk:Bed", "I think ...", namespace=1),
            page(16, "Broken", "text").replace("</title>", ""),
            page("", "Nameless", "text"),
            page(18, "Without end", "text").replace("  </page>\n", ""),
            page(19, "Empty", ""),
            page(20, "Very long", "word " * (1 << 20)),
            page(21, "Last", "[[Link]]."),
            page(22, "Cut", "text")[:-20],
        ]
    )
    documents, counts = read(dump)
    assert documents == [
        Document("12", "Bed & Breakfast", "Bed & Breakfast is a <place>."),
        Document("21", "Last", "Link."),
    ]
    assert counts == {
        "redirect": 2,
        "not an article": 1,
        "broken XML": 1,
        "missing id": 1,
        "document without end": 2,
        "wikitext of more than 4 MiB": 1,
        "no text": 1,
    }


def test_pages_without_text_and_pages_that_are_no_wikitext_are_counted():
    def with_text(name, text, model="wikitext"):
        # As exports of version 0.10 and 0.11 have them.
        return (
            f"<page><title>T</title><ns>0</ns><id>{name}</id><revision><id>9</id>"
            f"<model>{model}</model><format>text/x-wiki</format>{text}</revision></page>"
        )

    dump = HEAD + "".join(
        [
            with_text(1, '<text bytes="0" xml:space="preserve" />'),
            with_text(2, '<text bytes="22" xml:space="preserve">Kelp lies in the sea .</text>'),
            with_text(3, '<text deleted="deleted" />'),
            with_text(4, '<text xml:space="preserve">{{Infobox|a=b}} &lt;!-- c --&gt;</text>'),
            with_text(5, '<text xml:space="preserve">{"a": "b"}</text>', model="json"),
            with_text(6, ""),
        ]
    )
    documents, counts = read(dump)
    assert documents == [Document("2", "T", "Kelp lies in the sea .")]
    assert counts == {"no text": 4, "not wikitext": 1}


@pytest.mark.parametrize(
    ("wikitext", "text"),
    [
        # What a reader reads.
        ("'''A''' is ''b''.", "A is b."),
        ("[[A]], [[A|b]]s, [[:Category:C|all Cs]]", "A, bs, all Cs"),
        ("[http://x.org a site], http://y.org", "a site, http://y.org"),
        (
            "== Head ==\nText\n=== Sub ===\n* one\n* two\n# three",
            "Head\nText\nSub\none\ntwo\nthree",
        ),
        ("a&nbsp;b &ndash; c &lt;d&gt;", "a\u00a0b – c <d>"),
        ("a<br>b <small>c</small><div>d</div>e<sub>2</sub>", "a b c\nd\ne2"),
        ("<nowiki>[[not a link]]</nowiki> <code>x</code>", "[[not a link]] x"),
        ("one\n\n\n\ntwo", "one\n\ntwo"),
        # What is left out.
        ("a<ref>A note, {{cite|b}}</ref>b<ref name=c />c<ref name=d>\nmore\n</ref>.", "abc."),
        ("{{Infobox\n| name = {{nested|x}}\n| y = [[z]]\n}}Text {{t}}here", "Text here"),
        (
            "Before\n{| class=x\n! h\n|-\n| c || {{t}}\n{|\n| inner\n|}\n|}\nafter",
            "Before\n\nafter",
        ),
        ("[[File:a.jpg|thumb|right|A [[cat]]\nin a {{box}}.]]Text", "Text"),
        ("[[Image:a.jpg]][[Category:C]][[category:D|x]]Text[[fr:Texte]]", "Text"),
        ("a<!-- [[b]] {{ -->c <!-- to the end {{", "ac"),
        ("a <math>x^2 < [[y]]</math> b<gallery>\nFile:a.jpg|b\n</gallery>", "a  b"),
        ("__NOTOC__a", "a"),
        ('<templatestyles src="A/styles.css" />a<section begin="x"/> b', "a b"),
        ('a<mapframe zoom="9">{"type": "Point", "coordinates": [1, 2]}</mapframe>', "a"),
        ('<indicator name="good">[[File:a.svg]]</indicator>a', "a"),
        ("<onlyinclude>a</onlyinclude><includeonly>b</includeonly> ''{{lang|es|c}}'' d", "a  d"),
        # What has no end, or no begin, is no markup; what stands in it is text.
        ("{{unclosed [[x]]", "unclosed x"),
        ("a }} b ]] c", "a  b  c"),
        ("a {{b <ref> c {{d}} e", "a b  c  e"),
        ("{{a [[b }} c", "c"),
    ],
)
def test_wikitext_is_what_a_reader_reads(wikitext, text):
    assert wikitext_to_text(wikitext) == text


@pytest.mark.parametrize(
    "mark", ["{{", "{{a|", "[[a|", "<ref>", "<ref ", "{|\n|", "<!--", "<b>", "<x "]
)
def test_twenty_thousand_marks_without_an_end_leave_the_word_after_them_or_nothing(mark):
    text = wikitext_to_text(mark * 20_000 + "\nword")
    assert text.endswith("word") or mark == "<!--"


MARKS = [
    "{{", "}}", "[[", "]]", "{|", "\n|}", "<ref>", "</ref>", "<nowiki>", "<!--", "-->", "|",
    "File:",
    "''", "'''", "[http://a ", "]", "\n", "a", "&", "<b>", "</b>", "=", "* ", "{", "}",
]  # fmt: skip


@given(st.lists(st.sampled_from(MARKS) | st.characters(codec="utf-8"), max_size=40).map("".join))
def test_any_wikitext_gives_the_same_text_each_time(wikitext):
    assert wikitext_to_text(wikitext) == wikitext_to_text(wikitext)


@given(
    st.lists(st.sampled_from(["<page>", "</page>", "<id>1</id>", "<", "&", "\n", "é"]), max_size=20)
)
def test_any_bytes_are_articles_or_counted(pieces):
    read("".join(pieces))

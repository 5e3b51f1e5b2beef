"""HTML to text: everything a page says, in its encoding, whatever its markup."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexes.collections.html import decode_text, html_to_text

PAGE = b"""<!DOCTYPE html>
<html><head><title>Bed &amp;
  Breakfast</title><style>p { color: red }</style></head>
<body><nav><a href="/">Home</a> <a href="/about">About us</a></nav>
<h1>A <b>place</b> to stay</h1><p>First
paragraph.</p><p>Second<br>line</p>
<table><tr><td>Rooms</td><td>12</td></tr><tr><td>Beds</td></tr></table>
<ul><li>one<li>two<ol><li>three</ol></ul>
<script>var said = "nothing";</script><noscript>Switch it on</noscript><!-- no comment -->
<img alt="a picture"><p>caf&eacute; &lt;tag&gt;</p></body></html>"""


def test_a_page_gives_its_title_and_all_that_it_says_each_block_on_its_line():
    title, text = html_to_text(PAGE)
    assert title == "Bed & Breakfast"
    assert [line.split() for line in text.splitlines() if line] == [
        ["Home", "About", "us"],
        ["A", "place", "to", "stay"],
        ["First", "paragraph."],
        ["Second"],
        ["line"],
        ["Rooms", "12"],
        ["Beds"],
        ["one"],
        ["two"],
        ["three"],
        ["café", "<tag>"],
    ]


def test_a_page_without_anything_has_no_text():
    assert html_to_text(b"") == ("", "")
    assert html_to_text(b"<html><head></head><body> </body></html>") == ("", "")


def test_plain_text_is_a_page_too():
    assert html_to_text(b"a < b & c") == ("", "a < b & c")


def test_nul_bytes_are_dropped():
    assert html_to_text(b"<ti\0tle>T\0</title><p>o\0ne</p>") == ("T", "one")


def test_markup_in_a_title_is_no_word_of_it():
    assert html_to_text(b"<title>So <b>bold</b> a title</title>")[0] == "So bold a title"


def test_broken_markup_gives_its_words():
    # An end of a paragraph without a begin is an empty paragraph, so it separates.
    _, text = html_to_text(b"<p>one<div><b>t</i>wo</p></table>three<p class='x")
    assert text.split() == ["one", "two", "three"]


@pytest.mark.parametrize("tag", ["div", "b", "span", "table", "ul", "font", "blockquote", "a"])
def test_ten_thousand_nested_elements_are_survived(tag):
    assert html_to_text(f"<{tag}>".encode() * 10_000 + b"word")[1] == "word"


@pytest.mark.parametrize(
    "unclosed", ["<b id={}><p>word", "<ul><li>word", "<table><tr><td><font size={}>word"]
)
def test_unclosed_elements_make_a_page_no_longer_than_a_few_times_its_markup(unclosed):
    markup = "".join(unclosed.format(number) for number in range(20_000))
    text = html_to_text(markup.encode())[1]
    assert text.count("word") == 20_000
    assert len(text) < 2 * len(markup)


def test_a_page_of_ten_megabytes_on_one_line():
    assert len(html_to_text(b"<p>" + b"word " * 2_000_000)[1].split()) == 2_000_000


@pytest.mark.parametrize(
    ("content", "charset", "text"),
    [
        # The server's word goes before the page's, and Latin-1 is Windows-1252 on the web.
        (b"<meta charset=utf-8>caf\xe9 \x93q\x94", "ISO-8859-1", "café “q”"),
        (b"<meta charset=windows-1251>\xcc\xe8\xf0", None, "Мир"),
        (
            b"<META http-equiv='Content-Type' content='text/html; charset=Shift_JIS'>"
            + "日本語".encode("shift_jis"),
            None,
            "日本語",
        ),
        (b'<?xml version="1.0" encoding="iso-8859-2"?><p>\xb1</p>', None, "ą"),
        # Undeclared UTF-8 is told by its bytes; so are byte order marks.
        ("<p>café".encode(), None, "café"),
        (b"\xff\xfe" + "<p>é".encode("utf-16-le"), "iso-8859-1", "é"),
        # Declarations that cannot be true, or name nothing.
        ("<meta charset=utf-16>é".encode(), None, "é"),
        ("<p>é".encode(), "no-such-charset", "é"),
        ("<p>é".encode(), '"UTF-8";', "é"),
        ("<p>日本語".encode(), "us-ascii; charset", "日本語"),
        # One that does not fit at all is not believed; one cut in the middle of a character is.
        ("<p>日本語".encode("euc-jp") * 50, "utf-8", "\n\n".join(["日本語"] * 50)),
        (("é" * 20).encode()[:-1], "utf-8", "é" * 19 + "\ufffd"),
    ],
)
def test_the_encoding_is_the_declared_one_as_long_as_it_fits(content, charset, text):
    assert html_to_text(content, charset=charset)[1] == text


def test_a_text_that_is_no_page_declares_nothing():
    assert decode_text("<meta charset=windows-1251>é".encode()).endswith(">é")


FRAGMENTS = [
    "<", ">", "</", "<!--", "-->", "<p>", "<table", "<svg>", "<title>", '"', "&#", "&amp",
    "\0", "a", "<![CDATA[", "<?", "<script>", "</style>", "<li", "<select>", "<template>",
    "<frameset>", " ",
]  # fmt: skip


@given(st.lists(st.sampled_from(FRAGMENTS), max_size=40).map("".join).map(str.encode) | st.binary())
def test_any_bytes_give_the_same_characters_each_time(content):
    title, text = html_to_text(content)
    assert (title, text) == html_to_text(content)
    (title + text).encode()  # no half of a surrogate pair
    assert "\0" not in title + text

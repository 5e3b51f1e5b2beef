"""MediaWiki dumps (``pages-articles``): the articles of a wiki, from wikitext to running text.

A document is a page of the main namespace that redirects nowhere and has text, named by its page
id. Its text is what a reader finds in the paragraphs, lists and headings: templates (infoboxes
too), tables, references, formulas, galleries, files with their captions and categories are left
out. Files, categories and redirects are known by their English names, which hold in wikis of all
languages.
"""

import re
from collections import Counter
from collections.abc import Iterator
from typing import BinaryIO
from xml.etree import ElementTree as ET

import mwparserfromhell

from evaluator.model import Rejects
from indexes.collections.base import CollectionFormat, Document
from indexes.collections.framing import frame_marked

BROKEN_XML = "broken XML"
NO_ID = "missing id"
NOT_AN_ARTICLE = "not an article"
REDIRECT = "redirect"
NO_TEXT = "no text"
NOT_WIKITEXT = "not wikitext"
TOO_LONG = "wikitext of more than 4 MiB"

_PAGE = re.compile(rb"<(?:page>|(/page>))")
_LONGEST = 1 << 22  # characters; MediaWiki itself saves no page of more than half of it
_REDIRECT = re.compile(r"\s*#redirect\b", re.IGNORECASE)

# Elements whose content is no running text, or not of this place.
_UNSAID = (
    "ref|references|gallery|math|chem|ce|score|timeline|imagemap|graph|hiero|categorytree|inputbox"
    "|templatedata|includeonly|templatestyles|mapframe|maplink|indicator|phonos|section|pagelist"
    "|dynamicpagelist|languages|metadata|page-collection|rss|seo"
)
_TOKEN = re.compile(
    # An unclosed comment goes on to the end of the page, for MediaWiki too.
    r"<!--(?:.*?-->|.*)"
    r"|<nowiki>(?:.*?</nowiki>|.*)"
    rf"|<(?P<begin>{_UNSAID})\b[^<>]*?(?P<empty>/?)>|</(?P<end>{_UNSAID})\s*>"
    r"|\{\{|\}\}|\[\[|\]\]|\{\||(?<=\n)[ \t]{0,9}\|\}(?!\})",
    re.IGNORECASE | re.DOTALL,
)
_OPENER_OF = {"}}": "{{", "]]": "[[", "|}": "{|"}
_OPENERS = frozenset(_OPENER_OF.values())
_UNSAID_LINK = re.compile(
    r"\[\[\s*(?:(?:file|image|media|category)\s*:|[a-z]{2,3}(?:-[a-z]+)*:[^|\]]*\]\])",
    re.IGNORECASE,
)
_BLOCK_TAG = re.compile(
    r"</?(?:p|div|center|blockquote|table|tr|ul|ol|li|dl|dt|dd|hr|pre|poem|source|syntaxhighlight|h[1-6])\b[^<>]*>",
    re.IGNORECASE,
)
_BREAK_TAG = re.compile(r"</?(?:br|td|th)\b[^<>]*>", re.IGNORECASE)
_INLINE_TAG = re.compile(
    r"</?(?:abbr|b|big|cite|code|del|em|font|i|ins|kbd|noinclude|onlyinclude|s|small|span|strike|strong|sub|sup|tt|u|var)"
    r"\b[^<>]*>",
    re.IGNORECASE,
)
_NO_TAG = re.compile(r"<(?!/?nowiki)")
_SWITCH = re.compile(r"__[A-Z]+__")
_MARKUP = re.compile(r"[\[\]<&{}]|''|://|^[=*#:;-]")
_QUOTES = re.compile("'{2,}")
_PIECE = 10_000  # characters given to the parser at a time: its time can grow with their square
_BLANKS = re.compile(r"\n\s*\n")


def _decode(content: bytes, where: str, rejects: Rejects) -> Document | None:
    page = _parse(content)
    if page is None:
        rejects.add(BROKEN_XML, where)
        return None
    name, title = page.findtext("id", "").strip(), page.findtext("title", "").strip()
    wikitext = page.findtext("revision/text", "")
    reason = None
    if not name:
        reason = NO_ID
    elif page.findtext("ns", "0").strip() != "0":
        reason = NOT_AN_ARTICLE
    elif page.find("redirect") is not None or _REDIRECT.match(wikitext):
        reason = REDIRECT
    elif page.findtext("revision/model", "").strip() not in ("", "wikitext"):
        reason = NOT_WIKITEXT  # JSON, CSS, Lua
    elif len(wikitext) > _LONGEST:
        reason = TOO_LONG
    text = "" if reason else wikitext_to_text(wikitext)
    if not text:
        rejects.add(reason or NO_TEXT, f"{where}: {title}")
        return None
    return Document(name, title, text)


def _parse(content: bytes) -> ET.Element | None:
    try:
        # A page by itself has no document type, and so no entity that could be expanded.
        return ET.fromstring(content) if content.startswith(b"<page>") else None
    except (ET.ParseError, ValueError):
        return None


def wikitext_to_text(wikitext: str) -> str:
    """Return the running text of wikitext, its blocks on lines of their own."""
    said = _SWITCH.sub("", _without_unsaid(wikitext))
    said = _INLINE_TAG.sub("", _BREAK_TAG.sub(" ", _BLOCK_TAG.sub("\n", said)))
    # No other tag has a meaning, and the parser would look for the end of each.
    said = _NO_TAG.sub("&lt;", said)
    # What spans lines is gone, and the parser is fast on short texts only.
    text = "\n".join(_plain(line) for line in said.split("\n"))
    return _BLANKS.sub("\n\n", text).strip()


def _plain(line: str) -> str:
    if not _MARKUP.search(line):
        return line.strip()
    pieces = (line[begin : begin + _PIECE] for begin in range(0, len(line), _PIECE))
    text = "".join(mwparserfromhell.parse(piece).strip_code() for piece in pieces)
    # Quotes of italics around a template have nothing left to be around.
    return _QUOTES.sub("", text).strip()


def _without_unsaid(wikitext: str) -> str:
    """Return wikitext without what is no running text, in one pass whatever is left unclosed.

    A mark that has no other end is taken out too: the parser tries each to the end of the text, and
    needs minutes for some thousands of them.
    """
    opened: list[tuple[str, int, int]] = []
    waiting: Counter[str] = Counter()  # how many of `opened` are of a kind
    unsaid: list[tuple[int, int]] = []
    for token in _TOKEN.finditer(wikitext):
        begin, end = token.span()
        mark = token[0].strip().lower()
        if mark.startswith("<nowiki"):
            continue
        if token["empty"] or mark.startswith("<!--"):
            unsaid.append((begin, end))
        elif token["begin"] or mark in _OPENERS:
            kind = (token["begin"] or mark).lower()
            opened.append((kind, begin, end))
            waiting[kind] += 1
        else:
            kind = token["end"].lower() if token["end"] else _OPENER_OF[mark]
            while waiting[kind]:
                other, begin, inner = opened.pop()
                waiting[other] -= 1
                if other == kind:
                    break
                unsaid.append((begin, inner))
            if kind != "[[" or begin == token.start() or _UNSAID_LINK.match(wikitext, begin, end):
                unsaid.append((begin, end))
    unsaid += [(begin, end) for _, begin, end in opened]
    kept: list[str] = []
    done = 0
    for begin, end in sorted(unsaid):
        kept.append(wikitext[done:begin])  # empty where an outer one has passed it
        done = max(done, end)
    return "".join([*kept, wikitext[done:]])


def _frame(stream: BinaryIO, name: str, rejects: Rejects) -> Iterator[tuple[str, bytes]]:
    return frame_marked(stream, name, rejects, mark=_PAGE)


FORMAT = CollectionFormat("mediawiki", _frame, _decode)

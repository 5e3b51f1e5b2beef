"""HTML to text: the title of a page, and everything that the page says."""

import codecs
import re

from resiliparse.extract.html2text import extract_plain_text
from resiliparse.parse.encoding import detect_encoding, map_encoding_to_html5
from resiliparse.parse.html import HTMLTree

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_DECLARED = re.compile(
    rb"<(?:meta|\?xml)\b[^>]{0,500}?\b(?:charset|encoding)\s*=\s*[\"']?\s*([\w:.-]+)", re.IGNORECASE
)
_HEAD = 4096  # bytes in which a page says its encoding; the standard's 1024 miss old pages
_MISFITS = 10  # one character in so many, of those beyond ASCII, may not fit a declared encoding

# A parser of HTML5 opens these again in every block after one that left them open, so that a page
# of 50 kB can take gigabytes, and each list inside a list is indented further, with the same end.
# Neither says anything: inline elements of no meaning and plain blocks give the same text.
_INLINE = re.compile(
    r"<(/?)(?:a|b|big|code|em|font|i|nobr|s|small|strike|strong|tt|u)(?=[\s/>])", re.IGNORECASE
)
_LIST = re.compile(r"<(/?)(?:ul|ol|menu|dir)(?=[\s/>])", re.IGNORECASE)
_RENAMED_IN_TITLE = re.compile(r"</?(?:span|section)\b[^<>]*>")


def html_to_text(content: bytes, *, charset: str | None = None) -> tuple[str, str]:
    """Return the title and the text of a page.

    The text is all that the page says, navigation included: whether a fact is said somewhere is
    what an index is asked, and a guess at the main content loses tables, captions and whole pages
    of lists, differently with each version of the guess. Scripts, styles, ``noscript``, forms,
    comments and alternative texts of images are not said. Each block, row and list item stands on
    a line of its own and cells are set apart, so that no words run together; inside a block white
    space is single. Any bytes give a result.

    Parameters
    ----------
    content
        The bytes of the page.
    charset
        The encoding that the server declared, if any (see :func:`decode_text`).
    """
    # NUL has no place in HTML, and browsers drop it.
    markup = decode_text(content, charset=charset, declared=True).replace("\0", "")
    markup = _LIST.sub(r"<\1section", _INLINE.sub(r"<\1span", markup))
    tree = HTMLTree.parse(markup)
    text = extract_plain_text(
        tree, preserve_formatting=True, main_content=False, list_bullets=False, alt_texts=False
    )
    title = _RENAMED_IN_TITLE.sub("", tree.title or "")
    return " ".join(title.split()), text.strip()


def decode_text(content: bytes, *, charset: str | None = None, declared: bool = False) -> str:
    """Return bytes of a text as a string, whatever they are.

    A byte order mark decides; else the first encoding that all bytes fit: `charset`, the one that
    the text declares, UTF-8. Where none fits, a declared one is still believed as long as it fits
    nine in ten of the characters beyond ASCII (pages are cut in the middle of a character, and
    quote others); in the end the encoding is guessed from the bytes.

    Parameters
    ----------
    content
        The bytes.
    charset
        The encoding declared outside, by its name on the web (``ISO-8859-1`` is Windows-1252
        there); one that is unknown is passed over.
    declared
        Whether to look into the text for ``<meta charset>`` or ``<?xml encoding>``.
    """
    for mark, encoding in _MARKS:
        if content.startswith(mark):
            return content[len(mark) :].decode(encoding, "replace")
    labels = [_encoding(charset)] if charset else []
    if declared and (found := _DECLARED.search(content, 0, _HEAD)):
        encoding_found = _encoding(found[1].decode("ascii", "replace"))
        # Such a declaration could not have been read if it were true.
        labels.append("utf-8" if (encoding_found or "").startswith("utf-16") else encoding_found)
    encodings = [label for label in labels if label]
    for encoding in (*encodings, "utf-8"):
        try:
            return content.decode(encoding)
        except UnicodeDecodeError:
            continue
    for encoding in encodings:
        text = content.decode(encoding, "replace")
        beyond = len(text) - len(text.encode("ascii", "ignore"))
        if text.count("\ufffd") * _MISFITS <= beyond:
            return text
    return content.decode(detect_encoding(content) or "utf-8", "replace")


def _encoding(label: str) -> str | None:
    encoding: str | None = map_encoding_to_html5(label.strip(" \t\"';"), fallback_utf8=False)
    return encoding

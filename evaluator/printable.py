"""Text from elsewhere as a terminal may show it: control characters are shown, not obeyed."""

import re

# C0 but for tab and line end, DEL and C1; marks, embeddings and isolates of bidirectional text,
# which let a line read otherwise than it is written; separators of lines and paragraphs.
_CONTROLS = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]"
)
# What no name and no path of a setting holds: C0, DEL, C1, and separators of lines.
_IN_NO_NAME = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
# How Python keeps the bytes of a file's name that are no text; no output can hold them.
_NO_TEXT = re.compile(r"[\ud800-\udfff]")
_LINE_ENDS = re.compile(r"[\r\n]+")


def printable(text: str) -> str:
    r"""Return `text` with its control characters as escapes, such as ``\x1b``; line ends stay.

    Examples
    --------
    >>> print(printable("\x1b[31mred\u202e"))
    \x1b[31mred\u202e
    """
    return _CONTROLS.sub(_escape, text)


def one_line(text: str) -> str:
    """Return `text` on one line and :func:`printable`."""
    return printable(_LINE_ENDS.sub(" ", text.strip()))


def json_printable(text: str) -> str:
    """Return a JSON document with the controls that JSON itself lets through as its escapes."""
    return _CONTROLS.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def without_controls(text: str) -> str:
    """Return `text`, a name or a path that a person gives.

    Raises
    ------
    ValueError
        Where it holds a control character, or a byte that is not UTF-8, which is named.
    """
    if found := _NO_TEXT.search(text):
        raise ValueError(f"holds {found[0]!a}, a byte that is not UTF-8; rename it")
    if found := _IN_NO_NAME.search(text):
        raise ValueError(f"holds the control character {found[0]!a}; take it out")
    return text


def _escape(found: re.Match[str]) -> str:
    code = ord(found[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"

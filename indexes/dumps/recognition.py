"""What a line that a reader refuses looks like, so that a message can name it."""

import re

_SIGNS = (
    (re.compile(r"/[a-z]/\w+\t/\w[\w/]*\t"), "Freebase's older dump of tab-separated quadruples"),
    (re.compile(r"\s*[\[{]"), "JSON"),
    (re.compile(r"\s*@?(?:prefix|base)\b", re.IGNORECASE), "Turtle"),
    (re.compile(r"\s*<(?:\?xml|rdf:|!)"), "XML"),
    (re.compile(r"\s*(?:[\w.-]+:[\w.-]*|<[^>]*>)\s+(?:a|[\w.-]+:[\w.-]*)\s"), "Turtle"),
    (re.compile(r"[^\t<>]+(?:\t[^\t<>]*){1,}$"), "tab-separated columns"),
    (re.compile(r"[^,<>]+(?:,[^,<>]*){2,}$"), "comma-separated columns"),
)


def looks_like(line: str) -> str:
    """Return the name of the format that a line looks like; empty where none comes to mind."""
    return next((name for sign, name in _SIGNS if sign.match(line)), "")

"""JSON as people and language models write it: values among the lines of a file.

A value stands on one line (JSON Lines) or on many (a whole-file array, indented objects), between
code fences or among prose. What the standard forbids and files hold all the same is read too:
commas before a closing bracket, and Python's own notation (single quotes, tuples, ``None``).
Nothing is guessed beyond that: a value that is cut or lacks a quote is not read.
"""

import ast
import json
import re
import warnings
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import NamedTuple

from evaluator.model import Rejects
from evaluator.readers import refuse
from evaluator.readers.jsonl import is_encodable

NOT_JSON = "not JSON"

_FENCE = re.compile(r"\s*(?:```|~~~)\s*\w*\s*")
_BULLET = re.compile(r"\A\s*(?:[-*•]|\d{1,6}[.)])\s+(?=[\[({])")
_OPENING = re.compile(r"\s*[\[({]")
# The possessive star and the optional closing quote keep an unclosed quote linear.
_STRING = r""""(?:\\.|[^"\\])*+"?"""
_MARKS = re.compile(rf"""{_STRING}|'(?:\\.|[^'\\])*+'|([\[({{])|([\])}}])""", re.DOTALL)
_TRAILING_COMMA = re.compile(rf"({_STRING})|,(?=\s*[\]}}])", re.DOTALL)
_CLOSING = {"[": "]", "(": ")", "{": "}"}


class Value(NamedTuple):
    """A value, the line on which it begins, and that line."""

    line: int
    text: str
    value: object


def json_values(lines: Iterable[tuple[int, str]], *, rejects: Rejects) -> Iterator[Value]:
    """Yield the objects, arrays and tuples that `lines` hold, in file order.

    Blank lines, code fences and the bare brackets of an array are structure. Lines that are part
    of no value are counted in `rejects`, one by one. An array that was cut at its end still gives
    those of its items that stand on one line.
    """
    held: list[tuple[int, str]] = []
    depth = 0
    for number, line in chain(lines, [(0, "```")]):
        fence = _FENCE.fullmatch(line)
        if held and (fence or depth <= 0):
            yield from _of_lines(held, rejects)
            held, depth = [], 0
        if fence or not line.strip():
            continue
        line = _BULLET.sub("", line)
        if not held and (value := parse(line)) is not None:
            yield Value(number, line, value)
        elif held or _OPENING.match(line):
            held.append((number, line))
            depth += _depth(line)
        else:
            refuse(rejects, NOT_JSON, number, line)


def first_value(head: Iterable[str]) -> object:
    """Return the first value of a file of which `head` are the first lines, or None.

    Where the value goes on beyond them, what is whole of it.
    """
    lines = list(enumerate(head, start=1))
    for place, (number, line) in enumerate(lines):
        if _OPENING.match(_BULLET.sub("", line)):
            found = next(json_values(lines[place:], rejects=Rejects()), None)
            if found and found.line == number:
                return found.value
            whole = parse(_closed("\n".join(line for _, line in lines[place:])))
            return whole if whole is not None or found is None else found.value
    return None


def parse(text: str) -> object:
    """Return the object or array (or tuple, as an array) that `text` is, or None."""
    text = text.strip().removesuffix(",").rstrip()
    if not text or text[-1] != _CLOSING.get(text[0]):
        return None
    for read in (json.loads, _with_trailing_commas, _python_literal):
        try:
            value: object = read(text)
            if "\\u" in text.lower() and not is_encodable(value):
                continue
        except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
            continue
        return value if isinstance(value, list | dict) else None
    return None


def _depth(line: str) -> int:
    """Return how many more brackets open than close, outside strings."""
    return sum((mark[1] is not None) - (mark[2] is not None) for mark in _MARKS.finditer(line))


def _closed(text: str) -> str:
    """Return `text` up to the last bracket that closes, with those closed that are still open."""
    still_open: list[str] = []
    end = kept = 0
    for mark in _MARKS.finditer(text):
        if mark[1]:
            still_open.append(_CLOSING[mark[1]])
        elif mark[2] and still_open:
            still_open.pop()
            end, kept = mark.end(), len(still_open)
            if not still_open:
                break
    return text[:end] + "".join(reversed(still_open[:kept]))


def _of_lines(held: list[tuple[int, str]], rejects: Rejects) -> Iterator[Value]:
    number, first = held[0]
    if len(held) > 1 and (value := parse("\n".join(line for _, line in held))) is not None:
        yield Value(number, first, value)
        return
    for number, line in held:
        if (value := parse(line)) is not None:
            yield Value(number, line, value)
        elif line.strip() not in ("[", "]", "],"):
            refuse(rejects, NOT_JSON, number, line)


def _with_trailing_commas(text: str) -> object:
    return json.loads(_TRAILING_COMMA.sub(lambda found: found[1] or "", text))


def _python_literal(text: str) -> object:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # "\d" in a string is a warning of the compiler's
        value = ast.literal_eval(text)
    return json.loads(json.dumps(value))  # tuples become arrays; sets and bytes are refused

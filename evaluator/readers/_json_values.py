"""JSON as people and language models write it: values among the lines of a file.

A value stands on one line (JSON Lines) or on many (a whole-file array, indented objects), between
code fences or among prose, on a line with prose too, or is a string of JSON that holds JSON. What
the standard forbids and files hold all the same is read too: commas before a closing bracket, and
Python's own notation (single quotes, tuples, ``None``).

Answers of language models are cut off where they grow too long. What is whole of a cut value is
read, the rest is counted once (:data:`CUT`). An object that is cut says where its parts belong and
is no record itself: :class:`CutObject`.
"""

import ast
import json
import re
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import accumulate, chain
from typing import NamedTuple

from evaluator.inputs import LARGEST_WHOLE
from evaluator.json_objects import DEEPEST, is_too_deep
from evaluator.model import Rejects
from evaluator.readers import refuse
from evaluator.readers.jsonl import is_encodable

NOT_JSON = "not JSON"
CUT = "JSON that is cut off or broken: only what is whole of it is read"
AROUND = "text around JSON left out"
REASONING = "what a model thinks before its answer left out"
TOO_DEEP = f"JSON of more than {DEEPEST} levels"
TOO_LARGE = f"part of a JSON value of more than {LARGEST_WHOLE >> 20} MiB"

_LONGEST_PYTHON = 1 << 22  # characters: Python's own parser takes a hundred times as many bytes

_FENCE = re.compile(r"\s*(?:```|~~~)\s*\w*\s*")
_BULLET = re.compile(r"\A\s*(?:[-*•]|\d{1,6}[.)])\s+(?=[\[({])")
# What follows a bracket of JSON, or of Python's notation; "[Note" and "(see" are prose.
_INSIDE = r"""\s*(?:["'\[{(\]})\d-]|true|false|null|None|True|False|NaN|Infinity|$)"""
_OPENING = re.compile(rf"\s*[\[({{]{_INSIDE}")
_EMBEDDED = re.compile(r"""[\[{]\s*(?:["'\[{(]|$)""")
# The possessive star and the optional closing quote keep an unclosed quote linear; no string of
# JSON goes over a line.
_STRING = r""""(?:\\.|[^"\\\n])*+"?"""
_MARKS = re.compile(rf"""{_STRING}|'(?:\\.|[^'\\\n])*+'|([\[({{])|([\])}}])""")
_QUOTED = re.compile(rf"""{_STRING}|'(?:\\.|[^'\\\n])*+'""")
_NO_BRACKET = re.compile(r"[^\[\](){}]+")
_THINKS = re.compile(r"\s*<(think|thinking|thought|reasoning)>", re.IGNORECASE)
_TRAILING_COMMA = re.compile(rf"({_STRING})|,(?=\s*[\]}}])")
_BETWEEN = re.compile(r"[\s,]*")
# What the rest of a cut object or array looks like, which is counted once as a whole.
_MEMBER = re.compile(r"""\s*(?:["'\[\](){},\d-]|true\b|false\b|null\b|None\b|$)""")
_FLAT = re.compile(r"\{[^{}]*+\}")
_OF_PYTHON = re.compile(r"['(]|\b(?:None|True|False)\b")
_CLOSING = {"[": "]", "(": ")", "{": "}"}
_GOES_ON = (",", "[", "{", "(", ":")
_MOST_BROKEN = 100  # brackets of a broken value that are tried as the beginning of a whole one


class JsonValue(NamedTuple):
    """A value, the line on which it begins, and that line."""

    line: int
    text: str
    value: object


class CutObject(dict[str, object]):
    """An object whose end is missing."""


class RepeatingObject(dict[str, object]):
    """An object that gives a key twice: the last one is kept, and nothing tells which counts."""


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    return found if len(found) == len(pairs) else RepeatingObject(found)


_decoder = json.JSONDecoder(object_pairs_hook=_object)
_decode = _decoder.raw_decode


class _Part(NamedTuple):
    """What a piece of a text is: a value, or None where it is broken."""

    start: int
    end: int
    value: object
    cut: bool = False


def json_values(lines: Iterable[tuple[int, str]], *, rejects: Rejects) -> Iterator[JsonValue]:
    """Yield the objects, arrays, tuples and strings that `lines` hold, in file order.

    Blank lines, code fences and the bare brackets of an array are structure. Lines that are part
    of no value are counted in `rejects`, one by one, and what is missing of a value once.
    """
    held: list[tuple[int, str]] = []
    depth = length = 0
    for number, line in chain(_answered(lines, rejects), [(0, "```")]):
        fence = _FENCE.fullmatch(line)
        if held and (fence or depth <= 0 or _begins_anew(line, held[-1][1])):
            yield from _of_lines(held, rejects)
            held, depth, length = [], 0, 0
        if fence or not line.strip():
            rejects.settle([number])
            continue
        line = _BULLET.sub("", line)
        if not held and (value := parse(line)) is not None:
            yield JsonValue(number, line, value)
        elif _nested_too_deeply(line) or depth > DEEPEST:
            for place, text in [*held, (number, line)]:
                refuse(rejects, TOO_DEEP, place, text)
            held, depth, length = [], 0, 0
        elif held or _OPENING.match(line):
            held.append((number, line))
            depth += _depth(line)
            length += len(line)
            if length > LARGEST_WHOLE:
                for place, text in held:
                    refuse(rejects, TOO_LARGE, place, text)
                held, depth, length = [], 0, 0
        elif (said := _string(line)) is not None:
            yield JsonValue(number, line, said)
        elif (embedded := _EMBEDDED.search(line)) and not _depth(line[: embedded.start()]):
            rejects.note(AROUND)
            held.append((number, line[embedded.start() :]))
            depth += _depth(held[-1][1])
        else:
            refuse(rejects, NOT_JSON, number, line)


def _answered(lines: Iterable[tuple[int, str]], rejects: Rejects) -> Iterator[tuple[int, str]]:
    """Yield `lines` without what a model thinks before its answer; count thoughts without an end.

    A tag begins a line: a string of JSON may hold one.
    """
    closing = ""
    last = (0, "")
    for number, line in lines:
        rest = line
        if not closing and (found := _THINKS.match(rest)):
            closing, rest, last = f"</{found[1].casefold()}>", rest[found.end() :], (number, line)
            rejects.note(REASONING)
        if closing:
            rejects.settle([number])
            end = rest.casefold().find(closing)
            if end < 0:
                continue
            rest, closing = rest[end + len(closing) :], ""
        yield number, rest
    if closing:
        refuse(rejects, CUT, *last)


def _nested_too_deeply(text: str) -> bool:
    if sum(map(text.count, "[({")) <= DEEPEST:
        return False
    brackets = _NO_BRACKET.sub("", _QUOTED.sub("", text))
    return max(accumulate(1 if mark in "[({" else -1 for mark in brackets), default=0) > DEEPEST


def first_value(head: Iterable[str]) -> object:
    """Return the first value of a file of which `head` are the first lines, or None.

    Where the value goes on beyond them, what is whole of it.
    """
    found = next(json_values(enumerate(head, start=1), rejects=Rejects()), None)
    return None if found is None else found.value


def parse(text: str) -> object:
    """Return the object or array (or tuple, as an array) that `text` is, or None."""
    text = text.strip().removesuffix(",").rstrip()
    if not text or text[-1] != _CLOSING.get(text[0]):
        return None
    # Most of it is JSON: whether that nests too deeply, its value tells sooner than its text.
    if (value := _read(text, _decoder.decode)) is not None:
        return None if is_too_deep(value) else value
    if _nested_too_deeply(text):
        return None
    value = _read(text, _with_trailing_commas)
    return _read(text, _python_literal) if value is None else value


def _read(text: str, read: Callable[[str], object]) -> object:
    """Return the object or array that `read` gets of a text, or None."""
    try:
        value = read(text)
        if "\\u" in text.lower() and not is_encodable(value):
            return None
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return None
    return value if isinstance(value, list | dict) else None


def may_hold_json(text: str) -> bool:
    """Tell whether there is something in `text` that looks like an object or an array."""
    return "```" in text or bool(_OPENING.match(text) or _EMBEDDED.search(text))


def _string(line: str) -> str | None:
    """Return the text that a line is as a string of JSON with JSON inside, or None."""
    line = line.strip().removesuffix(",")
    if not line.startswith('"'):
        return None
    try:
        said = json.loads(line)
    except ValueError:
        return None
    return said if isinstance(said, str) and may_hold_json(said) and is_encodable(said) else None


def _begins_anew(line: str, before: str) -> bool:
    """Tell whether `line` begins a value though the one that `before` belongs to is not closed."""
    return line.startswith(("[", "{")) and not before.rstrip().endswith(_GOES_ON)


def _depth(line: str) -> int:
    """Return how many more brackets open than close, outside strings."""
    return sum((mark[1] is not None) - (mark[2] is not None) for mark in _MARKS.finditer(line))


def _closed(text: str) -> tuple[str, int, int]:
    """Return a value that begins `text` up to the last bracket that closes, and its end there.

    What is still open is closed; the number of such brackets is the third part.
    """
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
    return text[:end] + "".join(reversed(still_open[:kept])), end, len(still_open[:kept])


def _of_lines(held: list[tuple[int, str]], rejects: Rejects) -> Iterator[JsonValue]:
    number, first = held[0]
    text = "\n".join(line for _, line in held)
    if (value := parse(text)) is not None:
        items = list(_items(text, value)) if len(held) > 1 else [(0, value)]
        begins = {place for place, _ in items}
        rejects.settle(number for place, (number, _) in enumerate(held) if place not in begins)
        for place, part in items:
            yield JsonValue(*held[place], part)
        return
    if first.strip() != "[":
        yield from _salvaged(held, rejects)
        return
    # The items of an array stand on lines of their own, or from one line to another.
    rejects.settle([number])
    cut_before = rejects.counts.get(CUT, 0)
    group: list[tuple[int, str]] = []
    depth = 0
    for number, line in held[1:]:
        if depth <= 0 and (value := parse(line)) is not None:
            yield from _salvaged(group, rejects)
            group = []
            yield JsonValue(number, line, value)
        elif depth <= 0 and line.strip() in ("]", "],"):
            rejects.settle([number])
        else:
            group.append((number, line))
            depth += _depth(line)
    yield from _salvaged(group, rejects)
    # Where it ends after a whole item, its closing bracket alone tells that there is no more.
    unclosed = sum(_depth(line) for _, line in held) > 0
    if unclosed and rejects.counts.get(CUT, 0) == cut_before:
        refuse(rejects, CUT, *held[-1])


def _items(text: str, value: object) -> Iterator[tuple[int, object]]:
    """Yield the objects of an array, each with the line of `text` that it begins on, from 0.

    Any other value comes as it is.
    """
    line = place = 0
    items: list[tuple[int, object]] = []
    if isinstance(value, list) and len(value) > 1 and all(isinstance(one, dict) for one in value):
        with suppress(ValueError):  # what is no JSON by the letter has no places
            for one in value:
                begins = text.index("{", place)
                line += text.count("\n", place, begins)
                items.append((line, one))
                _, place = _decode(text, begins)
                line += text.count("\n", begins, place)
            yield from items
            return
    yield 0, value


def _salvaged(held: list[tuple[int, str]], rejects: Rejects) -> Iterator[JsonValue]:
    """Yield what is whole in lines that are no value; count the rest."""
    if not held:
        return
    text = "\n".join(line for _, line in held)
    parts = list(_parts(text))
    if not any(part.value is not None or part.cut for part in parts):
        for number, line in held:
            refuse(rejects, NOT_JSON, number, line)
        return
    whole: set[int] = set()
    lost = None
    for part in parts:
        first = text.count("\n", 0, part.start)
        if part.value is not None:
            whole.update(range(first, first + 1 + text.count("\n", part.start, part.end)))
            yield JsonValue(*held[first], part.value)
        if part.cut:
            goes_on = _BETWEEN.match(text, part.end)
            lost = text.count("\n", 0, goes_on.end() if goes_on else part.end)
            lost = min(lost, len(held) - 1)
            refuse(rejects, CUT, *held[lost])
    for place, (number, line) in enumerate(held):
        if place in whole or place == lost or _MEMBER.match(line):
            rejects.settle([number] if place else [])
        else:
            refuse(rejects, NOT_JSON, number, line)
    if lost is None and any(map(str.isalnum, text[parts[-1].end :])):
        rejects.note(AROUND)


def _parts(text: str) -> Iterator[_Part]:
    place = 0
    while found := _OPENING.search(text, place):
        start = found.start() + len(found[0]) - len(found[0].lstrip())
        closed, length, missing = _closed(text[start:])
        if missing or not length:  # it goes on to the end of the text
            value = _marked(parse(closed), missing) if length else None
            if value is None:
                yield from _whole_objects(text, start, len(text))
            else:
                yield _Part(start, start + length, value, cut=True)
            return
        place = start + length
        if (value := parse(closed)) is not None:
            yield _Part(start, place, value)
        else:
            yield from _whole_objects(text, start, place)


def _whole_objects(text: str, start: int, end: int) -> Iterator[_Part]:
    """Yield the objects in a broken value, which is cut after them, or nothing if it has none.

    Lists count only while no object is broken: one of its lists is not a record.
    """
    place, failed, opening = start, 0, re.compile(r"[\[{]")
    whole: list[_Part] = []
    while failed < _MOST_BROKEN and (found := opening.search(text, place, end)):
        flat = _FLAT.match(text, found.start())
        try:
            value, place = _decode(text, found.start())
        except (ValueError, RecursionError):
            value, place = None, found.end()
            if flat and (value := parse(flat[0])) is not None:
                place = flat.end()
        if value is None:
            failed += 1
            if found[0] == "{":
                opening = re.compile(r"\{")
        elif value and is_encodable(value):
            whole.append(_Part(found.start(), place, value))
    balanced = sum((m[1] is not None) - (m[2] is not None) for m in _MARKS.finditer(text, start))
    yield from whole
    if whole or balanced > 0 or (failed and '"' in text[start:end] and text[start] == "{"):
        yield _Part(start, whole[-1].end if whole else start, None, cut=True)


def _marked(value: object, missing: int) -> object:
    """Return `value` with its `missing` last open objects marked as cut; cut lists of words go."""
    if not missing or not isinstance(value, list | dict):
        return value
    if isinstance(value, dict):
        marked = CutObject(value)
        if marked:
            last = list(marked)[-1]
            marked[last] = _marked(marked[last], missing - 1)
        return marked
    if not all(isinstance(item, list | dict) for item in value):
        return []
    return [*value[:-1], *(_marked(item, missing - 1) for item in value[-1:])]


def _with_trailing_commas(text: str) -> object:
    value: object = _decoder.decode(_TRAILING_COMMA.sub(lambda found: found[1] or "", text))
    return value


def _python_literal(text: str) -> object:
    if len(text) > _LONGEST_PYTHON or not _OF_PYTHON.search(text):  # its parser is slow
        raise ValueError(NOT_JSON)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # "\d" in a string is a warning of the compiler's
        value = ast.literal_eval(text)
    return json.loads(json.dumps(value))  # tuples become arrays; sets and bytes are refused

"""Which format a file of system output has, told by its first lines.

Every reader says of some lines whether they are of its format and no other; the format is the one
whose reader does. A file that none or several readers recognise has to be named: a guess would be
evaluated as if it were the system's. A format that is a ``SPECIAL_CASE`` of another goes before it.
"""

import lzma
import re
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path

from evaluator.errors import InputError
from evaluator.inputs import LONGEST_LINE, open_packed
from evaluator.json_objects import parse_json
from evaluator.model import Rejects
from evaluator.readers import Format, formats, mostly, text_lines
from evaluator.readers._json_values import first_value

HEAD = 2_000
"""How many lines are looked at: what tells two formats apart may come late (OLLIE, OpenIE 6)."""

_NAME_IT = "name its format (--from FORMAT, or NAME=FORMAT:PATH)"
_COLUMNS = "sentence, confidence, relation, arg1, arg2, with tabs between"
_TUPLE = re.compile(r"\s*\([^;()]+;[^;]+(;.*)?\)\s*")
_OWN_KEYS = (
    "which are not known to be a triple's: say what they hold, and which has the sentence, with "
    "--system NAME={format}(subject=KEY,relation=KEY,object=KEY,sentence=KEY):PATH (convert: --map)"
)
_OWN_NAME = re.compile(r"[A-Za-z_][\w-]{0,30}")
_MAKE_JSON = "make it JSON Lines with subject, relation and object"
_NAMED = (
    (
        r"sent_id:\s*\d+",
        "the gold annotations of BenchIE",
        "score a system with them, distval gold benchie --gold FILE --system NAME=FORMAT:PATH",
    ),
    (
        r"\(.*\)<?-\[.*\]->?\(.*\)",
        "paths of Cypher (Neo4j)",
        "export them as JSON with source, type and target",
    ),
    (
        r"\s*\|.*\|.*\|.*\|\s*",
        "a table of Markdown without a header of known names",
        "call its columns subject, relation, object",
    ),
    (r"[^|\t]+\|[^|\t]+\|[^|\t]+", "triples with bars between", _MAKE_JSON),
    (
        r".*\S\s*(?:->|-->|=>|\u2192)\s*\S.*(?:->|-->|=>|\u2192)\s*\S.*",
        "triples with arrows between",
        _MAKE_JSON,
    ),
    (r"\s*(?:[-*]|\d+[.)])?\s*\([^(),]+,[^(),]+,[^()]+\)\s*", "tuples without quotes", _MAKE_JSON),
)
"""What whole lines look like of files that are known and not read, what they are, and a remedy."""
_OURS = {
    "label": "people's labels of facts, which go to distval label import or distval run --labels",
    "verdict": "verdicts on facts, which distval facts writes, and judges",
}
"""What a table of facts (e1, r, e2) is that has such a column."""
_SEPARATORS = ("\t", ",", ";", "|")
_SENTENCE = re.compile(r"[\w.-]{1,20}\t[^\t]+ [^\t]+")
_NO_CONFIDENCE = re.compile(r"[^\t]+ [^\t]+\t *[^\t\d][^\t]*\t[^\t]+(\t|$)")
_LONG = 400  # characters of a line that are looked at


def recognised_by(head: Sequence[str], candidates: Mapping[str, Format] | None = None) -> list[str]:
    """Return the names of the formats, by default those of text, that recognise a file's head."""
    known = _of_text() if candidates is None else candidates
    found = [name for name, one in known.items() if one.recognises(head)]
    general = {getattr(known[name], "SPECIAL_CASE", None) for name in found}
    found = [name for name in found if name not in general]
    # A header says what the rows below it hold, whatever they look like.
    return [name for name in found if hasattr(known[name], "is_headed")] or found


def detect(path: Path, *, keys: Mapping[str, str] | None = None) -> str:
    """Return the name of the format that `path` has.

    Parameters
    ----------
    path
        UTF-8 text, plain or packed with gzip, bzip2 or xz; or what begins with a format's MAGIC.
    keys
        The file's own keys by what they hold, where the user names them: it is of a format that has
        keys, then.

    Raises
    ------
    InputError
        If the file cannot be read, or if not exactly one format recognises it.
    """
    rejects = Rejects()
    candidates, lines = _candidates(path)
    head = _head(lines(path, rejects=rejects))
    if keys:
        with_keys = {name: one for name, one in candidates.items() if hasattr(one, "KEYS")}
        for name, one in with_keys.items():
            if hasattr(one, "is_headed") and one.is_headed(head, keys):
                return name
        return next(iter(with_keys))
    if not head:
        reason, shown = next(iter(rejects.examples.items()), ("no line", ""))
        raise InputError(path, f"nothing could be read: {reason}, {shown}")
    first = next((line.strip() for line in head if line.strip()), "")
    if no_output := of_judged_facts(first):
        raise InputError(path, f"{no_output}; if a system wrote it, {_NAME_IT}")
    found = recognised_by(head, candidates)
    if len(found) == 1:
        return found[0]
    if found:
        raise InputError(path, f"could be {' or '.join(found)}; {_NAME_IT}")
    if not first:
        raise InputError(path, f"nothing but blank lines in the first {len(head):,}")
    if home_made := _home_made(first, head):
        raise InputError(path, home_made)
    raise InputError(
        path,
        f"of no format that is recognised by its first lines ({first[:60]!r}); {_NAME_IT}; "
        f"tried {', '.join(candidates)}",
    )


def of_judged_facts(first: str) -> str | None:
    """Return what a file is that says which facts are true, told by its first line."""
    names: set[str] = set()
    if first.startswith("{"):
        with suppress(ValueError):
            names = set(parse_json(first))
    else:
        separator = max(_SEPARATORS, key=first.count)
        names = {name.strip(' "') for name in first.split(separator)}
    if not {"e1", "r", "e2"} <= names:
        return None
    return next((what for column, what in _OURS.items() if column in names), None)


def names_columns(head: Sequence[str]) -> bool:
    """Tell whether lines that are not blank are a table, by its header and their widths."""
    return bool(head) and _table_of_own_names(head[0], head) is not None


def _candidates(
    path: Path,
) -> tuple[Mapping[str, Format], Callable[..., Iterable[tuple[int, str]]]]:
    """Return the formats that a file with these first bytes may have, and what finds its lines."""
    begins = b""
    with suppress(OSError, EOFError, zlib.error, lzma.LZMAError), open_packed(path) as file:
        begins = file.peek(16)[:16]
    same = {name: one for name, one in formats().items() if begins.startswith(_magic(one))}
    if same:  # formats of one kind of file have the same lines
        return same, getattr(next(iter(same.values())), "lines", text_lines)
    return _of_text(), text_lines


def _of_text() -> Mapping[str, Format]:
    return {name: one for name, one in formats().items() if not _magic(one)}


def _magic(known: Format) -> tuple[bytes, ...]:
    """Return what a file of a format begins with that is no text; nothing for the others."""
    return (known.MAGIC,) if hasattr(known, "MAGIC") else ()


def _head(lines: Iterable[tuple[int, str]]) -> list[str]:
    """Return the first lines of a file, fewer where they are very long."""
    head: list[str] = []
    left = LONGEST_LINE
    for _, line in islice(lines, HEAD):
        head.append(line)
        left -= len(line)
        if left < 0:
            break
    return head


def _home_made(first: str, head: Sequence[str]) -> str | None:
    """Return what a file is, and what to do with it, that is of the commonest forms of nobody's."""
    if _TUPLE.fullmatch(next((line for line in head if line.lstrip().startswith("(")), "")):
        return (
            "tuples without a score before them, of no format that is known: make it the format "
            f"tabbed ({_COLUMNS}; the confidence may be empty)"
        )
    for pattern, what, remedy in _NAMED:
        shown = next((line for line in head if re.match(pattern, line[:_LONG])), None)
        if shown is not None:
            return f"{what} ({shown.strip()[:60]!r}), no format that is read: {remedy}"
    if mostly(head, lambda line: bool(_SENTENCE.fullmatch(line[:_LONG]))):
        return (
            f"a list of sentences ({first[:60]!r}), not what a system extracts: the list goes to "
            "--sentences FILE, or is a corpus"
        )
    if mostly(head, lambda line: bool(_NO_CONFIDENCE.match(line[:_LONG]))):
        return (
            f"columns without a confidence ({first[:60]!r}), as gold data have them: make it the "
            f"format tabbed ({_COLUMNS}; the confidence may be empty)"
        )
    value = first_value(head)
    while isinstance(value, list) and value:
        value = value[0]
    if isinstance(value, dict) and sum(isinstance(text, str) for text in value.values()) > 1:
        keys = ", ".join(map(str, list(value)[:8]))
        return f"JSON with the keys {keys}, {_OWN_KEYS.format(format='json')}"
    return _table_of_own_names(first, head)


def _table_of_own_names(first: str, head: Sequence[str]) -> str | None:
    """Return what to do with columns that a header names by names that are not known."""
    for separator in _SEPARATORS:
        names = [name.strip(' "') for name in first.split(separator)]
        if len(names) < 3 or not all(_OWN_NAME.fullmatch(name) for name in names):
            continue
        widths = [line.count(separator) + 1 for line in head if line.strip()]
        if 4 * sum(width >= len(names) for width in widths) >= 3 * len(widths):
            folded = [name.casefold() for name in names]
            if twice := [name for name in names if folded.count(name.casefold()) > 1]:
                return f"a table with two columns called {twice[0]}: give each a name of its own"
            own = _OWN_KEYS.format(format="table")
            return f"a table with the columns {', '.join(names)}, {own}"
    return None

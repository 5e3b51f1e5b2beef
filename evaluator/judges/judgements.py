"""What judges said of facts: files of any common form, read as values between no and yes.

A file is a table with a header (TSV, CSV), JSON Lines, a JSON list or Parquet; its first bytes tell
which. Columns and keys go by name, in any case:

=====================================  =============================================================
``id``, ``fact_id``, ``custom_id``     the fact: its digest, or whatever names it to who asks
``e1``, ``r``, ``e2``                  the fact itself; also subject, relation or predicate, object
``sentence``                           the sentence that it is from
``verdict``, ``output``                yes/no, true/false, T/F, 1/0
``probability``, ``score``             a number from 0 to 1
``answer``, ``response``               what the judge wrote, in full
``label``                              as ``verdict``, where there is none of the columns above: it
                                       may be what people say
``model`` or ``judge``, ``method``     who judged; several may be in one file
``prompt``                             the digest of what was asked
``question``                           "world" (is it true) or "sentence" (does the sentence say so)
=====================================  =============================================================

Of several columns the first that is filled counts, in this order; all are read alike
(:mod:`evaluator.judges.answers`). Outputs of batches as the common chat services give them are
JSON Lines too: ``custom_id`` with a ``response`` or a ``result``.
"""

import json
import lzma
import re
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from io import BytesIO
from pathlib import Path
from typing import Any, Literal, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from evaluator.errors import ConfigurationError, InputError, excerpt
from evaluator.inputs import read_unpacked
from evaluator.json_objects import parse_json
from evaluator.judges.answers import JudgeAnswer, read_answer
from evaluator.model import Item, Rejects
from evaluator.tables import check_header, read_delimited
from evaluator.text import normalise

type JudgeQuestion = Literal["world", "sentence"]
"""Whether a fact is true in the world, or stated by its sentence."""

QUESTIONS: tuple[JudgeQuestion, ...] = ("world", "sentence")

_NAMES = {
    "id": ("id", "fact_id", "custom_id"),
    "e1": ("e1", "subject"),
    "r": ("r", "relation", "predicate"),
    "e2": ("e2", "object"),
    "sentence": ("sentence",),
    "model": ("model", "judge"),
    "method": ("method",),
    "prompt": ("prompt",),
    "question": ("question",),
}
_SAID = ("verdict", "output", "probability", "score", "answer", "response")
_LABEL = "label"
_COLUMNS = {name: ours for ours, names in _NAMES.items() for name in names} | {
    name: name for name in (*_SAID, _LABEL)
}

_EXPECTED = (
    "expected columns id (or e1, r, e2) and verdict (yes or no), probability (0 to 1) or answer "
    "(what the judge wrote)"
)
_NO_FACT = "no fact: neither id nor e1, r, e2"
_OTHER_QUESTION = "another question"
_NO_JUDGE = "no answer and no judge's name, beside several judges"
_BROKEN = "broken JSON"
# What ``distval judge export`` writes: a fact, and what was asked about it.
_CUSTOM_ID = re.compile(r"(?P<id>.+)-(?P<question>world|sentence)(?:-(?P<prompt>[0-9a-f]{16}))?")
_PARQUET, _MARK = b"PAR1", b"\xef\xbb\xbf"


class JudgedItem(NamedTuple):
    """What a judge said of one fact.

    Attributes
    ----------
    id
        What names the fact in the file; None where the file has e1, r and e2 alone.
    item
        The fact: e1, r and e2 as the file has them; None where it has an id alone.
    sentence
        The sentence that the judge was shown, where the file tells.
    value
        1.0 for yes, 0.0 for no, a probability in between; None where the answer cannot be read.
    reason
        Why it cannot be read; empty where it can.
    """

    id: str | None
    item: Item | None
    sentence: str | None
    value: float | None
    reason: str


@dataclass(frozen=True)
class Judgements:
    """What one judge said: a file, or the part of one that is this judge's.

    Two rows of one fact may differ. Both are here, in the order of the file: the mean of a yes and
    a no is no judgement of this judge, and who uses them decides which counts.

    Attributes
    ----------
    rows
        What was said, unreadable answers too.
    rejects
        Rows of the file that are no judgement, by reason.
    model
        The judge: its model, "METHOD/MODEL" where there is a method; empty where the file does not
        tell.
    prompt
        The digest of what was asked; empty where the file does not tell.
    digest
        32 hexadecimal digits of the file's content, unpacked.
    """

    rows: Sequence[JudgedItem]
    rejects: Rejects = field(compare=False)
    model: str
    prompt: str
    digest: str

    @property
    def unreadable(self) -> Mapping[str, int]:
        """How many answers cannot be read, by reason."""
        return Counter(row.reason for row in self.rows if row.value is None)


class _Record(NamedTuple):
    """A row: its place, its cells by column, as text, and why there is no answer in it."""

    where: str
    cells: Mapping[str, str]
    failed: str = ""


def read_judgements(
    path: Path, *, judge: str | None = None, question: JudgeQuestion = "world"
) -> Judgements:
    """Return what a judge said, from a file of one of the forms above.

    Parameters
    ----------
    path
        The file, plain or packed with gzip, bzip2 or xz.
    judge
        Whose answers, where there are several judges in the file: "MODEL", or "METHOD/MODEL", and
        "...@PROMPT" where one was asked with several prompts.
    question
        Rows of the other question are left out, and counted; those that name none are of this one.

    Raises
    ------
    ConfigurationError
        If there are several judges and none is named, or `judge` is none of them: the message
        lists them.
    InputError
        If the file cannot be read, has not such columns, or holds no judgement.
    """
    rejects = Rejects()
    content = _content(path)
    records = [
        record
        for record in _records(path, content, rejects)
        if _is_of(record, question, rejects) and _has_fact(record, rejects)
    ]
    if not records:
        first = rejects.first("nothing in it")
        raise InputError(path, f"no judgement to use: {first}; {_EXPECTED}")
    said = _said_columns(path, records)
    (model, prompt), chosen = _chosen(path, records, judge, rejects)
    rows = [_row(record, said) for record in chosen]
    digest = blake2b(content, digest_size=16).hexdigest()
    return Judgements(rows, rejects, model, prompt, digest)


def _row(record: _Record, said: Sequence[str]) -> JudgedItem:
    cells = record.cells
    item = (cells["e1"], cells["r"], cells["e2"]) if _has_item(cells) else None
    if record.failed:
        answer = JudgeAnswer(None, record.failed)
    else:
        answer = read_answer(next(filter(None, (cells.get(column) for column in said)), ""))
    return JudgedItem(cells.get("id") or None, item, cells.get("sentence") or None, *answer)


def _has_item(cells: Mapping[str, str]) -> bool:
    return bool(cells.get("e1") and cells.get("e2")) and "r" in cells


def _has_fact(record: _Record, rejects: Rejects) -> bool:
    if record.cells.get("id") or _has_item(record.cells):
        return True
    rejects.add(_NO_FACT, f"{record.where}: {excerpt(dict(record.cells))}")
    return False


def _is_of(record: _Record, question: str, rejects: Rejects) -> bool:
    asked = record.cells.get("question", "").casefold()
    if not asked or asked == question:
        return True
    rejects.add(_OTHER_QUESTION, f"{record.where}: {excerpt(asked)}")
    return False


def _said_columns(path: Path, records: Iterable[_Record]) -> Sequence[str]:
    """Return the columns that hold what was said, the first of which counts."""
    there = {name for record in records for name in record.cells}
    if said := [name for name in _SAID if name in there]:
        return said
    if _LABEL not in there and not any(record.failed for record in records):
        raise InputError(path, f"no column with a verdict; {_EXPECTED}")
    return [_LABEL]


def _judge_of(record: _Record) -> tuple[str, str]:
    """Return the judge's name, and the digest of the prompt."""
    method, model = (record.cells.get(name, "") for name in ("method", "model"))
    return "/".join(filter(None, (method, model))), record.cells.get("prompt", "")


def _chosen(
    path: Path, records: Sequence[_Record], judge: str | None, rejects: Rejects
) -> tuple[tuple[str, str], list[_Record]]:
    """Return a judge's name and prompt, and its records."""
    of_judge: dict[tuple[str, str], list[_Record]] = {}
    nameless: list[_Record] = []  # a server that fails does not say for which model
    for record in records:
        key = _judge_of(record)
        (nameless if record.failed and not key[0] else of_judge.setdefault(key, [])).append(record)
    prompts = Counter(name for name, _ in of_judge)
    listed = {
        key: f"{key[0]}@{key[1]}" if prompts[key[0]] > 1 else key[0] or "one without a name"
        for key in of_judge
    }
    fitting = [
        key for key, (first, *_) in of_judge.items() if judge is None or _goes_by(first, judge)
    ]
    if len(of_judge) > 1:
        for record in nameless:
            rejects.add(_NO_JUDGE, f"{record.where}: {record.failed}")
    elif not of_judge:
        return ("", ""), nameless
    if len(fitting) == 1:
        (key,) = fitting
        return key, of_judge[key] + (nameless if len(of_judge) == 1 else [])
    if not fitting:
        known = ", ".join(sorted(listed.values()))
        raise ConfigurationError(f"{path}: no judge {judge!r}; it has {known}")
    what = "several judges" if judge is None else f"several judges {judge!r}"
    known = ", ".join(sorted(listed[key] for key in fitting))
    raise ConfigurationError(f"{path}: {what}; name one of {known}")


def _goes_by(record: _Record, judge: str) -> bool:
    """Tell whether a record's judge is called `judge`, with or without method and prompt."""
    name, prompt = _judge_of(record)
    names = {name, record.cells.get("model", "")}
    return judge in names | {f"{one}@{prompt}" for one in names}


def _content(path: Path) -> bytes:
    try:
        return read_unpacked(path)
    except FileNotFoundError:
        raise InputError(path, "no such file") from None
    except IsADirectoryError:
        raise InputError(path, "a folder, where a file of judgements is expected") from None
    except (OSError, EOFError, zlib.error, lzma.LZMAError) as error:
        problem = getattr(error, "strerror", None) or f"damaged or cut archive ({error})"
        raise InputError(path, f"cannot be read: {problem}") from None


def _records(path: Path, content: bytes, rejects: Rejects) -> Iterator[_Record]:
    content = content.removeprefix(_MARK)
    if content.startswith(_PARQUET):
        return _of_objects(_parquet_rows(path, content), rejects)
    match content.lstrip()[:1]:
        case b"{":
            return _of_objects(_json_lines(path, content, rejects), rejects)
        case b"[":
            return _of_objects(_json_list(path, content), rejects)
        case b"":
            raise InputError(path, f"empty file; {_EXPECTED}")
        case _:
            return _table_rows(path, content, rejects)


def _table_rows(path: Path, content: bytes, rejects: Rejects) -> Iterator[_Record]:
    try:
        text = content.decode()
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise InputError(path, "not UTF-8 text; save it as such", line=line) from None
    header, rows = read_delimited(path, text, rejects=rejects)
    check_header(path, [name.casefold() for name in header])
    for where, cells in rows:
        yield _Record(where, _named(dict(zip(header, cells, strict=True))))


def _parquet_rows(path: Path, content: bytes) -> Iterator[tuple[str, object]]:
    number = 0
    try:
        with pq.ParquetFile(BytesIO(content)) as file:
            wanted = [name for name in file.schema_arrow.names if _column(name)]
            for batch in file.iter_batches(columns=wanted):
                for row in batch.to_pylist():
                    number += 1
                    yield f"{path}: row {number}", row
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        reason = str(error).partition("\n")[0]
        raise InputError(path, f"damaged Parquet ({reason}); write it anew") from None


def _json_list(path: Path, content: bytes) -> Iterator[tuple[str, object]]:
    try:
        rows = parse_json(content)
    except ValueError as error:
        raise InputError(path, f"{_BROKEN} ({error})") from None
    for number, row in enumerate(rows, start=1):
        yield f"{path}: row {number}", row


def _json_lines(path: Path, content: bytes, rejects: Rejects) -> Iterator[tuple[str, object]]:
    for number, line in enumerate(BytesIO(content), start=1):
        where = f"{path}:{number}"
        if not line.strip():
            continue
        try:
            yield where, parse_json(line)
        except ValueError:
            rejects.add(_BROKEN, f"{where}: {line[:80].decode(errors='replace')}")


def _of_objects(rows: Iterable[tuple[str, object]], rejects: Rejects) -> Iterator[_Record]:
    for where, row in rows:
        if not isinstance(row, dict):
            rejects.add("not an object", f"{where}: {excerpt(row)}")
        elif _is_of_batch(row):
            yield _of_batch(where, row)
        else:
            yield _Record(where, _named(row))


def _column(name: str) -> str | None:
    """Return our name of a column; None where it is none of ours."""
    return _COLUMNS.get(name.strip().casefold())


def _named(row: Mapping[str, object]) -> dict[str, str]:
    """Return the cells of a row that we read, as text, by our names; the first filled one counts.

    What JSON has as text is the text; what it has as anything else is its JSON, which reads alike.
    """
    cells: dict[str, str] = {}
    for name, value in row.items():
        column = _column(name)
        if column is None:
            continue
        text = "" if value is None else value if isinstance(value, str) else _as_json(value)
        if not cells.get(column):
            cells[column] = normalise(text.strip())
    return cells


def _as_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)


def _is_of_batch(row: Mapping[str, Any]) -> bool:
    return "custom_id" in row and any(
        isinstance(row.get(key), dict) for key in ("response", "result", "error")
    )


def _of_batch(where: str, row: Mapping[str, Any]) -> _Record:
    """Return a line of a batch's output: what was answered, or why nothing was."""
    named = {"id": str(row["custom_id"])}
    if of_ours := _CUSTOM_ID.fullmatch(named["id"]):
        named = {name: part or "" for name, part in of_ours.groupdict().items()}
    status: object = 200
    try:
        response = row.get("response") or row.get("result") or {}
        status = response.get("status_code", 200)
        if row.get("error") or status != 200:
            raise LookupError
        body = response.get("body") or response["message"]
        said = {**named, "model": body.get("model"), "answer": content_of(body)}
    except (LookupError, TypeError, AttributeError):
        what = "with an error" if status == 200 else excerpt(status)
        return _Record(where, named, f"the server answered {what}")
    return _Record(where, _named(said))


def content_of(body: Mapping[str, Any]) -> str:
    """Return the text that a chat completion holds; empty where the model said nothing.

    Raises
    ------
    LookupError, TypeError, AttributeError
        If it is no chat completion.
    """
    content = body["choices"][0]["message"]["content"] if "choices" in body else body["content"]
    if isinstance(content, list):  # of parts
        return "".join(part["text"] for part in content if part.get("type") == "text")
    if not isinstance(content, str | None):
        raise TypeError("the content of an answer is text")
    return content or ""

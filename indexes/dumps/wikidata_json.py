"""Wikidata's JSON dump: an entity on each line, with all its statements.

The dump is one JSON array, ``[``, the entities with a comma after each, ``]``; extracts of it are
plain lines of JSON. Neither is ever parsed as a whole. Of the statements of a property those with
the best rank count, as in Wikidata's own direct ("truthy") triples: the preferred ones, or else
the normal ones, and never the deprecated. Where PHP had nothing to write, it wrote an empty array
in place of an object.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import orjson
import pyarrow as pa

from evaluator.errors import InputError
from evaluator.inputs import open_file
from evaluator.model import Rejects
from indexes.dumps.statements import (
    NO_LANGUAGE,
    DumpStatement,
    NameKind,
    batches,
    clean_name,
    label_kind,
    languages,
)
from indexes.dumps.vocabulary import EMPTY_NAME, LITERAL_VALUE, OTHER_LANGUAGE, SCHEMA
from indexes.identifiers import title_id
from indexes.streams import TRUNCATED, blocks, head

NAME = "wikidata-json"
DESCRIPTION = "Wikidata's JSON dump (.json, .json.gz, .json.bz2), an entity on each line"

NOT_JSON = "not JSON"
NOT_AN_ENTITY = "not a Wikidata entity"
SEVERAL = "several entities on a line"
NOT_A_PROPERTY = "not a property"
UNKNOWN_RANK = "unknown rank"
UNKNOWN_SNAK = "unknown snak type"
DEPRECATED = "deprecated rank"
NOT_BEST = "not best rank"
NO_VALUE = "no value"
UNKNOWN_VALUE = "unknown value"
DESCRIPTIONS = "description"
LEXEME = "lexeme"
OTHER_ENTITY = "no item or property"

_INSTANCE_OF, _FREEBASE_ID, _INVERSE_PROPERTY = "P31", "P646", "P1696"
_ITEM = re.compile(r"Q[1-9][0-9]*")
_PROPERTY = re.compile(r"P[1-9][0-9]*")
_FREEBASE = re.compile(r"/[mg]/[0-9a-zA-Z_]+")
_LEXEME = re.compile(r"L[1-9][0-9]*(?:-[FS][1-9][0-9]*)?")
_OTHER = re.compile(r"[A-Z][1-9][0-9]*")
_PREFIXES = {"item": "Q", "property": "P", "lexeme": "L"}
_RANKS = ("preferred", "normal", "deprecated")
_MARK = b"\xef\xbb\xbf"
_EDGE = 64  # bytes in which a file's brackets are looked for


def read(
    path: Path,
    *,
    language: str,
    rejects: Rejects,
    left_out: Rejects,
    byte_range: tuple[int, int] | None = None,
) -> Iterator[pa.RecordBatch]:
    """Yield the statements of a dump in file order.

    Parameters
    ----------
    path, byte_range
        As for :func:`indexes.streams.blocks`.
    language
        Language of the names that are wanted (``en``), and of the Wikipedia whose titles are
        other ids of the items; or a chain of some (``de,en,mul``).
    rejects
        Receives each line that is not JSON or no entity, each statement of an unknown rank or
        form and each claim of what is no property, and ``"truncated file"`` where the last
        line is half a one or the array is never closed.
    left_out
        Receives, by reason, each statement, name and entity that is no evidence: one count for
        each, so an entity may have many.

    Raises
    ------
    InputError
        At the first step: a file that cannot be used at all. At the last: one without an entity.
    """
    reader = _Reader(language)
    try:
        yield from batches(reader.read(path, byte_range))
    finally:
        rejects.merge([reader.rejects])
        left_out.merge([reader.left_out])
    if not reader.entities and byte_range is None:
        problem = "it holds no records"
        for reason, example in list(reader.rejects.examples.items())[:1]:
            problem = f"{reason}, first in {example[:80]!r}"
        if reader.first == b"{":
            problem = "an entity goes over many lines"
        raise InputError(
            path,
            f"no Wikidata entity found: {problem}; expected one entity a line, as Wikidata's dumps"
            " have (jq -c '.[]' makes that of an array)",
        )


class _Kinds(dict[str, NameKind]):
    """What a label in each language is, found out once for each."""

    def __init__(self, wanted: tuple[str, ...]) -> None:
        super().__init__()
        self._wanted = wanted

    def __missing__(self, tag: str) -> NameKind:
        kind = self[tag] = label_kind(tag, self._wanted)
        return kind


class _Reader:
    """Reads entity after entity; keeps the accounts."""

    def __init__(self, language: str) -> None:
        self.rejects = Rejects()
        self.left_out = Rejects()
        self.entities = 0
        self.first = b""
        wanted = languages(language)
        self._kinds = _Kinds(wanted)
        self._wikis = {
            f"{tag.replace('-', '_')}wiki": tag for tag in wanted if tag not in NO_LANGUAGE
        }

    def read(self, path: Path, byte_range: tuple[int, int] | None) -> Iterator[DumpStatement]:
        opened, closed = _array(path, byte_range)
        for block in blocks(path, rejects=self.rejects, byte_range=byte_range):
            *lines, rest = block.split(b"\n")
            for line in lines:
                record, closed = _record(line, closed)
                if record:
                    yield from self._statements(record)
            if rest:
                record, closed = _record(rest, closed)
                if record:
                    yield from self._statements(record, cut=True)
        if opened and not closed and TRUNCATED not in self.rejects.counts:
            self.rejects.add(TRUNCATED, f"{path.name} ends without the closing bracket")

    def _statements(self, line: bytes, *, cut: bool = False) -> Iterable[DumpStatement]:
        """Return what one record says; with `cut`, the file ended before the line did."""
        self.first = self.first or line
        try:
            record = orjson.loads(line)
        except orjson.JSONDecodeError:
            reason = SEVERAL if _several(line) else TRUNCATED if cut else NOT_JSON
            self.rejects.add(reason, _example(line))
            return ()
        left: Counter[str] = Counter()
        bad: Counter[str] = Counter()
        try:
            statements = list(self._entity(record, left, bad))
        except (AttributeError, KeyError, TypeError, ValueError):
            self.rejects.add(NOT_AN_ENTITY, _example(line))
            return ()
        self.entities += 1
        for account, counts in ((self.left_out, left), (self.rejects, bad)):
            account.merge([Rejects(counts, dict.fromkeys(counts, str(record.get("id", ""))))])
        return statements

    def _entity(
        self, record: Any, left: Counter[str], bad: Counter[str]
    ) -> Iterator[DumpStatement]:
        if "redirect" in record:
            old, new = record["entity"], record["redirect"]
            if _ITEM.fullmatch(old) and _ITEM.fullmatch(new):
                yield DumpStatement("redirect", old, "", new)
            else:
                left[_kind_of(old)] += 1
            return
        subject = record["id"]
        if not record.keys() & {"type", "labels", "claims"}:
            raise ValueError
        if _ITEM.fullmatch(subject):
            yield from self._names(record, subject, left)
            yield from self._sitelinks(record, subject)
            yield from _facts(record, subject, left, bad)
        elif _PROPERTY.fullmatch(subject):
            for statement in self._names(record, subject, left):
                if statement.kind == "named":
                    left[OTHER_LANGUAGE] += 1
                else:
                    yield statement
            yield from _inverses(record, subject, left, bad)
        else:
            left[_kind_of(subject)] += 1

    def _names(self, record: Any, subject: str, left: Counter[str]) -> Iterator[DumpStatement]:
        others = 0
        for tag, label in _object(record, "labels"):
            kind = self._kinds[tag]
            if kind.kind == "named":
                others += 1
            elif name := clean_name(label["value"]):
                yield DumpStatement(kind.kind, subject, kind.language, name)
            else:
                left[EMPTY_NAME] += 1
        if others:
            yield DumpStatement("named", subject)
            left[OTHER_LANGUAGE] += others - 1
        for tag, aliases in _object(record, "aliases"):
            if self._kinds[tag].kind == "named":
                left[OTHER_LANGUAGE] += len(aliases)
                continue
            for alias in aliases:
                if name := clean_name(alias["value"]):
                    yield DumpStatement("alias", subject, "", name)
                else:
                    left[EMPTY_NAME] += 1
        if descriptions := record.get("descriptions"):
            left[DESCRIPTIONS] += len(descriptions)

    def _sitelinks(self, record: Any, subject: str) -> Iterator[DumpStatement]:
        links = record.get("sitelinks")
        if not links:
            return
        yield DumpStatement("sitelinks", subject, "", str(len(links)))
        for wiki, language in self._wikis.items():
            if wiki in links:
                title = title_id(links[wiki]["title"], language=language)
                yield DumpStatement("same", subject, "", title)


def _array(path: Path, byte_range: tuple[int, int] | None) -> tuple[bool, bool]:
    """Return whether the end of an array is due in what is read, and whether it is known to come.

    Where a file is read in ranges, the closing bracket may be in another than the last.
    """
    if byte_range is None:
        return head(path).removeprefix(_MARK).lstrip().startswith(b"["), False
    size = path.stat().st_size
    with open_file(path) as stream:
        begins = stream.read(_EDGE).removeprefix(_MARK).lstrip()
        stream.seek(max(0, size - _EDGE))
        ends = stream.read().rstrip()
    return begins.startswith(b"[") and byte_range[1] >= size, ends.endswith(b"]")


def _record(line: bytes, closed: bool) -> tuple[bytes, bool]:
    """Return a line without what belongs to the array, and whether the array is closed."""
    record = line.strip().removeprefix(_MARK)
    # Some writers put the first or the last entity beside the bracket.
    if record.endswith(b"]"):
        record, closed = record[:-1], True
    return record.removeprefix(b"[").strip(b", \t"), closed


def _several(line: bytes) -> bool:
    """Return whether a line is JSON if taken for what is in an array, as when all is on it."""
    try:
        orjson.loads(b"[%b]" % line)
    except orjson.JSONDecodeError:
        return False
    return True


def _facts(
    record: Any, subject: str, left: Counter[str], bad: Counter[str]
) -> Iterator[DumpStatement]:
    for relation, value in _values(record, left, bad):
        if (target := _entity_id(value)) is None:
            if relation == _FREEBASE_ID and _FREEBASE.fullmatch(value):
                yield DumpStatement("same", subject, "", value)
            else:
                left[LITERAL_VALUE] += 1
        elif _ITEM.fullmatch(target):
            yield DumpStatement("fact", subject, relation, target)
            if relation == _INSTANCE_OF:
                yield DumpStatement("type", subject, "", target)
        else:
            left[_kind_of(target)] += 1


def _inverses(
    record: Any, subject: str, left: Counter[str], bad: Counter[str]
) -> Iterator[DumpStatement]:
    for relation, value in _values(record, left, bad):
        target = _entity_id(value)
        if target is None:
            left[LITERAL_VALUE] += 1
        elif relation == _INVERSE_PROPERTY and _PROPERTY.fullmatch(target):
            yield DumpStatement("inverse", subject, "", target)
        else:
            left[SCHEMA] += 1


def _values(record: Any, left: Counter[str], bad: Counter[str]) -> Iterator[tuple[str, Any]]:
    """Yield property and value of the statements with the best rank of each property."""
    for relation, statements in _object(record, "claims"):
        if not _PROPERTY.fullmatch(relation):
            bad[NOT_A_PROPERTY] += 1
            continue
        ranks = [statement.get("rank", "normal") for statement in statements]
        best = "preferred" if "preferred" in ranks else "normal"
        for statement, rank in zip(statements, ranks, strict=True):
            if rank not in _RANKS:
                bad[UNKNOWN_RANK] += 1
                continue
            if rank != best:
                left[DEPRECATED if rank == "deprecated" else NOT_BEST] += 1
                continue
            snak = statement["mainsnak"]
            match snak.get("snaktype", "value"):
                case "value":
                    yield relation, _value(snak["datavalue"])
                case "somevalue":
                    left[UNKNOWN_VALUE] += 1
                case "novalue":
                    left[NO_VALUE] += 1
                case _:
                    bad[UNKNOWN_SNAK] += 1


class _Entity(str):
    """The id of a value that is an entity."""

    __slots__ = ()


def _value(stated: Any) -> Any:
    """Return a value; that of an entity, by the type that is stated of it, as its id.

    Dumps before 2017 give its kind and number only; other writers, its id only.
    """
    value = stated["value"]
    if stated.get("type") == "wikibase-entityid" or (
        isinstance(value, dict) and "entity-type" in value
    ):
        return _Entity(value.get("id") or f"{_PREFIXES[value['entity-type']]}{value['numeric-id']}")
    return value


def _entity_id(value: Any) -> str | None:
    """Return the id of a value that is an entity."""
    return value if isinstance(value, _Entity) else None


def _kind_of(identifier: str) -> str:
    """Return the reason for which an entity, or a value that is one, is left out."""
    if _LEXEME.fullmatch(identifier):
        return LEXEME
    if _PROPERTY.fullmatch(identifier):
        return SCHEMA
    if _OTHER.fullmatch(identifier):
        return OTHER_ENTITY
    raise ValueError(identifier)


def _object(record: Any, name: str) -> Iterable[tuple[str, Any]]:
    """Return the members of an object that is missing, or an array, where it is empty."""
    members: Iterable[tuple[str, Any]] = (record.get(name) or {}).items()
    return members


def _example(line: bytes) -> str:
    return line[:200].decode(errors="replace")

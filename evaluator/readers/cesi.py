"""ReVerb's triples on ClueWeb09 with Freebase entities, as CESI distributes them.

A folder of zip archives (``base.zip``, ``ambiguous.zip``; or one such archive), whose members are
JSON Lines: ``triple`` and ``true_link`` {``subject``, ``object``}, "NULL" where an argument has no
entity; the other keys are not needed. All members count: "valid" and "test" are parts for learning,
not different data. The archives repeat themselves and each other, so a triple with the same
entities is taken once. Verbs are written in their base form ("be bear at"). Most sentences in
there are only the triple again; they are not used.

Vashishth, Jain and Talukdar, "CESI: Canonicalizing Open Knowledge Bases using Embeddings and Side
Information", WWW 2018.
"""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from evaluator.errors import InputError
from evaluator.facts.given import GivenFact
from evaluator.inputs import zipped_lines
from evaluator.model import Rejects
from evaluator.readers import RecordError, one_per_line, refuse
from evaluator.readers.jsonl import parse_object

NAME = "cesi"
KIND = "facts"
DESCRIPTION = "a folder of zip archives with JSON lines: triple, true_link {subject, object}"
TOLD_BY = ""
EXAMPLE = (
    '{"triple": ["lena", "found", "kelp"], "true_link": {"subject": "/m/0a", "object": "NULL"}}\n'
)

_NOT_LINKED = "NULL"


def lines(path: Path, *, rejects: Rejects) -> Iterator[tuple[int, str]]:
    """Yield the lines of all members of all archives, numbered through; blank ones left out.

    Raises
    ------
    InputError
        If there is no archive, or one is damaged.
    """
    archives = sorted(path.glob("*.zip")) if path.is_dir() else [path]
    if not archives:
        raise InputError(path, "no zip archive in this folder")
    number = 0
    for archive in archives:
        for raw in zipped_lines(archive, rejects=rejects):
            if not raw.strip():
                continue
            number += 1
            try:
                yield number, raw.decode().rstrip("\r\n")
            except UnicodeDecodeError:
                refuse(rejects, "invalid UTF-8", number, raw.decode(errors="replace"))


def read(lines: Iterable[tuple[int, str]], *, system: str, rejects: Rejects) -> Iterator[GivenFact]:
    """Return every distinct triple with its entities; count repeated ones in `rejects`."""
    seen: set[tuple[str, ...]] = set()

    def fact(line: str, system: str, number: int) -> GivenFact:
        record = parse_object(line)
        name1, relation, name2 = _triple(record.get("triple"))
        e1, e2 = _entities(record.get("true_link"))
        content = name1, relation, name2, e1, e2
        if content in seen:
            raise RecordError("repeated triple")
        seen.add(content)
        return GivenFact(system, number, e1, relation, e2, name1=name1, name2=name2)

    return one_per_line(lines, fact, system=system, rejects=rejects)


def recognises(head: Sequence[str]) -> bool:  # noqa: ARG001
    """Return False: zip archives have no lines of text to look at."""
    return False


def _triple(value: object) -> tuple[str, str, str]:
    match value:
        case [str(first), str(relation), str(second)]:
            return first, relation, second
    raise RecordError("'triple' is not three texts")


def _entities(value: object) -> tuple[str, str]:
    match value:
        case {"subject": str(first), "object": str(second)}:
            return first.removeprefix(_NOT_LINKED), second.removeprefix(_NOT_LINKED)
    raise RecordError("'true_link' has no subject and object")

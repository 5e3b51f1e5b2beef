"""That no line of a file vanishes: what every reader is held to, kept in the one place.

A line is the line of a record, is refused with a reason, or is part of something that is (the
sentence above an extraction, a bracket of an array). Readers tell the latter two; a line that is
none of these when the file ends is counted as :data:`NOTHING_READ`: no reader can lose one.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Protocol

from evaluator.model import Rejects

NOTHING_READ = "no extraction on the line or below it"
"""Why a line is refused of which nothing was read: a sentence without one, or a foreign line."""

NO_RELATION = "no relation"
"""Why a record is refused whose relation says that there is none."""

# TACRED, NYT10, DocRED, GLiREL and what Python and JSON write for nothing.
_NO_RELATION = frozenset({"no relation", "no relationship", "no rel", "norelation"}) | frozenset(
    {"not related", "na", "n/a", "nan", "none", "null", "nil"}
)
_JOINT = re.compile(r"[\s_-]+")


def is_no_relation(relation: str, sentence: str = "") -> bool:
    """Tell whether a relation is a classifier's word for none, in any spelling.

    A word of the sentence is what an open extractor took from it: PropS has "none" as the relation
    of "none longer than five minutes".
    """
    if relation.strip() in sentence.split():
        return False
    return _JOINT.sub(" ", relation).strip(" <>[]().\"'").casefold() in _NO_RELATION


class _Record(Protocol):
    @property
    def line(self) -> int: ...
    @property
    def relation(self) -> str: ...


class FileAccount(Rejects):
    """The rejects of one file, and its lines that are nothing yet."""

    def __init__(self) -> None:
        super().__init__()
        self._open: dict[int, str] = {}

    def watched(self, lines: Iterable[tuple[int, str]]) -> Iterator[tuple[int, str]]:
        """Yield `lines`; those that are not blank have to become something."""
        for number, line in lines:
            if line.strip():
                self._open[number] = line
            yield number, line

    def settle(self, numbers: Iterable[int]) -> None:
        """Take note that these lines are part of what is read or refused."""
        for number in numbers:
            self._open.pop(number, None)

    def kept[Record: _Record](self, records: Iterable[Record]) -> Iterator[Record]:
        """Yield `records` but for those without a relation; count the lines that are left over."""
        for record in records:
            self.settle([record.line])
            if is_no_relation(record.relation, getattr(record, "sentence", "")):
                self.add(NO_RELATION, f"line {record.line}: {record.relation}")
            else:
                yield record
        for number, line in self._open.items():
            self.add(NOTHING_READ, f"line {number}: {line.rstrip()}")
        self._open.clear()

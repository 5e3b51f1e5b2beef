"""Tables of identifiers: old ids with the current ones, and ids of the same thing.

Both are lines of TAB-separated ids in any of their written forms (:mod:`indexes.identifiers`), or
N-Triples, such as the redirects and the links that DBpedia publishes. Wikidata's JSON dump has no
redirects, and a corpus that was linked years ago names ids that have been merged since.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from evaluator.errors import InputError
from evaluator.model import Rejects
from indexes.dumps.ntriples import CUT_LINE, INVALID_UTF8, MALFORMED, parse_line
from indexes.dumps.statements import DumpStatement, StatementKind, batches
from indexes.dumps.vocabulary import LITERAL_VALUE
from indexes.identifiers import canonical_id
from indexes.streams import TRUNCATED, blocks

NOT_COLUMNS = "not the expected columns"
COMMAS = "separated by commas, expected tabs"
NO_ID = "no identifier"
OTHER_PREDICATE = "another predicate"
SAME_ID = "the same id"

_WORDS = re.compile(r"[^\W\d]+(?:[ -][^\W\d]+)*")
_SAME_AS = "http://www.w3.org/2002/07/owl#sameAs"
_REDIRECTS = "http://dbpedia.org/ontology/wikiPageRedirects"


@dataclass(frozen=True)
class Table:
    """A format of such tables, with the surface of the dump readers.

    Attributes
    ----------
    NAME, DESCRIPTION
        As for the other readers.
    kind
        What each pair of ids is.
    columns
        Greatest number of ids on a line; 0 for any.
    predicates
        What joins two ids in N-Triples.
    """

    NAME: str
    DESCRIPTION: str
    kind: StatementKind
    columns: int
    predicates: frozenset[str]

    def read(
        self,
        path: Path,
        *,
        language: str = "en",  # noqa: ARG002
        rejects: Rejects,
        left_out: Rejects,
        byte_range: tuple[int, int] | None = None,
    ) -> Iterator[pa.RecordBatch]:
        """Yield the statements of a table in file order.

        Empty lines, lines that begin with ``#`` and a first line of words without
        digits (the names of the columns) are no records. A last line that is no record and has no
        end makes a ``"truncated file"``.

        Raises
        ------
        InputError
            At the first step: a file that cannot be used at all. At the last: one without a pair.
        """
        lines = _Lines(self, byte_range is None or byte_range[0] == 0)
        try:
            yield from batches(lines.read(path, byte_range))
        finally:
            rejects.merge([lines.rejects])
            left_out.merge([lines.left_out])
        if not lines.found and byte_range is None:
            problem = "it holds no records"
            for account in (lines.left_out, lines.rejects):
                for reason, example in list(account.examples.items())[:1]:
                    problem = f"{reason}, first in {example[:80]!r}"
            raise InputError(path, f"no pair of ids found: {problem}; give {self.DESCRIPTION}")


REDIRECTS = Table(
    NAME="redirects",
    DESCRIPTION="lines of an old id, a TAB and the current id, or such links in N-Triples",
    kind="redirect",
    columns=2,
    predicates=frozenset((_SAME_AS, _REDIRECTS)),
)
IDENTITIES = Table(
    NAME="identities",
    DESCRIPTION="lines of ids of the same thing with TABs between, or owl:sameAs in N-Triples",
    kind="same",
    columns=0,
    predicates=frozenset((_SAME_AS,)),
)


class _Lines:
    """Reads line after line; keeps the accounts."""

    def __init__(self, table: Table, may_have_header: bool) -> None:
        self.rejects = Rejects()
        self.left_out = Rejects()
        self.found = False
        self._table = table
        self._header = may_have_header
        self._cut = False

    def read(self, path: Path, byte_range: tuple[int, int] | None) -> Iterator[DumpStatement]:
        for block in blocks(path, rejects=self.rejects, byte_range=byte_range):
            *lines, rest = block.split(b"\n")
            for line in lines:
                yield from self._record(line)
            # Only the last line of the file has no end.
            self._cut = True
            yield from self._record(rest)
            self._cut = False

    def _record(self, line: bytes) -> Iterator[DumpStatement]:
        try:
            text = line.decode().strip("\r\n ")
        except UnicodeDecodeError:
            self._reject(INVALID_UTF8, line.decode(errors="replace"))
            return
        if text.strip() and not text.startswith("#"):
            yield from self._statements(text)
            self._header = False

    def _reject(self, reason: str, line: str) -> None:
        self.rejects.add(TRUNCATED if self._cut else reason, line)

    def _statements(self, line: str) -> Iterator[DumpStatement]:
        ids = self._linked(line) if line.startswith(("<", "_:")) else self._listed(line)
        if len(ids) < 2:
            return
        first, *others = ids
        different = [other for other in others if other != first]
        if not different:
            self.left_out.add(SAME_ID, line)
        for other in different:
            self.found = True
            yield DumpStatement(self._table.kind, first, "", other)

    def _listed(self, line: str) -> list[str]:
        """Return the ids of a line of columns; empty for no such line."""
        cells = [cell for cell in line.split("\t") if cell.strip()]
        ids = [canonical_id(cell) for cell in cells]
        words = len(cells) > 1 and all(_WORDS.fullmatch(cell.strip()) for cell in cells)
        if self._header and words and not any(ids):
            return []
        if len(cells) < 2 and "," in line:
            self._reject(COMMAS, line)
            return []
        if len(cells) < 2 or (self._table.columns and len(cells) > self._table.columns):
            self._reject(NOT_COLUMNS, line)
            return []
        known = [id_ for id_ in ids if id_ is not None]
        if len(known) < len(ids):
            self._reject(NO_ID, line)
            return []
        return known

    def _linked(self, line: str) -> list[str]:
        """Return the ids of a line of N-Triples; empty for one that joins none."""
        try:
            triple = parse_line(line)
        except ValueError:
            self._reject(MALFORMED if line.endswith(".") else CUT_LINE, line)
            return []
        if triple.predicate not in self._table.predicates:
            self.left_out.add(OTHER_PREDICATE, line)
            return []
        if triple.literal:
            self.left_out.add(LITERAL_VALUE, line)
            return []
        ids = [canonical_id(term) for term in (triple.subject, triple.object)]
        known = [id_ for id_ in ids if id_ is not None]
        if len(known) < 2:
            self._reject(NO_ID, line)
            return []
        return known

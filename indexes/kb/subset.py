"""The part of a dump that a text can meet: what its names stand for, and all that decides on that.

A base of a hundred million entities is more than one machine sorts and joins. A corpus meets few of
them: those one of whose names stands in it. What is kept is such that on this corpus nothing is
found that the whole base would not find, nor anything else:

* an entity one of whose names stands in the text, by any of its identifiers;
* one that shares a name with such a one, because it may be what the name means, or rule the name
  out for queries (:mod:`indexes.kb.assembly`);
* all triples among these, their types, other identifiers and sitelinks, and all relations' names.

Statements that join a kept entity to another one are read too, and count for its degree, by which
names are given: popularity is that of the whole base. Then they are dropped.
"""

from collections.abc import Iterable, Iterator
from itertools import chain, islice, pairwise
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from evaluator.corpus.sentences import read_sentences
from evaluator.errors import InputError
from evaluator.model import Rejects
from evaluator.text import fold, unescape_treebank, written_tokens
from indexes.collections import detect_format, read_collection
from indexes.engine import Batches, Engine, Mapped
from indexes.identifiers import canonical_id
from indexes.kb.assembly import NAMESPACE
from indexes.kb.entities import name_row

_FOUND = pa.schema([("id", pa.string()), ("form", pa.string()), ("stands", pa.bool_())])
_IDS = pa.schema([("id", pa.string())])
_PAIRS = 1 << 22  # held before they are made distinct
_NODE = "substr({0}, 1, 1) IN ('/', '_')"


class _Words(dict[str, int]):
    """The number of each token as the text writes it: one number however it is written."""

    def __init__(self) -> None:
        super().__init__()
        self._numbers: dict[str, int] = {}
        self._capitals: set[int] = set()

    def __missing__(self, token: str) -> int:
        number = self._numbers.setdefault(fold(token.casefold()), len(self._numbers))
        if token[0].isupper():
            self._capitals.add(number)
        self[token] = number
        return number

    def number(self, token: str) -> int | None:
        """Return the number of a name's token; None where the text has none that may be it."""
        number = self._numbers.get(fold(token.casefold()))
        return None if token[0].isupper() and number not in self._capitals else number


class TextWords:
    """The words of a text, and which of them stand side by side.

    A name stands in the text if each of its words does, with a capital where the name has one, and
    so do its words two by two. That says a little too much of names of three words and more, and
    never too little: it is what the dictionary asks for at least
    (:class:`indexes.kb.entities.EntityDictionary`), diacritics left out. It takes eight bytes for
    each distinct pair of words, and no more for a larger base.
    """

    def __init__(self) -> None:
        self.entities: set[str] = set()
        """Identifiers of entities that the text brings with it, as mentions of its sentences."""
        self._words = _Words()
        self._pairs = np.empty(0, np.int64)
        self._held: list[NDArray[np.int64]] = []  # beside those, not yet distinct
        self._waiting = 0

    def add(self, text: str) -> None:
        """Add a piece of the text."""
        found = map(self._words.__getitem__, written_tokens(unescape_treebank(text)))
        numbers = np.fromiter(found, np.int64)
        self._held.append(numbers[:-1] << 32 | numbers[1:])
        self._waiting += len(numbers)
        if self._waiting > _PAIRS:
            self._settle()

    def find(self, batches: Batches) -> Batches:
        """Yield, of identifiers and names that a text may have, the forms and whether they stand.

        Names that the dictionary does not use are left out.
        """
        for batch in batches:
            rows = [(id_, name, name_row(name)) for id_, name in zip(*_lists(batch), strict=True)]
            rows = [row for row in rows if row[2].usable]
            stands = self.stand([row.written for *_, row in rows])
            yield pa.record_batch(
                [
                    pa.array([id_ for id_, *_ in rows], pa.string()),
                    pa.array([row.form for *_, row in rows], pa.string()),
                    pa.array(stands, pa.bool_()),
                ],
                schema=_FOUND,
            )

    def stand(self, names: Iterable[str]) -> list[bool]:
        """Return of each name whether it stands in the text."""
        self._settle()
        pairs = [self._of_name(name) for name in names]
        asked = np.fromiter(chain.from_iterable(p for p in pairs if p), np.int64)
        at = np.searchsorted(self._pairs, asked)
        found = iter((np.append(self._pairs, -1)[at] == asked).tolist())
        return [of is not None and all(list(islice(found, len(of)))) for of in pairs]

    def _of_name(self, name: str) -> list[int] | None:
        """Return the pairs of words of a name; None if the text lacks one of the words."""
        numbers = []
        for token in written_tokens(name):
            number = self._words.number(token)
            if number is None:
                return None
            numbers.append(number)
        return [first << 32 | second for first, second in pairwise(numbers)]

    def _settle(self) -> None:
        self._pairs = np.unique(np.concatenate([self._pairs, *self._held]))
        self._held, self._waiting = [], 0


def words_of(path: Path) -> TextWords:
    """Return the words of a file of sentences, or of a collection of any format.

    Raises
    ------
    InputError
        No such file, or none that can be read.
    """
    if not path.exists():
        raise InputError(path, "no such file or folder")
    words = TextWords()
    try:
        known = detect_format(path)
    except InputError:  # plain text has no sign
        known = "text"
    try:
        for document in read_collection(path, format=known, select=(), rejects=Rejects()):
            words.add(document.text)
    except InputError:
        if known != "jsonl" or not path.is_file():
            raise
        for sentence in read_sentences(path, format="jsonl", rejects=Rejects()):
            words.add(sentence.text)
            mentioned = (canonical_id(mention.entity) for mention in sentence.mentions or ())
            words.entities.update(id_ for id_ in mentioned if id_ is not None)
    return words


def restrict(engine: Engine, words: TextWords) -> None:
    """Make of the table ``dump`` the table ``statements`` of what `words` can meet.

    Beside it are ``kept``, the identifiers of the entities, and ``relation_ids`` and
    ``vocabularies``, which the whole dump says.
    """
    engine.sql(
        "names_of_dump",
        Mapped(
            """SELECT subject AS id, object AS name FROM dump
            WHERE kind IN ('label', 'variant', 'alias')""",
            words.find,
            _FOUND,
        ),
    )
    engine.sql(
        "identified", "SELECT DISTINCT subject, object FROM dump WHERE kind IN ('same', 'redirect')"
    )
    engine.table("mentioned", ((id_,) for id_ in sorted(words.entities)), _IDS)
    engine.sql(
        "standing", "SELECT id FROM names_of_dump WHERE stands UNION SELECT id FROM mentioned"
    )
    _close(engine, "standing")
    engine.sql(
        "kept",
        """SELECT id FROM standing UNION SELECT n.id FROM names_of_dump n JOIN (
            SELECT DISTINCT m.form FROM names_of_dump m JOIN standing s ON s.id = m.id
        ) f ON f.form = n.form""",
    )
    _close(engine, "kept")
    engine.sql("wanted", "SELECT id, 1 AS whole, 1 AS kept FROM kept")
    # A nameless node beside a kept entity may be a mediator: it is read with all its sides. So is
    # one beside that, because two mediators side by side make no fact.
    for _ in range(2):
        _widen(engine)
    engine.sql("relation_ids", "SELECT DISTINCT predicate AS id FROM dump WHERE kind = 'fact'")
    spaces = " UNION ".join(
        f"""SELECT {NAMESPACE.format(end)} AS namespace FROM dump
        WHERE kind = 'fact' AND {end} LIKE '%://%'"""
        for end in ("subject", "object")
    )
    engine.sql(
        "vocabularies",
        f"""SELECT {NAMESPACE.format("id")} AS namespace FROM relation_ids
        WHERE id LIKE '%://%' EXCEPT SELECT namespace FROM ({spaces}) of_entities""",
    )
    engine.sql(
        "statements",
        """SELECT s.kind, s.subject, s.predicate, s.object FROM dump s
        LEFT JOIN wanted a ON a.id = s.subject LEFT JOIN wanted b ON b.id = s.object
        LEFT JOIN relation_ids r ON r.id = s.subject
        WHERE CASE
            WHEN s.kind = 'fact' THEN coalesce(a.whole, 0) + coalesce(b.whole, 0) > 0
            WHEN s.kind IN ('same', 'redirect', 'type') THEN a.id IS NOT NULL OR b.id IS NOT NULL
            WHEN s.kind IN ('label', 'variant', 'alias') THEN a.kept = 1 OR r.id IS NOT NULL
            WHEN s.kind IN ('named', 'sitelinks') THEN a.kept = 1
            ELSE true END
        UNION ALL SELECT 'named' AS kind, id AS subject, '' AS predicate, '' AS object
        FROM named_beside""",
    )


def _widen(engine: Engine) -> None:
    """Add to ``wanted`` the nodes beside those that are read whole; the nameless are read so too.

    Of the others only their being named is read, for nothing is to be taken for nameless.
    """
    engine.sql(
        "beside",
        f"""SELECT f.object AS id FROM dump f JOIN wanted w ON w.id = f.subject
        WHERE f.kind = 'fact' AND w.whole = 1 AND {_NODE.format("f.object")}
        UNION SELECT f.subject AS id FROM dump f JOIN wanted w ON w.id = f.object
        WHERE f.kind = 'fact' AND w.whole = 1 AND {_NODE.format("f.subject")}
        UNION SELECT id FROM wanted WHERE kept = 0""",
    )
    _close(engine, "beside")
    engine.sql(
        "named_beside",
        """SELECT DISTINCT s.subject AS id FROM dump s JOIN beside b ON b.id = s.subject
        WHERE s.kind IN ('label', 'variant', 'alias', 'named')""",
    )
    engine.sql(
        "wanted",
        """SELECT id, max(whole) AS whole, max(kept) AS kept FROM (
            SELECT id, 1 AS whole, 1 AS kept FROM kept
            UNION ALL SELECT b.id, CASE WHEN n.id IS NULL THEN 1 ELSE 0 END AS whole, 0 AS kept
            FROM beside b LEFT JOIN named_beside n ON n.id = b.id
        ) ids_wanted GROUP BY id""",
    )


def _close(engine: Engine, ids: str) -> None:
    """Add to a table of identifiers all others of the same things."""
    while True:
        engine.sql(
            "others",
            f"""SELECT o.id FROM (
                SELECT i.object AS id FROM identified i JOIN {ids} k ON k.id = i.subject
                UNION SELECT i.subject AS id FROM identified i JOIN {ids} k ON k.id = i.object
            ) o LEFT JOIN {ids} k ON k.id = o.id WHERE k.id IS NULL""",
        )
        if not engine.rows("SELECT 1 FROM others LIMIT 1"):
            return
        engine.sql("closer", f"SELECT id FROM {ids} UNION SELECT id FROM others")
        engine.sql(ids, "SELECT id FROM closer")


def _lists(batch: pa.RecordBatch) -> Iterator[list[str]]:
    return (batch[name].to_pylist() for name in ("id", "name"))

"""The knowledge base D: relations between entities, and the names of both.

Built from dumps in one pass, kept as Parquet, so that Spark joins over the same files that
:class:`KnowledgeBase` reads. A knowledge base is a folder:

=====================  ============================================================================
``triples/``           e1, relation, e2: distinct, between entities only, sorted
``entities.parquet``   entity, label, degree, query_names
``names.parquet``      entity, name, kind (``label`` or ``alias``)
``relations.parquet``  id, label, words (content lemmas of the relation's own name)
``manifest.json``      counts, rejects, sources and a checksum of the content; written last
=====================  ============================================================================

Entities are written ``/m/0abc12``, relations ``people.person.place_of_birth``, or, where a
statement takes two steps through a nameless node (FB15k-237), ``a.b.c..d.e.f``.
"""

import hashlib
import json
import tempfile
from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, NamedTuple, Self

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from evaluator.errors import InputError
from evaluator.model import Rejects
from evaluator.relation import relation_form
from evaluator.text import normalise, search_form
from indexes.entities import EntityDictionary, is_distinctive
from indexes.ntriples import Triple, read_ntriples

TRIPLES = pa.schema([("e1", pa.string()), ("relation", pa.string()), ("e2", pa.string())])
ENTITIES = pa.schema(
    [
        ("entity", pa.string()),
        ("label", pa.string()),
        ("degree", pa.int64()),
        ("query_names", pa.list_(pa.string())),
    ]
)
NAMES = pa.schema([("entity", pa.string()), ("name", pa.string()), ("kind", pa.string())])
RELATIONS = pa.schema(
    [("id", pa.string()), ("label", pa.string()), ("words", pa.list_(pa.string()))]
)

MANIFEST = "manifest.json"
_PARTS = ("triples", "entities.parquet", "names.parquet", "relations.parquet")
_FORMAT = "distval knowledge base 1"
_LABEL_PREDICATES = ("type.object.name", "http://www.w3.org/2000/01/rdf-schema#label")
_ALIAS_PREDICATE = "common.topic.alias"
# Ranks of a name: a label in the language, a label in a variant of it ("en-gb"), an alias.
_LABEL, _VARIANT, _ALIAS = range(3)
_ROWS = 1 << 17  # rows of a Parquet row group: what a reader holds at a time


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a knowledge base holds and what it was built from.

    Attributes
    ----------
    entities, relations, triples, names
        Numbers of distinct ones.
    language
        Language of the names.
    sources
        Per file: ``name``, ``bytes`` and ``sha256``.
    rejects
        Lines skipped, by reason.
    checksum
        SHA-256 of the content: equal for equal knowledge bases, from whatever files in whatever
        order they were built.
    """

    entities: int
    relations: int
    triples: int
    names: int
    language: str
    sources: tuple[Mapping[str, object], ...]
    rejects: Mapping[str, int]
    checksum: str
    format: str = _FORMAT

    def as_json(self) -> dict[str, Any]:
        """Return the manifest as ``manifest.json`` holds it."""
        return asdict(self)


class Relation(NamedTuple):
    """A relation of the knowledge base.

    Attributes
    ----------
    id
        ``people.person.place_of_birth``.
    label
        Its own name in the dump, else the last part of its id, for people.
    words
        Content lemmas of the label, which a fact's relation is compared with.
    """

    id: str
    label: str
    words: tuple[str, ...]


def build_knowledge_base(
    sources: Sequence[Path], out: Path, *, language: str = "en", rejects: Rejects
) -> Manifest:
    """Build a knowledge base from Freebase dumps and write it to the folder `out`.

    The result depends on the statements in the files only, not on their order. It is kept in
    memory while it is built: 70 bytes for each triple at the peak (measured), and the names.

    Parameters
    ----------
    sources
        N-Triples files as :func:`indexes.ntriples.read_ntriples` reads them.
    out
        Folder to write, whole or not at all. A knowledge base that is there already is replaced;
        anything else is left alone.
    language
        Language tag of the names to keep. A label in a variant ("en-gb") becomes an alias, unless
        there is no other label.
    rejects
        Receives the lines that were skipped.

    Raises
    ------
    InputError
        A file that cannot be read, files without a statement between two entities, or an `out`
        that holds something else.
    """
    if out.exists() and not (out / MANIFEST).is_file():
        raise InputError(out, "exists and is no knowledge base; name another folder")
    skipped = Rejects()
    statements = _Statements(language=language.lower())
    for source in sources:
        for triple in read_ntriples(source, rejects=skipped):
            statements.add(triple)
    rejects.merge([skipped])
    if not statements.triples:
        raise InputError(
            ", ".join(map(str, sources)),
            "no statement between two entities (m. or g. identifiers); give a Freebase dump",
        )
    content = _content(statements)
    manifest = Manifest(
        entities=content.entities.num_rows,
        relations=content.relations.num_rows,
        triples=len(content.triples),
        names=content.names.num_rows,
        language=language,
        sources=tuple(_describe(source) for source in sources),
        rejects=dict(sorted(skipped.counts.items())),
        checksum=content.checksum(),
    )
    _write(out, content, manifest)
    return manifest


class KnowledgeBase:
    """A knowledge base on disk, read as far as it is asked.

    Only the folder's path is pickled: a worker reads for itself what it needs.

    Attributes
    ----------
    path
        The folder; `triples_path`, `entities_path`, `names_path` and `relations_path` are the
        Parquet data in it.
    manifest
        What it holds.
    """

    def __init__(self, path: Path, manifest: Manifest) -> None:
        self.path = path
        self.manifest = manifest
        self.triples_path = path / "triples"
        self.entities_path = path / "entities.parquet"
        self.names_path = path / "names.parquet"
        self.relations_path = path / "relations.parquet"

    @classmethod
    def open(cls, path: Path) -> Self:
        """Open the knowledge base in the folder `path`.

        Raises
        ------
        InputError
            No such folder, one that is not a knowledge base, an incomplete one, or one that
            another version wrote.
        """
        if not path.is_dir():
            raise InputError(path, "no such folder; build it with: distval kb build")
        try:
            stated = json.loads((path / MANIFEST).read_bytes())
            if stated["format"] != _FORMAT:
                raise InputError(path, f"format {stated['format']!r}, not {_FORMAT!r}; rebuild it")
            knowledge_base = cls(path, Manifest(**stated | {"sources": tuple(stated["sources"])}))
        except (OSError, ValueError, TypeError, KeyError):
            raise InputError(
                path, f"not a knowledge base (no readable {MANIFEST}); distval kb build makes one"
            ) from None
        for name in _PARTS:
            if not (path / name).exists():
                raise InputError(path, f"incomplete: {name} is missing; rebuild it")
            rows = getattr(knowledge_base.manifest, name.removesuffix(".parquet"))
            if _rows(path / name) != rows:
                raise InputError(path, f"damaged: {name} lacks its {rows:,} rows; rebuild it")
        return knowledge_base

    def __reduce__(self) -> tuple[Any, ...]:
        return KnowledgeBase.open, (self.path,)

    def relations_between(
        self, e1: str, e2: str, *, direction: Literal["forward", "both"] = "forward"
    ) -> tuple[str, ...]:
        """Return the ids of the relations r' for which D holds ⟨e1, r', e2⟩, sorted.

        With ``direction="both"`` also those for which it holds ⟨e2, r', e1⟩. Freebase's dump
        states most relations in both directions, each under a name of its own, so the order of
        the arguments can be kept; FB15k-237 has lost one of each two.
        """
        found = self._triples.between(e1, e2)
        if direction == "both":
            found = tuple(sorted({*found, *self._triples.between(e2, e1)}))
        return found

    def relation(self, id: str) -> Relation:  # noqa: A002
        """Return a relation; KeyError if the knowledge base has none of this id."""
        return self._relations[id]

    def relations(self) -> tuple[Relation, ...]:
        """Return all relations, by id."""
        return tuple(self._relations.values())

    def label(self, entity: str) -> str:
        """Return the label of an entity, or its id where it has none."""
        row = self._rows.get(entity)
        return (self._labels[row] if row is not None else None) or entity

    def entity(self, name_or_id: str) -> str | None:
        """Return the entity of an id (``/m/0abc12``, ``m.0abc12``) or of a name; None if unknown.

        Names are resolved by the prior of :class:`indexes.entities.EntityDictionary`.
        """
        entity = entity_id(name_or_id.removeprefix("/").replace("/", "."))
        if entity in self._rows:
            return entity
        return self._every_name.resolve(name_or_id)

    def query_names(self, entity: str) -> tuple[tuple[str, ...], ...]:
        """Return the names of an entity for queries, as token sequences, its label first.

        Empty for an entity without a name.
        """
        row = self._rows.get(entity)
        names = self._entities["query_names"][row].as_py() if row is not None else ()
        return tuple(tuple(name.split()) for name in names)

    def dictionary(self, *, proper_only: bool = True) -> EntityDictionary:
        """Return the entity dictionary over all names."""
        names = pq.read_table(self.names_path)
        degree = dict(zip(self._rows, self._entities["degree"].to_pylist(), strict=True))
        columns = (names[column].to_pylist() for column in NAMES.names)
        return EntityDictionary.build(zip(*columns, strict=True), degree, proper_only=proper_only)

    @cached_property
    def _entities(self) -> pa.Table:
        return pq.read_table(self.entities_path)

    @cached_property
    def _rows(self) -> dict[str, int]:
        return {entity: row for row, entity in enumerate(self._entities["entity"].to_pylist())}

    @cached_property
    def _labels(self) -> list[str | None]:
        labels: list[str | None] = self._entities["label"].to_pylist()
        return labels

    @cached_property
    def _relations(self) -> dict[str, Relation]:
        rows = pq.read_table(self.relations_path).to_pylist()
        return {row["id"]: Relation(row["id"], row["label"], tuple(row["words"])) for row in rows}

    @cached_property
    def _every_name(self) -> EntityDictionary:
        return self.dictionary(proper_only=False)

    @cached_property
    def _triples(self) -> "_Triples":
        return _Triples.read(self.triples_path, self._rows, tuple(self._relations))


@dataclass(frozen=True, slots=True)
class _Triples:
    """All triples as two sorted arrays: 12 bytes for each."""

    rows: Mapping[str, int]
    relations: Sequence[str]
    pairs: NDArray[np.int64]  # e1 · number of entities + e2, ascending
    codes: NDArray[np.int32]  # the relation of each triple, ascending within a pair

    @classmethod
    def read(cls, path: Path, rows: Mapping[str, int], relations: Sequence[str]) -> Self:
        table = pq.read_table(path)
        e1, e2 = (_codes(table[side], rows).astype(np.int64) for side in ("e1", "e2"))
        return cls(rows, relations, e1 * len(rows) + e2, _codes(table["relation"], relations))

    def between(self, e1: str, e2: str) -> tuple[str, ...]:
        row1, row2 = self.rows.get(e1), self.rows.get(e2)
        if row1 is None or row2 is None:
            return ()
        pair = row1 * len(self.rows) + row2
        first, last = np.searchsorted(self.pairs, (pair, pair + 1))
        return tuple(self.relations[code] for code in self.codes[first:last])


def _rows(path: Path) -> int | None:
    """Return the number of rows of a Parquet file or folder of files; None if one is damaged."""
    try:
        files = sorted(path.glob("*.parquet")) if path.is_dir() else [path]
        return sum(int(pq.read_metadata(file).num_rows) for file in files)
    except (OSError, pa.ArrowInvalid):
        return None


def entity_id(term: str) -> str | None:
    """Return ``/m/0abc12`` for the term ``m.0abc12`` (or ``g.``) of a dump; None for others."""
    return f"/{term[0]}/{term[2:]}" if term.startswith(("m.", "g.")) else None


def relation_label(relation: str, names: Mapping[str, str | None]) -> str:
    """Return what people call a relation: its name in `names`, else the last part of its id.

    Of ``a.b.c..d.e.f`` both steps are named, once where they are called the same.
    """
    steps = relation.split("..")
    labels = (names.get(step) or _spoken(step) for step in steps)
    return ", ".join(dict.fromkeys(labels))


def _spoken(step: str) -> str:
    """Return "release date" for ``film.film.release_date_s``: a final s marks several values."""
    return step.rpartition(".")[2].replace("_", " ").removesuffix(" s")


@dataclass(slots=True)
class _Statements:
    """What the dumps say, as read: numbers for terms, in the order in which they came."""

    language: str
    entities: dict[str, int] = field(default_factory=dict)
    relations: dict[str, int] = field(default_factory=dict)
    triples: array[int] = field(default_factory=lambda: array("i"))  # e1, e2, relation in turn
    names: dict[str, set[tuple[int, str]]] = field(default_factory=lambda: defaultdict(set))

    def add(self, triple: Triple) -> None:
        if triple.literal:
            rank = self._rank(triple.predicate, triple.language)
            name = normalise(" ".join(triple.object.split())) if rank is not None else ""
            if rank is not None and name:
                self.names[triple.subject].add((rank, name))
        elif triple.subject.startswith(("m.", "g.")) and triple.object.startswith(("m.", "g.")):
            entities = self.entities
            self.triples.extend(
                (
                    entities.setdefault(triple.subject, len(entities)),
                    entities.setdefault(triple.object, len(entities)),
                    self.relations.setdefault(triple.predicate, len(self.relations)),
                )
            )

    def _rank(self, predicate: str, language: str) -> int | None:
        if language != self.language and not language.startswith(f"{self.language}-"):
            return None
        if predicate in _LABEL_PREDICATES:
            return _LABEL if language == self.language else _VARIANT
        return _ALIAS if predicate == _ALIAS_PREDICATE else None


@dataclass(frozen=True, slots=True)
class _Content:
    """What is written, in an order that the order of the dumps does not change."""

    entities: pa.Table
    names: pa.Table
    relations: pa.Table
    triples: NDArray[np.int32]  # (n, 3): rows of e1 and e2 in entities, row in relations; sorted

    def checksum(self) -> str:
        digest = hashlib.sha256()
        for table in (self.entities, self.names, self.relations):
            for row in table.to_pylist():
                digest.update(json.dumps(row, sort_keys=True).encode() + b"\n")
        digest.update(self.triples.astype("<i4").tobytes())
        return digest.hexdigest()


def _content(statements: _Statements) -> _Content:
    named = (term for term in statements.names if entity_id(term))
    terms = sorted({*statements.entities, *named})
    entities = [str(entity_id(term)) for term in terms]
    labels = [_label(statements.names.get(term, ())) for term in terms]
    names = [
        (entity, name, "label" if name == label else "alias")
        for term, entity, label in zip(terms, entities, labels, strict=True)
        for name in sorted({name for _, name in statements.names.get(term, ())})
    ]
    relations = sorted(statements.relations)
    own_names = {
        term: _label(names) for term, names in statements.names.items() if not entity_id(term)
    }
    relation_labels = [relation_label(relation, own_names) for relation in relations]
    triples = _distinct(statements, terms, relations)
    degrees = _degrees(triples, len(entities))
    queries = _query_names(names, dict(zip(entities, degrees, strict=True)))
    return _Content(
        entities=pa.table(
            [entities, labels, degrees, [queries.get(entity, []) for entity in entities]],
            schema=ENTITIES,
        ),
        names=pa.Table.from_pylist(
            [dict(zip(NAMES.names, row, strict=True)) for row in names], schema=NAMES
        ),
        relations=pa.table(
            [
                relations,
                relation_labels,
                [relation_form(label).lemmas for label in relation_labels],
            ],
            schema=RELATIONS,
        ),
        triples=triples,
    )


def _label(names: Iterable[tuple[int, str]]) -> str | None:
    labels = sorted((rank, name) for rank, name in names if rank < _ALIAS)
    return labels[0][1] if labels else None


def _distinct(
    statements: _Statements, terms: Sequence[str], relations: Sequence[str]
) -> NDArray[np.int32]:
    """Return the distinct triples as rows of e1, e2, relation, sorted."""
    row = {term: place for place, term in enumerate(terms)}
    code = {relation: place for place, relation in enumerate(relations)}
    entity_rows = np.array([row[term] for term in statements.entities], np.int32)
    relation_codes = np.array([code[relation] for relation in statements.relations], np.int32)
    read = np.frombuffer(statements.triples, np.intc).reshape(-1, 3)
    columns = entity_rows[read[:, 0]], entity_rows[read[:, 1]], relation_codes[read[:, 2]]
    triples = np.column_stack(columns)[np.lexsort(columns[::-1])]
    new = np.ones(len(triples), np.bool_)
    new[1:] = (triples[1:] != triples[:-1]).any(axis=1)
    return triples[new]


def _degrees(triples: NDArray[np.int32], entities: int) -> list[int]:
    """Return for each entity the number of triples that it is in, on one side or both."""
    e1, e2 = triples[:, 0], triples[:, 1]
    sides = np.concatenate((e1, e2[e1 != e2]))
    degrees: list[int] = np.bincount(sides, minlength=entities).tolist()
    return degrees


def _query_names(
    names: Sequence[tuple[str, str, str]], degree: Mapping[str, int]
) -> dict[str, list[str]]:
    """Return for each entity the search forms that stand for it in a query, its label's first.

    An index knows no capitals, so an alias serves only where it belongs to this entity whatever
    the case, and is no common word there ("Apple", "the Rock") and no abbreviation of two letters
    ("LA", "US"). The label always serves.
    """
    dictionary = EntityDictionary.build(names, degree)
    queries: dict[str, list[str]] = defaultdict(list)
    for entity, name, kind in sorted(names, key=lambda row: (row[0], row[2] != "label", row[1])):
        form = search_form(name)
        wanted = kind == "label" or (dictionary.resolve(form) == entity and is_distinctive(form))
        if form and wanted and form not in queries[entity]:
            queries[entity].append(form)
    return queries


def _describe(source: Path) -> dict[str, object]:
    with source.open("rb") as stream:
        sha256 = hashlib.file_digest(stream, "sha256").hexdigest()
    return {"name": source.name, "bytes": source.stat().st_size, "sha256": sha256}


def _write(out: Path, content: _Content, manifest: Manifest) -> None:
    """Write the folder beside its place and move it there when it is whole."""
    out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{out.name}-", dir=out.parent) as scratch:
        folder = Path(scratch, "new")
        (folder / "triples").mkdir(parents=True)
        for name in ("entities", "names", "relations"):
            pq.write_table(getattr(content, name), folder / f"{name}.parquet", row_group_size=_ROWS)
        with pq.ParquetWriter(folder / "triples" / "part-00000.parquet", TRIPLES) as writer:
            for batch in _batches(content):
                writer.write_table(batch)
        (folder / MANIFEST).write_text(json.dumps(manifest.as_json(), indent=2) + "\n")
        if out.exists():
            out.rename(Path(scratch, "old"))
        folder.rename(out)


def _batches(content: _Content) -> Iterator[pa.Table]:
    entities, relations = content.entities["entity"], content.relations["id"]
    for start in range(0, len(content.triples), _ROWS):
        e1, e2, relation = content.triples[start : start + _ROWS].T
        columns = entities.take(e1), relations.take(relation), entities.take(e2)
        yield pa.table(columns, schema=TRIPLES)


def _codes(values: pa.ChunkedArray, known: Iterable[str]) -> NDArray[np.int32]:
    codes: NDArray[np.int32] = pc.index_in(values, value_set=pa.array(list(known))).to_numpy()
    return codes

"""The knowledge base D: relations between entities, and the names of both.

Built from dumps (:mod:`indexes.kb.build`) and kept as Parquet, so that engines join over
the same files that :class:`KnowledgeBase` looks things up in, in milliseconds and without reading
them whole. A knowledge base is a folder:

=====================  ============================================================================
``triples/``           e1, relation, e2: distinct, between entities only; one folder for each value
                       of :func:`pair_bucket`, sorted inside
``entities/``          entity, label, degree, sitelinks, query_names; sorted by entity
``names/``             entity, name, kind (``label`` or ``alias``); sorted by entity
``types/``             entity, type; sorted by entity
``ids/``               id, entity: other identifiers of entities; sorted by id
``relations.parquet``  id, label, aliases, words, inverse, triples
``dictionary/``        the entity dictionary (:mod:`indexes.kb.entities`)
``manifest.json``      counts, accounts of the sources and a checksum of the content; written last
=====================  ============================================================================

Entities are written as :mod:`indexes.identifiers` says. Relations are ``people.person.parents``,
``P22``, an IRI, or, where two statements meet in a nameless mediator, both of their names:
``people.person.spouse_s..people.marriage.spouse``.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property, partial
from pathlib import Path
from typing import Any, Literal, NamedTuple, Self

import pyarrow as pa
import pyarrow.parquet as pq

from evaluator.errors import InputError
from evaluator.inputs import read_json
from evaluator.relations.matching import INVERSE
from indexes.identifiers import canonical_id
from indexes.kb.entities import EntityDictionary
from indexes.sorted_table import SortedTable
from indexes.sums import check_sums_once, sealed, unsealed

TRIPLES = pa.schema([("e1", pa.string()), ("relation", pa.string()), ("e2", pa.string())])
ENTITIES = pa.schema(
    [
        ("entity", pa.string()),
        ("label", pa.string()),
        ("degree", pa.int64()),
        ("sitelinks", pa.int64()),
        ("query_names", pa.list_(pa.string())),
    ]
)
NAMES = pa.schema([("entity", pa.string()), ("name", pa.string()), ("kind", pa.string())])
TYPES = pa.schema([("entity", pa.string()), ("type", pa.string())])
IDS = pa.schema([("id", pa.string()), ("entity", pa.string())])
RELATIONS = pa.schema(
    [
        ("id", pa.string()),
        ("label", pa.string()),
        ("aliases", pa.list_(pa.string())),
        ("words", pa.list_(pa.string())),
        ("inverse", pa.string()),
        ("triples", pa.int64()),
    ]
)
TABLES = {
    "triples": TRIPLES,
    "entities": ENTITIES,
    "names": NAMES,
    "types": TYPES,
    "ids": IDS,
}

MANIFEST = "manifest.json"
RELATIONS_FILE = "relations.parquet"
DICTIONARY = "dictionary"
FORMAT = "distval knowledge base 3"
BUCKET = "pairs"  # the partition column of triples/


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a knowledge base holds and what it was built from.

    Attributes
    ----------
    entities, relations, triples, names, types, ids
        Numbers of distinct ones; `ids` counts the identifiers beside the entities' own.
    buckets
        Hexadecimal digits of :func:`pair_bucket`.
    language
        Language of the names, or the chain of them (``de,en,mul``).
    mediators
        ``"collapse"`` or ``"keep"``.
    assembly
        What the assembly met (:class:`indexes.kb.assembly.AssemblyFigures`); for a subset also
        ``only_entities_in``, the name of the text.
    sources
        Per dump: ``name``, ``bytes``, ``sha256``, and its ``rejects`` and ``left_out`` by reason.
    rejects
        Records skipped in all dumps, by reason.
    incomplete
        Names of the dumps that were cut short or damaged.
    checksum
        Digest of the content: equal for equal knowledge bases, from whatever files in whatever
        order and by whatever engine they were built.
    sums
        Of every file (:mod:`indexes.sums`). Manifests that differ in them alone are of the same
        content, written otherwise.
    """

    entities: int
    relations: int
    triples: int
    names: int
    types: int
    ids: int
    buckets: int
    language: str
    mediators: str
    assembly: Mapping[str, Any]
    sources: tuple[Mapping[str, object], ...]
    rejects: Mapping[str, int]
    incomplete: tuple[str, ...]
    checksum: str
    sums: Mapping[str, str] = field(compare=False)
    format: str = FORMAT

    def as_json(self) -> dict[str, Any]:
        """Return the manifest as ``manifest.json`` holds it."""
        return sealed(asdict(self))


class Relation(NamedTuple):
    """A relation of the knowledge base.

    Attributes
    ----------
    id
        ``people.person.place_of_birth``.
    label
        Its own name in the dump, else the last part of its id, for people.
    aliases
        Its other names in the dump.
    words
        Content lemmas of the label, which a fact's relation is compared with; with their part of
        speech (``place.n``).
    inverse
        The relation that says the same from the object's side, where the dump states one.
    triples
        Number of triples that have it.
    """

    id: str
    label: str
    aliases: tuple[str, ...]
    words: tuple[str, ...]
    inverse: str | None
    triples: int


class KnowledgeBase:
    """A knowledge base on disk, read on demand.

    Only the folder's path is pickled: a worker reads for itself what it needs.

    Attributes
    ----------
    path
        The folder.
    manifest
        What it holds.
    """

    def __init__(self, path: Path, manifest: Manifest) -> None:
        self.path = path
        self.manifest = manifest

    @classmethod
    def open(cls, path: Path, *, known_sound: bool = False) -> Self:
        """Open the knowledge base in the folder `path`.

        Parameters
        ----------
        path
            The folder.
        known_sound
            Whether its files have been looked at already; else they are
            (:func:`indexes.sums.check_sums_once`).

        Raises
        ------
        InputError
            No such folder, one that is not a knowledge base, a damaged one, or one that another
            version wrote.
        """
        if not path.is_dir():
            problem = "is not a folder" if path.exists() else "no such folder"
            raise InputError(path, f"{problem}; build it with: distval kb build")
        try:
            stated = read_json(path / MANIFEST)
            if stated["format"] != FORMAT:
                has = f"has the format {stated['format']!r}, where this version reads {FORMAT!r}"
                raise InputError(path, f"{has}: build it anew (distval kb build)")
            stated = unsealed(stated, path / MANIFEST, remedy=_remedy(path))
            lists = {key: tuple(stated[key]) for key in ("sources", "incomplete")}
            manifest = Manifest(**stated | lists)
        except ValueError as error:
            # Whose folder it is, nothing tells: it is not to be deleted.
            problem = f"damaged ({error}): build it anew (distval kb build)"
            raise InputError(path / MANIFEST, problem) from None
        except (OSError, TypeError, KeyError):
            raise InputError(
                path, f"not a knowledge base (no readable {MANIFEST}); distval kb build makes one"
            ) from None
        if not known_sound:
            check_sums_once(path, manifest.sums, remedy=_remedy(path), but=MANIFEST)
        return cls(path, manifest)

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(KnowledgeBase.open, known_sound=True), (self.path,)

    @property
    def triples_path(self) -> Path:
        """The triples as Parquet, for joins; their partition column is :data:`BUCKET`."""
        return self.path / "triples"

    @property
    def entities_path(self) -> Path:
        """The entities as Parquet, for joins."""
        return self.path / "entities"

    @property
    def ids_path(self) -> Path:
        """The other identifiers of entities as Parquet, for joins."""
        return self.path / "ids"

    def relations_between(
        self, e1: str, e2: str, *, direction: Literal["forward", "both"] = "forward"
    ) -> tuple[str, ...]:
        """Return the ids of the relations r' for which D holds ⟨e1, r', e2⟩, sorted.

        With ``direction="both"`` those for which it holds ⟨e2, r', e1⟩ follow, marked with
        :data:`evaluator.relations.matching.INVERSE`. Freebase's dump states most relations in both
        directions, each under a name of its own, so the order of the arguments can be kept;
        FB15k-237 has lost one of each two, and Wikidata states few twice.
        """
        found = self._stated(e1, e2)
        if direction == "both":
            found += tuple(INVERSE + relation for relation in self._stated(e2, e1))
        return found

    def relation(self, id: str) -> Relation:  # noqa: A002
        """Return a relation; KeyError if the knowledge base has none of this id."""
        return self._relations[id]

    def relations(self) -> tuple[Relation, ...]:
        """Return all relations, by id."""
        return tuple(self._relations.values())

    def __contains__(self, entity: object) -> bool:
        """Whether the knowledge base knows an entity by this very identifier."""
        return isinstance(entity, str) and self._entity(entity) is not None

    def label(self, entity: str) -> str:
        """Return the label of an entity, or its id where it has none."""
        row = self._entity(entity)
        return (row["label"] if row else None) or entity

    def names(self, entity: str) -> tuple[str, ...]:
        """Return all names of an entity, its label first."""
        rows = self._table("names").rows(entity)
        return tuple(
            row["name"] for row in sorted(rows, key=lambda r: (r["kind"] != "label", r["name"]))
        )

    def types(self, entity: str) -> tuple[str, ...]:
        """Return the types of an entity, sorted."""
        return tuple(row["type"] for row in self._table("types").rows(entity))

    def popularity(self, entity: str) -> tuple[int, int]:
        """Return the numbers of sitelinks and of triples of an entity; 0 where it has none."""
        row = self._entity(entity)
        return (row["sitelinks"], row["degree"]) if row else (0, 0)

    def by_id(self, text: str) -> str | None:
        """Return the entity that an identifier in any written form means; None if unknown."""
        id_ = canonical_id(text)
        if id_ is None:
            return None
        if id_ in self:
            return id_
        return next((row["entity"] for row in self._table("ids").rows(id_)), None)

    def entity(self, name_or_id: str) -> str | None:
        """Return the entity of an identifier or of a name; None if unknown.

        Names are resolved by the prior of :class:`indexes.kb.entities.EntityDictionary`.
        """
        return self.by_id(name_or_id) or self.dictionary.resolve(name_or_id)

    def query_names(self, entity: str) -> tuple[str, ...]:
        """Return the names of an entity for queries, as written, its label first.

        Empty for an entity without a name.
        """
        row = self._entity(entity)
        return tuple((row["query_names"] if row else None) or ())

    def _stated(self, e1: str, e2: str) -> tuple[str, ...]:
        table = self._triples.get(pair_bucket(e1, e2, self.manifest.buckets))
        rows = table.rows(e1) if table else ()
        return tuple(row["relation"] for row in rows if row["e2"] == e2)

    @cached_property
    def dictionary(self) -> EntityDictionary:
        """The entity dictionary over all names."""
        return EntityDictionary.open(self.path / DICTIONARY)

    @cached_property
    def _relations(self) -> dict[str, Relation]:
        try:
            rows = pq.read_table(self.path / RELATIONS_FILE).to_pylist()
        except (OSError, pa.ArrowException) as error:
            reason = str(error).splitlines()[0]
            raise InputError(
                self.path, f"{RELATIONS_FILE} is damaged ({reason}); rebuild it"
            ) from None
        return {
            row["id"]: Relation(
                **{**row, "aliases": tuple(row["aliases"]), "words": tuple(row["words"])}
            )
            for row in rows
        }

    @cached_property
    def _triples(self) -> dict[str, SortedTable]:
        folders = (folder for folder in self.triples_path.iterdir() if folder.is_dir())
        return {
            folder.name.removeprefix(f"{BUCKET}="): SortedTable([*folder.glob("*.parquet")], "e1")
            for folder in folders
        }

    @cached_property
    def _tables(self) -> dict[str, SortedTable]:
        return {}

    def _table(self, name: str) -> SortedTable:
        if name not in self._tables:
            files = list((self.path / name).glob("*.parquet"))
            self._tables[name] = SortedTable(files, TABLES[name].names[0])
        return self._tables[name]

    def _entity(self, entity: str) -> dict[str, Any] | None:
        return next(iter(self._table("entities").rows(entity)), None)


def pair_bucket(e1: str, e2: str, digits: int) -> str:
    """Return the bucket of a pair: ``p`` and the first digits of an MD5, the same in any engine."""
    return "p" + hashlib.md5(f"{e1}\t{e2}".encode(), usedforsecurity=False).hexdigest()[:digits]


def _remedy(path: Path) -> str:
    return f"delete {path} and build it anew (distval kb build)"

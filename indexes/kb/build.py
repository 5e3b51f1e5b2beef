"""Building a knowledge base: dumps are split into statements, statements assembled into tables.

What was split stays beside the knowledge base until that is whole, so that an interrupted build
goes on where it stopped.
"""

import hashlib
import json
import shutil
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from evaluator.errors import InputError
from evaluator.inputs import read_json
from evaluator.relations.normal_form import relation_name_words
from indexes.dumps.parts import ACCOUNT, DumpAccount, files, is_complete, is_parts, split_dump
from indexes.dumps.statements import languages
from indexes.engine import DuckEngine, Engine, check_plain
from indexes.kb.assembly import AssemblyFigures, Mediators, assemble, label_ranks
from indexes.kb.entities import write_dictionary
from indexes.kb.knowledge_base import (
    BUCKET,
    DICTIONARY,
    MANIFEST,
    RELATIONS,
    RELATIONS_FILE,
    TABLES,
    Manifest,
)
from indexes.kb.subset import restrict, words_of
from indexes.locks import put_in_place, work_folder
from indexes.memory import memory_bytes
from indexes.sums import CHECKED, sums_of

_ROWS_OF_BUCKET = 1 << 22


class Dump(NamedTuple):
    """A dump to build from: the file, or a folder of parts, and its format."""

    path: Path
    format: str = "auto"


@dataclass(frozen=True)
class Options:
    """What a knowledge base is built by.

    Attributes
    ----------
    language
        Language tag of the names to keep, or a chain of some, "de,en,mul": the first in which an
        entity or a relation has a label gives it. Labels in the others, and in a variant ("en-gb"),
        become aliases.
    mediators
        ``"collapse"`` nameless nodes between two entities to facts, or ``"keep"`` them as nodes.
    memory
        Bound of the engine's memory.
    allow_unread
        Build although many lines of a dump cannot be read.
    only_entities_in
        A text: a file of sentences, or a collection. Only what it can meet is kept
        (:mod:`indexes.kb.subset`).
    """

    language: str = "en"
    mediators: Mediators = "collapse"
    memory: str = "2GB"
    allow_unread: bool = False
    only_entities_in: Path | None = None

    def __post_init__(self) -> None:
        memory_bytes(self.memory)
        object.__setattr__(self, "language", ",".join(languages(self.language)))


type OpenEngine = Callable[[Path], AbstractContextManager[Engine]]
type Split = Callable[[Sequence[Dump], Path, str], list[Path]]


def build_knowledge_base(
    sources: Sequence[Dump | Path],
    out: Path,
    *,
    options: Options | None = None,
    split: Split | None = None,
    engine: OpenEngine | None = None,
) -> Manifest:
    """Build a knowledge base from dumps and write it to the folder `out`.

    The result depends on the statements in the files only: not on their order, the engine or the
    number of processes.

    Parameters
    ----------
    sources
        Dumps, redirects and identities, as :func:`indexes.dumps.read_dump` reads them, or folders
        of parts (:mod:`indexes.dumps.parts`).
    out
        Folder to write, whole or not at all. A knowledge base that is there already is replaced;
        anything else is left alone.
    options
        See :class:`Options`.
    split, engine
        How dumps are split and with what their statements are assembled; one process and DuckDB by
        default.

    Raises
    ------
    InputError
        A file that cannot be read, files without a statement between two entities, an `out` that
        holds something else, or one that another process is building.
    """
    options = options or Options()
    named = [s if isinstance(s, Dump) else Dump(s) for s in sources]
    if out.exists() and not _is_ours(out):
        raise InputError(out, "exists and is no knowledge base; name another folder")
    check_plain(out)
    for source in named:
        if not source.path.exists():
            raise InputError(source.path, "no such file")
    words = words_of(options.only_entities_in) if options.only_entities_in else None
    if engine is None:

        def engine(scratch: Path) -> AbstractContextManager[Engine]:
            setting = "kb.memory (distval kb build: --memory)"
            return DuckEngine(scratch, memory=options.memory, setting=setting)

    out.parent.mkdir(parents=True, exist_ok=True)
    with _work_folder(out) as work:
        folders = (split or split_all)(named, work / "parts", options.language)
        accounts = [DumpAccount.open(folder) for folder in folders]
        for path, account in zip(folders, accounts, strict=True):
            if account.language != options.language:
                raise InputError(
                    path, f"parts hold names in {account.language!r}; split the dump again"
                )
            if account.unread and not options.allow_unread:
                raise InputError(
                    account.source["name"], f"{account.unread}, or allow it (--allow-truncated)"
                )
        manifest = None
        scratch = work / "scratch"
        shutil.rmtree(scratch, ignore_errors=True)
        scratch.mkdir()
        if parts := files(folders):
            with engine(scratch) as opened:
                if words is None:
                    opened.read("statements", parts)
                else:
                    opened.read("dump", parts)
                    restrict(opened, words)
                figures = assemble(
                    opened,
                    language=options.language,
                    mediators=options.mediators,
                    subset=words is not None,
                )
                if opened.rows("SELECT 1 FROM facts LIMIT 1"):
                    manifest = _write(opened, work / "new", accounts, figures, options)
        if manifest is None:
            shutil.rmtree(work / "parts", ignore_errors=True)  # not worth going on from
            raise InputError(
                ", ".join(str(source.path) for source in named),
                "no statement between two entities"
                + (" that the text names" if words else "; give a dump of a knowledge base"),
            )
        put_in_place(work / "new", out, old=work / "old")
    return manifest


def split_all(sources: Sequence[Dump], parts: Path, language: str) -> list[Path]:
    """Split dumps one after the other; those that were split before, and parts, are taken."""
    folders = [place_of_parts(source, parts, language) for source in sources]
    # The small files first: what is wrong with them should not show after hours.
    for source, folder in sorted(zip(sources, folders, strict=True), key=_size):
        if folder != source.path and not is_complete(folder):
            shutil.rmtree(folder, ignore_errors=True)
            split_dump(source.path, folder, format=source.format, language=language)
    return folders


def place_of_parts(source: Dump, parts: Path, language: str) -> Path:
    """Return the folder of a dump's parts: the dump itself where it is one, else one in `parts`."""
    return source.path if is_parts(source.path) else parts / parts_name(source, language)


def _size(split: tuple[Dump, Path]) -> int:
    return split[0].path.stat().st_size


def parts_name(source: Dump, language: str) -> str:
    """Return the name of the folder for the parts of a dump as it is now."""
    state = source.path.stat()
    identity = [str(source.path.resolve()), state.st_size, state.st_mtime_ns, *source[1:], language]
    return hashlib.sha256(json.dumps(identity).encode()).hexdigest()[:16]


@contextmanager
def _work_folder(out: Path) -> Iterator[Path]:
    """Give the folder in which `out` is built; what was split survives a failure."""
    with work_folder(out) as work:
        shutil.rmtree(work / "new", ignore_errors=True)
        try:
            yield work
        except InputError:
            if not any((work / "parts").glob(f"*/{ACCOUNT}")):
                shutil.rmtree(work, ignore_errors=True)
            raise
        shutil.rmtree(work, ignore_errors=True)


def _is_ours(folder: Path) -> bool:
    """Whether a folder is a knowledge base and nothing else, of whatever version."""
    try:
        stated = read_json(folder / MANIFEST)
        ours = str(stated["format"]).startswith("distval knowledge base")
    except (OSError, ValueError, TypeError, KeyError):
        return False
    names = {path.name.removesuffix(".parquet") for path in folder.iterdir()}
    return ours and names <= {*TABLES, "relations", DICTIONARY, MANIFEST, CHECKED}


def _write(
    engine: Engine,
    folder: Path,
    accounts: Sequence[DumpAccount],
    figures: AssemblyFigures,
    options: Options,
) -> Manifest:
    """Write all tables and the manifest; return it."""
    folder.mkdir()
    relations = _relations(engine, options.language)
    pq.write_table(pa.Table.from_pylist(relations, RELATIONS), folder / RELATIONS_FILE)
    [(triples,)] = engine.rows("SELECT count(*) FROM facts")
    digits = bucket_digits(triples)
    queries = {
        "triples": "SELECT e1, relation, e2, concat('p', substr(md5(concat(e1, '\t', e2)), 1, "
        f"{digits})) AS {BUCKET} FROM facts",
        "entities": "SELECT entity, label, degree, sitelinks, query_names FROM entities",
        "names": "SELECT entity, name, kind FROM names",
        "types": "SELECT t.entity, t.type FROM types t JOIN known k ON k.entity = t.entity",
        "ids": "SELECT id, entity FROM ids",
    }
    orders = {"names": "entity, kind DESC, name"}
    for name, query in queries.items():
        order = orders.get(name, ", ".join(n for n in TABLES[name].names[:3] if n != "degree"))
        engine.write(
            query,
            folder / name,
            schema=TABLES[name],
            order=order,
            split=BUCKET if name == "triples" else None,
        )
    write_dictionary(
        folder / DICTIONARY,
        names=engine.stream(
            "SELECT form, written, entity, kind, proper FROM candidates ORDER BY form, prior"
        ),
        entities=engine.stream(
            """SELECT entity AS id, CASE WHEN sitelinks > 0 THEN sitelinks ELSE degree END
                AS popularity
            FROM known ORDER BY entity_row"""
        ),
        neighbours=engine.stream(
            """SELECT DISTINCT a.entity_row AS entity, b.entity_row AS neighbour FROM (
                SELECT e1, e2 FROM facts UNION ALL SELECT e2 AS e1, e1 AS e2 FROM facts
            ) f JOIN known a ON a.entity = f.e1 JOIN known b ON b.entity = f.e2
            WHERE a.entity_row <> b.entity_row ORDER BY entity, neighbour"""
        ),
    )
    counts, checksum = _digest(engine, queries, relations)
    rejects: Counter[str] = Counter()
    for account in accounts:
        rejects.update(account.rejects)
    text = options.only_entities_in
    subset = {} if text is None else {"only_entities_in": text.name}
    manifest = Manifest(
        entities=counts["entities"],
        relations=len(relations),
        triples=counts["triples"],
        names=counts["names"],
        types=counts["types"],
        ids=counts["ids"],
        buckets=digits,
        language=options.language,
        mediators=options.mediators,
        assembly=figures._asdict() | subset,
        sources=tuple({**a.source, "rejects": a.rejects, "left_out": a.left_out} for a in accounts),
        rejects=dict(sorted(rejects.items())),
        incomplete=tuple(str(a.source["name"]) for a in accounts if a.incomplete),
        checksum=checksum,
        sums=sums_of(folder),
    )
    (folder / MANIFEST).write_text(json.dumps(manifest.as_json(), indent=2) + "\n")
    return manifest


def bucket_digits(triples: int) -> int:
    """Return how many hexadecimal digits cut `triples` into buckets of a few million."""
    digits = 0
    while triples > _ROWS_OF_BUCKET * 16**digits:
        digits += 1
    return digits


def _digest(
    engine: Engine, queries: Mapping[str, str], relations: Sequence[Mapping[str, object]]
) -> tuple[dict[str, int], str]:
    """Return the rows of each table and a digest of all content, whatever its order on disk."""
    digest = hashlib.sha256(json.dumps(relations, sort_keys=True).encode())
    rows = {}
    for name, query in queries.items():
        columns = [c for c in TABLES[name].names if c != "query_names"]
        text = "concat(" + ", '\t', ".join(
            f"coalesce(CAST({column} AS STRING), '')" for column in columns
        ) + ")"  # fmt: skip
        [(number, total)] = engine.rows(
            f"SELECT count(*), sum({engine.number(text)}) FROM ({query}) rows_of_table"
        )
        rows[name] = number
        digest.update(f"{name} {number} {total or 0}\n".encode())
    return rows, digest.hexdigest()


def _relations(engine: Engine, language: str) -> list[dict[str, object]]:
    """Return the rows of the relations, sorted by id."""
    triples = dict(engine.rows("SELECT relation, count(*) FROM facts GROUP BY relation"))
    steps = sorted({step for relation in triples for step in (*relation.split(".."), relation)})
    engine.table("steps", ((step,) for step in steps), pa.schema([("id", pa.string())]))
    names: dict[str, list[tuple[int, str]]] = {}
    for id_, rank, name in engine.rows(
        "SELECT n.subject, n.rank, n.name FROM naming n JOIN steps s ON s.id = n.subject"
    ):
        names.setdefault(id_, []).append((rank, name))
    own = {id_: sorted(found) for id_, found in names.items()}
    least = label_ranks(language)
    labels = {
        id_: next((name for rank, name in found if rank < least), None)
        for id_, found in own.items()
    }
    inverses: dict[str, str] = {}
    for relation, inverse in sorted(engine.rows("SELECT relation, inverse FROM inverses")):
        inverses.setdefault(relation, inverse)
        inverses.setdefault(inverse, relation)
    rows = []
    for relation, number in sorted(triples.items()):
        label = relation_label(relation, labels)
        rows.append(
            {
                "id": relation,
                "label": label,
                "aliases": sorted({name for _, name in own.get(relation, ())} - {label}),
                "words": list(relation_name_words(label)),
                "inverse": inverses.get(relation),
                "triples": number,
            }
        )
    return rows


def relation_label(relation: str, names: Mapping[str, str | None]) -> str:
    """Return what people call a relation: its name in `names`, else the last part of its id.

    Of ``a.b.c..d.e.f`` both steps are named, once where they are called the same.
    """
    labels = (names.get(step) or _spoken(step) for step in relation.split(".."))
    return ", ".join(dict.fromkeys(labels))


def _spoken(step: str) -> str:
    """Return what an identifier says.

    "release date" for ``film.film.release_date_s``, where a final s marks several values, and
    "birth place" for ``http://dbpedia.org/ontology/birthPlace``.
    """
    if "://" in step:
        last = step.rstrip("/#").replace("#", "/").rpartition("/")[2]
        words = "".join(f" {c.lower()}" if c.isupper() else c for c in last)
        return words.replace("_", " ").strip()
    return step.rpartition(".")[2].replace("_", " ").removesuffix(" s")

"""Building a text index: collections become shards, written in parallel.

A build works in a folder beside the index, ``.NAME.building``, and goes on from there when it was
stopped, however hard. The index appears whole when everything is done; what is added to one stands
beside the old shards, and counts once the manifest names it.
"""

import json
import re
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from evaluator.errors import ConfigurationError, InputError
from evaluator.inputs import read_json, read_text
from evaluator.model import Rejects
from indexes.collections import Document, no_documents
from indexes.jvm import running
from indexes.locks import LOCK, put_in_place, work_folder
from indexes.sums import sums_of
from indexes.text.manifest import (
    ANALYSIS,
    MANIFEST,
    PLACE_BITS,
    IndexManifest,
    ShardManifest,
    checksum_of,
    is_ours,
    read_manifest,
    read_rows,
    read_sound_manifest,
    shard_folders,
    shard_name,
    write_manifest,
)
from indexes.text.plan import (
    BuildPlan,
    CollectionFiles,
    Pace,
    default_shards,
    described,
    duplicates,
)
from indexes.text.shard_crew import BuildProgress, Finished, OpenCrew, local_crew
from indexes.text.shard_writer import ShardWriter, rows_of

MOST_SHARDS = 128
"""Most shards that the processes of one machine write, and most of these processes.

All are open until the build ends, each with a writer of Lucene that holds 16 MB and its files."""

_MOST_TASKS = 10_000  # shards that a cluster writes, a task each
_PLAN = "plan.json"
# Lucene's own files lay beside the manifest in an older layout.
_OF_AN_INDEX = re.compile(
    rf"{re.escape(MANIFEST)}|shard-\d{{5,}}|segments_\w+|_\w+\.\w+|write\.lock|\.{MANIFEST}.*"
)


def build_collection(
    paths: Path | Sequence[Path],
    out: Path,
    *,
    format: str = "auto",  # noqa: A002
    select: Sequence[str] = (),
    shards: int | None = None,
    workers: int | None = None,
    pace: Pace | None = None,
    progress: BuildProgress = lambda _doing, _documents: None,
    crew: OpenCrew | None = None,
) -> IndexManifest:
    """Build an index of collections in the folder `out`.

    The documents in the index, their order and their checksum depend on the collections only: not
    on shards, workers, crew, or on whether the build was stopped and started again.

    Parameters
    ----------
    paths
        Collections (:mod:`indexes.collections`). Of documents with the same id, the first is kept.
    out
        Folder to write, whole or not at all. An index that is there is replaced; anything else is
        left alone.
    format, select
        Format of the collections, and patterns that select their files.
    shards
        Number of shards; as many as workers by default, and one for a small collection.
    workers
        Number of processes; as many as cores by default. One works in this process.
    pace
        See :class:`Pace`.
    progress
        Told what is being done, and how many documents are in.
    crew
        Who writes the shards: processes of this machine by default.

    Raises
    ------
    InputError
        A collection without a document, or that cannot be read; an `out` that holds something else.
    SetupError
        Where another process builds there, a worker died, or Lucene cannot write.
    """
    out = out.resolve()  # Java would take a relative path from where the JVM was started
    _check_free(out)
    plan = _plan(paths, format, select, shards, workers, pace or Pace(), by_file=crew is not None)
    with _work_folder(out) as work:
        folder, _ = _resume(work, plan)
        finished, rejects, sources = _write(plan, folder, crew or local_crew, progress, [])
        manifest = _manifest(folder, finished, rejects, sources)
        if not manifest.documents:
            first = plan.sources[0]
            raise no_documents(
                first.path, format=first.format, select=first.select, rejects=rejects
            )
        _drop_empty(folder, manifest)
        write_manifest(folder, manifest)
        put_in_place(folder, out, old=work / "old")
    return manifest


def add_collection(
    paths: Path | Sequence[Path],
    index: Path,
    *,
    format: str = "auto",  # noqa: A002
    select: Sequence[str] = (),
    shards: int | None = None,
    workers: int | None = None,
    pace: Pace | None = None,
    progress: BuildProgress = lambda _doing, _documents: None,
    crew: OpenCrew | None = None,
) -> IndexManifest:
    """Add collections to the index in the folder `index`; see :func:`build_collection`.

    New shards stand beside the old ones, which stay as they are. A document whose id is in the
    index already is rejected. Whoever has the index open goes on reading what it was.
    """
    index = index.resolve()
    read_sound_manifest(index)
    plan = _plan(paths, format, select, shards, workers, pace or Pace(), by_file=crew is not None)
    with _work_folder(index) as work:
        before = read_manifest(index)
        standing = [index / shard.name for shard in before.shards]
        rows = [read_rows(shard) for shard in standing]
        plan = replace(
            plan,
            added_to=before.checksum,
            first_shard=max(int(shard.name[6:]) for shard in before.shards) + 1,
            first_file=max(int(table["ordinal"][-1]) >> PLACE_BITS for table in rows) + 1,
        )
        folder, resumed = _resume(work, plan)
        for stray in set(shard_folders(index)) - set(standing):  # an addition that was stopped
            if resumed and stray.name in plan.names and not (folder / stray.name).exists():
                stray.rename(folder / stray.name)
            else:
                shutil.rmtree(stray)
        finished, rejects, sources = _write(plan, folder, crew or local_crew, progress, standing)
        manifest = _manifest(folder, finished, rejects, sources, before)
        _drop_empty(folder, manifest)
        for shard in shard_folders(folder):
            shard.rename(index / shard.name)
        write_manifest(index, manifest)
    return manifest


def build_index(
    documents: Iterable[Document], out: Path, *, source: Mapping[str, Any], rejects: Rejects
) -> IndexManifest:
    """Build an index of one shard of `documents`, which need not be of a collection.

    Parameters
    ----------
    documents
        Read once; of documents with the same id, the first is kept.
    out
        See :func:`build_collection`.
    source
        What the manifest is to say of the documents.
    rejects
        The rejects of whoever reads `documents`; read into the manifest at the end.

    Raises
    ------
    InputError
        Where `out` is something other than an index, or there is no document.
    """
    out = out.resolve()
    _check_free(out)
    with _scratch_folder(out) as work, running() as java:
        shard = work / "index" / shard_name(0)
        with closing(ShardWriter(java, shard)) as writer:
            for ordinal, document in enumerate(documents):
                writer.add(ordinal, document)
            if not writer.documents:
                raise InputError(out, "no document to index")
            writer.commit(complete=True)
            finished = [writer.finish(duplicates([rows_of(shard)])[0])]
        lost = Rejects().merge([rejects, *(rejected for _, rejected in finished)])
        manifest = _manifest(work / "index", finished, lost, [source])
        write_manifest(work / "index", manifest)
        put_in_place(work / "index", out, old=work / "old")
    return manifest


def _plan(
    paths: Path | Sequence[Path],
    format: str,  # noqa: A002
    select: Sequence[str],
    shards: int | None,
    workers: int | None,
    pace: Pace,
    *,
    by_file: bool,
) -> BuildPlan:
    """Look at the collections, and say how they are to be worked on."""
    most = _MOST_TASKS if by_file else MOST_SHARDS
    for name, number in (("shards", shards), ("workers", workers)):
        if number is not None and number < 1:
            raise ConfigurationError(f"{name} {number}: expected at least 1")
        if number is not None and number > most:
            why = (
                "each is a task of Spark and a folder"
                if by_file
                else "each stays open till the end"
            )
            raise ConfigurationError(f"{name} {number}: expected at most {most:,}, since {why}")
    given = [paths] if isinstance(paths, Path) else list(paths)
    places = [path.resolve() for path in given]
    if len(set(places)) < len(places):
        raise ConfigurationError("a collection is named twice")
    sources = tuple(CollectionFiles.find(path, format=format, select=select) for path in places)
    if not sources:
        raise ConfigurationError("no collection: name at least one")
    usual = default_shards(sources, workers)
    shards = shards or min(usual, most)
    return BuildPlan(sources, shards, min(shards, workers or usual), pace, by_file)


def _write(
    plan: BuildPlan, folder: Path, crew: OpenCrew, progress: BuildProgress, standing: Sequence[Path]
) -> tuple[Finished, Rejects, list[dict[str, Any]]]:
    """Write the shards of a plan; `standing` are those whose documents come before."""
    with crew(plan, folder, progress) as opened:
        framed = opened.write()
        shards = [*standing, *(folder / name for name in plan.names)]
        twice = duplicates([rows_of(shard) for shard in shards])[len(standing) :]
        finished = opened.finish(twice)
    rejects = Rejects().merge([framed.rejects, *(lost for _, lost in finished)])
    return finished, rejects, described(plan, framed)


def _manifest(
    folder: Path,
    finished: Finished,
    rejects: Rejects,
    sources: Sequence[Mapping[str, Any]],
    before: IndexManifest | None = None,
) -> IndexManifest:
    """Return the manifest of the shards done in `folder`, and of those that stood before."""
    shards: list[ShardManifest] = [shard for shard, _ in finished if shard.documents]
    sums = {
        f"{shard.name}/{file}": told
        for shard in shards
        for file, told in sums_of(folder / shard.name).items()
    }
    rejected = Rejects().merge([rejects])
    if before is not None:
        shards, sums = [*before.shards, *shards], {**before.sums, **sums}
        rejected.merge([Rejects(dict(before.rejects))])
        sources = [*before.sources, *sources]
    with running() as java:
        lucene = java.autoclass("org.apache.lucene.util.Version").LATEST.toString()
    return IndexManifest(
        documents=sum(shard.documents for shard in shards),
        tokens=sum(shard.tokens for shard in shards),
        analysis=ANALYSIS,
        lucene=lucene,
        sources=tuple(dict(source) for source in sources),
        rejects=dict(sorted(rejected.counts.items())),
        checksum=checksum_of(sum(int(shard.checksum, 16) for shard in shards)),
        shards=tuple(shards),
        sums=sums,
    )


# --- Folders --------------------------------------------------------------------------------------


def _check_free(out: Path) -> None:
    """Refuse to replace what is no index of ours, of whatever version."""
    if not out.exists() or (out.is_dir() and not any(out.iterdir())):
        return
    try:
        ours = is_ours(read_json(out / MANIFEST))
    except ValueError:
        ours = True  # a damaged manifest of ours, where nothing else is beside it
    except OSError:
        ours = False
    if not ours:
        raise InputError(out, "exists and is not a text index: remove it, or name another folder")
    foreign = sorted(each.name for each in out.iterdir() if not _OF_AN_INDEX.fullmatch(each.name))
    if foreign:
        raise InputError(
            out, f"holds {foreign[0]}, which is not of an index: move it, or name another folder"
        )


@contextmanager
def _work_folder(out: Path) -> Iterator[Path]:
    """Give the folder in which `out` is built; what is done survives a failure."""
    with work_folder(out) as work:
        try:
            yield work
        except (InputError, ConfigurationError):
            shutil.rmtree(work, ignore_errors=True)  # the collection has to be mended first
            raise
        shutil.rmtree(work, ignore_errors=True)


@contextmanager
def _scratch_folder(out: Path) -> Iterator[Path]:
    """Give a folder beside `out` that goes when it is left."""
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        scratch = tempfile.TemporaryDirectory(prefix=f".{out.name}.", dir=out.parent)
    except OSError as error:
        raise InputError(out, f"cannot be written ({error.strerror})") from error
    with scratch as folder:
        yield Path(folder)


def _resume(work: Path, plan: BuildPlan) -> tuple[Path, bool]:
    """Return the folder for the shards, and whether a build by the same plan left it.

    What a build by another plan left is removed.
    """
    identity = json.dumps(plan.identity(), indent=1)
    stated = work / _PLAN
    same = stated.is_file() and read_text(stated) == identity
    if not same:
        for left_over in work.iterdir():
            if left_over.is_dir():
                shutil.rmtree(left_over)
            elif left_over.name != LOCK:
                left_over.unlink()
        stated.write_text(identity, encoding="utf-8")
    (work / "index").mkdir(exist_ok=True)
    return work / "index", same


def _drop_empty(folder: Path, manifest: IndexManifest) -> None:
    """Remove the shards that have no document."""
    named = {shard.name for shard in manifest.shards}
    for shard in shard_folders(folder):
        if shard.name not in named:
            shutil.rmtree(shard)

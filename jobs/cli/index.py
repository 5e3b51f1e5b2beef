"""``distval index``: the text index."""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any

import typer

from evaluator.errors import ConfigurationError
from evaluator.wordings import plural
from jobs.bounds import PROCESSES
from jobs.cli.checks import within
from jobs.cli.commands import Commands
from jobs.cli.count import count
from jobs.cli.files import MAKES, READS
from jobs.cli.output import Json, console, errors, number, print_json, show_manifest, table

index = Commands(help="The text index: hit counts over a large collection.", no_args_is_help=True)

Index = Annotated[Path, typer.Argument(metavar="INDEX", help="Folder of a text index."), READS]
Collections = Annotated[
    list[Path],
    typer.Argument(metavar="COLLECTION...", help="Files, folders or archives."),
    READS,
]
Format = Annotated[
    str, typer.Option(help="auto, or the name of a format; docs/text.md lists them.")
]
Select = Annotated[
    list[str] | None, typer.Option(help="Pattern of the paths to read inside a collection.")
]
Shards = Annotated[
    int | None,
    typer.Option(
        min=1, help="Number of shards, at most 128 (10,000 with --spark); by default one a core."
    ),
]
Workers = Annotated[
    int | None, within(PROCESSES, help="Number of processes; by default one a core.")
]
Spark = Annotated[
    str | None, typer.Option(help="Build with Spark at this master, such as local[*].")
]
index.command("count", example="distval index count facts.tsv --index runs/index/articles")(count)

_PATIENCE = 2.0  # seconds before progress is shown


@index.command("build", example="distval index build articles/ --out runs/index/articles")
def build(
    collections: Collections,
    out: Annotated[Path, typer.Option(help="Folder of the index, made anew."), MAKES],
    format: Format = "auto",  # noqa: A002
    select: Select = None,
    shards: Shards = None,
    workers: Workers = None,
    spark: Spark = None,
    as_json: Json = False,
) -> None:
    """Build a text index over collections.

    The index holds positions. A build that was stopped continues where it was.

    Exit code 1: built, but files were cut or damaged.
    """
    from indexes.text.build import build_collection
    from indexes.text.manifest import read_manifest

    _build(build_collection, collections, out, format, select, shards, workers, spark, as_json)
    _stop_if_damaged(read_manifest(out).rejects)


@index.command("add", example="distval index add more.jsonl --index runs/index/articles")
def add(
    collections: Collections,
    folder: Annotated[Path, typer.Option("--index", help="Folder of a text index."), MAKES],
    format: Format = "auto",  # noqa: A002
    select: Select = None,
    shards: Shards = None,
    workers: Workers = None,
    spark: Spark = None,
    as_json: Json = False,
) -> None:
    """Add collections to a text index.

    Documents whose id is there already are skipped.

    Exit code 1: added, but files were cut or damaged.
    """
    from indexes.text.build import add_collection
    from indexes.text.manifest import read_manifest

    before = read_manifest(folder)
    _build(add_collection, collections, folder, format, select, shards, workers, spark, as_json)
    after = read_manifest(folder)
    errors.print(
        f"added {plural(after.documents - before.documents, 'document')}; skipped records are "
        "those of all builds so far"
    )
    _stop_if_damaged(after.rejects, before.rejects)


def _build(
    build: Callable[..., Any],
    collections: list[Path],
    folder: Path,
    format: str,  # noqa: A002
    select: list[str] | None,
    shards: int | None,
    workers: int | None,
    spark: str | None,
    as_json: bool,
) -> None:
    if spark and workers:
        raise ConfigurationError("--workers is for a build without --spark")
    options: dict[str, Any] = {"format": format, "select": tuple(select or ()), "shards": shards}
    with _progress() as progress:
        options["progress"] = progress
        if spark:
            from jobs.spark.index import with_spark

            manifest = with_spark(build, collections, folder, master=spark, warn=_warn, **options)
        else:
            manifest = build(collections, folder, workers=workers, **options)
    _show(asdict(manifest), folder, as_json=as_json)


@index.command("info", example="distval index info runs/index/articles")
def info(folder: Index, as_json: Json = False) -> None:
    """Show what an index holds."""
    from indexes.text.manifest import read_manifest

    _show(asdict(read_manifest(folder)), folder, as_json=as_json)


@index.command("check", example="distval index check runs/index/articles --full")
def check(
    folder: Index,
    full: Annotated[
        bool, typer.Option("--full", help="Read every document, not only a sample.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Check that an index is sound. Exit code 1: it is damaged."""
    from indexes.text.check import check_index

    with errors.status("checking the index …"):
        faults = check_index(folder, full=full)
    if as_json:
        print_json({"index": str(folder), "sound": not faults, "faults": faults})
    else:
        for fault in faults or [f"{folder}: sound"]:
            console.print(fault, markup=False, highlight=False, soft_wrap=True)
    if faults:
        raise typer.Exit(1)


def _show(manifest: dict[str, Any], folder: Path, *, as_json: bool) -> None:
    show_manifest(manifest, as_json=as_json, title=f"Text index {folder}")
    if as_json:
        return
    for source in manifest["sources"]:
        told = " ".join(str(source[key]) for key in ("collection", "format") if key in source)
        selected = "".join(f" --select {pattern}" for pattern in source.get("select", ()))
        if told:
            console.print(f"from {told}{selected}", markup=False, highlight=False, soft_wrap=True)
    if len(manifest["shards"]) > 1:
        rows = [
            (shard["name"], number(shard["documents"]), number(shard["tokens"]))
            for shard in manifest["shards"]
        ]
        console.print(table("Shards", ["", "documents", "tokens"], rows))


def _stop_if_damaged(
    rejects: Mapping[str, int], before: Mapping[str, int] = MappingProxyType({})
) -> None:
    """Say that records were lost to damage, and exit with code 1, where they were."""
    from indexes.collections import DAMAGE

    lost = {reason: rejects.get(reason, 0) - before.get(reason, 0) for reason in sorted(DAMAGE)}
    if told := ", ".join(f"{number:,} {reason}" for reason, number in lost.items() if number > 0):
        _warn(f"records were lost to damage ({told}); all others are in. Fetch the files again.")
        raise typer.Exit(1)


def _warn(message: str) -> None:
    errors.print(f"warning: {message}", markup=False, highlight=False, soft_wrap=True)


@contextmanager
def _progress() -> Iterator[Callable[[str, int], None]]:
    """Show how far a build is, once it takes time; yield the function that it tells."""
    start = time.monotonic()
    first: list[tuple[float, int]] = []  # where this process began; the rest is from an earlier one
    status = errors.status("indexing …")

    def tell(doing: str, documents: int) -> None:
        now = time.monotonic()
        if not first:
            first.append((now, documents))
        if now - start < _PATIENCE:
            return
        since, already = first[0]
        rate = (documents - already) / max(now - since, 1e-9)
        told = plural(documents, "document") + (f", {rate:,.0f}/s" if doing == "indexing" else "")
        status.update(f"{doing}: {told} …")
        status.start()

    try:
        yield tell
    finally:
        status.stop()

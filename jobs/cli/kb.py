"""``distval kb``: the knowledge base."""

from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any, Literal, cast

import typer

from evaluator.errors import ConfigurationError, InputError, choices
from evaluator.text import search_form
from jobs.cli.commands import Commands
from jobs.cli.files import MAKES, READS
from jobs.cli.output import Json, console, errors, print_json, show_manifest, skipped

knowledge_base = Commands(help="The knowledge base.", no_args_is_help=True)

Folder = Annotated[Path, typer.Argument(metavar="KB", help="Folder of a knowledge base."), READS]
Format = Annotated[
    str,
    typer.Option(help="auto, freebase, wikidata-truthy, wikidata-json or rdf."),
]
Language = Annotated[str, typer.Option(help="Language of the names kept, or several: de,en,mul.")]
AllowTruncated = Annotated[
    bool, typer.Option("--allow-truncated", help="Exit with 0 although a dump was cut or damaged.")
]


@knowledge_base.command(
    "build", example="distval kb build freebase-rdf-latest.gz --out runs/kb/freebase"
)
def build(
    sources: Annotated[list[Path], typer.Argument(help="Dumps, or folders of their parts."), READS],
    out: Annotated[Path, typer.Option(help="Folder of the knowledge base, made anew."), MAKES],
    format: Format = "auto",  # noqa: A002
    language: Language = "en",
    mediators: Annotated[
        Literal["collapse", "keep"],
        typer.Option(help="collapse nameless nodes between two entities, or keep them."),
    ] = "collapse",
    redirects: Annotated[
        list[Path] | None, typer.Option(help="File of redirects: old id, tab, current id."), READS
    ] = None,
    identities: Annotated[
        list[Path] | None,
        typer.Option(help="File of ids of the same thing, tab-separated."),
        READS,
    ] = None,
    only_entities_in: Annotated[
        Path | None,
        typer.Option(metavar="TEXT", help="Keep only what a corpus can meet: its file or folder."),
        READS,
    ] = None,
    memory: Annotated[str, typer.Option(help="Bound of the memory for sorting and joining.")] = (
        "2GB"
    ),
    spark: Annotated[
        str | None, typer.Option(help="Build with Spark at this master, such as local[*].")
    ] = None,
    allow_truncated: AllowTruncated = False,
    as_json: Json = False,
) -> None:
    """Build a knowledge base from dumps. Exit code 1: built, but a dump was cut or damaged."""
    from indexes.kb.build import Dump, Options, build_knowledge_base

    named = [
        *(Dump(path, _known(format)) for path in sources),
        *(Dump(path, "redirects") for path in redirects or ()),
        *(Dump(path, "identities") for path in identities or ()),
    ]
    options = Options(
        language,
        mediators,
        memory,
        allow_unread=allow_truncated,
        only_entities_in=only_entities_in,
    )
    with errors.status("reading the dump …"):
        if spark:
            from jobs.spark.engine import build_with_spark

            manifest = build_with_spark(named, out, options=options, master=spark)
        else:
            manifest = build_knowledge_base(named, out, options=options)
    show_manifest(_told(manifest, as_json), as_json=as_json, title=f"Knowledge base {out}")
    if not as_json:
        left_out: Counter[str] = Counter()
        for source in manifest.sources:
            left_out.update(cast("dict[str, int]", source["left_out"]))
        skipped(left_out, "sound records that are no evidence")
    if not manifest.names:
        errors.print(f"warning: no name is in the language {language!r}; none is found in text")
    _stop_if_incomplete(manifest.incomplete, allowed=allow_truncated)


@knowledge_base.command(
    "split", example="distval kb split freebase-rdf-latest.gz --out freebase-parts"
)
def split(
    dump: Annotated[Path, typer.Argument(metavar="DUMP", help="One dump, however large."), READS],
    out: Annotated[Path, typer.Option(help="Folder for its parts; must not exist."), MAKES],
    format: Format = "auto",  # noqa: A002
    language: Language = "en",
    allow_truncated: AllowTruncated = False,
    as_json: Json = False,
) -> None:
    """Split a dump into parts, with only what kb build needs.

    kb build reads parts in parallel. Exit code 1: done, but the dump was cut or damaged.
    """
    from indexes.dumps.parts import split_dump

    if out.exists():
        raise InputError(out, "exists; name another folder")
    with errors.status("splitting the dump …"):
        account = split_dump(dump, out, format=_known(format), language=language)
    told = asdict(account)
    show_manifest(told, as_json=as_json, title=f"Parts of {dump.name} in {out}")
    if not as_json:
        skipped(account.left_out, "sound records that are no evidence")
    _stop_if_incomplete((dump.name,) if account.incomplete else (), allowed=allow_truncated)


@knowledge_base.command("info", example="distval kb info runs/kb/freebase")
def info(folder: Folder, as_json: Json = False) -> None:
    """Show what a knowledge base holds."""
    from indexes.kb.knowledge_base import KnowledgeBase

    manifest = KnowledgeBase.open(folder).manifest
    show_manifest(_told(manifest, as_json), as_json=as_json, title=f"Knowledge base {folder}")


@knowledge_base.command(
    "lookup", example='distval kb lookup "Marie Curie" Warsaw --kb runs/kb/freebase'
)
def lookup(
    folder: Annotated[Path, typer.Option("--kb", help="Folder of a knowledge base."), READS],
    e1: Annotated[str, typer.Argument(help="Name or any identifier of an entity.")],
    e2: Annotated[
        str | None, typer.Argument(help="Another: the relations between the two.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Show an entity, or the relations between two entities. Exit code 1: not found."""
    from evaluator.relations.matching import INVERSE
    from indexes.kb.knowledge_base import KnowledgeBase

    kb = KnowledgeBase.open(folder)
    found = [kb.entity(text) if text is not None else None for text in (e1, e2)]
    told: dict[str, Any] = {
        key: None if entity is None else _entity(kb, entity)
        for key, entity in zip(("e1", "e2"), found, strict=True)
    }
    if e2 is not None:
        first, second = found
        between = kb.relations_between(first, second, direction="both") if first and second else ()
        told["relations"] = [
            {
                "id": (relation := kb.relation(mark.removeprefix(INVERSE))).id,
                "label": relation.label,
                "words": relation.words,
                "inverse": mark.startswith(INVERSE),
            }
            for mark in between
        ]
    if as_json:
        print_json(told)
    else:
        _show(told, (e1, e2))
    if found[0] is None or (e2 is not None and not told["relations"]):
        raise typer.Exit(1)


def _told(manifest: Any, as_json: bool) -> dict[str, Any]:
    """Return a manifest to show; a table has lines for the labels' languages and for a subset."""
    told = asdict(manifest)
    if as_json:
        return told
    found = manifest.assembly
    if labels := found.get("labels"):
        told["labels"] = ", ".join(f"{number:,} {tag}" for tag, number in labels.items())
    if text := found.get("only_entities_in"):
        told["only entities in"] = text
    return told


def _known(name: str) -> str:
    from indexes.dumps import FORMATS

    if name != "auto" and name not in FORMATS:
        raise ConfigurationError(
            f"--format: unknown format {name!r}; {choices(name, ['auto', *FORMATS])}"
        )
    return name


def _stop_if_incomplete(names: tuple[str, ...], *, allowed: bool) -> None:
    if names:
        errors.print(
            f"warning: {', '.join(names)} was cut short or is damaged; all whole records before "
            "that are in, what followed is not. Fetch it again, or say --allow-truncated.",
            markup=False,
            soft_wrap=True,
        )
        if not allowed:
            raise typer.Exit(1)


def _entity(kb: Any, entity: str) -> dict[str, Any]:
    sitelinks, degree = kb.popularity(entity)
    return {
        "id": entity,
        "label": kb.label(entity),
        "names": kb.names(entity),
        "query_names": [*map(search_form, kb.query_names(entity))],
        "types": kb.types(entity),
        "triples": degree,
        "sitelinks": sitelinks,
    }


def _show(told: dict[str, Any], given: tuple[str, str | None]) -> None:
    for key, text in zip(("e1", "e2"), given, strict=True):
        entity = told[key]
        if entity is not None:
            console.print(
                f"{entity['label']} ({entity['id']}): in {entity['triples']:,} triples, counted as "
                f"{', '.join(entity['query_names']) or 'nothing (no name)'}",
                markup=False,
            )
        elif text is not None:
            console.print(f"{text}: not in this knowledge base", markup=False)
    for relation in told.get("relations", ()):
        mark = " (inverse)" if relation["inverse"] else ""
        console.print(f"  {relation['id']}{mark}  {relation['label']}", markup=False)
    if told["e1"] and told.get("e2") and not told["relations"]:
        console.print("  no relation between the two")

"""``distval init``: a run configuration from the files that are there."""

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from evaluator.errors import ConfigurationError
from jobs.cli.files import READS, READS_SYSTEM, WRITES, Reads
from jobs.cli.output import Json, console, print_json, print_line, skipped, table

if TYPE_CHECKING:
    from jobs.starting.recognition import Role


def init(
    files: Annotated[
        list[Path] | None,
        typer.Argument(metavar="FILE", help="Files and folders; what each is, is found out."),
        READS,
    ] = None,
    out: Annotated[Path, typer.Option("--out", help="The configuration to write."), WRITES] = Path(
        "distval.toml"
    ),
    system: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FILE",
            help="Output of a system, or NAME=FORMAT:PATH as in a configuration; may be repeated.",
        ),
        Reads(lambda text: [Path(text)] if _is_path(text) else READS_SYSTEM.paths(text)),
    ] = None,
    keys: Annotated[
        str | None,
        typer.Option(
            "--map",
            metavar="FIELD=KEY,...",
            help="Own keys of every --system FILE: subject=who,relation=does,object=whom.",
        ),
    ] = None,
    sentences: Annotated[
        Path | None, typer.Option(help="The sentences that the systems read."), READS
    ] = None,
    kb: Annotated[
        list[Path] | None,
        typer.Option(help="A dump (RDF, Freebase, Wikidata) or a knowledge base."),
        READS,
    ] = None,
    text: Annotated[
        Path | None, typer.Option(help="A text collection, or a text index."), READS
    ] = None,
    as_json: Json = False,
) -> None:
    """Write a run configuration from files.

    It tells first what each is taken for. Without a knowledge base or a text collection it names
    public data, which distval data fetches.
    """
    from evaluator.readers import SystemSource, parse_keys
    from jobs.starting.configuration import start
    from jobs.starting.recognition import recognised

    bare = [Path(text) for text in system or () if _is_path(text)]
    sources = [SystemSource.parse(text) for text in system or () if not _is_path(text)]
    named: list[tuple[Path, Role]] = [
        *((path, "system") for path in bare),
        *((path, "sentences") for path in ([] if sentences is None else [sentences])),
        *((path, "dump") for path in kb or ()),
        *((path, "text") for path in ([] if text is None else [text])),
    ]
    if not (files or named or sources):
        raise ConfigurationError("name the files of the evaluation: systems' output, sentences ...")
    if keys is not None and not bare:
        raise ConfigurationError("--map: name the file whose keys these are, with --system FILE")
    own = () if keys is None else parse_keys(keys)
    taken = recognised(files or (), named, sources=sources, keys=own)
    if not as_json:  # before a refusal, which it explains
        rows = [[str(one.path), one.role, one.format or "–", one.why] for one in taken]
        made = table("Taken for", ["file", "what", "format", "by"], rows)
        for column in made.columns:
            column.justify = "left"
        console.print(made)
    started = start(taken, out)
    named_so = f"./{out}" if str(out).startswith("-") else str(out)
    then = [f"distval run {shlex.quote(named_so)}"]
    if started.fetch:
        then.insert(0, f"distval data fetch {' '.join(started.fetch)}")
    if as_json:
        print_json(
            {
                "taken": [
                    {
                        "path": str(one.path),
                        "for": one.role,
                        "format": one.format or None,
                        "why": one.why,
                        "name": one.name or None,
                    }
                    for one in taken
                ],
                "configuration": str(out),
                "written": [{"path": str(path), "holds": what} for path, what in started.written],
                **started.rejects.as_json(),
                "next": then,
            }
        )
        return
    for path, what in started.written:
        print_line(f"wrote {path}: {what}")
    skipped(started.rejects.counts, "of these files")
    print_line(f"wrote {out}; next:")
    for line in then:
        print_line(f"  {line}")


def _is_path(text: str) -> bool:
    """Tell whether what is named as a system is a path alone."""
    from evaluator.readers import split_source

    return not split_source(text)[0] or Path(text).exists()

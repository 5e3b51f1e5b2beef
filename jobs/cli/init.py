"""``distval init``: a run configuration from the files that are there."""

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from evaluator.errors import ConfigurationError
from jobs.cli.files import READS, WRITES
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
        list[Path] | None, typer.Option(help="Output of a system; may be repeated."), READS
    ] = None,
    keys: Annotated[
        str | None,
        typer.Option(
            "--map",
            metavar="FIELD=KEY,...",
            help="Own keys of the files of --system: subject=who,relation=does,object=whom.",
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
    from evaluator.readers import parse_keys
    from jobs.starting.configuration import start
    from jobs.starting.recognition import recognised

    named: list[tuple[Path, Role]] = [
        *((path, "system") for path in system or ()),
        *((path, "sentences") for path in ([] if sentences is None else [sentences])),
        *((path, "dump") for path in kb or ()),
        *((path, "text") for path in ([] if text is None else [text])),
    ]
    if not (files or named):
        raise ConfigurationError("name the files of the evaluation: systems' output, sentences ...")
    if keys is not None and not system:
        raise ConfigurationError("--map: name the file whose keys these are, with --system")
    taken = recognised(files or (), named, keys=() if keys is None else parse_keys(keys))
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

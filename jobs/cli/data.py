"""``distval data``, ``distval sample`` and ``distval wordnet``: what the project is fed with."""

from collections import Counter
from collections.abc import Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from evaluator.datasets import factbench, factbench_web, google_re, reverb_mturk
from evaluator.errors import InputError, SetupError
from evaluator.labels.label import COLUMNS, word_of, write_labels
from evaluator.model import Rejects
from evaluator.tables import write_table
from evaluator.wordings import plural
from jobs.bounds import SEED
from jobs.cli.checks import within
from jobs.cli.commands import Commands
from jobs.cli.files import FILLS, READS, READS_MIRROR, WRITES
from jobs.cli.output import Json, console, errors, print_json, print_line, skipped, table
from jobs.config import data_folder

data = Commands(help="Public data sets, found under DISTVAL_DATA.", no_args_is_help=True)
sample = Commands(help="The embedded sample.", no_args_is_help=True)
wordnet = Commands(help="The shipped WordNet.", no_args_is_help=True)

Out = Annotated[Path, typer.Option(help="File to write."), WRITES]

Part = Annotated[Literal["train", "test"], typer.Option(help="Which part of the set.")]

Names = Annotated[list[str] | None, typer.Argument(help="Sets; `list` names them.")]

# Files of at least so many bytes are told of one by one when they are fetched.
_LARGE = 5_000_000


@data.command("list", example="distval data list carb")
def list_sets(
    names: Annotated[
        list[str] | None, typer.Argument(help="Sets to show in full: licence, version, addresses.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Show the data sets, and whether they are here.

    Exit code 1: not all are.
    """
    from jobs.data.catalogue import chosen
    from jobs.data.checking import present

    folder, sets = data_folder(), chosen(names or ())
    rows: list[dict[str, Any]] = [
        {
            "name": data_set.name,
            "present": _present(present(data_set, folder), len(data_set.files)),
            "folder": str(folder / data_set.folder),
            "files": len(data_set.files),
            "published": sum(file.address is not None for file in data_set.files),
            "unconfirmed": sum(not file.confirmed for file in data_set.files),
            "size": data_set.size,
            "holds": data_set.holds,
            "used_for": data_set.used_for,
            "licence": data_set.licence,
            "version": data_set.version,
            "how": data_set.how,
            "addresses": {file.path: file.address for file in data_set.files},
        }
        for data_set in sets
    ]
    if as_json:
        print_json(rows)
    elif names:
        for row in rows:
            _show_set(row)
    else:
        made = table(
            f"Data under {folder} (DISTVAL_DATA names another folder)",
            ["set", "here", "MB", "what for"],
            [
                [row["name"], row["present"], _megabytes(row["size"]), row["used_for"]]
                for row in rows
            ],
        )
        made.columns[3].justify = "left"
        console.print(made)
        print_line("licence, version and addresses: distval data list NAME..., or --json")
    if any(row["present"] != "yes" for row in rows):
        raise typer.Exit(1)


@data.command("fetch", example="distval data fetch carb wire57")
def fetch(
    names: Names = None,
    every: Annotated[bool, typer.Option("--all", help="Fetch all sets.")] = False,
    to: Annotated[
        Path | None, typer.Option(help="Folder to fill; by default the data folder."), FILLS
    ] = None,
    mirror: Annotated[
        str | None,
        typer.Option(help="Folder or address laid out like the data folder; no other is asked."),
        READS_MIRROR,
    ] = None,
    as_json: Json = False,
) -> None:
    """Bring data sets to the data folder.

    An interrupted fetch continues where it was. Files that are present and right are left alone.
    With --to, files of the data folder are copied before any are downloaded. Exit code 1: some
    files are not published in this form.
    """
    from jobs.data.catalogue import chosen
    from jobs.data.fetching import Fetcher, FetchOutcome

    if bool(names) == every:
        raise typer.BadParameter("name the sets to fetch, or say --all", param_hint="NAMES")
    sets, folder = chosen(names or ()), data_folder()
    report: list[dict[str, object]] = []
    failures: list[InputError] = []
    target = to.resolve() if to else folder
    with errors.status("") as status:
        fetcher = Fetcher(
            target=target,
            mirror=mirror,
            copies=folder,
            on_bytes=lambda name, done: status.update(f"{name}: {_megabytes(done)} MB"),
        )
        for data_set in sets:
            for file in data_set.files:
                status.update(file.path)
                row: dict[str, object] = {"set": data_set.name, "file": file.path}
                outcome: FetchOutcome | None
                try:
                    row["outcome"] = outcome = fetcher.fetch(file)
                except InputError as error:
                    failures.append(error)
                    row |= {
                        "outcome": "failed",
                        "problem": str(error),
                        "confirmed": file.confirmed,
                    }
                    outcome = None
                if outcome == FetchOutcome.UNPUBLISHED:
                    row["problem"] = f"from {data_set.version}: {data_set.how}"
                report.append(row)
                large = (
                    outcome in (FetchOutcome.COPIED, FetchOutcome.DOWNLOADED)
                    and file.size >= _LARGE
                )
                if outcome == FetchOutcome.UNPUBLISHED or large:
                    told = ": ".join(str(row[key]) for key in ("outcome", "problem") if key in row)
                    print_line(f"  {file.path}: {told}", to=errors)
    counts = dict(Counter(str(row["outcome"]) for row in report))
    if as_json:
        print_json({"folder": str(target), "counts": counts, "files": report})
    else:
        summary = ", ".join(f"{count} {outcome}" for outcome, count in counts.items())
        print_line(f"{target}: {summary}")
    if len(failures) > 1:
        for failure in failures:
            print_line(f"  {failure}", to=errors)
        raise SetupError(f"{len(failures)} files could not be fetched, the first: {failures[0]}")
    if failures:
        raise failures[0]
    if FetchOutcome.UNPUBLISHED in counts:
        raise typer.Exit(1)


@data.command("verify", example="distval data verify carb")
def verify(names: Names = None, as_json: Json = False) -> None:
    """Check sizes and sums of data sets.

    All are checked by default. Exit code 1: some are wrong or missing.
    """
    from jobs.data.catalogue import chosen
    from jobs.data.checking import check

    sets, folder = chosen(names or ()), data_folder()
    checked = {}
    with errors.status("") as status:
        for data_set in sets:
            status.update(f"{data_set.name} …")
            checked[data_set.name] = check(data_set, folder)
    if as_json:
        print_json({name: found._asdict() for name, found in checked.items()})
    else:
        rows = [
            [name, found.good, len(found.missing), len(found.wrong), len(found.extra)]
            for name, found in checked.items()
        ]
        console.print(
            table(f"Data under {folder}", ["set", "good", "missing", "wrong", "not known"], rows)
        )
        for found in checked.values():
            for path in found.missing:
                print_line(f"  {path}: missing", to=errors)
            for path, problem in found.wrong.items():
                print_line(f"  {path}: {problem}", to=errors)
            for path in found.extra:
                print_line(f"  {path}: not in the catalogue", to=errors)
    if any(found.missing or found.wrong for found in checked.values()):
        raise typer.Exit(1)


def _show_set(row: dict[str, Any]) -> None:
    """Print all that is known of a data set."""
    told = {
        "holds": row["holds"],
        "used for": row["used_for"],
        "licence": row["licence"],
        "version": row["version"],
        "here": f"{row['present']}, in {row['folder']}",
        "files": f"{row['files']:,}, {_megabytes(row['size'])} MB, {row['published']:,} published",
    }
    print_line(row["name"])
    for what, text in told.items():
        print_line(f"  {what}: {text}")
    if row["how"]:
        print_line(f"  how: {row['how']}")
    for path, address in row["addresses"].items():
        print_line(f"  {path}: {address or 'not published as such'}")


def _present(there: int, files: int) -> str:
    return "yes" if there == files else "partly" if there else "no"


def _megabytes(size: int) -> str:
    return f"{size / 1e6:,.1f}"


@data.command("fb15k237", example="distval data fb15k237 --out fb15k237.nt")
def fb15k237(out: Out, as_json: Json = False) -> None:
    """Write FB15k-237 in the form of Freebase's dump."""
    from indexes.dumps.fb15k237 import write_freebase_ntriples

    with errors.status("writing triples …"):
        counts = write_freebase_ntriples(data_folder() / "fb15k237", out)
    _tell_counts(out, counts._asdict(), as_json=as_json)


@data.command("codex", example="distval data codex --form json --out codex.json")
def codex(
    out: Out,
    form: Annotated[
        Literal["truthy", "json"], typer.Option(help="truthy (N-Triples) or json.")
    ] = "truthy",
    size: Annotated[Literal["s", "m"], typer.Option(help="Which of the sets.")] = "m",
    as_json: Json = False,
) -> None:
    """Write CoDEx in the form of Wikidata's dumps.

    The form is that of its direct N-Triples, or of its JSON dump.
    """
    from indexes.dumps.codex import write_json, write_truthy

    writers = {"truthy": write_truthy, "json": write_json}
    names = data_folder() / "fb15k237" / "entity2wikidata.json"
    with errors.status("writing triples …"):
        counts = writers[form](data_folder() / "codex", names, out, size=size)
    _tell_counts(out, counts._asdict(), as_json=as_json)


def _tell_counts(out: Path, counts: Mapping[str, int], *, as_json: bool) -> None:
    if as_json:
        print_json({"out": str(out), **counts})
    else:
        told = ", ".join(f"{count:,} {what}" for what, count in counts.items())
        print_line(f"{out}: {told}")


@data.command("google-re", example="distval data google-re --out google-re.tsv")
def google_re_labels(out: Out, as_json: Json = False) -> None:
    """Write judgements of Google's corpus as labels.

    They are about places of death; the columns are e1 r e2 label rater.
    """
    from indexes.dumps.fb15k237 import read_labels

    rejects, names = Rejects(), read_labels(data_folder() / "fb15k237")
    labels = google_re.read_labels(data_folder() / "google_re", names, rejects=rejects)
    write_labels(out, labels)
    _tell_labels(out, len(labels), rejects, "judgements", as_json=as_json)


@data.command(
    "reverb-mturk", example="distval data reverb-mturk --part test --out reverb-mturk.tsv"
)
def reverb_mturk_labels(out: Out, part: Part = "train", as_json: Json = False) -> None:
    """Write judgements of ReVerb's facts as labels.

    The columns are e1 r e2 label rater.
    """
    rejects = Rejects()
    labels = reverb_mturk.read_labels(data_folder() / "reverb_mturk", part, rejects=rejects)
    write_labels(out, labels)
    _tell_labels(out, len(labels), rejects, "judgements", as_json=as_json)


@data.command("factbench", example="distval data factbench --out factbench.tsv")
def factbench_labels(out: Out, part: Part = "train", as_json: Json = False) -> None:
    """Write FactBench's facts as labels.

    The columns are e1 r e2 label rater, and the kind of wrong facts.
    """
    rejects = Rejects()
    facts = factbench.read_facts(data_folder() / "factbench", part, rejects=rejects)
    _write_made(out, facts, rejects, as_json=as_json)


@data.command("factbench-web", example="distval data factbench-web --out factbench-web.tsv")
def factbench_web_labels(out: Out, as_json: Json = False) -> None:
    """Write the facts that come with web pages as labels.

    The columns are e1 r e2 label rater, and the kind of wrong facts; a run reads the file as a list
    of facts, too.
    """
    rejects = Rejects()
    facts = factbench_web.read_web_facts(data_folder() / "factbench_web", rejects=rejects)
    _write_made(out, facts, rejects, as_json=as_json)


def _write_made(
    out: Path, facts: Sequence[factbench.MadeFact], rejects: Rejects, *, as_json: bool
) -> None:
    rows = ((*fact.label.item, word_of(fact.label), fact.label.rater, fact.kind) for fact in facts)
    write_table(out, (*COLUMNS, "kind"), rows)
    _tell_labels(out, len(facts), rejects, "facts", as_json=as_json)


def _tell_labels(out: Path, labels: int, rejects: Rejects, what: str, *, as_json: bool) -> None:
    skipped(rejects.counts, what)
    if as_json:
        print_json({"out": str(out), "labels": labels, **rejects.as_json()})
    else:
        print_line(f"{out}: {plural(labels, 'label')}")


@sample.command("make", example="distval sample make --out my-sample")
def make_sample(
    out: Annotated[Path, typer.Option(help="Folder to write."), FILLS],
    seed: Annotated[int, within(SEED, help="Another seed makes another sample.")] = 2012,
) -> None:
    """Make the embedded sample.

    It is a small corpus with background text, systems and known truth.
    """
    from jobs.worlds.sample import make_sample as make

    make(out, seed=seed)
    print_line(f"{out}: made with seed {seed}")


@wordnet.command("compile", example="distval wordnet compile /usr/share/wordnet --out wordnet.npz")
def compile_wordnet(
    folder: Annotated[Path, typer.Argument(help="Folder with WordNet 3.0's dict files."), READS],
    out: Annotated[
        Path | None, typer.Option(help="File to write; by default the shipped one."), WRITES
    ] = None,
) -> None:
    """Compile WordNet into the array file that is shipped.

    It holds the noun and verb graph.
    """
    from evaluator.wordnet.compiling import compile_wordnet as compile_

    out = out or Path(str(resources.files("evaluator.wordnet"))) / "data" / "wordnet-3.0.npz"
    compile_(folder, out)
    print_line(f"{out}: compiled")

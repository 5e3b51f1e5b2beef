"""``distval facts``: the facts of a finished run as a table."""

from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_args

import typer
from rich.text import Text

from evaluator.errors import ConfigurationError
from evaluator.estimators.tallies import Verdict
from evaluator.wordings import plural
from jobs.bounds import FACTS
from jobs.cli.checks import within
from jobs.cli.evidence import STYLES, marked
from jobs.cli.files import READS, WRITES
from jobs.cli.output import console, errors, figure, print_line

if TYPE_CHECKING:
    from indexes.engine import Batches
    from jobs.run.facts_table import FactsTable

_SHOWN = 20
_NOT_JUDGED = "not judged"


def facts(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="Directory of a finished run."), READS],
    system: Annotated[
        str | None, typer.Option(help="A system: what it states, its regions, its extractions.")
    ] = None,
    region: Annotated[
        str | None,
        typer.Option(
            help="Regions of the system, as a,b,c,d or “not correct”, separated by commas."
        ),
    ] = None,
    verdict: Annotated[
        str | None, typer.Option(help="Verdicts, as accepted,rejected, separated by commas.")
    ] = None,
    where: Annotated[
        str | None,
        typer.Option(metavar="SQL", help="A condition on the columns, as “score > 0.5”."),
    ] = None,
    limit: Annotated[
        int | None, within(FACTS, help=f"Facts at most; {_SHOWN} where they are printed.")
    ] = None,
    labels: Annotated[
        Path | None,
        typer.Option(help="Label folder; RUN/labels by default.", show_default=False),
        READS,
    ] = None,
    csv: Annotated[
        Path | None, typer.Option("--csv", metavar="FILE", help="Write them as CSV."), WRITES
    ] = None,
    parquet: Annotated[
        Path | None,
        typer.Option("--parquet", metavar="FILE", help="Write them as Parquet."),
        WRITES,
    ] = None,
    jsonl: Annotated[
        Path | None,
        typer.Option("--jsonl", metavar="FILE", help="Write them as JSON Lines."),
        WRITES,
    ] = None,
    rdf: Annotated[
        Path | None,
        typer.Option("--rdf", metavar="FILE", help="Write them as RDF 1.2 (RDF-star), in Turtle."),
        WRITES,
    ] = None,
) -> None:
    """Show or write the facts of a run.

    Each has its names, verdict, evidence and labels, its sentence, and the extraction as it was.
    """
    from jobs.run.facts_condition import FactCondition
    from jobs.run.facts_table import FactsTable

    named = {"csv": csv, "parquet": parquet, "jsonl": jsonl, "rdf": rdf}
    files = {kind: path for kind, path in named.items() if path is not None}
    if len(files) > 1:
        raise ConfigurationError(f"{' and '.join(f'--{kind}' for kind in files)}: name one of them")
    condition = None if where is None else FactCondition(where)
    with errors.status("reading …"), FactsTable.open(run, labels=labels) as table:
        name, chosen = _chosen(table, run, system, region, verdict)
        wanted = limit or (None if files else _SHOWN)
        if condition is not None and condition.is_on_judged:
            chosen = table.keep(condition.true_of(table.judged(chosen, system=name)))
            condition = None
        # What is asked of sentences can be told only when they have been looked up.
        batches = table.batches(chosen, system=name, limit=wanted if condition is None else None)
        if condition is not None:
            batches = _first(condition.true_of(batches), wanted)
        for kind, path in files.items():
            print_line(f"{path}: {plural(_written(kind, path, batches, run), 'fact')}")
            return
        shown = [row for batch in batches for row in batch.to_pylist()]
        known = table.count(chosen) if condition is None else None
    for row in shown:
        _show(row)
    of = "" if known is None else f" of {known:,}"
    print_line(f"{len(shown):,}{of} facts; all columns: --csv FILE, or --parquet, --jsonl, --rdf")


def _written(kind: str, path: Path, batches: "Batches", run: Path) -> int:
    """Write facts to a file of some kind, and return how many."""
    from evaluator.results.result import Result
    from jobs.run import facts_files, facts_rdf
    from jobs.rundir import finished_stage

    match kind:
        case "csv":
            return facts_files.write_facts_csv(path, batches)
        case "parquet":
            return facts_files.write_facts_parquet(path, batches)
        case "jsonl":
            return facts_files.write_facts_jsonl(path, batches)
    date = finished_stage(run / "estimate").notes.get("date")
    result = Result.read(run / "result.json")
    return facts_rdf.write_facts_turtle(path, batches, result, date)


def _chosen(
    table: "FactsTable", run: Path, system: str | None, region: str | None, verdict: str | None
) -> tuple[str | None, str]:
    """Return the system that is meant, if one is, and the condition that options make."""
    from jobs.analysis.comparison import one_system
    from jobs.run.facts_table import REGIONS

    conditions = ["true"]
    name = system
    if system is not None or region is not None:
        name = one_system(table.systems, system or "", run, "with --system")
    if name is not None and region is None:
        conditions.append(f"list_contains(systems, {table.engine.text(name)})")
    if name is not None and region is not None:
        regions = _one_of("--region", region, REGIONS)
        conditions.append(f"({table.region(name)}) IN ({_listed(table, regions)})")
    if verdict is not None:
        verdicts = _one_of("--verdict", verdict, (*get_args(Verdict), _NOT_JUDGED))
        told = f"coalesce(verdict, {table.engine.text(_NOT_JUDGED)})"
        conditions.append(f"{told} IN ({_listed(table, verdicts)})")
    return name, " AND ".join(conditions)


def _one_of(option: str, given: str, known: Collection[str]) -> list[str]:
    """Return the words of an option that lists some of `known`."""
    words = [word.strip() for word in given.split(",")]
    for word in words:
        if word not in known:
            raise ConfigurationError(f"{option} {given}: expected some of {', '.join(known)}")
    return words


def _listed(table: "FactsTable", words: Iterable[str]) -> str:
    return ", ".join(map(table.engine.text, words))


def _first(batches: "Batches", most: int | None) -> "Batches":
    """Yield the first rows of batches."""
    left = most
    for batch in batches:
        if left is None:
            yield batch
        elif left > 0:
            yield batch.slice(0, left)
            left -= min(left, batch.num_rows)


def _show(row: Mapping[str, Any]) -> None:
    """Print a fact: its names and verdict, its regions, its sentence, the extraction."""
    from evaluator.marked_text import marked_parts
    from jobs.run.facts_table import sentence_spans

    relation = f"not {row['r']}" if row["negated"] else row["r"]
    verdict = row["verdict"] or _NOT_JUDGED
    score = "" if row["score"] is None else f" {figure(row['score'])}"
    regions = ", ".join(f"{name}: {of}" for name, of in row["regions"] if of)
    console.print(
        Text.assemble(
            "⟨", (row["name1"], STYLES["e1"]), ", ", (relation, STYLES["r"]), ", ",
            (row["name2"], STYLES["e2"]), "⟩ ", (f"{verdict}{score}", "bold"), f"  {regions}",
        )
    )  # fmt: skip
    if row["sentence"] is not None:
        place = (f"  [{row['document']}, sentence {row['number']}] ", "dim")
        parts = marked_parts(row["sentence"], sentence_spans(row))
        console.print(Text.assemble(place, marked(parts)))
    if row["arg1"] is not None:
        slots = "; ".join(row[slot] for slot in ("arg1", "relation", "arg2"))
        told = "" if row["confidence"] is None else f" {figure(row['confidence'])}"
        print_line(f"  {row['system']}, line {row['line']}: ({slots}){told}")

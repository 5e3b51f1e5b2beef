"""``distval index count``: hit counts for a file of facts."""

import math
import os
from itertools import chain
from pathlib import Path
from typing import Annotated, Any, cast

import typer

from jobs.bounds import PROCESSES, WORDS
from jobs.cli.checks import within
from jobs.cli.files import READS, WRITES
from jobs.cli.output import Json, errors, print_json
from jobs.config import PmiSettings

_ROWS = 1_000_000  # facts counted at a time


def count(
    facts: Annotated[
        Path,
        typer.Argument(
            metavar="FACTS", help="TSV with the header e1 r e2, or Parquet (a file or a folder)."
        ),
        READS,
    ],
    folder: Annotated[Path, typer.Option("--index", help="Folder of a text index."), READS],
    x: Annotated[int, within(WORDS, "--x", help="NEAR distance in words.")] = PmiSettings().x,
    reach: Annotated[int, within(WORDS, help="Words between r and e2.")] = PmiSettings().reach,
    ordered: Annotated[bool, typer.Option(help="e1 before r before e2 only.")] = False,
    denominator: Annotated[str, typer.Option(help="and, or near.")] = "and",
    kb: Annotated[
        Path | None,
        typer.Option("--kb", help="Count entities by all names that it gives them."),
        READS,
    ] = None,
    engine: Annotated[str, typer.Option(help="auto, direct or bulk: the same counts.")] = "auto",
    memory: Annotated[str, typer.Option(help="Bound of the memory for positions.")] = "1GB",
    workers: Annotated[
        int | None, within(PROCESSES, help="Processes to count shards in; one a core.")
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(help="Write here (TSV, or .parquet) instead of printing."),
        WRITES,
    ] = None,
    as_json: Json = False,
) -> None:
    """Count the documents that hold each fact of a file.

    The counts are pair, CLASSIC, PROXIMITY, topic and ANCHORED. A count that is not defined is left
    empty: a name or a relation without words, a negation.
    """
    from evaluator.counting.definition import Denominator, check_options
    from indexes.memory import memory_bytes
    from indexes.text.index import CountingEngine, TextIndex
    from jobs.evidence.fact_files import FACT, read_blocks, with_counts, writing
    from jobs.evidence.given_facts import Elements

    check_options(x=x, reach=reach, denominator=denominator)
    bound = memory_bytes(memory)
    blocks = read_blocks(facts, rows=_ROWS)
    first = next(blocks)  # what is no file of facts is refused before any evidence is opened
    elements = Elements.of(kb)
    counted: list[dict[str, Any]] = []
    with (
        TextIndex.open(folder) as index,
        writing(out) as write,
        errors.status("counting …") as status,
    ):
        done = 0
        for block in chain([first], blocks):
            table = elements.table(*(block.column(name).to_pylist() for name in FACT))
            status.update(f"counting facts {done + 1:,} to {done + len(table):,} …")
            hits = index.hits(
                table,
                x=x,
                reach=reach,
                ordered=ordered,
                denominator=cast("Denominator", denominator),
                engine=cast("CountingEngine", engine),
                memory=bound,
                workers=workers or os.cpu_count() or 1,
            )
            told = with_counts(block, table.counts(hits))
            if as_json and out is None:
                counted += [{n: _json(v) for n, v in row.items()} for row in told.to_pylist()]
            else:
                write(told)
            done += len(table)
    if as_json:
        print_json(counted if out is None else {"facts": done, "out": str(out)})


def _json(value: Any) -> Any:
    """Return a value of whatever column as JSON has it; what it has not, as text."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return value if isinstance(value, str | int | None) else str(value)

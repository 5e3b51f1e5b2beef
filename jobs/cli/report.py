"""``distval report``: the report of a finished run, its figures and its tables."""

import sys
from pathlib import Path
from typing import Annotated, Literal

import typer

from evaluator.errors import ConfigurationError
from evaluator.printable import printable
from jobs.cli.files import MAKES, READS, WRITES
from jobs.cli.output import errors, print_line


def report(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="Directory of a finished run."), READS],
    figures: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", help="Write each chart as SVG and PDF, and its data as CSV, into DIR."
        ),
        MAKES,
    ] = None,
    style: Annotated[
        Literal["latex", "markdown"] | None,
        typer.Option("--format", help="Print the tables as papers have them."),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="With --format: write the tables into FILE."),
        WRITES,
    ] = None,
) -> None:
    """Write the report of a run anew, or charts and tables.

    Nothing is evaluated again.
    """
    if out is not None and style is None:
        raise ConfigurationError("--out FILE: name the format of the tables, --format latex")
    from evaluator.whole_files import write_whole
    from jobs.run.report_files import rewrite_report, write_figures

    if figures is not None:
        with errors.status("drawing …"):
            charts = write_figures(run, figures)
        for chart in charts:
            print_line(f"{figures / chart.name}.svg .pdf .csv: {chart.title}")
    if style is not None:
        text = _tables(run, style)
        if out is None:
            sys.stdout.write(printable(text))  # to be pasted: nothing is laid out
        else:
            write_whole(out, text)
            print_line(str(out))
    if figures is None and style is None:
        with errors.status("writing …"):
            page = rewrite_report(run)
        print_line(str(page))


def _tables(run: Path, style: str) -> str:
    from evaluator.report.paper_tables import latex, markdown, paper_tables
    from jobs.rundir import finished_result

    result = finished_result(run)
    write = latex if style == "latex" else markdown
    return write(paper_tables(result), signature=result.signature)

"""``distval serve``: a run in the browser."""

from pathlib import Path
from typing import Annotated

import typer

from jobs.bounds import PORTS
from jobs.cli import say_when_stopped
from jobs.cli.checks import within
from jobs.cli.files import READS
from jobs.cli.output import errors, print_line


def serve(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="Directory of a finished run."), READS],
    port: Annotated[int, within(PORTS, "--port", help="Port; 0 for any that is free.")] = 8350,
    browser: Annotated[
        bool, typer.Option("--open/--no-open", help="Open the page in the browser.")
    ] = False,
    labels: Annotated[
        Path | None,
        typer.Option(help="Label folder; RUN/labels by default.", show_default=False),
        READS,
    ] = None,
) -> None:
    """Show a run in the browser, on this machine only.

    Its facts to search, filter and sort; all evidence for one; systems side by side on a sentence.
    """
    import webbrowser

    from jobs.explore.serving import serve_run

    say_when_stopped("nothing is served any more; every answer that was given is kept")
    status = errors.status("reading the run …")

    def ready(address: str) -> None:
        status.stop()
        print_line(f"{address} (Ctrl-C ends it)")
        if browser:
            webbrowser.open(address)

    with status:
        serve_run(run, port=port, labels=labels, on_ready=ready)

"""``distval track``: a finished run in MLflow."""

from pathlib import Path
from typing import Annotated

import typer

from jobs.cli.files import READS
from jobs.cli.output import Json, print_json, print_line


def track(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="Directory of a finished run."), READS],
    experiment: Annotated[
        str | None, typer.Option(help="MLflow's experiment; by default the one that is set.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Log a finished run to MLflow.

    Its settings become parameters, its figures with the ends of their intervals metrics, its result
    and report artifacts. MLflow is installed apart (pip install mlflow); MLFLOW_TRACKING_URI names
    its server or folder.
    """
    from jobs.run.tracking import log_run

    logged = log_run(run, experiment=experiment)
    if as_json:
        print_json({"run_id": logged})
    else:
        print_line(f"logged to MLflow: run {logged}")

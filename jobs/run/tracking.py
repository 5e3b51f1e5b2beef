"""A finished run logged to MLflow: its settings, its figures with the ends of their intervals."""

import re
from pathlib import Path

from evaluator.errors import InputError, SetupError
from evaluator.intervals import Estimate
from evaluator.results.result import Result

_NOT_ALLOWED = re.compile(r"[^\w\-. /]")
_LONGEST = 6_000  # characters of a parameter


def log_run(run: Path, *, experiment: str | None = None) -> str:
    """Log a finished run to MLflow, and return the id that it has there.

    Settings become parameters; P, R and F of each system become the metrics ``SYSTEM/precision``,
    ``SYSTEM/precision.low`` and ``SYSTEM/precision.high``, by labels where there are some, else by
    the annotator, which the tag ``distval.by`` says. What is not estimable is no metric. The result
    and the report are artifacts. Where to is MLflow's to know (``MLFLOW_TRACKING_URI``).

    Raises
    ------
    SetupError
        If MLflow is not installed, or refuses.
    InputError
        If the run is not finished.
    """
    try:
        import mlflow
    except ModuleNotFoundError:
        raise SetupError("MLflow is not installed: pip install mlflow") from None
    result = Result.read(run / "result.json")
    files = [run / "result.json", run / "report.html"]
    for file in files:
        if not file.is_file():
            raise InputError(file, "is not there; distval run writes it")
    by = "labels" if result.labels is not None else "annotator"
    try:
        if experiment is not None:
            mlflow.set_experiment(experiment)
        with mlflow.start_run(run_name=result.name) as logged:
            mlflow.set_tags({"distval.signature": result.signature, "distval.by": by})
            mlflow.log_params(
                {name: str(value)[:_LONGEST] for name, value in result.settings.items()}
            )
            mlflow.log_metrics(_metrics(result))
            for file in files:
                mlflow.log_artifact(str(file))
            return str(logged.info.run_id)
    except (mlflow.exceptions.MlflowException, ImportError) as error:
        raise SetupError(f"MLflow: {' '.join(str(error).split())}") from None


def _metrics(result: Result) -> dict[str, float]:
    """Return the figures of every system, by the names that MLflow allows."""
    found: dict[str, float] = {}
    for system, of in result.systems.items():
        figures = of if of.world is None else of.world
        for measure in result.measures:
            figure: Estimate | None = getattr(figures, measure)
            if figure is None:
                continue
            name = _NOT_ALLOWED.sub("_", f"{system}/{measure}")
            for end, value in (("", figure.value), (".low", figure.low), (".high", figure.high)):
                if value is not None:
                    found[f"{name}{end}"] = value
    return found

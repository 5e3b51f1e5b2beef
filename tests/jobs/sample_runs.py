"""Runs of the embedded sample over evidence that is built once (fixtures of ``conftest.py``)."""

from pathlib import Path
from typing import Any

from jobs.config import Configuration
from jobs.run import pipeline

CONF = Path(__file__).parents[2] / "conf" / "demo.toml"
SAMPLE = CONF.parent / "sample"

# Spark takes longer to prepare such small work than to do it.
SMALL = {
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1",
}
_EACH = ", ".join(f'"{name}" = "{value}"' for name, value in SMALL.items())
SMALL_TOO = f"spark.settings={{{_EACH}}}"
"""The same, as a setting of a run that starts a Spark of its own."""


def of_sample(evidence: Path, run: Path, *overrides: str, partitions: int = 1) -> Configuration:
    """Return the configuration of a run of the sample."""
    places = [f"run={run}", f"kb.path={evidence / 'kb'}", f"index.path={evidence / 'index'}"]
    settings = [*places, f"spark.partitions={partitions}", *overrides]
    return Configuration.load(CONF, overrides=settings)


def run(configuration: Configuration, *, page: bool = False, **told: Any) -> dict[str, Any]:
    """Run, and return the result as the JSON object that the run writes.

    The report takes longer than all the rest of so small a run.
    """
    return pipeline.run(configuration, page=page, **told).as_json()

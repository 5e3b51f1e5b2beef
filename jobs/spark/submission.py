"""Submission: the same run through spark-submit, with our packages shipped to the executors."""

import os
import subprocess
import tempfile
import zipfile
from collections.abc import Iterable
from pathlib import Path

import pyspark

import evaluator
import indexes
import jobs
from jobs.spark.master import await_master
from jobs.spark.session import launch_environment
from jobs.spark.settings import check_settings


def submit(
    conf: Path,
    *,
    master: str,
    overrides: Iterable[str] = (),
    settings: Iterable[str] = (),
) -> int:
    """Run a configuration through spark-submit and return its exit code.

    What the job prints goes to the error stream; its result is in the run directory.

    The executors need a Python with the locked dependencies (``spark.pyspark.python``), and the run
    directory, the knowledge base and the index at the same paths as here; our own code is shipped.

    Parameters
    ----------
    conf
        The configuration.
    master
        Spark master URL.
    overrides
        Settings of the run, ``section.key=value``.
    settings
        Spark settings, ``key=value``.

    Raises
    ------
    ConfigurationError
        Where a setting of memory is none (:func:`jobs.spark.settings.check_settings`).
    """
    settings = list(settings)
    check_settings(dict(setting.partition("=")[::2] for setting in settings))
    await_master(master)
    environment = os.environ | launch_environment(master)
    with tempfile.TemporaryDirectory(prefix="distval-submit-") as folder:
        packages = Path(folder) / "distval.zip"
        pack(packages)
        entry = Path(folder) / "distval_run.py"
        entry.write_text("from jobs.cli import main\n\nmain()\n")
        command = [
            str(Path(pyspark.__file__).parent / "bin" / "spark-submit"),
            *("--master", master),
            *("--name", f"distval {conf.stem}"),
            *("--py-files", str(packages)),
            *("--conf", "spark.ui.showConsoleProgress=false"),
            *("--conf", "spark.ui.enabled=false"),  # its pages listen on all addresses
            *(part for setting in settings for part in ("--conf", setting)),
            str(entry),
            *("run", str(conf.absolute()), "--submitted"),
            *(part for override in overrides for part in ("--set", override)),
        ]
        # spark-submit prints both streams of the job on one.
        return subprocess.run(command, env=environment, stdout=2, check=False).returncode


def pack(out: Path) -> None:
    """Write our packages, with their data, as one zip file that Python imports from."""
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for package in (evaluator, indexes, jobs):
            folder = Path(package.__path__[0])
            for file in sorted(folder.rglob("*")):
                if file.is_file() and "__pycache__" not in file.parts:
                    archive.write(file, file.relative_to(folder.parent))

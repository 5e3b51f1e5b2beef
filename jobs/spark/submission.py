"""Submission: the same run through spark-submit, with our packages shipped to the executors."""

import os
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

import pyspark

import evaluator
import indexes
import jobs
from evaluator.errors import SetupError
from evaluator.printable import printable
from jobs.spark.environment import NAME, environment_archive
from jobs.spark.master import await_master
from jobs.spark.profile import ClusterProfile, mebibytes, shared
from jobs.spark.session import launch_environment
from jobs.spark.settings import check_settings

SLURM_MASTER = "spark://slurm:7077"
"""Stands for the master that a job of Slurm starts."""

SPARK_SUBMIT = Path(pyspark.__file__).parent / "bin" / "spark-submit"
_TOLD = (0, 2, 130, 143)  # exit codes with which a job has said itself how it ended
_PATIENCE = 15.0  # seconds; Spark takes a few to stop
# What Java tells of an error beside the error: it is told in one line.
_TRACE = re.compile(r"^(\s+at \S+\(|\s*\.\.\. \d+ more|Caused by: |Exception in thread )")
_ERROR = re.compile(
    r"^(?:Exception in thread \"[^\"]*\" |Caused by: )?[\w.$]+(?:Exception|Error): (.+)"
)


class Submission(NamedTuple):
    """What is asked of spark-submit.

    Attributes
    ----------
    master
        Spark master URL.
    options
        Arguments before the job's own.
    environment
        Variables of the environment, beside those that are set.
    """

    master: str
    options: Sequence[str]
    environment: Mapping[str, str]


def submission(
    name: str,
    *,
    master: str | None = None,
    profile: ClusterProfile | None = None,
    settings: Mapping[str, str],
    index_memory: str,
    archives: Path,
    storage: bool = False,
    dry: bool = False,
) -> Submission:
    """Return how a job is submitted to a master, or to the cluster of a profile.

    Parameters
    ----------
    name
        Of the application.
    master, profile
        One of them.
    settings
        Spark settings; they win over the profile's.
    index_memory
        What each task holds of positions (``index.memory``).
    archives
        Folder of the archives of the environment, where a profile ships it.
    storage
        Whether workers fetch from a storage what they read.
    dry
        Do not pack an archive; its name has stars.

    Raises
    ------
    ConfigurationError
        Where memory is no size, or too little (:func:`jobs.spark.profile.shared`).
    SetupError
        Where the environment cannot be packed.
    """
    check_settings(settings)
    where = master or (profile and profile.master) or SLURM_MASTER
    options = {
        "spark.ui.showConsoleProgress": "false",
        "spark.ui.enabled": "false",  # its pages listen on all addresses
        # spark.pyspark.python is for the workers; it would be the driver's too.
        "spark.pyspark.driver.python": sys.executable,
    }
    arguments: list[str] = []
    if profile is not None:
        options |= _of_profile(profile, index_memory, storage=storage)
        if profile.ship:
            archive = archives / "distval-*.tar.gz" if dry else environment_archive(archives)
            arguments = ["--archives", f"{archive}#{NAME}"]
        options |= profile.settings
    options |= settings
    return Submission(
        where,
        [
            *("--master", where),
            *("--name", f"distval {name}"),
            *arguments,
            *(part for item in options.items() for part in ("--conf", "=".join(item))),
        ],
        launch_environment(where),
    )


def _of_profile(profile: ClusterProfile, index_memory: str, *, storage: bool) -> dict[str, str]:
    """Return the settings of Spark that a profile stands for."""
    local = profile.master.startswith("local")
    told = {"spark.executor.cores": str(profile.cores)}
    if not local:  # of local-cluster the master's URL has the sizes
        memory = shared(profile.memory, profile.cores, index_memory=index_memory, storage=storage)
        told |= {
            "spark.executor.memory": f"{memory.heap}m",
            "spark.executor.memoryOverhead": f"{memory.overhead}m",
            "spark.driver.memory": f"{mebibytes(profile.driver_memory)}m",
        }
        if profile.master.startswith("spark://") or profile.slurm is not None:
            told["spark.cores.max"] = str(profile.executors * profile.cores)
        else:
            told["spark.executor.instances"] = str(profile.executors)
    if profile.ship:
        told["spark.pyspark.python"] = f"./{NAME}/bin/python"
        if profile.python:
            told["spark.executorEnv.DISTVAL_PYTHON"] = profile.python
        if profile.master == "yarn":  # a container's Java starts where the archive is unpacked
            told["spark.executorEnv.JAVA_HOME"] = f"./{NAME}/java"
            told["spark.yarn.appMasterEnv.JAVA_HOME"] = f"./{NAME}/java"
    elif profile.python and not local:
        told["spark.pyspark.python"] = profile.python
    return told


def command_line(asked: Submission, job: Sequence[str], files: Path) -> list[str]:
    """Return the call of spark-submit.

    Parameters
    ----------
    asked
        Where to and how.
    job
        Arguments of ``distval`` in the cluster's driver.
    files
        The folder with what :func:`packed` writes.
    """
    shipped = ("--py-files", str(files / _PACKAGES), str(files / _ENTRY))
    return [str(SPARK_SUBMIT), *asked.options, *shipped, *job]


def as_shell(command: Sequence[str], environment: Mapping[str, str]) -> str:
    """Return a command as a shell takes it, with the variables that it needs before it."""
    variables = (f"{name}={shlex.quote(value)}" for name, value in sorted(environment.items()))
    return " ".join([*variables, shlex.join(command)])


_PACKAGES, _ENTRY = "distval.zip", "distval_run.py"


@contextmanager
def packed() -> Iterator[Path]:
    """Give out a folder with our packages and the job's entry, which goes with the block."""
    with tempfile.TemporaryDirectory(prefix="distval-submit-") as folder:
        pack_job(Path(folder))
        yield Path(folder)


def pack_job(folder: Path) -> None:
    """Write our packages and the job's entry into a folder."""
    pack(folder / _PACKAGES)
    (folder / _ENTRY).write_text("from jobs.cli import main\n\nmain()\n")


def run_submitted(asked: Submission, job: Sequence[str]) -> int:
    """Run a job through spark-submit, and return its exit code.

    What the job prints goes to the error stream. A signal that ends this process ends the job.

    Raises
    ------
    SetupError
        Where the master does not answer, spark-submit itself fails, or the job is killed.
    """
    await_master(asked.master)
    with packed() as files:
        process = subprocess.Popen(
            command_line(asked, job, files),
            env=os.environ | asked.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,  # spark-submit prints both streams of the job on one
            text=True,
            errors="replace",
            start_new_session=True,
        )
        try:
            assert process.stdout is not None
            relayed = relay(process.stdout)
            code = process.wait()
        except BaseException:
            _end(process)
            raise
        finally:
            assert process.stdout is not None
            process.stdout.close()
    return exit_code(code, relayed, killed="the job was killed, perhaps for want of memory")


def exit_code(code: int, relayed: "Relayed", *, killed: str) -> int:
    """Return the exit code of a job that has said itself how it ended.

    Raises
    ------
    SetupError
        Where it has not: with the error of spark-submit, or `killed` and what to do.
    """
    if code in _TOLD or (code == 1 and relayed.traceback):
        return code
    if code == 1 and relayed.failure is not None:
        raise SetupError(f"spark-submit: {relayed.failure}")
    raise SetupError(f"{killed} (exit code {code}): submit it again; what was finished is kept")


class Relayed(NamedTuple):
    """What a job has printed: the error that Java tells of, and whether Python tells of one."""

    failure: str | None
    traceback: bool


def relay(lines: Iterable[str]) -> Relayed:
    """Pass on the lines that a job prints to the error stream, without Java's traces."""
    failure = None
    told = traceback = False
    for line in lines:
        told |= line.startswith("distval: ")
        traceback |= line.startswith("Traceback ")
        if found := _ERROR.match(line):
            failure = failure or found[1].strip()
        elif not _TRACE.match(line):
            sys.stderr.write(printable(line))
            sys.stderr.flush()
    return Relayed(None if told else failure, traceback)


def _end(process: "subprocess.Popen[str]") -> None:
    """End a job and all processes that it started."""
    for number, seconds in ((signal.SIGTERM, _PATIENCE), (signal.SIGKILL, _PATIENCE)):
        with suppress(ProcessLookupError):
            os.killpg(process.pid, number)
        with suppress(subprocess.TimeoutExpired):
            process.wait(seconds)
            break
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def pack(out: Path) -> None:
    """Write our packages, with their data, as one zip file that Python imports from."""
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for package in (evaluator, indexes, jobs):
            folder = Path(package.__path__[0])
            for file in sorted(folder.rglob("*")):
                if file.is_file() and "__pycache__" not in file.parts:
                    archive.write(file, file.relative_to(folder.parent))

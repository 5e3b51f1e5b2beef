"""A job of Slurm that starts a standalone Spark on its nodes and runs a configuration there."""

import re
import shlex
import shutil
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import chain
from pathlib import Path

from evaluator.errors import SetupError
from jobs.spark.profile import ClusterProfile, mebibytes
from jobs.spark.submission import (
    SLURM_MASTER,
    SPARK_SUBMIT,
    Submission,
    command_line,
    exit_code,
    pack_job,
    relay,
)

_MASTER = "org.apache.spark.deploy.master.Master"
_WORKER = "org.apache.spark.deploy.worker.Worker"
_MESSAGES, _SPARK = "messages.txt", "spark.txt"
_LOOK = 0.5  # seconds between two looks at what a job says


def slurm_script(
    profile: ClusterProfile, asked: Submission, job: Sequence[str], files: Path, *, name: str
) -> str:
    """Return the batch script for ``sbatch``.

    Master, workers and driver run with the Python, Spark and Java of this environment, which must
    be at the same path on the nodes, as must `files`.
    """
    assert profile.slurm is not None
    memory = mebibytes(profile.memory)
    asks = {
        # Quotes mean nothing in a comment.
        "job-name": re.sub(r"[^A-Za-z0-9_.-]", "_", f"distval-{name}"),
        "nodes": profile.executors,
        "ntasks-per-node": 1,
        "cpus-per-task": profile.cores,
        "mem": f"{memory}M",
        "time": profile.slurm.time,
        "partition": profile.slurm.partition,
        "account": profile.slurm.account,
        "output": files / _MESSAGES,
        "open-mode": "truncate",
    }
    spark = shlex.quote(str(SPARK_SUBMIT.parent / "spark-class"))
    command = command_line(asked, job, files)
    master = command.index(SLURM_MASTER)
    before, after = shlex.join(command[:master]), shlex.join(command[master + 1 :])
    call = f'{before} "spark://$host:$port" {after}'
    log = shlex.quote(str(files / _SPARK))
    lines = [
        "#!/bin/bash",
        *(f"#SBATCH --{key}={shlex.quote(str(value))}" for key, value in asks.items() if value),
        "set -eu",
        *(f"export {key}={shlex.quote(of)}" for key, of in sorted(asked.environment.items())),
        "host=$(hostname)",
        "port=$((20000 + SLURM_JOB_ID % 10000))",  # two jobs may share a node
        "trap 'kill $(jobs -p) 2>/dev/null || true' EXIT",
        f'{spark} {_MASTER} --host "$host" --port "$port" --webui-port 0 >{log} 2>&1 &',
        f"srun --kill-on-bad-exit=0 {spark} {_WORKER} --webui-port 0 --cores {profile.cores} "
        f'--memory {memory}M "spark://$host:$port" >>{log} 2>&1 &',
        call,
    ]
    return "".join(f"{line}\n" for line in lines)


def beside_run(run: Path) -> Path:
    """Return the folder for what a job needs and says, on the storage that the nodes share."""
    return run.with_name(f".{run.name}.submitted")


def run_in_slurm(
    profile: ClusterProfile, asked: Submission, job: Sequence[str], files: Path, *, name: str
) -> int:
    """Run a job in Slurm and return its exit code; what it says goes to the error stream.

    A signal that ends this process ends the job.

    Parameters
    ----------
    files
        A folder on the storage that all nodes share, for what the job needs and says.

    Raises
    ------
    SetupError
        Where there is no Slurm, it does not take the job, or the job is ended from outside.
    """
    if shutil.which("sbatch") is None:
        raise SetupError("there is no sbatch here: submit from a machine of the Slurm cluster")
    files.mkdir(parents=True, exist_ok=True)
    pack_job(files)
    script, messages = files / "job.sh", files / _MESSAGES
    script.write_text(slurm_script(profile, asked, job, files, name=name))
    messages.unlink(missing_ok=True)
    with subprocess.Popen(
        ["sbatch", "--wait", "--parsable", str(script)],
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,  # Ctrl-C is ours to pass on
    ) as waiting:
        assert waiting.stdout is not None
        number = waiting.stdout.readline().strip().partition(";")[0]
        if not number:
            raise SetupError("Slurm did not take the job")
        try:
            taken = f"job {number} of Slurm; {files} has what it says\n"
            relayed = relay(chain([taken], _lines(waiting, messages)))
            code = waiting.wait()
        except BaseException:
            subprocess.run(["scancel", number], check=False)
            raise
    killed = f"job {number} of Slurm was ended, perhaps for want of time or memory"
    return exit_code(code, relayed, killed=killed)


def _lines(waiting: subprocess.Popen[str], messages: Path) -> Iterator[str]:
    """Yield the lines that a job writes into a file, until it ends."""
    place, cut, ended = 0, "", False
    while not ended:
        ended = waiting.poll() is not None
        with suppress(FileNotFoundError), messages.open(encoding="utf-8", errors="replace") as file:
            file.seek(place)
            *lines, cut = (cut + file.read()).split("\n")
            place = file.tell()
            yield from (f"{line}\n" for line in lines)
        if not ended:
            time.sleep(_LOOK)
    if cut:
        yield f"{cut}\n"

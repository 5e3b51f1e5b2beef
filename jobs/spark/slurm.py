"""A job of Slurm that starts a standalone Spark on its nodes and runs a configuration there."""

import re
import shlex
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from evaluator.errors import SetupError
from jobs.spark.profile import ClusterProfile, mebibytes
from jobs.spark.submission import SLURM_MASTER, SPARK_SUBMIT, Submission, command_line

_MASTER = "org.apache.spark.deploy.master.Master"
_WORKER = "org.apache.spark.deploy.worker.Worker"


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
    }
    spark = shlex.quote(str(SPARK_SUBMIT.parent / "spark-class"))
    command = command_line(asked, job, files)
    master = command.index(SLURM_MASTER)
    before, after = shlex.join(command[:master]), shlex.join(command[master + 1 :])
    call = f'{before} "spark://$host:7077" {after}'
    lines = [
        "#!/bin/bash",
        *(f"#SBATCH --{key}={shlex.quote(str(value))}" for key, value in asks.items() if value),
        "set -eu",
        *(f"export {key}={shlex.quote(of)}" for key, of in sorted(asked.environment.items())),
        "host=$(hostname)",
        "trap 'kill $(jobs -p) 2>/dev/null || true' EXIT",
        f'{spark} {_MASTER} --host "$host" --port 7077 --webui-port 0 &',
        f"srun --kill-on-bad-exit=0 {spark} {_WORKER} --webui-port 0 --cores {profile.cores} "
        f'--memory {memory}M "spark://$host:7077" &',
        call,
    ]
    return "".join(f"{line}\n" for line in lines)


def sbatch(script: Path) -> int:
    """Give a script to Slurm, wait for the job to end, and return its exit code.

    Raises
    ------
    SetupError
        Where there is no Slurm.
    """
    if shutil.which("sbatch") is None:
        raise SetupError("there is no sbatch here: submit from a machine of the Slurm cluster")
    return subprocess.run(["sbatch", "--wait", str(script)], stdout=2, check=False).returncode

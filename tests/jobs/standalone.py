"""A standalone cluster of Spark on loopback: a master and two workers as processes of their own."""

import os
import socket
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pyspark

from jobs.spark.session import launch_environment
from tests.jobs.sample_runs import SMALL

_CLASS = Path(pyspark.__file__).parent / "bin" / "spark-class"
_DEPLOY = "org.apache.spark.deploy"


class Cluster(NamedTuple):
    """A cluster: a profile of it, and the processes of its master and its workers."""

    profile: Path
    processes: list[int]


@contextmanager
def standalone(folder: Path, *, of_worker: Sequence[str] = ()) -> Iterator[Cluster]:
    """Start a cluster, and end it with the block.

    Parameters
    ----------
    folder
        For logs and the profile.
    of_worker
        The command that runs a worker, which stands after it.
    """
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        port = int(listening.getsockname()[1])
    environment = os.environ | launch_environment("yarn")
    environment |= {"SPARK_LOCAL_IP": "127.0.0.1", "SPARK_WORKER_DIR": str(folder / "work")}
    master = f"spark://127.0.0.1:{port}"
    worker = (f"{_DEPLOY}.worker.Worker", "--cores", "1", "--memory", "2G", master)
    parts: list[list[str]] = [
        [
            *(str(_CLASS), f"{_DEPLOY}.master.Master"),
            *("--host", "127.0.0.1", "--port", str(port)),
        ],
        *([*of_worker, str(_CLASS), *worker],) * 2,
    ]
    started = []
    for part in parts:
        with (folder / f"{len(started)}.log").open("wb") as log:
            command = [*part, "--webui-port", "0"]
            started.append(subprocess.Popen(command, env=environment, stdout=log, stderr=log))
    path = folder / "loopback.toml"
    settings = "\n".join(f'"{name}" = "{value}"' for name, value in SMALL.items())
    path.write_text(
        f'master = "{master}"\nexecutors = 2\ncores = 1\nmemory = "3500MB"\n'
        f'driver_memory = "1500MB"\n[settings]\n{settings}\n'
    )
    try:
        yield Cluster(path, [process.pid for process in started])
    finally:
        for process in started:
            process.terminate()
        for process in started:
            process.wait(60)

"""A small job before a large one: what each slot of a cluster has, told by host.

A barrier stage starts one task in every slot at the same time, so that no executor is passed over.
"""

import os
import platform
import shutil
import socket
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from pyspark import SparkContext
from pyspark.taskcontext import BarrierTaskContext

from evaluator.errors import DistvalError, SetupError
from indexes import jvm
from jobs.spark.fetching import Probe
from jobs.spark.waiting import executors

_PACKAGES = ("duckdb", "jnius", "marisa_trie", "numpy", "orjson", "pyarrow", "pydantic", "scipy")
_EXECUTORS = 60.0  # seconds that executors are waited for


def look_at_cluster(
    context: SparkContext, paths: Mapping[str, str], storage: Probe | None = None
) -> list[dict[str, Any]]:
    """Return what each slot of the cluster has.

    Parameters
    ----------
    context
        Of a session with a cluster.
    paths
        Folders that tasks must read, by what they are; of an index the shards are looked at.
    storage
        A file of the storage that tasks must fetch, and a folder there that they must write.

    Raises
    ------
    SetupError
        Where no executor comes.
    """
    end = time.monotonic() + _EXECUTORS
    while executors(context) == 0:
        if time.monotonic() > end:
            raise SetupError(
                f"no executor started within {_EXECUTORS:g} s: the cluster may lack the cores or "
                "the memory that is asked for"
            )
        time.sleep(0.5)
    time.sleep(2)  # for those that come a little later
    slots = int(context.defaultParallelism)
    wanted = dict(paths)

    def task(_: Iterable[int]) -> Iterator[dict[str, Any]]:
        BarrierTaskContext.get().barrier()
        yield look_here(wanted, storage)

    found: list[dict[str, Any]] = (
        context.parallelize(range(slots), slots).barrier().mapPartitions(task).collect()
    )
    return found


def look_here(paths: Mapping[str, str], storage: Probe | None = None) -> dict[str, Any]:
    """Return what this process has, and what is wrong with it in ``problems``."""
    problems = [f"no package {name}" for name in _PACKAGES if find_spec(name) is None]
    told: dict[str, Any] = {"host": socket.gethostname(), "python": platform.python_version()}
    told["java"] = told["lucene"] = None
    try:
        told["java"] = jvm.java_version(jvm.java_home())
        with jvm.running() as java:
            version = java.autoclass("org.apache.lucene.util.Version").LATEST.toString()
            told["lucene"] = str(version)
    except (DistvalError, ImportError) as error:
        problems.append(" ".join(str(error).split()))
    for what, path in paths.items():
        problems += _unreadable(what, Path(path))
    if storage is not None:
        problems += storage.problems()
    told["free_disk"] = shutil.disk_usage(Path.cwd()).free
    told["memory"] = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    told["problems"] = problems
    return told


def _unreadable(what: str, folder: Path) -> Iterator[str]:
    """Yield what of a folder cannot be read here: the first file of it and of each shard."""
    try:
        parts = [folder, *sorted(folder.glob("shard-*"))]
        for part in parts:
            file = next((f for f in sorted(part.iterdir()) if f.is_file()), None)
            if file is not None:
                with file.open("rb") as stream:
                    stream.read(1)
    except OSError as error:
        yield f"{what} {error.filename or folder}: {error.strerror}"


def by_host(found: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return what the slots of each host have in common, and every problem once."""
    hosts: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for one in found:
        hosts[one["host"]].append(one)
    return [
        {
            **slots[0],
            "slots": len(slots),
            "free_disk": min(one["free_disk"] for one in slots),
            "problems": sorted({problem for one in slots for problem in one["problems"]}),
        }
        for _, slots in sorted(hosts.items())
    ]

"""A cluster whose nodes see nothing of the machine that submits: they share a storage alone.

The workers run in a mount namespace of their own, in which the folders of run, knowledge base,
index and input are empty. The storage is named by a URL that only Hadoop, as the profile sets it
up, can open.
"""

import json
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.jobs.sample_runs import CONF, SAMPLE, of_sample, run
from tests.jobs.standalone import Cluster, standalone
from tests.jobs.victims import process_of_sample

pytestmark = pytest.mark.slow

_UNSHARE = ("unshare", "--map-root-user", "--mount")
_LONGEST = 900  # seconds; a loaded machine takes minutes
_URL = "viewfs://shared/distval"
_TABLE = "spark.hadoop.fs.viewfs.mounttable.shared.link./distval"


@pytest.fixture(scope="module")
def shared() -> Iterator[Path]:
    """Make the folder that the nodes share with this machine."""
    folder = Path(tempfile.mkdtemp(prefix="distval-storage-"))
    yield folder
    shutil.rmtree(folder)


@pytest.fixture(scope="module")
def cluster(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """Start a cluster whose workers see empty folders where this machine has its own."""
    hidden = f"mount -t tmpfs none {tmp_path_factory.getbasetemp()} && "
    hidden += f'mount -t tmpfs none {SAMPLE} && exec "$@"'
    tried = subprocess.run(
        [*_UNSHARE, "sh", "-c", hidden, "sh", "true"], capture_output=True, text=True, check=False
    )
    if tried.returncode:
        pytest.skip(f"no mount namespace here: {tried.stderr.strip()}")
    of_worker = (*_UNSHARE, "sh", "-c", hidden, "sh")
    with standalone(tmp_path_factory.mktemp("cluster"), of_worker=of_worker) as started:
        with started.profile.open("a") as profile:
            profile.write(f'"{_TABLE}" = "{shared.as_uri()}"\n')
        yield started


@pytest.fixture(scope="module")
def oracle(evidence: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Return the result of this machine alone, by Spark."""
    made = tmp_path_factory.mktemp("oracle") / "run"
    found = run(of_sample(evidence, made, "engine=local"))
    return dict(json.loads(json.dumps(found)))


def submitted(
    cluster: Cluster, evidence: Path, run: Path, storage: str | Path
) -> "subprocess.Popen[str]":
    """Submit the sample, whose stages are made in some ten parts or more."""
    of_run = ("--set=spark.partitions=2", "--set=part_rows=90", f"--storage={storage}")
    return process_of_sample("submit", evidence, run, f"--profile={cluster.profile}", *of_run)


def ended(process: "subprocess.Popen[str]") -> tuple[dict[str, Any], str]:
    """Return the result and what was told on the way."""
    out, err = process.communicate(timeout=_LONGEST)
    assert process.returncode == 0, err
    return json.loads(out), err


def doctor(cluster: Cluster, evidence: Path, *options: str) -> tuple[int, list[str]]:
    """Return the doctor's exit code and the problems that it finds."""
    places = [f"--set=kb.path={evidence / 'kb'}", f"--set=index.path={evidence / 'index'}"]
    of_cluster = (f"--profile={cluster.profile}", f"--conf={CONF}")
    main = (sys.executable, "-c", "from jobs.cli import main; main()")
    done = subprocess.run(
        [*main, "doctor", *of_cluster, *places, *options, "--json"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode in (0, 1), done.stderr
    return done.returncode, [one for host in json.loads(done.stdout) for one in host["problems"]]


def test_nodes_see_nothing_of_this_machine_but_the_storage(
    cluster: Cluster, evidence: Path, oracle: dict[str, Any], shared: Path
) -> None:
    code, problems = doctor(cluster, evidence)
    assert code == 1
    assert {problem.partition(" ")[0] for problem in problems} == {"kb", "index"}
    assert doctor(cluster, evidence, f"--set=spark.storage={_URL}") == (0, [])
    assert not list((shared / "runs").iterdir())


def test_a_storage_of_this_machine_alone_ends_the_run_in_one_line(
    cluster: Cluster, evidence: Path, oracle: dict[str, Any], tmp_path: Path
) -> None:
    process = submitted(cluster, evidence, tmp_path / "run", tmp_path / "not-shared")
    _, err = process.communicate(timeout=_LONGEST)
    assert process.returncode == 2, err
    told = err.strip().splitlines()[-1]
    assert told.startswith(f"distval: a worker cannot use the storage file://{tmp_path}/not-shared")
    assert not list((tmp_path / "not-shared" / "runs").iterdir())


def test_a_killed_run_goes_on_and_the_next_finds_the_evidence(
    cluster: Cluster, evidence: Path, oracle: dict[str, Any], shared: Path, tmp_path: Path
) -> None:
    first = tmp_path / "first"
    process = submitted(cluster, evidence, first, _URL)
    while process.poll() is None and not list(first.glob(".annotate.parts/*/*/*.parquet")):
        time.sleep(0.02)
    process.send_signal(signal.SIGTERM)
    _, err = process.communicate(timeout=_LONGEST)
    assert process.returncode == 143, err
    found, told = ended(submitted(cluster, evidence, first, _URL))
    assert found == oracle
    assert "parts kept" in told
    assert not list((shared / "runs").iterdir())

    found, told = ended(submitted(cluster, evidence, tmp_path / "second", _URL))
    assert found == oracle
    assert "spark: copies" not in told


def test_a_path_that_nodes_mount_is_a_storage_too(
    cluster: Cluster, evidence: Path, oracle: dict[str, Any], shared: Path, tmp_path: Path
) -> None:
    found, told = ended(submitted(cluster, evidence, tmp_path / "run", shared / "mounted"))
    assert found == oracle
    assert "spark: copies shard-00002 (" in told
    copied = [folder.name.rpartition("-")[0] for folder in (shared / "mounted/evidence").iterdir()]
    shards = {f"shard-{number:05d}" for number in range(3)}
    assert set(copied) == {"dictionary", "entities", "ids", "triples"} | shards

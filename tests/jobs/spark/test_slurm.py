"""A real Slurm on loopback: a controller and two nodes, each a process of its own.

Debian's package slurm-wlm has all that it takes. It needs root, as Slurm's nodes do.
"""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.jobs.sample_runs import CONF, SMALL
from tests.jobs.spark.test_cluster import oracle as oracle
from tests.jobs.spark.test_cluster import result_of
from tests.jobs.victims import process_of_sample

_DAEMONS = ("slurmctld", "slurmd")
# Debian's folders of programs for the administrator may not be on the path.
_PATH = f"{os.environ['PATH']}:/usr/sbin:/sbin"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        any(shutil.which(name, path=_PATH) is None for name in _DAEMONS) or os.getuid() != 0,
        reason="needs Slurm (Debian's slurm-wlm) and root",
    ),
]


def _free_ports(number: int) -> list[int]:
    open_ = [socket.socket() for _ in range(number)]
    for one in open_:
        one.bind(("127.0.0.1", 0))
    ports = [int(one.getsockname()[1]) for one in open_]
    for one in open_:
        one.close()
    return ports


@pytest.fixture(scope="module")
def slurm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Start a cluster and return its profile."""
    folder = tmp_path_factory.mktemp("slurm")
    (folder / "state").mkdir()
    host = socket.gethostname().partition(".")[0]
    controller, *nodes = _free_ports(3)
    settings = {
        "ClusterName": "small", "SlurmctldHost": f"{host}(127.0.0.1)", "SlurmUser": "root",
        "AuthType": "auth/none", "CredType": "cred/none", "MpiDefault": "none",
        "ProctrackType": "proctrack/linuxproc", "TaskPlugin": "task/none",
        "SelectType": "select/cons_tres", "SelectTypeParameters": "CR_Core",
        "SwitchType": "switch/none", "JobAcctGatherType": "jobacct_gather/none",
        "AccountingStorageType": "accounting_storage/none",
        "SlurmctldPort": controller, "SlurmctldPidFile": folder / "controller.pid",
        "SlurmctldLogFile": folder / "controller.log", "StateSaveLocation": folder / "state",
        "SlurmdPidFile": folder / "%n.pid", "SlurmdLogFile": folder / "%n.log",
        "SlurmdSpoolDir": folder / "spool-%n", "KillWait": 5,
    }  # fmt: skip
    lines = [f"{name}={value}" for name, value in settings.items()]
    lines += [
        f"NodeName=n{number} NodeHostname={host} NodeAddr=127.0.0.1 Port={port} CPUs=2 "
        "RealMemory=8000 State=UNKNOWN"
        for number, port in enumerate(nodes)
    ]
    lines.append("PartitionName=main Nodes=ALL Default=YES State=UP")
    conf = folder / "slurm.conf"
    conf.write_text("\n".join(lines) + "\n")
    profile = folder / "loopback.toml"
    small = "\n".join(f'"{name}" = "{value}"' for name, value in SMALL.items())
    profile.write_text(
        'executors = 2\ncores = 1\nmemory = "3GB"\ndriver_memory = "1500MB"\n'
        f'[slurm]\ntime = "00:20:00"\n[settings]\n{small}\n'
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SLURM_CONF", str(conf))
        patch.setenv("PATH", _PATH)
        calls = [["slurmctld", "-D"], *(["slurmd", "-D", "-N", f"n{n}"] for n in range(2))]
        quiet = subprocess.DEVNULL  # they have logs
        started = [subprocess.Popen([*call, "-f", str(conf)], stderr=quiet) for call in calls]
        _until(lambda: _said("sinfo", "-h", "-t", "idle", "-o", "%D") == "2")
        yield profile
        for process in reversed(started):
            process.terminate()
        for process in started:
            process.wait(60)


def _said(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()


def _until(is_so: Callable[[], bool], seconds: float = 120) -> None:
    end = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.5)


def test_a_job_of_slurm_gives_what_one_machine_does(slurm, evidence, oracle, tmp_path):
    run = tmp_path / "run"
    process = process_of_sample("submit", evidence, run, f"--profile={slurm}")
    assert result_of(process) == oracle
    assert _said("squeue", "-h") == ""
    messages = (tmp_path / ".run.submitted" / "messages.txt").read_text()
    assert "engine spark: the run was submitted to a cluster" in messages
    # What the run said is told once more by the command itself.
    again = process_of_sample("submit", evidence, run, f"--profile={slurm}")
    assert result_of(again) == oracle


def test_a_job_that_fails_tells_its_own_line(slurm, evidence, tmp_path):
    process = process_of_sample(
        "submit", evidence, tmp_path / "run", f"--profile={slurm}", '--set=systems=["a=tabbed:no"]'
    )
    _, err = process.communicate(timeout=600)
    assert process.returncode == 2
    assert [line for line in err.splitlines() if line.startswith("distval: ")] == [
        f"distval: {CONF.parents[1] / 'no'}: no such file"
    ]


def test_ctrl_c_ends_the_job(slurm, evidence, tmp_path):
    process = process_of_sample("submit", evidence, tmp_path / "run", f"--profile={slurm}")
    _until(lambda: _said("squeue", "-h", "-t", "running") != "")
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert err.splitlines()[-1].startswith("distval: interrupted; run the same command again")
    _until(lambda: _said("squeue", "-h") == "")


def test_a_job_that_is_cancelled_is_told(slurm, evidence, tmp_path):
    process = process_of_sample("submit", evidence, tmp_path / "run", f"--profile={slurm}")
    _until(lambda: _said("squeue", "-h", "-t", "running") != "")
    _said("scancel", "--state=RUNNING", "--user=root")
    _, err = process.communicate(timeout=120)
    assert process.returncode == 2
    assert "of Slurm was ended, perhaps for want of time or memory" in err.splitlines()[-1]


def test_every_slot_is_looked_at_before_a_run(slurm, evidence, oracle, tmp_path):
    places = {"run": tmp_path / "run", "kb.path": evidence / "kb", "index.path": evidence / "index"}
    process = subprocess.run(
        [
            *(sys.executable, "-m", "distval", "doctor", "--json", f"--profile={slurm}"),
            *(f"--conf={CONF}", *(f"--set={name}={path}" for name, path in places.items())),
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.returncode == 0, process.stderr
    assert oracle  # with which the evidence is there
    [host] = json.loads(process.stdout)
    assert (host["slots"], host["problems"]) == (2, [])

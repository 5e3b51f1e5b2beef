"""What reaches the terminal and the pipe: shown controls, closed pipes, signals at any time."""

import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from jobs.data.catalogue import catalogue
from tests.jobs.commands import command, refused
from tests.jobs.sample_runs import SMALL_TOO

ROOT = Path(__file__).parents[3]
FRIENDLY = "run the same command again: what was finished is kept"
type Start = Callable[..., subprocess.Popen[str]]

HOSTILE = "\x1b]0;owned\x07\u202e"


@pytest.fixture
def started() -> Iterator[Start]:
    """Start a command in a group of its own; none of it outlives the test."""
    groups = []

    def start(*arguments: object) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, "-c", "from jobs.cli import main; main()", *map(str, arguments)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            start_new_session=True,
        )
        groups.append(process.pid)
        return process

    yield start
    for group in groups:
        with suppress(ProcessLookupError):
            os.killpg(group, signal.SIGKILL)


def listens(process: int) -> None:
    """Wait until a process handles SIGTERM, which Python by itself does not."""
    for _ in range(500):
        status = Path(f"/proc/{process}/status").read_text()
        (caught,) = (line.split()[1] for line in status.splitlines() if line.startswith("SigCgt"))
        if int(caught, 16) >> (signal.SIGTERM - 1) & 1:
            return
        time.sleep(0.01)
    raise TimeoutError(process)


def is_gone(group: int) -> bool:
    """Tell whether no process of a group is left after some seconds."""
    for _ in range(50):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.1)
    return False


def test_what_files_hold_is_shown_and_not_obeyed(tmp_path: Path) -> None:
    sheet = tmp_path / "labels.tsv"
    rows = [f"a\tr\tb\ttrue\t{rater}" for rater in (f"ann{HOSTILE}", "ben")]
    sheet.write_text("\n".join(["e1\tr\te2\tlabel\trater", *rows, f"{HOSTILE}\tr"]) + "\n")
    plain = command("agree", sheet)
    line = refused("agree", sheet, "--annotator", f"who{HOSTILE}\nelse")
    for text in (plain.out, plain.err, line, command("agree", sheet, "--json").out):
        assert not {"\x1b", "\x07", "\u202e"} & set(text)
    assert r"ann\x1b]0;owned\x07\u202e" in plain.out.replace("\n", "")
    assert r"who\x1b]0;owned\x07\u202e else" in line
    output = tmp_path / f"a{HOSTILE}\nb.tabbed"
    output.write_text(f"A met B .\t0.5\tmet\tA\tB\n{HOSTILE}A met B .\tmet\n")
    told = command("convert", output, "--from", "tabbed", "--out", tmp_path / "out.jsonl")
    assert told.code == 0, told
    assert r"\x1b]0;owned\x07\u202eA met B" in told.out + told.err
    assert not {"\x1b", "\x07", "\u202e"} & set(told.out + told.err)
    output.unlink()
    assert refused("convert", output, "--out", tmp_path / "out.jsonl").endswith(": no such file")


def test_one_place_writes_to_the_terminal() -> None:
    """Where ``printable`` is called; a command line has no other way out."""
    write = re.compile(
        r"(?<![\w.])(?<!def )print\(|typer\.(?:echo|secho)\(|sys\.(?:stdout|stderr)\.write\("
    )
    found = Counter(
        str(file.relative_to(ROOT))
        for folder in ("evaluator", "indexes", "jobs")
        for file in (ROOT / folder).rglob("*.py")
        for line in file.read_text().splitlines()
        if write.search(line) and ">>>" not in line
    )
    assert found == {
        "jobs/cli/__init__.py": 1,  # that a command was stopped
        "jobs/cli/app.py": 1,  # the version
        "jobs/cli/output.py": 1,
        "jobs/cli/report.py": 1,  # a table of a paper, printable
        "jobs/cli/running.py": 1,  # the help of a group of commands
        "jobs/spark/submission.py": 1,  # what a submitted job says, printable
        "jobs/spark/waiting.py": 1,  # that a cluster gives nothing
    }


@pytest.mark.parametrize("arguments", [["--help"], ["data", "list"], ["data", "list", "--json"]])
def test_a_closed_pipe_ends_a_command_as_it_ends_others(arguments: list[str]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [sys.executable, "-c", "from jobs.cli import main; main()", *arguments],
        stdout=writing,
        stderr=subprocess.PIPE,
        cwd=ROOT,
        check=False,
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (128 + signal.SIGPIPE, b"")


@pytest.mark.parametrize(
    ("number", "code", "word"),
    [(signal.SIGINT, 130, "interrupted"), (signal.SIGTERM, 143, "terminated")],
)
@pytest.mark.parametrize("seconds", [0.0, 0.7, 3.5])  # importing, starting, in processes
def test_a_signal_is_told_in_one_line(
    started: Start, number: signal.Signals, code: int, word: str, seconds: float
) -> None:
    arguments = ["simulate", "counts", "--replicates", 1_000_000, "--processes", 2]
    process = started(*arguments)
    listens(process.pid)
    time.sleep(seconds)
    os.killpg(process.pid, number)  # as a terminal sends it: to all of them
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (code, "")
    assert err == f"distval: {word}; {FRIENDLY}\n"
    assert is_gone(process.pid)


_AT_A_BAD_MOMENT = """
import os, signal, threading
import jobs.cli, jobs.cli.running

class Late:
    def __del__(self):
        signal.raise_signal(signal.SIGINT)  # Python lets it interrupt no more than this

def destructor():
    Late()
    threading.Event().wait()

def lock():
    taken = threading.Lock()
    taken.acquire()
    try:
        signal.raise_signal(signal.SIGINT)
    finally:
        taken.acquire()

jobs.cli.running.run = {moment}
jobs.cli._PATIENCE = {patience}
jobs.cli.main()
"""


@pytest.mark.parametrize(("moment", "patience"), [("destructor", 600), ("lock", 0.5)])
def test_an_interruption_that_comes_to_nothing_ends_the_command(
    moment: str, patience: float
) -> None:
    script = _AT_A_BAD_MOMENT.format(moment=moment, patience=patience)
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout) == (130, "")
    assert done.stderr == f"distval: interrupted; {FRIENDLY}\n"


@pytest.mark.jvm
@pytest.mark.parametrize(("engine", "seconds"), [("local", 0.0), ("spark", 1.0)])
def test_a_stage_is_stopped_in_one_line_and_goes_on(
    started: Start, tmp_path: Path, engine: str, seconds: float
) -> None:
    run = tmp_path / "run"
    places = [f"run={run}", f"kb.path={tmp_path / 'kb'}", f"index.path={tmp_path / 'index'}"]
    places.append(SMALL_TOO)
    settings = [part for place in places for part in ("--set", place)]
    process = started("run", "conf/demo.toml", "--engine", engine, *settings)
    assert process.stderr is not None
    before = []
    for line in process.stderr:
        before.append(line)
        if "superset …" in line:
            break
    time.sleep(seconds)
    os.killpg(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=120)
    under_way = (" …", "the setting engine")
    told = [line for line in err.splitlines() if not line.endswith(under_way)]
    assert process.returncode == 130
    assert told == [f"distval: interrupted; {FRIENDLY}"]
    assert (run / "read" / "_stage.json").is_file()


def test_a_missing_file_of_a_data_set_names_what_brings_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DISTVAL_DATA", str(tmp_path))
    for name, data_set in catalogue().items():
        path = tmp_path / data_set.files[0].path
        line = refused("convert", path, "--from", "tabbed", "--out", tmp_path / "out")
        assert line.endswith(f"; distval data fetch {name} brings it")
    line = refused("data", "factbench", "--out", tmp_path / "out.tsv")
    assert "distval data fetch factbench brings it" in line
    conf = tmp_path / "conf.toml"
    conf.write_text(
        'name = "n"\nrun = "run"\nsystems = ["a=tabbed:${DISTVAL_DATA}/gold/carb/a.txt"]\n'
        'corpus.sentences = "conf.toml"\nkb.path = "kb"\nindex.path = "index"\n'
    )
    assert "distval data fetch carb brings it" in refused("run", conf)
    assert "brings it" not in refused("convert", tmp_path / "mine", "--out", tmp_path / "out")

"""How fast the explorer's pages are on a run of a million facts.

The run is that of the embedded sample (conf/demo.toml), each of whose facts stands in it hundreds
of times, about entities and in sentences of its own; so do the extractions. The knowledge base has
these entities too. `distval serve` shows it in a process of its own, and each page is asked for
several times; one with a new search each time. Beside the seconds that an answer takes stand those
of the processor: on a machine that does other work they are what can be compared.

    .venv/bin/python benchmarks/explorer.py                      # makes the run first: two minutes
    .venv/bin/python benchmarks/explorer.py --run runs/demo      # or any finished run
    .venv/bin/python benchmarks/explorer.py --keep runs/million  # keeps what it makes
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from urllib.parse import urlencode

import duckdb
import requests

from indexes.sums import SUM, sealed, sums_of
from jobs.config import CONFIGURATION, Configuration
from jobs.run import pipeline
from jobs.rundir import STAMP

CONF = Path(__file__).parents[1] / "conf" / "demo.toml"
# What is another's in each copy, and the sentence's own text, which its evidence is counted in.
_COPIED = {
    "estimate/judged": {"e1": "e1 || s", "e2": "e2 || s"},
    "superset/facts": {"e1": "e1 || s", "e2": "e2 || s"},
    "superset/linked": {
        "e1": "e1 || s",
        "e2": "e2 || s",
        "document": "document || s",
        "line": "line + copy * 100000",
    },
    "annotate/sentences": {
        "document": "document || s",
        "key": "key || s",
        "mentions": '[{start: m.start, "end": m.end, entity: m.entity || s} for m in mentions]',
    },
    "read/extractions": {"key": "key || s", "line": "line + copy * 100000"},
}
_TIMES = 7


def main() -> None:
    """Make the run, and time pages."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--facts", type=int, default=1_000_000)
    parser.add_argument("--run", type=Path, help="a finished run instead of a made one")
    parser.add_argument("--keep", type=Path, help="where to make the run")
    options = parser.parse_args()
    with TemporaryDirectory() as scratch:
        run = options.run
        if run is None:
            run = million(options.keep or Path(scratch), options.facts)
        measure(run)


def million(folder: Path, facts: int) -> Path:
    """Make a run of so many facts below a folder, and return its directory."""
    run = folder / "run"
    if (run / "result.json").is_file():
        return run
    places = {"run": run, "kb.path": folder / "kb", "index.path": folder / "index"}
    settings = [f"{name}={place}" for name, place in places.items()]
    c = Configuration.load(CONF, overrides=[*settings, "engine=local"])
    pipeline.run(c)
    [(known,)] = duckdb.sql(f"select count(*) from '{run}/estimate/judged/*.parquet'").fetchall()
    copies = -(-facts // known)
    for name, changed in _COPIED.items():
        multiply(run / name, copies, changed)
    label = "coalesce(label, '') || replace(s, '~', ' ')"
    multiply(
        folder / "kb" / "entities", copies, {"entity": "entity || s", "label": label}, "entity"
    )
    for stamp in run.glob(f"*/{STAMP}"):
        told = json.loads(stamp.read_text())
        told.pop(SUM)
        told["files"] = sums_of(stamp.parent, but=STAMP)
        stamp.write_text(json.dumps(sealed(told)))
    assert (run / CONFIGURATION).is_file()
    return run


def multiply(table: Path, copies: int, changed: dict[str, str], order: str = "") -> None:
    """Put so many copies of the rows of a table in their place; `s` tells copies apart."""
    made = table.with_name(f"{table.name}.made")
    made.mkdir()
    replaced = ", ".join(f"{how} AS {name}" for name, how in changed.items())
    duckdb.sql(
        f"""COPY (
            SELECT * EXCLUDE (copy, s) REPLACE ({replaced}) FROM '{table}/*.parquet',
            (SELECT range AS copy, CASE WHEN range = 0 THEN '' ELSE '~' || range END AS s
             FROM range({copies}))
            {f"ORDER BY {order}" if order else ""}
        ) TO '{made}/part-00000.parquet' (FORMAT parquet, COMPRESSION zstd)"""
    )
    shutil.rmtree(table)
    made.rename(table)


@contextmanager
def served(run: Path) -> Iterator[tuple[str, float, int]]:
    """Serve a run; yield its address, the seconds until it answered, and its process."""
    begun = perf_counter()
    command = [Path(sys.executable).with_name("distval"), "serve", run, "--port", "0"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        address = server.stdout.readline().split()[0]
        yield address.rstrip("/"), perf_counter() - begun, server.pid
    finally:
        server.terminate()
        server.wait()


def processor(process: int) -> float:
    """Return the seconds of the processor that a process has had."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def measure(run: Path) -> None:
    """Print how long pages take."""
    judged = f"'{run}/estimate/judged/*.parquet'"
    [(facts,)] = duckdb.sql(f"select count(*) from {judged}").fetchall()
    stated = f"select e1, r, e2 from {judged} where len(systems) > 0 limit 1"
    [fact] = duckdb.sql(stated).fetchall()
    one = "/fact?" + urlencode(dict(zip(("e1", "r", "e2"), fact, strict=True)))
    system = Configuration.of_run(run).systems[0].name
    words = ["curie", "london", "wrote", "the", "president", "zzz", "river"]
    pages = {
        "first page": ["/"] * _TIMES,
        "second page": ["/?page=2"] * _TIMES,
        "page 10,000": ["/?page=10000"] * _TIMES,
        "search in names": [f"/?q={word}" for word in words],
        "search in sentences": [f"/?text={word}" for word in words],
        "a system's accepted facts": [f"/?system={system}&region=a"] * _TIMES,
        "highest scores": ["/?sort=highest+score"] * _TIMES,
        "least known entities": ["/?sort=least+known+entities"] * _TIMES,
        "verdict and score": ["/?verdict=accepted&least=0.5&sort=lowest+score"] * _TIMES,
        "one fact": [one] * _TIMES,
    }
    with served(run) as (address, started, process), requests.Session() as session:
        print(f"{facts:,} facts; the first answer after {started:.1f} s")
        print(f"{'page':28} {'first':>8} {'median':>8} {'slowest':>8} {'processor':>10}  seconds")
        for name, paths in pages.items():
            seconds, used = [], processor(process)
            for path in paths:
                begun = perf_counter()
                answer = session.get(address + path, timeout=60)
                seconds.append(perf_counter() - begun)
                assert answer.ok, (path, answer.status_code, answer.text)
            each = (processor(process) - used) / len(paths)
            told = (seconds[0], median(seconds), max(seconds))
            print(f"{name:28} " + " ".join(f"{of:8.3f}" for of in told) + f" {each:10.3f}")


if __name__ == "__main__":
    main()

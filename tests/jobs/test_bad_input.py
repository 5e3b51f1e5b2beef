"""Bad input, over every reader, the configuration, run directories and the command line.

Each case gets exit code 2 and one line that says what is wrong, and leaves no file behind and none
changed.
"""

import gzip
import json
import lzma
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from evaluator.readers import formats
from jobs.config import Configuration
from tests.jobs.commands import command, refused

SAMPLE = Path("conf/sample").resolve()
GOOD = "Ada Lovelace died in London .\t0.9\tdied in\tAda Lovelace\tLondon\n"
READERS = [name for name, one in formats().items() if one.KIND == "extractions"]


@pytest.fixture
def refuses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Return a check: what a command says of its arguments, and that it leaves all as it was."""
    monkeypatch.chdir(tmp_path)

    def content() -> dict[Path, bytes | None]:
        paths = tmp_path.rglob("*")
        return {path: path.read_bytes() if path.is_file() else None for path in paths}

    def check(*arguments: object, says: str) -> None:
        before = content()
        assert says in refused(*arguments)
        assert content() == before

    return check


# --- readers -------------------------------------------------------------------------------------

NO_TABLE = ("graphrag", "parquet")
NOTHING_OF_A_FORMAT = {
    "empty": (b"", "empty file", "damaged, or no table in Parquet"),
    "blank": (b"\n\n  \n", "nothing could be read", "damaged, or no table in Parquet"),
    "prose": (
        b"It rained in the night.\nNobody saw it.\n",
        "nothing could be read",
        "damaged, or no table in Parquet",
    ),
    "not UTF-8": (
        "Zürich liegt am See\n".encode("latin-1") * 3,
        "invalid UTF-8",
        "damaged, or no table in Parquet",
    ),
    "a PDF": (b"%PDF-1.4\n1 0 obj\n", "a PDF; extract its text first", "no table in Parquet"),
}


@pytest.mark.parametrize("kind", NOTHING_OF_A_FORMAT)
@pytest.mark.parametrize("reader", READERS)
def test_a_file_with_nothing_of_its_format(refuses, reader, kind):
    content, says, says_of_a_table = NOTHING_OF_A_FORMAT[kind]
    Path("given").write_bytes(content)
    says = says_of_a_table if reader in NO_TABLE else says
    refuses("convert", "given", "--from", reader, "--out", "out.jsonl", says=says)


PACKED = gzip.compress(GOOD.encode() * 5000)
FILES = {
    "no file": (None, "given: no such file"),
    "gzip by name only": (b"not packed", "given.gz"),
    "a cut gzip": (PACKED[:200], "damaged or cut archive"),
    "a cut xz": (lzma.compress(GOOD.encode() * 5000)[:90], "damaged or cut archive"),
    "a zip": (b"PK\x03\x04..", "a zip archive or a spreadsheet; unpack it"),
    "too few columns": (b"a\tb\n", "fewer than 4 columns, 'line 1: a\\tb'"),
    "Latin-1": (
        "Zürich liegt .\t0.9\tist\tZürich\tStadt\n".encode("latin-1"),
        "looks like Latin-1 or Windows-1252; convert it: iconv -f WINDOWS-1252 -t UTF-8",
    ),
    "no end of a line": (b"x" * 1000, "nothing could be read: fewer than 4 columns"),
}


@pytest.mark.parametrize("name", FILES)
def test_a_file_that_cannot_be_read(refuses, name):
    content, says = FILES[name]
    file = Path("given.gz" if "gzip" in name else "given.xz" if "xz" in name else "given")
    if content is not None:
        file.write_bytes(content)
    refuses("convert", file, "--from", "tabbed", "--out", "out.jsonl", says=says)


@pytest.mark.parametrize("reader", ["tabbed", "benchie", "stanford", "jsonl"])
def test_whole_records_are_kept_and_broken_ones_counted(tmp_path, reader):
    """One whole record and one that is none: one is written, one is told."""
    example = formats()[reader].EXAMPLE.splitlines()[0]
    (tmp_path / "given").write_text(f"{example}\nno record\n", encoding="utf-8")
    out = tmp_path / "out.jsonl"
    done = command("convert", tmp_path / "given", "--from", reader, "--out", out)
    assert done.code == 0, done.err
    assert len(out.read_text().splitlines()) == 1
    assert "1 │ line 2: no record" in done.out


# --- configurations ------------------------------------------------------------------------------

CONFIGURATION = f"""
name = "n"
run = "run"
systems = ["a=tabbed:{SAMPLE}/alpha.tabbed"]
[corpus]
sentences = "{SAMPLE}/sentences.jsonl"
format = "jsonl"
[kb]
path = "kb"
sources = ["{SAMPLE}/kb.nt"]
[index]
path = "index"
collection = "{SAMPLE}/background.jsonl"
format = "jsonl"
"""
# What is changed of the configuration, and what is said of it.
CHANGED = {
    ("[kb]", "[pmi]\nthreshhold = 1\n[kb]"): "unknown key pmi.threshhold; did you mean threshold?",
    ("[kb]", "[pim]\nx = 1\n[kb]"): "unknown key pim; known: name, run, corpus",
    ("[kb]", '[pmi]\nx = "ten"\n[kb]'): "pmi.x: input should be a valid integer",
    ("[kb]", "[pmi]\nx = -1\n[kb]"): "pmi.x: input should be greater than or equal to 0",
    ("[kb]", "[pmi]\nthreshold = nan\n[kb]"): "pmi.threshold: input should be",
    ("[kb]", "[pmi]\nthreshold = true\n[kb]"): "pmi.threshold: input should be a valid number",
    ("[kb]", '[pmi]\nvariant = "near"\n[kb]'): "'classic', 'proximity' or 'anchored'",
    ("[kb]", "[kb"): "not a TOML file",
    ("[kb]", "[kb]\n[kb]"): "not a TOML file",
    ('name = "n"', 'name = ""'): "name: is empty; give a name",
    ('name = "n"', 'name = "a\\tb"'): "name: holds the control character",
    ('run = "run"', 'run = ""'): "run: the path is empty",
    ('run = "run"', 'run = "kb"'): "run and kb.path are one folder",
    ('run = "run"', 'run = "a*"'): "have a meaning of their own to engines",
    ("a=tabbed:", "a=tabed:"): "did you mean tabbed?",
    ("a=tabbed:", "tabbed:"): "NAME=FORMAT:PATH",
    ("alpha.tabbed", "alfa.tabbed"): "alfa.tabbed: no such file",
    ("alpha.tabbed", "sentences.jsonl"): "sentences.jsonl: nothing could be read",
    ("sentences.jsonl", "none.jsonl"): "none.jsonl: no such file",
    (f"{SAMPLE}/sentences", "${CORPUS}/sentences"): "${CORPUS} is not filled in",
    ('systems = ["a', f'systems = ["a=tabbed:{SAMPLE}/alpha.tabbed", "a'): "have the same name",
    ("[kb]", 'colour = "red"\n[kb]'): "unknown key corpus.colour",
    ('name = "n"', 'name = "n"\nlanguage = "english"'): "'english' is no tag of a language",
    ('name = "n"', 'name = "n"\nlanguage = "de-AT"'): "the shipped WordNet is English",
}  # fmt: skip


@pytest.mark.parametrize("change", CHANGED, ids=CHANGED.values())
def test_a_configuration_that_cannot_be_meant(refuses, change):
    old, new = change
    assert old in CONFIGURATION
    Path("conf.toml").write_text(CONFIGURATION.replace(old, new, 1))
    refuses("run", "conf.toml", says=CHANGED[change])


OPTIONS = {
    ("--set", "pmi.x"): "--set pmi.x: expected section.key=value",
    ("--set", "pmi.y=3"): "unknown key pmi.y; known: variant",
    ("--set", "kb.path=${BASE}"): "--set kb.path: ${BASE} is not filled in",
    ("--set", "annotator=pimi"): "annotator 'pimi' is unknown; did you mean pmi?",
    ("--set", "annotator=external:x"): "no such judge",
    ("--set", "estimate.draws=100000000000"): "less than or equal to 1000000",
    ("--engine", "dask"): "'dask' is not one of",
    ("--engin", "local"): "No such option: --engin (Possible options: --engine)",
    ("--labels", "nowhere"): "nowhere/design.json: no such file",
}


@pytest.mark.parametrize("options", OPTIONS, ids=" ".join)
def test_options_of_a_run_that_cannot_be_meant(refuses, options):
    Path("conf.toml").write_text(CONFIGURATION)
    refuses("run", "conf.toml", *options, says=OPTIONS[options])


def test_configurations_that_are_none(refuses):
    Path("folder").mkdir()
    Path("bytes.toml").write_bytes(b"\xff\xfe\xfa")
    Path("thin.toml").write_text('name = "n"\nrun = "run"\n')
    refuses("run", "none.toml", says="none.toml: cannot read this configuration")
    refuses("run", "folder", says="Is a directory")
    refuses("run", "bytes.toml", says="not UTF-8 text")
    refuses("run", "thin.toml", says="systems: field required")


# --- evidence ------------------------------------------------------------------------------------

BUILT = {
    "no collection": ("index", None, (), "given: no such file or folder"),
    "an empty collection": ("index", "", (), "no file with anything in it"),
    "documents without id": ("index", '{"a": 1}\n', ("--format", "jsonl"), "missing id: 1"),
    "a broken archive": ("index", "WARC/1.0\r\nnothing\r\n", ("--format", "warc"), "WARC header"),
    "no dump": ("kb", None, (), "given: no such file"),
    "an empty dump": ("kb", "", ("--format", "rdf"), "the file is empty"),
    "no format": ("kb", "", ("--format", "freebas"), "did you mean freebase?"),
    "no format of text": ("index", "", ("--format", "wet2"), "did you mean wet?"),
    "no triples": ("kb", "this is none\n" * 5, ("--format", "freebase"), "no triple found"),
}


@pytest.mark.parametrize("name", BUILT)
def test_evidence_that_cannot_be_built(refuses, name):
    what, content, options, says = BUILT[name]
    if content is not None:
        Path("given").write_text(content)
    refuses(what, "build", "given", "--out", "out", *options, says=says)


# --- commands without what they need -------------------------------------------------------------

COMMANDS = {
    ("rnu", "x"): "No such command 'rnu'. Did you mean 'run'?",
    ("convert",): "Missing argument 'file'",
    ("convert", "given", "--out", "given"): "would be written over what is read",
    ("convert", "given", "--out", "no/such/out"): "cannot be written",
    ("convert", "given", "--out", "folder"): "a folder; name a file",
    ("convert", "given", "--from", "tabed", "--out", "o"): "did you mean tabbed?",
    ("convert", "given", "--map", "sbject=who", "--out", "o"): "no field 'sbject' to map",
    ("gold", "carbon", "--gold", "given", "--system", "a=tabbed:given"): "did you mean carb?",
    ("gold", "carb", "--gold", "given"): "Missing option '--system'",
    ("gold", "carb", "--gold", "empty", "--system", "a=tabbed:given"): "empty: empty file",
    ("index", "info", "folder"): "folder: an empty folder, no text index",
    (
        "index",
        "count",
        "given",
        "--index",
        "folder",
    ): "expected a header with the columns e1, r",
    ("kb", "info", "folder"): "folder: not a knowledge base",
    ("report", "folder"): "no finished run is here",
    ("serve", "folder"): "no finished run is here",
    ("facts", "folder", "--csv", "o"): "no finished run is here",
    ("label", "draw", "folder"): "no finished run is here",
    ("judge", "export", "folder", "--out", "o"): "no finished run is here",
    ("compare", "folder", "empty"): "folder: is no directory of a finished run",
    ("label", "import", "folder", "given"): "folder/design.json: no such file",
    ("tune", "header", "--conf", "folder"): "cannot read this configuration",
    ("data", "fetch", "crab"): "no data set crab; did you mean carb?",
    ("simulate", "counts", "--labels", "-1"): "greater than or equal to 1",
    ("init", "nothing"): "nothing: no such file or folder",
}


@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
def test_commands_without_what_they_need(refuses, arguments):
    Path("given").write_text(GOOD)
    Path("empty").write_text("")
    Path("header").write_text("e1\tr\te2\tlabel\n")
    Path("folder").mkdir()
    refuses(*arguments, says=COMMANDS[arguments])


# --- finished runs -------------------------------------------------------------------------------

OF_A_RUN = {
    ("facts", "RUN", "--system", "alfa", "--csv", "o"): "no system alfa; known: alpha, beta, gamma",
    ("facts", "RUN", "--region", "a", "--csv", "o"): "several systems; name one, with --system",
    ("facts", "RUN", "--where", "drop table x", "--csv", "o"): "--where",
    ("facts", "RUN", "--csv", "o", "--parquet", "o"): "written over the file of --csv",
    ("gate", "RUN", "RUN"): "several systems; name one, as",
    ("gate", "RUN#alpha", "RUN#alpha", "--measure", "precison"): "precison",
    ("label", "draw", "RUN", "--budget", "0"): "--budget",
    ("label", "draw", "RUN", "--budget", "5", "--out", "RUN"): "RUN",
    ("judge", "ask", "RUN", "--endpoint", "ftp://x", "--model", "m"): "expected an address such as",
}


@pytest.mark.parametrize("arguments", OF_A_RUN, ids=" ".join)
def test_what_a_run_cannot_answer(refuses, finished: Configuration, arguments):
    Path("RUN").symlink_to(finished.run)
    refuses(*arguments, says=OF_A_RUN[arguments])


DAMAGED = {
    "result.json": ("report", "--format", "latex"),
    "read/_stage.json": ("facts", "--csv", "o"),
    "configuration.json": ("serve",),
}


@pytest.mark.parametrize("file", DAMAGED)
@pytest.mark.parametrize("damage", ["cut", "list", "bytes"])
def test_a_run_directory_that_was_damaged(refuses, finished: Configuration, file, damage):
    (Path("run") / file).parent.mkdir(parents=True)
    for name in {"result.json", "configuration.json", "read/_stage.json"} - {file}:
        target = Path("run") / name
        target.parent.mkdir(exist_ok=True)
        target.write_bytes((finished.run / name).read_bytes())
    whole = (finished.run / file).read_bytes()
    damaged = {"cut": whole[: len(whole) // 2], "list": json.dumps([]).encode(), "bytes": b"\xff\0"}
    (Path("run") / file).write_bytes(damaged[damage])
    name, *options = DAMAGED[file]
    refuses(name, "run", *options, says=f"run/{file}")


def test_a_profile_that_there_is_not(refuses):
    Path("conf.toml").write_text(CONFIGURATION)
    says = "mesos: no such profile; known: kubernetes, local, slurm"
    refuses("submit", "conf.toml", "--profile", "mesos", says=says)


# --- what arguments name -------------------------------------------------------------------------

ARGUMENTS = {
    "a system in the home of nobody": ("init", "--system", "a=tabbed:~nobody-here/x"),
    "gold data in the home of nobody": ("gold", "carb", "--gold", "~nobody-here/x", "--system"),
    "a side of a gate": ("gate", "~nobody-here/x", "~nobody-here/y"),
}


@pytest.mark.parametrize("case", ARGUMENTS)
def test_a_home_folder_of_nobody(refuses, case):
    Path("x").write_text(GOOD)
    more = ["a=tabbed:x"] if case.startswith("gold") else []
    says = "~nobody-here/x names the home folder of nobody here"
    refuses(*ARGUMENTS[case], *more, says=says)


def test_a_name_that_is_no_text(refuses):
    name = os.fsdecode(b"bad\xff.txt")
    Path(name).write_text(GOOD)
    says = r"bad\xff.txt: a byte in it is not UTF-8; rename"
    refuses("convert", name, "--out", "out.jsonl", says=says)
    refuses("run", SAMPLE.parent / "demo.toml", "--set", f"name={name}", says=says)


def test_a_locale_without_the_letters_of_a_name(refuses):
    name = "Zürich".encode().decode("ascii", "surrogateescape")
    says = "this locale has ASCII alone; set PYTHONUTF8=1, or LC_ALL=C.UTF-8"
    refuses("convert", name, "--out", "out.jsonl", says=says)


def test_a_current_folder_that_cannot_be_named(refuses, tmp_path, monkeypatch):
    folder = tmp_path / os.fsdecode(b"bad\xff")
    folder.mkdir()
    monkeypatch.chdir(folder)
    refuses("convert", "x", "--out", "y", says=r"bad\xff: a byte in it is not UTF-8")
    folder.rmdir()
    refuses("convert", "x", "--out", "y", says="the current folder is not there any more")

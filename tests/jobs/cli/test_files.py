"""No command writes over what it reads, over its own other output, or over what distval keeps."""

import inspect
import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated, Any, get_args

import pytest
import typer
from typer.core import TyperCommand, TyperGroup

from jobs.cli.app import app
from jobs.cli.commands import Commands
from jobs.cli.files import READS, WRITES, Reads, Writes, marks_of
from tests.jobs.commands import command, refused

OVER = "would be written over what is read"


def commands_of(group: TyperGroup, *names: str) -> Iterator[tuple[tuple[str, ...], TyperCommand]]:
    for name, one in group.commands.items():
        if isinstance(one, TyperGroup):
            yield from commands_of(one, *names, name)
        else:
            yield (*names, name), one


ALL = dict(commands_of(typer.main.get_command(app)))


def function_of(names: tuple[str, ...]) -> Callable[..., Any]:
    callback = ALL[names].callback
    assert callback is not None
    return inspect.unwrap(callback)


def outputs() -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield every command with every option by which it writes."""
    for names in ALL:
        for called, mark in marks_of(function_of(names)).values():
            if isinstance(mark, Writes):
                yield names, called


def reads(names: tuple[str, ...]) -> bool:
    return any(isinstance(mark, Reads) for _, mark in marks_of(function_of(names)).values())


def arguments_of(names: tuple[str, ...], read: Path) -> list[str]:
    """Return arguments by which a command reads `read` wherever it reads or needs something."""
    marks = marks_of(function_of(names))
    told = []
    for parameter in ALL[names].params:
        mark = marks.get(parameter.name, ("", None))[1]
        if parameter.name == "mirror":
            told += ["--mirror", str(read)]
        elif isinstance(mark, Reads) or (parameter.required and mark is None):
            value = {"system": f"a=tabbed:{read}", "gold": f"carb:{read}"}.get(parameter.name)
            value = value or (str(read) if mark else "word")
            option = [parameter.opts[0]] if parameter.opts[0].startswith("-") else []
            told += [*option, value]
    return told


CONFIGURATION = """name = "n"
run = "run"
systems = ["a=tabbed:a.tsv"]
corpus.sentences = "sentences.txt"
kb.path = "kb"
index.path = "index"
"""


def test_the_rule_knows_every_output() -> None:
    written = {(*names, option) for names, option in outputs()}
    assert {("tune", "--html"), ("tune", "--save"), ("tune", "--write")} <= written
    assert {("index", "count", "--out"), ("similarity", "ic", "--out")} <= written
    assert {("compare", "--html"), ("convert", "--out"), ("label", "draw", "--out")} <= written
    for names, one in ALL.items():
        for parameter in one.params:
            says_so = (getattr(parameter, "help", None) or "").startswith(
                ("File to write", "Write")
            )
            if parameter.name in ("out", "html", "save", "write") or says_so:
                mark = marks_of(function_of(names))[str(parameter.name)][1]
                assert isinstance(mark, Writes), (names, parameter.name)


def test_a_command_that_hides_what_its_paths_are_for_cannot_be_declared() -> None:
    def silent(out: Annotated[Path | None, typer.Option()] = None) -> None: ...
    def silent_list(files: Annotated[list[Path], typer.Argument()]) -> None: ...

    for one in (silent, silent_list):
        with pytest.raises(TypeError, match=f"{one.__name__}: say of"):
            Commands().command("silent", example="distval silent")(one)


@pytest.mark.parametrize(("names", "option"), [o for o in outputs() if reads(o[0])], ids=str)
def test_nothing_is_written_over_what_is_read(
    names: tuple[str, ...], option: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DISTVAL_DATA", str(tmp_path / "data"))
    read = tmp_path / "read.tsv"
    read.write_text(CONFIGURATION)
    before = read.read_bytes()
    marks = marks_of(function_of(names))
    is_argument = not option.startswith("-")
    if is_argument:
        given = [str(read)]
    else:
        given = arguments_of(names, read) + [
            part
            for called, mark in marks.values()
            if isinstance(mark, Writes) and called != option
            for part in (called, str(tmp_path / called.strip("-")))
        ]
    if option == "--write":  # it may be the configuration that is read, and is none of the others
        given[given.index("--conf") + 1] = "conf.toml"
        (tmp_path / "conf.toml").write_text(CONFIGURATION)
    (tmp_path / "folder").mkdir()
    (tmp_path / "symbolic").symlink_to(read)
    os.link(read, tmp_path / "hard")
    with read.open() as opened:
        ways = [read, "read.tsv", "./folder/../read.tsv", tmp_path / "symbolic", tmp_path / "hard"]
        for way in (*ways, f"/proc/self/fd/{opened.fileno()}"):
            told = [str(way), *given] if is_argument else [*given, option, str(way)]
            assert OVER in refused(*names, *told)
    assert read.read_bytes() == before
    assert not (tmp_path / "out").exists()


def test_two_outputs_are_two_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("labels.tsv").write_text("e1\tr\te2\tlabel\n")
    Path("conf.toml").write_text(CONFIGURATION)
    Path("page").write_text("")
    Path("link").symlink_to("page")
    for one, other in (("--html", "--save"), ("--html", "--write"), ("--save", "--write")):
        for way in ("page", "./page", "link"):
            line = refused("tune", "labels.tsv", "--conf", "conf.toml", one, "page", other, way)
            assert "would be written over the file of --" in line


def test_what_a_configuration_names_is_read_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("labels.tsv").write_text("e1\tr\te2\tlabel\nx\tr\ty\ttrue\n")
    Path("conf.toml").write_text(CONFIGURATION + 'match.ic = "ic.dat"\ncalibrated.model = "m.json"')
    for name in ("a.tsv", "sentences.txt", "ic.dat", "m.json"):
        Path(name).write_text("kept")
    told = ["tune", "labels.tsv", "--conf", "conf.toml"]
    for name in ("a.tsv", "sentences.txt", "ic.dat"):
        assert OVER in refused(*told, "--save", name)
    assert "--write conf.toml" not in refused(*told, "--write", "conf.toml")
    assert OVER not in refused(*told, "--save", "m.json")  # the model is what tune --save makes
    assert Path("a.tsv").read_text() == "kept"


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a run, a text index, a knowledge base, a label folder and a data set."""
    files = {
        "run/result.json": "{}",
        "run/configuration.json": "{}",
        "run/report.html": "",
        "run/match/_stage.json": "{}",
        "run/match/a.parquet": "",
        "run/labels/design.json": "{}",
        "run/labels/ann.csv": "",
        "index/manifest.json": json.dumps({"format": "distval text index 3"}),
        "index/shard-00000/_0.doc": "",
        "old/manifest.json": json.dumps({"documents": 1, "tokens": 1, "analysis": "a"}),
        "kb/manifest.json": json.dumps({"format": "distval knowledge base 4"}),
        "data/gold/carb/test.tsv": "",
        "in.tsv": "1\ta\tb\tc\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.setenv("DISTVAL_DATA", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("out", "where"),
    [
        ("run/result.json", "over a file of the run"),
        ("run/report.html", "over a file of the run"),
        ("run/match/a.parquet", "into a stage of the run"),
        ("run/match/new", "into a stage of the run"),
        ("run/labels/ann.csv", "over a file of the label folder"),
        ("index/manifest.json", "into the text index"),
        ("index/shard-00000/_0.doc", "into the text index"),
        ("old/manifest.json", "into the text index"),
        ("kb/new.parquet", "into the knowledge base"),
        ("data/gold/carb/test.tsv", "over what is read of the data set carb"),
        ("data/gold/carb/new.tsv", "into the data set carb"),
    ],
)
def test_nothing_is_written_into_what_distval_keeps(kept: Path, out: str, where: str) -> None:
    before = (kept / out).read_bytes() if (kept / out).exists() else None
    (kept / "link").symlink_to(out)
    for way in (out, "link"):
        line = refused("convert", "in.tsv", "--from", "tabbed", "--out", way)
        assert f"--out {way}: would be written {where}" in line
    assert ((kept / out).read_bytes() if (kept / out).exists() else None) == before


@pytest.mark.parametrize("names", [names for names, _ in outputs() if names[0] == "data"], ids=str)
def test_a_data_set_is_not_made_into_a_data_set(kept: Path, names: tuple[str, ...]) -> None:
    option = "--to" if names[1] == "fetch" else "--out"
    arguments = arguments_of(names, kept / "in.tsv")
    line = refused(*names, *arguments, option, "data/gold/carb/test.tsv")
    assert "would be written over what is read of the data set carb" in line
    assert (kept / "data/gold/carb/test.tsv").read_text() == ""


def test_a_hard_link_into_public_data_is_public_data(kept: Path) -> None:
    os.link("data/gold/carb/test.tsv", "link.tsv")
    assert "over a file of" in refused("convert", "in.tsv", "--from", "tabbed", "--out", "link.tsv")


def test_a_page_may_lie_beside_the_report_of_its_run(kept: Path) -> None:
    (kept / "run" / "compare.html").write_text("an older one")
    line = refused("compare", "run", "--gold", "carb:in.tsv", "--html", "run/compare.html")
    assert "would be written" not in line


def test_folders_neither_hold_what_is_read_nor_lie_in_it(kept: Path) -> None:
    (kept / "texts").mkdir()
    (kept / "texts" / "one.txt").write_text("text")
    for out in ("texts", "texts/index", "./texts/../texts/deep/index"):
        assert "which is read" in (line := refused("index", "build", "texts", "--out", out)) or (
            OVER in line
        )
    (kept / "index" / "more.txt").write_text("text")
    assert "index/more.txt in it is read" in refused(
        "index", "build", "index/more.txt", "--out", "index"
    )
    assert "into the text index" in refused("kb", "build", "in.tsv", "--out", "index/kb")
    assert OVER in refused("label", "draw", "run", "--out", "run")


def test_a_label_folder_takes_the_sheets_that_lie_in_it(kept: Path) -> None:
    done = command("label", "import", "run/labels", "run/labels/ann.csv")
    assert "would be written" not in done.err


def test_marks_stand_beside_the_types() -> None:
    def one(
        a: Annotated[Path, typer.Argument(), READS],
        out: Annotated[Path | None, typer.Option("--to"), WRITES] = None,
        word: str = "",
    ) -> None: ...

    assert get_args(inspect.signature(one).parameters["a"].annotation)[-1] == READS
    assert marks_of(one) == {"a": ("A", READS), "out": ("--to", WRITES)}

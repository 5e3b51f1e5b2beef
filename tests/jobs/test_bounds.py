"""Every number that a person gives has a stated bound, and what is out of it is refused at once."""

import inspect
import re
import socket
import struct
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from threading import Thread
from typing import Any, get_args, get_type_hints

import pytest
import typer
from pydantic import BaseModel

from evaluator.errors import ConfigurationError, InputError, SetupError
from indexes.memory import memory_bytes
from jobs.analysis.sensitivity import _checked
from jobs.cli.app import app
from jobs.config import Configuration
from jobs.spark.master import await_master, known_master
from jobs.spark.submission import submission
from tests.jobs.commands import refused, shown
from tests.jobs.test_config import MINIMAL, write

PAGE = Path(__file__).parents[2] / "docs" / "settings.md"


# ----- settings


def numeric_settings(model: type[BaseModel], prefix: str = "") -> Iterator[tuple[str, list[Any]]]:
    """Yield each numeric setting with the constraints on it."""
    for name, field in model.model_fields.items():
        kinds = [field.annotation, *get_args(field.annotation)]
        sections = [k for k in kinds if isinstance(k, type) and issubclass(k, BaseModel)]
        if sections:
            yield from numeric_settings(sections[0], f"{prefix}{name}.")
        elif {int, float} & {k for k in kinds if isinstance(k, type)}:
            metadata = [
                m for part in (field, *field.metadata) for m in getattr(part, "metadata", [part])
            ]
            yield prefix + name, metadata


def told(constraints: list[Any]) -> str:
    """Return bounds in words: "above 0, at most 1", "0 to 1,000"."""
    found = {
        kind: getattr(one, kind)
        for one in constraints
        for kind in ("ge", "gt", "le", "lt")
        if getattr(one, kind, None) is not None
    }
    if found.keys() == {"ge", "le"}:
        return f"{found['ge']:,} to {found['le']:,}"
    words = {"ge": "at least", "gt": "above", "le": "at most", "lt": "below"}
    return ", ".join(f"{words[kind]} {found[kind]:,}" for kind in words if kind in found)


SETTINGS = dict(numeric_settings(Configuration))


def test_all_numeric_settings_are_known_here():
    assert {"estimate.draws", "sample.seed", "pmi.x", "match.threshold"} <= SETTINGS.keys()
    assert len(SETTINGS) == 21


@pytest.mark.parametrize("setting", SETTINGS)
def test_the_settings_page_states_the_bounds_of_the_model(setting: str):
    words = told(SETTINGS[setting])
    assert len(re.findall(r"\d[\d,.]*", words)) == 2, f"{setting} has no two bounds: {words!r}"
    page = PAGE.read_text(encoding="utf-8")
    assert re.search(rf"^\| `{setting}` \| (whole )?number, {words} \|", page, re.MULTILINE)


@pytest.mark.parametrize("setting", SETTINGS)
@pytest.mark.parametrize("value", ["true", '"5"', "nan", "-inf", "1e308", "-1", "9" * 27])
def test_no_number_out_of_bounds_and_nothing_else_is_taken_for_one(
    tmp_path: Path, setting: str, value: str
):
    with pytest.raises(ConfigurationError, match=re.escape(f"run.toml: {setting}: ")) as error:
        Configuration.load(write(tmp_path, MINIMAL), overrides=[f"{setting}={value}"])
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("override", "problem"),
    [
        ("estimate.draws=100000000000", "estimate.draws: input should be less than or equal"),
        ("estimate.draws=1e11", "estimate.draws: input should be a valid integer"),
        ("sample.system=9223372036854775808", "sample.system: input should be less than"),
        ("kb.memory=100000000000000000000GB", "kb.memory: memory '1"),
        ("index.memory=1KB", "index.memory: memory '1KB': expected a size from 1MB to 64TB"),
        ("link.context=1", "link.context: input should be a valid boolean"),
        ('match.aliases="yes"', "match.aliases: input should be a valid boolean"),
        ('name=""', "name: is empty"),
        ('name="  "', "name: is empty"),
        ('name="a\\nb"', r"name: holds the control character '\n'"),
        ('name="a\\u001b[31mb"', r"name: holds the control character '\x1b'"),
        ("run=", "run: the path is empty"),
        ('run=""', "run: the path is empty"),
        ('kb.path="a\\u0000b"', r"kb.path: the path holds the control character '\x00'"),
        ('systems=["a=tabbed:x\\ny"]', r"systems: the path holds the control character '\n'"),
        ("spark.master=nonsense", "spark.master: master 'nonsense' is none of Spark's: expected"),
        ("spark.master=", "spark.master: master ''"),
        ("spark.master=spark://host", "spark.master: master 'spark://host'"),
        ("spark.master=spark://host:70000", "there is no port 70000"),
        ("spark.master=local[0]", "spark.master: master 'local[0]'"),
    ],
)
def test_what_cannot_be_is_told_in_one_line(tmp_path: Path, override: str, problem: str):
    with pytest.raises(ConfigurationError) as error:
        Configuration.load(write(tmp_path, MINIMAL), overrides=[override])
    assert problem in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("name", "least"),
    [
        ("spark.driver.memory", "512m"),
        ("spark.executor.memory", "512m"),
        ("spark.executor.pyspark.memory", "3072m"),
    ],
)
def test_memory_of_spark_is_a_size_that_it_can_start_with(tmp_path: Path, name: str, least: str):
    conf = write(tmp_path, f"{MINIMAL}\n[spark.settings]\n")
    for text in ("1m", "511m", "1024", "", "lots", "-1g", "1.5g", "2 g", "9" * 30 + "g", "65t"):
        conf.write_text(f'{MINIMAL}\n[spark.settings]\n"{name}" = "{text}"\n')
        with pytest.raises(ConfigurationError) as error:
            Configuration.load(conf)
        assert f"run.toml: spark.settings: {name} '{text}': expected a size " in str(error.value)
        assert "\n" not in str(error.value)
        with pytest.raises(ConfigurationError, match=re.escape(f"{name} '{text}': expected")):
            submission(
                "a",
                master="local[1]",
                settings={name: text},
                index_memory="512MB",
                archives=tmp_path,
            )
    for text in (least, "4G", "5000m", "1t"):
        conf.write_text(f'{MINIMAL}\n[spark.settings]\n"{name}" = "{text}"\n')
        assert Configuration.load(conf).spark.settings == {name: text}
    assert f"`{name}` {least} to 64t" in PAGE.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "master",
    [
        *("local", "local[4]", "local[*]", "local[*,3]", "local-cluster[2,1,1024]", "yarn"),
        *("spark://a:7077", "spark://a:1,b:2", "spark://[::1]:7077"),
        *("k8s://https://host:443", "k8s://host"),
    ],
)
def test_masters_of_spark_are_known(master: str):
    assert known_master(master) == master


def test_memory_is_a_size_that_a_machine_has():
    assert memory_bytes("64TB") == 64 * 10**12
    assert memory_bytes("1 MiB") == 1 << 20
    for text in ("0GB", "65TB", "1KB", "9" * 30 + "GB", "2"):
        with pytest.raises(ConfigurationError):
            memory_bytes(text)


# ----- folders that are read and written


@pytest.mark.parametrize(
    ("overrides", "problem"),
    [
        (["run=same", "kb.path=same"], "run and kb.path are one folder"),
        (["run=same", "index.path=same/."], "run and index.path are one folder"),
        (["kb.path=same", "index.path=same"], "kb.path and index.path are one folder"),
        (["index.collection=docs", "run=docs"], "run is inside index.collection"),
        (["index.collection=docs", "run=docs/runs/one"], "run is inside index.collection"),
        (["index.collection=link", "run=docs/one"], "run is inside index.collection"),
        (["index.collection=docs", "index.path=docs/i"], "index.path is inside index.collection"),
        (["index.collection=docs", 'index.select=["r*"]', "run=docs/runs"], "run is inside"),
        (['kb.sources=["docs"]', "run=docs/one"], "run is inside kb.sources"),
        (['corpus={collection="docs"}', "kb.path=docs/kb"], "kb.path is inside corpus.collection"),
    ],
)
def test_a_run_writes_nothing_where_it_reads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, overrides: list[str], problem: str
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "docs").mkdir()
    (tmp_path / "link").symlink_to("docs")
    conf = write(tmp_path, MINIMAL)
    with pytest.raises(ConfigurationError, match=re.escape(problem)) as error:
        Configuration.load(conf, overrides=overrides)
    assert "\n" not in str(error.value)


def test_a_run_beside_the_selected_files_of_a_collection_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    overrides = ["index.collection=.", 'index.select=["2014/*"]', "run=runs/x"]
    overrides += ["kb.path=kb", "index.path=text"]
    assert Configuration.load(write(tmp_path, MINIMAL), overrides=overrides).run.name == "x"


# ----- options


def numeric_options(of: typer.Typer, path: str = "") -> Iterator[tuple[str, Any]]:
    """Yield each numeric option of each command with its option object."""
    for command in of.registered_commands:
        callback = command.callback
        assert callback is not None
        hints = get_type_hints(callback, include_extras=True)
        for name in inspect.signature(callback).parameters:
            kind, *rest = get_args(hints[name]) if hasattr(hints[name], "__metadata__") else [None]
            if {int, float} & {kind, *get_args(kind)}:
                yield f"{path}{command.name} --{name.replace('_', '-')}", rest[-1]
    for group in of.registered_groups:
        assert group.typer_instance is not None
        yield from numeric_options(group.typer_instance, f"{path}{group.name} ")


# How many shards there may be is for what makes them to say.
OPTIONS = {name: o for name, o in numeric_options(app) if not name.endswith("--shards")}


def test_all_numeric_options_are_known_here():
    assert {"label draw --budget", "gold --draws", "index build --workers"} <= OPTIONS.keys()
    assert len(OPTIONS) > 50


@pytest.mark.parametrize("name", OPTIONS)
def test_every_numeric_option_has_bounds(name: str):
    option = OPTIONS[name]
    assert option.min is not None
    assert option.max is not None


def test_distances_of_a_sensitivity_come_as_numbers_of_any_kind_and_are_whole(tmp_path: Path):
    configuration = Configuration.load(write(tmp_path, MINIMAL))
    assert _checked(configuration, "x", (8.0,)) == (4, 8)
    for value in (8.5, 1e20, float("nan")):
        with pytest.raises(ConfigurationError, match=r"pmi\.x = "):
            _checked(configuration, "x", (value,))


def test_help_tells_the_bounds():
    assert "1<=x<=1000000]" in shown("label", "draw", "--help")


@pytest.mark.parametrize("value", ["nan", "1e308", "-1", "9" * 27])
@pytest.mark.parametrize(
    "command",
    [
        "label draw RUN --budget",
        "label draw RUN --double",
        "gold carb --gold g --system s --level",
        "gold carb --gold g --system s --seed",
        "compare RUN --draws",
        "compare RUN --level",
        "compare RUN --seed",
        "index build c --out o --workers",
        "simulate counts --facts",
        "tune LABELS --x",
    ],
)
def test_an_option_out_of_bounds_is_refused_in_one_line(command: str, value: str):
    *command, option = command.split()
    assert f"Invalid value for '{option}'" in refused(*command, option, value)


# ----- a master that is not there


def test_a_master_that_is_not_there_is_told_after_the_time_it_has():
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))  # bound and not listening: connections are refused
        begun = time.monotonic()
        said = r"the Spark master spark://127\.0\.0\.1:\d+ did not answer in 0\.3 s; start it"
        with pytest.raises(SetupError, match=said):
            await_master(f"spark://127.0.0.1:{held.getsockname()[1]}", seconds=0.3)
        assert 0.3 <= time.monotonic() - begun < 3


def serve(server: socket.socket, answer: bytes) -> None:
    """Answer one connection after another, whatever it asks."""
    with suppress(OSError):
        while True:
            connection, _ = server.accept()
            with connection:
                connection.recv(1024)
                connection.sendall(answer)


# What a standalone master of Spark 4.3 answered to the question of `await_master`, and a web proxy.
MASTER = struct.pack(">QBI", 69, 8, 14) + b"/files/distval"
MASTER += struct.pack(">I", 38) + b"Stream '/files/distval' was not found."
PROXY = b"HTTP/1.1 400 Bad Request\r\n\r\n"


@pytest.fixture
def answering() -> Iterator[Callable[[bytes], int]]:
    """Return the port of something that gives an answer."""
    with ExitStack() as stack:

        def start(answer: bytes) -> int:
            server = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
            Thread(target=serve, args=(server, answer), daemon=True).start()
            return int(server.getsockname()[1])

        yield start


def test_of_several_masters_one_is_enough(answering: Callable[[bytes], int]):
    ports = answering(PROXY), answering(MASTER)
    begun = time.monotonic()
    await_master("spark://" + ",".join(f"127.0.0.1:{port}" for port in ports), seconds=60)
    assert time.monotonic() - begun < 60


@pytest.mark.parametrize("answer", [PROXY, b"", b"SSH-"])
def test_what_takes_connections_and_is_no_master_is_none(
    answering: Callable[[bytes], int], answer: bytes
):
    with pytest.raises(SetupError, match="did not answer"):
        await_master(f"spark://127.0.0.1:{answering(answer)}", seconds=0.5)


def test_a_number_of_thousands_of_digits_is_told_in_one_line(tmp_path: Path):
    conf = write(tmp_path, MINIMAL)
    with pytest.raises(ConfigurationError, match=r"sample\.seed: "):
        Configuration.load(conf, overrides=["sample.seed=" + "9" * 5_000])
    conf.write_text(f"{MINIMAL}\n[sample]\nseed = {'9' * 5_000}\n")
    with pytest.raises(InputError, match="not a TOML file: Exceeds the limit"):
        Configuration.load(conf)


def test_masters_other_than_standalone_are_sparks_to_find():
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        with pytest.raises(SetupError, match="did not answer"):
            await_master(f"spark://127.0.0.1:{held.getsockname()[1]}", seconds=0)
    for master in ("local[2]", "yarn", "k8s://https://host:443"):
        await_master(master, seconds=0)  # returns: nobody is asked

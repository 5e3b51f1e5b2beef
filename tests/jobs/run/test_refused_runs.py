"""A run that is refused writes nothing, and no run writes among what is read."""

import json
import os
from pathlib import Path

import pytest

from evaluator.errors import InputError
from evaluator.model import Fact
from indexes.kb.knowledge_base import FORMAT, MANIFEST
from jobs.run.result import read_truth
from tests.jobs.commands import command, refused

MINIMAL = """
name = "small"
run = "out"
systems = ["one=tabbed:given/one.tsv"]
[corpus]
sentences = "given/sentences.tsv"
[kb]
path = "kb"
[index]
path = "index"
"""


@pytest.fixture
def conf(tmp_path: Path) -> Path:
    """A configuration of a run, with its inputs and without evidence."""
    given = tmp_path / "given"
    given.mkdir()
    (given / "sentences.tsv").write_text("1\tAnna Berg married Carl Dorn.\n")
    (given / "one.tsv").write_text("1\tAnna Berg\tmarried\tCarl Dorn\n")
    conf = tmp_path / "conf.toml"
    conf.write_text(MINIMAL)
    return conf


def everything(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*"))


@pytest.mark.parametrize("run", ["out", "new/out", "given", "."])
@pytest.mark.parametrize("lost", ["given/one.tsv", "given/sentences.tsv"])
def test_without_an_input_nothing_is_written(conf: Path, run: str, lost: str):
    (conf.parent / lost).unlink()
    before = everything(conf.parent)
    refused("run", conf, "--set", f"run={conf.parent / run}")
    assert everything(conf.parent) == before


@pytest.mark.parametrize("kind", ["nothing", "pipe"])
def test_names_of_properties_are_missed_before_anything_is_written(conf: Path, kind: str):
    named = conf.parent / "named"
    if kind == "pipe":
        os.mkfifo(named)
    before = everything(conf.parent)
    line = refused("run", conf, "--set", f"relation.properties={named}")
    assert line == f"distval: {named}/wikidata-properties.csv: no such file"
    assert everything(conf.parent) == before


def test_without_evidence_no_folder_of_a_run_stays_and_no_lock_in_one_that_was(conf: Path):
    before = everything(conf.parent)
    for run, kb in (("out", "kb"), ("new/out", "new/evidence/kb")):
        places = [conf.parent / run, conf.parent / kb]
        done = command("run", conf, "--set", f"run={places[0]}", "--set", f"kb.path={places[1]}")
        assert done.code == 2
        assert everything(conf.parent) == before
    (conf.parent / "out").mkdir()
    (conf.parent / "out" / "notes").write_text("mine")
    before = everything(conf.parent)
    assert command("run", conf).code == 2
    assert everything(conf.parent) == before


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        (["run=/"], "run, /, holds system one, "),
        (["run={}"], "run, {}, holds system one, {}/given/one.tsv"),
        (["run={}/given"], "holds system one"),
        (["run={}/link"], "holds system one"),
        (["run={}/kb/run"], "run is inside kb.path, {}/kb"),
        (["run={}/index/deep/run"], "run is inside index.path, {}/index"),
        (["index.path={}/kb/index"], "index.path is inside kb.path"),
        (["kb.path={}/index/kb"], "kb.path is inside index.path"),
        (["kb.path={}/out"], "run and kb.path are one folder, {}/out; use two"),
        (["run="], "run: the path is empty; give a name"),
        (["run={}/a\\b"], "{}/a\\b: [ ] { } * ? \\ have a meaning of their own to engines"),
        (["kb.path={}/[kb]"], "{}/[kb]: [ ] { } * ? \\ have a meaning of their own to engines"),
    ],
)
def test_the_folder_of_a_run_is_its_own(conf: Path, settings: list[str], said: str):
    (conf.parent / "link").symlink_to("given")
    before, place = everything(conf.parent), str(conf.parent)
    overrides = [part for one in settings for part in ("--set", one.replace("{}", place))]
    assert said.replace("{}", place) in refused("run", conf, *overrides)
    assert everything(conf.parent) == before
    assert not Path("/.lock").exists()


def test_what_is_no_folder_is_none_for_a_run(conf: Path):
    line = refused("run", conf, "--set", "run=/dev/null")
    assert line == "distval: /dev/null: is not a folder; name another"


def test_a_knowledge_base_of_an_older_format_is_refused_before_it_is_called_kept(conf: Path):
    kb = conf.parent / "kb"
    kb.mkdir()
    older = FORMAT[:-1] + str(int(FORMAT[-1]) - 1)
    (kb / MANIFEST).write_text(json.dumps({"format": older}))
    done = command("run", conf)
    assert done.code == 2
    (line,) = done.err.strip().splitlines()
    assert f"{kb}: has the format '{older}'" in line


def test_so_is_an_index_before_the_knowledge_base_is_called_kept_or_built(conf: Path):
    index = conf.parent / "index"
    index.mkdir()
    (index / "manifest.json").write_text(json.dumps({"format": "distval text index 3"}))
    (conf.parent / "base.nt").write_text("<a> <b> <c> .\n")
    before = everything(index)
    line = refused("run", conf, "--set", f'kb.sources=["{conf.parent}/base.nt"]')
    assert f'{index}: has the format "distval text index 3"' in line
    assert everything(index) == before
    assert not (conf.parent / "kb").exists()


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        ("estimate=3", "estimate: expected a section"),
        ("kb=true", "kb: expected a section"),
        ("corpus=[]", "corpus: expected a section"),
        ("systems=7", "systems: expected a list"),
        ("kb.sources=7", "kb.sources: expected a list"),
    ],
)
def test_what_a_setting_should_be_is_told_in_the_words_of_a_configuration(
    conf: Path, setting: str, said: str
):
    assert refused("run", conf, "--set", setting).endswith(said)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("e1,e2\n", "1: no column r; expected e1, r, e2"),
        ("e1\tr\te2\nQ1\tbe\n", "2: e1 or e2 is empty; expected e1, r, e2"),
        ("e1;r;e2\nQ1;be;Q2;\nQ1;be;Q2;Q3\n", "3: more cells than columns: 'Q3'"),
    ],
)
def test_a_truth_that_is_no_table_of_facts_is_told_with_its_line(
    tmp_path: Path, content: str, said: str
):
    truth = tmp_path / "truth.tsv"
    truth.write_text(content)
    with pytest.raises(InputError) as error:
        read_truth(truth)
    assert str(error.value) == f"{truth}:{said}"


def test_a_truth_may_have_other_columns(tmp_path: Path):
    (tmp_path / "truth.csv").write_text("e1,r,e2,side\nQ1,be,Q2,a\nQ1,,Q3,\n")
    assert read_truth(tmp_path / "truth.csv") == {Fact("Q1", "be", "Q2"), Fact("Q1", "", "Q3")}


@pytest.mark.parametrize("encoding", ["utf-16", "latin-1"])
def test_a_configuration_in_another_encoding_is_told_the_remedy(conf: Path, encoding: str):
    conf.write_text(MINIMAL.replace("small", "größer"), encoding=encoding)
    assert refused("run", conf).endswith("not UTF-8 text; save it as UTF-8")


GERMAN = "Die alte Brücke über den Fluss war wegen der {} Schäden lange gesperrt worden."


def test_a_corpus_or_a_collection_in_another_language_is_refused(conf: Path):
    given = conf.parent / "given"
    settings = ['systems=["one=baseline:between"]', "index.format=text"]
    run = ["run", conf, *(part for one in settings for part in ("--set", one)), "--set"]
    for setting, path in (
        ("corpus.sentences", given / "sentences.tsv"),
        ("index.collection", given / "texts.txt"),
    ):
        path.write_text("\n".join(map(GERMAN.format, range(30))))
        before = everything(conf.parent)
        line = refused(*run, f"{setting}={path}")
        assert f"{path}: is not in English" in line
        assert line.endswith(
            '; if it is, set language = "en"; else its own, such as "de", and relation.wordnet'
        )
        assert everything(conf.parent) == before
        done = command(*run, f"{setting}={path}", "--set", "language=en")
        assert "no knowledge base there" in done.err
        path.write_text("Anna Berg married Carl Dorn.\n")
    assert "no knowledge base there" in command(*run, "language=auto").err

"""A first configuration: what files are taken for, and that it is one that runs."""

import json
import os
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from evaluator.errors import ConfigurationError, DistvalError, InputError
from jobs.cli.app import app
from jobs.config import Configuration
from jobs.starting.recognition import recognised
from tests.evaluator.readers.examples import example_bytes
from tests.jobs.sample_runs import CONF

SAMPLE = CONF.parent / "sample"
SENTENCES = ["Ada met Bob in Rome.", "Bob left.", "Carol wrote a book."]
EXTRACTIONS = [(SENTENCES[0], "met", "Ada", "Bob"), (SENTENCES[2], "wrote", "Carol", "a book")]


@pytest.fixture(autouse=True)
def _no_public_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISTVAL_DATA", str(tmp_path / "data"))


def write(path: Path, *lines: str) -> Path:
    path.write_text("".join(f"{line}\n" for line in lines))
    return path


def tabbed(path: Path) -> Path:
    return write(path, *(f"{s}\t0.9\t{r}\t{a}\t{b}" for s, r, a, b in EXTRACTIONS))


def started(*arguments: object) -> dict:
    done = CliRunner().invoke(app, ["init", *map(str, arguments), "--json"])
    assert done.exit_code == 0, done.exception
    return json.loads(done.stdout)


def refusal(*arguments: object) -> str:
    done = CliRunner().invoke(app, ["init", *map(str, arguments)])
    assert isinstance(done.exception, DistvalError)
    return str(done.exception)


def test_the_files_of_the_sample_become_the_configuration_of_the_demo(tmp_path: Path) -> None:
    demo = Configuration.load(CONF)
    names = ("gamma.tabbed", "kb.nt", "background.jsonl", "sentences.jsonl", "beta.jsonl")
    out = tmp_path / "mine.toml"
    told = started(*(SAMPLE / name for name in names), SAMPLE / "alpha.tabbed", "--out", out)
    roles = {Path(one["path"]).name: (one["for"], one["format"]) for one in told["taken"]}
    assert roles == {
        "alpha.tabbed": ("system", "tabbed"),
        "beta.jsonl": ("system", "jsonl"),
        "gamma.tabbed": ("system", "tabbed"),
        "sentences.jsonl": ("sentences", "jsonl"),
        "kb.nt": ("dump", "freebase"),
        "background.jsonl": ("text", "jsonl"),
    }
    made = Configuration.load(out)
    assert {str(s) for s in made.systems} == {str(s) for s in demo.systems}
    assert made.corpus == demo.corpus
    assert made.kb.sources == demo.kb.sources
    assert made.index.collection == demo.index.collection
    assert told["next"] == [f"distval run {out}"]
    # Nothing but where it writes, the truth and the samples tells it from the demo's.
    same = {"sample", "truth", "name", "run", "systems", "kb", "index", "corpus"}
    assert made.model_dump(exclude=same) == demo.model_dump(exclude=same)


def test_plain_text_is_the_corpus_where_systems_quote_its_lines(tmp_path: Path) -> None:
    other = write(tmp_path / "a.txt", "Rome is old.", "Books are long.")
    quoted = write(tmp_path / "b.txt", *SENTENCES)
    taken = recognised([other, quoted, tabbed(tmp_path / "mine.tsv")])
    assert [one.role for one in taken] == ["text", "sentences", "system"]
    assert taken[1].why == "holds 2 of 2 sentences that systems quote"


def test_a_folder_of_plain_text_is_text_of_a_document_a_file(tmp_path: Path) -> None:
    (tmp_path / "texts" / "more").mkdir(parents=True)
    write(tmp_path / "texts" / "a.txt", *SENTENCES)
    write(tmp_path / "texts" / "more" / "b.md", "Rome is old.")
    [taken] = recognised([tmp_path / "texts"])
    assert (taken.role, taken.format) == ("text", "text")
    (tmp_path / "texts" / "c.bin").write_bytes(bytes(range(256)))
    with pytest.raises(InputError, match="the format cannot be told"):
        recognised([tmp_path / "texts"])


def test_without_a_corpus_it_is_the_sentences_that_systems_quote(tmp_path: Path) -> None:
    out = tmp_path / "mine.toml"
    told = started(tabbed(tmp_path / "my system!.tsv"), "--out", out)
    [written] = told["written"]
    assert Path(written["path"]).read_text().splitlines() == [SENTENCES[0], SENTENCES[2]]
    assert "recall is too high" in out.read_text()
    [system] = Configuration.load(out).systems
    assert system.name == "my system"
    # There is no base and no text: public data are named, and how they come.
    assert told["next"] == [
        "distval data fetch fb15k237 wikipedia2015", f"distval run {out}"
    ]  # fmt: skip


def test_extractions_that_number_their_sentences_get_them(tmp_path: Path) -> None:
    system = write(
        tmp_path / "mine.jsonl",
        *(
            json.dumps({"sentence_id": key, "subject": a, "relation": r, "object": b})
            for key, (_, r, a, b) in zip(("s1", "s3"), EXTRACTIONS, strict=True)
        ),
    )
    numbered = write(
        tmp_path / "list.tsv", *(f"s{n}\t{text}" for n, text in enumerate(SENTENCES, 1))
    )
    out = tmp_path / "mine.toml"
    told = started(system, numbered, "--out", out)
    assert {Path(one["path"]).name for one in told["written"]} == {
        "sentences.txt",
        "mine.jsonl",
    }
    made = Configuration.load(out)
    assert made.corpus is not None
    assert made.corpus.path.read_text().splitlines() == SENTENCES
    records = [json.loads(line) for line in made.systems[0].path.read_text().splitlines()]
    assert [record["sentence"] for record in records] == [SENTENCES[0], SENTENCES[2]]


def test_what_is_named_is_taken_as_named(tmp_path: Path) -> None:
    text = write(tmp_path / "text.txt", *SENTENCES)
    other = write(tmp_path / "other.txt", "Rome is old.")
    taken = recognised([tabbed(tmp_path / "a.tsv")], [(text, "text"), (other, "sentences")])
    assert {one.path.name: one.role for one in taken} == {
        "text.txt": "text",
        "other.txt": "sentences",
        "a.tsv": "system",
    }


def test_what_cannot_start_is_refused_in_one_line_and_leaves_nothing(tmp_path: Path) -> None:
    system, corpus = tabbed(tmp_path / "mine.tsv"), write(tmp_path / "list.txt", *SENTENCES)
    out = tmp_path / "out" / "mine.toml"
    out.parent.mkdir()
    assert "none of the files is the output of a system" in refusal(corpus, "--out", out)
    assert "no such file or folder" in refusal(tmp_path / "nothing", "--out", out)
    other = write(tmp_path / "other.txt", *SENTENCES[:1])
    assert "are both taken for sentences" in refusal(system, corpus, other, "--out", out)
    nameless = write(
        tmp_path / "n.jsonl",
        json.dumps({"sentence_id": "x", "subject": "a", "relation": "b", "object": "c"}),
    )
    assert "name no sentence of" in refusal(nameless, "--sentences", corpus, "--out", out)
    assert "quotes no sentence" in refusal(nameless, "--out", out)
    assert not list(out.parent.iterdir())
    out.write_text("mine")
    assert "is there already" in refusal(system, corpus, "--out", out)
    assert out.read_text() == "mine"


def test_nothing_that_was_there_is_written_over_or_deleted(tmp_path: Path) -> None:
    system, out = tabbed(tmp_path / "mine.tsv"), tmp_path / "x.toml"
    kept = tmp_path / "x-files" / "sentences.txt"
    kept.parent.mkdir()
    write(kept, "s1\tLena Marsh founded Kelp.")
    assert "is there already" in refusal(system, "--out", out)
    assert "is there already" in refusal(system, kept, "--out", out)
    assert kept.read_text() == "s1\tLena Marsh founded Kelp.\n"
    assert not out.exists()


def test_what_is_skipped_on_the_way_is_told(tmp_path: Path) -> None:
    system = write(
        tmp_path / "mine.jsonl",
        json.dumps({"sentence_id": "s1", "subject": "Ada", "relation": "met", "object": "Bob"}),
        '{"bad',
    )
    numbered = write(tmp_path / "list.tsv", *(f"s{n}\t{t}" for n, t in enumerate(SENTENCES, 1)))
    told = started("--system", system, "--sentences", numbered, "--out", tmp_path / "x.toml")
    assert sum(told["rejects"].values()) == 1


@pytest.mark.parametrize("name", ["a b.toml", "a`id`;rm.toml", "$(id).toml"])
def test_the_next_line_is_one_that_a_shell_takes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    told = started(tabbed(tmp_path / "mine.tsv"), f"--out={name}")
    assert shlex.split(told["next"][-1]) == ["distval", "run", name]


def test_odd_places_are_told_in_one_line(tmp_path: Path) -> None:
    system = tabbed(tmp_path / "mine.tsv")
    assert "control character" in refusal(system, "--out", tmp_path / "a\nb.toml")
    assert "no such folder" in refusal(system, "--out", tmp_path / "no" / "x.toml")
    os.mkfifo(tmp_path / "pipe")
    for odd in (tmp_path / "pipe", Path("/dev/null"), tmp_path):
        assert "is no file of text" in refusal(
            system, "--sentences", odd, "--out", tmp_path / "x.toml"
        )
    assert "cannot be read" in refusal("/proc/self/mem", "--out", tmp_path / "x.toml")


def test_a_file_that_no_kind_claims_is_named(tmp_path: Path) -> None:
    odd = write(tmp_path / "odd.txt", '{"a": 1, "b": 2}')
    with pytest.raises(InputError, match=r"odd\.txt"):
        recognised([odd])


def test_a_setting_that_is_misspelt_is_told_with_the_one_that_is_meant(tmp_path: Path) -> None:
    for setting, meant in (
        ("pmi.treshold=0.2", "threshold"),
        ("annotator='distnat'", "distant"),
        ("corpus.format='jsnl'", "jsonl"),
        ("indx.path='x'", "index"),
    ):
        with pytest.raises(ConfigurationError, match=f"did you mean {meant}[?]"):
            Configuration.load(CONF, overrides=[setting])


def test_own_keys_are_named_and_stand_in_the_configuration(tmp_path: Path) -> None:
    objects = [{"who": a, "does": r, "to": b, "sentence": s} for s, r, a, b in EXTRACTIONS]
    mine = write(tmp_path / "mine.jsonl", *map(json.dumps, objects))
    sentences = write(tmp_path / "list.txt", *SENTENCES)
    out = tmp_path / "mine.toml"
    keys = "subject=who,relation=does,object=to"
    started("--system", mine, "--map", keys, "--sentences", sentences, "--out", out)
    [system] = Configuration.load(out).systems
    assert dict(system.keys) == {"subject": "who", "relation": "does", "object": "to"}
    assert "--system" in refusal(mine, "--map", keys)


def test_a_system_may_be_named_as_in_a_configuration(tmp_path: Path) -> None:
    objects = [{"who": a, "does": r, "to": b, "said": s} for s, r, a, b in EXTRACTIONS]
    mine = write(tmp_path / "mine.json", json.dumps(objects))
    plain = tabbed(tmp_path / "a=b:c.tsv")
    sentences = write(tmp_path / "list.txt", *SENTENCES)
    out = tmp_path / "mine.toml"
    named = f"Mine 2=json(subject=who,relation=does,object=to,sentence=said):{mine}"
    again = f"Other=json(subject=to,relation=does,object=who,sentence=said):{mine}"
    started(
        *("--system", named, "--system", again, "--system", plain),
        *("--sentences", sentences, "--out", out),
    )
    systems = Configuration.load(out).systems
    assert [one.name for one in systems] == ["Mine 2", "Other", "a-b-c"]
    assert dict(systems[1].keys)["object"] == "who"
    assert "nothing.txt: no such file" in refusal("--system", "x=tabbed:nothing.txt")
    assert "baseline has no file" in refusal("--system", "x=baseline:between")
    assert "--system FILE" in refusal("--system", named, "--map", "subject=who")


@pytest.mark.parametrize(
    ("name", "of"),
    [("relationships.parquet", "graphrag"), ("create_final_relationships.parquet", "graphrag"),
     ("graph_chunk_entity_relation.graphml", "graphml")],
)  # fmt: skip
def test_a_tools_folder_is_its_relations(tmp_path: Path, name: str, of: str) -> None:
    folder = tmp_path / "output"
    folder.mkdir()
    (folder / name).write_bytes(example_bytes(of))
    write(folder / "stats.json", "{}")
    for taken in (recognised([folder]), recognised([], [(folder, "system")])):
        assert [(one.path.name, one.role, one.format) for one in taken] == [(name, "system", of)]
    with pytest.raises(DistvalError, match=r"no keys to map|no record has the key 'who'"):
        recognised([], [(folder, "system")], keys=(("subject", "who"),))


def test_a_folder_of_two_tools_is_told(tmp_path: Path) -> None:
    write(tmp_path / "create_final_relationships.parquet", "")
    write(tmp_path / "graph_chunk_entity_relation.graphml", "")
    with pytest.raises(InputError, match=r"relationships.parquet and graph_.*: name the one"):
        recognised([tmp_path])


def test_output_with_own_keys_is_not_taken_for_text(tmp_path: Path) -> None:
    objects = [{"who": a, "does": r, "to": b, "said": s} for s, r, a, b in EXTRACTIONS]
    mine = tmp_path / "mine.json"
    for indent in (None, 2):
        mine.write_text(json.dumps(objects, indent=indent))
        with pytest.raises(InputError, match="who"):
            recognised([mine])


def test_tables_are_no_plain_text(tmp_path: Path) -> None:
    system = tabbed(tmp_path / "mine.tsv")
    sheet = write(tmp_path / "sheet.csv", "id,e1,r,e2,label", "1,m.1,met,m.2,true")
    assert "people's labels of facts" in refusal(system, sheet)
    own = write(tmp_path / "own.csv", "who,does,whom", "Ada,met,Bob")
    assert "a table with the columns who, does, whom" in refusal(system, own)

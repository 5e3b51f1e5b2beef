"""``distval convert``: from any format to another, with the sentences filled in."""

import json
from pathlib import Path

import pytest

from tests.evaluator.readers.examples import example_file, told_by_themselves
from tests.jobs.commands import command, refused, shown, told

NAMES = [name for name in told_by_themselves() if name != "facts"]  # that holds no extractions

SENTENCES = "TO 1\tLena Marsh founded Kelp .\nTO 2\tMarek slept .\nTO 3\tNobody came .\n"
BENCHIE = "TO 1\tLena Marsh\tfounded\tKelp\nTO 9\tMarek\tslept\tin a tent\n"


@pytest.fixture
def files(tmp_path):
    (tmp_path / "sentences.tsv").write_text(SENTENCES)
    (tmp_path / "system.txt").write_text(BENCHIE)
    return tmp_path


def lines(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text().splitlines()]


@pytest.mark.parametrize("name", NAMES)
def test_jsonl_holds_all_that_a_format_says(tmp_path, name):
    once, twice = tmp_path / "once.jsonl", tmp_path / "twice.jsonl"
    example = example_file(name, tmp_path)
    first = told("convert", example, "--out", once, "--system", "clausie")
    assert (first["format"], first["read"]) == (name, len(lines(once)))
    if name in ("glirel", "kg-gen", "lightrag", "minie", "spacy", "stanford", "stanford-ollie"):
        # These do not say of which sentence an extraction is, and jsonl has to know.
        assert first["without_sentence"] == first["read"]
    else:
        second = told("convert", once, "--out", twice)
        assert (second["format"], second["rejects"]) == ("jsonl", {})
        assert twice.read_bytes() == once.read_bytes()


def test_sentences_are_filled_in_and_what_has_none_is_reported(files):
    out = files / "out.jsonl"
    done = told(
        "convert", files / "system.txt", "--from", "benchie", "--out", out,
        "--sentences", files / "sentences.tsv",
    )  # fmt: skip
    assert [record.get("sentence") for record in lines(out)] == ["Lena Marsh founded Kelp .", None]
    alignment = done["alignment"]
    assert (alignment["aligned"], alignment["outcomes"]["id"]) == (1, 1)
    assert alignment["examples"]["not in the list"] == "line 2: TO 9: (Marek; slept; in a tent)"
    # Two of three sentences have no extraction.
    assert (alignment["sentences"], alignment["covered"]) == (3, 1)
    assert (done["read"], done["written"]) == (2, 2)


def test_what_is_not_aligned_can_be_left_out(files):
    out = files / "out.tsv"
    done = told(
        "convert", files / "system.txt", "--from", "benchie", "--out", out, "--to", "tabbed",
        "--sentences", files / "sentences.tsv", "--only-aligned",
    )  # fmt: skip
    assert out.read_text() == "Lena Marsh founded Kelp .\t\tfounded\tLena Marsh\tKelp\n"
    assert (done["read"], done["written"]) == (2, 1)
    assert "--sentences FILE" in refused(
        "convert", files / "system.txt", "--out", out, "--only-aligned"
    )


def test_texts_give_the_ids_that_benchie_wants(files):
    tabbed = files / "system.tsv"
    tabbed.write_text("Marek slept.\t0.5\tslept\tMarek\tin a tent\n")
    out = files / "out.txt"
    told(
        "convert", tabbed, "--out", out, "--to", "benchie",
        "--sentences", files / "sentences.tsv",
    )  # fmt: skip
    assert out.read_text() == "TO 2\tMarek\tslept\tin a tent\n"


def test_a_mapping_names_the_keys_of_json(files):
    path, out = files / "own.json", files / "out.tsv"
    path.write_text('[{"who": "Lena", "does": "left", "whom": "Oslo", "in": "Lena left Oslo ."}]')
    assert "JSON with the keys who, does, whom, in" in refused("convert", path, "--out", out)
    done = told(
        "convert", path, "--out", out, "--to", "tabbed",
        "--map", "subject=who, relation=does,object=whom,sentence=in",
    )  # fmt: skip
    assert done["format"] == "json"
    assert out.read_text() == "Lena left Oslo .\t\tleft\tLena\tOslo\n"


@pytest.mark.parametrize("mapping", ["subject", "subject=", "=who", "", "subject=a,subject=b"])
def test_a_malformed_mapping_is_explained(files, mapping):
    line = refused("convert", files / "system.txt", "--out", files / "x", "--map", mapping)
    assert "FIELD=KEY" in line


def test_the_reasons_for_lines_left_out_are_told(files):
    path, out = files / "system.json", files / "out.jsonl"
    path.write_text('Here they are:\n{"text": "S .", "triples": [["Lena", "left", "Oslo"], [1]]}\n')
    done = told("convert", path, "--out", out)
    assert done["rejects"]["not JSON"] == 1
    assert done["examples"]["not JSON"] == "line 1: Here they are:"
    assert (len(done["rejects"]), done["written"]) == (2, 1)
    shown = command("convert", path, "--out", out, "--sentences", files / "sentences.tsv")
    assert shown.code == 0
    for said in ("1 extraction read, 1 written", "line 1: Here they are:", "0 of 3 sentences"):
        assert said in shown.out


SAID = [
    '{"sentence": "S .", "arg1": "a", "relation": "r", "negated": true, "confidence": 0.5}',
    '{"sentence": "S .", "arg1": "a", "relation": "r", "negated": false, "asserted": false}',
    '{"sentence": "S .", "arg1": "a", "relation": "r", "modality": "PS", "asserted": true}',
]


def test_what_a_format_cannot_hold_is_counted(files):
    path = files / "said.jsonl"
    path.write_text("\n".join(SAID) + "\n")
    (files / "s.tsv").write_text("7\tS .\n")
    command_ = ("convert", path, "--sentences", files / "s.tsv", "--out", files / "out", "--to")
    tabbed = {"negated": 1, "asserted": 1, "modality": 1}
    assert told(*command_, "jsonl")["lost"] == {}
    assert told(*command_, "tabbed")["lost"] == tabbed
    assert told(*command_, "benchie")["lost"] == tabbed | {"confidence": 1}
    shown = command(*command_, "tabbed").out
    assert "tabbed cannot hold it (extractions): negation (1), modality (1)" in shown


def test_what_is_no_sentence_is_told_apart_from_what_is_no_extraction(files):
    (files / "s.tsv").write_text(SENTENCES + "TO 1\tMarek slept .\n\n")
    (files / "system.txt").write_text(BENCHIE + "TO 1\tLena Marsh\n")
    done = told(
        "convert", files / "system.txt", "--from", "benchie", "--out", files / "out",
        "--sentences", files / "s.tsv",
    )  # fmt: skip
    assert sum(done["rejects"].values()) == 1
    assert done["sentences"]["file"] == str(files / "s.tsv")
    assert done["sentences"]["rejects"]["a sentence with the id of another"] == 1
    example = done["sentences"]["examples"]["a sentence with the id of another"]
    assert example == "TO 1: Marek slept ."


def test_a_report_leaves_out_what_is_not_there(files):
    (files / "s.tsv").write_text(SENTENCES + "TO 4\tMarek slept .\n")
    (files / "system.txt").write_text(BENCHIE.replace("TO 9", "TO 2") + "\n")
    shown = command(
        "convert", files / "system.txt", "--from", "benchie", "--out", files / "out",
        "--sentences", files / "s.tsv",
    ).out  # fmt: skip
    assert "the list repeats the text of 1 sentence\n" in shown
    for absent in ("blank line", "ambiguous", "not in the list"):
        assert absent not in shown


def test_an_extraction_that_cannot_be_written_is_named_by_file_and_line(files):
    line = refused(
        "convert", files / "system.txt", "--from", "benchie", "--out", files / "out",
        "--to", "tabbed", "--sentences", files / "sentences.tsv",
    )  # fmt: skip
    assert f"{files / 'system.txt'}:2: an extraction without its sentence" in line
    assert "--sentences FILE, with --only-aligned" in line
    assert not (files / "out").exists()


@pytest.mark.parametrize("name", ["system.txt", "sentences.tsv"])
def test_nothing_that_is_read_is_written_over(files, name):
    before = (files / name).read_text()
    line = refused(
        "convert", files / "system.txt", "--from", "benchie", "--out", files / name,
        "--sentences", files / "sentences.tsv",
    )  # fmt: skip
    assert "--out" in line
    assert (files / name).read_text() == before


def test_the_formats_that_are_named_are_those_of_files(files):
    line = refused("convert", files / "system.txt", "--from", "baseline", "--out", files / "out")
    assert "unknown format 'baseline'; known: allennlp, " in line
    assert "baseline" not in line.partition("known:")[2]


def test_a_file_of_several_extractors_says_how_one_is_picked(files):
    line = refused("convert", example_file("wire57", files), "--out", files / "out")
    assert "NAME=wire57:PATH picks one (convert: --system NAME)" in line


@pytest.mark.parametrize(
    ("arguments", "told_to"),
    [
        (["missing.txt"], "no such file"),
        (["system.txt", "--from", "csv"], "unknown format 'csv'"),
        (["system.txt", "--from", "benchie", "--to", "reverb"], "cannot be written; these can"),
        (["system.txt", "--from", "benchie", "--to", "tabbed", "--out", "no/where"], "no/where"),
        (["system.txt", "--from", "reverb"], "nothing could be read"),
        (["system.txt", "--from", "benchie", "--map", "subject=s"], "benchie has no keys to map"),
        (["facts.tsv"], "format facts gives facts"),
        (["system.txt", "--from", "benchie", "--sentences", "missing"], "no such file"),
    ],
)
def test_bad_input_is_refused_in_one_line(files, monkeypatch, arguments, told_to):
    monkeypatch.chdir(files)
    (files / "facts.tsv").write_text("e1\tr\te2\na\tr\tb\n")
    assert told_to in refused("convert", "--out", "out.jsonl", *arguments)
    assert not (files / "out.jsonl").exists()


def test_a_link_that_leads_in_a_circle_is_refused(tmp_path: Path) -> None:
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    output = tmp_path / "one.tabbed"
    output.write_text("Kelp grows .\t0.5\tgrows\tKelp\tfast\n")
    assert "leads nowhere" in refused("convert", output, "--out", loop)
    assert str(loop) in refused("convert", loop, "--out", tmp_path / "out.jsonl")


@pytest.mark.parametrize("to", ["tabbed", "benchie"])
def test_no_list_of_sentences_is_advised_where_none_can_help(tmp_path: Path, to: str) -> None:
    """Stanford's default output neither quotes nor numbers its sentences."""
    (tmp_path / "stan.txt").write_text("1.0\tAda\twas born in\tHawaii\n")
    (tmp_path / "list.tsv").write_text("1\tAda was born in Hawaii .\n")
    line = refused("convert", tmp_path / "stan.txt", "--to", to, "--out", tmp_path / "out",
                   "--sentences", tmp_path / "list.tsv")  # fmt: skip
    assert "no list of sentences helps" in line
    assert "--sentences" not in line
    assert "-format reverb" in line


@pytest.mark.parametrize(
    ("count", "begins"), [(1, "1 extraction without"), (2, "2 extractions without")]
)
def test_what_to_do_about_extractions_without_a_sentence(tmp_path, count, begins):
    path = tmp_path / "facts.json"
    path.write_text(json.dumps([["Lena", "founded", "Kelp"]] * count))
    line = " ".join(shown("convert", path, "--out", tmp_path / "out.jsonl").split())
    skipped = "it" if count == 1 else "them"
    assert f"{begins} a sentence or its id: a run skips {skipped}; have the system write" in line


def test_a_file_tells_what_it_is_taken_for_and_its_first_records(tmp_path: Path) -> None:
    path = tmp_path / "system.tsv"
    path.write_text(
        "no columns\nLena left Oslo .\t0.5\tleft\tLena\tOslo\tin May\n"
        "Bo slept .\t\tslept\tBo\nBo ran .\t1\tran\tBo\n" + "Bo ate .\t1\tate\tBo\n" * 9
    )
    done = command("convert", path, "--show", 2)
    assert done.out.splitlines() == [
        f"{path}: tabbed (told by four columns or more, of which the second is a score or empty)",
        "    line 2: (Lena; left; Oslo; in May), confidence 0.5, in 'Lena left Oslo .'",
        "    line 3: (Bo; slept), in 'Bo slept .'",
    ]
    assert done.err == f"skipped of {path} so far: 1 × fewer than 4 columns\n"
    as_json = told("convert", path, "--show", 1, "--from", "tabbed")
    assert (as_json["format"], as_json["why"]) == ("tabbed", "named so")
    assert as_json["first"] == [done.out.splitlines()[1].strip()]
    out = tmp_path / "out.jsonl"
    assert told("convert", path, "--show", 1, "--out", out)["written"] == 12
    assert "--out FILE, or --show N" in refused("convert", path)


def test_a_table_of_facts_is_shown_too(tmp_path: Path) -> None:
    path = tmp_path / "facts.tsv"
    path.write_text("e1\tr\te2\tname1\n/m/0a\tfounded\t/m/0b\tLena\n")
    assert told("convert", path, "--show", 3)["first"] == [
        "line 2: (/m/0a; founded; /m/0b), of Lena"
    ]


def test_a_mapping_adds_to_the_keys_that_are_known_and_says_what_it_leaves_out(
    tmp_path: Path,
) -> None:
    path, out = tmp_path / "own.json", tmp_path / "out.jsonl"
    path.write_text('{"facts": [{"who": "Lena", "rel": "left", "whom": "Oslo"}]}\n')
    done = told("convert", path, "--out", out, "--map", "subject=who")
    assert [lines(out)[0].get(key) for key in ("arg1", "relation", "arg2")] == [
        "Lena", "left", None,
    ]  # fmt: skip
    note = "without an object: the mapping leaves it out, and the record has no key known for it"
    assert done["notes"][note] == 1
    assert note in shown("convert", path, "--show", 1, "--map", "subject=who")
    whole = told("convert", path, "--out", out, "--map", "subject=who,object=whom")
    assert note not in whole["notes"]
    assert lines(out)[0]["arg2"] == "Oslo"
    # What is left out and nowhere else refuses the record.
    path.write_text('{"who": "Lena", "does": "left", "whom": "Oslo"}\n')
    line = refused("convert", path, "--out", out, "--map", "subject=who,object=whom")
    assert "an object without relation under a known key" in line

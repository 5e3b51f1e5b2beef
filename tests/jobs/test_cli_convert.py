"""``distval convert``: from any format to another, with the sentences filled in."""

import json
from pathlib import Path

import pytest

from tests.jobs.test_cli_index import command, refused, told

EXAMPLES = Path(__file__).parents[1] / "evaluator" / "readers" / "examples"
# facts and cesi hold no extractions.
NAMES = sorted(path.stem for path in EXAMPLES.glob("*.txt") if path.stem != "facts")

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
    first = told("convert", EXAMPLES / f"{name}.txt", "--out", once, "--system", "clausie")
    assert (first["format"], first["read"]) == (name, len(lines(once)))
    if name in ("minie", "spacy", "stanford", "stanford-ollie"):
        # These do not say of which sentence an extraction is, and jsonl has to know.
        assert first["without_sentence"] == first["read"]
    else:
        second = told("convert", once, "--out", twice)
        assert (second["format"], second["rejected"]) == ("jsonl", {})
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
    assert "name its format" in refused("convert", path, "--out", out)
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
    assert done["rejected"]["not JSON"] == {"count": 1, "example": "line 1: Here they are:"}
    assert (len(done["rejected"]), done["written"]) == (2, 1)
    shown = command("convert", path, "--out", out, "--sentences", files / "sentences.tsv")
    assert shown.code == 0
    for said in ("1 extractions read, 1 written", "line 1: Here they are:", "0 of 3 sentences"):
        assert said in shown.out


@pytest.mark.parametrize(
    ("arguments", "told_to"),
    [
        (["missing.txt"], "no such file"),
        (["system.txt", "--from", "csv"], "unknown format 'csv'"),
        (["system.txt", "--from", "benchie", "--to", "reverb"], "cannot be written; these can"),
        (["system.txt", "--from", "benchie", "--to", "tabbed", "--out", "no/where"], "no/where"),
        (["system.txt", "--from", "reverb"], "nothing could be read"),
        (["system.txt", "--from", "benchie", "--map", "subject=s"], "only the format json"),
        (["facts.tsv"], "format facts gives facts"),
        (["system.txt", "--from", "benchie", "--sentences", "missing"], "no such file"),
    ],
)
def test_bad_input_is_refused_in_one_line(files, monkeypatch, arguments, told_to):
    monkeypatch.chdir(files)
    (files / "facts.tsv").write_text("e1\tr\te2\na\tr\tb\n")
    assert told_to in refused("convert", "--out", "out.jsonl", *arguments)
    assert not (files / "out.jsonl").exists()

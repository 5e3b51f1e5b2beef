"""Each format is recognised by its own reader and by no other."""

import gzip
from pathlib import Path

import pytest

from evaluator.errors import InputError
from evaluator.model import Rejects
from evaluator.readers import SystemSource, formats, read_extractions, read_facts
from evaluator.readers._detection import detect, recognised_by
from tests.evaluator.readers.examples import example_bytes, example_file, told_by_themselves

NAMES = told_by_themselves()

# What else the formats look like, by format.
VARIANTS = {
    "graphene flat": ["Marek left .\tc1\t0\tMarek\tleft\t\tS:TEMPORAL(in 2003 .)\tL:LIST(c2)"],
    "graphene resolved": ["# Marek left .", "c1\t0\tMarek\tleft\t", "\tL:LIST\tLena\tcame\t"],
    "allennlp array": ["[", '{"words": ["Marek", "ran"], "verbs": []},', "]"],
    "allennlp description": ["[ARG0: Lena] [V: founded] [ARG1: Kelp] ."],
    "json fenced": ["Here they are:", "```json", '[["Lena", "founded", "Kelp"]]', "```"],
    "json tuples": ['("Lena", "founded", "Kelp")', '("Marek", "left", None)'],
    "json indented": ["[", "{", '"head": "Lena",', '"relation": "founded"', "}", "]"],
    "json arg1": [
        '{"arg1": "Lena", "rel": "founded", "arg2": "Kelp", "text": "Lena founded Kelp"}'
    ],
    "spacy rows": ["sent_id,subject,verb,object", "1,Lena Marsh,founded,Kelp"],
    "spacy list": ["[SVOTriple(subject=[Lena], verb=[founded], object=[Kelp])]"],
    "multi2oie": ["Lena founded Kelp .\t1.0\tfounded\tLena\tKelp"],
}


@pytest.mark.parametrize("name", NAMES)
def test_exactly_one_reader_recognises_the_example_of_a_format(name):
    known = formats()[name]
    candidates = {
        other: one
        for other, one in formats().items()
        if getattr(one, "MAGIC", None) == getattr(known, "MAGIC", None)
    }
    assert recognised_by(known.EXAMPLE.splitlines(), candidates) == [name]


def test_all_but_two_formats_are_told_by_their_files():
    # The CESI data are archives, and Multi2OIE writes the tabbed format.
    assert set(NAMES) == set(formats()) - {"cesi", "multi2oie"}


@pytest.mark.parametrize("name", NAMES)
def test_every_example_is_read_without_loss_by_itself_and_by_name(tmp_path, name):
    rejects = Rejects()
    path = example_file(name, tmp_path)
    source = SystemSource("clausie", "auto", path)
    read = read_facts if source.kind == "facts" else read_extractions
    records = list(read(source, rejects=rejects))
    assert records
    assert list(read(SystemSource("clausie", name, path), rejects=Rejects())) == records
    # The frame of "Marek ran" has one argument.
    assert rejects.total == (1 if name == "allennlp" else 0)


def test_every_format_has_a_row_on_the_page_of_formats():
    page = (Path(__file__).parents[3] / "docs" / "formats.md").read_text()
    rows = [line.split(" | ")[0] for line in page.splitlines() if line.startswith("| `")]
    assert {name for name in formats() if not any(f"`{name}`" in row for row in rows)} == set()


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_other_forms_of_a_format_are_recognised_too(variant):
    name = variant.partition(" ")[0]
    wanted = "tabbed" if name == "multi2oie" else name
    assert recognised_by(VARIANTS[variant]) == [wanted]


def test_a_long_array_is_recognised_by_what_its_first_lines_hold(tmp_path):
    triple = '  {\n    "subject": "Lena",\n    "predicate": "founded",\n    "object": "Kelp"\n  }'
    path = tmp_path / "triples.json"
    path.write_text("[\n" + ",\n".join([triple] * 100) + "\n]\n")  # 502 lines
    assert detect(path) == "json"


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_auto_stands_for_the_format_that_is_found(tmp_path, pack):
    path = tmp_path / "output"
    path.write_bytes(pack(example_bytes("graphene")))
    source = SystemSource.parse(f"Graphene=auto:{path}")
    assert str(source) == f"Graphene=graphene:{path}"
    assert source == SystemSource("Graphene", "graphene", path)


@pytest.mark.parametrize("last", ["0.5: (S; ran; home)[enabler=if so]", "No extractions found."])
def test_what_only_ollie_writes_may_come_late(tmp_path, last):
    path = tmp_path / "interactive"
    plain = "Lena founded Kelp .\n0.71: (Lena; founded; Kelp)\n\n"
    path.write_text(400 * plain + f"S ran home if so .\n{last}\n")
    assert detect(path) == "ollie"


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (
            "who;does;whom\nLena;founded;Kelp\n",
            "a table with the columns who, does, .*--system NAME=table",
        ),
        ("Lena ran .\n(Lena; ran)\n", "tuples without a score .*sentence, confidence, relation"),
        ("(Lena; founded; Kelp)\n", "tuples without a score"),
        ('{"who": "Lena", "does": "ran"}\n', "JSON with the keys who, does, .*--system NAME=json"),
        ('[\n{"who": "Lena",\n"does": "ran"}]\n', "JSON with the keys who, does"),
        (
            "sent_id:1\tLena ran .\n1--> Cluster 1:\nLena --> ran --> \n",
            "the gold annotations of Ben",
        ),
        ("S .\tfounded\tLena\tKelp\nS ran .\tran\tS\tx\n", "columns without a confidence .*tabbed"),
        ("1\tLena ran .\n2\tBo left Oslo .\n", "a list of sentences .*--sentences FILE"),
        ("(Lena:Person)-[:FOUNDED]->(Kelp:Org)\n", "paths of Cypher"),
        ("| Who | Does | Whom |\n|---|---|---|\n", "a table of Markdown"),
        ("subject,relation,object,Note,note\na,b,c,d,e\n", "a table with two columns called Note"),
        ("e1\tr\te2\tlabel\nm.1\tmet\tm.2\ttrue\n", "people's labels of facts.*label import"),
        ('id,"e1","r","e2","label"\n1,m.1,met,m.2,\n', "people's labels of facts.*name its format"),
        ('{"e1": "m.1", "r": "met", "e2": "m.2", "verdict": "no pair"}\n', "verdicts on facts"),
        ("Lena | founded | Kelp\n", "triples with bars between.*make it JSON Lines"),
        ("Lena -> founded -> Kelp\n", "triples with arrows between"),
        ("Here:\n\n1. (Lena, founded, Kelp)\n", "tuples without quotes"),
        ("\n \n\n", "nothing but blank lines in the first 3"),
    ],
)
def test_of_the_commonest_home_made_files_it_is_said_what_to_do(tmp_path, content, told):
    path = tmp_path / "output"
    path.write_text(content)
    with pytest.raises(InputError, match=rf"output: {told}"):
        detect(path)


def test_a_file_that_no_reader_recognises_has_to_be_named(tmp_path):
    path = tmp_path / "output"
    path.write_text("\nWhat a day !\nIndeed .\n")
    with pytest.raises(InputError, match=r"'What a day !'.*--from FORMAT.*tried allennlp.*wire57"):
        detect(path)


def test_a_file_that_two_readers_recognise_has_to_be_named(tmp_path):
    path = tmp_path / "two systems in one file"
    path.write_bytes(example_bytes("json") + 4 * example_bytes("tabbed"))
    with pytest.raises(InputError, match=r"could be json or tabbed; name its format \(--from"):
        detect(path)


@pytest.mark.parametrize(("content", "problem"), [(None, "no such file"), (b"", "empty file")])
def test_a_file_that_cannot_be_read_says_why(tmp_path, content, problem):
    path = tmp_path / "output"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(InputError, match=problem):
        SystemSource("system", "auto", path)


@pytest.mark.parametrize(
    ("content", "remedy"),
    [
        (
            "(Lena:Person)-[:FOUNDED]->(Kelp:Org)\n",
            "export them as JSON with source, type and target",
        ),
        ("Lena | founded | Kelp\n", "make it JSON Lines with subject, relation and object"),
    ],
)
def test_one_way_out_is_told(tmp_path, content, remedy):
    path = tmp_path / "output"
    path.write_text(content)
    with pytest.raises(InputError) as caught:
        detect(path)
    message = str(caught.value)
    assert message.endswith(f"no format that is read: {remedy}")
    assert message.count("JSON") == 1

"""``distval words``: further words of relations, shown and mined."""

import json

import pytest

from tests.jobs.cli.test_index import json_lines
from tests.jobs.commands import command, refused, told

pytestmark = pytest.mark.jvm

NAMESPACE = "http://rdf.freebase.com/ns"
FACTS = [("m.ann", "people.person.married_to", "m.bob"), ("m.ann", "people.person.home", "m.paris")]
NAMES = {"m.ann": "Ann Lee", "m.bob": "Bob Ray", "m.paris": "Paris"}

# Twenty contexts of the couple, all with "kiss"; thirty of her home, none with it.
TEXTS = {f"couple {n}": "Ann Lee kissed Bob Ray." for n in range(20)} | {
    f"home {n}": "Ann Lee lived in Paris." for n in range(30)
}


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    folder = tmp_path_factory.mktemp("words")
    told(
        "index", "build", json_lines(folder / "docs.jsonl", TEXTS), "--format", "jsonl",
        "--out", folder / "index",
    )  # fmt: skip
    lines = [" ".join(f"<{NAMESPACE}/{term}>" for term in fact) + " ." for fact in FACTS]
    lines += [
        f'<{NAMESPACE}/{entity}> <{NAMESPACE}/type.object.name> "{name}"@en .'
        for entity, name in NAMES.items()
    ]
    (folder / "kb.nt").write_text("\n".join(lines) + "\n")
    told("kb", "build", folder / "kb.nt", "--out", folder / "kb")
    return folder


def test_words_are_mined_and_shown_with_weight_and_source(place):
    evidence = ("--kb", place / "kb", "--index", place / "index")
    line = refused("words", "married", "--source", "patterns", *evidence)
    assert "--mine" in line

    found = told("words", "got married to", "is", "--source", "patterns", "--mine", *evidence)
    assert found["mined"]["documents"] == 50
    assert found["words"] == "words-patterns-0.3-12"
    couple, empty = found["relations"]
    assert (empty["key"], empty["words"]) == ("", [])
    # "marry" is the relation's own name; of its 20 contexts all hold "kiss", of the 30 others one
    # more than none.
    (kiss,) = couple["words"]
    assert (couple["key"], kiss["word"], kiss["source"]) == ("marry", "kiss", "patterns")
    assert kiss["weight"] == pytest.approx(1 - 1 / 31)

    shown = command("words", "married", *evidence).out
    assert [line.split()[1] for line in shown.splitlines() if "derivations" in line] == [
        "marriage", "married", "wedding",
    ]  # fmt: skip
    assert "kiss" in shown


def test_without_evidence_words_come_from_wordnet():
    done = command("words", "married", "--least", "0.9", "--json")
    (relation,) = json.loads(done.out)["relations"]
    assert [word["word"] for word in relation["words"]] == ["marriage", "married", "wedding"]
    assert "no further words" in command("words", "is").out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "name a relation"),
        (("--mine",), "--mine needs facts and texts"),
        (("married", "--source", "patterns"), "--kb"),
        (("married", "--source", "guess"), "expected some of neighbours"),
        (("married", "--least", "2"), "'--least': Input should be less than or equal to 1"),
    ],
)
def test_what_cannot_be_done_is_told_in_one_line(arguments, said):
    assert said in refused("words", *arguments)


def test_words_of_properties_are_from_the_folder_of_their_names(tmp_path):
    line = refused("words", "spouse", "--source", "properties")
    assert "relation.properties" in line
    label = "http://www.w3.org/2000/01/rdf-schema#label"
    other = "http://www.w3.org/2004/02/skos/core#altLabel"
    rows = [("P26", label, "spouse"), ("P26", other, "married to"), ("P22", label, "father")]
    (tmp_path / "wikidata-properties.csv").write_text(
        "".join(f'http://example.org/{name}\t{kind}\t"{text}"\n' for name, kind, text in rows)
    )
    options = ("--names", tmp_path, "--source", "properties", "--json")
    (told,) = json.loads(command("words", "spouse", *options).out)["relations"]
    assert told["words"] == [{"word": "marry", "weight": 1.0, "source": "properties"}]

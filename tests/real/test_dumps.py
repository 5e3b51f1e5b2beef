"""Freebase's own lines, and agreement with other parsers on a whole knowledge base."""

import gzip
from collections import Counter
from pathlib import Path

import pyoxigraph
import pytest

from indexes.dumps.freebase import decode_key
from indexes.identifiers import canonical_id, title_id
from tests.indexes.dumps.reading import read

NS = "http://rdf.freebase.com/ns/"
FILES = [
    "fb-rdf-10k-head.nt",
    "fb-rdf-10k-tail-s01-c01.nt.gz",
    "fb-rdf-10k-names-en-s01-c01.nt.gz",
    "fb-rdf-10k-desc-all-s01-c01.nt.gz",
]


def lines_of(path: Path) -> list[list[str]]:
    """Subject, predicate and object of each line, without namespace and brackets."""
    content = path.read_bytes()
    text = (gzip.decompress(content) if path.suffix == ".gz" else content).decode()
    return [
        line.replace(f"<{NS}", "</").removesuffix("\t.").split("\t", 2)
        for line in text.split("\n")
        if line
    ]


@pytest.mark.parametrize("name", FILES)
def test_all_lines_of_freebase_are_accounted_for(data, name):
    path = data / "freebase_ntriples" / name
    rows, rejected, left = read(path)
    # No line makes two statements in Freebase.
    assert len(rows) + sum(left.values()) == len(lines_of(path)) == 10_000
    assert rejected == {}


@pytest.mark.parametrize("name", FILES)
def test_counts_are_those_of_a_plain_split(data, name):
    path = data / "freebase_ntriples" / name
    rows, _, left = read(path)
    lines = lines_of(path)
    names = ("</type.object.name>", "<http://www.w3.org/2000/01/rdf-schema#label>")
    labels = [(s, o) for s, p, o in lines if p in names and o.endswith('"@en')]
    assert Counter(row[0] for row in rows)["label"] == len(labels)
    assert left.get("duplicate type statement", 0) == sum(
        p == "</type.type.instance>" for _, p, _ in lines
    )
    assert left.get("description", 0) == sum(
        p == "</common.topic.description>" for _, p, _ in lines
    )


def test_names_are_the_text_between_the_quotes(data):
    path = data / "freebase_ntriples" / "fb-rdf-10k-names-en-s01-c01.nt.gz"
    expected = Counter(
        (canonical_id(subject[2:-1]) or subject[2:-1], " ".join(text[1:-4].split()))
        for subject, _, text in lines_of(path)
        if text.endswith('"@en') and "\\" not in text and text.isascii()
    )
    found = Counter((subject, name) for kind, subject, _, name in read(path)[0] if kind == "label")
    assert len(expected) > 4000
    assert expected - found == Counter()


def test_a_whole_knowledge_base_is_read_as_pyoxigraph_reads_it(dump):
    facts, names, titles = set(), set(), set()
    with gzip.open(dump) as stream:
        for quad in pyoxigraph.parse(stream, format=pyoxigraph.RdfFormat.N_TRIPLES):
            predicate = quad.predicate.value.removeprefix(NS)
            subject = canonical_id(quad.subject.value)
            if isinstance(quad.object, pyoxigraph.NamedNode):
                object_ = canonical_id(quad.object.value)
                if object_ and object_.startswith("/"):
                    facts.add((subject, predicate, object_))
            elif predicate == "type.object.name" and subject.startswith("/"):
                names.add((subject, quad.object.value))
            elif predicate == "http://rdf.freebase.com/key/wikipedia.en_title":
                title = title_id(decode_key(quad.object.value), language="en")
                titles.add((subject, title))
    rows, rejected, _ = read(dump)
    assert rejected == {}
    left_out = ("type.", "freebase.")
    assert {row[1:] for row in rows if row[0] == "fact" and not row[2].startswith(left_out)} == {
        fact for fact in facts if not fact[1].startswith(left_out)
    }
    assert len(facts) > 200_000
    same = {(row[1], row[3]) for row in rows if row[0] == "same"}
    assert {pair for pair in same if pair[1].startswith("en:")} == titles
    assert len(same - titles) > 14_000  # Wikidata's ids
    collapsed = {(subject, " ".join(name.split())) for subject, name in names}
    assert {row[1::2] for row in rows if row[0] == "label" and row[1][0] == "/"} == collapsed

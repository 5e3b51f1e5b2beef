"""Any other RDF, and finding out what a file is."""

import bz2
import gzip
import json

import pytest

from evaluator.errors import ConfigurationError, InputError
from indexes.dumps import FORMATS, detect_format, rdf, reader, splits
from tests.indexes.dumps.reading import read, read_text

DBR = "<http://dbpedia.org/resource/"
DBO = "<http://dbpedia.org/ontology/"
OWL = "<http://www.w3.org/2002/07/owl#"


@pytest.mark.parametrize(
    ("line", "rows"),
    [
        (f"{DBR}Rome> {DBO}country> {DBR}Italy>",
         [("fact", "en:Rome", "http://dbpedia.org/ontology/country", "en:Italy")]),
        (f"{DBR}S%C3%A3o_Paulo> {DBO}country> <http://de.dbpedia.org/resource/Köln>",
         [("fact", "en:São_Paulo", "http://dbpedia.org/ontology/country", "de:Köln")]),
        (f"<http://a.org/x> <http://a.org/p> {DBR}Rome> <http://a.org/graph>",
         [("fact", "http://a.org/x", "http://a.org/p", "en:Rome")]),
        (f'{DBR}Rome> <http://www.w3.org/2000/01/rdf-schema#label> "Rome"@en',
         [("label", "en:Rome", "", "Rome")]),
        (f'{DBR}Rome> <http://xmlns.com/foaf/0.1/name> "Roma"', [("label", "en:Rome", "", "Roma")]),
        (f'{DBR}Rome> {DBO}alias> "Eternal City"@en', [("alias", "en:Rome", "", "Eternal City")]),
        (f"{DBR}Rome> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> {DBO}City>",
         [("type", "en:Rome", "", "http://dbpedia.org/ontology/City")]),
        (f"{DBR}Rome> {OWL}sameAs> <http://www.wikidata.org/entity/Q220>",
         [("same", "en:Rome", "", "Q220")]),
        (f"{DBR}Roma> {DBO}wikiPageRedirects> {DBR}Rome>",
         [("redirect", "en:Roma", "", "en:Rome")]),
        ("<http://a.org/p> <http://www.w3.org/2002/07/owl#inverseOf> <http://a.org/q>",
         [("inverse", "http://a.org/p", "", "http://a.org/q")]),
    ],
)  # fmt: skip
def test_statements(tmp_path, line, rows):
    assert read_text(tmp_path, f"{line} .\n") == (rows, {}, {})


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (f"{DBR}Rome> {DBO}wikiPageWikiLink> {DBR}Italy>", "link between pages"),
        (f"{DBR}Rome> {DBO}wikiPageExternalLink> <http://a.org/>", "link between pages"),
        (f"{DBO}City> <http://www.w3.org/2000/01/rdf-schema#subClassOf> {DBO}Place>", "schema"),
        (f"{DBR}Rome> <http://a.org/p> {OWL}Thing>", "schema"),
        (f'{DBR}Rome> {DBO}populationTotal> "2860009"', "literal value"),
    ],
)
def test_what_is_left_out(tmp_path, line, reason):
    assert read_text(tmp_path, f"{line} .\n") == ([], {}, {reason: 1})


TURTLE = """@prefix e: <http://e.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
e:a e:p e:b, [ e:q e:c ] ; rdfs:label "A"@en, "Ah"@de .
"""
JSONLD = [
    {"@id": "http://e.org/a", "http://e.org/p": [{"@id": "http://e.org/b"}]},
]
XML = """<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="http://e.org/">
<rdf:Description rdf:about="http://e.org/a"><e:p rdf:resource="http://e.org/b"/></rdf:Description>
</rdf:RDF>"""
FACT = ("fact", "http://e.org/a", "http://e.org/p", "http://e.org/b")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.ttl", TURTLE),
        ("a.trig", "@prefix e: <http://e.org/> . e:g { e:a e:p e:b }"),
        ("a.jsonld", json.dumps(JSONLD)),
        ("a.rdf", XML),
    ],
)
def test_every_syntax_gives_the_fact(tmp_path, name, text):
    assert FACT in read_text(tmp_path, text, name=name)[0]
    packed = read_text(tmp_path, gzip.compress(text.encode()), name=f"{name}.gz")
    assert FACT in packed[0]


def test_turtle_is_read_as_its_triples_are(tmp_path):
    rows, rejected, left = read_text(tmp_path, TURTLE, name="a.ttl")
    (blank,) = {row[3] for row in rows if row[3].startswith("_:")}
    assert sorted(rows) == [
        ("fact", blank, "http://e.org/q", "http://e.org/c"),
        ("fact", "http://e.org/a", "http://e.org/p", blank),
        FACT,
        ("label", "http://e.org/a", "", "A"),
        ("named", "http://e.org/a", "", ""),
    ]
    assert (rejected, left) == ({}, {})


def test_blank_nodes_of_two_files_differ(tmp_path):
    line = "_:x <http://e.org/p> _:x .\n"
    (one,), (two,) = (read_text(tmp_path, line, name=f"{name}.nt")[0] for name in "ab")
    assert one[1] == one[3]
    assert one[1] != two[1]


def test_a_syntax_error_names_the_line(tmp_path):
    with pytest.raises(InputError, match=r"a\.ttl:2: not turtle") as error:
        read_text(tmp_path, "@prefix e: <http://e.org/> .\ne:a e:p e:b e:c .\n", name="a.ttl")
    assert "\n" not in str(error.value)
    with pytest.raises(InputError, match="not xml"):
        read_text(tmp_path, "<rdf:RDF", name="a.rdf")


def test_what_does_not_fit_in_memory_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(rdf, "LARGEST", 20)
    with pytest.raises(InputError, match="convert it to N-Triples"):
        read_text(tmp_path, TURTLE, name="a.ttl")


FREEBASE = "</m.1>\t</a.b.c>\t</m.2>\t.\n"
ITEM = '{"type":"item","id":"Q1","labels":{}}'


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("dump", FREEBASE.encode(), "freebase"),
        ("dump.nt", FREEBASE.replace("</", "<http://rdf.freebase.com/ns/").encode(), "freebase"),
        ("dump.bin", gzip.compress(FREEBASE.encode()), "freebase"),
        ("truthy", b"<http://www.wikidata.org/entity/Q1> <a> <b> .\n", "wikidata-truthy"),
        ("all.json", f"[\n{ITEM},\n{ITEM}\n]\n".encode(), "wikidata-json"),
        ("all.json.bz2", bz2.compress(ITEM.encode()), "wikidata-json"),
        ("labels.nt", b"<http://dbpedia.org/resource/Rome> <a> <b> .\n", "rdf"),
        ("a.ttl", TURTLE.encode(), "rdf"),
        ("a.jsonld", json.dumps(JSONLD).encode(), "rdf"),
        ("a.rdf.gz", gzip.compress(XML.encode()), "rdf"),
    ],
)
def test_formats_are_told_by_what_is_in_the_file(tmp_path, name, content, expected):
    path = tmp_path / name
    path.write_bytes(content)
    assert detect_format(path) == expected


@pytest.mark.parametrize(
    ("name", "content"),
    [("page.html", b"<!DOCTYPE html><html>"), ("notes", b"to do\n"), ("a.bin", b"\0\1\2")],
)
def test_what_fits_nowhere_is_one_clear_line(tmp_path, name, content):
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(InputError, match="format is not known") as error:
        read(path)
    assert "freebase, wikidata-truthy" in str(error.value)


def test_formats_have_one_surface():
    for name in FORMATS:
        assert name == reader(name).NAME
        assert reader(name).DESCRIPTION
    with pytest.raises(ConfigurationError, match="none of auto, freebase"):
        reader("csv")


def test_only_files_of_lines_are_split(tmp_path):
    for name, text, pieces in (("a.nt", FREEBASE * 4, 5), ("a.ttl", TURTLE, 1)):
        path = tmp_path / name
        path.write_text(text)
        assert len(splits(path, len(text) // 5 + 1)) == pieces


@pytest.mark.parametrize(
    "document",
    [
        {"@context": "http://127.0.0.1:9/c", "@id": "http://e.org/a"},
        {"@context": [{}, "file:///etc/passwd"], "@id": "http://e.org/a"},
        {"http://e.org/p": {"@context": "context.jsonld"}},
        {"@context": {"p": {"@id": "http://e.org/p", "@context": "c"}}},
        {"@context": {"@import": "http://127.0.0.1:9/c"}},
    ],
)
def test_json_ld_never_fetches_a_context(tmp_path, document):
    with pytest.raises(InputError, match="is not fetched; inline it"):
        read_text(tmp_path, json.dumps([document]), name="a.jsonld")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_xml_that_declares_entities_is_refused(tmp_path, encoding):
    bomb = '<!DOCTYPE r [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>\n' + XML
    with pytest.raises(InputError, match="declares entities"):
        read_text(tmp_path, bomb.encode(encoding), name="a.rdf")


def test_whatever_breaks_a_parser_is_one_clear_line(tmp_path):
    deep = "[" * 500 + "]" * 500
    with pytest.raises(InputError, match=r"a\.jsonld: ") as error:
        read_text(tmp_path, '{"http://e.org/p": ' + deep + "}", name="a.jsonld")
    assert "\n" not in str(error.value)
    nested = "@prefix e: <http://e.org/> . e:a e:p " + "[ e:p " * 3_000 + "1" + "]" * 3_000 + " ."
    with pytest.raises(InputError, match=r"a\.ttl: .*Recursion"):
        read_text(tmp_path, nested, name="a.ttl")


def test_odd_literals_and_iris_are_not_logged(tmp_path, caplog):
    text = '<http://e.org/a> <http://e.org/p> "x"^^<http://www.w3.org/2001/XMLSchema#integer> .'
    text += "\n<http://e.org/a> <http://e.org/q> <http://e.org/|x> ."
    assert len(read_text(tmp_path, text, name="a.ttl")[0]) == 1
    assert caplog.records == []


@pytest.mark.parametrize(
    ("name", "text"), [("a.ttl", "# nothing\n"), ("a.jsonld", '{"name": "x"}')]
)
def test_a_file_without_a_statement_is_refused(tmp_path, name, text):
    with pytest.raises(InputError, match="no statement found"):
        read_text(tmp_path, text, name=name)


def test_a_byte_order_mark_and_capitals_in_the_name_are_no_matter(tmp_path):
    assert FACT in read_text(tmp_path, b"\xef\xbb\xbf" + TURTLE.encode(), name="UP.TTL")[0]

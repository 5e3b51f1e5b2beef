"""Every written form of an identifier becomes one."""

import pytest

from indexes.identifiers import canonical_id, page_of, title_id


@pytest.mark.parametrize(
    ("written", "canonical"),
    [
        ("/m/0282x", "/m/0282x"),
        ("m.0282x", "/m/0282x"),
        ("/m.0282x", "/m/0282x"),
        ("ns:m.0282x", "/m/0282x"),
        ("fb:m.0282x", "/m/0282x"),
        ("http://rdf.freebase.com/ns/m.0282x", "/m/0282x"),
        ("http://rdf.freebase.com/ns/g.11b_x", "/g/11b_x"),
        ("Q42", "Q42"),
        ("wd:Q42", "Q42"),
        ("http://www.wikidata.org/entity/Q42", "Q42"),
        ("https://www.wikidata.org/wiki/Q42", "Q42"),
        ("https://www.wikidata.org/wiki/Property:P19", "P19"),
        ("http://www.wikidata.org/prop/direct/P19", "P19"),
        ("https://en.wikipedia.org/wiki/Douglas_Adams", "en:Douglas_Adams"),
        ("http://en.wikipedia.org/wiki/S%C3%A3o_Paulo#History", "en:São_Paulo"),
        ("https://de.m.wikipedia.org/wiki/Wien", "de:Wien"),
        ("http://dbpedia.org/resource/AC/DC", "en:AC/DC"),
        ("http://de.dbpedia.org/resource/Wien", "de:Wien"),
        ("dbr:Douglas_Adams", "en:Douglas_Adams"),
        ("enwiki:Douglas Adams", "en:Douglas_Adams"),
        ("en:douglas Adams", "en:Douglas_Adams"),
        ("http://example.org/thing", "http://example.org/thing"),
        ("_:b1", "_:b1"),
        (" Q42 ", "Q42"),
    ],
)
def test_forms(written, canonical):
    assert canonical_id(written) == canonical
    assert canonical_id(canonical) == canonical


@pytest.mark.parametrize("text", ["", "NULL", "Douglas Adams", "Q0", "Q", "http", "a b:c"])
def test_what_is_no_identifier(text):
    assert canonical_id(text) is None


def test_titles_are_written_in_one_way():
    # e and a combining accent, as some dumps write it, is the letter with the accent.
    assert title_id("cafe\u0301  de Flore", language="fr") == "fr:Café_de_Flore"


@pytest.mark.parametrize(
    ("identifier", "page"),
    [
        ("Q42", "https://www.wikidata.org/wiki/Q42"),
        ("en:C#", "https://en.wikipedia.org/wiki/C%23"),
        (
            "/m/0282x",
            "https://www.wikidata.org/wiki/Special:Search?search=haswbstatement%3AP646%3D/m/0282x",
        ),
        ("http://example.org/x", "http://example.org/x"),
        ("javascript:alert(1)", None),
        ("_:b0", None),
    ],
)
def test_pages_about_entities(identifier, page):
    assert page_of(identifier) == page

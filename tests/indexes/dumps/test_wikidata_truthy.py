"""Wikidata's direct statements: what each of them is here."""

import pytest

from tests.indexes.dumps.reading import read_text

WD = "<http://www.wikidata.org/entity/"
WDT = "<http://www.wikidata.org/prop/direct/"
LABEL = "<http://www.w3.org/2000/01/rdf-schema#label>"
RDF_TYPE = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
ABOUT = "<http://schema.org/about>"
INTEGER = "^^<http://www.w3.org/2001/XMLSchema#integer>"


def read_line(folder, line, **options):
    return read_text(folder, f"{line} .\n", format="wikidata-truthy", **options)


@pytest.mark.parametrize(
    ("line", "rows"),
    [
        (f"{WD}Q42> {WDT}P19> {WD}Q350>", [("fact", "Q42", "P19", "Q350")]),
        (f"{WD}Q42> {WDT}P31> {WD}Q5>",
         [("fact", "Q42", "P31", "Q5"), ("type", "Q42", "", "Q5")]),
        (f'{WD}Q42> {LABEL} "Douglas Adams"@en', [("label", "Q42", "", "Douglas Adams")]),
        (f'{WD}Q42> <http://www.w3.org/2004/02/skos/core#prefLabel> "D. A."@en',
         [("label", "Q42", "", "D. A.")]),
        (f'{WD}Q42> <http://schema.org/name> "D. A."@en-ca', [("variant", "Q42", "", "D. A.")]),
        (f'{WD}Q42> {LABEL} "Douglas Adams"@mul', [("variant", "Q42", "mul", "Douglas Adams")]),
        (f'{WD}Q42> {LABEL} "Дуглас Адамс"@ru', [("named", "Q42", "", "")]),
        (f'{WD}Q42> <http://www.w3.org/2004/02/skos/core#altLabel> "DNA"@en',
         [("alias", "Q42", "", "DNA")]),
        (f'{WD}P19> {LABEL} "place of birth"@en', [("label", "P19", "", "place of birth")]),
        (f'{WD}Q42> {WDT}P646> "/m/0282x"', [("same", "Q42", "", "/m/0282x")]),
        (f"<https://en.wikipedia.org/wiki/Douglas_Adams> {ABOUT} {WD}Q42>",
         [("same", "Q42", "", "en:Douglas_Adams")]),
        (f"<https://en.wikipedia.org/wiki/S%C3%A3o_Paulo> {ABOUT} {WD}Q174>",
         [("same", "Q174", "", "en:São_Paulo")]),
        (f"{WD}P22> {WDT}P1696> {WD}P40>", [("inverse", "P22", "", "P40")]),
        (f"{WD}Q16231742> <http://www.w3.org/2002/07/owl#sameAs> {WD}Q42>",
         [("redirect", "Q16231742", "", "Q42")]),
        (f'{WD}Q42> <http://wikiba.se/ontology#sitelinks> "116"{INTEGER}',
         [("sitelinks", "Q42", "", "116")]),
        ("<https://www.wikidata.org/wiki/Special:EntityData/Q42>"
         f' <http://wikiba.se/ontology#sitelinks> "116"{INTEGER}',
         [("sitelinks", "Q42", "", "116")]),
    ],
)  # fmt: skip
def test_statements(tmp_path, line, rows):
    assert read_line(tmp_path, line) == (rows, {}, {})


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (f"{WD}Q42> {WDT}P20> _:genid1", "unknown value"),
        (f"{WD}Q42> {WDT}P20> <http://www.wikidata.org/.well-known/genid/ab>", "unknown value"),
        (f"{WD}Q42> {RDF_TYPE} <http://www.wikidata.org/prop/novalue/P570>", "no value"),
        (f"{WD}Q42> {RDF_TYPE} <http://wikiba.se/ontology#Item>", "schema"),
        (f"{WD}Q42> {WDT}P5137> {WD}L42>", "lexeme"),
        (f"{WD}L42-S1> {WDT}P5137> {WD}Q42>", "lexeme"),
        (f"{WD}Q42> {WDT}P1659> {WD}P19>", "schema"),
        (f"{WD}Q42> {WDT}P856> <http://douglasadams.com/>", "no entity"),
        (f'{WD}Q42> {WDT}P569> "1952-03-11T00:00:00Z"^^<http://a.org/d>', "literal value"),
        (f'{WD}Q42> <http://schema.org/description> "writer"@en', "description"),
        (f"<https://de.wikipedia.org/wiki/Douglas_Adams> {ABOUT} {WD}Q42>",
         "article of another site"),
        (f"{WD}Q42> <http://www.wikidata.org/prop/P19> {WD}statement/Q42-1>",
         "statement, value or reference"),
    ],
)  # fmt: skip
def test_what_is_left_out(tmp_path, line, reason):
    assert read_line(tmp_path, line) == ([], {}, {reason: 1})


def test_one_bad_line_in_the_middle(tmp_path):
    fact = f"{WD}Q42> {WDT}P19> {WD}Q350> .\n"
    bad = f"{WD}Q42> {WDT}P973> <https://example.org/a b> .\n"
    odd = f"{WD}Q42> {WDT}P973> <https://example.org/wiki/X#Crew?oldid=1#Y> .\n"
    rows, rejected, left = read_text(tmp_path, fact + bad + odd + fact)
    assert rows == [("fact", "Q42", "P19", "Q350")] * 2
    assert (rejected, left) == ({"not N-Triples": 1}, {"no entity": 1})

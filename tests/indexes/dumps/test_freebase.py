"""Freebase's dump: what each of its statements is here."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexes.dumps.freebase import decode_key, encode_key
from tests.indexes.dumps.reading import read_text

NS = "http://rdf.freebase.com/ns/"


def test_key_escapes_are_four_hexadecimal_digits():
    assert decode_key("Pres$002E_O$0027Bama_$0028politician$0029") == "Pres._O'Bama_(politician)"
    assert decode_key("$D83C$DFBB") == "🎻"  # UTF-16 units, a pair for what lies beyond the BMP
    assert decode_key("$5") == "$5"
    assert encode_key("Denton,_Texas") == "Denton$002C_Texas"


@given(st.text())
def test_a_key_survives_encoding(text):
    assert decode_key(encode_key(text)) == text


KEY = "<http://rdf.freebase.com/key/wikipedia."


@pytest.mark.parametrize(
    ("statement", "rows"),
    [
        ("</m.1> </location.location.contains> </g.11_b>",
         [("fact", "/m/1", "location.location.contains", "/g/11_b")]),
        ("</m.1> </people.person.place_of_birth..a.b.c> </m.2>",
         [("fact", "/m/1", "people.person.place_of_birth..a.b.c", "/m/2")]),
        ('</m.1> </type.object.name> "Rome"@en', [("label", "/m/1", "", "Rome")]),
        ('</m.1> <http://www.w3.org/2000/01/rdf-schema#label> "Rome"@en',
         [("label", "/m/1", "", "Rome")]),
        ('</m.1> </type.object.name> "Rome"@en-GB', [("variant", "/m/1", "", "Rome")]),
        ('</m.1> </type.object.name> "Rom"@de', [("named", "/m/1", "", "")]),
        ('</m.1> </common.topic.alias> "Eternal City"@en-US',
         [("alias", "/m/1", "", "Eternal City")]),
        ('</people.person.place_of_birth> </type.object.name> "Place of birth"@en',
         [("label", "people.person.place_of_birth", "", "Place of birth")]),
        ("</m.1> </type.object.type> </people.person>", [("type", "/m/1", "", "people.person")]),
        (f"<{NS}m.1> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <{NS}people.person>",
         [("type", "/m/1", "", "people.person")]),
        (f'</m.1> {KEY}en> "Lena_Marsh_$0028biologist$0029"',
         [("same", "/m/1", "", "en:Lena_Marsh_(biologist)")]),
        (f'</m.1> {KEY}en_title> "Barry_O$0027Bama"', [("same", "/m/1", "", "en:Barry_O'Bama")]),
        ('</m.1> </type.object.key> "/wikipedia/en_title/Pres$002E_Obama"',
         [("same", "/m/1", "", "en:Pres._Obama")]),
        ('</m.1> </type.object.key> "/wikipedia/en/Lena_Marsh"',
         [("same", "/m/1", "", "en:Lena_Marsh")]),
        ("</film.actor.film> </type.property.reverse_property> </film.film.starring>",
         [("inverse", "film.actor.film", "", "film.film.starring")]),
        ("</film.actor.film> <http://www.w3.org/2002/07/owl#inverseOf> </film.film.starring>",
         [("inverse", "film.actor.film", "", "film.film.starring")]),
        ('</film.performance> </freebase.type_hints.mediator> "true"',
         [("mediator", "film.performance", "", "")]),
    ],
)  # fmt: skip
@pytest.mark.parametrize("full", [False, True])
@pytest.mark.parametrize("gap", ["\t", " "])
def test_statements(tmp_path, statement, rows, full, gap):
    subject, predicate, object_ = statement.split(" ", 2)
    line = gap.join((subject, predicate, object_, ".\n"))
    if full:
        line = line.replace("</", f"<{NS}")
    assert read_text(tmp_path, line, format="freebase") == (rows, {}, {})


@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        ("</people.person> </type.type.instance> </m.1>", "duplicate type statement"),
        ('</m.1> </common.topic.description> "Rome is a city."@en', "description"),
        (f'</m.1> {KEY}en_id> "25458"', "other key"),
        (f'</m.1> {KEY}de> "Rom"', "other key"),
        ('</m.1> </type.object.key> "/wikipedia/en_id/25458"', "other key"),
        ('</m.1> </common.topic.alias> "Ewige Stadt"@de', "other language"),
        ('</people.person> </type.object.name> "Person"@de', "other language"),
        ('</m.1> </type.object.name> " "@en', "empty name"),
        ("</m.1> </type.object.name> </m.2>", "name that is no text"),
        ("</m.1> </common.topic.notable_types> </m.2>", "notability"),
        ("</m.1> </common.topic.image> </m.2>", "page, image or document"),
        ("</m.1> </common.document.author> </m.2>", "page, image or document"),
        ("</m.1> </common.topic.image..common.image.size> </m.2>", "page, image or document"),
        ("</m.1> </type.object.permission> </m.2>", "schema"),
        ("</m.1> </people.person.profession> </people.profession>", "schema"),
        ('</m.1> </people.person.date_of_birth> "1961-08-04"^^<http://a.org/d>', "literal value"),
        ('</film.performance> </freebase.type_hints.mediator> "false"', "no mediator"),
    ],
)  # fmt: skip
def test_what_is_left_out(tmp_path, statement, reason):
    line = statement.replace(" ", "\t", 2) + "\t.\n"
    assert read_text(tmp_path, line, format="freebase") == ([], {}, {reason: 1})


def test_a_topic_that_was_merged_redirects(tmp_path):
    line = "</m.1>\t</dataworld.gardening_hint.replaced_by>\t</m.2>\t.\n"
    rows = [("redirect", "/m/1", "", "/m/2")]
    assert read_text(tmp_path, line, format="freebase") == (rows, {}, {})


def test_titles_are_of_the_wanted_language(tmp_path):
    line = f'</m.1>\t{KEY}de_title>\t"K$00F6ln"\t.\n</m.1>\t{KEY}en>\t"Cologne"\t.\n'
    assert read_text(tmp_path, line, format="freebase", language="de") == (
        [("same", "/m/1", "", "de:Köln")],
        {},
        {"other key": 1},
    )


def test_many_names_in_other_languages_are_one_statement(tmp_path):
    names = "".join(f'</m.1>\t</type.object.name>\t"Rom"@{tag}\t.\n' for tag in ("de", "da", "sv"))
    assert read_text(tmp_path, names) == ([("named", "/m/1", "", "")], {}, {"other language": 2})

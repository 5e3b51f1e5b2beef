"""Assembly: what statements of dumps become, step by step of DESIGN's store."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from indexes.dumps.statements import DumpStatement, batches
from indexes.engine import DuckEngine
from indexes.kb.assembly import AssemblyFigures, assemble

S = DumpStatement


def assembled(
    statements: list[DumpStatement],
    folder: Path,
    *,
    mediators: str = "collapse",
    language: str = "en",
) -> tuple[AssemblyFigures, dict[str, set[tuple]]]:
    """Return the figures and the tables, those that tests look at."""
    pq.write_table(pa.Table.from_batches(batches(statements)), folder / "part.parquet")
    with DuckEngine(folder) as engine:
        engine.read("statements", [folder / "part.parquet"])
        figures = assemble(engine, language=language, mediators=mediators)
        return figures, {
            "facts": set(engine.rows("SELECT e1, relation, e2 FROM facts")),
            "ids": set(engine.rows("SELECT id, entity FROM ids")),
            "types": set(engine.rows("SELECT entity, type FROM types")),
            "names": set(engine.rows("SELECT entity, name, kind FROM names")),
            "entities": set(engine.rows("SELECT entity, label, degree, sitelinks FROM entities")),
        }


# A marriage as Freebase has it: a node without a name, stated from all sides.
ANN, BOB, NODE = "/m/ann", "/m/bob", "/m/0node"
MARRIAGE = [
    S("label", ANN, object="Ann Lee"),
    S("label", BOB, object="Bob Day"),
    S("fact", ANN, "people.person.spouse_s", NODE),
    S("fact", BOB, "people.person.spouse_s", NODE),
    S("fact", NODE, "people.marriage.spouse", ANN),
    S("fact", NODE, "people.marriage.spouse", BOB),
]
SPOUSE = "people.person.spouse_s..people.marriage.spouse"


def test_a_mediator_becomes_a_fact_between_the_outer_entities(tmp_path):
    figures, tables = assembled(MARRIAGE, tmp_path)
    assert tables["facts"] == {(ANN, SPOUSE, BOB), (BOB, SPOUSE, ANN)}  # nobody marries herself
    assert {row[0] for row in tables["entities"]} == {ANN, BOB}
    assert (figures.mediators, figures.collapsed) == (1, 2)


def test_mediators_can_be_kept(tmp_path):
    figures, tables = assembled(MARRIAGE, tmp_path, mediators="keep")
    assert tables["facts"] == {row[1:] for row in MARRIAGE if row.kind == "fact"}
    assert figures.mediators == 0


def test_where_types_say_what_is_a_mediator_other_nameless_nodes_are_entities(tmp_path):
    film = [S("fact", ANN, "a.b.c", "/m/film"), S("fact", "/m/film", "d.e.f", BOB)]
    hint = [S("mediator", "people.marriage"), S("type", NODE, object="people.marriage")]
    _, tables = assembled([*MARRIAGE, *film, *hint], tmp_path)
    assert tables["facts"] == {
        (ANN, SPOUSE, BOB),
        (BOB, SPOUSE, ANN),
        (ANN, "a.b.c", "/m/film"),
        ("/m/film", "d.e.f", BOB),
    }


def test_without_such_types_a_nameless_node_that_joins_nothing_is_an_entity(tmp_path):
    _, tables = assembled([S("fact", ANN, "a.b.c", "/m/end")], tmp_path)
    assert tables["facts"] == {(ANN, "a.b.c", "/m/end")}


def test_a_name_in_another_language_makes_an_entity_of_a_node(tmp_path):
    _, tables = assembled([*MARRIAGE, S("named", NODE)], tmp_path)
    assert (ANN, "people.person.spouse_s", NODE) in tables["facts"]


def test_blank_nodes_are_mediators(tmp_path):
    _, tables = assembled(
        [S("fact", "http://x/a", "p", "_:b"), S("fact", "_:b", "q", "http://x/b")], tmp_path
    )
    assert tables["facts"] == {("http://x/a", "p..q", "http://x/b")}


def test_a_hub_is_no_mediator(tmp_path):
    spokes = [S("fact", f"/m/{i}", "a.b.c", "/m/hub") for i in range(101)]
    spokes += [S("fact", "/m/hub", "d.e.f", f"/m/{i}") for i in range(101)]
    spokes += [S("label", f"/m/{i}", object=f"Place {i}") for i in range(101)]
    figures, tables = assembled(spokes, tmp_path)
    assert (figures.hubs, figures.mediators, len(tables["facts"])) == (1, 0, 202)


def test_statements_on_old_and_foreign_identifiers_are_about_one_entity(tmp_path):
    _, tables = assembled(
        [
            S("fact", "Q1", "P26", "Q2"),
            S("fact", "Q9", "P27", "Q3"),
            S("redirect", "Q8", object="Q9"),  # twice redirected
            S("redirect", "Q9", object="Q1"),
            S("same", "Q1", object="/m/01"),
            S("same", "Q1", object="en:One"),
            S("alias", "Q8", object="Uno"),
            S("label", "Q1", object="One"),
            S("type", "Q9", object="Q5"),
            S("sitelinks", "Q1", object="12"),
        ],
        tmp_path,
    )
    assert tables["facts"] == {("Q1", "P26", "Q2"), ("Q1", "P27", "Q3")}
    assert tables["ids"] == {("Q8", "Q1"), ("Q9", "Q1"), ("/m/01", "Q1"), ("en:One", "Q1")}
    assert tables["names"] == {("Q1", "One", "label"), ("Q1", "Uno", "alias")}
    assert tables["types"] == {("Q1", "Q5")}
    assert ("Q1", "One", 2, 12) in tables["entities"]


NAMED = [
    S("fact", "Q1", "P1", "Q2"),
    S("fact", "Q3", "P1", "Q4"),
    S("label", "Q1", object="Eins"),
    S("label", "Q1", "en", "One"),
    S("variant", "Q1", object="Oans"),
    S("label", "Q2", "en", "Two"),
    S("label", "Q2", "mul", "Twoo"),
    S("label", "Q3", "mul", "Drei"),
    S("alias", "Q3", object="Dreizehn minus zehn"),
    S("alias", "Q4", object="Vier"),
]


def test_the_first_language_of_the_chain_that_names_an_entity_gives_its_label(tmp_path):
    figures, tables = assembled(NAMED, tmp_path, language="de,en,mul")
    labels = {entity: label for entity, label, *_ in tables["entities"]}
    assert labels == {"Q1": "Eins", "Q2": "Two", "Q3": "Drei", "Q4": None}
    assert {name for entity, name, kind in tables["names"] if kind == "alias"} == {
        "One", "Oans", "Twoo", "Dreizehn minus zehn", "Vier",
    }  # fmt: skip
    assert figures.labels == {"de": 1, "en": 1, "mul": 1}


def test_a_name_in_no_language_comes_after_the_languages_that_are_wanted(tmp_path):
    named = [
        *(S("fact", entity, "P1", "Q9") for entity in ("Q1", "Q2", "Q3", "Q4")),
        S("label", "Q1", object="A"),
        S("variant", "Q1", "mul", "Aa"),
        S("variant", "Q2", "mul", "B"),
        S("variant", "Q2", "und", "Ba"),
        S("label", "Q3", object="C"),
        S("variant", "Q3", "mul", "C"),  # the same name, in the language and in none
        S("variant", "Q4", "und", "D"),
    ]
    figures, tables = assembled(named, tmp_path)
    labels = {entity: label for entity, label, *_ in tables["entities"]}
    assert labels == {"Q1": "A", "Q2": "B", "Q3": "C", "Q4": "D", "Q9": None}
    assert figures.labels == {"en": 2, "mul": 1, "und": 1}


@pytest.mark.slow
def test_a_long_chain_of_redirects_is_followed_to_its_end(tmp_path):
    chain = [S("redirect", f"Q{i}", object=f"Q{i + 1}") for i in range(1000, 1300)]
    last = [S("redirect", "Q1300", object="Q1"), S("redirect", "Q9", object="Q9")]
    loop = [S("redirect", "Q7", object="Q8"), S("redirect", "Q8", object="Q7")]
    _, tables = assembled([*chain, *last, *loop, S("fact", "Q1", "P26", "Q2")], tmp_path)
    assert tables["ids"] == {(f"Q{i}", "Q1") for i in range(1000, 1301)}


def test_two_knowledge_bases_meet_in_the_identifiers_they_share(tmp_path):
    _, tables = assembled(
        [
            S("fact", "/m/01", "a.b.c", "/m/02"),
            S("fact", "Q1", "P1", "Q2"),
            S("same", "/m/01", object="en:One"),
            S("same", "Q1", object="en:One"),
            S("same", "/m/02", object="Q2"),
            S("label", "/m/01", object="One"),
            S("label", "Q1", object="The One"),  # the entity's own label goes first
        ],
        tmp_path,
    )
    assert tables["facts"] == {("/m/01", "a.b.c", "/m/02"), ("/m/01", "P1", "/m/02")}
    assert dict(tables["ids"]) == {"Q1": "/m/01", "en:One": "/m/01", "Q2": "/m/02"}
    assert ("/m/01", "One", "label") in tables["names"]
    assert ("/m/01", "The One", "alias") in tables["names"]


def test_an_identifier_that_two_entities_claim_means_neither(tmp_path):
    figures, tables = assembled(
        [
            S("fact", "/m/01", "a.b.c", "/m/02"),
            S("same", "/m/01", object="en:Mercury"),
            S("same", "/m/02", object="en:Mercury"),
            S("same", "/m/02", object="en:Mercury_(planet)"),
            S("same", "/m/77", object="en:Nobody"),  # of an entity that nothing is said about
        ],
        tmp_path,
    )
    assert tables["ids"] == {("en:Mercury_(planet)", "/m/02")}
    assert (figures.ambiguous, figures.unknown) == (1, 2)


def test_names_of_relations_and_types_make_no_entities(tmp_path):
    _, tables = assembled(
        [
            S("fact", "http://x/a", "http://x/knows", "http://x/b"),
            S("label", "http://x/knows", object="knows"),
            S("label", "http://x/Person", object="person"),
            S("type", "http://x/a", object="http://x/Person"),
            S("label", "http://x/c", object="Cleo"),
        ],
        tmp_path,
    )
    assert {row[:2] for row in tables["entities"]} == {
        ("http://x/a", None),
        ("http://x/b", None),
        ("http://x/c", "Cleo"),
    }


def test_names_in_a_namespace_of_relations_that_no_fact_is_about_make_no_entities(tmp_path):
    _, tables = assembled(
        [
            S("fact", "en:Ann", "http://x/ontology/birthPlace", "en:Bonn"),
            S("fact", "en:Ann", "http://x/mixed#knows", "http://x/mixed#Bob"),
            S("label", "http://x/ontology/isbnNumber", object="ISBN number"),  # of literals alone
            S("label", "http://x/ontology/deep/Cleo", object="Cleo"),
            S("label", "http://x/mixed#Dan", object="Dan"),
            S("label", "en:Eve", object="Eve"),
        ],
        tmp_path,
    )
    assert {row[0] for row in tables["entities"]} == {
        "en:Ann",
        "en:Bonn",
        "http://x/mixed#Bob",
        "http://x/ontology/deep/Cleo",
        "http://x/mixed#Dan",
        "en:Eve",
    }


@pytest.mark.parametrize("kind", ["label", "variant"])
def test_a_label_goes_before_its_variants_and_those_before_none(tmp_path, kind):
    statements = [
        S("fact", "/m/01", "a.b.c", "/m/02"),
        S(kind, "/m/01", object="Colour"),
        S("variant", "/m/01", object="Color"),
        S("alias", "/m/01", object="Hue"),
    ]
    _, tables = assembled(statements, tmp_path)
    expected = "Colour" if kind == "label" else "Color"  # the first in the alphabet
    assert {name for _, name, how in tables["names"] if how == "label"} == {expected}

"""The knowledge base: built from dumps, whole or not at all, and looked up."""

import gzip
import json
import pickle
import shutil
import time
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from evaluator.errors import ConfigurationError, InputError, SetupError
from indexes import sums
from indexes.dumps.parts import split_dump
from indexes.identifiers import canonical_id
from indexes.kb.build import (
    Dump,
    Options,
    bucket_digits,
    build_knowledge_base,
    relation_label,
)
from indexes.kb.knowledge_base import RELATIONS, TABLES, KnowledgeBase, pair_bucket
from indexes.locks import folder_lock
from indexes.sums import sealed

LABEL, ALIAS = "type.object.name", "common.topic.alias"
BIRTH = "people.person.place_of_birth"
MARRIAGE = "people.person.spouse_s..people.marriage.spouse"

STATEMENTS = [
    ("m.obama", BIRTH, "m.honolulu"),
    ("m.obama", BIRTH, "m.honolulu"),  # stated twice
    ("m.obama", MARRIAGE, "m.michelle"),
    ("m.michelle", MARRIAGE, "m.obama"),
    ("m.honolulu", "location.location.containedby", "m.us"),
    ("m.us", "location.location.containedby", "m.us"),  # of itself
    ("m.us", "location.country.capital", "g.washington"),
    # no statements between entities
    ("m.obama", "type.object.type", "people.person"),
    ("people.person", "type.type.instance", "m.obama"),
    ("m.obama", "people.person.date_of_birth", '"1961-08-04"'),
    # names
    ("m.obama", LABEL, '"Barack Obama"@en'),
    ("m.obama", LABEL, '"Barack Obama Junior"@de'),
    ("m.obama", ALIAS, '"Obama"@en'),
    ("m.obama", ALIAS, '"Barack Obama"@en'),  # the label again
    ("m.michelle", LABEL, '"Michelle Obama"@en'),
    ("m.michelle", ALIAS, '"Obama"@en'),  # ambiguous: he is in more triples
    ("m.honolulu", LABEL, '"Honolulu"@en'),
    ("m.us", LABEL, '"United States"@en'),
    ("m.us", LABEL, '"U.S.A."@en-gb'),
    ("m.us", ALIAS, '"US"@en'),
    ("m.us", ALIAS, '"the States"@en'),
    ("m.rock", LABEL, '"Rock"@en'),  # in no triple
    ("m.rock", ALIAS, '"The Boulder"@en'),
    (BIRTH, LABEL, '"Born in"@en'),
]


def dump(path: Path, statements: list[tuple[str, str, str]]) -> Path:
    def term(text: str) -> str:
        return text if text.startswith('"') else f"<http://rdf.freebase.com/ns/{text}>"

    lines = ("\t".join((*map(term, statement), ".\n")) for statement in statements)
    path.write_text("".join(lines), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    scratch = tmp_path_factory.mktemp("kb")
    build_knowledge_base([dump(scratch / "dump.nt", STATEMENTS)], scratch / "kb")
    return scratch / "kb"


@pytest.fixture(scope="module")
def kb(folder: Path) -> KnowledgeBase:
    return KnowledgeBase.open(folder)


def contents(folder: Path) -> dict[str, bytes]:
    files = sorted(folder.rglob("*.parquet"))
    return {str(file.relative_to(folder)): file.read_bytes() for file in files}


def test_counts_are_those_of_the_statements(kb):
    manifest = kb.manifest
    # obama, michelle, honolulu, us, washington, rock
    assert (manifest.entities, manifest.relations, manifest.triples) == (6, 4, 6)
    # 2 of obama, 2 of michelle, 1 of honolulu, 4 of us, 2 of rock
    assert manifest.names == 11
    assert [source["name"] for source in manifest.sources] == ["dump.nt"]


def test_tables_have_the_schemas_declared(kb):
    for name, schema in TABLES.items():
        for file in (kb.path / name).rglob("*.parquet"):
            assert pq.read_schema(file).equals(schema)
    assert pq.read_schema(kb.path / "relations.parquet").equals(RELATIONS)


def test_triples_are_distinct_and_between_entities(kb):
    rows = pq.read_table(kb.triples_path, columns=["e1", "relation", "e2"]).to_pylist()
    assert {tuple(row.values()) for row in rows} == {
        ("/m/obama", BIRTH, "/m/honolulu"),
        ("/m/obama", MARRIAGE, "/m/michelle"),
        ("/m/michelle", MARRIAGE, "/m/obama"),
        ("/m/honolulu", "location.location.containedby", "/m/us"),
        ("/m/us", "location.location.containedby", "/m/us"),
        ("/m/us", "location.country.capital", "/g/washington"),
    }


def test_degree_is_the_number_of_triples_an_entity_is_in(kb):
    rows = pq.read_table(kb.entities_path).to_pylist()
    assert {row["entity"]: row["degree"] for row in rows} == {
        "/m/obama": 3,
        "/m/michelle": 2,
        "/m/honolulu": 2,
        "/m/us": 3,  # once in the statement of itself
        "/g/washington": 1,
        "/m/rock": 0,
    }


def test_relations_between_two_entities_keep_their_order(kb):
    assert kb.relations_between("/m/obama", "/m/honolulu") == (BIRTH,)
    assert kb.relations_between("/m/honolulu", "/m/obama") == ()
    both = kb.relations_between("/m/honolulu", "/m/obama", direction="both")
    assert both == (f"^{BIRTH}",)  # marked: it holds the other way round
    both = kb.relations_between("/m/obama", "/m/michelle", direction="both")
    assert both == (MARRIAGE, f"^{MARRIAGE}")
    assert kb.relations_between("/m/obama", "/m/nobody") == ()


def test_a_relation_is_called_by_its_name_else_by_its_id(kb):
    assert kb.relation(BIRTH) == (BIRTH, "Born in", (), ("bear.v",), None, 1)
    assert kb.relation(MARRIAGE) == (MARRIAGE, "spouse", (), ("spouse.n",), None, 2)
    assert kb.relation("location.country.capital").words == ("capital.n",)
    assert [relation.id for relation in kb.relations()] == sorted(
        (BIRTH, MARRIAGE, "location.country.capital", "location.location.containedby")
    )
    with pytest.raises(KeyError):
        kb.relation("film.film.genre")


@pytest.mark.parametrize(
    ("relation", "label"),
    [
        ("people.person.place_of_birth", "place of birth"),
        ("film.film.release_date_s..film.film_regional_release_date.film_release_region",
         "release date, film release region"),
        ("award.award_winner.awards_won..award.award_honor.award_winner",
         "awards won, award winner"),
        ("a.b.friend..c.d.friend", "friend"),
    ],
)  # fmt: skip
def test_the_label_of_a_relation_without_a_name(relation, label):
    assert relation_label(relation, {}) == label


def test_names_of_the_two_steps_of_a_relation():
    names = {"a.b.spouse_s": "Spouse (or domestic partner)", "c.d.e": None}
    assert relation_label("a.b.spouse_s..c.d.e", names) == "Spouse (or domestic partner), e"


def test_labels_are_in_the_language_and_an_entity_without_one_is_called_by_its_id(kb):
    assert kb.label("/m/obama") == "Barack Obama"
    assert kb.label("/m/us") == "United States"
    assert kb.label("/g/washington") == "/g/washington"
    assert kb.label("/m/nobody") == "/m/nobody"


def test_a_variant_of_the_language_gives_the_label_where_there_is_no_other(tmp_path):
    statements = [
        ("m.1", "a.b.c", "m.2"),
        ("m.1", LABEL, '"Colour"@en-GB'),
        ("m.2", LABEL, '"Farbe"@de'),
        ("m.2", ALIAS, '"Hue"@en'),
    ]
    build_knowledge_base([dump(tmp_path / "dump.nt", statements)], tmp_path / "kb")
    kb = KnowledgeBase.open(tmp_path / "kb")
    assert (kb.label("/m/1"), kb.label("/m/2")) == ("Colour", "/m/2")


@pytest.mark.parametrize(
    ("given", "entity"),
    [
        ("/m/obama", "/m/obama"),
        ("m.obama", "/m/obama"),
        ("/g/washington", "/g/washington"),
        ("barack obama", "/m/obama"),
        ("Obama", "/m/obama"),
        ("US", "/m/us"),
        ("the States", "/m/us"),
        ("/m/nobody", None),
        ("Nobody", None),
    ],
)
def test_an_entity_is_found_by_its_id_or_its_name(kb, given, entity):
    assert kb.entity(given) == entity


def test_query_names_are_those_that_mean_this_entity_in_lower_case(kb):
    assert kb.query_names("/m/obama") == ("Barack Obama", "Obama")
    assert kb.query_names("/m/michelle") == ("Michelle Obama",)  # "Obama" means him
    # neither "us" nor "the states", which are common words in a text without capitals
    assert kb.query_names("/m/us") == ("United States", "U.S.A.")
    assert kb.query_names("/m/rock") == ("Rock",)  # the label always
    assert kb.query_names("/g/washington") == ()
    assert kb.query_names("/m/nobody") == ()


def test_the_dictionary_finds_the_names_in_text(kb):
    mentions = kb.dictionary.mentions("Barack Obama was born in Honolulu")
    assert [mention.entity for mention in mentions] == ["/m/obama", "/m/honolulu"]


def test_order_and_division_of_the_dumps_change_nothing(folder, kb, tmp_path):
    backwards = STATEMENTS[::-1]
    sources = [dump(tmp_path / "1.nt", backwards[:9]), dump(tmp_path / "2.nt", backwards[9:])]
    manifest = build_knowledge_base(sources, tmp_path / "kb")
    assert manifest.checksum == kb.manifest.checksum
    assert contents(tmp_path / "kb") == contents(folder)


def test_another_name_changes_the_checksum(kb, tmp_path):
    statements = [*STATEMENTS, ("m.rock", ALIAS, '"Stone"@en')]
    source = dump(tmp_path / "dump.nt", statements)
    manifest = build_knowledge_base([source], tmp_path / "kb")
    assert manifest.checksum != kb.manifest.checksum


def test_rejects_go_into_the_manifest(tmp_path):
    source = dump(tmp_path / "dump.nt", STATEMENTS)
    source.write_text("<m.1>\t<p>\t<m\n" + source.read_text())
    manifest = build_knowledge_base([source], tmp_path / "kb")
    assert KnowledgeBase.open(tmp_path / "kb").manifest == manifest
    assert manifest.as_json()["rejects"] == {"cut line": 1}


def test_a_knowledge_base_is_replaced_whole_or_stays(tmp_path):
    good = dump(tmp_path / "good.nt", STATEMENTS)
    bad = dump(tmp_path / "bad.nt", [("m.1", LABEL, '"no statement"@en')])
    for source, triples in ((good, 6), (dump(tmp_path / "one.nt", STATEMENTS[:1]), 1)):
        build_knowledge_base([source], tmp_path / "kb")
        assert KnowledgeBase.open(tmp_path / "kb").manifest.triples == triples
    with pytest.raises(InputError, match=r"bad\.nt: no statement between two entities"):
        build_knowledge_base([bad], tmp_path / "kb")
    with pytest.raises(InputError, match="no such file"):
        build_knowledge_base([good, tmp_path / "none.nt"], tmp_path / "new")
    assert KnowledgeBase.open(tmp_path / "kb").manifest.triples == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "bad.nt", "good.nt", "kb", "one.nt",
    ]  # fmt: skip


def test_a_knowledge_base_is_read_whole_at_its_first_use_and_may_be_replaced(tmp_path, monkeypatch):
    monkeypatch.setattr(sums, "_SETTLED", 0)
    source = dump(tmp_path / "dump.nt", STATEMENTS)
    build_knowledge_base([source], tmp_path / "kb")
    time.sleep(0.02)  # the clock by which files are stamped ticks every few milliseconds
    KnowledgeBase.open(tmp_path / "kb")
    assert (tmp_path / "kb" / sums.CHECKED).is_file()
    with monkeypatch.context() as context:
        context.setattr(sums, "check_sums", None)  # it is not called
        KnowledgeBase.open(tmp_path / "kb")
    build_knowledge_base([source], tmp_path / "kb")  # a folder of its own, and nothing else in it
    assert not (tmp_path / "kb" / sums.CHECKED).exists()


def test_a_folder_that_holds_something_else_is_left_alone(tmp_path):
    source = dump(tmp_path / "dump.nt", STATEMENTS)
    with pytest.raises(InputError, match="no knowledge base; name another folder"):
        build_knowledge_base([source], tmp_path)
    assert source.exists()


def test_open_says_what_is_wrong(folder, tmp_path):
    with pytest.raises(InputError, match="no such folder"):
        KnowledgeBase.open(tmp_path / "none")
    with pytest.raises(InputError, match="not a knowledge base"):
        KnowledgeBase.open(tmp_path)
    manifest = json.loads((folder / "manifest.json").read_text())
    (tmp_path / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(InputError, match=r"dictionary/candidates\.arrow: missing"):
        KnowledgeBase.open(tmp_path)
    (tmp_path / "manifest.json").write_text(json.dumps({**manifest, "format": "of old"}))
    with pytest.raises(InputError, match=r"has the format 'of old'.*: build it anew"):
        KnowledgeBase.open(tmp_path)
    (tmp_path / "manifest.json").write_text("[1, 2")
    with pytest.raises(InputError, match=r"manifest\.json: damaged \(Expecting"):
        KnowledgeBase.open(tmp_path)


def test_a_pickled_knowledge_base_is_its_path(kb):
    kb.label("/m/obama")
    pickled = pickle.dumps(kb)
    assert len(pickled) < 500
    assert pickle.loads(pickled).relations_between("/m/obama", "/m/honolulu") == (BIRTH,)


@pytest.mark.parametrize(
    "part",
    ["names", "entities", "types", "ids", "relations.parquet", "dictionary/forms.marisa"]
    + [f"dictionary/{name}.arrow" for name in ("candidates", "entities", "near", "folded")],
)
def test_a_damaged_part_is_refused_when_opened(folder, tmp_path, part):
    copy = tmp_path / "kb"
    shutil.copytree(folder, copy)
    file = copy / part if "." in part else copy / part / "part-00000.parquet"
    content = file.read_bytes()
    refusal = rf"^{file}: damaged \(.*\): delete {copy} and build it anew \(distval kb build\)$"
    for damaged in (content[:-20], content[:9] + bytes([content[9] ^ 1]) + content[10:]):
        file.write_bytes(damaged)
        with pytest.raises(InputError, match=refusal):
            KnowledgeBase.open(copy)


def test_lost_triples_are_noticed_when_opened(folder, tmp_path):
    copy = tmp_path / "kb"
    shutil.copytree(folder, copy)
    for file in (copy / "triples").rglob("*.parquet"):
        file.unlink()
    with pytest.raises(InputError, match=r"part-00000\.parquet: missing"):
        KnowledgeBase.open(copy)


def test_many_buckets_give_what_one_gives(kb, tmp_path, monkeypatch):
    monkeypatch.setattr("indexes.kb.build._ROWS_OF_BUCKET", 1)
    manifest = build_knowledge_base([dump(tmp_path / "dump.nt", STATEMENTS)], tmp_path / "kb")
    assert manifest.buckets == 1
    cut = KnowledgeBase.open(tmp_path / "kb")
    assert cut.manifest.checksum == kb.manifest.checksum
    entities = ("/m/obama", "/m/michelle", "/m/honolulu", "/m/us", "/g/washington")
    for e1 in entities:
        for e2 in entities:
            between = kb.relations_between(e1, e2, direction="both")
            assert cut.relations_between(e1, e2, direction="both") == between


def test_buckets_hold_a_few_million_triples_each():
    # 2^22 rows a bucket, sixteen times as many buckets with each digit
    assert [bucket_digits(n) for n in (1, 1 << 22, (1 << 22) + 1, 1 << 26, 700_000_000)] == [
        0, 0, 1, 1, 2,
    ]  # fmt: skip
    # The MD5 of "a", tab, "b" begins with 6f (coreutils' md5sum).
    assert pair_bucket("a", "b", 2) == "p6f"


def test_an_interrupted_build_goes_on_where_it_stopped(kb, tmp_path):
    source = dump(tmp_path / "dump.nt", STATEMENTS)

    def broken(_scratch):
        raise RuntimeError("power cut")

    with pytest.raises(RuntimeError):
        build_knowledge_base([source], tmp_path / "kb", engine=broken)
    [account] = tmp_path.glob(".kb.building/parts/*/account.json")
    # A mark in what was split shows that it is taken and not made again.
    stated = json.loads(account.read_text())
    del stated["sum"]
    account.write_text(json.dumps(sealed(stated | {"left_out": {"seen before": 1}})))
    manifest = build_knowledge_base([source], tmp_path / "kb")
    assert manifest.sources[0]["left_out"] == {"seen before": 1}
    assert manifest.checksum == kb.manifest.checksum
    assert not list(tmp_path.glob(".kb*"))


def test_a_dump_that_changed_is_split_again(tmp_path):
    source = dump(tmp_path / "dump.nt", STATEMENTS)

    def broken(_scratch):
        raise RuntimeError("power cut")

    with pytest.raises(RuntimeError):
        build_knowledge_base([source], tmp_path / "kb", engine=broken)
    dump(source, STATEMENTS[:1])
    assert build_knowledge_base([source], tmp_path / "kb").triples == 1


def test_two_processes_do_not_build_in_one_place(tmp_path):
    source = dump(tmp_path / "dump.nt", STATEMENTS)
    with (
        folder_lock(tmp_path / ".kb.building", "busy"),
        pytest.raises(SetupError, match="another process is building it"),
    ):
        build_knowledge_base([source], tmp_path / "kb")


def test_a_dump_cut_short_is_named(tmp_path):
    source = tmp_path / "dump.nt.gz"
    plain = dump(tmp_path / "dump.nt", STATEMENTS[:3] * 2000).read_bytes()
    source.write_bytes(gzip.compress(plain)[:-30])
    manifest = build_knowledge_base([source], tmp_path / "kb")
    assert manifest.incomplete == ("dump.nt.gz",)
    assert manifest.rejects["truncated file"] == 1


def test_annotations_by_any_identifier_mean_the_entity(tmp_path):
    key = "http://rdf.freebase.com/key/wikipedia.en_title"
    source = dump(tmp_path / "dump.nt", STATEMENTS)
    with source.open("a") as stream:
        stream.write(f'<http://rdf.freebase.com/ns/m.obama>\t<{key}>\t"Barack_Obama"\t.\n')
    (tmp_path / "ids.tsv").write_text("/m/obama\tQ76\n")
    (tmp_path / "redirects.tsv").write_text("Q7600\tQ76\nm.oldobama\tm.obama\n")
    build_knowledge_base(
        [
            Dump(source),
            Dump(tmp_path / "ids.tsv", "identities"),
            Dump(tmp_path / "redirects.tsv", "redirects"),
        ],
        tmp_path / "kb",
    )
    kb = KnowledgeBase.open(tmp_path / "kb")
    written = ("m.obama", "Q76", "wd:Q7600", "/m/oldobama", "en:Barack_Obama",
               "https://en.wikipedia.org/wiki/Barack_Obama", "dbr:Barack_Obama")  # fmt: skip
    assert {kb.by_id(text) for text in written} == {"/m/obama"}
    assert {canonical_id(text) for text in written} != {"/m/obama"}
    assert kb.by_id("Q1") is None


def test_names_are_kept_in_the_language_asked_for(tmp_path):
    source = dump(tmp_path / "dump.nt", STATEMENTS)
    build_knowledge_base([source], tmp_path / "kb", options=Options(language="de"))
    kb = KnowledgeBase.open(tmp_path / "kb")
    assert kb.names("/m/obama") == ("Barack Obama Junior",)
    assert kb.label("/m/us") == "/m/us"


def wikidata(path: Path) -> Path:
    """Write a dump of two people and their marriage, named in three ways, and return it."""
    person = {"type": "wikibase-entityid", "value": {"id": "Q2"}}
    married = {"P26": [{"mainsnak": {"snaktype": "value", "datavalue": person}}]}
    named = [
        ("Q1", {"en": "Cologne", "de": "Köln", "mul": "Coellen"}, married),
        ("Q2", {"mul": "Ada Lovelace", "fr": "Ada"}, {}),
        ("Q3", {"en-gb": "Colour", "mul": "Couleur"}, married),
        ("P26", {"en": "spouse", "de": "verheiratet mit"}, {}),
    ]
    lines = [
        json.dumps(
            {
                "id": id_,
                "type": "item" if id_[0] == "Q" else "property",
                "labels": {tag: {"language": tag, "value": name} for tag, name in names.items()},
                "claims": claims,
                "sitelinks": {"dewiki": {"title": "Köln"}, "enwiki": {"title": "Cologne"}}
                if id_ == "Q1"
                else {},
            }
        )
        for id_, names, claims in named
    ]
    path.write_text("\n".join(lines) + "\n")
    return path


def test_labels_come_from_the_first_language_of_a_chain_and_all_its_names_are_found(tmp_path):
    dump = wikidata(tmp_path / "dump.json")
    build_knowledge_base([dump], tmp_path / "kb", options=Options(language="de, en,mul"))
    kb = KnowledgeBase.open(tmp_path / "kb")
    assert [kb.label(entity) for entity in ("Q1", "Q2", "Q3")] == ["Köln", "Ada Lovelace", "Colour"]
    found = ("Köln", "Cologne", "Coellen", "Couleur", "de:Köln", "en:Cologne")
    assert [kb.entity(name) for name in found] == ["Q1", "Q1", "Q1", "Q3", "Q1", "Q1"]
    assert kb.relation("P26").label == "verheiratet mit"
    assert kb.relation("P26").aliases == ("spouse",)
    assert kb.manifest.language == "de,en,mul"
    assert kb.manifest.assembly["labels"] == {"de": 1, "en": 1, "mul": 1}


def test_names_in_mul_are_used_and_counted_by_themselves(tmp_path):
    """Ranks as they have always been: the language, then its variants and names in none."""
    dump = wikidata(tmp_path / "dump.json")
    one = build_knowledge_base([dump], tmp_path / "kb")
    kb = KnowledgeBase.open(tmp_path / "kb")
    assert [kb.label(entity) for entity in ("Q1", "Q2", "Q3")] == [
        "Cologne", "Ada Lovelace", "Colour",
    ]  # fmt: skip
    assert (kb.entity("Köln"), kb.entity("Coellen"), kb.entity("de:Köln")) == (None, "Q1", None)
    assert one.assembly["labels"] == {"en": 2, "mul": 1}
    other = build_knowledge_base([dump], tmp_path / "other", options=Options(language="en,mul"))
    assert (other.names, other.assembly["labels"]) == (one.names, one.assembly["labels"])


@pytest.mark.parametrize("chain", ["", "de,", "de,de", "de;en", "e"])
def test_what_is_no_chain_of_languages_is_refused(chain: str):
    with pytest.raises(ConfigurationError, match="language"):
        Options(language=chain)


def test_a_folder_with_a_manifest_of_something_else_is_left_alone(kb, tmp_path):
    source = dump(tmp_path / "dump.nt", STATEMENTS)
    other = tmp_path / "index"
    other.mkdir()
    (other / "manifest.json").write_text('{"format": "distval text index 1"}')
    (other / "data").touch()
    with pytest.raises(InputError, match="is no knowledge base"):
        build_knowledge_base([source], other)
    shutil.copytree(kb.path, tmp_path / "kb")
    (tmp_path / "kb" / "notes.txt").touch()
    with pytest.raises(InputError, match="is no knowledge base"):
        build_knowledge_base([source], tmp_path / "kb")
    assert (other / "data").exists()
    assert (tmp_path / "kb" / "notes.txt").exists()
    (tmp_path / ".new.building").mkdir()
    with pytest.raises(InputError, match="was not made by a build"):
        build_knowledge_base([source], tmp_path / "new")


def test_a_build_that_stopped_between_two_steps_loses_no_knowledge_base(kb, tmp_path):
    work = tmp_path / ".kb.building"
    shutil.copytree(kb.path, work / "old")
    (work / ".lock").touch()
    bad = dump(tmp_path / "bad.nt", [("m.1", LABEL, '"no statement"@en')])
    with pytest.raises(InputError, match="no statement"):
        build_knowledge_base([bad], tmp_path / "kb")
    assert KnowledgeBase.open(tmp_path / "kb").manifest == kb.manifest


def test_parts_that_lack_statements_are_refused(tmp_path):
    source = dump(tmp_path / "dump.nt", STATEMENTS)
    split_dump(source, tmp_path / "parts")
    part = tmp_path / "parts" / "part-00000.parquet"
    pq.write_table(pq.read_table(part).slice(3), part)
    with pytest.raises(InputError, match=rf"{part}: damaged .*split the dump again"):
        build_knowledge_base([tmp_path / "parts"], tmp_path / "kb")


def test_bad_memory_and_names_are_refused_before_anything_is_read(tmp_path):
    with pytest.raises(ConfigurationError, match="expected a size such as 2GB"):
        Options(memory="nonsense")
    with pytest.raises(InputError, match="use another name"):
        build_knowledge_base([dump(tmp_path / "dump.nt", STATEMENTS)], tmp_path / "a?b")


def test_damage_inside_a_file_is_told_when_it_is_met(kb, tmp_path):
    copy = tmp_path / "kb"
    shutil.copytree(kb.path, copy)
    file = copy / "names" / "part-00000.parquet"
    content = bytearray(file.read_bytes())
    content[8:60] = bytes(52)
    file.write_bytes(content)
    with pytest.raises(InputError, match=r"damaged \(.*\); rebuild it"):
        KnowledgeBase.open(copy, known_sound=True).names("/m/obama")


@pytest.mark.parametrize("change", [{"triples": 7}, {"rejects": 5}, {"buckets": 3}])
def test_a_manifest_that_does_not_fit_is_refused(kb, tmp_path, change):
    copy = tmp_path / "kb"
    shutil.copytree(kb.path, copy)
    manifest = json.loads((copy / "manifest.json").read_text())
    (copy / "manifest.json").write_text(json.dumps(manifest | change))
    with pytest.raises(InputError, match=r"manifest\.json: damaged, or edited by hand: delete"):
        KnowledgeBase.open(copy)


def test_a_dump_with_lines_of_another_format_is_refused_with_its_name(tmp_path):
    source = dump(tmp_path / "dump.nt", STATEMENTS)
    quads = "".join(f"/m/0{n}\t/people/person/place_of_birth\t/m/0y\t\n" for n in range(3))
    with source.open("a") as file:
        file.write(quads)
    with pytest.raises(InputError, match=r"3 lines of some .* look like Freebase's older dump"):
        build_knowledge_base([source], tmp_path / "kb")
    assert not (tmp_path / "kb").exists()
    options = Options(allow_unread=True)
    manifest = build_knowledge_base([source], tmp_path / "kb", options=options)
    assert manifest.rejects["cut line"] == 3

"""FactBench in small: files of its form, made by hand."""

import io
import tarfile

import pytest

from evaluator.datasets import factbench
from evaluator.errors import InputError
from evaluator.labels.label import Label
from evaluator.model import Rejects

FILE = """@prefix rdfs:  <http://www.w3.org/2000/01/rdf-schema#> .
@prefix dbo:   <http://dbpedia.org/ontology/> .

<http://example.org/{object}>
        rdfs:label     "{object}; auf \\"Deutsch\\""@de , "{object}"@en ;
        skos:altLabel  "Another name"@en .

<http://example.org/{subject}__1>
        dbo:from        "1871"^^xsd:gYear ;
        dbo:{relation}  <http://example.org/{object}> ;
        dbo:to          "1871"^^xsd:gYear .

<http://example.org/{subject}>
        rdfs:label     "{subject}"@en , "{subject}"@fr ;
        dbo:property
                <http://example.org/{subject}__1> ;
        owl:sameAs     <http://dbpedia.org/resource/{subject}> .
"""


def turtle(subject, relation, obj):
    return FILE.format(subject=subject, relation=relation, object=obj)


ADA = turtle("Ada", "birthPlace", "London")


@pytest.fixture
def archive(tmp_path):
    def write(files, split="train", cut=0):
        made = io.BytesIO()
        with tarfile.open(fileobj=made, mode="w:gz") as members:
            for name, text in files.items():
                content = text.encode()
                entry = tarfile.TarInfo(name)
                entry.size = len(content)
                members.addfile(entry, io.BytesIO(content))
        packed = made.getvalue()
        (tmp_path / f"factbench_{split}_ttl.tar.gz").write_bytes(packed[: len(packed) - cut])
        return tmp_path

    return write


def read(folder, split="train"):
    rejects = Rejects()
    return factbench.read_facts(folder, split, rejects=rejects), rejects.counts


def test_a_file_is_a_fact_in_words_and_its_place_tells_how_it_was_made(archive):
    folder = archive(
        {
            "train/correct/birth/birth_1.ttl": ADA,
            "train/wrong/range/birth/birth_1.ttl": turtle("Ada", "birthPlace", "Rome"),
            "train/wrong/domain/nbateam/nbateam_1.ttl": turtle("Bob", "team", "Nets"),
            "train/wrong/domainrange/award/award_1.ttl": turtle("Bob", "award", "Medal"),
            "train/wrong/property/birth/birth_1.ttl": turtle("Ada", "spouse", "London"),
            "train/wrong/random/birth/birth_1.ttl": turtle("Bob", "office", "Ada"),
        }
    )
    facts, left_out = read(folder)
    assert facts == [
        ("Ada", "married", "London", "property"),
        ("Ada", "was born in", "London", "correct"),
        ("Ada", "was born in", "Rome", "range"),
        ("Bob", "led", "Ada", "random"),
        ("Bob", "played for", "Nets", "domain"),
        ("Bob", "received", "Medal", "domainrange"),
    ]
    assert left_out == {}


def test_only_correct_facts_are_labelled_true(archive):
    folder = archive(
        {
            "train/correct/birth/birth_1.ttl": ADA,
            "train/wrong/range/birth/birth_1.ttl": turtle("Ada", "birthPlace", "Rome"),
        }
    )
    assert factbench.read_labels(folder, rejects=Rejects()) == [
        Label("Ada", "was born in", "London", True, "factbench"),
        Label("Ada", "was born in", "Rome", False, "factbench"),
    ]


def test_kinds_that_may_be_true_without_their_date_are_left_out_and_counted(archive):
    folder = archive(
        {
            "train/correct/birth/birth_1.ttl": ADA,
            "train/wrong/date/birth/birth_1.ttl": ADA,
            "train/wrong/mix/date/birth/birth_1.ttl": ADA,
            "train/wrong/mix/range/birth/birth_1.ttl": turtle("Ada", "birthPlace", "Rome"),
            "train/wrong/novel/birth/birth_1.ttl": turtle("Ada", "birthPlace", "Rome"),
            "README.ttl": "",
            "train/notes.txt": "",
        }
    )
    facts, left_out = read(folder)
    assert [fact.kind for fact in facts] == ["correct"]
    assert left_out == {
        "wrong by its date, maybe true without": 1,
        "of mixed kinds, maybe wrong by its date": 2,
        "unknown kind": 2,
    }


def test_names_lose_their_qualifier_and_keep_commas_brackets_and_quotes(archive):
    subject, obj = 'The \\"Duke\\"; (again)', "Rome (film)"
    text = ADA.replace('"Ada"@en', f'"{subject}"@en').replace('"London"@en', f'"{obj}"@en')
    ((e1, _, e2, _),), _ = read(archive({"train/correct/birth/birth_1.ttl": text}))
    assert (e1, e2) == ('The "Duke";', "Rome")


def test_facts_of_the_same_names_are_one_and_contradictions_none(archive):
    rome = turtle("Ada", "birthPlace", "Rome")
    oslo = turtle("Ada", "birthPlace", "Oslo")
    folder = archive(
        {
            "train/wrong/random/birth/birth_1.ttl": rome,
            "train/wrong/domain/birth/birth_2.ttl": rome,
            "train/wrong/domain/birth/birth_3.ttl": rome,
            "train/correct/birth/birth_1.ttl": ADA,
            "train/wrong/property/birth/birth_1.ttl": ADA,
            "train/correct/birth/birth_2.ttl": oslo,
            "train/correct/birth/birth_3.ttl": oslo,
        }
    )
    facts, left_out = read(folder)
    assert facts == [
        ("Ada", "was born in", "Oslo", "correct"),
        ("Ada", "was born in", "Rome", "domain"),
    ]
    assert left_out == {
        "the same names again": 3,
        "true and made wrong under the same names": 2,
    }


def test_files_without_a_fact_in_words_are_counted(archive):
    folder = archive(
        {
            "train/correct/birth/birth_1.ttl": ADA,
            "train/correct/birth/birth_2.ttl": ADA.replace('"Ada"@en', '"Ada"@de'),
            "train/correct/birth/birth_3.ttl": ADA.replace('"London"@en', '""@en'),
            "train/correct/birth/birth_4.ttl": ADA.replace("birthPlace", "shoeSize"),
            "train/correct/birth/birth_5.ttl": ADA.replace("<http://example.org/Ada__1> ;", "1 ;"),
            "train/correct/birth/birth_6.ttl": "",
        }
    )
    facts, left_out = read(folder)
    assert len(facts) == 1
    assert left_out == {"entity without an English name": 2, "broken file": 3}


def test_the_other_part_is_read_from_a_folder_or_an_archive(archive, tmp_path):
    files = {"test/correct/birth/birth_1.ttl": ADA}
    from_archive = read(archive(files, split="test"), "test")
    place = tmp_path / "clone" / "test" / "correct" / "birth"
    place.mkdir(parents=True)
    (place / "birth_1.ttl").write_text(ADA)
    assert read(tmp_path / "clone", "test") == from_archive
    assert [fact.e1 for fact in from_archive[0]] == ["Ada"]


def test_a_part_that_is_missing_cut_or_empty_is_refused(archive, tmp_path):
    with pytest.raises(InputError, match=r"test_ttl\.tar\.gz: no such file, and no folder test"):
        read(tmp_path, "test")
    files = {f"train/correct/birth/birth_{n}.ttl": turtle(f"Ada{n}", "team", n) for n in range(99)}
    archive(files, cut=300)
    with pytest.raises(InputError, match="cannot be read"):
        read(tmp_path)
    archive({"train/wrong/date/birth/birth_1.ttl": ADA})
    with pytest.raises(InputError, match="no fact to use"):
        read(tmp_path)
    (tmp_path / "factbench_train_ttl.tar.gz").write_text("no archive")
    with pytest.raises(InputError, match="cannot be read"):
        read(tmp_path)

"""FB15k-237 as a Freebase dump, and original lines of Freebase's dump."""

import gzip
import hashlib
import json
from pathlib import Path

import pytest
from rdflib import Graph
from rdflib import Literal as RdfLiteral

from evaluator.errors import InputError
from evaluator.model import Rejects
from indexes.fb15k237 import Counts, read_triples, write_freebase_ntriples
from indexes.knowledge_base import KnowledgeBase, build_knowledge_base
from indexes.ntriples import read_ntriples


@pytest.fixture(scope="module")
def dump(data: Path, tmp_path_factory) -> tuple[Path, Counts]:
    out = tmp_path_factory.mktemp("fb15k237") / "fb15k237.nt.gz"
    return out, write_freebase_ntriples(data / "fb15k237", out)


@pytest.fixture(scope="module")
def kb(dump: tuple[Path, Counts]) -> KnowledgeBase:
    folder = dump[0].with_name("kb")
    build_knowledge_base([dump[0]], folder, rejects=Rejects())
    return KnowledgeBase.open(folder)


def test_counts_are_those_of_the_data_set(dump):
    # SOURCE.md of the data: labels of 14,515 entities, 19,738 aliases, 310,116 triples
    counts = dump[1]
    assert (counts.labels, counts.aliases, counts.triples) == (14_515, 19_738, 310_116)


def test_all_triples_come_back(data, dump):
    rejects = Rejects()
    read = {
        (triple.subject, triple.predicate, triple.object)
        for triple in read_ntriples(dump[0], rejects=rejects)
        if not triple.literal
    }
    given = set(read_triples(data / "fb15k237"))
    assert len(given) == 310_116
    assert read == {
        tuple(name.removeprefix("/").replace("/", ".") for name in triple) for triple in given
    }
    assert rejects.total == 0


def test_all_names_come_back(data, dump):
    names = json.loads((data / "fb15k237" / "entity2wikidata.json").read_text("utf-8"))
    read = {
        (f"/{triple.subject.replace('.', '/')}", triple.predicate, triple.object)
        for triple in read_ntriples(dump[0], rejects=Rejects())
        if triple.literal
    }
    for entity, about in names.items():
        assert (entity, "type.object.name", about["label"]) in read
        for alias in about.get("alternatives") or ():
            assert (entity, "common.topic.alias", alias) in read
    key = "http://rdf.freebase.com/key/wikipedia.en_title"
    assert ("/m/012xdf", key, "Shaquille_O'Neal") in read


def test_the_same_bytes_every_time(data, dump, tmp_path):
    again = tmp_path / "again.nt.gz"
    write_freebase_ntriples(data / "fb15k237", again)
    digests = {hashlib.sha256(path.read_bytes()).digest() for path in (dump[0], again)}
    assert len(digests) == 1
    assert list(tmp_path.iterdir()) == [again]


def test_the_knowledge_base_holds_the_benchmark(data, kb):
    manifest = kb.manifest
    assert (manifest.entities, manifest.relations, manifest.triples) == (14_541, 237, 310_116)
    between: dict[tuple[str, str], set[str]] = {}
    for head, relation, tail in read_triples(data / "fb15k237"):
        between.setdefault((head, tail), set()).add(relation.removeprefix("/").replace("/", "."))
    for pair in sorted(between)[::50]:
        assert set(kb.relations_between(*pair)) == between[pair]


def test_a_president_is_found_and_linked(kb):
    obama, country = kb.entity("Barack Obama"), kb.entity("United States")
    assert (obama, country) == ("/m/02mjmr", "/m/09c7w0")
    assert "people.person.nationality" in kb.relations_between(obama, country)
    mentions = kb.dictionary().mentions(
        "Barack Obama left the U.S. for Paris , and Obama 's wife told us so ."
    )
    assert [kb.label(mention.entity) for mention in mentions] == [
        "Barack Obama", "United States of America", "Paris", "Barack Obama",
    ]  # fmt: skip


def test_original_lines_of_the_dump_are_read_as_rdflib_reads_them(data):
    path = data / "freebase_ntriples" / "fb-rdf-10k-head.nt"
    rejects = Rejects()
    triples = list(read_ntriples(path, rejects=rejects))
    assert (len(triples), rejects.total) == (10_000, 0)
    namespace = "http://rdf.freebase.com/ns/"
    expected = {
        (
            *(str(term).removeprefix(namespace) for term in statement),
            isinstance(statement[2], RdfLiteral),
        )
        for statement in Graph().parse(path, format="nt")
    }
    assert {triple[:4] for triple in triples} == expected


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("fb-rdf-10k-names-en-s01-c01.nt.gz", 10_000),
        ("fb-rdf-10k-desc-all-s01-c01.nt.gz", 10_000),
        ("fb-rdf-10k-tail-s01-c01.nt.gz", 10_000),
        ("fb-rdf-pred-schema-properties-ids-1-byalpha-typeinfo.gz", 31_702),
    ],
)
def test_shortened_extracts_of_the_dump_are_read_whole(data, name, lines):
    rejects = Rejects()
    triples = list(read_ntriples(data / "freebase_ntriples" / name, rejects=rejects))
    assert (len(triples), rejects.total) == (lines, 0)
    assert not any("<" in triple.subject + triple.predicate for triple in triples)


def test_a_folder_of_another_kind_is_refused(tmp_path):
    with pytest.raises(InputError, match=r"entity2wikidata\.json: cannot be read"):
        write_freebase_ntriples(tmp_path, tmp_path / "out.nt.gz")
    (tmp_path / "entity2wikidata.json").write_text("{}")
    (tmp_path / "openke").mkdir()
    files = {"entity2id": "1\n/m/1\t0\n", "relation2id": "1\n/a/b/c\t0\n", "train2id": "2\n0 0 0\n"}
    for name, text in files.items():
        (tmp_path / "openke" / f"{name}.txt.gz").write_bytes(gzip.compress(text.encode()))
    with pytest.raises(InputError, match="states 2 lines and holds 1"):
        write_freebase_ntriples(tmp_path, tmp_path / "out.nt.gz")
    (tmp_path / "openke" / "train2id.txt.gz").write_bytes(gzip.compress(b"1\n0 7 0\n"))
    with pytest.raises(InputError, match=r"train2id\.txt\.gz:2: '0 7 0' is not three known ids"):
        write_freebase_ntriples(tmp_path, tmp_path / "out.nt.gz")
    assert not (tmp_path / "out.nt.gz").exists()

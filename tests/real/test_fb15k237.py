"""FB15k-237 as a Freebase dump, and original lines of Freebase's dump."""

import gzip
import hashlib
import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from evaluator.errors import InputError
from indexes.dumps.fb15k237 import WrittenCounts, read_triples, write_freebase_ntriples
from indexes.dumps.freebase import NAMESPACE
from indexes.dumps.ntriples import parse_line
from indexes.dumps.vocabulary import Triple
from indexes.kb.knowledge_base import KnowledgeBase


@pytest.fixture(scope="module")
def kb(fb15k237: Path) -> KnowledgeBase:
    return KnowledgeBase.open(fb15k237)


@pytest.fixture(scope="module")
def again(data: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, WrittenCounts]:
    """The dump written once more, and what was counted."""
    out = tmp_path_factory.mktemp("again") / "again.nt.gz"
    return out, write_freebase_ntriples(data / "fb15k237", out)


def test_counts_are_those_of_the_data_set(again):
    # SOURCE.md of the data: labels of 14,515 entities, 19,738 aliases, 310,116 triples
    counts = again[1]
    assert (counts.labels, counts.aliases, counts.triples) == (14_515, 19_738, 310_116)


@pytest.fixture(scope="module")
def lines(dump: Path) -> list[Triple]:
    with gzip.open(dump, "rt", encoding="utf-8") as stream:
        triples = [parse_line(line.rstrip("\n")) for line in stream]
    return [
        triple._replace(
            subject=triple.subject.removeprefix(NAMESPACE),
            predicate=triple.predicate.removeprefix(NAMESPACE),
            object=triple.object.removeprefix(NAMESPACE),
        )
        for triple in triples
    ]


def test_all_triples_come_back_when_the_two_steps_are_joined(data, again, lines):
    marked = {line.subject for line in lines if line.predicate == "freebase.type_hints.mediator"}
    same = "http://www.w3.org/2002/07/owl#sameAs"
    links = [line[:3] for line in lines if not line.literal and line.predicate != same]
    nodes = {node for node, predicate, kind in links if predicate == "type.object.type"}
    kinds = {node: kind for node, predicate, kind in links if predicate == "type.object.type"}
    onward = {
        node: (step, to) for node, step, to in links if node in nodes and step != "type.object.type"
    }
    joined = {
        (head, f"{first}..{onward[to][0]}", onward[to][1]) if to in nodes else (head, first, to)
        for head, first, to in links
        if head not in nodes
    }
    given = set(read_triples(data / "fb15k237"))
    assert len(given) == 310_116
    assert joined == {
        tuple(name.removeprefix("/").replace("/", ".") for name in triple) for triple in given
    }
    entities = {entity for head, _, tail in given for entity in (head, tail)}
    assert not entities & {f"/{node.replace('.', '/')}" for node in nodes}
    # one node for each triple of two steps, and each of a type that is marked
    assert len(nodes) == again[1].mediators == sum("./" in relation for _, relation, _ in given)
    assert set(kinds.values()) == marked
    assert all(onward[node][0].startswith(f"{kind}.") for node, kind in kinds.items())


def test_all_names_come_back(data, lines):
    names = json.loads((data / "fb15k237" / "entity2wikidata.json").read_text("utf-8"))
    read = {
        (f"/{line.subject.replace('.', '/')}", line.predicate, line.object)
        for line in lines
        if line.literal
    }
    for entity, about in names.items():
        assert (entity, "type.object.name", about["label"]) in read
        for alias in about.get("alternatives") or ():
            assert (entity, "common.topic.alias", alias) in read
    key = "http://rdf.freebase.com/key/wikipedia.en_title"
    assert ("/m/012xdf", key, "Shaquille_O$0027Neal") in read


def test_the_same_bytes_every_time(dump, again):
    written, _ = again
    digests = {hashlib.sha256(path.read_bytes()).digest() for path in (dump, written)}
    assert len(digests) == 1
    assert list(written.parent.iterdir()) == [written]


def test_the_knowledge_base_holds_the_benchmark(data, kb):
    manifest = kb.manifest
    assert (manifest.entities, manifest.relations, manifest.triples) == (14_541, 237, 310_116)
    between: dict[tuple[str, str], set[str]] = {}
    for head, relation, tail in read_triples(data / "fb15k237"):
        between.setdefault((head, tail), set()).add(relation.removeprefix("/").replace("/", "."))
    for pair in sorted(between)[::50]:
        assert set(kb.relations_between(*pair)) == between[pair]
    rows = pq.read_table(kb.triples_path, columns=["e1", "relation", "e2"]).to_pylist()
    assert {tuple(row.values()) for row in rows} == {
        (head, relation, tail)
        for (head, tail), relations in between.items()
        for relation in relations
    }


def test_an_entity_is_found_by_its_title_in_wikipedia(data, kb):
    names = json.loads((data / "fb15k237" / "entity2wikidata.json").read_text("utf-8"))
    titled = {
        entity: about["wikipedia"] for entity, about in names.items() if about.get("wikipedia")
    }
    assert len(titled) > 14_000
    for entity in sorted(titled)[::100]:
        assert kb.by_id(titled[entity]) == entity
    assert kb.by_id("Q76") == kb.by_id("m.02mjmr") == "/m/02mjmr"


def test_a_president_is_found_and_linked(kb):
    obama, country = kb.entity("Barack Obama"), kb.entity("United States")
    assert (obama, country) == ("/m/02mjmr", "/m/09c7w0")
    assert "people.person.nationality" in kb.relations_between(obama, country)
    mentions = kb.dictionary.mentions(
        "Barack Obama left the U.S. for Paris , and Obama 's wife told us so ."
    )
    assert [kb.label(mention.entity) for mention in mentions] == [
        "Barack Obama", "United States of America", "Paris", "Barack Obama",
    ]  # fmt: skip


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

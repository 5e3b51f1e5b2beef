"""A knowledge base built by Spark is the one that is built on one machine."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from evaluator.relations.matching import INVERSE
from indexes.kb.build import Dump, build_knowledge_base
from indexes.kb.knowledge_base import KnowledgeBase, Manifest
from jobs.spark.engine import SparkEngine, split_in_parallel

NS = "http://rdf.freebase.com/ns/"


def lines() -> Iterator[str]:
    """A dump with everything that the assembly does: mediators, identities, names, duplicates."""
    for i in range(200):
        yield f'<{NS}m.{i}>\t<{NS}type.object.name>\t"Person {i % 90}"@en\t.\n'
        yield f'<{NS}m.{i}>\t<{NS}common.topic.alias>\t"Café {i}"@en\t.\n'
        yield f"<{NS}m.{i}>\t<{NS}people.person.parents>\t<{NS}m.{i * 7 % 200}>\t.\n" * 2
        yield f"<{NS}m.{i}>\t<{NS}people.person.spouse_s>\t<{NS}m.node{i // 2}>\t.\n"
        yield f"<{NS}m.node{i // 2}>\t<{NS}people.marriage.spouse>\t<{NS}m.{i}>\t.\n"
        yield f"<{NS}m.{i}>\t<{NS}type.object.type>\t<{NS}people.person>\t.\n"
        yield f'<{NS}m.{i}>\t<http://rdf.freebase.com/key/wikipedia.en_title>\t"P{i // 2}"\t.\n'
    yield f"<{NS}people.person.parents>\t<{NS}type.property.reverse_property>\t<{NS}p.p.child>\t.\n"
    yield "<cut line\n"


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> list[Dump]:
    folder = tmp_path_factory.mktemp("dumps")
    dump = list(lines())
    (folder / "1.nt").write_text("".join(dump[:700]), encoding="utf-8")
    (folder / "2.nt").write_text("".join(dump[700:]), encoding="utf-8")
    (folder / "old.tsv").write_text("m.900\tm.1\nm.901\tm.900\n", encoding="utf-8")
    return [
        Dump(folder / "1.nt", "freebase"),
        Dump(folder / "2.nt", "freebase"),
        Dump(folder / "old.tsv", "redirects"),
    ]


@pytest.fixture(scope="module")
def oracle(sources: list[Dump], tmp_path_factory: pytest.TempPathFactory) -> KnowledgeBase:
    folder = tmp_path_factory.mktemp("oracle") / "kb"
    build_knowledge_base(sources, folder)
    return KnowledgeBase.open(folder)


def by_spark(spark: SparkSession, sources: list[Dump], out: Path) -> Manifest:
    return build_knowledge_base(
        sources,
        out,
        split=lambda *arguments: split_in_parallel(spark, *arguments),
        engine=lambda scratch: SparkEngine(spark, scratch),
    )


def test_spark_builds_what_one_machine_builds(
    spark: SparkSession, sources: list[Dump], oracle: KnowledgeBase, tmp_path: Path
) -> None:
    manifest = by_spark(spark, sources, tmp_path / "kb")
    assert manifest == oracle.manifest
    assert manifest.assembly["collapsed"] == 200  # each of 100 couples, from both sides
    assert manifest.assembly["ambiguous"] == 100  # each title, which two people claim
    assert manifest.rejects == {"cut line": 1}

    kb = KnowledgeBase.open(tmp_path / "kb")
    spouse = "people.person.spouse_s..people.marriage.spouse"
    assert kb.relations_between("/m/4", "/m/5", direction="both") == (spouse, INVERSE + spouse)
    assert kb.entity("Q1") is None
    assert kb.entity("m.901") == "/m/1"
    for entity in ("/m/0", "/m/77", "/m/199"):
        assert kb.names(entity) == oracle.names(entity)
        assert kb.query_names(entity) == oracle.query_names(entity)
        assert kb.types(entity) == oracle.types(entity) == ("people.person",)
        assert kb.popularity(entity) == oracle.popularity(entity)
    assert kb.relations() == oracle.relations()
    text = "Person 7 met Person 89 at Café 12"
    assert kb.dictionary.mentions(text) == oracle.dictionary.mentions(text) != ()

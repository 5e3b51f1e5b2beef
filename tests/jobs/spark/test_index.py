"""An index built by Spark is the one that is built on one machine."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from indexes.text.build import add_collection, build_collection
from indexes.text.check import check_index
from indexes.text.plan import BuildPlan, CollectionFiles
from jobs.spark.index import spark_crew, uneven

pytestmark = pytest.mark.core


@pytest.fixture(scope="module")
def collection(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Five files; the ids of the last are those of the first."""
    folder = tmp_path_factory.mktemp("collection")
    for number in range(5):
        lines = (
            json.dumps({"id": f"{number % 4}-{n}", "text": f"Obama visited Rome {number} " * n})
            for n in range(10 + number)
        )
        (folder / f"{number}.jsonl").write_text("\n".join(lines) + "\n{broken\n")
    return folder


def test_spark_builds_and_adds_what_one_machine_does(
    spark: SparkSession, collection: Path, tmp_path: Path
) -> None:
    crew = spark_crew(spark.sparkContext)
    local, made = tmp_path / "local", tmp_path / "spark"
    oracle = build_collection(collection, local)
    manifest = build_collection(collection, made, shards=3, workers=1, crew=crew)
    assert replace(manifest, shards=()) == replace(oracle, shards=())
    assert manifest.rejects == {"broken JSON": 5, "duplicate id": 10}
    assert len(manifest.shards) == 3

    more = tmp_path / "more.jsonl"
    more.write_text('{"id": "0-1", "text": "there"}\n{"id": "new", "text": "not there"}\n')
    oracle = add_collection(more, local)
    manifest = add_collection(more, made, shards=2, workers=1, crew=crew)
    assert replace(manifest, shards=()) == replace(oracle, shards=())
    assert len(manifest.shards) == 4  # the second of the new shards had no file
    assert check_index(made, full=True) == []
    assert sorted(path.name for path in tmp_path.iterdir()) == ["local", "more.jsonl", "spark"]


def test_a_file_too_large_for_its_task_is_told(tmp_path: Path) -> None:
    for name, size in (("a", 90), ("b", 10)):
        (tmp_path / name).write_bytes(b"x" * size)
    files = (tmp_path / "a", tmp_path / "b")
    plan = BuildPlan((CollectionFiles(tmp_path, "text", (), files),), shards=4, by_file=True)
    assert uneven(plan).startswith("a is 90% of all and goes to one task as a whole")
    assert uneven(replace(plan, shards=2)) == ""

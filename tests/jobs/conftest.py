"""What the tests of the jobs share."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from indexes.text.build import build_collection
from indexes.text.plan import Pace
from jobs.config import Configuration
from jobs.spark.session import spark_session
from tests.jobs.sample_runs import CONF, SMALL, of_sample, run


@pytest.fixture(scope="session")
def spark() -> Iterator[SparkSession]:
    """Keep one Spark session open, which runs then take: each would start one of its own."""
    with spark_session(name="tests", master="local[2]", partitions=3, settings=SMALL) as session:
        yield session


@pytest.fixture(scope="session")
def evidence(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where evidence of the sample is built; the text index in three shards already."""
    folder = tmp_path_factory.mktemp("evidence")
    collection = Configuration.load(CONF).index.collection
    manifest = build_collection(
        collection, folder / "index", shards=3, workers=1, pace=Pace(batch_bytes=50_000)
    )
    assert len(manifest.shards) == 3
    return folder


@pytest.fixture(scope="session")
def finished(evidence: Path) -> Configuration:
    """The sample, run on one machine, in the folder of the evidence."""
    configuration = of_sample(evidence, evidence / "run", "engine=local")
    run(configuration)
    return configuration

"""What the tests of the jobs share."""

from collections.abc import Iterator

import pytest
from pyspark.sql import SparkSession

from jobs.spark.session import spark_session
from tests.jobs.sample_runs import SMALL


@pytest.fixture(scope="session")
def spark() -> Iterator[SparkSession]:
    """Keep one Spark session open, which runs then take: each would start one of its own."""
    with spark_session(name="tests", master="local[2]", partitions=3, settings=SMALL) as session:
        yield session

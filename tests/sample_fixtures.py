"""The sample's evidence and its finished run: built once for all tests that ask for them."""

from pathlib import Path

import pytest

from indexes.text.build import build_collection
from indexes.text.plan import Pace
from jobs.config import Configuration
from tests.jobs.sample_runs import CONF, of_sample, run


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
    run(configuration, page=True)
    return configuration

"""The Spark path over the embedded sample: the plain path is its oracle."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from evaluator.counting import brute_force_counts
from evaluator.elements import relation_element
from evaluator.text import tokens
from indexes.knowledge_base import KnowledgeBase
from jobs import local
from jobs.config import Configuration
from jobs.pipeline import run

CONF = Path(__file__).parents[2] / "conf" / "demo.toml"


@pytest.fixture(scope="module")
def evidence(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("evidence")


@pytest.fixture
def configured(tmp_path: Path, evidence: Path) -> Callable[..., Configuration]:
    """Configurations of the sample: evidence built once, each run in a directory of its own."""

    def load(*overrides: str, master: str = "local[1]", partitions: int = 1) -> Configuration:
        return Configuration.load(
            CONF,
            overrides=[
                f"run={tmp_path / 'run'}",
                f"kb.path={evidence / 'kb'}",
                f"index.path={evidence / 'index'}",
                f"spark.master={master}",
                f"spark.partitions={partitions}",
                *overrides,
            ],
        )

    return load


SETTINGS = {
    "as configured": [],
    "samples smaller than the populations": ["sample.system=20", "sample.candidates=300"],
    "the paper's estimator": ["estimate.method=paper", "sample.system=30", "sample.candidates=500"],
    "everything in scope, both directions": [
        "link.scope=all",
        "link.negation=keep",
        "link.arguments=contains",
        "superset.direction=both",
        "relation.key=all",
        "pmi.variant=classic",
    ],
}


@pytest.mark.parametrize("overrides", SETTINGS.values(), ids=SETTINGS.keys())
def test_spark_gives_what_the_plain_path_gives(
    configured: Callable[..., Configuration], overrides: list[str]
) -> None:
    configuration = configured(*overrides, partitions=2)
    assert run(configuration) == json.loads(json.dumps(local.evaluate(configuration)))


@pytest.mark.parametrize(
    ("master", "partitions"), [("local[1]", 1), ("local[2]", 7), ("local-cluster[2,1,1024]", 2)]
)
def test_the_result_does_not_depend_on_where_and_in_how_many_parts_it_runs(
    configured: Callable[..., Configuration], oracle: dict[str, Any], master: str, partitions: int
) -> None:
    assert run(configured(master=master, partitions=partitions)) == oracle


@pytest.fixture(scope="module")
def oracle(evidence: Path) -> dict[str, Any]:
    overrides = [f"kb.path={evidence / 'kb'}", f"index.path={evidence / 'index'}"]
    return json.loads(json.dumps(local.evaluate(Configuration.load(CONF, overrides=overrides))))


def test_a_second_run_keeps_every_stage_and_gives_the_same_files(
    configured: Callable[..., Configuration],
) -> None:
    configuration = configured()
    run(configuration)
    before = {p.name: p.read_bytes() for p in configuration.run.glob("re*.*")}
    stages: dict[str, bool] = {}
    run(configuration, on_stage=stages.__setitem__)
    assert set(before) == {"result.json", "report.html"}
    assert all(stages.values()), stages
    assert {p.name: p.read_bytes() for p in configuration.run.glob("re*.*")} == before


def test_another_threshold_counts_nothing_again(configured: Callable[..., Configuration]) -> None:
    run(configured())
    stages: dict[str, bool] = {}
    run(configured("pmi.threshold=0.5"), on_stage=stages.__setitem__)
    assert stages["score"]
    assert not stages["estimate"]


def test_a_killed_run_is_taken_up_where_it_stood(
    configured: Callable[..., Configuration], oracle: dict[str, Any], tmp_path: Path
) -> None:
    configuration = configured()
    command = "from tests.jobs.test_pipeline import *; import sys; victim(sys.argv[1:])"
    arguments = [str(configuration.run), str(configuration.kb.path), str(configuration.index.path)]
    process = subprocess.Popen(
        [sys.executable, "-c", command, *arguments], start_new_session=True, cwd=CONF.parents[1]
    )
    deadline = time.monotonic() + 120
    while not (configuration.run / "superset").exists() and time.monotonic() < deadline:
        assert process.poll() is None, "the run ended before it could be killed"
        time.sleep(0.02)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    assert not (configuration.run / "result.json").exists()
    stages: dict[str, bool] = {}
    assert run(configuration, on_stage=stages.__setitem__) == oracle
    assert stages["superset"]


def victim(arguments: list[str]) -> None:
    """Run the sample; for the process that is killed."""
    places = zip(("run", "kb.path", "index.path"), arguments, strict=True)
    overrides = [f"{key}={path}" for key, path in places]
    run(Configuration.load(CONF, overrides=[*overrides, "spark.master=local[1]"]))


def test_the_counts_are_those_of_a_brute_force_count(
    configured: Callable[..., Configuration],
) -> None:
    """Every tenth counted fact of the sample, against the tokens of its background documents."""
    configuration = configured()
    run(configuration)
    kb = KnowledgeBase.open(configuration.kb.path)
    counted = pq.read_table(configuration.run / "score" / "counts").to_pylist()
    assert configuration.index.collection is not None
    background = configuration.index.collection.read_text().splitlines()
    documents = [tokens(json.loads(line)["text"]) for line in background]
    for row in sorted(counted, key=lambda row: (row["e1"], row["r"], row["e2"]))[::10]:
        e1, e2 = kb.query_names(row["e1"]), kb.query_names(row["e2"])
        expected = brute_force_counts(
            documents, e1, relation_element(row["r"]), e2, x=configuration.pmi.x
        )
        assert (row["pair"], row["classic"], row["proximity"]) == expected


def test_a_corpus_without_facts_has_nothing_to_estimate(
    configured: Callable[..., Configuration], tmp_path: Path
) -> None:
    (tmp_path / "sentences.txt").write_text("It rained .\n")
    (tmp_path / "none.tabbed").write_text("It rained .\t0.5\trained\tIt\t\n")
    result = run(
        configured(
            f"corpus.sentences={tmp_path / 'sentences.txt'}",
            "corpus.format=lines",
            f'systems=["none=tabbed:{tmp_path / "none.tabbed"}"]',
            partitions=3,
        )
    )
    system = result["systems"]["none"]
    assert system["facts"] == 0
    assert system["precision"]["value"] is None
    assert system["recall"]["value"] is None


def test_every_line_of_a_system_is_in_one_count(oracle: dict[str, Any]) -> None:
    for source in Configuration.load(CONF).systems:
        account = oracle["systems"][source.name]["extractions"]
        lines = len(source.path.read_text().splitlines())
        assert account["read"] + sum(account["rejected"].values()) == lines
        accounted = (
            account["unaligned"] + account["in_scope"] + sum(account["out_of_scope"].values())
        )
        assert accounted == account["read"]

"""The main job on real data: six systems, FB15k-237, and the first articles of Wikipedia."""

import json
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from evaluator.corpus.sentences import sentence_key
from evaluator.gold.against_corpus.sentence_regions import sentence_statistics, true_shares
from evaluator.intervals import Drawing
from evaluator.model import Rejects
from indexes.collections import read_collection
from indexes.text.build import build_index
from jobs.analysis.comparison import FinishedRun
from jobs.analysis.gold_comparison import compare_with_gold
from jobs.analysis.gold_sentences import corpus_sentences, sentence_facts, stated_facts
from jobs.config import Configuration
from jobs.run.judged_table import JudgedTable
from tests import plain_path
from tests.jobs.sample_runs import run
from tests.real.conftest import OIE2016

ARTICLES = 1_000


@pytest.fixture(scope="module")
def configuration(
    data: Path, fb15k237: Path, tmp_path_factory: pytest.TempPathFactory
) -> Configuration:
    folder = tmp_path_factory.mktemp("oie2016")
    collection = data / "wikipedia2015" / "enwiki2015_AA_AC.tar.xz"
    documents = read_collection(collection, format="wikiextractor", rejects=Rejects())
    build_index(islice(documents, ARTICLES), folder / "index", source={}, rejects=Rejects())
    places = {"run": folder / "run", "kb.path": fb15k237, "index.path": folder / "index"}
    # The plain path is slow: the facts of names that the base knows, all of which are judged.
    small = {"link.scope": "linked", "link.arguments": "contains", "annotator": "pmi"}
    settings = places | small
    return Configuration.load(OIE2016, overrides=[f"{k}={v}" for k, v in settings.items()])


@pytest.fixture(scope="module")
def result(configuration: Configuration) -> dict[str, Any]:
    return run(configuration, page=True)


def test_both_engines_give_what_the_plain_path_gives(
    configuration: Configuration, result: dict[str, Any], tmp_path: Path
) -> None:
    assert result == json.loads(json.dumps(plain_path.evaluate(configuration)))
    of_spark = {"engine": "spark", "run": tmp_path / "run"}
    assert run(configuration.model_copy(update=of_spark)) == result


def test_every_line_of_every_system_is_accounted_for(
    configuration: Configuration, result: dict[str, Any]
) -> None:
    for source in configuration.systems:
        account = result["systems"][source.name]["extractions"]
        with source.path.open("rb") as file:
            lines = sum(1 for _ in file)
        assert account["read"] + sum(account["rejected"].values()) == lines
        out_of_scope = sum(account["out_of_scope"].values())
        assert account["unaligned"] + out_of_scope + account["in_scope"] == account["read"]


def test_the_database_census_is_the_same_for_every_system(result: dict[str, Any]) -> None:
    """With no fact of S outside G' matched, b + c is what the corpus states of D."""
    stated = {
        s["regions"]["b"]["value"] + s["regions"]["c"]["value"] for s in result["systems"].values()
    }
    assert len(stated) == 1
    assert stated != {0}


def test_the_report_opens_with_all_systems(
    configuration: Configuration, result: dict[str, Any]
) -> None:
    page = (configuration.run / "report.html").read_text()
    assert all(name in page for name in result["systems"])
    assert "http://" not in page.replace("http://www.w3.org/2000/svg", "")


def test_sums_over_all_sentences_are_the_figures_of_the_run(
    configuration: Configuration, result: dict[str, Any]
) -> None:
    """Facts in several sentences are shared out among them, and everything was judged."""
    finished = FinishedRun.open(configuration.run)
    texts = configuration.corpus.path.read_text(encoding="utf-8").splitlines()
    found = corpus_sentences(finished, list(dict.fromkeys(map(sentence_key, texts))))
    sentences = [sentence for sentence in found if sentence is not None]
    assert len(sentences) == result["corpus"]["sentences"]
    facts = sentence_facts(sentences, stated_facts(finished, sentences), rule={})
    held = {
        fact for of in facts for group in (*of.stated.values(), of.candidates) for fact in group
    }
    true = true_shares(JudgedTable(configuration.run).look_up(held))
    for name, figures in result["systems"].items():
        of_sums = sentence_statistics(facts, true, name).figures
        for measure in ("precision", "recall", "f1"):
            assert getattr(of_sums, measure) == pytest.approx(figures[measure]["value"])


def test_gold_data_and_corpus_are_compared_on_the_gold_sentences(
    configuration: Configuration, result: dict[str, Any], data: Path
) -> None:
    """2,944 of the 3,200 sentences have gold tuples; the gold figures are those of the scorer."""
    told = compare_with_gold(
        FinishedRun.open(configuration.run),
        "oie2016",
        data / "gold" / "oie2016" / "supervised" / "all.oie.orig",
        systems=list(result["systems"]),
        drawing=Drawing(draws=20, seed=0),
    )
    assert told.sentences["shared"] == told.sentences["gold"] == 2_944
    published = {"ClausIE": 0.5988946100429874, "OLLIE": 0.3886626122858896}
    for name, f1 in published.items():
        assert told.systems[name].gold["f1"].estimate.value == pytest.approx(f1, abs=1e-9)
    assert {of.tau.n for of in told.agreement.values()} == {6}

"""The evidence that the report shows; what `explain` says of a fact is the oracle."""

from pathlib import Path

import numpy as np
import pytest

from evaluator.annotators import Anchored, Calibrated, Pmi, Urns
from evaluator.annotators.evidence import Evidence
from evaluator.annotators.urns import Urn
from indexes.kb.knowledge_base import KnowledgeBase
from indexes.text.build import build_collection
from indexes.text.index import TextIndex
from indexes.text.plan import Pace
from jobs.config import Configuration, RelationSettings
from jobs.evidence.explanation import explain
from jobs.evidence.sources import build_kb
from jobs.run.report import Shown, _Names, _verdicts
from jobs.run.result import read_truth

pytestmark = pytest.mark.jvm

CONF = Path(__file__).parents[3] / "conf" / "demo.toml"
_RELATIONS = ("direct", "founder")


def trained():
    """Return a model of nothing in particular, in which every count matters."""
    rng = np.random.default_rng(5)
    hits = rng.integers(0, 6, (200, 11))
    known = rng.integers(0, 3, 200)
    similarity = np.where(rng.random(200) < 0.5, np.nan, rng.random(200))
    evidence = Evidence.of(hits, documents=100, known=known, similarity=similarity)
    truth = rng.random(200) < 0.2 + 0.1 * hits[:, 2]
    return Calibrated.train(evidence, truth, [f"fact {n}" for n in range(200)])


ANNOTATORS = {
    "pmi": Pmi(variant="classic", smoothing="lower"),
    "anchored": Anchored(),
    "urns": Urns(
        prior=0.3,
        urns={"proximity": Urn(0.5, 0.1, 5.0), "anchored": Urn(0.6, 0.2, 5.0)},
        facts=100,
        gain=10.0,
    ),
    "calibrated": trained(),
}


@pytest.fixture(scope="module")
def configuration(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sample")
    places = [f"kb.path={folder / 'kb'}", f"index.path={folder / 'index'}"]
    configuration = Configuration.load(CONF, overrides=places)
    build_kb(configuration.kb)
    settings = configuration.index
    build_collection(
        settings.collection, settings.path, shards=1, workers=1, pace=Pace(batch_bytes=50_000)
    )
    return configuration


@pytest.mark.parametrize("name", ANNOTATORS)
def test_a_fact_is_shown_with_the_score_and_the_parts_that_explain_gives(configuration, name):
    annotator = ANNOTATORS[name]
    relation = RelationSettings(widen=("derivations",))
    settings = configuration.model_copy(update={"annotator": name, "relation": relation})
    # Further words of these change the counts of such facts.
    facts = [fact for fact in sorted(read_truth(configuration.truth)) if fact.r in _RELATIONS]
    kb = KnowledgeBase.open(configuration.kb.path)
    with TextIndex.open(configuration.index.path) as index:
        told = [
            explain(fact.e1, fact.r, fact.e2, kb=kb, index=index, match=settings.match,
                    annotator=annotator, pmi=settings.pmi, relation_settings=settings.relation)
            for fact in facts
        ]  # fmt: skip
        rows = [
            Shown(
                system="alpha", e1=fact.e1, r=one["r"]["key"], e2=fact.e2,
                relation=None, inverse=None,
                verdict="matched" if one["why"] == "in the database" else "accepted",
                similarity=one["database"][0]["similarity_score"] if one["database"] else None,
            )
            for fact, one in zip(facts, told, strict=True)
        ]  # fmt: skip
        verdicts = _verdicts(rows, _Names(kb, {}, ()), index, annotator, settings)
    for verdict, one in zip(verdicts, told, strict=True):
        assert verdict.score == one["annotator"]["score"]
        assert [part._asdict() for part in verdict.parts] == one["annotator"]["parts"]
        for count in ("pair", "classic", "proximity", "topic", "anchored"):
            assert getattr(verdict, count) == one["text"][count]
        assert verdict.snippet == next(iter(one["text"]["snippets"]), None)
    assert len({verdict.score for verdict in verdicts}) > 2

"""The evidence that the report shows; what `explain` says of a fact is the oracle."""

from pathlib import Path

import duckdb
import numpy as np
import pytest

from evaluator.annotators import Anchored, Calibrated, Pmi, Urns
from evaluator.annotators.evidence import Evidence
from evaluator.annotators.urns import Urn
from indexes.kb.knowledge_base import KnowledgeBase
from indexes.text.index import TextIndex
from jobs.config import RelationSettings
from jobs.evidence.entity_names import EntityNames
from jobs.evidence.explanation import explain
from jobs.evidence.stated import stated_in_run
from jobs.run.report import Shown, _verdicts
from jobs.run.result import read_truth
from jobs.run.stating import closest_sentences

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


def run_of(run, fact):
    """Return what the tables of a run say of how a fact is stated."""
    columns = ("closest", "sentences", "stating_documents", "systems")
    [row] = duckdb.sql(
        f"""select {", ".join(columns)} from read_parquet('{run}/estimate/judged/*.parquet')
        where e1 = $1 and r = $2 and e2 = $3 and negated = $4""",
        params=list(fact),
    ).fetchall() or [(None, 0, 0, ())]
    return dict(zip(columns, row, strict=True))


@pytest.mark.parametrize("name", ANNOTATORS)
def test_a_fact_is_shown_with_the_score_and_the_parts_that_explain_gives(finished, name):
    annotator = ANNOTATORS[name]
    relation = RelationSettings(widen=("derivations",))
    settings = finished.model_copy(update={"annotator": name, "relation": relation})
    # Further words of these change the counts of such facts.
    facts = [fact for fact in sorted(read_truth(finished.truth)) if fact.r in _RELATIONS]
    kb = KnowledgeBase.open(finished.kb.path)
    stated = {
        fact: stated_in_run(finished.run, [fact[:3]], kb=kb, key=relation.key) for fact in facts
    }
    shown = closest_sentences(finished.run, facts)
    assert len(shown) > len(facts) / 2
    with TextIndex.open(finished.index.path) as index:
        told = [
            explain(fact.e1, fact.r, fact.e2, kb=kb, index=index, match=settings.match,
                    annotator=annotator, pmi=settings.pmi, relation_settings=settings.relation,
                    stated=stated[fact], sentence=shown.get(fact))
            for fact in facts
        ]  # fmt: skip
        rows = [
            Shown(
                system="alpha", e1=fact.e1, r=one["r"]["key"], e2=fact.e2,
                relation=None, inverse=None, **run_of(finished.run, fact),
                verdict="matched" if one["why"] == "in the knowledge base" else "accepted",
                similarity=one["database"][0]["similarity_score"] if one["database"] else None,
            )
            for fact, one in zip(facts, told, strict=True)
        ]  # fmt: skip
        verdicts = _verdicts(rows, EntityNames(kb, {}, ()), index, annotator, settings)
    for verdict, one in zip(verdicts, told, strict=True):
        assert verdict.score == one["annotator"]["score"]
        assert [part._asdict() for part in verdict.parts] == one["annotator"]["parts"]
        for count in ("pair", "classic", "proximity", "topic", "anchored"):
            assert getattr(verdict, count) == one["text"][count]
        assert verdict.sentence == one["sentence"]["shown"]
        assert verdict.snippet == next(iter(one["text"]["snippets"]), None)
    assert len({verdict.score for verdict in verdicts}) > 2

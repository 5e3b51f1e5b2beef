"""What `link.scope` brings on OIE2016: extractions judged, candidates, and what a sentence tells.

For each scope: which share of the six systems' extractions is a fact, and for what reason each
other is none; how many candidates G' has by `superset.words`. Then, of the facts of S with names
and noun phrases in scope, how well the sentence alone tells those that the benchmark's own gold
tuples confirm: a model cross-validated by sentence. A fact of a sentence is true where an
extraction that states it there matches a gold tuple by the benchmark's rule (more than half of the
gold words), or by the mended one (slot by slot, both ways). What the sentence tells are the
features of sentence evidence (:mod:`evaluator.annotators.features`).

It takes the knowledge base of `conf/oie2016.toml`, which a run of it makes, and some three minutes
of processor time.

    .venv/bin/python benchmarks/oie_gold.py
    .venv/bin/python benchmarks/oie_gold.py --scope phrases     # this alone
"""

import argparse
import json
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import GroupKFold, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from evaluator.annotators.evidence import COUNTS, Evidence, joined
from evaluator.annotators.features import AGREEMENT, SENTENCE, matrix
from evaluator.annotators.sentence_evidence import sentence_evidence
from evaluator.corpus.sentences import read_sentences, sentence_key
from evaluator.facts.linking import link_extraction
from evaluator.facts.phrases import SCOPES, is_element
from evaluator.facts.superset import WORDS, candidate_superset
from evaluator.gold.oie2016.overlap import CORRECTED, RELEASED, Match
from evaluator.model import Extraction, Fact, Rejects, Sentence
from evaluator.readers import read_extractions
from indexes.kb.annotation import annotate_sentence
from indexes.kb.knowledge_base import KnowledgeBase
from jobs.config import Configuration

CONFIGURATION = Path(__file__).parents[1] / "conf" / "oie2016.toml"
GOLD = "gold/oie2016/supervised/all.oie.orig"
RULES: dict[str, Match[Any, Any]] = {"released": RELEASED, "corrected": CORRECTED}

type Sentences = dict[str, Sentence]


class StatedFact(NamedTuple):
    """A fact of a sentence, who states it, and whether the gold tuples confirm it, by rule."""

    sentence: str
    fact: Fact
    systems: set[str]
    true: dict[str, bool]


def main() -> None:
    """Print the figures as JSON, one object per part."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kb", type=Path, help="knowledge base, if not the configuration's")
    parser.add_argument("--scope", choices=SCOPES, action="append", help="not all three")
    chosen = parser.parse_args()
    settings = Configuration.load(CONFIGURATION)
    assert settings.corpus is not None
    kb = KnowledgeBase.open(chosen.kb or settings.kb.path)
    bare = list(read_sentences(settings.corpus.path, format="lines", rejects=Rejects()))
    extractions = [
        extraction
        for source in settings.files
        for extraction in read_extractions(source, rejects=Rejects())
    ]
    for scope in chosen.scope or SCOPES:
        sentences = {
            sentence_key(s.text): annotate_sentence(s, kb.dictionary, scope=scope) for s in bare
        }
        print(json.dumps({"scope": scope, **_reach(sentences, extractions, scope)}), flush=True)
    if scope != "phrases":
        return
    facts = _stated(sentences, extractions)
    for name in RULES:
        labels = np.array([fact.true[name] for fact in facts])
        print(json.dumps({"rule": name, **_told(sentences, facts, labels)}), flush=True)


def _reach(sentences: Sentences, extractions: Sequence[Extraction], scope: str) -> dict[str, Any]:
    """Return what becomes of extractions, and the size of G'."""
    reasons: Counter[str] = Counter()
    for extraction in extractions:
        sentence = sentences.get(sentence_key(extraction.sentence))
        linked = sentence and link_extraction(sentence, extraction, scope=scope)
        reasons["unaligned" if linked is None else linked.reason or "a fact"] += 1
    return {
        "extractions": len(extractions),
        "%": {why: round(100 * n / len(extractions), 1) for why, n in reasons.most_common()},
        "candidates": {
            words: len({f for s in sentences.values() for f in candidate_superset(s, words=words)})
            for words in WORDS
        },
    }


def _stated(sentences: Sentences, extractions: Sequence[Extraction]) -> list[StatedFact]:
    """Return the facts of S, sentence by sentence, in sentences that have gold tuples."""
    gold: dict[str, list[dict[str, Any]]] = defaultdict(list)
    path = Path(Configuration.load(CONFIGURATION).files[0].path).parents[2] / GOLD
    for line in path.read_text(encoding="utf-8").splitlines():
        sentence, *slots = line.split("\t")
        wanted = {name: rule.wanted(slots) for name, rule in RULES.items()}
        gold[sentence_key(sentence)].append(wanted)
    stated: dict[tuple[str, Fact], StatedFact] = {}
    for extraction in extractions:
        key = sentence_key(extraction.sentence)
        if key not in gold or key not in sentences:
            continue
        fact = link_extraction(sentences[key], extraction, scope="phrases").fact
        if fact is None:
            continue
        one = stated.setdefault(
            (key, fact), StatedFact(key, fact, set(), dict.fromkeys(RULES, False))
        )
        one.systems.add(extraction.system)
        slots = (extraction.relation, *extraction.arguments)
        for name, rule in RULES.items():
            said = rule.said(slots)
            one.true[name] |= any(rule.agree(wanted[name], said) for wanted in gold[key])
    return list(stated.values())


def _told(sentences: Sentences, facts: list[StatedFact], labels: Any) -> dict[str, Any]:
    """Return the area under the ROC curve of what a sentence tells, by kind of fact."""
    evidence = Evidence.of(
        np.zeros((len(facts), len(COUNTS))),
        documents=1,
        closest=sentence_evidence((sentences[f.sentence], [f.fact]) for f in facts),
        stated={"stated_by": [joined(f.systems) for f in facts]},
    )
    shown = matrix(evidence, SENTENCE)
    systems = matrix(evidence, {"systems": AGREEMENT["systems"]})
    groups = np.unique([f.sentence for f in facts], return_inverse=True)[1]
    known = np.array([[not is_element(e) for e in (f.fact.e1, f.fact.e2)] for f in facts]).sum(1)
    linear = make_pipeline(StandardScaler(), LogisticRegression(C=0.1, max_iter=1000))
    trees = HistGradientBoostingClassifier(max_iter=100, random_state=0)
    told: dict[str, Any] = {"facts": len(facts), "true": round(float(labels.mean()), 3)}
    for name, model, columns in (
        ("systems alone", linear, systems),
        ("sentence", linear, shown),
        ("sentence and systems", linear, np.hstack([shown, systems])),
        ("sentence and systems, trees", trees, np.hstack([shown, systems])),
    ):
        score = cross_val_predict(
            model, columns, labels, groups=groups, cv=GroupKFold(5), method="predict_proba"
        )[:, 1]
        told[name] = {
            "auc": round(float(roc_auc_score(labels, score)), 3),
            "no entity known": round(
                float(roc_auc_score(labels[known == 0], score[known == 0])), 3
            ),
        }
    return told


if __name__ == "__main__":
    main()

"""What further words for a relation do to the counts, on facts whose truth is known.

The facts of FactBench are counted in the text index of a configuration, without further words and
with those of each source. A score is a PMI, of the facts that have one; the figure is the area
under its ROC curve. Intervals, of 95 %, are of its difference to that without further words, by
bootstrap over facts; they do not hold that FactBench has ten relations only.

    .venv/bin/distval words --mine --conf conf/reverb-clueweb.toml
    .venv/bin/python benchmarks/relation_words.py [--least WEIGHT] [--most WORDS]
"""

import argparse
import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import roc_auc_score

from evaluator.counting.elements import relation_element
from evaluator.counting.fact_table import FactTable
from evaluator.datasets import factbench
from evaluator.errors import DistvalError
from evaluator.model import Rejects
from evaluator.relations.expansion import SOURCES, WeightedWord, Widening
from evaluator.relations.normal_form import relation_form, relation_key
from indexes.kb.knowledge_base import KnowledgeBase
from indexes.text.index import TextIndex
from jobs.config import Configuration, data_folder
from jobs.evidence.given_facts import Elements
from jobs.evidence.widening import further_words

CONF = Path("conf/reverb-clueweb.toml")
DISTANCES = {4: 8, 8: 32, 16: 32}  # X, and the reach that is counted with it
RESAMPLES, SEED = 500, 2012
DEFAULTS = Widening()
MIXTURES = [
    *((source,) for source in SOURCES),
    ("neighbours", "derivations"),
    ("derivations", "patterns"),
    SOURCES,
]

type Floats = NDArray[np.float64]
type Words = dict[str, tuple[WeightedWord, ...]]


def main() -> None:
    """Print a row for each mixture of sources."""
    parser = argparse.ArgumentParser(description="AUC with further words for relations")
    parser.add_argument("--least", type=float, default=DEFAULTS.least)
    parser.add_argument("--most", type=int, default=DEFAULTS.most)
    arguments = parser.parse_args()
    settings = Configuration.load(CONF)
    kb = KnowledgeBase.open(settings.kb.path)
    facts = factbench.read_facts(data_folder() / "factbench", rejects=Rejects())
    elements = Elements(kb)
    keys = {fact.r: relation_key(relation_form(fact.r)) for fact in facts}

    def table(words: Words) -> FactTable:
        return FactTable.of_columns(
            *([fact[place] for fact in facts] for place in range(3)),
            entity=elements.entity,
            relation=lambda phrase: relation_element(
                keys[phrase], [word.word for word in words.get(keys[phrase], ())]
            ),
        )

    with TextIndex.open(settings.index.path) as index:
        # What has neither a pair nor a document about e1 has no score, whatever the words.
        hits = index.hits(table({}), x=0)
        kept = np.flatnonzero((hits[:, 0] > 0) | (hits[:, 3] > 0)).tolist()
        facts = [facts[place] for place in kept]
        labels = np.array([fact.label.label for fact in facts])
        plain = scores(index, table({}))
        print(f"{'':24} words " + " ".join(f"{name:>22}" for name in plain))
        shown = (f"{_auc(labels, score):.3f}" for score in plain.values())
        defined = (f"{np.count_nonzero(~np.isnan(score)):,} facts" for score in plain.values())
        print(f"{'':30} " + " ".join(f"{figure:>22}" for figure in defined))
        print(f"{'none':24} {0:5.1f} " + " ".join(f"{figure:>22}" for figure in shown))
        for sources in MIXTURES:
            words = further_words(
                sorted({*keys.values()}),
                widening=Widening(
                    sources,
                    arguments.least,
                    arguments.most,
                    data_folder() / "wikidata_properties",
                ),
                match=settings.match,
                kb=kb,
                index=settings.index.path,
            )
            number = np.mean([len(each) for each in words.values()])
            found = scores(index, table(words))
            row = (compared(labels, found[name], plain[name]) for name in plain)
            name = "all" if sources == SOURCES else ", ".join(sources)
            print(f"{name:24} {number:5.1f} " + " ".join(f"{figure:>22}" for figure in row))


def scores(index: TextIndex, table: FactTable) -> dict[str, Floats]:
    """Return the PMI of each fact by name of the variant; NaN where it has none."""
    found = {}
    for x, reach in DISTANCES.items():
        hits = index.hits(table, x=x, reach=reach)
        found[f"PROXIMITY {x}"] = _share(hits[:, 2], hits[:, 0])
        found[f"ANCHORED {reach}"] = _share(hits[:, 4], hits[:, 3])
    return dict(sorted(found.items(), key=lambda item: (item[0][0] == "A", len(item[0]))))


def compared(labels: NDArray[np.bool_], found: Floats, plain: Floats) -> str:
    """Return the AUC of scores, and the interval of its difference to that of others."""
    generator = np.random.default_rng(SEED)
    defined = np.flatnonzero(~np.isnan(plain))
    differences = []
    for _ in range(RESAMPLES):
        drawn = generator.choice(defined, len(defined))
        differences.append(_auc(labels[drawn], found[drawn]) - _auc(labels[drawn], plain[drawn]))
    low, high = np.quantile(differences, (0.025, 0.975))
    return f"{_auc(labels, found):.3f} [{low:+.3f}, {high:+.3f}]"


def _auc(labels: NDArray[np.bool_], score: Floats) -> float:
    defined = ~np.isnan(score)
    return float(roc_auc_score(labels[defined], score[defined]))


def _share(part: NDArray[np.int64], whole: NDArray[np.int64]) -> Floats:
    return np.divide(part, whole, out=np.full(len(part), np.nan), where=whole > 0)


if __name__ == "__main__":
    try:
        main()
    except DistvalError as error:
        sys.exit(str(error))

"""What bare judges say of a precision that is known, and what labels make of it.

The 2,799 facts of FactBench by web pages are a system whose precision is known: 53.6 %. Language
models judged them, four models in four ways, and the answers are on record; our own annotators
judge them in runs of ``conf/factbench-web.toml``. A judge's own figure is the share of facts that
it accepts. Then 100 and 200 facts are drawn and labelled, 500 times over:

* *corrected*: drawn within the judge's classes as ``distval label draw`` does, chain rule;
* *labels alone*: one simple random sample, no judge.

An answer that cannot be read leaves its fact undefined, which is a class of its own.

    distval data factbench-web --out runs/factbench-web.tsv
    distval run conf/factbench-web.toml
    .venv/bin/python benchmarks/judges.py --run runs/factbench-web
    .venv/bin/python benchmarks/judges.py --draws 50        # a look, recorded judges alone
"""

import argparse
import csv
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from time import perf_counter

import duckdb
import numpy as np

from benchmarks.real_labels import ALONE, CHAIN_RULE, Population, Result, repeated, summary
from evaluator.errors import DistvalError, InputError
from evaluator.estimators.tallies import Verdict
from evaluator.judges.judgements import read_judgements
from evaluator.labels.design import JudgedFact
from evaluator.model import Item
from evaluator.text import search_form
from jobs.config import data_folder

LABELS = (100, 200)
DRAWS, SEED = 500, 2013
METHODS = ("DKA", "GIV-Z", "GIV-F", "RAG")
MODELS = ("gemma2:9b", "qwen2.5:7b", "mistral:7b", "llama3.1:8b")


def read_facts(data: Path) -> dict[str, tuple[Item, bool]]:
    """Return the facts by their id, and whether each is true."""
    path = data / "facts.tsv"
    if not path.is_file():
        raise InputError(path, "not there; distval data fetch factbench-web brings it")
    with path.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        return {row["id"]: ((row["e1"], row["r"], row["e2"]), row["label"] == "1") for row in rows}


def population(
    name: str, truth: Sequence[bool], said: Sequence[float | None], threshold: float = 0.5
) -> Population:
    """Return the facts as a judge sees them; None where it says nothing that can be read."""
    facts = []
    for key, value in enumerate(said):
        verdict: Verdict = "no pair"
        if value is not None:
            verdict = "accepted" if value >= threshold else "rejected"
        facts.append(
            JudgedFact(
                candidate=False,
                systems=frozenset({"S"}),
                matched=False,
                verdict=verdict,
                score=value,
                pair=None if value is None else 1,
                key=key,
            )
        )
    return Population(
        name=name, facts=facts, truth=np.array(truth, float), labels=[()] * len(facts)
    )


def recorded(data: Path, facts: Mapping[str, tuple[Item, bool]]) -> Iterator[Population]:
    """Yield the facts as each of the recorded judges sees them."""
    truth = [true for _, true in facts.values()]
    for method in METHODS:
        for model in MODELS:
            told = read_judgements(data / "judges.tsv", judge=f"{method}/{model}")
            said = {row.id: row.value for row in told.rows}
            yield population(f"{model}, {method}", truth, [said.get(fact) for fact in facts])


def of_run(run: Path, facts: Mapping[str, tuple[Item, bool]]) -> Population:
    """Return the facts that a run of the configuration judged, as its annotator sees them."""
    from evaluator.annotators import read_annotator

    annotator = read_annotator(run / "annotator.json")
    rows = duckdb.sql(
        f"select e1, e2, r, score from read_parquet('{run}/estimate/judged/*.parquet')"
    ).fetchall()
    scores = {(e1, e2, r): score for e1, e2, r, score in rows}
    by_pair: dict[tuple[str, str], list[float | None]] = {}
    for (e1, e2, _), score in scores.items():
        by_pair.setdefault((e1, e2), []).append(score)
    truth, said = [], []
    for (e1, _, e2), true in facts.values():
        found = by_pair.get((search_form(e1), search_form(e2)), [])
        if len(found) == 1:  # of a pair with two relations it is not told here which is which
            truth.append(true)
            said.append(found[0])
    return population(f"{annotator.describe()} ({run.name})", truth, said, annotator.threshold)


def show(of: Population, draws: int, seed: int) -> list[str]:
    """Print a row, and return where a corrected interval covers too little."""
    truth = of.truth.astype(bool)
    accepted = of.accepted
    both = (accepted[truth].mean() + (~accepted[~truth]).mean()) / 2
    cells, faults = [], []
    for labels in LABELS:
        found: dict[str, Result] = {}
        for estimator in (CHAIN_RULE, ALONE):
            made = repeated(of, estimator, labels=labels, draws=draws, seed=seed)
            found[estimator] = summary(made, of.share)
        judge, alone = found[CHAIN_RULE], found[ALONE]
        cells.append(
            f"{100 * judge.coverage:.1f} | {100 * judge.width:.1f} | "
            f"{100 * alone.coverage:.1f} | {100 * alone.width:.1f}"
        )
        # Three standard errors below 95 %.
        if judge.coverage < 0.95 - 3 * np.sqrt(0.95 * 0.05 / draws):
            faults.append(f"{of.name}, {labels} labels: covered {judge.coverage:.3f}")
    print(
        f"| {of.name} | {100 * accepted.mean():.1f} | {100 * (accepted.mean() - of.share):+.1f} "
        f"| {100 * both:.1f} | {' | '.join(cells)} |",
        flush=True,
    )
    return faults


def main() -> int:
    """Print the table; return 1 where an interval covers too little."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--run", type=Path, action="append", default=[], help="repeatable")
    parser.add_argument("--draws", type=int, default=DRAWS, metavar="N")
    parser.add_argument("--seed", type=int, default=SEED, metavar="N")
    options = parser.parse_args()
    begun, data = perf_counter(), data_folder() / "factbench_web"
    try:
        facts = read_facts(data)
        judges = [*(of_run(run, facts) for run in options.run), *recorded(data, facts)]
    except DistvalError as error:
        print(error, file=sys.stderr)
        return 2
    share = 100 * np.mean([true for _, true in facts.values()])
    print(
        f"{len(facts):,} facts, {share:.1f} % true. Labels drawn {options.draws} times; in %: "
        "coverage of the 95 % intervals and their mean width.\n"
    )
    columns = " | ".join(
        f"{labels} labels: corrected, covers | width | labels alone, covers | width"
        for labels in LABELS
    )
    print(f"| judge | says | off by | balanced accuracy | {columns} |")
    print("|" + "---|" * (4 + 4 * len(LABELS)))
    faults = [fault for of in judges for fault in show(of, options.draws, options.seed)]
    print(f"\n{perf_counter() - begun:.0f} s")
    for fault in faults:
        print("FAULT", fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())

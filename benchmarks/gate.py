"""How often ``distval gate`` fails where nothing is worse, and where 5 % of an output is spoilt.

The output of OpenIE 4 on CaRB's test part:

* *halves*: each extraction goes by a coin to one of two outputs, which are then alike but for
  chance. The gate must fail in 2.5 % of the splits, by its level.
* *spoilt*: the second argument of 5 % of the extractions is that of another one. Figures are those
  at the threshold with the best F, so F is what must drop.
* *shuffled*: the extractions in another order.

    .venv/bin/python benchmarks/gate.py               # 500 splits, some fifteen minutes
    .venv/bin/python benchmarks/gate.py --splits 50   # a look
"""

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import batched
from pathlib import Path
from time import perf_counter

import numpy as np

from evaluator.comparison.gate import Gate, gate
from evaluator.errors import DistvalError
from evaluator.gold import Output
from evaluator.gold.scoring import evaluate
from evaluator.model import Extraction, Rejects
from evaluator.readers import SystemSource, read_extractions
from jobs.config import data_folder

MEASURES = ("precision", "recall", "f1")
_AT_ONCE = 20  # splits scored together: gold data are read once for all


def scored(
    gold: Path, outputs: Mapping[str, Sequence[Extraction]]
) -> dict[str, dict[str, list[float]]]:
    """Return the sums of each sentence, by output."""
    found = evaluate(
        "carb",
        gold,
        [Output(name, "jsonl", list(of)) for name, of in outputs.items()],
        version="benchmark",
    )
    return {
        name: {str(k): row for k, row in enumerate(one.statistics.by_sentence().tolist())}
        for name, one in found.systems.items()
    }


def halves(
    gold: Path, output: Sequence[Extraction], splits: int, seed: int
) -> Iterator[dict[str, Gate]]:
    """Yield what the gate says of the two halves of each split."""
    for numbers in batched(range(splits), _AT_ONCE):
        outputs: dict[str, list[Extraction]] = {}
        for number in numbers:
            coin = np.random.default_rng([seed, number]).random(len(output)) < 0.5
            for side, chosen in (("a", coin), ("b", ~coin)):
                outputs[f"{number}{side}"] = [output[k] for k in np.flatnonzero(chosen)]
        sums = scored(gold, outputs)
        for number in numbers:
            one, other = sums[f"{number}a"], sums[f"{number}b"]
            yield {measure: gate(one, other, measure) for measure in MEASURES}


def main() -> int:
    """Print what the gate says; return 1 where it fails too often, or not where it must."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--splits", type=int, default=500, metavar="N")
    parser.add_argument("--seed", type=int, default=2013, metavar="N")
    options = parser.parse_args()
    begun, folder = perf_counter(), data_folder() / "gold" / "carb"
    gold = folder / "test.tsv"
    try:
        source = SystemSource.parse(f"OpenIE4=auto:{folder / 'openie4_output.txt'}")
        output = list(read_extractions(source, rejects=Rejects()))
        rng = np.random.default_rng(options.seed)
        chosen = rng.choice(len(output), len(output) // 20, replace=False)
        spoilt = list(output)
        for place, other in zip(chosen, rng.permutation(chosen), strict=True):
            spoilt[place] = replace(output[place], arg2=output[other].arg2)
        shuffled = [output[k] for k in rng.permutation(len(output))]
        sums = scored(gold, {"whole": output, "spoilt": spoilt, "shuffled": shuffled})
    except DistvalError as error:
        print(error, file=sys.stderr)
        return 2
    faults = []
    for name in ("spoilt", "shuffled"):
        for measure in MEASURES:
            said = gate(sums["whole"], sums[name], measure)
            told = "; ".join(said.failures) or "passes"
            change = 100 * (said.candidate - said.baseline)
            print(f"{name:9} {measure:10} {change:+.2f} points: {told}", flush=True)
            if bool(said.failures) != (name == "spoilt") and measure == "f1":
                faults.append(f"{name}, {measure}: {told}")
    failed = dict.fromkeys(MEASURES, 0)
    for split in halves(gold, output, options.splits, options.seed):
        for measure, said in split.items():
            failed[measure] += bool(said.failures)
    for measure, number in failed.items():
        print(f"halves    {measure:10} fails in {number} of {options.splits} splits")
        if number > 0.05 * options.splits:
            faults.append(f"halves, {measure}: {number} of {options.splits}")
    print(f"{perf_counter() - begun:.0f} s")
    for fault in faults:
        print("FAULT", fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())

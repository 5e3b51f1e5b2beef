"""Whether the truth lies in the intervals that come out of the whole pipeline: twenty made worlds.

Each world is made with its truth known (:mod:`jobs.worlds`), evaluated like any corpus, labelled as
``distval label draw`` asks for, and evaluated again with the labels. The annotator-relative figures
stand beside. Three ways to label:

* 200 facts by careful raters, who do not err;
* 558 facts by careful raters, the number of Bronzi et al. 2012 (section 3.1), with which "few
  labels" is claimed of no interval;
* 200 facts by a rater who errs in one answer of twenty, for contrast: few candidates are true, so
  most facts that such a rater calls true are not, and recall comes out far too low.

The check is on careful raters: for each system the 95 % interval of each of P, R and F holds the
truth in at least 18 of 20 worlds. It is a hard one: of intervals that hold the truth in 95 % of all
worlds, a row of twenty falls short of 18 with probability 0.075, and there are twelve rows.

    .venv/bin/python benchmarks/full_text_simulation.py              # all
    .venv/bin/python benchmarks/full_text_simulation.py --seeds 3    # a look
"""

import argparse
import json
import sys
from math import floor
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from jobs.analysis.simulation import Labelling, simulate, summarise
from jobs.cli.simulation_tables import show_worlds
from jobs.worlds.settings import World

CAREFUL = (Labelling(budget=200), Labelling(budget=558))
ERRING = Labelling(budget=200, error=0.05)
NEEDED = 0.9


def main() -> int:
    """Make the worlds, evaluate, print; the exit code is 1 where too few hold the truth."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--first", type=int, default=1, help="the first seed")
    parser.add_argument("--out", type=Path, help="folder to keep the worlds in")
    parser.add_argument("--json", type=Path, help="file for all figures")
    options = parser.parse_args()
    begun = perf_counter()
    outcomes = []
    with TemporaryDirectory(prefix="distval-") as temporary:
        for outcome in simulate(
            World(),
            [*CAREFUL, ERRING],
            seeds=range(options.first, options.first + options.seeds),
            out=options.out or Path(temporary),
        ):
            outcomes.append(outcome)
            print(
                f"seed {outcome.seed}, {outcome.system}, {outcome.labelling}: "
                f"{perf_counter() - begun:,.0f} s",
                file=sys.stderr,
            )
    seconds = perf_counter() - begun
    summaries = summarise(outcomes)
    show_worlds(outcomes, summaries)
    print(f"{options.seeds} worlds in {seconds:,.0f} s")
    if options.json:
        told = [outcome.as_json() for outcome in outcomes]
        options.json.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
    least = floor(NEEDED * options.seeds)
    faults = [
        f"{s.labelling}: {s.system}, {s.measure}: inside in {s.held} of {s.seeds}"
        for s in summaries
        if s.labelling in CAREFUL and s.held < least
    ]
    for fault in faults:
        print("FAULT", fault)
    if not faults:
        print(f"careful raters: the truth is inside in at least {least} of {options.seeds} worlds")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())

"""The tables of ``distval simulate``."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from rich.table import Table

from evaluator.intervals import wilson
from evaluator.simulation import CountsWorld, Coverage
from evaluator.wordings import LETTERS
from jobs.analysis.simulated_coverage import ANNOTATOR_ALONE
from jobs.cli.output import console, percent, table, with_interval

if TYPE_CHECKING:  # slow to import
    from jobs.analysis.simulation import Outcome, Summary


def coverage_json(name: str, c: Coverage) -> dict[str, Any]:
    """Return a coverage as JSON; its own interval is Wilson's at 95 %."""
    error = wilson(c.covered, c.estimable) if c.estimable else None
    return {
        "estimable": c.estimable / c.replicates,
        "covered": c.covered,
        "coverage": c.coverage,
        "low": error and error.low,
        "high": error and error.high,
        "width": c.width if c.estimable else None,
        "claim": None if name == ANNOTATOR_ALONE else c.claim,
        "claimed": None if name == ANNOTATOR_ALONE else c.claimed,
    }


def coverage_table(
    world: CountsWorld,
    found: Mapping[str, Mapping[str, Coverage]],
    *,
    replicates: int,
    level: float,
) -> Table:
    """Return the table of coverages, a row a measure of an estimator."""
    truth = world.truth()
    rows = []
    for name, of in found.items():
        for place, (measure, c) in enumerate(of.items()):
            told = coverage_json(name, c)
            rows.append(
                [
                    "" if place else name,
                    LETTERS[measure],
                    percent(truth[measure]),
                    with_interval({**told, "value": told["coverage"]}, percent),
                    percent(told["width"]),
                    percent(told["estimable"]),
                    "–" if told["claim"] is None else f"{told['claim']} {told['claimed']:.0%}",
                ]
            )
    return table(
        f"{replicates:,} replicates, {world.labels:,} labels; in %, [95 % interval]",
        [
            "estimator",
            "",
            "truth",
            f"{level:.0%} interval holds it",
            "mean width",
            "estimable",
            "claim",
        ],
        rows,
    )


def show_worlds(outcomes: Iterable["Outcome"], summaries: Iterable["Summary"]) -> None:
    """Print the tables of a simulation: the worlds one by one, then all together."""
    by_labelling: dict[Any, list[Outcome]] = {}
    for outcome in outcomes:
        by_labelling.setdefault(outcome.labelling, []).append(outcome)
    for labelling, of in by_labelling.items():
        console.print(_worlds_table(str(labelling), of))
    of_labelling: dict[Any, list[Summary]] = {}
    for summary in summaries:
        of_labelling.setdefault(summary.labelling, []).append(summary)
    for labelling, together in of_labelling.items():
        console.print(_summary_table(str(labelling), together))


def _worlds_table(title: str, outcomes: Iterable["Outcome"]) -> Table:
    """Return the table of worlds: for each measure the truth, and the estimates beside it."""
    columns = ["system", "seed"]
    for sign in LETTERS.values():
        columns += [f"true {sign}", "alone", "with labels"]
    rows = []
    for o in sorted(outcomes, key=lambda o: o.system):
        row = [o.system, str(o.seed)]
        for measure in LETTERS:
            mark = "" if o.holds(measure) else " ✗"
            row += [
                percent(o.truth[measure]),
                percent(o.annotator[measure].value),
                with_interval(o.labelled[measure], percent) + mark,
            ]
        rows.append(row)
    return table(f"{title}; in %, alone: annotator-relative, ✗: truth outside", columns, rows)


def _summary_table(title: str, summaries: Iterable["Summary"]) -> Table:
    rows = [
        [
            s.system,
            LETTERS[s.measure],
            percent(s.truth),
            percent(s.annotator_error),
            f"{s.held_by_annotator} of {s.seeds}",
            percent(s.error),
            percent(s.width),
            f"{s.held} of {s.seeds}",
            f"{s.few} of {s.seeds}",
        ]
        for s in summaries
    ]
    return table(
        f"{title}; means in %",
        [
            "system",
            "",
            "truth",
            "error alone",
            "truth inside",
            "error with labels",
            "width",
            "truth inside",
            "few labels",
        ],
        rows,
    )

"""``distval compare``: the systems of a run side by side."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from evaluator.comparison.two_systems import MEASURES, Comparison
from evaluator.comparison.withheld import clear
from evaluator.errors import ConfigurationError
from evaluator.estimators.base import RECALL_WITHIN
from evaluator.interval_ends import POWER
from evaluator.intervals import Drawing
from evaluator.results.result import Result, SystemResult
from evaluator.wordings import TITLES
from jobs.analysis.comparison import FinishedRun
from jobs.bounds import LEVEL, RESAMPLES, SEED
from jobs.cli import gold_options
from jobs.cli.checks import within
from jobs.cli.files import READS, READS_GOLD, WRITES
from jobs.cli.gold_comparison import beside_gold, show_beside_gold
from jobs.cli.output import (
    Json,
    console,
    number,
    percent,
    print_json,
    print_line,
    table,
    with_interval,
)

_UNLABELLED = (
    "The intervals hold no error of the annotator, only what another text of the same kind would "
    "change."
)
_INDEPENDENT = (
    "Facts are taken to be independent; where those of a document or an entity share their fate, "
    "differences are less certain than shown. Undefined facts are not counted as correct."
)
_LABELLED = (
    "◀ marks differences whose interval claims what it says, does not hold 0, and that hold after "
    "Holm's correction over the pairs; where the labels tell too little there is no p. They are "
    "about the facts of this corpus, by people's labels. What has no mark is not equal: a "
    f"difference as large as stands under resolves is marked in {POWER:.0%} of the cases, a "
    "smaller one in fewer."
)


def compare(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="Directory of a finished run."), READS],
    systems: Annotated[
        list[str] | None,
        typer.Argument(metavar="SYSTEM", help="Systems of the run; by default all."),
    ] = None,
    measure: Annotated[
        list[str] | None,
        typer.Option("--measure", help="precision, recall or f1; may be repeated. Default: all."),
    ] = None,
    level: Annotated[
        float | None, within(LEVEL, "--level", help="Coverage of intervals. Default: the run's.")
    ] = None,
    draws: Annotated[
        int | None,
        within(RESAMPLES, "--draws", help="Draws. Default: 10,000; with --gold 1,000."),
    ] = None,
    seed: Annotated[
        int | None, within(SEED, "--seed", help="Seed of the draws. Default: the run's.")
    ] = None,
    gold: Annotated[
        str | None,
        typer.Option(
            metavar="BENCHMARK:FILE",
            help="Compare instead how gold data and distant validation order the systems. The "
            "options from here to --html are for this alone.",
        ),
        READS_GOLD,
    ] = None,
    mode: gold_options.Mode = None,
    rules: gold_options.Rules = None,
    match: gold_options.Match = None,
    duplicates: gold_options.Duplicates = None,
    conjunctions: gold_options.Conjunctions = None,
    option: gold_options.Option = None,
    asserted: gold_options.Asserted = False,
    point: Annotated[
        str | None,
        typer.Option(
            help="best (default): the threshold with the best F by gold data, as benchmarks quote "
            "it. all: every extraction, which is what distant validation judges."
        ),
    ] = None,
    html: Annotated[
        Path | None, typer.Option(help="Write a page with plots to this file."), WRITES
    ] = None,
    as_json: Json = False,
) -> None:
    """Compare the systems of a run, two by two.

    They are compared on the same facts.

    If the result rests on human labels, differences have p-values, by the posterior and corrected
    over all pairs (Holm), and those that hold are marked. The annotator's verdicts alone give
    differences without p-values and marks: it may err more on one system than on another.

    With --gold, a benchmark scores the systems' output, distant validation is confined to the
    benchmark's sentences, and Kendall's tau says how far the two orders agree.
    """
    finished = FinishedRun.open(run)
    settings = finished.result.settings
    drawing = Drawing(
        level=settings["estimate.level"] if level is None else level,
        draws=draws or (10_000 if gold is None else 1_000),
        seed=settings["sample.seed"] if seed is None else seed,
    )
    corpus = finished.result.corpus is not None
    measures = _measures(measure or (), corpus=corpus)
    chosen = finished.choose(systems or ())
    options = gold_options.benchmark_options(
        option, rules=rules, match=match, duplicates=duplicates, conjunctions=conjunctions
    )
    if gold is not None:
        told = beside_gold(
            finished,
            gold,
            chosen,
            mode=mode,
            options=options,
            asserted=asserted,
            point=point,
            html=html,
            drawing=drawing,
        )
        show_beside_gold(told, measures, as_json=as_json)
        return
    only_gold = {"mode": mode, **options, "asserted": asserted, "point": point, "html": html}
    for name, value in only_gold.items():
        if value not in (None, False):
            raise ConfigurationError(f"--{name}: only with --gold BENCHMARK:FILE")
    labelled = finished.result.labels is not None
    pairs = finished.compare(chosen, drawing)
    compared = [
        pair._replace(measures={name: pair.measures[name] for name in measures}) for pair in pairs
    ]
    withheld = list(dict.fromkeys(_withheld(compared)))
    above = [] if labelled else [_UNLABELLED]
    notes = _notes(finished, compared)
    if corpus and set(measures) - {"precision"}:
        notes.append(RECALL_WITHIN)
    if as_json:
        print_json(
            {
                "run": str(run),
                "signature": finished.result.signature,
                "annotator_relative": not labelled,
                **asdict(drawing),
                "withheld": withheld,
                "pairs": [_told(pair) for pair in compared],
                "notes": [*above, *notes],
            }
        )
        return
    for line in (*withheld, *above):
        print_line(line)
    for name in measures:
        console.print(_table(name, compared, drawing.level, labelled=labelled))
    for note in notes:
        console.print(note, highlight=False)


def _withheld(compared: Sequence[Comparison]) -> Iterator[str]:
    """Yield why differences have no p-values and marks, and which."""
    by_reason: dict[str, list[str]] = defaultdict(list)
    differences = 0
    for pair in compared:
        for name, found in pair.measures.items():
            differences += 1
            if found.withheld is not None:
                by_reason[found.withheld].append(f"{pair.first} – {pair.second} ({TITLES[name]})")
    for reason, of in by_reason.items():
        yield reason if len(of) == differences else f"{', '.join(of)}: {reason}"


def _told(pair: Comparison) -> dict[str, Any]:
    """Return what ``--json`` tells of a pair, marks among it."""
    told = pair.as_json()
    for name, found in pair.measures.items():
        told["measures"][name]["marked"] = None if found.withheld else clear(found)
    return told


def _measures(wanted: Sequence[str], *, corpus: bool) -> list[str]:
    known = MEASURES if corpus else MEASURES[:1]
    for name in wanted:
        if name not in MEASURES:
            raise ConfigurationError(f"--measure {name}: expected one of {', '.join(MEASURES)}")
        if name not in known:
            raise ConfigurationError(
                f"--measure {name}: needs the corpus, and the facts of this run are given without"
            )
    return [name for name in known if name in wanted or not wanted]


def _table(name: str, compared: Sequence[Comparison], level: float, *, labelled: bool) -> Table:
    rows = []
    for pair in compared:
        found = pair.measures[name]
        row = [
            f"{pair.first} – {pair.second}",
            " + ".join(number(n) for n in (pair.only_first, pair.both, pair.only_second)),
            percent(found.first),
            percent(found.second),
            with_interval(found.difference, _points),
        ]
        if labelled:
            test = found.tests["posterior"]
            row += ["–", "–"] if found.withheld else [_p(test.p), _p(test.holm)]
            row.append(_points(found.resolves))
            row.append("◀" if clear(found) else "")
        rows.append(row)
    basis = "by human labels" if labelled else "annotator-relative"
    title = f"{TITLES[name]}, {basis}, in % [{100 * level:g} % interval]"
    columns = ["systems", "alone + both + alone", "first", "second", "difference"]
    return table(
        title, [*columns, *(["p posterior", "Holm", "resolves", ""] if labelled else [])], rows
    )


def _notes(finished: FinishedRun, compared: Sequence[Comparison]) -> list[str]:
    """Return what a reader of the figures should know."""
    result = finished.result
    labelled = result.labels is not None
    notes = [_LABELLED if labelled else _INDEPENDENT]
    apart = _most_apart(result, compared)
    if apart > 1e-9:
        basis = (
            "divides the labels by who of the two states a fact, and takes facts without labels to "
            "be like the others"
            if labelled
            else "rests on all facts judged for either system"
        )
        notes.append(
            f"A pair {basis}, so its figures differ from the run's own, here by up to "
            f"{_points(apart)} points."
        )
    if not labelled and result.settings.get("estimate.method") != "census":
        notes.append("Comparisons use the census estimator, whatever the run used.")
    return notes


def _most_apart(result: Result, compared: Sequence[Comparison]) -> float:
    """Return how far a figure of a pair is from that of the run at most."""
    apart = [
        abs(value - own)
        for pair in compared
        for name, found in pair.measures.items()
        for system, value in ((pair.first, found.first), (pair.second, found.second))
        if value is not None and (own := _own(result.systems[system], name)) is not None
    ]
    return max(apart, default=0.0)


def _own(system: SystemResult, measure: str) -> float | None:
    """Return a figure of a system as the run tells it: by labels, where there are some."""
    found = system.figure(measure) if system.world is None else getattr(system.world, measure, None)
    return found and found.value


def _points(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:z.2f}"


def _p(value: float | None) -> str:
    return "–" if value is None else f"{value:.4f}"

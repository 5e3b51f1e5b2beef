"""``distval gold``: systems scored on a benchmark of the field."""

from collections.abc import Mapping
from importlib.metadata import version
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from evaluator.errors import ConfigurationError
from evaluator.inputs import expanded
from evaluator.intervals import Drawing
from evaluator.model import Rejects
from evaluator.readers import SystemSource
from jobs.bounds import LEVEL, RESAMPLES, SEED
from jobs.cli import gold_options
from jobs.cli.checks import within
from jobs.cli.files import READS, READS_SYSTEM, WRITES
from jobs.cli.output import (
    Json,
    console,
    errors,
    number,
    percent,
    print_json,
    print_line,
    skipped_with_first,
    table,
    with_interval,
    worth_telling,
)

if TYPE_CHECKING:
    from evaluator.gold import Scored
    from evaluator.gold.resampling import Draws, PairedTest
    from evaluator.gold.scoring import Evaluation

_TITLES = {"precision": "Precision", "recall": "Recall", "f1": "F", "auc": "AUC"}
_TESTS = ("bootstrap", "randomisation")


def gold(
    benchmark: Annotated[
        str,
        typer.Argument(
            metavar="BENCHMARK", help="benchie, carb, oie2016, ore, wire57, or one that was added."
        ),
    ],
    gold_file: Annotated[Path, typer.Option("--gold", help="File with the gold data."), READS],
    system: Annotated[
        list[str],
        typer.Option(
            "--system",
            metavar="NAME=FORMAT:PATH",
            help="Output of a system; may be repeated. Of a wire57 file NAME picks the extractor.",
        ),
        READS_SYSTEM,
    ],
    mode: gold_options.Mode = None,
    rules: gold_options.Rules = None,
    match: gold_options.Match = None,
    duplicates: gold_options.Duplicates = None,
    conjunctions: gold_options.Conjunctions = None,
    option: gold_options.Option = None,
    asserted: gold_options.Asserted = False,
    intervals: Annotated[
        bool, typer.Option("--intervals", help="Add intervals: bootstrap over sentences.")
    ] = False,
    paired: Annotated[
        bool, typer.Option("--paired", help="Add paired tests of all systems, two by two.")
    ] = False,
    level: Annotated[float, within(LEVEL, help="Coverage of intervals.")] = 0.95,
    draws: Annotated[int, within(RESAMPLES, help="Draws of bootstrap and tests.")] = 1_000,
    seed: Annotated[int, within(SEED, help="Seed of the draws.")] = 0,
    by_extraction: Annotated[
        Path | None,
        typer.Option(help="Write what became of each extraction to this file, tab-separated."),
        WRITES,
    ] = None,
    by_sentence: Annotated[
        Path | None,
        typer.Option(help="Write the sums of each gold sentence to this file, tab-separated."),
        WRITES,
    ] = None,
    as_json: Json = False,
) -> None:
    """Score the output of systems on gold data.

    The rules are the benchmark's. Figures are those of the benchmark at the confidence threshold
    with the best F; they say nothing of a corpus (distval run does). Exits with 1 if some gold data
    could not be read.
    """
    from evaluator.gold.scoring import evaluate

    sources = [SystemSource.parse(text) for text in system]
    if paired and len(sources) < 2:
        raise ConfigurationError("--paired compares systems: give at least two")
    with errors.status("scoring …"):
        found = evaluate(
            benchmark,
            expanded(gold_file),
            sources,
            mode=mode,
            options=gold_options.benchmark_options(
                option, rules=rules, match=match, duplicates=duplicates, conjunctions=conjunctions
            ),
            asserted=asserted,
            version=version("distval"),
        )
        drawing = Drawing(level=level, draws=draws, seed=seed)
        drawn, tests = _resampled(found, intervals, paired, drawing)
    _write(found, by_extraction, by_sentence)
    if as_json:
        print_json(_as_json(found, drawn, tests, level))
    else:
        _show(found, drawn, tests, drawing)
    if worth_telling(found.gold_rejects.counts):
        # Figures on part of the gold data are not those of the benchmark.
        raise typer.Exit(1)


def _resampled(
    found: "Evaluation", intervals: bool, pairs: bool, drawing: Drawing
) -> tuple[Mapping[str, "Draws"], list["PairedTest"]]:
    if not (intervals or pairs):
        return {}, []
    from evaluator.gold.resampling import bootstrap, paired

    systems = {name: scored.statistics for name, scored in found.systems.items()}
    drawn = bootstrap(systems, drawing)
    tests = paired(systems, drawn, drawing) if pairs else []
    return (drawn if intervals else {}), tests


def _write(found: "Evaluation", by_extraction: Path | None, by_sentence: Path | None) -> None:
    from evaluator.gold import tables
    from evaluator.tables import write_table

    if by_extraction:
        rows = tables.extraction_rows(found.gold, found.systems)
        write_table(by_extraction, tables.EXTRACTION_COLUMNS, rows)
    if by_sentence:
        rows = tables.sentence_rows(found.gold, found.systems)
        write_table(by_sentence, tables.SENTENCE_COLUMNS, rows)


def _as_json(
    found: "Evaluation", drawn: Mapping[str, "Draws"], tests: list["PairedTest"], level: float
) -> dict[str, Any]:
    systems = {}
    for name, scored in found.systems.items():
        counts = {key: value if isfinite(value) else None for key, value in scored.counts.items()}
        told: dict[str, Any] = {**_figures(found, scored), **counts}
        if name in drawn:
            told["intervals"] = {
                measure: drawn[name].interval(measure, level=level).as_json()
                for measure in _TITLES
                if measure in told
            }
        told["cautions"] = list(found.cautions[name])
        systems[name] = {**told, **found.rejects[name].as_json()}
    whole: dict[str, Any] = {
        "benchmark": found.benchmark.NAME,
        "mode": found.mode,
        **found.options,
        "signature": found.signature,
        "gold": {**found.gold.counts, **found.gold_rejects.as_json()},
        "systems": systems,
    }
    if tests:
        whole["pairs"] = [test.as_json() for test in tests]
    return whole


def _figures(found: "Evaluation", scored: "Scored") -> dict[str, float | None]:
    """Return the figures; area and threshold only where confidences play a part."""
    told = {
        name: float(value) if isfinite(value) else None
        for name, value in scored.statistics.figures._asdict().items()
    }
    if not found.benchmark.CURVE:
        del told["auc"], told["threshold"]
    return told


def _show(
    found: "Evaluation",
    drawn: Mapping[str, "Draws"],
    tests: list["PairedTest"],
    drawing: Drawing,
) -> None:
    held = ", ".join(
        f"{value:,} {key.replace('_', ' ')}" for key, value in found.gold.counts.items() if value
    )
    by = ", ".join([found.mode, *(f"{name} {value}" for name, value in found.options.items())])
    title = f"{found.benchmark.NAME} ({by}): {held}"
    console.print(title, style="bold", markup=False, highlight=False)
    measures = [name for name in _TITLES if found.benchmark.CURVE or name != "auc"]
    console.print(_figures_table(found, drawn, measures, drawing.level))
    for name, told in found.cautions.items():
        for caution in told:
            print_line(f"{name}: {caution}")
    console.print(_counts_table(found))
    if tests:
        console.print(_pairs(measures, tests, drawing))
    print_line(found.signature)
    _tell("the gold data", found.gold_rejects)
    for name, rejects in found.rejects.items():
        _tell(name, rejects)


def _tell(whose: str, rejects: Rejects) -> None:
    skipped_with_first(rejects, f"records of {whose}")
    for what, count in sorted(rejects.notes.items()):
        print_line(f"{whose}, read all the same: {count:,} × {what}", to=errors)


def _figures_table(
    found: "Evaluation", drawn: Mapping[str, "Draws"], measures: list[str], level: float
) -> Any:
    rows = []
    for name, scored in found.systems.items():
        told = _figures(found, scored)
        cells = [
            with_interval(drawn[name].interval(measure, level=level), percent)
            if name in drawn
            else percent(told.get(measure))
            for measure in measures
        ]
        if found.benchmark.CURVE:
            threshold = told.get("threshold")
            cells.append("–" if threshold is None else f"{threshold:.4g}")
        rows.append([name, *cells])
    columns = ["system", *(_TITLES[measure] for measure in measures)]
    columns += ["at confidence"] if found.benchmark.CURVE else []
    return table(f"In %{f' [{100 * level:g} % interval]' if drawn else ''}", columns, rows)


def _counts_table(found: "Evaluation") -> Any:
    # A row a count: their names are longer than those of systems.
    counts = list(dict.fromkeys(key for scored in found.systems.values() for key in scored.counts))
    rows = [
        [
            key.replace("_", " "),
            *(_count(scored.counts.get(key)) for scored in found.systems.values()),
        ]
        for key in counts
    ]
    return table("Counts", ["", *found.systems], rows)


def _count(value: float | None) -> str:
    return number(value) if value is None or value == int(value) else f"{value:.4f}"


def _pairs(measures: list[str], tests: list["PairedTest"], drawing: Drawing) -> Any:
    rows = []
    for test in tests:
        systems = f"{test.first} – {test.second}"
        for measure in measures:
            if (of := test.measures.get(measure)) is None:
                continue
            p_values = [of.tests[kind].holm if kind in of.tests else None for kind in _TESTS]
            rows.append(
                [
                    systems,
                    _TITLES[measure],
                    percent(of.first),
                    percent(of.second),
                    with_interval(of.difference, percent),
                    *("–" if p is None else f"{p:.3g}" for p in p_values),
                ]
            )
            systems = ""
    level, draws = drawing.level, drawing.draws
    title = f"Differences in points [{100 * level:g} % interval], p by Holm over the pairs; "
    least = f"1/{draws + 1:,} (bootstrap: 2/{draws + 1:,})"
    title += f"{draws:,} resamples give no uncorrected p below {least}"
    columns = ["systems", "", "first", "second", "difference", "p bootstrap", "p randomised"]
    return table(title, columns, rows)

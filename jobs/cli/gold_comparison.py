"""``distval compare --gold``: the systems of a run by gold data and by distant validation."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
from rich.table import Table

from evaluator.comparison.withheld import NO_LABELS
from evaluator.errors import ConfigurationError
from evaluator.inputs import expanded
from evaluator.intervals import Drawing
from evaluator.model import Rejects
from evaluator.results.result import Result
from jobs.analysis.comparison import FinishedRun
from jobs.cli.output import (
    coefficient,
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
    from evaluator.gold.selection import OperatingPoint

_TITLES = {"precision": "Precision", "recall": "Recall", "f1": "F"}
_POINTS: tuple["OperatingPoint", ...] = ("best", "all")


def beside_gold(
    run: FinishedRun,
    gold: str,
    systems: Sequence[str],
    *,
    mode: str | None,
    options: Mapping[str, str],
    asserted: bool,
    point: str | None,
    html: Path | None,
    drawing: Drawing,
) -> dict[str, Any]:
    """Compare, write the page where one is wanted, and return what ``--json`` tells."""
    from jobs.analysis.gold_comparison import compare_with_gold

    name, colon, file = gold.partition(":")
    if not (colon and name and file):
        raise ConfigurationError(f"--gold {gold}: expected BENCHMARK:FILE, such as carb:test.tsv")
    chosen = next((known for known in _POINTS if known == (point or "best")), None)
    if chosen is None:
        raise ConfigurationError(f"--point {point}: expected one of {', '.join(_POINTS)}")
    gold_file = expanded(file)
    with errors.status("scoring …"):
        found = compare_with_gold(
            run,
            name,
            gold_file,
            systems=systems,
            mode=mode,
            options=options,
            asserted=asserted,
            point=chosen,
            drawing=drawing,
        )
    told = {
        "run": str(run.path),
        "signature": run.result.signature,
        "annotator_relative": True,
        "point": chosen,
        **asdict(drawing),
        **found.as_json(),
        "withheld": NO_LABELS,
    }
    told["notes"] = list(_notes(told, run.result, asserted=asserted))
    if html is not None:
        from evaluator.report.gold import render_gold_comparison
        from evaluator.whole_files import write_whole

        write_whole(html, render_gold_comparison(told, distval=version("distval")))
    return told


def show_beside_gold(told: Mapping[str, Any], measures: Sequence[str], *, as_json: bool) -> None:
    """Print a comparison as JSON or as tables, those of `measures`."""
    if as_json:
        print_json(told)
    else:
        _show(told, measures)
    if worth_telling(told["gold"]["rejects"]):
        # As of distval gold: figures on part of the gold data are not those of the benchmark.
        raise typer.Exit(1)


def _show(told: Mapping[str, Any], measures: Sequence[str]) -> None:
    told_of = {"the gold data": told["gold"], **told["systems"]}
    for whose, of in told_of.items():
        skipped_with_first(Rejects(of["rejects"], of["examples"]), f"records of {whose}")
    print_line(told["withheld"])
    console.print(_basis(told))
    for measure in measures:
        console.print(_table(told, measure))
        agreement = told["agreement"][measure]
        tau = with_interval(agreement["tau"], coefficient)
        p = "–" if agreement["p"] is None else f"{agreement['p']:.3f}"
        print_line(
            f"Kendall's τ of the order by {told['benchmark']} and the annotator's own: {tau}, "
            f"permutation p {p} ({agreement['tau']['n']} systems)"
        )
    for name, of in told["systems"].items():
        for caution in of["cautions"]:
            print_line(f"{name} by {told['benchmark']}: {caution}")
    for note in told["notes"]:
        print_line(note)
    print_line(told["gold_signature"])


def _basis(told: Mapping[str, Any]) -> Table:
    sentences = told["sentences"]
    title = (
        f"What is judged on the {number(sentences['shared'])} sentences in common: extractions by "
        f"{told['benchmark']}, facts by distant validation"
    )
    rows = [
        [name, number(of["extractions"]), number(of["facts"]), f"{of['true']:,.4g}"]
        for name, of in told["systems"].items()
    ]
    return table(title, ["system", "extractions", "facts in scope", "accepted"], rows)


def _table(told: Mapping[str, Any], measure: str) -> Table:
    rows = []
    for name, of in told["systems"].items():
        by_gold, by_verdicts = (of[side][measure] for side in ("gold", "distant"))
        rows.append(
            [
                name,
                with_interval(by_gold, percent),
                number(by_gold["rank"]),
                with_interval(by_verdicts, percent),
            ]
        )
    title = f"{_TITLES[measure]} in % [{100 * told['level']:g} % interval over sentences]"
    distant = "by distant validation" + (", within G′" if measure == "recall" else "")
    columns = ["system", f"by {told['benchmark']}", "place", distant]
    return table(title, columns, rows)


def _notes(told: Mapping[str, Any], result: Result, *, asserted: bool) -> Iterator[str]:
    """Yield what a reader of the figures should know."""
    sentences, both = told["sentences"], told["judged_by_both"]
    yield (
        f"Of the {number(sentences['gold'])} sentences of the gold data the corpus has "
        f"{number(sentences['shared'])}, and {number(sentences['in_scope'])} of these hold a fact "
        "that distant validation could judge. It speaks of facts about two known entities, the "
        "benchmark of all extractions."
    )
    decided = sum(value for key, value in both.items() if key.endswith(("accepted", "rejected")))
    undefined = both["matched_undefined"] + both["unmatched_undefined"]
    if decided:
        yield (
            f"{number(decided)} extractions are judged by both: matched and accepted "
            f"{number(both['matched_accepted'])}, matched and rejected "
            f"{number(both['matched_rejected'])}, unmatched and accepted "
            f"{number(both['unmatched_accepted'])}, unmatched and rejected "
            f"{number(both['unmatched_rejected'])}: Cohen's κ {coefficient(both['kappa'])}. Of "
            f"{number(undefined)} more the text cannot decide."
        )
    if told["left_out"]:
        yield f"Left out, for want of an output file: {', '.join(told['left_out'])}."
    if told["unjudged"]:
        yield (
            f"{number(told['unjudged'])} facts of these sentences were not judged; they count by "
            "the share of true ones among their like."
        )
    without = result.settings.get("link.unasserted", "keep") == "exclude"
    if asserted != without:
        gold, distant = ("leave out", "count") if asserted else ("count", "leave out")
        yield (
            f"Figures by {told['benchmark']} {gold} what systems mark as not asserted, those by "
            f"distant validation {distant} it (--asserted here, link.unasserted of the run)."
        )
    if result.labels is not None:
        yield "The run has human labels, but the figures here are by the annotator's verdicts."
    yield (
        "Figures by distant validation are annotator-relative, and so is their order, which τ and "
        "p are about. An interval of τ holds what the choice of sentences does to both orders; "
        "that there are only so many systems is in p."
    )

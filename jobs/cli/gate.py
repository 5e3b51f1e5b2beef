"""``distval gate``: fail a build where a system has become worse."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from evaluator.comparison.gate import DELTA, FEWEST, Gate, gate, least_units
from evaluator.errors import ConfigurationError
from evaluator.interval_ends import POWER
from evaluator.intervals import Estimate
from evaluator.judges.source import file_and_name
from jobs.bounds import LEVEL
from jobs.cli.checks import within
from jobs.cli.files import Reads
from jobs.cli.output import Json, print_json, print_line

if TYPE_CHECKING:
    from jobs.analysis.gate_sources import GateSource

_READS = Reads(lambda text: [Path(file_and_name(text)[0])])
_SIDE = (
    "A run directory, a table of gold --by-sentence, or a file of verdicts; #NAME names one of "
    "several systems."
)


def decide(
    baseline: Annotated[str, typer.Argument(metavar="BASELINE", help=_SIDE), _READS],
    candidate: Annotated[str, typer.Argument(metavar="CANDIDATE", help="The same."), _READS],
    measure: Annotated[
        list[str] | None,
        typer.Option(
            "--measure",
            help="precision, recall or f1; may be repeated. Default: f1, or precision where there "
            "is nothing else.",
        ),
    ] = None,
    allow: Annotated[
        float, typer.Option("--allow", min=0, max=1, help="Largest drop that passes, e.g. 0.01.")
    ] = 0.0,
    floor: Annotated[
        float | None,
        typer.Option(
            "--floor", min=0, max=1, help="Fail, too, if the candidate's figure is below."
        ),
    ] = None,
    level: Annotated[float, within(LEVEL, "--level", help="Level of the intervals.")] = 0.95,
    as_json: Json = False,
) -> None:
    """Fail if a system has become worse.

    Exits with 1 if the candidate is worse than the baseline, beyond chance, else with 0. Both are
    compared on the same sentences or facts, pair by pair. Prints a summary in Markdown, with the
    least drop that the test would have found. Each of several measures is tested at a stricter
    level (Bonferroni), so that together they fail no more often by chance.
    """
    from jobs.analysis.gate_sources import gate_source, paired_sources

    one, other = paired_sources(gate_source(baseline), gate_source(candidate))
    known = one.measures
    measures = list(dict.fromkeys(measure or [known[-1]]))
    for name in measures:
        if name not in known:
            raise ConfigurationError(f"--measure {name}: here there is {', '.join(known)}")
    if floor is not None and len(measures) > 1:
        raise ConfigurationError("--floor is of one measure: name one with --measure")
    stricter = 1 - (1 - level) / len(measures)
    try:
        outcomes = [
            gate(one.sums, other.sums, name, level=stricter, allowed=allow, floor=floor)
            for name in measures
        ]
    except ValueError as error:
        raise ConfigurationError(f"{candidate}: {error}") from None
    failures = [failure for of in outcomes for failure in of.failures]
    if as_json:
        print_json(
            {
                "baseline": baseline,
                "candidate": candidate,
                "kind": one.kind,
                "passed": not failures,
                "failures": failures,
                "measures": [of.as_json() for of in outcomes],
                "notes": _notes(one, other, outcomes),
            }
        )
    else:
        for line in _summary(one, other, outcomes, failures):
            print_line(line)
    if failures:
        raise typer.Exit(1)


def _summary(
    one: "GateSource", other: "GateSource", outcomes: Sequence[Gate], failures: Sequence[str]
) -> list[str]:
    from jobs.analysis.gate_sources import UNITS

    verdict = f"**Failed**: {'; '.join(failures)}." if failures else "**Passed.**"
    rows = [
        f"| {of.measure} | {_percent(of.baseline)} | {_percent(of.candidate)} "
        f"| {_difference(of.difference)} | {of.p:.2g} | {_percent(of.detectable)} |"
        for of in outcomes
    ]
    level = f"{100 * outcomes[0].difference.level:.4g} %"
    seen = any(of.detectable is not None for of in outcomes)
    return [
        f"### {_cell(one.name)} → {_cell(other.name)}",
        "",
        verdict,
        "",
        f"| % | baseline | candidate | difference [{level}] | p, one-sided | drop it could see |",
        "|---|---|---|---|---|---|",
        *rows,
        "",
        f"{outcomes[0].difference.n:,} {UNITS[one.kind]}, paired; {outcomes[0].test}."
        + (
            f" A drop of the last column would have failed in {100 * POWER:.0f} of 100 cases."
            * seen
        ),
        *(f"\n{note}" for note in _notes(one, other, outcomes)),
    ]


def _notes(one: "GateSource", other: "GateSource", outcomes: Sequence[Gate]) -> list[str]:
    notes = list(dict.fromkeys((*one.notes, *other.notes)))
    if (units := least_units(outcomes)) < FEWEST:
        notes.append(f"{units:.0f} units are few for {DELTA.partition(',')[0]}.")
    return notes


def _difference(of: Estimate) -> str:
    ends = ", ".join(f"{100 * end:+z.1f}" for end in (of.low or 0.0, of.high or 0.0))
    return f"{100 * (of.value or 0.0):+z.1f} [{ends}]"


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:z.1f}"


def _cell(text: str) -> str:
    """Return a name that breaks no Markdown."""
    return "".join(f"\\{sign}" if sign in "\\`*_[]<>#|" else sign for sign in text)

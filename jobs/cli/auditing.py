"""``distval label audit``: whether probabilities made elsewhere hold for the facts of a run."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import numpy as np
import typer

from evaluator.errors import ConfigurationError
from evaluator.interval_ends import POWER
from evaluator.labels.design_file import DESIGN
from indexes.locks import folder_lock
from jobs.bounds import AUDITED
from jobs.cli.checks import within
from jobs.cli.files import FILLS, READS
from jobs.cli.labelling import SheetFormat, import_command, verdict_shares
from jobs.cli.output import Json, console, errors, number, percent, print_json, print_line, table

if TYPE_CHECKING:
    from jobs.labels.audit import AuditDraw, AuditedRun, AuditOutcome

_DEFAULT = 100
_FOUND = f"found in {POWER:.0%} of audits"
_ENDS = f"Shares of true facts up to, and from, the last two columns would be {_FOUND}."


def audit_run(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="Directory of a finished run."), READS],
    model: Annotated[
        Path | None,
        typer.Option(
            "--model",
            help="The saved annotator; by default the one that judged the run, which it must be.",
            show_default=False,
        ),
        READS,
    ] = None,
    facts: Annotated[
        int | None,
        within(AUDITED, "--facts", help="Facts to draw. Default: 100.", show_default=False),
    ] = None,
    expect: Annotated[
        list[str] | None,
        typer.Option(
            metavar="VERDICT=SHARE",
            help="Test instead whether this share of the facts with a verdict is true, e.g. "
            "accepted=0.85; may be repeated.",
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(help="Label folder; RUN/audit by default.", show_default=False),
        FILLS,
    ] = None,
    rater: Annotated[
        list[str] | None,
        typer.Option(help="Name of a rater; may be repeated. Facts are dealt out in turn."),
    ] = None,
    sheets: Annotated[
        SheetFormat,
        typer.Option("--format", help="Format of the sheets; json is Label Studio's too."),
    ] = "csv",
    as_json: Json = False,
) -> None:
    """Test whether an annotator made elsewhere holds here.

    The first call draws a few facts for people to label, by strata of the probability. When their
    answers are imported, the same command tests whether they contradict the probabilities, and
    exits with 1 if they do. Result and signature of the next distval run in RUN hold the outcome.
    """
    from jobs.labels.audit import VERDICTS, AuditedRun
    from jobs.labels.draw import DrawChoice

    folder = out or run / "audit"
    expected = verdict_shares("--expect", expect or (), VERDICTS)
    audited = AuditedRun.open(run, model, expected)
    if not (folder / DESIGN).exists():
        choice = DrawChoice(facts or _DEFAULT, raters=tuple(rater or ["rater1"]), format=sheets)
        with errors.status("drawing …"):
            _show_draw(audited.draw(folder, choice), folder, sheets, as_json=as_json)
        return
    if facts is not None or rater:
        raise ConfigurationError(
            f"{folder}: its facts are drawn; --facts and --rater are for another --out"
        )
    with folder_lock(folder, f"{folder}: an import is at work here; wait for it to finish"):
        outcome = audited.test(folder)
    _show_outcome(outcome, audited, as_json=as_json)
    if not outcome.outcome.holds:
        raise typer.Exit(1)


def _show_draw(drawn: "AuditDraw", folder: Path, sheets: SheetFormat, *, as_json: bool) -> None:
    total = sum(of.probability.size for of in drawn.strata)
    if as_json:
        print_json(
            {
                "folder": str(folder),
                "level": drawn.level,
                "facts": sum(of.population for of in drawn.strata),
                "drawn": total,
                "resolves": drawn.power.large,
                "strata": [
                    {
                        "name": of.name,
                        "facts": of.population,
                        "drawn": of.probability.size,
                        "found_below": drawn.power.shares[of.name][0],
                        "found_above": drawn.power.shares[of.name][1],
                    }
                    for of in drawn.strata
                ],
                "sheets": [str(sheet) for sheet in drawn.sheets],
            }
        )
        return
    console.print(
        table(
            f"Facts to label: {total:,}",
            ["probability", "facts", "to label", "up to %", "from %"],
            [
                [
                    of.name,
                    number(of.population),
                    number(of.probability.size),
                    *map(percent, drawn.power.shares[of.name]),
                ]
                for of in drawn.strata
            ],
        )
    )
    print_line(
        f"{_ENDS} Over all facts, a share {percent(drawn.power.large)} points from the mean "
        f"probability would be {_FOUND}, at the level {drawn.level:.0%}."
    )
    if all(np.isin(of.probability, (0, 1)).all() for of in drawn.strata):
        print_line(
            "The annotator says yes or no. Taken for probabilities, these hold only where it never "
            "errs: test its error rates instead, with --expect accepted=SHARE and --expect "
            "rejected=SHARE, into another --out."
        )
    for sheet in drawn.sheets:
        print_line(str(sheet))
    take_in = import_command(folder, drawn.sheets, sheets)
    print_line(f"When they are filled: {take_in}, and this command again")


def _show_outcome(told: "AuditOutcome", audited: "AuditedRun", *, as_json: bool) -> None:
    from jobs.run.audit_file import AUDIT

    found = told.outcome
    if as_json:
        rest = {"drawn": told.drawn, "skipped": told.skipped, "undecided": told.undecided}
        print_json({**found.as_json(), **rest, "subject": audited.subject.as_json()})
        return
    console.print(
        table(
            f"Facts answered: {found.answered:,} of {told.drawn:,}",
            [
                *("probability", "facts", "answered", "expected %", "true %", "p", "Holm"),
                *("up to %", "from %"),
            ],
            [
                [
                    of.name,
                    number(of.facts),
                    number(of.answered),
                    percent(of.expected),
                    percent(of.true),
                    f"{of.p:.4f}",
                    f"{of.holm:.4f}",
                    percent(of.found_below),
                    percent(of.found_above),
                ]
                for of in found.strata
            ],
        )
    )
    print_line(
        f"{_ENDS} Over all {found.facts:,} facts the share of true ones is "
        f"{100 * found.difference:+z.1f} points from what is expected (standard error "
        f"{percent(found.error)}), p = {found.p:.4f}, with Holm's correction {found.holm:.4f}; "
        f"{percent(found.resolves)} points would be {_FOUND}."
    )
    if told.skipped or told.undecided:
        print_line(
            f"Without an answer: {told.skipped:,}; raters as many for as against: "
            f"{told.undecided:,}"
        )
    verdict = "Holds: the labels do not contradict it." if found.holds else "Does not hold."
    print_line(f"{verdict} Written to {audited.path / AUDIT}; the next distval run there tells it.")

"""``distval label``: facts for people to judge, and their answers."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from evaluator.errors import ConfigurationError
from evaluator.estimators.allocation import ASSUMED
from evaluator.estimators.claims import BUDGET
from evaluator.estimators.rater_error import FEWEST_TWICE
from evaluator.labels.accounts import named_accounts
from evaluator.labels.agreement import PairAgreement, pairwise_agreement
from evaluator.labels.answers import ADJUDICATE, Gathered, gather
from evaluator.labels.design_file import read_questions
from evaluator.labels.label import LINK_WRONG, SKIP, Judgement, ratings
from evaluator.labels.raters import ADJUDICATOR
from evaluator.model import Rejects
from evaluator.wordings import LETTERS, plural
from indexes.locks import folder_lock
from jobs.bounds import LABELS, PRICE, SHARE, TIMES, WAGE, WIDTH
from jobs.cli.agree import agreement_table
from jobs.cli.checks import within
from jobs.cli.commands import Commands
from jobs.cli.files import FILLS, READS
from jobs.cli.output import (
    Json,
    console,
    errors,
    number,
    percent,
    print_json,
    skipped_with_first,
    table,
)

label = Commands(help="Facts for people to judge.", no_args_is_help=True)

Folder = Annotated[Path, typer.Argument(metavar="FOLDER", help="Label folder."), FILLS]

SheetFormat = Literal["csv", "tsv", "jsonl", "label-studio", "argilla", "doccano", "potato", "json"]

_FILLED_IN_PLACE = ("csv", "tsv", "jsonl")
_EXPECTED_DIFFERENCES = "distval compare will then test the differences of"
_SAID: tuple[Judgement, ...] = ("true", "false", LINK_WRONG, SKIP)


@label.command("draw", example="distval label draw runs/demo --rater ann --rater ben")
def draw_facts(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="Directory of a finished run."), READS],
    budget: Annotated[int, within(LABELS, help="Facts to label, earlier draws included.")] = BUDGET,
    out: Annotated[
        Path | None,
        typer.Option(help="Label folder; RUN/labels by default.", show_default=False),
        FILLS,
    ] = None,
    rater: Annotated[
        list[str] | None,
        typer.Option(help="Name of a rater; may be repeated. Facts are dealt out in turn."),
    ] = None,
    double: Annotated[
        float, within(SHARE, help="Share of the facts that several raters label.")
    ] = 0.0,
    each: Annotated[int, within(TIMES, help="Raters of each such fact.")] = 2,
    assume: Annotated[
        list[str] | None,
        typer.Option(
            metavar="VERDICT=SHARE",
            help="Share of true facts that the plan assumes of a class, e.g. accepted=0.6.",
        ),
    ] = None,
    sheets: Annotated[
        SheetFormat,
        typer.Option("--format", help="Format of the sheets; json is Label Studio's too."),
    ] = "csv",
    as_json: Json = False,
) -> None:
    """Draw facts for people to label, as sheets.

    It draws those facts of a run that tell most about P and R. A second draw into the same folder,
    with a larger budget, keeps the facts of the first.
    """
    from jobs.labels.draw import DrawChoice, draw

    choice = DrawChoice(
        budget=budget,
        raters=tuple(rater or ["rater1"]),
        double=double,
        each=each,
        assumed=verdict_shares("--assume", assume or (), ASSUMED),
        format=sheets,
    )
    folder = out or run / "labels"
    with errors.status("drawing …"):
        if folder.is_dir():
            with folder_lock(folder, f"{folder}: an import is at work here; wait for it to finish"):
                design = draw(run, folder, choice)
        else:
            design = draw(run, folder, choice)
    if as_json:
        print_json(design)
        return
    console.print(
        table(
            f"Facts to label: {len(design['facts']):,}, {design['new']:,} of them new",
            ["facts that are", "class", "judged", "to label", "taken to be true %"],
            [
                [
                    c["group"],
                    c["class"],
                    number(c["judged"]),
                    number(c["labels"]),
                    percent(c["assumed"]),
                ]
                for c in design["classes"]
            ],
        )
    )
    console.print(
        table(
            f"Width of the {design['level']:.0%} interval to expect, in points, if that is so",
            ["system", "P", "R", "F"],
            [
                [name, *(percent(width) for width in widths.values())]
                for name, widths in design["expected_widths"].items()
            ],
        )
    )
    for sheet in design["sheets"]:
        _tell(sheet)
    for line in _expected_claims(design):
        _tell(line)
    if design["sheets"]:
        _tell(f"When they are filled: {import_command(folder, design['sheets'], sheets)}")


def import_command(folder: Path, sheets: Sequence[Path | str], form: SheetFormat) -> str:
    """Return the command that takes in `sheets` when they are filled, or the tool's exports."""
    given = Path(sheets[0]).parent / f"*.{form}" if form in _FILLED_IN_PLACE else "EXPORT..."
    return f"distval label import {folder} {given}"


def _expected_claims(design: Mapping[str, Any]) -> Iterator[str]:
    """Yield what the intervals will be able to claim, and what would make them claim more."""
    level = f"{design['level']:.0%}"
    claiming = {
        name: [LETTERS[m] for m, kind in claims.items() if kind != "few labels"]
        for name, claims in design["expected_claims"].items()
    }
    told = [f"{name} {', '.join(of)}" for name, of in claiming.items() if of]
    if told:
        yield (
            f"If all facts are answered, these intervals will claim to hold the truth {level} of "
            "the time, or more often if the answers agree, for each question that is answered: "
            f"{'; '.join(told)}."
        )
    else:
        yield "Even if all facts are answered, no interval will claim to hold the truth."
    if why := design["why_no_model_expected"]:
        yield (
            f"These intervals will not hold raters' errors: {why}. They do if two raters answer "
            f"{FEWEST_TWICE} facts (--rater, --double) and classes differ, if three do (--each 3), "
            "or if disputes are adjudicated."
        )
    else:
        yield "They will hold raters' errors too: enough facts go to several raters."
    if pairs := design["expected_differences"]:
        told = list(_differences(pairs))
        yield (
            f"{_EXPECTED_DIFFERENCES}: {'; '.join(told)}."
            if told
            else "distval compare will then test no difference of the systems."
        )
    needed = design["enough_labels"]
    for name, of in needed.items():
        by_answer: dict[tuple[int | None, str], list[str]] = {}
        for measure, enough in of.items():
            key = enough["budget"], enough["reason"]
            by_answer.setdefault(key, []).append(LETTERS[measure])
        for (budget, reason), measures in by_answer.items():
            remedy = (
                "no number of labels tried is enough"
                if budget is None
                else f"--budget {budget} is enough"
            )
            told_of = f"{name} {', '.join(measures)}"
            yield f"{told_of} may claim nothing ({reason.rstrip('.')}); {remedy}."
    if budgets := [e["budget"] for of in needed.values() for e in of.values() if e["budget"]]:
        yield (
            f"With --budget {max(budgets)} all of these claim something. Draw again, now or later: "
            "the facts drawn so far are kept."
        )


def _differences(pairs: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """Yield the pairs of systems with a difference that will not be withheld, and of what."""
    for pair in pairs:
        of = [LETTERS[m] for m, reason in pair["withheld"].items() if reason is None]
        if of:
            yield f"{pair['first']} – {pair['second']} {', '.join(of)}"


def verdict_shares(
    option: str, given: Iterable[str], verdicts: Collection[str]
) -> dict[str, float]:
    """Return the shares of ``VERDICT=SHARE``, of one of `verdicts` each."""
    shares = {}
    for text in given:
        verdict, _, value = text.partition("=")
        try:
            share = float(value)
        except ValueError:
            share = -1.0
        if verdict not in verdicts or not 0 <= share <= 1:
            known = ", ".join(verdicts)
            raise ConfigurationError(
                f"{option} {text}: expected VERDICT=SHARE, a share from 0 to 1 of one of {known}"
            )
        shares[verdict] = share
    return shares


@label.command("import", example="distval label import runs/demo/labels runs/demo/labels/*.csv")
def import_sheets(
    folder: Folder,
    sheets: Annotated[
        list[Path],
        typer.Argument(metavar="SHEET...", help="Sheets, or exports of a labelling tool."),
        READS,
    ],
    rater: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ACCOUNT=NAME",
            help="Who an account of a labelling tool is, e.g. 3=ann; kept for later exports.",
        ),
    ] = None,
    show_answers: Annotated[
        bool,
        typer.Option("--show-answers", help="Show the answers in adjudicate.csv: not blind."),
    ] = False,
    as_json: Json = False,
) -> None:
    """Take in the answers of filled sheets.

    Also shows how far raters agree.

    A sheet may be imported again: its answers replace those that its rater gave before.
    """
    rejects = Rejects()
    accounts = named_accounts("--rater", rater or ())
    read_questions(folder)  # before a lock is put into a folder that is none of ours
    with folder_lock(folder, f"{folder}: another import is at work here; wait for it to finish"):
        gathered = gather(
            folder, sheets, accounts=accounts, show_answers=show_answers, rejects=rejects
        )
    raters = _raters(gathered)
    labels = [found for answer in gathered.answers if (found := answer.label)]
    people = [found for found in labels if found.rater != ADJUDICATOR]
    agreement = _common(pairwise_agreement(ratings(people)))
    stated = _common(
        pairwise_agreement(
            ratings(x._replace(label=x.stated) for x in people if x.stated is not None)
        )
    )
    if as_json:
        print_json(
            {
                "folder": str(folder),
                "drawn": gathered.drawn,
                "sheets": [{**s._asdict(), "sheet": str(s.sheet)} for s in gathered.sheets],
                "withdrawn": gathered.withdrawn,
                "raters": raters,
                "labelled": len({found.item for found in labels}),
                "agreement": [pair.as_json() for pair in agreement],
                "agreement_stated": [pair.as_json() for pair in stated],
                "disputed": gathered.disputed,
                "adjudicated": gathered.adjudicated,
                **rejects.as_json(),
            }
        )
        return
    skipped_with_first(rejects, "answers")
    for sheet in gathered.sheets:
        _tell(
            f"{sheet.sheet}: {sheet.answered:,} answered, {sheet.skipped:,} skipped, "
            f"{sheet.unanswered:,} not answered yet"
            + (f", {sheet.unused:,} not used" if sheet.unused else "")
        )
    if any(sheet.unused for sheet in gathered.sheets):
        _tell("A row that is not used changes nothing: what its rater said before stays.")
    if gathered.withdrawn:
        _tell(f"Answers taken back, empty in their sheet now: {gathered.withdrawn:,}")
    columns = ["rater", "labels", "true", "false", "link wrong", "skipped", "stated", "not stated"]
    rows = [
        [name, *(number(count) for count in counts.values())] for name, counts in raters.items()
    ]
    console.print(table(f"Answers to the {gathered.drawn:,} facts drawn", columns, rows))
    for title, pairs in (("true in the world", agreement), ("stated by the sentence", stated)):
        if pairs:
            console.print(agreement_table(f"Agreement of raters: {title}", pairs))
    if gathered.disputed:
        _tell(
            f"Facts in dispute: {gathered.disputed:,}, adjudicated: {gathered.adjudicated:,}. They "
            f"are in {folder / ADJUDICATE}, for the adjudicator; import it when it is filled."
        )


def _raters(gathered: Gathered) -> dict[str, dict[str, int]]:
    """Return how many answers of each kind there are, by rater."""
    raters: dict[str, dict[str, int]] = {}
    for name in sorted({answer.rater for answer in gathered.answers}):
        answers = [answer for answer in gathered.answers if answer.rater == name]
        said = Counter(answer.said for answer in answers)
        stated = Counter(answer.stated for answer in answers)
        raters[name] = {
            "labels": sum(said[word] for word in _SAID[:-1]),
            **{word: said[word] for word in _SAID},
            "stated": stated[True],
            "not stated": stated[False],
        }
    return raters


def _common(pairs: Iterable[PairAgreement]) -> list[PairAgreement]:
    """Return the pairs that have facts in common, those with most first."""
    return sorted((p for p in pairs if p.items), key=lambda p: (-p.items, p.rater1, p.rater2))


def _tell(line: str) -> None:
    console.print(line, markup=False, highlight=False, soft_wrap=True)


@label.command(
    "plan", example="distval label plan runs/demo --system alpha --cost-judge 0.002 --width 0.1"
)
def plan_costs(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="Directory of a finished run."), READS],
    width: Annotated[
        float, within(WIDTH, "--width", help="Wanted width of the interval of P, e.g. 0.1.")
    ],
    cost_judge: Annotated[
        float,
        within(
            PRICE, "--cost-judge", help="Cost of one verdict of the judge, the run's annotator."
        ),
    ] = 0.0,
    cost_person: Annotated[
        float, within(WAGE, "--cost-person", help="Cost of one label by a person.")
    ] = 1.0,
    system: Annotated[str | None, typer.Option(help="A system of the run.")] = None,
    folder: Annotated[
        Path | None,
        typer.Option("--labels", help="Label folder; RUN/labels by default.", show_default=False),
        READS,
    ] = None,
    as_json: Json = False,
) -> None:
    """Plan how many facts to judge and to label.

    The plan gives precision an interval of the wanted width at the least cost. The judge is the
    annotator of the run; its quality is estimated from the labels so far. People alone are among
    the plans, so the cheapest never costs more than they do.
    """
    from evaluator.intervals import Drawing
    from evaluator.labels.cost_plan import Prices, cheapest
    from jobs.analysis.price import pilot

    known = pilot(run, folder or run / "labels", system)
    with errors.status("planning …"):
        best, plans = cheapest(
            known.classes,
            population=known.population,
            width=width,
            prices=Prices(cost_judge, cost_person),
            drawing=Drawing(draws=20_000, seed=2012),
        )
    cheapest_name = next(name for name, of in plans.items() if of is best)
    if as_json:
        print_json(
            {
                "system": known.system,
                "annotator": known.annotator,
                "population": known.population,
                "pilot": known.labels,
                "classes": [of._asdict() for of in known.classes],
                "width": width,
                "cheapest": cheapest_name,
                "plans": {name: of.as_json() for name, of in plans.items()},
            }
        )
        return
    console.print(
        table(
            f"{known.system}: {plural(known.population, 'fact')}, judged by {known.annotator}",
            ["class", "facts %", "true % (of the labels so far)"],
            [[of.name, percent(of.share), percent(of.true)] for of in known.classes],
        )
    )
    console.print(
        table(
            f"For an interval of P {percent(width)} points wide",
            ["", "to judge", "to label", "width", "cost"],
            [
                [
                    name + (" ◀" if of is best else ""),
                    number(of.judged),
                    number(of.labels),
                    percent(of.width),
                    f"{of.cost:,.2f}",
                ]
                for name, of in plans.items()
            ],
        )
    )
    if best.judged:
        parts = ", ".join(f"{count:,} {name}" for name, count in best.of_class.items())
        _tell(f"To label, by the judge's class: {parts}.")
    _tell(
        f"The plan rests on {plural(known.labels, 'label')}: with more it is surer. Labels count "
        "that are there already."
    )

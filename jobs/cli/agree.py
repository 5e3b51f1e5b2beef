"""``distval agree``: how far raters agree, the automatic annotator among them."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from evaluator.errors import ConfigurationError
from evaluator.labels.agreement import JointAgreement, PairAgreement
from evaluator.labels.agreement_table import AgreementTable
from evaluator.labels.agreement_table import agreement_table as table_1
from evaluator.labels.raters import ADJUDICATOR
from evaluator.labels.rating_files import read_ratings
from evaluator.model import Rejects
from jobs.cli.files import READS
from jobs.cli.judged import Conf, Distance, Index, KnowledgeBaseFolder, annotator_judgements
from jobs.cli.output import (
    Json,
    coefficient,
    console,
    number,
    percent,
    print_json,
    skipped_with_first,
    table,
)
from jobs.cli.output import with_interval as interval

ANNOTATOR = "A (annotator)"
"""The automatic annotator among the raters, as Table 1 of the paper calls it."""

_MOST_PAIRS = 20
_MOST_COLUMNS = 8


def agree(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="RATINGS...",
            help="Sheets (e1 r e2 label rater), label folders, or matrices: item (or e1 r e2) and "
            "a column for each rater.",
        ),
        READS,
    ],
    conf: Conf = None,
    kb: KnowledgeBaseFolder = None,
    index: Index = None,
    x: Distance = None,
    annotators: Annotated[
        list[str] | None,
        typer.Option(
            "--annotator", metavar="RATER", help="A rater who is a machine: not among the people."
        ),
    ] = None,
    groups: Annotated[
        list[str] | None,
        typer.Option(
            "--consensus", metavar="H1,H2", help="Make a rater of what these agree on; repeatable."
        ),
    ] = None,
    reference: Annotated[
        str | None,
        typer.Option(
            metavar="RATER",
            help='Only rows beside this rater: a name, a consensus ("H1,H2"), majority, unanimous.',
        ),
    ] = None,
    everyone: Annotated[bool, typer.Option("--all", help="Every pair of raters.")] = False,
    as_json: Json = False,
) -> None:
    """Show how far raters agree.

    The tables are the paper's Table 1, with the consensus of two raters. With --conf or --index the
    automatic annotator joins as rater A.
    """
    rejects = Rejects()
    ratings = read_ratings(files, rejects=rejects)
    apart = {*(annotators or ()), *({ADJUDICATOR} & ratings.keys())}
    if unknown := apart - ratings.keys():
        raise ConfigurationError(f'--annotator: no rater is called "{min(unknown)}"')
    if ANNOTATOR in ratings:
        raise ConfigurationError(f'no rater may be called "{ANNOTATOR}"')
    if (kb or x is not None) and not (conf or index):
        raise ConfigurationError("--kb and --x are for the annotator, who needs --conf or --index")
    if conf or index:
        judged = {item for of in ratings.values() for item in of}
        facts = sorted((item[0], item[1], item[2]) for item in judged if len(item) == 3)
        if not facts:
            raise ConfigurationError("the annotator judges facts: e1, r and e2 in place of item")
        ratings[ANNOTATOR] = annotator_judgements(facts, conf, kb, index, x)
        apart.add(ANNOTATOR)
    found = table_1(
        ratings,
        apart=apart,
        groups=[tuple(group.split(",")) for group in groups or ()],
        reference=reference,
    )
    if as_json:
        people = [of for name, of in ratings.items() if name not in apart]
        items = len({item for of in people for item in of})
        told = {"raters": len(people), "items": items, **found.as_json()}
        print_json({**told, **rejects.as_json()})
        return
    skipped_with_first(rejects, "ratings")
    _show(found, reference=reference, most=None if everyone else _MOST_PAIRS)


def _show(found: AgreementTable, *, reference: str | None, most: int | None) -> None:
    if reference is None and 1 < len(found.judged) <= _MOST_COLUMNS:
        console.print(_matrix(found))
    beside = f" beside {reference}" if reference else ""
    for title, rows in (
        (f"Agreement of two raters{beside}", found.pairs),
        (f"With a joint rater{beside}", found.joint),
    ):
        shown = rows[:most]
        if len(shown) < len(rows):
            title += f" (the first {len(shown)} of {len(rows):,}; --all for all)"
        if shown:
            console.print(agreement_table(title, shown))
        for reason in sorted(_reasons(shown)):
            console.print(f"–: {reason}", highlight=False)
    if not found.pairs and not found.joint:
        console.print("No two raters judged the same item.")
    console.print(_together(found.together))


def _matrix(found: AgreementTable) -> Table:
    """Return agreement in percent, each rater beside those before it, joint raters below."""
    shares = {(row.rater1, row.rater2): row for row in (*found.pairs, *found.joint)}
    shares |= {(row.rater2, row.rater1): row for row in found.pairs}
    raters = list(found.judged)
    joint = list(dict.fromkeys(row.rater2 for row in found.joint))
    rows = []
    for place, one in enumerate([*raters, *joint]):
        before = raters if place >= len(raters) else raters[:place]
        row = [shares.get((other, one)) for other in before]
        rows.append([one, *(percent(cell.agreement) if cell else "" for cell in row)])
    return table("Agreement %", ["", *raters], rows[1:])


def agreement_table(title: str, pairs: Sequence[PairAgreement]) -> Table:
    """Return a table of `pairs`: agreement, coefficients and the 2×2 table of each."""
    columns = ["raters", "facts", "agreement %", "κ", "AC1", "true %", "tt/tf/ft/ff"]
    return table(
        title,
        columns,
        [
            [
                f"{pair.rater1} – {pair.rater2}",
                number(pair.items),
                interval(pair.interval.as_json(), percent),
                interval(pair.kappa.as_json(), coefficient),
                interval(pair.ac1.as_json(), coefficient),
                " | ".join(percent(share) for share in pair.shares_of_true or ()),
                "/".join(number(cell) for cell in pair[2:6]),
            ]
            for pair in pairs
        ],
    )


def _together(joint: JointAgreement) -> Table:
    title = f"All {joint.raters:,} people together: {joint.items:,} facts that two or more judged"
    of = joint.coefficients
    rows = [
        ["mean agreement of two %", interval(joint.mean.as_json(), percent), joint.mean.method],
        *(
            [name, interval(found.as_json(), coefficient), found.reason or found.method]
            for name, found in (
                ("Fleiss' κ", of.fleiss_kappa),
                ("Krippendorff's α", of.krippendorff_alpha),
                ("AC1", of.ac1),
            )
        ),
    ]
    return table(title, ["", "", "interval"], rows)


def _reasons(pairs: Iterable[PairAgreement]) -> set[str]:
    """Return why coefficients of these pairs are not defined."""
    return {
        f"{name} is not defined ({found.reason})"
        for pair in pairs
        for name, found in (("κ", pair.kappa), ("AC1", pair.ac1))
        if found.value is None
    }

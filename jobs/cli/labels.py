"""``distval tune`` and ``distval agree``: the annotator beside people."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from evaluator.agreement import (
    PairAgreement,
    average_pairwise_agreement,
    consensus,
    pairwise_agreement,
)
from evaluator.counting import pmi
from evaluator.errors import ConfigurationError
from evaluator.labels import Label, majority, ratings, read_labels
from evaluator.model import Rejects
from evaluator.tuning import CurvePoint, Tuning
from evaluator.tuning import tune as choose
from jobs.cli.output import (
    Json,
    coefficient,
    console,
    errors,
    figure,
    number,
    percent,
    print_json,
    skipped,
    table,
)
from jobs.cli.output import with_interval as interval
from jobs.config import Configuration, Match, Pmi
from jobs.judging import Findings, Item, judge_items

Conf = Annotated[Path | None, typer.Option("--conf", help="Take evidence and settings from a run.")]
KnowledgeBaseFolder = Annotated[Path | None, typer.Option("--kb", help="Knowledge base folder.")]
Index = Annotated[Path | None, typer.Option("--index", help="Text index folder.")]
Distance = Annotated[int | None, typer.Option("--x", min=0, help="NEAR distance in words.")]

ANNOTATOR = "A (annotator)"
"""The automatic annotator among the raters, as Table 1 of the paper calls it."""

_CURVE_ROWS = 15
_MOST_PAIRS = 20
_FEW_RATERS = 3


def tune(
    labels: Annotated[Path, typer.Argument(metavar="LABELS", help="TSV: e1 r e2 label [rater].")],
    conf: Conf = None,
    kb: KnowledgeBaseFolder = None,
    index: Index = None,
    x: Distance = None,
    as_json: Json = False,
) -> None:
    """Choose the PMI threshold t that agrees best with people's labels.

    Several raters of a fact count by majority. The facts that the database holds are left to it: t
    is chosen on the others.
    """
    rejects = Rejects()
    by_item = majority(read_labels(labels, rejects=rejects))
    truth = {item: label for item, label in by_item.items() if label is not None}
    items = sorted(truth)
    evidence, distance = _evidence(items, conf, kb, index, x)
    open_items = [i for i, found in zip(items, evidence, strict=True) if not found.matched]
    left_open = [found for found in evidence if not found.matched]
    told = {
        "labels": str(labels),
        "facts": len(items),
        "true": sum(truth.values()),
        "ties": len(by_item) - len(truth),
        "matched": len(items) - len(open_items),
        "matched_true": sum(
            truth[i] for i, found in zip(items, evidence, strict=True) if found.matched
        ),
        "x": distance,
        "rejects": rejects.counts,
        "variants": {},
    }
    tunings = {
        variant: choose(
            [pmi(found.counts, variant) for found in left_open], [truth[i] for i in open_items]
        )
        for variant in ("classic", "proximity")
    }
    if as_json:
        told["variants"] = {variant: tuning.as_json() for variant, tuning in tunings.items()}
        print_json(told)
        return
    skipped(rejects.counts, "labels")
    console.print(
        f"{len(items):,} labelled facts, {told['true']:,} true; {told['ties']:,} ties left out; "
        f"{told['matched']:,} in the database ({told['matched_true']:,} of them true)."
    )
    for variant, tuning in tunings.items():
        _show_tuning(variant, distance, tuning)


def agree(
    sheet: Annotated[Path, typer.Argument(metavar="RATINGS", help="TSV: e1 r e2 label rater.")],
    conf: Conf = None,
    kb: KnowledgeBaseFolder = None,
    index: Index = None,
    x: Distance = None,
    everyone: Annotated[bool, typer.Option("--all", help="Every pair of raters.")] = False,
    as_json: Json = False,
) -> None:
    """Show how far raters agree, as the paper's Table 1, with the consensus of two raters.

    With --conf or --index the automatic annotator joins as rater A.
    """
    rejects = Rejects()
    labels = read_labels(sheet, rejects=rejects)
    table_of = ratings(labels)
    if ANNOTATOR in table_of:
        raise ConfigurationError(f'{sheet}: no rater may be called "{ANNOTATOR}"')
    if (kb or x is not None) and not (conf or index):
        raise ConfigurationError("--kb and --x are for the annotator, who needs --conf or --index")
    if conf or index:
        table_of = {**table_of, ANNOTATOR: _annotator(labels, conf, kb, index, x)}
    pairs = [pair for pair in pairwise_agreement(table_of) if pair.items]
    pairs.sort(key=lambda pair: (-pair.items, pair.rater1, pair.rater2))
    together = _consensus_rows(table_of)
    if ANNOTATOR in table_of:
        together += _crowd_rows(labels, table_of[ANNOTATOR])
    people = {name: judged for name, judged in table_of.items() if name != ANNOTATOR}
    average = average_pairwise_agreement(people)
    if as_json:
        print_json(
            {
                "raters": len(people),
                "items": len({item for judged in people.values() for item in judged}),
                "average_pairwise": average.as_json(),
                "pairs": [pair.as_json() for pair in pairs],
                "consensus": [pair.as_json() for pair in together],
                "rejects": rejects.counts,
            }
        )
        return
    skipped(rejects.counts, "ratings")
    shown = pairs if everyone else pairs[:_MOST_PAIRS]
    title = f"Agreement of {len(people)} raters"
    if len(shown) < len(pairs):
        title += (
            f" (the {len(shown)} pairs with most common facts, of {len(pairs):,}; --all for all)"
        )
    console.print(agreement_table(title, shown))
    if together:
        console.print(agreement_table("With a consensus rater", together))
    console.print(
        f"Mean agreement of two raters on a fact: {interval(average.as_json(), percent)} % "
        f"({average.method}, n = {average.n:,} facts)"
    )


def _evidence(
    items: Sequence[Item],
    conf: Path | None,
    kb: Path | None,
    index: Path | None,
    x: int | None,
) -> tuple[list[Findings], int]:
    """Return the annotator's evidence for `items` and the NEAR distance it was found with."""
    from indexes.knowledge_base import KnowledgeBase
    from indexes.text_index import TextIndex

    settings = Configuration.load(conf) if conf else None
    kb = kb or (settings and settings.kb.path)
    index = index or (settings and settings.index.path)
    if index is None:
        raise ConfigurationError("name the text index: --conf CONF, or --index DIR")
    pmi_settings = settings.pmi if settings else Pmi()
    distance = pmi_settings.x if x is None else x
    with TextIndex.open(index) as opened, errors.status(f"counting {len(items):,} facts …"):
        evidence = judge_items(
            items,
            kb=KnowledgeBase.open(kb) if kb else None,
            index=opened,
            match=settings.match if settings else Match(),
            x=distance,
            ordered=pmi_settings.ordered,
            denominator=pmi_settings.denominator,
            key=settings.relation.key if settings else "head",
        )
    return evidence, distance


def _annotator(
    labels: Sequence[Label], conf: Path | None, kb: Path | None, index: Path | None, x: int | None
) -> dict[Item, bool]:
    """Return the automatic annotator's judgements; facts with an undefined PMI have none."""
    settings = Configuration.load(conf).pmi if conf else Pmi()
    items = sorted({label.item for label in labels})
    evidence, _ = _evidence(items, conf, kb, index, x)
    judged = {}
    for item, found in zip(items, evidence, strict=True):
        score = pmi(found.counts, settings.variant)
        if found.matched:
            judged[item] = True
        elif score is not None:
            judged[item] = score >= settings.threshold
    return judged


def _consensus_rows(table_of: Mapping[str, Mapping[Item, bool]]) -> list[PairAgreement]:
    """Return each rater beside what two others agree on (H12 of the paper).

    In a crowd, of which any two share few facts, these are the raters with most ratings.
    """
    people = sorted(
        (name for name in table_of if name != ANNOTATOR),
        key=lambda name: (-len(table_of[name]), name),
    )[:_FEW_RATERS]
    rows = []
    for first, second in combinations(sorted(people), 2):
        name = f"{first}={second}"
        joint = consensus(table_of, first, second)
        rows += [
            pair
            for other in sorted({*people, ANNOTATOR} & table_of.keys())
            if other not in (first, second)
            for pair in pairwise_agreement({other: table_of[other], name: joint})
        ]
    return [pair for pair in rows if pair.items]


def _crowd_rows(labels: Sequence[Label], annotator: Mapping[Item, bool]) -> list[PairAgreement]:
    """Return the annotator beside the majority of all raters and beside those who all agree."""
    votes: dict[Item, set[bool]] = {}
    for label in labels:
        votes.setdefault(label.item, set()).add(label.label)
    most = {item: label for item, label in majority(labels).items() if label is not None}
    unanimous = {item: said.copy().pop() for item, said in votes.items() if len(said) == 1}
    crowds = {"majority of raters": most, "raters who all agree": unanimous}
    return [
        pair
        for name, judged in crowds.items()
        for pair in pairwise_agreement({ANNOTATOR: annotator, name: judged})
    ]


def agreement_table(title: str, pairs: Sequence[PairAgreement]) -> Table:
    """Return a table of `pairs`: agreement, coefficients and the 2×2 table of each."""
    columns = [
        "raters",
        "facts",
        "agreement %",
        "κ",
        "AC1",
        "both true",
        "t/f",
        "f/t",
        "both false",
    ]
    return table(
        title,
        columns,
        [
            [
                f"{pair.rater1} – {pair.rater2}",
                number(pair.items),
                interval(pair.interval.as_json(), percent),
                coefficient(pair.kappa),
                coefficient(pair.ac1),
                *(
                    number(n)
                    for n in (pair.both_true, pair.true_false, pair.false_true, pair.both_false)
                ),
            ]
            for pair in pairs
        ],
    )


def _show_tuning(variant: str, x: int, tuning: Tuning) -> None:
    name = variant.upper() + (f", X = {x}" if variant == "proximity" else "")
    if tuning.threshold is None:
        console.print(f"[bold]{name}[/bold]: no fact has a defined PMI, so there is no threshold.")
        return
    step = max(1, len(tuning.curve) // _CURVE_ROWS)
    points = [*tuning.curve[::step]]
    chosen = next(point for point in tuning.curve if point.threshold == tuning.threshold)
    points = sorted({*points, chosen, tuning.curve[-1]}, key=lambda point: point.threshold)
    console.print(
        table(
            f"{name}: t and the agreement with the labels",
            ["t", "agreement %", "balanced %", "true accepted", "false accepted", ""],
            [_curve_row(point, chosen) for point in points],
        )
    )
    console.print(
        f"t = {_threshold(chosen)}: agreement {interval(tuning.agreement.as_json(), percent)} % "
        f"on the {tuning.agreement.n:,} facts with a defined PMI (it chose t on them); "
        f"on held-out facts {interval(tuning.held_out.as_json(), percent)} %; always saying the "
        f"commoner label: {percent(tuning.majority_share)} %. {tuning.undefined:,} facts have no "
        f"defined PMI ({tuning.undefined_true:,} true); judged not correct, agreement is "
        f"{interval(tuning.agreement_with_undefined.as_json(), percent)} %. "
        f"To use it: --set pmi.threshold={_threshold(chosen)}, or the same in the configuration.\n",
        highlight=False,
    )


def _curve_row(point: CurvePoint, chosen: CurvePoint) -> list[str]:
    return [
        _threshold(point),
        percent(point.agreement),
        percent(point.balanced_accuracy),
        number(point.true_positives),
        number(point.false_positives),
        "◀ chosen" if point == chosen else "",
    ]


def _threshold(point: CurvePoint) -> str:
    return "none accepted" if point.threshold == float("inf") else figure(point.threshold)

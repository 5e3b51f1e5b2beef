"""``distval tune``: the annotator's threshold, chosen beside people."""

from pathlib import Path
from typing import Annotated

import typer

from evaluator.counting import pmi
from evaluator.labels import majority, read_labels
from evaluator.model import Rejects
from evaluator.tuning import CurvePoint, Tuning
from evaluator.tuning import tune as choose
from jobs.cli.judged import Conf, Distance, Index, KnowledgeBaseFolder, judged_evidence
from jobs.cli.output import (
    Json,
    console,
    figure,
    number,
    percent,
    print_json,
    skipped,
    table,
)
from jobs.cli.output import with_interval as interval

_CURVE_ROWS = 15


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
    evidence, distance = judged_evidence(items, conf, kb, index, x)
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

"""The page that shows what a threshold was chosen from: curves and figures of every annotator.

Like the report (:mod:`evaluator.report.page`) it is one HTML page that loads nothing and runs no
script. The page and its words are in ``templates/tuning.html.j2``.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from evaluator.report.chart import Chart
from evaluator.report.charts import LinePlot, line_chart
from evaluator.report.page import environment, keys

MEASURE_NAMES = {
    "balanced_accuracy": "Balanced accuracy",
    "accuracy": "Accuracy",
    "f1": "F1",
    "youden": "Youden's J",
    "precision": "Precision",
}
_DIAGONAL = ((0.0, 0.0), (1.0, 1.0))


class TuningPanel(NamedTuple):
    """A chart, and a figure that sums it up."""

    chart: Chart
    note: str


def render_tuning(told: Mapping[str, Any], *, distval: str) -> str:
    """Return what ``distval tune --json`` tells, curves included, as a self-contained HTML page."""
    measure = told["measure"]
    known_as = keys(told["annotators"])
    true = told["open_true"] / max(told["open"], 1)
    return (
        environment()
        .get_template("tuning.html.j2")
        .render(
            distval=distval,
            told=told,
            measure=MEASURE_NAMES[measure],
            panels={
                name: _panels(name, known_as[name], of, measure, true)
                for name, of in told["annotators"].items()
            },
        )
    )


def _panels(
    name: str, key: str, of: Mapping[str, Any], measure: str, true: float
) -> list[TuningPanel]:
    """Return the charts of an annotator; `true` is the share of true facts."""

    def panel(kind: str, title: str, note: str, plot: LinePlot) -> TuningPanel:
        about = f"{title} of {name}: {note}"
        return TuningPanel(line_chart(f"{kind}-{key}", title, about, plot), note)

    curves = of["curves"]
    threshold, note = _threshold(curves["threshold"], of["choice"], measure)
    panels = [panel("threshold", "Threshold", note, threshold)]
    if roc := curves["roc"]:
        auc = of["held_out"] and of["held_out"]["auc"]["value"]
        plot = LinePlot(
            list(zip(roc["false_positive_rate"], roc["true_positive_rate"], strict=True)),
            "false facts accepted",
            "true facts accepted",
            reference=_DIAGONAL,
        )
        panels.append(panel("roc", "ROC", "" if auc is None else f"AUC {auc:.3f}", plot))
    if found := curves["precision_recall"]:
        plot = LinePlot(
            list(zip(found["recall"], found["precision"], strict=True)),
            "recall",
            "precision",
            reference=((0.0, true), (1.0, true)),
        )
        note = f"average precision {found['average_precision']:.3f}"
        panels.append(panel("precision-recall", "Precision and recall", note, plot))
    if found := curves["reliability"]:
        plot = LinePlot(
            list(zip(found["claimed"], found["came_true"], strict=True)),
            "probability claimed",
            "share of true facts",
            reference=_DIAGONAL,
            dots=True,
        )
        note = f"Brier {found['brier']:.3f}, ECE {found['ece']:.3f}"
        panels.append(panel("calibration", "Calibration", note, plot))
    return panels


def _threshold(
    curve: Mapping[str, Any], choice: Mapping[str, Any], measure: str
) -> tuple[LinePlot, str]:
    """Return the curve over thresholds, and which was chosen, in words."""
    chosen = [choice[end] for end in ("threshold", "low", "high")]
    rows = [
        row
        for row in zip(
            *(curve[part] for part in ("threshold", "value", "low", "high")), strict=True
        )
        if None not in row
    ]
    widest = max([1.0, *(row[0] for row in rows)])
    # All t above the next lower score, up to a score, judge alike: the curve is made of steps.
    starts = [0.0, *(row[0] for row in rows)][: len(rows)]
    steps = [
        (end, *row[1:]) for start, row in zip(starts, rows, strict=True) for end in (start, row[0])
    ]
    plot = LinePlot(
        [(t, value) for t, value, _, _ in steps],
        "threshold t",
        MEASURE_NAMES[measure],
        ends=((0.0, widest), (-1.0 if measure == "youden" else 0.0, 1.0)),
        band=[(t, low, high) for t, _, low, high in steps],
        chosen=None if None in chosen else _placed(chosen, widest),
    )
    told = choice["threshold"]
    return plot, f"t = {told:.4g}" if isinstance(told, float) else "no threshold"


def _placed(chosen: list[Any], widest: float) -> tuple[float, float, float] | None:
    """Return a threshold and the ends of its interval; infinity stands at the end of the axis."""
    if not any(isinstance(end, float) for end in chosen):
        return None
    t, low, high = (widest if end == "inf" else float(end) for end in chosen)
    return t, low, high

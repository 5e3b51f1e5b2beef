"""The page that shows what a threshold was chosen from: curves and figures of every annotator.

Like the report (:mod:`evaluator.report.page`) it is one HTML page that loads nothing and runs no
script. Here is the geometry; the page itself and its words are in ``templates/tuning.html.j2``.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from evaluator.report.page import environment

_SIDE = 216.0  # of a panel
_LEFT, _TOP, _GAP = 46.0, 30.0, 56.0
_BOTTOM = 44.0
_TICKS = (0.0, 0.25, 0.5, 0.75, 1.0)

MEASURE_NAMES = {
    "balanced_accuracy": "Balanced accuracy",
    "accuracy": "Accuracy",
    "f1": "F1",
    "youden": "Youden's J",
    "precision": "Precision",
}


class TuningPanel(NamedTuple):
    """One curve.

    Attributes
    ----------
    title, across, up
        What it is called, and its axes.
    left, right, top, bottom
        Its place.
    x_ticks, y_ticks
        Values and their places.
    line, band, reference
        Paths: the curve, its interval, and what it is to be compared with.
    dots
        Points that are few enough to be told apart.
    chosen
        Place of t, and of the ends of its interval; None where there is none.
    note
        A figure that sums it up.
    """

    title: str
    across: str
    up: str
    left: float
    right: float
    top: float
    bottom: float
    x_ticks: Sequence[tuple[float, float]]
    y_ticks: Sequence[tuple[float, float]]
    line: str
    band: str
    reference: str
    dots: Sequence[tuple[float, float]]
    chosen: tuple[float, float, float] | None
    note: str


def render_tuning(told: Mapping[str, Any], *, distval: str) -> str:
    """Return what ``distval tune --json`` tells, curves included, as a self-contained HTML page."""
    measure = told["measure"]
    return (
        environment()
        .get_template("tuning.html.j2")
        .render(
            distval=distval,
            told=told,
            measure=MEASURE_NAMES[measure],
            panels={
                name: _panels(of, measure, told["open_true"] / max(told["open"], 1))
                for name, of in told["annotators"].items()
            },
            width=_LEFT + 4 * _SIDE + 3 * _GAP,
            height=_TOP + _SIDE + _BOTTOM,
        )
    )


class _Frame:
    """The place of a panel, and from values to places in it."""

    def __init__(self, place: int, *, widest: float = 1.0, lowest: float = 0.0) -> None:
        self.left = _LEFT + place * (_SIDE + _GAP)
        self.widest, self.lowest = widest, lowest

    def x(self, value: float) -> float:
        return self.left + _SIDE * min(max(value / self.widest, 0.0), 1.0)

    def y(self, value: float) -> float:
        share = (value - self.lowest) / (1 - self.lowest)
        return _TOP + _SIDE * (1 - min(max(share, 0.0), 1.0))

    def path(self, points: Iterable[tuple[float, float]]) -> str:
        placed = [f"{self.x(x):.1f} {self.y(y):.1f}" for x, y in points]
        # What falls on the same pixel is drawn once.
        kept = placed[:1] + [after for before, after in pairwise(placed) if after != before]
        return f"M{'L'.join(kept)}" if kept else ""

    def panel(self, title: str, across: str, up: str, **drawn: Any) -> TuningPanel:
        ticks = [(tick * self.widest, self.x(tick * self.widest)) for tick in _TICKS]
        values = [self.lowest + tick * (1 - self.lowest) for tick in _TICKS]
        parts: dict[str, Any] = {"band": "", "reference": "", "dots": (), "chosen": None}
        return TuningPanel(
            title,
            across,
            up,
            self.left,
            self.left + _SIDE,
            _TOP,
            _TOP + _SIDE,
            ticks,
            [(value, self.y(value)) for value in values],
            **{**parts, **drawn},
        )


def _panels(of: Mapping[str, Any], measure: str, true: float) -> list[TuningPanel]:
    curves = of["curves"]
    panels = [_threshold_panel(curves["threshold"], of["choice"], measure)]
    if roc := curves["roc"]:
        frame = _Frame(1)
        line = frame.path(zip(roc["false_positive_rate"], roc["true_positive_rate"], strict=True))
        auc = of["held_out"] and of["held_out"]["auc"]["value"]
        panels.append(
            frame.panel(
                "ROC",
                "false facts accepted",
                "true facts accepted",
                line=line,
                reference=frame.path([(0, 0), (1, 1)]),
                note="" if auc is None else f"AUC {auc:.3f}",
            )
        )
    if found := curves["precision_recall"]:
        frame = _Frame(2)
        panels.append(
            frame.panel(
                "Precision and recall",
                "recall",
                "precision",
                line=frame.path(zip(found["recall"], found["precision"], strict=True)),
                reference=frame.path([(0, true), (1, true)]),
                note=f"average precision {found['average_precision']:.3f}",
            )
        )
    if found := curves["reliability"]:
        frame = _Frame(3)
        points = list(zip(found["claimed"], found["came_true"], strict=True))
        panels.append(
            frame.panel(
                "Calibration",
                "probability claimed",
                "share of true facts",
                line=frame.path(points),
                dots=[(frame.x(x), frame.y(y)) for x, y in points],
                reference=frame.path([(0, 0), (1, 1)]),
                note=f"Brier {found['brier']:.3f}, ECE {found['ece']:.3f}",
            )
        )
    return panels


def _threshold_panel(
    curve: Mapping[str, Any], choice: Mapping[str, Any], measure: str
) -> TuningPanel:
    ends = [choice[end] for end in ("threshold", "low", "high")]
    numbers = [end for end in ends if isinstance(end, float)]
    rows = [
        row
        for row in zip(
            *(curve[part] for part in ("threshold", "value", "low", "high")), strict=True
        )
        if None not in row
    ]
    frame = _Frame(
        0,
        widest=max([1.0, *(row[0] for row in rows)]),
        lowest=-1.0 if measure == "youden" else 0.0,
    )
    # All t above the next lower score, up to a score, judge alike: the curve is made of steps.
    starts = [0.0, *(row[0] for row in rows)][: len(rows)]

    def steps(part: int) -> list[tuple[float, float]]:
        ends = [
            ((start, row[part]), (row[0], row[part]))
            for start, row in zip(starts, rows, strict=True)
        ]
        return [point for step in ends for point in step]

    band = frame.path([*steps(3), *steps(2)[::-1]])
    return frame.panel(
        "Threshold",
        "threshold t",
        MEASURE_NAMES[measure],
        line=frame.path(steps(1)),
        band=f"{band}Z" if band else "",
        chosen=tuple(frame.x(frame.widest if end == "inf" else end) for end in ends)
        if len(numbers) and None not in ends
        else None,
        note=f"t = {ends[0]:.4g}" if isinstance(ends[0], float) else "no threshold",
    )

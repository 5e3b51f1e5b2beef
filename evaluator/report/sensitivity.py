"""The page that shows how figures move: small multiples, a row a measure, a column a parameter.

Like the report (:mod:`evaluator.report.page`) it is one HTML page that loads nothing and runs no
script. Here is the geometry; the page itself and its words are in
``templates/sensitivity.html.j2``. All panels of a row share their axis of shares, so that
parameters can be compared by eye.
"""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from evaluator.comparison.two_systems import MEASURES
from evaluator.estimators.sensitivity import Curve
from evaluator.intervals import Estimate
from evaluator.report.page import environment
from evaluator.results.result import Result

_WIDTH, _HEIGHT = 216.0, 150.0  # of a panel
_LEFT, _TOP = 46.0, 64.0
_GAP, _ROW = 20.0, 196.0
_LABELS = 128.0  # room for names at the right
_LABEL_LENGTH, _LABEL_HEIGHT = 18, 13.0
_TICK_WIDTH = 28.0


class CurveMark(NamedTuple):
    """A figure at one value: where it is drawn, and what it says."""

    value: float
    x: float
    y: float
    figure: Estimate


class CurveLine(NamedTuple):
    """A system in a panel.

    Attributes
    ----------
    number
        Of the system, from 0: it decides on colour and dashes.
    path
        Of the line, interrupted where nothing can be estimated.
    band
        Outlines of the intervals.
    marks
        Its points.
    """

    number: int
    name: str
    path: str
    band: str
    marks: Sequence[CurveMark]


class CurvePanel(NamedTuple):
    """One measure along one parameter."""

    measure: str
    curve: Curve
    left: float
    right: float
    top: float
    bottom: float
    configured: float
    lines: Sequence[CurveLine]
    ticks: Sequence[tuple[float, float]]


class LineLabel(NamedTuple):
    """The name of a system at the end of its line."""

    number: int
    name: str
    label: str
    x: float
    y: float


class PanelRow(NamedTuple):
    """The panels of a measure, with the axis that they share: (share, y) of its ticks."""

    measure: str
    panels: Sequence[CurvePanel]
    ticks: Sequence[tuple[float, float]]
    labels: Sequence[LineLabel]


def render_sensitivity(result: Result, curves: Sequence[Curve], notes: Sequence[str] = ()) -> str:
    """Return the curves of a run as a self-contained HTML page.

    They are annotator-relative, and the page says so: labels are of the facts at one setting.

    Parameters
    ----------
    result
        That of the run.
    curves
        At least one.
    notes
        What was left out and why, in sentences.
    """
    systems = list(curves[0].points[0].systems)
    # Without a corpus there is no recall, and no F.
    measures = [m for m in MEASURES if _estimates(curves[:1], m)]
    return (
        environment()
        .get_template("sensitivity.html.j2")
        .render(
            distval=result.distval,
            name=result.name,
            signature=result.signature,
            level=next((e.level for e in _estimates(curves, MEASURES[0])), None),
            systems=systems,
            measures=measures,
            curves=curves,
            rows=[_row(number, measure, curves) for number, measure in enumerate(measures)],
            width=_LEFT + len(curves) * (_WIDTH + _GAP) - _GAP + _LABELS,
            height=_TOP + len(measures) * _ROW - _GAP,
            notes=notes,
        )
    )


def _estimates(curves: Sequence[Curve], measure: str) -> list[Estimate]:
    found = (
        getattr(figures, measure)
        for curve in curves
        for point in curve.points
        for figures in point.systems.values()
    )
    return [estimate for estimate in found if estimate is not None]


def _row(number: int, measure: str, curves: Sequence[Curve]) -> PanelRow:
    top = _TOP + number * _ROW
    shares = [
        share
        for estimate in _estimates(curves, measure)
        for share in estimate[:3]
        if share is not None
    ]
    limit, step = share_axis(max(shares, default=1.0))

    def height(share: float) -> float:
        return top + _HEIGHT * (1 - min(max(share / limit, 0.0), 1.0))

    panels = []
    for place, curve in enumerate(curves):
        left = _LEFT + place * (_WIDTH + _GAP)
        along = _Along(curve, left)
        systems = curve.points[0].systems
        panels.append(
            CurvePanel(
                measure=measure,
                curve=curve,
                left=left,
                right=left + _WIDTH,
                top=top,
                bottom=top + _HEIGHT,
                configured=along(curve.configured),
                lines=[
                    _line(system, name, measure, curve, along, height)
                    for system, name in enumerate(systems)
                ],
                ticks=along.ticks(),
            )
        )
    ticks = [(share * step, height(share * step)) for share in range(round(limit / step) + 1)]
    return PanelRow(measure, panels, ticks, _labels(panels[-1]))


class _Along:
    """From a value of a parameter to its place along the axis of a panel."""

    def __init__(self, curve: Curve, left: float) -> None:
        self.curve, self.left = curve, left
        self.ends = [self._scale(curve.points[end].value) for end in (0, -1)]

    def __call__(self, value: float) -> float:
        first, last = self.ends
        margin = 8.0  # dots at the ends stay inside
        share = (self._scale(value) - first) / (last - first) if last > first else 0.5
        return self.left + margin + (_WIDTH - 2 * margin) * share

    def _scale(self, value: float) -> float:
        if self.curve.parameter.scale == "linear":
            return value
        # A distance may be 0, a threshold may not.
        return math.log1p(value) if self.curve.name == "x" else math.log(value)

    def ticks(self) -> list[tuple[float, float]]:
        """Return the values that have room for their numbers; the configured one has."""
        placed = [(self.curve.configured, self(self.curve.configured))]
        for point in self.curve.points:
            x = self(point.value)
            if all(abs(x - other) >= _TICK_WIDTH for _, other in placed):
                placed.append((point.value, x))
        return sorted(placed)


def _line(
    number: int, name: str, measure: str, curve: Curve, along: _Along, height: Any
) -> CurveLine:
    marks: list[CurveMark] = []
    path, band = [], []
    upper: list[str] = []
    lower: list[str] = []

    def close() -> None:
        if upper:
            band.append(f"M{'L'.join([*upper, *reversed(lower)])}Z")
        upper.clear()
        lower.clear()

    connected = False
    for point in curve.points:
        figure: Estimate | None = getattr(point.systems[name], measure)
        if figure is None or figure.value is None:
            connected = False
            close()
            continue
        x, y = along(point.value), height(figure.value)
        path.append(f"{'L' if connected else 'M'}{x:.2f} {y:.2f}")
        connected = True
        marks.append(CurveMark(point.value, x, y, figure))
        if figure.low is not None and figure.high is not None:
            upper.append(f"{x:.2f} {height(figure.high):.2f}")
            lower.append(f"{x:.2f} {height(figure.low):.2f}")
    close()
    return CurveLine(number, name, "".join(path), "".join(band), marks)


def _labels(panel: CurvePanel) -> list[LineLabel]:
    """Return the names beside the ends of the lines, moved apart where they would meet."""
    ends = sorted((line.marks[-1].y, line.number, line.name) for line in panel.lines if line.marks)
    placed: list[float] = []
    for y, _, _ in ends:
        placed.append(max(y, placed[-1] + _LABEL_HEIGHT) if placed else y)
    # What was moved below the panel moves back up, and what is above it with it.
    least = panel.bottom
    for number in reversed(range(len(placed))):
        placed[number] = min(placed[number], least)
        least = placed[number] - _LABEL_HEIGHT
    return [
        LineLabel(
            number,
            name,
            name if len(name) <= _LABEL_LENGTH else f"{name[: _LABEL_LENGTH - 1]}…",
            panel.right + 8.0,
            y + 4.0,
        )
        for (_, number, name), y in zip(ends, placed, strict=True)
    ]


def share_axis(limit: float) -> tuple[float, float]:
    """Return the end of an axis of shares that holds `limit`, and the step of its ticks."""
    limit = max(limit, 1e-4)
    unit = 10.0 ** math.floor(math.log10(limit))
    step = next(f * unit for f in (0.25, 0.5, 1.0, 2.5, 5.0) if f * unit * 4 >= limit)
    return math.ceil(limit / step - 1e-9) * step, step

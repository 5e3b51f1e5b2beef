"""The page that shows systems by gold data against the same by distant validation.

Like the report (:mod:`evaluator.report.page`) it is one HTML page that loads nothing and runs no
script. Here is the geometry; the page itself and its words are in
``templates/gold_comparison.html.j2``. Each axis has its own scale: only the order of systems can be
compared, not the figures.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from evaluator.report.charts import share_axis
from evaluator.report.page import environment

MEASURES = ("f1", "precision", "recall")

_SIDE = 300.0  # of a panel
_LEFT, _TOP, _GAP, _BOTTOM = 56.0, 34.0, 84.0, 48.0
_LETTER, _LINE = 6.6, 13.0  # room that a name takes


class GoldMark(NamedTuple):
    """A system in a panel.

    Attributes
    ----------
    number, name
        Of the system; the number, from 0, decides on its colour.
    x, y
        Where its figures put it.
    across, up
        Ends of its intervals along both axes.
    label_x, label_y
        Where its name begins.
    """

    number: int
    name: str
    x: float
    y: float
    across: tuple[float, float]
    up: tuple[float, float]
    label_x: float
    label_y: float


class GoldPanel(NamedTuple):
    """One measure: its place, its ticks as (share, place), and the systems that have figures."""

    measure: str
    left: float
    right: float
    top: float
    bottom: float
    x_ticks: Sequence[tuple[float, float]]
    y_ticks: Sequence[tuple[float, float]]
    marks: Sequence[GoldMark]


def render_gold_comparison(told: Mapping[str, Any], *, distval: str) -> str:
    """Return what ``distval compare --gold --json`` tells as a self-contained HTML page."""
    panels = [_panel(told["systems"], place, measure) for place, measure in enumerate(MEASURES)]
    return (
        environment()
        .get_template("gold_comparison.html.j2")
        .render(
            distval=distval,
            told=told,
            panels=panels,
            width=panels[-1].right + _GAP,
            height=_TOP + _SIDE + _BOTTOM,
        )
    )


def _panel(systems: Mapping[str, Any], place: int, measure: str) -> GoldPanel:
    left = _LEFT + place * (_SIDE + _GAP)
    known = {
        name: (of["gold"][measure], of["distant"][measure])
        for name, of in systems.items()
        if of["gold"][measure]["value"] is not None and of["distant"][measure]["value"] is not None
    }
    limits = [
        share_axis(max((figures[side]["high"] for figures in known.values()), default=1.0))
        for side in range(2)
    ]

    def x(share: float) -> float:
        return left + _SIDE * share / limits[0][0]

    def y(share: float) -> float:
        return _TOP + _SIDE * (1 - share / limits[1][0])

    marks: list[GoldMark] = []
    for number, name in enumerate(systems):
        if name in known:
            gold, distant = known[name]
            at = x(gold["value"]), y(distant["value"])
            marks.append(
                GoldMark(
                    number,
                    name,
                    *at,
                    (x(gold["low"]), x(gold["high"])),
                    (y(distant["low"]), y(distant["high"])),
                    *_label(name, *at, marks),
                )
            )
    ticks = [[step * n for n in range(round(limit / step) + 1)] for limit, step in limits]
    return GoldPanel(
        measure,
        left,
        left + _SIDE,
        _TOP,
        _TOP + _SIDE,
        [(share, x(share)) for share in ticks[0]],
        [(share, y(share)) for share in ticks[1]],
        marks,
    )


def _label(name: str, x: float, y: float, placed: Sequence[GoldMark]) -> tuple[float, float]:
    """Return where a name begins: beside its point, above those that it would be written over."""
    left, baseline = x + 6.0, y - 5.0
    for other in sorted(placed, key=lambda mark: -mark.label_y):
        apart = left >= other.label_x + _LETTER * len(
            other.name
        ) or other.label_x >= left + _LETTER * len(name)
        if not apart and abs(baseline - other.label_y) < _LINE:
            baseline = other.label_y - _LINE
    return left, baseline

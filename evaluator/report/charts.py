"""The charts of reports, each a function of figures (:class:`evaluator.report.chart.Chart`).

Facts that are undefined have a hatch of their own everywhere; none is drawn as not correct.
"""

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from evaluator.estimators.sensitivity import Curve
from evaluator.intervals import Estimate
from evaluator.report.breakdowns import Breakdown, CurveStep
from evaluator.report.chart import COLOURS, MARKERS, SERIES, Chart, mark, short_name
from evaluator.report.figures import compact, count, percent, score
from evaluator.report.scores import ScoreHistogram

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_INK, _SOFT, _RULE, _WASH, _CARD = (COLOURS[c] for c in ("ink", "soft", "rule", "wash", "card"))
_S, _D, _G = (COLOURS[c] for c in "sdg")
_UNDEFINED: Mapping[str, Any] = {
    "facecolor": _WASH,
    "edgecolor": _SOFT,
    "hatch": "////",
    "linewidth": 0.8,
}
_NAME = 26  # characters that a line of a narrow chart has room for


# --- dots and intervals -------------------------------------------------------------------------


class DotRow(NamedTuple):
    """A row of a chart of dots: the first figure is the one to read.

    Attributes
    ----------
    name
        Of the row.
    figures
        By kind, from the most prominent on: "alone", or "labels" above "annotator".
    bounds
        Least and greatest value over all ways to judge undefined facts.
    truth
        Where it is known.
    """

    name: str
    figures: Mapping[str, Estimate]
    bounds: tuple[float, float] | None = None
    truth: float | None = None


def dot_chart(
    name: str,
    title: str,
    rows: Sequence[DotRow],
    *,
    axis: tuple[float, float],
    places: int,
    about: str,
    of: str = "system",
) -> Chart:
    """Return a chart of shares with their intervals.

    Parameters
    ----------
    name, title, about
        As for :class:`Chart`.
    rows
        From top to bottom.
    axis
        Its end and the step of its ticks (:func:`share_axis`).
    places
        Decimals of a per cent.
    of
        What a row is.
    """
    limit, step = axis
    most = max((len(row.figures) for row in rows), default=1)
    pitch, apart = 38 + 14 * (most - 1), 14
    size = (300.0, 34.0 + pitch * len(rows))

    def draw(figure: "Figure") -> None:
        axes = _axes(figure, size, left=10, right=14, bottom=24, top=4)
        axes.set_xlim(0, limit)
        axes.set_ylim(pitch * len(rows), 0)
        _percents(axes.xaxis, limit, step)
        axes.set_yticks([])
        axes.spines["left"].set_visible(False)
        axes.grid(axis="x")
        for number, row in enumerate(rows):
            top = pitch * number
            across = axes.get_yaxis_transform()
            first = next(iter(row.figures.values()))
            axes.text(
                0, top + 9, short_name(row.name, _NAME), weight="bold", va="center",
                transform=across,
            )  # fmt: skip
            axes.text(
                1, top + 9, _reading(first, places), ha="right", va="center", fontsize=9,
                transform=across,
            )  # fmt: skip
            foot = top + 26 + apart * (len(row.figures) - 1)
            if row.bounds is not None:
                low, high = (min(max(end, 0.0), limit) for end in row.bounds)
                axes.barh(
                    foot, high - low, 10, low, color=_INK, alpha=0.14, gid=mark("bounds"), zorder=1
                )
                if row.bounds[1] > limit:
                    axes.plot(
                        [limit], [foot], ">", color=_SOFT, markersize=5, clip_on=False,
                        gid=mark("beyond"),
                    )  # fmt: skip
            for place, (kind, figure_) in reversed([*enumerate(row.figures.items())]):
                _dot(axes, figure_, top + 26 + apart * place, kind)
            if row.truth is not None:
                axes.plot(
                    [row.truth] * 2, [top + 18, foot + 8], color=_G, linewidth=2.5,
                    solid_capstyle="round", gid=mark("truth"), zorder=4,
                )  # fmt: skip

    columns = [of]
    for kind in dict.fromkeys(kind for row in rows for kind in row.figures):
        prefix = "" if kind == "alone" else f"{kind} "
        columns += [f"{prefix}{part}" for part in ("value", "low", "high", "n")]
    columns += ["bounds low", "bounds high", "truth"]
    table = [
        [
            row.name,
            *(x for f in row.figures.values() for x in (f.value, f.low, f.high, f.n)),
            *(row.bounds or (None, None)),
            row.truth,
        ]
        for row in rows
    ]
    return Chart(name, title, about, columns, table, size, draw)


def _dot(axes: "Axes", figure: Estimate, y: float, kind: str) -> None:
    colour, face = (_SOFT, _CARD) if kind == "annotator" else (_S, _S)
    if figure.low is not None and figure.high is not None:
        axes.errorbar(
            [(figure.low + figure.high) / 2], [y], xerr=[(figure.high - figure.low) / 2],
            fmt="none", ecolor=colour, elinewidth=1.4, capsize=3.5, capthick=1.4, zorder=2,
        )  # fmt: skip
    if figure.value is not None:
        axes.plot(
            [figure.value], [y], "o", color=colour, markerfacecolor=face, markersize=6,
            markeredgewidth=1.3, gid=mark(f"dot {kind}"), clip_on=False, zorder=3,
        )  # fmt: skip


def _reading(figure: Estimate, places: int) -> str:
    if figure.value is None:
        return "not estimable"
    told = percent(figure.value, places)
    if figure.all_judged:
        return f"{told}  all judged"
    if figure.low is None or figure.high is None:
        return told
    return f"{told}  [{percent(figure.low, places, '')}, {percent(figure.high, places, '')}]"


def share_axis(limit: float, outer: float = 0.0) -> tuple[float, float]:
    """Return the end of an axis of shares, and the step of its ticks.

    Parameters
    ----------
    limit
        The largest share that must be on it.
    outer
        One that may be, as long as it does not press the others into a corner.
    """
    if limit < outer <= 2.5 * limit:
        limit = outer
    limit = min(max(limit, 1e-4), 1.0)
    unit = 10.0 ** math.floor(math.log10(limit))
    step = next(
        factor * unit for factor in (0.2, 0.25, 0.5, 1.0, 2.0, 2.5) if factor * unit * 5 >= limit
    )
    return min(math.ceil(limit / step - 1e-9) * step, 1.0), step


# --- the regions --------------------------------------------------------------------------------


class RegionSizes(NamedTuple):
    """The numbers of facts that a Venn diagram of a system shows.

    Attributes
    ----------
    regions
        a, b, c and d.
    extracted
        |S|.
    stated
        |G|, as far as it is known.
    not_correct
        Facts of S that were judged so.
    undefined, undefined_candidates
        Facts of S, and candidates outside S, that the text cannot decide; None where people were
        asked about them.
    """

    regions: Mapping[str, Estimate]
    extracted: int
    stated: float | None
    not_correct: float | None
    undefined: Estimate | None
    undefined_candidates: Estimate | None


def venn_chart(name: str, system: str, of: RegionSizes) -> Chart:
    """Return the paper's Figure 1: S, D and G. S and D meet inside G only (paper, section 2.1)."""
    size = (420.0, 344.0)

    def draw(figure: "Figure") -> None:
        from matplotlib.patches import Circle, Ellipse

        axes = figure.add_axes((0, 0, 1, 1))
        axes.set_xlim(0, size[0])
        axes.set_ylim(size[1], 0)
        axes.set_axis_off()

        def text(x: float, y: float, told: str, **style: Any) -> None:
            axes.text(x, y, told, **{"ha": "center", "va": "baseline", **style})

        small = {"fontsize": 9, "color": _SOFT}
        for kind, colour, x, y, radius in (
            ("g", _G, 210, 182, 134),
            ("s", _S, 140, 126, 104),
            ("d", _D, 280, 126, 104),
        ):
            axes.add_patch(Circle((x, y), radius, facecolor=colour, alpha=0.12, edgecolor="none"))
            axes.add_patch(
                Circle(
                    (x, y), radius, fill=False, edgecolor=colour, lw=1.6, gid=mark(f"set {kind}")
                )
            )
        for undefined, x, y in ((of.undefined, 82, 172), (of.undefined_candidates, 296, 283)):
            if undefined is not None and undefined.value:
                axes.add_patch(
                    Ellipse(
                        (x, y), 84, 44, linestyle="--", gid=mark("undefined-region"), **_UNDEFINED
                    )
                )
                axes.add_patch(Ellipse((x, y), 66, 32, facecolor=_WASH, edgecolor="none"))
                text(x, y - 1, compact(undefined.value), weight="bold", fontsize=11)
                text(x, y + 11, "undefined", **small)
        for region, x, y in (("a", 136, 112), ("b", 210, 106), ("c", 287, 112), ("d", 210, 246)):
            found = of.regions[region]
            text(x, y, region, style="italic", family="DejaVu Serif", weight="bold", fontsize=14)
            if found.value is None:
                text(x, y + 17, "not estimable", **small)
                continue
            text(x, y + 18, compact(found.value), weight="bold", fontsize=12)
            text(x, y + 32, _facts_interval(found), **small)
        if of.not_correct is not None:
            text(84, 76, compact(of.not_correct), weight="bold", fontsize=11, color=_SOFT)
            text(84, 89, "not correct", **small)
        stated = [f"about {compact(of.stated)}"] if of.stated else []
        for sign, colour, x, y, side, lines in (
            ("S", _S, 4, 22, "left", ["extracted", compact(of.extracted)]),
            ("D", _D, 416, 22, "right", ["knowledge", "base"]),
            (
                "G", _G, 4, 300, "left",
                ["stated by", "the corpus", *stated],
            ),
        ):  # fmt: skip
            text(x, y, sign, ha=side, color=colour, weight="bold", fontsize=16)
            for place, line in enumerate(lines):
                text(x, y + 14 + 12 * place, line, ha=side, **small)

    rows: list[list[object]] = [
        [region, f.value, f.low, f.high, f.n] for region, f in of.regions.items()
    ]
    rows.append(["not correct", of.not_correct, None, None, None])
    for told, found in (
        ("undefined, extracted", of.undefined),
        ("undefined, candidate", of.undefined_candidates),
    ):
        if found is not None:
            rows.append([told, found.value, found.low, found.high, found.n])
    return Chart(
        name,
        f"Regions of {system}",
        f"Venn diagram of S, D and G for {system} with the sizes of regions a to d.",
        ["region", "facts", "low", "high", "n"],
        rows,
        size,
        draw,
    )


def _facts_interval(figure: Estimate) -> str:
    if figure.low is None or figure.high is None:
        return "no interval"
    if figure.all_judged:
        return "all judged"
    return f"[{compact(figure.low)}, {compact(figure.high)}]"


# --- scores -------------------------------------------------------------------------------------


def score_chart(name: str, system: str, word: str, of: ScoreHistogram) -> Chart:
    """Return the distribution of scores; facts that its axis cannot show stand beside it.

    Parameters
    ----------
    name, system
        Of the chart, and whose facts these are.
    word
        What a score is: "PMI" or "probability".
    of
        The counts.
    """
    size = (420.0, 190.0)
    aside = [(told, facts) for told, facts, _ in of.shares if told in ("undefined", "zero")]

    def draw(figure: "Figure") -> None:
        wide = 34 * len(aside)
        left = _axes(figure, size, left=44, right=size[0] - 44 - wide, bottom=34, top=20)
        axes = _axes(figure, size, left=44 + wide + 10, right=10, bottom=34, top=20)
        peak = max([of.peak, *(facts for _, facts in aside)]) or 1
        for one in (left, axes):
            one.set_ylim(0, peak)
            one.set_yticks([])
            one.spines["left"].set_visible(False)
        left.set_yticks([0, peak], ["0", compact(peak)])
        left.tick_params(axis="y", labelcolor=_SOFT)
        for place, (told, facts) in enumerate(aside):
            style = _UNDEFINED if told == "undefined" else {"color": _RULE}
            left.bar(place, facts, 0.72, gid=mark(told), **style)
        left.set_xlim(-0.5, len(aside) - 0.5)
        left.set_xticks(
            range(len(aside)), ["undef." if told == "undefined" else told for told, _ in aside]
        )
        if of.logarithmic:
            axes.set_xscale("log")
        lows, highs = ([getattr(bar, end) for bar in of.bars] for end in ("low", "high"))
        axes.set_xlim(lows[0], highs[-1])
        axes.bar(
            lows, [bar.facts for bar in of.bars], np.subtract(highs, lows), align="edge",
            color=[_S if bar.accepted else _SOFT for bar in of.bars], edgecolor=_CARD, linewidth=1,
        )  # fmt: skip
        axes.set_xticks(of.ticks, [score(tick) for tick in of.ticks])
        axes.set_xticks([], minor=True)
        axes.set_xlabel(f"{word}{' above zero' if of.logarithmic else ''}")
        if of.threshold is not None:
            axes.axvline(of.threshold, color=_INK, linestyle="--", linewidth=1.3)
            at_end = axes.transData.transform((of.threshold, 0))[0] > 0.82 * size[0]
            axes.text(
                of.threshold, peak * 1.03, f"t = {score(of.threshold)}", weight="bold",
                ha="right" if at_end else "center", gid=mark("threshold"),
            )  # fmt: skip

    told = {"below": "below t", "accepted": "t or more"}
    rows: list[list[object]] = [[told.get(n, n), None, None, facts] for n, facts, _ in of.shares]
    rows += [["bar", bar.low, bar.high, bar.facts] for bar in of.bars if bar.facts]
    return Chart(
        name,
        f"{word[0].upper()}{word[1:]} of {count(of.total)} judged "
        f"fact{'s' if of.total != 1 else ''} that the knowledge base does not decide",
        f"Histogram of the {word} of the facts of {system}, with the threshold and with the facts "
        "whose score is undefined.",
        ["part", "from", "below", "facts"],
        rows,
        size,
        draw,
    )


# --- from sentences to judged facts -------------------------------------------------------------


class FunnelStep(NamedTuple):
    """What is left after a step, and what the step took away.

    Attributes
    ----------
    label
        What is left.
    unit
        What is counted: bars of one unit share their scale.
    kept
        How many.
    lost
        Why the others went.
    """

    label: str
    unit: str
    kept: int
    lost: str = ""


def funnel_chart(name: str, system: str, steps: Sequence[FunnelStep]) -> Chart:
    """Return what became of sentences, records and facts, step by step."""
    pitch = 34
    size = (420.0, 8.0 + pitch * len(steps))
    before = [
        other.kept if number and other.unit == step.unit else step.kept
        for number, (step, other) in enumerate(zip(steps, [steps[0], *steps], strict=False))
    ]
    first: dict[str, int] = {}
    for step in steps:
        first.setdefault(step.unit, step.kept)

    def draw(figure: "Figure") -> None:
        axes = figure.add_axes((0, 0, 1, 1))
        axes.set_xlim(0, size[0])
        axes.set_ylim(size[1], 0)
        axes.set_axis_off()
        for number, (step, earlier) in enumerate(zip(steps, before, strict=True)):
            y, wide = 8 + pitch * number, (size[0] - 4) / max(first[step.unit], 1)
            axes.text(2, y + 5, f"{step.label}: {count(step.kept)}", va="center")
            if earlier > step.kept:
                axes.text(
                    size[0] - 2, y + 5, f"−{count(earlier - step.kept)} {step.lost}", ha="right",
                    va="center", color=_SOFT, fontsize=9,
                )  # fmt: skip
            axes.barh(y + 19, wide * earlier, 11, 2, color=_RULE)
            axes.barh(y + 19, wide * step.kept, 11, 2, color=_S, gid=mark("kept"))

    rows = [
        [step.label, step.unit, step.kept, earlier - step.kept, step.lost]
        for step, earlier in zip(steps, before, strict=True)
    ]
    return Chart(
        name,
        "From sentences to judged facts"
        if "sentences" in first
        else "From records to judged facts",
        f"What became of the output of {system}, step by step; the table beside it says why.",
        ["step", "unit", "left", "lost", "why"],
        rows,
        size,
        draw,
    )


# --- where the evidence came from ---------------------------------------------------------------

_SHADES: Mapping[str, Mapping[str, Any]] = {
    "knowledge base": {"facecolor": _D},
    "all three near each other in a document": {"facecolor": _S},
    "only the two entities in a document": {"facecolor": COLOURS["series5"]},
    "no document with both entities": {"facecolor": _RULE},
    "no relation word, or negated": {"facecolor": _SOFT},
    "undefined": _UNDEFINED,
    "not judged": {"facecolor": _CARD, "edgecolor": _SOFT, "linewidth": 0.8},
}


def source_chart(of: Mapping[str, Mapping[str, Mapping[str, int]]]) -> Chart:
    """Return where the evidence on each system's facts came from.

    Parameters
    ----------
    of
        By system, source and verdict, facts (:data:`evaluator.report.breakdowns.SOURCES`).
    """
    size = (420.0, 76.0 + 36 * len(of))
    parts = {system: _parts_of(sources) for system, sources in of.items()}

    def draw(figure: "Figure") -> None:
        from matplotlib.patches import Patch

        axes = _axes(figure, size, left=10, right=12, bottom=20, top=54)
        axes.set_xlim(0, 1)
        axes.set_ylim(36 * len(of), 0)
        axes.set_yticks([])
        axes.spines["left"].set_visible(False)
        _percents(axes.xaxis, 1.0, 0.25)
        for number, (system, shares) in enumerate(parts.items()):
            total, left = sum(shares.values()) or 1, 0.0
            axes.text(
                0, 36 * number + 9, f"{short_name(system, 40)}", weight="bold", va="center",
                transform=axes.get_yaxis_transform(),
            )  # fmt: skip
            for kind, facts in shares.items():
                share = facts / total
                style = {"edgecolor": _CARD, "linewidth": 0.6, **_SHADES[kind]}
                axes.barh(36 * number + 24, share, 13, left, **style)
                left += share
        used = [kind for kind in _SHADES if any(kind in shares for shares in parts.values())]
        figure.legend(
            [Patch(**_SHADES[kind]) for kind in used], used, loc="upper left", ncols=2,
            bbox_to_anchor=(0.02, 1), columnspacing=1.2, handlelength=1.1, handleheight=0.9,
        )  # fmt: skip

    rows = [
        [system, source, verdict, facts]
        for system, sources in of.items()
        for source, verdicts in sources.items()
        for verdict, facts in verdicts.items()
    ]
    return Chart(
        "sources",
        "Where the evidence came from, in shares of facts",
        "Shares of each system's facts by where the evidence on them came from; undefined facts "
        "are a part of their own.",
        ["system", "source", "verdict", "facts"],
        rows,
        size,
        draw,
    )


def _parts_of(sources: Mapping[str, Mapping[str, int]]) -> dict[str, int]:
    """Return the parts of a bar: sources, with the undefined facts of all apart."""
    undefined = sum(verdicts.get("undefined", 0) for verdicts in sources.values())
    parts = {
        source: sum(verdicts.values()) - verdicts.get("undefined", 0)
        for source, verdicts in sources.items()
    }
    parts["undefined"] = undefined
    return {kind: parts[kind] for kind in _SHADES if parts.get(kind)}


# --- lines: confidences, classes and settings ----------------------------------------------------


def confidence_chart(of: Mapping[str, Sequence[CurveStep]], *, relative: str) -> Chart:
    """Return precision and recall of each system as its confidence is asked to be higher.

    Parameters
    ----------
    of
        The curves, by system.
    relative
        What the verdicts rest on, for the description.
    """
    size = (420.0, 330.0)
    most = max((s.recall or 0.0 for steps in of.values() for s in steps), default=0.0)
    axis = share_axis(most)

    def draw(figure: "Figure") -> None:
        axes = _axes(figure, size, left=48, right=12, bottom=38, top=30 + 14 * (len(of) // 3))
        axes.set_xlim(0, axis[0])
        axes.set_ylim(0, 1.02)
        axes.grid()
        _percents(axes.xaxis, *axis)
        _percents(axes.yaxis, 1.0, 0.25)
        axes.set_xlabel("recall within G′")
        axes.set_ylabel("precision")
        for number, (system, steps) in enumerate(of.items()):
            points = [
                (s.recall, s.precision.value)
                for s in steps
                if s.precision.value is not None and s.recall is not None
            ]
            if not points:
                continue
            _line(axes, number, *zip(*points, strict=True), label=system, gid="curve")
            axes.plot(*points[-1], _marker(number), color=_colour(number), markersize=6)
        _legend(figure, axes)

    rows = [
        [
            system,
            s.confidence,
            s.facts,
            s.precision.value,
            s.precision.low,
            s.precision.high,
            s.recall,
        ]
        for system, steps in of.items()
        for s in steps
    ]
    return Chart(
        "confidences",
        "Precision and recall by confidence",
        f"Precision against recall of each system, {relative}, as the least confidence that is "
        "taken falls; the mark at the end of a line is all that the system says.",
        ["system", "confidence", "facts", "precision", "low", "high", "recall"],
        rows,
        size,
        draw,
    )


def class_chart(name: str, title: str, of: Mapping[str, Breakdown], *, axis_label: str) -> Chart:
    """Return the precision of each system by classes that have an order, with intervals."""
    classes = list(dict.fromkeys(group.name for broken in of.values() for group in broken.groups))
    size = (420.0, 230.0)

    def draw(figure: "Figure") -> None:
        axes = _axes(figure, size, left=48, right=8, bottom=38, top=30 + 14 * (len(of) // 4))
        axes.set_xlim(-0.5, len(classes) - 0.5)
        axes.set_ylim(0, 1.02)
        axes.grid(axis="y")
        axes.set_xticks(range(len(classes)), classes)
        _percents(axes.yaxis, 1.0, 0.25)
        axes.set_xlabel(axis_label)
        for number, (system, broken) in enumerate(of.items()):
            shift = (number - (len(of) - 1) / 2) * min(0.13, 0.7 / len(of))
            for group in broken.groups:
                x, found = classes.index(group.name) + shift, group.precision
                if found.value is None or found.low is None or found.high is None:
                    continue
                axes.errorbar(
                    [x], [(found.low + found.high) / 2], yerr=[(found.high - found.low) / 2],
                    fmt="none", ecolor=_colour(number), elinewidth=1.2, capsize=2,
                )  # fmt: skip
                axes.plot(
                    [x], [found.value], _marker(number), color=_colour(number), markersize=5,
                    label=system, gid=mark("dot class"),
                )  # fmt: skip
        _legend(figure, axes)

    rows = [
        [system, group.name, group.counts.facts, group.precision.n, *group.precision[:3]]
        for system, broken in of.items()
        for group in (*broken.groups, *([broken.others] if broken.others else []))
    ]
    return Chart(
        name,
        title,
        f"{title}, of each system, with intervals.",
        ["system", "class", "facts", "n", "precision", "low", "high"],
        rows,
        size,
        draw,
    )


def sensitivity_charts(curves: Sequence[Curve], titles: Mapping[str, str]) -> list[Chart]:
    """Return how the measures of each system move along parameters, a chart for each of both.

    Parameters
    ----------
    curves
        One a parameter. The charts of a measure share their axis of shares.
    titles
        What each measure is called.
    """
    made = []
    for measure, title in titles.items():
        found = {curve.name: _along(curve, measure) for curve in curves}
        ends = [f[2] for of in found.values() for line in of.values() for _, f in line if f]
        axis = share_axis(max((end for end in ends if end is not None), default=1.0))
        made += [_sensitivity(curve, measure, title, found[curve.name], axis) for curve in curves]
    return made


type _Along = Mapping[str, Sequence[tuple[float, Estimate | None]]]


def _along(curve: Curve, measure: str) -> _Along:
    """Return by system the figures along a parameter; None where nothing can be estimated."""

    def known(of: object) -> Estimate | None:
        figure: Estimate | None = getattr(of, measure)
        return None if figure is None or figure.value is None else figure

    return {
        system: [(point.value, known(point.systems[system])) for point in curve.points]
        for system in curve.points[0].systems
    }


def _sensitivity(
    curve: Curve, measure: str, title: str, found: _Along, axis: tuple[float, float]
) -> Chart:
    size = (300.0, 206.0 + 14 * -(-len(found) // 3))

    def draw(figure: "Figure") -> None:
        axes = _axes(figure, size, left=44, right=10, bottom=36, top=16 + 14 * -(-len(found) // 3))
        if curve.parameter.scale != "linear":
            # A distance may be 0, a threshold may not.
            axes.set_xscale("symlog" if curve.name == "x" else "log")
        ticks = [point.value for point in curve.points][:: -(-len(curve.points) // 6)]
        axes.set_xticks(ticks, list(map(score, ticks)))
        axes.set_xticks([], minor=True)
        axes.set_ylim(0, 1.03 * axis[0])
        axes.grid(axis="y")
        _percents(axes.yaxis, *axis)
        axes.set_xlabel(curve.parameter.label)
        at: Mapping[str, Any] = {"color": _INK, "linestyle": ":", "linewidth": 1}
        axes.axvline(curve.configured, gid=mark("configured"), **at)
        for number, (system, line) in enumerate(found.items()):
            xs = [value for value, _ in line]
            values, lows, highs = np.array(
                [f[:3] if f else (None,) * 3 for _, f in line], np.float64
            ).T
            # A line has a gap where nothing can be estimated.
            axes.fill_between(xs, lows, highs, color=_colour(number), alpha=0.13, linewidth=0)
            _line(axes, number, xs, values, label=system, gid="curve", dots=True)
        _legend(figure, axes)

    rows = [
        [system, value, *(f[:3] if f else (None,) * 3), f and f.n]
        for system, line in found.items()
        for value, f in line
    ]
    return Chart(
        f"sensitivity-{curve.name}-{measure}",
        title,
        f"{title} of each system by {curve.parameter.label}; the run is at "
        f"{score(curve.configured)}.",
        ["system", curve.name, "value", "low", "high", "n"],
        rows,
        size,
        draw,
    )


class LinePlot(NamedTuple):
    """One curve, and what it is to be compared with.

    Attributes
    ----------
    points
        The curve.
    across, up
        What its axes are.
    ends
        Of the axis across, and of the one up.
    band
        (x, low, high) of its interval.
    reference
        Points of a line to compare it with.
    dots
        Whether its points are few enough to be told apart.
    chosen
        A place along the axis across, and the ends of its interval.
    """

    points: Sequence[tuple[float, float]]
    across: str
    up: str
    ends: tuple[tuple[float, float], tuple[float, float]] = ((0.0, 1.0), (0.0, 1.0))
    band: Sequence[tuple[float, float, float]] = ()
    reference: Sequence[tuple[float, float]] = ()
    dots: bool = False
    chosen: tuple[float, float, float] | None = None


def line_chart(name: str, title: str, about: str, of: LinePlot) -> Chart:
    """Return the chart of one curve."""
    size = (260.0, 250.0)

    def draw(figure: "Figure") -> None:
        axes = _axes(figure, size, left=46, right=10, bottom=38, top=8)
        for axis, (first, last), label in zip(
            (axes.xaxis, axes.yaxis), of.ends, (of.across, of.up), strict=True
        ):
            ticks = [first + (last - first) * quarter / 4 for quarter in range(5)]
            axis.set_ticks(ticks, list(map(score, ticks)))
            axis.set_label_text(label)
        axes.set_xlim(*of.ends[0])
        axes.set_ylim(of.ends[1][0], of.ends[1][1] + 0.02 * (of.ends[1][1] - of.ends[1][0]))
        axes.grid(axis="y")
        if of.chosen is not None:
            axes.axvspan(*of.chosen[1:], color=_D, alpha=0.14, linewidth=0)
            axes.axvline(of.chosen[0], color=_D, linestyle="--", linewidth=1.2, gid=mark("chosen"))
        if of.reference:
            xs, ys = zip(*of.reference, strict=True)
            axes.plot(xs, ys, color=_SOFT, linestyle=":", linewidth=1)
        if of.band:
            xs, lows, highs = zip(*of.band, strict=True)
            axes.fill_between(xs, lows, highs, color=_colour(0), alpha=0.14, linewidth=0)
        if of.points:
            _line(axes, 0, *zip(*of.points, strict=True), label="", gid="line", dots=of.dots)

    columns = [of.across, of.up]
    return Chart(name, title, about, columns, of.points, size, draw)


class CrossRow(NamedTuple):
    """A system by two measurements, each (value, low, high)."""

    name: str
    across: tuple[float, float, float]
    up: tuple[float, float, float]


def cross_chart(
    name: str, title: str, about: str, rows: Sequence[CrossRow], *, across: str, up: str
) -> Chart:
    """Return systems by two measurements, with the intervals of both; each has its own scale.

    Parameters
    ----------
    name, title, about
        As for :class:`Chart`.
    rows
        The systems.
    across, up
        What the two measurements are.
    """
    size = (300.0, 296.0 + 14 * -(-len(rows) // 3))
    ends = [
        share_axis(max((of[2] for of in side), default=1.0))
        for side in ([row.across for row in rows], [row.up for row in rows])
    ]

    def draw(figure: "Figure") -> None:
        axes = _axes(figure, size, left=50, right=10, bottom=38, top=18 + 14 * -(-len(rows) // 3))
        axes.set_xlim(0, ends[0][0])
        axes.set_ylim(0, ends[1][0])
        axes.grid()
        _percents(axes.xaxis, *ends[0])
        _percents(axes.yaxis, *ends[1])
        axes.set_xlabel(across)
        axes.set_ylabel(up)
        for number, row in enumerate(rows):
            (x, left, right), (y, low, high) = row.across, row.up
            bars: Mapping[str, Any] = {"color": _colour(number), "linewidth": 1.2, "alpha": 0.6}
            axes.plot([left, right], [y, y], **bars)
            axes.plot([x, x], [low, high], **bars)
            axes.plot(
                [x], [y], _marker(number), color=_colour(number), markersize=6, label=row.name,
                gid=mark("dot cross"), clip_on=False,
            )  # fmt: skip
        _legend(figure, axes)

    table = [[row.name, *row.across, *row.up] for row in rows]
    columns = ["system", *(f"{side} {end}" for side in (across, up) for end in ("", "low", "high"))]
    return Chart(name, title, about, [column.strip() for column in columns], table, size, draw)


def _line(
    axes: "Axes", number: int, xs: Any, ys: Any, *, label: str, gid: str,
    dots: bool = False,
) -> None:  # fmt: skip
    """Draw a system's line: colour, dashes and mark are its own."""
    dashes = ["-", (0, (5, 2)), (0, (1, 1.4)), (0, (6, 2, 1, 2))][number // len(SERIES) % 4]
    axes.plot(
        xs, ys, linestyle=dashes, color=_colour(number), label=label, gid=mark(gid),
        marker=_marker(number) if dots else "", markersize=4.5,
    )  # fmt: skip


def _colour(number: int) -> str:
    return COLOURS[SERIES[number % len(SERIES)]]


def _marker(number: int) -> str:
    return MARKERS[number % len(MARKERS)]


def _legend(figure: "Figure", axes: "Axes") -> None:
    """Name the systems above the axes, where there are several."""
    handles = {name: handle for handle, name in zip(*axes.get_legend_handles_labels(), strict=True)}
    if len(handles) > 1:
        names = [short_name(name, 16) for name in handles]
        figure.legend(
            list(handles.values()), names, loc="upper left", ncols=3, bbox_to_anchor=(0.01, 1),
            columnspacing=1.2,
        )  # fmt: skip


# --- parts ---------------------------------------------------------------------------------------


def _axes(
    figure: "Figure", size: tuple[float, float], *, left: float, right: float, bottom: float,
    top: float,
) -> "Axes":  # fmt: skip
    """Return axes with margins in points."""
    width, height = size
    return figure.add_axes(
        (
            left / width,
            bottom / height,
            (width - left - right) / width,
            (height - bottom - top) / height,
        )
    )


def _percents(axis: Any, limit: float, step: float) -> None:
    ticks = [step * number for number in range(round(limit / step) + 1)]
    axis.set_ticks(ticks, [f"{score(100 * tick)} %" for tick in ticks])

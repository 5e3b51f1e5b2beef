"""The report of a run: one HTML page that needs nothing beside itself.

This module turns a result (:mod:`evaluator.results.result`) into what a page shows: figures as
text, and the geometry of the three kinds of figure: dots with intervals, the Venn diagram of the
paper's Figure 1, the distribution of scores (:mod:`evaluator.report.scores`). The page itself, its
style and its words are in ``templates/report.html.j2``. It loads nothing, runs no script, and is a
function of its input: the same result gives the same bytes.

Nothing is called precision or recall by itself that rests on the automatic annotator alone: such a
page says "annotator-relative" wherever it names a measure. With human labels the headline figures
are those that the labels give (:mod:`evaluator.report.labels`), and the annotator-relative ones
stand beside them. Where facts were given without their corpus, the page shows precision and says
why there is no recall, instead of empty charts.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
from jinja2 import Environment, PackageLoader, StrictUndefined

from evaluator.errors import InputError
from evaluator.estimators import methods
from evaluator.estimators.regions import Regions
from evaluator.intervals import Estimate
from evaluator.report import figures as report_figures
from evaluator.report.annotator import ShownAnnotator
from evaluator.report.figures import falling
from evaluator.report.labels import LabelledSystem, People, apart, known, remarks
from evaluator.report.parts import ShownFact, moved, start
from evaluator.report.scores import ScoreHistogram, histogram
from evaluator.results.result import Account, Result, SystemResult, Truth


def render_report(
    result: Result,
    verdicts: Mapping[str, Mapping[str, Sequence[ShownFact]]],
    scores: Mapping[str, Sequence[float | None]],
) -> str:
    """Return the report of a run as a self-contained HTML page.

    Parameters
    ----------
    result
        The result.
    verdicts
        By system, the facts to show: ``{"strongest": [...], "weakest": [...]}``.
    scores
        By system, the scores of its sampled facts that the knowledge base does not decide. None
        and NaN stand for undefined.

    Raises
    ------
    InputError
        Where `result` evaluates no system.
    """
    if not result.systems:
        raise InputError("result", "evaluates no system")
    try:
        judge = ShownAnnotator.read(result.annotator, result.settings)
    except KeyError as missing:
        raise InputError("result", f"has no {missing}: was it made by another version?") from None
    systems = [
        _system(
            name,
            content,
            number=number,
            measures=result.measures,
            verdicts=verdicts.get(name, {}),
            scores=scores.get(name, ()),
            judge=judge,
            truth=(result.truth or {}).get(name),
        )
        for number, (name, content) in enumerate(result.systems.items(), start=1)
    ]
    return (
        environment()
        .get_template("report.html.j2")
        .render(
            distval=result.distval,
            name=result.name,
            signature=result.signature,
            annotator_relative=result.annotator_relative,
            order=result.order,
            recall_within=result.recall_within,
            judge=judge,
            labels=People.read(result.labels),
            budget=result.budget,
            corpus=result.corpus,
            knowledge_base=result.knowledge_base,
            matching=result.matching,
            index=result.index,
            settings=_by_section(result.settings),
            rejects={
                source: falling(reasons) for source, reasons in result.rejects.items() if reasons
            },
            made=bool(result.truth),
            systems=systems,
            panels=[_panel(measure, systems) for measure in result.measures],
            # The paper's estimator samples all of G', of which S is a part.
            all_candidates=result.settings.get("estimate.method") == "paper",
            estimators=_estimators(result),
            unsure=[s.name for s in systems if s.world and s.world.few_labels],
            places=_places(systems),
            levels=_levels(systems),
        )
    )


class Method(NamedTuple):
    """What an estimator that made a figure says of itself."""

    name: str
    description: str
    assumptions: Sequence[str]
    formula: str
    source: str


def _estimators(result: Result) -> list[Method]:
    """Return the estimators of a result; without a corpus what they say of G′ is left out."""

    def parts(texts: Iterable[str]) -> list[str]:
        return [text for text in texts if result.corpus or "G′" not in text]

    names = [system.estimator for system in result.systems.values()]
    if result.labels:
        names.append(result.labels.estimator)
    return [
        Method(
            name,
            "; ".join(parts(of.DESCRIPTION.split("; "))),
            parts(of.ASSUMPTIONS),
            "; ".join(parts(of.FORMULA.split("; "))),
            of.SOURCE,
        )
        for name in dict.fromkeys(names)
        if (of := methods().get(name))
    ]


class System(NamedTuple):
    """One system as the page shows it; without a corpus it has no recall, F, c and d.

    Measures and regions are annotator-relative; `world` and `sentence` are what human labels tell,
    of truth in the world and of what the facts' sentences state. Undefined facts are neither in a
    region nor among the rejected ones. `withheld` has by measure why it does not lead.
    """

    number: int
    name: str
    facts: int
    outside_candidates: int | None
    measures: Mapping[str, Estimate]
    bounds: Mapping[str, tuple[float, float] | None]
    truth: Mapping[str, float | None]
    regions: Mapping[str, Estimate]
    world: LabelledSystem | None
    sentence: LabelledSystem | None
    withheld: Mapping[str, str | None]
    undefined: Mapping[str, Estimate]
    undefined_facts: Mapping[str, Estimate]
    rejected: Estimate
    steps: Sequence["Step"]
    histogram: ScoreHistogram | None
    verdicts: Mapping[str, Sequence[ShownFact]]
    notes: Sequence[str]

    @property
    def headline(self) -> Mapping[str, Estimate]:
        """The measures to show first: with labels where there are some."""
        return self.world.measures if self.world else self.measures

    @property
    def headline_regions(self) -> Mapping[str, Estimate]:
        """The regions that go with the headline."""
        return self.world.regions if self.world else self.regions

    @property
    def answers(self) -> Mapping[str, LabelledSystem]:
        """What labels tell, by the question that they answer."""
        told = {"true in the world": self.world, "stated by its sentence": self.sentence}
        return {question: answer for question, answer in told.items() if answer}

    @property
    def remarks(self) -> list[str]:
        """What to know of the estimates with labels, a sentence each."""
        return remarks(self.answers)

    @property
    def sizes(self) -> Regions | None:
        """Point estimates of the headline's regions, or None where one is not estimable."""
        regions = self.headline_regions.values()
        known = [figure.value for figure in regions if figure.value is not None]
        return Regions(*known) if len(known) == len(Regions._fields) else None

    @property
    def counts(self) -> dict[str, Estimate]:
        """The annotator-relative numbers of facts by the name that the page gives them."""
        return {
            **self.regions,
            "not correct": self.rejected,
            **{f"undefined, {where}": figure for where, figure in self.undefined_facts.items()},
        }

    @property
    def figures(self) -> dict[str, Estimate]:
        """Every annotator-relative estimate by the name that the page gives it."""
        return {
            **self.measures,
            **self.counts,
            **{f"undefined share, {where}": figure for where, figure in self.undefined.items()},
        }

    @property
    def not_correct(self) -> float | None:
        """Facts of S to draw as not correct: of what labels tell, or rejected by the annotator."""
        if self.world is None:
            return self.rejected.value
        return None if self.sizes is None else self.facts - self.sizes.correct

    @property
    def undecided(self) -> str | None:
        """Why no measure leads, where that is one reason for all; None where some may."""
        reasons = set(self.withheld.values())
        return reasons.pop() if len(reasons) == 1 else None


def _system(
    name: str,
    of: SystemResult,
    *,
    number: int,
    measures: Sequence[str],
    verdicts: Mapping[str, Sequence[ShownFact]],
    scores: Sequence[float | None],
    judge: ShownAnnotator,
    truth: Truth | None,
) -> System:
    corpus = "recall" in measures
    regions = "abcd" if corpus else "ab"
    strata = ("system", "candidates") if corpus else ("system",)
    sentence = None if of.with_labels is None else of.with_labels.sentence
    return System(
        number=number,
        name=name,
        facts=of.facts,
        outside_candidates=of.outside_candidates,
        measures=known({measure: getattr(of, measure) for measure in measures}),
        bounds={"precision": of.precision_bounds, "recall": of.recall_bounds},
        truth={measure: getattr(truth, measure, None) for measure in measures},
        regions=known({region: of.regions[region] for region in regions}),
        world=LabelledSystem.read(of.world, measures=measures, regions=regions),
        sentence=LabelledSystem.read(sentence, measures=measures, regions=regions),
        withheld=of.withheld,
        undefined=known({where: of.undefined[where] for where in strata}),
        undefined_facts=known({where: of.undefined_facts[where] for where in strata}),
        rejected=of.rejected,
        steps=_steps(of.extractions, corpus=corpus),
        histogram=histogram(scores, threshold=judge.threshold, logarithmic=judge.logarithmic),
        verdicts={end: verdicts.get(end, ()) for end in ("strongest", "weakest")},
        notes=of.notes,
    )


# --- what became of a system's output -----------------------------------------------------------


class Step(NamedTuple):
    """What became of a part of a system's records.

    Attributes
    ----------
    label, records
        What happened, and to how many records.
    share
        Of all records, in [0, 1].
    reasons
        (reason, count) in falling order.
    """

    label: str
    records: int
    share: float
    reasons: Sequence[tuple[str, int]] = ()


def _steps(extractions: Account, *, corpus: bool = True) -> list[Step]:
    """Return what became of every record of a system's output, the records themselves first.

    The parts are made to add up: whatever the counts leave open is a part of its own. Without a
    corpus there is no sentence that could be missing.
    """
    rejected, out_of_scope = extractions.rejected, extractions.out_of_scope
    parts: list[tuple[str, int, Mapping[str, int]]] = [
        ("Rejected by the reader", sum(rejected.values()), rejected),
        *([("No such sentence in the corpus", extractions.unaligned, {})] if corpus else []),
        ("Out of scope", sum(out_of_scope.values()), out_of_scope),
        ("In scope", extractions.in_scope, {}),
    ]
    accounted = sum(count for _, count, _ in parts)
    # A reader's count of records may or may not include those that it rejected.
    records = max(extractions.read, accounted)
    if records > accounted:
        parts.insert(-1, ("Not accounted for", records - accounted, {}))
    return [
        Step(label, count, count / records if records else 0.0, falling(reasons))
        for label, count, reasons in [("Records in its output", records, {}), *parts]
    ]


# --- dots and intervals -------------------------------------------------------------------------

_PANEL_WIDTH = 340
_ROW_HEIGHT = 46
_MARK_HEIGHT = 15
_LABEL_LENGTH = 24


class Mark(NamedTuple):
    """A dot with its interval; positions in the panel's units, None where none is drawn."""

    kind: str
    y: float
    value: float | None
    low: float | None
    high: float | None


class SystemRow(NamedTuple):
    """A system's row in a panel: the figure to read, and marks from the most prominent on."""

    name: str
    label: str
    y: float
    figure: Estimate
    marks: Sequence[Mark]
    bounds: tuple[float, float] | None
    beyond: bool
    truth: float | None


class Panel(NamedTuple):
    """The chart of one measure: a row per system, and an axis of shares."""

    measure: str
    width: int
    height: int
    rows: Sequence[SystemRow]
    ticks: Sequence[tuple[float, float]]


def _panel(measure: str, systems: Sequence[System]) -> Panel:
    limit, step = _axis(systems)
    left, right = 8.0, _PANEL_WIDTH - 14.0

    def place(share: float) -> float:
        return left + (right - left) * min(max(share / limit, 0.0), 1.0)

    def place_known(share: float | None) -> float | None:
        return None if share is None else place(share)

    def mark(kind: str, y: float, figure: Estimate) -> Mark:
        return Mark(kind, y, *(place_known(share) for share in figure[:3]))

    rows = []
    labelled = any(system.world for system in systems)
    height = _ROW_HEIGHT + (_MARK_HEIGHT if labelled else 0)
    for number, system in enumerate(systems):
        y = number * height + 34.0
        annotator = system.measures[measure]
        bounds = system.bounds.get(measure)
        name = system.name
        rows.append(
            SystemRow(
                name=name,
                label=name if len(name) <= _LABEL_LENGTH else name[: _LABEL_LENGTH - 1] + "…",
                y=y,
                figure=system.headline[measure],
                marks=[
                    mark("labels", y, system.world.measures[measure]),
                    mark("annotator", y + _MARK_HEIGHT, annotator),
                ]
                if system.world
                else [mark("alone", y, annotator)],
                bounds=bounds and (place(bounds[0]), place(bounds[1])),
                beyond=bounds is not None and bounds[1] > limit,
                truth=place_known(system.truth[measure]),
            )
        )
    ticks = [(share, place(share)) for share in np.arange(round(limit / step) + 1) * step]
    return Panel(measure, _PANEL_WIDTH, len(systems) * height + 34, rows, ticks)


def _axis(systems: Sequence[System]) -> tuple[float, float]:
    """Return the end of the axis that all panels share, and the step of its ticks.

    The intervals decide. Bounds extend the axis only where that does not press the intervals into
    a corner; one that reaches further is cut off and marked.
    """
    shares = [
        share
        for system in systems
        for measure in system.measures
        for share in (
            *system.headline[measure][:3],
            *system.measures[measure][:3],
            system.truth[measure],
        )
        if share is not None
    ]
    limit = max(shares, default=1.0)
    outer = max(
        (ends[1] for system in systems for ends in system.bounds.values() if ends), default=0
    )
    if limit < outer <= 2.5 * limit:
        limit = outer
    limit = min(max(limit, 1e-4), 1.0)
    unit = 10.0 ** math.floor(math.log10(limit))
    step = next(
        factor * unit for factor in (0.2, 0.25, 0.5, 1.0, 2.0, 2.5) if factor * unit * 5 >= limit
    )
    return min(math.ceil(limit / step - 1e-9) * step, 1.0), step


# --- what the page says in words ----------------------------------------------------------------


def _places(systems: Sequence[System]) -> int:
    """Return how many decimals of a per cent the intervals bear: two where they are narrow."""
    widths = [
        figure.high - figure.low
        for system in systems
        for figure in system.headline.values()
        if figure.low is not None and figure.high is not None and figure.high > figure.low
    ]
    return 2 if widths and float(np.median(widths)) < 0.01 else 1


def _levels(systems: Sequence[System]) -> list[float]:
    """Return the levels of the intervals on the page: one, unless a result mixes them."""
    figures = [figure for system in systems for figure in system.figures.values()]
    figures += [figure for system in systems for figure in system.headline.values()]
    return sorted({figure.level for figure in figures if figure.level is not None})


def _by_section(settings: Mapping[str, object]) -> dict[str, dict[str, object]]:
    """Return flat settings ``section.key`` as sections, in the order given."""
    sections: dict[str, dict[str, object]] = {}
    for name, value in settings.items():
        section, _, key = name.rpartition(".")
        sections.setdefault(section, {})[key] = value
    return sections


@cache
def environment() -> Environment:
    """Return the templates of the pages, with the filters that they show figures by."""
    made = Environment(
        loader=PackageLoader("evaluator.report"),  # also finds it in the zip that a cluster is sent
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    made.filters.update(
        count=report_figures.count,
        compact=report_figures.compact,
        percent=report_figures.percent,
        score=report_figures.score,
        added=report_figures.added,
        similarity=report_figures.similarity,
        setting=report_figures.setting,
        px=report_figures.pixels,
        apart=apart,
        moved=moved,
        start=start,
    )
    return made

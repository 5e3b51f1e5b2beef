"""The report of a run: one HTML page that needs nothing beside itself.

This module turns a result (:mod:`evaluator.results.result`) into what a page shows: figures as
text, and charts (:mod:`evaluator.report.charts`). The page itself, its style and its words are in
``templates/report.html.j2``. It loads nothing, runs no script, and is a function of its input: the
same result gives the same bytes.

Nothing is called precision or recall by itself that rests on the automatic annotator alone: such a
page says "annotator-relative" wherever it names a measure. With human labels the headline figures
are those that the labels give (:mod:`evaluator.report.labels`), and the annotator-relative ones
stand beside them. Where facts were given without their corpus, the page shows precision and says
why there is no recall, instead of empty charts.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from evaluator.comparison.withheld import LEAST_VERDICTS, Basis
from evaluator.errors import InputError
from evaluator.estimators import methods
from evaluator.estimators.regions import Regions
from evaluator.intervals import Estimate
from evaluator.report import figures as report_figures
from evaluator.report.annotator import ShownAnnotator
from evaluator.report.breakdowns import GROUPS, ORDERED, Breakdown, ReportData
from evaluator.report.chart import COLOURS, DARK, Chart
from evaluator.report.charts import (
    DotRow,
    FunnelStep,
    RegionSizes,
    class_chart,
    confidence_chart,
    dot_chart,
    funnel_chart,
    score_chart,
    sensitivity_charts,
    share_axis,
    source_chart,
    venn_chart,
)
from evaluator.report.figures import count, falling
from evaluator.report.labels import LabelledSystem, People, apart, known, remarks
from evaluator.report.parts import ShownFact, moved, start
from evaluator.report.scores import ScoreHistogram, histogram
from evaluator.results.result import Account, Result, SystemResult, Truth
from evaluator.wordings import CORRECT, COUNTS, FIRST_LOOK, REGIONS, TITLES


def render_report(
    result: Result,
    verdicts: Mapping[str, Mapping[str, Sequence[ShownFact]]],
    data: ReportData,
) -> str:
    """Return the report of a run as a self-contained HTML page.

    Parameters
    ----------
    result
        The result.
    verdicts
        By system, the facts to show: ``{"strongest": [...], "weakest": [...]}``.
    data
        What the run's tables tell beside the result.

    Raises
    ------
    InputError
        Where `result` evaluates no system.
    """
    judge, systems = _shown(result, verdicts, data)
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
            by_words=result.by_words,
            rejects={
                source: falling(reasons) for source, reasons in result.rejects.items() if reasons
            },
            made=bool(result.truth),
            systems=systems,
            charts=_charts(result, judge, systems, data),
            data=data,
            groups=GROUPS,
            least=LEAST_VERDICTS,
            all_candidates=_all_candidates(result),
            estimators=_estimators(result),
            unsure=[s.name for s in systems if s.world and s.world.few_labels],
            places=_places(systems),
            levels=_levels(systems),
        )
    )


def report_charts(result: Result, data: ReportData) -> dict[str, Chart]:
    """Return the charts of a run's report by their names.

    Parameters
    ----------
    result, data
        As for :func:`render_report`.

    Raises
    ------
    InputError
        Where `result` evaluates no system.
    """
    judge, systems = _shown(result, {}, data)
    return _charts(result, judge, systems, data)


def _shown(
    result: Result, verdicts: Mapping[str, Mapping[str, Sequence[ShownFact]]], data: ReportData
) -> tuple[ShownAnnotator, list["System"]]:
    """Return the annotator and the systems as the page shows them."""
    if not result.systems:
        raise InputError("result", "evaluates no system")
    try:
        judge = ShownAnnotator.read(result.annotator, result.settings)
    except KeyError as missing:
        raise InputError("result", f"has no {missing}: was it made by another version?") from None
    known_as = keys(result.systems)
    return judge, [
        _system(
            name,
            content,
            number=number,
            key=known_as[name],
            measures=result.measures,
            verdicts=verdicts.get(name, {}),
            scores=data.scores.get(name, ()),
            judge=judge,
            truth=(result.truth or {}).get(name),
        )
        for number, (name, content) in enumerate(result.systems.items(), start=1)
    ]


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
    key: str
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
    basis: Basis
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
    def all_judged(self) -> bool:
        """Whether a leading figure rests on all facts, with nothing sampled."""
        return any(figure.all_judged for figure in self.headline.values())

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
    key: str,
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
        key=key,
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
        basis=of.basis,
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


# --- the charts ---------------------------------------------------------------------------------


def _panels(systems: Sequence[System], *, measures: Sequence[str], places: int) -> list[Chart]:
    """Return a chart of dots a measure; all share their axis.

    The intervals decide on it. Bounds extend it only where that does not press the intervals into a
    corner; one that reaches further is cut off and marked.
    """
    shares = [
        share
        for system in systems
        for measure in measures
        for share in (
            *system.headline[measure][:3],
            *system.measures[measure][:3],
            system.truth[measure],
        )
        if share is not None
    ]
    outer = max(
        (ends[1] for system in systems for ends in system.bounds.values() if ends), default=0
    )
    axis = share_axis(max(shares, default=1.0), outer)
    return [
        dot_chart(
            measure,
            TITLES[measure],
            [
                DotRow(
                    system.name,
                    {"labels": system.world.measures[measure], "annotator": of}
                    if system.world
                    else {"alone": of},
                    system.bounds.get(measure),
                    system.truth[measure],
                )
                for system in systems
                for of in [system.measures[measure]]
            ],
            axis=axis,
            places=places,
            about=f"{TITLES[measure]} of each system with its interval; the table below holds the "
            "same figures.",
        )
        for measure in measures
    ]


def _charts(
    result: Result, judge: ShownAnnotator, systems: Sequence[System], data: ReportData
) -> dict[str, Chart]:
    made = _panels(systems, measures=result.measures, places=_places(systems))
    for system in systems:
        if result.corpus:
            made.append(_venn(system, all_candidates=_all_candidates(result)))
        made.append(_funnel(result, system))
        if system.histogram is not None:
            made.append(
                score_chart(f"scores-{system.key}", system.name, judge.score, system.histogram)
            )
    if data.sources:
        made.append(source_chart(data.sources))
    if data.curves:
        relative = "by the annotator’s verdicts" if result.labels else "annotator-relative"
        made.append(confidence_chart(data.curves, relative=relative))
    made += _group_charts(systems, data)
    made += sensitivity_charts(data.sensitivity or (), {m: TITLES[m] for m in result.measures})
    return {chart.name: chart for chart in made}


def _venn(system: System, *, all_candidates: bool) -> Chart:
    # With the paper's estimator undefined candidates are counted among all of G', of which S is a
    # part: no region outside S is theirs.
    undefined = {} if system.world else system.undefined_facts
    return venn_chart(
        f"venn-{system.key}",
        system.name,
        RegionSizes(
            system.headline_regions,
            system.facts,
            system.sizes and system.sizes.ground_truth,
            system.not_correct,
            undefined.get("system"),
            None if all_candidates else undefined.get("candidates"),
        ),
    )


def _funnel(result: Result, system: System) -> Chart:
    """Return what became of the sentences, of a system's records, and of its facts."""
    steps = []
    if result.corpus:
        steps = [
            FunnelStep("Sentences of the corpus", "sentences", result.corpus.sentences),
            FunnelStep(
                "with two entities or more", "sentences", result.corpus.sentences_with_pair,
                "with fewer than two",
            ),
        ]  # fmt: skip
    left = system.steps[0].records
    steps.append(FunnelStep(f"Records of {system.name}", "records", left))
    names = {
        "Rejected by the reader": ("that the reader takes", "rejected"),
        "No such sentence in the corpus": ("on a sentence of the corpus", "on no such sentence"),
        "Out of scope": ("in scope", "out of scope"),
    }
    for step in system.steps:
        if step.label in names:
            left -= step.records
            kept, lost = names[step.label]
            steps.append(FunnelStep(kept, "records", left, lost))
    judged = system.basis.verdicts + system.basis.undefined
    steps += [
        FunnelStep("Distinct facts", "facts", system.facts),
        FunnelStep("judged", "facts", judged, "outside the sample"),
        FunnelStep("correct or not correct", "facts", system.basis.verdicts, "undefined"),
    ]
    return funnel_chart(f"funnel-{system.key}", system.name, steps)


def _group_charts(systems: Sequence[System], data: ReportData) -> Iterator[Chart]:
    """Yield the charts of facts in groups: one for all systems where groups have an order."""
    for kind, title in GROUPS.items():
        of = {name: found for name, found in data.groups.get(kind, {}).items() if found.groups}
        if kind in ORDERED and of:
            yield class_chart(kind, f"Precision by {title}", of, axis_label=title)
        elif kind not in ORDERED:
            for system in systems:
                if system.name in of:
                    yield _best_and_worst(system, kind, title, of[system.name])


def _best_and_worst(system: System, kind: str, title: str, of: Breakdown) -> Chart:
    shown = [*of.groups, *([of.others] if of.others else [])]
    rows = [DotRow(f"{group.name} ({count(group.counts.facts)})", {"alone": group.precision})
            for group in shown]  # fmt: skip
    return dot_chart(
        f"{kind}-{system.key}",
        f"{system.name}: precision by {title}",
        rows,
        axis=(1.0, 0.25),
        places=0,
        about=f"Precision of {system.name} by {title}, the best first and the worst last, with the "
        "number of facts.",
        of=kind,
    )


def _all_candidates(result: Result) -> bool:
    """Tell whether undefined candidates are counted among all of G′: the paper's estimator does."""
    return result.settings.get("estimate.method") == "paper"


def keys(names: Iterable[str]) -> dict[str, str]:
    """Return for each name one that files and pages take: small letters, digits and hyphens."""
    found: dict[str, str] = {}
    for number, name in enumerate(names, 1):
        key = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:40]
        found[name] = key if key and key not in found.values() else f"{key or 'system'}-{number}"
    return found


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


def _drawn(chart: Chart) -> Markup:
    # What chart.inline() gives is escaped.
    return Markup(chart.inline())


def _cell(value: object) -> str:
    """Return a value of a chart's table as text."""
    if value is None:
        return ""
    return f"{value:,.4g}" if isinstance(value, float) else str(value)


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
    made.globals.update(
        light=COLOURS,
        dark=DARK,
        titles=TITLES,
        regions=REGIONS,
        counts=COUNTS,
        correct=CORRECT,
        first_look=FIRST_LOOK,
    )
    made.filters.update(
        count=report_figures.count,
        compact=report_figures.compact,
        percent=report_figures.percent,
        score=report_figures.score,
        added=report_figures.added,
        similarity=report_figures.similarity,
        setting=report_figures.setting,
        drawn=_drawn,
        cell=_cell,
        apart=apart,
        moved=moved,
        start=start,
    )
    return made

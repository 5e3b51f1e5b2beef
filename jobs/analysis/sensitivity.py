"""Sensitivity: a finished run evaluated again at other thresholds and distances.

The stages of the run are read, never written. The facts of S ∪ G' and the best similarity of each
are taken as they are; what depends on the varied setting (which facts match, the samples that
follow, the hit counts of facts that come to be judged, the verdicts) is had from the functions of
the stages, so that a curve goes through the figures of the run.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import TypeAdapter, ValidationError

from evaluator.annotators import ANNOTATORS, Annotator, Pmi, read_annotator
from evaluator.errors import ConfigurationError, InputError
from evaluator.estimators import SystemEstimate
from evaluator.estimators.sensitivity import (
    PARAMETERS,
    Curve,
    CurvePoint,
    Name,
    ValueFigures,
    link_curve,
    values_around,
)
from evaluator.estimators.tallies import Cell, system_tallies
from evaluator.report.sensitivity import render_sensitivity
from evaluator.results.result import Result
from evaluator.whole_files import write_whole
from indexes.engine import Engine, Mapped
from indexes.kb.knowledge_base import KnowledgeBase
from indexes.memory import memory_bytes
from indexes.text.manifest import read_manifest, read_sound_manifest
from jobs.config import Configuration, PmiSettings
from jobs.evidence.annotator import ANNOTATOR, needs_context
from jobs.evidence.judge_panel import panel_of
from jobs.evidence.sources import check_unchanged
from jobs.evidence.widening import run_words
from jobs.run.engines import open_engine
from jobs.run.report_data import SENSITIVITY
from jobs.run.result import estimate_system
from jobs.run.stages import score, tally
from jobs.run.stages.match import MATCHED, MatchAt
from jobs.run.stages.rows import FACT, FACT_COLUMNS
from jobs.rundir import RunDirectory

_AGAIN = "run it again: distval run"


class Sensitivity(NamedTuple):
    """The curves of a run, what was left out and why, and the page that shows them."""

    result: Result
    curves: Sequence[Curve]
    notes: Sequence[str]
    plot: Path

    def as_json(self) -> dict[str, Any]:
        """Return them as a JSON object."""
        return {
            "name": self.result.name,
            "signature": self.result.signature,
            "annotator_relative": True,
            "curves": {curve.name: curve.as_json() for curve in self.curves},
            "notes": list(self.notes),
        }


def sensitivity(
    configuration: Configuration,
    *,
    values: Mapping[Name, Sequence[float]] | None = None,
    only: Iterable[Name] = (),
    on_step: Callable[[str], None] = lambda _step: None,
) -> Sensitivity:
    """Return how the figures of a finished run move with its settings.

    Parameters
    ----------
    configuration
        That of the run.
    values
        Values to look at, by parameter; the configured one is added. By default those of
        :func:`evaluator.estimators.sensitivity.values_around`.
    only
        The parameters to vary; by default all.
    on_step
        Told each value as its turn comes.

    Raises
    ------
    InputError
        Where there is no finished run of this configuration, or its evidence has changed.
    ConfigurationError
        For a value that a setting may not have.
    """
    chosen = set(only) or set(PARAMETERS)
    wanted = {
        name: _checked(configuration, name, (values or {}).get(name))
        for name in PARAMETERS
        if name in chosen
    }
    notes = []
    if "x" in wanted and (reason := _fixed_distance(configuration)):
        del wanted["x"]
        notes.append(f"The distance X is left out: {reason}.")
        if not wanted:
            raise ConfigurationError(f"nothing to vary. {notes[0]}")
    result = finished(configuration)
    if not result.annotator_relative:
        notes.append(
            "The run has human labels. They were drawn at its settings and correct figures there "
            "only; the curves are those of the annotator."
        )
    with (
        RunDirectory(configuration.run).locked(),
        open_engine(configuration, scratch=configuration.run) as engine,
    ):
        study = _Study(configuration, result, engine, on_step)
        on_step("the run as it stands")
        study.check()
        curves = [study.curve(name, wanted[name]) for name in wanted]
        plot = configuration.run / "sensitivity.html"
        write_whole(plot, render_sensitivity(result, curves, notes))
        told = Sensitivity(result, curves, notes, plot)
        # The run's report shows it when it is written the next time.
        write_whole(configuration.run / SENSITIVITY, json.dumps(told.as_json(), indent=1) + "\n")
    return told


def finished(configuration: Configuration) -> Result:
    """Return the result of the finished run of a configuration.

    Raises
    ------
    InputError
        Where there is none, or it is damaged, or of other settings.
    """
    path = configuration.run / "result.json"
    if not path.exists():
        raise InputError(path, "no finished run there; run it first: distval run")
    result = Result.read(path)
    settings, systems = result.settings, list(result.systems)
    wanted = configuration.flat()
    # What is made of human labels is no part of the annotator's figures.
    ours = [key for key in wanted if not key.startswith("labels.")]
    other = [key for key in ours if wanted[key] != settings.get(key)]
    if other:
        key = other[0]
        told = f"{settings.get(key)!r} there, {wanted[key]!r} in the configuration"
        raise InputError(path, f"is of another configuration ({key}: {told}); {_AGAIN}")
    if systems != [source.name for source in configuration.systems]:
        raise InputError(path, f"is of other systems ({', '.join(systems)}); {_AGAIN}")
    return result


def _fixed_distance(configuration: Configuration) -> str:
    """Return why X cannot be varied; empty where it can."""
    kind = ANNOTATORS[configuration.annotator]
    if kind.fitted or kind.trained:
        return f"the annotator {configuration.annotator} was fitted to counts at one"
    if kind.annotator is Pmi and configuration.pmi.variant != "proximity":
        return f"{configuration.pmi.variant.upper()} does not look at it"
    return ""


def _setting(annotator: str, name: Name) -> str | None:
    """Return the setting that holds a parameter; None for what a model adds."""
    section = ANNOTATORS[annotator].section
    held = {"t": f"{section}.threshold", "match": "match.threshold", "x": "pmi.x"}
    return held.get(name)


def _configured(configuration: Configuration, name: Name) -> float:
    if name == "t":
        return _saved_annotator(configuration.run).threshold
    setting = _setting(configuration.annotator, name)
    return 1.0 if setting is None else float(str(configuration.flat()[setting]))


def _saved_annotator(run: Path) -> Annotator:
    """Return the annotator of a run."""
    return read_annotator(run / "estimate" / ANNOTATOR)


def _checked(
    configuration: Configuration, name: Name, values: Sequence[float] | None
) -> tuple[float, ...]:
    """Return the values of a parameter in rising order, the configured one among them."""
    configured = _configured(configuration, name)
    configured = int(configured) if name == "x" else configured
    chosen = values_around(name, configured) if values is None else (*values, configured)
    for value in chosen:
        if name == "link":
            if not 0 < value <= 1:
                raise ConfigurationError(f"link precision {value:g}: expected above 0, at most 1")
            continue
        try:
            _with(configuration, name, value)
        except ValidationError as error:
            problem = error.errors()[0]["msg"]
            told = f"{problem[:1].lower()}{problem[1:]}"
            setting = _setting(configuration.annotator, name)
            raise ConfigurationError(f"{setting} = {value:g}: {told}") from None
    return tuple(sorted(set(chosen)))


def _with(configuration: Configuration, name: Name, value: float) -> Configuration:
    """Return the configuration with another value of a parameter, checked like any setting."""
    section, _, key = str(_setting(configuration.annotator, name)).partition(".")
    if name == "x" and float(value).is_integer():
        value = int(value)  # numbers of all settings come alike
    changed = {**dict(getattr(configuration, section)), key: value}
    model: Any = Configuration.model_fields[section].annotation
    checked = TypeAdapter(model).validate_python(changed)
    return configuration.model_copy(update={section: checked})


@dataclass
class _Study:
    """A run under study: its tables, and what becomes of them at other values."""

    configuration: Configuration
    result: Result
    engine: Engine
    on_step: Callable[[str], None]
    systems: list[str] = field(init=False)
    members: Mapping[str, str] = field(init=False)
    _cuts: dict[float, score.Cuts] = field(default_factory=dict)

    def __post_init__(self) -> None:
        c, engine = self.configuration, self.engine
        self.systems = [source.name for source in c.systems]
        self.members = score.populations(engine, self.systems, corpus=c.corpus is not None)
        self.open("judged", "estimate")

    def curve(self, name: Name, values: Sequence[float]) -> Curve:
        """Return the curve of a parameter."""
        configured = _configured(self.configuration, name)
        if name == "link":
            own = {system: ValueFigures.of(estimate) for system, estimate in self.own.items()}
            return link_curve(own, values)
        if name != "t":
            self.open("matched", "match", "facts")
            self.open("counts", "score")
        along = {"t": self.along_t, "match": self.along_match, "x": self.along_x}[name]
        changed = [_with(self.configuration, name, value) for value in values]
        points = []
        for value, other, cells in zip(values, changed, along(changed), strict=True):
            estimates = self.estimates(cells, other)
            points.append(
                CurvePoint(value, {n: ValueFigures.of(each) for n, each in estimates.items()})
            )
        return Curve(name, configured, points, _setting(self.configuration.annotator, name))

    def along_t(self, changed: Sequence[Configuration]) -> Iterator[list[Cell]]:
        """Yield the judged facts under other thresholds of their score: only verdicts change."""
        for each in changed:
            t = each.annotator_settings["threshold"]
            self.on_step(f"t = {t:g}")
            columns = ", ".join(tally.JUDGED.names)
            judge = tally.Rejudge(self.configuration.annotator, t)
            rejudged = Mapped(f"SELECT {columns} FROM judged", judge, tally.JUDGED)
            self.engine.view("rejudged", rejudged)
            yield tally.tally(self.engine, "rejudged")

    def along_match(self, changed: Sequence[Configuration]) -> Iterator[list[Cell]]:
        """Yield them under other match thresholds: with D the samples change, and who is judged."""
        thresholds = [each.match.threshold for each in changed]
        self.on_step("samples at other match thresholds")
        cuts = {threshold: self.cuts(threshold) for threshold in thresholds}
        self.count_for(cuts)
        for threshold in thresholds:
            self.on_step(f"match threshold = {threshold:g}")
            yield self.cells(self.known(threshold), "all_counts", cuts[threshold])

    def along_x(self, changed: Sequence[Configuration]) -> Iterator[list[Cell]]:
        """Yield them at other distances: the same facts are counted anew."""
        threshold = self.configuration.match.threshold
        cuts, known = self.cuts(threshold), self.known(threshold)
        for each in changed:
            self.on_step(f"X = {each.pmi.x}")
            counted = "counts"
            if each.pmi != self.configuration.pmi:
                counted = "counts_at_x"
                self.engine.sql(counted, self.count("counts", each.pmi))
            yield self.cells(known, counted, cuts)

    @cached_property
    def own(self) -> dict[str, SystemEstimate]:
        """The estimates of the run, made again from its judged facts."""
        return self.estimates(tally.tally(self.engine, "judged"), self.configuration)

    def check(self) -> None:
        """See that the stages are those of the result.

        Raises
        ------
        InputError
            Where other figures follow from them.
        """
        for name, estimate in self.own.items():
            # A result bounds recall once more, by the coverage of G'.
            told = {key: of for key, of in dict(estimate).items() if key != "recall_bounds"}
            if not told.items() <= dict(self.result.systems[name]).items():
                raise InputError(
                    self.configuration.run / "result.json",
                    f"the figures of {name} are not those of the stages beside it; {_AGAIN}",
                )

    def estimates(
        self, cells: Sequence[Cell], configuration: Configuration
    ) -> dict[str, SystemEstimate]:
        """Return the estimate of every system from judged facts."""
        corpus = configuration.corpus is not None
        return {
            name: estimate_system(
                system_tallies(cells, name, corpus=corpus),
                configuration.estimate.method,
                configuration.drawing,
            )
            for name in self.systems
        }

    # --- the tables of the run, and what becomes of them

    def open(self, name: str, stage: str, table: str | None = None) -> None:
        """Give the engine one of a stage's tables, by default the one of that name."""
        path = self.configuration.run / stage / (table or name)
        if not path.is_dir():
            raise InputError(path, f"no such stage in the run; {_AGAIN}")
        self.engine.read(name, [path])

    def known(self, threshold: float) -> str:
        """Make the census against the database at a match threshold; return its name."""
        columns = ", ".join(MATCHED.names)
        at = Mapped(f"SELECT {columns} FROM matched", MatchAt(threshold), MATCHED)
        self.engine.sql("matched_at", at)
        return "matched_at"

    def cuts(self, threshold: float) -> score.Cuts:
        """Return the cuts of all samples at a match threshold, by the rule of the run."""
        if threshold not in self._cuts:
            sizes = self.configuration.sample
            self._cuts[threshold] = score.sampling_cuts(
                self.engine,
                self.known(threshold),
                self.members,
                system=sizes.system,
                candidates=sizes.candidates,
            )
        return self._cuts[threshold]

    def count_for(self, cuts: Mapping[float, score.Cuts]) -> None:
        """Make ``all_counts``: those of all facts that are judged at one of several thresholds.

        Those that the run has counted are not counted again.
        """
        same = " AND ".join(f"c.{name} = a.{name}" for name in FACT)
        self.engine.sql("missing", f"SELECT {FACT_COLUMNS} FROM counts WHERE false")
        for threshold, of in cuts.items():
            asked = score.to_count(self.known(threshold), self.members, of)
            self.engine.sql("asked_at", asked)
            self.engine.sql(
                "missing",
                f"""SELECT * FROM missing UNION
                SELECT a.* FROM asked_at a ANTI JOIN counts c ON {same}""",
            )
        [(number,)] = self.engine.rows("SELECT count(*) FROM missing")
        columns = ", ".join(score.COUNTED.names)
        counted = f"SELECT {columns} FROM counts"
        if number:
            self.on_step(f"counting {number:,} facts that the run did not judge")
            counted += f" UNION ALL {self.count('missing', self.configuration.pmi)}"
        self.engine.sql("all_counts", counted)

    def count(self, facts: str, pmi: PmiSettings) -> str:
        """Return the query for the counts of a table of facts, as the run counts."""
        (kb, index), c = self.evidence, self.configuration
        self.engine.read("entities", [kb.entities_path])
        given = c.gives_facts
        if given:
            self.open("names", "superset")
        return score.counted(
            self.engine,
            facts,
            index,
            run_words(c, lambda: score.relations(self.engine, facts), kb),
            shards=read_manifest(index).shards,
            **pmi.counting,
            variants=pmi.names,
            lexicon=c.lexicon,
            context=needs_context(c.annotator),
            memory=memory_bytes(c.index.memory) // self.engine.sharing,
            given=given,
        )

    @cached_property
    def evidence(self) -> tuple[KnowledgeBase, Path]:
        """The knowledge base and the index of the run, as they stand.

        Raises
        ------
        InputError
            Where one has changed since.
        """
        c = self.configuration
        kb = KnowledgeBase.open(c.kb.path)
        there, index = self.result.parts, read_sound_manifest(c.index.path)
        check_unchanged(c.kb.path, kb.manifest.checksum, there.kb)
        check_unchanged(c.index.path, index.checksum, there.index)
        return kb, c.index.path

    def cells(self, known: str, counted: str, cuts: score.Cuts) -> list[Cell]:
        """Judge all facts as the run does and return them by cell."""
        annotator = _saved_annotator(self.configuration.run)
        c = self.configuration
        judged = tally.judged(
            self.engine,
            known,
            counted,
            cuts,
            self.members,
            annotator,
            documents=self.result.index.documents,
            panel=panel_of(
                c.external.judges, kb=self.evidence[0], key=c.relation.key, lexicon=c.lexicon
            ),
        )
        self.engine.view("judged_at", judged)
        return tally.tally(self.engine, "judged_at")

"""What the report of a run tells beside its result, counted from the run's tables by SQL.

A run of a million facts is grouped where its tables are; only groups, steps of curves and samples
come here.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from evaluator.comparison.withheld import LEAST_VERDICTS
from evaluator.errors import InputError
from evaluator.estimators.sensitivity import Curve, read_curves
from evaluator.estimators.tallies import UNDEFINED, system_population, system_rest
from evaluator.inputs import read_json
from evaluator.report.breakdowns import (
    SOURCES,
    Breakdown,
    CurveStep,
    FactCounts,
    ReportData,
    RunBefore,
    breakdown,
    confidence_curve,
    ordered_breakdown,
)
from evaluator.results.result import Result
from indexes.engine import DuckEngine, Engine
from jobs.config import Configuration
from jobs.run.stages.rows import FACT, FACT_COLUMNS
from jobs.rundir import files_of_table

PREVIOUS = "previous.json"
"""The result that a run had before its figures changed."""
SENSITIVITY = "sensitivity.json"

_SCORES = 10_000
_STEPS = 200  # of a curve
_BY_KEY = "sample_key, e1, r, e2, negated"
_LENGTHS = (10, 20, 30, 40)
_MENTIONS = (1, 3, 9, 29)
_COUNTED = """count(*), count_if(matched), count_if(sampled),
    count_if(sampled AND verdict = 'accepted'), count_if(sampled AND undefined)"""


@contextmanager
def opened_run(configuration: Configuration) -> Iterator[Engine]:
    """Yield an engine with the tables of a finished run that :func:`report_data` needs.

    Raises
    ------
    InputError
        Where a table is missing or damaged.
    """
    with TemporaryDirectory() as scratch, DuckEngine(Path(scratch)) as engine:
        for name, folder in tables(configuration).items():
            with files_of_table(folder):
                engine.read(name, [folder])
        yield engine


def tables(configuration: Configuration) -> dict[str, Path]:
    """Return the tables of a run that a report is made from, by the name that SQL has for them."""
    c = configuration
    found = {
        "judged": c.run / "estimate" / "judged",
        "linked": c.run / "superset" / "linked",
    }
    if c.corpus is not None:
        found["annotated"] = c.run / "annotate" / "sentences"
    if c.gives_facts:
        found["names"] = c.run / "superset" / "names"
    elif c.files:
        found["extractions"] = c.run / "read" / "extractions"
    return found


def report_data(
    result: Result, engine: Engine, configuration: Configuration, *, date: str | None = None
) -> ReportData:
    """Return what a report shows beside the result.

    Parameters
    ----------
    result
        Of the run.
    engine
        With the tables of :func:`tables`.
    configuration
        The run.
    date
        When its figures were made.
    """
    systems = list(result.systems)
    level = configuration.estimate.level
    corpus = configuration.corpus is not None
    _open_told(engine, systems)
    groups = {"relation": _relations(engine, level)}
    if corpus:
        _open_stated(engine, extractions=bool(configuration.files))
        groups |= _by_sentence(engine, level)
    return ReportData(
        scores=_scores(engine, systems),
        curves=_curves(engine, result, level) if corpus and configuration.files else {},
        sources=_sources(engine),
        groups={
            kind: {name: of[name] for name in systems if name in of} for kind, of in groups.items()
        },
        sensitivity=read_sensitivity(configuration.run, result),
        date=date,
        before=previous_figures(configuration.run, result),
    )


# --- groups of facts ----------------------------------------------------------------------------


def _open_told(engine: Engine, systems: Iterable[str]) -> None:
    """Make ``told``: each fact of each system, and whether it is in the sample that tells."""
    own = " OR ".join(
        f"(system = {engine.text(name)} AND "
        f"(array_contains(samples, {engine.text(system_rest(name))}) "
        f"OR array_contains(samples, {engine.text(system_population(name))})))"
        for name in systems
    )
    undefined = ", ".join(map(engine.text, UNDEFINED))
    engine.sql(
        "told",
        f"""SELECT system, {FACT_COLUMNS}, matched, verdict, pair, classic, proximity, topic,
            anchored, NOT matched AND verdict IS NOT NULL AND ({own}) AS sampled,
            verdict IS NOT NULL AND verdict IN ({undefined}) AS undefined
        FROM (SELECT explode(systems) AS system, * FROM judged)""",
    )


def _open_stated(engine: Engine, *, extractions: bool) -> None:
    """Make ``stated``: how each fact of each system stands in the corpus, and how sure it is."""
    same = " AND ".join(f"l.{name} = f.{name}" for name in FACT)
    words = "length(a.text) - length(replace(a.text, ' ', '')) + 1"
    confident = "LEFT JOIN extractions x ON x.system = l.system AND x.line = l.line"
    facts = ", ".join(f"l.{name}" for name in FACT)
    engine.sql(
        "mentioned",
        """SELECT entity, count(*) AS sentences FROM (
            SELECT DISTINCT document, number, mention.entity AS entity FROM (
                SELECT document, number, explode(mentions) AS mention FROM annotated
            )
        ) GROUP BY entity""",
    )
    engine.sql(
        "said",
        f"""SELECT l.system, {facts}, min({words}) AS words,
            {"max(x.confidence)" if extractions else "NULL"} AS confidence
        FROM linked l JOIN annotated a ON a.document = l.document AND a.number = l.number
        {confident if extractions else ""}
        WHERE l.reason IS NULL AND l.e1 IS NOT NULL GROUP BY l.system, {facts}""",
    )
    engine.sql(
        "stated",
        f"""SELECT f.*, l.words, l.confidence,
            least(coalesce(m1.sentences, 0), coalesce(m2.sentences, 0)) AS mentions
        FROM told f JOIN said l ON l.system = f.system AND {same}
        LEFT JOIN mentioned m1 ON m1.entity = f.e1 LEFT JOIN mentioned m2 ON m2.entity = f.e2""",
    )


def _relations(engine: Engine, level: float) -> dict[str, Breakdown]:
    return _free_groups(engine, "SELECT *, r AS name FROM told", level)


def _by_sentence(engine: Engine, level: float) -> dict[str, dict[str, Breakdown]]:
    same = " AND ".join(f"l.{name} = f.{name}" for name in FACT)
    documents = f"""SELECT f.*, l.document AS name FROM told f JOIN (
            SELECT DISTINCT system, {FACT_COLUMNS}, document FROM linked
            WHERE reason IS NULL AND e1 IS NOT NULL
        ) l ON l.system = f.system AND {same}"""
    return {
        "popularity": _ordered_groups(engine, "mentions", _MENTIONS, level),
        "length": _ordered_groups(engine, "words", _LENGTHS, level),
        "document": _free_groups(engine, documents, level),
    }


def _free_groups(engine: Engine, named: str, level: float) -> dict[str, Breakdown]:
    """Return facts by a name; groups too small for a figure are added up where they are."""
    names = ("facts", "matched", "sampled", "accepted", "undefined")
    engine.sql(
        "grouped",
        f"""SELECT system, name, count(*) AS facts, count_if(matched) AS matched,
            count_if(sampled) AS sampled, count_if(sampled AND verdict = 'accepted') AS accepted,
            count_if(sampled AND undefined) AS undefined
        FROM ({named}) GROUP BY system, name""",
    )
    large = f"matched + sampled - undefined >= {LEAST_VERDICTS}"
    found: dict[str, dict[str, FactCounts]] = defaultdict(dict)
    for system, name, *counts in engine.rows(
        f"SELECT system, name, {', '.join(names)} FROM grouped WHERE {large}"
    ):
        found[system][name] = FactCounts(*counts)
    sums = ", ".join(f"CAST(sum({name}) AS BIGINT)" for name in names)
    small = {
        system: (groups, FactCounts(*counts))
        for system, groups, *counts in engine.rows(
            f"SELECT system, count(*), {sums} FROM grouped WHERE NOT ({large}) GROUP BY system"
        )
    }
    return {
        system: breakdown(found.get(system, {}), level=level, small=small.get(system))
        for system in sorted({*found, *small})
    }


def _ordered_groups(
    engine: Engine, column: str, edges: Sequence[int], level: float
) -> dict[str, Breakdown]:
    """Return facts by a number in classes: up to the first edge, up to the second, ..., above."""
    cases = " ".join(f"WHEN {column} <= {edge} THEN {place}" for place, edge in enumerate(edges))
    found: dict[str, dict[str, FactCounts]] = defaultdict(dict)
    for system, place, *counts in engine.rows(
        f"""SELECT system, CASE {cases} ELSE {len(edges)} END AS place, {_COUNTED}
        FROM stated GROUP BY system, CASE {cases} ELSE {len(edges)} END ORDER BY system, place"""
    ):
        found[system][_class(place, edges)] = FactCounts(*counts)
    return {system: ordered_breakdown(of, level=level) for system, of in found.items()}


def _class(place: int, edges: Sequence[int]) -> str:
    if place == len(edges):
        return f"{edges[-1] + 1} and more"
    if not place:
        return f"at most {edges[0]}" if edges[0] > 1 else "1"
    low = edges[place - 1] + 1
    return str(low) if low == edges[place] else f"{low} to {edges[place]}"


# --- scores, confidences and sources ------------------------------------------------------------


def _scores(engine: Engine, systems: Sequence[str]) -> dict[str, list[float | None]]:
    """Return the scores of each system's sampled facts that the database leaves open."""
    values: dict[str, list[float | None]] = defaultdict(list)
    for name in systems:
        # Its own sample, not the facts that the sample of G' happens to share with it.
        own = engine.text(system_rest(name))
        rows = engine.rows(
            f"""SELECT score FROM judged WHERE array_contains(samples, {own})
            ORDER BY {_BY_KEY} LIMIT {_SCORES}"""
        )
        if rows:
            values[name] = [score for (score,) in rows]
    return values


def _curves(engine: Engine, result: Result, level: float) -> dict[str, list[CurveStep]]:
    """Return precision and recall from each confidence on; equal ones are never parted."""
    steps: dict[str, list[tuple[float, FactCounts]]] = defaultdict(list)
    for system, _, confidence, *counts in engine.rows(
        f"""SELECT system, step, min(confidence), {_COUNTED} FROM (
            SELECT *, CAST(floor({_STEPS} * percent_rank() OVER (
                PARTITION BY system ORDER BY confidence DESC
            )) AS INT) AS step FROM stated WHERE confidence IS NOT NULL
        ) GROUP BY system, step ORDER BY system, step"""
    ):
        steps[system].append((confidence, FactCounts(*counts)))
    curves = {}
    for system, of in result.systems.items():
        if len(steps[system]) > 1:  # one confidence for all says nothing
            sizes = [size and size.value for size in of.regions.values()]
            truth = None if None in sizes else sum(size or 0.0 for size in sizes)
            curves[system] = confidence_curve(steps[system], truth=truth, level=level)
    return curves


def _sources(engine: Engine) -> dict[str, dict[str, dict[str, int]]]:
    """Return the facts of each system by where the evidence came from, and what it says."""
    source = f"""CASE WHEN matched THEN {engine.text(SOURCES[0])}
        WHEN NOT sampled THEN {engine.text(SOURCES[5])}
        WHEN verdict IN ('no relation word', 'negated') THEN {engine.text(SOURCES[4])}
        WHEN verdict = 'no pair' THEN {engine.text(SOURCES[3])}
        WHEN coalesce(proximity, 0) > 0 OR coalesce(anchored, 0) > 0 THEN {engine.text(SOURCES[1])}
        WHEN coalesce(pair, 0) > 0 OR coalesce(topic, 0) > 0 THEN {engine.text(SOURCES[2])}
        ELSE {engine.text(SOURCES[3])} END"""
    says = """CASE WHEN matched THEN 'correct' WHEN NOT sampled THEN 'not judged'
        WHEN undefined THEN 'undefined' WHEN verdict = 'accepted' THEN 'correct'
        ELSE 'not correct' END"""
    found: dict[str, dict[str, dict[str, int]]] = defaultdict(lambda: defaultdict(dict))
    for system, of, said, facts in engine.rows(
        f"SELECT system, {source} AS source, {says} AS said, count(*) FROM told "
        f"GROUP BY system, {source}, {says} ORDER BY system, source, said"
    ):
        found[system][of][said] = facts
    return {
        system: {name: dict(of[name]) for name in SOURCES if name in of}
        for system, of in found.items()
    }


# --- what lies beside the result ----------------------------------------------------------------


def read_sensitivity(run: Path, result: Result) -> list[Curve] | None:
    """Return the curves that ``distval sensitivity`` left; None without, or of another result."""
    try:
        told: Any = read_json(run / SENSITIVITY)
        return read_curves(told) if told["signature"] == result.signature else None
    except (OSError, ValueError, LookupError, TypeError):
        return None  # another version's, which the command replaces


def previous_figures(run: Path, result: Result) -> RunBefore | None:
    """Return what the run said before; None where that is not known, or the same."""
    try:
        old = Result.read(run / PREVIOUS)
    except InputError:  # none, or of another version
        return None
    return change(old, result)


def change(old: Result, new: Result) -> RunBefore | None:
    """Return the figures of `old` where `new` has another of them, or another signature."""
    figures = [
        {
            name: {m: figure for m in of.measures if (figure := _leading(of, name, m)) is not None}
            for name in of.systems
        }
        for of in (old, new)
    ]
    if figures[0] == figures[1] and old.signature == new.signature:
        return None
    before, now = old.parts.texts(), new.parts.texts()
    differing = [(name, text, now[name]) for name, text in before.items() if text != now[name]]
    return RunBefore(figures[0], differing)


def _leading(result: Result, system: str, measure: str) -> Any:
    of = result.systems[system]
    return getattr(of.world or of, measure)

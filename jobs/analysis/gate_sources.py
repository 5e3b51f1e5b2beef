"""What the gate compares: the sums of a run's system, of a gold score, or of a set of verdicts."""

from collections import defaultdict
from dataclasses import dataclass, replace
from math import isfinite
from pathlib import Path
from typing import Literal

import duckdb

from evaluator.annotators.items import digest_of
from evaluator.annotators.judge_panel import is_tied
from evaluator.comparison.gate import Sums
from evaluator.errors import ConfigurationError, InputError
from evaluator.estimators.tallies import CANDIDATES_REST, system_rest
from evaluator.gold.tables import SENTENCE_COLUMNS
from evaluator.inputs import expanded
from evaluator.judges.judgements import read_judgements
from evaluator.judges.source import file_and_name
from evaluator.results.signature import Signature
from evaluator.tables import read_table
from jobs.analysis.comparison import FinishedRun, one_system
from jobs.rundir import files_of_table, finished_stage

type GateKind = Literal["run", "gold", "verdicts"]

_KINDS = {
    "run": "a run", "gold": "a table of gold --by-sentence", "verdicts": "a file of verdicts",
}  # fmt: skip
UNITS = {"run": "subjects of facts", "gold": "gold sentences", "verdicts": "facts"}

_FREE = ("distval", "systems", "estimate", "labels")
_SUMS = ("right", "said", "found", "gold")


@dataclass(frozen=True)
class GateSource:
    """One side of the gate.

    Attributes
    ----------
    name
        As it was named.
    kind
        What it is.
    sums
        By unit.
    measures
        Those that are defined for it.
    notes
        What limits its figures, in sentences.
    judged_by
        Of a run: all of its signature that must be the same on both sides, by part.
    """

    name: str
    kind: GateKind
    sums: Sums
    measures: tuple[str, ...]
    notes: tuple[str, ...] = ()
    judged_by: tuple[tuple[str, str], ...] = ()


def gate_source(text: str) -> GateSource:
    """Read one side of the gate.

    Parameters
    ----------
    text
        ``RUN`` or ``RUN#SYSTEM``, the directory of a finished run; ``FILE`` or ``FILE#SYSTEM``,
        what ``distval gold --by-sentence`` wrote; or ``FILE`` or ``FILE#JUDGE``, verdicts on facts
        (:mod:`evaluator.judges.judgements`).

    Raises
    ------
    InputError, ConfigurationError
        Where it is none of these, or has several systems or judges of which none is named.
    """
    place, named = file_and_name(text)
    path, name = expanded(place), named or ""
    if path.is_dir():
        return _of_run(text, path, name)
    if not path.is_file():
        raise InputError(path, "no such file or run directory")
    if _is_by_sentence(path):
        return _of_gold(text, path, name)
    return _of_verdicts(text, path, name)


def paired_sources(baseline: GateSource, candidate: GateSource) -> tuple[GateSource, GateSource]:
    """Return two sides on the same units; of verdicts those on facts that both judge.

    Raises
    ------
    ConfigurationError
        If they are not of one kind, or have nothing in common.
    """
    if baseline.kind != candidate.kind:
        raise ConfigurationError(
            f"{baseline.name} is {_KINDS[baseline.kind]} and {candidate.name} "
            f"{_KINDS[candidate.kind]}: compare two of a kind"
        )
    if baseline.kind == "verdicts":
        return _in_common(baseline, candidate), _in_common(candidate, baseline)
    if one := next((of for of in baseline.judged_by if of not in candidate.judged_by), None):
        other = dict(candidate.judged_by)[one[0]]
        raise ConfigurationError(
            f"{baseline.name} and {candidate.name} differ in more than what the systems state: "
            f"{one[0]} is {one[1]} and {other}; run both with the same corpus, evidence and "
            "settings"
        )
    if baseline.kind == "gold":
        totals = [{u: row[3] for u, row in of.sums.items()} for of in (baseline, candidate)]
        if totals[0] != totals[1]:
            raise ConfigurationError(
                f"{baseline.name} and {candidate.name} were scored on different gold data"
            )
    return baseline, candidate


def _in_common(one: GateSource, other: GateSource) -> GateSource:
    """Return one side's verdicts on the facts that both sides judge."""
    sums = {unit: of for unit, of in one.sums.items() if unit in other.sums}
    if not sums:
        raise ConfigurationError(
            f"{one.name} and {other.name} have no fact in common: both must name facts alike, by "
            "id or by e1, r, e2"
        )
    if lonely := len(one.sums) - len(sums):
        note = f"{one.name}: {lonely:,} facts that the other side does not judge are left out."
        return replace(one, sums=sums, notes=(*one.notes, note))
    return one


# --- Runs ---------------------------------------------------------------------------------------


def _of_run(text: str, path: Path, name: str) -> GateSource:
    finished = FinishedRun.open(path)
    system = one_system(finished.result.systems, name, path, f"as {path}#NAME")
    finished_stage(path / "estimate")
    corpus = finished.result.corpus is not None
    parameters = {"system": system, "of_system": system_rest(system), "of_rest": CANDIDATES_REST}
    with duckdb.connect() as connection, files_of_table(path / "estimate" / "judged") as files:
        rows = connection.execute(_BY_SUBJECT, {**parameters, "files": files}).fetchall()
    sums = {
        subject: (right, said, right if corpus else 0.0, right + missed if corpus else 0.0)
        for subject, right, said, missed in rows
    }
    return GateSource(
        text,
        "run",
        sums,
        ("precision", "recall", "f1") if corpus else ("precision",),
        (
            "Figures of runs are annotator-relative: the annotator's errors are in both, and "
            "cancel only as far as they are alike. Facts are taken together by their subject.",
        ),
        _judged_by(finished.result.parts),
    )


def _judged_by(parts: Signature) -> tuple[tuple[str, str], ...]:
    """Return the parts of a signature that move a figure though no system says anything else.

    The figures are the annotator's: labels change none, nor does how intervals are made.
    """
    inputs = {
        name: "none" if of is None else of.digest
        for name, of in (("corpus", parts.corpus), ("kb", parts.kb), ("index", parts.index))
    }
    texts = {**parts.texts(), **inputs}  # an input is what is in it, whatever it is called
    return tuple((name, text) for name, text in texts.items() if name not in _FREE)


# What is open and was not judged is stood for by what was, as everywhere (Horvitz and Thompson).
_BY_SUBJECT = """
with facts as (
    select e1, candidate, matched, verdict, list_contains(systems, $system) as said,
        not matched and list_contains(samples, $of_system) as drawn,
        not matched and list_contains(samples, $of_rest) as drawn_rest
    from read_parquet($files)
), weights as (
    select
        count(*) filter (said and not matched) / greatest(count(*) filter (said and drawn), 1)
            as of_said,
        count(*) filter (candidate and not said and not matched)
            / greatest(count(*) filter (candidate and not said and drawn_rest), 1) as of_missed
    from facts
)
select e1,
    sum(case when said and matched then 1.0
        when said and drawn and verdict = 'accepted' then w.of_said else 0.0 end) as found,
    sum(case when said then 1.0 else 0.0 end) as stated,
    sum(case when candidate and not said and matched then 1.0
        when candidate and not said and drawn_rest and verdict = 'accepted' then w.of_missed
        else 0.0 end) as missed
from facts, weights w group by e1
having stated > 0 or missed > 0
"""


# --- Gold scores --------------------------------------------------------------------------------


def _is_by_sentence(path: Path) -> bool:
    with path.open("rb") as file:
        first = file.readline(10_000)
    return first.rstrip(b"\r\n") == "\t".join(SENTENCE_COLUMNS).encode()


def _of_gold(text: str, path: Path, name: str) -> GateSource:
    rows = list(read_table(path, columns=("system", "sentence_id", "sentence", *_SUMS)))
    if not rows:
        raise InputError(path, "no sentence in it; write it anew with gold --by-sentence")
    system = one_system((row["system"] for row in rows), name, path, f"as {path}#NAME")
    sums: dict[str, tuple[float, ...]] = {}
    for row in rows:
        if row["system"] != system:
            continue
        # Sentences may repeat under one id, and have none.
        unit = key = f"{row['sentence_id']}\t{row['sentence']}"
        copies = 1
        while unit in sums:
            copies += 1
            unit = f"{key}\t{copies}"
        sums[unit] = tuple(_number(row[column], row.where, column) for column in _SUMS)
    return GateSource(text, "gold", sums, ("precision", "recall", "f1"))


def _number(cell: str, where: str, column: str) -> float:
    try:
        number = float(cell)
    except ValueError:
        number = float("nan")
    if not isfinite(number) or number < 0:
        raise InputError(where, f"{column} is {cell!r}; expected what gold --by-sentence wrote")
    return number


# --- Verdicts -----------------------------------------------------------------------------------


def _of_verdicts(text: str, path: Path, name: str) -> GateSource:
    said = read_judgements(path, judge=name or None)
    values: dict[str, list[float]] = defaultdict(list)
    for row in said.rows:
        if row.value is not None:
            unit = str(row.id) if row.item is None else digest_of(row.item)
            values[unit].append(row.value)
    sums = {
        unit: (float(sum(of) >= len(of) / 2), 1.0, 0.0, 0.0)
        for unit, of in values.items()
        if not is_tied(of)
    }
    left_out = {
        "answers cannot be read, and": sum(said.unreadable.values()),
        "facts have as many yes as no, and": len(values) - len(sums),
        "rows name no fact, are broken or to another question, and": sum(
            said.rejects.counts.values()
        ),
    }
    notes = (f"{text}: {count:,} {what} are left out." for what, count in left_out.items() if count)
    return GateSource(text, "verdicts", sums, ("precision",), tuple(notes))

"""What ``distval report`` writes of a finished run: the page anew, charts as files, tables."""

import shutil
from pathlib import Path

from evaluator.annotators import read_annotator
from evaluator.errors import InputError
from evaluator.report.chart import Chart
from evaluator.report.page import report_charts
from evaluator.results.result import Result
from evaluator.whole_files import whole_binary_file, write_whole
from indexes.kb.knowledge_base import KnowledgeBase
from indexes.locks import put_in_place
from indexes.text.manifest import read_sound_manifest
from jobs.config import Configuration
from jobs.evidence.annotator import ANNOTATOR
from jobs.evidence.sources import RunEvidence, check_unchanged
from jobs.run.report import write_report
from jobs.run.report_data import opened_run, report_data
from jobs.rundir import RunDirectory, finished_result, finished_stage

_KINDS = ("csv", "pdf", "svg")


def rewrite_report(run: Path) -> Path:
    """Write ``report.html`` of a finished run anew, without running it; return its path.

    Raises
    ------
    InputError
        Where the run is not finished or damaged, or its evidence is gone or another by now.
    """
    configuration = _settings(run)
    estimated = finished_stage(run / "estimate")
    result = Result.read(estimated.path / "result.json")
    found = _evidence(configuration, result)
    page = run / "report.html"
    with RunDirectory(run).locked(), opened_run(configuration) as engine:
        write_report(
            result,
            engine,
            found,
            configuration,
            page,
            annotator=read_annotator(estimated.path / ANNOTATOR),
            date=estimated.notes.get("date"),
        )
    return page


def run_charts(run: Path) -> dict[str, Chart]:
    """Return the charts of a finished run by their names.

    Raises
    ------
    InputError
        Where the run is not finished, or damaged.
    """
    configuration = _settings(run)
    result = finished_result(run)
    with opened_run(configuration) as engine:
        data = report_data(result, engine, configuration)
    return report_charts(result, data)


def write_figures(run: Path, out: Path) -> list[Chart]:
    """Write each chart of a run as SVG and PDF, and its data as CSV, into the folder `out`.

    The folder appears when all of it is written. One that is there is replaced if it holds nothing
    but charts.

    Raises
    ------
    InputError
        Where `out` holds something else, or the run is not finished.
    """
    others = _other_files(out)
    if others:
        raise InputError(out, f"holds {others[0]}, which is no chart: name another folder")
    charts = list(run_charts(run).values())
    partial, old = (out.with_name(f".{out.name}.{word}") for word in ("partial", "old"))
    for folder in (partial, old):
        shutil.rmtree(folder, ignore_errors=True)
    try:
        partial.mkdir(parents=True)
        for chart in charts:
            write_whole(partial / f"{chart.name}.svg", chart.svg())
            write_whole(partial / f"{chart.name}.csv", chart.csv())
            with whole_binary_file(partial / f"{chart.name}.pdf") as file:
                file.write(chart.pdf())
        put_in_place(partial, out, old=old)
    finally:
        shutil.rmtree(partial, ignore_errors=True)
    shutil.rmtree(old, ignore_errors=True)
    return charts


def _settings(run: Path) -> Configuration:
    return Configuration.of_run(run).model_copy(update={"run": run})  # it may have been moved


def _other_files(out: Path) -> list[str]:
    """Return what in a folder is no chart: a file of another kind, or a chart that lacks one."""
    if not out.exists():
        return []
    if not out.is_dir():
        raise InputError(out, "is a file: name a folder")
    names = {entry.name for entry in out.iterdir()}
    return sorted(
        name
        for name in names
        if not {f"{name.rpartition('.')[0]}.{kind}" for kind in _KINDS} <= names
        or name.rpartition(".")[2] not in _KINDS
    )


def _evidence(configuration: Configuration, result: Result) -> RunEvidence:
    """Return the evidence of a finished run, as it stands."""
    kb, index = configuration.kb.path, configuration.index.path
    found = RunEvidence(KnowledgeBase.open(kb), index, read_sound_manifest(index))
    check_unchanged(kb, found.kb_digest, result.parts.kb)
    check_unchanged(index, found.index_digest, result.parts.index)
    return found

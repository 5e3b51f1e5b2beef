"""What ``distval report`` writes of a finished run."""

from pathlib import Path
from shutil import copytree

import pytest
from typer.testing import CliRunner

from evaluator.errors import InputError
from evaluator.results.result import Result
from jobs.analysis.comparison import FinishedRun
from jobs.cli.app import app
from jobs.config import Configuration
from jobs.run.pipeline import standing_result
from jobs.run.report_files import rewrite_report, run_charts, write_figures
from tests.jobs.cli.test_files import refused


def test_the_page_written_anew_is_the_one_that_the_run_wrote(finished: Configuration) -> None:
    page = finished.run / "report.html"
    before = page.read_bytes()
    page.write_text("gone")
    assert rewrite_report(finished.run) == page
    assert page.read_bytes() == before


def test_each_chart_is_written_as_svg_and_pdf_and_its_data_as_csv(
    finished: Configuration, tmp_path: Path
) -> None:
    out = tmp_path / "made" / "figures"
    charts = write_figures(finished.run, out)
    names = {chart.name for chart in charts}
    assert names == set(run_charts(finished.run))
    assert {"precision", "recall", "f1", "venn-alpha", "scores-gamma", "confidences"} <= names
    files = {f"{name}.{kind}" for name in names for kind in ("svg", "pdf", "csv")}
    assert {file.name for file in out.iterdir()} == files
    written = {file.name: file.read_bytes() for file in out.iterdir()}
    write_figures(finished.run, out)  # charts are replaced
    assert {file.name: file.read_bytes() for file in out.iterdir()} == written
    assert [entry.name for entry in out.parent.iterdir()] == ["figures"]


def test_a_folder_of_other_things_is_left_as_it_is(finished: Configuration, tmp_path: Path) -> None:
    for name in ("notes.txt", "mine.svg"):
        out = tmp_path / name.partition(".")[0]
        out.mkdir()
        (out / name).write_text("kept")
        with pytest.raises(InputError, match=f"holds {name}, which is no chart"):
            write_figures(finished.run, out)
        assert (out / name).read_text() == "kept"


def test_tables_are_printed_or_written(finished: Configuration, tmp_path: Path) -> None:
    out = tmp_path / "tables.tex"
    told = ["report", str(finished.run), "--format", "latex"]
    printed = CliRunner().invoke(app, told)
    assert printed.exit_code == 0, printed.output
    assert CliRunner().invoke(app, [*told, "--out", str(out)]).exit_code == 0
    assert out.read_text() == printed.stdout
    assert r"\toprule" in printed.stdout


def test_a_result_that_somebody_edited_is_published_by_no_command(
    finished: Configuration, tmp_path: Path
) -> None:
    run = copytree(finished.run, tmp_path / "run")
    figure = Result.read(run / "result.json").systems["alpha"].precision.value
    file = run / "result.json"
    file.write_text(file.read_text().replace(str(figure), "0.99"))
    for command in (["report", "--format", "latex"], ["report", "--figures", "f"], ["compare"]):
        name, *options = command
        line = refused(name, str(run), *options)
        assert line.endswith(f"{file}: is not what the run wrote there: run distval run again")
    with pytest.raises(InputError, match="is not what the run wrote there"):
        FinishedRun.open(run)
    assert standing_result(run) is None  # nor is it what the next report compares with


def test_what_is_no_run_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("empty").mkdir()
    for options in ([], ["--figures", "figures"], ["--format", "latex"]):
        assert "empty" in refused("report", "empty", *options)
    assert not Path("figures").exists()
    assert "--format latex" in refused("report", "empty", "--out", "tables.tex")

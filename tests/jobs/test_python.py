"""The door for programs: its page, run; its names for checkers and programs; its weight."""

import ast
import doctest
import html
import json
import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import distval
from distval._runs import Run, _overrides
from evaluator.annotators.sentence_evidence import FIELDS, encoded
from evaluator.annotators.sentence_evidence import FLAGS as YES_OR_NO
from evaluator.comparison import two_systems
from evaluator.comparison.withheld import NO_LABELS
from evaluator.errors import ConfigurationError
from evaluator.estimators.census import census
from evaluator.estimators.paper import paper
from evaluator.intervals import Drawing
from evaluator.readers import write_extractions
from jobs.config import Configuration
from tests.jobs.commands import told
from tests.jobs.sample_runs import CONF

HOME = Path(__file__).parents[2]
PAGE = HOME / "docs" / "python.md"
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def run_examples(kind: str) -> None:
    """Run the page's examples of a kind, in order, in the current folder."""
    text = PAGE.read_text(encoding="utf-8")
    for name, content in re.findall(r"^```text (\S+)\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
        Path(name).write_text(content)
    blocks = re.findall(rf"^```{kind}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    known = {"distval": distval}
    test = doctest.DocTestParser().get_doctest("\n".join(blocks), known, kind, str(PAGE), 0)
    shown: list[str] = []
    outcome = doctest.DocTestRunner(optionflags=FLAGS).run(test, out=shown.append)
    assert outcome.failed == 0, "".join(shown)
    assert outcome.attempted > 5


def test_the_examples_that_need_no_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run_examples("python")


@pytest.mark.jvm
def test_the_examples_of_a_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "conf").symlink_to(HOME / "conf")
    monkeypatch.chdir(tmp_path)
    run_examples("python run")


def test_names_are_the_same_for_checkers_and_programs() -> None:
    tree = ast.parse(Path(distval.__file__).read_text())
    checked = {
        alias.name: node.module
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module != "importlib"
        for alias in node.names
        if alias.asname == alias.name
    }
    assert checked == distval._PLACES
    assert set(distval.__all__) == set(checked) <= set(dir(distval))
    for name in distval.__all__:
        assert getattr(distval, name).__doc__, name
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        distval.nothing  # noqa: B018


@pytest.mark.slow
def test_users_code_is_accepted_by_a_strict_checker(tmp_path: Path) -> None:
    code = tmp_path / "users.py"
    code.write_text(
        "import distval\n"
        "share: distval.Estimate = distval.wilson(3, 10)\n"
        'found = distval.score_gold("carb", "g", {"a": [("s", "a", "r", "b")], "b": "file"})\n'
        'f1: float = found.figures["a"].f1\n'
        'arg1: str = distval.read_extractions("file")[0].arg1\n'
        'distval.wilson("three", 10)\n'
    )
    environment = {**os.environ, "MYPYPATH": str(HOME)}
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--cache-dir", tmp_path / "cache", code],
        capture_output=True, text=True, cwd=HOME, env=environment, check=False,
    )  # fmt: skip
    (error, last) = done.stdout.strip().splitlines()
    assert 'users.py:6: error: Argument 1 to "wilson" has incompatible type "str"' in error
    assert last.startswith("Found 1 error")


HEAVY = ["numpy", "pandas", "pyarrow", "pydantic", "pyspark", "jnius", "scipy", "typer", "duckdb"]


def test_importing_loads_nothing_and_a_figure_neither_spark_nor_java() -> None:
    code = (
        "import sys, json, distval; first = [*sys.modules]; distval.wilson(3, 10);"
        "distval.formats(); distval.estimators(); distval.run; distval.open_index;"
        "print(json.dumps([first, [*sys.modules]]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=HOME, check=True
    )
    first, then = map(set, json.loads(done.stdout))
    assert {"distval"} == {name for name in first if name.partition(".")[0] in PACKAGES}
    assert first.isdisjoint(HEAVY)
    assert then.isdisjoint({"pyspark", "jnius", "pyserini", "typer"})


PACKAGES = {"distval", "evaluator", "indexes", "jobs"}


def test_keywords_say_how_intervals_are_drawn() -> None:
    keywords, drawing = {"level": 0.8, "draws": 50, "seed": 3}, Drawing(level=0.8, draws=50, seed=3)
    system = distval.Tally(population=90, sampled=9, accepted=4)
    others = distval.Tally(population=5, sampled=5)
    given = {"b": 7, "system_rest": system, "c": 2, "candidate_rest": others}
    given |= {"outside_candidates": 1}
    assert distval.census(**given, **keywords) == census(drawing, **given)
    given = {"system": system, "candidates": others, "outside_candidates": 1}
    assert distval.paper(**given, **keywords) == paper(drawing, **given)
    cells = [
        distval.Cell(True, frozenset(names), False, verdict, frozenset("AB"), 20)
        for names in ("A", "B", "AB")
        for verdict in ("accepted", "rejected")
    ]
    found = two_systems.compare_all(cells, "AB", drawing)
    assert distval.compare_all(cells, "AB", **keywords) == found
    assert [distval.compare(cells, "A", "B", **keywords)] == found


def test_extractions_in_memory_are_scored_as_their_file(tmp_path: Path) -> None:
    gold = tmp_path / "gold.tsv"
    gold.write_text("Ada wrote notes .\twrote\tAda\tnotes\nBo ran .\tran\tBo\tfar\n")
    given = [("Ada wrote notes .", "Ada", "wrote", "notes", 0.9), ("Bo ran .", "Bo", "ran", "home")]
    found = distval.score_gold("carb", gold, {"mine": given})
    file = tmp_path / "mine.jsonl"
    extractions = [one.extraction for one in found.evaluation.systems["mine"].judged]
    write_extractions(extractions, file, format="jsonl")
    by_command = told("gold", "carb", "--gold", gold, "--system", f"mine=jsonl:{file}")
    assert found.signature == by_command["signature"]
    assert found.figures["mine"].f1 == by_command["systems"]["mine"]["f1"]
    again = distval.score_gold("carb", gold, {"mine": extractions, "file": file})
    assert again.arrow().to_pylist()[0] == {**again.arrow().to_pylist()[1], "system": "mine"}
    assert [test.first for test in again.paired(draws=10)] == ["mine"]
    interval = again.draws(draws=50)["mine"].interval("f1", level=0.9)
    assert interval.low <= interval.value <= interval.high


@pytest.mark.parametrize(
    "wrong", [("s", "a", "r"), ("s", "a", "r", "b", "high"), ("s", "a", 1, "b"), "sarb", None]
)
def test_what_is_no_extraction_is_named(tmp_path: Path, wrong: object) -> None:
    gold = tmp_path / "gold.tsv"
    gold.write_text("Bo ran .\tran\tBo\tfar\n")
    with pytest.raises(distval.ConfigurationError, match="mine, extraction 2: expected"):
        distval.score_gold("carb", gold, {"mine": [("Bo ran .", "Bo", "ran", "far"), wrong]})  # type: ignore[list-item]


def test_a_folder_that_is_no_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(distval.InputError, match="no finished run is here"):
        distval.open_run(tmp_path)


def test_facts_have_the_sentence_evidence_by_name(tmp_path: Path) -> None:
    told = dict.fromkeys(FIELDS, 0) | {"gap": 7, "order": 2, "hedged": 1}
    [closest] = encoded(np.array([[*told.values()]]))
    table = pa.table({"e1": ["Ann", "Bob"], "closest": pa.array([closest, None], pa.binary())})
    folder = tmp_path / "estimate" / "judged"
    folder.mkdir(parents=True)
    pq.write_table(table, folder / "part-0.parquet")
    facts = Run(tmp_path).facts()
    assert facts.column_names == ["e1", *(f"closest_{field}" for field in FIELDS)]
    rows = facts.to_pylist()
    assert rows[0] == {
        "e1": "Ann",
        **{f"closest_{of}": bool(told[of]) if of in YES_OR_NO else told[of] for of in FIELDS},
        "closest_order": "after",
    }
    assert rows[0]["closest_hedged"] is True
    assert rows[0]["closest_by"] is False
    assert rows[1] == {"e1": "Bob", **dict.fromkeys(facts.column_names[1:])}
    some = Run(tmp_path).facts(["closest_gap", "e1"])
    assert some.to_pylist() == [
        {"closest_gap": 7, "e1": "Ann"}, {"closest_gap": None, "e1": "Bob"}
    ]  # fmt: skip
    with pytest.raises(ConfigurationError, match="no column closest of facts; known: e1, closest_"):
        Run(tmp_path).facts(["closest"])


def test_tables_are_exchanged_without_a_library_in_between(tmp_path: Path) -> None:
    gold = tmp_path / "gold.tsv"
    gold.write_text("Bo ran .\tran\tBo\tfar\n")
    scores = distval.score_gold("carb", gold, {"a": [("Bo ran .", "Bo", "ran", "far")]}).arrow()
    assert hasattr(scores, "__arrow_c_stream__")  # what Polars takes, too
    assert duckdb.sql("SELECT system, recall FROM scores").fetchall() == [("a", 1.0)]


def test_figures_show_themselves_in_a_notebook_and_names_stay_text(tmp_path: Path) -> None:
    gold = tmp_path / "gold.tsv"
    gold.write_text("Bo ran .\tran\tBo\tfar\n")
    scores = distval.score_gold("carb", gold, {"<b>a": [("Bo ran .", "Bo", "ran", "far")]})
    shown = scores._repr_html_()
    assert "<td>&lt;b&gt;a</td><td>100.0\u202f%</td>" in shown
    assert scores.signature.split("|")[0] in shown
    assert scores.pandas().recall.tolist() == [1.0]
    assert scores.charts["f1"].rows[0][:2] == ["<b>a", 1.0]
    assert "precision" in scores.charts._repr_html_()
    assert scores.charts["f1"]._repr_svg_().startswith("<svg ")


def test_a_comparison_shows_itself_with_the_reason_not_to_call_one_better() -> None:
    cells = [
        distval.Cell(True, frozenset(systems), False, verdict, frozenset({"S:x", "S:y"}), 40)
        for systems, verdict in (("x", "accepted"), ("y", "rejected"), ("xy", "accepted"))
    ]
    found = distval.compare_all(cells, ["x", "y"], seed=1, draws=100)
    shown = found._repr_html_()
    assert "<td>x</td><td>y</td><td>precision</td>" in shown
    assert NO_LABELS.partition(":")[0] in html.unescape(shown)
    told = found.arrow().to_pylist()
    assert [row["measure"] for row in told] == ["precision", "recall", "f1"]
    assert told[0]["value of first"] == found[0].measures["precision"].first


@pytest.mark.skipif(find_spec("polars") is not None, reason="Polars is installed")
def test_without_polars_one_line_says_what_to_do() -> None:
    found = distval.compare_all([], ["x", "y"], seed=1, draws=100)
    with pytest.raises(distval.SetupError, match=r"^Polars is not installed: pip install polars$"):
        found.polars()


def test_settings_replace_those_of_the_file(tmp_path: Path) -> None:
    settings = {
        "pmi": {"threshold": 0.25},
        "name": 'a "quoted" name',
        "run": tmp_path / "run",
        "spark": {"settings": {"spark.ui.enabled": "false"}},
        "index": {"select": ("a", "b")},
    }
    found = Configuration.load(CONF, overrides=_overrides(settings))
    assert (found.pmi.threshold, found.name, found.run) == (
        0.25,
        'a "quoted" name',
        tmp_path / "run",
    )
    assert found.spark.settings == {"spark.ui.enabled": "false"}
    assert found.index.select == ("a", "b")
    assert found.kb.path == Configuration.load(CONF).kb.path
    with pytest.raises(distval.ConfigurationError, match=r"\(pmi\) replace those of a file"):
        distval.run(found, pmi={"threshold": 0.5})

"""``distval compare`` over a run directory whose facts are written by hand."""

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

from evaluator.comparison.withheld import NO_LABELS
from evaluator.errors import DistvalError
from evaluator.estimators.base import RECALL_WITHIN
from evaluator.estimators.tallies import CANDIDATES, CANDIDATES_REST, system_population, system_rest
from jobs.analysis.comparison import FinishedRun
from jobs.cli.app import app
from jobs.rundir import RunDirectory
from tests.evaluator.report.test_page import SIGNATURE, estimate, result, system
from tests.jobs.cli.test_cli import distval, refused

# Systems, candidate, matched, verdict, and how many. A: 60 facts, 4 in D and 36 accepted; B: 60, 4
# in D and 8 accepted; C states all of A's.
FACTS = [
    (["A", "B", "C"], True, True, "matched", 4),
    (["A", "C"], True, False, "accepted", 36),
    (["A", "C"], True, False, "rejected", 20),
    (["B"], True, False, "accepted", 8),
    (["B"], False, False, "no pair", 48),
    ([], True, True, "matched", 2),
    ([], True, False, "accepted", 10),
    ([], True, False, "rejected", 40),
]
VALUES = {"A": (40 / 60, 40 / 60), "B": (12 / 60, 12 / 60), "C": (40 / 60, 40 / 60)}


def write(path: Path, *, corpus: bool = True, systems: str = "ABC") -> Path:
    """Write the run directory of the facts, in two parts, as Spark leaves it."""
    rows = []
    for names, candidate, matched, verdict, number in FACTS:
        samples = [CANDIDATES] * candidate + [system_population(name) for name in names]
        if not matched:
            samples += [CANDIDATES_REST] * candidate + [system_rest(name) for name in names]
        row = {"systems": names, "candidate": candidate, "matched": matched, "verdict": verdict}
        rows += [row | {"samples": samples}] * number

    def build(out: Path) -> None:
        judged = out / "judged"
        judged.mkdir()
        for part in range(2):
            table = pa.Table.from_pylist(rows[part::2])
            pq.write_table(table, judged / f"part-{part}.zstd.parquet")
            (judged / f".part-{part}.zstd.parquet.crc").write_bytes(b"crc")
        (judged / "_SUCCESS").touch()

    RunDirectory(path).stage("estimate", depends_on={}, build=build)
    told = result(
        settings={"estimate.level": 0.9, "estimate.method": "census", "sample.seed": 7},
        systems={
            name: system(1, 1, 1, 1, facts=60)
            | {
                "precision": estimate(VALUES[name][0]),
                "recall": estimate(VALUES[name][1]) if corpus else None,
                "f1": None,
            }
            for name in systems
        },
    )
    told |= {} if corpus else {"corpus": None}
    (path / "result.json").write_text(json.dumps(told))
    return path


def compared(*arguments: object) -> dict:
    """Return what the command tells, run in this process."""
    done = CliRunner().invoke(app, ["compare", *map(str, arguments), "--json"])
    assert done.exit_code == 0, done.exception
    return json.loads(done.stdout, parse_constant=pytest.fail)  # strict: no Infinity, no NaN


def refusal(*arguments: object) -> str:
    """Return the line in which the command refuses its input, run in this process."""
    error = CliRunner().invoke(app, ["compare", *map(str, arguments)]).exception
    assert isinstance(error, DistvalError)
    assert "\n" not in str(error)
    return str(error)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("runs") / "a [run]")


def test_all_pairs_of_a_run(run: Path) -> None:
    told = compared(run, "--draws", "999")
    assert (told["level"], told["seed"], told["draws"]) == (0.9, 7, 999)
    assert told["signature"] == SIGNATURE
    assert [(pair["first"], pair["second"]) for pair in told["pairs"]] == [
        ("A", "B"),
        ("A", "C"),
        ("B", "C"),
    ]
    first, same, _ = told["pairs"]
    assert (first["only_first"], first["only_second"], first["both"]) == (56, 56, 4)
    # G holds what A states (40), what B alone states (8), and what neither does (12).
    expected = {"precision": (40 / 60, 12 / 60), "recall": (40 / 60, 12 / 60)}
    for measure, values in expected.items():
        found = first["measures"][measure]
        assert (found["first"], found["second"]) == pytest.approx(values)
        difference = found["difference"]
        assert difference["value"] == pytest.approx(values[0] - values[1])
        assert 0 < difference["low"] < difference["value"] < difference["high"]
    for found in same["measures"].values():
        assert found["difference"]["value"] == 0
    assert compared(run, "--draws", "999") == told


def test_without_labels_differences_have_no_p_values_and_the_reason_is_told(run: Path) -> None:
    told = compared(run, "--draws", "99")
    assert told["withheld"] == [NO_LABELS]
    for pair in told["pairs"]:
        for found in pair["measures"].values():
            assert (found["tests"], found["marked"]) == (None, None)
            assert found["withheld"] == NO_LABELS
    assert RECALL_WITHIN in told["notes"]


def test_without_labels_the_reason_stands_above_tables_without_marks(run: Path) -> None:
    done = distval("compare", run, "C", "A", "B", "--measure", "precision", "--level", "0.99")
    assert done.code == 0, done.err
    assert "99 % interval" in done.out
    assert "Recall" not in done.out
    reason, _, tables = done.out.partition("Precision, annotator-relative")
    assert " ".join(reason.split()) == (
        f"{NO_LABELS} The intervals hold no error of the annotator, only what another text of the "
        "same kind would change."
    )
    lines = {line.split("│")[1].strip(): line for line in tables.splitlines() if "–" in line}
    assert set(lines) == {"A – B", "A – C", "B – C"}  # the order of the run
    assert "46.67 [" in lines["A – B"]
    for claim in ("◀", "Holm", "bootstrap", "randomised", " p "):
        assert claim not in done.out
    assert "differ from the run's own" not in done.out


def test_chosen_systems_and_measures(run: Path) -> None:
    options = ["--measure", "recall", "--measure", "f1", "--seed", "1", "--draws", "50"]
    told = compared(run, "A", "B", *options)
    (pair,) = told["pairs"]
    assert list(pair["measures"]) == ["recall", "f1"]
    assert told["seed"] == 1


def test_without_a_corpus_only_precision_is_compared(tmp_path: Path) -> None:
    told = compared(write(tmp_path, corpus=False))
    assert {name for pair in told["pairs"] for name in pair["measures"]} == {"precision"}
    assert "needs the corpus" in refusal(tmp_path, "--measure", "recall")


def test_facts_are_counted_by_cell(run: Path) -> None:
    cells = FinishedRun.open(run).cells()
    assert sorted((sorted(cell.systems), cell.verdict, cell.facts) for cell in cells) == sorted(
        (names, verdict, number) for names, _, _, verdict, number in FACTS
    )
    (shared,) = (cell for cell in cells if cell.systems == {"A", "B", "C"})
    assert (shared.candidate, shared.matched) == (True, True)
    assert shared.samples == {CANDIDATES, *map(system_population, "ABC")}


# Bad input: one clear line, exit code 2.


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["A", "D"], "no system D; known: A, B, C"),
        (["A"], "needs two systems"),
        (["A", "A"], "needs two systems"),
        (["--measure", "accuracy"], "expected one of precision, recall, f1"),
    ],
)
def test_what_cannot_be_compared(run: Path, arguments: list[str], told: str) -> None:
    assert told in refusal(run, *arguments)


def test_a_folder_that_is_no_finished_run(tmp_path: Path) -> None:
    assert "no such run directory" in refused("compare", tmp_path / "missing")
    assert "no directory of a finished run" in refusal(tmp_path)


def test_a_run_with_one_system(tmp_path: Path) -> None:
    assert "there is only A" in refusal(write(tmp_path, systems="A"))


def test_a_damaged_run(run: Path, tmp_path: Path) -> None:
    path = write(tmp_path / "run")
    part = path / "estimate" / "judged" / "part-1.zstd.parquet"
    part.write_bytes(b"x" * part.stat().st_size)
    assert f"{part}: damaged (its sum is not that of what was written)" in refusal(path)
    part.unlink()
    assert f"{part}: missing" in refusal(path)
    (path / "result.json").write_text("[")
    assert "result.json: is no result: not JSON" in refusal(path)
    (path / "result.json").write_text("[]")
    assert "is no result: give the result.json of a run" in refusal(path)

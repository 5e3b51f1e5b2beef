"""The command that shows precision and recall of relation matching over thresholds."""

import json

import pytest
import typer
from typer.testing import CliRunner

from jobs.cli import alignments as commands
from tests.jobs.commands import refused

app = typer.Typer()
app.command("curve")(commands.curve)
app.command("wikidata-properties")(commands.wikidata_alignments)

ROWS = """phrase\trelation\tsame
be born in\tbirth place\ttrue
be the birth place of\tplace of birth\ttrue
visit\tspouse\tfalse
is the\tstate\ttrue
"""


@pytest.fixture
def sheet(tmp_path):
    path = tmp_path / "known.tsv"
    path.write_text(ROWS)
    return path


def curve(*arguments):
    done = CliRunner().invoke(app, ["curve", *map(str, arguments)], env={"COLUMNS": "200"})
    assert done.exit_code == 0, done.output
    return done.output


def test_the_curve_in_json(sheet):
    told = json.loads(curve(sheet, "--json"))
    assert (told["rows"], told["true_weight"], told["without_words"]) == (4, 3, 1)
    # The phrase without a content word is found by no threshold above 0, "place" is the same.
    last = told["curve"][-1]
    assert last["threshold"] == "identical"
    assert last["precision"]["value"] == 1
    assert told["curve"][0]["threshold"] == 0
    assert told["curve"][0]["recall"]["value"] == 1


def test_with_derivations_to_be_born_is_the_same_as_a_birth(sheet):
    def identical(*options):
        return json.loads(curve(sheet, "--json", *options))["curve"][-1]["true_matched"]

    assert identical("--no-derivations") == 1
    assert identical("--derivations") == identical() == 2


def test_the_table_marks_the_best_threshold_and_says_how_to_use_it(sheet):
    told = curve(sheet)
    assert told.count("◀ best") >= 1
    assert "--set match.threshold=" in told
    assert "1 without a word to compare" in told


def test_precision_is_restated_for_another_ratio(sheet):
    told = json.loads(curve(sheet, "--json", "--ratio", "3"))
    assert told["false_per_true"] == 3
    assert told["curve"][0]["precision"]["value"] == pytest.approx(1 / 4)


@pytest.mark.parametrize(
    ("content", "options", "match"),
    [
        (ROWS.replace("true", "false"), (), "no alignment is the same"),
        (ROWS, ("--ratio", "0"), "'--ratio': Input should be greater than or equal to 0.001"),
        (ROWS, ("--key", "tail"), "head"),
        (ROWS, ("--sense-share", "2"), "'--sense-share': Input should be less than or equal to 1"),
    ],
)
def test_what_makes_no_curve_is_told_in_a_line(tmp_path, content, options, match):
    path = tmp_path / "known.tsv"
    path.write_text(content)
    assert match in refused("similarity", "curve", path, *options)


@pytest.mark.parametrize(
    ("threshold", "setting"), [(0.39554, "0.3955"), (184.5123, "184.5"), (1e300, "1e+300")]
)
def test_a_suggested_threshold_still_matches_what_scored_it(threshold, setting):
    assert commands._setting(threshold) == setting
    assert float(setting) <= threshold

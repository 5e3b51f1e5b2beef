"""Settings put into a configuration: what changes, what stays, what is refused."""

import tomllib
from pathlib import Path

import pytest

from evaluator.errors import ConfigurationError, InputError
from jobs.config import Configuration
from jobs.configuration_edit import edit

CONF = """\
# A run.
name = "small"   # its name
run = "run"
systems = ["one=cesi:facts"]

# Where the evidence is.
[kb]
path = "kb"

[pmi]
# in words
x = 10
threshold = 0.01     # a guess
[index]
path = "index"
"""


@pytest.fixture
def conf(tmp_path: Path) -> Path:
    path = tmp_path / "run.toml"
    path.write_text(CONF)
    return path


def test_a_threshold_changes_its_line_and_nothing_else(conf: Path) -> None:
    diff = edit(conf, {"pmi.threshold": 0.25})
    assert conf.read_text() == CONF.replace("threshold = 0.01 ", "threshold = 0.25 ")
    assert "-threshold = 0.01     # a guess\n+threshold = 0.25     # a guess\n" in diff


def test_keys_without_a_section_come_below_the_others_and_above_the_comment_of_a_section(
    conf: Path,
) -> None:
    edit(conf, {"annotator": "anchored"})
    line = 'systems = ["one=cesi:facts"]\n'
    assert conf.read_text() == CONF.replace(line, line + 'annotator = "anchored"\n')


def test_all_settings_are_those_of_the_run_afterwards(conf: Path) -> None:
    edit(conf, {"annotator": "pmi", "pmi.variant": "anchored", "pmi.threshold": 0.5})
    assert tomllib.loads(conf.read_text())["kb"] == {"path": "kb"}
    pmi = Configuration.load(conf).pmi
    assert (pmi.variant, pmi.threshold, pmi.x) == ("anchored", 0.5, 10)


def test_what_is_so_already_or_by_default_is_not_written(conf: Path) -> None:
    assert edit(conf, {"annotator": "pmi", "pmi.smoothing": "none", "pmi.x": 10}) == ""
    assert conf.read_text() == CONF


def test_a_model_is_named_from_the_folder_of_the_configuration(conf: Path) -> None:
    model = conf.parent / "models" / "m.json"
    edit(conf, {"annotator": "calibrated", "calibrated.model": model})
    assert tomllib.loads(conf.read_text())["calibrated"]["model"] == "models/m.json"
    assert Configuration.load(conf).calibrated.model == model
    assert edit(conf, {"annotator": "calibrated", "calibrated.model": model}) == ""


@pytest.mark.parametrize("threshold", [0.0, 1.5, float("inf"), float("nan")])
def test_a_value_out_of_range_leaves_the_file_alone(conf: Path, threshold: float) -> None:
    with pytest.raises(ConfigurationError, match=r"pmi\.threshold"):
        edit(conf, {"pmi.threshold": threshold})
    assert conf.read_text() == CONF


def test_a_file_that_is_no_configuration_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="missing"):
        edit(tmp_path / "missing.toml", {"pmi.threshold": 0.5})

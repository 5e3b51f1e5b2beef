"""A finished run at other settings: the plain path, run at those settings, is the oracle."""

import json
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from evaluator.errors import ConfigurationError, InputError
from jobs.analysis.sensitivity import Sensitivity, finished, sensitivity
from jobs.config import Configuration
from tests import plain_path
from tests.jobs.sample_runs import SAMPLE, of_sample, run

# Off the configured value: more and fewer matches than it, so that the run has facts not counted.
VALUES = {"t": [0.5, 0.02], "match": [0.15, 1.2], "x": [1], "link": [0.8]}
SETTINGS = {"t": "pmi.threshold", "match": "match.threshold", "x": "pmi.x"}
MEASURES = ("precision", "recall", "f1", "regions")


@pytest.fixture(scope="module")
def configured(
    evidence: Path, tmp_path_factory: pytest.TempPathFactory
) -> Callable[..., Configuration]:
    folder = tmp_path_factory.mktemp("sample")
    return partial(of_sample, evidence, folder / "run", partitions=2)


@pytest.fixture(scope="module")
def result(configured: Callable[..., Configuration]) -> dict[str, Any]:
    """The run of the sample: 100 facts of each S and 500 of G' are judged, not all."""
    return run(configured())


def stamps(folder: Path) -> dict[str, tuple[int, bytes]]:
    files = (path for path in folder.rglob("*") if path.is_file() and path.name != ".lock")
    return {str(file): (file.stat().st_mtime_ns, file.read_bytes()) for file in files}


@pytest.fixture(scope="module")
def before(
    configured: Callable[..., Configuration], result: dict[str, Any]
) -> dict[str, tuple[int, bytes]]:
    return stamps(configured().run)


@pytest.fixture(scope="module")
def found(
    configured: Callable[..., Configuration], before: dict[str, tuple[int, bytes]]
) -> Sensitivity:
    return sensitivity(configured(), values=VALUES)


def figures(found: Sensitivity, name: str, value: float) -> dict[str, Any]:
    points = found.as_json()["curves"][name]["points"]
    (point,) = (point for point in points if point["value"] == value)
    return point["systems"]


@pytest.mark.parametrize(("name", "value"), [("t", 0.1), ("match", 0.4), ("x", 4), ("link", 1)])
def test_at_the_configured_value_the_figures_are_those_of_the_result(
    found: Sensitivity, result: dict[str, Any], name: str, value: float
) -> None:
    assert found.as_json()["curves"][name]["configured"] == value
    for system, told in figures(found, name, value).items():
        assert told == {key: result["systems"][system][key] for key in MEASURES}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        pytest.param(name, value, marks=[] if place == 0 else pytest.mark.slow)
        for name in SETTINGS
        for place, value in enumerate(VALUES[name])
    ],
)
def test_at_another_value_they_are_those_of_a_run_with_it(
    found: Sensitivity, configured: Callable[..., Configuration], name: str, value: float
) -> None:
    """Samples and counts included: at another match threshold other facts are drawn and counted."""
    other = plain_path.evaluate(configured(f"{SETTINGS[name]}={value}"))
    for system, told in figures(found, name, value).items():
        assert told == {key: json.loads(json.dumps(other["systems"][system][key])) for key in told}


@pytest.mark.usefixtures("spark")
@pytest.mark.slow
def test_spark_gives_the_same_curves(
    configured: Callable[..., Configuration], result: dict[str, Any]
) -> None:
    """At one value of each: queries differ in nothing else."""
    values = {name: some[:1] for name, some in VALUES.items()}
    again = sensitivity(configured("engine=spark"), values=values)
    assert again.as_json() == sensitivity(configured(), values=values).as_json()


def test_nothing_of_the_run_is_touched_and_the_plot_is_beside_it(
    found: Sensitivity,
    configured: Callable[..., Configuration],
    before: dict[str, tuple[int, bytes]],
) -> None:
    after = stamps(configured().run)
    assert found.plot == configured().run / "sensitivity.html"
    # The page, and the same for the run's report.
    made = {str(found.plot), str(found.plot.with_suffix(".json"))}
    assert after.keys() - before.keys() == made
    assert {path: after[path] for path in before} == before


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({"t": [0.2, 1.5]}, "pmi.threshold = 1.5: input should be less than or equal to 1"),
        ({"match": [0]}, "match.threshold = 0: input should be greater than 0"),
        ({"x": [2.5]}, "pmi.x = 2.5: input should be a valid integer"),
        ({"link": [0]}, "link precision 0: expected above 0"),
    ],
)
def test_a_value_that_a_setting_may_not_have_is_refused(
    configured: Callable[..., Configuration], values: dict[Any, list[float]], told: str
) -> None:
    with pytest.raises(ConfigurationError, match=told):
        sensitivity(configured(), values=values)


def test_classic_has_no_distance_to_vary(configured: Callable[..., Configuration]) -> None:
    with pytest.raises(ConfigurationError, match="CLASSIC does not look at it"):
        sensitivity(configured("pmi.variant=classic"), only=["x"])


def test_a_run_that_is_not_finished_or_of_other_settings_is_refused(
    configured: Callable[..., Configuration], result: dict[str, Any], tmp_path: Path
) -> None:
    with pytest.raises(InputError, match="no finished run there"):
        finished(configured(f"run={tmp_path / 'none'}"))
    with pytest.raises(InputError, match=r"pmi.threshold: 0.1 there, 0.2 in the configuration"):
        finished(configured("pmi.threshold=0.2"))
    other = f'systems=["alpha=tabbed:{SAMPLE / "alpha.tabbed"}"]'
    with pytest.raises(InputError, match=r"of other systems \(alpha, beta, gamma\)"):
        finished(configured(other))
    for text in ("{", "[]", '{"settings": 1}'):
        (tmp_path / "result.json").write_text(text)
        with pytest.raises(InputError, match="is no result"):
            finished(configured(f"run={tmp_path}"))


def test_stages_of_another_run_than_the_result_are_noticed(
    configured: Callable[..., Configuration], result: dict[str, Any], tmp_path: Path
) -> None:
    configuration = configured(f"run={tmp_path}")
    for stage in ("match", "score", "estimate"):
        (tmp_path / stage).symlink_to(configured().run / stage)
    told = json.loads(json.dumps(result))
    told["systems"]["beta"]["regions"]["d"]["value"] += 1
    (tmp_path / "result.json").write_text(json.dumps(told))
    with pytest.raises(InputError, match="the figures of beta are not those of the stages"):
        sensitivity(configuration, only=["t"])


@pytest.mark.parametrize(
    ("lost", "table"),
    [("match", "match/facts"), ("score", "score/counts"), ("estimate", "estimate/judged")],
)
def test_a_stage_that_is_gone_is_named(
    configured: Callable[..., Configuration],
    result: dict[str, Any],
    tmp_path: Path,
    lost: str,
    table: str,
) -> None:
    for stage in {"match", "score", "estimate", "result.json"} - {lost}:
        (tmp_path / stage).symlink_to(configured().run / stage)
    told = f"{tmp_path / table}: no such stage in the run; run it again: distval run"
    with pytest.raises(InputError, match=re.escape(told)):
        sensitivity(configured(f"run={tmp_path}"), only=["match"])

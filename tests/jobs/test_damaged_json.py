"""A JSON file that nests beyond all measure is a damaged file: one line says so, and the remedy."""

import json
from pathlib import Path

import pytest

from evaluator.errors import InputError
from evaluator.inputs import read_json
from evaluator.json_objects import DEEPEST
from indexes.text.plan import Framed
from jobs.rundir import STAMP, RunDirectory, finished_stage
from tests.jobs.commands import refused
from tests.jobs.sample_runs import CONF

DEEP = {
    "unclosed arrays": "[" * 100_000,
    "unclosed objects": '{"format":' * 50_000,
    "whole": '{"a":' * 100_000 + "1" + "}" * 100_000,
    "read by Python, but too deep to walk through": "[" * 900 + "]" * 900,
}


@pytest.fixture(params=DEEP.values(), ids=DEEP)
def deep(request: pytest.FixtureRequest) -> str:
    return request.param


def test_values_nest_as_deep_as_stated_and_no_deeper(tmp_path: Path):
    file = tmp_path / "file.json"
    file.write_text("[" * DEEPEST + "1" + "]" * DEEPEST)
    value, depth = read_json(file), 0
    while isinstance(value, list):
        (value,), depth = value, depth + 1
    assert (value, depth) == (1, DEEPEST)
    file.write_text("[" * (DEEPEST + 1) + "1" + "]" * (DEEPEST + 1))
    with pytest.raises(ValueError, match="nested more than 100 deep"):
        read_json(file)


@pytest.mark.parametrize("asked", [("kb", "info"), ("index", "info"), ("index", "check")])
def test_a_manifest(asked: tuple[str, ...], deep: str, tmp_path: Path):
    (tmp_path / "manifest.json").write_text(deep)
    line = refused(*asked, tmp_path)
    assert f"{tmp_path / 'manifest.json'}: damaged (" in line
    assert "): build" in line
    assert "delete" not in line  # nothing tells whose folder it is


def test_a_result_to_compare(deep: str, tmp_path: Path):
    (tmp_path / "estimate" / "judged").mkdir(parents=True)
    (tmp_path / "result.json").write_text(deep)
    line = refused("compare", tmp_path)
    assert f"{tmp_path / 'result.json'}: is no result: not JSON (" in line


def test_a_result_to_verify(deep: str, tmp_path: Path):
    (tmp_path / "result.json").write_text(deep)
    line = refused("run", CONF, "--verify", tmp_path / "result.json")
    assert f"{tmp_path / 'result.json'}: is no result: not JSON (" in line


def test_a_stage(deep: str, tmp_path: Path):
    stage = tmp_path / "match"
    stage.mkdir()
    (stage / STAMP).write_text(deep)
    for read in (
        lambda: finished_stage(stage),
        lambda: RunDirectory(tmp_path).stage("match", depends_on={}, build=lambda _out: None),
    ):
        with pytest.raises(InputError) as stopped:
            read()
        assert str(stopped.value).startswith(f"{stage / STAMP}: damaged, or edited by hand")
        assert f": delete {stage}; the next run makes it again" in str(stopped.value)


def test_what_a_build_of_an_index_left(deep: str, tmp_path: Path):
    file = tmp_path / "framed.json"
    for damaged in (deep, "[]", json.dumps({"digests": {"first": "00"}, "rejects": {}})):
        file.write_text(damaged)
        with pytest.raises(InputError, match=f"damaged: delete {tmp_path}; the next build"):
            Framed.load(file)

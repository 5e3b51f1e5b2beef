"""A result recomputed and compared; the plain path makes results that nobody has kept."""

import json
import os
from collections.abc import Callable
from copy import deepcopy
from functools import partial
from pathlib import Path
from shutil import copy
from typing import Any

import pytest

from evaluator.errors import InputError
from evaluator.results.result import Result
from jobs.config import Configuration
from jobs.evidence.sources import prepare
from jobs.run.verification import (
    ResultDifference,
    compare,
    read_result,
    signature_to_be,
    verify,
    with_evidence_as_it_stands,
)
from tests import plain_path
from tests.evaluator.report.test_page import result
from tests.jobs.sample_runs import SAMPLE, of_sample


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("sample")


@pytest.fixture(scope="module")
def configured(evidence: Path, folder: Path) -> Callable[..., Configuration]:
    return partial(of_sample, evidence, folder / "runs" / "run")


@pytest.fixture(scope="module")
def claimed(configured: Callable[..., Configuration]) -> dict[str, Any]:
    return plain_path.evaluate(configured())


def test_a_result_is_recomputed_to_the_last_digit_and_nothing_is_left_behind(
    configured: Callable[..., Configuration], claimed: dict[str, Any]
) -> None:
    """What stands in the run's own folder is neither read nor written: here it would be refused."""
    own = configured().run
    (own / "read").mkdir(parents=True)
    stages: list[tuple[str, bool]] = []
    found = verify(configured(), Result.of(claimed), on_stage=lambda *stage: stages.append(stage))
    assert found.equal
    assert found.compared > 200
    assert found.as_json() == {
        "equal": True, "compared": found.compared, "signature": [], "figures": []
    }  # fmt: skip
    kept = {name for name, kept in stages if kept}
    assert kept == {"knowledge base", "text index"}
    assert [path.name for path in own.parent.iterdir()] == [own.name]
    assert list(own.rglob("*")) == [own / "read"]


def test_what_differs_is_named_the_parts_of_the_signature_first(claimed: dict[str, Any]) -> None:
    other = deepcopy(claimed)
    other["parts"]["annotator"] = "pmi-proximity-t0.2"
    other["parts"]["kb"]["name"] = "x" + other["parts"]["kb"]["name"]
    other["signature"] = other["signature"].replace("-t0.1|", "-t0.2|").replace("kb:", "kb:x")
    alpha = other["systems"]["alpha"]
    value = alpha["precision"]["value"]
    alpha["precision"]["value"] = value * (1 - 2**-53)
    alpha["undefined_reasons"]["another"] = 1
    del other["settings"]["pmi.x"]
    found = compare(Result.of(other), Result.of(claimed))
    assert [part.name for part in found.signature] == ["kb", "annotator"]
    assert found.figures == [
        ResultDifference("systems.alpha.precision.value", value * (1 - 2**-53), value),
        ResultDifference("systems.alpha.undefined_reasons.another", 1, None, "here"),
        ResultDifference("settings.pmi.x", None, 4, "there"),
    ]
    kb = claimed["parts"]["kb"]
    assert found.signature[0][1:3] == (
        f"x{kb['name']}.{kb['digest']}", f"{kb['name']}.{kb['digest']}"
    )  # fmt: skip
    assert not found.equal
    assert str(ResultDifference("systems.alpha.precision.value", 0.31, 0.3)) == (
        "systems.alpha.precision.value: 0.31 there, 0.3 here"
    )
    assert str(ResultDifference("x", None, 7, "there")) == "x: absent there, 7 here"
    assert str(ResultDifference("x", None, 7)) == "x: null there, 7 here"


def test_the_signature_is_known_before_anything_is_computed(
    configured: Callable[..., Configuration], claimed: dict[str, Any]
) -> None:
    c = configured()
    found = prepare(c.kb, c.index, on_stage=lambda _name, _kept: None)
    assert signature_to_be(c, found) == Result.of(claimed).parts


def test_a_part_that_differs_is_told_before_anything_is_computed(
    configured: Callable[..., Configuration], claimed: dict[str, Any], tmp_path: Path
) -> None:
    """Another system file and another threshold: the first is told from its digest."""

    class ToldError(Exception):
        pass

    def stop(differing: list[ResultDifference]) -> None:
        raise ToldError([one.name for one in differing])

    systems = []
    for source in configured().systems:
        file = Path(copy(source.path, tmp_path))
        systems.append(f"{source.name}={source.format}:{file}")
    with file.open("a") as stream:
        stream.write("one more line\n")
    other = configured(
        f"systems={json.dumps(systems)}", "match.threshold=0.5", f"run={tmp_path / 'run'}"
    )
    with pytest.raises(ToldError, match=r"\['systems', 'match'\]"):
        verify(other, Result.of(claimed), on_differing=stop)
    assert not list(tmp_path.glob("*run*"))


def test_evidence_is_used_as_it_stands_even_where_its_sources_have_changed(
    configured: Callable[..., Configuration], tmp_path: Path
) -> None:
    source = Path(copy(SAMPLE / "kb.nt", tmp_path))
    changed = configured(f"kb.path={tmp_path / 'kb'}", f'kb.sources=["{source}"]')
    built = prepare(changed.kb, changed.index, on_stage=lambda _name, _kept: None)
    lines = source.read_text().splitlines(keepends=True)
    source.write_text("".join(lines[: len(lines) // 2]))
    os.utime(source, (0, 0))
    stages: dict[str, bool] = {}
    now = with_evidence_as_it_stands(changed)
    standing = prepare(now.kb, now.index, on_stage=stages.__setitem__)
    assert stages == {"knowledge base": True, "text index": True}
    assert standing.kb_digest == built.kb_digest


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (None, "cannot read this result: No such file"),
        (b"{", "is no result: not JSON"),
        (b"\x89PNG", "is no result: not JSON"),
        (b"[1, 2]", "is no result: give the result.json of a run"),
        (b'{"distval": "0.1.0"}', "is no result: give the result.json of a run"),
        (json.dumps(result()).encode(), "was made by distval 9.8.7, this is"),
    ],
)
def test_what_is_no_result_of_this_version_is_refused_in_one_line(
    content: bytes | None, told: str, tmp_path: Path
) -> None:
    path = tmp_path / "result.json"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(InputError, match=told) as refused:
        read_result(path)
    assert "\n" not in str(refused.value)
    assert str(refused.value).startswith(str(path))

"""What a run says of judges from outside: whose answers it took, and what they left open."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest

from evaluator.annotators import Calibrated, digest_of, write_annotator
from evaluator.annotators.evidence import CONTEXT, COUNTS, Evidence
from jobs.config import Configuration
from jobs.evidence.annotator import annotator_name
from tests.jobs.commands import command
from tests.jobs.sample_runs import CONF, of_sample


@pytest.fixture
def facts(finished: Configuration) -> list[tuple[str, str, str]]:
    """What the text judges in the sample."""
    rows = duckdb.sql(
        f"""select e1, r, e2 from '{finished.run}/estimate/judged/*.parquet'
        where verdict in ('accepted', 'rejected', 'no pair') order by all"""
    ).fetchall()
    return [(e1, r, e2) for e1, r, e2 in rows]


def answers(path: Path, said: dict[tuple[str, str, str], str]) -> Path:
    rows = ({"id": digest_of(fact), "model": "gemma2", "answer": of} for fact, of in said.items())
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def places(evidence: Path, run: Path, *settings: str) -> list[str]:
    chosen = [f"run={run}", f"kb.path={evidence / 'kb'}", f"index.path={evidence / 'index'}"]
    return [word for setting in (*chosen, "engine=local", *settings) for word in ("--set", setting)]


def test_what_judges_leave_open_is_told_by_its_reason(
    evidence: Path, tmp_path: Path, facts: list[tuple[str, str, str]]
) -> None:
    said = dict.fromkeys(facts, "yes") | dict.fromkeys(facts[:40], "perhaps")
    file = answers(tmp_path / "gémma #1 = 2.jsonl", said)
    judges = json.dumps([f"gemma={file}"])
    settings = places(evidence, tmp_path / "run", "annotator=external", f"external.judges={judges}")
    done = command("run", CONF, *settings)
    assert done.code == 0
    assert "skipped records of judge gemma: 40 × no answer in it" in done.err
    result: dict[str, Any] = json.loads((tmp_path / "run" / "result.json").read_text())
    assert result["rejects"]["judge gemma"] == {"no answer in it": 40}
    reasons = [of["undefined_reasons"] for of in result["systems"].values()]
    assert all(set(of) <= {"no answer", "no relation word"} for of in reasons)
    assert sum(of.get("no answer", 0) for of in reasons)
    page = (tmp_path / "run" / "report.html").read_text()
    assert "judge gemma" in page
    assert "Judges, from 0 (no) to 1 (yes): gemma <b>1" in page
    for fact, answer, code in ((facts[50], "gemma 1.", 0), (facts[0], "gemma no answer.", 1)):
        shown = command("explain", *fact, "--conf", CONF, *settings)
        assert f"Judges, from 0 (no) to 1 (yes): {answer}" in shown.out
        assert shown.code == code
    assert "probability is undefined: no answer" in shown.out


@pytest.mark.parametrize(
    "said",
    [{("Ada", "meet", "Nobody"): "yes"}, {"facts": "perhaps"}, {"facts": '{"probability": 7}'}],
)
def test_judges_that_answer_nothing_give_no_figure(
    evidence: Path, tmp_path: Path, facts: list[tuple[str, str, str]], said: dict[Any, str]
) -> None:
    """The figures would be the database's alone."""
    every = said.get("facts")
    file = answers(tmp_path / "a.jsonl", dict.fromkeys(facts, every) if every else said)
    judges = json.dumps([f"gemma={file}"])
    settings = places(evidence, tmp_path / "run", "annotator=external", f"external.judges={judges}")
    done = command("run", CONF, *settings)
    assert done.code == 2
    assert f"distval: {file}: no answer to any of the {len(facts):,} facts" in done.err
    assert not (tmp_path / "run" / "result.json").exists()


def test_a_signature_names_the_answers_that_a_trained_model_is_given(
    evidence: Path, tmp_path: Path
) -> None:
    rng = np.random.default_rng(1)
    true = rng.random(60) < 0.5
    counts = rng.integers(0, 5, (60, len(COUNTS) + len(CONTEXT)))
    found = Evidence.of(counts, documents=100)
    items = [digest_of(("e", "r", str(k))) for k in range(60)]
    said = true[:, None].astype(float)
    judged = {"judges": ("gemma",), "judged": said}
    names = {}
    for name, columns in (("with", judged), ("without", {})):
        model = Calibrated.train(replace(found, **columns), true, items)
        write_annotator(tmp_path / f"{name}.json", model)
        for verdict in ("yes", "no"):
            file = answers(tmp_path / "a.jsonl", {("a", "b", "c"): verdict})
            configuration = of_sample(
                evidence,
                tmp_path / "run",
                "annotator=calibrated",
                f"calibrated.model={tmp_path / name}.json",
                f"external.judges={json.dumps([f'gemma={file}'])}",
            )
            names[name, verdict] = annotator_name(configuration)
    assert names["with", "yes"] != names["with", "no"]
    assert names["without", "yes"] == names["without", "no"]

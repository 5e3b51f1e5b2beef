"""``distval gate`` on gold tables, verdicts and runs; and what is not comparable."""

import json
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from evaluator.annotators.items import digest_of
from evaluator.gold.tables import SENTENCE_COLUMNS
from evaluator.results.signature import Signature
from evaluator.tables import write_table
from indexes.sums import sealed, sums_of
from jobs.config import Configuration
from jobs.rundir import STAMP, finished_stage
from tests.jobs.commands import command, refused, told

type Sums = Sequence[tuple[float, float, float, float]]


def gold(path: Path, **systems: Sums) -> Path:
    """A table as ``gold --by-sentence`` writes it; one sentence stands in it twice."""
    rows = (
        [system, f"s{max(place, 1)}", "A sentence.", *map(str, sums), "", "", ""]
        for system, of in systems.items()
        for place, sums in enumerate(of)
    )
    write_table(path, SENTENCE_COLUMNS, rows)
    return path


def verdicts(path: Path, said: Mapping[str, str]) -> Path:
    rows = ({"e1": fact, "r": "bear", "e2": "x", "answer": of} for fact, of in said.items())
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


GOOD: Sums = [(3, 4, 3, 5)] * 60
BAD: Sums = [(3, 4, 3, 5)] * 30 + [(2, 4, 2, 5)] * 30


def test_a_worse_system_fails_and_the_same_in_another_order_passes(tmp_path: Path) -> None:
    old = gold(tmp_path / "old.tsv", mine=GOOD)
    new = gold(tmp_path / "new.tsv", other=GOOD, mine=BAD)
    done = command("gate", old, f"{new}#mine", "--measure", "precision")
    assert done.code == 1
    # 120 of 240 less 30 right: 75.0 → 62.5 %.
    assert "**Failed**: precision dropped" in done.out
    assert "| precision | 75.0 | 62.5 | -12.5 [" in done.out
    assert "60 gold sentences, paired" in done.out
    assert command("gate", old, f"{new}#other").code == 0
    turned = gold(tmp_path / "turned.tsv", mine=BAD[::-1])
    rows = turned.read_text().splitlines(keepends=True)
    turned.write_text("".join([rows[0], *rows[:0:-1]]))
    assert command("gate", gold(tmp_path / "bad.tsv", mine=BAD[::-1]), turned).code == 0
    allowed = told("gate", old, f"{new}#mine", "--measure", "recall", "--allow", "0.3")
    assert allowed["passed"] is True
    both = ("--measure", "precision", "--measure", "recall")
    found: dict[str, Any] = json.loads(command("gate", old, f"{new}#mine", *both, "--json").out)
    assert [of["difference"]["level"] for of in found["measures"]] == [0.975, 0.975]


def test_a_floor_holds_whatever_the_baseline_was(tmp_path: Path) -> None:
    old = gold(tmp_path / "old.tsv", mine=GOOD)
    done = command("gate", old, old, "--measure", "precision", "--floor", "0.8")
    assert done.code == 1
    assert "precision 75.0 % is below 80 %" in done.out


def test_verdicts_on_the_same_facts_are_counted(tmp_path: Path) -> None:
    facts = [f"f{n}" for n in range(40)]
    old = verdicts(tmp_path / "old.jsonl", dict.fromkeys(facts, "Yes."))
    lost = dict.fromkeys(facts, "Yes.") | dict.fromkeys(facts[:9], "No.") | {"f20": "perhaps"}
    done = command("gate", old, verdicts(tmp_path / "new.jsonl", lost))
    assert done.code == 1
    assert "McNemar" in done.out
    assert "1 answers cannot be read" in done.out
    assert "old.jsonl: 1 facts that the other side does not judge are left out." in done.out
    assert "39 facts, paired" in done.out


def test_a_judge_that_contradicts_itself_has_no_verdict_and_what_is_left_out_is_told(
    tmp_path: Path,
) -> None:
    old = verdicts(tmp_path / "old.jsonl", {"a": "yes", "b": "yes", "c": "no"})
    new = verdicts(tmp_path / "new#1 é=.jsonl", {"a": "yes", "b": "no", "c": "no"})
    with new.open("a") as file:
        file.write('{"e1": "b", "r": "bear", "e2": "x", "answer": "yes"}\n')
        file.write('{"answer": "yes"}\n{broken\n')
    done = command("gate", old, new)
    # Left are a (right) and c (wrong), on both sides.
    assert "| precision | 50.0 | 50.0 |" in done.out
    assert "1 facts have as many yes as no, and are left out." in done.out
    assert "2 rows name no fact, are broken or to another question, and are left out." in done.out
    by_id = tmp_path / "by-id.tsv"
    by_id.write_text(
        "id\tverdict\n" + "".join(f"{digest_of((e1, 'bear', 'x'))}\tyes\n" for e1 in "abc")
    )
    assert "3 facts, paired" in command("gate", old, by_id).out


def test_where_nothing_differs_no_drop_is_said_to_be_seen(tmp_path: Path) -> None:
    same = gold(tmp_path / "same.tsv", mine=GOOD)
    for allowed in ("0", "0.01"):
        done = command("gate", same, same, "--measure", "recall", "--allow", allowed)
        assert "| 1 | – |" in done.out
        assert "would have failed" not in done.out
        assert told("gate", same, same, "--allow", allowed)["measures"][0]["detectable"] is None


def publish(run: Path, result: str) -> None:
    """Put a result in the place of a run's own, as if the run had written it."""
    stage = finished_stage(run / "estimate")
    for folder in (run, stage.path):
        (folder / "result.json").write_text(result)
    (stage.path / STAMP).unlink()
    told = {"stage": "estimate", "fingerprint": stage.fingerprint, "notes": dict(stage.notes)}
    stamp = sealed(told | {"files": sums_of(stage.path)})
    (stage.path / STAMP).write_text(json.dumps(stamp))


def test_runs_that_differ_in_more_than_their_systems_are_not_compared(
    tmp_path: Path, finished: Configuration
) -> None:
    """A drop would be the corpus's or the annotator's, not the system's."""
    other = tmp_path / "other"
    shutil.copytree(finished.run, other)
    result = json.loads((other / "result.json").read_text())
    for part, value, message in (
        ("annotator", "urns", "annotator is pmi-proximity-t0.1 and urns"),
        ("corpus", {"name": "another", "digest": "00112233"}, "and 00112233; run both with"),
        ("corpus", {**result["parts"]["corpus"], "name": "renamed"}, None),
        ("systems", [{**of, "digest": "00112233"} for of in result["parts"]["systems"]], None),
    ):
        parts = {**result["parts"], part: value}
        line = str(Signature.model_validate_json(json.dumps(parts)))
        publish(other, json.dumps({**result, "parts": parts, "signature": line}))
        sides = (f"{finished.run}#alpha", f"{other}#alpha")
        if message is None:
            assert command("gate", *sides).code == 0
        else:
            assert message in refused("gate", *sides)


def test_two_systems_of_a_run_are_compared_by_subject(finished: Configuration) -> None:
    run = finished.run
    found: dict[str, Any] = json.loads(
        command("gate", f"{run}#alpha", f"{run}#gamma", "--measure", "precision", "--json").out
    )
    result = json.loads((run / "result.json").read_text())
    [measure] = found["measures"]
    for side, system in (("baseline", "alpha"), ("candidate", "gamma")):
        expected = result["systems"][system]["precision"]["value"]
        assert measure[side] == pytest.approx(expected)
    assert "annotator-relative" in found["notes"][0]
    for measure in ("recall", "f1"):
        found = json.loads(
            command("gate", f"{run}#alpha", f"{run}#beta", "--measure", measure, "--json").out
        )
        expected = result["systems"]["beta"][measure]["value"]
        # The census of what is missed is of other facts than the run's own estimate.
        assert found["measures"][0]["candidate"] == pytest.approx(expected, abs=0.02)


def test_what_cannot_be_compared_is_told(tmp_path: Path, finished: Configuration) -> None:
    old = gold(tmp_path / "old.tsv", mine=GOOD, other=GOOD)
    one = gold(tmp_path / "one.tsv", mine=GOOD)
    less = gold(tmp_path / "less.tsv", mine=GOOD[1:])
    nothing = gold(tmp_path / "nothing.tsv", mine=[(0, 0, 0, 5)] * 60)
    said = verdicts(tmp_path / "said.jsonl", {"a": "yes"})
    others = verdicts(tmp_path / "others.jsonl", {"b": "yes"})
    bare = gold(tmp_path / "bare.tsv")
    broken = tmp_path / "broken.tsv"
    broken.write_text(one.read_text().replace("\t3\t4", "\tthree\t4", 1))
    for arguments, message in (
        ([old, one], "several systems; name one, as"),
        ([f"{old}#third", one], "no system third; known: mine, other"),
        ([one, less], "scored on different gold data"),
        ([one, said], "is a table of gold --by-sentence and"),
        ([bare, one], "bare.tsv: no sentence in it"),
        ([said, others], "no fact in common"),
        ([one, tmp_path / "missing.tsv"], "no such file or run directory"),
        ([one, tmp_path], "is no directory of a finished run"),
        ([one, nothing, "--measure", "precision"], "precision is not defined"),
        ([said, said, "--measure", "recall"], "here there is precision"),
        ([one, broken], "right is 'three'"),
        ([finished.run, finished.run], "several systems"),
        ([one, one, "--measure", "recall", "--measure", "f1", "--floor", "0.5"], "of one measure"),
    ):
        assert message in refused("gate", *arguments)

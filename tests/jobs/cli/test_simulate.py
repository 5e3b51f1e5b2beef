"""``distval simulate``: what ``counts`` prints, and how both take bad input."""

import json

import pytest

from tests.jobs.cli.test_cli import distval, refused

SMALL = ["--facts", 1000, "--candidates", 4000, "--replicates", 40, "--draws", 200]


def test_counts_tells_the_coverage_of_every_measure_and_the_same_again() -> None:
    command = ["simulate", "counts", *SMALL, "--labels", 120, "--seed", 7, "--json"]
    done = distval(*command, "--processes", 1)
    assert done.code == 0, done.err
    told = json.loads(done.out)
    assert (told["replicates"], told["seed"], told["world"]["labels"]) == (40, 7, 120)
    # Of 1,000 facts 100 are true, of 4,000 other candidates 200.
    truth = {"precision": 0.1, "recall": 100 / 300, "f1": 200 / 1_300}
    assert told["truth"] == pytest.approx(truth)
    assert list(told["estimators"]) == ["chain-rule", "labels-only", "annotator-relative"]
    for name, of in told["estimators"].items():
        assert list(of) == ["precision", "recall", "f1"]
        for c in of.values():
            assert c["coverage"] == c["covered"] / 40
            assert 0 <= c["low"] <= c["coverage"] <= c["high"] <= 1
            assert c["estimable"] == 1
            alone = name == "annotator-relative"  # which judges all of so few facts
            assert (c["width"] == 0) == (c["claim"] is None) == alone
    assert distval(*command, "--processes", 2).out == done.out


def test_counts_shows_a_table() -> None:
    done = distval("simulate", "counts", *SMALL, "--estimator", "ppi", "--processes", 1)
    assert "40 replicates, 200 labels" in done.out
    assert [line.split()[1] for line in done.out.splitlines() if line.startswith("│")] == [
        "ppi", "│", "│",
    ]  # fmt: skip
    assert "40 estimates in" in done.err


def test_bad_input_is_told_in_one_line() -> None:
    assert "expected one of chain-rule" in refused("simulate", "counts", "--estimator", "best")
    assert "'--true': Input should be less" in refused("simulate", "counts", "--true", 2)
    assert "'--level': Input should be less" in refused("simulate", "counts", "--level", 95)
    assert "expected NAME=P,R" in refused("simulate", "text", "--system", "mine")
    assert "'--budget': Input should be greater" in refused("simulate", "text", "--budget", 0)
    assert "unknown key no" in refused("simulate", "text", "--seed", 1, "--set", "no.such=1")

"""Conjunctions that a system says one by one, scored as one where that is asked for."""

from pathlib import Path

import pytest

from evaluator.gold.scoring import Evaluation, evaluate
from evaluator.readers import SystemSource

FIGS = "I ate figs and plums .|ate|I|figs and plums"


@pytest.fixture
def scored(tmp_path: Path):
    """Return a function that scores lines "confidence|relation|arg1|arg2" of one sentence."""

    def score(gold: str, *lines: str, benchmark: str = "carb", policy: str | None) -> Evaluation:
        sentence = gold.partition("|")[0]
        (tmp_path / "gold").write_text(gold.replace("|", "\t") + "\n")
        rows = [f"{sentence}\t{line.replace('|', chr(9))}\n" for line in lines]
        (tmp_path / "out").write_text("".join(rows))
        source = SystemSource("s", "tabbed", tmp_path / "out")
        options = {"conjunctions": policy} if policy else {}
        return evaluate(benchmark, tmp_path / "gold", [source], options=options, version="0")

    return score


def figures(found: Evaluation) -> tuple[float, ...]:
    return found.systems["s"].statistics.figures[:2]


@pytest.mark.parametrize("benchmark", ["carb", "oie2016"])
@pytest.mark.parametrize(
    ("gold", "lines"),
    [
        (FIGS, ["1|ate|I|figs", "1|ate|I|plums"]),
        (FIGS, ["1|ate|I|plums", "1|ate|I|figs"]),
        ("Ann or Bo met Cy .|met|Ann or Bo|Cy", ["1|met|Ann|Cy", "1|met|Bo|Cy"]),
        (
            "I ate figs , plums , and pears .|ate|I|figs , plums , and pears",
            ["1|ate|I|figs", "1|ate|I|plums", "1|ate|I|pears"],
        ),
        (
            "Ann and Bo ate figs and plums .|ate|Ann and Bo|figs and plums",
            ["1|ate|Ann|figs", "1|ate|Ann|plums", "1|ate|Bo|figs", "1|ate|Bo|plums"],
        ),
        ("I ate old figs and plums .|ate|I|old figs and plums",
         ["1|ate|I|old figs", "1|ate|I|old plums"]),
        ("I saw fig and plum trees .|saw|I|fig and plum trees",
         ["1|saw|I|fig trees", "1|saw|I|plum trees"]),
        ("I washed and ate figs .|washed and ate|I|figs", ["1|washed|I|figs", "1|ate|I|figs"]),
    ],
)  # fmt: skip
def test_a_conjunction_said_whole_is_right_and_complete(scored, benchmark, gold, lines) -> None:
    found = scored(gold, *lines, benchmark=benchmark, policy="joined")
    assert figures(found) == (1, 1)
    (note, *_) = found.cautions["s"]
    assert note == f"{len(lines)} extractions say gold conjunctions one by one: scored as 1"
    judged = found.systems["s"].judged
    assert [one.extraction.arg2 for one in judged] == [line.split("|")[3] for line in lines]
    numbers = ", ".join(str(n) for n in range(1, len(lines) + 1))
    assert {one.note for one in judged} == {f"lines {numbers} are scored as one"}
    assert "|conjunctions:joined" in found.signature


def test_the_benchmarks_own_rule_is_the_default(scored) -> None:
    """One of two is matched: P = 1/2; of the 5 gold words 3 are found."""
    lines = ["1|ate|I|figs", "1|ate|I|plums"]
    own = scored(FIGS, *lines, policy=None)
    assert figures(own) == pytest.approx((0.5, 0.6))
    assert "|conjunctions:as-gold" in own.signature
    assert figures(scored(FIGS, *lines, policy="as-gold")) == pytest.approx((0.5, 0.6))


@pytest.mark.parametrize(
    "lines",
    [
        ["1|ate|I|figs and plums"],  # splits nothing
        ["1|ate|I|figs"],  # says one conjunct
        ["1|ate|I|figs", "1|ate|We|plums"],  # not alike but for one part
        ["1|ate|I|figs", "1|bought|I|plums"],
        ["1|ate|I|figs", "1|ate|I|figs"],  # one conjunct twice
        ["1|ate|I|figs", "1|ate|I|pears"],
        ["1|ate|I|figs and", "1|ate|I|plums"],
    ],
)
def test_nothing_else_is_joined(scored, lines) -> None:
    own, joined = (scored(FIGS, *lines, policy=policy) for policy in (None, "joined"))
    assert figures(own) == figures(joined)
    assert own.systems["s"].judged == joined.systems["s"].judged


def test_what_is_joined_has_the_lowest_confidence_and_others_stay(scored) -> None:
    lines = ["0.9|ate|I|figs", "0.5|ate|I|pears", "0.3|ate|I|plums"]
    found = scored(FIGS, *lines, policy="joined")
    # At .3 all three: two of them one match, and (I; ate; pears), 2 of 3 words of which are right,
    # finds no gold tuple that is free. P = (1 + 0) / 2, R = 1: F 2/3. At .5 pears alone: P 2/3,
    # R 2/5, F 1/2.
    assert found.systems["s"].statistics.figures.threshold == 0.3
    assert figures(found) == pytest.approx((0.5, 1))


def test_a_benchmark_without_split_conjunctions_has_no_such_option(scored) -> None:
    with pytest.raises(Exception, match="--conjunctions: ore has no such option"):
        scored(FIGS, "1|ate|I|figs", benchmark="ore", policy="joined")

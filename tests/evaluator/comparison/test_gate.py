"""The gate: its tests by hand and against simulated systems that are alike, or not."""

import numpy as np
import pytest

from evaluator.comparison.gate import DELTA, MCNEMAR, SAME, gate


def verdicts(*right: int) -> dict[str, tuple[float, ...]]:
    return {f"f{place}": (of, 1, 0, 0) for place, of in enumerate(right)}


def test_on_the_same_facts_it_is_mcnemars_test() -> None:
    # Six facts lost and one won: 7 coins of which 6 or more fall one way, (7 + 1)/128.
    before = verdicts(*[1] * 6, 0, *[1] * 10, *[0] * 3)
    after = verdicts(*[0] * 6, 1, *[1] * 10, *[0] * 3)
    found = gate(before, after, "precision")
    assert found.test == MCNEMAR
    assert found.p == pytest.approx(8 / 128)
    assert (found.baseline, found.candidate) == (16 / 20, 11 / 20)
    assert found.failures == []
    lost_one_more = gate(verdicts(*[1] * 7, 1), verdicts(*[0] * 7, 1), "precision")
    assert lost_one_more.p == pytest.approx(1 / 128)
    assert lost_one_more.failures == ["precision dropped (p = 0.0078)"]


def test_the_same_sums_in_another_order_pass() -> None:
    sums = {f"s{k}": (k % 3, k % 5 + 3, k % 2, 2) for k in range(50)}
    turned = dict(reversed(sums.items()))
    for measure in ("precision", "recall", "f1"):
        found = gate(sums, turned, measure)
        assert (found.test, found.p, found.failures) == (SAME, 1.0, [])


def test_a_figure_below_the_floor_fails_whatever_the_baseline() -> None:
    found = gate(verdicts(1, 0, 0), verdicts(1, 1, 0), "precision", floor=0.9)
    assert found.failures == ["precision 66.7 % is below 90 %"]


def test_a_drop_within_what_is_allowed_passes() -> None:
    before = {f"s{k}": (9, 10, 9, 10) for k in range(400)}
    after = {f"s{k}": (8.5 + k % 2 / 2, 10, 9, 10) for k in range(400)}  # 2.5 points less
    assert gate(before, after, "precision").failures
    assert not gate(before, after, "precision", allowed=0.05).failures
    assert gate(before, after, "precision", allowed=0.01).failures
    assert not gate(before, after, "recall").failures


def test_nothing_said_is_refused() -> None:
    with pytest.raises(ValueError, match="nothing is said"):
        gate({"s": (0, 0, 0, 3)}, {"s": (0, 0, 0, 3)}, "precision")
    with pytest.raises(ValueError, match="nothing is to be found"):
        gate({"s": (1, 2, 0, 0)}, {"s": (1, 2, 0, 0)}, "f1")


def drawn(rng: np.random.Generator, *, lost: float) -> tuple[dict, dict]:
    """The sums of two systems on 300 sentences, of which the second's are right less often."""
    said = rng.poisson(3, (2, 300)) + 1
    # A sentence is easy or hard for both.
    share = rng.beta(6, 3, 300)
    right = rng.binomial(said, share * np.array([[1.0], [1 - lost]]))
    found = rng.binomial(4, share * np.array([[0.8], [0.8 * (1 - lost)]]))
    systems = np.stack([right, said, found, np.full_like(found, 4)], axis=2)
    one, other = ({f"s{k}": row for k, row in enumerate(of.tolist())} for of in systems)
    return one, other


@pytest.mark.statistical
@pytest.mark.parametrize("measure", ["precision", "recall", "f1"])
def test_it_fails_by_chance_as_rarely_as_it_says_and_sees_the_drop_that_it_names(
    measure: str,
) -> None:
    rng = np.random.default_rng(7)
    alike = [gate(*drawn(rng, lost=0.0), measure) for _ in range(1_000)]
    # 25 of 1,000 are expected; 46 or more, or 9 or fewer, once in ten thousand.
    assert 9 < sum(bool(of.failures) for of in alike) < 46
    assert {of.test for of in alike} == {DELTA}
    detectable = float(np.mean([of.detectable for of in alike]))
    share = float(np.mean([of.baseline for of in alike]))
    worse = [gate(*drawn(rng, lost=detectable / share), measure) for _ in range(500)]
    assert np.mean([bool(of.failures) for of in worse]) == pytest.approx(0.8, abs=0.08)

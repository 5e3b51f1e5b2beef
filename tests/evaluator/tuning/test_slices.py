"""Parts of the facts by what is known of them."""

import numpy as np

from evaluator.tuning.slices import by_counts, by_thirds, sliced
from evaluator.tuning.verdict_figures import Verdicts, resamples


def test_parts_by_count():
    parts = by_counts(np.array([0, 0, 1, 2, 3, 4, 90]))
    assert [(part.name, int(part.facts.sum())) for part in parts] == [
        ("0", 2),
        ("1", 1),
        ("2–3", 2),
        ("≥ 4", 2),
    ]


def test_every_fact_is_in_one_part():
    degrees = np.random.default_rng(1).integers(0, 50, 200)
    parts = by_thirds(degrees, among=np.ones(200, bool))
    assert (sum(part.facts.astype(int) for part in parts) == 1).all()
    assert len(parts) == 3
    assert all(50 < part.facts.sum() < 85 for part in parts)
    assert [int(degrees[part.facts].max()) for part in parts] == sorted(
        int(degrees[part.facts].max()) for part in parts
    )


def test_equal_values_stay_together():
    values, known = np.array([5] * 9 + [7, -1]), np.array([True] * 10 + [False])
    assert [int(part.facts.sum()) for part in by_thirds(values, among=known)] == [9, 1]
    assert by_thirds(values, among=~known | known)[0].facts[-1]
    assert by_thirds(values, among=np.zeros(11, bool)) == []


def test_a_slice_by_hand():
    label = np.array([True, True, False, False, True])
    verdict = np.array([[True, False, False, True, True]])
    verdicts = Verdicts(verdict.astype(float), verdict, label)
    parts = by_counts(np.array([1, 1, 1, 1, 0]), [0, 1, 2])
    none, once = sliced(verdicts, parts, weights=resamples(5, count=50, seed=1))
    assert (none.name, none.facts, none.true, none.agreement.value) == ("0", 1, 1, 1)
    assert none.balanced_accuracy.value is None  # nothing there is false
    assert (once.name, once.facts, once.true) == ("1", 4, 2)
    assert once.agreement.value == once.balanced_accuracy.value == 0.5

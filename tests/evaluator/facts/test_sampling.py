"""Samples are a function of the seed and the facts, and of nothing else."""

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import evaluator
from evaluator.facts.sampling import sample, sample_key
from evaluator.model import Fact

FACTS = [Fact(f"/m/{i:03}", "visit", f"/m/{i * 7 % 1000:03}") for i in range(1000)]

texts = st.text(max_size=5)
facts = st.builds(Fact, texts, texts, texts, st.booleans())


@settings(deadline=None)
@given(st.integers(-(2**70), 2**70), facts)
def test_keys_fit_a_signed_64_bit_column(seed, fact):
    assert 0 <= sample_key(seed, fact) < 2**63


@settings(deadline=None)
@given(facts, facts)
def test_different_facts_have_different_keys(one, other):
    assert (sample_key(1, one) == sample_key(1, other)) == (one == other)


@pytest.mark.parametrize(
    "other",
    [
        Fact("a", "bc", "d"),
        Fact("abc", "", "d"),
        Fact("ab", "cd", ""),
        Fact("", "abc", "d"),
        Fact("ab", "c", "d", negated=True),
    ],
)
def test_the_encoding_of_a_fact_is_unambiguous(other):
    assert sample_key(1, Fact("ab", "c", "d")) != sample_key(1, other)


def test_a_key_survives_a_lone_surrogate():
    assert sample_key(1, Fact("\ud800", "visit", "b")) >= 0


def test_a_key_does_not_depend_on_the_hash_seed_of_the_process():
    code = (
        "from evaluator.model import Fact; from evaluator.facts.sampling import sample_key;"
        "print(sample_key(7, Fact('é', 'visit', 'b')))"
    )
    keys = {
        subprocess.run(
            [sys.executable, "-c", code],
            cwd=Path(evaluator.__file__).parents[1],
            env={"PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert keys == {f"{sample_key(7, Fact('é', 'visit', 'b'))}\n"}


@settings(deadline=None)
@given(st.permutations(FACTS[:50]), st.integers(0, 60))
def test_a_sample_does_not_depend_on_the_order_of_the_facts(shuffled, size):
    assert sample(shuffled, seed=1, size=size) == sample(FACTS[:50], seed=1, size=size)


def test_a_sample_has_the_smallest_keys():
    by_key = sorted(FACTS, key=lambda fact: sample_key(3, fact))
    assert sample(FACTS, seed=3, size=10) == by_key[:10]


def test_a_smaller_sample_begins_a_larger_one():
    assert sample(FACTS, seed=1, size=100)[:20] == sample(FACTS, seed=1, size=20)


def test_parts_sampled_apart_and_merged_give_the_sample_of_the_whole():
    parts = [FACTS[:300], FACTS[300:310], FACTS[310:]]
    merged = [fact for part in parts for fact in sample(part, seed=1, size=25)]
    assert sample(merged, seed=1, size=25) == sample(FACTS, seed=1, size=25)


def test_a_repeated_fact_counts_once():
    assert sample(FACTS[:3] * 2, seed=1, size=6) == sample(FACTS[:3], seed=1, size=3)


def test_a_sample_larger_than_the_facts_is_all_facts():
    assert sorted(sample(FACTS, seed=1, size=5000)) == sorted(FACTS)


def test_seeds_give_different_samples():
    # Two independent samples of 100 in 1,000 share 10 facts on average, with deviation 2.8.
    shared = set(sample(FACTS, seed=1, size=100)) & set(sample(FACTS, seed=2, size=100))
    assert len(shared) < 25


def test_every_fact_is_as_likely_as_every_other():
    # Over 2,000 seeds a fact is in 200 samples of 1 in 10, with deviation 13.4.
    few = FACTS[:20]
    counts = dict.fromkeys(few, 0)
    for seed in range(2000):
        for fact in sample(few, seed=seed, size=2):
            counts[fact] += 1
    assert all(140 < count < 260 for count in counts.values())


def test_a_negative_size_is_refused():
    with pytest.raises(ValueError, match="-1"):
        sample(FACTS, seed=1, size=-1)

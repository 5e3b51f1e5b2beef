"""The external annotator: one judge, the majority, the mean; and judges as features."""

from dataclasses import replace

import numpy as np
import pytest

from evaluator.annotators import Calibrated, External, digest_of, read_annotator, write_annotator
from evaluator.annotators.evidence import CONTEXT, COUNTS, Evidence
from evaluator.annotators.external import JudgeOrigin
from evaluator.errors import ConfigurationError

NAN = np.nan
SAID = [[1, 1, 0], [1, 0, NAN], [0, 0, 1], [NAN, NAN, NAN], [0.8, 0.3, NAN]]
ORIGINS = (
    JudgeOrigin("gemma", "RAG/gemma2:9b", "1f6c2a90aa", "0b81c2d3bb"),
    JudgeOrigin("qwen", "", "", "9e107d9dcc"),
)


def evidence(said=SAID, judges=("gemma", "qwen", "llama")):
    facts = np.zeros((len(said), len(COUNTS) + len(CONTEXT)))
    return replace(Evidence.of(facts, documents=9), judges=judges, judged=np.array(said, float))


@pytest.mark.parametrize(
    ("use", "expected"),
    [
        ("gemma", [1, 1, 0, NAN, 0.8]),
        ("llama", [0, NAN, 1, NAN, NAN]),
        # One says yes and one no: no majority.
        ("majority", [2 / 3, NAN, 1 / 3, NAN, NAN]),
        ("mean", [2 / 3, 0.5, 1 / 3, NAN, 0.55]),
    ],
)
def test_the_score_is_what_the_judges_say(use, expected):
    scores = External(use=use).score(evidence())
    np.testing.assert_allclose(scores, expected, equal_nan=True)


def test_what_the_text_cannot_judge_a_judge_can():
    said = replace(evidence(), defined=np.full(5, False))
    assert External(use="gemma").score(said)[0] == 1


def test_a_judge_that_is_not_there_is_refused_with_those_that_are():
    with pytest.raises(ConfigurationError, match=r"called 'mistral'; .* gemma, qwen, llama"):
        External(use="mistral").score(evidence())
    nobody = evidence(np.zeros((2, 0)), ())
    with pytest.raises(ConfigurationError, match=r"external\.judges"):
        External(use="majority").score(nobody)


def test_each_judge_is_a_part():
    parts = External(use="mean").parts(evidence().take([1]))
    assert [(part.name, part.value) for part in parts] == [
        ("gemma", 1.0), ("qwen", 0.0), ("llama", None),
    ]  # fmt: skip


def test_the_signature_has_model_prompt_and_file_and_it_is_saved_whole(tmp_path):
    annotator = External(use="majority", origins=ORIGINS)
    assert annotator.describe() == (
        "external-majority-RAG/gemma2:9b.p1f6c2a90.f0b81c2d3+qwen.p-.f9e107d9d-t0.5"
    )
    assert (
        External(use="qwen", origins=ORIGINS).describe() == "external-qwen-qwen.p-.f9e107d9d-t0.5"
    )
    write_annotator(tmp_path / "annotator.json", annotator)
    assert read_annotator(tmp_path / "annotator.json") == annotator


def judged_facts(facts=400, seed=1):
    """Facts whose text says nothing, a judge that is right in nine of ten, silent in a fifth."""
    rng = np.random.default_rng(seed)
    true = rng.random(facts) < 0.4
    said = np.where(rng.random(facts) < 0.9, true, ~true).astype(float)
    said[rng.random(facts) < 0.2] = NAN
    counts = rng.integers(0, 5, (facts, len(COUNTS) + len(CONTEXT)))
    found = replace(Evidence.of(counts, documents=100), judges=("gemma",), judged=said[:, None])
    return found, true, [digest_of(("e", "r", str(k))) for k in range(facts)]


def test_what_is_trained_learns_what_a_judge_is_worth(tmp_path):
    found, true, items = judged_facts()
    model = Calibrated.train(found, true, items)
    scores = model.score(found, items)
    said = found.judged[:, 0]
    answered = ~np.isnan(said)
    assert scores[said == 1].mean() == pytest.approx(true[said == 1].mean(), abs=0.08)
    assert scores[said == 0].mean() == pytest.approx(true[said == 0].mean(), abs=0.08)
    assert scores[~answered].mean() == pytest.approx(true[~answered].mean(), abs=0.1)
    assert "gemma says" in [part.name for part in model.parts(found.take([0]), items[:1])]
    write_annotator(tmp_path / "model.json", model)
    assert read_annotator(tmp_path / "model.json") == model


def test_a_model_that_knows_a_judge_asks_for_it():
    found, true, items = judged_facts()
    model = Calibrated.train(found, true, items)
    without = replace(found, judges=(), judged=np.zeros((true.size, 0)))
    with pytest.raises(ConfigurationError, match="called 'gemma'"):
        model.score(without)

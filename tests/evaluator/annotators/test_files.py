"""Annotators as files: read back as they were, or refused with one line."""

import json

import numpy as np
import pytest

from evaluator.annotators import (
    ANNOTATORS,
    Anchored,
    Calibrated,
    Distant,
    External,
    Pmi,
    Urns,
    digest_of,
    read_annotator,
    write_annotator,
)
from evaluator.annotators.evidence import Evidence
from evaluator.annotators.external import JudgeOrigin
from evaluator.annotators.urns import Urn
from evaluator.errors import InputError
from tests.evaluator.annotators.test_distant import drawn


def calibrated():
    rng = np.random.default_rng(1)
    pair = rng.integers(0, 5, 80)
    hits = np.stack([pair, pair // 2, *[pair] * 9], axis=1)
    items = [digest_of(("e1", "r", str(row))) for row in range(80)]
    return Calibrated.train(
        Evidence.of(hits, documents=9, relation=["visit"] * 60 + ["lead"] * 20),
        rng.random(80) < 0.5,
        items,
        threshold=0.25,
    )


SAVED = [
    Pmi(variant="classic", smoothing="lower", threshold=0.3),
    Anchored(threshold=0.2),
    Urns(
        prior=0.3,
        urns={"anchored": Urn(true=0.5, false=0.1, strength=1 / 3)},
        facts=7,
        gain=12.5,
        threshold=0.9,
    ),
    Distant.fit(drawn()[0], threshold=0.3),
    External(use="gemma", origins=(JudgeOrigin("gemma", "gemma2:9b", "1f6c", "0b81"),)),
    calibrated(),
]


@pytest.mark.parametrize("annotator", SAVED, ids=lambda annotator: annotator.NAME)
def test_an_annotator_is_read_as_it_was_written(tmp_path, annotator):
    path = tmp_path / "annotator.json"
    write_annotator(path, annotator)
    assert read_annotator(path) == annotator
    assert read_annotator(path).describe() == annotator.describe()


def test_every_annotator_has_a_file():
    assert {type(annotator) for annotator in SAVED} == {
        kind.annotator for kind in ANNOTATORS.values()
    }


def test_the_description_tells_models_apart_and_thresholds():
    model = SAVED[-1].as_json()
    other = Calibrated.from_json({**model, "threshold": 0.5})
    moved = json.loads(json.dumps(model))
    moved["model"]["shared"][0] += 1
    names = [Calibrated.from_json(saved).describe() for saved in (model, moved)]
    assert names[0].startswith("calibrated-")
    assert names[0].endswith("-t0.25")
    assert names[0] != names[1]
    assert other.describe() == names[0].replace("t0.25", "t0.5")


def damaged(change):
    saved = json.loads(json.dumps({"format": 1, "kind": "calibrated", **SAVED[-1].as_json()}))
    change(saved)
    return json.dumps(saved)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("{", "not JSON: expected a saved annotator"),
        ("\udcff", "not JSON"),
        (
            "[]",
            "no saved annotator: expected a kind of pmi, anchored, calibrated, distant, external",
        ),
        ('{"kind": "svm", "format": 1}', "no saved annotator"),
        ('{"kind": ["pmi"], "format": 1}', "no saved annotator"),
        ('{"kind": "pmi", "format": 2}', "of format 2, not 1"),
        ('{"kind": "pmi"}', "of format None, not 1"),
        ('{"kind": "pmi", "format": 1, "x": 4}', "damaged annotator: .*x"),
        ('{"kind": "pmi", "format": 1, "variant": "near"}', 'variant is "near"'),
        ('{"kind": "pmi", "format": 1, "threshold": "high"}', "damaged annotator"),
        ('{"kind": "urns", "format": 1}', "lacks 'urns'"),
        (damaged(lambda saved: saved.pop("model")), "lacks 'model'"),
        (damaged(lambda saved: saved["features"].pop()), "train it again"),
        (damaged(lambda saved: saved["model"]["means"].pop()), "differ in number"),
        (
            damaged(lambda saved: saved["model"]["shared"].__setitem__(0, float("nan"))),
            "not finite",
        ),
        (damaged(lambda saved: saved["model"]["shared"].__setitem__(0, "0")), "damaged annotator"),
        (
            damaged(lambda saved: saved["model"]["scales"].__setitem__(0, 0)),
            "scale is not positive",
        ),
        (damaged(lambda saved: saved["model"]["own_knots"].reverse()), "knots do not rise"),
        (damaged(lambda saved: saved["model"].update(shared_knots=[])), "knots"),
        (damaged(lambda saved: saved["model"].update(shared_knots=[[0, 1]])), "between 0 and 1"),
        (damaged(lambda saved: saved["folds"][0].pop("items")), "lacks 'items'"),
        (damaged(lambda saved: saved.update(folds=None)), "damaged annotator"),
        (damaged(lambda saved: saved["model"].update(own=None)), "damaged annotator"),
        (
            damaged(lambda saved: saved["model"]["shared"].__setitem__(0, 10**400)),
            "damaged annotator",
        ),
    ],
)
def test_a_file_that_is_no_annotator_of_this_version(tmp_path, text, problem):
    path = tmp_path / "annotator.json"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(InputError, match=problem) as raised:
        read_annotator(path)
    assert str(raised.value).startswith(f"{path}: ")
    assert "\n" not in str(raised.value)


def test_no_file(tmp_path):
    with pytest.raises(InputError, match="no such file"):
        read_annotator(tmp_path / "none.json")
    with pytest.raises(InputError, match="cannot be read"):
        read_annotator(tmp_path)

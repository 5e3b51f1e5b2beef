"""What the report shows of the annotator."""

import re
from math import log1p

import pytest

from evaluator.annotators import Part
from evaluator.annotators.features import FEATURES
from evaluator.annotators.sentence_evidence import FIELDS, named
from evaluator.errors import InputError
from evaluator.report.annotator import ShownAnnotator
from evaluator.report.parts import how_stated, moved, start, words
from evaluator.results.result import Result
from tests.evaluator.report.test_page import page, result, verdict

PARAMETERS = {
    "pmi": {"variant": "anchored", "smoothing": "lower", "threshold": 0.2},
    "anchored": {"smoothing": "shrunken", "threshold": 0.2},
    "urns": {
        "prior": 0.25,
        "urns": {
            "proximity": {"true": 0.41, "false": 0.03, "strength": 7.0},
            "anchored": {"true": 0.62, "false": 0.11, "strength": 9.0},
        },
        "facts": 1200,
        "gain": 88.8,
        "threshold": 0.2,
    },
    "external": {
        "use": "majority",
        "origins": [
            {"name": "first", "model": "RAG/gemma2:9b", "prompt": "1f6c2a90", "file": "0b81c2d3bb"},
            {"name": "second", "model": "", "prompt": "", "file": "9e107d9dcc"},
        ],
    },
    "calibrated": {
        "coefficients": {"pair": -0.2, "anchored": 0.8, "intercept": -3.0, "beside": 0.41},
        "training": {
            "facts": 400,
            "true": 100,
            "share": 0.25,
            "digest": "0123456789abcdef",
            "seed": 7,
        },
    },
}


def judged_by(name, **changes):
    """Return a result whose annotator is the one of this name, with some parameters changed."""
    annotator = {
        "name": name,
        "signature": f"{name}-test",
        "threshold": 0.2,
        "parameters": PARAMETERS[name] | changes,
        "audited": None,
    }
    return result(annotator=annotator)


def part(name, contribution=None, *, value=1.0):
    return Part(name, value, contribution=contribution)


# --- the section of the annotator ----------------------------------------------------------------


@pytest.mark.parametrize("name", PARAMETERS)
def test_page_names_the_annotator_its_signature_and_its_threshold(name):
    shown = page(judged_by(name))
    assert shown.misnested == []
    assert "What judges by the text" in shown.text
    assert f"{name}-test" in shown.text
    assert "A fact is accepted from t = 0.2 on." in shown.text
    assert len(shown.find("caption")) == len(shown.find("table"))


def test_a_pmi_tells_its_counts_its_distance_and_its_smoothing():
    text = page(judged_by("pmi")).text
    assert "ANCHORED PMI: of the documents about the first entity that hold the second" in text
    assert "reach 32 words" in text
    assert "X 4 words" not in text  # ANCHORED does not look at it
    assert "smoothing lower k of n documents give the lower end of Wilson’s interval" in text
    classic = page(judged_by("pmi", variant="classic")).text
    assert "reach 32 words" not in classic
    assert "X 4 words" not in classic
    assert "X 4 words" in page(judged_by("pmi", variant="proximity")).text


def test_urns_tells_its_prior_and_the_rates_of_both_kinds():
    text = page(judged_by("urns")).text
    assert "π 25.0 %" in text
    assert "PROXIMITY, rates 41.0 % and 3.0 %" in text
    assert "ANCHORED, rates 62.0 % and 11.0 %" in text
    assert "facts 1,200 that it was fitted to" in text


def test_urns_that_cannot_tell_two_kinds_apart_is_marked():
    # BIC for three parameters more and 1,200 facts: 3 log(1200) / 2 = 10.6 nats.
    assert "Not to be relied on." not in page(judged_by("urns", gain=10.7)).text
    assert "Not to be relied on." in page(judged_by("urns", gain=10.5)).text


def test_judges_from_outside_are_named_with_what_they_were_asked():
    text = page(judged_by("external")).text
    assert "taken majority" in text
    assert "judge first RAG/gemma2:9b the model; prompt 1f6c2a90, file 0b81c2d3" in text
    assert "judge second not named the model; prompt not named, file 9e107d9d" in text
    assert "judge first" not in page(judged_by("external", use="second")).text


def test_a_trained_model_shows_its_weights_by_size_and_what_it_learnt_from():
    shown = page(judged_by("calibrated"))
    assert (
        "ANCHORED +0.80 both entities near each other +0.41 documents with both entities −0.20"
        in (shown.text)
    )
    widths = [
        float(re.search(r"[\d.]+", attrs["style"])[0])
        for attrs in shown.find("span")
        if attrs.get("style", "").startswith("width")
    ]
    assert widths[-3:] == pytest.approx([100, 51.2, 25], abs=0.1)
    assert len(shown.find("tr", "against")) == 1
    assert "training set 400 facts with labels, 100 of them true (25.0 %)" in shown.text
    assert (
        "It is that of facts like those that the training set stands for, of which 25.0 %"
        in shown.text
    )


def test_every_feature_of_a_trained_model_is_named_in_words():
    assert {feature for feature in FEATURES if words(feature) == feature} == set()


# --- what it says of undefined facts -------------------------------------------------------------


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        (result(), "No document holds both entities, so the text cannot decide"),
        (judged_by("pmi"), "No document about the first entity holds the second, so the text"),
        (judged_by("anchored"), "No document holds both entities, and none about the first holds"),
        (judged_by("external"), "No judge gives an answer that can be read, or as many say yes as"),
        (judged_by("calibrated"), "The relation has no content word, or the extraction is negated"),
    ],
)
def test_why_a_fact_is_undefined_depends_on_the_annotator(changed, why):
    assert why in page(changed).text


# --- single verdicts -----------------------------------------------------------------------------


def rows(changed, row):
    return page(changed, {"SONEX": {"strongest": [row], "weakest": []}})


def test_score_is_called_what_the_annotator_gives():
    assert "PMI Barack Obama" in re.sub(r"\s+", " ", rows(judged_by("pmi"), verdict()).text)
    text = re.sub(r"\s+", " ", rows(judged_by("urns"), verdict()).text)
    assert "Probability Barack Obama" in text


def test_row_lists_what_moved_the_score_most_largest_first():
    parts = [
        part("intercept", -0.7), part("pair", -0.25, value=log1p(3)), part("anchored", 1.5),
        part("joined", 0.001),
        *(part(f"small {n}", 0.1) for n in range(5)),
    ]  # fmt: skip
    shown = rows(judged_by("calibrated"), verdict(score=0.64, parts=parts))
    text = re.sub(r"\s+", " ", shown.text)
    assert (
        "Log odds −0.70 at first, moved most by ANCHORED +1.50 documents with both entities: 3 "
        "−0.25 small 0 +0.10 small 1 +0.10 small 2 +0.10" in text
    )
    assert "small 3" not in text
    assert len(shown.find("span", "against")) == 1


def test_row_has_what_each_judge_says():
    parts = [part("first", value=0.25), part("second", value=None)]
    shown = rows(judged_by("external"), verdict(score=0.25, parts=parts))
    text = re.sub(r"\s+", " ", shown.text)
    assert "Judges, from 0 (no) to 1 (yes): first 0.25, second no answer" in text


def test_what_adds_nothing_moves_nothing():
    assert moved([part("intercept", 2.0), part("pair", 0.0), part("joined", -0.001)]) == []
    assert start([part("prior", -0.5), part("proximity PMI", 1.0)]) == -0.5


def test_what_is_missing_is_said_to_be_missing():
    found, missing = part("topic found", 0.4), part("topic found", -0.4, value=0.0)
    assert moved([found]) == [("a document about e1 holds e2", 0.4)]
    assert moved([missing]) == [("no document about e1 holds e2", -0.4)]
    assert moved([part("mentions2", 0.2, value=0.0)]) == [
        ("other mentions from the relation word to e2: 0", 0.2)
    ]


def test_the_stating_sentence_stands_with_its_elements_marked():
    parts = [["Ann", "e2"], [" and ", ""], ["Bob", "e1"], [" ", ""], ["met", "r"], [".", ""]]
    sentence = {"document": "d7", "number": 3, "parts": parts}
    shown = rows(judged_by("calibrated"), verdict(sentence=sentence))
    assert "From Ann and Bob met." in re.sub(r"\s+", " ", shown.text)
    assert [attrs["class"] for attrs in shown.find("mark")] == ["e2", "e1", "r"]


def test_sentence_evidence_is_said_in_words():
    fields = dict.fromkeys(FIELDS, 0) | {"gap": 4, "gap1": 3, "mentions1": 1, "length": 9, "by": 1}
    assert how_stated(named([*fields.values()])) == [
        ("relation word", ["between the two"]),
        (
            "distances",
            [
                "words between the two: 4",
                "words from e1 to the relation word: 3",
                "words from the relation word to e2: 0",
            ],
        ),
        ("between", ["other mentions from e1 to the relation word: 1"]),
        ("sentence", ["words of the sentence: 9"]),
        ("besides", ["“by” before the later of the two"]),
    ]


def test_every_field_of_sentence_evidence_has_words():
    assert [field for field in FIELDS if words(field) == field] == ["order"]


def test_a_ratio_of_counts_has_no_such_list():
    parts = [part("anchored"), part("documents about e1 with e2")]
    assert moved(parts) == []
    assert start(parts) is None
    assert not rows(judged_by("pmi"), verdict(parts=parts)).find("tr", "moved")


def test_of_two_pmis_the_row_names_the_one_that_decided():
    parts = [part("proximity"), part("pair")]
    assert "0.25proximity" in rows(judged_by("anchored"), verdict(parts=parts)).text


AUDIT = {
    "holds": True, "level": 0.95, "facts": 244, "answered": 40, "difference": -0.021,
    "error": 0.03, "resolves": 0.106, "p": 0.48, "holm": 0.96,
    "strata": [
        {
            "name": "0.1 to 0.3", "facts": 244, "answered": 40, "expected": 0.2, "true": 0.179,
            "p": 0.41, "holm": 0.82, "found_below": None, "found_above": 0.45,
        }
    ],
}  # fmt: skip


@pytest.mark.parametrize(
    ("audited", "told"),
    [
        (None, "Not audited: it was made elsewhere"),
        (AUDIT, "Audited: the labels do not contradict it (smallest p 0.820, corrected)"),
        (AUDIT, "-2.1 points from what is expected, and 10.6 points would have been found in 80 "),
        (AUDIT | {"holds": False}, "Audited: it does not hold for these facts"),
    ],
)
def test_one_that_was_made_elsewhere_tells_what_its_audit_says(audited, told):
    changed = judged_by("calibrated")
    changed["annotator"]["audited"] = audited
    assert told in page(changed).text
    assert "udited" not in page(judged_by("urns")).text


# --- results of other versions -------------------------------------------------------------------


@pytest.mark.parametrize("name", PARAMETERS)
def test_missing_parameter_is_one_clear_line(name):
    for missing in PARAMETERS[name]:
        changed = judged_by(name)
        del changed["annotator"]["parameters"][missing]
        if missing == "threshold":  # also stands beside them
            told = Result.of(changed)
            ShownAnnotator.read(told.annotator, told.settings)
            continue
        with pytest.raises(InputError, match=f"^result: has no '{missing}'") as raised:
            page(changed)
        assert "\n" not in str(raised.value)


def test_unknown_annotator_is_one_clear_line():
    changed = judged_by("pmi")
    changed["annotator"]["name"] = "oracle"
    with pytest.raises(InputError, match=r"^result: has no 'oracle'"):
        page(changed)

"""The report of a run that people labelled facts of."""

import re

import pytest

from evaluator.errors import InputError
from evaluator.estimators import methods
from evaluator.intervals import Estimate
from evaluator.report.labels import apart
from tests.evaluator.report.test_page import (
    NOT_ESTIMABLE,
    dots,
    drawn,
    estimate,
    inside,
    page,
    result,
    system,
)

MEASURES = ("precision", "recall", "f1")


def answer(precision=0.42, recall=0.3, f1=0.35, *, labels=(120, 80), **changes):
    """What labels tell of one system, intervals of five points to each side."""
    of_system, of_rest = labels
    values = zip(
        MEASURES,
        (precision, recall, f1),
        (of_system, of_system + of_rest, of_system + of_rest),
        strict=True,
    )
    return {
        "estimator": "chain-rule",
        "facts": 2000,
        "labels": list(labels),
        "regions": {region: estimate(60.0, 50.0, 70.0, n=40) for region in "abcd"},
        **{name: estimate(x, x - 0.05, x + 0.05, n=n, method="joint") for name, x, n in values},
        "precision_right_links": None,
        "claims": dict.fromkeys(MEASURES, "nominal"),
        "design_effects": dict.fromkeys(MEASURES, 1.0),
        "wrong_answers": [{"share": 0.01, "precision": 0.005, "recall": -0.1, "f1": None}],
        "notes": [],
        **changes,
    }


def labels(**changes):
    """What a result says of its labels."""
    kinds = [
        ("S of ReVerb, in D", "matched", 30, 8, 8.0),
        ("S of ReVerb, not in D", "rejected, score low", 50, 4, 1.0),
        ("S of ReVerb, not in D", "accepted", 500, 10, 2.5),
        ("G′ alone, not in D", "undefined", 170, 5, 1.0),
        ("G′ alone, not in D", "accepted", 17, 0, 0.0),
    ]
    keys = ("group", "class", "judged", "labels", "true")
    return {
        "digest": "00000000",
        "drawn": 210,
        "answered": 204,
        "estimator": "chain-rule",
        "raters": "majority",
        "why_no_model": None,
        "labelled": 200,
        "labelled_sentence": 190,
        "documents": 177,
        "link_wrong": 7,
        "by_rater": {"ann": 90, "bob": 130},
        "quality": {},
        "agreement": estimate(0.81, 0.74, 0.86, n=61),
        "disputed": 12,
        "undecided": 0,
        "rejects": {"skip": 6},
        "classes": [dict(zip(keys, kind, strict=True)) for kind in kinds],
        "coverage": None,
        **changes,
    }


def labelled(world=None, sentence=None, *, said=None, **changes):
    """Return the result of one system that accepts half of its facts and finds half of the true."""
    one = system(500, 500, 500, 500, facts=2000, margin=0.01)
    one |= {
        "with_labels": {"world": world or answer(), "sentence": sentence, "recall_corrected": None}
    }
    systems = {"ReVerb": one}
    return result(
        annotator_relative=False,
        labels=said or labels(),
        **{"systems": systems, "order": None, **changes},
    )


# --- the headline --------------------------------------------------------------------------------


def test_headline_comes_from_labels_and_names_their_number_and_the_estimator():
    text = page(labelled()).text
    assert (
        "ReVerb reaches an F of 35.0 % [30.0, 40.0]; 42.0 % of its facts are correct; of "
        "the facts within G′ that are correct it found 30.0 %." in text
    )
    assert "These figures come from 200 labels of people by the estimator chain-rule" in text
    assert "Precision from 120 labels 42.0 % [37.0, 47.0]" in text
    assert "Recall within G′ from 200 labels 30.0 % [25.0, 35.0]" in text
    assert "These figures are annotator-relative." not in text


def test_what_the_annotator_alone_says_stands_beside_with_the_difference():
    # P, R and F of the annotator are (500 + 500) / 2000; labels say 42, 30 and 35 %.
    text = page(labelled()).text
    for points in ("8.0", "20.0", "15.0"):
        assert f"annotator-relative 50.0 % [49.0, 51.0], {points} points higher" in text


@pytest.mark.parametrize(
    ("annotator", "people", "words"),
    [
        (0.5, 0.42, "8.0 points higher"),
        (0.4, 0.42, "2.0 points lower"),
        (0.42, 0.4201, "the same as with labels"),
        (None, 0.42, ""),
        (0.42, None, ""),
    ],
)
def test_difference_in_words(annotator, people, words):
    assert apart(*(Estimate(x, x, x, "", 0.95, 1) for x in (annotator, people)), 1) == words


def several():
    one = labelled()["systems"]["ReVerb"]
    with_answer = {"world": answer(f1=0.8), "sentence": None, "recall_corrected": None}
    other = one | {"f1": estimate(0.2), "with_labels": with_answer}
    return {"ReVerb": one, "SONEX": other}


def test_leader_is_the_one_that_is_clearly_better_by_labels():
    leads = {"by": "f1", "first": "SONEX", "withheld": None}
    text = page(labelled(systems=several(), order=leads)).text
    assert "SONEX has the highest F, 80.0 % [75.0, 85.0]" in text
    assert "Its differences from the other system are clear: no interval of them holds 0." in text


def test_without_a_clear_difference_no_system_leads():
    reason = "By F, SONEX cannot be told from ReVerb."
    unclear = {"by": "f1", "first": None, "withheld": reason}
    text = page(labelled(systems=several(), order=unclear)).text
    assert f"No order of the systems is stated. {reason}" in text
    assert "has the highest" not in text


def test_a_measure_whose_interval_claims_nothing_does_not_lead():
    reason = "The labels are too few for the interval to claim anything."
    changed = labelled(
        answer(claims={"precision": "nominal", "recall": "few labels", "f1": "nominal"})
    )
    changed["systems"]["ReVerb"]["withheld"] |= {"recall": reason}
    text = page(changed).text
    assert "ReVerb reaches an F of 35.0 % [30.0, 40.0]; 42.0 % of its facts are correct." in text
    assert f"Recall within G′ from 200 labels withheld{reason}" in text
    assert "Precision from 120 labels 42.0 % [37.0, 47.0]" in text


def test_what_is_not_correct_is_told_by_people_who_were_asked_about_undefined_facts_too():
    # 2000 facts, of which labels call 60 + 60 correct.
    shown = page(labelled())
    assert "1.88k not correct" in drawn(shown, "Venn")
    assert not shown.find("g", "undefined-region")
    assert "People were asked about undefined facts too" in shown.text


def test_regions_and_methods_are_shown_with_labels_and_without():
    text = page(labelled()).text
    assert "extracted, in the knowledge base and correct 60 [50, 70] 500 all judged" in text
    assert "Precision annotator-relative 50.0 % [49.0, 51.0] Jeffreys 95 % 10,000" in text
    assert "Precision true in the world 42.0 % [37.0, 47.0] joint 95 % 120" in text


@pytest.mark.parametrize("name", methods())
def test_an_estimator_tells_what_it_assumes_its_formula_and_its_source(name):
    shown = page(labelled(said=labels(estimator=name)))
    method = methods()[name]
    for told in (*method.ASSUMPTIONS, method.FORMULA, f"Source: {method.SOURCE}"):
        assert told in shown.text
    assert f"{name}: {method.DESCRIPTION} It assumes that" in shown.text
    # Folded, and of those alone that made a figure: the systems' own is "census".
    used = {one for one in methods() if f"Source: {methods()[one].SOURCE}" in shown.text}
    assert used == {"census", name}
    assert not any("open" in attrs for attrs in shown.find("details"))


# --- the chart -----------------------------------------------------------------------------------


def test_estimate_from_labels_is_filled_and_the_annotators_hollow_below_it():
    shown = page(labelled())
    filled, hollow = (dots(shown, kind) for kind in ("labels", "annotator"))
    # From 10 to 286 for 0 to 60 %: the interval up to 51 % needs three steps of 20 %.
    assert filled == pytest.approx([10 + 276 * x / 0.6 for x in (0.42, 0.3, 0.35)], abs=0.01)
    assert hollow == pytest.approx([10 + 276 * 0.5 / 0.6] * 3, abs=0.01)
    above, below = (inside(shown, kind, "use") for kind in ("labels", "annotator"))
    assert all(float(a["y"]) < float(b["y"]) for a, b in zip(above, below, strict=True))
    assert "estimate from labels with its 95 % interval annotator-relative bounds" in re.sub(
        r"\s+", " ", shown.text
    )


# --- what is known of an estimate ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "labels", "words"),
    [
        ("nominal", (120, 80), "claim to hold the truth 95 % of the time"),
        ("at least", (120, 80), "claim to hold the truth at least 95 % of the time"),
        ("few labels", (70, 30), "claim nothing: too few labels."),
    ],
)
def test_claim_of_the_intervals_in_words(name, labels, words):
    claims = {"precision": "nominal", "recall": name, "f1": name}
    said = "" if name == "nominal" else "recall within G′ and F "
    text = page(labelled(answer(labels=labels, claims=claims))).text
    assert f"{said}{words}" in text
    assert ("Labels are too few for the intervals of ReVerb to claim anything." in text) == (
        name == "few labels"
    )


def test_precision_needs_labels_of_s_alone():
    claims = {"precision": "few labels", "recall": "nominal", "f1": "nominal"}
    text = page(labelled(answer(labels=(70, 30), claims=claims))).text
    assert "The interval of precision claims nothing: too few labels." in text


def test_not_estimable_is_said_with_its_reason():
    reason = "Rogan-Gladen: the annotator tells true from false no better than chance."
    nothing = answer(recall=0.3, notes=[reason]) | {"recall": NOT_ESTIMABLE | {"n": 200}}
    nothing["regions"] |= {"d": NOT_ESTIMABLE}
    shown = page(labelled(nothing))
    assert f"not estimable {reason}" in re.sub(r"\s+", " ", shown.text)
    assert "None" not in shown.text
    assert len(dots(shown, "labels")) == 2


def test_what_the_sentence_states_is_a_second_row_where_people_were_asked():
    text = page(labelled(sentence=answer(0.37, 0.2, 0.25))).text
    assert "stated by its sentence as people say, chain-rule 37.0 % [32.0, 42.0]" in text
    # The headline stays with what is true in the world.
    assert "Precision from 120 labels 42.0 %" in text
    assert "as people say, chain-rule 37.0 %" not in page(labelled()).text


def test_a_remark_names_its_question_unless_it_holds_for_both():
    both = answer(notes=["One note."])
    assert "True in the world: One note." in page(labelled(both, answer())).text
    assert "True in the world: One note." not in page(labelled(both, both)).text
    assert page(labelled(both, both)).text.count("One note.") == 1


def test_precision_among_facts_with_right_links_stands_where_a_link_was_wrong():
    right = answer(precision_right_links=estimate(0.512, 0.46, 0.56))
    assert "among facts with right links 51.2 % [46.0, 56.0]" in page(labelled(right)).text
    assert "among facts with right links 51.2" not in page(labelled()).text


def test_design_effect_is_shown_from_where_it_matters():
    effects = {"precision": 1.31, "recall": 1.05, "f1": 1.0}
    text = page(labelled(answer(design_effects=effects))).text
    assert "if the labels are right; design effect 1.31" in text
    assert len(re.findall(r"design effect \d", text)) == 1


# --- people and classes --------------------------------------------------------------------------


def test_classes_tell_where_the_annotator_is_wrong():
    text = page(labelled()).text
    for row in (
        "S of ReVerb, in D matched correct 30 8 100.0 % 0.0 %",
        # Rejected, but 1 of 4 is true; accepted, but 7.5 of 10 are not.
        "S of ReVerb, not in D rejected, score low not correct 50 4 25.0 % 25.0 %",
        "accepted correct 500 10 25.0 % 75.0 %",
        "G′ alone, not in D undefined undefined 170 5 20.0 % –",
        "accepted correct 17 0 no label –",
    ):
        assert row in re.sub(r"\s+", " ", text)
    (against,) = page(labelled()).find("td", "against")
    assert against["class"] == "number against"


def test_people_their_agreement_and_what_they_left_open():
    text = page(labelled(said=labels(raters="adjudicated", undecided=3))).text
    for words in (
        "drawn to be labelled 210",
        "with a label: true in the world or not 200",
        "with an answer: stated by its sentence or not 190",
        "with a link that was called wrong 7",
        "on which people differ 12",
        "left out, for the adjudicator is silent 3",
        "bob 130 ann 90",
        "Answers that are no labels skip 6",
        "where they differ as the adjudicator says",
        "Two people agree on 81.0 % [74.0, 86.0] of the 61 facts that several labelled.",
    ):
        assert words in re.sub(r"\s+", " ", text)


def test_one_rater_cannot_agree_with_anyone():
    alone = labels(by_rater={"ann": 200}, agreement=NOT_ESTIMABLE, disputed=0, rejects={})
    text = page(labelled(said=alone)).text
    assert "No two people labelled the same fact" in text
    assert "Answers that are no labels" not in text


# --- the page as a whole -------------------------------------------------------------------------


@pytest.mark.parametrize("corpus", [True, False])
def test_page_is_whole_stands_alone_and_takes_no_text_for_markup(corpus):
    hostile = "<script>alert('x')</script>"
    kinds = [{"group": hostile, "class": "accepted", "judged": 3, "labels": 2, "true": 1.0}]
    said = labels(by_rater={hostile: 3}, rejects={hostile: 1}, classes=kinds)
    told = answer(notes=[hostile], precision_right_links=estimate(0.5))
    changed = labelled(told, answer(), said=said)
    if not corpus:
        changed |= {"corpus": None}
        one = changed["systems"]["ReVerb"]
        one |= dict.fromkeys(("recall", "f1", "recall_bounds", "outside_candidates"))
        by_labels = [one["with_labels"][unit] for unit in ("world", "sentence")]
        for content in (one, *by_labels):
            content |= {"recall": None, "f1": None}
            content["regions"] |= {"c": None, "d": None}
        for content in by_labels:
            content["labels"][1] = None
            content["claims"] = {"precision": "few labels"}
            content["design_effects"] = {"precision": 2.0}
    shown = page(changed)
    assert shown.misnested == []
    assert not shown.find("script")
    ids = [attrs["id"] for _, attrs in shown.elements if "id" in attrs]
    assert {attrs["href"][1:] for attrs in shown.find("a")} <= set(ids)
    assert len(shown.find("caption")) == len(shown.find("table"))
    assert all(attrs.get("scope") for attrs in shown.find("th"))
    assert ("harmonic mean" in shown.text) == corpus
    assert "None" not in shown.text


@pytest.mark.parametrize("key", ["labelled", "by_rater", "classes", "agreement"])
def test_missing_part_of_the_labels_is_one_clear_line(key):
    broken = labels()
    del broken[key]
    with pytest.raises(InputError, match=f"^result: has no '{key}'"):
        page(labelled(said=broken))


@pytest.mark.parametrize("key", ["claims", "labels", "precision", "design_effects"])
def test_missing_part_of_an_answer_is_one_clear_line(key):
    broken = answer()
    del broken[key]
    with pytest.raises(InputError, match=f"^result: has no '{key}'"):
        page(labelled(broken))


def test_how_often_raters_are_right_and_what_intervals_then_rest_on():
    quality = {"bob": {"sensitivity": estimate(0.91, 0.8, 0.97), "specificity": estimate(0.98)}}
    modelled = answer(wrong_answers=[])
    text = page(labelled(modelled, said=labels(raters="model", quality=quality))).text
    assert "bob, of true facts 91.0 % [80.0, 97.0] bob, of false facts 98.0 %" in text
    assert "How often each rater is right is estimated" in text
    assert "if raters err independently of each other" in text
    assert "if the labels are right" not in text
    assert "if the labels are right" in page(labelled()).text

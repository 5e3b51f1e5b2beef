"""Labels as the model of raters takes them: the adjudicator is right, and no order matters."""

import numpy as np
import pytest

from evaluator.estimators.rater_error import FEWEST_TWICE
from evaluator.intervals import Drawing
from evaluator.labels.design import Place
from evaluator.labels.label import Label
from evaluator.labels.rater_model import drawn_truth, why_not_expected, why_not_modelled
from evaluator.labels.raters import ADJUDICATOR, JointJudgement, as_modelled

DRAWING = Drawing(seed=1, draws=500)
CLASSES = (Place("S", "accepted"), Place("S", "rejected"))


def item(number):
    return ("O", "v", f"p{number}")


def rated():
    """60 facts of two classes that ann and bob answered; they differ on every tenth."""
    labels = []
    for number in range(60):
        true = number % 2 == 0 and number % 3 != 0
        differ = number % 10 == 0
        labels += [Label(*item(number), true, "ann"), Label(*item(number), true != differ, "bob")]
    return labels, {item(number): CLASSES[number % 2] for number in range(60)}


def test_neither_the_order_of_labels_nor_that_of_raters_matters():
    labels, places = rated()
    found = drawn_truth(labels, places, DRAWING)
    for other in (labels[::-1], sorted(labels, key=lambda x: (x.rater, x.item), reverse=True)):
        again = drawn_truth(other, dict(reversed(places.items())), DRAWING)
        assert again.raters == found.raters
        assert all(np.array_equal(again.true[one], found.true[one]) for one in places)


def test_what_the_adjudicator_decided_is_known():
    labels, places = rated()
    decided = [Label(*item(10), True, ADJUDICATOR), Label(*item(20), False, ADJUDICATOR)]
    found = drawn_truth([*labels, *decided], places, DRAWING)
    assert found.shares[item(10)] == 1
    assert found.shares[item(20)] == 0
    assert 0 < found.shares[item(40)] < 1
    assert set(found.raters) == {"ann", "bob"}
    assert found.raters["ann"].sensitivity.n == 60


def test_the_judgement_has_the_models_probability_and_its_part_for_wrong_links():
    labels = [
        Label(*item(1), False, "ann", stated=True, link_wrong=True),
        Label(*item(1), False, "bob", stated=False),
        Label(*item(2), True, "ann"),
    ]
    true = {item(1): 0.2, item(2): 0.9}
    # Of the two who call the first not true, one says that a link is wrong: half of .8.
    assert as_modelled(labels, true, None) == {
        item(1): JointJudgement(0.2, 2, 0.5, pytest.approx(0.4)),
        item(2): JointJudgement(0.9, 1, None, 0),
    }
    assert as_modelled(labels, true, {item(1): 0.7})[item(1)].stated == 0.7


def test_it_is_said_why_labels_are_not_modelled():
    labels, places = rated()
    assert why_not_modelled(labels, places, estimator="chain-rule") is None
    assert "ppi++ does not take it" in str(why_not_modelled(labels, places, estimator="ppi++"))
    of_one = [label for label in labels if label.rater == "ann"]
    told = why_not_modelled(of_one, places, estimator="chain-rule")
    assert told == "one rater answered all facts"
    few = of_one + [x for x in labels if x.rater == "bob"][: FEWEST_TWICE - 1]
    told = why_not_modelled(few, places, estimator="chain-rule")
    assert told == "29 facts have the answers of two raters, fewer than 30"


@pytest.mark.parametrize(
    ("raters", "assumed", "why"),
    [
        ([["ann"]] * 60, (0.1, 0.9), "one rater"),
        ([["ann"], ["ben"]] * 30, (0.1, 0.9), "no fact has"),
        ([["ann", "ben"]] * 29 + [["ann"]] * 31, (0.1, 0.9), "29 facts have"),
        ([["ann", "ben"]] * 30 + [["ann"]] * 30, (0.1, 0.9), None),
        ([["ann", "ben"]] * 60, (0.5, 0.5), "same share"),
        ([["ann", "ben", "cyd"]] * 30 + [["ann"]] * 30, (0.5, 0.5), None),
    ],
)
def test_a_draw_knows_whether_its_answers_will_tell_errors_from_the_truth(raters, assumed, why):
    classes = [Place("facts of A", name) for name in ("rejected", "accepted")]
    asked = [(classes[number % 2], of) for number, of in enumerate(raters)]
    shares = dict(zip(classes, assumed, strict=True))
    found = why_not_expected(asked, shares, estimator="chain-rule")
    assert found is None if why is None else why in str(found)
    assert "does not take it" in str(why_not_expected(asked, shares, estimator="ppi++"))

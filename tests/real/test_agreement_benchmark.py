"""What benchmarks/agreement.py compares annotators by, on facts small enough to count by hand."""

from types import SimpleNamespace

import numpy as np
import pytest

from benchmarks import agreement
from benchmarks.agreement import CALIBRATED, EVERYTHING, PAIRS, PROXIMITY, Row
from evaluator.annotators.evidence import CONTEXT, COUNTS, Evidence
from evaluator.annotators.features import matrix
from evaluator.labels.label import Label
from evaluator.tuning.verdict_figures import Merit

NAN = np.nan


def given(*votes):
    return [Label("O", "v", "R", vote, f"H{n}") for n, vote in enumerate(votes)]


def test_a_person_is_judged_by_the_others_where_they_decide():
    of = SimpleNamespace(
        label=np.array([True, False, True, True]),
        given=[given(True, True, True), given(False, False), given(True), given(True, False, True)],
    )
    verdicts, decided = agreement.a_person(of)
    # Of two raters the other one decides, of one nobody; of the last three the two others are of
    # one mind only where the single "false" is drawn.
    assert decided[:3].tolist() == [True, True, False]
    assert verdicts.verdict[0, :3].tolist() == [True, False, True]
    assert verdicts.label[:2].tolist() == [True, False]
    drawn = bool(verdicts.verdict[0, 3])
    assert decided[3] == (not drawn)
    assert drawn or verdicts.label[3]


def test_a_threshold_is_chosen_on_its_kind_and_what_is_undefined_counts_as_rejected():
    score = np.array([0.9, 0.1, 0.5, NAN, NAN, NAN])
    label = np.array([True, True, False, False, False, False])
    everything = np.ones(6, bool)
    # Of the defined facts alone, 0.9 accepts half of the true and no false one, 0.1 all of both.
    # With the others, 0.1 accepts all true and a quarter of the false ones, and is better.
    assert (agreement.chosen_on(everything)(score, label, everything) <= 0.1).all()
    defined = ~np.isnan(score)
    threshold = agreement.chosen_on(defined)(score, label, everything)
    assert ((threshold > 0.5) & (threshold <= 0.9)).all()


@pytest.mark.parametrize(
    ("pairs", "near", "everything", "reached"),
    [(0.81, 0.60, 0.71, True), (0.79, 0.60, 0.71, False), (0.81, 0.67, 0.71, False),
     (0.81, 0.60, 0.69, False)],
)  # fmt: skip
def test_every_aim_has_to_be_reached(pairs, near, everything, reached, capsys):
    def rows(value):
        return Row(None, None, None, Merit(value, np.array([]), 10))

    tables = {
        PAIRS: {CALIBRATED: rows(pairs)}
        | {PROXIMITY.format(x): rows(near - x / 1000) for x in agreement.DISTANCES},
        EVERYTHING: {CALIBRATED: rows(everything)},
    }
    assert agreement.reached(tables) is reached
    assert ("MISSED" in capsys.readouterr().out) is not reached


OF_THE_RELATION = {"classic", "proximity", "anchored", "near1", "near2", "beside"}


def found(**changed: int) -> Evidence:
    counts = dict.fromkeys((*COUNTS, *CONTEXT), 3) | changed
    return Evidence.of([list(counts.values())], documents=10, similarity=[0.7], known=[2])


def test_counts_only_sees_how_often_the_entities_stand_and_nothing_else():
    usual = matrix(agreement.counts_only(found()))
    for name in (*COUNTS, *CONTEXT):
        same = bool((matrix(agreement.counts_only(found(**{name: 1}))) == usual).all())
        # Of "about" only whether there is one is looked at, and 1 and 3 are both some.
        assert same == (name in OF_THE_RELATION or name == "about"), name
    unknown = Evidence.of([[3] * 11], documents=10)
    assert (matrix(agreement.counts_only(unknown)) == usual).all()
    assert not np.isnan(usual).any()


def test_exchanged_facts_are_stated_ones_but_for_one_part():
    stated = [("a", "r", "b"), ("c", "r", "d"), ("e", "s", "f")]
    made = agreement.exchanged(stated)
    # With the relation r, of two facts, subjects and objects change places; e and f have no other.
    # Each fact gets the relation of another: a and b, or c and d, that of the third.
    assert {("a", "r", "d"), ("c", "r", "b"), ("e", "r", "f")} <= {*made}
    assert len({*made}) == len(made) == 4
    (last,) = {*made} - {("a", "r", "d"), ("c", "r", "b"), ("e", "r", "f")}
    assert last in {("a", "s", "b"), ("c", "s", "d")}

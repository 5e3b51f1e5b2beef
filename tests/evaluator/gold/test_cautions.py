"""What is told beside figures that mean little."""

from types import SimpleNamespace

import numpy as np
import pytest

from evaluator.gold import MATCHED, OUTSIDE, UNMATCHED, GoldSentence, Judged, Scored
from evaluator.gold.cautions import cautions
from evaluator.gold.statistics import Change, Statistics
from evaluator.model import Extraction

TEXT = "The old baker of Kelp sold seven loaves of bread to Lena Marsh on Monday ."
GOLD = SimpleNamespace(
    sentences=[GoldSentence("1", TEXT, ["(the baker; sold; loaves)"])], counts={}
)


def told(*items: tuple[str, str, str, float | None, bool], place: int | None = 0) -> list[str]:
    """What is told of extractions: arg1, relation, arg2, confidence, and whether it is right."""
    judged, changes = [], []
    for arg1, relation, arg2, confidence, right in items:
        extraction = Extraction("s", 1, TEXT, arg1, relation, arg2, confidence=confidence)
        outcome = OUTSIDE if place is None else MATCHED if right else UNMATCHED
        judged.append(Judged(extraction, outcome, place))
        threshold = -np.inf if confidence is None else confidence
        changes.append(Change(0, threshold, right, 1, right))
    statistics = Statistics.of(changes if place is not None else [], np.ones(1))
    return cautions(GOLD, Scored(statistics, {}, judged))


SOLD = ("baker", "sold", "loaves")


def test_nothing_is_told_of_figures_that_are_in_order() -> None:
    assert told((*SOLD, 0.9, True), (*SOLD, 0.8, True), (*SOLD, 0.3, False)) == []


@pytest.mark.parametrize(
    ("items", "caution"),
    [
        ([(*SOLD, 100.0, True), (*SOLD, 100.0, False)], "all confidences are 100"),
        (
            [(*SOLD, 0.1, True), (*SOLD, 0.2, True), (*SOLD, 0.9, False)],
            "confidence runs against correctness",
        ),
        ([("The old baker of Kelp", "sold", TEXT, 0.5, True)], "of the words of their sentences"),
        ([("a captain", "sails", "home", 0.5, False)], "do they stand beside the wrong ones?"),
    ],
)
def test_each_way_to_mislead_has_a_caution(items, caution: str) -> None:
    (line,) = told(*items)
    assert caution in line


def test_no_extraction_about_the_gold_sentences() -> None:
    (line,) = told((*SOLD, 0.5, True), place=None)
    assert line.endswith("another corpus, or split?")
    unnamed = Judged(Extraction("s", 1, "", *SOLD), OUTSIDE)
    (line,) = cautions(GOLD, Scored(Statistics.of([], np.ones(1)), {}, [unnamed]))
    assert "neither sentences nor their identifiers" in line


def test_confidences_of_benchmarks_without_a_curve_play_no_part() -> None:
    assert told((*SOLD, None, True), (*SOLD, None, False)) == []


def written(theirs: list[str], sentence: str | None = None, *, place: int | None = 0) -> list[str]:
    """What is told of an extraction of "Lena's map isn't (really) old."."""
    text = "Lena's map isn't (really) old."
    gold = SimpleNamespace(
        sentences=[GoldSentence("1", text, ["(Lena's map; isn't; (really) old)"])], counts={}
    )
    arg1, relation, arg2 = theirs
    extraction = Extraction("s", 1, sentence or text, arg1, relation, arg2)
    outcome = UNMATCHED if place == 0 else OUTSIDE
    return cautions(
        gold, Scored(Statistics.of([], np.ones(1)), {}, [Judged(extraction, outcome, place)])
    )


@pytest.mark.parametrize(
    ("theirs", "example"),
    [
        (["Lena 's map", "is n't", "old"], '"is n\'t" for "isn\'t"'),
        (["lena's map", "isn't", "old"], '"lena\'s map" for "Lena\'s map"'),
        (["Lena's map", "isn't", "-LRB- really -RRB- old"], "'-LRB- really -RRB- old' for"),
        (["Lena's map", "isn't", "( really ) old"], "'( really ) old' for '(really) old'"),
    ],
)
def test_words_written_otherwise_are_named_as_the_cause(theirs: list[str], example: str) -> None:
    (line,) = (line for line in written(theirs) if "otherwise" in line)
    assert "tokenisation" in line
    assert example in line


@pytest.mark.parametrize(
    "theirs",
    [["Lena's map", "isn't", "(really) old"], ["Lena's map", "is", "new"], ["Bo", "sings", ""]],
)
def test_words_written_alike_or_of_another_fact_have_no_such_caution(theirs: list[str]) -> None:
    assert not [line for line in written(theirs) if "otherwise" in line]


@pytest.mark.parametrize(
    "sentence", ["lena 's map is n't -LRB- really -RRB- old .", "LENA'S MAP ISN'T (REALLY) OLD!"]
)
def test_a_sentence_that_only_differs_in_spelling_is_named_as_the_cause(sentence: str) -> None:
    (line,) = written(["Lena's map", "isn't", "old"], sentence, place=None)
    assert line.startswith("1 of 1 extractions are left out only because")
    assert "--sentences" in line

"""CaRB: overlap of words, a curve over confidences, and what each mend mends."""

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluator.errors import InputError
from evaluator.gold import COVERED, LEFT_OUT, MATCHED, OUTSIDE, UNMATCHED, Output, benchmarks
from evaluator.gold.carb import MODES, read_gold, score
from evaluator.model import Extraction, Rejects

SENTENCE = "Lena Marsh founded Kelp in Oslo ."


def said(relation, arg1, arg2="", *more, confidence=None, sentence=SENTENCE, **fields):
    return Extraction(
        "s", 1, sentence, arg1, relation, arg2, more_arguments=more, confidence=confidence, **fields
    )


@pytest.fixture(scope="module")
def gold(tmp_path_factory):
    """Return a function that reads rows (sentence, predicate, arguments…) as a gold file."""
    path = tmp_path_factory.mktemp("carb") / "gold.tsv"

    def read_rows(*rows, mode="released", rejects=None):
        path.write_text("".join("\t".join(row) + "\n" for row in rows))
        return read_gold(path, mode=mode, options={}, rejects=rejects or Rejects())

    return read_rows


@pytest.fixture(scope="module")
def score_rows(gold):
    def run(rows, extractions, *, mode="released", form="tabbed"):
        read = gold(*rows, mode=mode)
        return score(read, Output("s", form, extractions), mode=mode, options={})

    return run


def both(score_rows, rows, extractions, **options):
    """Return (precision, recall) of the released and of the corrected mode."""
    results = [score_rows(rows, extractions, mode=m, **options) for m in ("released", "corrected")]
    return [tuple(result.statistics.figures[:2]) for result in results]


FOUNDED = (SENTENCE, "founded", "Lena Marsh", "Kelp", "in Oslo")


# ----- one pair


def test_arguments_after_the_first_are_one_and_words_count_in_their_part(score_rows):
    # Of the 4 words all are right; of the gold tuple's 1 + 2 + 3 they are 4.
    result = score_rows([FOUNDED], [said("founded", "Lena Marsh", "Kelp")])
    assert result.statistics.figures[:2] == (1.0, pytest.approx(4 / 6))
    # "Oslo in Kelp" in three arguments is the same bag; "Lena" in the second is not in its part.
    result = score_rows([FOUNDED], [said("founded", "Marsh", "Oslo", "Kelp", "in Lena")])
    assert result.statistics.figures[:2] == (pytest.approx(5 / 6), pytest.approx(5 / 6))


@pytest.mark.parametrize(
    "extraction",
    [
        said("built", "Lena Marsh", "Kelp in Oslo"),  # no word of the predicate
        said("Founded", "Lena Marsh", "Kelp in Oslo"),  # case counts
        said("founded", "Lena Marsh"),  # an argument too few
    ],
)
def test_without_a_word_of_the_predicate_or_an_argument_nothing_matches(score_rows, extraction):
    assert both(score_rows, [FOUNDED], [extraction]) == [(0, 0), (0, 0)]


def test_be_stands_for_a_form_of_be(score_rows):
    rows = [(SENTENCE, "is founder of", "Lena", "Kelp")]
    assert both(score_rows, rows, [said("be founder of", "Lena", "Kelp")]) == [(1, 1), (1, 1)]
    assert both(score_rows, rows, [said("be", "Lena", "Kelp")]) == [(1, 3 / 5), (1, 3 / 5)]


def test_in_the_released_mode_one_form_of_be_is_found_twice(score_rows):
    rows = [(SENTENCE, "is", "Lena", "founder")]
    # 2 + 1 + 1 words of a tuple of 3; the corrected mode finds "is" once.
    assert both(score_rows, rows, [said("is be", "Lena", "founder")]) == [(1, 4 / 3), (3 / 4, 1)]


def test_a_word_as_often_as_both_have_it(score_rows):
    rows = [(SENTENCE, "r", "a a", "b")]
    assert both(score_rows, rows, [said("r", "a a a", "b")]) == [(4 / 5, 1), (4 / 5, 1)]


def test_of_saying_either_order_will_do_and_essays_are_no_saying(score_rows):
    turned = [said("says", "it rains", "Lena")]
    assert both(score_rows, [(SENTENCE, "says", "Lena", "it rains")], turned) == [(1, 1), (1, 1)]
    turned = [said("essays on", "art", "Lena")]
    rows = [(SENTENCE, "essays on", "Lena", "art")]
    assert both(score_rows, rows, turned) == [(1, 1), (1 / 2, 1 / 2)]


def test_an_argument_that_the_gold_tuple_lacks_costs_in_the_corrected_mode(score_rows):
    rows = [(SENTENCE, "rains", "it")]
    assert both(score_rows, rows, [said("rains", "it", "in Oslo")]) == [(1, 1), (2 / 4, 1)]


# ----- several extractions


def test_precision_is_one_to_one_and_recall_is_not(score_rows):
    rows = [(SENTENCE, "r", "a", "b"), (SENTENCE, "r", "a", "c d")]
    long, short = said("r", "a", "b c d"), said("r", "a", "x")
    # The long one: 3 of 5 words in the first tuple, 4 of 5 in the second, so that is its match; the
    # short one takes the first, 2 of 3. Recall: 3 of 3 and 4 of 4, both by the long one.
    result = score_rows(rows, [long, short])
    assert result.statistics.figures[:2] == (pytest.approx((4 / 5 + 2 / 3) / 2), 1.0)
    assert [(one.outcome, one.gold) for one in result.judged] == [(MATCHED, 1), (MATCHED, 0)]
    assert [one.precision for one in result.judged] == [4 / 5, 2 / 3]
    assert [one.recall for one in result.judged] == [1.0, 2 / 3]


def test_what_became_of_each_extraction(score_rows):
    result = score_rows(
        [FOUNDED],
        [
            said("founded", "Lena", "Kelp"),
            said("founded", "Lena Marsh", "Kelp of Bergen"),
            said("left", "Lena", "Kelp"),
            said("founded", "Lena", "Kelp", sentence="Another one ."),
        ],
    )
    assert [one.outcome for one in result.judged] == [MATCHED, COVERED, UNMATCHED, OUTSIDE]
    assert [one.sentence for one in result.judged] == [0, 0, 0, None]
    assert result.counts == {
        "extractions": 3,
        "matches": 1,
        "covered_sentences": 1,
        "outside": 1,
        "left_out": 0,
    }


def test_the_curve_and_its_area(score_rows):
    rows = [(SENTENCE, "r", "a", "b"), (SENTENCE, "q", "a", "b")]
    result = score_rows(
        rows,
        [
            said("r", "a", "b", confidence=0.9),
            said("p", "a", "b", confidence=0.5),
            said("q", "a", "b", confidence=0.2),
            said("q", "a", "b", confidence=0.1, sentence="Elsewhere ."),
        ],
    )
    curve = result.statistics.at_thresholds()
    # The released scorer looks at 0.1 too, though that sentence is not in the gold data.
    assert list(curve.thresholds) == [0.1, 0.2, 0.5, 0.9]
    assert list(curve.precision) == pytest.approx([2 / 3, 2 / 3, 1 / 2, 1])
    assert list(curve.recall) == pytest.approx([1, 1, 1 / 2, 1 / 2])
    # From (0, 1) to (1/2, 1), down to (1/2, 1/2), on to (1, 2/3).
    figures = result.statistics.figures
    assert figures.auc == pytest.approx(1 / 2 + (1 / 2 + 2 / 3) / 2 / 2)
    assert (figures.threshold, figures.f1) == (0.1, pytest.approx(0.8))


def test_a_repeated_extraction_gains_nothing_in_the_corrected_mode(score_rows):
    rows = [(SENTENCE, "r", "a", "b"), (SENTENCE, "r", "a", "c")]
    one, wrong = said("r", "a", "b"), said("p", "a", "b")
    # 2/3 of the second tuple's words come with the repetition, in the released mode only.
    assert both(score_rows, rows, [one, one, wrong]) == [
        (pytest.approx((1 + 2 / 3) / 3), pytest.approx((1 + 2 / 3) / 2)),
        (pytest.approx(1 / 3), pytest.approx((1 + 2 / 3) / 2)),
    ]


def test_of_a_repeated_extraction_the_confident_one_counts(score_rows):
    repeated = [said("r", "a", "b", confidence=c) for c in (0.1, 0.9)]
    result = score_rows([(SENTENCE, "r", "a", "b")], repeated, mode="corrected")
    assert result.statistics.figures[:4] == (1, 1, 1, 0.9)


# ----- sentences


COLLIDING = [
    ("He is in, the U.S.", "is in", "He", "the U.S."),
    ("He is in the US", "is in", "He", "the US"),
]


def test_of_two_sentences_with_one_key_the_released_mode_loses_the_first(score_rows, gold):
    extractions = [said("is in", "He", row[-1], sentence=row[0]) for row in COLLIDING]
    released = score_rows(COLLIDING, extractions)
    assert released.statistics.gold.sum() == 1
    assert [one.outcome for one in released.judged] == [LEFT_OUT, MATCHED]
    assert any("1 gold sentences" in note for note in released.notes)
    corrected = score_rows(COLLIDING, extractions, mode="corrected")
    assert [(one.outcome, one.sentence) for one in corrected.judged] == [(MATCHED, 0), (MATCHED, 1)]
    for mode in ("released", "corrected"):
        assert gold(*COLLIDING, mode=mode).counts["colliding_sentences"] == 1


def test_a_sentence_is_found_whatever_its_spacing_and_brackets(score_rows):
    rows = [("Kelp -LRB- a firm -RRB- grows .", "grows", "Kelp")]
    for mode in ("released", "corrected"):
        for sentence in (
            "Kelp (a firm) grows.",
            "Kelp -LRB- a firm -RRB- grows .",
            "Kelp a firm grows",
        ):
            result = score_rows(rows, [said("grows", "Kelp", sentence=sentence)], mode=mode)
            assert result.judged[0].outcome == MATCHED


# ----- gold data


def test_contexts_are_dropped_and_labels_are_words_only_in_the_released_mode(gold, score_rows):
    row = (SENTENCE, "grew", "Kelp", "T: in 2003", "C: Lena says", "to Vitamin C: Inc")
    assert gold(row).sentences[0].tuples == ["(Kelp; grew; T: in 2003)"]
    read = gold(row, mode="corrected")
    assert read.sentences[0].tuples == ["(Kelp; grew; in 2003; to Vitamin C: Inc)"]
    assert read.counts["contexts"] == 1
    extraction = said("grew", "Kelp", "in 2003", "to Vitamin C: Inc")
    assert both(score_rows, [row], [extraction]) == [(4 / 8, 4 / 5), (1, 1)]


def test_tuples_that_nothing_can_match_count_in_the_released_mode_only(score_rows):
    rows = [(SENTENCE, "", "Lena", "Kelp"), (SENTENCE, "r", "a", "b"), (SENTENCE, "r", "a", "b")]
    # The repeated tuple too counts once in the corrected mode.
    assert both(score_rows, rows, [said("r", "a", "b")]) == [(1, 2 / 3), (1, 1)]


def test_lines_that_are_no_tuple_are_counted(gold):
    rejects = Rejects()
    gold(FOUNDED, ("",), ("a sentence alone",), rejects=rejects)
    assert rejects.counts == {"blank line": 1, "fewer than 2 columns": 1}


def test_a_file_without_a_gold_tuple_is_refused(gold, tmp_path):
    with pytest.raises(InputError, match="no such file"):
        read_gold(tmp_path / "none", mode="released", options={}, rejects=Rejects())
    with pytest.raises(InputError, match="empty"):
        gold()
    with pytest.raises(InputError, match="expected tab-separated sentence, predicate"):
        gold(("a sentence alone",))
    with pytest.raises(InputError, match="fewer than 2 columns, 'line 2: a sentence alone'"):
        gold(("",), ("a sentence alone",))
    with pytest.raises(InputError, match="output of a system"):
        gold((SENTENCE, "0.9", "founded", "Lena Marsh", "Kelp"))
    with pytest.raises(InputError, match="no gold tuple with a predicate"):
        gold((SENTENCE, "", "Lena"), mode="corrected")


# ----- confidences


@pytest.mark.parametrize("mode", MODES)
def test_without_confidence_there_is_one_point_and_no_area(score_rows, mode):
    """The released scorer reads no such file: there is no number of it to invent one for."""
    extractions = [said("founded", "Lena Marsh", "Kelp"), said("left", "Lena", "Kelp")]
    figures = score_rows([FOUNDED], extractions, mode=mode).statistics.figures
    assert figures[:2] == (1 / 2, pytest.approx(4 / 6))
    assert math.isnan(figures.auc)
    assert figures.threshold == -math.inf


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("text", ["high", "--inf", ""])
def test_a_text_that_is_no_number_is_no_confidence(score_rows, mode, text):
    """A JSON Lines file may hold anything under the key that keeps a confidence as written."""
    extraction = said("founded", "Lena Marsh", "Kelp", extra={"confidence_text": text})
    scored = score_rows([FOUNDED], [extraction], mode=mode)
    assert scored.statistics.figures.threshold == -math.inf
    assert scored.notes == ["1 extractions lack a confidence: all count, at one operating point"]


@pytest.mark.parametrize("confidences", [(0.5, 0.5), (0.9, None)])
def test_nor_where_confidences_are_all_the_same_or_some_are_missing(score_rows, confidences):
    extractions = [
        said("founded", "Lena", "Kelp", confidence=confidences[0]),
        said("left", "Lena", "Kelp", confidence=confidences[1]),
    ]
    statistics = score_rows([FOUNDED], extractions, mode="corrected").statistics
    assert math.isnan(statistics.figures.auc)
    assert statistics.figures.precision == 1 / 2
    assert len(statistics.thresholds) == 1


def test_a_system_that_says_nothing(score_rows):
    (released, corrected) = both(score_rows, [FOUNDED], [])
    assert released == (1, 0)
    assert math.isnan(corrected[0])
    assert corrected[1] == 0


def test_confidences_of_what_another_spelling_displaces_are_thresholds_too(score_rows):
    displaced = said("r", "a", "b", confidence=0.9, sentence="Lena Marsh founded Kelp , in Oslo .")
    outside = said("r", "a", "b", confidence=0.7, sentence="Another one .")
    extractions = [displaced, outside, said("founded", "Lena Marsh", "Kelp", confidence=0.5)]
    result = score_rows([FOUNDED], extractions)
    assert [one.outcome for one in result.judged] == [LEFT_OUT, OUTSIDE, MATCHED]
    assert sorted(result.statistics.at_thresholds().thresholds) == [0.5, 0.7, 0.9]
    # What the reader skips has no place among them.
    two_slots = said("founded", "Kelp", confidence=-1.0, extra={"two_slots": True})
    result = score_rows([FOUNDED], [*extractions, two_slots], form="clausie")
    assert sorted(result.statistics.at_thresholds().thresholds) == [0.5, 0.7, 0.9]


# ----- formats


def test_of_clausie_a_row_of_three_slots_is_read_though_one_is_empty(score_rows):
    # 1 + 1 of the 6 words of the gold tuple.
    extraction = said("founded", "Lena", "", confidence=-9.5)
    assert both(score_rows, [FOUNDED], [extraction], form="clausie")[0] == (1, pytest.approx(2 / 6))


def test_spaces_before_a_line_make_no_other_sentence_of_it(score_rows):
    extractions = [
        said("founded", "Lena Marsh", "Kelp", confidence=0.5),
        said("founded", "Lena", "Kelp", confidence=0.5, sentence=f"  {SENTENCE}"),
    ]
    for form, read in [("tabbed", 2), ("multi2oie", 2), ("clausie", 2), ("props", 1)]:
        assert score_rows([FOUNDED], extractions, form=form).counts["extractions"] == read, form


def test_of_openie4_the_released_reader_takes_the_first_second_argument(score_rows):
    extractions = [said("founded", "Lena Marsh", "Kelp", "in Oslo", attribution="Some say")]
    assert both(score_rows, [FOUNDED], extractions, form="openie4") == [(1, 4 / 6), (1, 1)]


def test_of_openie5_it_puts_the_context_before_the_first_argument(score_rows):
    some = [said("founded", "Lena Marsh", "Kelp", "in Oslo", attribution="Some say")]
    assert both(score_rows, [FOUNDED], some, form="openie5") == [(6 / 8, 1), (1, 1)]
    again = [said("founded", "Lena Marsh", "Kelp", "in Oslo", attribution="Lena Marsh fo")]
    assert both(score_rows, [FOUNDED], again, form="openie5") == [(1, 1), (1, 1)]


@pytest.mark.parametrize(
    ("form", "extraction"),
    [
        ("openie4", said("founded", "Lena", "", confidence=0.5)),
        ("openie5", said("founded", "", "Kelp", confidence=0.5)),
        ("clausie", said("founded", "Lena", confidence=-9.5, extra={"two_slots": True})),
        ("clausie", said("founded", "Lena", "Kelp", "in Oslo", confidence=-9.5)),
        ("clausie", said("founded", "Lena", "Kelp")),
    ],
)
def test_what_the_released_readers_leave_out_the_corrected_mode_judges(
    score_rows, form, extraction
):
    released = score_rows([FOUNDED], [extraction], form=form)
    assert [one.outcome for one in released.judged] == [LEFT_OUT]
    assert released.judged[0].note
    assert released.counts["extractions"] == 0
    corrected = score_rows([FOUNDED], [extraction], form=form, mode="corrected")
    assert corrected.counts["extractions"] == 1


def test_an_empty_second_argument_is_one_in_some_formats_only(score_rows):
    extraction = said("founded", "Lena", "", confidence=0.5)
    for form, found in [("ollie", 2 / 6), ("reverb", 2 / 6), ("tabbed", 0), ("props", 0)]:
        result = score_rows([FOUNDED], [extraction], form=form)
        assert result.statistics.figures.recall == pytest.approx(found), form


# ----- against the rules, written out


FORMS_OF_BE = {"be", "is", "am", "are", "was", "were", "been", "being"}


def overlap(a, b):
    return sum((Counter(a.split()) & Counter(b.split())).values())


def pair(tuple_, extraction):
    """Return precision and recall by the released rules, without a shortcut."""
    predicate, *of_gold = tuple_
    mine = [extraction.arg1, extraction.arg2]
    shared = overlap(predicate, extraction.relation)
    left = Counter(extraction.relation.split()) - Counter(predicate.split())
    if left["be"] and FORMS_OF_BE & set(predicate.split()):
        shared += 1
    if not shared:
        return 0.0, 0.0
    orders = [mine, mine[::-1]] if "said" in predicate else [mine]
    right = [shared + sum(map(overlap, of_gold, order)) for order in orders]
    length = len(" ".join([extraction.relation, *mine]).split())
    return max((r / length, r / len(" ".join(tuple_).split())) for r in right)


def at_threshold(tuples, extractions, threshold):
    kept = [one for one in extractions if one.confidence >= threshold]
    table = {(g, e): pair(t, o) for g, t in enumerate(tuples) for e, o in enumerate(kept)}
    found = sum(max(table[g, e][1] for e in range(len(kept))) for g in range(len(tuples)))
    right, free = 0.0, dict(table)
    while free:
        best = max(free, key=lambda at: (free[at][0], -at[0], -at[1]))
        right += free[best][0]
        free = {at: of for at, of in free.items() if at[0] != best[0] and at[1] != best[1]}
    return right / len(kept), found / len(tuples)


some_words = st.lists(st.sampled_from(["a", "b", "is", "be", "said"]), min_size=1, max_size=4).map(
    " ".join
)


@settings(max_examples=50)
@given(
    st.lists(st.tuples(some_words, some_words, some_words), min_size=1, max_size=4),
    st.lists(
        st.tuples(some_words, some_words, some_words, st.sampled_from([-2.0, 0.25, 0.5, 3.0])),
        min_size=1,
        max_size=6,
    ),
)
def test_every_point_of_the_curve_is_what_the_rules_give(score_rows, tuples, drawn):
    extractions = [said(*slots, confidence=confidence) for *slots, confidence in drawn]
    curve = score_rows([(SENTENCE, *t) for t in tuples], extractions).statistics.at_thresholds()
    expected = [at_threshold(tuples, extractions, t) for t in curve.thresholds]
    assert np.column_stack([curve.precision, curve.recall]) == pytest.approx(np.array(expected))

    corrected = score_rows([(SENTENCE, *t) for t in tuples], extractions, mode="corrected")
    points = corrected.statistics.at_thresholds()
    for values in (points.precision, points.recall):
        assert np.all((values >= 0) & (values <= 1 + 1e-12))


def test_the_benchmark_is_found_by_name():
    assert benchmarks()["carb"].MODES[0] == "released"

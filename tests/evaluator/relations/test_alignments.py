"""Precision and recall of relation matching over thresholds, counted by hand and by brute force."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.errors import InputError
from evaluator.intervals import wilson
from evaluator.relations.alignments import (
    Alignment,
    best_balanced,
    best_f1,
    matching_curve,
    merge_alignments,
    read_alignments,
    write_alignments,
)
from evaluator.wordnet.similarity import IDENTICAL


def alignments(*judged: bool, weights: tuple[float, ...] = ()) -> list[Alignment]:
    weights = weights or (1.0,) * len(judged)
    return [Alignment("p", "r", same, w) for same, w in zip(judged, weights, strict=True)]


# Rising: .1 false, .2 true, .3 false, .3 false, .5 true, identical true.
JUDGED = alignments(False, True, False, False, True, True)
SCORES = [0.1, 0.2, 0.3, 0.3, 0.5, IDENTICAL]


def test_the_curve_by_hand():
    rows = {
        p.threshold: (p.matched, p.true_matched, p.precision.value, p.recall.value, p.f1)
        for p in matching_curve(JUDGED, SCORES)
    }
    assert rows == {
        0.2: (5, 3, 3 / 5, 1, pytest.approx(2 * 3 / (3 + 5))),
        0.5: (2, 2, 1, 2 / 3, pytest.approx(4 / 5)),
        IDENTICAL: (1, 1, 1, 1 / 3, pytest.approx(1 / 2)),
    }


def test_false_positive_rate_and_balanced_accuracy_by_hand():
    rows = {p.threshold: p for p in matching_curve(JUDGED, SCORES)}
    assert rows[0.2].false_positive_rate == 2 / 3
    assert rows[0.2].balanced_accuracy == pytest.approx((1 + 1 / 3) / 2)
    assert rows[0.5].balanced_accuracy == pytest.approx((2 / 3 + 1) / 2)


def test_a_threshold_without_a_true_alignment_is_left_out_for_the_next_one_is_as_good():
    assert [p.threshold for p in matching_curve(JUDGED, SCORES)] == [0.2, 0.5, IDENTICAL]


def test_the_best_points():
    points = matching_curve(JUDGED, SCORES)
    assert best_f1(points).threshold == 0.5
    best = best_balanced(points)
    assert best is not None
    assert best.threshold == 0.5


def test_of_equally_good_points_the_stricter_is_best():
    # .1: both true ones and two of two false ones, F1 2/3; .9: one true one and no other, F1 2/3.
    points = matching_curve(alignments(True, False, False, True), [0.1, 0.1, 0.1, 0.9])
    assert [p.f1 for p in points] == [pytest.approx(2 / 3)] * 2
    assert best_f1(points).threshold == 0.9


def test_that_words_have_nothing_in_common_is_no_best_threshold():
    points = matching_curve(alignments(True, True, True, False), [0.0, 0.0, 0.2, 0.1])
    assert [(p.threshold, round(p.f1, 2)) for p in points] == [(0.0, 0.86), (0.2, 0.5)]
    assert best_f1(points).threshold == 0.2


def test_a_whole_weight_counts_like_repeated_alignments():
    judged = alignments(True, False, True, weights=(2, 3, 1))
    repeated = alignments(True, True, False, False, False, True)
    weighted = matching_curve(judged, [0.1, 0.2, 0.3])
    counted = matching_curve(repeated, [0.1, 0.1, 0.2, 0.2, 0.2, 0.3])
    for one, other in zip(weighted, counted, strict=True):
        assert (one.matched, one.true_matched, one.f1) == (
            other.matched,
            other.true_matched,
            other.f1,
        )
        assert one.precision.value == other.precision.value
        assert one.balanced_accuracy == other.balanced_accuracy


def test_a_heavy_alignment_is_still_one_observation():
    judged = alignments(True, weights=(1000,))
    assert matching_curve(judged, [0.5])[0].recall == wilson(1, 1)


def test_equal_weights_leave_the_intervals_as_wilson_gives_them():
    lowest = matching_curve(alignments(*[a.same for a in JUDGED], weights=(7,) * 6), SCORES)[0]
    assert lowest.precision.n == 5
    assert lowest.precision.low == pytest.approx(wilson(3, 5).low)
    assert lowest.precision.high == pytest.approx(wilson(3, 5).high)


def test_precision_restated_for_ten_false_alignments_per_true_one():
    point = matching_curve(JUDGED, SCORES, false_per_true=10)[0]
    # 3 true ones; two thirds of 30 false ones are matched.
    assert point.precision.value == pytest.approx(3 / (3 + 20))
    assert point.recall.value == 1
    assert point.false_positive_rate == 2 / 3
    assert point.f1 == pytest.approx(2 * 3 / (23 + 3))


def test_the_ratio_of_the_set_itself_changes_nothing():
    assert matching_curve(JUDGED, SCORES, false_per_true=1) == matching_curve(JUDGED, SCORES)


def test_without_false_alignments_there_is_no_false_positive_rate():
    points = matching_curve(alignments(True, True), [0.0, 1.0])
    assert {p.false_positive_rate for p in points} == {None}
    assert best_balanced(points) is None


cases = st.lists(
    st.tuples(st.sampled_from([0.0, 0.1, 0.25, 0.5, IDENTICAL]), st.booleans(), st.integers(1, 4)),
    min_size=1,
    max_size=30,
).filter(lambda rows: any(same for _, same, _ in rows))


@given(cases)
def test_each_point_is_what_a_count_gives_and_the_best_is_best_of_all_scores(rows):
    judged = [Alignment("p", "r", same, weight) for _, same, weight in rows]
    points = matching_curve(judged, [score for score, _, _ in rows])
    for point in points:
        matched = [(same, w) for score, same, w in rows if score >= point.threshold]
        assert point.matched == sum(w for _, w in matched)
        assert point.true_matched == sum(w for same, w in matched if same)
    true = sum(w for _, same, w in rows if same)
    every = []
    for threshold in {score for score, _, _ in rows if score > 0} or {0.0}:
        found = sum(w for score, same, w in rows if same and score >= threshold)
        taken = sum(w for score, _, w in rows if score >= threshold)
        every.append(2 * found / (true + taken))
    if best_f1(points).threshold > 0:
        assert best_f1(points).f1 == pytest.approx(max(every))


@pytest.mark.parametrize(
    ("judged", "scores", "ratio"),
    [
        (alignments(True), [0.1, 0.2], None),
        (alignments(True), [-0.1], None),
        (alignments(True), [float("nan")], None),
        (alignments(False), [0.1], None),
        (alignments(True, False), [0.1, 0.2], 0.0),
    ],
)
def test_what_makes_no_curve_is_refused(judged, scores, ratio):
    with pytest.raises(ValueError, match=r"."):
        matching_curve(judged, scores, false_per_true=ratio)


def test_the_score_of_the_same_is_a_word_in_json():
    assert matching_curve(JUDGED, SCORES)[-1].as_json()["threshold"] == "identical"


def test_alignments_survive_a_file(tmp_path):
    written = [
        Alignment("is the mayor of", "government positions held", same=True, weight=2.5),
        Alignment("naît à", "place of birth", same=False),
    ]
    write_alignments(tmp_path / "a.tsv", written)
    assert read_alignments(tmp_path / "a.tsv") == written


def test_every_spelling_of_a_judgement_and_a_missing_weight_are_read(tmp_path):
    path = tmp_path / "a.tsv"
    path.write_text(
        "\ufeffSame\tphrase\tnote\trelation\nYES\tborn in\tx\tplace of birth\n0\ta\t\tb\n"
    )
    assert read_alignments(path) == [
        Alignment("born in", "place of birth", same=True),
        Alignment("a", "b", same=False),
    ]


def test_a_column_name_holds_the_name_where_the_relation_is_an_identifier(tmp_path):
    path = tmp_path / "a.tsv"
    path.write_text("phrase\trelation\tname\tsame\nborn in\tP19\tplace of birth\ttrue\n")
    assert read_alignments(path) == [Alignment("born in", "place of birth", same=True)]


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "a.tsv: empty file"),
        (b"phrase\trelation\n", "a.tsv:1: no column same"),
        (b"phrase\trelation\tsame\n\n", "a.tsv: no alignment below the header"),
        (b"phrase\trelation\tsame\na\tb\ttrue\na\tb\n", 'a.tsv:3: same is ""'),
        (b"phrase\trelation\tsame\na\tb\tmaybe\n", 'a.tsv:2: same is "maybe"'),
        (b"phrase\trelation\tsame\na\tb\ttrue\tc\n", "a.tsv:2: more cells than columns: 'c'"),
        (b"phrase\trelation\tsame\na\t\ttrue\n", "a.tsv:2: a phrase or the name"),
        (b"phrase\trelation\tsame\tweight\na\tb\ttrue\t0\n", 'a.tsv:2: weight is "0"'),
        (b"phrase\trelation\tsame\tweight\na\tb\ttrue\tmuch\n", 'a.tsv:2: weight is "much"'),
        (b"phrase\trelation\tsame\n\xff\tb\ttrue\n", "a.tsv:2: not UTF-8"),
    ],
)
def test_what_is_no_alignment_is_told_with_its_line(tmp_path, content, told):
    path = tmp_path / "a.tsv"
    path.write_bytes(content)
    with pytest.raises(InputError) as caught:
        read_alignments(path)
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_missing_file_and_a_folder_are_told(tmp_path):
    with pytest.raises(InputError, match="no such file"):
        read_alignments(tmp_path / "none.tsv")
    with pytest.raises(InputError, match="a folder"):
        read_alignments(tmp_path)


def test_equal_alignments_merge_and_their_weights_add_up():
    born = Alignment("bear", "place of birth", same=True)
    wrong = Alignment("bear", "spouse", same=False, weight=2)
    assert merge_alignments([born, wrong, born]) == [born._replace(weight=2), wrong]


@pytest.mark.parametrize("weight", ["1e308", "1e-320", "inf", "-1"])
def test_weights_that_drown_the_others_are_refused(tmp_path, weight):
    path = tmp_path / "a.tsv"
    path.write_text(f"phrase\trelation\tsame\tweight\na\tb\ttrue\t{weight}\n")
    with pytest.raises(InputError, match=r"a\.tsv:2: weight is .*below 1e\+09"):
        read_alignments(path)


def test_only_a_newline_ends_a_row(tmp_path):
    path = tmp_path / "a.tsv"
    path.write_bytes("phrase\trelation\tsame\r\nx\u2028y\x85\x0cz\tr\ttrue\r\n".encode())
    assert read_alignments(path) == [Alignment("x\u2028y\x85\x0cz", "r", same=True)]


def test_a_column_that_is_there_twice_is_refused(tmp_path):
    path = tmp_path / "a.tsv"
    path.write_text("phrase\trelation\tsame\tSame\na\tb\ttrue\tfalse\n")
    with pytest.raises(InputError, match=r"a\.tsv:1: two columns are called .same."):
        read_alignments(path)

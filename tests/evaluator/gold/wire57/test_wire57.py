"""WiRe57: tuples matched word by word, one to one, and what each mend mends."""

import json
import math
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluator.errors import InputError
from evaluator.gold import COVERED, MATCHED, OUTSIDE, UNMATCHED, Output, benchmarks
from evaluator.gold.bags import bag
from evaluator.gold.wire57 import read_gold, score
from evaluator.model import Extraction, Rejects

SENTENCE = "Tokyo is the capital of Japan ."


def part(text):
    """Return a part of a gold tuple; [inferred] words stand in brackets."""
    words = text.split()
    places = ["inf" if word.startswith("[") else place for place, word in enumerate(words)]
    return {"text": text, "words": [word.strip("[]") for word in words], "words_indexes": places}


def record(name, *tuples, text=SENTENCE):
    return {
        "id": name,
        "sent": text,
        "tuples": [
            {
                **dict(zip(("arg1", "rel", "arg2"), map(part, slots[:3]), strict=True)),
                "arg3+": list(map(part, slots[3:])),
            }
            for slots in tuples
        ],
    }


def said(arg1, relation, arg2, *more, name="T 1", sentence=""):
    return Extraction("s", 1, sentence, arg1, relation, arg2, more_arguments=more, sentence_id=name)


@pytest.fixture(scope="module")
def read(tmp_path_factory):
    path = tmp_path_factory.mktemp("wire57") / "gold.json"

    def read_records(*records, rejects=None):
        content = records[0] if isinstance(records[0], str) else json.dumps({"T": records})
        path.write_text(content)
        return read_gold(path, mode="released", options={}, rejects=rejects or Rejects())

    return read_records


@pytest.fixture(scope="module")
def score_tuples(read):
    def run(tuples, extractions, mode="released"):
        gold = read(record("T 1", *tuples), record("T 0", ("x", "x", "x"), text="x"))
        return score(gold, Output("s", "wire57", extractions), mode=mode, options={})

    return run


@pytest.fixture(scope="module")
def pair(score_tuples):
    """Return a function that gives precision and recall of one pair; None where none matches."""

    def of(slots, extraction, mode="released"):
        (judged,) = score_tuples([slots], [extraction], mode).judged
        return (judged.precision, judged.recall) if judged.outcome == MATCHED else None

    return of


# ----- one pair


def test_words_count_in_their_part(pair):
    gold = ("Tokyo", "is capital of", "Japan", "in Asia")
    # Of 6 words 4 are right; of the gold tuple's 7 words 4 are found.
    extraction = said("Tokyo", "is a capital", "great Japan")
    for mode in ("released", "corrected", "paper"):
        assert pair(gold, extraction, mode) == (4 / 6, 4 / 7)


@pytest.mark.parametrize(
    "extraction",
    [
        said("Kyoto", "is capital of", "Japan"),
        said("Tokyo", "was", "Japan"),
        said("Tokyo", "is capital of", "japan"),  # case counts
        said("Tokyo", "is capital of", ""),
    ],
)
def test_a_pair_shares_a_word_of_each_of_the_first_three_parts(pair, extraction):
    for mode in ("released", "corrected", "paper"):
        assert pair(("Tokyo", "is capital of", "Japan"), extraction, mode) is None


@pytest.mark.parametrize("relation", ["lies in", ""])
def test_unless_the_part_is_inferred_as_a_whole(pair, relation):
    gold = ("Tokyo", "[is] [in]", "Japan")
    length = 2 + len(relation.split())
    # "in" is right where it is said, and nothing of the relation is wanted.
    right = 2 + ("in" in relation)
    for mode in ("released", "corrected"):
        found = right if mode == "released" else 2
        assert pair(gold, said("Tokyo", relation, "Japan"), mode) == (right / length, found / 2)


def test_repeated_and_inferred_words_push_recall_above_one_in_the_released_mode_only(pair):
    gold = ("Tokyo", "is [in]", "Japan")
    extraction = said("Tokyo Tokyo Tokyo", "is in", "Japan Japan")
    assert pair(gold, extraction) == (7 / 7, pytest.approx(7 / 3))
    # 1 + 2 + 1 of the 7 words are right, and all of the three words that are stated are found.
    assert pair(gold, extraction, "corrected") == (4 / 7, 1)


def test_further_arguments_need_no_shared_word_and_missing_ones_cost_recall(pair):
    gold = ("Tokyo", "is", "capital", "of Japan", "since 1868")
    assert pair(gold, said("Tokyo", "is", "capital", "in Asia")) == (3 / 5, 3 / 7)


def test_surplus_arguments_cost_precision_in_the_corrected_mode_only(pair):
    gold = ("Tokyo", "is", "capital")
    extraction = said("Tokyo", "is", "capital", "of all Japan")
    assert pair(gold, extraction) == (1, 1)
    assert pair(gold, extraction, "corrected") == (3 / 6, 1)


def test_of_a_tuple_inferred_as_a_whole_all_is_found(pair):
    assert pair(("[a]", "[r]", "[b]"), said("a", "r", "x"), "corrected") == (2 / 3, 1)


# ----- several


def test_the_best_pair_is_taken_first_and_each_once(score_tuples):
    tuples = [("a", "r", "b c d"), ("a", "r", "b")]
    # The first extraction has F1 2·1·(3/5)/(8/5) = .75 and 1 with the two, the second the other
    # way round; the third is left over, the fourth has no word of the relation.
    extractions = [
        said("a", "r", "b"),
        said("a", "r", "b c d"),
        said("a", "r", "c"),
        said("a", "q", "b"),
        said("a", "r", "b", name="T 9"),
    ]
    result = score_tuples(tuples, extractions)
    assert [(one.outcome, one.gold) for one in result.judged] == [
        (MATCHED, 1),
        (MATCHED, 0),
        (COVERED, None),
        (UNMATCHED, None),
        (OUTSIDE, None),
    ]
    # Means over the 4 extractions and, with the other sentence's, 3 gold tuples.
    assert result.statistics.figures[:3] == (2 / 4, 2 / 3, pytest.approx(4 / 7))
    assert math.isnan(result.statistics.figures.auc)
    assert result.counts == {
        "extractions": 4,
        "matches": 2,
        "exact_matches_pred": 2,
        "exact_matches_gold": 2,
        "precision_of_matches": 1.0,
        "recall_of_matches": 1.0,
        "covered_sentences": 1,
        "outside": 1,
    }


def test_ties_go_to_the_first(score_tuples):
    result = score_tuples([("a", "r", "b"), ("a", "r", "b")], [said("a", "r", "b x")] * 3)
    assert [one.gold for one in result.judged] == [0, 1, None]


def test_the_paper_adds_words_up(score_tuples):
    tuples = [("a", "r [of]", "b c"), ("d", "r", "e")]
    extractions = [said("a", "r of", "b"), said("x", "y", "z z")]
    figures = score_tuples(tuples, extractions, "paper").statistics.figures
    # 4 of 4 + 4 words; of 4 + 3 stated words, and 3 of the other sentence, the same 4.
    assert figures[:2] == (4 / 8, 4 / 10)


def test_a_repeated_extraction_matches_once_in_the_corrected_mode(score_tuples):
    tuples = [("a", "r", "b"), ("a", "r", "b c")]
    repeated = [said("a", "r", "b")] * 2
    released, corrected = (
        score_tuples(tuples, repeated, mode).statistics.figures
        for mode in ("released", "corrected")
    )
    assert released[:2] == (1, pytest.approx((1 + 3 / 4) / 3))
    assert corrected[:2] == (1 / 2, 1 / 3)


def test_exact_matches_have_the_inferred_words_and_all_further_arguments(score_tuples):
    tuples = [("a", "[is] r", "b"), ("a", "r", "c", "d e")]
    exact = [said("a", "is r", "b"), said("a", "r", "c", "d e")]
    other = [said("a", "r", "b"), said("a", "r", "c"), said("a", "r", "c", "d")]
    more = said("a", "is r", "b", "too much")
    released = score_tuples(tuples, [*exact, *other, more]).counts
    # The last one equals the first tuple but for an argument that the released scorer overlooks.
    assert (released["exact_matches_pred"], released["exact_matches_gold"]) == (3, 2)
    assert score_tuples(tuples, [more], "corrected").counts["exact_matches_pred"] == 0


# ----- sentences


def test_a_sentence_is_found_by_its_name_else_by_its_text(score_tuples):
    extractions = [
        said("a", "r", "b"),
        said("a", "r", "b", name="", sentence="Tokyo is the capital of Japan."),
        said("a", "r", "b", name="1", sentence=SENTENCE),
        said("a", "r", "b", name="", sentence="Another one ."),
        said("a", "r", "b", name=""),
    ]
    places = [one.sentence for one in score_tuples([("a", "r", "b")], extractions).judged]
    assert places == [0, 0, 0, None, None]


@pytest.mark.parametrize("mode", ["released", "corrected", "paper"])
def test_a_sentence_without_gold_tuples_and_a_system_without_extractions(read, mode):
    gold = read(record("T 1"), record("T 2", ("a", "r", "b")))
    result = score(gold, Output("s", "wire57", [said("a", "r", "b")]), mode=mode, options={})
    assert result.statistics.figures[:3] == (0, 0, 0)
    assert result.judged[0].outcome == UNMATCHED
    nothing = score(gold, Output("s", "wire57", []), mode=mode, options={})
    assert math.isnan(nothing.statistics.figures.precision)
    assert nothing.statistics.figures.recall == 0
    assert math.isnan(nothing.counts["precision_of_matches"])


slot = st.lists(st.sampled_from(["a", "b", "[a]", "[b]", "[c]"]), min_size=1, max_size=3)
gold_slots = st.lists(slot.map(" ".join), min_size=3, max_size=5).map(tuple)
said_slots = st.lists(
    st.lists(st.sampled_from("abcd"), max_size=4).map(" ".join), min_size=3, max_size=5
)


@settings(max_examples=50)
@given(st.lists(gold_slots, min_size=1, max_size=3), st.lists(said_slots, max_size=4))
def test_corrected_figures_lie_in_bounds(score_tuples, tuples, drawn):
    result = score_tuples(tuples, [said(*slots) for slots in drawn], "corrected")
    precision, recall = result.statistics.figures[:2]
    assert 0 <= recall <= 1
    assert 0 <= precision <= 1 if drawn else math.isnan(precision)


# ----- gold data


def test_gold_tuples_are_shown_with_their_inferred_words(read):
    gold = read(record("T 1", ("Tokyo", "[is] in", "Japan", "[in] Asia")))
    assert gold.sentences[0] == ("T 1", SENTENCE, ["(Tokyo; [is] in; Japan; [in] Asia)"])
    assert gold.counts == {"sentences": 1, "tuples": 1, "words": 6, "inferred_words": 2}


def test_what_is_no_sentence_or_tuple_is_counted(read):
    good = record("T 1", ("a", "r", "b"))
    broken = record("T 2", ("a", "r", "b"), ("c", "r", "d"))
    del broken["tuples"][0]["rel"]
    longer = record("T 3", ("a", "r", "b"), ("c", "r", "d"))
    longer["tuples"][0]["arg1"]["words"].append("more")
    rejects = Rejects()
    gold = read(good, broken, longer, good, "text", {"id": "T 4"}, rejects=rejects)
    assert [len(tuples) for tuples in gold.tuples] == [1, 1, 1]
    assert rejects.counts == {
        "a gold tuple with a part without words and as many words_indexes": 2,
        "a sentence of this id stands before": 1,
        "not a sentence with id, sent and tuples": 2,
    }


@pytest.mark.parametrize("place", [None, True, {}, [], [None], "1", math.nan, math.inf])
def test_places_that_are_no_numbers_are_counted(read, place):
    two = record("T 1", ("a", "r", "b"), ("c", "r", "d"), ("e", "r", "f"))
    for broken, given_place in zip(two["tuples"], (place, [3, -1.0]), strict=False):
        broken["arg1"]["words_indexes"] = [given_place]
    rejects = Rejects()
    assert [len(tuples) for tuples in read(two, rejects=rejects).tuples] == [2]
    assert rejects.counts == {
        "a gold tuple with words_indexes that are no numbers, nor 'inf'": 1,
    }


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ('{"T": [', "gold.json:1: not JSON"),
        ("[" * 100_000, "not JSON"),
        ("[1]", "no gold tuple: no sentence has one; expected WiRe57"),
        (json.dumps({"T": [record("T 1")]}), "no gold tuple"),
        (json.dumps({"T": [record("T 1", ("a", "r", "\ud800"))]}), "unpaired surrogate"),
    ],
)
def test_a_file_of_something_else_is_refused(read, content, problem):
    with pytest.raises(InputError, match=problem):
        read(content)


# ----- bags


@given(st.lists(st.sampled_from("abc")), st.lists(st.sampled_from("abc")))
def test_the_overlap_of_bags_is_that_of_multisets(left, right):
    assert len(bag(left)) == len(left)
    assert len(bag(left) & bag(right)) == sum((Counter(left) & Counter(right)).values())


def test_the_benchmark_is_found_by_name():
    assert benchmarks()["wire57"].MODES == ("released", "corrected", "paper")

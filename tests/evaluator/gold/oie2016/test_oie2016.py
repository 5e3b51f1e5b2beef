"""OIE2016: the rules of its two released scorers, the head match, and what "corrected" mends."""

import math
from itertools import product
from pathlib import Path

import pytest

from evaluator.errors import InputError
from evaluator.facts.baselines import Baseline
from evaluator.gold import LEFT_OUT, MATCHED, OUTSIDE, UNMATCHED, Output, benchmarks, oie2016
from evaluator.gold.oie2016.heads import argument_head, predicate_head
from evaluator.gold.oie2016.overlap import noun_lemma, verb_lemma
from evaluator.gold.oie2016.propositions import has_base_predicates
from evaluator.model import Extraction, Rejects, Sentence
from evaluator.readers import formats

DOOR = "The door of the old barn is green ."


def said(
    text: str, *slots: str, confidence: float | None = 0.5, extra: dict[str, object] | None = None
) -> Extraction:
    """An extraction: relation, first argument, others."""
    relation, arg1, arg2, *more = (*slots, "", "", "")[: max(3, len(slots))]
    return Extraction(
        "s", 1, text, arg1, relation, arg2, tuple(more), confidence, extra=extra or {}
    )


def read_lines(format_name: str, *lines: str) -> list[Extraction]:
    """The extractions of a file of these lines."""
    read = formats()[format_name].read
    return list(read(enumerate(lines, start=1), system="s", rejects=Rejects()))


@pytest.fixture
def score(tmp_path: Path):
    """Score extractions on gold lines given as tuples of columns."""

    def run(lines, extractions, *, mode="released", rules="supervised", format_name="tabbed"):
        path = tmp_path / "gold.oie"
        path.write_text("".join("\t".join(line) + "\n" for line in lines), encoding="utf-8")
        options = {"rules": rules}
        gold = oie2016.read_gold(path, mode=mode, options=options, rejects=Rejects())
        output = Output("s", format_name, extractions)
        return oie2016.score(gold, output, mode=mode, options=options)

    return run


def outcomes(scored) -> list[str]:
    return [one.outcome for one in scored.judged]


def test_the_benchmark_is_found_by_its_name():
    assert benchmarks()["oie2016"] is oie2016


# Released: supervised ------------------------------------------------------------------------


def test_more_than_half_of_the_gold_words_must_occur(score):
    gold = [("a b c d", "b", "a", "c d")]
    assert outcomes(score(gold, [said("a b c d", "x", "a b", "y")])) == [UNMATCHED]  # 2 of 4
    assert outcomes(score(gold, [said("a b c d", "x", "a b", "c")])) == [MATCHED]  # 3 of 4


def test_pairs_of_equal_words_are_counted(score):
    # "the" twice on both sides: 4 pairs of 7 gold words, though only 2 words are found.
    gold = [(DOOR, "is", "the door", "the barn of old")]
    twice = said(DOOR, "x", "the the", "y")
    assert outcomes(score(gold, [twice])) == [MATCHED]
    assert outcomes(score(gold, [twice], mode="corrected")) == [UNMATCHED]


def test_case_and_spelling_count(score):
    gold = [("He ran .", "ran", "He")]
    assert outcomes(score(gold, [said("He ran .", "Ran", "he", "")])) == [UNMATCHED]


def test_an_extraction_serves_one_gold_tuple_and_the_first_one_takes_it(score):
    gold = [("a b c", "b", "a", "c"), ("a b c", "b", "a")]
    scored = score(gold, [said("a b c", "b", "a", "c"), said("a b c", "b", "a", "c")])
    assert [one.gold for one in scored.judged] == [0, 1]
    assert outcomes(score(gold, [said("a b c", "b", "a", "c")])) == [MATCHED]
    assert score(gold, [said("a b c", "b", "a", "c")]).counts["missed"] == 1


def test_the_order_of_the_file_decides_not_the_best_match(score):
    gold = [("a b c", "b", "a", "c")]
    rough, exact = said("a b c", "b", "a", "z"), said("a b c", "b", "a", "c")
    assert outcomes(score(gold, [rough, exact])) == [MATCHED, UNMATCHED]


def test_a_sentence_of_n_gold_tuples_without_an_extraction_adds_n_times_n(score):
    gold = [("one two", "two", "one")] + [("a b c", "b", "a", "c")] * 3
    only_first = [said("one two", "two", "one")]
    scored = score(gold, only_first)
    assert (scored.counts["total"], scored.counts["missed"]) == (1 + 9, 9)
    assert scored.statistics.figures.recall == pytest.approx(1 / 10)
    mended = score(gold, only_first, mode="corrected")
    assert (mended.counts["total"], mended.statistics.figures.recall) == (4, pytest.approx(1 / 4))


def test_the_curve_runs_from_precision_one_through_each_confidence(score):
    # Right at 0.9, wrong at 0.6, right at 0.3: points (0, 1), (1/2, 1), (1/2, 1/2), (1, 2/3).
    gold = [("a b c", "b", "a", "c"), ("d e f", "e", "d", "f")]
    extractions = [
        said("a b c", "b", "a", "c", confidence=0.9),
        said("a b c", "x", "y", "z", confidence=0.6),
        said("d e f", "e", "d", "f", confidence=0.3),
    ]
    figures = score(gold, extractions).statistics.figures
    assert figures.auc == pytest.approx(1 / 2 + (1 / 2) * (1 / 2 + 2 / 3) / 2)
    assert figures.f1 == pytest.approx(2 * (2 / 3) / (1 + 2 / 3))
    assert figures.threshold == 0.3


def test_a_sentence_is_known_by_its_letters_and_digits(score):
    gold = [("A -LRB- b -RRB- c , d .", "b", "A", "c d")]
    assert outcomes(score(gold, [said("A (b) c, d.", "b", "A", "c d")])) == [MATCHED]
    assert outcomes(score(gold, [said("A b c e", "b", "A", "c d")])) == [OUTSIDE]


def test_python_2_drops_other_characters_than_ascii_from_the_key(score):
    gold = [("Zoë sang", "sang", "Zoë")]
    for rules, expected in [("supervised", MATCHED), ("2019", OUTSIDE)]:
        assert outcomes(score(gold, [said("Zo sang", "sang", "Zoë")], rules=rules)) == [expected]


@pytest.mark.parametrize(("rules", "staying"), [("supervised", 0), ("2019", 1)])
def test_of_two_sentences_with_one_key_one_is_lost(score, rules, staying):
    texts = ["A - B met", "A B met"]
    gold = [(texts[0], "met", "A"), (texts[1], "met", "B")]
    if rules == "2019":  # form B has the bare verb too
        gold = [(text, "met", predicate, arg) for text, predicate, arg in gold]
    extractions = [said(texts[0], "met", "A"), said(texts[1], "met", "B")]
    scored = score(gold, extractions, rules=rules)
    assert outcomes(scored)[staying] == MATCHED
    assert outcomes(scored)[1 - staying] == LEFT_OUT
    assert (scored.counts["total"], len(scored.notes)) == (1, 1)
    mended = score(gold, extractions, rules=rules, mode="corrected")
    assert (outcomes(mended), mended.counts["total"]) == ([MATCHED, MATCHED], 2)


def test_python_2_takes_what_is_no_finite_number_for_zero(score):
    gold = [("a b", "b", "a"), ("c d", "d", "c"), ("e f", "f", "e")]
    extractions = [
        said("a b", "b", "a", confidence=None, extra={"confidence_text": "-inf"}),
        said("c d", "d", "c", confidence=0.5),
        said("e f", "f", "e", confidence=math.nan),
    ]
    assert score(gold, extractions).statistics.thresholds.tolist() == [0.0, 0.5]
    assert score(gold, extractions, rules="head").statistics.thresholds.tolist() == [0.0, 0.5]
    for mode, rules in [("corrected", "supervised"), ("released", "2019")]:
        thresholds = score(gold, extractions, mode=mode, rules=rules).statistics.thresholds
        assert thresholds.tolist() == [-math.inf, 0.5]


# Released: readers' views ----------------------------------------------------------------------


def test_of_openie4_one_second_argument_is_read_and_no_empty_slot(score):
    gold = [("a b c d e", "b", "a", "c d e")]
    first_only = said("a b c d e", "b", "a", "c", "d", "e")
    scored = [score(gold, [first_only], format_name=name) for name in ("openie4", "tabbed")]
    assert [outcomes(one) for one in scored] == [[MATCHED], [MATCHED]]  # 3 and 5 of 5 words
    further = said("a b c d e", "x", "a", "b", "c", "d", "e")
    assert outcomes(score(gold, [further], format_name="openie4")) == [UNMATCHED]
    assert outcomes(score(gold, [further], format_name="tabbed")) == [MATCHED]
    assert outcomes(score(gold, [said("a b c d e", "b", "a")], format_name="openie4")) == [LEFT_OUT]


CLAUSIE = {
    '1\t"a"\t"b"\t"c"\t-2.5': MATCHED,
    '1\t"a b"\t"c"\t""\t-2.5': MATCHED,  # five columns, one of them empty
    '1\t"a b"\t"c"\t-2.5': LEFT_OUT,
    '1\t"a"\t"b"\t"c"\t"d"\t-2.5': LEFT_OUT,
    '1\t"a"\t"b"\t"c"': LEFT_OUT,  # no confidence
}


@pytest.mark.parametrize("rules", oie2016.OPTIONS["rules"])
@pytest.mark.parametrize(("row", "expected"), CLAUSIE.items())
def test_of_clausie_rows_of_five_columns_are_read(score, rules, row, expected):
    gold = [("a b c", "c" if row.count('"') == 6 and '""' in row else "b", "a", "c")]
    extractions = read_lines("clausie", "a b c", row)
    scored = score(gold, extractions, format_name="clausie", rules=rules)
    assert (outcomes(scored)[0] == LEFT_OUT) == (expected == LEFT_OUT)
    if rules == "supervised":
        assert outcomes(scored) == [expected]
    assert scored.counts["covered_sentences"] == (expected != LEFT_OUT)
    assert LEFT_OUT not in outcomes(
        score(gold, extractions, format_name="clausie", mode="corrected")
    )


@pytest.mark.parametrize(("rules", "skipped_first"), [("supervised", True), ("2019", False)])
def test_what_a_reader_skips_takes_no_sentence_from_another(score, rules, skipped_first):
    gold = [("A B met", "met", "A")]
    blocks = [["A - B met", '1\t"A"\t"met"\t-2'], ["A B met", '2\t"A"\t"met"\t"B"\t-2']]
    lines = [line for block in (blocks if skipped_first else blocks[::-1]) for line in block]
    found = outcomes(score(gold, read_lines("clausie", *lines), format_name="clausie", rules=rules))
    assert found == ([LEFT_OUT, MATCHED] if skipped_first else [MATCHED, LEFT_OUT])


@pytest.mark.parametrize("format_name", ["tabbed", "multi2oie"])
def test_lines_are_stripped_before_they_are_split_at_tabs(score, format_name):
    # A slot that ends in a space makes an empty word, as do two spaces: 3 of the 4 gold words.
    gold = [("s t u", "p", "x  y")]
    cases = {
        "s t u\t1\tp\tx \tz": MATCHED,
        "s t u\t1\tp\tx ": UNMATCHED,
        "s t u\t1\tp\tx \t\t ": UNMATCHED,
        "s t u\t1\tp\tx\tz ": UNMATCHED,
        "s t u\t1\tp \t\tx": MATCHED,
    }
    for line, expected in cases.items():
        extractions = read_lines(format_name, line)
        scored = score(gold, extractions, format_name=format_name)
        assert outcomes(scored) == [expected], line
        assert scored.judged[0].extraction is extractions[0]


def test_a_sentence_with_spaces_before_it_is_no_other_sentence(score):
    gold = [("s t u", "t", "s", "u")]
    extractions = read_lines("tabbed", " s t u\t1\tx\ty", "s t u\t1\tt\ts\tu")
    assert outcomes(score(gold, extractions)) == [UNMATCHED, MATCHED]
    assert outcomes(score(gold, extractions, format_name="jsonl")) == [UNMATCHED, LEFT_OUT]


def test_of_props_the_last_column_may_be_a_label(score):
    gold = [("s t u", "p", "x  y")]
    cases = {
        "-1\ts t u\tp\tsubj\tx ": UNMATCHED,
        "-1\ts t u\tp\tsubj\tx \tobj\t ": MATCHED,
        "-1\ts t u\tp\tsubj\tx \t \t ": UNMATCHED,
        "-1\ts t u\tp\tsubj\tx \tobj\tz ": MATCHED,
    }
    for line, expected in cases.items():
        scored = score(gold, read_lines("props", line), format_name="props")
        assert outcomes(scored) == [expected], line


# Released: 2019 --------------------------------------------------------------------------------


def test_2019_wants_a_quarter_of_the_words_and_a_common_lemma_of_predicates(score):
    gold = [("a was b c d e f g", "was", "was b", "a", "c d e f g")]  # 8 words
    two = said("a was b c d e f g", "was", "a", "z")
    three = said("a was b c d e f g", "was", "a", "c")
    elsewhere = said("a was b c d e f g", "x", "a was b", "c d e")
    for extraction, expected in [(two, UNMATCHED), (three, MATCHED), (elsewhere, UNMATCHED)]:
        assert outcomes(score(gold, [extraction], rules="2019")) == [expected]


def test_2019_lets_an_extraction_serve_several_gold_tuples(score):
    gold = [("a b c", "b", "b", "a"), ("a b c", "b", "b", "c")]
    extractions = [said("a b c", "b", "a", "c"), said("a b c", "z", "a", "c", confidence=0.1)]
    scored = score(gold, extractions, rules="2019")
    assert (scored.counts["matched"], scored.counts["false"]) == (2, 1)
    # At 0.1 three items, two of them right.
    assert scored.statistics.at_thresholds().precision.tolist() == pytest.approx([2 / 3, 1])
    assert score(gold, extractions, rules="2019", mode="corrected").counts["matched"] == 1


def test_2019_adds_each_gold_tuple_of_a_silent_sentence_once(score):
    gold = [("one two", "two", "two", "one")] + [("a b c", "b", "b", "a", "c")] * 3
    assert score(gold, [said("one two", "two", "one")], rules="2019").counts["total"] == 4


@pytest.mark.parametrize(
    ("word", "lemma"),
    [
        ("was", "wa"), ("has", "ha"), ("as", "a"), ("does", "doe"), ("leaves", "leaf"),
        ("reported", "reported"), ("said", "said"), ("sold", "sold"), ("Was", "Was"),
    ],
)  # fmt: skip
def test_every_word_is_taken_for_a_noun(word, lemma):
    assert noun_lemma(word) == lemma  # as scorer's description has it


def test_noun_lemmas_are_those_of_nltk(nltk_wordnet):
    nouns = sorted(nltk_wordnet.all_lemma_names("n"))[::400]
    words = [noun + ending for noun, ending in product(nouns, ["", "s", "es", "ed", "ses", "men"])]
    for word in [*words, *(word.title() for word in words)]:
        lemmas = nltk_wordnet._morphy(word, "n")
        if (
            lemmas or word.count("s") < 2
        ):  # NLTK detaches endings twice; no word of the data needs it
            assert noun_lemma(word) == min(lemmas, key=len, default=word)


def test_mended_lemmas_are_those_of_verbs():
    words = ["was", "said", "found", "founded", "leaves", "acquisition"]
    assert [verb_lemma(word) for word in words] == [
        "be", "say", "find", "found", "leave", "acquisition"
    ]  # fmt: skip


# Corrected -------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", ["supervised", "2019"])
@pytest.mark.parametrize(
    "wrong",
    [
        ("", "The door is green .", ""),  # all in one slot
        ("is", "green", "the door"),  # turned round
        ("", "", "The door is green ."),
        ("The door is green .", "", ""),
    ],
)
def test_permuted_and_empty_slots_match_when_released_only(score, wrong, rules):
    text = "The door is green ."
    gold = [(text, "is", "the door", "green")]
    if rules == "2019":
        gold = [(text, "is", "is", "the door", "green")]
    # The released supervised scorer takes all of these; that of 2019 wants the predicate.
    released = outcomes(score(gold, [said(text, *wrong)], rules=rules))
    assert released == [MATCHED if rules == "supervised" or "is" in wrong[0] else UNMATCHED]
    assert outcomes(score(gold, [said(text, *wrong)], rules=rules, mode="corrected")) == [UNMATCHED]
    right = said(text, "is", "The door", "green")
    assert outcomes(score(gold, [right], rules=rules, mode="corrected")) == [MATCHED]


def test_too_long_an_extraction_matches_when_released_only(score):
    text = "The door of the old barn that they built there is green ."
    gold = [(text, "is", "door", "green")]
    long = said(text, "is", "The door of the old barn that they built there", "green")
    assert outcomes(score(gold, [long])) == [MATCHED]
    assert outcomes(score(gold, [long], mode="corrected")) == [UNMATCHED]  # 3 of 12 tokens


def test_case_punctuation_and_escapes_are_no_difference_when_corrected(score):
    gold = [("It hit -LRB- 3 -RRB- U.S. firms .", "hit", "It", "-LRB- 3 -RRB- U.S. firms")]
    extraction = said("It hit (3) U.S. firms.", "Hit", "it", "(3) US firms")
    assert outcomes(score(gold, [extraction], mode="corrected")) == [MATCHED]


def test_a_slot_must_share_more_than_function_words(score):
    gold = [("The dog of the old man bit the cat .", "bit", "the dog of the old man", "the cat")]
    text = gold[0][0]
    only_the = said(text, "bit", "the dog of the old man", "the")
    assert outcomes(score(gold, [only_the], mode="corrected")) == [UNMATCHED]
    pronoun = [("He saw her .", "saw", "He", "her")]
    assert outcomes(
        score(pronoun, [said("He saw her .", "saw", "He", "her")], mode="corrected")
    ) == [MATCHED]


SENTENCES = [
    ("Lena Marsh , who grew up in Oslo , founded the firm Kelp with two friends in 2003 .",
     [("founded", "Lena Marsh", "the firm Kelp", "in 2003"), ("grew", "Lena Marsh", "in Oslo")]),
    ("The two rivers that cross the dry plain flood the villages on both banks every spring .",
     [("flood", "The two rivers", "the villages on both banks"),
      ("cross", "The two rivers", "the dry plain")]),
    ("After the long war the council sold the old harbour to a company from the north .",
     [("sold", "the council", "the old harbour", "to a company from the north")]),
]  # fmt: skip


def test_the_trivial_extractor_is_good_when_released_and_nothing_when_corrected(score):
    # Munchkin of WiRe57 (Léchelle et al. 2019, Figure 1): the sentence, cut in three in every way.
    gold = [(text, *slots) for text, tuples in SENTENCES for slots in tuples]
    munchkin = [
        said(text, one.relation, one.arg1, one.arg2, confidence=1 / (k + 1))
        for text, _ in SENTENCES
        for k, one in enumerate(
            Baseline.parse("trivial").extractions(Sentence("d", 0, text), system="s")
        )
    ]
    released, corrected = (
        score(gold, munchkin, mode=mode).statistics.figures for mode in ("released", "corrected")
    )
    assert released.f1 > 0.9
    assert corrected.f1 < 0.1


@pytest.mark.parametrize("confidences", [(None, None), (0.9, None), (100.0, 100.0)])
def test_without_different_confidences_there_is_one_point_and_no_area(score, confidences):
    gold = [("a b c", "b", "a", "c"), ("d e f", "e", "d", "f")]
    slots = [("a b c", "b", "a", "c"), ("a b c", "x", "y", "z")]
    extractions = [said(*s, confidence=c) for s, c in zip(slots, confidences, strict=True)]
    scored = score(gold, extractions, mode="corrected")
    figures = scored.statistics.figures
    assert not scored.statistics.curve
    assert math.isnan(figures.auc)
    assert (figures.precision, figures.recall) == (0.5, 0.5)
    assert len(scored.notes) == (None in confidences)


@pytest.mark.parametrize("rules", oie2016.OPTIONS["rules"])
@pytest.mark.parametrize("mode", oie2016.MODES)
def test_a_system_that_says_nothing_has_recall_zero(score, mode, rules):
    gold = [("a b c", "b", "a", "c"), ("d e f", "e", "d", "f")]
    figures = score(gold, [], mode=mode, rules=rules).statistics.figures
    assert math.isnan(figures.precision)
    assert math.isnan(figures.f1)
    assert figures.recall == 0


# Head match ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("argument", "head"),
    [
        ("the former president of France", "president"),
        ("in the old towns of Europe", "towns"),
        ("lawsuits", "lawsuits"),
        ("he", "he"),
        ("Lena Marsh , the biologist", "marsh"),
        ("1,000 of them", "000"),
        ("", ""),
    ],
)
def test_the_head_of_an_argument_ends_its_base_noun_phrase(argument, head):
    assert argument_head(argument) == head


def test_the_head_of_a_predicate_is_that_of_its_relation():
    predicates = ["might have been barred", "barred", "is in"]
    assert [predicate_head(p) for p in predicates] == ["bar", "bar", "in"]


@pytest.mark.parametrize("mode", oie2016.MODES)
def test_heads_of_all_elements_must_agree(score, mode):
    text = "The former mayor of Oslo may have sold the old harbour in May ."
    gold = [(text, "sold", "The former mayor of Oslo", "the old harbour")]
    cases = [
        (("may have sold", "mayor", "harbour"), MATCHED),
        (("sold", "Oslo", "harbour"), UNMATCHED),
        (("sold", "harbour", "mayor"), UNMATCHED),
        (("sold", "mayor", "harbour", "in May"), UNMATCHED),
    ]
    for slots, expected in cases:
        scored = score(gold, [said(text, *slots)], mode=mode, rules="head")
        assert outcomes(scored) == [expected]


# Gold files ------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", oie2016.OPTIONS["rules"])
def test_both_forms_of_the_gold_data_serve_any_rules(score, rules):
    form_a = [(DOOR, "painted", "They", "the door")]
    form_b = [(DOOR, "painted", "might have painted", "They", "the door")]
    extraction = said(DOOR, "might have painted", "They", "the door")
    for lines in (form_a, form_b):
        assert outcomes(score(lines, [extraction], rules=rules)) == [MATCHED]


@pytest.mark.parametrize(
    ("rows", "form_b"),
    [
        ([("s .", "go", "went to", "a", "b"), ("s .", "be", "was", "x", "y")], True),
        ([("He went .", "go", "went", "He"), ("Ann met", "meet", "had met", "Ann")], True),
        ([("He went .", "went", "He"), ("Ann met Bo", "met", "Ann", "Bo")], False),
        (
            [("It was so", "was", "It", "so"), ("Ann met", "meet", "met", "Ann")],
            False,
        ),  # no majority
        ([("s .", "go", "cats and dogs", "a")], False),
    ],
)
def test_irregular_verbs_tell_the_form_too(rows, form_b):
    assert has_base_predicates(rows) == form_b


def test_the_output_of_a_system_is_no_gold_data(score):
    lines = [
        (DOOR, "0.5", "is", "The door", "green"),
        (DOOR, "-3e-2", "of", "The door", "the barn"),
    ]
    with pytest.raises(InputError, match="output of a system") as error:
        score(lines, [])
    assert "\n" not in str(error.value)
    assert score([*lines, (DOOR, "is", "The door", "green")], []).counts["total"] > 0


def test_a_gold_tuple_is_shown_as_people_read_it(tmp_path):
    path = tmp_path / "gold.oie"
    path.write_text("a b c\tb\ta\tc\tin d\n\nonly\ttwo\n", encoding="utf-8")
    rejects = Rejects()
    gold = oie2016.read_gold(path, mode="released", options={"rules": "2019"}, rejects=rejects)
    assert gold.sentences[0].tuples == ["(a; b; c; in d)"]
    assert rejects.counts == {"blank line": 1, "fewer than 3 columns": 1}


def test_a_file_without_a_tuple_is_refused(tmp_path):
    path = tmp_path / "gold.oie"
    path.write_text("\na sentence\nanother\n", encoding="utf-8")
    with pytest.raises(
        InputError, match="no gold tuple: fewer than 3 columns, 'line 2: a sentence'"
    ):
        oie2016.read_gold(path, mode="released", options={"rules": "supervised"}, rejects=Rejects())

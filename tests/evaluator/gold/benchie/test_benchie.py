"""BenchIE's scorer, by hand counts: its rules, its faults in the released mode, and their mends."""

from pathlib import Path

import pytest

from evaluator.errors import InputError
from evaluator.gold import (
    COVERED,
    LEFT_OUT,
    MATCHED,
    OUTSIDE,
    UNMATCHED,
    Output,
    Scored,
    benchie,
    benchmarks,
)
from evaluator.model import Extraction, Rejects
from evaluator.readers.benchie import read

ANN = """\
sent_id:1\tAnn Lee served in Kenya and became a judge .
1--> Cluster 1:
Ann [Lee] --> served in --> Kenya
Ann [Lee] --> served --> in Kenya
1--> Cluster 2:
Ann [Lee] --> became --> [a] judge
"""
BO = """\
sent_id:2\tBo met Cy in Rome .
2--> Cluster 1:
Bo --> met --> Cy
2--> Cluster 2:
Bo --> met Cy in --> Rome
2--> Cluster 3:
Bo --> met --> Cy [in Rome]
"""
GOLD = f"{ANN}\n{BO}\nsent_id:3\tIt rains .\n"

MODES = ("released", "corrected")


def extraction(text: str, line: int = 1) -> Extraction:
    """An extraction written "1|Ann|served in|Kenya"; more columns are more arguments."""
    sentence_id, arg1, relation, arg2, *more = text.split("|")
    return Extraction("it", line, "", arg1, relation, arg2, tuple(more), sentence_id=sentence_id)


@pytest.fixture
def scored(tmp_path: Path):
    """Return a function that scores extractions on gold text."""

    def score(gold: str, *texts: str | Extraction, mode: str, **options: str) -> Scored:
        path = tmp_path / "gold.txt"
        path.write_text(gold)
        chosen = {name: values[0] for name, values in benchie.OPTIONS.items()} | options
        read = benchie.read_gold(path, mode=mode, options=chosen, rejects=Rejects())
        found = [
            extraction(text, line) if isinstance(text, str) else text
            for line, text in enumerate(texts, start=1)
        ]
        return benchie.score(read, Output("it", "benchie", found), mode=mode, options=chosen)

    return score


def counts(scored: Scored) -> tuple[float, ...]:
    return tuple(scored.counts[name] for name in ("tp", "fp", "fn"))


def test_it_is_a_benchmark() -> None:
    assert benchmarks()["benchie"] is benchie


@pytest.mark.parametrize("mode", MODES)
def test_a_worked_example(scored, mode: str) -> None:
    """Two sentences with 2 and 3 facts, five extractions: TP 2, FP 2, FN 3."""
    result = scored(
        GOLD,
        "1|Ann|served in|Kenya",  # fact 1
        "1|Ann Lee|served|in Kenya",  # fact 1 again: neither right nor wrong
        "1|Ann|became|judge in Kenya",  # not a triple of the gold data
        "2|Bo|met Cy in|Rome",  # fact 2
        "3|It|rains|today",  # a sentence without a fact
        mode=mode,
    )
    assert counts(result) == (2, 2, 3)
    figures = result.statistics.figures
    # P = 2/4, R = 2/5, F = 2 · .5 · .4 / .9 = 4/9
    assert figures[:3] == pytest.approx((0.5, 0.4, 4 / 9), abs=1e-12)
    assert figures.auc != figures.auc  # there is no curve
    assert [(one.outcome, one.sentence, one.gold) for one in result.judged] == [
        (MATCHED, 0, 0),
        (COVERED, 0, 0),
        (UNMATCHED, 0, None),
        (MATCHED, 1, 1),
        (UNMATCHED, 2, None),
    ]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    "text",
    [
        "1|ann|served in|Kenya",  # case
        "1|Ann Lee Lee|served in|Kenya",
        "1|Kenya|served in|Ann",  # order
        "1|Ann|served in Kenya|",
        "2|Ann|served in|Kenya",  # another sentence
    ],
)
def test_anything_but_a_triple_of_the_sentence_is_wrong(scored, mode: str, text: str) -> None:
    assert counts(scored(GOLD, text, mode=mode)) == (0, 1, 5)


@pytest.mark.parametrize("mode", MODES)
def test_an_extraction_covers_the_first_synset_that_holds_it(scored, mode: str) -> None:
    result = scored(GOLD, "2|Bo|met|Cy", "2|Bo|met|Cy in Rome", mode=mode)
    assert [one.gold for one in result.judged] == [0, 2]
    assert counts(result) == (2, 0, 3)


@pytest.mark.parametrize("mode", MODES)
def test_lexical_matching_does_not_ask_where_a_slot_ends(scored, mode: str) -> None:
    text = "1|Ann Lee became|a|judge"
    assert counts(scored(GOLD, text, mode=mode)) == (0, 1, 5)
    assert counts(scored(GOLD, text, mode=mode, match="lexical")) == (1, 0, 4)
    assert counts(scored(GOLD, "1|Ann|becamea|judge", mode=mode, match="lexical")) == (0, 1, 5)


# ----- the faults of the released scorer, and their mends


def test_repeating_a_fact_in_the_same_words_costs_precision_when_corrected(scored) -> None:
    repeated = ["1|Ann|served in|Kenya"] * 3
    released = scored(GOLD, *repeated, mode="released")
    assert counts(released) == (1, 0, 4)
    assert released.statistics.figures.precision == 1
    corrected = scored(GOLD, *repeated, mode="corrected")
    assert counts(corrected) == (1, 2, 4)
    assert corrected.statistics.figures.precision == pytest.approx(1 / 3)
    assert corrected.judged[2].note == "repeats line 1"
    # Other words for it do not, as in the paper.
    others = ("1|Ann|served in|Kenya", "1|Ann Lee|served in|Kenya")
    assert counts(scored(GOLD, *others, mode="corrected")) == (1, 0, 4)


@pytest.mark.parametrize("mode", MODES)
def test_repeats_can_be_dropped(scored, mode: str) -> None:
    texts = ("1|Ann|ran|", "1|Ann|served in|Kenya", "1|Ann|ran|", "1| Ann|served in|Kenya")
    result = scored(GOLD, *texts, mode=mode, duplicates="drop")
    assert counts(result) == (1, 1, 4)
    assert [one.outcome for one in result.judged] == [UNMATCHED, MATCHED, LEFT_OUT, LEFT_OUT]
    assert result.counts["repeats"] == 2


def test_two_blank_lines_cost_a_sentence_its_gold_unless_corrected(scored) -> None:
    one = "sent_id:1\tA b .\n1--> Cluster 1:\nA --> b --> c\n"
    two = "sent_id:2\tD e .\n2--> Cluster 1:\nD --> e --> f\n"
    perfect = ("1|A|b|c", "2|D|e|f")
    for blank_lines, expected in (("\n", (1.0, 1.0)), ("\n\n", (0.5, 1.0))):
        released = scored(one + blank_lines + two, *perfect, mode="released")
        assert released.statistics.figures[:2] == expected
        corrected = scored(one + blank_lines + two, *perfect, mode="corrected")
        assert corrected.statistics.figures[:2] == (1.0, 1.0)


def test_a_stray_space_credits_the_last_synset_unless_corrected(scored) -> None:
    texts = ("1|Ann|served in|Kenya", "1|Ann |served in|Kenya")
    released = scored(ANN, *texts, mode="released")
    assert released.statistics.figures.recall == 1.0
    assert [one.gold for one in released.judged] == [0, 1]
    assert "last one is credited" in released.judged[1].note
    corrected = scored(ANN, *texts, mode="corrected")
    assert corrected.statistics.figures.recall == 0.5
    assert counts(corrected) == (1, 1, 1)  # and it is a repeat
    assert counts(scored(ANN, texts[1], mode="corrected")) == (1, 0, 1)


@pytest.mark.parametrize("match", ["slot", "lexical"])
@pytest.mark.parametrize("mode", MODES)
def test_spaces_at_the_ends_of_a_line_are_not_its_slots(scored, mode: str, match: str) -> None:
    """The released scorer strips the line, so that its last slot has no stray space."""
    gold = "sent_id:1\tA b .\n1--> Cluster 1:\na --> b --> c\n1--> Cluster 2:\nd --> e --> f\n"
    lines = enumerate([" 1\ta\tb\tc ", "1\td\te\tf"], start=1)
    found = list(read(lines, system="it", rejects=Rejects()))
    assert found[0].arg2 == "c "  # verbatim
    result = scored(gold, *found, mode=mode, match=match)
    assert counts(result) == (2, 0, 0)
    assert [one.gold for one in result.judged] == [0, 1]
    # So with further arguments, which are joined.
    gold = gold.replace("b --> c", "b --> c in g")
    assert counts(scored(gold, "1|a|b|c|in g ", "1|d|e|f", mode=mode, match=match)) == (2, 0, 0)


def test_spaces_inside_a_slot_count_unless_corrected(scored) -> None:
    gold = "sent_id:1\tA b c .\n1--> Cluster 1:\nA  b --> is --> c [d]\n"
    assert counts(scored(gold, "1|A b|is|c", mode="released")) == (0, 1, 1)
    assert counts(scored(gold, "1|A  b|is|c", mode="released")) == (1, 0, 0)
    for text in ("1|A b|is|c", "1|A  b|is|c\u00a0 d"):
        assert counts(scored(gold, text, mode="corrected")) == (1, 0, 0)


def test_glued_nested_and_lone_brackets_are_read_as_written_when_corrected(scored) -> None:
    gold = "sent_id:1\tA b c .\n1--> Cluster 1:\nLee[,] Jr. --> is [of [the] X] --> old] man\n"
    right = ("1|Lee, Jr.|is|old man", "1|Lee Jr.|is of X|old man")
    for text in right:
        assert counts(scored(gold, text, mode="corrected")) == (1, 0, 0)
        assert counts(scored(gold, text, mode="released")) == (0, 1, 1)
    for text in ("1|Jr.|is of the|man", "1|Lee, Jr.|is|man"):
        assert counts(scored(gold, text, mode="corrected")) == (0, 1, 1)
        assert counts(scored(gold, text, mode="released")) == (1, 0, 0)


def test_a_broken_header_joins_two_facts_unless_corrected(scored) -> None:
    gold = ANN.replace("1--> Cluster 2:", "1 0 :")
    texts = ("1|Ann|served in|Kenya", "1|Ann|became|judge")
    assert counts(scored(gold, *texts, mode="released")) == (1, 0, 0)
    assert counts(scored(gold, *texts, mode="corrected")) == (2, 0, 0)
    assert counts(scored(gold, "1|1||0", mode="released")) == (1, 0, 0)
    assert counts(scored(gold, "1|1||0", mode="corrected")) == (0, 1, 2)


# ----- extractions of other kinds


@pytest.mark.parametrize("mode", MODES)
def test_further_arguments_are_joined_to_the_object(scored, mode: str) -> None:
    result = scored(GOLD, "2|Bo|met|Cy|in Rome", mode=mode)
    assert [one.gold for one in result.judged] == [2]
    assert result.notes == ["1 extractions have further arguments; they were joined to the object"]


@pytest.mark.parametrize("mode", MODES)
def test_a_sentence_is_known_by_its_text_or_else_by_its_id(scored, mode: str) -> None:
    text = "Bo met Cy in Rome."  # spaced otherwise; the identifier is of another list
    by_text = Extraction("it", 1, text, "Bo", "met", "Cy", confidence=0.3, sentence_id="1")
    elsewhere = Extraction("it", 2, "Bo slept .", "Bo", "met", "Cy", sentence_id="2")
    result = scored(GOLD, by_text, elsewhere, "9|Bo|met|Cy", mode=mode)
    assert [one.outcome for one in result.judged] == [MATCHED, OUTSIDE, OUTSIDE]
    assert counts(result) == (1, 0, 4)
    assert result.counts["outside"] == 2
    assert result.counts["extractions"] == 3
    assert result.counts["covered_sentences"] == 1


@pytest.mark.parametrize("mode", MODES)
def test_a_system_that_says_nothing_has_no_precision(scored, mode: str) -> None:
    result = scored(GOLD, mode=mode)
    assert counts(result) == (0, 0, 5)
    assert result.statistics.figures.precision != result.statistics.figures.precision
    assert result.statistics.figures.recall == 0


def test_gold_data_can_be_shown_and_counted(tmp_path: Path) -> None:
    path = tmp_path / "gold.txt"
    path.write_text(GOLD)
    gold = benchie.read_gold(path, mode="corrected", options={}, rejects=Rejects())
    assert gold.counts == {
        "sentences": 3,
        "sentences_without_facts": 1,
        "synsets": 5,
        "lines": 6,
    }
    # 2 + 2, 2 · 2; 1, 1, 2
    assert gold.triples() == 4 + 4 + 1 + 1 + 2
    assert gold.sentences[0].tuples == [
        "(Ann [Lee]; served in; Kenya) | (Ann [Lee]; served; in Kenya)",
        "(Ann [Lee]; became; [a] judge)",
    ]
    assert [sentence.id for sentence in gold.sentences] == ["1", "2", "3"]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "empty file"),
        ("Bo\tmet\tCy\n", "gold.txt:1: neither sentence, cluster nor triple"),
        ("sent_id:1\tBo met Cy .\n1--> Cluster 1:\nBo --> met\n", "gold.txt:3: not three slots"),
        ("sent_id:1\tBo met Cy .\n1--> Cluster 1:\n", "no fact in it"),
    ],
)
def test_a_file_without_a_fact_is_refused(
    tmp_path: Path, mode: str, text: str, problem: str
) -> None:
    path = tmp_path / "gold.txt"
    path.write_text(text)
    with pytest.raises(InputError, match=problem):
        benchie.read_gold(path, mode=mode, options={}, rejects=Rejects())


@pytest.mark.parametrize("mode", MODES)
def test_a_message_shows_the_beginning_of_a_line(tmp_path: Path, mode: str) -> None:
    path = tmp_path / "gold.txt"
    path.write_text("\x1b[31m" + "no gold " * 1000)
    with pytest.raises(InputError, match=r"gold\.txt:1: ") as error:
        benchie.read_gold(path, mode=mode, options={}, rejects=Rejects())
    message = str(error.value)
    assert message.isprintable()
    assert message.count("no gold") <= 10
    assert message.endswith("subject --> relation --> object")


def test_a_header_that_the_released_scorer_takes_for_a_triple_is_told(tmp_path: Path) -> None:
    path = tmp_path / "gold.txt"
    path.write_text(GOLD.replace("1--> Cluster 2:", "2 0 6 :"))
    read = {
        mode: benchie.read_gold(path, mode=mode, options={}, rejects=Rejects()) for mode in MODES
    }
    assert read["released"].counts["headers_read_as_triples"] == 1
    assert read["released"].counts["synsets"] == 4
    assert read["corrected"].counts["synsets"] == 5

"""ORE: relations between named entities with a trigger, converted or marked in the sentence."""

from itertools import combinations, permutations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.errors import ConfigurationError, InputError
from evaluator.gold import (
    LEFT_OUT,
    MATCHED,
    OUTSIDE,
    UNMATCHED,
    GoldSentence,
    Output,
    benchmarks,
    ore,
)
from evaluator.gold.joining import SentenceIndex
from evaluator.gold.ore.annotated_relations import (
    AnnotatedRelation,
    annotated,
    comparable,
    read_annotated,
)
from evaluator.gold.ore.relations import Relations
from evaluator.model import Extraction, Rejects
from evaluator.readers import RecordError

TEXT = "Lena Marsh has founded the firm Kelp in Oslo ."
MARKED = "[[[PER Lena Marsh]]] ---> has {{{founded}}} the firm <--- [[[ORG Kelp]]] in Oslo ."
HEADER = "entity1\ttype1\tentity2\ttype2\tsentence"


def said(relation: str, *arguments: str, text: str = TEXT, confidence=0.5) -> Extraction:
    arg1, arg2, *more = (*arguments, "", "")[: max(2, len(arguments))]
    return Extraction("s", 1, text, arg1, relation, arg2, tuple(more), confidence)


@pytest.fixture
def score(tmp_path: Path):
    def run(lines, *extractions, mode="corrected", rejects=None):
        path = tmp_path / "gold"
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        gold = ore.read_gold(path, mode=mode, options={}, rejects=rejects or Rejects())
        return ore.score(gold, Output("s", "tabbed", extractions), mode=mode, options={})

    return run


def outcomes(scored) -> list[str]:
    return [one.outcome for one in scored.judged]


def binary(marked: str, first: str = "Lena Marsh", second: str = "Kelp") -> str:
    return f"{first}\tPER\t{second}\tORG\t{marked}"


FORMS = {
    "converted": [f"{TEXT}\tfounded\tLena Marsh\tKelp"],
    "binary": [HEADER, binary(MARKED)],
    "n-ary": [MARKED],
}


def test_the_benchmark_is_found_by_its_name():
    assert benchmarks()["ore"] is ore


# Marks -----------------------------------------------------------------------------------------


def test_marks_give_entities_trigger_and_window_and_leave_the_sentence():
    found = annotated(MARKED)
    assert found.text == TEXT
    assert found.entities == ("Lena Marsh", "Kelp")
    assert found.relation.entities == (("lena", "marsh"), ("kelp",))
    assert found.relation.trigger == ("founded",)
    assert found.relation.window == {"has", "founded", "the", "firm"}


def test_escapes_of_the_treebank_are_no_part_of_names():
    found = annotated("[[[ORG Kelp -LRB- UK -RRB-]]] {{{sued}}} [[[ORG A\\/B Ltd]]] .")
    assert found.relation.entities == (("kelp", "uk"), ("a", "b", "ltd"))
    assert found.relation.window is None


MALFORMED = {
    "[[[PER Lena Marsh]]] {{{founded}}} Kelp": "fewer than two entities",
    "[[[PER Lena Marsh]]] {{{founded}}} [[[ORG Kelp .": "not closed",
    "[[[PER Lena Marsh {{{founded}}} [[[ORG Kelp]]] .": "not closed",
    "Lena Marsh]]] {{{founded}}} [[[ORG Kelp]]] .": "not opened",
    "[[[PER Lena]]] {{{founded [[[ORG Kelp]]] .": "trigger",
    "[[[PER Lena]]] {{{founded}}} {{{bought}}} [[[ORG Kelp]]] .": "not one trigger",
    "[[[PER Lena]]] ---> has {{{founded}}} [[[ORG Kelp]]] .": "one side only",
    "[[[PER Lena]]] has {{{founded}}} <--- [[[ORG Kelp]]] .": "one side only",
}


@pytest.mark.parametrize(("marked", "reason"), MALFORMED.items())
def test_a_mark_without_its_counterpart_is_an_error(marked, reason):
    with pytest.raises(RecordError, match=reason):
        annotated(marked)


def test_malformed_lines_are_counted_with_number_and_reason_and_the_others_read():
    lines = [
        HEADER,
        binary(MARKED),
        binary("[[[PER Lena Marsh]]] {{{founded}}} Kelp ."),
        binary("Lena [[[PER Marsh]]] {{{founded}}} [[[ORG Kelp]]] ."),
        "Lena Marsh\tPER",
        binary(MARKED),
    ]
    rejects = Rejects()
    found = list(read_annotated(enumerate(lines, start=1), rejects=rejects))
    assert [one.text for one in found] == [TEXT, TEXT]
    assert rejects.counts == {
        "fewer than two entities are marked": 1,
        "the marked entities are not the two named: one marked in part?": 1,
        "fewer than 5 columns": 1,
    }
    assert [example.split(":")[0] for example in rejects.examples.values()] == [
        "line 3", "line 4", "line 5"
    ]  # fmt: skip


OPEN_ENDED = {
    MARKED + "[" * 60_000: "not closed",
    "[[[PER Ann]]] [[[PER Bob]]] " + "{" * 60_000: "trigger",
    "[[[PER Ann]]] [[[PER Bob]]] " + "---> " * 20_000: "one side only",
    "[" * 100_000: "not closed",
    "[[[PER " * 20_000: "not closed",
    "[[[PER]]] {{{met}}} [[[ Bob]]]": "without a type",
}


@pytest.mark.parametrize(("marked", "reason"), OPEN_ENDED.items(), ids=str.__len__)
def test_marks_that_are_opened_again_and_again_are_looked_at_once(marked, reason):
    # A search that began anew at each of them would take minutes.
    with pytest.raises(RecordError, match=reason):
        annotated(marked)


# Corrected -------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    ("extraction", "expected"),
    [
        (said("has founded", "Lena Marsh", "Kelp"), MATCHED),
        (said("Founded", "kelp", "lena marsh"), MATCHED),  # either way round, whatever the case
        (said("founded", "Lena Marsh", "the firm Kelp in Oslo"), MATCHED),
        (said("has", "Lena Marsh", "Kelp"), UNMATCHED),
        (said("found", "Lena Marsh", "Kelp"), UNMATCHED),
        (said("founded", "Lena Marsh has founded Kelp"), LEFT_OUT),  # both in one argument
        (said("founded", "Lena", "Kelp"), LEFT_OUT),  # half a name
        (said("founded Kelp in", "Lena Marsh", "Oslo"), LEFT_OUT),
        (said("founded", "Lena Marsh", "Kelp", text="Another sentence ."), OUTSIDE),
    ],
)
def test_entities_stand_in_arguments_and_the_trigger_in_the_relation(
    score, form, extraction, expected
):
    assert outcomes(score(FORMS[form], extraction)) == [expected]


@pytest.mark.parametrize("form", FORMS)
def test_no_token_may_stand_in_the_relation_from_outside_a_window(score, form):
    outside = said("founded in", "Lena Marsh", "Kelp")
    expected = MATCHED if form == "converted" else UNMATCHED  # converted data have no window
    assert outcomes(score(FORMS[form], outside)) == [expected]


def test_a_trigger_is_a_token_not_a_part_of_one(score):
    lines = ["[[[PER Lena]]] and [[[PER Ola]]] {{{run}}} and prune tree of apples ."]
    text = "Lena and Ola run and prune tree of apples ."
    scored = score(
        lines,
        said("prune tree of", "Lena", "Ola", text=text),
        said("run", "Lena", "Ola", text=text),
    )
    assert outcomes(scored) == [UNMATCHED, MATCHED]


def test_without_a_trigger_there_is_no_relation_to_find_and_what_is_said_is_wrong(score):
    silent = "[[[PER Lena Marsh]]] , of [[[ORG Kelp]]] , sings ."
    text = "Lena Marsh , of Kelp , sings ."
    scored = score([MARKED, silent], said("of", "Lena Marsh", "Kelp", text=text))
    assert outcomes(scored) == [UNMATCHED]
    assert scored.counts["total"] == 1
    assert scored.statistics.figures.precision == 0


def test_of_an_n_ary_relation_every_entity_is_wanted(score):
    lines = ["[[[PER Lena]]] {{{sold}}} [[[ORG Kelp]]] to [[[ORG Wrack]]] ."]
    text = "Lena sold Kelp to Wrack ."
    scored = score(
        lines,
        said("sold", "Lena", "Kelp", text=text),
        said("sold", "Lena", "Kelp", "to Wrack", text=text),
    )
    assert outcomes(scored) == [UNMATCHED, MATCHED]


def test_many_entities_of_one_name_need_as_many_arguments(score):
    # There are 11! ways to give these out.
    lines = ["[[[X a]]] " * 10 + "[[[X b]]] {{{r}}} ."]
    text = "a " * 10 + "b r ."
    scored = score(
        lines,
        said("r", *["a"] * 11, text=text),
        said("r", *["a"] * 9, "b", text=text),
        said("r", *["a"] * 9, "a b", "a", text=text),
        said("r", "a b", "c", text=text),
    )
    assert outcomes(scored) == [UNMATCHED, UNMATCHED, MATCHED, LEFT_OUT]


names = st.lists(st.sampled_from("abc"), min_size=1, max_size=3).map(" ".join)


@given(st.lists(names, min_size=2, max_size=4), st.lists(names, min_size=2, max_size=5))
def test_each_entity_has_an_argument_of_its_own_in_some_way_of_giving_them_out(entities, arguments):
    def given_out(wanted) -> bool:
        return any(
            all(
                f" {entity} " in f" {argument} "
                for entity, argument in zip(wanted, some, strict=True)
            )
            for some in permutations(arguments, len(wanted))
        )

    relation = AnnotatedRelation(tuple(map(comparable, entities)), comparable("r"))
    extraction = said("r", *arguments)
    gold = Relations([GoldSentence("1", TEXT, ["r"])], [[relation]], {}, SentenceIndex([TEXT]))
    scored = ore.score(gold, Output("s", "tabbed", [extraction]), mode="corrected", options={})
    if given_out(entities):
        expected = MATCHED
    elif any(map(given_out, combinations(entities, 2))):
        expected = UNMATCHED
    else:
        expected = LEFT_OUT
    assert outcomes(scored) == [expected]


def test_a_relation_is_stated_once_and_precision_is_of_what_concerns_the_entities(score):
    scored = score(
        FORMS["converted"],
        said("founded", "Lena Marsh", "Kelp", confidence=0.9),
        said("has founded", "Lena Marsh", "Kelp", confidence=0.8),
        said("founded Kelp in", "Lena Marsh", "Oslo", confidence=0.7),
    )
    assert outcomes(scored) == [MATCHED, UNMATCHED, LEFT_OUT]
    assert scored.statistics.at_thresholds().precision.tolist() == [0.5, 1.0]
    assert scored.statistics.at_thresholds().recall.tolist() == [1.0, 1.0]


def test_two_relations_of_one_sentence_are_both_to_be_found(score):
    lines = [f"{TEXT}\tfounded\tLena Marsh\tKelp", f"{TEXT}\tin\tKelp\tOslo"]
    scored = score(lines, said("in", "Kelp", "Oslo"))
    assert (scored.counts["total"], scored.statistics.figures.recall) == (2, 0.5)
    assert scored.judged[0].gold == 1


# Released --------------------------------------------------------------------------------------


def test_released_rules_are_those_of_oie2016(score):
    # 3 of the 4 words "founded Lena Marsh Kelp", whatever their slots; the other is wrong.
    scored = score(
        FORMS["converted"],
        said("x", "Kelp Marsh founded"),
        said("founded Kelp in", "Lena Marsh", "Oslo"),
        mode="released",
    )
    assert outcomes(scored) == [MATCHED, UNMATCHED]


@pytest.mark.parametrize("form", ["binary", "n-ary"])
def test_marked_sentences_have_no_released_scorer(score, form):
    with pytest.raises(ConfigurationError, match="corrected"):
        score(FORMS[form], mode="released")


@pytest.mark.parametrize("mode", ore.MODES)
@pytest.mark.parametrize("line", ["[" * 100_000, "]]] of [[[ a sentence"])
def test_brackets_that_enclose_nothing_mark_no_sentence(score, mode, line):
    with pytest.raises(InputError, match=r"fewer than [34] columns, 'line 1: "):
        score([line], mode=mode)


@pytest.mark.parametrize("mode", ore.MODES)
def test_the_output_of_a_system_is_no_gold_data(score, mode):
    with pytest.raises(InputError, match="output of a system"):
        score([f"{TEXT}\t-0.25\tfounded\tLena Marsh\tKelp"], mode=mode)


@pytest.mark.parametrize("mode", ore.MODES)
def test_a_file_without_a_relation_is_refused(score, mode):
    with pytest.raises(InputError, match=r"no .*: fewer than . columns, 'line 2: a sentence"):
        score(["", "a sentence and no more"], mode=mode)
    if mode == "corrected":
        with pytest.raises(InputError, match="no relation"):
            score(["[[[PER Lena]]] and [[[PER Ola]]] sing ."])


@pytest.mark.parametrize("mode", ore.MODES)
def test_a_system_that_says_nothing_has_recall_zero(score, mode):
    assert score(FORMS["converted"], mode=mode).statistics.figures.recall == 0

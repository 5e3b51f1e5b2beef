"""PropS: any number of labelled arguments, kept as they are."""

from hypothesis import given

from evaluator.model import Extraction
from evaluator.readers import props
from tests.evaluator.readers.block_texts import almost, known_as, read

SENTENCE = "Lena Marsh founded Kelp in Oslo ."
LINES = [
    f"-227.49\t{SENTENCE}\tfounded\tsubj\tLena Marsh \tdobj\tKelp ",
    f"-227.49\t{SENTENCE}\tfounded\tsubj\tLena \tsubj\tMarsh \tprep_in\tOslo ",
    f"-227.49\t{SENTENCE}\tKelp\tprop_of\tKelp ",
    f"-227.49\t{SENTENCE}\tOslo\t",
]


def test_arguments_and_labels_alternate_and_are_kept_verbatim():
    extractions, rejects = read("props", LINES[0])
    assert extractions == [
        Extraction(
            system="system",
            line=1,
            sentence=SENTENCE,
            arg1="Lena Marsh ",
            relation="founded",
            arg2="Kelp ",
            confidence=-227.49,
            extra={"labels": ["subj", "dobj"]},
        )
    ]
    assert rejects.total == 0


def test_labels_repeat_and_further_arguments_follow():
    [extraction], _ = read("props", LINES[1])
    assert (extraction.arg1, extraction.arg2) == ("Lena ", "Marsh ")
    assert extraction.more_arguments == ("Oslo ",)
    assert extraction.extra == {"labels": ["subj", "subj", "prep_in"]}


def test_one_argument_or_none_is_an_extraction():
    extractions, rejects = read("props", "\n".join([*LINES[2:], LINES[3].rstrip("\t")]))
    assert [(e.relation, e.arg1, e.arg2, e.more_arguments) for e in extractions] == [
        ("Kelp", "Kelp ", "", ()),
        ("Oslo", "", "", ()),
        ("Oslo", "", "", ()),
    ]
    assert [e.extra for e in extractions] == [{"labels": ["prop_of"]}, {}, {}]
    assert rejects.total == 0


def test_the_logarithm_of_zero_is_no_confidence_and_is_kept_as_written():
    [extraction], _ = read("props", "\n".join([LINES[2].replace("-227.49", "-inf")]))
    assert extraction.confidence is None
    assert extraction.extra == {"labels": ["prop_of"], "confidence_text": "-inf"}


def test_wrong_lines_are_counted_by_reason():
    wrong = {
        "": "blank line",
        "-1\tsentence\trelation\tsubj": "not three columns and a label for each argument",
        "-1\tsentence\trelation\tsubj\tone\tobj": "not three columns and a label for each argument",
        "-1\tsentence": "not three columns and a label for each argument",
        "-1\t \trelation\tsubj\tone": "no sentence",
        "x\tsentence\trelation\tsubj\tone": "confidence is not a number",
    }
    extractions, rejects = read("props", "\n".join(wrong))
    assert extractions == []
    assert rejects.total == len(wrong)
    assert set(rejects.counts) == set(wrong.values())


def test_props_is_told_from_the_tabbed_output_of_props():
    as_tabbed = f"{SENTENCE}\t0.58\tfounded\tLena Marsh \tKelp "
    assert known_as("\n".join(LINES)) == ["props"]
    assert known_as(as_tabbed) == ["tabbed"]


def test_props_is_told_from_other_columns_that_begin_with_a_number():
    ollie = "0.7\tLena\tfounded\tKelp\tNone\tNone\tLena founded Kelp\t{arg1} <nsubj< {rel}\t(x)"
    for line in [
        "1.0\tLena Marsh\tfounded\tKelp",
        '1\t"Lena Marsh"\t"founded"\t"Kelp"\t-184.33',
        "0.93\t\tSimpleArgument(Lena,List([0, 4)))\tRelation(runs,List([5, 9)))\t\tLena runs",
        ollie,
    ]:
        assert not props.recognises([line])


@given(almost("\n".join(LINES)))
def test_every_line_is_an_extraction_or_counted(text):
    extractions, rejects = read("props", text)
    assert len(extractions) + rejects.total == text.count("\n") + 1
    props.recognises(text.split("\n"))

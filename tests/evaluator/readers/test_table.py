"""Tables with a header, as scripts, pandas, spreadsheets and chat models write them."""

import pytest
from hypothesis import given

from evaluator.errors import ConfigurationError, InputError
from evaluator.model import Rejects
from evaluator.readers import SystemSource, formats, read_extractions
from evaluator.readers.table import AROUND, LONG, NAMELESS, NO_SLOTS, WIDTH
from tests.evaluator.readers.block_texts import almost, known_as, read, triple

ROWS = 'id,Subject,Predicate,Object,text,score\n7,Lena Marsh,founded,"Kelp, Ltd",Lena ran .,0.5\n'
HOUSE = (
    "sentence\tconfidence\trelation\targ1\targ2\nLena founded Kelp .\t0.5\tfounded\tLena\tKelp\n"
)
MARKDOWN = "| Subject | Relation | Object |\n|:---|---|---:|\n| Lena | founded | Kelp |\n"


def test_columns_are_what_the_header_says():
    (extraction,), rejects = read("table", ROWS)
    assert triple(extraction) == ("Lena Marsh", "founded", "Kelp, Ltd")
    assert (extraction.sentence, extraction.sentence_id) == ("Lena ran .", "7")
    assert (extraction.line, extraction.confidence) == (2, 0.5)
    assert (rejects.total, rejects.notes) == (0, {})


@pytest.mark.parametrize(
    "text",
    [
        "subject\trelation\tobject\nLena\tfounded\tKelp",
        "h;r;t\nLena;founded;Kelp",
        "arg1|rel|arg2\nLena|founded|Kelp",
        MARKDOWN,
        '"subj","rel","obj"\n"Lena","founded","Kelp"',
        "\n\nsubject,object,relation\n\nLena,Kelp,founded\n\n",
    ],
)
def test_any_separator_and_any_order(text):
    (extraction,), rejects = read("table", text)
    assert triple(extraction) == ("Lena", "founded", "Kelp")
    assert rejects.total == 0
    assert known_as(text) == ["table"]


def test_a_header_decides_over_the_looks_of_the_rows():
    assert known_as(HOUSE) == ["table"]
    assert known_as(HOUSE.partition("\n")[2]) == ["tabbed"]
    (extraction,), rejects = read("table", HOUSE)
    assert triple(extraction) == ("Lena", "founded", "Kelp")
    assert (extraction.confidence, rejects.total) == (0.5, 0)
    assert known_as("sent_id,subject,verb,object\n7,Lena,ran,\n") == ["spacy"]


def test_a_cell_in_quotes_may_go_over_lines():
    text = 'subject,relation,object,note\nLena,founded,Kelp,"a ""b""\n\nc"\nBo,left,Oslo,\n'
    (first, second), rejects = read("table", text)
    assert first.extra == {"note": 'a "b"\n\nc'}
    assert (second.line, triple(second)) == (5, ("Bo", "left", "Oslo"))
    assert rejects.total == 0


def test_a_quote_too_many_costs_its_own_row():
    rows = "".join(f"Lena,founded,Kelp {n}\n" for n in range(120))
    extractions, rejects = read("table", f'subject,relation,object\n"Bo,left,Oslo\n{rows}')
    assert [e.arg2 for e in extractions] == [f"Kelp {n}" for n in range(120)]
    assert rejects.counts == {WIDTH: 1}
    # A second one, far below, does not make a cell of all that is between.
    extractions, rejects = read("table", f'subject,relation,object\n"Bo,left,Oslo\n{rows}"x,y,z\n')
    assert len(extractions) == 120
    assert rejects.counts == {WIDTH: 2}


def test_a_quote_inside_a_cell_is_a_sign_of_inches():
    (first, second), rejects = read(
        "table", 'subject,relation,object\nA 6" pipe,is,long\nBo,ran,\n'
    )
    assert (first.arg1, second.arg1, rejects.total) == ('A 6" pipe', "Bo", 0)


def test_a_row_that_the_module_csv_cannot_hold_is_counted_as_such():
    long = "x" * 200_000
    text = f'subject,relation,object\nLena,founded,"{long}"\nBo,left,Oslo\n'
    (extraction,), rejects = read("table", text)
    assert (extraction.arg1, rejects.counts) == ("Bo", {LONG: 1})
    tabs = text.replace('"', "").replace(",", "\t").split("\nBo")[0]
    (extraction,), rejects = read("table", tabs)
    assert (extraction.arg2, rejects.total) == (long, 0)


def test_a_header_alone_is_no_output(tmp_path):
    path = tmp_path / "t.tsv"
    path.write_text("subject\trelation\tobject\n")
    with pytest.raises(InputError, match=r"nothing could be read: no record; expected a table"):
        list(read_extractions(SystemSource("mine", "auto", path), rejects=Rejects()))


def test_blank_cells_say_nothing():
    text = "subject,relation,object,score\nLena,ran,,\nBo,,Oslo,\n,left,Oslo,\n,,,\n"
    (extraction,), rejects = read("table", text)
    assert (triple(extraction), extraction.confidence) == (("Lena", "ran", ""), None)
    assert rejects.counts == {NO_SLOTS: 3}


def test_what_an_extraction_does_not_assert_is_said_in_words():
    text = "subject,relation,object,negated,asserted\nLena,ran,home,TRUE,no\nBo,ran,home,perhaps,\n"
    (extraction,), rejects = read("table", text)
    assert (extraction.negated, extraction.asserted) == (True, False)
    assert rejects.counts == {"negated is not true or false": 1}


def test_the_index_of_pandas_is_no_column():
    (extraction,), rejects = read("table", ",subject,relation,object\n0,Lena,founded,Kelp\n")
    assert (triple(extraction), extraction.extra) == (("Lena", "founded", "Kelp"), {})
    assert rejects.notes == {NAMELESS: 1}


def test_the_header_may_come_again():
    extractions, rejects = read("table", ROWS + ROWS)
    assert ([e.line for e in extractions], rejects.total) == ([2, 4], 0)


def test_columns_of_other_names_are_named(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("who;does;whom\nLena;founded;Kelp\n")
    source = SystemSource.parse(f"mine=auto(subject=who,relation=does,object=whom):{path}")
    assert source.format == "table"
    (extraction,) = read_extractions(source, rejects=Rejects())
    assert triple(extraction) == ("Lena", "founded", "Kelp")
    wrong = SystemSource.parse(f"mine=table(sentence=when,subject=who,relation=does):{path}")
    with pytest.raises(ConfigurationError, match=r"no record has the key 'when', mapped to sen"):
        list(read_extractions(wrong, rejects=Rejects()))
    with pytest.raises(InputError, match=r"no header that names a subject and a relation"):
        list(read_extractions(SystemSource("mine", "table", path), rejects=Rejects()))


@given(almost(ROWS + ROWS))
def test_any_text_is_read_or_counted(text):
    lines = enumerate(text.split("\n"), start=1)
    list(formats()["table"].read(lines, system="system", rejects=Rejects()))


def test_the_answer_of_a_chat_model_is_its_tables():
    text = f"Here they are:\n\n**First**\n{MARKDOWN}\nAnd more:\n"
    text += "| Subject | Relation | Object |\n|---|---|---|\n| **Bo** | `left` | a \\| b |\nDone.\n"
    assert known_as(text) == ["table"]
    (first, second), rejects = read("table", text)
    assert (first.line, triple(first)) == (6, ("Lena", "founded", "Kelp"))
    assert triple(second) == ("Bo", "left", "a | b")
    assert (rejects.total, rejects.notes) == (0, {AROUND: 3})

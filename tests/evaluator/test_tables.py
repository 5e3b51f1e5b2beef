"""A table reads the same, whatever program saved it, wherever people hand one in."""

import csv
from io import StringIO

import pytest

from evaluator.errors import InputError
from evaluator.labels.label import Label, read_labels
from evaluator.labels.rating_files import read_ratings
from evaluator.labels.sheets import read_sheet
from evaluator.model import Rejects
from evaluator.relations.alignments import Alignment, read_alignments
from evaluator.tables import read_table

FACTS = [("Ada, Lady", "is; was", "St. | John"), ("Ben", "born in", 'the "Gare"')]
LABELS = [Label(*FACTS[0], True, "ann"), Label(*FACTS[1], False, "ann")]


def _labels(path):
    return read_labels(path, rejects=Rejects())


def _sheet(path):
    return read_sheet(path, rejects=Rejects())


def _matrix(path):
    (judged,) = read_ratings([path], rejects=Rejects()).values()
    return [Label(*item, said, "ann") for item, said in judged.items()]


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize("quoting", [csv.QUOTE_MINIMAL, csv.QUOTE_ALL])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
@pytest.mark.parametrize(
    ("read", "column"), [(_labels, "label"), (_sheet, "label"), (_matrix, "ann")]
)
def test_the_dialect_of_labels_is_told_by_the_header(
    tmp_path, delimiter, quoting, encoding, read, column
):
    path = tmp_path / "ann.csv"
    with path.open("w", encoding=encoding, newline="") as file:
        rows = [("e1", "r", "e2", column), (*FACTS[0], "yes"), (*FACTS[1], "no")]
        csv.writer(file, delimiter=delimiter, quoting=quoting).writerows(rows)
    assert read(path) == LABELS


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_so_is_that_of_alignments(tmp_path, delimiter):
    sheet = StringIO()
    rows = [("phrase", "relation", "same"), ("is, was", "be; have", "1"), ("a|b", "c", "0")]
    csv.writer(sheet, delimiter=delimiter).writerows(rows)
    (tmp_path / "a.txt").write_text(sheet.getvalue())
    assert read_alignments(tmp_path / "a.txt") == [
        Alignment("is, was", "be; have", same=True),
        Alignment("a|b", "c", same=False),
    ]


def test_between_tabs_a_quote_is_text_unless_the_header_is_quoted(tmp_path):
    bare, quoted = tmp_path / "bare.tsv", tmp_path / "quoted.tsv"
    bare.write_text('a\tb\n"x" y\t"z\n')
    quoted.write_text('"a"\t"b"\n"x"\t"y ""z"""\n')  # as write.table of R, but for escapes
    assert [*read_table(bare, columns="ab", rejects=Rejects())] == [{"a": '"x" y', "b": '"z'}]
    assert [*read_table(quoted, columns="ab", rejects=Rejects())] == [{"a": "x", "b": 'y "z"'}]


def test_a_quote_that_is_never_closed_is_told_with_its_line(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text('a|b\nx|y\nx|"y\nz|w\n')
    with pytest.raises(InputError, match=r"a\.txt:3: broken CSV"):
        list(read_table(path, columns="ab", rejects=Rejects()))


def test_a_cell_that_is_no_cell_is_told_in_plain_words(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text(f"a|b\nx|{'y' * 131_073}\n")
    with pytest.raises(InputError, match=r"a\.txt:2: a cell of more than 131,072 characters"):
        list(read_table(path, columns="ab", rejects=Rejects()))


def test_a_row_with_too_many_cells_is_counted_or_refused(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("a;b\nx;y;;\nx;y;z\n")
    rejects = Rejects()
    assert [*read_table(path, columns="ab", rejects=rejects)] == [{"a": "x", "b": "y"}]
    assert rejects.examples == {"more cells than columns": f"{path}:3: x y z"}
    with pytest.raises(InputError, match=r"a\.txt:3: more cells than columns: 'z'"):
        list(read_table(path, columns="ab"))

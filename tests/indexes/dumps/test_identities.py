"""Tables of old and current ids, and of ids of the same thing."""

import gzip
from pathlib import Path

import pytest

from evaluator.errors import InputError
from evaluator.model import Rejects
from indexes.dumps.identities import IDENTITIES, REDIRECTS, Table
from indexes.streams import splits


def read(table: Table, path: Path, byte_range=None) -> tuple[list[tuple], Rejects, Rejects]:
    rejects, left_out = Rejects(), Rejects()
    batches = table.read(path, rejects=rejects, left_out=left_out, byte_range=byte_range)
    rows = [tuple(row.values()) for batch in batches for row in batch.to_pylist()]
    return rows, rejects, left_out


@pytest.fixture
def written(tmp_path):
    def write(text: str | bytes) -> Path:
        path = tmp_path / "table.tsv"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


def test_redirects_take_every_written_form(written):
    # kgtk#253: Q16231742 is a redirect in a corpus linked in 2015
    path = written(
        "Q16231742\tQ2\n"
        "wd:Q3\thttp://www.wikidata.org/entity/Q4\n"
        "m.0abc\t/m/0def\n"
        "<http://rdf.freebase.com/ns/m.01>\t<http://www.w3.org/2002/07/owl#sameAs>"
        "\t<http://rdf.freebase.com/ns/m.02>\t.\n"
        "https://en.wikipedia.org/wiki/J%C3%B8rn\ten:Jørn Utzon\n"
        "<http://dbpedia.org/resource/UK> <http://dbpedia.org/ontology/wikiPageRedirects>"
        " <http://dbpedia.org/resource/United_Kingdom> .\n"
    )
    rows, rejects, left_out = read(REDIRECTS, path)
    assert rows == [
        ("redirect", "Q16231742", "", "Q2"),
        ("redirect", "Q3", "", "Q4"),
        ("redirect", "/m/0abc", "", "/m/0def"),
        ("redirect", "/m/01", "", "/m/02"),
        ("redirect", "en:Jørn", "", "en:Jørn_Utzon"),
        ("redirect", "en:UK", "", "en:United_Kingdom"),
    ]
    assert (rejects.total, left_out.total) == (0, 0)


def test_identities_join_any_number_of_ids_to_the_first(written):
    path = written(
        "Q42\t/m/0282x\ten:Douglas_Adams\n"
        "/m/02mjmr\tQ76\n"
        "Q5\t\t/m/05\n"
        "<http://dbpedia.org/resource/Berlin> <http://www.w3.org/2002/07/owl#sameAs>"
        " <http://www.wikidata.org/entity/Q64> .\n"
    )
    rows, rejects, _ = read(IDENTITIES, path)
    assert rows == [
        ("same", "Q42", "", "/m/0282x"),
        ("same", "Q42", "", "en:Douglas_Adams"),
        ("same", "/m/02mjmr", "", "Q76"),
        ("same", "Q5", "", "/m/05"),
        ("same", "en:Berlin", "", "Q64"),
    ]
    assert rejects.total == 0


@pytest.mark.parametrize("header", ["", "old\tnew\n", "# old, new\n", "\ufeffold id\tnew id\r\n"])
@pytest.mark.parametrize("table", [REDIRECTS, IDENTITIES])
def test_comments_blank_lines_and_a_header_are_no_records(written, table, header):
    rows, rejects, left_out = read(table, written(f"{header}\nQ1\tQ2\r\n# end\n  \nQ3\tQ4"))
    assert [(old, new) for _, old, _, new in rows] == [("Q1", "Q2"), ("Q3", "Q4")]
    assert (rejects.total, left_out.total) == (0, 0)


def test_bad_lines_are_rejects_by_reason_and_every_line_is_accounted_for(written):
    lines = [
        b"Q1\tQ2",
        b"old\tnew",  # a header is first or none
        b"Q1 Q2",
        b"Q1",
        b"Q1\tQ2\tQ3",
        b"Q1\tan entity",
        b"Q1\tQ\xff",
        b"Q7\twd:Q7",
        b"<http://a/b> <http://www.w3.org/2002/07/owl#sameAs>",
        b"<http://a/b> <http://www.w3.org/2002/07/owl#sameAs> nothing .",
        b"<http://a/b> <http://www.w3.org/2000/01/rdf-schema#seeAlso> <http://a/c> .",
        b'<http://a/b> <http://www.w3.org/2002/07/owl#sameAs> "c" .',
    ]
    rows, rejects, left_out = read(REDIRECTS, written(b"\n".join(lines) + b"\n"))
    assert rows == [("redirect", "Q1", "", "Q2")]
    assert rejects.counts == {
        "no identifier": 2,
        "not the expected columns": 3,
        "invalid UTF-8": 1,
        "cut line": 1,
        "not N-Triples": 1,
    }
    assert rejects.examples["no identifier"] == "old\tnew"
    assert left_out.counts == {"the same id": 1, "another predicate": 1, "literal value": 1}
    assert len(rows) + rejects.total + left_out.total == len(lines)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("<!DOCTYPE html>\n<html></html>\n", "cut line, first in '<!DOCTYPE html>'"),
        ("old\tnew\n", "it holds no records"),
        ("Q1\tQ1\n", "the same id, first in"),
    ],
)
def test_a_file_without_a_pair_is_refused(written, text, problem):
    with pytest.raises(InputError, match=f"no pair of ids found: {problem}"):
        read(IDENTITIES, written(text))


def test_a_packed_table_cut_short_gives_its_whole_lines(tmp_path):
    lines = [f"Q{n}\tQ{n * n}\n" for n in range(2, 5_000)]
    packed = gzip.compress("".join(lines).encode())
    path = tmp_path / "redirects.tsv.gz"
    path.write_bytes(packed[: len(packed) // 2])
    rows, rejects, _ = read(REDIRECTS, path)
    assert 0 < len(rows) < len(lines)
    assert [f"{old}\t{new}\n" for _, old, _, new in rows] == lines[: len(rows)]
    assert rejects.counts == {"truncated file": 1}


@pytest.mark.parametrize("size", [1, 7, 20, 1_000])
def test_byte_ranges_give_each_pair_once(written, size):
    path = written("old\tnew\nQ1\tQ2\nQ3\tQ4\nQ5\tQ6\n")
    rows = [row for part in splits(path, size) for row in read(REDIRECTS, path, part)[0]]
    assert [(old, new) for _, old, _, new in rows] == [("Q1", "Q2"), ("Q3", "Q4"), ("Q5", "Q6")]


def test_a_first_line_with_digits_is_a_record_and_not_a_header(written):
    rows, rejects, _ = read(REDIRECTS, written("X1\tX2\nQ1\tQ2\n"))
    assert (len(rows), rejects.counts) == (1, {"no identifier": 1})


def test_commas_are_named(written):
    _, rejects, _ = read(REDIRECTS, written("old,current\nQ1,Q2\nQ3\tQ4\n"))
    assert rejects.counts == {"separated by commas, expected tabs": 2}


@pytest.mark.parametrize("last", [b"Q3", b"Q3\tQ", b"<http://a/b> <http://www.", b"Q3\t\xc3"])
def test_a_last_line_without_an_end_that_is_no_record_is_a_truncated_file(written, last):
    rows, rejects, _ = read(REDIRECTS, written(b"Q1\tQ2\n" + last))
    assert (len(rows), rejects.counts) == (1, {"truncated file": 1})
